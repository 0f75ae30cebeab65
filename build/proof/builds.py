"""Where the ledgers of a build come from: files, a folder of them, the checkout as it stands, or a git ref.

The last two are built in a temporary folder, with the stored slow results, and the checkout is left alone.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from figures.kit import project
from figures.kit.entry import Ledger
from figures.kit.errors import Problem
from figures.kit.files import read_text
from proof import ledger_file

HERE = "."
NO_GIT = "git is not installed"


def ledgers(name: str, root: Path, progress: Callable[[str], None], document: str = "") -> dict[str, Ledger]:
    """The ledgers of one build by the file names of their pages; of one document where one is named."""
    if not name.strip():
        raise Problem("diff", "a build to compare has no name", "Name a ledger file, a branch, a tag or a commit; `.` is the checkout")
    path = Path(name)
    if name != HERE and path.is_file():
        return by_page([path])
    if name != HERE and path.is_dir():
        return by_page(sorted(path.rglob("*.ledger.json")) or [path / "*.ledger.json"])
    if path.suffix == ".json":
        raise Problem(name, "there is no such ledger", "Give a ledger that a build has written, or a git ref")
    return {page: ledger for page, (ledger, _) in whole(name, root, progress, document).items()}


def whole(name: str, root: Path, progress: Callable[[str], None], document: str = "") -> dict[str, tuple[Ledger, str]]:
    """The pages that a commit makes, or the checkout, by their file names: the ledger of each, and its HTML."""
    with tempfile.TemporaryDirectory(prefix="diff-") as made:
        folder = Path(made) / "project"
        folder.mkdir()
        copy_here(root, folder) if name == HERE else check_out(name, root, folder)
        built(name, root, folder, progress, document)
        files = [(file, ledger_file.read(file)) for file in sorted((folder / "_output").rglob("*.ledger.json"))]
        return {one.page: (one, read_text(file.with_name(one.page))) for file, one in files}


def by_page(files: list[Path]) -> dict[str, Ledger]:
    return {ledger.page: ledger for ledger in map(ledger_file.read, files)}


def copy_here(root: Path, folder: Path) -> None:
    """The checkout's own files, committed or not."""
    listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").decode()
    for name in filter(None, listed.split("\0")):
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)


def check_out(ref: str, root: Path, folder: Path) -> None:
    """The files of a commit; the checkout, its index and its branches stay as they are."""
    commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}").decode().strip()
    with zipfile.ZipFile(io.BytesIO(git(root, "archive", "--format=zip", commit))) as archive:
        archive.extractall(folder)


def known(ref: str, root: Path) -> bool:
    """Whether the repository has that commit; the checkout as it stands is always there."""
    try:
        return ref == HERE or bool(git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"))
    except Problem as problem:
        if problem.what == NO_GIT:
            raise
        return False


def git(root: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True)
    except FileNotFoundError:
        raise Problem("diff", NO_GIT, "Compare two ledger files instead: A=one.ledger.json B=other.ledger.json") from None
    if done.returncode:
        asked = arguments[-1].removesuffix("^{commit}")
        said = done.stderr.decode(errors="replace").strip() or "git knows no such commit"
        raise Problem(asked, said, "Name a ledger file, a branch, a tag or a commit; `git log --oneline` lists commits")
    return done.stdout


def built(name: str, root: Path, folder: Path, progress: Callable[[str], None], document: str = "") -> None:
    """Renders every page of the project in `folder`, or one document's, there.

    What the checkout has kept of slow work comes along, and what is new goes back to it.
    """
    bring_new(root, folder)
    wanted = [page for page in pages(folder) if not document or Path(page).stem == document]
    if not wanted and document:
        return  # that version has no such document: all of it is new, or gone
    for page in wanted:
        progress(f"building {page} of {name}")
        command = [sys.executable, "build", "render", page]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("QUARTO_")} | {"CLAIMS": "note"}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise Problem(f"{name}, {page}", f"it doesn't build:\n{done.stderr.strip()}", "Put this right, or compare with another commit")
    bring_new(folder, root)
    if not any((folder / "_output").rglob("*.ledger.json")):
        raise Problem(name, "that version writes no ledger", "Compare with a later commit")


def bring_new(source: Path, target: Path) -> None:
    """Copies the kept results that `target` hasn't."""
    for kind in ("slow", "kept", "states"):
        for result in (source / ".cache" / kind).glob("[!.]*"):
            if not (there := target / ".cache" / kind / result.name).exists():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(result, there)


def pages(folder: Path) -> list[str]:
    """The documents that `_quarto.yml` renders and that are there."""
    file = folder / "_quarto.yml"
    if not file.is_file():
        raise Problem(folder.name, "it holds no _quarto.yml", "Compare with a commit of this project")
    return [page.relative_to(folder).as_posix() for page in project.documents(folder) if page.is_file()]

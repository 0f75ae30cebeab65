"""Refuses pages that Quarto froze and that are out of date: a frozen page is used only while all that it was made of is as it was.

Quarto freezes a page by the text of its .qmd alone; an include, a module or a data file may change and the old numbers
stay. So every page that Quarto freezes gets a stamp beside its results, `_freeze/PAGE/stamp.json`: the digests of its
source and includes, of every module of figures/ that its cells reach, of data/ and the settings, and the versions of the
packages. Before a render of the whole project a stamp that differs stops it. A page rendered by itself is always run.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from pathlib import Path

from base import atomic_write

from figures.kit import dependencies, project, qmd, strict_yaml
from figures.kit.dependencies import digest
from figures.kit.errors import DataError, Problem
from figures.kit.files import lines_of, read_text

FROZEN = "_freeze"
STAMP = "stamp.json"
PENDING = Path(".cache", "freeze.json")  # the stamps of before the cells ran, until the pages are made
READ_BY_CELLS = (("data", "*"), ("slides", "*.py"))  # the files that figures/ may read
SETTINGS = (project.SETTINGS, project.VARIABLES)

BEFORE = b"\n\n"  # put after the results that stood there before a render: what has lost it at the end was written by the render

Stamp = dict[str, str]


def check(root: Path, environment: Mapping[str, str]) -> None:
    """Before a render: a Problem for a frozen page that would be shown although something changed; keeps today's stamps."""
    (root / PENDING).unlink(missing_ok=True)
    pages = project.documents(root)
    frozen = [page for page in pages if results(root, page)]
    if not frozen and not any(frozen_as(root, page) in ("true", "auto") for page in pages):
        return
    stamps = {name_of(page, root): stamp(page, root) for page in pages}
    if environment.get("QUARTO_PROJECT_RENDER_ALL"):
        for page in frozen:
            for file in used(root, page):
                refuse(root, page, kept(root, page).get(file.name), stamps[name_of(page, root)])
    for file in (file for page in frozen for file in results(root, page)):
        atomic_write.write(file, file.read_bytes().removesuffix(BEFORE) + BEFORE)
    atomic_write.write(root / PENDING, json.dumps(stamps, ensure_ascii=False))


def keep(root: Path) -> None:
    """After a render: what Quarto froze since the cells began to run gets the stamp that was taken before."""
    pending = root / PENDING
    if not pending.is_file():
        return
    stamps: dict[str, Stamp] = json.loads(pending.read_text(encoding="utf-8"))
    for name, taken in stamps.items():
        fresh: dict[str, Stamp] = {}
        for file in results(root, root / name):
            content = file.read_bytes()
            if content.endswith(BEFORE):
                atomic_write.write(file, content.removesuffix(BEFORE))
            else:
                fresh[file.name] = taken
        if fresh:
            stamps_of_page = json.dumps(kept(root, root / name) | fresh, ensure_ascii=False, indent=1)
            atomic_write.write(folder(root, root / name) / STAMP, stamps_of_page + "\n")
    pending.unlink()


def kept(root: Path, page: Path) -> dict[str, Stamp]:
    """The stamps of a page's frozen results, one for each format, by file name."""
    file = folder(root, page) / STAMP
    if not file.is_file():
        return {}
    try:
        return {name: dict(taken) for name, taken in json.loads(file.read_text(encoding="utf-8")).items()}
    except (ValueError, TypeError, AttributeError):
        raise Problem(name_of(page, root), f"the stamp {name_of(file, root)} can't be read", remedy(root, page)) from None


def refuse(root: Path, page: Path, then: Stamp | None, now: Stamp) -> None:
    """Stops where frozen results have no stamp, or one that differs from how things are now."""
    where = name_of(folder(root, page), root)
    if then is None:
        what = f"it is frozen in {where}/ without a stamp, so nobody knows what its numbers come from"
        raise Problem(name_of(page, root), what, remedy(root, page))
    if changed := list(changes(then, now)):
        raise Problem(name_of(page, root), f"its frozen results are out of date: {'; '.join(changed)}", remedy(root, page))


def remedy(root: Path, page: Path) -> str:
    return f"Run it again: `quarto render {name_of(page, root)}`, or delete {name_of(folder(root, page), root)}/"


def name_of(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def changes(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """What differs between two stamps, in words."""
    for name in sorted(then.keys() | now.keys()):
        was, is_now = then.get(name, ""), now.get(name, "")
        if was != is_now and name.startswith("package "):
            yield f"{name.removeprefix('package ')} was {was or 'absent'}, is {is_now or 'absent'}"
        elif was != is_now:
            yield f"{name} {'is new' if not was else 'is gone' if not is_now else 'changed'}"


# What Quarto froze


def folder(root: Path, page: Path) -> Path:
    """Where Quarto keeps a page's frozen results: those of slides/a.qmd lie in _freeze/slides/a."""
    return root / FROZEN / page.relative_to(root).with_suffix("")


def results(root: Path, page: Path) -> list[Path]:
    return sorted(folder(root, page).glob("execute-results/*.json"))


def used(root: Path, page: Path) -> list[Path]:
    """The frozen results that Quarto would take: all under `freeze: true`; under `auto` those of the .qmd's present text."""
    setting = frozen_as(root, page)
    text = hashlib.md5(page.read_bytes()).hexdigest()
    return [file for file in results(root, page) if setting == "true" or setting == "auto" and _hash(file) == text]


def frozen_as(root: Path, page: Path) -> str:
    """The page's own `freeze:`, else its folders', else the project's: "true", "auto" or "false"."""
    for file in (page, *metadata(page, root), root / project.SETTINGS):
        if settings := _freezes(file, root):
            return next(setting for setting in ("true", "auto", "false") if setting in settings or setting == "false")
    return "false"


def metadata(page: Path, root: Path) -> list[Path]:
    """The `_metadata.yml` of the folders that a page lies in, its own first."""
    folders = [folder for folder in page.parents if folder.is_relative_to(root)]
    return [folder / "_metadata.yml" for folder in folders if (folder / "_metadata.yml").is_file()]


def _freezes(file: Path, root: Path) -> set[str]:
    """Every value of a key `freeze`, under `execute`, under a format, on one line or on more."""
    try:
        page = file.suffix == ".qmd"
        tree = qmd.front_matter(file, root) if page else strict_yaml.settings(lines_of(file, root))
    except DataError:
        return set()  # whoever reads it next says where it is broken
    return {str(entry.value).lower() for path, entry in tree.entries.items() if path.rpartition(".")[2] == "freeze"}


def _hash(file: Path) -> str:
    try:
        return str(json.loads(file.read_text(encoding="utf-8")).get("hash", ""))
    except (ValueError, AttributeError):
        return ""


# What a page is made of


def cells(page: Path, root: Path) -> str:
    """The code of a page's cells."""
    parts = qmd.parts(qmd.body(page, root))
    return "\n".join(part.code for part in parts if isinstance(part, qmd.Cell) and part.fence.language == "python")


def reached(page: Path, root: Path) -> set[Path]:
    """The modules of figures/ that a page's cells import, and those that these import."""
    return set(dependencies.reached(dependencies.imports(cells(page, root), ""), root).values())


def stamp(page: Path, root: Path) -> Stamp:
    """The digest or version of everything that the page's results depend on, by name."""
    lines, code = qmd.read(page, root), cells(page, root)
    modules = reached(page, root)
    files = {root / line.place.file for line in lines} | modules | {root / name for name in SETTINGS} | set(metadata(page, root))
    files |= {file for name, pattern in READ_BY_CELLS for file in (root / name).rglob(pattern)}
    digests = {name_of(file, root): digest(file.read_bytes()) for file in sorted(files) if file.is_file()}
    packages = dependencies.versions([code, *(read_text(file) for file in modules)]) | dependencies.required(root)
    return digests | {"package Python": platform.python_version()} | {f"package {name}": packages[name] for name in sorted(packages)}

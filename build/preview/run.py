"""Runs a preview until it is stopped: one a checkout, since a second would only show the same."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from figures.kit import project
from figures.kit.errors import Problem
from preview import watch
from preview.pages import Pages
from preview.server import Server

FILE = Path(".cache", "preview")  # holds the address of the one that runs
SECONDS = 2


def run(root: Path, name: str, port: int, told: Callable[[str], None], over: Event | None = None) -> None:
    """Serves every document of the project, that of `name` first, and follows what is saved until `over` is set or Ctrl-C."""
    if there := running(root):
        raise Problem("preview", f"one runs already: {there}", "Open that address, or stop it first (Ctrl-C where it runs)")
    over, pages = over or Event(), Pages(root, documents(root, name))
    server = Server(pages, lambda address: paper(root, pages.of[address].document, pages.of[address].format), port)
    watch.watching(root, pages.changed, over)
    Thread(target=server.serve_forever, daemon=True).start()
    _write(root / FILE, server.address)
    told(server.address)
    try:
        while not over.wait(1):  # so that Ctrl-C is heard
            pass
    except KeyboardInterrupt:
        pass
    finally:
        over.set()
        (root / FILE).unlink(missing_ok=True)
        server.shutdown()
        server.server_close()
        pages.end()


def documents(root: Path, name: str = "") -> dict[str, tuple[Path, str]]:
    """Every document of the project with the format of its page, by the address of that page; the one of this name first."""
    every: dict[str, tuple[Path, str]] = {}
    for document in sorted(project.documents(root), key=lambda one: one.stem != name):
        declared = project.formats(document, root)
        page = project.page(document, root).relative_to(root / "_output").as_posix()
        if wanted := next((one for one in ("revealjs", "html", "ipynb") if one in declared), None):
            every[page] = document, "html" if wanted == "ipynb" else wanted
    return every


def running(root: Path) -> str:
    """The address of the preview of this checkout that answers, empty where none does."""
    try:
        address = (root / FILE).read_text(encoding="utf-8")
        with urllib.request.urlopen(address, timeout=SECONDS):
            return address
    except (OSError, ValueError):
        return ""


def paper(root: Path, document: Path, format: str) -> bytes:
    """A document as PDF, made now: a deck's slides one a page, any other page to read."""
    from paper import slides_pdf

    page = project.page(document, root)
    steps, file = [["render", str(document), "--to", "typst"]], page.with_suffix(".pdf")
    if format == "revealjs":
        steps = [["render", str(document), "--to", format], ["pdf", "--name", document.stem]]
        file = slides_pdf.file_of(page)
    for step in steps:
        done = subprocess.run([sys.executable, str(root / "build"), *step], cwd=root, capture_output=True, text=True)
        if done.returncode:
            raise Problem(document.name, done.stderr.strip().splitlines()[-1], "Put it right; the page's own fault says more")
    return file.read_bytes()


def _write(file: Path, address: str) -> None:
    """The address, which is as good as a key, for this user alone."""
    file.parent.mkdir(exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as opened:
        opened.write(address)

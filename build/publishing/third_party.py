"""THIRD_PARTY.md: what others made of what is used here, with its version and licence. Reads the lock, the packages and the theme.

A package says its licence itself, in its metadata; one that isn't installed keeps the row that the file has.
"""

from __future__ import annotations

import importlib.metadata as metadata
import re
from collections.abc import Iterator
from pathlib import Path

from base import assets

from figures.kit.files import read_text
from figures.kit.style import FONTS

FILE = "THIRD_PARTY.md"
LOCK = "requirements.lock"
_PIN = re.compile(r"^([\w.-]+)==([\w.+!-]+)", re.MULTILINE)
_ROW = re.compile(r"^\| ([\w.-]+) \| ([\w.+!-]+) \| .* \|$", re.MULTILINE)
_LONGEST = 60  # of a licence's name; more is its whole text
_HEAD = """# What others made

Made by `make third-party`; a test compares it with `{lock}`.

## In every page

| what | version | licence |
| --- | --- | --- |
{carried}

Fonts come from: {sources}.

## Installed beside it

| package | version | licence |
| --- | --- | --- |
{rows}
"""


def text(root: Path) -> str:
    """The whole file, in the order of the lock."""
    rows = "\n".join(row for _, row in packages(root))
    carried = "\n".join(f"| {what} | {version} | {licence} |" for what, version, licence in _carried())
    return _HEAD.format(lock=LOCK, carried=carried, sources=", ".join(font.source for font in FONTS), rows=rows)


def packages(root: Path) -> Iterator[tuple[str, str]]:
    """Each package of the lock with its row."""
    file = root / FILE
    rows = {(row[1], row[2]): row[0] for row in _ROW.finditer(read_text(file) if file.is_file() else "")}
    for name, version in _PIN.findall(read_text(root / LOCK)):
        unknown = f"| {name} | {version} | not installed here: see the package |"
        said = licence(name, version)
        yield name, f"| {name} | {version} | {said} |" if said else rows.get((name, version), unknown)


def licence(name: str, version: str) -> str:
    """What an installed package says of its licence; "" where this version of it isn't installed."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    if about["Version"].partition("+")[0] != version:
        return ""
    spdx = about.get_all("License-Expression") or []
    written = [" ".join(one.split()) for one in about.get_all("License") or [] if one not in ("", "UNKNOWN")]
    classes = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or [] if one.startswith("License :: OSI Approved ::")]
    short = [one for one in written if len(one) <= _LONGEST]
    begun = [text[:_LONGEST] for text in (*written, *_first_lines(name, about.get_all("License-File") or []))]
    said: list[str] = [*spdx, *short, ", ".join(classes), *begun]
    return next(filter(None, said), "")


def _first_lines(name: str, files: list[str]) -> Iterator[str]:
    """How the licence's own text begins, where a package only names its file."""
    for file in metadata.files(name) or []:
        if file.name in files:
            yield file.read_text().strip().splitlines()[0].strip()


def _carried() -> Iterator[tuple[str, str, str]]:
    """What a page holds of others': reveal.js, and the fonts of the theme."""
    head = (assets.reveal() / "dist" / "reveal.js").read_text(encoding="utf-8")[:300]
    version = re.search(r"reveal\.js ([\d.]+)", head)
    yield "reveal.js", version[1] if version else "", "MIT" if "MIT licensed" in head else "see its file"
    for font in FONTS:
        yield f"{font.family}, the characters that it shows", metadata.version(font.package) if font.package else "", font.licence

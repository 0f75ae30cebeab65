"""Quarto's freeze held to the truth: a frozen page is used only while all that it was made of is as it was.

Quarto freezes a page by the text of its .qmd alone; an include, a module or a data file may change and the old numbers
stay. So every page that Quarto freezes gets a stamp beside its results, `_freeze/PAGE/stamp.json`: the digests of its
source and includes, of every module of figures/ that its cells reach, of data/ and the settings, and the versions of the
packages. Before a render of the whole project a stamp that differs stops it. A page rendered by itself is always run.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import platform
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from base import atomic_write
from engine.cells import Cell, split

from figures.kit.errors import Problem
from figures.kit.qmd import lines_of, read, split_front_matter

FROZEN = "_freeze"
STAMP = "stamp.json"
PENDING = Path(".cache", "freeze.json")  # the stamps of before the cells ran, until the pages are made
READ_BY_CELLS = ("data", "slides/codigo")  # folders whose files figures/ may read
SETTINGS = ("_quarto.yml", "_variables.yml")


Stamp = dict[str, str]


def check(root: Path, environment: Mapping[str, str]) -> None:
    """Before a render: a Problem for a frozen page that would be shown although something changed; keeps today's stamps."""
    (root / PENDING).unlink(missing_ok=True)
    pages = documents(root)
    frozen = [page for page in pages if results(root, page)]
    if not frozen and not any(frozen_as(root, page) in ("true", "auto") for page in pages):
        return
    stamps = {name_of(page, root): stamp(page, root) for page in pages}
    if environment.get("QUARTO_PROJECT_RENDER_ALL"):
        for page in frozen:
            for file in used(root, page):
                refuse(root, page, kept(root, page).get(file.name), stamps[name_of(page, root)])
    atomic_write.write(root / PENDING, json.dumps(stamps, ensure_ascii=False))


def keep(root: Path) -> None:
    """After a render: what Quarto froze since the cells began to run gets the stamp that was taken before."""
    pending = root / PENDING
    if not pending.is_file():
        return
    stamps: dict[str, Stamp] = json.loads(pending.read_text(encoding="utf-8"))
    for name, taken in stamps.items():
        fresh = {file.name: taken for file in results(root, root / name) if file.stat().st_mtime_ns >= pending.stat().st_mtime_ns}
        if fresh:
            content = json.dumps(kept(root, root / name) | fresh, ensure_ascii=False, indent=1)
            atomic_write.write(folder(root, root / name) / STAMP, content + "\n")
    pending.unlink()


def kept(root: Path, page: Path) -> dict[str, Stamp]:
    """The stamps of a page's frozen results, one a format: {"html.json": …}."""
    file = folder(root, page) / STAMP
    if not file.is_file():
        return {}
    try:
        return {name: dict(taken) for name, taken in json.loads(file.read_text(encoding="utf-8")).items()}
    except (ValueError, TypeError, AttributeError):
        raise Problem(name_of(page, root), f"the stamp {name_of(file, root)} can't be read", remedy(root, page)) from None


def refuse(root: Path, page: Path, then: Stamp | None, now: Stamp) -> None:
    """Stops where frozen results have no stamp, or one that tells of other things than there are now."""
    where = name_of(folder(root, page), root)
    if then is None:
        what = f"it is frozen in {where}/ without a stamp, so nobody knows what its numbers come from"
        raise Problem(name_of(page, root), what, remedy(root, page))
    if found := list(changes(then, now)):
        raise Problem(name_of(page, root), f"its frozen results are out of date: {'; '.join(found)}", remedy(root, page))


def remedy(root: Path, page: Path) -> str:
    return f"Run it again: `quarto render {name_of(page, root)}`, or delete {name_of(folder(root, page), root)}/"


def name_of(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def changes(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """What differs between two stamps, in words: "data/bpe.yml changed", "numpy was 2.1, is 2.2"."""
    for name in sorted(then.keys() | now.keys()):
        was, is_now = then.get(name, ""), now.get(name, "")
        if was != is_now and name.startswith("package "):
            yield f"{name.removeprefix('package ')} was {was or 'absent'}, is {is_now or 'absent'}"
        elif was != is_now:
            yield f"{name} {'is new' if not was else 'is gone' if not is_now else 'changed'}"


# What Quarto froze


def documents(root: Path) -> list[Path]:
    """The .qmd files that are pages of their own: those with front matter."""
    found = [page for page in sorted((root / "slides").rglob("*.qmd")) if (lines_of(page) or [""])[0].rstrip() == "---"]
    return [page for page in found if not page.name.startswith("_")]


def folder(root: Path, page: Path) -> Path:
    """Where Quarto keeps a page's frozen results: slides/a.qmd -> _freeze/slides/a."""
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
    written = [
        [line.text for line in split_front_matter(read(page, root))[0]],
        *map(lines_of, metadata(page, root)),
        lines_of(root / "_quarto.yml"),
    ]
    for lines in written:
        if found := set(_freezes(_parsed(lines))):
            return next(setting for setting in ("true", "auto", "false") if setting in found or setting == "false")
    return "false"


def metadata(page: Path, root: Path) -> list[Path]:
    """The `_metadata.yml` of the folders that a page lies in, its own first."""
    folders = [folder for folder in page.parents if folder.is_relative_to(root)]
    return [folder / "_metadata.yml" for folder in folders if (folder / "_metadata.yml").is_file()]


def _parsed(lines: list[str]) -> Any:
    import yaml

    try:
        return yaml.safe_load("\n".join(lines))
    except yaml.YAMLError:
        return None  # whoever reads it next says where it is broken


def _freezes(settings: Any) -> Iterator[str]:
    """Every value of a key `freeze`, under `execute`, under a format, on one line or on more."""
    for name, value in settings.items() if isinstance(settings, dict) else ():
        if name == "freeze":
            yield str(value).lower()
        else:
            yield from _freezes(value)


def _hash(file: Path) -> str:
    try:
        return str(json.loads(file.read_text(encoding="utf-8")).get("hash", ""))
    except (ValueError, AttributeError):
        return ""


# What a page is made of


def stamp(page: Path, root: Path) -> dict[str, str]:
    """Name -> digest or version of everything that the page's results hang on."""
    lines = read(page, root)
    code = "\n".join(part.code for part in split(split_front_matter(lines)[1], root) if isinstance(part, Cell))
    modules = reached(code, root)
    files = {root / line.place.file for line in lines} | set(modules) | {root / name for name in SETTINGS} | set(metadata(page, root))
    files |= {file for name in READ_BY_CELLS for file in (root / name).rglob("*") if file.is_file()}
    digests = {name_of(file, root): _digest(file) for file in sorted(files) if file.is_file()}
    return digests | {f"package {name}": version for name, version in packages(code, modules, root).items()}


def reached(code: str, root: Path) -> list[Path]:
    """The modules of figures/ that code imports, directly or through another."""
    found: set[Path] = set()
    waiting = list(imports(code))
    while waiting:
        base = root / Path(*waiting.pop().split("."))
        for file in (base.with_suffix(".py"), base / "__init__.py"):
            if file.is_file() and file.is_relative_to(root / "figures") and file not in found:
                found.add(file)
                waiting += imports(file.read_text(encoding="utf-8"))
    return sorted(found)


def imports(code: str) -> list[str]:
    """Every module that code names in an import; `from a import b` counts a and a.b, `from . import b` is figures.b."""
    names: list[str] = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(filter(None, ["figures" if node.level else "", node.module]))
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return names


def packages(code: str, modules: list[Path], root: Path) -> dict[str, str]:
    """The versions of the packages that the code imports and of those that the project needs, and Python's own."""
    texts = [code, *(file.read_text(encoding="utf-8") for file in modules)]
    tops = {name.partition(".")[0] for text in texts for name in imports(text)}
    known = importlib.metadata.packages_distributions()
    names = {distribution for top in tops for distribution in known.get(top, [])} | set(required(root))
    return {"Python": platform.python_version()} | {name: _version(name) for name in sorted(names)}


def required(root: Path) -> list[str]:
    """The project's own dependencies, among them packages that only lend their files."""
    import tomllib

    file = root / "pyproject.toml"
    settings: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    listed = [*settings.get("project", {}).get("dependencies", []), *settings.get("dependency-groups", {}).get("assets", [])]
    return [re.split(r"[ ;<>=!~\[]", text, maxsplit=1)[0] for text in listed]


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]

"""The project's own settings: `_quarto.yml` and `_variables.yml`, from the checkout or as shipped with the package."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from figures.kit import files, glyphs, markup, profile, qmd, strict_yaml
from figures.kit.errors import DataError, Problem
from figures.kit.strict_yaml import Tree

SETTINGS = "_quarto.yml"
VARIABLES = "_variables.yml"
TEACHING = "_teaching"
SOLUTIONS = "solutions"  # where the lab's solutions lie, if not beside it: a folder, or a git address (build/page/solutions.py)
ADDRESSES, LONGEST = ("repository", "site"), 140
_ADDRESS = re.compile(r"(?:https?://)?(?:[\w-]+\.)+[\w-]+(?::\d+)?(?:/[\w./~%+-]*)?|", re.ASCII)


def settings(root: Path | None = None) -> Tree:
    """`_quarto.yml` with the places of its values, the active profiles over it; far from the checkout there are none."""
    file = _file(SETTINGS, root)
    base = strict_yaml.settings(files.lines_of(file, root))
    return profile.without(base, profile.KEY) if file.is_relative_to(files.PACKAGE) else profile.applied(base, file.parent)


def profiles(root: Path) -> list[str]:
    """The names of the active profiles, the strongest first."""
    return profile.active(strict_yaml.settings(files.lines_of(_file(SETTINGS, root), root)), root)


def variables(root: Path | None = None) -> dict[str, Any]:
    """What `{{< var … >}}` may name, by dotted path; empty without a `_variables.yml`."""
    file = _file(VARIABLES, root)
    lines = files.lines_of(file, root) if file.is_file() else []
    variables = strict_yaml.settings(lines).leaves()
    for path, entry in variables.items():
        if isinstance(entry.value, str) and path != SOLUTIONS:
            _check_variable(path, entry)
    return {path: entry.value for path, entry in variables.items()}


def _check_variable(path: str, entry: strict_yaml.Entry) -> None:
    """An address can be one, and any other text shows as it is written; or a DataError."""
    if path in ADDRESSES and not _ADDRESS.fullmatch(entry.value):
        remedy = "Write it as https://name.example/folder, or leave it empty"
        raise DataError(VARIABLES, path, f"{entry.value!r:.80} is no address of a page", remedy, entry.place.line)
    if not _ADDRESS.fullmatch(entry.value):
        for what, remedy in (*markup.setting_faults(entry.value, LONGEST), *glyphs.faults(entry.value)):
            raise DataError(VARIABLES, path, what, remedy, entry.place.line)


@cache
def language() -> str:
    """The language of the documents, as `_quarto.yml` says it, such as "en" or "pt-BR"."""
    lang = settings().value.get("lang")
    if not isinstance(lang, str):
        raise DataError(SETTINGS, "lang", "the language of the documents is missing", "Write for example `lang: pt-BR`")
    return lang


@cache
def repository() -> str:
    """Where the sources live, as `_variables.yml` says it; empty for nowhere."""
    return str(variables().get("repository") or "")


def site() -> str:
    """Where what `_output` holds is published, without a slash at its end; empty for nowhere."""
    named = str(variables().get("site") or "").strip().rstrip("/")
    return named if not named or "://" in named else f"https://{named}"


def documents(root: Path | None = None) -> list[Path]:
    """The documents that the project renders, each once, in the order of `_quarto.yml`; every one where it lists none."""
    root = root or files.ROOT
    listed = settings(root).value.get("project", {}).get("render", ["/*.qmd", "/[!._]*/**/*.qmd"])
    lines = [listed] if isinstance(listed, str) else listed
    return list(dict.fromkeys(root / name for line in lines for name in _expanded(str(line), root)))


def named(name: str, root: Path | None = None) -> Path:
    """The document slides/NAME.qmd; a Problem that lists the names where there is none."""
    every = documents(root)
    for file in every:
        if file.stem == name:
            return file
    names = ", ".join(file.stem for file in every)
    raise Problem(f"NAME={name}", f"no document under `project.render` of {SETTINGS} has that name", f"Its documents are {names}.")


def document(format: str, without: str = "", name: str = "", root: Path | None = None) -> Path:
    """The first document that declares one format and not another: of "revealjs" that is the deck; or the one of this name."""

    def fits(file: Path) -> bool:
        declared = formats(file, root)
        return format in declared and without not in declared

    if name:
        file = named(name, root)
        if not fits(file):
            names = ", ".join(one.stem for one in documents(root) if fits(one)) or "none"
            what = f"{files.shown(file, root)} is made as {', '.join(formats(file, root))}, and this command makes {format}"
            raise Problem(f"NAME={name}", what, f"Declare it in its front matter, or name a document that does; there are {names}.")
        return file
    for file in filter(fits, documents(root)):
        return file
    raise Problem(SETTINGS, f"no document under `project.render` declares the format {format}", "List one there.")


def page(document: Path, root: Path | None = None) -> Path:
    """Where a document's page is put: that of slides/a.qmd is _output/slides/a.html."""
    root = root or files.ROOT
    folder = settings(root).value.get("project", {}).get("output-dir", ".")
    return (root / str(folder) / document.relative_to(root)).with_suffix(".html")


def teaching(output: Path, root: Path | None = None) -> Path:
    """Where what is for who teaches goes, outside of what is published: for _output/slides/en/a.pdf it is _teaching/en/a.pdf."""
    root = root or files.ROOT
    folder = root / str(settings(root).value.get("project", {}).get("output-dir", "."))
    return root.joinpath(TEACHING, *output.relative_to(folder).parts[-1 if output.parent == folder else 1 :])


def formats(document: Path, root: Path | None = None) -> list[str]:
    """The formats that a document's own front matter declares."""
    declared = qmd.front_matter(document, root).value.get("format", [])
    return [declared] if isinstance(declared, str) else list(declared)


def in_hand() -> Path | None:
    """The document that is being made, as the engine names it to the cells; None where no engine runs them, as in a test."""
    folder, name = os.environ.get("QUARTO_DOCUMENT_PATH", ""), os.environ.get("QUARTO_DOCUMENT_FILE", "")
    file = files.ROOT / folder / name
    return file if name and file.is_file() and file.is_relative_to(files.ROOT) else None


def _expanded(line: str, root: Path) -> list[str]:
    """A line of `render` as file names; as in Quarto a pattern passes over files and folders whose names start with `_`."""
    if "*" not in line:
        return [line.lstrip("/")]
    matching = (file.relative_to(root) for file in root.glob(line.lstrip("/")))
    return sorted(file.as_posix() for file in matching if not any(part.startswith(("_", ".")) for part in file.parts))


def _file(name: str, root: Path | None) -> Path:
    installed = files.PACKAGE / "data" / name
    return root / name if root else installed if installed.is_file() else files.ROOT / name

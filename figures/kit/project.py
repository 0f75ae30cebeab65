"""The project's own settings: `_quarto.yml` and `_variables.yml`, from the checkout or as shipped with the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from figures.kit import files, qmd, strict_yaml
from figures.kit.errors import DataError, Problem
from figures.kit.strict_yaml import Tree

SETTINGS = "_quarto.yml"
VARIABLES = "_variables.yml"


def settings(root: Path | None = None) -> Tree:
    """`_quarto.yml` with the places of its values."""
    return strict_yaml.settings(files.lines_of(_file(SETTINGS, root), root))


def variables(root: Path | None = None) -> dict[str, Any]:
    """What `{{< var … >}}` may name, by dotted path; empty without a `_variables.yml`."""
    file = _file(VARIABLES, root)
    lines = files.lines_of(file, root) if file.is_file() else []
    return {path: entry.value for path, entry in strict_yaml.settings(lines).leaves().items()}


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


def documents(root: Path | None = None) -> list[Path]:
    """The documents that the project renders, in the order of `_quarto.yml`."""
    listed = settings(root).value.get("project", {}).get("render", [])
    return [(root or files.ROOT) / name for name in ([listed] if isinstance(listed, str) else listed)]


def document(format: str, without: str = "", root: Path | None = None) -> Path:
    """The first document that declares one format and not another: of "revealjs" that is the deck."""
    for file in documents(root):
        declared = _formats(file, root)
        if format in declared and without not in declared:
            return file
    raise Problem(SETTINGS, f"no document under `project.render` declares the format {format}", "List one there.")


def page(document: Path, root: Path | None = None) -> Path:
    """Where a document's page is put: that of slides/a.qmd is _output/slides/a.html."""
    root = root or files.ROOT
    folder = settings(root).value.get("project", {}).get("output-dir", ".")
    return (root / str(folder) / document.relative_to(root)).with_suffix(".html")


def _formats(file: Path, root: Path | None) -> list[str]:
    declared = qmd.front_matter(file, root).value.get("format", [])
    return [declared] if isinstance(declared, str) else list(declared)


def _file(name: str, root: Path | None) -> Path:
    installed = files.PACKAGE / "data" / name
    return root / name if root else installed if installed.is_file() else files.ROOT / name

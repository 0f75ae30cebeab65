"""The project's own settings: `_quarto.yml` and `_variables.yml`, from the checkout or as shipped with the package."""

from __future__ import annotations

from functools import cache
from typing import Any

from figures.kit import strict_yaml
from figures.kit.errors import DataError
from figures.kit.files import PACKAGE, ROOT, read_text


@cache
def settings(name: str) -> dict[str, Any]:
    """The project's own settings, `_quarto.yml` or `_variables.yml`: from the checkout, or as shipped with the package."""
    installed = PACKAGE / "data" / name
    content = strict_yaml.parse(read_text(installed if installed.is_file() else ROOT / name), name)
    if not isinstance(content, dict):
        raise DataError(name, "", "expected a mapping of settings", "Start from the version in git")
    return content


def language() -> str:
    """The language of the documents, as `_quarto.yml` says it: `language()` -> "pt-BR"."""
    lang = settings("_quarto.yml").get("lang")
    if not isinstance(lang, str):
        raise DataError("_quarto.yml", "lang", "the language of the documents is missing", "Write for example `lang: pt-BR`")
    return lang

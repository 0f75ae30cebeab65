"""The settings of a document: `_quarto.yml` below, its own front matter above, each value with the line that set it.

A setting is known by its dotted path ("format.revealjs.width"). Whatever a format doesn't know is refused here,
so that nothing is silently ignored. Does *not* say what a setting does: that is the format's own module.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures.kit import lecture, profile
from figures.kit.errors import Problem
from figures.kit.files import Place
from figures.kit.project import settings
from figures.kit.strict_yaml import Tree


@dataclass(frozen=True)
class Kind:
    """What a value must be, in words and as a test."""

    words: str
    accepts: Callable[[Any], bool]


@dataclass(frozen=True)
class Setting:
    value: Any
    place: Place


def only(*allowed: Any) -> Kind:
    words = " or ".join("null" if value is None else str(value).lower() if isinstance(value, bool) else str(value) for value in allowed)
    return Kind(words, lambda value: any(value == one and type(value) is type(one) for one in allowed))


def _texts(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(one, str) for one in value))


def _is_day(value: Any) -> bool:
    try:
        return bool(datetime.date.fromisoformat(value)) and len(value) == len("2027-03-01")
    except (TypeError, ValueError):
        return False


TRUTH = Kind("true or false", lambda value: isinstance(value, bool))
TEXT = Kind("a text", lambda value: isinstance(value, str))
TEXTS = Kind("a text or a list of texts", _texts)
NUMBER = Kind("a number", lambda value: isinstance(value, (int, float)) and not isinstance(value, bool))
PATHS = Kind("a file or a list of files", _texts)

# Anything else is “Invalid Date” to Quarto, or another text than here.
DAY = Kind("a day, as 2027-03-01; a semester goes into `author`, `institute` or `subtitle`", _is_day)

GENERAL: dict[str, Kind] = {
    "title": TEXT,
    "subtitle": TEXT,
    "author": TEXTS,
    "institute": TEXT,
    "date": DAY,
    "lang": TEXT,
    "metadata-files": only([".cache/pdf.yml"]),  # which is for Quarto alone: tex.py
    "engine": only("jupyter"),
    "execute.echo": TRUTH,
    "execute.warning": only(False),
    "execute.freeze": only(False),
    "execute.cache": only(False),
    "execute.daemon": only(False),
    "project.type": only("default"),
    "project.output-dir": TEXT,
    "project.execute-dir": only("project"),
    "project.render": TEXTS,
    "project.pre-render": only("python build pre-render"),
    "project.post-render": only("python build post-render"),
}


class Settings:
    """Every setting of one document, for one format; without `options` as they stand, whichever engine knows them."""

    def __init__(self, document: Place, layers: list[dict[str, Setting]], format: str, options: Mapping[str, Kind] | None) -> None:
        self.document, self.format, self.all = document, format, _merged(layers)
        self._check_formats()
        for path, setting in self.all.items() if options is not None else ():
            _check(path, setting, format, options or {})

    def get(self, path: str, default: Any = None) -> Any:
        """The value at a dotted path; an option of the format may stand under the format or, as in Quarto, at the top."""
        setting = self.find(path)
        return default if setting is None else setting.value

    def find(self, path: str) -> Setting | None:
        return self.all.get(f"format.{self.format}.{path}") or self.all.get(path)

    def _check_formats(self) -> None:
        declared = formats([self.all])
        if self.format not in declared:
            raise Problem(
                self.document,
                f"the document has no format `{self.format}`",
                f"It declares {', '.join(declared)}." if declared else f"Declare it: `format: {self.format}: default`.",
            )


def formats(layers: list[dict[str, Setting]]) -> list[str]:
    """The names of the formats declared, the document's own before the project's."""
    names: list[str] = []
    for layer in reversed(layers):
        names += [str(layer["format"].value)] if "format" in layer else []
        names += [path.split(".")[1] for path in layer if path.startswith("format.")]
    return list(dict.fromkeys(names))


def rendered(layers: list[dict[str, Setting]]) -> list[str]:
    """Those of them that a render makes unasked: the document's own, or the project's where it has none."""
    return formats(layers[1:]) or formats(layers)


def project(root: Path) -> dict[str, Setting]:
    """The settings of `_quarto.yml`."""
    return layer(settings(root), root, root)


def layer(tree: Tree, folder: Path, root: Path) -> dict[str, Setting]:
    """The settings of a file, by dotted path; the files that they name start at `folder`, or at `root` with a `/`."""
    return {path: Setting(_from_folder(path, entry.value, folder, root), entry.place) for path, entry in tree.leaves().items()}


def _from_folder(path: str, value: Any, folder: Path, root: Path) -> Any:
    if path.rsplit(".", 1)[-1] not in PATH_KEYS or not _texts(value):
        return value
    files = [value] if isinstance(value, str) else value
    return [str((root / one[1:] if one.startswith("/") else folder / one).resolve()) for one in files]


PATH_KEYS = {"css", "include-in-header", "include-before-body", "include-after-body", "filters", "font-paths", "reference-doc", "logo"}


def _merged(layers: list[dict[str, Setting]]) -> dict[str, Setting]:
    """Later layers win; lists grow, as in Quarto."""
    merged: dict[str, Setting] = {}
    for layer in layers:
        for path, setting in layer.items():
            below = merged.get(path)
            merged[path] = Setting(profile.together(below.value, setting.value), setting.place) if below else setting
    return merged


def _check(path: str, setting: Setting, format: str, options: Mapping[str, Kind]) -> None:
    head, _, rest = path.partition(".")
    if head == lecture.KEY:
        return  # checked as records
    if head == "format":
        name, _, option = rest.partition(".")
        if name != format:
            return
        kinds: Mapping[str, Kind] = options
        if not option:
            option, kinds = "default", {"default": only("default")}
    else:
        option, kinds = path, {**GENERAL, **options}
    kind = kinds.get(option)
    if kind is None:
        near = sorted(key for key in kinds if "." in option and key.startswith(f"{head}.")) or sorted(kinds)
        raise Problem(setting.place, f"the key `{option}` is unknown to this engine for {format}", f"It knows {', '.join(near)}.")
    if not kind.accepts(setting.value):
        raise Problem(setting.place, f"`{option}` is {setting.value!r}", f"Write {kind.words}.")

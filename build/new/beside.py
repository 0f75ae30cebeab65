"""Writes a small working lecture beside the others: the files of `template/` under its own name, and a line in `_quarto.yml`.

NAME and TITLE stand in the template's paths and texts for what the author gives. Nothing that is there is written over.
"""

from __future__ import annotations

import keyword
import sys
from collections.abc import Iterator
from pathlib import Path

from base import atomic_write

from figures.kit import project, strict_yaml
from figures.kit.errors import Problem
from figures.kit.files import numbered, read_text, shown

TEMPLATE = Path(__file__).resolve().parent / "template"
EXAMPLE = 'make new NAME=kmeans TITLE="K-means"'


def make(name: str, title: str, root: Path) -> list[Path]:
    """The files of a new lecture, all of them or none; a Problem for a name or a title that can't be used."""
    for what, remedy in faults(name, title):
        raise Problem(f"NAME={name}" if name else "make new", what, remedy)
    contents = {root / file: text for file, text in lecture(name, title)}
    for file in taken(name, list(contents), root):
        raise Problem(f"NAME={name}", f"{shown(file, root)} is there already", "Choose another name; nothing was written")
    settings = root / project.SETTINGS
    atomic_write.write_together({**contents, settings: listed(read_text(settings), f"slides/{name}.qmd")})
    return sorted(contents)


def lecture(name: str, title: str) -> Iterator[tuple[str, str]]:
    """The files that a lecture starts from, each with its path and text."""
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield filled(path.relative_to(TEMPLATE).as_posix(), name, title), filled(read_text(path), name, title)


def filled(text: str, name: str, title: str) -> str:
    return text.replace("NAME", name).replace("TITLE", title)


def faults(name: str, title: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a name or a title, each with its remedy."""
    if not name or not title.strip():
        lacks = " and ".join(["a name"] * (not name) + ["a title"] * (not title.strip()))
        yield f"it needs {lacks}", EXAMPLE
    elif not (name.isidentifier() and name.isascii() and name == name.lower()) or name.startswith("_"):
        yield f"{name!r} can't be the name of a Python module", f"Small letters, digits and _, a letter first: {EXAMPLE}"
    elif keyword.iskeyword(name) or name in sys.stdlib_module_names:
        yield f"{name!r} is a word or a module of Python's own", f"Choose another, such as {name}_lecture"
    elif set(title) & set('"\\\n'):
        what = f"the title {title!r} holds a quotation mark, a backslash or a line end"
        yield what, "Write it without; the front matter can say it later"


def taken(name: str, files: list[Path], root: Path) -> Iterator[Path]:
    """What stands in the way: a file to be written, a topic, a folder of the kit or of tests, a document of that name."""
    others = [root / "figures" / name, root / "figures" / "kit" / f"{name}.py", root / "tests" / name, root / "build" / name]
    yield from (file for file in [*files, *others] if file.exists())
    yield from (document for document in project.documents(root) if document.stem == name)


def listed(settings: str, document: str) -> str:
    """The text of `_quarto.yml` with a document more under `project.render`, after those listed by name; comments stay."""
    tree = strict_yaml.settings(numbered(settings, project.SETTINGS))
    entries = [entry for path, entry in tree.entries.items() if path.startswith("project.render[")]
    if not entries:
        return settings  # Quarto then renders every document
    lines = settings.split("\n")
    named = [entry for entry in entries if "*" not in entry.value] or entries
    line = lines[named[-1].place.line - 1]
    if not line.lstrip().startswith("- "):
        where = f"{project.SETTINGS}:{named[-1].place.line}"
        raise Problem(where, "`render` stands on one line", "Write each document on its own, as `- FILE`")
    lines.insert(named[-1].place.line, f"{line[: len(line) - len(line.lstrip())]}- {document}")
    return "\n".join(lines)

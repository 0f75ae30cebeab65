"""Writes a repository of its own for a small lecture: the kit, that lecture, and nothing of the lectures that are here.

What any lecture needs is copied as it stands, with its tests. In the few files that serve both, a comment says what stays
behind: a line that ends in `# this lecture alone`; and after a line `# This lecture alone` all up to the next blank line, or
`, to the end`, in whose place stands what follows `; elsewhere: `. The rest is in `repository/`, and the lecture in `template/`.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from base import atomic_write

from figures.kit.errors import Problem
from figures.kit.files import read_text
from new import beside, packages

OWN = Path(__file__).resolve().parent / "repository"
KIT = (
    "LICENSE",
    "Makefile",
    "pyproject.toml",
    "requirements.lock",
    "_quarto.yml",
    ".editorconfig",
    ".gitattributes",
    ".gitignore",
    ".pre-commit-config.yaml",
    ".ci/*",
    "build/**/*",
    "figures/__init__.py",
    "figures/__main__.py",
    "figures/kit/**/*",
    "slides/theme/**/*",
    "slides/sim/kit/*",
    "data/declared_kit.yml",
    "data/theme.yml",
    "data/simulators.yml",
    "data/languages/*.yml",
    "tests/conftest.py",
    "tests/kit/*.py",
    "tests/build/*.py",
    "tests/laws/*.py",
)
NAMES_OF_THE_KIT = ("kit", "build", "laws", "helpers")
SETTINGS = "pyproject.toml"
MARKED = (".yml", ".toml", "Makefile", ".lock")
PUBLISHED = "shipped.json"  # the digests of what this lecture was published with
NAMED = re.compile(r'"([\w.]+)"')  # between quotes: perhaps a file of tests/helpers
FIRST_VERSION = re.findall(r"^## (\S+)", (OWN / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
OF_ITS_OWN = {  # what the new repository says in place of this one
    "pyproject.toml": {
        r"(?<=^\[project\]\n)name = .*": 'name = "NAME"',
        r"^version = .*": f'version = "{FIRST_VERSION}"',
        r"^description = .*": 'description = "TITLE"',
    },
    "Makefile": {r"\batencao\b": "NAME", r" (lab-mutants|grade|mutants)\b(?=.* (test|setup)\b)": ""},
    "_quarto.yml": {r"^ +- slides/\S+\.qmd\n": ""},
}
ALONE = re.compile(r"[ \t]*# This lecture alone(?P<rest>, to the end)?(?:; elsewhere: (?P<other>.*))?")
LINE = re.compile(r".*# this lecture alone.*")
WORDS = {".py": re.compile(r'\bWords\("(\w+)"\)'), ".lua": re.compile(r'"(\w+)\.yml"')}


def make(name: str, title: str, folder: Path, root: Path) -> list[Path]:
    """The files of a new repository, all of them or none; a Problem for a name, a title or a folder that can't be used."""
    for what, remedy in beside.faults(name, title):
        raise Problem(f"NAME={name}" if name else "make new", what, remedy)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Problem(f"DIR={folder}", "it is there, and not empty", "Name an empty folder, or one that isn't there yet")
    if name in NAMES_OF_THE_KIT:
        raise Problem(f"NAME={name}", "a folder of the kit has that name", "Choose another")
    contents = {folder / path.relative_to(root): copied(path, name, title) for path in kit(root)}
    contents |= {folder / path.relative_to(OWN): beside.filled(read_text(path), name, title) for path in files_in(OWN)}
    contents |= {folder / file: text for file, text in beside.lecture(name, title)}
    settings = folder / "_quarto.yml"
    contents[settings] = contents[settings].replace("  render:\n", f"  render:\n    - slides/{name}.qmd\n")
    contents[folder / "README.md"] = contents[folder / "README.md"].replace("SAVED", f"{saved(contents[folder / SETTINGS], root):.0f}")
    atomic_write.write_together(contents)
    return sorted(contents)


def saved(settings: str, root: Path) -> float:
    """The megabytes that an environment is smaller by with these settings, as the one here shows them."""
    return packages.megabytes(read_text(root / SETTINGS), settings)


def kit(root: Path) -> Iterator[Path]:
    """What any lecture needs: code, looks and tests, the words that they ask for, and what these tests share."""
    every = (path for pattern in KIT for path in sorted(root.glob(pattern)) if path.is_file())
    found = dict.fromkeys(path for path in every if "__pycache__" not in path.parts)
    yield from found
    code = [path for path in found if path.suffix in WORDS and "tests" not in path.parts]
    asked = {topic for path in code for topic in WORDS[path.suffix].findall(read_text(path))}
    yield from sorted(path for path in root.glob("data/words/*/*.yml") if path.stem in asked)
    yield from helpers(found, root / "tests" / "helpers")


def helpers(tests: Iterable[Path], folder: Path) -> list[Path]:
    """The files of tests/helpers that tests import, themselves or through another, and those that these or they name."""
    waiting: list[Path] = [path for path in tests if "tests" in path.parts]
    taken, texts = set[Path](), [*map(read_text, waiting)]
    while waiting:
        for module in imported(waiting.pop()):
            file = folder / f"{module}.py"
            if file.is_file() and file not in taken:
                taken.add(file)
                texts.append(read_text(file))
                waiting.append(file)
    named = set(NAMED.findall("\n".join(texts)))
    beside = {file for file in folder.rglob("*") if file.is_file() and file.relative_to(folder).parts[0] in named - {PUBLISHED}}
    return sorted(taken | {file for file in beside if "__pycache__" not in file.parts})


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(read_text(file))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def copied(path: Path, name: str, title: str) -> str:
    """A file of the kit as the new repository has it."""
    text = read_text(path)
    if path.name.endswith(MARKED):
        text = without_this_lecture(text)
    for pattern, new in OF_ITS_OWN.get(path.name, {}).items():
        text = re.sub(pattern, new.replace("NAME", name).replace("TITLE", title), text, flags=re.MULTILINE)
    return text


def without_this_lecture(text: str) -> str:
    """A settings file without what its comments say is this lecture's alone.

    >>> without_this_lecture("a: 1\\n# This lecture alone; elsewhere: b: []\\nb:\\n  - 2\\n\\nc: 3  # this lecture alone\\n")
    'a: 1\\nb: []\\n\\n'
    """
    kept: list[str] = []
    dropping = to_the_end = False
    for line in text.split("\n"):
        if found := ALONE.fullmatch(line):
            dropping, to_the_end = True, bool(found["rest"])
            kept += [found["other"]] if found["other"] else []
        elif not line and not to_the_end:
            dropping = False
        if not (dropping or LINE.fullmatch(line)):
            kept.append(line)
    return "\n".join(kept) + ("\n" if to_the_end else "")


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def ready(files: list[Path], folder: Path, root: Path) -> str:
    """What is done once the files are there: the kit's translations are of today, and all is the first commit. In a sentence."""
    for file in files:
        if file.parent.name == ".ci":
            file.chmod(0o755)
    run([sys.executable, "build", "translations", "--accept", "all"], folder)
    known = not subprocess.run(["git", "config", "user.email"], cwd=folder, capture_output=True).returncode
    author = [] if known else ["-c", "user.name=make new", "-c", "user.email=make.new@localhost"]
    for command in (["init", "--quiet"], ["add", "--all"], [*author, "commit", "--quiet", "--message", "A new lecture"]):
        run(["git", *command], folder)
    less = saved(read_text(folder / SETTINGS), root)
    return (
        f"{len(files)} files in {folder}, a git repository with one commit; without what these lectures alone need, "
        f"{less:.0f} MB less to install. Go on with: cd {folder}, then make deck"
    )


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Problem(folder, f"{' '.join(command)} stopped: {done.stderr.strip()}", "The files are written; run it there by hand")

"""The documents for people are true: the folders and files they name are there, the commands exist, the version is one."""

from __future__ import annotations

import functools
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from own_data import published
from plain_code import ROOT, files, name_of

from figures.kit import qmd

DOCUMENTS = [name_of(path) for path in files("*.md", "*/README.md")]
TREES = {f"{folder}README.md": ROOT / folder for folder in ("", "figures/", "build/") if (ROOT / folder / "README.md").is_file()}
READMES = [name for name in ("README.md", "LEIAME.md") if (ROOT / name).is_file()]
MADE = ("_output/", "_teaching/", "_site/", ".venv/", ".cache/")  # what commands make
ANY = re.compile(r"TOPIC|TÓPICO|NAME|NOME|LANGUAGE|IDIOMA")  # stands for any name of its kind


def text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def drawn(document: str) -> list[str]:
    """The paths of the document's drawing of a tree, from the project's folder."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text(document), re.MULTILINE | re.DOTALL)
    (drawing,) = (block for block in blocks if re.match(r"\S+/? {2,}", block))
    paths: list[str] = []
    for indent, name in re.findall(r"^( *)(\S+)", drawing, re.MULTILINE):
        parent = next(path for path in reversed(paths) if path.count("/") == 1) if indent else ""
        paths.append(parent + name)
    return [(TREES[document] / path).relative_to(ROOT).as_posix() for path in paths]


def is_there(path: str, *folders: Path) -> bool:
    """Whether the path exists from one of the folders, or did as the lecture was published: a fork may have taken documents out.

    NAME and * stand for any.
    """
    pattern = ANY.sub("*", path).rstrip("/")
    return any(next(folder.glob(pattern), None) for folder in folders) or any(name.startswith(path) for name in published())


@pytest.mark.parametrize("document", TREES)
def test_a_drawn_tree_holds_what_is_there(document):
    assert [path for path in drawn(document) if not ANY.search(path) and not is_there(path, ROOT)] == []


def test_every_folder_is_drawn():
    """Two levels down: the rooms. A package of figures/ that is no room is a topic, drawn once for all of them."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    folders = {parent.as_posix() for path in listed for parent in Path(path).parents if len(parent.parts) in (1, 2)}
    undrawn = folders - {path for document in TREES for path in drawn(document)}
    assert {path for path in undrawn if not (path.startswith("figures/") and (ROOT / path / "__init__.py").is_file())} == set()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_that_a_document_names_is_there(document):
    """A path between backquotes, or the target of a link, from the project's folder or from the document's own."""
    named = re.findall(r"`([\w.*-]+/[\w.*/-]*)`", text(document)) + re.findall(r"\]\(([\w./-]+)\)", text(document))
    folder = (ROOT / document).parent
    assert [path for path in named if not path.startswith(MADE) and not is_there(path, ROOT, folder)] == []


def targets() -> dict[str, str]:
    """The Makefile's commands and what each says of itself."""
    return dict(re.findall(r"^([a-z-]+):.*?## (.*)$", text("Makefile"), re.MULTILINE))


@functools.cache
def commands() -> str:
    return subprocess.run([sys.executable, "build", "--help"], cwd=ROOT, capture_output=True, text=True).stdout


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_that_a_document_names_exists(document):
    told = text(document)
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", told, re.MULTILINE)) <= targets().keys()
    assert all(re.search(rf"^    {name}\b", commands(), re.MULTILINE) for name in re.findall(r"python3? build ([a-z-]+)", told))


def test_both_readmes_promise_the_same_pages():
    promised = [re.findall(r"^\| `make ([a-z]+)` \| (.*?) \|", text(document), re.MULTILINE) for document in READMES]
    assert all(promises == promised[0] for promises in promised) and (promised[0] or len(READMES) == 1)


@pytest.mark.parametrize("document", [name for name in READMES if "```markdown" in text(name)])
def test_the_number_that_a_readme_adds_works(document):
    """The function, put at the end of the topic that the document names, and its call on a slide."""
    place = re.search(r"`(figures/\w+)\.py`, (?:and|e)", text(document))
    topic = importlib.import_module(place[1].replace("/", "."))
    function = re.search(r"^```python\n(.*?)^```$", text(document)[place.end() :], re.MULTILINE | re.DOTALL)[1]
    written = {**vars(topic)}
    exec(compile(function, document, "exec"), written)
    (call,) = qmd.inline(re.search(r"^```markdown\n(.*?)^```$", text(document), re.MULTILINE | re.DOTALL)[1])
    name, _, arguments = call.code.partition("(")
    assert name.partition(".")[0] == topic.__name__.rpartition(".")[2]
    assert re.fullmatch(r"\d,\d", eval(f"{name.partition('.')[2]}({arguments}", written).text)


def test_the_version_is_said_once_and_explained():
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    assert re.findall(r"^## (\d+\.\d+\.\d+)", text("CHANGELOG.md"), re.MULTILINE)[0] == version
    assert not [name for name in map(name_of, files("*.yml", "build/**/*.py", "figures/**/*.py")) if f'"{version}"' in text(name)]

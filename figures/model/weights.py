"""Which weights are measured, and how they are read from disk: a GGUF file or a local Hugging Face folder.

Downloads nothing, runs nothing: the forward pass is in smollm2.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from figures.kit import data, packages, readings
from figures.kit.errors import DataError
from figures.model.gguf_file import read_gguf
from figures.model.hugging_face import read_folder
from figures.model.llama import NONE, REMEDY, VARIABLE, Model, misfits, unusable

READERS = ("gguf", "torch")


class Default(data.Record):
    """The weights that the lecture names, and what is measured on any weights: data/smollm2.yml."""

    name: str
    package: str
    file: str
    text: str
    new_tokens: data.Positive
    shown: data.Positive
    source: str


class Weights(data.Record):
    """Which weights: a name to show, and the file's identity, so that a stored result belongs to this very file."""

    name: str
    path: str
    size: int
    modified: int


def default() -> Default:
    """The records, as `data/smollm2.yml` has them."""
    return data.load("smollm2", Default)


@readings.question
def chosen() -> Weights | None:
    """The weights to measure: those of ATENCAO_WEIGHTS, else the default package's, else None."""
    named = os.environ.get(VARIABLE, "").strip()
    if named == NONE:
        return None
    if named:
        return identify(Path(named).expanduser())
    packaged = _packaged()
    return identify(packaged, default().name) if packaged else None


def identify(path: Path, name: str = "") -> Weights:
    """The identity of the weights at `path`; raises DataError, naming the variable and the remedy, if there are none."""
    files = list(files_of(path))
    stats = [file.stat() for file in files]
    size, modified = sum(stat.st_size for stat in stats), max(stat.st_mtime_ns for stat in stats)
    weights = Weights(name=name, path=str(path), size=size, modified=modified)
    return weights if name else msgspec.structs.replace(weights, name=file_name(weights))


def file_name(weights: Weights) -> str:
    """The file or folder as its maker calls it.

    >>> file_name(Weights(name="", path="there/SmolLM2-135M.Q4_1.gguf", size=0, modified=0))
    'SmolLM2-135M.Q4_1'
    """
    path = Path(weights.path)
    return path.stem if path.suffix == ".gguf" else path.name


def lacking() -> list[str]:
    """The packages that reading weights needs and this Python doesn't have."""
    return [package for package in READERS if packages.folder(package) is None]


@readings.question
def why_none() -> str:
    """Why there are no weights to measure, and what to do: none are at hand, or nothing that reads them."""
    packages, file = lacking(), _carried()
    if os.environ.get(VARIABLE, "").strip() == NONE or not packages or not file:
        return f"no weights at hand. {REMEDY}"
    needed = " and ".join(packages)
    remedy = f"Run `make setup`, or `pip install {' '.join(packages)}` with the environment active"
    return f"the weights are there ({file.name}), but not what reads them: the package {needed} is not installed. {remedy}"


def read(weights: Weights) -> Model:
    """The model of these weights, dequantised to float32: about 3 s for the default."""
    path = Path(weights.path)
    if packages := lacking():
        raise unusable(path, f"reading it needs the package {' and '.join(packages)}: make setup, or pip install them")
    try:
        model = read_gguf(path) if path.is_file() else read_folder(path)
    except DataError:
        raise
    except Exception as error:  # no list of what a file of another form may lead to is ever whole
        raise unusable(path, f"it can't be read, broken or of another form ({type(error).__name__}: {error})") from error
    for what in misfits(model):
        raise unusable(path, what)
    return model


def _packaged() -> Path | None:
    """The default weights' file; None where nothing can read it."""
    return None if lacking() else _carried()


def _carried() -> Path | None:
    """The default weights' file inside its installed package, which is not imported; None where it isn't installed."""
    folder = packages.folder(default().package)
    file = folder / default().file if folder else None
    return file if file and file.is_file() else None


def files_of(path: Path) -> Iterator[Path]:
    """The files that weights are made of: one GGUF file, or those of a folder; a DataError where one is missing."""
    if path.is_file():
        if path.suffix != ".gguf":
            raise unusable(path, "not a GGUF file")
        yield path
    elif path.is_dir():
        tensors = sorted(path.glob("*.safetensors"))
        for file in (path / "config.json", path / "tokenizer.json", *(tensors or [path / "*.safetensors"])):
            if not file.is_file():
                raise unusable(path, f"{file.name} is missing in this folder")
            yield file
    else:
        raise unusable(path, "no such file or folder")

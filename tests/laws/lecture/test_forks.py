"""Forks as instructors make them: each changes what it may, builds, and its tests pass; what is skipped says why.

Each runs the tests that need no browser, in a copy of the project. A fork whose author should know something says so in its
build or in a law.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from a_copy import copied, run

TESTS = (
    "-m",
    "pytest",
    "-q",
    "-x",
    "-n",
    "2",
    "--dist",
    "loadfile",
    "-p",
    "no:cacheprovider",
    "-m",
    "not slow and not shipped and not pages",
)
ROOMS = ("tests/kit", "tests/topics", "tests/pages", "tests/laws")
ASIDE = ("tests/laws/test_browser.py", "tests/laws/test_docs.py", "tests/laws/lecture", "tests/pages/test_mutation.py")
Edits = dict[str, tuple[tuple[str, str], ...]]


class Fork(NamedTuple):
    """A fork by what its author does: texts put for others, file by file."""

    name: str
    edits: Edits
    told: str = ""  # what its author should know, and the build says; where there is nothing, all tests pass


FORKS = (
    Fork(
        "course",
        {
            "_variables.yml": (
                ("Redes Neurais Artificiais e Deep Learning\ninst", "Processamento de Linguagem\ninst"),
                ("Insper\n#", "Universidade do Exemplo\n#"),
                ('repository: ""', 'repository: "https://example.org/atencao"'),
            )
        },
    ),
    Fork("accent", {"data/theme.yml": (('stress: "#B23C06"', 'stress: "#A8320A"'), ('stress: "#FFA477"', 'stress: "#FF9E70"'))}),
    Fork("seeds", {"data/scaling.yml": (("seed: 1 ", "seed: 7 "),), "data/draws.yml": (("seed: 0", "seed: 3"),)}),
    Fork(
        "colour of another",
        {"data/theme.yml": (('stress: "#FFA477"', 'stress: "#FFC06B"'),)},
        "`value` and `stress` differ by 16 (CIEDE2000) in the dark scheme, and need 20",
    ),
    Fork("list of d_k", {"data/scaling.yml": (("table: [4, 64, 1024]", "table: [8, 64, 1024]"),)}),
    Fork(
        "short list of d_k",
        {"data/scaling.yml": (("table: [4, 64, 1024]", "table: [16, 64, 256]"),)},
        "o softmax satura e o gradiente quase some.” does not hold",
    ),
    Fork("query", {"data/hand_example.yml": (("query: [1, 2]", "query: [1, 3]"),)}),
    Fork(
        "query as its key",
        {"data/hand_example.yml": (("query: [1, 2]", "query: [2, 2]"),)},
        "“uma força para cada par de posições” does not hold",
    ),
    Fork(
        "corpus",
        {
            "data/bpe.yml": (
                ("  - o cão sentou no muro do quintal.", "  - o gato e o cão sentaram no muro do quintal."),
                ("merges: 41", "merges: 45"),
            )
        },
        "none of the 45 merges of this corpus makes “␣sentou”",
    ),
    Fork(
        "model and card",
        {"data/cache_simulator.yml": (("model: 8B, scheme: GQA, context: 32768", "model: 70B, scheme: GQA, context: 8192"),)},
    ),
    Fork("english sentence", {"data/phrases.yml": (("english: the cat climbed the", "english: the cat climbed up the"),)}),
    Fork(
        "a slide less",
        {"slides/_atos/05-custo.qmd": ((r"(?s)\n## Laborat.*?(?=\n## )", "\n"),)},
    ),
    Fork("acts", {"slides/atencao.qmd": (("name: A ideia", "name: A intuição"), ("name: O custo", "name: O preço"))}),
)


def made(fork: Fork, folder: Path) -> Path:
    """The project as this fork has it."""
    copied(folder, "tests", "pyproject.toml", "README.md", "LEIAME.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile")
    for name, edits in fork.edits.items():
        file = folder / name
        text = file.read_text(encoding="utf-8")
        for old, new in edits:
            changed = re.sub(old, new, text) if "(?=" in old else text.replace(old, new)
            assert changed != text, f"{name} no longer holds {old!r}, which this test changes"
            text = changed
        file.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("fork", FORKS, ids=lambda fork: fork.name)
def test_a_fork_builds_and_its_tests_pass(fork: Fork, tmp_path: Path) -> None:
    folder = made(fork, tmp_path)
    built = run(folder, "build", "deck", ENGINE="embedded")
    if fork.told:
        assert built.returncode == 1 and fork.told in built.stderr and "Traceback" not in built.stderr, built.stderr
        return
    assert built.returncode == 0, built.stderr
    ignored = [f"--ignore={file}" for file in ASIDE]
    tested = run(folder, *TESTS, *ROOMS, *ignored)
    assert tested.returncode == 0, tested.stdout[-4000:]

"""Two builds of the same sources give the same bytes, and one call shows the same text wherever it stands.

The session's own build is compared with another: in another folder, by another process, with another seed for Python's
hashes. What was measured is taken from the same store, as it is between two builds on one machine.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from a_copy import copied, run

PAGES = ("atencao", "query-key-value", "laboratorio")
FILES = [f"{page}{suffix}" for page in PAGES for suffix in (".html", ".ledger.json")] + ["laboratorio.ipynb"]
# (simulator, where in its opening result, the call that a slide or the chapter shows of the same quantity)
SIMULATED = [
    ("gradient", ("rnn",), "recurrence.rnn():scientific(1)"),
    ("gradient", ("lstm",), "recurrence.lstm():scientific(1)"),
    ("bpe", ("touching",), "bpe.touching_share():text"),
    ("banco", ("weights",), "chapter.weights():vector(fixed(2))"),
    ("banco", ("output",), "hand_example.output():vector(fixed(2))"),
    ("banco", ("total",), "hand_example.total():fixed(1)"),
    ("cache", ("cache",), "kv_cache.cache():gigabytes"),
    ("cache", ("weights",), "kv_cache.weights():gigabytes"),
    ("cache", ("fits",), "kv_cache.fits():text"),
]


@pytest.fixture(scope="module")
def first(deck_file: Path, chapter_file: Path, lab_file: Path) -> Path:
    """The folder of the session's build."""
    return deck_file.parent


@pytest.fixture(scope="module")
def second(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of another build."""
    folder = copied(tmp_path_factory.mktemp("again"))
    for page, formats in zip(PAGES, (("revealjs",), ("html",), ("html", "ipynb"))):
        wanted = [part for format in formats for part in ("--to", format)]
        done = run(folder, "build", "render", f"slides/{page}.qmd", *wanted, PYTHONHASHSEED="4321")
        assert done.returncode == 0, done.stderr
    return folder / "_output" / "slides"


@pytest.fixture(scope="module")
def ledgers(first: Path) -> dict[str, list[dict[str, Any]]]:
    return {page: json.loads((first / f"{page}.ledger.json").read_text(encoding="utf-8"))["entries"] for page in PAGES}


@pytest.mark.parametrize("name", FILES)
def test_two_builds_give_the_same_bytes(first: Path, second: Path, name: str) -> None:
    ours, theirs = ((folder / name).read_bytes() for folder in (first, second))
    place = next((n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    assert ours == theirs, f"{name} differs at byte {place}: {ours[place - 80 : place + 40]!r} and {theirs[place - 80 : place + 40]!r}"


def test_one_call_shows_one_text_on_every_page(ledgers: dict[str, list[dict[str, Any]]]) -> None:
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for entries in ledgers.values():
        for entry in entries:
            if entry["what"] != "claim":  # its text is the sentence that it stands beside
                texts[entry["id"]].add(json.dumps([entry["text"], entry["value"]], ensure_ascii=False))
    assert {id: sorted(shown) for id, shown in texts.items() if len(shown) > 1} == {}


def test_pages_do_share_calls(ledgers: dict[str, list[dict[str, Any]]]) -> None:
    ids = {page: {entry["id"] for entry in entries} for page, entries in ledgers.items()}
    assert len(ids["atencao"] & ids["query-key-value"]) > 20 and len(ids["atencao"] & ids["laboratorio"]) > 5


@pytest.mark.parametrize("page", PAGES)
def test_what_the_ledger_says_stands_on_the_page(first: Path, ledgers: dict[str, list[dict[str, Any]]], page: str) -> None:
    seen = squeezed((first / f"{page}.html").read_text(encoding="utf-8"))
    missing = [(id, text) for id, text in plainly_shown(ledgers[page]) if bare(text) not in seen]
    assert missing == []


def test_the_notebook_shows_what_its_page_shows(first: Path, ledgers: dict[str, list[dict[str, Any]]]) -> None:
    cells = json.loads((first / "laboratorio.ipynb").read_text(encoding="utf-8"))["cells"]
    seen = squeezed(" ".join("".join(cell["source"]) for cell in cells))
    missing = [entry["id"] for entry in ledgers["laboratorio"] if entry["what"] == "number" and bare(entry["text"]) not in seen]
    assert missing == []


@pytest.mark.parametrize(("simulator", "path", "id"), SIMULATED)
def test_a_simulator_opens_with_the_numbers_of_the_slides(
    ledgers: dict[str, list[dict[str, Any]]], simulator: str, path: tuple[Any, ...], id: str
) -> None:
    every = {entry["id"]: entry for entries in ledgers.values() for entry in entries}
    value = every[f"simulators.{simulator}()"]["value"]["result"]
    for step in path:
        value = value[step]
    shown = every[id]
    if simulator == "gradient":
        assert 10**value == pytest.approx(shown["value"], rel=1e-9)
    elif simulator == "bpe":
        assert re.findall(r"\d+", shown["text"])[0] == str(len(value))
    elif path == ("fits",):
        assert (shown["text"] == "cabe") == value
    else:
        assert value == pytest.approx(shown["value"], rel=1e-12)


def plainly_shown(entries: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """What is shown in plain text: numbers, also in formulas, words, and the cells of tables."""
    shown = [(entry["id"], entry["text"]) for entry in entries if entry["what"] in ("number", "formula", "word")]
    shown += [(entry["id"], text) for entry in entries if entry["what"] == "table" for row in entry["value"]["texts"] for text in row]
    return [(id, text) for id, text in shown if not re.search(r"[$`]", text)]


def squeezed(page: str) -> str:
    """The letters and digits of a page without what only its looks need, and without spaces."""
    return bare(html.unescape(re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)))


def bare(text: str) -> str:
    shown = re.sub(r"\[([^\]]*)\]\{[^}]*\}", r"\1", text)
    shown = re.sub(r"\\text\{([^}]*)\}|\\,|[$*\\]", lambda match: match[1] or "", shown)
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", shown))

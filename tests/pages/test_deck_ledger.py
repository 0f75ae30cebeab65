"""What the deck's own ledger holds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from proof import ledger_file

from figures.kit.entry import Claim, Entry
from figures.kit.ledger import IN_PAGE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def entries(deck_file: Path) -> list[Entry]:
    return ledger_file.read(deck_file.with_suffix(".ledger.json")).entries


def test_every_slide_with_a_number_is_there_in_order(entries):
    assert [entry.n for entry in entries] == list(range(1, len(entries) + 1))
    assert {entry.slide.number for entry in entries} >= {1, 14, 19, 29, 32}
    assert any(entry.notes for entry in entries)


def test_every_function_named_is_where_the_ledger_says(entries):
    for file, line, function in {(entry.file, entry.line, entry.function) for entry in entries}:
        lines = (ROOT / file).read_text(encoding="utf-8").split("\n")[line - 1 :]
        defined = next(text for text in lines if text.startswith("def "))
        assert defined.startswith(f"def {function.rpartition('.')[2]}("), f"{file}:{line}"
        assert lines[0].startswith("@"), f"{file}:{line} is not where a decorated function starts"


def test_facts_have_sources_and_measurements_their_hardware(entries):
    kinds = Counter(entry.kind for entry in entries)
    assert kinds["fact"] > 10 and kinds["measured"] + kinds["recorded"] > 10
    for entry in entries:
        assert bool(entry.note) == (entry.kind != "computed"), entry.id
        if entry.kind in ("measured", "recorded"):
            assert len(entry.note.split("; ")) >= 3, entry.note


def test_one_id_shows_one_text(entries):
    texts: dict[str, set[str]] = {}
    for entry in entries:
        if not isinstance(entry, Claim):  # one check may stand beside several sentences
            texts.setdefault(entry.id, set()).add(entry.text)
    assert {id: found for id, found in texts.items() if len(found) > 1} == {}


def test_seeds_and_records_are_told(entries):
    assert {seed.file for entry in entries for seed in entry.seeds} >= {"draws.yml", "scaling.yml", "matrix.yml", "cost.yml"}
    assert any(record.startswith("models.yml#") for entry in entries for record in entry.records)


def test_the_page_stays_small(deck_file):
    found = IN_PAGE.search(deck_file.read_text(encoding="utf-8"))
    assert found and len(found[1]) < 500_000, "the ledger inside the page"

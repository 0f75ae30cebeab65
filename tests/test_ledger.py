"""What an entry of the ledger tells, and what the deck's own ledger holds."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import provenance
import pytest

from figures import data, formats, ledger, show
from figures.ledger import Origin, plain

ROOT = Path(__file__).resolve().parent.parent


class Model(data.Record):
    id: str
    layers: int


MODELS = (Model(id="8B", layers=32), Model(id="70B", layers=80))


@show.number(formats.unit(formats.count(), "ms"))
def drawn(model: str, *, factor: int = 1) -> int:
    """A value that reads a record and a seed, for the tests."""
    found = data.one(MODELS, lambda record: record.id, model, "data/models.yml")
    data.note("models.yml")
    return found.layers * factor + 0 * data.seed("draws.yml", 271)


@pytest.fixture
def entry() -> dict[str, Any]:
    ledger.clear()
    drawn("8B", factor=2)._repr_markdown_()
    (found,) = (one.record() for one in ledger.entries())
    ledger.clear()
    return found


def test_an_entry_tells_all_that_the_schema_asks_for(entry):
    assert list(entry) == list(json.loads(json.dumps(entry))) and entry.keys() == provenance.SHAPE.keys()
    assert (entry["value"], entry["text"], entry["unit"], entry["kind"]) == (64, "64\u00a0ms", "ms", "computed")
    assert entry["id"] == "test_ledger.drawn('8B', factor=2):unit(count, ms)"
    assert entry["arguments"] == [{"name": "model", "value": "8B"}, {"name": "factor", "value": 2}]
    assert (entry["data"], entry["records"]) == (["draws.yml", "models.yml"], ["models.yml#8B"])
    assert entry["seeds"] == [{"file": "draws.yml", "seed": 271}]
    line = (ROOT / entry["file"]).read_text(encoding="utf-8").split("\n")[entry["line"] - 1 :]
    assert any("def drawn(" in text for text in line[:2])


def test_what_was_remembered_has_read_the_same(monkeypatch):
    @data.remembered
    def kept() -> int:
        return data.seed("draws.yml", 7)

    for _ in range(2):
        with data.readings() as read:
            assert kept() == 7
        assert Origin(kept, reads=tuple(read)).seeds == [{"file": "draws.yml", "seed": 7}]


def test_a_fact_needs_a_source_and_a_measurement_its_hardware():
    with pytest.raises(ValueError, match="the fact 32 has no source"):
        ledger.fact(32, " ")
    with pytest.raises(ValueError, match="must tell its hardware, versions and date"):
        ledger.measured(24.0, "CPU X", "", "2026-11-30")


def test_a_fact_in_a_cell_keeps_its_source():
    @show.table
    def facts() -> show.Table:
        columns = [show.Column("modelo"), show.Column("camadas", formats.count())]
        return show.Table(columns, [[ledger.fact("GQA", "um artigo"), ledger.fact(32, "outro")]], caption="Legenda")

    ledger.clear()
    markdown = facts()._repr_markdown_()
    assert '[GQA]{.n n="1-1-1"}' in markdown and '[32]{.n n="1-1-2"}' in markdown and '::: {.table-test-ledger-facts n="1"}' in markdown
    value = ledger.entries()[0].record()["value"]
    assert value["rows"] == [[{"value": "GQA", "kind": "fact", "note": "um artigo"}, {"value": 32, "kind": "fact", "note": "outro"}]]
    assert value["texts"] == [["GQA", "32"]] and value["caption"] == "Legenda"
    assert value["columns"][1] == {"heading": "camadas", "format": "count", "unit": ""}
    ledger.clear()


def test_a_raw_value_is_the_same_json_in_every_build():
    class Thing:
        pass

    values = {
        "array": np.array([[1.5, np.inf]]),
        "record": MODELS[0],
        "number": np.float32(0.5),
        "thing": Thing(),
        "path": Path("a"),
        3: (1,),
    }
    written = plain(values)
    assert written["array"] == [[1.5, "inf"]] and written["record"] == {"id": "8B", "layers": 32} and written["3"] == [1]
    assert "0x" not in json.dumps(written, allow_nan=False) and plain(values) == written


# The deck's


@pytest.fixture(scope="module")
def entries(deck_file: Path) -> list[dict[str, Any]]:
    return provenance.read(deck_file.with_suffix(".ledger.json"))["entries"]


def test_every_slide_with_a_number_is_there_in_order(entries):
    assert [entry["n"] for entry in entries] == list(range(1, len(entries) + 1))
    assert {entry["slide"]["number"] for entry in entries} >= {1, 14, 19, 29, 32}
    assert any(entry["notes"] for entry in entries)


def test_every_function_named_is_where_the_ledger_says(entries):
    for file, line, function in {(entry["file"], entry["line"], entry["function"]) for entry in entries}:
        lines = (ROOT / file).read_text(encoding="utf-8").split("\n")[line - 1 :]
        defined = next(text for text in lines if text.startswith("def "))
        assert defined.startswith(f"def {function.rpartition('.')[2]}("), f"{file}:{line}"
        assert lines[0].startswith("@"), f"{file}:{line} is not where a decorated function starts"


def test_facts_have_sources_and_measurements_their_hardware(entries):
    kinds = Counter(entry["kind"] for entry in entries)
    assert kinds["fact"] > 10 and kinds["measured"] + kinds["recorded"] > 10
    for entry in entries:
        assert bool(entry["note"]) == (entry["kind"] != "computed"), entry["id"]
        if entry["kind"] in ("measured", "recorded"):
            assert len(entry["note"].split("; ")) >= 3, entry["note"]


def test_one_id_shows_one_text(entries):
    texts: dict[str, set[str]] = {}
    for entry in entries:
        if entry["what"] != "claim":  # one check may stand beside several sentences
            texts.setdefault(entry["id"], set()).add(entry["text"])
    assert {id: found for id, found in texts.items() if len(found) > 1} == {}


def test_seeds_and_records_are_told(entries):
    assert {seed["file"] for entry in entries for seed in entry["seeds"]} >= {"draws.yml", "scaling.yml", "matrix.yml", "cost.yml"}
    assert any(record.startswith("models.yml#") for entry in entries for record in entry["records"])


def test_the_page_stays_small(deck_file):
    found = provenance.LEDGER.search(deck_file.read_text(encoding="utf-8"))
    assert found and len(found[1]) < 500_000, "the ledger inside the page"

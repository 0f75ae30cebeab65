"""What an entry of the ledger tells: each of its fields by hand, and the block of JSON that holds them on the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from figures.kit import data, formats, ledger, readings, show
from figures.kit import entry as entry_types
from figures.kit.entry import VERSION, Entry, PageLedger
from figures.kit.json_values import json_value
from figures.kit.origin import Origin

ROOT = Path(__file__).resolve().parents[2]


class Model(data.Record):
    id: str
    layers: int


MODELS = (Model(id="8B", layers=32), Model(id="70B", layers=80))


@show.number(formats.unit(formats.count(), "ms"))
def drawn(model: str, *, factor: int = 1) -> int:
    """A value that reads a record and a seed, for the tests."""
    found = data.one(MODELS, lambda record: record.id, model, "data/models.yml")
    readings.note("models.yml")
    return found.layers * factor + 0 * readings.seed("draws.yml", 271)


@pytest.fixture
def shown() -> Entry:
    ledger.clear()
    drawn("8B", factor=2)._repr_markdown_()
    (entry,) = ledger.entries()
    ledger.clear()
    return entry


def test_an_entry_tells_all_that_the_schema_asks_for(shown):
    entry = msgspec.to_builtins(shown)
    asked = entry_types.schema()["$defs"]["Number"]
    assert entry.keys() == set(asked["required"]) - {"slide", "notes"} and shown.call == "test_entries.drawn('8B', factor=2)"
    assert (entry["value"], entry["text"], entry["unit"], entry["kind"]) == (64, "64\u00a0ms", "ms", "computed")
    assert entry["id"] == "test_entries.drawn('8B', factor=2):unit(count, ms)"
    assert entry["arguments"] == [{"name": "model", "value": "8B"}, {"name": "factor", "value": 2}]
    assert (entry["data"], entry["records"]) == (["draws.yml", "models.yml"], ["models.yml#8B"])
    assert entry["seeds"] == [{"file": "draws.yml", "seed": 271}]
    line = (ROOT / entry["file"]).read_text(encoding="utf-8").split("\n")[entry["line"] - 1 :]
    assert any("def drawn(" in text for text in line[:2])


def test_what_was_remembered_has_read_the_same(monkeypatch):
    @readings.remembered
    def kept() -> int:
        return readings.seed("draws.yml", 7)

    for _ in range(2):
        with readings.noted() as read:
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
    assert '[GQA]{.n n="1-1-1"}' in markdown and '[32]{.n n="1-1-2"}' in markdown and '::: {.table-test-entries-facts n="1"}' in markdown
    (entry,) = ledger.entries()
    assert entry.value.rows == [[ledger.fact("GQA", "um artigo"), ledger.fact(32, "outro")]] and entry.sources == entry.value.rows[0]
    assert entry.value.texts == [["GQA", "32"]] and entry.value.caption == "Legenda"
    assert entry.value.columns[1] == entry_types.Heading(heading="camadas", format="count", unit="")
    ledger.clear()


@pytest.mark.parametrize(
    ("rows", "texts"), [([[1, 2], [3]], [["1", "2"], ["3", ""]]), ([[1, 2]], [["1", "2"], ["3", "4"]]), ([[1, 2]], [["1"]])]
)
def test_a_table_of_a_ledger_is_whole(rows, texts):
    heading = {"heading": "", "format": "", "unit": ""}
    with pytest.raises(msgspec.ValidationError, match="not 2 cells each"):
        msgspec.convert({"columns": [heading, heading], "rows": rows, "texts": texts, "caption": ""}, entry_types.Cells)


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
    written = json_value(values)
    assert written["array"] == [[1.5, None]] and written["record"] == {"id": "8B", "layers": 32} and written["3"] == [1]
    assert "0x" not in json.dumps(written, allow_nan=False) and json_value(values) == written


def test_what_was_read_is_told_by_its_kind():
    reads = ("bpe.yml", "bpe.yml:merges", "models.yml#Llama: 3#8B", "draws.yml#seed=271", "draws.yml#seed=7")
    origin = Origin(drawn, reads=reads)
    assert origin.files == ["bpe.yml", "draws.yml", "models.yml"] and origin.fields == ["bpe.yml:merges"]
    assert origin.records == ["models.yml#Llama: 3#8B"]
    assert origin.seeds == [{"file": "draws.yml", "seed": 271}, {"file": "draws.yml", "seed": 7}]


def test_the_page_s_last_block_is_its_ledger():
    ledger.clear()
    show.number(formats.text())(lambda: "</script> é")()._repr_markdown_()
    block = ledger.page()._repr_markdown_()
    assert block == ledger.page()._repr_markdown_()
    ledger.clear()
    content = re.fullmatch(r'\n```\{=html\}\n<script id="ledger" type="application/json">(.*)</script>\n```\n', block)[1]
    assert "</script>" not in content
    (entry,) = json.loads(content)["entries"]
    assert (entry["n"], entry["what"], entry["value"]) == (1, "word", "</script> é")


def test_a_page_holds_its_ledger_packed_and_gives_it_back_whole():
    content = {
        "n": 1,
        "what": "number",
        "id": "t.f()",
        "kind": "computed",
        "value": 2,
        "text": "2",
        "function": "t.f",
        "file": "a.py",
        "line": 3,
    }
    full = {"unit": "B", "format": "f", "note": "n", "arguments": [{"name": "a", "value": ""}], "data": ["a.yml"],
            "records": ["a.yml#x"], "fields": ["a.yml:b", "a.yml:a"], "seeds": [{"file": "a.yml", "seed": 1}]}  # fmt: skip
    bare = {key: type(value)() for key, value in full.items()}
    other = content | full | {"n": 2, "fields": ["a.yml:b"]}
    known = msgspec.convert({"version": VERSION, "entries": [content | bare, content | full | {"n": 3}, other]}, PageLedger)
    packed = json.loads(json.dumps(ledger.packed(known)))
    assert packed["entries"][0] == content and packed["names"] == ["a.yml:a", "a.yml:b"]
    assert [entry.get("fields") for entry in packed["entries"]] == [None, [1, 0], [1]]
    assert msgspec.convert(ledger.unpacked(packed), PageLedger) == known

"""The rows that the list of numbers is made of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import entries
import pytest

from figures.kit import appendix, formats, ledger, show
from figures.kit.entry import Entry


@show.number(formats.fixed(2))
def share(of: str) -> float:
    return 0.6199


@show.number(formats.spelled())
def few() -> int:
    return 4


@show.number(formats.unit(formats.count(), "GB"))
def memory() -> ledger.Known:
    return ledger.fact(80, "a data sheet")


@show.table
def facts() -> show.Table:
    columns = [show.Column("modelo"), show.Column("camadas", formats.count())]
    return show.Table(columns, [[ledger.fact("GQA", "um artigo"), ledger.fact(32, "a data sheet")]])


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    ledger.clear()
    yield
    ledger.clear()


def rows(*things: Any) -> dict[str, Any]:
    for thing in things:
        thing._repr_markdown_()
    return appendix.content(ledger.entries())


def test_a_row_tells_text_value_function_place_and_kind():
    (row,) = rows(share("praça"))["entries"]
    line = share.__wrapped__.__code__.co_firstlineno
    assert row == {
        "n": 1,
        "id": "test_appendix.share('praça'):fixed(2)",
        "what": "",
        "shown": "0,62",
        "value": "0,6199",
        "call": "test_appendix.share('praça')",
        "place": f"tests/kit/test_appendix.py:{line}",
        "kind": "calculado",
    }


def test_the_value_is_told_only_where_the_text_says_it_otherwise():
    assert [row["value"] for row in rows(few(), memory(), share("a").tex)["entries"]] == ["4", "", "0,6199"]


LONG = " ".join(["palavra"] * 40)  # of 8 characters, with their spaces


@pytest.mark.parametrize(
    ("what", "text", "shown"),
    [
        ("simulator", "Simulador: quatro pesos", "quatro pesos"),
        ("simulator", "Simulador: um: dois", "um: dois"),
        ("simulator", "quatro pesos", "quatro pesos"),
        ("listing", "a = 1\nb = 2", "`a = 1` …"),
        ("text", "- um\n- dois", "- um; - dois"),
        ("text", LONG, " ".join(["palavra"] * 13) + " …"),
        ("figure", LONG, " ".join(["palavra"] * 13) + " …"),
        ("claim", LONG, " ".join(["palavra"] * 27) + " …"),
        ("word", LONG, " ".join(["palavra"] * 27) + " …"),
    ],
)
def test_what_a_reader_saw_of_each_kind(what: str, text: str, shown: str):
    """Of a figure's text, and a list's, 110 characters; of a sentence's, twice as many."""
    assert appendix.shown(entry(what, text)) == shown


def test_a_page_ends_with_its_ledger_and_the_rows_for_paper():
    ledger.clear()
    text = appendix.page()._repr_markdown_()
    assert text.startswith(ledger.page()._repr_markdown_()) and "{.ledger-appendix}" in text.removeprefix(ledger.page()._repr_markdown_())


def test_a_claim_s_values_stand_without_the_braces_of_their_group():
    assert appendix.value(entry("claim", "É mais.", {"a": 0.5, "b": [1, 2]})) == "a: 0,5; b: \\[1; 2\\]"


def entry(what: str, text: str, value: Any = "") -> Entry:
    whole = {"simulator": {"opening": {}, "result": {}, "offered": ""}, "figure": entries.drawing(), "claim": {}}
    (made,) = entries.records(entries.entry(1, what=what, text=text, value=value or whole.get(what, "")))
    return made


def test_notes_are_numbered_once_those_of_cells_too():
    made = rows(memory(), facts(), share("a"))
    assert made["notes"] == ["a data sheet", "um artigo"]
    assert [row["kind"] for row in made["entries"]] == ["fato [1]", "calculado [2, 1]", "calculado"]
    assert (made["entries"][1]["what"], made["entries"][1]["shown"], made["entries"][1]["value"]) == (
        "tabela",
        "modelo, camadas",
        "1 × 2 células",
    )


def test_nothing_but_paper_sees_the_rows(deck_file: Path):
    share("a")._repr_markdown_()
    page = appendix.page()._repr_markdown_()
    before = ledger.page()._repr_markdown_()
    assert page.startswith(before)
    lines = page.removeprefix(before).strip().split("\n")
    assert lines[:3] == [
        ':::: {.content-visible unless-format="html"}',
        '::: {.content-hidden when-format="ipynb"}',
        "```{.ledger-appendix}",
    ]
    assert len(json.loads(lines[3])["entries"]) == 1 and "função e código" in lines[3]
    assert "ledger-appendix" not in deck_file.read_text(encoding="utf-8")


def test_a_text_is_cut_between_words_and_around_what_must_stay_whole():
    assert appendix.shortened("um dois três", 8) == "um dois …"
    assert appendix.shortened("um $a + b$ dois", 8) == "um …" and appendix.shortened("um $a + b$ dois", 11) == "um $a + b$ …"
    assert appendix.shortened("a [b c]{.k} d", 5) == "a …" and appendix.shortened("um", 2) == "um"


def test_raw_values_as_people_write_them():
    assert appendix.written({"a": [0.5, [2, None]], "b": True, "c": "x"}) == "{a: [0,5; [2; –]]; b: True; c: x}"
    assert appendix.written("ꙮ") == "U+A66E"

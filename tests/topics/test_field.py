"""Statements that nothing here can compute: each is shown as a fact, with the passage, and none is kept for no page."""

from __future__ import annotations

import re

import pytest
from own_data import everything

from figures import field
from figures.kit import data, project, qmd
from figures.kit.errors import DataError
from figures.kit.ledger import Known

STATEMENTS = data.load("field", tuple[field.Statement, ...])


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: one.id)
def test_a_statement_is_a_fact_with_what_its_passage_says(statement):
    shown = field.named(statement.id)
    known: Known = field.named.__wrapped__(statement.id)
    assert shown.origin.kind == known.kind == "fact"
    assert statement.source in known.note and len(known.note) > len(statement.source) + 40


def test_every_statement_stands_on_a_page():
    everything()
    called = re.findall(r'field\.named\("(\w+)"\)', "\n".join(line.text for page in project.documents() for line in qmd.body(page)))
    assert {one.id for one in STATEMENTS} <= set(called)


@pytest.mark.parametrize(
    ("source", "fits"),
    [("A. Autora, 2020, seção 3.2", True), ("A. Autora, 2020, resumo", True), ("A. Autora, 2020, p. 7", True), ("A. Autora, 2020", False)],
)
def test_a_source_names_its_passage(source, fits):
    assert list(field.Statement(id="a", source=source).faults()) == [] if fits else list(field.Statement(id="a", source=source).faults())


def test_an_unknown_statement_is_told_with_the_known_ones():
    with pytest.raises(DataError, match="paged_attention"):
        field.named("page_attention")

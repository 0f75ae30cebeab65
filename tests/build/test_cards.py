"""Marks inside formulas become attributes, and the card's script goes into pages that keep a ledger."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page import cards

from figures.kit import formats
from figures.kit.marks import mark_in_formula

pypandoc = pytest.importorskip("pypandoc")
LEDGER = '<script id="ledger" type="application/json">{"version": 1, "entries": []}</script>'


def mathml(tex: str) -> str:
    return pypandoc.convert_text(f"a ${tex}$", "html", format="markdown", extra_args=["--mathml"])


def test_a_mark_comes_through_pandoc_and_leaves_nothing_else():
    first, second = (formats.to_tex(text) for text in ("0,62", "5%"))
    plain = mathml(rf"\frac{{{first}}}{{{second}}} = \text{{softmax}}")
    made = cards.mark_formulas(mathml(rf"\frac{{{mark_in_formula(first, 7)}}}{{{mark_in_formula(second, 120)}}} = \text{{softmax}}"))
    assert re.findall(r'data-n="(\d+)">([^<]+)<', made) == [("7", "0,62"), ("120", "5%")]
    assert re.sub(r' data-n="\d+"', "", made) == plain
    assert cards.mark_formulas(made) == made


@given(st.integers(1, 10**6))
def test_every_number_is_a_mark_that_is_read_back(n: int):
    text = mark_in_formula(r"\text{a}", n).removeprefix(r"\text{").removesuffix("}")
    assert cards.mark_formulas(f"<mtext>{text}</mtext>") == f'<mtext data-n="{n}">a</mtext>'


def test_only_pages_with_a_ledger_get_the_script():
    html = cards.inline(f"<html><head></head><body>{LEDGER}</body></html>")
    assert html.count("ledger-script") == html.count("ledger-style") == 1
    assert cards.inline(html) == html
    assert cards.inline("<p>x</p>") == "<p>x</p>"

"""The remarks of data/theme.yml: the contrast beside each colour is what it measures on the page's ground and on that of boxes."""

from __future__ import annotations

import re

import pytest

from figures.kit import colour, readings
from figures.kit.files import folder
from figures.kit.theme import SCHEMES, THEME


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_comments_give_the_measured_contrast(scheme: str):
    readings.note("theme.yml")
    text = (folder() / "theme.yml").read_text(encoding="utf-8")
    plain = getattr(THEME.colours, scheme)
    for hex in (plain.ink, plain.soft, plain.rule, plain.stress, *(getattr(role, scheme).ink for role in THEME.roles)):
        told = re.search(rf'"{hex}".*# ([\d.]+) ([\d.]+)', text)
        assert told and [f"{colour.contrast(hex, ground):.1f}" for ground in (plain.ground, plain.wash)] == list(told.groups())

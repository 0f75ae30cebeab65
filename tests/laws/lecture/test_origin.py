"""The lecture that this material rebuilds is credited, whoever teaches it."""

from __future__ import annotations

import re

from figures.kit import project, qmd

CREDIT = re.compile(r"reconstr[óu]", re.IGNORECASE)


def test_the_deck_credits_the_lecture_that_it_rebuilds():
    (credit,) = (line.text for line in qmd.body(project.document("revealjs")) if CREDIT.search(line.text))
    assert all(f"{{{{< var origin.{key} >}}}}" in credit for key in ("lecture", "course", "institution"))
    assert all(project.variables()[f"origin.{key}"] for key in ("lecture", "course", "institution"))

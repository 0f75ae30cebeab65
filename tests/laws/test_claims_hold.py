"""Whatever the data say, every sentence that a page shows and that carries a check is true, and stands beside its check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from figures.kit import claims, project, qmd
from figures.kit.modules import modules, topic


def made() -> dict[str, Any]:
    """Every check of figures/ by name, as slides call it: `{"topic.it_holds": …}`."""
    return {
        f"{topic(one)}.{name}": one
        for module in modules()
        for name, one in vars(module).items()
        if hasattr(one, "check") and getattr(one, "__module__", "") == module.__name__
    }


CLAIMS = made()


def called() -> Iterator[tuple[Path, str, str]]:
    """(page, claim, its call) for every claim that stands on a page."""
    for page in project.documents():
        for line, context in qmd.contexts(qmd.body(page)):
            for piece in () if context.in_cell else qmd.inline(line.text):
                if piece.function in CLAIMS:
                    yield page, piece.function, piece.code


@pytest.mark.parametrize("name", sorted({name for _, name, _ in called()}))
def test_a_claim_that_stands_on_a_page_holds(name: str) -> None:
    check = CLAIMS[name].check()
    assert check.holds and check.values, check


def test_a_claim_never_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each follows the words that it checks, on the same line."""
    for page in project.documents():
        monkeypatch.setenv("QUARTO_DOCUMENT_PATH", str(page.parent))
        monkeypatch.setenv("QUARTO_DOCUMENT_FILE", page.name)
        told = [(name, text) for name in CLAIMS for _, text in claims.sentences(name)]
        assert [name for name, text in told if len(re.findall(r"\w\w+", text)) < 2] == []

"""A sentence that the numbers don't bear out stops the build, and says which."""

from __future__ import annotations

import pytest

from figures import claims, data, ledger


@claims.claim
def larger(limit: float = 1.0) -> claims.Check:
    """The value is larger than the limit."""
    return claims.Check(limit < 2.0, {"value": 2.0, "limit": limit})


@pytest.fixture
def sources(tmp_path, monkeypatch):
    (tmp_path / "slides").mkdir()
    text = "## Um título {#sec-x}\n\n- Antes disso. O valor passa de `{python} topic.limit()`. `{python} test_claims.larger()`\n"
    (tmp_path / "slides" / "a.qmd").write_text(text)
    monkeypatch.setattr(data, "ROOT", tmp_path)


def test_a_claim_that_holds_is_an_empty_mark_in_the_ledger(sources):
    ledger.clear()
    assert larger()._repr_markdown_() == '[]{.n .claim n="1"}'
    entry = ledger.entries()[0]
    assert entry.what == "claim" and entry.value == {"value": 2.0, "limit": 1.0}
    assert entry.text.startswith("O valor passa de")
    ledger.clear()


def test_a_claim_that_fails_names_slide_sentence_and_values(sources):
    with pytest.raises(claims.ClaimError) as caught:
        larger(3.0)
    for part in ("Um título", "O valor passa de", "value = 2.0", "limit = 3.0", "test_claims.larger(3.0)"):
        assert part in str(caught.value)


def test_the_check_itself_is_reachable_for_other_inputs():
    assert larger.check(1.0).holds and not larger.check(5.0).holds

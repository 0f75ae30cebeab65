"""A sentence that the numbers don't bear out stops the build, and says which; each says what it stands beside."""

from __future__ import annotations

import os

import pytest

from figures.kit import claims, data, files, ledger


@claims.claim
def larger(limit: float = 1.0) -> claims.Check:
    """The value is larger than the limit."""
    return claims.Check(limit < 2.0, {"value": 2.0, "limit": limit})


@claims.claim
def other() -> claims.Check:
    return claims.Check(True, {})


PAGE = """---
title: x
---

## Um título {#sec-x}

```
# Nem título nem frase. `{python} test_claims.other()`
```

- Antes disso. O valor passa de `{python} topic.limit()` Hz. `{python} test_claims.larger()`

{{< include b.qmd >}}
"""
PART = "## Outro\n\nNão é pouco: é mais. `{python} test_claims.larger()` E segue.\n"


@pytest.fixture
def sources(tmp_path, monkeypatch):
    (tmp_path / "slides").mkdir()
    (tmp_path / "_quarto.yml").write_text("project: {render: [slides/a.qmd]}\n")
    (tmp_path / "slides" / "a.qmd").write_text(PAGE)
    (tmp_path / "slides" / "b.qmd").write_text(PART)
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setenv("QUARTO_DOCUMENT_PATH", str(tmp_path / "slides"))
    monkeypatch.setenv("QUARTO_DOCUMENT_FILE", "a.qmd")
    ledger.clear()
    yield tmp_path
    ledger.clear()


def test_a_claim_that_holds_is_an_empty_mark_in_the_ledger(sources):
    assert larger()._repr_markdown_() == '[]{.n .claim n="1"}'
    entry = ledger.entries()[0]
    assert entry.what == "claim" and entry.value == {"value": 2.0, "limit": 1.0}
    assert entry.text == "O valor passa de … Hz."


def test_the_second_call_of_a_page_stands_beside_the_second_sentence(sources):
    larger()._repr_markdown_()
    larger()._repr_markdown_()
    assert ledger.entries()[1].text == "Não é pouco: é mais."
    with pytest.raises(claims.ClaimError) as caught:
        larger(3.0)
    assert caught.value.slide == "Outro"


def test_the_calls_of_another_claim_do_not_count(sources):
    other()._repr_markdown_()
    larger()._repr_markdown_()
    assert ledger.entries()[1].text == "O valor passa de … Hz."


def test_a_claim_that_fails_is_noted_where_that_is_asked_for_and_only_there(sources, monkeypatch):
    def check(limit):
        return claims.Check(limit < 2.0, {"limit": limit})

    noted = claims.claim(check)
    for asked in ("", "other"):
        monkeypatch.setenv("CLAIMS", asked)
        with pytest.raises(claims.ClaimError):
            noted(3.0)
    monkeypatch.setenv("CLAIMS", "note")
    noted(1.0)._repr_markdown_()
    noted(3.0)._repr_markdown_()
    assert [entry.value for entry in ledger.entries()] == [{"limit": 1.0}, {"limit": 3.0, "holds": False}]
    assert [entry.holds for entry in ledger.entries()] == [True, False]


def test_a_claim_that_fails_names_slide_sentence_and_values(sources):
    with pytest.raises(claims.ClaimError) as caught:
        larger(3.0)
    assert caught.value.where == "slide “Um título”" and caught.value.remedy
    for part in ("Um título", "O valor passa de", "value = 2.0", "limit = 3.0", "test_claims.larger(3.0)"):
        assert part in str(caught.value)


@claims.claim
def from_data() -> claims.Check:
    return claims.Check(False, {"legs": data.load("animals", tuple[Animal, ...])[0].legs})


class Animal(data.Record):
    name: str
    legs: int


def test_a_claim_that_fails_names_the_fields_that_it_read(sources, monkeypatch):
    (sources / "data").mkdir()
    (sources / "data" / "animals.yml").write_text("- {name: gato, legs: 5}")
    monkeypatch.setattr(files, "folder", lambda: sources / "data")
    with pytest.raises(claims.ClaimError, match="legs = 5\n.* put right what it was computed from:\n    data/animals.yml: gato.legs"):
        from_data()
    with pytest.raises(claims.ClaimError, match=r"test_claims.py:\d+ right"):  # nothing was read: then the function is at fault
        larger(3.0)


def test_without_a_page_every_source_is_searched(sources, monkeypatch):
    monkeypatch.delenv("QUARTO_DOCUMENT_FILE")
    assert claims.sentence("test_claims.larger")[0] == "Um título"
    assert claims.sentence("nobody.knows") == ("?", "")


def test_a_part_that_was_edited_since_is_read_anew(sources):
    assert claims.sentence("test_claims.larger", 1)[1] == "Não é pouco: é mais."
    part = sources / "slides" / "b.qmd"
    part.write_text(PART.replace("pouco", "nada"))
    os.utime(part, ns=(0, (sources / "slides" / "a.qmd").stat().st_mtime_ns + 10**9))
    assert claims.sentence("test_claims.larger", 1)[1] == "Não é nada: é mais."


def test_the_check_itself_is_reachable_for_other_inputs():
    assert larger.check(1.0).holds and not larger.check(5.0).holds

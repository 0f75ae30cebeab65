"""Every sentence whose truth hangs on numbers carries a check, and one that fails stops the build."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from a_copy import FRONT_MATTER, copied, run, run_quarto
from claimed import CLAIMS

from figures.kit import data, deck, qmd
from figures.kit.files import ROOT
from figures.kit.modules import modules, topic

PAGES = tuple(page.name for page in sorted((ROOT / "slides").glob("*.qmd")))


class Unclaimed(data.Record):
    """A slide that calls no check, with the reason; with `words` it judges all the same, by words that numbers choose."""

    slide: str
    reason: str
    words: bool = False


def unclaimed() -> tuple[Unclaimed, ...]:
    return data.load("unclaimed", tuple[Unclaimed, ...])


def called(page: Path) -> dict[str, set[str]]:
    """The functions that the inline code of each slide or section calls, by its id."""
    here = deck.TITLE
    by_slide: dict[str, set[str]] = {here: set()}
    for line, context in qmd.contexts(qmd.body(page)):
        here = context.heading.id if context.role == "heading" and context.heading and context.heading.id else here
        by_slide.setdefault(here, set()).update(piece.function for piece in qmd.inline(line.text) if not context.in_cell)
    return by_slide


def test_every_claim_stands_beside_a_sentence() -> None:
    made = {name for page in PAGES for names in called(ROOT / "slides" / page).values() for name in names}
    assert sorted(CLAIMS.keys() - made) == []


@pytest.mark.law
def test_every_slide_has_its_checks() -> None:
    by_slide = called(deck.source())
    bare = {slide for slide, names in by_slide.items() if not CLAIMS.keys() & names}
    known = {one.slide for one in unclaimed()} & by_slide.keys()  # a fork may have left a slide out
    assert not bare - known, f"without a check: {bare - known}. Let a sentence carry one, or say in data/unclaimed.yml why it needs none"
    assert not known - bare, f"data/unclaimed.yml says that these have no check, and they have one: {known - bare}"


def test_a_slide_of_words_alone_shows_some() -> None:
    words = {
        f"{topic(made)}.{name}"
        for module in modules()
        for name, made in vars(module).items()
        if callable(made) and getattr(made, "__wrapped__", None) and getattr(made, "__annotations__", {}).get("return") == "str"
    }
    shown = called(deck.source())
    assert [one.slide for one in unclaimed() if one.words and one.slide in shown and not words & shown[one.slide]] == []


# A claim that fails


PAGE = (
    FRONT_MATTER
    + """
## Uma página que mente {#sec-mente}

```{python}
from figures import recurrence
```

- Antes, uma frase verdadeira. No texto curto a atenção também vai mais longe. `{python} recurrence.attention_reaches_further("opening")`
"""
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copied(tmp_path_factory.mktemp("project"))
    (folder / "slides" / "atencao.qmd").write_text(PAGE, encoding="utf-8")
    return folder


def told(output: str) -> None:
    for part in ("Uma página que mente", "No texto curto a atenção também vai mais longe.", "LSTM = 0.0375", "attention = 0.0156"):
        assert part in output, output
    assert "uma frase verdadeira" not in output.split("the sentence")[1].split("does not hold")[0]


def test_a_false_sentence_stops_the_embedded_engine(project: Path) -> None:
    done = run(project, "build", "render", "slides/atencao.qmd")
    assert done.returncode == 1 and "slides/atencao.qmd:14" in done.stderr
    told(done.stderr)
    assert not list((project / "_output").rglob("atencao*"))


@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
def test_a_false_sentence_stops_quarto(project: Path) -> None:
    done = run_quarto(project, "render", "slides/atencao.qmd")
    assert done.returncode != 0
    told(done.stderr)
    assert not list((project / "_output").rglob("atencao.html"))

"""The rows of “To change X, edit Y”, each followed in a small repository of its own: what is edited is what changes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from a_copy import run
from new import alone

from figures.kit.files import ROOT
from figures.kit.style import FONTS, face_path

pytestmark = pytest.mark.slow
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18"/></svg>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    alone.make("trial", "A trial", tmp_path / "away", ROOT)
    return tmp_path / "away"


def edit(folder: Path, file: str, *changes: tuple[str, str]) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / file).write_text(text, encoding="utf-8")


def deck(folder: Path, name: str = "trial") -> str:
    done = run(folder, "build", "deck", "--name", name, ENGINE="embedded")
    assert done.returncode == 0, done.stderr
    return (folder / "_output" / "slides" / f"{name}.html").read_text(encoding="utf-8")


def test_course_lecturer_date_logo_and_acts(folder: Path) -> None:
    (folder / "slides" / "imagens").mkdir()
    (folder / "slides" / "imagens" / "logo.svg").write_text(LOGO, encoding="utf-8")
    edit(folder, "_variables.yml", ("institution: Sua instituição", "institution: Universidade Livre"))
    edit(
        folder,
        "slides/trial.qmd",
        ('author: "', 'date: 2027-03-01\nauthor: "Ana Lima · '),
        ("  revealjs:\n", "  revealjs:\n    logo: imagens/logo.svg\n"),
        ("summary: o que foi medido", "summary: o que se mediu"),
    )
    page = deck(folder)
    title = page[page.index('id="title-slide"') : page.index("</section>")]
    assert "Ana Lima" in title and "Universidade Livre" in title and "2027" in title
    assert 'class="slide-logo"' in page
    assert "o que se mediu" in page


def test_a_slide_added_and_one_removed_move_the_numbers_that_name_slides(folder: Path) -> None:
    before = deck(folder)
    asked = re.compile(r"pergunta do slide <span[^>]*>(\d+)<")
    added = "## Outro slide {#sec-outro}\n\nUma frase.\n\n## A pergunta {#sec-pergunta"
    edit(folder, "slides/trial.qmd", ("## A pergunta {#sec-pergunta", added))
    text = (folder / "slides" / "trial.qmd").read_text(encoding="utf-8")
    start, end = text.index("## A semana numa linha"), text.index("## A média {")
    (folder / "slides" / "trial.qmd").write_text(text[:start] + text[end:], encoding="utf-8")
    edit(folder, "slides/trial.qmd", ("first: sec-pergunta", "first: sec-outro"))
    after = deck(folder)
    assert (int(asked.search(after)[1]), int(asked.search(before)[1])) == (3, 2)
    assert 'id="sec-outro"' in after and 'id="sec-linha"' not in after


def test_data_words_colours_and_a_font_of_one_s_own(folder: Path) -> None:
    (folder / "data" / "fonts").mkdir()
    shutil.copy(face_path(FONTS[0], FONTS[0].faces[0]), folder / "data" / "fonts" / "mine.ttf")
    theme = (folder / "data" / "theme.yml").read_text(encoding="utf-8")
    theme = re.sub(r"(    family: Fira Sans\n)    package: .*\n", r"\1", theme).replace(
        "fontpkg_fira_sans/files/FiraSans-Regular.ttf", "fonts/mine.ttf"
    )
    theme = re.sub(r"\n.*fontpkg_fira_sans/.*", "", theme).replace('stress: "#B23C06"', 'stress: "#A8320A"')
    (folder / "data" / "theme.yml").write_text(theme, encoding="utf-8")
    edit(folder, "data/trial.yml", ("degrees: 28.5", "degrees: 31.5"))
    edit(folder, "data/words/pt/trial.yml", ("day: dia", "day: jornada"))
    page = deck(folder)
    assert "31,5" in page and "28,5" not in page and "jornada" in page and "--stress:#A8320A" in page


def test_another_lecture_and_another_language(folder: Path) -> None:
    assert run(folder, "build", "new", "other", "--title", "Outra").returncode == 0
    assert 'id="sec-media"' in deck(folder, "other")
    text = (folder / "slides" / "trial.qmd").read_text(encoding="utf-8")
    (folder / "slides" / "trial_en.qmd").write_text(text.replace('title: "', 'lang: en\ntitle: "', 1), encoding="utf-8")
    stopped = run(folder, "build", "deck", "--name", "trial_en", ENGINE="embedded")
    assert stopped.returncode == 1 and "data/words/en/trial.yml" in stopped.stderr and "Translate data/words/pt/trial.yml" in stopped.stderr
    shutil.copy(folder / "data" / "words" / "pt" / "trial.yml", folder / "data" / "words" / "en" / "trial.yml")
    edit(folder, "data/words/en/trial.yml", ("day: dia", "day: day"))
    page = deck(folder, "trial_en")
    assert "28.5" in page and "28,5" not in page


SECOND = '''

@precomputed(days=lambda: Slider(range(1, len(degrees()))), hot=Switch())
def extremes(days: int, hot: bool) -> str:
    """The hottest or the coldest of the first days."""
    return _words("extremes.told", days=days, degrees=fixed(1)((max if hot else min)(degrees()[:days])))
'''
SECOND_WORDS = """extremes:
  name: "Simulador: os extremos"
  days: primeiros dias
  hot: o mais quente
  told: "Em {days} dias, {degrees} graus."
"""


def test_a_new_simulator_of_python_alone(folder: Path) -> None:
    edit(
        folder,
        "figures/trial.py",
        ("import Slider, precomputed", "import Slider, Switch, precomputed"),
        ("\n\n@claim\n", f"{SECOND}\n\n@claim\n"),
    )
    cell = "## Os extremos {#sec-extremos}\n\n```{python}\ntrial.extremes()\n```\n\n## Para levar {"
    edit(folder, "slides/trial.qmd", ("## Para levar {", cell))
    stopped = run(folder, "build", "deck", ENGINE="embedded")
    assert stopped.returncode == 1 and "data/words/pt/trial.yml, extremes" in stopped.stderr, stopped.stderr
    words = folder / "data" / "words" / "pt" / "trial.yml"
    words.write_text(words.read_text(encoding="utf-8") + SECOND_WORDS, encoding="utf-8")
    page = deck(folder)
    slide = page[page.index('id="sec-extremos"') :]
    offered = json.loads(re.search(r'<script[^>]*class="sim-params"[^>]*>(.*?)</script>', slide, re.DOTALL)[1])
    assert [control["label"] for control in offered["data"]["controls"]] == ["primeiros dias", "o mais quente"]
    assert set(offered["data"]["sentences"]) >= {"Em 6 dias, 19,5 graus.", "Em 6 dias, 28,5 graus."}
    assert len(offered["golden"]) == 12
    assert run(folder, "build", "audit").returncode == 0

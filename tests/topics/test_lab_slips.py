"""The checkpoints against what students write: slips are refused and told, right answers in any style are accepted.

`make lab-mutants` tries every slip; here stand those written by hand, and a sample of the others.
"""

from __future__ import annotations

from typing import Any

import lab_answers
import lab_mutants
import pytest
import yaml
from lab_mutants import Slip, by_hand, outcome, slips
from plain_code import ROOT

from figures.kit.words import Words
from figures.lab import checks

EVERY = 15  # one in so many of the slips that are made by rule
BY_HAND = yaml.safe_load(lab_mutants.SLIPS.read_text(encoding="utf-8"))
RIGHT = yaml.safe_load((ROOT / "tests" / "helpers" / "lab_right.yml").read_text(encoding="utf-8"))
WORDS = Words("checkpoints")
SECTIONS = list(lab_answers.ASKED)


def without_training(n: int) -> str:
    return lab_answers.official(n).replace("aprendida = treina(alvo)", "")


def title(entry: dict[str, Any]) -> str:
    return f"{entry['section']}-{entry['new'].strip()[:50]}"


@pytest.mark.parametrize("n", SECTIONS)
def test_the_official_solutions_are_right(n: int):
    assert lab_answers.judged(n, lab_answers.official(n)).status == "right"


@pytest.mark.parametrize("entry", RIGHT, ids=title)
def test_a_right_answer_in_another_style_is_accepted(entry: dict[str, Any]):
    text = f"{without_training(entry['section'])}\n{entry['new']}"
    names = lab_answers.run(text)
    if entry["section"] == 10:
        names["aprendida"] = lab_mutants.trained(text) if "alvo" in entry["new"] else lab_mutants.learnt()
    assert lab_answers.checked(entry["section"], names).status == "right", lab_answers.checked(entry["section"], names).text


@pytest.mark.parametrize("entry", BY_HAND, ids=title)
def test_a_slip_is_refused_and_told(entry: dict[str, Any]):
    found = outcome(Slip(entry["section"], *by_hand(entry, without_training(entry["section"]))))
    if not found.counts:
        return
    assert found.refused, found.reply
    assert WORDS(entry["says"]) in found.reply if "says" in entry else found.reply


@pytest.mark.parametrize("n", SECTIONS)
def test_slips_made_by_rule_are_refused_and_most_are_named(n: int):
    found = [outcome(slip) for slip in list(slips(n))[n::EVERY]]
    counted = [one for one in found if one.counts]
    assert [(one.slip.what, one.reply) for one in counted if not one.refused] == []
    assert [(one.slip.what, one.reply) for one in found if one.refused and not one.counts] == []
    assert sum(one.named for one in counted) >= lab_mutants.NAMED_AIM * len(counted)


def test_there_are_hundreds_of_slips():
    assert sum(1 for n in SECTIONS for _ in slips(n)) > 900
    assert len(RIGHT) >= 60


def test_every_sentence_about_a_mistake_is_used():
    judged = {"near", "itself", "first", "further_back", "nowhere", "columns", "not_weights", "sees_ahead"}
    outputs = [output for made in checks.PARTS.values() for part in made() for output in getattr(part, "outputs", ())]
    assert set(WORDS.named("mistakes")) == {key for output in outputs for key in output.mistakes} | judged


def test_no_sentence_gives_the_answer_away():
    """No number stands in what a checkpoint says of a known mistake."""
    assert [key for key, text in WORDS.named("mistakes").items() if any(letter.isdigit() for letter in text)] == []

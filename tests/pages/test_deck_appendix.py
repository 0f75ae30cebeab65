"""The list of numbers of this deck: what its checks call their values."""

from __future__ import annotations

import json
import re
from pathlib import Path

from figures import bpe, pieces
from figures.kit import appendix
from figures.kit.words import Words


def test_a_claim_s_values_have_names_in_portuguese(deck_file: Path):
    """Every name that a check of the deck gives a value is translated, or needs no translation."""
    made = json.loads(deck_file.with_suffix(".ledger.json").read_text(encoding="utf-8"))["entries"]
    given = {name for one in made if one["what"] == "claim" for name in one["value"]}
    left = {name for name in given if appendix.renamed({name: 0}) == {name: 0}}
    same = re.compile(r"\d+B?|n = \d+|RNN|LSTM|cache|query|tokens|[A-Z](?:_[A-Z])?|d_k|Var\(q·k\)")
    assert left - set(pieces.phrases().english.split()) - {bpe.toy().new_word} == set(filter(same.fullmatch, left))
    assert appendix.renamed({"weights": 1, "RNN": 2}) == {"pesos": 1, "RNN": 2}
    names = Words("claims").named("names")
    assert len(set(names.values())) == len(names) and set(names) - given == {"holds"}

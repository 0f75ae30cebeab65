"""Whatever a slide can show without naming anything: it can be made, and it is whole."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from figures.kit.modules import modules, topic
from figures.kit.show import Listing, Shown, Table

# Functions that take seconds, or whose value differs with the machine.
SLOW = ("real_model", "cost", "student")


def shown_alone() -> Iterator[tuple[str, Any]]:
    """Every function of a page that needs no argument, drawings aside."""
    for module in modules():
        for function in vars(module).values():
            if not (inspect.isfunction(function) and function.__module__ == module.__name__ and is_shown(function)):
                continue
            parameters = inspect.signature(function).parameters.values()
            alone = all(one.default is not one.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters)
            if alone and topic(function) not in SLOW and "Picture" not in str(inspect.signature(function).return_annotation):
                yield f"{topic(function)}.{function.__name__}", function


def is_shown(function: Any) -> bool:
    """Whether a decorator of the kit's show stands above it."""
    while hasattr(function, "__wrapped__"):
        code = getattr(function, "__code__", None)  # a cache has none
        if code and "show" in Path(code.co_filename).parts:
            return True
        function = function.__wrapped__
    return False


ALONE = dict(shown_alone())


@pytest.mark.parametrize("name", ALONE)
def test_what_a_page_shows_can_be_made_and_is_whole(name: str) -> None:
    made = ALONE[name]()
    rows = made.texts() if isinstance(made, Table) else [[str(made)]]
    assert rows and all(any(row) for row in rows)
    text = "" if isinstance(made, Listing) else " ".join(cell for row in rows for cell in row)
    assert not re.search(r"\b(?:None|nan)\b| at 0x", text)


def test_what_is_counted_in_words_has_its_gender_whatever_the_count() -> None:
    masculine = {
        "backward.row_sum", "bpe.new_word_piece_count", "deck.act_count", "hand_example.step_count", "prose.dictionary_tokens",
    }  # fmt: skip
    made = {name: function() for name, function in ALONE.items()}
    spelled = {name: shown.format.name for name, shown in made.items() if isinstance(shown, Shown) and "spelled" in shown.format.name}
    assert {name for name, format in spelled.items() if "feminine" not in format} == masculine and len(spelled) > len(masculine)

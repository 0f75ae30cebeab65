"""What more than one room asks for: folders of packages, letters of formulas, values as JSON."""

from __future__ import annotations

import json
import sys

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from figures.kit import modules, packages, show
from figures.kit.json_values import json_text, json_value, script_json
from figures.kit.math_letters import italic


def test_a_package_is_found_and_not_imported():
    sys.modules.pop("ziamath", None)
    folder = packages.folder("ziamath")
    assert folder and (folder / "__init__.py").is_file() and "ziamath" not in sys.modules
    assert packages.folder("nothing_like_it") is None


def test_the_topic_of_a_function_is_its_module_or_the_package_that_hands_it_on():
    assert modules.topic(show.number) == "show" and modules.topic(json_text) == "json_values"


def test_italic_letters_by_hand():
    assert "".join(map(italic, "dhQθΔ∂2_")) == "𝑑ℎ𝑄𝜃𝛥𝜕2_"


JSON = st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(), st.lists)


@given(JSON)
def test_json_comes_back_as_it_went_but_for_what_is_infinite(value):
    def finite(part):
        return [finite(one) for one in part] if isinstance(part, list) else None if part in (float("inf"), float("-inf")) else part

    assert json.loads(json_text(value)) == json.loads(script_json(value)) == json_value(value) == finite(value)
    assert not {"</", "<!--"} & {script_json(value)[n : n + size] for n in range(len(script_json(value))) for size in (2, 4)}


class Pair(msgspec.Struct):
    a: tuple[int, ...]
    b: float


def test_records_and_mappings_become_mappings():
    assert json_value({1: Pair((1, 2), float("nan"))}) == {"1": {"a": [1, 2], "b": None}}

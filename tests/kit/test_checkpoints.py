"""Judging an answer, by made-up parts: how a function is called, what counts as blank, as a number, as equal, and each sentence.

The lab's own checkpoints are tested in test_lab_checks.py and test_lab_slips.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cells import remembered
from hypothesis import given
from hypothesis import strategies as st

from figures.kit import formats
from figures.kit.checkpoints import (
    NotMade,
    Output,
    Part,
    Probe,
    Rule,
    Stopped,
    Verdict,
    called,
    errors,
    facts,
    gaps,
    is_blank,
    judge,
    told,
    verdict,
    within,
)
from figures.kit.words import Words

WORDS = Words("checkpoints")


def part(right: Callable[..., Any], *probes: tuple[Any, ...], **options: Any) -> Part:
    """A part `f` of one output."""
    names = ("x", "y")[: len(probes[0])]
    outer = {name: options.pop(name) for name in ("alone", "value") if name in options}
    return Part("f", names, (Output("f", right, **options),), tuple(Probe(args) for args in probes), **outer)


SQUARE = part(lambda x: x**2, (2.0,), (3.0,), mistakes={"bits": lambda x: 8 * x**2}, alone=("x",))
ROWS = part(lambda x: x * 2.0, (np.arange(6.0).reshape(2, 3),), (np.arange(4.0).reshape(1, 4),))


def only(found: list[tuple[str, Any]]) -> Any:
    ((_, finding),) = found
    return finding


def text(found: list[tuple[str, Any]]) -> str:
    return " ".join(finding.text for _, finding in found).replace(formats.NBSP, " ")


def written(source: str) -> Any:
    """The function `f` of a text, as if it had been written in a cell."""
    remembered("<a cell>", source)
    names: dict[str, Any] = {"np": np}
    exec(compile(source, "<a cell>", "exec"), names)
    return names["f"]


# Calling


def test_a_function_gets_copies():
    given_array = np.zeros(2)

    def spoils(x: Any) -> Any:
        x += 1
        return x

    assert called(spoils, [given_array]).tolist() == [1, 1] and given_array.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def f(x):\n    y = ...\n    return y", [2]),
        ("def f(x):\n    x[..., 0] = 1\n    return x[...]", []),
        ("def f(x):\n    x[0::2] = ...\n    return ...", [2, 3]),
        ("def f(x):\n    a, b = ..., 1\n    return x", [2]),
        ("def f(x):\n    return None", []),
    ],
)
def test_a_gap_is_an_assignment_or_a_return_of_three_points(source: str, lines: list[int]):
    assert [gap.line for gap in gaps(written(source))] == lines


def test_an_error_is_told_with_its_line_and_hides_behind_no_index():
    stop = called(written("def f(x):\n    x[..., 0] = 1\n    return x @ np.zeros((7, 2))"), [np.zeros((2, 3))])
    assert isinstance(stop, Stopped) and (stop.error, stop.line, stop.source) == ("ValueError", 3, "return x @ np.zeros((7, 2))")
    assert told(stop).startswith("`ValueError` na linha 3, `return x @ np.zeros((7, 2))`: nesse produto de matrizes")


def test_the_line_is_the_student_s_even_where_a_library_raises():
    stop = called(written("def f(x):\n    g = lambda y: np.linalg.inv(y)\n    return g(x)"), [np.zeros((2, 2))])
    assert (stop.error, stop.line) == ("LinAlgError", 2)


def raised(code: str) -> Stopped:
    found = called(written(f"def f(x):\n    {code}"), [np.zeros((2, 3))])
    assert isinstance(found, Stopped)
    return found


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("return x @ x", "matmul"), ("return x @ 3", "no_axes"), ("return x + np.zeros(2)", "broadcast"),
        ("x[:] = np.zeros((3, 2))", "into"), ("return np.dot(x, x)", "not_aligned"), ("return np.hstack([x, x.T])", "joined"),
        ("return np.stack([x, x.T])", "joined"), ("return np.array([[1, 2], [3]])", "ragged"),
        ("import math; return math.exp(x)", "one_number"),
        ("return np.einsum('nde,md->nm', x, x)", "subscripts"), ("return x[x[0] == 0]", "mask_length"), ("return len(3)", "no_length"),
        ("return [1, 2] * 1.5", "integer_index"), ("import math; return math.sqrt(-1)", "domain"), ("return float('um')", "not_a_number"),
        ("return np.zeros((2, 3, 4)) @ np.zeros((5, 4, 3))", "batches"), ("return x.reshape(4, 5)", "reshape"), ("return y", "undefined"),
        ("z = z + 1", "unassigned"), ("return x.softmax()", "attribute"), ("return np.softmax(x)", "nothing_in_module"),
        ("import nao_existe", "no_module"), ("return (lambda a: a)()", "too_few"), ("return (lambda a: a)(1, 2)", "too_many"),
        ("return (lambda a: a)(b=1)", "keyword"), ("return 'a' - x.shape", "operands"), ("return x[7]", "out_of_bounds"),
        ("return [][0]", "list_index"), ("return x.sum(axis=5)", "no_such_axis"), ("return x.transpose(0, 1, 2)", "transpose"),
        ("a = 3; return a(x)", "not_callable"), ("a = 3; return a[0]", "no_index"), ("a, b, c = x", "unpack"), ("a, b = 3", "not_iterable"),
        ("return np.zeros(2.5)", "integer_index"), ("return 1 if x else 2", "truth"),
        ("a = np.arange(3); a += 0.5", "cast"), ("return 1 / 0", "ZeroDivisionError"), ("return 2.0 ** 10000", "OverflowError"),
        ("return {}['a']", "KeyError"), ("assert False", "AssertionError"), ("raise SystemExit", "SystemExit"),
        ("return (lambda s: s(s))(lambda s: s(s))", "RecursionError"), ("raise ValueError", "silent"),
    ],
)  # fmt: skip
def test_what_python_says_is_said_in_the_page_s_language(code: str, key: str):
    stop = raised(code)
    why = errors.reason(stop.error, stop.message)
    template = re.escape(WORDS(f"errors.{key}", a="HOLE", b="HOLE", c="HOLE")).replace("HOLE", ".+")
    assert re.fullmatch(template, why), why


@pytest.mark.parametrize("length", [3, 160, 161])
def test_an_unknown_message_is_quoted_and_a_long_one_cut(length: int):
    assert ("x" * min(length, 157) in errors.reason("OddError", "x" * length)) and ("…”" in errors.reason("OddError", "x" * length)) == (
        length > 160
    )


# Blank


@pytest.mark.parametrize(
    ("answer", "blank"),
    [
        (np.array([1, ...], object), True),
        (np.array([1, 2], object), False),
        (np.array([1.0, 2.0]), False),
        ([1, [2, ...]], True),
        ((1, NotImplemented), True),
        (NotMade("f"), True),
        ([1, 2], False),
        (None, False),
    ],
)
def test_one_gap_among_many_numbers_is_blank(answer: Any, blank: bool):
    assert is_blank(answer) == blank


def test_a_gap_and_a_name_never_made_are_told_apart():
    assert "na linha 2 da célula" in text(judge(SQUARE, written("def f(x):\n    y = ...\n    return y + 1")))
    nested = "def f(x):\n    if x:\n        y = ...\n    z = ...\n    return y + z"
    assert "nas linhas 3 e 4 da célula" in text(judge(SQUARE, written(nested)))
    assert "ainda não fez `f`" in text(judge(SQUARE, NotMade("f")))
    assert only(judge(SQUARE, ...)).status == only(judge(SQUARE, lambda x: ...)).status == "blank"
    assert only(judge(SQUARE, NotMade("f", "Parou."))).status == "unfit" and "Parou." in text(judge(SQUARE, NotMade("f", "Parou.")))


def test_a_forgotten_return_is_told_as_one():
    found = judge(SQUARE, lambda x: None)
    assert only(found).status == "unfit" and "`f(2)` não devolveu nada" in text(found)


# A function's replies


def test_right_at_every_probe_is_right():
    assert only(judge(SQUARE, lambda x: x * x)).status == "right"
    assert only(judge(ROWS, lambda x: (2 * x).tolist())).status == "right"


def test_a_tensor_is_as_good_as_an_array():
    torch = pytest.importorskip("torch")
    assert only(judge(SQUARE, lambda x: torch.tensor(x) ** 2)).status == "right"


def test_a_known_mistake_is_told_and_a_constant_found_out():
    assert text(judge(SQUARE, lambda x: 8 * x * x)) == WORDS("mistakes.bits")
    fixed = judge(SQUARE, lambda x: 4.0)
    assert only(fixed).status == "mistake" and "Confere em `f(2)`, mas não em tudo" in text(fixed)


def test_what_one_argument_does_is_told():
    product = part(lambda x, y: x * y, (2.0, 5.0), (3.0, 7.0), alone=("x", "y"))
    assert "não muda quando `x` muda" in text(judge(product, lambda x, y: 3 * y))
    assert text(judge(SQUARE, lambda x: 5.0)) == text(judge(product, lambda x, y: 5.0)) == WORDS("facts.constant")
    assert "Quando só `x` cresce" in text(judge(SQUARE, lambda x: x**3))
    assert text(judge(SQUARE, lambda x: 3 * x**2)) == WORDS("facts.factor")


def test_what_was_called_and_what_came_is_told():
    assert "`f(x)`, com `x` de forma 2 × 3" in text(judge(ROWS, lambda x: x.T)) and "recebeu 3 × 2" in text(judge(ROWS, lambda x: x.T))
    assert "parou. `ZeroDivisionError` na linha 2, `return 1 / 0`" in text(judge(ROWS, written("def f(x):\n    return 1 / 0")))
    assert "Chegou um texto" in text(judge(ROWS, lambda x: "2")) and "NaN" in text(judge(ROWS, lambda x: x * np.nan))
    assert "a função em si, `f(x)`, sem chamá-la" in text(judge(SQUARE, 4.0))
    assert "lista vazia" in text(judge(ROWS, lambda x: []))


def test_only_the_whole_parts_are_told():
    assert text(judge(part(lambda x: x / 3, (np.arange(9.0),)), lambda x: x // 3)) == WORDS("facts.truncated")


def test_a_result_that_is_rounded_may_grow_a_little_otherwise():
    root = part(lambda x: np.floor(np.sqrt(x)), (70_000.0,), (90_000.0,), alone=("x",), growth=1e-2)
    assert text(judge(root, lambda x: np.floor(np.sqrt(2 * x)))) == WORDS("facts.factor")
    assert (
        "Quando só `x` cresce" in text(judge(root, lambda x: x / 9))
        and only(judge(root, lambda x: np.floor(np.sqrt(x)) - 1)).status == "near"
    )


def test_a_value_may_stand_for_the_function_where_that_is_asked():
    by_hand = part(lambda x: np.array([x / 3, 2 * x / 3]), (1.0,), value=6e-3)
    assert only(judge(by_hand, [0.33, 0.67])).status == "right" == only(judge(by_hand, np.array([1 / 3, 2 / 3]))).status
    assert only(judge(by_hand, [0.3, 0.7])).text == WORDS("facts.rounded")


PAIR = Part(
    "g",
    ("x",),
    (
        Output("a", lambda x: x + 1),
        Output("b", lambda own, x: 2 * (x + 1 if own is None else own), {"twice": lambda own, x: 4 * own}, after="a"),
    ),
    (Probe((np.arange(3.0),)), Probe((np.arange(5.0),))),
)


def test_what_follows_from_a_slip_is_judged_on_the_slip():
    found = dict(judge(PAIR, lambda x: (x + 2, 2 * (x + 2))))
    assert found["a"].status == "mistake" and found["b"].status == "right" and "com o seu `a`" in found["b"].text
    found = dict(judge(PAIR, lambda x: (x + 2, 4 * (x + 2))))
    assert found["b"].text == WORDS("mistakes.twice")
    found = dict(judge(PAIR, lambda x: (x + 2, x**3)))
    assert "Acerte primeiro `a`" in found["b"].text
    assert "`a` e `b`, nessa ordem" in text(judge(PAIR, lambda x: x))


def test_a_rule_tells_what_it_says_and_the_shape_first():
    rule = Rule("A", (2, 2), lambda A: "right" if A[0, 0] == 1 else "itself")
    assert only(judge(rule, np.eye(2))).status == "right" and only(judge(rule, np.zeros((2, 2)))).text == WORDS("mistakes.itself")
    assert "recebeu (3,)" in text(judge(rule, [1, 2, 3]))


class Nasty:
    """Raises wherever it is touched."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("array")

    def __len__(self) -> int:
        raise RuntimeError("len")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __call__(self, *args: Any) -> Any:
        raise RuntimeError("call")

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    "answer",
    [Nasty(), Nasty, [Nasty(), 1], lambda x: Nasty(), "5", {}, np.ma.masked, iter([]), 10**400, 3 + 4j],
    ids=lambda it: type(it).__name__,
)
@pytest.mark.parametrize("asked", [SQUARE, ROWS, PAIR, Rule("A", (2,), lambda A: "right")], ids=["number", "array", "pair", "rule"])
def test_nothing_is_raised(answer: Any, asked: Any):
    assert all(finding.status in ("unfit", "wrong", "mistake", "near") for _, finding in judge(asked, answer))


# What is true of a wrong array

RIGHT = np.array([[1.0, 2.0, 4.0], [3.0, -5.0, 7.0], [6.0, 8.0, -9.0]])


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (np.zeros((3, 3)), "zeros"), (RIGHT * (1 + 5e-4), "coarse"), (-RIGHT, "sign"), (np.abs(RIGHT), "signs"),
        (np.full((3, 3), 2.5), "all_equal"),
        (3 * RIGHT, "factor"), (RIGHT + 10, "shifted"), (RIGHT.T, "transposed"), (RIGHT[[1, 2, 0]], "rows_exchanged"),
        (RIGHT[:, [1, 2, 0]], "columns_exchanged"), (RIGHT.ravel()[[8, 1, 2, 3, 4, 5, 6, 7, 0]].reshape(3, 3), "reordered"),
        (RIGHT * [[2], [3], [5]], "rows_factor"), (RIGHT * [2, 3, 5], "columns_factor"), (RIGHT + [[2], [3], [5]], "rows_shifted"),
        (RIGHT + [2, 3, 5], "columns_shifted"), (RIGHT + [[0], [5], [0]] * np.array([1, 2, 4]), "some_rows"),
        (RIGHT + [0, 5, 0] * np.array([[1], [2], [4]]), "some_columns"), (RIGHT + 9 * (1 - np.eye(3)) * [1, 2, 4], "off_diagonal"),
        (RIGHT * [[1, 7, -3], [4, 1, 9], [6, 2, 1]] + [[5, 1, 9], [3, 7, 1], [2, 8, 4]], None),
    ],
)  # fmt: skip
def test_a_fact_about_a_wrong_array(answer: Any, key: str | None):
    found = facts.fact(Output("f", lambda: RIGHT), np.asarray(answer, float), RIGHT)
    assert (found and found[0]) == key
    if found:
        assert WORDS(f"facts.{found[0]}", **found[1])


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ([[0.5, 0.6], [0.5, 0.4]], "columns_sum"),
        ([[0.2, 0.3], [0.1, 0.4]], "whole_sum"),
        ([[2.0, 3.0], [1.0, 4.0]], "rows_do_not_sum"),
        ([[1.2, -0.2], [0.5, 0.5]], "negative_weights"),
    ],
)
def test_weights_are_shares(answer: Any, key: str):
    right = np.array([[0.9, 0.1], [0.25, 0.75]])
    assert facts.fact(Output("A", lambda: right, weights=True), np.array(answer), right)[0] == key


def test_few_places_are_named():
    right = np.arange(1.0, 11)
    found = facts.fact(Output("f", lambda: right), right + 5 * (np.arange(10) == 3) - 7 * (np.arange(10) == 6), right)
    assert found == ("places", {"places": "4 e 7"})


# Equal and near


@pytest.mark.parametrize(
    ("found", "right", "share", "agree"),
    [
        ([1.5, 4], [1, 4], 0.125, True),  # exactly ½ of 4
        ([1.75, 4], [1, 4], 0.125, False),
        ([-3.5, 1], [-4, 1], 0.125, True),  # the largest is the furthest from 0
        ([0.115], [0.1], 0.125, False),  # small numbers have small shares
        ([0.125], [0], 0.125, True),  # beside nothing, a share of 1
        ([0.25], [0], 0.125, False),
        ([[1.0], [4]], [1, 4], 0, True),  # an axis of length 1 doesn't count
        ([1, 4, 1], [1, 4], 1, False),
    ],
)
def test_a_share_of_the_largest_right_number(found: Any, right: Any, share: float, agree: bool):
    assert within(np.array(found), np.array(right), share) == agree


INFINITE = (1.0, np.inf, -np.inf)


@given(st.lists(st.sampled_from(INFINITE), min_size=1, max_size=4), st.data())
def test_infinite_numbers_stand_in_the_same_places_with_the_same_sign(right: list[float], data: st.DataObject):
    found = data.draw(st.lists(st.sampled_from(INFINITE), min_size=len(right), max_size=len(right)))
    assert within(np.array(found), np.array(right), 0.05) == (found == right)


@given(st.floats(-1e300, 1e300, allow_nan=False))
def test_a_wrong_number_is_never_right(x: float):
    status = only(judge(SQUARE, lambda given: x if given == 2 else given**2)).status
    assert (status == "right") == (abs(x - 4) <= 4e-6)


# The verdict


def test_a_verdict_needs_every_part_and_shows_the_neediest():
    both = verdict("S", [SQUARE, ROWS], [lambda x: x * x, lambda x: ...])
    assert isinstance(both, Verdict) and both.status == "blank" and [one.status for one in both.findings] == ["right", "blank"]
    assert repr(both).splitlines()[0] == "⬜ S · ainda em branco" and "\n> " in both._repr_markdown_()
    assert "espera `f` e `f`" in repr(verdict("S", [SQUARE, ROWS], 3))
    assert verdict("S", [SQUARE, ROWS], ...).status == "blank"

"""Whatever a student hands in gets a sentence and never an exception: blanks, bad input, answers written in other ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures import (
    attention,
    lab,
    multihead_code,
)
from figures.kit import checkpoints
from figures.kit.checkpoints import Part, judge
from figures.kit.words import Words
from figures.lab import checks, student
from figures.lab.student import confere

WORDS = Words("checkpoints")

PARTS = [(n, at, part) for n, section in enumerate(lab.records().sections, 1) for at, part in enumerate(checks.PARTS[section.id]())]


def part_of(n: int, at: int) -> Part:
    """A section's part, made anew."""
    found = checks.parts_of(n)
    assert found is not None
    return found[1][at]


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


def stops(*args: Any) -> Any:
    raise SystemExit("não")


def unfinished(*args: Any) -> Any:
    S = ...
    return S + 1


BAD = [
    "0,5", b"5", "", {}, {"a": 1}, {1, 2}, object(), Nasty(), Nasty, [Nasty(), Nasty()], [Nasty(), 1, 2],
    float("nan"), [np.nan, np.nan], [float("inf")] * 2, 3 + 4j, [[1, 2], [3]], [[]], np.array([]), np.array(["a", "b"]),
    np.array([1, "a"], object), print, stops, [stops, stops], [stops] * 3, range(3), (x for x in [1]), 10**400, [10**400, 1], True,
    type, np.zeros((0, 3)), np.ma.masked, iter([]),
]  # fmt: skip


@pytest.mark.parametrize("n", range(1, 11))
def test_a_blank_is_told_as_one(n: int):
    parts = [part for m, _, part in PARTS if m == n]
    left_open = [[..., None, unfinished, lambda *args: ..., lambda *args: None][: 5 if part.call else 2] for part in parts]
    whole = [..., None, [...] * len(parts)]
    for answer in [*whole, *([list(each) for each in zip(*left_open)] if len(parts) > 1 else left_open[0])]:
        found = confere(n, answer)
        assert found.status == "blank"
        assert "ainda em branco" in repr(found) and repr(found).count("\n") == 0
    assert confere(n).status == "blank"


def test_an_answer_may_come_without_its_brackets():
    com, sem = checks.scaling()[0].right
    assert confere(3, com, sem).status == confere(3, [com, sem]).status == "right"
    assert confere(5, attention.causal, attention.padding).status == "right"


def test_a_part_in_blank_hides_no_other():
    found = confere(5, [attention.causal, ...])
    assert [finding.status for finding in found.findings] == ["right", "blank"]
    assert found.status == "blank" and repr(found).count("\n") == 2


@pytest.mark.parametrize("n", range(1, 11))
@pytest.mark.parametrize("answer", BAD, ids=lambda answer: type(answer).__name__)
def test_bad_input_gets_a_sentence(n: int, answer: Any):
    found = confere(n, answer)
    assert found.status in ("unfit", "wrong", "mistake")
    assert repr(found) and "\n> " in found._repr_markdown_()


def test_what_was_expected_is_named():
    import torch

    assert "um array do NumPy de forma (2,)" in repr(confere(1, "0,5"))
    assert "tensor do PyTorch" in repr(confere(1, torch.ones(2))) and ".numpy()" in repr(confere(1, torch.ones(2)))
    assert "tensor do PyTorch" in repr(confere(1, [torch.ones(1), torch.ones(1)]))
    assert "NaN" in repr(confere(1, [np.nan, 1]))
    assert "infinito" in repr(confere(1, [np.inf, 1]))
    shapes = repr(confere(4, [np.zeros((5, 4))] * 3)).replace("\u00a0", " ")
    assert "de forma 5 × 5 e recebeu 5 × 4" in shapes
    assert "Faltou chamá-la?" in repr(confere(1, lambda: 1))
    assert "`dS`, `dQ` e `dK`" in repr(confere(4, 1))
    assert "ZeroDivisionError" in repr(confere(5, [lambda n: 1 / 0, attention.padding]))
    assert "a função em si" in repr(confere(5, [attention.causal(6), attention.padding]))
    assert "lista de ids" in repr(confere(9, [lambda *a: 1, lambda *a: 1]))
    assert "de 1 a 10" in repr(confere(11, 1))


@pytest.mark.parametrize("section", [0, 11, -1, "3", 3.0, None, True, [], Nasty(), np.nan, ...], ids=lambda it: type(it).__name__)
def test_an_unknown_section_is_told(section: Any):
    assert confere(section, 1).status == "unfit"


@given(
    st.integers(1, 10),
    st.recursive(st.none() | st.floats() | st.text() | st.binary() | st.integers(), lambda inner: st.lists(inner, max_size=4)),
)
def test_nothing_is_ever_raised(n: int, answer: Any):
    assert confere(n, answer).status != "right"


@given(st.floats(-1e300, 1e300, allow_nan=False))
def test_equal_and_near_are_ordered(x: float):
    part = Part("x", np.array(1.0))
    status = judge(part, x).status
    distance = abs(x - 1)
    assert status == ("right" if distance <= checkpoints.EQUAL else "near" if distance <= checkpoints.CLOSE else "wrong")


def test_a_student_s_function_can_not_spoil_the_inputs():
    def spoils(Q: Any, K: Any, V: Any, h: int, h_kv: int) -> Any:
        result = checks.grouped(Q, K, V, h, h_kv)
        Q[:] = K[:] = V[:] = 0
        return result

    count = checks.grouped_count
    assert [confere(7, [spoils, count]).status for _ in range(2)] == ["right", "right"]


def test_masks_may_be_written_in_other_ways():
    def rows(n: int) -> Any:
        return [[0 if j <= i else -1e9 for j in range(n)] for i in range(n)]

    assert confere(5, [rows, lambda real: np.where(real, 0, np.finfo(np.float32).min)]).status == "right"
    assert confere(5, [rows, lambda real: np.where(real, 0, -np.inf)[:, None]]).findings[1].text == WORDS("mistakes.hides_queries")
    assert "0 × ∞" in repr(confere(5, [lambda n: (1 - np.tri(n)) * -np.inf, attention.padding]))


def test_an_entry_is_its_lists():
    right = [lambda L, h, d, b: 2 * L * h * d * b, lambda prompt, new: new[-1:] or prompt]
    assert confere(9, right).status == "right"
    assert confere(9, [right[0], lambda prompt, new: prompt + new]).findings[1].text == WORDS("mistakes.whole_prefix")


def test_a_gap_stops_nothing_below_it():
    assert student.softmax(...) is ... and student.mediana(student.tamanho_do_gradiente(..., 1)) is ...
    assert "em branco" in student.distancia(..., np.zeros(2)).text
    assert "em branco" in student.efeito(unfinished, unfinished).text
    assert "ZeroDivisionError" in student.efeito(lambda n: 1 / 0, attention.padding).text
    assert student.treina(...) is ... and student.treina(lambda ids: ...) is ...
    assert "em branco" in student.mapa(...).text


def test_attention_is_lent_only_where_it_is_needed():
    assert student.empresta(unfinished) is student.emprestada
    assert student.empresta(None) is student.emprestada
    assert student.empresta(multihead_code.atencao) is multihead_code.atencao
    flat = lambda Q, K, V, mascara=0: (attention.weights(Q, K.T.T), V)  # noqa: E731
    assert student.empresta(flat) is student.emprestada


def test_the_data_are_new_at_each_call():
    Q, *_ = student.dados(4)
    Q[:] = 0
    assert np.abs(student.dados(4)[0]).max() > 0
    with pytest.raises(ValueError, match="1, 2, 3, 4, 5, 6 e 7"):
        student.dados(8)

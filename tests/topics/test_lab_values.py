"""What the lab's helpers give, by hand: tables, sentences, and the little head that learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_llama
from loaded import with_records
from msgspec.structs import replace

from figures import (
    attention,
    backward,
    masks,
    multihead_code,
    random_draws,
    rope,
)
from figures.kit import formats
from figures.kit.checkpoints import Unfit
from figures.kit.show import Cell
from figures.lab import checks, generation, inputs, prose, student
from figures.model import smollm2, weights


def texts(table: Any) -> list[list[str]]:
    rows: list[list[str]] = table.texts()
    return rows


def test_the_saturated_rows_are_numbered_and_marked() -> None:
    table = student.saturacao()
    before, after, saturated = backward.before(), backward.after(), backward.saturated()
    assert [row[0] for row in table.rows] == [1, 2, 3, 4, 5]
    assert [row[1] for row in table.rows] == before.largest.tolist() and [row[3] for row in table.rows] == after.largest.tolist()
    assert [row[2] for row in table.rows] == before.gradient.tolist()
    cells = [row[4] for row in table.rows]
    assert all(isinstance(cell, Cell) for cell in cells) and [cell.value for cell in cells] == after.gradient.tolist()
    assert [cell.role == "best" for cell in cells] == saturated.tolist()
    decimals = [[len(text.partition(",")[2]) for text in row[1:4]] for row in texts(table)]
    assert decimals == [[2, 2, 2]] * 5
    assert all(text.partition("\u00a0")[0].isdigit() and "×" in text for *_, text in texts(table))


def test_differences_are_told_by_their_size_whatever_their_sign() -> None:
    said = [str(student.distancia(np.array(a), np.array(b))) for a, b in (([0.0], [2.0]), ([2.0], [0.0]), ([0.0, 0.0], [1.0, -2.0]))]
    assert said[0] == said[1] == said[2] != str(student.distancia(np.array([0.0]), np.array([1.0])))
    assert said[0] == str(student.distancia(np.array([1.0, 5.0]), np.array([1.0, 3.0])))
    sums = [str(student.soma_das_linhas(np.array(dS))) for dS in ([[1.0, 1.0]], [[-1.0, -1.0]], [[1.0, 1.0], [-0.5, 0.5]])]
    assert sums[0] == sums[1] == sums[2] != str(student.soma_das_linhas(np.array([[1.0, -1.0]])))


def test_a_difference_has_two_digits_and_a_small_one_is_rounding() -> None:
    assert "1,2" in str(student.distancia(np.array([0.0]), np.array([1.234e-7]))) and "1,23" not in str(
        student.distancia(np.array([0.0]), np.array([1.234e-7]))
    )


def test_multi_head_is_missed_by_as_much_on_either_side() -> None:
    def off(by: float) -> Any:
        return lambda Q, K, V, h, g: multihead_code.multi_head(Q, K, V, h) + by

    assert str(student.como_multi_head(off(1.0))) == str(student.como_multi_head(off(-1.0)))
    assert str(student.como_multi_head(off(0.0))) != str(student.como_multi_head(off(1.0)))


def test_an_attention_is_lent_unless_the_student_s_serves() -> None:
    lent = student.emprestada
    assert student.empresta(multihead_code.atencao) is multihead_code.atencao
    for wrong in (
        lambda Q, K, V, mask: (attention.weights(Q, K, mask) + 1e-3, attention.attention(Q, K, V, mask)),
        lambda Q, K, V, mask: (attention.weights(Q, K, mask), attention.attention(Q, K, V, mask) + 1e-3),
        lambda Q, K, V, mask: (attention.weights(Q, K), attention.attention(Q, K, V)),
        lambda Q, K, V: None,
    ):
        assert student.empresta(wrong) is lent
    A, output = lent(np.eye(2), np.eye(2), np.eye(2), attention.causal(2))
    assert A[0].tolist() == [1.0, 0.0] and np.allclose(output, A)


def test_the_helpers_by_hand() -> None:
    assert student.mediana(np.array([4.0, 1.0, 3.0, 2.0])) == 2.0
    assert student.softmax(np.zeros((1, 2))).tolist() == [[0.5, 0.5]]
    assert student.pesos(np.eye(2), np.eye(2), attention.causal(2))[0].tolist() == [1.0, 0.0]
    A, g = np.array([[0.5, 0.5]]), np.array([[1.0, -1.0]])
    assert student.tamanho_do_gradiente(A, g) == pytest.approx([np.sqrt(0.5)])


def test_mistakes_in_the_dictionary_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    query, keys, values = (
        np.array([1.0, 0.0, 0.0]),
        np.array([[1.0, 2.0, 7.0], [3.0, 0.0, 2.0], [2.0, 1.0, 5.0]]),
        np.array([[1.0, 2.0], [3.0, 5.0], [8.0, 9.0]]),
    )
    monkeypatch.setattr(inputs, "dictionary", lambda: (query, keys, values))
    part, scores = checks.dictionary()[0], np.array([1.0, 3.0, 2.0])

    def mixed_by(weights: np.ndarray) -> np.ndarray:
        return weights / weights.sum() @ values

    e = np.exp(scores / np.sqrt(3))
    assert np.allclose(part.right, mixed_by(e)) and part.equal == 2e-3
    expected = {
        "forgot_root": mixed_by(np.exp(scores)), "divided_by_d_k": mixed_by(np.exp(scores / 3)), "unnormalised": e @ values,
        "no_exponential": mixed_by(scores), "even": [4, 16 / 3], "hard": [3, 5], "mixed_keys": e / e.sum() @ keys,
        "weights": e / e.sum(), "scores": scores / np.sqrt(3),
    }  # fmt: skip
    assert part.mistakes.keys() == expected.keys()
    for name, value in expected.items():
        assert np.allclose(part.mistakes[name], value), name


@pytest.mark.parametrize(("mistake", "factor"), [("multiplied", np.sqrt(2)), ("divided_by_d_k", 1 / 2)])
def test_queries_multiplied_or_divided_twice_by_hand(mistake: str, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores small enough for no weight to near 1: √d_k times the products, or a d_k-th of them, in place of a √d_k-th."""
    q, g = np.float32([[0.1, 0.2], [0.3, 0.0], [0.0, 0.2]]), np.float32([[1, -1], [2, 0], [0, 2]])
    k = np.float32([[[1, 0], [0, 1]], [[1, 1], [0, 0]], [[1, 1], [0, 0]]])
    monkeypatch.setattr(inputs, "scaling", lambda: (q, k, g))
    found = checks.scaling()[0].mistakes[mistake]
    high = 1 / (1 + np.exp(-0.2 * factor))  # the larger of two weights where their products differ by 0.1, 0.3 and 0.2: the middle one
    assert found[0] == pytest.approx([high, 2 * high * (1 - high) * np.sqrt(2)], rel=1e-5)  # p(1 − p)(g₁ − g₂), of either sign


def test_what_a_student_s_function_gives_must_be_ids_at_every_step() -> None:
    steps = [([1], []), ([1], [2])]
    for wrong in (7, list(range(1000))):
        with pytest.raises(Unfit):
            checks.asked(lambda prompt, written, wrong=wrong: wrong if written else [1], steps)
    assert checks.asked(lambda prompt, written: ... if written else [1], steps) is ...
    assert len(checks.asked(lambda prompt, written: prompt + written, steps)) == 2


def test_one_blank_among_what_is_given_is_enough() -> None:
    def added(a: Any, b: Any = 1) -> Any:
        return a + b

    passed, told = student.passing_blanks(added), student.gently(added)
    assert passed(1, 2) == 3 == passed(1, b=2) and passed(1, ...) is passed(..., 2) is passed(1, b=...) is ...
    blank = str(told(..., ...))
    assert told(1, 2) == 3 and str(told(1, ...)) == blank == str(told(..., 1))
    assert str(told(lambda: ..., 1)) == blank != str(told(lambda: 0, 1))
    assert str(student.gently(lambda a: ...)(1)) == blank


# Section 9: what runs through the model


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama.to_folder(tmp_path_factory.mktemp("weights") / "tiny", tiny_llama.tensors())


def the_last_alone(prompt: list[int], written: list[int]) -> list[int]:
    return written[-1:] or prompt


def test_a_generation_writes_the_likeliest_and_counts_what_went_through(tiny: Path) -> None:
    model, prompt = weights.read(weights.identify(tiny)), [7, 40, 99]
    likeliest = list(prompt)
    for _ in range(4):
        likeliest.append(int(smollm2.forward(model, likeliest).numpy().argmax()))
    fed: list[list[int]] = []

    def told(prompt: list[int], written: list[int]) -> list[int]:
        fed.append(the_last_alone(prompt, written))
        return fed[-1]

    cached, whole = generation.generate(model, prompt, 4, told), generation.without_cache(model, prompt, 4)
    assert cached.ids == whole.ids == likeliest[3:] and fed == [prompt, *([id] for id in likeliest[3:6])]
    assert (cached.passes, whole.passes) == (3 + 1 + 1 + 1, 3 + 4 + 5 + 6)
    assert (cached.bytes_per_token, whole.bytes_per_token) == (2 * 2 * 2 * 8 * 4, 0)  # k and v, layers, heads, numbers a head, float32


def test_the_model_s_writing_is_told_with_its_passes(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(weights.VARIABLE, str(tiny))
    given = inputs.records()
    monkeypatch.setattr(inputs, "records", lambda: replace(given, cache=replace(given.cache, new_tokens=3)))
    ready = generation.at_hand()
    assert ready is not None
    p = len(ready[1])
    good, forgetful = (str(student.escreve(entrada)) for entrada in (the_last_alone, lambda prompt, written: prompt[:1]))
    assert good.startswith("Escreveu 3 tokens, **os mesmos com e sem o cache**")
    assert forgetful.startswith("Escreveu 3 tokens, e **eles não são os mesmos** que saem sem o cache")
    assert f"pela rede: {p + 2} com a sua `entrada`, {3 * p + 3} sem cache. O cache guarda 256 bytes por token." in good
    assert "pela rede: 3 com a sua `entrada`" in forgetful


# Sections 3 to 7: sentences and tables


def test_a_gap_in_either_function_is_a_gap() -> None:
    def unfinished(*_: Any) -> Any:
        S = ...
        return S + 1

    for pair in ((unfinished, attention.padding), (attention.causal, unfinished)):
        assert "em branco" in str(student.efeito(*pair))


def rounded_to(digits: str, said: Any) -> bool:
    return f" {digits} × 10⁻⁷" in str(said).replace(formats.NBSP, " ")


def test_small_differences_by_their_digits() -> None:
    def off(Q: Any, K: Any, V: Any, h: int, g: int) -> Any:
        exact = multihead_code.multi_head(Q, K, V, h)
        exact[0, 0] += 1.26e-7
        exact[1, 1] -= 3.26e-7
        return exact

    assert rounded_to("3", student.como_multi_head(off))
    assert rounded_to("3", student.soma_das_linhas(np.array([[1e-7, 1e-7], [-2.2e-7, -1.1e-7], [3e-7, -3e-7]])))
    assert rounded_to("3,3", student.distancia(np.array([1.26e-7, 0.0]), np.array([0.0, 3.26e-7])))


def test_the_gradient_s_length_is_a_row_s() -> None:
    A, g = np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([[1.0, -1.0], [6.0, -2.0]])
    assert student.tamanho_do_gradiente(A, g) == pytest.approx([np.sqrt(0.5), np.sqrt(8)])  # half of ±1 and of ±4


def test_what_a_mask_changes_as_the_student_s_does() -> None:
    def none(n: int) -> Any:
        return np.zeros((n, n))

    headings, good = (
        student.efeito(attention.causal, attention.padding).columns,
        student.efeito(attention.causal, attention.padding),
    )
    assert [column.heading for column in headings] == ["medida", "sem a máscara", "com a sua máscara"]
    assert [row[1:] for row in texts(good)] == [["todas as cinco", "só a última"], ["0,67", "só o arredondamento"]]
    useless = student.efeito(none, lambda real: none(len(real)))
    assert [row[1:] for row in texts(useless)] == [["todas as cinco"] * 2, ["0,67"] * 2]


def test_what_moves_by_the_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    given = masks.records()
    moved = masks.padding_difference(masked=False)
    with_records(monkeypatch, "masks", replace(given, lab=replace(given.lab, moved_above=moved)))
    assert texts(student.efeito(attention.causal, attention.padding))[1][1] == "0,67"
    assert masks.padding_difference(masked=False) == moved and not prose.zero_row_still_counts.check().holds


def test_scores_of_what_is_turned_stand_beside_their_places() -> None:
    drawn = random_draws.drawn(rope.records().draw)
    rows = student.scores_girados(lambda x, at: x * (1 + at)).rows
    assert [row[:3] for row in rows] == [[m, n, m - n] for m, n in (*rope.records().positions, *((o, 0) for o in rope.records().offsets))]
    assert [row[3] for row in rows] == pytest.approx([float(drawn["q"] @ drawn["k"]) * (1 + m) * (1 + n) for m, n, *_ in rows], rel=1e-5)
    (first, *_, score), *_ = texts(student.scores_girados(lambda x, at: np.ones(8) / 4))
    assert (first, score) == (str(rope.records().positions[0][0]), "+0,500000")


def test_the_words_of_the_lab_s_own_numbers() -> None:
    assert str(prose.blind_weight()) == "0,19"  # (1/2 + 1/3 + … + 1/12) / 11
    assert (str(prose.query_heads()), str(prose.kv_heads()), str(prose.memory_heads())) == ("quatro", "duas", "oito")
    assert (str(prose.positions()), str(prose.fillings())) == ("6", "duas")


# The claims of the lab's sentences, one case at a time


def test_a_row_that_others_queries_change_is_told_with_its_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    check = prose.columns_are_independent.check
    monkeypatch.setattr(attention, "attention", lambda Q, K, V: np.tile([0.0, len(Q)], (len(Q), 1)))
    assert not check().holds and check().values == {"difference": 5.0}
    monkeypatch.setattr(attention, "attention", lambda Q, K, V: np.tile([1.0, 1 + len(Q) / 1e4], (len(Q), 1)))
    assert not check().holds
    monkeypatch.setattr(attention, "attention", lambda Q, K, V: np.tile([1.0, 1 + len(Q) / 1e7], (len(Q), 1)))
    assert check().holds


@pytest.mark.parametrize("odd", [1, 2, 8])
def test_one_number_of_heads_that_costs_more_is_enough(odd: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "grouped_count", lambda d, heads, groups: d + (heads == odd))
    assert not prose.no_parameter_counts_heads.check().holds


# How an answer is read


@pytest.mark.parametrize("shape", [(3,), (1, 3), (3, 1), (3, 3)])
def test_a_mask_may_be_a_row_or_a_column_and_hides_below_ten_thousand(shape: tuple[int, ...]) -> None:
    read = checks.as_mask(np.broadcast_to(np.array([0.0, -1e4, -10001.0]) if shape[-1] == 3 else -2e4, shape), 3)
    assert read.shape == (3, 3)
    assert np.isneginf(read).all(axis=0).tolist() == ([False, False, True] if shape[-1] == 3 else [True] * 3)


def test_a_mask_of_another_shape_is_left_as_it_is() -> None:
    assert checks.as_mask(np.zeros((2, 3)), 3).shape == (2, 3)


def test_ids_have_room_for_eight() -> None:
    steps = [([1], [])]
    assert checks.asked(lambda *_: list(range(8)), steps).tolist() == [list(range(8))]
    assert checks.asked(lambda *_: (5,), steps).tolist() == [[5, -1, -1, -1, -1, -1, -1, -1]]
    for wrong in (list(range(9)), {5: 1}, "5"):
        with pytest.raises(Unfit):
            checks.asked(lambda *_, wrong=wrong: wrong, steps)


def test_passes_of_the_lab_s_generation_by_hand() -> None:
    p, n = generation.sizes().prompt_tokens, inputs.records().cache.new_tokens
    assert prose.passes(True).value == p + n - 1 and prose.passes(False).value == n * p + n * (n - 1) // 2

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
from figures.lab import gaps as lab_gaps
from figures.lab.checks import caching
from figures.model import smollm2, weights


def texts(table: Any) -> list[list[str]]:
    rows: list[list[str]] = table.texts()
    return rows


def right_way_back(A: Any, Q: Any, K: Any, V: Any, dO: Any) -> Any:
    return (attention.softmax_backward(A, dO @ V.T),)


def test_the_saturated_rows_are_numbered_and_marked() -> None:
    table = student.saturacao(right_way_back)
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


def test_the_student_s_gradients_are_those_shown() -> None:
    halved = student.saturacao(lambda *args: (right_way_back(*args)[0] / 2,))
    assert [row[2] * 2 for row in halved.rows] == pytest.approx(backward.before().gradient.tolist())


def giving(difference: float) -> Any:
    """An attention whose output is off by so much in one place."""

    def atencao(Q: Any, K: Any, V: Any) -> Any:
        output = np.zeros((6, 4))
        output[1, 2] = difference
        return None, output

    return atencao


def test_differences_are_told_by_their_size_whatever_their_sign() -> None:
    said = [str(student.distancia(giving(by), np.zeros((6, 4)))) for by in (2.0, -2.0, 1.0)]
    assert said[0] == said[1] != said[2]
    sums = [str(student.soma_das_linhas(lambda *args, by=by: (right_way_back(*args)[0] + by * np.eye(5),))) for by in (1.0, -1.0, 2.0)]
    assert sums[0] == sums[1] != sums[2]


def test_a_difference_has_two_digits() -> None:
    said = str(student.distancia(giving(1.234e-7), np.zeros((6, 4))))
    assert "1,2" in said and "1,23" not in said


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
    A, g = np.array([[0.5, 0.5]]), np.array([[1.0, -1.0]])
    assert student.tamanho_do_gradiente(A, g) == pytest.approx([np.sqrt(0.5)])


def test_one_blank_among_what_is_given_is_enough() -> None:
    def added(a: Any, b: Any = 1) -> Any:
        return a + b

    passed, told = lab_gaps.passing_blanks(added), lab_gaps.gently(added)
    assert passed(1, 2) == 3 == passed(1, b=2) and passed(1, ...) is passed(..., 2) is passed(1, b=...) is ...
    blank = str(told(..., ...))
    assert told(1, 2) == 3 and str(told(1, ...)) == blank == str(told(..., 1)) != str(told(1, "a"))


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
    assert rounded_to("3", student.soma_das_linhas(lambda *args: (right_way_back(*args)[0] + 3e-7 * np.eye(5),)))
    assert rounded_to("3,3", student.distancia(giving(3.26e-7), np.zeros((6, 4))))


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
    rows = student.scores_girados(lambda x, at, base: x * (1 + at)).rows
    assert [row[:3] for row in rows] == [[m, n, m - n] for m, n in (*rope.records().positions, *((o, 0) for o in rope.records().offsets))]
    assert [row[3] for row in rows] == pytest.approx([float(drawn["q"] @ drawn["k"]) * (1 + m) * (1 + n) for m, n, *_ in rows], rel=1e-5)
    (first, *_, score), *_ = texts(student.scores_girados(lambda x, at, base: np.ones(8) / 4))
    assert (first, score) == (str(rope.records().positions[0][0]), "+0,500000")


def test_the_words_of_the_lab_s_own_numbers() -> None:
    assert str(prose.blind_weight()) == "0,19"  # (1/2 + 1/3 + … + 1/12) / 11
    assert (str(prose.query_heads()), str(prose.kv_heads()), str(prose.memory_heads())) == ("seis", "três", "12")
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
def test_a_mask_may_be_a_row_or_a_column_and_hides_by_a_large_number(shape: tuple[int, ...]) -> None:
    like = np.zeros((3, 3))
    read = checks.as_mask(np.broadcast_to(np.array([0.0, -100.0, -1e4]) if shape[-1] == 3 else -2e4, shape), like)
    assert read.shape == (3, 3)
    assert np.isneginf(read).all(axis=0).tolist() == ([False, False, True] if shape[-1] == 3 else [True] * 3)


def test_a_mask_of_another_shape_is_left_as_it_is() -> None:
    assert checks.as_mask(np.zeros((2, 3)), np.zeros((3, 3))).shape == (2, 3)


def test_ids_are_whole_and_not_too_many() -> None:
    like = caching.padded([])
    assert caching.as_row(np.array([5.0]), like).tolist() == [5] + [-1] * 15
    for wrong in (np.arange(17.0), np.array([0.5]), np.array(5.0), np.zeros((1, 2))):
        with pytest.raises(Unfit):
            caching.as_row(wrong, like)


def test_passes_of_the_lab_s_generation_by_hand() -> None:
    p, n = generation.sizes().prompt_tokens, inputs.records().cache.new_tokens
    assert prose.passes(True).value == p + n - 1 and prose.passes(False).value == n * p + n * (n - 1) // 2

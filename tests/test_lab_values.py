"""What the lab's helpers give, by hand: tables, sentences, and the little head that learns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures import attention, backward, data, lab_checks, lab_inputs, lab_teach, laboratorio, multihead_code
from figures.show import Cell


def texts(table: Any) -> list[list[str]]:
    rows: list[list[str]] = table.texts()
    return rows


def test_the_saturated_rows_are_numbered_and_marked() -> None:
    table = laboratorio.saturacao()
    before, after, saturated = backward.before(), backward.after(), backward.saturated()
    assert [row[0] for row in table.rows] == [1, 2, 3, 4, 5]
    assert [row[1] for row in table.rows] == before.largest.tolist() and [row[3] for row in table.rows] == after.largest.tolist()
    assert [row[2] for row in table.rows] == before.gradient.tolist()
    cells = [row[4] for row in table.rows]
    assert all(isinstance(cell, Cell) for cell in cells) and [cell.value for cell in cells] == after.gradient.tolist()
    assert [cell.role == "best" for cell in cells] == saturated.tolist()
    decimals = [[len(text.partition(",")[2]) for text in row[1:4]] for row in texts(table)]
    assert decimals == [[2, 2, 2]] * 5 and "×" in texts(table)[0][4]


def test_differences_are_told_by_their_size_whatever_their_sign() -> None:
    said = [str(laboratorio.distancia(np.array(a), np.array(b))) for a, b in (([0.0], [2.0]), ([2.0], [0.0]), ([0.0, 0.0], [1.0, -2.0]))]
    assert said[0] == said[1] == said[2] != str(laboratorio.distancia(np.array([0.0]), np.array([1.0])))
    sums = [str(laboratorio.soma_das_linhas(np.array(dS))) for dS in ([[1.0, 1.0]], [[-1.0, -1.0]], [[1.0, 1.0], [-0.5, 0.5]])]
    assert sums[0] == sums[1] == sums[2] != str(laboratorio.soma_das_linhas(np.array([[1.0, -1.0]])))


def test_a_difference_has_two_digits_and_a_small_one_is_rounding() -> None:
    assert "1,2" in str(laboratorio.distancia(np.array([0.0]), np.array([1.234e-7]))) and "1,23" not in str(
        laboratorio.distancia(np.array([0.0]), np.array([1.234e-7]))
    )


def test_multi_head_is_missed_by_as_much_on_either_side() -> None:
    def off(by: float) -> Any:
        return lambda Q, K, V, h, g: multihead_code.multi_head(Q, K, V, h) + by

    assert str(laboratorio.como_multi_head(off(1.0))) == str(laboratorio.como_multi_head(off(-1.0)))
    assert str(laboratorio.como_multi_head(off(0.0))) != str(laboratorio.como_multi_head(off(1.0)))


def test_an_attention_is_lent_unless_the_student_s_serves() -> None:
    lent = laboratorio.emprestada
    assert laboratorio.empresta(multihead_code.atencao) is multihead_code.atencao
    for wrong in (
        lambda Q, K, V, mask: (attention.weights(Q, K, mask) + 1e-3, attention.attention(Q, K, V, mask)),
        lambda Q, K, V, mask: (attention.weights(Q, K, mask), attention.attention(Q, K, V, mask) + 1e-3),
        lambda Q, K, V, mask: (attention.weights(Q, K), attention.attention(Q, K, V)),
        lambda Q, K, V: None,
    ):
        assert laboratorio.empresta(wrong) is lent
    A, output = lent(np.eye(2), np.eye(2), np.eye(2), attention.causal(2))
    assert A[0].tolist() == [1.0, 0.0] and np.allclose(output, A)


def test_the_helpers_by_hand() -> None:
    assert laboratorio.mediana(np.array([4.0, 1.0, 3.0, 2.0])) == 2.0
    assert laboratorio.softmax(np.zeros((1, 2))).tolist() == [[0.5, 0.5]]
    assert laboratorio.pesos(np.eye(2), np.eye(2), attention.causal(2))[0].tolist() == [1.0, 0.0]
    A, g = np.array([[0.5, 0.5]]), np.array([[1.0, -1.0]])
    assert laboratorio.tamanho_do_gradiente(A, g) == pytest.approx([np.sqrt(0.5)])


def test_a_head_s_tables_are_drawn_to_scale() -> None:
    size = lab_inputs.inputs().teach
    p = lab_teach.parameters(size)
    d = size.width
    assert {name: tuple(tensor.shape) for name, tensor in p.items()} == {
        "E": (size.vocabulary, d), "P": (size.tokens, d), "W_Q": (d, d), "W_K": (d, d), "W_V": (d, d), "W_O": (d, size.vocabulary),
        "mascara": (size.tokens, size.tokens),
    }  # fmt: skip
    for name in ("W_Q", "W_K", "W_V", "E"):
        assert float(p[name].detach().std()) == pytest.approx(d**-0.5, rel=0.1) and p[name].requires_grad
    mask = p["mascara"].numpy()
    assert np.array_equal(mask == 0, np.tri(size.tokens, dtype=bool)) and np.isneginf(mask[0, 1])


def test_the_little_head_is_attention() -> None:
    import torch

    p = lab_teach.parameters(lab_inputs.inputs().teach)
    ids = torch.arange(lab_inputs.inputs().teach.tokens)[None] % 5
    with torch.inference_mode():
        answers, A = lab_teach.aprendiz(p, ids)
        x = (p["E"][ids] + p["P"]).numpy()
        Q, K, V = (x @ p[name].numpy() for name in ("W_Q", "W_K", "W_V"))
    expected = attention.weights(Q, K, attention.causal(Q.shape[1]))
    assert np.allclose(A, expected, atol=1e-6) and np.allclose(answers, expected @ V @ p["W_O"].detach().numpy(), atol=1e-5)


def test_what_is_below_zero_is_not_asked() -> None:
    import torch

    ids = torch.zeros((1, 3), dtype=torch.long)
    assert lab_teach.as_ids([[-7, -1, 3]], ids).tolist() == [[-1, -1, 3]]


def looking(n: int, at: Any) -> np.ndarray:
    """Weights (n, n) whose row t looks at `at(t)`."""
    A = np.zeros((n, n))
    for t in range(n):
        A[t, at(t)] = 1.0
    return A


def mixed(share: float, n: int = 6) -> np.ndarray:
    """So much of each row on the token before, the rest on the first two rows' own places."""
    before, own = looking(n, lambda t: max(t - 1, 0)), looking(n, lambda t: t)
    return share * before + (1 - share) * own


def test_a_head_is_judged_on_both_sides_of_each_limit() -> None:
    teach = lab_inputs.inputs().teach
    assert lab_teach.judged(mixed(teach.learnt_from + 1e-6)) == "right" and lab_teach.judged(mixed(teach.learnt_from - 1e-3)) == "near"
    assert lab_teach.judged(mixed(teach.near_from + 1e-6)) == "near" and lab_teach.judged(mixed(0.3)) == "itself"
    assert lab_teach.judged(looking(6, lambda t: 0)) == "first" and lab_teach.judged(looking(6, lambda t: max(t - 2, 0))) == "nowhere"
    ahead = looking(4, lambda t: min(t + 1, 3))
    assert lab_teach.judged(ahead) == "sees_ahead" and lab_teach.judged(mixed(1.0) * 0.9) == "not_weights"
    columns = np.tril(np.ones((3, 3)))
    assert lab_teach.judged(columns / columns.sum(axis=0)) == "columns"


def test_the_mean_weight_on_the_token_before() -> None:
    assert lab_teach.previous_weight(mixed(0.7)) == pytest.approx(0.7)


def test_the_head_is_fed_ids_of_the_seed_after_its_tables_and_leaves_out_what_is_not_asked() -> None:
    import torch

    size = data.changed(lab_inputs.inputs().teach, steps=2, batch=3)
    fed: list[torch.Tensor] = []

    def before(ids: torch.Tensor) -> torch.Tensor:
        fed.append(ids)
        return torch.cat([torch.full_like(ids[:, :1], -1), ids[:, :-1]], dim=1)

    A = lab_teach.train(before, size=size)
    random = torch.Generator().manual_seed(size.seed + 1)
    expected = [torch.randint(size.vocabulary, (3, size.tokens), generator=random) for _ in range(2)]
    assert len(fed) == 2 and all(torch.equal(*pair) for pair in zip(fed, expected))
    assert A.shape == (size.tokens, size.tokens) and np.allclose(A.sum(axis=1), 1)


def test_mistakes_in_reading_the_weight_before_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    A = np.array([[0.5, 0.2, 0.3], [0.6, 0.1, 0.3], [0.0, 0.8, 0.2]])
    monkeypatch.setattr(lab_inputs, "masked_weights", lambda: A)
    part = lab_checks.teach()[0]
    assert float(part.right) == pytest.approx(0.7) and part.equal == 1e-6
    assert {name: float(value) for name, value in part.mistakes.items()} == pytest.approx({
        "on_itself": 0.8 / 3, "on_next": 0.25, "on_first": 0.3, "summed": 1.4, "over_n": 1.4 / 3, "largest": 1.9 / 3,
    })  # fmt: skip


def test_mistakes_in_the_dictionary_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    query, keys, values = (
        np.array([1.0, 0.0]),
        np.array([[1.0, 2.0], [3.0, 0.0], [2.0, 1.0]]),
        np.array([[1.0, 2.0], [3.0, 5.0], [8.0, 9.0]]),
    )
    monkeypatch.setattr(lab_inputs, "dictionary", lambda: (query, keys, values))
    part, scores = lab_checks.dictionary()[0], np.array([1.0, 3.0, 2.0])

    def mixed_by(weights: np.ndarray) -> np.ndarray:
        return weights / weights.sum() @ values

    e = np.exp(scores / np.sqrt(2))
    assert np.allclose(part.right, mixed_by(e)) and part.equal == 2e-3
    expected = {
        "forgot_root": mixed_by(np.exp(scores)), "divided_by_d_k": mixed_by(np.exp(scores / 2)), "unnormalised": e @ values,
        "no_exponential": mixed_by(scores), "even": [4, 16 / 3], "hard": [3, 5], "mixed_keys": e / e.sum() @ keys,
        "weights": e / e.sum(), "scores": scores / np.sqrt(2),
    }  # fmt: skip
    assert part.mistakes.keys() == expected.keys()
    for name, value in expected.items():
        assert np.allclose(part.mistakes[name], value), name


def test_what_a_student_s_function_gives_must_be_ids_at_every_step() -> None:
    steps = [([1], []), ([1], [2])]
    for wrong in (7, list(range(1000))):
        with pytest.raises(lab_checks.Unfit):
            lab_checks.asked(lambda prompt, written, wrong=wrong: wrong if written else [1], steps)
    assert lab_checks.asked(lambda prompt, written: ... if written else [1], steps) is ...
    assert len(lab_checks.asked(lambda prompt, written: prompt + written, steps)) == 2


def test_one_blank_among_what_is_given_is_enough() -> None:
    def added(a: Any, b: Any = 1) -> Any:
        return a + b

    passed, told = laboratorio.passing_blanks(added), laboratorio.gently(added)
    assert passed(1, 2) == 3 == passed(1, b=2) and passed(1, ...) is passed(..., 2) is passed(1, b=...) is ...
    blank = str(told(..., ...))
    assert told(1, 2) == 3 and str(told(1, ...)) == blank == str(told(..., 1))
    assert str(told(lambda: ..., 1)) == blank != str(told(lambda: 0, 1))
    assert str(laboratorio.gently(lambda a: ...)(1)) == blank

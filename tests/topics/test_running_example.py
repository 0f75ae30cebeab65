"""The running example: LayerNorm, one head from end to end, and what its last row says."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from loaded import with_records
from published import published, same_text

from figures import (
    embedding,
    running_example,
    scaling,
)
from figures.kit.formats import fixed

rows_of_four = arrays(float, (5, 4), elements=st.floats(-4, 4).map(lambda x: round(x, 2)))
HEAD = running_example.model.Head(query=(4, 2), key=(2, 4), value=(1, 2))


def row(texts):
    return "[" + "; ".join(texts) + "]"


# What the chapter publishes


def test_place():
    assert same_text(running_example.shape_of("X"), published("chapter", "place", "X"))


def test_layer_norm_by_hand():
    assert same_text(running_example.norm.squares_last(), row(published("chapter", "layer_norm", "squares")))
    assert same_text(running_example.width(), published("chapter", "layer_norm", "over"))
    assert same_text(running_example.norm.variance_last(), published("chapter", "layer_norm", "variance"))
    divided = f"{running_example.norm.X_last()} / {running_example.norm.sigma_last()}"
    assert same_text(divided, published("chapter", "layer_norm", "divides"))
    assert same_text(running_example.norm.sigma_last(), published("chapter", "layer_norm", "sigma_last"))
    assert same_text(running_example.norm.normalised_last(), published("chapter", "layer_norm", "last"))
    assert same_text(running_example.u_last(), row(published("chapter", "layer_norm", "u_last")))
    told = re.sub(r"\\text\{(.*?)\}", r"\1", running_example.sigma_by_hand().text)
    assert told == r"$\sigma = \sqrt{(0,25 + 0,25 + 0,25 + 2,25)/4} = \sqrt{0,75} = 0,866$ e $1,5 / 0,866 = 1,732$"


def test_squares_are_taken_about_the_mean(monkeypatch):
    monkeypatch.setattr(embedding, "X", lambda: np.array([[0.0, 0.0], [1.0, 5.0]]))
    assert running_example.norm.squares_last().value == [4, 4] and running_example.norm.variance_last().value == 4


def test_running():
    assert same_text(running_example.q_last(), row(published("chapter", "running", "q_last")))
    assert same_text(running_example.d_k(), published("chapter", "running", "d_k"))
    assert same_text(running_example.on_the_verb(), published("chapter", "running", "on_the_verb"))
    assert same_text(running_example.first_row_peak(), published("chapter", "running", "first_row_on_sub"))
    assert "␣sub" in str(running_example.first_row_peak_token())
    assert same_text(running_example.weights_last(), row(published("chapter", "running", "weights_last")))
    assert same_text(running_example.weights_last_undivided(), row(published("chapter", "running", "weights_last_unscaled")))
    assert str(running_example.output_last()).replace("\u00a0", " ") == "[−0,739; 1,411]"


def test_shapes():
    assert running_example.tokens_count().value == published("chapter", "shapes", "n")
    assert running_example.width().value == published("chapter", "shapes", "d")
    assert running_example.d_k().value == published("chapter", "shapes", "d_k")
    assert same_text(running_example.shape_of("S"), published("chapter", "shapes", "S"))
    assert same_text(running_example.shape_of("O"), published("chapter", "shapes", "O"))
    assert published("chapter", "shapes", "gpt2") == {
        "d": running_example.gpt2_width().value,
        "d_k": running_example.gpt2_d_k().value,
    }


def test_scaling_as_the_chapter_tells_it():
    assert same_text(scaling.d_k(), published("chapter", "scaling", "d_k"))
    assert same_text(scaling.deviation(), published("chapter", "scaling", "deviation"))
    assert same_text(scaling.gap(), published("chapter", "scaling", "differences"))
    assert [str(scaling.rest()).replace("\u00a0", " "), str(scaling.rest_order())] == published("chapter", "scaling", "rest")


def test_u_as_the_source_prints_it():
    expected = [
        [-0.816, -0.816, 0, 1.633],
        [1.732, -0.577, -0.577, -0.577],
        [-0.535, 1.604, 0, -1.069],
        [-1.414, 1.414, 0, 0],
        [-0.577, -0.577, -0.577, 1.732],
    ]
    assert running_example.run().u == pytest.approx(np.array(expected), abs=5e-4)


# Against something independent, by law


@given(rows_of_four)
def test_layer_norm_against_torch(X):
    torch = pytest.importorskip("torch")
    assume((X.std(axis=-1) > 0.05).all())
    theirs = torch.nn.functional.layer_norm(torch.from_numpy(X), (4,), eps=0.0).numpy()
    assert running_example.model.layer_norm(X) == pytest.approx(theirs, rel=1e-9, abs=1e-9)


@given(rows_of_four)
def test_every_row_of_u_has_mean_zero_and_deviation_one(X):
    assume((X.std(axis=-1) > 0.05).all())
    u = running_example.model.layer_norm(X)
    assert u.mean(axis=-1) == pytest.approx(np.zeros(5), abs=1e-9)
    assert u.std(axis=-1) == pytest.approx(np.ones(5))
    assert running_example.model.layer_norm(3 * X + 1) == pytest.approx(u, abs=1e-9)


@pytest.mark.parametrize("causal", [False, True])
def test_chain_against_torch(causal):
    torch = pytest.importorskip("torch")
    found = running_example.run(causal=causal)
    Q, K, V = (torch.from_numpy(found.u[:, columns].copy()) for columns in ([3, 1], [1, 3], [0, 1]))
    theirs = torch.nn.functional.scaled_dot_product_attention(Q, K, V, is_causal=causal).numpy()
    assert found.output == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@given(rows_of_four)
def test_a_chain_divides_and_hides_nothing_unless_asked(X):
    torch = pytest.importorskip("torch")
    assume((X.std(axis=-1) > 0.05).all())
    u = torch.from_numpy(running_example.model.layer_norm(X))
    theirs = torch.nn.functional.scaled_dot_product_attention(u[:, [3, 1]], u[:, [1, 3]], u[:, [0, 1]]).numpy()
    assert running_example.chain(X, HEAD).output == pytest.approx(theirs, rel=1e-9, abs=1e-9)


def test_the_last_row_survives_the_mask():
    assert running_example.run(causal=True).weights[-1] == pytest.approx(running_example.run().weights[-1])
    assert running_example.share_ahead(running_example.run(causal=True).weights, 0) == 0


def test_picking_takes_columns():
    assert running_example.model.picking([4, 2], 4).tolist() == [[0, 0], [0, 1], [0, 0], [1, 0]]
    assert running_example.chain(np.eye(4), HEAD).Q.shape == (4, 2)


# Words that numbers choose


def test_means_that_are_not_zero_are_said_to_be():
    assert "já é 0" in str(running_example.centred())
    assert "diferente" in running_example.norm.means_in_words(np.array([[1.0, 3.0]]))
    assert "diferente" in running_example.norm.means_in_words(np.array([[1.0, -1.0], [1.0, -0.999]]))


def test_peaks_choose_the_word():
    assert str(running_example.undivided_verdict()) == "mais concentrados"
    assert running_example.weights.peaks_in_words([0.9, 0.1], [0.6, 0.4]) == "mais espalhados"
    assert running_example.weights.peaks_in_words([0.9, 0.1], [0.9, 0.1]) == "os mesmos"


def test_rows_that_look_ahead(monkeypatch):
    assert str(running_example.rows_that_look_ahead()) == "1 a 4"
    masked = running_example.run(causal=True)
    for weights, told in (([[0, 1], [0, 1]], "1"), (np.full((3, 3), 1 / 3), "1 a 2"), (np.eye(4)[:, [1, 0, 3, 2]], "1 e 3")):
        monkeypatch.setattr(running_example.model, "run", lambda weights=weights: masked._replace(weights=np.array(weights)))
        assert str(running_example.rows_that_look_ahead()) == told


def test_heads_of_other_widths(monkeypatch):
    narrow = running_example.model.Head(query=(3,), key=(1,), value=(3, 4))
    other = running_example.model.Running(source="", heads=(HEAD, narrow, HEAD), verb=(" no",))
    with_records(monkeypatch, "running_example", other)
    assert str(running_example.d_k()) == "2"
    assert [str(running_example.columns_of(n)) for n in (1, 2, 3)] == ["1–2", "3", "4–5"]
    assert same_text(running_example.shape_of("Q"), "5 × 5") and same_text(running_example.shape_of("V"), "5 × 6")


def test_another_verb_gets_another_share(monkeypatch):
    given_records = running_example.records()
    other = running_example.model.Running(source="", heads=given_records.heads, verb=(" no",))
    with_records(monkeypatch, "running_example", other)
    assert str(running_example.on_the_verb()) == "1%" and "␣no" in str(running_example.verb_pieces())


# Tables and picture


def test_tables_hold_the_same_numbers():
    steps = [[cell.replace("\u00a0", " ") for cell in line] for line in running_example.last_row().texts()]
    assert [line[4] for line in steps] == ["0,011", "0,035", "0,622", "0,319", "0,014", "1"]
    assert steps[-1][5] == "[−0,739; 1,411]"
    keys = [[cell.replace("\u00a0", " ") for cell in line] for line in running_example.keys_and_values().texts()]
    assert keys[3][1:] == ["[1,414; 0]", "[−1,414; 1,414]"]
    u = [[cell.replace("\u00a0", " ") for cell in line] for line in running_example.normalised().texts()]
    assert u[0][1:] == ["[−0,5; −0,5; 0; 1]", "0,612", "[−0,816; −0,816; 0; 1,633]"]
    assert running_example.projections().texts()[0][1].replace("\u00a0", " ") == r"$\text{[𝑢₄; 𝑢₂]}$"
    assert str(running_example.columns_of(2)) == "3–4" and str(running_example.picked("K")).replace("\u00a0", " ") == "[𝑢₂; 𝑢₄]"


def test_the_steps_of_the_last_row_lead_to_its_output():
    *rows, total = running_example.last_row().rows
    for row in rows:
        assert row[3] == pytest.approx(math.exp(row[2]))
        assert row[4].value == pytest.approx(row[3] / total[3])
    assert np.sum([row[5] for row in rows], axis=0) == pytest.approx(total[5])
    assert [row[0] for row in rows if row[4].role == "best"] == ["␣sub"]


def test_the_picture_shows_every_weight():
    picture = running_example.opening_state()
    shown = [text.get_text() for axes in picture.figure.axes for text in axes.texts]
    for weight in running_example.run().weights.ravel():
        assert fixed(2)(weight) in shown
    assert "0,622" in picture.alt


def test_peaks_differ_by_more_than_rounding() -> None:
    told = running_example.weights.peaks_in_words
    assert told([0.0], [1e-12]) == told([1e-12], [0.0]) == told([0.5], [0.5])
    assert told([0.0], [2e-12]) == told([0.4, 0.2], [0.5, 0.1]) == "mais concentrados"
    assert told([2e-12], [0.0]) == told([0.5, 0.1], [0.4, 0.2]) == "mais espalhados"


def test_the_ends_of_the_running_example() -> None:
    ends = (running_example.first_token(), running_example.last_token())
    assert [str(token) for token in ends] == ["o", "␣no"]


def test_the_last_row_s_steps_are_the_last_token_s() -> None:
    found, table = running_example.run(), running_example.last_row()
    last = found.Q[-1] @ found.K.T
    for i, row in enumerate(table.rows[: len(last)]):
        values = [value.value if hasattr(value, "value") else value for value in row[1:]]
        assert values[0] == pytest.approx(last[i]) and values[1] == pytest.approx(last[i] / math.sqrt(found.Q.shape[-1]))

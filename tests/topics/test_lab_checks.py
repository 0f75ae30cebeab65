"""The checkpoints: right, near, every known mistake, blanks and bad input, each by its own sentence and never an exception."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures import (
    attention,
    backward,
    cost,
    cost_experiment,
    hand_example,
    lab,
    masks,
    multihead,
    multihead_code,
    position,
    random_draws,
    real_model,
    rope,
    scaling_experiment,
    shapes_experiment,
)
from figures.kit import checkpoints
from figures.kit.checkpoints import Part, judge, within
from figures.kit.words import Words
from figures.lab import checks, generation, inputs, student
from figures.lab.student import confere
from figures.model import smollm2

WORDS = Words("checkpoints")

PARTS = [(n, at, part) for n, section in enumerate(lab.records().sections, 1) for at, part in enumerate(checks.PARTS[section.id]())]
PLACES = [pytest.param(n, at, id=f"{n}-{part.name}") for n, at, part in PARTS]
VALUES = [pytest.param(n, at, id=f"{n}-{part.name}") for n, at, part in PARTS if part.judged is None]
MISTAKES = [pytest.param(n, at, key, id=f"{n}-{part.name}-{key}") for n, at, part in PARTS for key in part.mistakes]


def part_of(n: int, at: int) -> Part:
    """A section's part, made anew."""
    found = checks.parts_of(n)
    assert found is not None
    return found[1][at]


def compared(part: Part, value: Any) -> checkpoints.Finding:
    """The finding for a value, as if it came out of the student's function."""
    return judge(replace(part, call=None), value)


# Right, near, mistaken


def test_there_is_a_checkpoint_for_each_section():
    assert list(checks.PARTS) == [section.id for section in lab.records().sections]


@pytest.mark.parametrize(("n", "at"), VALUES)
def test_the_right_value_is_right(n: int, at: int):
    part = part_of(n, at)
    assert compared(part, part.right).status == "right"


@pytest.mark.parametrize(("n", "at"), VALUES)
def test_a_value_near_it_is_near(n: int, at: int):
    part = part_of(n, at)
    finite = np.isfinite(np.asarray(part.right, float))
    off = np.abs(np.asarray(part.right, float)[finite]).max(initial=0) or 1.0
    near = np.where(finite, np.asarray(part.right, float) + 0.03 * off, part.right)
    assert compared(part, near).status == "near"


@pytest.mark.parametrize(("n", "at", "key"), MISTAKES)
def test_a_known_mistake_is_known(n: int, at: int, key: str):
    part = part_of(n, at)
    found = compared(part, np.asarray(part.mistakes[key]))
    assert found.status == "mistake"
    assert found.text == WORDS(f"mistakes.{key}")


@pytest.mark.parametrize(("n", "at"), PLACES)
def test_mistakes_are_told_apart(n: int, at: int):
    part = part_of(n, at)
    values = {"right": part.right, **part.mistakes}
    arrays = {name: np.asarray(value, float) for name, value in values.items()}
    clashes = [(a, b) for a, b in itertools.combinations(arrays, 2) if within(arrays[a], arrays[b], part.equal)]
    assert clashes == []


def test_every_sentence_about_a_mistake_is_used():
    told = set(WORDS.named("mistakes"))
    judged = {"near", "itself", "first", "nowhere", "columns", "not_weights", "sees_ahead"}
    assert told == {key for *_, part in PARTS for key in part.mistakes} | judged


def test_no_sentence_gives_the_answer_away():
    """No number stands in what a checkpoint says of an answer, and the right value is nowhere in a verdict."""
    for n, _, part in PARTS:
        for key in part.mistakes:
            assert not re.search(r"\d", WORDS(f"mistakes.{key}")), key
        if np.asarray(part.right).size == 1:
            shown = f"{float(part.right):g}"
            assert shown not in repr(confere(n, np.asarray(part.right) * 7))


# The right values are the deck's, by its own functions and by other ways


def test_section_1_is_the_hand_example_s_sum():
    q, K, V = student.dados(1)
    exponentials = [math.exp(sum(a * b for a, b in zip(q, k)) / math.sqrt(2)) for k in K]
    by_hand = [sum(e * v[i] for e, v in zip(exponentials, V)) / sum(exponentials) for i in (0, 1)]
    assert checks.dictionary()[0].right == pytest.approx(by_hand)
    assert hand_example.verdict_of(by_hand) == "dinheiro"


def test_section_2_is_pytorch_s():
    import torch

    Q, K, V = student.dados(2)
    theirs = torch.nn.functional.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V))).numpy()
    assert checks.all_queries()[1].right == pytest.approx(theirs, abs=1e-6)
    assert shapes_experiment.head(Q, K, V) == pytest.approx(theirs, abs=1e-6)


def test_section_3_is_a_row_of_the_slide_s_experiment():
    measured = scaling_experiment.measured(inputs.records().scaling_d_k)
    assert checks.scaling()[0].right.tolist() == [
        [measured.divided.largest, measured.divided.gradient],
        [measured.undivided.largest, measured.undivided.gradient],
    ]
    q, k, g = student.dados(3)
    assert (q.shape[0], k.shape[1]) == (scaling_experiment.records().experiment.rows, scaling_experiment.records().experiment.keys)


def test_section_4_is_autograd_s():
    import torch

    Q, K, V, dO = map(torch.from_numpy, student.dados(4))
    S = (Q.requires_grad_() @ K.requires_grad_().T / K.shape[-1] ** 0.5).requires_grad_()
    S.retain_grad()
    (S.softmax(dim=-1) @ V).backward(dO)
    for part, theirs in zip(checks.way_back(), (S.grad, Q.grad, K.grad)):
        assert part.right == pytest.approx(theirs.numpy(), abs=1e-12)


def test_section_4_is_the_slide_s_rows():
    lengths = np.linalg.norm(checks.way_back()[0].right, axis=-1)
    assert lengths == pytest.approx(backward.before().gradient)


def test_section_5_measures_what_the_slides_say():
    shown = student.efeito(attention.causal, attention.padding).texts()
    assert shown[0][1:] == [str(masks.change_without_mask()), str(masks.change_with_mask())]
    assert shown[1][1] == str(masks.padding_without_mask())


def test_section_6_is_the_slide_s():
    scores = [row[3] for row in student.scores_girados(lambda x, at: rope.rotate(x, at, rope.records().base)).texts()]
    assert scores[:3] == [str(rope.same_score())] * 3
    X, shuffled, _ = student.dados(6)
    assert checks.order()[0].right == pytest.approx(student.cabeca(X)[shuffled], abs=1e-6)
    drawn = random_draws.drawn(position.records().lab.draw)
    assert pytest.approx(drawn["X"]) == X


def test_section_6_turns_as_complex_numbers_do():
    q, at, base = inputs.order()[2], inputs.records().rotated_to, rope.records().base
    turned = (q[0::2] + 1j * q[1::2]) * np.exp(1j * at * np.array([base ** (-2 * i / 8) for i in range(4)]))
    assert checks.order()[1].right == pytest.approx(np.stack([turned.real, turned.imag], axis=-1).ravel())


def test_section_7_with_a_group_a_head_is_the_slide_s():
    Q, K, V = inputs.way_back()[:3]
    assert checks.grouped(Q, K, V, 2, 2) == pytest.approx(multihead_code.multi_head(Q, K, V, 2))
    given = multihead.model.records().parameters
    assert checks.grouped_count(given.d, 8, 8) == multihead.parameters().value


def test_section_7_is_pytorch_s():
    import torch

    Q, K, V = (torch.from_numpy(M) for M in student.dados(7))
    q, k, v = (M.reshape(len(M), -1, 2).transpose(0, 1)[None] for M in (Q, K, V))
    theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)[0].transpose(0, 1).reshape(len(Q), -1)
    assert checks.heads()[0].right == pytest.approx(theirs.numpy())


def test_section_7_counts_a_layer_s_own_numbers():
    import torch

    d, h, h_kv = (getattr(inputs.records().grouped.layer, name) for name in ("d", "heads", "kv_heads"))
    widths = [d, h_kv * d // h, h_kv * d // h, d]
    layer = torch.nn.ModuleList(torch.nn.Linear(d, width) for width in widths)
    assert checks.heads()[1].right == sum(p.numel() for p in layer.parameters())


def test_section_8_is_the_slide_s_sum():
    known = cost_experiment.layer()
    assert checks.score_bytes(known.heads, known.n, known.bytes_per_number) == cost.score_bytes(known)


@given(st.integers(1, 2**40), st.integers(1, 64), st.sampled_from([1, 2, 4, 8]))
def test_section_8_s_longest_fits_and_the_next_does_not(memory: int, heads: int, b: int):
    n = checks.longest(memory, heads, b)
    assert checks.score_bytes(heads, n, b) <= memory < checks.score_bytes(heads, n + 1, b)


def test_section_9_is_the_slide_s_prediction():
    assert checks.cache()[0].right == real_model.predicted(real_model.recorded()) == real_model.recorded().bytes_per_token


def test_section_9_counts_passes():
    assert (generation.passes_without(3, 2), generation.passes_with(3, 2)) == (7, 4)


def test_section_10_reads_weights_as_slide_32_does():
    import torch

    A = inputs.masked_weights()
    assert checks.teach()[0].right == pytest.approx(np.mean([A[t, t - 1] for t in range(1, len(A))]))
    assert checks.teach()[0].right == smollm2.strongest_previous(torch.from_numpy(A.astype(float))[None, None])[2]

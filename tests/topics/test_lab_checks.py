"""What each checkpoint holds for right is the deck's, by its own functions and by other ways; its probes tell sizes apart."""

from __future__ import annotations

import itertools
import math
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
from figures.kit.checkpoints import Part, Probe
from figures.lab import checks, generation, inputs, student
from figures.model import smollm2

FUNCTIONS = {
    part.name: (n, at)
    for n in range(1, 11)
    for at, part in enumerate(checks.parts_of(n)[1])  # type: ignore[index]
    if isinstance(part, Part)
}


def part(name: str, seed: int | None = None) -> Part:
    """A function's part, made anew."""
    n, at = FUNCTIONS[name]
    return checks.parts_of(n, seed)[1][at]  # type: ignore[index,return-value]


def right(name: str, *args: Any, output: int = 0) -> Any:
    """What a checkpoint holds for right."""
    found = part(name).outputs[output]
    before = (None,) if found.after else ()
    return found.right(*before, *args)


def test_there_is_a_checkpoint_for_each_section():
    assert list(checks.PARTS) == [section.id for section in lab.records().sections]


# Probes


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_tried_on_several_points(name: str, seed: int | None):
    assert len(part(name, seed).probes) >= 2


@pytest.mark.parametrize("name", FUNCTIONS)
def test_two_probes_at_least_have_no_two_sizes_alike(name: str):
    """Of what is given beside the section's own data: no length of an axis and no number twice, but where arrays share an axis."""
    for probe in part(name, seed=11).probes:
        lengths = {length for value in probe.args if isinstance(value, np.ndarray) for length in value.shape}
        numbers = [value for value in probe.args if isinstance(value, int) and not isinstance(value, bool)]
        assert len(numbers) == len(set(numbers))
        shapes = [value.shape for value in probe.args if isinstance(value, np.ndarray)]
        axes = {length for shape in shapes for length in shape}
        assert len(axes) == len(lengths)
        if name in ("consulta", "volta", "mede"):
            assert len(axes) >= 3


def measures(probe: Probe) -> list[int]:
    """The sizes of a probe's arguments in order, and how often each of its numbers goes into another."""
    numbers = [value for value in probe.args if isinstance(value, int) and not isinstance(value, bool)]
    lengths = [length for value in probe.args if isinstance(value, np.ndarray) for length in value.shape[-2:]]
    return [*lengths, *numbers, *(a // b for a, b in itertools.permutations(numbers, 2))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_size_is_the_same_at_every_probe(name: str):
    """So that no number of the section's data can stand in a function's code."""
    columns = list(zip(*(measures(probe) for probe in part(name).probes)))
    assert all(len(set(column)) > 1 or set(column) == {0} for column in columns), columns


@pytest.mark.parametrize("name", FUNCTIONS)
def test_hidden_probes_are_others(name: str):
    def shown(probe: Probe) -> str:
        return repr([value.tolist() if isinstance(value, np.ndarray) else value for value in probe.args])

    opened, hidden = ({shown(probe) for probe in part(name, seed).probes} for seed in (None, 99))
    assert hidden - opened
    assert {shown(probe) for probe in part(name, 99).probes} == hidden


def test_options_are_used():
    probes = part("atencao").probes
    assert {len(probe.args) for probe in probes} == {3, 4}  # by position: a student may call the mask by any name
    assert {probe.args[0].ndim for probe in probes} == {2, 3}
    assert {probe.args[-1] for probe in part("mede").probes} == {True, False}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_known_mistakes_are_told_apart_from_what_is_right(name: str):
    found = part(name)
    for at, output in enumerate(found.outputs):
        before = (None,) if output.after else ()
        for key, mistake in output.mistakes.items():
            differs = []
            for probe in found.probes:
                wanted = np.asarray(output.right(*before, *probe.args, **probe.named), float)
                try:
                    made = np.asarray(mistake(*before, *probe.args, **probe.named), float)
                    differs.append(made.shape != wanted.shape or not np.allclose(made, wanted, rtol=output.equal, atol=output.equal))
                except ValueError:
                    differs.append(True)
            assert any(differs), (name, at, key)


# The right values


def test_section_1_is_the_hand_example_s_sum():
    q, K, V = student.dados(1)
    exponentials = [math.exp(sum(a * b for a, b in zip(q, k)) / math.sqrt(2)) for k in K]
    by_hand = [sum(e * v[i] for e, v in zip(exponentials, V)) / sum(exponentials) for i in (0, 1)]
    assert right("consulta", q, K, V) == pytest.approx(by_hand)
    assert hand_example.verdict_of(by_hand) == "dinheiro"


def test_section_2_is_pytorch_s():
    import torch

    for probe in part("atencao").probes:
        Q, K, V, *mask = (torch.from_numpy(np.asarray(M, float)) for M in (*probe.args, *probe.named.values()))
        theirs = torch.nn.functional.scaled_dot_product_attention(Q, K, V, *mask).numpy()
        assert right("atencao", *probe.args, *probe.named.values(), output=1) == pytest.approx(theirs, abs=1e-6)
    Q, K, V = student.dados(2)
    assert shapes_experiment.head(Q, K, V) == pytest.approx(right("atencao", Q, K, V, output=1), abs=1e-6)


def test_section_3_is_a_row_of_the_slide_s_experiment():
    measured = scaling_experiment.measured(inputs.records().scaling_d_k)
    q, k, g = student.dados(3)
    for divided, side in ((True, measured.divided), (False, measured.undivided)):
        found = [right("mede", q, k, g, divided, output=at) for at in (0, 1)]
        assert found == pytest.approx([side.largest, side.gradient], rel=1e-4)
    assert (q.shape[0], k.shape[1]) == (scaling_experiment.records().experiment.rows, scaling_experiment.records().experiment.keys)


def test_section_4_is_autograd_s():
    import torch

    for probe in part("volta").probes:
        _, Q, K, V, dO = map(torch.from_numpy, probe.args)
        S = (Q.requires_grad_() @ K.requires_grad_().T / K.shape[-1] ** 0.5).requires_grad_()
        S.retain_grad()
        (S.softmax(dim=-1) @ V).backward(dO)
        for at, theirs in enumerate((S.grad, Q.grad, K.grad)):
            arrays = [M.detach().numpy() if isinstance(M, torch.Tensor) else M for M in probe.args]
            assert right("volta", *arrays, output=at) == pytest.approx(theirs.numpy(), abs=1e-12)


def test_section_4_is_the_slide_s_rows():
    lengths = np.linalg.norm(right("volta", *part("volta").probes[0].args), axis=-1)
    assert lengths == pytest.approx(backward.before().gradient)


def test_section_5_measures_what_the_slides_say():
    shown = student.efeito(attention.causal, attention.padding).texts()
    assert shown[0][1:] == [str(masks.change_without_mask()), str(masks.change_with_mask())]
    assert shown[1][1] == str(masks.padding_without_mask())


def test_section_6_is_the_slide_s():
    scores = [row[3] for row in student.scores_girados(rope.rotate).texts()]
    assert scores[:3] == [str(rope.same_score())] * 3
    X, shuffled, _ = student.dados(6)
    assert right("preve", student.cabeca(X), shuffled) == pytest.approx(student.cabeca(X[shuffled]), abs=1e-6)
    assert pytest.approx(random_draws.drawn(position.records().lab.draw)["X"]) == X


def test_section_6_turns_as_complex_numbers_do():
    for x, at, base in (probe.args for probe in part("gira").probes):
        turned = (x[0::2] + 1j * x[1::2]) * np.exp(1j * at * np.array([base ** (-2 * i / len(x)) for i in range(len(x) // 2)]))
        assert right("gira", x, at, base) == pytest.approx(np.stack([turned.real, turned.imag], axis=-1).ravel())


def test_section_7_with_a_group_a_head_is_the_slide_s():
    Q, K, V = inputs.way_back()[:3]
    assert checks.grouped(Q, K, V, 2, 2) == pytest.approx(multihead_code.multi_head(Q, K, V, 2))
    given = multihead.model.records().parameters
    assert checks.grouped_count(given.d, 8, 8) == multihead.parameters().value


def test_section_7_is_pytorch_s():
    import torch

    for *arrays, h, h_kv in (probe.args for probe in part("gqa").probes):
        q, k, v = (torch.from_numpy(M).reshape(len(M), n, -1).transpose(0, 1)[None] for M, n in zip(arrays, (h, h_kv, h_kv)))
        theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)[0].transpose(0, 1).flatten(1)
        assert right("gqa", *arrays, h, h_kv) == pytest.approx(theirs.numpy())


def test_section_7_counts_a_layer_s_own_numbers():
    import torch

    for d, h, h_kv in (probe.args for probe in part("parametros").probes):
        widths = [d, h_kv * d // h, h_kv * d // h, d]
        layer = torch.nn.ModuleList(torch.nn.Linear(d, width) for width in widths)
        assert right("parametros", d, h, h_kv) == sum(p.numel() for p in layer.parameters())


def test_section_8_is_the_slide_s_sum():
    known = cost_experiment.layer()
    assert checks.score_bytes(known.heads, known.n, known.bytes_per_number) == cost.score_bytes(known)


@given(st.integers(1, 2**40), st.integers(1, 64), st.sampled_from([1, 2, 4, 8]))
def test_section_8_s_longest_fits_and_the_next_does_not(memory: int, heads: int, b: int):
    n = checks.longest(memory, heads, b)
    assert checks.score_bytes(heads, n, b) <= memory < checks.score_bytes(heads, n + 1, b)


def test_section_9_is_the_slide_s_prediction():
    assert right("bytes_por_token", *part("bytes_por_token").probes[0].args) == real_model.recorded().bytes_per_token


def test_section_9_counts_passes():
    assert (generation.passes_without(3, 2), generation.passes_with(3, 2)) == (7, 4)


def test_section_10_reads_weights_as_slide_32_does():
    import torch

    A = inputs.masked_weights()
    assert right("no_anterior", A) == pytest.approx(np.mean([A[t, t - 1] for t in range(1, len(A))]))
    assert right("no_anterior", A) == smollm2.strongest_previous(torch.from_numpy(A.astype(float))[None, None])[2]


def test_a_seed_draws_the_same_again_and_another_seed_something_else():
    first, again, other = (list(itertools.chain.from_iterable(probe.args for probe in part("consulta", seed).probes)) for seed in (5, 5, 6))
    assert all(np.array_equal(a, b) for a, b in zip(first, again))
    assert any(a.shape != b.shape or not np.array_equal(a, b) for a, b in zip(first, other))

"""What the lab shows of a student's own work after each checkpoint: sentences, tables and pictures.

Each takes the student's functions, tries them on the section's data, and says in a sentence what is missing where it can't.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from figures import attention, backward, cost, masks, multihead_code, random_draws, real_model, rope
from figures.kit import slow
from figures.kit.arrays import Array
from figures.kit.formats import count, fixed, scientific
from figures.kit.markup import joined
from figures.kit.show import Cell, Column, Markdown, Table, table
from figures.kit.words import Words
from figures.lab import generation, inputs
from figures.lab.gaps import Unshown, array, gently, given
from figures.lab.pictures import usable

_words = Words("laboratorio")


# Section 2


@gently
def distancia(atencao: Callable[..., Any], deles: Any) -> Markdown:
    """A maior diferença entre a saída da sua `atencao`, nos dados da seção, e a do PyTorch."""
    theirs = array(deles)
    pair = given(atencao, *inputs.all_queries())
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise Unshown(_words("not_shown"))
    difference = float(np.abs(array(pair[1], theirs.shape) - theirs).max())
    return Markdown(_words("difference", value=scientific(2)(difference)))


# Section 4


@gently
def soma_das_linhas(volta: Callable[..., Any]) -> Markdown:
    """A maior soma de uma linha do seu `dS`, em módulo: devia ser nula, a menos do arredondamento."""
    largest = float(np.abs(_scores_back(volta, *inputs.way_back()).sum(axis=-1)).max())
    return Markdown(_words("row_sums", value=scientific(1)(largest)))


def _scores_back(volta: Callable[..., Any], Q: Array, K: Array, V: Array, dO: Array) -> Array:
    """The student's ∂L/∂S."""
    A = attention.weights(Q, K)
    back = given(volta, A, Q, K, V, dO)
    if not isinstance(back, (tuple, list)) or not back:
        raise Unshown(_words("not_shown"))
    return array(back[0], A.shape)


@gently
def saturacao(volta: Callable[..., Any]) -> Table:
    """Os maiores pesos e os seus gradientes das linhas da seção, antes e depois de multiplicar as queries."""
    Q, K, V, dO = inputs.way_back()
    sides = [
        (attention.weights(queries, K).max(axis=-1), np.linalg.norm(_scores_back(volta, queries, K, V, dO), axis=-1))
        for queries in (Q, Q * backward.records().factor)
    ]
    return _saturation(*sides)


@table
def _saturation(before: tuple[Array, Array], after: tuple[Array, Array]) -> Table:
    columns = [
        Column(_words("saturation.row"), count()),
        Column(_words("saturation.largest"), fixed(2)),
        Column(_words("saturation.gradient"), fixed(2)),
        Column(_words("saturation.largest_after", factor=backward.factor()), fixed(2)),
        Column(_words("saturation.gradient_after"), scientific(1)),
    ]
    saturated = backward.is_saturated(after[0], backward.records().decimals)
    rows = zip(*before, *after, saturated)
    return Table(
        columns,
        [
            [n, largest, gradient, largest_after, Cell(gradient_after, role="best" if full else "")]
            for n, (largest, gradient, largest_after, gradient_after, full) in enumerate(rows, 1)
        ],
    )


# Section 5


@gently
def efeito(causal: Callable[..., Array], padding: Callable[..., Array]) -> Table:
    """O que cada máscara muda: linhas que mexem ao trocar o último token, e quanto o enchimento mexe nas outras."""
    return _effects(lambda n: usable(given(causal, n), n), lambda real: usable(given(padding, real), len(real)))


@table
def _effects(causal: Callable[..., Array], padding: Callable[..., Array]) -> Table:
    changed = [masks.changed_rows(masked, causal) for masked in (False, True)]
    moved = [masks.padding_difference(masked, padding) for masked in (False, True)]
    rows = len(random_draws.drawn(masks.records().lab.last_token)["X"])
    columns = [Column(heading) for heading in _words.list("effects.columns")]
    small = masks.records().lab.moved_above
    return Table(
        columns,
        [
            [_words("effects.changed"), *(masks.rows_in_words(moved, rows) for moved in changed)],
            [_words("effects.moved"), *(_words("effects.rounding") if m < small else fixed(2)(m) for m in moved)],
        ],
    )


# Section 6


@gently
def scores_girados(gira: Callable[..., Array]) -> Table:
    """O score da mesma q e da mesma k em vários pares de posições, giradas pela sua função."""
    return _turned_scores(lambda x, at: array(given(gira, x, at, rope.records().base), x.shape))


@table
def _turned_scores(turn: Callable[[Array, int], Array]) -> Table:
    drawn = random_draws.drawn(rope.records().draw)
    pairs = [*rope.records().positions, *((offset, 0) for offset in rope.records().offsets)]
    columns = [Column(heading, format) for heading, format in zip(_words.list("turned.columns"), [count()] * 3 + [fixed(6, sign=True)])]
    scores = [float(turn(drawn["q"].copy(), m) @ turn(drawn["k"].copy(), n)) for m, n in pairs]
    return Table(columns, [[m, n, m - n, score] for (m, n), score in zip(pairs, scores)])


# Section 7


@gently
def como_multi_head(gqa: Callable[..., Array]) -> Markdown:
    """Se, com um grupo por cabeça, a sua função dá o multi-head do slide."""
    Q, _, _ = inputs.grouped()
    h = inputs.records().grouped.heads
    difference = float(np.abs(array(given(gqa, Q, Q, Q, h, h), Q.shape) - multihead_code.multi_head(Q, Q, Q, h)).max())
    return Markdown(_words("multi_head", value=scientific(1)(difference)))


# Section 8


def relogio() -> Markdown:
    """A camada do slide cronometrada agora, aqui, montando S e sem montar (alguns segundos)."""
    timing = slow.registry["cost_experiment.timing"].function()  # measured anew: what is stored was measured elsewhere
    return Markdown(_words("clock", told=cost.speed_in_words(timing)))


# Section 9


@gently
def escreve(entrada: Callable[[list[int], list[int]], Sequence[int]]) -> Markdown | Table:
    """O modelo de verdade escreve com a sua `entrada`; sem os pesos à mão, a medição registrada."""
    ready = generation.at_hand()
    if ready is None:
        recorded = real_model.recorded()
        size = count()(recorded.bytes_per_token)
        return Markdown(_words("recorded", model=recorded.model, where=str(real_model.where()), bytes=size))
    model, prompt = ready
    asked = inputs.records().cache.new_tokens
    mine = generation.generate(model, prompt, asked, lambda prompt, new: _ids(given(entrada, prompt, new), len(prompt) + len(new)))
    whole = generation.without_cache(model, prompt, asked)
    key = "written.same" if mine.ids == whole.ids else "written.other"
    same = _words(key, text=generation.text_of(model, mine.ids).strip(), n=count()(asked))
    passes = _words("written.passes", mine=count()(mine.passes), whole=count()(whole.passes))
    return Markdown(joined([same, passes, _words("written.bytes", bytes=count()(mine.bytes_per_token))], " "))


def _ids(value: Any, most: int) -> list[int]:
    if not isinstance(value, (list, tuple)) or not 0 < len(value) <= most or not all(isinstance(id, int) for id in value):
        raise Unshown(_words("not_shown"))
    return list(value)

"""What the lab's notebook imports: `confere`, what each section is given, and the displays that use a student's work.

Names are Portuguese because students type them. Every function takes a gap that is still blank, and gives a blank or a
sentence that says so. Numbers come from the topics; nothing is computed here that a slide shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from figures import attention, backward, cost, masks, multihead_code, random_draws, real_model, rope, scaling_experiment
from figures.kit import style
from figures.kit.arrays import Array
from figures.kit.checkpoints import Verdict, has_gap, is_blank
from figures.kit.formats import count, fixed, joined, scientific
from figures.kit.show import Cell, Column, Markdown, Picture, Table, figure, table
from figures.kit.words import Words
from figures.lab import checks, generation, inputs, training
from figures.lab.gaps import gently, passing_blanks

_words = Words("laboratorio")


def confere(secao: object = None, *resposta: object) -> Verdict:
    """Confere a resposta de uma seção: `confere(3, [com, sem])`. Diz se está certa sem dizer qual é."""
    return checks.checked(secao, resposta[0] if len(resposta) == 1 else list(resposta) or ...)


GIVEN: dict[int, Callable[[], Any]] = {
    1: inputs.dictionary,
    2: inputs.all_queries,
    3: inputs.scaling,
    4: inputs.way_back,
    5: inputs.filled,
    6: lambda: (*inputs.order()[:2], rope.records().base),
    7: inputs.grouped,
}


def dados(secao: int) -> Any:
    """Os dados de uma seção, numa tupla: `q, K, V = dados(1)`."""
    if secao not in GIVEN:
        raise ValueError(_words("no_data", sections=joined([str(n) for n in GIVEN], _words("and"))))
    return GIVEN[secao]()


# Sections 2 and 3


@passing_blanks
def softmax(S: Array) -> Array:
    """Cada linha de S como pesos que somam 1."""
    return attention.softmax(S)


@gently
def distancia(nossa: Array, deles: Array) -> Markdown:
    """A maior diferença entre duas saídas, dita em uma frase."""
    difference = float(np.abs(np.asarray(nossa) - np.asarray(deles)).max())
    return Markdown(_words("difference", value=scientific(2)(difference)))


@passing_blanks
def tamanho_do_gradiente(A: Array, g: Array) -> Array:
    """‖∂L/∂S‖ de cada linha, a partir dos pesos A e de g = ∂L/∂A."""
    lengths: Array = np.linalg.norm(attention.softmax_backward(A, g), axis=-1)
    return lengths


@passing_blanks
def mediana(valores: Array) -> float:
    """A mediana; entre dois valores do meio, o menor, como faz o PyTorch."""
    return scaling_experiment.lower_median(np.asarray(valores))


# Section 4


@passing_blanks
def pesos(Q: Array, K: Array, mascara: Array | None = None) -> Array:
    """softmax(QKᵀ/√d_k + mascara)."""
    return attention.weights(Q, K, mascara)


@gently
def soma_das_linhas(dS: Array) -> Markdown:
    """A maior soma de uma linha de dS, em módulo: devia ser zero."""
    largest = float(np.abs(np.asarray(dS).sum(axis=-1)).max())
    return Markdown(_words("row_sums", value=scientific(1)(largest)))


@table
def saturacao() -> Table:
    """Os maiores pesos e os gradientes das linhas da seção, antes e depois de multiplicar as queries."""
    before, after, saturated = backward.before(), backward.after(), backward.saturated()
    columns = [
        Column(_words("saturation.row"), count()),
        Column(_words("saturation.largest"), fixed(2)),
        Column(_words("saturation.gradient"), fixed(2)),
        Column(_words("saturation.largest_after", factor=backward.factor()), fixed(2)),
        Column(_words("saturation.gradient_after"), scientific(1)),
    ]
    rows = [
        [n, before.largest[row], before.gradient[row], after.largest[row], Cell(after.gradient[row], role="best" if saturated[row] else "")]
        for row, n in enumerate(range(1, len(saturated) + 1))
    ]
    return Table(columns, rows)


# Section 5


def empresta(atencao: Any) -> Callable[..., Any]:
    """A sua `atencao`, se ela serve também a várias cabeças e a uma máscara; a do laboratório, se não."""
    Q, K, V = (np.stack([M, M[::-1]]) for M in random_draws.drawn(masks.records().lab.padding).values())
    mask = attention.causal(Q.shape[1])
    try:
        A, output = atencao(Q, K, V, mask)
        fits = np.allclose(A, attention.weights(Q, K, mask), atol=1e-5) and np.allclose(output, A @ V, atol=1e-5)
    except Exception:
        fits = False
    return atencao if fits else emprestada


def emprestada(Q: Array, K: Array, V: Array, mascara: Array | None = None) -> tuple[Array, Array]:
    """A `atencao` do laboratório: os pesos e a saída."""
    return multihead_code.atencao(Q, K, V, mascara)


@gently
def efeito(causal: Callable[..., Array], padding: Callable[..., Array]) -> Table:
    """O que cada máscara muda: linhas que mexem ao trocar o último token, e quanto o enchimento mexe nas outras."""
    return _effects(causal, padding)


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


def cabeca(X: Array) -> Array:
    """Uma cabeça sem nenhum sinal de posição: (n, d) → (n, d_v)."""
    return inputs.head(X)


@gently
def scores_girados(gira: Callable[..., Array]) -> Table:
    """O score da mesma q e da mesma k em vários pares de posições, giradas pela sua função."""
    return _turned_scores(gira)


@table
def _turned_scores(gira: Callable[..., Array]) -> Table:
    drawn = random_draws.drawn(rope.records().draw)
    pairs = [*rope.records().positions, *((offset, 0) for offset in rope.records().offsets)]
    columns = [Column(heading, format) for heading, format in zip(_words.list("turned.columns"), [count()] * 3 + [fixed(6, sign=True)])]
    scores = [float(np.asarray(gira(drawn["q"].copy(), m)) @ np.asarray(gira(drawn["k"].copy(), n))) for m, n in pairs]
    return Table(columns, [[m, n, m - n, score] for (m, n), score in zip(pairs, scores)])


# Section 7


@gently
def como_multi_head(gqa: Callable[..., Array]) -> Markdown:
    """Se, com um grupo por cabeça, a sua função dá o multi-head do slide."""
    Q, _, _ = inputs.grouped()
    h = inputs.records().grouped.heads
    difference = float(np.abs(np.asarray(gqa(Q, Q, Q, h, h)) - multihead_code.multi_head(Q, Q, Q, h)).max())
    return Markdown(_words("multi_head", value=scientific(1)(difference)))


# Section 8


def relogio() -> Markdown:
    """A camada do slide cronometrada nesta máquina, montando S e sem montar (alguns segundos)."""
    return Markdown(_words("clock", told=str(cost.speed()), where=str(cost.where())))


# Section 9


@gently
def escreve(entrada: Callable[[list[int], list[int]], Sequence[int]]) -> Markdown | Table:
    """O modelo de verdade escreve com a sua `entrada`; sem os pesos à mão, a medição registrada."""
    ready = generation.at_hand()
    if ready is None:
        return Markdown(
            _words(
                "recorded",
                model=real_model.recorded().model,
                where=str(real_model.where()),
                bytes=count()(real_model.recorded().bytes_per_token),
            )
        )
    model, prompt = ready
    asked = inputs.records().cache.new_tokens
    mine = generation.generate(model, prompt, asked, entrada)
    whole = generation.without_cache(model, prompt, asked)
    key = "written.same" if mine.ids == whole.ids else "written.other"
    same = _words(key, text=generation.text_of(model, mine.ids).strip(), n=count()(asked))
    passes = _words("written.passes", mine=count()(mine.passes), whole=count()(whole.passes))
    return Markdown(f"{same} {passes} {_words('written.bytes', bytes=count()(mine.bytes_per_token))}")


# Section 10


def treina(alvo: Any, cabeca: Any = training.aprendiz) -> Any:
    """Treina uma cabeça para responder `alvo(ids)` e devolve os pesos médios dela, (n, n)."""
    if is_blank(alvo):
        return ...
    try:
        return training.train(alvo, cabeca)
    except Exception:
        if has_gap(alvo) or has_gap(cabeca):
            return ...
        raise


@gently
def mapa(A: Array) -> Picture:
    """Os pesos da cabeça treinada, linha por linha."""
    return _map(np.asarray(A, float))


@figure
def _map(A: Array) -> Picture:
    n, side, left, bottom = len(A), 30, 60, 10
    top = bottom + n * side
    drawing, axes = style.canvas(left + n * side + 30, top + 60, bare=True)
    axes.imshow(A, cmap=style.HEAT, vmin=0, vmax=1, extent=(left, left + n * side, bottom, top), aspect="auto")
    small = {"ha": "center", "va": "center", "size": style.SIZES.figure_small}
    for at in range(n):
        middle = at * side + side / 2
        axes.text(left + middle, top + 14, str(at + 1), **small)
        axes.text(left - 18, top - middle, str(at + 1), **small)
    axes.text(12, bottom + n * side / 2, _words("map.rows"), rotation=90, **small)
    axes.text(left + n * side / 2, top + 42, _words("map.columns"), **small)
    return Picture(drawing, alt=_words("map.alt", n=n, weight=fixed(2)(training.previous_weight(A))))


__all__ = [
    "cabeca",
    "como_multi_head",
    "confere",
    "dados",
    "distancia",
    "efeito",
    "empresta",
    "escreve",
    "mapa",
    "mediana",
    "pesos",
    "relogio",
    "saturacao",
    "scores_girados",
    "soma_das_linhas",
    "softmax",
    "tamanho_do_gradiente",
    "treina",
]

"""Pictures of what a student's own functions do, one for each section that shows none otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from figures import attention, random_draws, rope, scaling_experiment
from figures.kit import style
from figures.kit.arrays import Array, Integers
from figures.kit.formats import binary_bytes, count, fixed, plain
from figures.kit.show import Picture, figure
from figures.kit.words import Words
from figures.lab import inputs
from figures.lab.gaps import Unshown, array, gently, given

_words = Words("laboratorio")
SHARES, SMALL = (0, 0.5, 1), (0, 0.1, 0.2, 0.3)  # ticks of weights and of gradients
FEW = (4, 8, 16, 32, 64, 128, 256)  # d_k small enough to be measured at once


def _small() -> dict[str, Any]:
    return {"ha": "center", "va": "center", "size": style.SIZES.figure_small}


# Section 1


@gently
def giro_da_query(consulta: Callable[..., Any]) -> Picture:
    """O que sai da sua `consulta` quando a query da seção gira uma volta."""
    q, K, V = inputs.dictionary()
    turns = np.linspace(0, 2 * np.pi, 73)
    length = float(np.linalg.norm(q))
    rows = [array(given(consulta, length * np.array([np.cos(t), np.sin(t)]), K, V), (V.shape[1],)) for t in turns]
    return _turning(np.degrees(turns), np.array(rows))


@figure
def _turning(degrees: Array, outputs: Array) -> Picture:
    drawing, axes = style.canvas(620, 300)
    for column, name in enumerate(_words.list("turning.values")):
        axes.plot(degrees, outputs[:, column], color=style.COLOURS.ink, linestyle=("-", "--")[column % 2])
        style.label(axes, name, (degrees[-1], outputs[-1, column]))
    axes.set(xlabel=_words("turning.x"), ylim=(-0.05, 1.05))
    axes.set_xticks(quarters := (0, 90, 180, 270, 360), [str(angle) for angle in quarters])
    axes.set_yticks(SHARES, [plain()(share) for share in SHARES])
    return Picture(drawing, alt=_words("turning.alt", values=" × ".join(_words.list("turning.values"))))


# Sections 2, 5 and 10


@gently
def mapa(A: Any) -> Picture:
    """Os pesos, linha por linha: uma matriz, ou a sua `atencao` nos dados da seção."""
    if callable(A):
        pair = given(A, *inputs.all_queries())
        A = pair[0] if isinstance(pair, (tuple, list)) else None
    weights = array(A)
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1]:
        raise Unshown(_words("not_shown"))
    return heat_maps([weights], [""])


@gently
def mapa_das_mascaras(causal: Callable[..., Any], padding: Callable[..., Any]) -> Picture:
    """Os pesos que sobram com cada uma das suas máscaras, se todos os scores são iguais."""
    n, real = inputs.filled()
    masks = [usable(given(causal, n), n), usable(given(padding, real), n)]
    return heat_maps([attention.softmax(mask) for mask in masks], ["causal", "padding"])


def usable(mask: Any, n: int) -> Array:
    """A mask that a softmax can take: no NaN, no +∞, and something to look at in each row."""
    try:
        values: Array = np.broadcast_to(np.asarray(mask, np.float64), (n, n))
    except Exception:
        raise Unshown(_words("not_shown")) from None
    if np.isnan(values).any() or np.isposinf(values).any():
        raise Unshown(_words("not_shown"))
    if (blind := np.isneginf(values).all(axis=1)).any():
        raise Unshown(_words("blind_row", row=int(blind.argmax()) + 1))
    return values


@figure
def heat_maps(maps: Sequence[Array], titles: Sequence[str]) -> Picture:
    n, side, left, bottom = len(maps[0]), 30, 60, 10
    top, step = bottom + n * side, n * side + 90
    drawing, axes = style.canvas(left + len(maps) * step - 30, top + 90, bare=True)
    for number, (A, title) in enumerate(zip(maps, titles)):
        start = left + number * step
        axes.imshow(A, cmap=style.heat(), vmin=0, vmax=1, extent=(start, start + n * side, bottom, top), aspect="auto")
        for at in range(n):
            middle = at * side + side / 2
            axes.text(start + middle, top + 14, str(at + 1), **_small())
            axes.text(start - 18, top - middle, str(at + 1), **_small())
        axes.text(start + n * side / 2, top + 42, _words("map.columns"), **_small())
        axes.text(start + n * side / 2, top + 72, title, **_small())
    axes.text(12, bottom + n * side / 2, _words("map.rows"), rotation=90, **_small())
    return Picture(drawing, alt=" ".join(_told(A, title) for A, title in zip(maps, titles)))


def _told(A: Array, title: str) -> str:
    """What a map shows, under its title if it has one."""
    weight = fixed(2)(float(np.diagonal(A, offset=-1).mean()))
    return _words("map.titled" if title else "map.alt", title=title, n=len(A), weight=weight)


# Section 3


@gently
def escala(mede: Callable[..., Any]) -> Picture:
    """As medianas da sua `mede` contra d_k, com a divisão e sem ela, sempre com o mesmo sorteio."""
    rows = []
    for d_k in FEW:
        q, k, g = scaling_experiment.drawn(d_k)
        rows.append([array(given(mede, q, k, g, divided), (2,)) for divided in (True, False)])
    return _scaled(np.array(rows))


@figure
def _scaled(measured: Array) -> Picture:
    drawing, panels = style.canvas(620, 420, nrows=2, sharex=True)
    for quantity, (axes, title) in enumerate(zip(panels, _words.list("scaled.titles"))):
        for side, name in enumerate(_words.list("scaled.sides")):
            values = measured[:, side, quantity]
            axes.plot(FEW, values, color=style.COLOURS.ink, linestyle=("-", "--")[side], marker="o")
            style.label(axes, name, (FEW[-1], values[-1]), offset=(14, 0))
        axes.set(xscale="log", title=title)
        axes.set_yticks(ticks := SHARES if quantity == 0 else SMALL, [plain()(tick) for tick in ticks])
        axes.set_xticks(FEW, [count()(d_k) for d_k in FEW])
        axes.minorticks_off()
    panels[1].set_xlabel(style.math("d_k"))
    return Picture(drawing, alt=_words("scaled.alt", first=FEW[0], last=FEW[-1]))


# Section 6


@gently
def score_pelo_deslocamento(gira: Callable[..., Any]) -> Picture:
    """O score da q e da k da seção, giradas pela sua função, contra a distância entre elas, em três lugares."""
    drawn, base = random_draws.drawn(rope.records().draw), rope.records().base
    far = np.arange(33)

    def score(m: int, n: int) -> float:
        q, k = (array(given(gira, drawn[name].copy(), at, base), drawn[name].shape) for name, at in (("q", m), ("k", n)))
        return float(q @ k)

    return _offsets(far, np.array([[score(start + int(offset), start) for offset in far] for start in (0, 50)]))


@figure
def _offsets(far: Integers, scores: Array) -> Picture:
    drawing, axes = style.canvas(620, 300)
    axes.plot(far, scores[0], color=style.COLOURS.ink)
    axes.plot(far, scores[1], color=style.COLOURS.stress, linestyle="none", marker="o", markersize=5)
    axes.set(xlabel=_words("offsets.x"), ylabel=_words("offsets.y"))
    return Picture(drawing, alt=_words("offsets.alt", last=int(far[-1])))


# Section 7


@gently
def quem_le_quem(gqa: Callable[..., Any]) -> Picture:
    """Que cabeças da sua `gqa` mudam quando só muda a chave e o valor de um grupo."""
    Q, K, V = inputs.grouped()
    h, h_kv = inputs.records().grouped.heads, inputs.records().grouped.kv_heads
    width = Q.shape[1] // h
    before = array(given(gqa, Q, K, V, h, h_kv), Q.shape)
    changed = np.zeros((h, h_kv))
    for group in range(h_kv):
        moved_K, moved_V = K.copy(), V.copy()
        moved_K[:, group * width : (group + 1) * width] += 1
        moved_V[:, group * width : (group + 1) * width] += 1
        after = array(given(gqa, Q, moved_K, moved_V, h, h_kv), Q.shape)
        changed[:, group] = np.abs(after - before).reshape(len(Q), h, width).max(axis=(0, 2)) > 1e-9
    return _readers(changed)


@figure
def _readers(changed: Array) -> Picture:
    h, h_kv = changed.shape
    drawing, axes = style.canvas(620, 60 + 40 * h, bare=True)
    for at, (x, size, name) in enumerate(((140, h, "readers.query"), (480, h_kv, "readers.group"))):
        for n in range(size):
            y = 20 + 40 * h * (1 - (n + 0.5) / size)
            axes.plot(x, y, marker=("o", "s")[at], color=style.COLOURS.ink)
            axes.text(x + (-70, 70)[at], y, _words(name, n=n + 1), **_small())
    for head, group in np.argwhere(changed > 0):
        ends = [20 + 40 * h * (1 - (n + 0.5) / size) for n, size in ((head, h), (group, h_kv))]
        axes.plot([140, 480], ends, color=style.COLOURS.ink, linewidth=1.5)
    return Picture(drawing, alt=_words("readers.alt", heads=h, groups=h_kv))


# Section 8


@gently
def crescimento(bytes_de_S: Callable[..., Any]) -> Picture:
    """Os bytes da sua conta contra n, e a memória da seção."""
    bill = inputs.records().bill
    lengths = 2 ** np.arange(9, 18)
    sizes = [array(given(bytes_de_S, bill.memory_layer.heads, int(n), bill.memory_layer.bytes_per_number), ()) for n in lengths]
    if min(float(size) for size in sizes) <= 0:
        raise Unshown(_words("not_shown"))
    return _growth(lengths, np.array(sizes, float), bill.memory)


@figure
def _growth(lengths: Integers, sizes: Array, memory: int) -> Picture:
    drawing, axes = style.canvas(620, 320)
    axes.plot(lengths, sizes, color=style.COLOURS.ink, marker="o")
    axes.axhline(memory, color=style.COLOURS.stress, linestyle="--")
    style.label(axes, binary_bytes()(memory), (lengths[0], memory), offset=(0, 14))
    axes.set(xscale="log", yscale="log", xlabel=style.math("n"), ylabel="bytes")
    axes.set_xticks(lengths[::2], [count()(n) for n in lengths[::2]])
    axes.minorticks_off()
    return Picture(drawing, alt=_words("growth.alt", first=count()(lengths[0]), last=count()(lengths[-1]), memory=binary_bytes()(memory)))


# Section 9


@gently
def passagens(entrada: Callable[..., Any]) -> Picture:
    """Quantos ids a sua `entrada` leva pela rede a cada passo, e quantos seriam sem cache."""
    cache = inputs.records().cache
    prompt, steps = list(cache.prompt), range(cache.new_tokens)
    mine = [np.size(array(given(entrada, list(prompt), list(range(100, 100 + step))))) for step in steps]
    return _passes(np.array(mine), np.array([len(prompt) + step for step in steps]))


@figure
def _passes(mine: Array, whole: Array) -> Picture:
    drawing, axes = style.canvas(620, 300)
    steps = np.arange(1, len(mine) + 1)
    axes.plot(steps, whole, color=style.COLOURS.ink, linestyle="--")
    axes.bar(steps, mine, color=style.COLOURS.ink, width=0.6)
    for text, values in zip(_words.list("passes.names"), (whole, mine)):
        style.label(axes, text, (steps[-1], values[-1]), offset=(10, 0))
    axes.set(xlabel=_words("passes.x"), ylabel=_words("passes.y"))
    axes.set_xticks(steps[::3], [str(step) for step in steps[::3]])
    return Picture(drawing, alt=_words("passes.alt", steps=len(mine), mine=int(mine.sum()), whole=int(whole.sum())))

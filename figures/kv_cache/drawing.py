"""The picture of the cache in a card: what the simulator opens with."""

from __future__ import annotations

from typing import Any

from figures.kit import data, style
from figures.kit.formats import fixed, joined, kibi
from figures.kit.show import Column, Picture, Table, figure
from figures.kit.theme import series
from figures.kit.words import Words
from figures.kv_cache import records
from figures.kv_cache.arithmetic import Demand, demanded
from figures.kv_cache.records import Accelerator, State
from figures.kv_cache.settings import fit_in_words, requests_in_words, state_in_words
from figures.kv_cache.units import gigabytes

_words = Words("kv_cache")


@figure
def opening_state() -> Picture:
    """Weights and cache in the card, and the cache against the context for every scheme, at the opening state."""
    now, needs, card = records.state(), demanded(records.state()), records.accelerator_named(records.state().accelerator)
    drawing, (left, right) = style.canvas(1152, 500, ncols=2, width_ratios=(5, 7))
    _draw_card(left, needs, card)
    left.set_title(state_in_words(now))
    ends = _draw_curves(right, now)
    spare = _words("figure.spare" if needs.fits else "figure.missing", bytes=gigabytes()(abs(needs.spare)))
    curves = joined([_words("figure.curve", scheme=id, cache=gigabytes()(size)) for id, size in ends], _words("figure.and"))
    alt = _words(
        "figure.alt", state=state_in_words(now), weights=gigabytes()(needs.weights), cache=gigabytes()(needs.cache), card=card.name,
        memory=gigabytes()(card.memory), verdict=fit_in_words(needs), spare=spare, requests=requests_in_words(now),
        context=kibi()(now.context), curves=curves,
    )  # fmt: skip
    columns = [Column(_words.list("schemes.columns")[0]), Column(_words("figure.cache_axis"), fixed(1))]
    return Picture(drawing, alt, values=[Table(columns, [[id, size / 1e9] for id, size in ends], state_in_words(now))])


def _draw_card(axes: Any, needs: Demand, card: Accelerator) -> None:
    """Weights and cache stacked in a box as tall as the card's memory."""
    colours, giga, top = style.COLOURS, gigabytes(), max(needs.memory, needs.weights + needs.cache) / 1e9
    for bottom, size, name in ((0.0, needs.weights, "weights"), (needs.weights, needs.cache, "cache")):
        axes.add_patch(style.patches.Rectangle((-0.5, bottom / 1e9), 1, size / 1e9, facecolor=series(name).ink, linewidth=0, label=name))
        middle = (bottom + size / 2) / 1e9
        style.label(axes, f"{_words(f'figure.{name}')} {giga(size)}", (0.5, middle), weight=600, label=name)
    axes.bar(0, needs.memory / 1e9, 1, fill=False, edgecolor=colours.ink, linewidth=3)
    name = _words("figure.card", card=card.name, memory=giga(needs.memory))
    axes.text(-0.5, needs.memory / 1e9 + top * 0.02, name, va="bottom", size=style.SIZES.figure)
    spare = _words("figure.spare" if needs.fits else "figure.missing", bytes=giga(abs(needs.spare)))
    middle = (needs.memory + needs.weights + needs.cache) / 2e9
    style.label(axes, f"{fit_in_words(needs)}: {spare}", (0.5, middle), colour=colours.stress, weight=600)
    axes.set(xlim=(-0.52, 2.1), ylim=(0, top * 1.1), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def _draw_curves(axes: Any, now: State) -> list[tuple[str, float]]:
    """The cache in GB against the context, one line for each scheme; returns each scheme's cache at the state's context."""
    colours, longest, needs = style.COLOURS, max(records.controls().contexts), demanded(now)
    room, top = (
        (needs.memory - needs.weights) / 1e9,
        1.15 * demanded(data.changed(now, context=max(records.controls().contexts))).cache / 1e9,
    )
    ends = []
    for scheme in records.schemes().schemes:
        at_end = demanded(data.changed(now, scheme=scheme.id, context=longest)).cache / 1e9
        reach = min(longest, longest * top / at_end)
        chosen = scheme.id == now.scheme
        look: dict[str, Any] = {"color": colours.ink if chosen else colours.rule, "linewidth": 4 if chosen else 2.5}
        axes.plot([0, reach], [0, at_end * reach / longest], label=scheme.id, **look)
        inside = at_end <= top
        style.label(
            axes, scheme.id, (reach, at_end * reach / longest), weight=600 if chosen else 400,
            offset=(8, 0) if inside else (-6, 8), ha="left" if inside else "center", va="center" if inside else "bottom", label=scheme.id,
        )  # fmt: skip
        ends.append((scheme.id, demanded(data.changed(now, scheme=scheme.id)).cache))
    axes.axhline(room, color=colours.stress, linewidth=2, linestyle=(0, (6, 4)), label="room")
    axes.text(
        longest, room - top * 0.015, f"{_words('figure.room')}: {gigabytes()(room * 1e9)}", ha="right", va="top", color=colours.stress
    )
    axes.plot(now.context, needs.cache / 1e9, "o", color=colours.ink, markersize=11, label="now")
    text = f"{kibi()(now.context)}: {gigabytes()(needs.cache)}"
    style.label(axes, text, (now.context, needs.cache / 1e9), offset=(10, -6), va="top", weight=600)
    ticks = [size for size in records.controls().contexts if size >= now.context]
    levels = [0.0, room, demanded(data.changed(now, context=longest)).cache / 1e9]
    axes.set(xlim=(0, longest), ylim=(0, top), xlabel=_words("figure.context"), ylabel=_words("figure.cache_axis"))
    axes.set_xticks(ticks, [kibi()(tick) for tick in ticks])
    axes.set_yticks(levels, [fixed(0)(level) for level in levels])
    return ends

"""The pictures that simulators open with, and those of matrices, chains and clocks, read back from what was drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import drawings
import numpy as np
import pytest
from drawings import Written, grids, read
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from figures import bpe, chain, chapter, hand_example, kv_cache, multihead, rope
from figures.bpe.model import pair_counts, toy, words
from figures.kit import data
from figures.kit.formats import fixed, plain
from figures.kit.show import Picture
from figures.kv_cache import records
from figures.kv_cache.arithmetic import demanded
from figures.roles import KEY, QUERY, VALUE

two = fixed(2)
# Who gives to whom in one head: X to the three projections, Q and K to the scores, these through the softmax, A and V to the output.
GIVES = {("X", "Q"), ("X", "K"), ("X", "V"), ("Q", "S"), ("K", "S"), ("S", "A"), ("A", "O"), ("V", "O")}


def written(rows: Any, format: Callable[[Any], str] = two) -> list[list[str]]:
    return [[format(value) for value in row] for row in rows]


def chain_is_read(picture: Picture) -> None:
    (panel,) = read(picture.figure).panels
    patches = [patch for patch in panel.axes.patches if isinstance(patch, FancyBboxPatch)]
    boxes = {}
    for patch in patches:
        (left, low), (right, high) = (
            panel.axes.transData.transform(patch.get_path().vertices).min(0),
            panel.axes.transData.transform(patch.get_path().vertices).max(0),
        )
        (text,) = [one for one in panel.texts if left < one.at[0] < right and low < one.at[1] < high]
        boxes[text.text[0]] = (left, low, right, high, text)
    assert set(boxes) == {"X", "Q", "K", "V", "S", "A", "O"}
    ways = {(_box(boxes, arrow.start), _box(boxes, arrow.end)) for arrow in panel.arrows}
    assert ways == GIVES and len(panel.arrows) == len(GIVES)
    for name, role in (("Q", QUERY), ("K", KEY), ("V", VALUE)):
        (arrow,) = [one for one in panel.arrows if (_box(boxes, one.start), _box(boxes, one.end)) == ("X", name)]
        (label,) = [one for one in panel.texts if one.text == f"W{name}"]
        assert arrow.colour == label.colour == boxes[name][4].colour == role.ink.upper()
    for name, shape in (("X", "n×d"), ("Q", "n×dk"), ("K", "n×dk"), ("V", "n×dv"), ("S", "n×n"), ("A", "n×n"), ("O", "n×dv")):
        assert boxes[name][4].text.replace(" ", "").endswith(shape)


def _box(boxes: dict[str, Any], at: tuple[float, float]) -> str:
    """The box whose edge is nearest to a point."""

    def apart(name: str) -> float:
        left, low, right, high, _ = boxes[name]
        return float(np.hypot(max(left - at[0], 0, at[0] - right), max(low - at[1], 0, at[1] - high)))

    return min(boxes, key=apart)


def clocks_are_read(picture: Picture) -> None:
    (panel,) = read(picture.figure).panels
    clock = rope.records().clock
    middle = panel.axes.get_xlim()[1] / 2
    for side, pair in zip((-1, 1), clock.positions):
        hands = {curve.series: curve for curve in panel.curves if (curve.points[0, 0] - middle) * side > 0}
        assert set(hands) == {"query", "key"}
        for (name, role), at in zip((("query", QUERY), ("key", KEY)), pair):
            start, tip = hands[name].points
            assert np.arctan2(*(tip - start)) % (2 * np.pi) == pytest.approx(2 * np.pi * at / clock.marks)
            assert hands[name].look.colour == role.ink.upper()
            beyond = start + (tip - start) * 108 / 80
            assert drawings.Drawing([panel]).words() and _nearest(panel.texts, beyond) == str(at)
        below = [text.text for text in panel.texts if text.text.startswith("q em") and (text.at[0] - middle) * side > 0]
        assert below == [f"q em {pair[0]}, k em {pair[1]}"]


def _nearest(texts: list[Written], at: Any) -> str:
    return min(texts, key=lambda text: np.hypot(text.at[0] - at[0], text.at[1] - at[1])).text


def cache_is_read(picture: Picture) -> None:
    card, curves = read(picture.figure).panels
    now, needs = records.state(), demanded(records.state())
    bars = {bar.series: bar for bar in card.bars}
    assert (bars["weights"].y, bars["weights"].height) == (0, pytest.approx(needs.weights / 1e9))
    assert (bars["cache"].y, bars["cache"].height) == (pytest.approx(needs.weights / 1e9), pytest.approx(needs.cache / 1e9))
    for name, size in (("weights", needs.weights), ("cache", needs.cache)):
        assert [text.text for text in card.texts if text.series == name] == [drawings.plain(f"{_word(name)} {kv_cache.gigabytes()(size)}")]
    assert (curves.scale("x"), curves.scale("y")) == ("linear", "linear")
    for scheme in records.schemes().schemes:
        (x, y) = curves.curve(scheme.id).points[-1]
        assert y == pytest.approx(demanded(data.changed(now, scheme=scheme.id, context=round(x))).cache / 1e9, rel=1e-3)
        (label,) = [text for text in curves.texts if text.series == scheme.id]
        end = curves.axes.transData.transform((x, y))
        assert label.text == scheme.id and np.hypot(*(np.array(label.at) - end)) < 40
    assert curves.curve("now").points.tolist() == [[now.context, pytest.approx(needs.cache / 1e9)]]
    assert set(curves.curve("room").points[:, 1]) == {(needs.memory - needs.weights) / 1e9}
    assert all(value == int(text.removesuffix("k")) * 1024 for text, value in curves.ticks("x").items())
    assert all(value == pytest.approx(float(text), abs=0.5) for text, value in curves.ticks("y").items())


def _word(name: str) -> str:
    return {"weights": "pesos", "cache": "cache"}[name]


def pairs_are_read(picture: Picture) -> None:
    (panel,) = read(picture.figure).panels
    counts = pair_counts([symbols for sentence in toy().corpus for symbols in words(sentence)])
    bars = sorted((bar for bar in panel.bars if bar.series == "bar"), key=lambda bar: -bar.y)
    unit = bars[0].width / max(counts.values())
    for bar in bars:
        height = panel.axes.transData.transform((0, bar.y + bar.height / 2))[1]
        left, right = [text.text for text in sorted(panel.texts, key=lambda text: text.at[0]) if abs(text.at[1] - height) < 6][:2]
        pair = tuple(left.replace(" ", "").replace("␣", " ").split("+"))
        assert counts[pair] == int(right) and bar.width == pytest.approx(unit * counts[pair])  # type: ignore[index]
    assert [bar.width for bar in bars] == sorted((bar.width for bar in bars), reverse=True)


def example_is_read(picture: Picture) -> None:
    page, keys, values = read(picture.figure).panels
    example, steps = hand_example.example(), hand_example.steps_of(hand_example.example())
    assert keys.curve("query").points.tolist() == [[0, 0], list(example.query)]
    assert [curve.points[0].tolist() for curve in keys.curves if curve.series == "key"] == example.keys.tolist()
    marks = [curve for curve in values.curves if curve.series == "value"]
    assert [curve.points[0].tolist() for curve in marks] == example.values.tolist()
    assert list(np.argsort([curve.size for curve in marks])) == list(np.argsort(steps.weights))
    (output,) = [curve for curve in values.curves if curve.series == "output"]
    assert output.points[0] == pytest.approx(steps.output)
    for row, name in enumerate(example.names):
        height = next(text.at[1] for text in page.texts if text.text == name)
        cells = [text.text for text in sorted(page.texts, key=lambda text: text.at[0]) if abs(text.at[1] - height) < 4]
        told = [plain()(steps.products[row]), two(steps.scaled[row]), two(steps.exponentials[row]), fixed(3)(steps.weights[row])]
        assert cells[:5] == [name, *told]


def heads_are_read(picture: Picture) -> None:
    (panel,) = read(picture.figure).panels
    run = multihead.model.heads(multihead.model.variant())
    titles = ["cabeça 1: A", "cabeça 2: A", "saida: as cabeças lado a lado"]
    right = [text for text in panel.texts if text.at[0] > 700]
    seen = grids(right, titles)
    assert [seen[title] for title in titles] == [written(run.weights[0]), written(run.weights[1]), written(run.output)]


def matrices_are_read(picture: Picture) -> None:
    (panel,) = read(picture.figure).panels
    made = chapter.by_hand()
    titles = {"Q": plain(), "K": plain(), "V": plain(), "S=QK⊤/√dk": two, "A=softmax(S)": two, "O=AV": two}
    seen = grids(panel.texts, list(titles))
    for title, format in titles.items():
        assert seen[title] == written(getattr(made, title[0]), format), title
    names = [text for text in panel.texts if text.text in hand_example.example().names]
    tops = sorted(names, key=lambda text: -text.at[1])[: len(made.Q)]
    assert tuple(text.text for text in tops) == hand_example.example().names


CHECKS: dict[Callable[[], Picture], Callable[[Picture], None]] = {
    chain.chain: chain_is_read,
    rope.clocks: clocks_are_read,
    kv_cache.opening_state: cache_is_read,
    bpe.opening_state: pairs_are_read,
    hand_example.opening_state: example_is_read,
    multihead.opening_state: heads_are_read,
    chapter.chain: matrices_are_read,
}


@pytest.mark.parametrize("made", CHECKS, ids=lambda made: f"{made.__module__.split('.')[1]}.{made.__name__}")
def test_a_picture_says_what_was_computed(made: Callable[[], Picture]) -> None:
    CHECKS[made](made())


# Faults that must be noticed


def arrow_mirrored(figure: Figure) -> None:
    note = next(text for text in figure.axes[0].texts if getattr(text, "arrow_patch", None))
    note.xy, note.xyann = note.xyann, note.xy  # type: ignore[attr-defined]


def first_two(figure: Figure, *series: str) -> tuple[Any, Any]:
    lines = [line for axes in figure.axes for line in axes.get_lines() if drawings.read_series(line) in series]
    return lines[0], lines[1]


def data_swapped(*series: str) -> Callable[[Figure], None]:
    def swap(figure: Figure) -> None:
        one, other = first_two(figure, *series)
        before = one.get_xydata().T.copy()
        one.set_data(*other.get_xydata().T)
        other.set_data(*before)

    return swap


def texts_swapped(first: str, second: str) -> Callable[[Figure], None]:
    def swap(figure: Figure) -> None:
        texts = [text for axes in figure.axes for text in axes.texts]
        found = [next(text for text in texts if drawings.plain(text.get_text()) == said) for said in (first, second)]
        places = [text.get_position() for text in found]
        for text, place in zip(found, reversed(places)):
            text.set_position(place)
        if hasattr(found[0], "xy") and hasattr(found[1], "xy"):
            found[0].xy, found[1].xy = found[1].xy, found[0].xy

    return swap


def one_bar_longer(figure: Figure) -> None:
    bar = next(patch for patch in figure.axes[0].patches if drawings.read_series(patch) in ("bar", "cache"))
    bar.set(width=bar.get_width() + 7, height=bar.get_height() + 3)  # type: ignore[attr-defined]


def logarithmic(figure: Figure) -> None:
    figure.axes[-1].set_yscale("symlog")


def ticks_tenfold(figure: Figure) -> None:
    axes = figure.axes[-1]
    axes.set_yticks(axes.get_yticks(), [f"{text.get_text()}0" for text in axes.get_yticklabels()])


def line_elsewhere(figure: Figure) -> None:
    line = next(line for axes in figure.axes for line in axes.get_lines() if drawings.read_series(line) == "room")
    line.set_ydata([50, 50])


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        (chain.chain, arrow_mirrored),
        (rope.clocks, data_swapped("query", "key")),
        (rope.clocks, texts_swapped("q em 3, k em 1", "q em 10, k em 8")),
        (kv_cache.opening_state, data_swapped("MHA", "GQA")),
        (kv_cache.opening_state, texts_swapped("MHA", "GQA")),
        (kv_cache.opening_state, one_bar_longer),
        (kv_cache.opening_state, logarithmic),
        (kv_cache.opening_state, ticks_tenfold),
        (kv_cache.opening_state, line_elsewhere),
        (bpe.opening_state, one_bar_longer),
        (hand_example.opening_state, data_swapped("key", "key")),
        (hand_example.opening_state, texts_swapped("2,12", "8,34")),
        (multihead.opening_state, texts_swapped("cabeça 1: A", "cabeça 2: A")),
        (multihead.opening_state, texts_swapped("0,31", "0,62")),
        (chapter.chain, texts_swapped("Q", "K")),
        (chapter.chain, texts_swapped("0,31", "0,62")),
    ],
)
def test_a_wrong_drawing_is_noticed(made: Callable[[], Picture], fault: Callable[[Figure], None]) -> None:
    picture = made()
    fault(picture.figure)
    with pytest.raises(AssertionError):
        CHECKS[made](picture)

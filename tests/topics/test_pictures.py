"""Pictures read back from what was drawn, and held against the values, the ledger's alt text and what an eye would be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import drawings
import numpy as np
import pytest
from drawings import Drawing, as_dark_as, read
from matplotlib.figure import Figure

from figures import (
    backward,
    connections,
    hand_example,
    kv_cache,
    masks,
    multihead,
    real_model,
    recurrence,
    rope,
    scaling,
    score_matrix,
    shapes,
)
from figures.kit.formats import count, fixed, scientific
from figures.kit.show import Picture
from figures.kit.words import Words
from figures.kv_cache.arithmetic import passes
from figures.kv_cache.sketches import shared_by

two = fixed(2)


def lengths(drawing: Drawing, series: str) -> list[float]:
    """The heights of a series' bars, from the left; below the line they are negative."""
    bars = [bar for panel in drawing.panels for bar in panel.bars if bar.series == series]
    return [bar.height for bar in sorted(bars, key=lambda bar: bar.x)]


def nearest(drawing: Drawing, at: tuple[float, float]) -> str:
    """The text that stands nearest to a point of the canvas."""
    return min(drawing.texts(), key=lambda text: np.hypot(text.at[0] - at[0], text.at[1] - at[1])).text


# Each picture's check: raises where the drawing says something else than the values


def decay_is_read(picture: Picture) -> None:
    drawing = read(picture.figure)
    (panel,) = drawing.panels
    assert (panel.scale("x"), panel.scale("y")) == ("linear", "log")
    assert all(value == pytest.approx(10.0 ** _power(text), rel=1e-9) for text, value in panel.ticks("y").items())
    for name, made in (("rnn", recurrence.rnn), ("lstm", recurrence.lstm), ("attention", recurrence.attention)):
        curve = panel.curve(name)
        x, y = curve.points[-1]
        assert (x, y) == (recurrence.tokens("far").value, pytest.approx(made("far").value))
        (label,) = (text for text in panel.texts if text.series == name)
        assert label.text.endswith(drawings.plain(str(made("far")))) and label.colour == curve.look.colour
        assert label.at[1] == pytest.approx(panel.axes.transData.transform((x, y))[1], abs=8)
        assert drawings.plain(str(made("far"))) in drawings.plain(picture.alt)
    names = drawing.words()
    assert [name in " ".join(names) for name in ("RNN", "LSTM", "atenção")] == [True] * 3
    assert next(text.text for text in panel.texts if text.series == "rnn").startswith("RNN")


def _power(tick: str) -> int:
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    return 0 if tick == "1" else int(tick.removeprefix("10").translate(digits))


def division_is_read(picture: Picture) -> None:
    above, below = read(picture.figure).panels
    assert [(panel.scale("x"), panel.scale("y")) for panel in (above, below)] == [("log", "linear"), ("log", "log")]
    for panel, quantity in ((above, "largest"), (below, "gradient")):
        for name in ("divided", "undivided"):
            for x, y in panel.curve(name).points:
                measured = getattr(scaling.scaling_experiment.measured(int(x)), name)
                assert y == pytest.approx(getattr(measured, quantity))
            word = {"divided": "com", "undivided": "sem"}[name]
            assert [text.text for text in panel.texts if text.series == name] == [f"{word} √dk"]


def weights_map_is_read(picture: Picture) -> None:
    weights = score_matrix.weights(score_matrix.model.opening())
    heat, texts = read(picture.figure).panels[1], score_matrix.records().texts
    assert as_dark_as(heat.darkness(), weights)
    assert heat.labels("y") == heat.labels("x") == list(texts)


def real_heads_are_read(picture: Picture) -> None:
    of, drawing = real_model.measurement(), read(picture.figure)
    _, previous, first = drawing.panels
    for panel, rows in ((previous, of.previous_map), (first, of.first_map)):
        assert as_dark_as(panel.darkness(), real_model.triangle(rows))
        assert panel.labels("y") == [token.replace(" ", "␣") for token in of.shown]
    titles = [text.text for text in sorted(drawing.panels[0].texts, key=lambda text: -text.at[1])]
    assert [f"({of.previous_layer}, {of.previous_head})" in titles[0], f"({of.first_layer}, {of.first_head})" in titles[1]] == [True, True]
    dark = previous.darkness()
    assert np.diagonal(dark, -1).mean() > 3 * np.diagonal(dark).mean()
    assert first.darkness()[:, 0].min() > 3 * first.darkness()[1:, 1:].max()


def layers_are_read(picture: Picture) -> None:
    (panel,) = read(picture.figure).panels
    first, second = connections.sentences()
    thickest = connections.THICKEST
    for name in ("convolution", "attention"):
        curves = [curve for curve in panel.curves if curve.series == name]
        middle = np.mean([x for curve in curves for x in curve.points[:, 0]])
        for sentence, side in ((first, -1), (second, 1)):
            mine = [curve for curve in curves if (curve.points[:, 0].mean() - middle) * side > 0]
            columns = sorted({float(x) for curve in mine for x in curve.points[:, 0]})
            names = {round(x): nearest(read(picture.figure), (x, 10)) for x in columns}
            assert tuple(names.values()) == sentence.names
            seen = np.zeros((len(names), len(names)))
            places = list(names)
            for curve in mine:
                (below, low), (above, high) = curve.points
                assert low < high
                seen[places.index(round(above)), places.index(round(below))] = curve.width / thickest
            told = sentence.weights if name == "attention" else connections.convolution(len(names), connections.records().reach)
            assert seen == pytest.approx(told)
    assert all(two(weight) in picture.alt for sentence in (first, second) for weight in sentence.weights.ravel())


def arcs_are_read(picture: Picture) -> None:
    drawing = read(picture.figure)
    (panel,) = drawing.panels
    for sentence in connections.sentences():
        asking = sentence.names.index("banco")
        here = [text for text in panel.texts if text.text.split()[0] in sentence.names]
        level = {text.at[1] for text in here if text.text in sentence.names and text.text not in ("banco",)}
        arcs = [curve for curve in panel.curves if min(abs(curve.points[0, 1] - 22 - y) for y in level) < 8]
        assert len(arcs) == len(sentence.names) - 1
        for arc in arcs:
            ends = [nearest(drawing, (x, y - 22)).split()[0] for x, y in arc.points]
            assert "banco" in ends
            other = next(name for name in ends if name != "banco")
            assert arc.width / connections.THICKEST == pytest.approx(sentence.weights[asking, sentence.names.index(other)])
        assert f"banco {two(sentence.weights[asking, asking])}" in drawing.words()


def shapes_are_read(picture: Picture) -> None:
    drawing, of = read(picture.figure), shapes.tensors(*shapes.lab_sizes())
    bars = {bar.series: bar for panel in drawing.panels for bar in panel.bars}
    assert set(bars) == set(of)
    for name, (rows, columns) in of.items():
        assert (bars[name].width / bars["X"].width, bars[name].height / bars["X"].height) == (columns / of["X"][1], rows / of["X"][0])
        assert [text.text for text in drawing.texts() if text.series == name] == [name.replace("_", "")]
        assert f"{rows} × {columns}" in picture.alt.replace("\u00a0", " ")


def softmax_is_read(picture: Picture) -> None:
    drawing, made = read(picture.figure), scaling.two_softmaxes(scaling.d_k().value, scaling.keys().value)
    unit = lengths(drawing, "undivided")[0] / made["undivided"].max()
    for name, weights in made.items():
        assert lengths(drawing, name) == pytest.approx(weights * unit)
        largest = scaling.short_of_one(float(weights.max()))(weights.max())
        assert largest in drawing.words() and largest in picture.alt
    bars = drawing.panels[0].bars
    low = {name: min(bar.y for bar in bars if bar.series == name) for name in made}
    over = {text.text[:3]: text.at[1] for text in drawing.texts() if "√" in text.text}
    assert low["divided"] < over["com"] < low["undivided"] < over["sem"]


def hands_are_read(picture: Picture) -> None:
    (panel,) = read(picture.figure).panels
    speed = rope.speeds(8, rope.records().base)
    middle = panel.axes.get_xlim()[1] / 2
    for side, turn, positions in ((-1, speed[0], rope.records().hands.fast), (1, speed[-1], rope.records().hands.slow)):
        hands = [curve.points for curve in panel.curves if (curve.points[0, 0] - middle) * side > 0]
        angles = [float(np.arctan2(tip[0] - start[0], tip[1] - start[1]) % (2 * np.pi)) for start, tip in hands]
        assert angles == pytest.approx([turn * at for at in positions])
        beyond = [start + (tip - start) * 74 / 54 for start, tip in hands]
        assert [nearest(read(picture.figure), (x, y)) for x, y in beyond] == [count()(at) for at in positions]


def saturated_rows_are_read(picture: Picture) -> None:
    drawing = read(picture.figure)
    bars = drawing.panels[0].bars
    highest = max(bar.y for bar in bars)
    units = {name: max(abs(length) for length in lengths(drawing, name)) for name in ("attention", "gradient")}
    most = {"attention": backward.row_drawn()[1].weights.max(), "gradient": np.abs(backward.row_drawn()[0].gradient).max()}
    for seen, upper in zip(backward.row_drawn(), (True, False)):
        for name, told in (("attention", seen.weights), ("gradient", seen.gradient)):
            mine = sorted((bar for bar in bars if bar.series == name and (bar.y > highest - 80) == upper), key=lambda bar: bar.x)
            assert [bar.height for bar in mine] == pytest.approx(told * units[name] / most[name])
    assert f"maior: {two(backward.row_drawn()[1].weights.max())}" in drawing.words()


def triangle_is_read(picture: Picture) -> None:
    n, drawing = kv_cache.controls().steps_drawn, read(picture.figure)
    bars = drawing.panels[0].bars
    middle = (min(bar.x for bar in bars) + max(bar.x for bar in bars)) / 2
    for side, cached in ((-1, False), (1, True)):
        mine = [bar for bar in bars if (bar.x - middle) * side > 0]
        columns, rows = (sorted({getattr(bar, axis) for bar in mine}) for axis in ("x", "y"))
        filled = {(n - 1 - rows.index(bar.y), columns.index(bar.x)) for bar in mine if bar.series == "recomputed"}
        assert filled == ({(t, t) for t in range(n)} if cached else {(t, j) for t in range(n) for j in range(t + 1)})
        assert len(filled) == passes(n, cached) and any(f"{passes(n, cached)}" in text for text in drawing.words())
        assert len(mine) == passes(n, cached=False)


def sharing_is_read(picture: Picture) -> None:
    heads, drawing = kv_cache.controls().heads_drawn, read(picture.figure)
    (panel,) = drawing.panels
    names = sorted((text for text in panel.texts if text.text in ("MHA", "MQA", "GQA", "MLA")), key=lambda text: text.at[0])
    assert [text.text for text in names] == [scheme.id for scheme in kv_cache.schemes().schemes]
    links = [line.get_xydata() for line in panel.axes.get_lines() if len(line.get_xydata()) == 2 and line.get_marker() == "None"]
    edges = [text.at[0] for text in names] + [np.inf]
    for scheme, left, right in zip(kv_cache.schemes().schemes, edges, edges[1:]):
        mine = sorted((link for link in links if left < link[0, 0] < right), key=lambda link: link[0, 0])
        ends = [round(float(link[1, 0])) for link in mine]
        read_by = [sorted(set(ends)).index(end) for end in ends]
        assert read_by == shared_by(scheme, heads)
        keys = [curve for curve in panel.curves if curve.series == "key" and left < curve.points[0, 0] < right]
        assert len(keys) == (0 if scheme.keeps == "latent" else len(set(ends)))
    assert f"{count()(heads)} cabeças" in picture.alt


def masks_are_read(picture: Picture) -> None:
    drawing = read(picture.figure)
    texts = drawing.texts()
    titles = sorted(
        (text for text in texts if text.text not in ("0", "−∞") and not text.text.startswith("quem")), key=lambda text: text.at[0]
    )
    schemes = masks.model.records().schemes
    assert [text.text.split(",")[0] for text in titles] == [Words("masks")(f"kinds.{scheme.id}.name") for scheme in schemes]
    cells = [text for text in texts if text.text in ("0", "−∞")]
    for title, scheme in zip(titles, schemes):
        mine = [text for text in cells if abs(text.at[0] - title.at[0]) < 90]
        n = masks.model.records().drawn.tokens
        lines = sorted(mine, key=lambda text: -text.at[1])
        rows = [sorted(lines[n * i : n * (i + 1)], key=lambda text: text.at[0]) for i in range(n)]
        seen = [[text.text == "0" for text in row] for row in rows]
        assert seen == (masks.kinds.matrix(scheme.id) == 0).tolist()


def plane_is_read(picture: Picture) -> None:
    (panel,) = [panel for panel in read(picture.figure).panels if panel.curves]
    example = hand_example.example()
    assert panel.curve("query").points.tolist() == [[0, 0], list(example.query)]
    keys = {tuple(curve.points[0].tolist()): curve for curve in panel.curves if curve.series == "key"}
    for token in example.tokens:
        x, y = panel.axes.transData.transform(token.key)
        assert tuple(token.key) in keys and nearest(read(picture.figure), (x + 40, y + 14)) == token.name
    assert (panel.ticks("x")["1"], panel.ticks("y")["2"]) == (1, 2)


def columns_are_read(picture: Picture) -> None:
    cells = read(picture.figure).panels[0].bars
    Q, heads = multihead.example()[0], multihead.head_count()
    before, after = cells[: Q.size], cells[Q.size :]
    columns = sorted({cell.x for cell in before})
    assert len(columns) == Q.shape[1] and len(after) == len(before)
    for head in range(1, heads + 1):
        mine, theirs = ([cell for cell in part if cell.series == f"head {head}"] for part in (before, after))
        width = Q.shape[1] // heads
        assert {columns.index(cell.x) for cell in mine} == set(range((head - 1) * width, head * width))
        assert {cell.colour for cell in mine} == {cell.colour for cell in theirs} and len(mine) == len(theirs)
    in_order = [cell.series for cell in sorted(after, key=lambda cell: cell.x)]
    assert in_order == sorted(in_order)  # the heads stand beside each other as they are counted


CHECKS: dict[Callable[[], Picture], Callable[[Picture], None]] = {
    recurrence.decay: decay_is_read,
    scaling.against_d_k: division_is_read,
    score_matrix.opening_state: weights_map_is_read,
    real_model.two_heads: real_heads_are_read,
    connections.two_layers: layers_are_read,
    connections.arcs: arcs_are_read,
    shapes.to_scale: shapes_are_read,
    scaling.one_softmax: softmax_is_read,
    rope.fast_and_slow: hands_are_read,
    backward.two_rows: saturated_rows_are_read,
    kv_cache.triangle_and_line: triangle_is_read,
    kv_cache.heads_and_keys: sharing_is_read,
    masks.four_matrices: masks_are_read,
    hand_example.query_and_keys: plane_is_read,
    multihead.columns_become_heads: columns_are_read,
}


@pytest.mark.parametrize("made", CHECKS, ids=lambda made: f"{made.__module__.split('.')[1]}.{made.__name__}")
def test_a_picture_says_what_was_computed(made: Callable[[], Picture]) -> None:
    picture = made()
    CHECKS[made](picture)
    assert all(text.get_fontsize() >= 18 for text in picture.figure.findobj(drawings.Text) if text.get_text().strip())


# Faults that must be noticed


def linear(figure: Figure) -> None:
    figure.axes[0].set_yscale("linear")


def labels_swapped(figure: Figure) -> None:
    first, second = [text for text in figure.axes[0].texts if drawings.read_series(text)][:2]
    one, other = first.get_text(), second.get_text()
    first.set_text(other)
    second.set_text(one)


def _mesh(figure: Figure, panel: int) -> Any:
    return figure.axes[panel].collections[0]


def transposed(figure: Figure) -> None:
    mesh = _mesh(figure, 1)
    mesh.set_array(mesh.get_array().T)


def reversed_colours(figure: Figure) -> None:
    mesh = _mesh(figure, 1)
    mesh.set_cmap(mesh.get_cmap().reversed())


def rows_upside_down(figure: Figure) -> None:
    figure.axes[1].invert_yaxis()


def one_line_too_thick(figure: Figure) -> None:
    figure.axes[0].get_lines()[0].set_linewidth(9)


def one_bar_too_high(figure: Figure) -> None:
    patch = figure.axes[0].patches[1]
    patch.set_height(patch.get_height() + 3)


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        (recurrence.decay, linear),
        (recurrence.decay, labels_swapped),
        (scaling.against_d_k, labels_swapped),
        (score_matrix.opening_state, transposed),
        (score_matrix.opening_state, reversed_colours),
        (score_matrix.opening_state, rows_upside_down),
        (real_model.two_heads, transposed),
        (real_model.two_heads, reversed_colours),
        (real_model.two_heads, rows_upside_down),
        (connections.two_layers, one_line_too_thick),
        (scaling.one_softmax, one_bar_too_high),
        (backward.two_rows, one_bar_too_high),
        (shapes.to_scale, one_bar_too_high),
    ],
)
def test_a_wrong_drawing_is_noticed(made: Callable[[], Picture], fault: Callable[[Figure], None]) -> None:
    picture = made()
    fault(picture.figure)
    with pytest.raises(AssertionError):
        CHECKS[made](picture)


def test_a_last_value_in_the_alt_text_is_the_drawn_one() -> None:
    picture = recurrence.decay()
    drawn = read(picture.figure).panels[0].curve("rnn").points[-1, 1]
    assert scientific(1)(drawn) in picture.alt

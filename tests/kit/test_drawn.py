"""Whatever a figure draws with, its data is in the ledger: moving one number of it changes what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from figures.kit.errors import Problem
from figures.kit.json_values import json_text
from figures.kit.show import Picture
from figures.kit.show.drawn import drawn

X = np.arange(4.0)


def pair(rows: Any) -> Any:
    return np.outer(rows, [1.0, 2.0])


# One of each way to draw: what is given is the axes, then a number that the drawing shows.
WAYS: dict[str, Callable[[Any, float], Any]] = {
    "line": lambda ax, y: ax.plot(X, [0, 1, y, 3]),
    "step": lambda ax, y: ax.step(X, [0, 1, y, 3]),
    "stairs": lambda ax, y: ax.stairs([1, y, 3], X),
    "point": lambda ax, y: ax.scatter(X, [0, 1, y, 3]),
    "point's size": lambda ax, y: ax.scatter(X, X, s=[9, 9, 9 * y, 9]),
    "point's value": lambda ax, y: ax.scatter(X, X, c=[0, 1, y, 3]),
    "bar": lambda ax, y: ax.bar(X, [1, 2, y, 3]),
    "bar that lies": lambda ax, y: ax.barh(X, [1, 2, y, 3]),
    "broken bar": lambda ax, y: ax.broken_barh([(0, y)], (0, 1)),
    "bars of counts": lambda ax, y: ax.hist([0, 1, 1, y - 0.5], bins=[0, 2, 5, 9]),
    "slice": lambda ax, y: ax.pie([1, 2, y]),
    "fill": lambda ax, y: ax.fill_between(X, [0, 1, y, 3]),
    "polygon": lambda ax, y: ax.fill([0, 1, y], [0, 1, 0]),
    "stack": lambda ax, y: ax.stackplot(X, [1, 2, y, 3], [1, 1, 1, 1]),
    "whisker": lambda ax, y: ax.errorbar(X, X, yerr=[1, 1, y, 1]),
    "stem": lambda ax, y: ax.stem(X, [0, 1, y, 3]),
    "box": lambda ax, y: ax.boxplot([[1, 2, y, 3, 4]]),
    "violin": lambda ax, y: ax.violinplot([[1, 2, y, 3, 4]]),
    "event": lambda ax, y: ax.eventplot([0, 1, y, 3]),
    "segments": lambda ax, y: ax.vlines(X, 0, [1, 2, y, 3]),
    "level line": lambda ax, y: ax.axhline(y),
    "band": lambda ax, y: ax.axvspan(0, y),
    "arrow": lambda ax, y: ax.arrow(0, 0, 1, y),
    "field of arrows": lambda ax, y: ax.quiver(X, X, [0, 1, y, 3], X),
    "barbs": lambda ax, y: ax.barbs(X, X, [0, 10, 10 * y, 30], X),
    "image": lambda ax, y: ax.imshow([[0, 1], [y, 3]]),
    "image's place": lambda ax, y: ax.imshow([[0, 1], [2, 3]], extent=(0, y, 0, 1)),
    "mesh": lambda ax, y: ax.pcolormesh([[0, 1], [y, 3]]),
    "mesh's edges": lambda ax, y: ax.pcolormesh([0, 1, y], [0, 1, 2], [[0, 1], [2, 3]]),
    "level": lambda ax, y: ax.contour([[0, 1], [y, 3]]),
    "filled level": lambda ax, y: ax.contourf([[0, 1], [y, 3]], levels=[0, 1, 2.2, 3, 9]),
    "hexagons": lambda ax, y: ax.hexbin(X, X, C=[0, 1, y, 3], gridsize=4, extent=(0, 5, 0, 5)),
    "triangles": lambda ax, y: ax.triplot([0, 1, 0, y], [0, 0, 1, 1]),
    "label's place": lambda ax, y: ax.text(1, y, "aqui"),
    "label's point": lambda ax, y: ax.annotate("aqui", (1, y), xytext=(8, 0), textcoords="offset pixels"),
    "table": lambda ax, y: ax.table([["1", "2"]], bbox=(0, 0, 1, y)),
    "axes inside axes": lambda ax, y: ax.inset_axes((0, 0, 0.5, 0.5)).plot(X, [0, 1, y, 3]),
    "twin axes": lambda ax, y: ax.twinx().plot(X, [0, 1, y, 3]),
    "scatter in a twin": lambda ax, y: ax.twiny().scatter(X, [0, 1, y, 3]),
    "end of an axis": lambda ax, y: ax.set_xlim(0, y),
    "patch of the figure": lambda ax, y: ax.figure.add_artist(Rectangle((0, 0), 0.5, y / 10)),
    "text of the figure": lambda ax, y: ax.figure.text(0.5, y / 10, "aqui"),
    "subfigure": lambda ax, y: ax.figure.subfigures().subplots().scatter(X, [0, 1, y, 3]),
}


def kept(draw: Callable[[Any, float], Any], y: float) -> str:
    figure = Figure()
    draw(figure.add_subplot(xlim=(0, 5), ylim=(0, 5)), y)
    figure.draw_without_rendering()
    return json_text(drawn(figure))


@pytest.mark.parametrize("way", WAYS)
def test_a_number_that_is_drawn_is_kept(way: str):
    assert kept(WAYS[way], 2.0) == kept(WAYS[way], 2.0)
    assert kept(WAYS[way], 2.0) != kept(WAYS[way], 2.5), "another number, and the ledger keeps the same"


def test_a_straight_scale_and_one_by_powers_differ():
    assert kept(lambda ax, y: ax.set(xlim=(1, 5), xscale="log"), 0) != kept(lambda ax, y: ax.set(xlim=(1, 5)), 0)


def test_an_axis_that_runs_the_other_way_is_kept():
    assert kept(lambda ax, y: ax.invert_yaxis(), 0) != kept(lambda ax, y: None, 0)


def test_the_points_of_a_scatter_by_hand():
    figure = Figure()
    figure.add_subplot().scatter([1, 2], [3, 4], s=[10, 20])
    ((points, sizes),) = drawn(figure)["axes"][0]["points"]
    assert points.tolist() == [[1, 3], [2, 4]] and sizes.tolist() == [10, 20]


def test_a_bar_is_kept_by_its_corners():
    figure = Figure()
    figure.add_subplot().bar([1], [5], width=2)
    (corners,) = drawn(figure)["axes"][0]["patches"]
    assert corners.min(axis=0).tolist() == [0, 0] and corners.max(axis=0).tolist() == [2, 5]


OUTSIDE: dict[str, Callable[[Any], Any]] = {
    "a curve": lambda ax: ax.plot(X, [1, 1e-6, 1, 1]),
    "a curve's end": lambda ax: ax.plot([0.5, 20], [0.5, 0.5]),
    "a point": lambda ax: ax.scatter([0.5, 3], [0.5, 0.5]),
    "a bar": lambda ax: ax.bar([0.5], [7], width=0.1),
    "what powers of ten can't show": lambda ax: (ax.set_yscale("log"), ax.set_ylim(0.1, 1), ax.plot([0.2, 0.3], [0.5, 0])),
}


@pytest.mark.parametrize("what", OUTSIDE)
def test_a_picture_that_cuts_off_what_it_shows_is_refused_by_name(what: str):
    figure = Figure()
    axes = figure.add_subplot()
    OUTSIDE[what](axes)
    axes.set(xlim=(0, 1), ylim=(0.1, 1))
    with pytest.raises(Problem, match=r"the picture .*: the point \(.*\) lies outside its axes"):
        Picture(figure, "uma figura")._repr_markdown_()
    assert "<svg" in Picture(figure, "uma figura", cut=True)._repr_markdown_()


def test_a_picture_that_holds_its_data_is_shown_gaps_and_level_lines_too():
    figure = Figure()
    axes = figure.add_subplot()
    axes.plot([0, 1, 2, 3], [0, 1, np.nan, 0.5])
    axes.bar([1], [1])
    axes.axhline(0.5)
    axes.set(xlim=(0, 3), ylim=(0, 1))
    assert "<svg" in Picture(figure, "uma figura")._repr_markdown_()


def test_what_is_hidden_is_not_shown():
    figure = Figure()
    figure.add_subplot().plot(X, X, visible=False)
    assert drawn(figure)["axes"][0]["lines"] == []

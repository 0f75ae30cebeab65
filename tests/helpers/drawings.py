"""A picture read back from what was drawn: the artists of its matplotlib Figure, not the numbers that it was made from.

`read(figure)` gives what an eye would find: lines and marks with their looks, bars, cells with their shades in the order in
which they stand, texts with their places, ticks with their scale. Artists that belong to a series carry its name as label.
Formulas come as plain letters: "𝑑ₖ" is "dk".
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Arc, FancyArrowPatch, Rectangle
from matplotlib.text import Text

from figures.kit.colour import contrast


class Look(NamedTuple):
    """How a line or mark is drawn; `dash` is its strokes and gaps in widths of the line, empty where it has no gap or no line."""

    colour: str
    dash: tuple[float, ...]
    marker: str


class Curve(NamedTuple):
    """A line, an arc or a mark of a series: its points in the units of its axes."""

    series: str
    points: np.ndarray
    look: Look
    size: float  # of its marker
    width: float  # of its line


class Bar(NamedTuple):
    """A filled rectangle that has a label: its place and size in the units of its axes."""

    series: str
    x: float
    y: float
    width: float
    height: float
    colour: str


class Written(NamedTuple):
    """A text: what it says, the series it is of, its middle in pixels of the canvas from the lower left, its colour and weight."""

    text: str
    series: str
    at: tuple[float, float]
    colour: str
    bold: bool


class Arrow(NamedTuple):
    """An arrow from one point to another, in pixels of the canvas."""

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str
    width: float


@dataclass(frozen=True)
class Panel:
    """One set of axes."""

    axes: Axes
    curves: list[Curve]
    bars: list[Bar]
    texts: list[Written]
    arrows: list[Arrow]

    def curve(self, series: str) -> Curve:
        """The one line of a series that has more than one point, or its only mark."""
        mine = [curve for curve in self.curves if curve.series == series]
        lines = [curve for curve in mine if len(curve.points) > 1] or mine
        assert len(lines) == 1, f"{len(lines)} lines of {series}"
        return lines[0]

    def ticks(self, side: str) -> dict[str, float]:
        """What the ticks in sight say, and where they stand."""
        axis = getattr(self.axes, f"{side}axis")
        low, high = sorted(getattr(self.axes, f"get_{side}lim")())
        shown = zip(axis.get_ticklabels(), axis.get_ticklocs())
        return {plain(label.get_text()): float(at) for label, at in shown if low <= at <= high and label.get_visible()}

    def scale(self, side: str) -> str:
        """Whether an axis is linear or logarithmic."""
        kind: str = getattr(self.axes, f"get_{side}scale")()
        return kind

    def darkness(self) -> np.ndarray:
        """How dark each cell is, 1 to 21, rows and columns as the eye finds them: the first row on top, the first column at the left."""
        (mesh,) = [one for one in self.axes.collections if isinstance(one, QuadMesh)]
        shape = np.shape(mesh.get_array())
        mesh.update_scalarmappable()
        painted = mesh.get_facecolors().reshape(*shape, 4)
        rows = [[contrast(tuple(1 - alpha * (1 - np.array(rgb))), (1, 1, 1)) for *rgb, alpha in row] for row in painted]
        return _as_seen(self.axes, np.array(rows))

    def labels(self, side: str) -> list[str]:
        """The ticks' texts as the eye finds them: from the left, or from the top."""
        low, high = getattr(self.axes, f"get_{side}lim")()
        forwards = (low < high) == (side == "x")
        shown = sorted(self.ticks_in_order(side), key=lambda one: one[1], reverse=not forwards)
        return [text for text, _ in shown]

    def ticks_in_order(self, side: str) -> list[tuple[str, float]]:
        axis = getattr(self.axes, f"{side}axis")
        return [(plain(label.get_text()), float(at)) for label, at in zip(axis.get_ticklabels(), axis.get_ticklocs())]


@dataclass(frozen=True)
class Drawing:
    """A whole picture."""

    panels: list[Panel]

    def texts(self) -> list[Written]:
        return [text for panel in self.panels for text in panel.texts]

    def words(self) -> list[str]:
        return [one.text for one in self.texts()]

    def looks(self) -> dict[str, Look]:
        """Each series with its look: the colour and dash of its line, the marker of its marks; for bars their colour alone."""
        found: dict[str, Look] = {}
        for panel in self.panels:
            for curve in panel.curves:
                before = found.get(curve.series, curve.look)
                assert before.colour == curve.look.colour, f"{curve.series} has two colours"
                found[curve.series] = Look(before.colour, before.dash or curve.look.dash, before.marker or curve.look.marker)
            for bar in panel.bars:
                found.setdefault(bar.series, Look(bar.colour, (), ""))
        return found

    def named(self, series: str) -> list[str]:
        """The texts of a series."""
        return [one.text for one in self.texts() if one.series == series]


NUMERAL = re.compile(r"[−+]?\d+(?:,\d+)?")


def grids(texts: list[Written], titles: list[str]) -> dict[str, list[list[str]]]:
    """The numbers below each of some titles, as rows from the top and columns from the left: each goes to the nearest title over it."""
    heads = {title: next(text.at for text in texts if text.text == title) for title in titles}
    lines = sorted({round(at[1]) for at in heads.values()}, reverse=True)
    found: dict[str, list[Written]] = {title: [] for title in titles}
    for text in texts:
        above = [line for line in lines if line > text.at[1] + 4]
        if NUMERAL.fullmatch(text.text) and above:
            mine = {title: at for title, at in heads.items() if round(at[1]) == above[-1]}
            found[min(mine, key=lambda title: abs(mine[title][0] - text.at[0]))].append(text)
    return {title: _rows(cells) for title, cells in found.items()}


def _rows(cells: list[Written]) -> list[list[str]]:
    """Texts of one height are one row."""
    heights = sorted({round(cell.at[1] / 8) for cell in cells}, reverse=True)
    rows = [[cell for cell in cells if round(cell.at[1] / 8) == height] for height in heights]
    return [[cell.text for cell in sorted(row, key=lambda cell: cell.at[0])] for row in rows]


def as_dark_as(darkness: np.ndarray, weights: np.ndarray) -> bool:
    """Whether cells are the darker the larger their weights; nan stands for a cell that isn't painted, so that none is paler."""
    given = np.nan_to_num(weights, nan=-1.0)
    order = np.argsort(given, axis=None, kind="stable")
    dark, sorted_weights = darkness.ravel()[order], given.ravel()[order]
    rises = np.diff(dark) >= -1e-9
    clearly = dark[np.searchsorted(sorted_weights, 0.5)] > 2 * dark[0] if sorted_weights[-1] > 0.5 else dark[-1] > dark[0]
    return darkness.shape == weights.shape and bool(rises.all() and clearly)


def read(figure: Figure) -> Drawing:
    figure.draw_without_rendering()
    return Drawing([_panel(axes) for axes in figure.axes])


def plain(text: str) -> str:
    """A text without the marks of formulas: plain("$\\\\mathrm{𝑑_{𝑘}}$ = 2") -> "dk = 2", and no-break spaces as spaces."""
    text = re.sub(r"\\mathrm|\\,|[${}^_]", lambda mark: " " if mark[0] == r"\," else "", text)
    return " ".join(_letters(text).split())


def _letters(text: str) -> str:
    """The same characters, the math font's italics as plain letters; other characters stay as they are."""
    return "".join(unicodedata.normalize("NFKC", one) if "\U0001d400" <= one <= "\U0001d7ff" or one in "ℎ\u00a0" else one for one in text)


def _panel(axes: Axes) -> Panel:
    return Panel(
        axes,
        [_curve(line) for line in axes.get_lines() if read_series(line)] + [_arc(one) for one in axes.patches if isinstance(one, Arc)],
        [_bar(patch) for patch in axes.patches if read_series(patch) and isinstance(patch, Rectangle)],
        [_written(text) for text in _all_texts(axes) if text.get_visible() and text.get_text().strip()],
        [_arrow(one) for one in axes.findobj(FancyArrowPatch)]
        + [_pointing(note) for note in axes.texts if getattr(note, "arrow_patch", 0)],
    )


def read_series(artist: Any) -> str:
    label = str(artist.get_label())
    return "" if label.startswith("_") or label == "None" else label


def _curve(line: Line2D) -> Curve:
    has_line = line.get_linestyle() not in ("None", "none", "", " ")
    strokes = line._unscaled_dash_pattern[1] if has_line else None  # type: ignore[attr-defined]  # no public way to it
    marker = "" if line.get_marker() in ("None", "none", "", " ", None) else str(line.get_marker())
    look = Look(to_hex(line.get_color()).upper(), tuple(map(float, strokes or ())), marker)
    return Curve(read_series(line), np.asarray(line.get_xydata(), float), look, line.get_markersize(), line.get_linewidth())


def _arc(arc: Arc) -> Curve:
    """An arc by its two ends."""
    (x, y), half = arc.get_center(), arc.get_width() / 2
    look = Look(to_hex(arc.get_edgecolor()).upper(), (), "")
    return Curve(read_series(arc), np.array([[x - half, y], [x + half, y]]), look, 0, arc.get_linewidth())


def _bar(patch: Rectangle) -> Bar:
    x, y, width, height = *patch.get_xy(), patch.get_width(), patch.get_height()
    return Bar(read_series(patch), x, y, width, height, to_hex(patch.get_facecolor()).upper())


def _all_texts(axes: Axes) -> list[Text]:
    ticks = [*axes.xaxis.get_ticklabels(), *axes.yaxis.get_ticklabels()] if axes.axison else []
    titles = [axes.title, axes._left_title, axes._right_title]  # type: ignore[attr-defined]  # titles at a side are private
    return [*axes.texts, *ticks, *titles, *([axes.xaxis.label, axes.yaxis.label] if axes.axison else [])]


def _written(text: Text) -> Written:
    box, colour = text.get_window_extent(), to_hex(text.get_color()).upper()
    bold = str(text.get_fontweight()) in ("600", "bold", "semibold")
    return Written(plain(text.get_text()), read_series(text), ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2), colour, bold)


def _arrow(arrow: FancyArrowPatch) -> Arrow:
    vertices = arrow.get_path().vertices
    ends = arrow.get_transform().transform(vertices[[0, -1]]) if arrow.get_transform() else vertices[[0, -1]]
    (start, end) = [(float(x), float(y)) for x, y in ends]
    return Arrow(start, end, to_hex(arrow.get_edgecolor()).upper(), arrow.get_linewidth())


def _pointing(note: Any) -> Arrow:
    """The arrow of an annotation, from where its text would stand to what it points at."""
    transform = note.axes.transData.transform
    start, end = [(float(x), float(y)) for x, y in transform([note.xyann, note.xy])]
    return Arrow(start, end, to_hex(note.arrow_patch.get_edgecolor()).upper(), note.arrow_patch.get_linewidth())


def _as_seen(axes: Axes, rows: np.ndarray) -> np.ndarray:
    """Cells whose first row is at y = 0, as the axes' limits turn them."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    rows = rows if bottom > top else rows[::-1]
    return rows if left < right else rows[:, ::-1]

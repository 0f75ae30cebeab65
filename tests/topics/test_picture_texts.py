"""Whatever picture a page can show without naming anything: its texts keep apart, so that each can be read."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from figures.kit import style
from figures.kit.modules import modules, topic
from figures.kit.show import Picture

APART = 4.0  # pixels of a slide
LINE = 0.4  # of a text's height: two that share less stand in different lines, for a rectangle is higher than its letters


class Box(NamedTuple):
    """A text of a picture and the rectangle that it covers."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


def pictures() -> Iterator[tuple[str, Callable[[], Picture]]]:
    """Every function of a page that draws a picture and needs no argument."""
    for module in modules():
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                signature = inspect.signature(function)
                if str(signature.return_annotation) == "Picture" and not signature.parameters:
                    yield f"{topic(function)}.{function.__name__}", function


PICTURES = dict(pictures())


def boxes(drawing: Figure) -> list[Box]:
    """The upright and the level texts; one that stands slanted covers less than its rectangle."""
    canvas = FigureCanvasAgg(drawing)
    canvas.draw()
    texts = [text for text in drawing.findobj(Text) if isinstance(text, Text) and text.get_visible() and text.get_text().strip()]
    scale = 72 / drawing.dpi
    extents = [(text.get_text(), text.get_window_extent(canvas.get_renderer())) for text in texts if text.get_rotation() % 90 == 0]
    return [Box(text, *(side * scale for side in (box.x0, box.y0, box.x1, box.y1))) for text, box in extents]


def touching(drawing: Figure) -> list[str]:
    """The pairs of texts that stand in one line with less than a hair between them, or one over the other."""
    return [
        f"“{one.text}” and “{other.text}”"
        for one, other in combinations(dict.fromkeys(boxes(drawing)), 2)
        if max(one.left, other.left) - min(one.right, other.right) < APART
        and min(one.top, other.top) - max(one.bottom, other.bottom) > LINE * min(one.top - one.bottom, other.top - other.bottom)
    ]


@pytest.mark.parametrize("name", PICTURES)
def test_the_texts_of_a_picture_keep_apart(name: str) -> None:
    assert touching(PICTURES[name]().figure) == []


@pytest.mark.parametrize(("at", "found"), [(10.0, 1), (60.0, 0)])
def test_two_texts_that_touch_are_told(at: float, found: int) -> None:
    drawing, page = style.canvas(200, 40, bare=True)
    page.text(0, 20, "peso")
    page.text(at, 20, "soma")
    assert len(touching(drawing)) == found

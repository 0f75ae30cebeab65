"""What a page shows: raw values become Markdown here, and only here.

The four decorators turn a function that returns raw values into one that a slide can call:
`@number` (a value and its format), `@word` (a word that numbers choose), `@table`, `@figure`.
What they return remembers its raw value and the function that made it. Writes no file.
Where a person runs the cell in Jupyter, no page is made: values show as plain Markdown there, pictures as SVG.
"""

from __future__ import annotations

import base64
import functools
import html
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from figures.kit import formats, ledger, readings
from figures.kit.formats import Format
from figures.kit.ledger import Known, Origin

if TYPE_CHECKING:
    from matplotlib.figure import Figure

P = ParamSpec("P")
V = TypeVar("V")
S = TypeVar("S", "Table", "Listing", "Markdown", "Picture")  # what an origin is stamped on
_FENCE = "`" * 3


@dataclass(frozen=True)
class Shown(Generic[V]):
    """One value as the page shows it: `.value` is raw, `.text` what a reader sees, `.tex` the same inside a formula.

    Displayed on a page it is entered in the ledger and marked with its number there.
    """

    value: V
    format: Format
    origin: Origin

    @property
    def text(self) -> str:
        return self.format(self.value)

    @property
    def tex(self) -> Formula:
        """For use between dollar signs: "0,62" -> \\text{0,62}."""
        return Formula(self)

    def to(self, format: Format) -> Shown[V]:
        """The same value in another format."""
        return replace(self, format=format)

    def __str__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        if by_hand():
            return self.text
        what = "word" if self.format.name == "text" else "number"
        return mark(self.text, ledger.add(what, self.value, self.text, self.origin, self.format.name, self.format.unit))


@dataclass(frozen=True)
class Formula:
    """A shown value inside a formula; math holds no marks, so the page finds it by its text, in order."""

    shown: Shown[Any]

    def __str__(self) -> str:
        return formats.to_tex(self.shown.text)

    def _repr_markdown_(self) -> str:
        shown = self.shown
        if by_hand():
            return str(self)
        ledger.add("formula", shown.value, shown.text, shown.origin, shown.format.name, shown.format.unit)
        return str(self)


@dataclass(frozen=True)
class Markdown:
    """Text that is already Markdown, displayed as it is; what a `@block` function returns is entered in the ledger."""

    text: str
    origin: Origin | None = None

    def __str__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        if not self.origin or by_hand():
            return self.text
        n = ledger.add("text", self.text, self.text.strip(), self.origin)
        return f'\n::: {{.block n="{n}"}}\n{self.text}\n:::\n'


@dataclass(frozen=True)
class Column:
    """A column of a table: heading (Markdown, unit included), the format of its numbers, its side, its role (q, k, v)."""

    heading: str
    format: Format = field(default_factory=formats.text)
    align: str | None = None  # left, right or center; numbers go right, text left
    role: str = ""

    @property
    def side(self) -> str:
        return self.align or ("left" if self.format.name == "text" else "right")


@dataclass(frozen=True)
class Cell:
    """A cell that differs from its column: another format, a class such as `best` or `q`."""

    value: Any
    format: Format | None = None
    role: str = ""


@dataclass(frozen=True)
class Table:
    """Raw values in rows under columns. A text cell is Markdown; `None` is an empty cell."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    origin: Origin | None = None
    classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.columns):
                raise ValueError(f"row {number} has {len(row)} cells for {len(self.columns)} columns: {list(row)!r}")

    def texts(self) -> list[list[str]]:
        """The cells as shown, row by row, headings left out; what tests compare with."""
        return [[_cell_text(value, column) for value, column in zip(row, self.columns)] for row in self.rows]

    def _repr_markdown_(self) -> str:
        if by_hand():
            return self._plain()
        headings = [column.heading for column in self.columns]
        n = ledger.add("table", self._raw(), self.caption, self.origin) if self.origin else 0
        body = [
            [_cell(value, column, f"{n}-{i}-{j}" if n else "") for j, (value, column) in enumerate(zip(row, self.columns), 1)]
            for i, row in enumerate(self.rows, 1)
        ]
        widths = [max(3, *(_visible_length(line[i]) for line in [headings, *body])) for i in range(len(headings))]
        rules = [_rule(width, column.side) for width, column in zip(widths, self.columns)]
        lines = [_line(headings), _line(rules), *(_line(row) for row in body)]
        caption = f"\n\n: {self.caption}" if self.caption else ""
        known = (f"table-{_class_name(self.origin)}",) if self.origin else ()
        attributes = " ".join([*(f".{name}" for name in (*known, *self.classes)), *([f'n="{n}"'] if n else [])])
        opening, closing = (f"::: {{{attributes}}}\n", "\n:::") if attributes else ("", "")
        return f"\n{opening}\n" + "\n".join(lines) + f"{caption}\n{closing}\n"

    def _plain(self) -> str:
        """The table in the Markdown of notebooks, which knows no `[text]{.class}`."""
        lines = [[column.heading for column in self.columns], *self.texts()]
        head, *body = [_line([re.sub(r"\[([^][]*)\]\{[^}]*\}", r"\1", cell).replace("|", r"\|") for cell in line]) for line in lines]
        return "\n".join([head, _line([_rule(3, column.side) for column in self.columns]), *body])

    def _raw(self) -> dict[str, Any]:
        """The table as the ledger keeps it: headings, raw values, and what a reader sees."""
        raw = [[value.value if isinstance(value, (Cell, Shown)) else value for value in row] for row in self.rows]
        columns = [{"heading": column.heading, "format": column.format.name, "unit": column.format.unit} for column in self.columns]
        return {"columns": columns, "rows": raw, "texts": self.texts(), "caption": self.caption}


@dataclass(frozen=True)
class Listing:
    """A few lines of code for readers; what they state as their result was computed."""

    text: str
    language: str = "python"
    origin: Origin | None = None

    def _repr_markdown_(self) -> str:
        n = ledger.add("listing", self.text, self.text, self.origin) if self.origin and not by_hand() else 0
        opening, closing = (f'::: {{.listing n="{n}"}}\n', "\n:::") if n else ("", "")
        return f"\n{opening}{_FENCE}{self.language}\n{self.text}\n{_FENCE}{closing}\n"


@dataclass(frozen=True)
class Picture:
    """A drawn figure with the text that stands for it; `caption` is shown below it."""

    figure: Figure
    alt: str
    caption: str = ""
    origin: Origin | None = None

    def svg(self, text_as_text: bool = True) -> str:
        """The figure as one `<svg>` element, the same bytes each time, ids made unique by the figure's name."""
        return _svg(self.figure, self.origin.name if self.origin else "figure", text_as_text)

    def _repr_svg_(self) -> str | None:
        """For Jupyter alone: letters as shapes on the page's ground, since neither its fonts nor its paper is there."""
        if not by_hand():
            return None
        from figures.kit.style import COLOURS

        return self.svg(text_as_text=False).replace("<svg ", f'<svg style="background:{COLOURS.ground}" ', 1)

    def _repr_markdown_(self) -> str | None:
        if by_hand():
            return None
        name = _class_name(self.origin) if self.origin else "figure"
        inline = self.svg().replace("<svg ", f'<svg role="img" aria-label="{_attribute(self.alt)}" ', 1)
        content = {**_drawn(self.figure), "texts": _texts(inline), "caption": self.caption}
        n = ledger.add("figure", content, self.alt, self.origin) if self.origin else 0
        marked = f' n="{n}"' if n else ""
        paper = base64.b64encode(self.svg(text_as_text=False).encode()).decode()
        caption = f"\n{self.caption}\n" if self.caption else ""
        return (
            f"\n:::: {{.figure .figure-{name}{marked}}}\n"
            f'::: {{.content-visible unless-format="typst"}}\n{_FENCE}{{=html}}\n{inline}\n{_FENCE}\n:::\n'
            f'::: {{.content-visible when-format="typst"}}\n'
            f'![](data:image/svg+xml;base64,{paper}){{fig-alt="{_attribute(self.alt)}"}}\n:::\n{caption}::::\n'
        )


def number(format: Format) -> Callable[[Callable[P, V]], Callable[P, Shown[V]]]:
    """A function of a raw value -> one whose result a slide shows in `format`.

    A maker that returns `ledger.fact(…)` or `ledger.measured(…)` shows the value and keeps the note beside it.
    """

    def decorate(maker: Callable[P, V]) -> Callable[P, Shown[V]]:
        @functools.wraps(maker)
        def shown(*args: P.args, **kwargs: P.kwargs) -> Shown[V]:
            value, origin = _run(maker, args, kwargs)
            if isinstance(value, Known):
                value, origin = value.value, replace(origin, kind=value.kind, note=value.note)
            return Shown(value, format, origin)

        return shown

    return decorate


def word(maker: Callable[P, str | Known]) -> Callable[P, Shown[str]]:
    """A word or phrase that depends on numbers, shown as it is."""
    return number(formats.text())(maker)  # type: ignore[arg-type]  # a Known is shown by its value


def table(maker: Callable[P, Table]) -> Callable[P, Table]:
    """A function that returns a Table -> the same, stamped with its origin."""
    return _stamped(maker)


def listing(maker: Callable[P, Listing]) -> Callable[P, Listing]:
    """A function that returns a Listing -> the same, stamped with its origin."""
    return _stamped(maker)


def block(maker: Callable[P, Markdown]) -> Callable[P, Markdown]:
    """A function that returns Markdown, such as a list -> the same, stamped with its origin."""
    return _stamped(maker)


def figure(maker: Callable[P, Picture]) -> Callable[P, Picture]:
    """A function that returns a Picture -> the same, stamped with its origin."""
    return _stamped(maker)


def _stamped(maker: Callable[P, S]) -> Callable[P, S]:
    """The same function, whose result remembers where it comes from."""

    @functools.wraps(maker)
    def made(*args: P.args, **kwargs: P.kwargs) -> S:
        content, origin = _run(maker, args, kwargs)
        return replace(content, origin=origin)

    return made


def by_hand() -> bool:
    """Whether a person runs this cell in Jupyter or Colab: a kernel is there, and Quarto is not the one that runs it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return hasattr(shell, "kernel") and "QUARTO_EXECUTE_INFO" not in os.environ


def mark(text: str, n: int | str) -> str:
    """Markdown text marked as entry `n` of the page's ledger; the mark changes nothing of the look."""
    return f'[{text}]{{.n n="{n}"}}'


def _run(maker: Callable[..., V], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[V, Origin]:
    """What the function makes, and where that comes from, the data files read on the way included."""
    with readings.noted() as read:
        made = maker(*args, **kwargs)
    return made, Origin(maker, args, tuple(sorted(kwargs.items())), reads=tuple(sorted(read)))


def _cell_text(value: Any, column: Column) -> str:
    if value is None:
        return ""
    if isinstance(value, Cell):
        return _cell_text(value.value, replace(column, format=value.format or column.format))
    if isinstance(value, (str, Shown, Markdown)):
        return str(value)
    return column.format(value.value if isinstance(value, Known) else value)


def _cell(value: Any, column: Column, n: str) -> str:
    """One cell: its text, the class of its role, and its mark where it holds more than the table's own words."""
    text = _cell_text(value, column).replace("|", r"\|")
    role = (value.role if isinstance(value, Cell) else "") or column.role
    marked = n if text and not isinstance(value, str) else ""
    classes = " ".join(part for part in (f".{role}" if role else "", f'.n n="{marked}"' if marked else "") if part)
    return f"[{text}]{{{classes}}}" if classes and text else text


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _rule(width: int, side: str) -> str:
    dashes = "-" * width
    return {"left": f":{dashes}", "right": f"{dashes}:", "center": f":{dashes}:"}[side]


def _visible_length(cell: str) -> int:
    """About how many characters a reader sees of a cell: pandoc shares out the width by the dashes of the rule."""
    seen = re.sub(r"\{\.[^}]*\}|\\[a-zA-Z]+|[\\{}$\[\]*_^]", "", cell)
    return len(seen)


def _class_name(origin: Origin | None) -> str:
    return origin.name.replace(".", "-").replace("_", "-") if origin else ""


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace("\n", " ")


def _drawn(drawing: Figure) -> dict[str, Any]:
    """A figure by its data: the points of its lines, the values of its images and meshes, the sizes of its bars."""
    axes = [
        {
            "lines": [line.get_xydata() for line in ax.get_lines()],
            "images": [image.get_array() for image in ax.get_images()],
            "meshes": [mesh.get_array() for mesh in ax.collections if mesh.get_array() is not None],
            "patches": [patch.get_path().vertices for patch in ax.patches],
        }
        for ax in drawing.axes
    ]
    return {"size": drawing.get_size_inches() * 72, "axes": axes}


def _texts(svg: str) -> list[str]:
    """The texts that an SVG shows: `_texts("<text>10<tspan>−3</tspan></text>")` -> ["10−3"]."""
    return [html.unescape(re.sub(r"<[^>]*>", "", text)).strip() for text in re.findall(r"<text\b[^>]*>(.*?)</text>", svg, re.DOTALL)]


def _svg(drawing: Figure, name: str, text_as_text: bool) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    settings: dict[Any, Any] = {"svg.hashsalt": name, "svg.fonttype": "none" if text_as_text else "path"}
    buffer = io.StringIO()
    with matplotlib.rc_context(settings):
        FigureCanvasSVG(drawing).print_svg(buffer, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})  # type: ignore[no-untyped-call]
    text = buffer.getvalue()
    text = text[text.index("<svg ") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*<defs>\s*<style[^>]*>\*\{[^}]*\}</style>\s*</defs>", "", text, count=1)  # it would style the whole page
    text = text.replace("<svg ", '<svg stroke-linejoin="round" stroke-linecap="butt" ', 1)
    text = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', text, count=2)
    prefix = name.replace(".", "-").replace("_", "-")
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", text)
    return re.sub(r"\n\s*\n+", "\n", text).strip()

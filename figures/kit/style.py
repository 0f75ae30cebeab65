"""What figures are drawn with: the theme's colours, fonts and sizes, and a canvas in pixels of the slide.

The first canvas brings matplotlib, registers the theme's fonts and sets its defaults; before that nothing of it is imported,
which takes half a second. `style.patches` and the like are matplotlib's own modules. It saves nothing and never touches
pyplot. One pixel of a canvas is one pixel of the 1280x720 slide, so `fontsize=20` is 20 px.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures.kit import files, packages, theme
from figures.kit.colour import contrast
from figures.kit.errors import DataError
from figures.kit.math_letters import italic
from figures.kit.theme import FILE, THEME, Face, Font

if TYPE_CHECKING:
    from matplotlib import patches as patches
    from matplotlib import path as path
    from matplotlib import ticker as ticker
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation, Text

MODULES = ("patches", "path", "ticker")  # matplotlib's, as what is drawn with them asks for them
COLOURS = THEME.colours.light
SIZES = THEME.sizes
FONTS = (THEME.fonts.text, THEME.fonts.mono, THEME.fonts.math)
MONO = THEME.fonts.mono.family
GREEK = {"alpha": "α", "beta": "β", "delta": "δ", "theta": "θ", "lambda": "λ", "mu": "μ", "sigma": "σ", "varphi": "φ"}
EXTREMES = ("#" + "f" * 6, "#" + "0" * 6)  # one of the two reaches 4.5 on any shade


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"matplotlib.{name}")


@cache
def heat() -> LinearSegmentedColormap:
    """The ramp of a heat map, which is neutral: the other colours have a meaning."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("heat", [COLOURS.ground, COLOURS.rule, COLOURS.ink])


def face_path(font: Font, face: Face) -> Path:
    """The file of a face: inside the package that carries it, which isn't imported, or below data/."""
    if not font.package:
        return _own_file(font, face)
    name, _, rest = face.file.partition("/")
    folder = packages.folder(name)
    if folder is None:
        remedy = "Run `make setup`, or install what requirements.lock names. A file of your own: put it below data/, leave out `package`"
        raise DataError(FILE, "fonts", f"the Python package that holds {face.file} is not installed", remedy)
    if folder.parent == files.ROOT == files.folder().parent:
        own = f"fonts/{Path(rest).name}"
        remedy = f"Put the file below data/, say data/{own}, write `file: {own}` and leave out `package`"
        raise DataError(FILE, "fonts", f"{face.file} lies in the checkout, and the lab's package would lack it", remedy)
    path = folder / rest
    if not path.is_file():
        raise DataError(FILE, "fonts", f"the package {name} has no file {rest}", f"It has fonts in {path.parent}")
    return path


def _own_file(font: Font, face: Face) -> Path:
    """A file of data/, all of which the lab's package carries."""
    path = (files.folder() / face.file).resolve()
    if path.is_relative_to(files.folder().resolve()) and path.is_file():
        return path
    remedy = f"Put the file of {font.family} below data/ and write its path from there, or name the `package` that carries it"
    raise DataError(FILE, "fonts", f"data/ holds no file {face.file}", remedy)


FILES = {font.family: [(face, face_path(font, face)) for face in font.faces] for font in FONTS}  # one that is missing is refused at once


def _register() -> None:
    from matplotlib import font_manager

    for family, faces in FILES.items():
        for face, path in faces:
            entries = font_manager.fontManager.ttflist
            if any(entry.fname == str(path) and entry.name == family for entry in entries):
                continue
            before = len(entries)
            font_manager.fontManager.addfont(path)
            if entries[before].name != family:
                what = f"{face.file} holds the family {entries[before].name!r}, not {family!r}"
                raise DataError(FILE, "fonts", what, "Name the family as the file does")
            # A family of one face serves every weight asked for, without a warning a figure.
            if len(faces) == 1:
                entries.extend(replace(entries[before], name=family, weight=weight) for weight in (400, 600))


BASE: dict[str, Any] = {
    "figure.dpi": 72,
    "savefig.dpi": 72,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "svg.fonttype": "none",
    "font.family": [font.family for font in FONTS],
    "font.size": SIZES.figure,
    "mathtext.fontset": "custom",
    **{f"mathtext.{name}": THEME.fonts.math.family for name in ("rm", "it", "bf", "sf", "tt", "cal")},
    "mathtext.fallback": "stix",
    "text.hinting": "none",  # browsers set text unhinted: measure it so
    "text.color": COLOURS.ink,
    "axes.labelcolor": COLOURS.soft,
    "axes.labelsize": SIZES.figure,
    "axes.titlesize": SIZES.figure,
    "axes.titleweight": 600,
    "axes.titlelocation": "left",
    "axes.titlecolor": COLOURS.ink,
    "axes.edgecolor": COLOURS.rule,
    "axes.linewidth": 1.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.unicode_minus": True,
    "axes.axisbelow": True,
    "grid.color": COLOURS.line,
    "grid.linewidth": 1,
    "lines.linewidth": 3,
    "lines.markersize": 9,
    "lines.solid_capstyle": "round",
    "patch.linewidth": 1.5,
    "hatch.linewidth": 1.5,
    "xtick.color": COLOURS.rule,
    "ytick.color": COLOURS.rule,
    "xtick.labelcolor": COLOURS.soft,
    "ytick.labelcolor": COLOURS.soft,
    "xtick.labelsize": SIZES.figure_small,
    "ytick.labelsize": SIZES.figure_small,
    "xtick.major.size": 6,
    "ytick.major.size": 6,
    "xtick.major.width": 1.5,
    "ytick.major.width": 1.5,
    "xtick.major.pad": 6,
    "ytick.major.pad": 6,
    "xtick.minor.visible": False,
    "ytick.minor.visible": False,
    "legend.frameon": False,
    "image.cmap": "gray",
}


@cache
def _ready() -> None:
    """Makes matplotlib draw in the theme's fonts and sizes."""
    import matplotlib

    _register()
    matplotlib.rcParams.update(BASE)  # type: ignore[arg-type]  # its stub lists every key as a literal


def canvas(width: int, height: int, *, bare: bool = False, **subplots: Any) -> tuple[Figure, Any]:
    """A figure of `width` x `height` slide pixels and its axes; `bare` axes have no frame, 1 unit = 1 px, y upwards.

    `figure, axes = canvas(1100, 380)`; more panels: `canvas(1100, 380, ncols=2)` gives an array of axes.
    """
    from matplotlib.figure import Figure

    _ready()
    figure = Figure(figsize=(width / 72, height / 72), layout=None if bare else "constrained")
    if not bare:
        return figure, figure.subplots(**subplots)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()
    return figure, axes


def label(axes: Axes, text: str, at: tuple[float, float], *, colour: str = COLOURS.ink, **differences: Any) -> Annotation:
    """`text` beside the data point `at`, instead of a legend: `label(ax, "LSTM", (256, 2e-6), ha="right")`.

    `offset=(dx, dy)` is in pixels; `ha`, `va`, `weight`, `size` as in matplotlib.
    """
    settings: dict[str, Any] = {"offset": (8, 0), "ha": "left", "va": "center", "size": SIZES.figure} | differences
    offset = settings.pop("offset")
    settings.setdefault("annotation_clip", False)
    return axes.annotate(text, at, xytext=offset, textcoords="offset pixels", color=colour, **settings)


def centred(axes: Axes, text: str, at: tuple[float, float], *, colour: str = COLOURS.ink, **differences: Any) -> Text:
    """`text` with its middle at the data point `at`: the number of a cell, the name inside a box."""
    settings: dict[str, Any] = {"ha": "center", "va": "center", "size": SIZES.figure} | differences
    return axes.text(*at, text, color=colour, **settings)


def curve(axes: Axes, name: str, x: Sequence[float], y: Any) -> None:
    """A line in the look of the series `name`, its marker on the last point."""
    look = theme.look(name)
    axes.plot(x, y, color=look.ink, linestyle=look.dash, marker=look.marker, markevery=[-1], label=name)


def points(axes: Axes, name: str, x: Any, y: Any, size: float = 11) -> None:
    """Points in the look of the series `name`, without a line."""
    look = theme.look(name)
    axes.plot(x, y, color=look.ink, linestyle="none", marker=look.marker, markersize=size, clip_on=False, label=name)


def ink_on(colour: Any) -> str:
    """The colour of a text that reads on `colour`: the theme's ink, or black or white where that doesn't do."""
    if contrast(COLOURS.ink, colour) >= 7:
        return COLOURS.ink
    return max(EXTREMES, key=lambda text: contrast(text, colour))


def rich(text: str) -> str:
    """A text in which formulas stand between dollars, as simulators have it, for a figure.

    >>> print(rich("peso $a$"))
    peso $\\mathrm{𝑎}$
    """
    parts = re.split(r"\$([^$]*)\$", text)
    for i, part in enumerate(parts):  # beside a formula matplotlib looks for a circled number in the text's first font alone
        parts[i] = math(part.replace(" ", r"\,")) if i % 2 else re.sub("[①-⑳]", r"$\\mathrm{\g<0>}$", part)
    return "".join(parts)


def math(formula: str) -> str:
    r"""A short formula for a figure's text, its letters in the math font's italics as MathML sets them.

    All of it stands in `\mathrm{…}`, as matplotlib takes no letter beyond U+FFFF from the math font otherwise; words that the
    formula has in `\mathrm{…}` stay upright.

    >>> print(math("x_k"))
    $\mathrm{𝑥_{𝑘}}$
    """
    formula = re.sub(r"\\sqrt\{([^{}]*)\}", r"√\1", formula)  # a stretched root would need fonts that no page embeds
    formula = re.sub(r"\\([a-z]+)", lambda name: GREEK.get(name[1], name[0]), formula)
    pieces = re.split(r"(\\mathrm\{[^}]*\}|\\[a-zA-Z]+)", formula)
    letters = [piece if piece.startswith("\\") else "".join(map(italic, piece)) for piece in pieces]
    return r"$\mathrm{" + re.sub(r"([_^])([^{\\\s])", r"\1{\2}", "".join(letters)) + "}$"

"""data/theme.yml as records: colours for light and dark, roles, series, sizes, fonts, the title slide's picture.

Refused when loaded: a colour that can't be read, roles or lines of a chart that look alike. Draws nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec

from figures.kit.colour import EYES, contrast, difference
from figures.kit.data import Positive, Record, load
from figures.kit.errors import DataError

FILE = "data/theme.yml"
TEXT, LINE = 4.5, 3.0  # the least contrast of a text, of a line that says something: WCAG 2, 1.4.3 and 1.4.11
APART = 20.0  # the least difference of two colours that are told apart at a glance
BESIDE = 10.0  # of two that are told apart side by side: what has a meaning, what is said softly, a line, plain text
TINTED = 5.0  # of two grounds: a marked cell beside those that are not, or marked otherwise

Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9A-Fa-f]{6}$")]
Name = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9-]*$")]
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
# Each line by its name, as matplotlib draws it.
DASHES: dict[str, Any] = {"solid": "-", "dashed": (0, (7, 3)), "short-dashed": "--", "dotted": (0, (1.5, 2.5)), "dash-dotted": "-."}


class Colours(Record):
    """The colours of one scheme that belong to no role."""

    ground: Colour
    wash: Colour
    ink: Colour
    soft: Colour
    rule: Colour
    line: Colour
    stress: Colour
    stress_wash: Colour

    def faults(self) -> Iterator[str]:
        grounds = {"ground": self.ground, "wash": self.wash}
        yield from _illegible("ink", self.ink, grounds)
        yield from _illegible("soft", self.soft, grounds)
        yield from _illegible("stress", self.stress, grounds | {"stress_wash": self.stress_wash})
        if (ratio := contrast(self.rule, self.wash)) < LINE:
            yield f"`rule` reaches a contrast of {ratio:.1f} on `wash`, and a line that says something needs {LINE:g}"


class Schemes(Record):
    light: Colours
    dark: Colours


class Tone(Record):
    """A role's colour as text or line, and the ground of its cells."""

    ink: Colour
    wash: Colour

    def faults(self) -> Iterator[str]:
        yield from _illegible("ink", self.ink, {"wash": self.wash})


class Role(Record):
    """What keeps one colour everywhere, and what says the same without colour."""

    name: Name
    css: Name
    letters: tuple[Annotated[str, msgspec.Meta(min_length=1, max_length=1)], ...]
    line: Literal["solid", "dashed", "dotted", "dash-dotted"]
    marker: Literal["o", "s", "D", "^", "v", "P", "X"]
    light: Tone
    dark: Tone

    @property
    def colour(self) -> str:
        """Its colour in figures."""
        return self.light.ink

    @property
    def wash(self) -> str:
        """The ground of its cells in figures."""
        return self.light.wash

    @property
    def dash(self) -> Any:
        """Its line, as matplotlib takes it."""
        return DASHES[self.line]


class Series(Record):
    """One line of a chart."""

    name: str
    colour: Literal["ink", "soft", "stress"]
    line: Literal["solid", "dashed", "short-dashed", "dotted", "dash-dotted"]

    @property
    def ink(self) -> str:
        """Its colour in figures."""
        colour: str = getattr(THEME.colours.light, self.colour)
        return colour

    @property
    def dash(self) -> Any:
        """Its line, as matplotlib takes it."""
        return DASHES[self.line]


class Dots(Record, tag_field="kind", tag="dots"):
    """Rows of numbers as dots; `numbers` is the name of a function of figures/ that gives them."""

    numbers: Annotated[str, msgspec.Meta(pattern=r"^[a-z_.]+\.[a-z_]+$")]
    last_row: str


class PictureFile(Record, tag_field="kind", tag="file"):
    """A picture kept in the project."""

    file: str


class NoPicture(Record, tag_field="kind", tag="none"):
    """A title slide of words alone."""


class Sizes(Record):
    width: Positive
    height: Positive
    margin: Positive
    cover: Positive
    cover_subtitle: Positive
    cover_author: Positive
    title: Positive
    body: Positive
    table: Positive
    code: Positive
    small: Positive
    figure: Positive
    figure_small: Positive


class Face(Record):
    weight: int | str
    style: str
    file: str


class Font(Record):
    """A family, its files those of an installed package or, where `package` is left out, of data/, which the lab's package carries."""

    family: str
    licence: str
    source: str
    faces: tuple[Face, ...]
    package: str = ""


class Fonts(Record):
    text: Font
    mono: Font
    math: Font


class Theme(Record):
    """The whole file. A lecture may have no roles and no charts."""

    EMPTY = frozenset({"series"})

    colours: Schemes
    title_picture: Dots | PictureFile | NoPicture
    sizes: Sizes
    fonts: Fonts
    roles: tuple[Role, ...] = ()
    subscripts_name_roles_at: tuple[str, ...] = ()
    series: dict[str, tuple[Series, ...]] = {}

    def faults(self) -> Iterator[str]:
        for scheme in SCHEMES:
            yield from self._taken_for_another(scheme)
        for field in ("css", "line", "marker"):
            yield from _repeated((getattr(role, field) for role in self.roles), f"two roles have the same `{field}`")
        yield from _repeated((letter for role in self.roles for letter in role.letters), "two roles colour the same letter")
        yield from _repeated((*Colours.__struct_fields__, *(role.name for role in self.roles)), "a role has the name of a colour")
        for chart, lines in self.series.items():
            yield from _repeated((f"{line.colour}, {line.line}" for line in lines), f"two lines of the chart `{chart}` look the same")
        if isinstance(self.title_picture, Dots):
            yield from _unknown_row_colour(self.title_picture.last_row, ("stress", *(role.name for role in self.roles)))

    def _taken_for_another(self, scheme: Scheme) -> Iterator[str]:
        """Colours that mean something and can't be read, or are taken for another: two roles by any eye, the rest by the full one."""
        colours: Colours = getattr(self.colours, scheme)
        tones: dict[str, Tone] = {role.name: getattr(role, scheme) for role in self.roles}
        roles = {name: tone.ink for name, tone in tones.items()}
        for name, ink in roles.items():
            yield from _illegible(name, ink, {f"{scheme} ground": colours.ground, f"{scheme} wash": colours.wash})
            yield from _alike(scheme, (name, ink), ("stress", colours.stress), APART)
        for one, other in itertools.combinations(roles.items(), 2):
            yield from _alike(scheme, one, other, APART, EYES)
        plain = {name: getattr(colours, name) for name in ("ink", "soft", "rule")}
        for grey, one in itertools.product(plain.items(), (("stress", colours.stress), *roles.items())):
            yield from _alike(scheme, one, grey, BESIDE)
        for one, other in itertools.combinations(plain.items(), 2):
            yield from _alike(scheme, one, other, BESIDE)
        grounds = {"ground": colours.ground, "stress_wash": colours.stress_wash}
        grounds |= {f"{name}: wash": tone.wash for name, tone in tones.items()}
        for first, second in itertools.combinations(grounds.items(), 2):
            yield from _alike(scheme, first, second, TINTED)


def _alike(scheme: Scheme, one: tuple[str, str], other: tuple[str, str], least: float, eyes: Iterable[str] = ("full",)) -> Iterator[str]:
    """The fault of two colours, each with its name, that some eye takes for one."""
    eye = min(eyes, key=lambda eye: difference(one[1], other[1], eye))
    if (apart := difference(one[1], other[1], eye)) < least:
        seen_by = "" if eye == "full" else f" for an eye that is {eye}"
        yield f"`{one[0]}` and `{other[0]}` differ by {apart:.0f} (CIEDE2000) in the {scheme} scheme{seen_by}, and need {least:g}"


def _illegible(name: str, ink: str, grounds: dict[str, str]) -> Iterator[str]:
    for ground, colour in grounds.items():
        if (ratio := contrast(ink, colour)) < TEXT:
            yield f"`{name}` reaches a contrast of {ratio:.1f} on `{ground}`, and text needs {TEXT:g}"


def _repeated(names: Iterator[str] | tuple[str, ...], fault: str) -> Iterator[str]:
    taken: set[str] = set()
    for name in names:
        if name in taken:
            yield f"{fault}: {name}"
        taken.add(name)


def _unknown_row_colour(name: str, names: tuple[str, ...]) -> Iterator[str]:
    if name not in names:
        yield f"`last_row` is {name}, and the theme has {', '.join(names)}"


THEME: Theme = load("theme", Theme)


def role(name: str) -> Role:
    """The role of this name; a DataError that lists the known ones if there is none."""
    for role in THEME.roles:
        if role.name == name:
            return role
    names = ", ".join(role.name for role in THEME.roles) or "none"
    raise DataError(FILE, "roles", f"no role is called {name!r}", f"Known: {names}. Add it, or correct the name where it is asked for")


def series(chart: str) -> dict[str, Series]:
    """The lines of a chart by their names; a DataError if the theme has no such chart."""
    if chart not in THEME.series:
        raise DataError(FILE, "series", f"no chart is called {chart!r}", "Add its lines, as those of the other charts")
    return {line.name: line for line in THEME.series[chart]}

"""data/theme.yml as records: colours for light and dark, roles, series, sizes, fonts.

Refused when loaded: a colour that can't be read, roles or lines of a chart that look alike. Draws nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, TypeVar

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
Line = Literal["solid", "dashed", "short-dashed", "dotted", "dash-dotted"]
Marker = Literal["o", "s", "D", "^", "P", "X", "*"]
# The strokes and gaps of each line, in widths of that line.
DASHES: dict[Line, tuple[float, ...]] = {
    "solid": (),
    "dashed": (7, 3),
    "short-dashed": (3.7, 1.6),
    "dotted": (1.5, 2.5),
    "dash-dotted": (6.4, 1.6, 1, 1.6),
}


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


class Look(Record):
    """A line and a marker: what tells something apart without its colour."""

    name: Name
    line: Line
    marker: Marker

    @property
    def dash(self) -> Any:
        """Its line, as matplotlib takes it."""
        strokes = DASHES[self.line]
        return (0, strokes) if strokes else "-"


class Role(Look):
    """What keeps one colour everywhere, and what says the same without colour."""

    css: Name
    letters: tuple[Annotated[str, msgspec.Meta(min_length=1, max_length=1)], ...]
    line: Literal["solid", "dashed", "dotted", "dash-dotted"]
    light: Tone
    dark: Tone

    @property
    def ink(self) -> str:
        """Its colour in figures."""
        return self.light.ink

    @property
    def wash(self) -> str:
        """The ground of its cells in figures."""
        return self.light.wash

    @property
    def variable(self) -> str:
        """The CSS variable of its colour."""
        return f"--{self.name}"


class Series(Look):
    """What looks the same in every picture in which it stands."""

    colour: Literal["ink", "soft", "rule", "line", "stress"]

    @property
    def ink(self) -> str:
        """Its colour in figures."""
        colour: str = getattr(THEME.colours.light, self.colour)
        return colour

    @property
    def variable(self) -> str:
        """The CSS variable of its colour."""
        return f"--{self.colour}"


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
    """The whole file. A lecture may have no roles and no series."""

    colours: Schemes
    sizes: Sizes
    fonts: Fonts
    roles: tuple[Role, ...] = ()
    subscripts_name_roles_at: tuple[str, ...] = ()
    series: tuple[Series, ...] = ()

    def faults(self) -> Iterator[str]:
        for scheme in SCHEMES:
            yield from self._taken_for_another(scheme)
        for field in ("css", "line", "marker"):
            yield from _repeated((getattr(role, field) for role in self.roles), f"two roles have the same `{field}`")
        yield from _repeated((letter for role in self.roles for letter in role.letters), "two roles colour the same letter")
        yield from _repeated((*Colours.__struct_fields__, *(role.name for role in self.roles)), "a role has the name of a colour")
        looks = (f"{one.colour}, {one.line}, {one.marker}" for one in self.series)
        yield from _repeated(looks, "two series look the same")
        yield from _repeated([one.name for one in (*self.roles, *self.series)], "a series has the name of a role")

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


def _repeated(names: Iterable[str], fault: str) -> Iterator[str]:
    taken: set[str] = set()
    for name in names:
        if name in taken:
            yield f"{fault}: {name}"
        taken.add(name)


THEME: Theme = load("theme", Theme)


def role(name: str) -> Role:
    """The role of this name; a DataError that lists the known ones if there is none."""
    return _named(name, "role", "roles", THEME.roles)


def series(name: str) -> Series:
    """The series of this name; a DataError that lists the known ones if there is none."""
    return _named(name, "series", "series", THEME.series)


def look(name: str) -> Role | Series:
    """The role or series of this name; a DataError likewise."""
    every: tuple[Role | Series, ...] = (*THEME.roles, *THEME.series)
    return _named(name, "role or series", "series", every)


L = TypeVar("L", bound=Look)


def _named(name: str, what: str, key: str, looks: tuple[L, ...]) -> L:
    for one in looks:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in looks) or "none"
    raise DataError(FILE, key, f"no {what} is called {name!r}", f"Known: {names}. Add it, or correct the name where it is asked for")

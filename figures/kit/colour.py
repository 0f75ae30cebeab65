"""What people see of colours: whether one reads on another, how far apart two lie, also for eyes that confuse some.

Colours are texts, "#" and six hexadecimal digits, or red, green and blue between 0 and 1. Knows no theme.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, degrees, exp, hypot, radians, remainder, sin

Seen = str | Sequence[float]
Triple = tuple[float, float, float]

# What an eye without one kind of cone makes of linear red, green and blue: Machado, Oliveira and Fernandes,
# "A physiologically-based model for simulation of color vision deficiency", 2009, severity 1.
EYES: dict[str, tuple[Triple, Triple, Triple]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
DELTA = 6 / 29  # below its cube, CIE Lab takes the tangent for the cube root
# Linear sRGB to CIE XYZ, each row divided by its part of the white point D65.
_XYZ: tuple[Triple, Triple, Triple] = (
    (0.412391 / 0.950456, 0.357584 / 0.950456, 0.180481 / 0.950456),
    (0.212639, 0.715169, 0.072192),
    (0.019331 / 1.089058, 0.119195 / 1.089058, 0.950532 / 1.089058),
)


def contrast(first: Seen, second: Seen) -> float:
    """The contrast ratio of two colours by WCAG 2.

    >>> contrast((0, 0, 0), (1, 1, 1))
    21.0
    """
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def difference(first: Seen, second: Seen, eye: str = "full") -> float:
    """How far apart two colours lie, as CIEDE2000: 1 is just seen, 20 is distinguished at a glance."""
    return ciede2000(_lab(first, eye), _lab(second, eye))


def ciede2000(first: Triple, second: Triple) -> float:
    """The same of two colours in CIE Lab.

    Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", 2005, whose names the steps keep.

    >>> round(ciede2000((50, 2.6772, -79.7751), (50, 0, -82.7485)), 4)
    2.0425
    """
    (L1, a1, b1), (L2, a2, b2) = first, second
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * (mean**7 / (mean**7 + 25**7)) ** 0.5
    C1, C2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1, h2 = degrees(atan2(b1, stretch * a1)) % 360, degrees(atan2(b2, stretch * a2)) % 360
    turn = remainder(h2 - h1, 360)
    dL, dC, dH = L2 - L1, C2 - C1, 2 * (C1 * C2) ** 0.5 * sin(radians(turn / 2))
    L, C, h = (L1 + L2) / 2, (C1 + C2) / 2, (h1 + turn / 2) % 360
    T = 1 - 0.17 * _cos(h - 30) + 0.24 * _cos(2 * h) + 0.32 * _cos(3 * h + 6) - 0.20 * _cos(4 * h - 63)
    SL, SC, SH = 1 + 0.015 * (L - 50) ** 2 / (20 + (L - 50) ** 2) ** 0.5, 1 + 0.045 * C, 1 + 0.015 * C * T
    RT = -2 * (C**7 / (C**7 + 25**7)) ** 0.5 * sin(radians(60 * exp(-(((h - 275) / 25) ** 2))))
    return float(((dL / SL) ** 2 + (dC / SC) ** 2 + (dH / SH) ** 2 + RT * (dC / SC) * (dH / SH)) ** 0.5)


def _lab(colour: Seen, eye: str) -> Triple:
    """CIE Lab of a colour as an eye sees it."""
    seen = [min(1.0, max(0.0, part)) for part in _times(EYES[eye], _linear(colour))]
    x, y, z = (part ** (1 / 3) if part > DELTA**3 else part / (3 * DELTA**2) + 4 / 29 for part in _times(_XYZ, seen))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _luminance(colour: Seen) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(colour: Seen) -> list[float]:
    """Red, green and blue as amounts of light."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] if isinstance(colour, str) else colour[:3]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _times(matrix: Sequence[Triple], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def _cos(angle: float) -> float:
    return cos(radians(angle))

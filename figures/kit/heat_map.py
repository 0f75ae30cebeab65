"""A matrix of weights as shades: one row for each query from top to bottom, one column for each key from the left.

Knows no example: weights, names and colours come as arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from figures.kit import style
from figures.kit.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(axes: Axes, weights: Array, rows: Sequence[str], columns: Sequence[str], inks: tuple[str, str]) -> None:
    """The weights, (rows, columns), as shades, darker the larger; nothing is painted where a weight is nan.

    `rows` and `columns` name them in the two colours of `inks`; without columns none is named.
    """
    from matplotlib.colors import PowerNorm

    shades = PowerNorm(0.5, vmin=0, vmax=1)  # which follow the square root of a weight, so that small weights can be told apart
    height, width = weights.shape
    axes.pcolormesh(np.ma.masked_invalid(weights), cmap=style.heat(), norm=shades, edgecolors=style.COLOURS.line, linewidth=1)
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.xaxis.tick_top()
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns, rotation=50, ha="left", rotation_mode="anchor", color=inks[1])
    axes.set_yticks(np.arange(height) + 0.5, rows, color=inks[0])

"""The running example's X and what layer norm makes of it, the last row worked out."""

from __future__ import annotations

import numpy as np

from figures import embedding
from figures.hand_example import zero
from figures.kit.arrays import Array
from figures.kit.formats import fixed, plain, to_tex, vector
from figures.kit.show import Column, Table, number, table, word
from figures.kit.words import Words
from figures.pieces import chip
from figures.running_example import model
from figures.running_example.model import deviation, pieces, rounded, three
from figures.running_example.sizes import width

_words = Words("running_example")


@word
def centred() -> str:
    """Whether the rows of X need their mean taken away, said as a sentence."""
    return means_in_words(embedding.X())


def means_in_words(X: Array) -> str:
    """The same for any X."""
    done = bool(np.allclose(np.asarray(X).mean(axis=-1), 0, atol=1e-12))
    return _words("centred.yes" if done else "centred.no", mean=plain()(0))


@table
def normalised() -> Table:
    """One row for each token: its row of X, the standard deviation that it is divided by, its row of u."""
    X, u = embedding.X(), model.run().u
    columns = (
        Column(_words("token")),
        Column(_words("normalised.X"), vector(plain()), "left"),
        Column(_words("normalised.deviation"), three),
        Column(_words("normalised.u"), vector(zero(three)), "left"),
    )
    spread = deviation(X)[:, 0]
    return Table(columns, [(chip(piece), X[i].tolist(), spread[i], rounded(u[i])) for i, piece in enumerate(pieces())])


@number(vector(fixed(2)))
def squares_last() -> list[float]:
    """The squares of the last row of X about its mean."""
    row = embedding.X()[-1]
    return [float(value) for value in (row - row.mean()) ** 2]


@number(fixed(2))
def variance_last() -> float:
    """Their mean."""
    return float(embedding.X()[-1].var())


@number(three)
def sigma_last() -> float:
    """Its root, the standard deviation."""
    return float(deviation(embedding.X())[-1, 0])


@number(plain())
def X_last() -> float:
    """The last number of the last row of X."""
    return float(embedding.X()[-1, -1])


@number(three)
def normalised_last() -> float:
    """The last number of the last row of u."""
    return float(model.run().u[-1, -1])


@word
def sigma_by_hand() -> str:
    """How the last row is divided, as a formula: the squares, their mean, its root, and the last number over it."""
    return _words(
        "sigma",
        squares=" + ".join(to_tex(fixed(2)(square)) for square in squares_last().value),
        over=to_tex(str(width())),
        variance=variance_last().tex,
        sigma=sigma_last().tex,
        last=X_last().tex,
        normalised=normalised_last().tex,
    )

"""The whole n × n matrix of attention over a sentence, under four score functions: content, previous token, distance, mix.

A raw score is built so that it spreads like a product of d_k independent components, with standard deviation √d_k:
undivided, the softmax hardens as d_k grows. The pure functions take every input as an argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.patches import Rectangle

from figures import attention
from figures.kit import data, readings, style
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.formats import count, fixed, joined, plain, shape, spelled
from figures.kit.show import Picture, figure, number, word
from figures.kit.words import Words
from figures.roles import KEY, QUERY

_words = Words("matrix")
Name = Literal["content", "previous", "distance", "mix"]


# Records


class Token(data.Record):
    """A word of the sentence: the kind of word that it asks for, and the kind that it announces itself as."""

    text: str
    asks: str
    announces: str


class Content(data.Record):
    """How queries and keys are drawn: seed, components, the share of variance that a kind has in common."""

    seed: data.Natural
    d_k: data.Positive
    shared: data.Share
    decimals: data.Natural


class Previous(data.Record):
    strength: float


class Distance(data.Record):
    slope: float


class Mix(data.Record):
    """What each of the other score functions counts for in the mix."""

    content: float
    previous: float
    distance: float


class Function(data.Record):
    """A score function, and whether heads like it are found in trained models."""

    id: Name
    trained: bool
    source: str


class State(data.Record):
    """What the simulator's controls say; `row` counts from 1."""

    function: Name
    d_k: data.Positive
    divide: bool
    causal: bool
    row: data.Positive


class Matrix(data.Record):
    """`data/matrix.yml`."""

    source: str
    tokens: tuple[Token, ...]
    content: Content
    previous: Previous
    distance: Distance
    mix: Mix
    functions: tuple[Function, ...]
    opening: State

    def faults(self) -> Iterator[str]:
        if self.opening.row > len(self.tokens):
            yield f"it opens on row {self.opening.row} of a sentence of {len(self.tokens)} tokens"
        if self.opening.d_k > self.content.d_k:
            yield f"it opens with d_k = {self.opening.d_k}, and {self.content.d_k} components are drawn"
        if missing := {"content", "previous", "distance", "mix"} - {function.id for function in self.functions}:
            yield f"`functions` lacks {', '.join(sorted(missing))}"

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens)


def records() -> Matrix:
    """The sentence and its score functions as `data/matrix.yml` has them."""
    return data.load("matrix", Matrix)


# Pure computing


class Vectors(NamedTuple):
    """A query and a key for each token, both (n, d_k): what the content head compares."""

    queries: Array
    keys: Array


@readings.remembered
def vectors(tokens: tuple[Token, ...], content: Content) -> Vectors:
    """Queries and keys of standard normal components, (n, d_k). A query leans towards the keys of the kind that it asks for.

    Equal words, capitals aside, get equal vectors. A query and a key that match have a product of mean shared · d_k.
    """
    rng = np.random.default_rng(readings.seed("matrix.yml", content.seed))
    kinds = {kind: rng.standard_normal(content.d_k) for kind in dict.fromkeys(kind for t in tokens for kind in (t.asks, t.announces))}
    own = {text: rng.standard_normal((2, content.d_k)) for text in dict.fromkeys(token.text.lower() for token in tokens)}
    common, rest = np.sqrt(content.shared), np.sqrt(1 - content.shared)
    queries = [common * kinds[token.asks] + rest * own[token.text.lower()][0] for token in tokens]
    keys = [common * kinds[token.announces] + rest * own[token.text.lower()][1] for token in tokens]
    return Vectors(np.round(queries, content.decimals), np.round(keys, content.decimals))


def content_scores(given: Vectors, d_k: int) -> Array:
    """Query times key, (n, n), over the first `d_k` components."""
    products: Array = given.queries[:, :d_k] @ given.keys[:, :d_k].T
    return products


def previous_scores(n: int, d_k: int, strength: float) -> Array:
    """√d_k · strength for the token before, 0 elsewhere, (n, n); the first token has itself only."""
    scores: Array = np.eye(n, k=-1)
    scores[0, 0] = 1
    scores *= np.sqrt(d_k) * strength
    return scores


def distance_scores(n: int, d_k: int, slope: float) -> Array:
    """Minus √d_k · slope for each token of distance, (n, n)."""
    places = np.arange(n)
    scores: Array = -np.sqrt(d_k) * slope * np.abs(places[:, None] - places[None, :])
    return scores


def raw_scores(name: Name, d_k: int, given: Matrix, found: Vectors | None = None) -> Array:
    """The undivided scores (n, n) of one of the four functions."""
    found = found or vectors(given.tokens, given.content)
    n = len(found.queries)
    if name == "content":
        return content_scores(found, d_k)
    if name == "previous":
        return previous_scores(n, d_k, given.previous.strength)
    if name == "distance":
        return distance_scores(n, d_k, given.distance.slope)
    parts: tuple[tuple[Name, float], ...] = (
        ("content", given.mix.content),
        ("previous", given.mix.previous),
        ("distance", given.mix.distance),
    )
    mixed: Array = sum((share * raw_scores(part, d_k, given, found) for part, share in parts), np.zeros((n, n)))
    return mixed


def weights(state: State, given: Matrix | None = None) -> Array:
    """The attention weights (n, n) under the simulator's `state`; each row sums to 1."""
    given = given or records()
    scores = raw_scores(state.function, state.d_k, given)
    if state.divide:
        scores = scores / np.sqrt(state.d_k)
    if state.causal:
        scores = scores + attention.causal(len(scores))
    return attention.softmax(scores)


def is_binary(weights: Array, above: float = 0.99) -> bool:
    """Whether at least half of the rows put nearly all their weight on one token: `is_binary(np.eye(3))` -> True"""
    return bool(np.median(weights.max(axis=-1)) > above)


def opening() -> State:
    """The state that the simulator opens in."""
    return records().opening


def undivided(given: Matrix | None = None) -> State:
    """The opening state with the division off and d_k as far up as it goes."""
    given = given or records()
    start = given.opening
    return State(function=start.function, d_k=given.content.d_k, divide=False, causal=start.causal, row=start.row)


# Numbers and words


@number(plain())
def row_sum() -> float:
    """What the weights of a row add up to, in the row that strays the most: `row_sum()` -> 1."""
    sums = weights(opening()).sum(axis=-1)
    return float(sums[np.abs(sums - 1).argmax()])


@number(spelled(feminine=True))
def trained_patterns() -> int:
    """How many score functions are patterns of trained models: `trained_patterns()` -> três."""
    return sum(function.trained for function in records().functions)


@word
def found_in_models() -> str:
    """Which heads are patterns of trained models: "As três primeiras cabeças são padrões que aparecem"."""
    return told_of_trained([function.trained for function in records().functions])


def told_of_trained(trained: list[bool]) -> str:
    """The same for any list of marks, in the control's order."""
    found = sum(trained)
    if found < 2:
        return _words("found.one" if found else "found.none")
    number_word = spelled(feminine=True)
    first = all(trained[:found])
    count_text = number_word(found) if first else number_word(found).capitalize()
    return _words("found.first" if first else "found.some", count=count_text, of=number_word(len(trained)))


@word
def found_names() -> str:
    """The names of those heads: `found_names()` -> conteúdo, token anterior e distância."""
    return joined([function_name(function.id) for function in records().functions if function.trained], _words("and"))


def function_name(name: Name) -> str:
    """The label of a score function: `function_name("previous")` -> token anterior."""
    return _words(f"functions.{name}")


@word
def hardening() -> str:
    """What becomes of the matrix with the division off and d_k at its largest: `hardening()` -> vira binária."""
    return _words("binary" if is_binary(weights(undivided())) else "graded")


@claim
def mask_hides_what_is_ahead(causal: bool = True) -> Check:
    """Under the causal mask no weight is left above the diagonal, where there was some before."""
    start = opening()
    before, after = (weights(data.changed(start, causal=on)) for on in (False, causal))
    ahead = {"before": float(np.triu(before, 1).max()), "masked": float(np.triu(after, 1).max())}
    return Check(ahead["masked"] == 0 < ahead["before"], ahead)


@claim
def rows_sum_to_one(tolerance: float = 1e-12) -> Check:
    """In every head, masked or not, each row of weights sums to 1."""
    states = [data.changed(opening(), function=known.id, causal=causal) for known in records().functions for causal in (False, True)]
    astray = max(float(np.abs(weights(state).sum(axis=-1) - 1).max()) for state in states)
    return Check(astray <= tolerance, {"furthest from 1": astray, "heads": len(states)})


# The simulator's opening state


@figure
def opening_state() -> Picture:
    """The heat map of the whole sentence and, beside it, the weights of the chosen row: what the simulator opens with."""
    given, state = records(), opening()
    found, chosen = weights(state), state.row - 1
    width, height = 1152, 520
    drawing, page = style.canvas(width, height, bare=True)
    cell = 396 / len(found)
    heat = drawing.add_axes((140 / width, 12 / height, 396 / width, 396 / height))
    _heat_map(heat, found, given.texts, chosen)
    _row_beside(page, found[chosen], given.texts, chosen, cell)
    page.text(600, 492, told(state).replace("d_k", style.math("d_k")), va="center", color=style.COLOURS.soft)
    return Picture(drawing, _alt(given, state, found))


# Shades follow the square root of a weight, so that small weights can be told apart.
SHADES = PowerNorm(0.5, vmin=0, vmax=1)


def told(state: State) -> str:
    """The controls in one line: "cabeça: conteúdo · d_k = 16 · dividido por √d_k · sem máscara"."""
    return _words(
        "opening.state",
        function=function_name(state.function),
        d_k=count()(state.d_k),
        divided=_words("opening.divided.on" if state.divide else "opening.divided.off"),
        masked=_words("opening.masked.on" if state.causal else "opening.masked.off"),
    )


def _heat_map(axes: Axes, found: Array, texts: tuple[str, ...], chosen: int) -> None:
    """The weights as shades, one row a query, the chosen row framed."""
    n = len(found)
    axes.pcolormesh(found, cmap=style.HEAT, norm=SHADES, edgecolors=style.COLOURS.line, linewidth=1)
    axes.set(xlim=(0, n), ylim=(n, 0))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.xaxis.tick_top()
    middles = np.arange(n) + 0.5
    axes.set_xticks(middles, texts, rotation=50, ha="left", rotation_mode="anchor", color=KEY.colour)
    axes.set_yticks(middles, texts, color=QUERY.colour)
    axes.get_yticklabels()[chosen].set_fontweight(600)
    axes.set_ylabel(_words("opening.queries"), color=QUERY.colour)
    axes.set_title(_words("opening.keys"), color=KEY.colour, weight=400, pad=6, x=-0.24)
    axes.add_patch(Rectangle((0, chosen), n, 1, fill=False, edgecolor=QUERY.colour, linewidth=3, clip_on=False))


def _row_beside(page: Axes, row: Array, texts: tuple[str, ...], chosen: int, cell: float) -> None:
    """The chosen row as bars beside the heat map, each with its weight, and their sum."""
    heading = _words("opening.row", token=texts[chosen])
    page.text(600, 448, heading, va="center", weight=600, size=24)
    page.text(1140, 448, _words("opening.sum", sum=plain()(float(row.sum()))), va="center", ha="right", weight=600, size=24)
    for i, (text, weight) in enumerate(zip(texts, row)):
        y = 408 - cell * (i + 0.5)
        heaviest = i == int(row.argmax())
        face = style.COLOURS.stress if heaviest else style.COLOURS.rule
        page.text(700, y, text, va="center", ha="right", color=KEY.colour, weight=600 if heaviest else 400)
        page.add_patch(Rectangle((712, y - cell * 0.32), 350 * weight, cell * 0.64, facecolor=face))
        page.text(722 + 350 * weight, y, fixed(2)(weight), va="center", weight=600 if heaviest else 400)


def _alt(given: Matrix, state: State, found: Array) -> str:
    row = found[state.row - 1]
    return _words(
        "opening.alt",
        shape=shape()(found.shape),
        sentence=" ".join(given.texts),
        state=told(state),
        token=given.texts[state.row - 1],
        weights=", ".join(f"{text} {fixed(2)(weight)}" for text, weight in zip(given.texts, row)),
        sum=plain()(float(row.sum())),
        heaviest=given.texts[int(row.argmax())],
    )

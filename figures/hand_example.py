"""The example worked by hand: "sentei · banco · praça" in two dimensions, its four steps, and the sense that comes out.

The pure functions take every input as an argument; the shown ones supply those of `data/hand_example.yml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from matplotlib.axes import Axes

from figures import attention
from figures.kit import data, ledger, style
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.formats import MINUS, NBSP, Format, count, fixed, joined, plain, spelled, told, vector
from figures.kit.show import Cell, Column, Picture, Table, figure, number, table, word
from figures.kit.theme import Role
from figures.kit.words import Words
from figures.roles import KEY, QUERY, VALUE

_words = Words("hand_example")
Moderate = Annotated[float, msgspec.Meta(ge=-20, le=20)]  # beyond it exp(q·k) has more digits than a slide
Pair = tuple[Moderate, Moderate]


# Records


class Sentence(data.Record):
    """A sentence with the ambiguous word, and the words that settle its sense."""

    text: str
    read: tuple[str, ...]


class Token(data.Record):
    """A word of the example: the key that it announces, the value that it hands over."""

    name: str
    key: Pair
    value: Pair


class Experiment(data.Record):
    """One thing changed: the query, or the value of a token."""

    id: str
    query: Pair | None = None
    token: str | None = None
    value: Pair | None = None

    def faults(self) -> Iterator[str]:
        if (self.token is None) != (self.value is None) or (self.query is None) == (self.token is None):
            yield "an experiment changes a `query`, or the `value` of a `token`"


class Example(data.Record):
    """The whole example, as an instructor edits it."""

    source: str
    sentences: tuple[Sentence, ...]
    meaning: tuple[str, str]
    asking: str
    query: Pair
    tokens: tuple[Token, ...]
    undecided_within: data.Above
    experiments: tuple[Experiment, ...]

    def faults(self) -> Iterator[str]:
        if len(self.sentences) < 2:
            yield "`sentences` must be two, each with another sense of the word"
        for name in (self.asking, *(one.token for one in self.experiments if one.token is not None)):
            if name not in self.names:
                yield f"“{name}” is none of the tokens {', '.join(self.names)}"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(token.name for token in self.tokens)

    @property
    def keys(self) -> Array:
        return np.array([token.key for token in self.tokens])

    @property
    def values(self) -> Array:
        return np.array([token.value for token in self.tokens])


def example() -> Example:
    """The example as `data/hand_example.yml` has it."""
    return data.load("hand_example", Example)


# Pure computing


class Steps(NamedTuple):
    """What each of the four steps gives: ① products, ② scaled, ③ exponentials, total, weights, ④ contributions, output."""

    products: Array
    scaled: Array
    exponentials: Array
    total: float
    weights: Array
    contributions: Array
    output: Array


def steps(query: Sequence[float] | Array, keys: Array, values: Array, d_k: int | None = None) -> Steps:
    """The four steps for one query (d_k,), n keys (n, d_k) and n values (n, d_v). `d_k` changes the divisor √d_k only.

    `steps([1, 2], [[1, 0], [1, 1], [0, 2]], [[1, 0], [.5, .5], [1, 0]]).output` -> [0.847, 0.153]
    """
    keys, values = np.asarray(keys, float), np.asarray(values, float)
    products = keys @ np.asarray(query, float)
    scaled = products / np.sqrt(d_k or keys.shape[-1])
    exponentials = np.exp(scaled)
    weights = attention.softmax(scaled)
    contributions = weights[:, None] * values
    return Steps(products, scaled, exponentials, float(exponentials.sum()), weights, contributions, contributions.sum(axis=0))


def sense(output: Sequence[float] | Array, meaning: Sequence[str], within: float) -> str | None:
    """The meaning with the larger number, or None if the two lie closer than `within`: undecided.

    `sense([0.85, 0.15], ["assento", "dinheiro"], 0.25)` -> "assento"; `sense([0.6, 0.4], …, 0.25)` -> None
    """
    first, second = output
    if abs(first - second) < within:
        return None
    return meaning[0] if first > second else meaning[1]


def changed(given: Example, experiment: Experiment) -> Steps:
    """The four steps of `given` with the experiment's one change made."""
    values = given.values.copy()
    if experiment.token is not None:
        values[given.names.index(experiment.token)] = experiment.value
    return steps(given.query if experiment.query is None else experiment.query, given.keys, values)


def moved(before: Array, after: Array) -> int:
    """How many weights differ: `moved([.5, .5], [.5, .5])` -> 0."""
    return int((~np.isclose(before, after, rtol=0, atol=1e-12)).sum())


def even(weights: Array) -> bool:
    """Whether all weights are the same, so that the output is a plain mean."""
    return bool(np.allclose(weights, 1 / len(weights), rtol=0, atol=1e-12))


def _given(given: Example | None = None) -> tuple[Example, Steps]:
    given = given or example()
    return given, steps(given.query, given.keys, given.values)


def verdict_of(output: Sequence[float] | Array, given: Example | None = None) -> str:
    """The verdict in words for any output: "assento", "dinheiro" or "em cima do muro"."""
    given = given or example()
    return sense(output, given.meaning, given.undecided_within) or undecided()


def undecided() -> str:
    """What an output is called that leans neither way: "em cima do muro"."""
    return _words("undecided")


# Numbers


def zero(inner: Format) -> Format:
    """`inner`, with an exact zero written "0": `vector(zero(fixed(3)))([0.074, 0.0])` -> "[0,074; 0]"."""
    return Format(f"zero({inner.name})", lambda value: "0" if value == 0 else inner(value))


@number(spelled(feminine=True))
def sentence_count() -> int:
    """In how many sentences the ambiguous word stands."""
    return len(example().sentences)


@number(count())
def token_count() -> int:
    """How many words the example keeps: `token_count()` -> 3."""
    return len(example().tokens)


@number(count())
def dimensions() -> int:
    """Numbers in a key, d_k: `dimensions()` -> 2."""
    return len(example().query)


@number(spelled(feminine=True))
def dimension_count() -> int:
    """The same in words: `dimension_count()` -> duas."""
    return len(example().query)


@number(spelled(feminine=True))
def key_count() -> int:
    """How many keys the query meets, in words: `key_count()` -> três."""
    return len(example().tokens)


@number(fixed(2))
def root() -> float:
    """The divisor √d_k: `root()` -> 1,41."""
    return float(np.sqrt(len(example().query)))


@number(spelled())
def step_count() -> int:
    """How many numbered steps the table shows: `step_count()` -> quatro."""
    return len(STEPS)


# ① to ④ as fields of Steps; ③ has two columns, the exponential and the weight.
STEPS: tuple[tuple[str, ...], ...] = (("products",), ("scaled",), ("exponentials", "weights"), ("contributions",))


@number(vector(plain()))
def query() -> Any:
    """The query of "banco": `query()` -> [1; 2]."""
    return ledger.fact(example().query, example().source)


@number(vector(plain()))
def key(token: str) -> Any:
    """The key of a token: `key("praça")` -> [0; 2]."""
    return ledger.fact(_token(token).key, example().source)


@number(vector(plain()))
def value(token: str) -> Any:
    """The value of a token: `value("banco")` -> [0,5; 0,5]."""
    return ledger.fact(_token(token).value, example().source)


@number(plain())
def score(token: str) -> float:
    """Step ①, query times key: `score("banco")` -> 3."""
    return float(_of("products", token))


@number(fixed(2))
def scaled(token: str) -> float:
    """Step ②, the score over √d_k: `scaled("banco")` -> 2,12."""
    return float(_of("scaled", token))


@number(fixed(2))
def exponential(token: str) -> float:
    """Step ③, e to the scaled score: `exponential("banco")` -> 8,34."""
    return float(_of("exponentials", token))


@number(fixed(2))
def total() -> float:
    """The sum of the exponentials: `total()` -> 27,29."""
    return _given()[1].total


@number(fixed(3))
def weight(token: str) -> float:
    """Step ③, the weight that the query gives to `token`: `weight("praça")` -> 0,620."""
    return float(_of("weights", token))


@number(plain())
def weight_sum() -> float:
    """What the weights add up to: `weight_sum()` -> 1."""
    return float(_given()[1].weights.sum())


@number(vector(zero(fixed(3))))
def contribution(token: str) -> tuple[float, ...]:
    """Step ④, weight times value: `contribution("banco")` -> [0,153; 0,153]."""
    return tuple(_of("contributions", token).tolist())


@number(vector(fixed(2)))
def output() -> tuple[float, ...]:
    """The new vector of "banco": `output()` -> [0,85; 0,15]."""
    return tuple(_given()[1].output.tolist())


def _token(name: str) -> Token:
    return data.one(example().tokens, lambda token: token.name, name, "data/hand_example.yml")


def _of(step: str, token: str) -> Any:
    given, found = _given()
    return getattr(found, step)[given.names.index(_token(token).name)]


# Words


@word
def asking() -> str:
    """The word whose new vector is computed: `asking()` -> banco."""
    return example().asking


@word
def sentence(n: int) -> str:
    """The n-th sentence, counted from 1: `sentence(1)` -> Sentei no banco da praça."""
    return example().sentences[n - 1].text


@word
def neighbours(n: int) -> str:
    """The words that settle the sense in the n-th sentence: `neighbours(1)` -> “sentei” e “praça”."""
    return joined([_words("quoted", word=word) for word in example().sentences[n - 1].read], _words("and"))


@word
def tokens() -> str:
    """The words that the example keeps: `tokens()` -> sentei · banco · praça."""
    return " · ".join(example().names)


@word
def meaning() -> str:
    """How a value reads: `meaning()` -> [assento; dinheiro]."""
    return "[" + f";{NBSP}".join(example().meaning) + "]"


@word
def verdict() -> str:
    """The sense that "banco" leaves with: assento, dinheiro, or em cima do muro."""
    return verdict_of(_given()[1].output)


@word
def entered() -> str:
    """The sense that "banco" comes in with, by its own value alone."""
    return verdict_of(_token(example().asking).value)


def weigh(query: Pair, keys: Array, values: Array) -> Array:
    """The weights alone: `weigh((0, 0), [[1, 0], [0, 2]], …)` -> [0.5, 0.5]"""
    return steps(query, keys, values).weights


@claim
def places_play_no_part(weigh: Callable[[Pair, Array, Array], Array] = weigh) -> Check:
    """That no weight hangs on a position: with the tokens in another order each keeps its own."""
    given = example()
    order = np.arange(len(given.tokens))[::-1]
    as_given = weigh(given.query, given.keys, given.values)[order]
    turned = weigh(given.query, given.keys[order], given.values[order])
    return Check(moved(as_given, turned) == 0, {"weights": as_given, "in another order": turned})


@claim
def other_input_other_weights(query: Pair | None = None) -> Check:
    """Another query, as an experiment has it, meets the same keys with other weights."""
    given = example()
    other = query or next(trial.query for trial in given.experiments if trial.query is not None)
    before, after = (weigh(asked, given.keys, given.values) for asked in (given.query, other))
    return Check(moved(before, after) > 0, {"weights": before, "with another query": after})


@claim
def leaves_with_a_new_vector(query: Pair | None = None) -> Check:
    """What the word that asks comes out as is no longer its own value."""
    given = example()
    own, found = np.array(_token(given.asking).value), steps(query or given.query, given.keys, given.values).output
    return Check(moved(own, found) > 0, {"value": own, "output": found})


@claim
def likeness_decides(weigh: Callable[[Pair, Array, Array], Array] = weigh) -> Check:
    """The weights stand in the order of query times key."""
    given = example()
    products = steps(given.query, given.keys, given.values).products
    weights = weigh(given.query, given.keys, given.values)
    return Check(list(np.argsort(products)) == list(np.argsort(weights)), {"products": products, "weights": weights})


@claim
def asks_announces_and_gives_apart(token: Token | None = None) -> Check:
    """The word that asks has a query, a key and a value that are three different vectors."""
    word = token or _token(example().asking)
    three = {"query": tuple(example().query), "key": tuple(word.key), "value": tuple(word.value)}
    return Check(len(set(three.values())) == len(three), three)


@word
def heaviest() -> str:
    """The token with the largest weight: `heaviest()` -> praça."""
    given, found = _given()
    return given.names[int(found.weights.argmax())]


@word
def tried_change(id: str) -> str:
    """What the experiment sets, as a vector: `tried_change("value")` -> [0; 1]."""
    tried = _experiment(id)
    return vector(plain())(tried.value if tried.query is None else tried.query)


@word
def tried_token(id: str) -> str:
    """The token whose value the experiment changes: `tried_token("value")` -> praça."""
    return _experiment(id).token or ""


@word
def tried_verdict(id: str) -> str:
    """What becomes of the verdict: `tried_verdict("value")` -> o veredito vira dinheiro."""
    given, found = _given()
    before, after = verdict_of(found.output), verdict_of(changed(given, _experiment(id)).output)
    return _words("tried.stays" if after == before else "tried.flips", verdict=after)


@word
def tried_moves(id: str) -> str:
    """How many weights the experiment moves, never one alone, as they add up to 1: `tried_moves("value")` -> nenhum peso se mexe."""
    given, found = _given()
    number_moved = moved(found.weights, changed(given, _experiment(id)).weights)
    return _words("tried.moved" if number_moved else "tried.still", count=spelled()(number_moved))


@word
def tried_leaves(id: str) -> str:
    """Whether the heaviest token loses its place: `tried_leaves("query")` -> o peso sai de praça."""
    given, found = _given()
    first = int(found.weights.argmax())
    after = changed(given, _experiment(id)).weights
    stays = after[first] >= after.max() - 1e-12
    return _words("tried.remains" if stays else "tried.leaves", token=given.names[first])


@word
def tried_weights(id: str) -> str:
    """The weights after the experiment: `tried_weights("query")` -> 0,40/0,40/0,20."""
    return "/".join(map(fixed(2), changed(example(), _experiment(id)).weights))


@word
def tried_even(id: str) -> str:
    """Whether the weights come out all the same: `tried_even("zero")` -> uniforme, uma média simples."""
    given = example()
    weights = changed(given, _experiment(id)).weights
    return _words("tried.even") if even(weights) else _words("tried.uneven", heaviest=given.names[int(weights.argmax())])


@word
def panel(label: str) -> str:
    """A label of the simulator: `panel("key")` -> chave k — o que ele anuncia."""
    given = example()
    return _words(f"panel.{label}", asking=given.asking, first=given.meaning[0], second=given.meaning[1])


def _experiment(id: str) -> Experiment:
    return data.one(example().experiments, lambda experiment: experiment.id, id, "data/hand_example.yml")


# Tables


@table
def example_table() -> Table:
    """Each token with its key and its value; a value that settles no sense is marked as such."""
    given = example()
    columns = (
        Column(_words("example.token")),
        Column(_words("example.key"), vector(plain()), align="left", role="k"),
        Column(_words("example.value"), vector(plain()), align="left", role="v"),
    )
    return Table(columns, [(token.name, token.key, Cell(token.value, _marked(given))) for token in given.tokens])


def _marked(given: Example) -> Format:
    """A value, followed by "ambíguo" where it settles no sense."""

    def write(value: Pair) -> str:
        text = vector(plain())(value)
        settled = sense(value, given.meaning, given.undecided_within)
        return text if settled else _words("example.undecided", value=text)

    return Format("marked", write)


@table
def four_steps() -> Table:
    """The four steps, a row a token, and their sums; the first row shows how its weight came about."""
    given, found = _given()
    columns = (
        Column(_words("steps.token")),
        Column(_words("steps.product")),
        Column(_words("steps.scaled", d_k=dimensions()), fixed(2)),
        Column(_words("steps.exponential"), fixed(2)),
        Column(_words("steps.weight"), fixed(3)),
        Column(_words("steps.contribution")),
    )
    rows: list[tuple[Any, ...]] = []
    for i, token in enumerate(given.tokens):
        weight = Cell(found.weights[i], _share(found, i) if i == 0 else None, role="best" if token.name == heaviest().value else "")
        product = Cell(found.products[i], told(_product(given.query, token.key)))
        mixing = Cell(found.contributions[i], told(_mixing(given, found, i)))
        rows.append((token.name, product, found.scaled[i], found.exponentials[i], weight, mixing))
    rows.append((_words("steps.sum"), None, None, found.total, Cell(found.weights.sum(), plain()), Cell(found.output, vector(fixed(2)))))
    return Table(columns, rows, classes=("sum",))


def _product(query: Pair, key: Pair) -> str:
    """The products that don't vanish and their sum: `_product((1, 2), (1, 1))` -> "1 + 2 = 3"."""
    terms = [a * b for a, b in zip(query, key) if a * b]
    sum_text = plain()(float(np.dot(query, key)))
    return f"{' + '.join(map(plain(), terms))} = {sum_text}".replace(f"+ {MINUS}", f"{MINUS} ") if len(terms) > 1 else sum_text


def _share(found: Steps, i: int) -> Format:
    """A weight with the division that gives it: "2,03 / 27,29 = 0,074"."""
    return Format("share", lambda weight: f"{fixed(2)(found.exponentials[i])} / {fixed(2)(found.total)} = {fixed(3)(weight)}")


def _mixing(given: Example, found: Steps, i: int) -> str:
    """Step ④ of one token in full: "0,306 [0,5; 0,5] = [0,153; 0,153]"."""
    part = vector(zero(fixed(3)))(found.contributions[i])
    return f"{fixed(3)(found.weights[i])}{NBSP}{vector(plain())(given.tokens[i].value)} = {part}"


# The simulator's opening state


@figure
def opening_state() -> Picture:
    """The plane of query and keys, the plane of values and output, and the four steps: what the simulator opens with."""
    given, found = _given()
    width, height = 1152, 480
    drawing, page = style.canvas(width, height, bare=True)
    left = drawing.add_axes((50 / width, 76 / height, 260 / width, 340 / height))
    middle = drawing.add_axes((380 / width, 76 / height, 240 / width, 340 / height))
    _plane(left, [given.query, *given.keys.tolist()], *(_words("opening.axis", n=n) for n in (1, 2)))
    _plane(middle, [*given.values.tolist(), found.output.tolist()], *given.meaning)
    _arrow(left, given.query, QUERY, _words("opening.query", vector=vector(plain())(given.query)))
    _arrows(left, [(token.key, token.name) for token in given.tokens], KEY)
    _arrows(middle, [(token.value, token.name) for token in given.tokens], VALUE)
    middle.plot(*found.output, marker="*", markersize=22, color=style.COLOURS.ink, clip_on=False, linestyle="none")
    output_text = _words("opening.output", vector=vector(fixed(2))(found.output))
    style.label(middle, output_text, found.output.tolist(), offset=(0, 26), ha="center", weight=600)
    for x, title in ((50, "opening.keys"), (380, "opening.values")):
        page.text(x, 452, _words(title), weight=600, va="center")
    _steps_beside(page, given, found)
    return Picture(drawing, _alt(given, found))


def _plane(axes: Axes, points: Sequence[Sequence[float]], across: str, up: str) -> None:
    """Axes of one scale with the origin and every point in view, a tick at each whole number."""
    for side, values in (("x", [point[0] for point in points]), ("y", [point[1] for point in points])):
        low, high = min(0.0, *values), max(0.0, *values)
        room = 0.12 * (high - low or 1)
        axes.set(**{f"{side}lim": (low - room * (low < 0), high + room)})
    _fill(axes)
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        ticks = range(int(np.ceil(low)), int(high) + 1)
        axis.set_ticks(ticks, [count()(tick) for tick in ticks])
    axes.set_xlabel(across)
    axes.set_ylabel(up)


def _fill(axes: Axes) -> None:
    """Widen the narrower side, to the right or upwards, until a unit measures the same on both."""
    drawing = axes.get_figure(root=True)
    assert drawing is not None
    box = axes.get_position()
    wide, high = box.width * drawing.get_figwidth(), box.height * drawing.get_figheight()
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    unit = min(wide / (right - left), high / (top - bottom))
    axes.set(xlim=(left, left + wide / unit), ylim=(bottom, bottom + high / unit))


def _arrow(axes: Axes, tip: Sequence[float], role: Role, text: str) -> None:
    """A line from the origin to `tip` in the colour, dash and end mark of its role, named at its end."""
    axes.plot([0, tip[0]], [0, tip[1]], color=role.colour, linestyle=role.dash, clip_on=False)
    axes.plot(*tip, marker=role.marker, markersize=11, color=role.colour, linestyle="none", clip_on=False)
    style.label(axes, text, (tip[0], tip[1]), colour=role.colour, offset=(12, 12), weight=600)


def _arrows(axes: Axes, tips: Sequence[tuple[Pair, str]], role: Role) -> None:
    """One line for each different point; names that share a point stand together."""
    for tip in dict.fromkeys(point for point, _ in tips):
        names = ", ".join(name for point, name in tips if point == tip)
        _arrow(axes, tip, role, _words(f"opening.{role.name}", names=names))


def _steps_beside(page: Axes, given: Example, found: Steps) -> None:
    """The four steps as a small table in pixels at the right of the page."""
    columns = (
        (716, "left", _words("opening.token"), [*given.names, _words("opening.sum")]),
        (846, "right", _words("opening.product"), [*map(plain(), found.products), ""]),
        (928, "right", _words("opening.scaled", d_k=dimensions()), [*map(fixed(2), found.scaled), ""]),
        (1012, "right", _words("opening.weight"), [*map(fixed(3), found.weights), plain()(found.weights.sum())]),
        (
            1150,
            "right",
            _words("opening.contribution"),
            [*map(vector(zero(fixed(3))), found.contributions), vector(fixed(2))(found.output)],
        ),
    )
    rows = len(given.tokens) + 1
    for x, side, heading, cells in columns:
        page.text(x, 400, heading, ha=side, va="center", weight=600)
        for row, cell in enumerate(cells):
            page.text(x, 352 - 46 * row, cell, ha=side, va="center", weight=600 if row == rows - 1 else 400)
    for y in (378, 352 - 46 * (rows - 1.5)):
        page.plot([716, 1150], [y, y], color=style.COLOURS.rule, linewidth=1.5)
    verdict_text = _words("opening.verdict", asking=given.asking, verdict=verdict())
    page.text(716, 352 - 46 * rows - 20, verdict_text, va="center", weight=600, size=28, color=style.COLOURS.stress)


def _alt(given: Example, found: Steps) -> str:
    whole = vector(plain())
    return _words(
        "opening.alt",
        asking=given.asking,
        query=whole(given.query),
        keys=", ".join(f"{token.name} {whole(token.key)}" for token in given.tokens),
        values=", ".join(f"{token.name} {whole(token.value)}" for token in given.tokens),
        output=vector(fixed(2))(found.output),
        products=whole(found.products),
        scaled=vector(fixed(2))(found.scaled),
        weights=vector(fixed(3))(found.weights),
        d_k=dimensions(),
        verdict=verdict(),
    )

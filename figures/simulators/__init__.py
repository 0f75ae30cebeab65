"""The simulators of the slides, bound to Python: what each gets as JSON, what it must compute, what it shows on paper.

`banco()` in a chunk puts the simulator on the slide. The browser's model (slides/sim/banco/model.mjs) and `run` here take the
same state and give the same result; the golden vectors that travel with the page are `run` of some states.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from babel.numbers import get_decimal_symbol

from figures import attention, chapter, embedding, hand_example, kv_cache, multihead_code, pieces, recurrence, running_example
from figures import bpe as encoding
from figures import multihead as two_heads
from figures import score_matrix as whole_matrix
from figures.kit import data, formats, ledger, readings
from figures.kit.errors import DataError
from figures.kit.ledger import Origin
from figures.kit.show import Picture

State = dict[str, Any]
DECK = ("gradient", "bpe", "banco", "matrix", "multihead", "cache")  # in the slides' order
CHAPTER = ("chain", "running")  # the chapter has these beside banco and matrix
NAMES = DECK + CHAPTER
_FENCE = "`" * 3


# Records


class Range(data.Record):
    """How far a control goes."""

    min: float
    max: float
    step: data.Above

    def faults(self) -> Iterator[str]:
        if self.min >= self.max:
            yield f"the least, {self.min:g}, must be below the most, {self.max:g}"


class Whole(data.Record):
    """The same for whole numbers."""

    min: int
    max: int
    step: data.Positive

    def faults(self) -> Iterator[str]:
        if self.min >= self.max:
            yield f"the least, {self.min}, must be below the most, {self.max}"


class Gradient(data.Record):
    tokens_step: data.Positive
    scale_step: data.Above


class Bpe(data.Record):
    longest: data.Positive


class Banco(data.Record):
    vectors: Range
    dk: Whole


class WholeMatrix(data.Record):
    dk: Whole


class Settings(data.Record):
    """`data/simulators.yml`: the ranges of the controls."""

    seed: data.Natural
    checked: data.Natural
    gradient: Gradient
    bpe: Bpe
    banco: Banco
    matrix: WholeMatrix


def settings() -> Settings:
    return data.load("simulators", Settings)


def reaching(reach: Range | Whole, key: str, values: Iterable[float]) -> None:
    """Refuse a control that can't show what the simulator opens with: a page that shows 5 where the slide says 6 would lie."""
    for value in values:
        if not reach.min <= value <= reach.max:
            what = f"the simulator opens with {value:g}, which a control from {reach.min:g} to {reach.max:g} can't show"
            raise DataError("data/simulators.yml", key, what, "Widen the range")


# What all have in common


@dataclass(frozen=True)
class Simulator:
    """A simulator: its data, the state it opens in, its model in Python, and how to draw a state at random."""

    name: str
    data: dict[str, Any]
    opening: State
    run: Callable[[State], dict[str, Any]]
    draw: Callable[[np.random.Generator], State]
    words: dict[str, Any]
    picture: Callable[[], Picture]  # the opening state on paper
    tried: tuple[State, ...] = ()  # states that the speaker's notes lead to
    origin: Origin | None = None

    def params(self) -> dict[str, Any]:
        """All that the browser's side needs to know, ready for JSON."""
        rng = np.random.default_rng(readings.seed("simulators.yml", settings().seed))
        states = [self.opening, *self.tried, *(self.draw(rng) for _ in range(settings().checked))]
        golden = [{"state": state, "result": self.run(state)} for state in states]
        locale = {"decimal": get_decimal_symbol(formats.locale()), "minus": formats.MINUS}
        return {"name": self.name, "data": self.data, "opening": self.opening, "golden": golden, "words": self.words, "locale": locale}

    def _repr_markdown_(self) -> str:
        """The picture, which print and PDF keep, and beside it the JSON from which build/ brings the simulator to life."""
        said = to_json([self.data, self.words])
        offered = hashlib.sha256(said.encode()).hexdigest()[:16]  # its menus, inputs and words, in short
        opening = {"opening": self.opening, "result": self.run(self.opening), "offered": offered}
        n = ledger.add("simulator", opening, self.words["name"], self.origin) if self.origin else 0
        mark = f' data-n="{n}"' if n else ""
        params = f'<script type="application/json" class="sim-params">{to_json(self.params())}</script>'
        return (
            f'\n::::: {{.sim data-sim="{self.name}"{mark}}}\n:::: {{.sim-static}}\n{self.picture()._repr_markdown_()}\n::::\n\n'
            f"{_FENCE}{{=html}}\n{params}\n{_FENCE}\n:::::\n"
        )


def simulator(maker: Callable[[], Simulator]) -> Callable[[], Simulator]:
    """A function that returns a Simulator -> the same, stamped with where it comes from."""

    @functools.wraps(maker)
    def made() -> Simulator:
        with readings.noted() as read:
            found = maker()
            found.params()
        return replace(found, origin=Origin(maker, reads=tuple(sorted(read))))

    return made


def to_json(value: Any) -> str:
    """JSON that can stand inside a `<script>`: `to_json("</a>")` -> '"<\\\\/a>"'."""
    text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("<!--", "<\\u0021--")


def listed(**values: Any) -> State:
    """A state, or a result, in plain numbers and lists."""
    return {name: plain(value) for name, value in values.items()}


def plain(value: Any) -> Any:
    """Arrays, tuples and records as what JSON knows; an infinite number as null."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, data.Record):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    return None if isinstance(value, float) and not np.isfinite(value) else value


def words(topic: str, **fields: object) -> dict[str, Any]:
    """The texts of a simulator with the common ones; `fields` known here are filled in, the others left to the page."""
    texts = data.load("words/simulators", dict[str, dict[str, Any]])
    return {**texts["common"], **_filled(texts[topic], fields)}


def _filled(text: Any, fields: dict[str, object]) -> Any:
    if isinstance(text, dict):
        return {key: _filled(one, fields) for key, one in text.items()}
    if isinstance(text, list):
        return [_filled(one, fields) for one in text]
    for name, value in fields.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


# How far the gradient goes


@simulator
def gradient() -> Simulator:
    """What is left of a gradient on its way back through a text: RNN, LSTM's cell, attention."""
    given, steps = recurrence.inputs(), settings().gradient
    tokens, scale = given.range.tokens, given.range.scale
    return Simulator(
        name="gradient",
        data={
            "W": given.W,
            "w": given.w,
            "u": given.u,
            "forget": given.forget,
            "tokens": {"min": tokens[0], "max": tokens[1], "step": steps.tokens_step},
            "scale": {"min": scale[0], "max": scale[1], "step": steps.scale_step},
        },
        opening=plain(given.opening),
        run=_gradient_left,
        draw=_gradient_draw,
        words=words("gradient"),
        picture=recurrence.opening_state,
        tried=(plain(given.far),),
    )


def _gradient_left(state: State) -> dict[str, Any]:
    """The gradient from the last token to the first, as powers of ten."""
    n = state["tokens"]
    left = {
        "attention": recurrence.attention_path(n),
        "lstm": recurrence.product_path(n, recurrence.inputs().forget),
        "rnn": recurrence.rnn_path(n, state["scale"]),
    }
    return {name: float(np.log10(path[0])) for name, path in left.items()}


def _gradient_draw(rng: np.random.Generator) -> State:
    reach = recurrence.inputs().range
    return {"tokens": int(rng.integers(reach.tokens[0], reach.tokens[1] + 1)), "scale": float(rng.uniform(*reach.scale))}


# BPE, merge by merge


@simulator
def bpe() -> Simulator:
    """A phrase cut by the merges that the toy corpus teaches, as far as the reader steps."""
    toy = encoding.toy()
    cases = {"example": pieces.example(), **{case.id: case.text for case in toy.cases}}
    if (longest := max(map(len, cases.values()))) > settings().bpe.longest:
        what = f"a text of {longest} characters is offered, and a reader may write {settings().bpe.longest}"
        raise DataError("data/simulators.yml", "bpe.longest", what, "Raise it")
    return Simulator(
        name="bpe",
        data={
            "corpus": toy.corpus,
            "merges": [merge.pair for merge in encoding.merges()],
            "most": max(merge.times for merge in encoding.merges()),
            "vocabulary": encoding.vocabulary(),
            "pairs": toy.pairs_shown,
            "cases": [{"id": id, "text": text} for id, text in cases.items()],
            "longest": settings().bpe.longest,
        },
        opening={"text": cases["example"], "done": 0},
        run=_bpe_cut,
        draw=_bpe_draw,
        words=words("bpe"),
        picture=encoding.opening_state,
        tried=tuple({"text": text, "done": len(encoding.merges())} for text in cases.values()),
    )


def _bpe_cut(state: State) -> dict[str, Any]:
    learnt = encoding.merges()
    done = learnt[: state["done"]]
    cut = encoding.cut(state["text"], done)
    return listed(
        pieces=cut,
        ids=encoding.to_ids(cut, encoding.vocabulary()),
        pairs=_bpe_pairs(state["done"]),
        touching=[merge.number for merge in encoding.touching(state["text"], learnt)],
    )


@functools.cache
def _bpe_pairs(done: int) -> list[tuple[str, str, int]]:
    """The corpus's commonest pairs after so many merges; of equals, the one seen first."""
    learnt = encoding.merges()[:done]
    texts = [encoding.replay(symbols, learnt) for sentence in encoding.toy().corpus for symbols in encoding.words(sentence)]
    counts = encoding.pair_counts(texts).items()
    return [(left, right, count) for (left, right), count in sorted(counts, key=lambda entry: -entry[1])[: encoding.toy().pairs_shown]]


def _bpe_draw(rng: np.random.Generator) -> State:
    """Words of the corpus and words made of its letters and a few others, with and without spaces and signs."""
    known = " ".join(encoding.toy().corpus).split(" ")
    letters = sorted(set("".join(known)) | set("áéíxyzÃ,?!_3"))

    def word() -> str:
        made = "".join(rng.choice(letters, rng.integers(1, 8)))
        return str(rng.choice(known)) if rng.random() < 0.6 else made

    text = str(rng.choice(["", " ", "  "], p=[0.8, 0.1, 0.1])).join(["", *(word() + " " for _ in range(rng.integers(1, 6)))])
    return {"text": text.rstrip() if rng.random() < 0.8 else text, "done": int(rng.integers(0, len(encoding.merges()) + 1))}


# One query, three keys


@simulator
def banco() -> Simulator:
    """The example worked by hand, every number of it under a slider."""
    given = hand_example.example()
    ranges = settings().banco
    reaching(ranges.vectors, "banco.vectors", (*given.query, *given.keys.flat, *given.values.flat))
    reaching(ranges.dk, "banco.dk", (len(given.query),))
    opening = {"q": given.query, "keys": given.keys, "values": given.values, "dk": len(given.query)}
    return Simulator(
        name="banco",
        data={
            "tokens": given.names,
            "meaning": given.meaning,
            "undecided": given.undecided_within,
            "vectors": ranges.vectors,
            "dk": ranges.dk,
        },
        opening=plain(opening),
        run=_banco_steps,
        draw=_banco_draw,
        words=words("banco", count=hand_example.key_count(), asking=given.asking, first=given.meaning[0], second=given.meaning[1])
        | {"undecided": hand_example.undecided()},
        picture=hand_example.opening_state,
        tried=tuple(_banco_tried(plain(opening), experiment) for experiment in given.experiments),
    )


def _banco_tried(opening: State, experiment: hand_example.Experiment) -> State:
    names = hand_example.example().names
    values = [experiment.value if name == experiment.token else value for name, value in zip(names, opening["values"])]
    return listed(**{**opening, "q": experiment.query or opening["q"], "values": values})


def _banco_steps(state: State) -> dict[str, Any]:
    given = hand_example.example()
    found = hand_example.steps(state["q"], np.array(state["keys"]), np.array(state["values"]), state["dk"])
    sense = hand_example.sense(found.output, given.meaning, given.undecided_within)
    return listed(
        scores=found.products,
        scaled=found.scaled,
        exponentials=found.exponentials,
        total=found.total,
        weights=found.weights,
        parts=found.contributions,
        output=found.output,
        sense=None if sense is None else given.meaning.index(sense),
    )


def _banco_draw(rng: np.random.Generator) -> State:
    reach, n = settings().banco.vectors, len(hand_example.example().tokens)
    numbers = rng.uniform(reach.min, reach.max, (1 + 2 * n, 2))
    dk = int(rng.integers(settings().banco.dk.min, settings().banco.dk.max + 1))
    return listed(q=numbers[0], keys=numbers[1 : 1 + n], values=numbers[1 + n :], dk=dk)


# The whole matrix


@simulator
def matrix() -> Simulator:
    """The weights of a whole sentence, by score function, with and without √d_k and the causal mask."""
    given = whole_matrix.records()
    found, reach = whole_matrix.vectors(given.tokens, given.content), settings().matrix.dk
    reaching(reach, "matrix.dk", (given.opening.d_k,))
    if reach.max > given.content.d_k:
        what = f"{reach.max} components, and matrix.yml draws {given.content.d_k}"
        raise DataError("data/simulators.yml", "matrix.dk.max", what, "Lower it, or draw more")
    return Simulator(
        name="matrix",
        data={
            "tokens": given.texts,
            "queries": found.queries,
            "keys": found.keys,
            "previous": given.previous.strength,
            "distance": given.distance.slope,
            "mix": given.mix,
            "functions": [function.id for function in given.functions],
            "dk": reach,
        },
        opening=_matrix_state(given.opening),
        run=lambda state: {"weights": plain(whole_matrix.weights(_matrix_asked(state)))},
        draw=_matrix_draw,
        words=words("matrix"),
        picture=whole_matrix.opening_state,
        tried=(_matrix_state(whole_matrix.undivided()),),
    )


def _matrix_state(state: whole_matrix.State) -> State:
    """A state of matrix.py as the browser's: rows counted from 0."""
    return {"function": state.function, "dk": state.d_k, "divide": state.divide, "causal": state.causal, "row": state.row - 1}


def _matrix_asked(state: State) -> whole_matrix.State:
    return whole_matrix.State(
        function=state["function"], d_k=state["dk"], divide=state["divide"], causal=state["causal"], row=state["row"] + 1
    )


def _matrix_draw(rng: np.random.Generator) -> State:
    given, reach = whole_matrix.records(), settings().matrix.dk
    return {
        "function": given.functions[rng.integers(len(given.functions))].id,
        "dk": int(rng.integers(reach.min, reach.max + 1)),
        "divide": bool(rng.integers(2)),
        "causal": bool(rng.integers(2)),
        "row": int(rng.integers(len(given.tokens))),
    }


# Multi-head, line by line


@simulator
def multihead() -> Simulator:
    """The multi-head listing on the two-head example, run a line at a time."""
    Q, K, V = two_heads.example()
    by_hand = hand_example.example()
    opening = {"line": len(multihead_code.lines()), "causal": False, "oneHead": False, "equalKeys": False}
    return Simulator(
        name="multihead",
        data={
            "lines": multihead_code.lines(),
            "tokens": by_hand.names,
            "asking": by_hand.asking,
            "heads": two_heads.head_count(),
            "Q": Q,
            "K": K,
            "V": V,
        },
        opening=opening,
        run=_multihead_made,
        draw=_multihead_draw,
        words=words("multihead", one=two_heads.one_head_h()),
        picture=two_heads.opening_state,
        tried=tuple({**opening, name: True} for name in ("causal", "oneHead", "equalKeys")),
    )


def _multihead_made(state: State) -> dict[str, Any]:
    Q, K, V = (np.array(state.get(name, given)) for name, given in zip("QKV", two_heads.example()))
    keys = np.broadcast_to(K[0], K.shape) if state["equalKeys"] else K
    heads = 1 if state["oneHead"] else two_heads.head_count()
    steps = multihead_code.run(Q, keys, V, heads, attention.causal(len(Q)) if state["causal"] else None)
    return {"made": [plain(step.made) for step in steps]}


def _multihead_draw(rng: np.random.Generator) -> State:
    """Any numbers in the example's shapes, rounded, and any switches."""
    tensors = {name: plain(rng.normal(0, 2, given.shape).round(3)) for name, given in zip("QKV", two_heads.example())}
    switches = {name: bool(rng.integers(2)) for name in ("causal", "oneHead", "equalKeys")}
    return {"line": int(rng.integers(len(multihead_code.lines()) + 1)), **switches, **tensors}


# The cache in an accelerator


@simulator
def cache() -> Simulator:
    """Weights and KV cache against a card's memory."""
    offered = kv_cache.simulator()
    return Simulator(
        name="cache",
        data={
            "models": kv_cache.models(),
            "schemes": [{"id": scheme.id, "keeps": scheme.keeps} for scheme in kv_cache.schemes().schemes],
            "latent": kv_cache.schemes().latent,
            "accelerators": [{"id": card.id, "memory": card.memory} for card in kv_cache.accelerators()],
            "context": {"min": min(offered.contexts), "max": max(offered.contexts)},
            "requests": {"min": min(offered.requests), "max": max(offered.requests)},
            "bits": offered.bits,
        },
        opening=plain(offered.opens),
        run=_cache_demand,
        draw=_cache_draw,
        words=words("cache"),
        picture=kv_cache.opening_state,
        tried=tuple(plain(kv_cache.state(tried.id)) for tried in offered.tries),
    )


def _cache_demand(state: State) -> dict[str, Any]:
    needs = kv_cache.demanded(kv_cache.State(**state))
    return {**needs._asdict(), "spare": needs.spare, "fits": needs.fits}


def _cache_draw(rng: np.random.Generator) -> State:
    offered = kv_cache.simulator()

    def one(records: Any) -> Any:
        return records[rng.integers(len(records))]

    return {
        "model": one(kv_cache.models()).id,
        "scheme": one(kv_cache.schemes().schemes).id,
        "context": int(rng.integers(min(offered.contexts), max(offered.contexts) + 1)),
        "requests": int(rng.integers(min(offered.requests), max(offered.requests) + 1)),
        "bits": one(offered.bits),
        "accelerator": one(kv_cache.accelerators()).id,
    }


# The chapter's own panels


@simulator
def chain() -> Simulator:
    """The example worked by hand, all queries at once, a matrix at a time."""
    found, names = chapter.by_hand(), hand_example.example().names
    return Simulator(
        name="chain",
        data={"tokens": names, "Q": found.Q, "K": found.K, "V": found.V},
        opening={"step": len(found), "row": names.index(hand_example.example().asking)},
        run=_chain_found,
        draw=_chain_draw,
        words=words("chain", sum=hand_example.weight_sum()),
        picture=chapter.chain,
    )


def _chain_found(state: State) -> dict[str, Any]:
    given = chapter.by_hand()
    return listed(**chapter.chain_of(*(np.array(state.get(name, getattr(given, name))) for name in "QKV"))._asdict())


def _chain_draw(rng: np.random.Generator) -> State:
    given = chapter.by_hand()
    drawn = {name: plain(rng.normal(0, 2, getattr(given, name).shape).round(3)) for name in "QKV"}
    return {"step": int(rng.integers(1, len(given) + 1)), "row": int(rng.integers(len(given.Q))), **drawn}


@simulator
def running() -> Simulator:
    """The running example through head 1, row by row."""
    names = [pieces.visible(piece) for piece in running_example.pieces()]
    return Simulator(
        name="running",
        data={"tokens": names, "X": embedding.X(), "head": running_example.records().heads[0]},
        opening={"row": len(names) - 1, "divide": True},
        run=_running_found,
        draw=_running_draw,
        words=words("running"),
        picture=running_example.opening_state,
        tried=tuple({"row": row, "divide": divide} for row in range(len(names)) for divide in (True, False)),
    )


def _running_found(state: State) -> dict[str, Any]:
    X = np.array(state.get("X", embedding.X()))
    found = running_example.chain(X, running_example.records().heads[0], state["divide"])
    ahead = [running_example.share_ahead(found.weights, row) for row in range(len(X))]
    named = {"u": found.u, "Q": found.Q, "K": found.K, "V": found.V, "S": found.scores, "A": found.weights, "O": found.output}
    return listed(**named, ahead=ahead)


def _running_draw(rng: np.random.Generator) -> State:
    given = embedding.X()
    row, divide = int(rng.integers(len(given))), bool(rng.integers(2))
    return {"row": row, "divide": divide, "X": plain(rng.normal(0, 2, given.shape).round(3))}

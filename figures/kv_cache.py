"""The KV cache: what a token leaves behind, how many bytes that is, and whether it fits beside the weights.

Numbers of bytes are raw; GB is 10⁹, KiB 2¹⁰. Weights are counted by the nominal size in the model's name.
The pure functions take records as arguments; the shown ones supply those of `data/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from figures.kit import data, ledger, style
from figures.kit.claims import Check, claim
from figures.kit.formats import Format, binary_bytes, count, fixed, joined, kibi, percent, plain, times, to_tex, unit
from figures.kit.show import Cell, Column, Picture, Table, figure, number, table, word
from figures.kit.words import Words

_words = Words("kv_cache")
KEY_AND_VALUE = 2


# Records


class Model(data.Record):
    """A published model; `head_dim` numbers a head, `parameters` nominal."""

    id: str
    name: str
    parameters: data.Above
    layers: data.Positive
    heads: data.Positive
    kv_heads: data.Positive
    head_dim: data.Positive
    source: str

    def faults(self) -> Iterator[str]:
        if self.heads % self.kv_heads:
            yield f"{self.heads} heads can't share {self.kv_heads} pairs of keys and values: `kv_heads` must divide `heads`"


class Accelerator(data.Record):
    """A card: memory in bytes, bandwidth in bytes a second, dense bfloat16 operations a second."""

    id: str
    name: str
    memory: data.Above
    bandwidth: data.Above
    flops: data.Above
    source: str


class Latent(data.Record):
    """What MLA keeps of a token in a layer, and the heads that it stands for."""

    name: str
    heads: data.Positive
    head_dim: data.Positive
    kv_latent: data.Positive
    rope_dim: data.Positive
    source: str


class Scheme(data.Record):
    """A way to share keys and values; `heads` and `cache` are the table's cells where those are symbols."""

    id: str
    keeps: Literal["all", "one", "groups", "latent"]
    quality: str
    today: str
    source: str
    heads: str = ""
    cache: str = ""


class Schemes(data.Record):
    year: int
    latent: Latent
    schemes: tuple[Scheme, ...]


class State(data.Record):
    """One setting of the simulator: ids of a model, a scheme and a card, tokens a request, requests at once, bits a number."""

    model: str
    scheme: str
    context: data.Positive
    requests: data.Positive
    bits: data.Positive
    accelerator: str


class Try(data.Record):
    """What the notes change of the opening state."""

    id: str
    model: str | None = None
    scheme: str | None = None
    context: data.Positive | None = None


class Simulator(data.Record):
    """The simulator's opening state, the experiments of its notes, and what its controls offer."""

    opens: State
    tries: tuple[Try, ...]
    contexts: tuple[data.Positive, ...]
    requests: tuple[data.Positive, ...]
    bits: tuple[data.Positive, ...]
    long_context: data.Positive
    users: data.Positive
    source: str

    def faults(self) -> Iterator[str]:
        offered = {"context": self.contexts, "requests": self.requests, "bits": self.bits}
        for name, choices in offered.items():
            if getattr(self.opens, name) not in choices:
                yield f"it opens with {getattr(self.opens, name)} {name}, which the control doesn't offer: {', '.join(map(str, choices))}"
        for one in self.tries:
            if one.context is not None and one.context not in self.contexts:
                yield f"{one.id} tries a context of {one.context}, which the control doesn't offer"


def models() -> tuple[Model, ...]:
    return data.load("models", tuple[Model, ...])


def accelerators() -> tuple[Accelerator, ...]:
    return data.load("accelerators", tuple[Accelerator, ...])


def schemes() -> Schemes:
    return data.load("schemes", Schemes)


def simulator() -> Simulator:
    return data.load("cache_simulator", Simulator)


def example() -> Model:
    """The model of the slides' sums: Llama 3 8B, the first of data/models.yml."""
    return models()[0]


def model(id: str) -> Model:
    return data.one(models(), lambda record: record.id, id, "data/models.yml")


def scheme(id: str) -> Scheme:
    return data.one(schemes().schemes, lambda record: record.id, id, "data/schemes.yml")


def accelerator(id: str) -> Accelerator:
    return data.one(accelerators(), lambda record: record.id, id, "data/accelerators.yml")


def state(experiment: str = "opening") -> State:
    """The opening state, or that of an experiment of the notes: `state("every-head").scheme` -> "MHA"."""
    known = simulator()
    if experiment == "opening":
        return known.opens
    tried = data.one(known.tries, lambda record: record.id, experiment, "data/cache_simulator.yml")
    changes = {name: getattr(tried, name) for name in Try.__struct_fields__ if name != "id"}
    return data.changed(known.opens, **{name: value for name, value in changes.items() if value is not None})


# Pure


def passes(n: int, cached: bool) -> int:
    """Token passes to write n tokens: `passes(4, cached=False)` -> 1 + 2 + 3 + 4 = 10, cached -> 4"""
    return n if cached else n * (n + 1) // 2


def kept(model: Model, keeps: str, latent: Latent) -> int:
    """Numbers that one token leaves in the cache, all layers: `kept(llama_3_8b, "groups", …)` -> 2·32·8·128 = 65536"""
    if keeps == "latent":
        return model.layers * (latent.kv_latent + latent.rope_dim)
    kv_heads = {"all": model.heads, "groups": model.kv_heads, "one": 1}[keeps]
    return KEY_AND_VALUE * model.layers * kv_heads * model.head_dim


def cache_bytes(kept: int, bytes_per_number: float, tokens: int, sequences: int = 1) -> float:
    """`cache_bytes(65536, 2, 131072)` -> 17179869184 (16 GiB)"""
    return kept * bytes_per_number * tokens * sequences


def share(scheme: Scheme, latent: Latent) -> float:
    """The cache of MLA over that of its heads kept whole: (512 + 64) / (2·128·128) = 1/56.9; 1 for MHA."""
    if scheme.keeps == "latent":
        return (latent.kv_latent + latent.rope_dim) / (KEY_AND_VALUE * latent.heads * latent.head_dim)
    return 1.0


class Demand(NamedTuple):
    """Bytes that a state needs, and those that the card has."""

    weights: float
    cache: float
    memory: float

    @property
    def spare(self) -> float:
        """What is left; negative where it doesn't fit."""
        return self.memory - self.weights - self.cache

    @property
    def fits(self) -> bool:
        return self.spare >= 0


def demand(model: Model, keeps: str, latent: Latent, context: int, requests: int, bits: int, memory: float) -> Demand:
    """Weights and cache in bytes: 8B, groups, 32768 tokens, 8 requests, 16 bits -> 16e9 + 34.36e9"""
    size = bits / 8
    return Demand(model.parameters * size, cache_bytes(kept(model, keeps, latent), size, context, requests), memory)


def demanded(state: State) -> Demand:
    """The demand of a state, its ids looked up."""
    latent, card = schemes().latent, accelerator(state.accelerator)
    return demand(model(state.model), scheme(state.scheme).keeps, latent, state.context, state.requests, state.bits, card.memory)


class Step(NamedTuple):
    """Seconds that one decoding step of a state takes at best: to move its bytes, to compute its products."""

    moving: float
    computing: float


def step(state: State) -> Step:
    """One token a request: weights and cache are read once; 2 operations a weight, 4 a key and value head of each query."""
    needs, card, size = demanded(state), accelerator(state.accelerator), model(state.model)
    attention = 4 * size.layers * size.heads * size.head_dim * state.context
    return Step((needs.weights + needs.cache) / card.bandwidth, state.requests * (2 * size.parameters + attention) / card.flops)


# Formats


def gigabytes() -> Format:
    """Always in GB, three digits: `gigabytes()(34.36e9)` -> "34,4 GB", `gigabytes()(137.4e9)` -> "137 GB"."""
    return Format("gigabytes", lambda value: unit(fixed(0 if abs(value) >= 99.95e9 else 1, trim=True), "GB")(value / 1e9))


def one_in() -> Format:
    """A small share as one part in so many: `one_in()(0.01758)` -> "~1/57"."""
    return Format("one_in", lambda value: f"~1/{count()(round(1 / value))}")


# Slide "O cache de KV"


@word
def passes_formula(how: str) -> str:
    """Token passes to write n tokens, as a formula: `passes_formula("without")` -> "$n(n+1)/2$"."""
    return _words(f"passes.{how}")


@claim
def passes_add_up(passes: Callable[[int, bool], int] = passes) -> Check:
    """The formulas count what a loop counts: token t costs t passes without the cache, one with it."""
    counted = {n: (sum(range(1, n + 1)), n) for n in (1, 2, 7, 100)}
    told = {n: (passes(n, False), passes(n, True)) for n in counted}
    return Check(told == counted, {"counted": counted, "told": told})


# Slide "Quanto ocupa o cache"


@number(binary_bytes())
def per_token() -> float:
    """Llama 3 8B, 16 bits: 128 KiB a token."""
    return cache_bytes(kept(example(), "groups", schemes().latent), simulator().opens.bits / 8, 1)


@number(binary_bytes())
def one_user() -> float:
    """The same at the longest context, one sequence: 16 GiB."""
    known = simulator()
    return per_token().value * known.long_context * known.users


@table
def factors() -> Table:
    """The formula's factors for Llama 3 8B, then bytes a token, then one user's whole context."""
    llama, known = example(), simulator()
    source, bits = llama.source, known.opens.bits
    columns = _words.list("factors.columns")
    users = _words("factors.one_user") if known.users == 1 else _words("factors.users", count=count()(known.users))
    bytes_told = to_tex(count()(per_token().value))
    tokens = _words("factors.tokens", context=kibi()(known.long_context), tokens=count()(known.long_context), users=users)
    rows: list[list[Any]] = [
        [f"${KEY_AND_VALUE}$", _words("factors.kv"), KEY_AND_VALUE],
        ["$L$", _words("factors.layers"), ledger.fact(llama.layers, source)],
        ["$h_{kv}$", _words("factors.kv_heads"), ledger.fact(llama.kv_heads, source)],
        ["$d_h$", _words("factors.head_dim"), ledger.fact(llama.head_dim, source)],
        ["$b$", _words("factors.bytes", bits=bits), Cell(bits / 8, plain())],
        [
            _words("factors.per_token"),
            _words("factors.per_token_is", formula=r"2\,L\,h_{kv}\,d_h\,b", bytes=bytes_told),
            Cell(per_token().value, binary_bytes()),
        ],
        [r"$T \cdot B$", tokens, Cell(one_user().value, binary_bytes(), "best")],
    ]
    return Table([Column(columns[0]), Column(columns[1]), Column(columns[2].format(model=llama.name), count())], rows)


@number(kibi())
def long_context() -> Any:
    """The context of the sum: 128k."""
    return ledger.fact(simulator().long_context, simulator().source)


@number(count())
def kept_per_head() -> int:
    """What is kept of a token in a head: its key and its value, 2."""
    return KEY_AND_VALUE


# Slide "Simulador · o cache num acelerador"


@word
def setting(experiment: str = "opening") -> str:
    """A state in words: "8B, GQA, 32k, 8 requisições"."""
    return _told(state(experiment))


@word
def scheme_of(experiment: str = "opening") -> str:
    """The scheme of a state: "GQA"."""
    return state(experiment).scheme


@number(kibi())
def context(experiment: str = "opening") -> int:
    return state(experiment).context


@number(gigabytes())
def cache(experiment: str = "opening") -> float:
    """Bytes of the cache: `cache()` -> 34,4 GB, `cache("every-head")` -> 137 GB."""
    return demanded(state(experiment)).cache


@word
def model_of(experiment: str) -> Any:
    """The model of an experiment, by its size: `model_of("large")` -> "70B"."""
    known = model(state(experiment).model)
    return ledger.fact(known.id, known.source)


@number(gigabytes())
def weights(experiment: str = "opening") -> float:
    """Bytes of the weights: `weights()` -> 16 GB, `weights("large")` -> 140 GB."""
    return demanded(state(experiment)).weights


@number(gigabytes())
def memory() -> Any:
    """The card's memory: 80 GB."""
    card = accelerator(state().accelerator)
    return ledger.fact(card.memory, card.source)


@number(count())
def bits() -> int:
    """Bits a number, weights and cache alike."""
    return state().bits


@word
def fits(experiment: str = "opening") -> str:
    """ "cabe" or "não cabe": weights and cache together against the card."""
    return _verdict(demanded(state(experiment)))


@word
def weights_fit(*experiments: str) -> str:
    """ "já não cabem" where no experiment's weights alone fit in the card."""
    needs = [demanded(state(experiment)) for experiment in experiments]
    return _words("weights_fit_not" if all(need.weights > need.memory for need in needs) else "weights_fit")


@claim
def cache_outweighs_weights(experiment: str = "opening") -> Check:
    """At the opening state the cache takes more of the memory than the weights do."""
    needs = demanded(state(experiment))
    return Check(needs.cache > needs.weights, {"cache": needs.cache, "weights": needs.weights})


@word
def growth(experiment: str) -> str:
    """What the experiment does to the opening cache: "cresce 4×"."""
    factor = demanded(state(experiment)).cache / demanded(state()).cache
    if factor == 1:
        return _words("stays")
    return _words("grows", times=times(1)(factor)) if factor > 1 else _words("shrinks", share=percent()(factor))


@word
def again(experiment: str, earlier: str) -> str:
    """ "outra vez" where two experiments need the same cache; else what the earlier one needed."""
    first, second = cache(earlier), cache(experiment)
    return _words("again") if first.text == second.text else _words("differs", other=first.text)


@figure
def opening_state() -> Picture:
    """Weights and cache in the card, and the cache against the context for every scheme, at the opening state."""
    now, needs, card = state(), demanded(state()), accelerator(state().accelerator)
    drawing, (left, right) = style.canvas(1152, 500, ncols=2, width_ratios=(5, 7))
    _draw_card(left, needs, card)
    left.set_title(_told(now))
    ends = _draw_curves(right, now)
    spare = _words("figure.spare" if needs.fits else "figure.missing", bytes=gigabytes()(abs(needs.spare)))
    curves = joined([_words("figure.curve", scheme=id, cache=gigabytes()(size)) for id, size in ends], _words("figure.and"))
    alt = _words(
        "figure.alt", state=_told(now), weights=gigabytes()(needs.weights), cache=gigabytes()(needs.cache), card=card.name,
        memory=gigabytes()(card.memory), verdict=_verdict(needs), spare=spare, requests=_requests(now),
        context=kibi()(now.context), curves=curves,
    )  # fmt: skip
    return Picture(drawing, alt)


def _draw_card(axes: Any, needs: Demand, card: Accelerator) -> None:
    """Weights and cache stacked in a box as tall as the card's memory."""
    colours, giga, top = style.COLOURS, gigabytes(), max(needs.memory, needs.weights + needs.cache) / 1e9
    stacked = [(0.0, needs.weights, "weights", colours.line), (needs.weights, needs.cache, "cache", colours.rule)]
    for bottom, size, name, colour in stacked:
        axes.bar(0, size / 1e9, 1, bottom=bottom / 1e9, color=colour)
        style.label(axes, f"{_words(f'figure.{name}')}: {giga(size)}", (0.5, (bottom + size / 2) / 1e9), weight=600)
    axes.bar(0, needs.memory / 1e9, 1, fill=False, edgecolor=colours.ink, linewidth=3)
    told = _words("figure.card", card=card.name, memory=giga(needs.memory))
    axes.text(-0.5, needs.memory / 1e9 + top * 0.02, told, va="bottom", size=style.SIZES.figure)
    spare = _words("figure.spare" if needs.fits else "figure.missing", bytes=giga(abs(needs.spare)))
    middle = (needs.memory + needs.weights + needs.cache) / 2e9
    style.label(axes, f"{_verdict(needs)}: {spare}", (0.5, middle), colour=colours.stress, weight=600)
    axes.set(xlim=(-0.52, 2.1), ylim=(0, top * 1.1), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def _draw_curves(axes: Any, now: State) -> list[tuple[str, float]]:
    """The cache in GB against the context, a line a scheme; returns each scheme's cache at the state's context."""
    colours, longest, needs = style.COLOURS, max(simulator().contexts), demanded(now)
    room, top = (needs.memory - needs.weights) / 1e9, 1.15 * demanded(_with(now, context=max(simulator().contexts))).cache / 1e9
    ends = []
    for known in schemes().schemes:
        at_end = demanded(_with(now, scheme=known.id, context=longest)).cache / 1e9
        reach = min(longest, longest * top / at_end)
        chosen = known.id == now.scheme
        axes.plot([0, reach], [0, at_end * reach / longest], color=colours.ink if chosen else colours.rule, linewidth=4 if chosen else 2.5)
        inside = at_end <= top
        style.label(
            axes, known.id, (reach, at_end * reach / longest), weight=600 if chosen else 400,
            offset=(8, 0) if inside else (-6, 8), ha="left" if inside else "center", va="center" if inside else "bottom",
        )  # fmt: skip
        ends.append((known.id, demanded(_with(now, scheme=known.id)).cache))
    axes.axhline(room, color=colours.stress, linewidth=2, linestyle=(0, (6, 4)))
    axes.text(
        longest, room - top * 0.015, f"{_words('figure.room')}: {gigabytes()(room * 1e9)}", ha="right", va="top", color=colours.stress
    )
    axes.plot(now.context, needs.cache / 1e9, "o", color=colours.ink, markersize=11)
    told = f"{kibi()(now.context)}: {gigabytes()(needs.cache)}"
    style.label(axes, told, (now.context, needs.cache / 1e9), offset=(10, -6), va="top", weight=600)
    ticks = [size for size in simulator().contexts if size >= now.context]
    levels = [0.0, room, demanded(_with(now, context=longest)).cache / 1e9]
    axes.set(xlim=(0, longest), ylim=(0, top), xlabel=_words("figure.context"), ylabel=_words("figure.cache_axis"))
    axes.set_xticks(ticks, [kibi()(tick) for tick in ticks])
    axes.set_yticks(levels, [fixed(0)(level) for level in levels])
    return ends


def _with(state: State, **changes: Any) -> State:
    return data.changed(state, **changes)


def _told(state: State) -> str:
    return _words("state", model=state.model, scheme=state.scheme, context=kibi()(state.context), requests=_requests(state))


def _requests(state: State) -> str:
    return _words("one_request") if state.requests == 1 else _words("requests", count=count()(state.requests))


def _verdict(needs: Demand) -> str:
    return _words("fits" if needs.fits else "fits_not")


# Slide "h_kv é o termo que dá para encolher"


@table
def sharing() -> Table:
    """MHA, MQA, GQA, MLA: heads of K and V, cache against MHA, what is said of each."""
    known = schemes()
    *headings, today = _words.list("schemes.columns")
    columns = [*(Column(heading) for heading in headings), Column(today.format(year=known.year))]
    rows = [
        [row.id, _heads(row), _share(row, known.latent), *(ledger.fact(text, row.source) for text in (row.quality, row.today))]
        for row in known.schemes
    ]
    return Table(columns, rows)


def _heads(row: Scheme) -> Any:
    if row.keeps == "latent":
        return _words("schemes.none")
    if row.keeps == "groups":
        return _words("schemes.groups", symbol=row.heads, count=typical_groups(models()))
    return f"${row.heads}$" if row.heads else Cell(1, count())


def _share(row: Scheme, latent: Latent) -> Any:
    if row.cache:
        return f"${row.cache}$"
    return Cell(share(row, latent), times() if row.keeps == "all" else one_in())


def typical_groups(models: tuple[Model, ...]) -> int:
    """The commonest number of KV heads among the models: 8"""
    found = [model.kv_heads for model in models]
    return max(found, key=found.count)


@claim
def sharing_shrinks() -> Check:
    """For every model: one head keeps less than groups, groups less than every head, the latent less than its own heads."""
    latent, sizes = schemes().latent, [[kept(model, keeps, schemes().latent) for keeps in ("one", "groups", "all")] for model in models()]
    shrinks = all(one < groups < every for one, groups, every in sizes) and share(scheme("MLA"), latent) < 1
    return Check(shrinks, {model.id: size for model, size in zip(models(), sizes)})


@word
def bottleneck() -> str:
    """What limits decoding at the opening state: "a banda de memória, não os FLOPs", where moving takes longer."""
    return _bottleneck(step(state()))


def _bottleneck(step: Step) -> str:
    return _words("memory_bound" if step.moving > step.computing else "compute_bound")

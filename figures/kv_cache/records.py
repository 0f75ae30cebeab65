"""The records behind the KV cache: models, cards, schemes of sharing, and what the simulator's controls offer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from figures.kit import data


class Model(data.Record):
    """A published model; `head_dim` is how many numbers a head has, `parameters` their nominal count."""

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
    """A card: memory in bytes, bandwidth in bytes per second, dense bfloat16 operations per second."""

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


Symbols = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9/+ ]*$")]  # short letters of a formula, such as g/h


class Scheme(data.Record):
    """A way to share keys and values, and who says how good it is; `heads` and `cache` are the table's cells where those are symbols."""

    id: str
    keeps: Literal["all", "one", "groups", "latent"]
    source: str
    heads: Symbols = ""
    cache: Symbols = ""


class Schemes(data.Record):
    """`data/schemes.yml`: the ways to share keys and values, and the year in which that was so."""

    year: int
    latent: Latent
    schemes: tuple[Scheme, ...]


class State(data.Record):
    """One setting of the simulator: ids of a model, a scheme and a card, tokens per request, requests at once, bits per number."""

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


class Named(data.Record):
    """A model that is only named, and where that is said of it."""

    name: str
    source: str


STEPS = 8  # of writing, that the picture of triangle and line has room for


class Controls(data.Record):
    """The simulator's opening state, the experiments of its notes, and what its controls offer."""

    opens: State
    tries: tuple[Try, ...]
    contexts: tuple[data.Positive, ...]
    requests: tuple[data.Positive, ...]
    bits: tuple[data.Positive, ...]
    long_context: data.Positive
    users: data.Positive
    steps_drawn: data.Positive
    heads_drawn: data.Positive
    long_context_model: Named
    source: str

    def faults(self) -> Iterator[str]:
        if self.steps_drawn > STEPS:
            yield f"`steps_drawn` is {self.steps_drawn}, and the picture has room for {STEPS}"
        offered = {"context": self.contexts, "requests": self.requests, "bits": self.bits}
        for name, choices in offered.items():
            if getattr(self.opens, name) not in choices:
                yield f"it opens with {getattr(self.opens, name)} {name}, which the control doesn't offer: {', '.join(map(str, choices))}"
        for one in self.tries:
            if one.context is not None and one.context not in self.contexts:
                yield f"{one.id} tries a context of {one.context}, which the control doesn't offer"


def models() -> tuple[Model, ...]:
    """The records, as `data/models.yml` has them."""
    return data.load("models", tuple[Model, ...])


def accelerators() -> tuple[Accelerator, ...]:
    """The records, as `data/accelerators.yml` has them."""
    return data.load("accelerators", tuple[Accelerator, ...])


def schemes() -> Schemes:
    """The records, as `data/schemes.yml` has them."""
    return data.load("schemes", Schemes)


def controls() -> Controls:
    """The records, as `data/cache_simulator.yml` has them; each model, scheme and card that they name has a record of its own."""
    offered = data.load("cache_simulator", Controls)
    for state in (offered.opens, *offered.tries):
        for name, record in (("model", model_named), ("scheme", scheme_named), ("accelerator", accelerator_named)):
            if (id := getattr(state, name, None)) is not None:
                record(id)
    return offered


def example() -> Model:
    """The model of the slides' sums, the first of data/models.yml."""
    return models()[0]


def model_named(id: str) -> Model:
    """The model of this id."""
    return data.one(models(), lambda record: record.id, id, "data/models.yml")


def scheme_named(id: str) -> Scheme:
    """The scheme of this id."""
    return data.one(schemes().schemes, lambda record: record.id, id, "data/schemes.yml")


def accelerator_named(id: str) -> Accelerator:
    """The card of this id."""
    return data.one(accelerators(), lambda record: record.id, id, "data/accelerators.yml")


def state(experiment: str = "opening") -> State:
    """The opening state, or that of an experiment of the notes.

    >>> state("every-head").scheme
    'MHA'
    """
    offered = controls()
    if experiment == "opening":
        return offered.opens
    tried = data.one(offered.tries, lambda record: record.id, experiment, "data/cache_simulator.yml")
    changes = {name: getattr(tried, name) for name in Try.__struct_fields__ if name != "id"}
    return data.changed(offered.opens, **{name: value for name, value in changes.items() if value is not None})

"""What slides say of the simulator's settings: the cache and the weights of each, and whether the card holds them."""

from __future__ import annotations

from typing import Any

from figures.kit import data, ledger
from figures.kit.claims import Check, claim
from figures.kit.formats import count, joined, kibi, percent, times
from figures.kit.show import number, word
from figures.kit.words import Words
from figures.kv_cache import records
from figures.kv_cache.arithmetic import Demand, Step, demanded, step
from figures.kv_cache.records import State
from figures.kv_cache.units import gigabytes

_words = Words("kv_cache")


@word
def setting(experiment: str = "opening") -> str:
    """A state in words: its model, its scheme, its context, its requests."""
    return state_in_words(records.state(experiment))


@word
def scheme_of(experiment: str = "opening") -> str:
    """The scheme of a state."""
    return records.state(experiment).scheme


@number(kibi())
def context(experiment: str = "opening") -> int:
    """Tokens per request of a state."""
    return records.state(experiment).context


@number(gigabytes())
def cache(experiment: str = "opening") -> float:
    """Bytes of the cache.

    >>> cache()
    34,4 GB
    >>> cache("every-head")
    137 GB
    """
    return demanded(records.state(experiment)).cache


@word
def model_of(experiment: str) -> Any:
    """The model of an experiment, by its size.

    >>> model_of("large")
    70B
    """
    model = records.model_named(records.state(experiment).model)
    return ledger.fact(model.id, model.source)


@number(gigabytes())
def weights(experiment: str = "opening") -> float:
    """Bytes of the weights.

    >>> weights()
    16 GB
    >>> weights("large")
    140 GB
    """
    return demanded(records.state(experiment)).weights


@number(gigabytes())
def memory() -> Any:
    """The card's memory."""
    card = records.accelerator_named(records.state().accelerator)
    return ledger.fact(card.memory, card.source)


@number(count())
def bits() -> int:
    """Bits a number, weights and cache alike."""
    return records.state().bits


@word
def fits(experiment: str = "opening") -> str:
    """Whether weights and cache together fit in the card's memory."""
    return fit_in_words(demanded(records.state(experiment)))


@word
def weights_fit(*experiments: str) -> str:
    """Which experiments' weights the card holds by themselves: all, some by name, or none."""
    needs = {experiment: demanded(records.state(experiment)) for experiment in experiments}
    held = [records.state(experiment).model for experiment, need in needs.items() if need.weights <= need.memory]
    if len(held) in (0, len(needs)):
        return _words("weights_fit" if held else "weights_fit_not")
    return _words("weights_fit_some", models=joined(held, _words("figure.and")))


@claim
def cache_outweighs_weights(context: int | None = None, requests: int | None = None) -> Check:
    """With the longest context and the most requests on offer, the cache of every model takes more memory than its weights."""
    offered = records.controls()
    fullest = data.changed(records.state(), context=context or max(offered.contexts), requests=requests or max(offered.requests))
    needs = {model.id: demanded(data.changed(fullest, model=model.id)) for model in records.models()}
    times_the_weights = {id: need.cache / need.weights for id, need in needs.items()}
    return Check(all(need.cache > need.weights for need in needs.values()), times_the_weights)


@word
def growth(experiment: str) -> str:
    """What the experiment does to the opening cache: by what factor it grows or shrinks."""
    factor = demanded(records.state(experiment)).cache / demanded(records.state()).cache
    if factor == 1:
        return _words("stays")
    return _words("grows", times=times(1)(factor)) if factor > 1 else _words("shrinks", share=percent()(factor))


@word
def again(experiment: str, earlier: str) -> str:
    """Whether two experiments need the same cache; else what the earlier one needed."""
    first, second = cache(earlier), cache(experiment)
    return _words("again") if first.text == second.text else _words("differs", other=first.text)


@word
def bottleneck() -> str:
    """What limits decoding at the opening state: the memory's bandwidth where moving takes longer, else the arithmetic."""
    return _bottleneck(step(records.state()))


def _bottleneck(step: Step) -> str:
    return _words("memory_bound" if step.moving > step.computing else "compute_bound")


def state_in_words(state: State) -> str:
    """Any state in words."""
    return _words("state", model=state.model, scheme=state.scheme, context=kibi()(state.context), requests=requests_in_words(state))


def requests_in_words(state: State) -> str:
    """How many requests a state serves at once."""
    return _words("one_request") if state.requests == 1 else _words("requests", count=count()(state.requests))


def fit_in_words(needs: Demand) -> str:
    """Whether all that is needed fits."""
    return _words("fits" if needs.fits else "fits_not")

"""The schemes by which heads share keys and values, in a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from figures.kit import ledger
from figures.kit.claims import Check, claim
from figures.kit.formats import count, times
from figures.kit.markup import Markup
from figures.kit.show import Cell, Column, Table, number, table, word
from figures.kit.words import Words
from figures.kv_cache import records
from figures.kv_cache.arithmetic import kept, share
from figures.kv_cache.records import Latent, Model, Scheme
from figures.kv_cache.units import one_in

_words = Words("kv_cache")


@table
def sharing() -> Table:
    """MHA, MQA, GQA, MLA: heads of K and V, cache against MHA, what is said of each."""
    schemes = records.schemes()
    *headings, today = _words.list("schemes.columns")
    columns = [*(Column(heading) for heading in headings), Column(today.format(year=schemes.year))]
    rows = [[row.id, _heads(row), _share(row, schemes.latent), *_said(row)] for row in schemes.schemes]
    return Table(columns, rows)


def _said(row: Scheme) -> Iterator[Any]:
    """What is said of its quality, and of its use today."""
    return (ledger.fact(_words(f"schemes.said.{row.id}.{what}"), row.source) for what in ("quality", "today"))


def _heads(row: Scheme) -> Any:
    if row.keeps == "latent":
        return _words("schemes.none")
    if row.keeps == "groups":
        return _words("schemes.groups", symbol=row.heads, count=typical_groups(records.models()))
    return Markup(f"${row.heads}$") if row.heads else Cell(1, count())


def _share(row: Scheme, latent: Latent) -> Any:
    if row.cache:
        return Markup(f"${row.cache}$")
    return Cell(share(row, latent), times() if row.keeps == "all" else one_in())


def typical_groups(models: tuple[Model, ...]) -> int:
    """The commonest number of KV heads among the models."""
    groups = [model.kv_heads for model in models]
    return max(groups, key=groups.count)


@word
def latent_model() -> Any:
    """The model whose latent the table compares."""
    latent = records.schemes().latent
    return ledger.fact(latent.name, latent.source)


@number(count())
def latent_heads() -> Any:
    """Its heads."""
    latent = records.schemes().latent
    return ledger.fact(latent.heads, latent.source)


@number(one_in())
def latent_share(of: str = "") -> float:
    """The latent over its own heads kept whole, or over those of a model.

    >>> latent_share()
    ~1/57
    >>> latent_share("8B")
    ~1/14
    """
    latent = records.schemes().latent
    if not of:
        return share(records.scheme_named("MLA"), latent)
    model = records.model_named(of)
    return kept(model, "latent", latent) / kept(model, "all", latent)


@claim
def sharing_shrinks() -> Check:
    """For every model: one head keeps less than groups, groups less than every head, the latent less than its own heads."""
    latent, sizes = (
        records.schemes().latent,
        [[kept(model, keeps, records.schemes().latent) for keeps in ("one", "groups", "all")] for model in records.models()],
    )
    shrinks = all(one < groups < every for one, groups, every in sizes) and share(records.scheme_named("MLA"), latent) < 1
    return Check(shrinks, {model.id: size for model, size in zip(records.models(), sizes)})

"""What slides say of the cache's size: the passes that it spares, bytes for each token, the factors of the formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from figures.kit import ledger
from figures.kit.claims import Check, claim
from figures.kit.formats import binary_bytes, count, kibi, plain, to_tex
from figures.kit.markup import Markup
from figures.kit.show import Cell, Column, Table, number, table, word
from figures.kit.words import Words
from figures.kv_cache import records
from figures.kv_cache.arithmetic import KEY_AND_VALUE, cache_bytes, kept, passes

_words = Words("kv_cache")


@word
def passes_formula(how: str) -> str:
    """Token passes to write n tokens, as a formula.

    >>> passes_formula("without")
    $n(n+1)/2$
    """
    return _words(f"passes.{how}")


@claim
def passes_add_up(passes: Callable[[int, bool], int] = passes) -> Check:
    """The formulas count what a loop counts: token t costs t passes without the cache, one with it."""
    counted = {n: (sum(range(1, n + 1)), n) for n in (1, 2, 7, 100)}
    formula = {n: (passes(n, False), passes(n, True)) for n in counted}
    return Check(formula == counted, {"counted": counted, "told": formula})


@number(binary_bytes())
def per_token() -> float:
    """The cache that one token of the example model needs, at the simulator's bits per number."""
    return cache_bytes(kept(records.example(), "groups", records.schemes().latent), records.controls().opens.bits / 8, 1)


@number(binary_bytes())
def one_user() -> float:
    """The same at the longest context, for the users of the sum."""
    controls = records.controls()
    return per_token().value * controls.long_context * controls.users


@number(kibi())
def long_context() -> Any:
    """Tokens of the context in the sum."""
    return ledger.fact(records.controls().long_context, records.controls().source)


@word
def long_context_model() -> Any:
    """The model that reads so much at once, of the example's sizes."""
    model = records.controls().long_context_model
    return ledger.fact(model.name, model.source)


@table
def factors() -> Table:
    """The formula's factors for the example model, then bytes for each token, then one user's whole context."""
    llama, controls = records.example(), records.controls()
    source, bits = llama.source, controls.opens.bits
    columns = _words.list("factors.columns")
    users = _words("factors.one_user") if controls.users == 1 else _words("factors.users", count=count()(controls.users))
    bytes_in_tex = to_tex(count()(per_token().value))
    tokens = _words("factors.tokens", context=kibi()(controls.long_context), tokens=count()(controls.long_context), users=users)
    rows: list[list[Any]] = [
        [Markup(f"${KEY_AND_VALUE}$"), _words("factors.kv"), KEY_AND_VALUE],
        [Markup("$L$"), _words("factors.layers"), ledger.fact(llama.layers, source)],
        [Markup("$h_{kv}$"), _words("factors.kv_heads"), ledger.fact(llama.kv_heads, source)],
        [Markup("$d_h$"), _words("factors.head_dim"), ledger.fact(llama.head_dim, source)],
        [Markup("$b$"), _words("factors.bytes", bits=bits), Cell(bits / 8, plain())],
        [
            _words("factors.per_token"),
            _words("factors.per_token_is", formula=r"2\,L\,h_{kv}\,d_h\,b", bytes=bytes_in_tex),
            Cell(per_token().value, binary_bytes()),
        ],
        [Markup(r"$T \cdot B$"), tokens, Cell(one_user().value, binary_bytes(), "best")],
    ]
    return Table([Column(columns[0]), Column(columns[1]), Column(columns[2].format(model=llama.name), count())], rows)


@number(count())
def kept_per_head() -> int:
    """What is kept of a token in a head, its key and its value: how many vectors."""
    return KEY_AND_VALUE

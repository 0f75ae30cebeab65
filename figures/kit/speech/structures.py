"""What is larger than a line of signs in words: fractions, exponents, sums, accents, matrices, cases."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from figures.kit.speech.mathml import Node, row, tag, text_of
from figures.kit.speech.signs import sign
from figures.kit.words import Words

words = Words("speech")

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ)]"
DERIVATIVES = {"partial": "∂", "derivative": "d"}
ACCENTS = {
    "hat": "^ˆ\u0302",
    "bar": "¯‾\u0304\u0305",
    "tilde": "~˜\u0303∼",
    "arrow": "→⃗\u20d7",
    "dot": "˙.\u0307",
    "dots": "¨\u0308",
}


class Said(Protocol):
    """A part in words; the rest says how much it needs an end."""

    @property
    def text(self) -> str: ...
    @property
    def single(self) -> bool: ...
    @property
    def row(self) -> bool: ...
    @property
    def short(self) -> bool: ...
    @property
    def fenced(self) -> bool: ...


Read = Callable[[Node], Said]


def places(name: str, scripts: list[Said]) -> tuple[Said | None, Said | None]:
    """What stands below and above, by the element that holds them."""
    if name in ("msub", "munder"):
        return scripts[0], None
    if name in ("msup", "mover"):
        return None, scripts[0]
    return scripts[0], scripts[1]


def fraction(node: Node, read: Read) -> str:
    """A fraction, or a derivative that is written as one."""
    over, under = read(node[0]), read(node[1])
    if is_binomial(node):
        return words("fraction.binomial", over=over.text, under=under.text)
    for kind, mark in DERIVATIVES.items():
        if _starts(node[0], mark) and _starts(node[1], mark):
            return words(f"fraction.{kind}", over=read(node[0][1]).text, under=read(node[1][1]).text)
    return words("fraction.short" if over.single and under.single else "fraction.long", over=over.text, under=under.text)


def is_binomial(node: Node) -> bool:
    """Whether an element is a fraction drawn without its line."""
    return tag(node) == "mfrac" and re.match(r"0(?!\.?[1-9])", node.get("linethickness", "")) is not None


def _starts(part: Node, mark: str) -> bool:
    """Whether a row of two is a sign of differentiation and what it is of."""
    return tag(part) == "mrow" and len(part) == 2 and text_of(part[0]).strip() == mark and tag(part[0]) in ("mi", "mo")


def raised(base: str, core: str, mark: str, above: Said) -> str:
    """A base with an exponent: a transpose, a prime, a square, a power."""
    if mark == "⊤" or (mark == "T" and core[:1] in CAPITALS and core):
        return words("script.transposed", base=base)
    if mark in ("'", "′", "″", "‴", "∗", "*", "†", "+", "-", "−", "⋆"):
        return words("script.other", base=base, mark=sign(mark))
    if mark in ("2", "3"):
        return words("script.square" if mark == "2" else "script.cube", base=base)
    if mark == "∘":
        return words("script.other", base=base, mark=sign("°"))
    if above.fenced:
        return words("script.upper", base=base, exponent=above.text)
    return words("script.power" if above.short else "script.power_long", base=base, exponent=above.text)


def big(name: str, below: Said | None, above: Said | None) -> str:
    """A sum, a product, an integral, with the ends it runs between."""
    if below and above:
        return words("big.both", name=name, under=below.text, over=above.text)
    return words("big.under", name=name, under=below.text) if below else words("big.bare", name=name)


def accented(base: str, mark: str) -> str | None:
    """A base under an accent, None where what stands over it is none."""
    kind = next((name for name, signs in ACCENTS.items() if mark and mark in signs), None)
    return words(f"over.{kind}", base=base) if kind else None


def over_and_under(base: str, below: Said | None, above: Said | None) -> str:
    """What stands above or below a base, whatever it is."""
    if above:
        base = words("over.other", base=base, mark=above.text)
    return words("over.under", base=base, mark=below.text) if below else base


def cases(table: Node, read: Read) -> str:
    """Values with the conditions that each holds under."""
    return words("table.cases", body="; ".join(_rows(table, read, ", ")))


def lines(table: Node, read: Read) -> str:
    """Equations one below another."""
    return "; ".join(_rows(table, read, " "))


def matrix(table: Node, read: Read) -> str:
    """Each row by its number, its entries one after the other."""
    rows = [_row(line, read, ", ") for line in table]
    columns = max((len(line) for line in table), default=0)
    body = "; ".join(words("table.row", n=n, body=said) for n, said in enumerate(rows, 1))
    return words("table.matrix", rows=len(rows), columns=columns, body=body)


def _rows(table: Node, read: Read, between: str) -> list[str]:
    return [said for line in table if (said := _row(line, read, between))]


def _row(line: Node, read: Read, between: str) -> str:
    return between.join(said for cell in line if (said := read(row(*cell)).text))

"""A formula read aloud: MathML becomes one line of words, read from left to right by rules tried in order.

An index follows its letter (`d_k` is "d k"); what is longer than that says where it ends. Does *not* guess: a sign without
words and an element without a rule are Problems.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from figures.kit.errors import Problem
from figures.kit.speech import structures
from figures.kit.speech.brackets import BARS, CLOSING, PAIRS, closing, match
from figures.kit.speech.mathml import (
    LEAVES,
    SCRIPTS,
    Node,
    core,
    decimals,
    first,
    flat,
    identifiers,
    is_application,
    joined,
    leaf_text,
    parsed,
    row,
    tag,
    text_of,
)
from figures.kit.speech.plain import of_text, tidy
from figures.kit.speech.signs import is_letter, letter, sign, style
from figures.kit.speech.structures import Said
from figures.kit.words import Words

words = Words("speech")

FENCES = {"(": "round", "[": "square", "{": "curly", "⟨": "angle", "⌊": "floor", "⌈": "ceiling"}
NAMES_OF_BARS = {"|": "bar", "∣": "bar", "‖": "norm", "∥": "norm"}
BIG = "∑∏∫∮⋃⋂⨁∇"
LIMITS = ("lim", "max", "min", "sup", "inf", "argmax", "argmin", "arg max", "arg min")
SIGNS_BEFORE = ("-", "−", "+")
Found = tuple[str, int] | None


class Phrase(NamedTuple):
    """Words, and how much they need an end: `single` is one thing, `row` several such, `short` one with a sign before it.

    `fenced` is what stands between brackets of its own.
    """

    text: str
    single: bool = True
    row: bool = True
    short: bool = True
    fenced: bool = False


def of_mathml(mathml: str) -> str:
    """What a `<math>` element says.

    >>> of_mathml("<math><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></math>")
    'raiz quadrada de d k'
    """
    root = parsed(mathml)
    said = Reader(frozenset(identifiers(root)), decimals(root)).phrase(flat(root)).text
    if not said:
        raise Problem("formula", "there is nothing in it to be read aloud", "Write what it says, or leave it out")
    return said


@dataclass(frozen=True)
class Reader:
    """Reads one formula.

    `letters` are all its identifiers, by which a capital is told from its small letter; `decimals` the numbers of which its
    TeX says by `0{,}5` that their comma is no list's.
    """

    letters: frozenset[str]
    decimals: frozenset[tuple[str, str]]

    def phrase(self, items: list[Node]) -> Phrase:
        """Items of a row in words."""
        items = joined([item for item in items if tag(item) != "mo" or leaf_text(item) or is_application(item)], self.decimals)
        parts, at = [], 0
        while at < len(items):
            text, at = self._next(items, at)
            parts.append(text)
        seen = [item for item in items if not is_application(item)]
        unsigned = seen[1:] if len(seen) > 1 and leaf_text(seen[0]) in SIGNS_BEFORE else seen
        return Phrase(
            tidy(" ".join(parts)),
            single=len(seen) == 1 and self._is_single(seen[0]),
            row=all(map(self._is_single, seen)),
            short=len(unsigned) == 1 and self._is_single(unsigned[0]),
            fenced=len(seen) > 1 and closing(seen[-1]) in CLOSING,
        )

    def of(self, node: Node) -> Phrase:
        """An element, of whatever kind, as a phrase of its own."""
        return self.phrase(flat(row(node)))

    def _is_single(self, node: Node) -> bool:
        if tag(node) in LEAVES:
            return tag(node) in ("mn", "mtext", "ms") or is_letter(leaf_text(node))
        return tag(node) == "msub" and all(self.of(part).row for part in node)

    def _next(self, items: list[Node], at: int) -> tuple[str, int]:
        """The words at one place of a row, and the place after them."""
        rules: tuple[Callable[[list[Node], int], Found], ...] = (
            self._derivative,
            self._table_in_fences,
            self._fenced,
            self._function,
            self._divided,
            self._times,
        )
        for rule in rules:
            if (reading := rule(items, at)) is not None:
                return reading
        return self._one(items[at]), at + 1

    # ---- rules of rows: each gives its words and the place after them, or None where it isn't meant ----

    def _derivative(self, items: list[Node], at: int) -> Found:
        """∂L/∂S on one line, as in a fraction."""
        texts = [leaf_text(item) for item in items[at : at + 5]]
        if len(texts) < 5 or (texts[0], texts[2], texts[3]) != ("∂", "/", "∂"):
            return None
        return words("fraction.partial", over=self._one(items[at + 1]), under=self._one(items[at + 4])), at + 5

    def _table_in_fences(self, items: list[Node], at: int) -> Found:
        """A matrix between its brackets, or cases after a brace that nothing closes."""
        opening = leaf_text(items[at])
        if opening not in (*PAIRS, *BARS) or at + 1 >= len(items) or tag(items[at + 1]) != "mtable":
            return None
        table, after = items[at + 1], at + 2
        is_closed = after < len(items) and closing(items[after]) in CLOSING
        if opening == "{" and not is_closed:
            return structures.cases(table, self.of), after
        said = structures.matrix(table, self.of)
        said = words("table.determinant", body=said) if NAMES_OF_BARS.get(opening) == "bar" else said
        return (self._scripted(items[after], said), after + 1) if is_closed else (said, after)

    def _fenced(self, items: list[Node], at: int) -> Found:
        opening, close = leaf_text(items[at]), match(items, at)
        if close is None:
            return (words("fence.given"), at + 1) if opening in ("|", "∣") and 0 < at < len(items) - 1 else None
        inside = self.phrase(items[at + 1 : close])
        if opening in BARS:
            key = f"fence.{NAMES_OF_BARS[opening]}"
            said: str = words(key if inside.short else f"{key}_long", body=inside.text)
        elif close == at + 2 and structures.is_binomial(items[at + 1]):
            said = inside.text
        else:
            said = words(f"fence.{FENCES[opening]}", body=inside.text)
        return self._scripted(items[close], said), close + 1

    def _function(self, items: list[Node], at: int) -> Found:
        """A function with what it is of: in parentheses, or what follows it where its name or an invisible sign says so."""
        name, after = core(items[at]), at + 1
        is_applied = after < len(items) and is_application(items[after])
        after += is_applied
        if after >= len(items) or tag(name) not in ("mi", "mtext") or not is_letter(leaf_text(name)):
            return None
        close = match(items, after) if leaf_text(items[after]) == "(" else None
        if close is None:
            is_known = tag(name) == "mi" and leaf_text(name) in words.group("names")
            means_next = (is_applied or is_known) and self._is_single(items[after])
            return (words("function.bare", name=self._named(items[at])), after) if means_next else None
        inside = items[after + 1 : close]
        if inside and all(map(self._is_listed, inside)):
            said = words("function.of", name=self._named(items[at]), body=self.phrase(inside).text)
            return self._scripted(items[close], said), close + 1
        is_word = len(leaf_text(name)) > 1 and leaf_text(name).isalpha() and text_of(name) == text_of(name).strip()
        return (words("function.bare", name=self._named(items[at])), after) if is_applied or is_word else None

    def _named(self, node: Node) -> str:
        """A function's name; a logarithm's index is its base."""
        if tag(node) == "msub" and leaf_text(core(node)) == "log":
            return words("function.base", name=self.of(node[0]).text, index=self.of(node[1]).text)
        return self._one(node)

    def _is_listed(self, node: Node) -> bool:
        """What may stand in parentheses after a function's name without their being told."""
        is_power = tag(node) == "msup" and all(self.of(part).short for part in node)
        return is_power or self._is_single(node) or leaf_text(node) in (",", ";", "|", "∣")

    def _divided(self, items: list[Node], at: int) -> Found:
        """A bar with nothing before it: "/2"."""
        return (sign("÷"), 1) if at == 0 and leaf_text(items[0]) == "/" and len(items) > 1 else None

    def _times(self, items: list[Node], at: int) -> Found:
        """× after a letter gives a size, after a number a product."""
        if leaf_text(items[at]) != "×":
            return None
        is_product = at in (0, len(items) - 1) or leaf_text(items[at - 1])[:1].isdigit()
        return words("times.product" if is_product else "times.size"), at + 1

    # ---- one element ----

    def _one(self, node: Node) -> str:
        name = tag(node)
        if name in LEAVES:
            return self._leaf(node)
        if name in SCRIPTS:
            return self._with_scripts(node)
        if name == "msqrt":
            body = self.phrase(flat(node))
            return words("root.square" if body.short else "root.square_long", body=body.text)
        if name == "mroot":
            return words("root.other", body=self.of(node[0]).text, index=self.of(node[1]).text)
        if name == "mfrac":
            return structures.fraction(node, self.of)
        if name == "mtable":
            return structures.lines(node, self.of)
        if name == "menclose":
            is_struck = "strike" in node.get("notation", "")
            return words("enclosed.struck" if is_struck else "enclosed.box", body=self.phrase(flat(node)).text)
        remedy = "Write it in another way; figures/kit/speech/formula.py has the rules"
        raise Problem("formula", f"it can't be read aloud: no rule says how <{name}> is", remedy)

    def _leaf(self, node: Node) -> str:
        written, text, names = text_of(node).strip(), leaf_text(node), words.group("names")
        if tag(node) in ("mtext", "ms"):
            return str(names.get(text) or _text(written))
        if text and text in BIG:
            return structures.big(sign(text), None, None)
        if not is_letter(text):
            return sign(text)
        if len(text) > 1:
            return str(names.get(text, text)) if tag(node) == "mi" else of_text(text)
        return self._letter(written, text, node.get("mathvariant", ""))

    def _letter(self, written: str, text: str, variant: str) -> str:
        """A letter with its style, and with its case where the formula has the other one too."""
        letters = words.group("letters")
        if written in letters:
            return str(letters[written])
        said = letter(text) if text.isalnum() else sign(text)
        if text.isupper() and text.isascii() and text.lower() in self.letters:
            said = words("letter.capital", letter=said)
        told = style(written, variant)
        return words(f"letter.{told}", letter=said) if told else said

    def _with_scripts(self, node: Node) -> str:
        """A base with what stands below, above or beside it."""
        base, name = self.of(node[0]), leaf_text(first(node[0]))
        if tag(node) == "mover" and (said := structures.accented(base.text, leaf_text(first(node[1])))):
            return said
        below, above = structures.places(tag(node), [self.of(part) for part in node[1:]])
        if name and name in BIG:
            return structures.big(sign(name), below, above)
        if name in LIMITS and below:
            return words("big.function", name=base.text, under=below.text)
        if tag(node) in ("munder", "mover", "munderover"):
            return structures.over_and_under(base.text, below, above)
        if base.fenced:
            return self._indexed(f"{base.text},", node, below, above)
        is_long = base.text and not base.single and not name
        return self._indexed(words("script.whole", base=base.text) if is_long else base.text, node, below, above)

    def _indexed(self, base: str, node: Node, below: Said | None, above: Said | None) -> str:
        if below and below.text:
            key = "low" if below.single and not base.endswith(",") else "low_row" if below.row else "low_long"
            base = words(f"script.{key}", base=base, index=below.text)
        if above and above.text:
            base = structures.raised(base, leaf_text(core(node[0])), leaf_text(first(node[-1])), above)
        return base

    def _scripted(self, node: Node, said: str) -> str:
        """What stands at a closing bracket belongs to all inside the brackets."""
        if tag(node) in LEAVES:
            return said
        below, above = structures.places(tag(node), [self.of(part) for part in node[1:]])
        return self._indexed(f"{said},", node, below, above)


def _text(written: str) -> str:
    """Text in a formula; a sign in it that has no words is refused as it is outside."""
    said = of_text(written)
    for character in said:
        if not (is_letter(character) or character.isspace() or unicodedata.category(character)[0] in "PM"):
            sign(character)
    return said

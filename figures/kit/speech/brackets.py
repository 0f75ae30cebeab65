"""Brackets and bars of a row: where each closes."""

from __future__ import annotations

from figures.kit.speech.mathml import Node, core, leaf_text
from figures.kit.speech.signs import is_letter

PAIRS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
BARS = ("|", "∣", "‖", "∥")
CLOSING = (*PAIRS.values(), *BARS)


def closing(node: Node) -> str:
    """The sign that an element ends with, its exponent left out: what closes a bracket may carry one."""
    return leaf_text(core(node))


def match(items: list[Node], at: int) -> int | None:
    """Where what opens at a place closes, None where it doesn't open anything."""
    opening = leaf_text(items[at])
    if opening in BARS:
        return _match_bar(items, at)
    if opening not in PAIRS:
        return None
    depth = 0
    for place in range(at, len(items)):
        depth += leaf_text(items[place]) == opening
        if closing(items[place]) == PAIRS[opening]:
            depth -= 1
            if depth == 0:
                return place
    return None


def _match_bar(items: list[Node], at: int) -> int | None:
    """The same for bars, which open where nothing stands before them that they could close."""
    bars = [place for place, item in enumerate(items) if closing(item) == leaf_text(items[at])]
    opens = {place: _starts_here(items, place) for place in bars}
    if not any(opens.values()) and len(bars) % 2 == 0:  # as in 2|x|: one opens, the next closes
        opens = {place: n % 2 == 0 for n, place in enumerate(bars)}
    depth = 0
    for place in bars[bars.index(at) :] if opens[at] else ():
        depth += 1 if opens[place] else -1
        if depth == 0:
            return place
    return None


def _starts_here(items: list[Node], place: int) -> bool:
    """Whether nothing stands before a bar that it could close."""
    before = items[place - 1] if place else None
    return before is None or _is_operator(before) or (_opens(before) and _starts_here(items, place - 1))


def _opens(node: Node) -> bool:
    return leaf_text(node) in (*PAIRS, *BARS)


def _is_operator(node: Node) -> bool:
    text = leaf_text(node)
    return text in PAIRS or bool(text) and text not in (*CLOSING, "!", "′") and not is_letter(text)

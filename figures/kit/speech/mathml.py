"""The tree of a formula: MathML's rows opened, its letters and signs as text, its spaces left out."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from figures.kit.errors import Problem
from figures.kit.speech.signs import plain

Node = ElementTree.Element
LEAVES = ("mi", "mn", "mo", "mtext", "ms")
SCRIPTS = ("msub", "msup", "msubsup", "munder", "mover", "munderover")
ROWS = ("math", "mrow", "mstyle", "mpadded")
SILENT = ("mspace", "mphantom", "annotation", "annotation-xml", "none", "mprescripts")
_DECIMAL = re.compile(r"(\d+)\{,\}(\d+)")
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|#)\w+;")


def parsed(mathml: str) -> Node:
    """The tree of a `<math>` element; a Problem where it is none."""
    try:
        return ElementTree.fromstring(_ENTITY.sub(lambda name: html.unescape(name[0]), mathml))
    except ElementTree.ParseError as error:
        raise Problem("formula", f"not well-formed MathML ({error})", "Write it as TeX between dollar signs") from None


def decimals(root: Node) -> frozenset[tuple[str, str]]:
    """The numbers that a formula's TeX writes with a decimal comma, `0{,}5`, by what stands before and after it."""
    tex = "".join(text_of(node) for node in root.iter() if tag(node) == "annotation")
    return frozenset(_DECIMAL.findall(tex))


def tag(node: Node) -> str:
    """An element's name without its namespace."""
    return node.tag.rpartition("}")[2]


def flat(node: Node) -> list[Node]:
    """What stands in a row, the rows inside it opened and what is only space left out."""
    made: list[Node] = []
    for child in node:
        name = tag(child)
        if name == "semantics":
            made += flat(row(child[0]))
        elif name in ROWS:
            made += flat(child)
        elif name not in SILENT and not (name in ("mtext", "ms") and not text_of(child).strip()):
            made.append(child)
    return made


def text_of(node: Node) -> str:
    """All text of an element, as it stands."""
    return "".join(node.itertext())


def leaf_text(node: Node | None) -> str:
    """The plain text of a letter, number or sign; "" for anything larger."""
    if node is None or tag(node) not in LEAVES:
        return ""
    return " ".join(plain(text_of(node)).split())


def is_application(node: Node) -> bool:
    """Whether this is the invisible sign between a function and what it is of."""
    return tag(node) == "mo" and (text_of(node)).strip() == "\u2061"


def identifiers(node: Node) -> Iterator[str]:
    """The letters that name something by themselves; an index is part of a name."""
    for place, child in enumerate(node):
        if place == 1 and tag(node) in ("msub", "msubsup"):
            continue
        if tag(child) == "mi":
            yield plain(text_of(child))
        else:
            yield from identifiers(child)


def joined(items: list[Node], decimals: frozenset[tuple[str, str]]) -> list[Node]:
    """A row with what is one word or number as one item: upright letters, 10 000, and 0 , 5 where it is a decimal."""
    made: list[Node] = []
    for item in items:
        text, before = leaf_text(item), made[-1] if made else None
        if len(made) > 1 and leaf_text(before) == "," and (leaf_text(made[-2]), text) in decimals:
            made[-2:] = [_leaf("mn", f"{leaf_text(made[-2])},{text}")]
        elif before is not None and _is_upright(before) and _is_upright(item):
            made[-1] = _leaf("mi", leaf_text(before) + text, mathvariant="normal")
        elif before is not None and tag(before) == tag(item) == "mn" and len(text) == 3:
            made[-1] = _leaf("mn", leaf_text(before) + text)
        else:
            made.append(item)
    return made


def _leaf(name: str, text: str, **attributes: str) -> Node:
    made = Node(name, attributes)
    made.text = text
    return made


def _is_upright(node: Node) -> bool:
    return tag(node) == "mi" and node.get("mathvariant") == "normal" and leaf_text(node).isascii() and leaf_text(node).isalpha()


def row(*parts: Node) -> Node:
    """A row of these elements."""
    made = Node("mrow")
    made.extend(parts)
    return made


def first(node: Node) -> Node | None:
    """The one element of a row of one, None for longer rows."""
    inside = [part for part in flat(row(node)) if not is_application(part)]
    return inside[0] if len(inside) == 1 else None


def core(node: Node | None) -> Node:
    """What indices and exponents hang on, all the way down."""
    while node is not None and tag(node) in SCRIPTS:
        node = first(node[0])
    return Node("mi") if node is None else node

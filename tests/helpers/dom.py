"""Two pieces of HTML compared as a viewer, a reader of notes or a screen reader would: as trees, not as text.

What tests/helpers/quarto/README.md calls free is left out: ids of cells, execution counts, line anchors in code, empty
classes, white space. Only the standard library's parser, so that it owes nothing to the engine that it judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
INLINE = {"a", "b", "code", "em", "i", "img", "label", "input", "math", "span", "strong", "sub", "sup", "svg"}
SPACED = {"pre", "annotation", "textarea"}


@dataclass
class Node:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self, tag: str = "", cls: str = "") -> Iterator[Node]:
        """Every element below, in order, with this tag and class."""
        for child in self.children:
            if isinstance(child, Node):
                if (not tag or child.tag == tag) and (not cls or cls in child.classes):
                    yield child
                yield from child.all(tag, cls)

    @property
    def text(self) -> str:
        parts = [child if isinstance(child, str) else child.text for child in self.children]
        return re.sub(r"\s+", " ", " ".join(parts)).strip()

    def __str__(self) -> str:
        attributes = "".join(f' {key}="{value}"' for key, value in sorted(self.attributes.items()))
        return f"<{self.tag}{attributes}>"


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("root")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {key: value or "" for key, value in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if self.open[-1].tag != tag:
            raise ValueError(f"</{tag}> closes {self.open[-1]} at {self.getpos()}")
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Node:
    """The tree of well-formed HTML; raises ValueError for a tag that closes another."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    if len(builder.open) != 1:
        raise ValueError(f"{builder.open[-1]} is never closed")
    return builder.open[0]


def slides(html: str) -> Node:
    """`div.slides` of a page, as compared."""
    return _first(html, '<div class="slides">')


def body(html: str) -> Node:
    """The body of a page without its scripts, as compared."""
    return _first(re.sub(r"<script\b.*?</script>", "", html, flags=re.DOTALL), "<body>")


def _first(html: str, start: str) -> Node:
    root = _whole(html[html.index(start) :])
    return normal(next(child for child in root.children if isinstance(child, Node)))


def _whole(html: str) -> Node:
    """The first element of some HTML, whatever follows it."""
    builder = _Builder()
    for piece in re.split(r"(?<=>)", html):
        builder.feed(piece)
        if len(builder.open) == 1 and builder.open[0].children:
            return builder.open[0]
    raise ValueError(f"{builder.open[1]} is never closed")


def normal(node: Node, spaced: bool = False) -> Node:
    """The tree without what is free to differ."""
    # Quarto's parser loses the prefix `xlink:`, which browsers don't need.
    attributes = {key.removeprefix("xlink:"): value for key, value in node.attributes.items() if not _is_free(node, key, value)}
    if "class" in attributes:
        attributes["class"] = " ".join(sorted(node.classes))
    if "style" in attributes:
        attributes["style"] = re.sub(r"\s*([:;])\s*", r"\1", attributes["style"]).strip("; ")
    spaced = spaced or node.tag in SPACED
    kept = [child for child in node.children if isinstance(child, str) or not (_is_line_anchor(node, child) or child.tag == "style")]
    children: list[Node | str] = []
    for number, child in enumerate(kept):
        if isinstance(child, Node):
            children.append(normal(child, spaced))
        elif spaced:
            children.append(child)
        elif text := _collapsed(child, kept[:number], kept[number + 1 :]):
            children.append(text)
    return Node(node.tag, attributes, _joined(children))


def _collapsed(text: str, before: list[Node | str], after: list[Node | str]) -> str:
    """The text with single spaces, none at the edge of a block."""
    text = re.sub(r"\s+", " ", text)
    text = text if before and _is_inline(before[-1]) else text.lstrip()
    return text if after and _is_inline(after[0]) else text.rstrip()


def _is_inline(child: Node | str) -> bool:
    return isinstance(child, str) or child.tag in INLINE


def _is_free(node: Node, key: str, value: str) -> bool:
    if key == "id":
        return "cell" in node.classes or bool(re.match(r"cb\d", value))
    return key in ("data-execution_count", "xmlns:xlink", "xlink") or (key == "class" and not value.strip())


def _is_line_anchor(parent: Node, child: Node) -> bool:
    return child.tag == "a" and not child.text and parent.attributes.get("id", "").startswith("cb")


def _joined(children: list[Node | str]) -> list[Node | str]:
    joined: list[Node | str] = []
    for child in children:
        if isinstance(child, str) and joined and isinstance(joined[-1], str):
            joined[-1] += child
        else:
            joined.append(child)
    return joined


def difference(ours: Node, theirs: Node, path: str = "") -> str:
    """The first place where two trees differ, told with the way to it; empty when they don't."""
    path = f"{path}/{theirs.tag}" + (f"#{theirs.attributes['id']}" if "id" in theirs.attributes else "")
    if str(ours) != str(theirs):
        return f"{path}\n  ours   {ours}\n  theirs {theirs}"
    for number, (one, other) in enumerate(zip(ours.children, theirs.children)):
        if isinstance(one, Node) and isinstance(other, Node):
            found = difference(one, other, f"{path}[{number}]")
            if found:
                return found
        elif one != other:
            return f"{path}[{number}]\n  ours   {_told(one)}\n  theirs {_told(other)}"
    if len(ours.children) != len(theirs.children):
        extra = (ours if len(ours.children) > len(theirs.children) else theirs).children[min(len(ours.children), len(theirs.children)) :]
        owner = "ours" if len(ours.children) > len(theirs.children) else "theirs"
        return f"{path}: only {owner} has {', '.join(map(_told, extra))}"
    return ""


def _told(child: Node | str) -> str:
    return f"{child} {child.text[:60]}" if isinstance(child, Node) else repr(child)

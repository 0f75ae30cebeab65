"""Two pieces of HTML compared as a viewer, a reader of notes or a screen reader would: as trees, not as text.

What tests/helpers/quarto/README.md calls free is left out: ids of cells, execution counts, line anchors in code, empty
classes, white space.
"""

from __future__ import annotations

import re

from base.html_tree import Element, Text, parse

INLINE = {"a", "b", "code", "em", "i", "img", "label", "input", "math", "span", "strong", "sub", "sup", "svg"}
SPACED = {"pre", "annotation", "textarea"}
Child = Element | Text


def slides(html: str) -> Element:
    """`div.slides` of a page, as compared."""
    return normal(next(parse(html, strict=True).all("div", "slides")))


def body(html: str) -> Element:
    """The body of a page without its scripts, as compared."""
    return normal(next(parse(re.sub(r"<script\b.*?</script>", "", html, flags=re.DOTALL), strict=True).all("body")))


def normal(node: Element, spaced: bool = False) -> Element:
    """The tree without what is free to differ."""
    # Quarto's parser loses the prefix `xlink:`, which browsers don't need.
    attributes = {key.removeprefix("xlink:"): value for key, value in node.attributes.items() if not _is_free(node, key, value)}
    if "class" in attributes:
        attributes["class"] = " ".join(sorted(node.classes))
    if "style" in attributes:
        attributes["style"] = re.sub(r"\s*([:;])\s*", r"\1", attributes["style"]).strip("; ")
    spaced = spaced or node.tag in SPACED
    kept = [child for child in node.children if isinstance(child, Text) or not (_is_line_anchor(node, child) or child.tag == "style")]
    children: list[Child] = []
    for number, child in enumerate(kept):
        if isinstance(child, Element):
            children.append(normal(child, spaced))
        elif text := child.text if spaced else _collapsed(child.text, kept[:number], kept[number + 1 :]):
            children.append(Text(text))
    return Element(node.tag, attributes, _joined(children))


def _collapsed(text: str, before: list[Child], after: list[Child]) -> str:
    """The text with single spaces, none at the edge of a block."""
    text = re.sub(r"\s+", " ", text)
    text = text if before and _is_inline(before[-1]) else text.lstrip()
    return text if after and _is_inline(after[0]) else text.rstrip()


def _is_inline(child: Child) -> bool:
    return isinstance(child, Text) or child.tag in INLINE


def _is_free(node: Element, key: str, value: str) -> bool:
    if key == "id":
        return "cell" in node.classes or bool(re.match(r"cb\d", value))
    return key in ("data-execution_count", "xmlns:xlink", "xlink") or (key == "class" and not value.strip())


def _is_line_anchor(parent: Element, child: Element) -> bool:
    return child.tag == "a" and not child.text and parent.attributes.get("id", "").startswith("cb")


def _joined(children: list[Child]) -> list[Child]:
    """The children with texts that follow each other as one."""
    joined: list[Child] = []
    for child in children:
        last = joined[-1] if joined else None
        if isinstance(child, Text) and isinstance(last, Text):
            joined[-1] = Text(last.text + child.text)
        else:
            joined.append(child)
    return joined


def difference(ours: Element, theirs: Element, path: str = "") -> str:
    """The first place where two trees differ, told with the way to it; empty when they don't."""
    path = f"{path}/{theirs.tag}" + (f"#{theirs.attributes['id']}" if "id" in theirs.attributes else "")
    if str(ours) != str(theirs):
        return f"{path}\n  ours   {ours}\n  theirs {theirs}"
    for number, (one, other) in enumerate(zip(ours.children, theirs.children)):
        if isinstance(one, Element) and isinstance(other, Element):
            found = difference(one, other, f"{path}[{number}]")
            if found:
                return found
        elif isinstance(one, Element) or isinstance(other, Element) or one.text != other.text:
            return f"{path}[{number}]\n  ours   {_told(one)}\n  theirs {_told(other)}"
    if len(ours.children) != len(theirs.children):
        extra = (ours if len(ours.children) > len(theirs.children) else theirs).children[min(len(ours.children), len(theirs.children)) :]
        owner = "ours" if len(ours.children) > len(theirs.children) else "theirs"
        return f"{path}: only {owner} has {', '.join(map(_told, extra))}"
    return ""


def _told(child: Child) -> str:
    return f"{child} {child.text[:60]}" if isinstance(child, Element) else repr(child.text)

r"""Text is text: what stands in `data/` is shown as it is written, whatever characters it has, unless its field says Markdown.

A plain `str` is escaped where it becomes Markdown; a `Markup` is Markdown already. A template of data/words/ is Markdown
itself, and the values that fill it are text. Knows no page and no file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import Formatter
from typing import Any
from urllib.parse import quote

import regex

_ACTIVE = re.compile(r"""([\\`*_{}\[\]<>$|~^@#&"']|--|\.\.\.)""")
_MARKS = re.compile(r"[*_\[\]<>|~^@#]|&#?\w+;|--")
_IN_TEX = re.compile(r"(?<!\\)([%#&])")
_IN_ADDRESS = "/:?#[]@!$&'()*+,;=%-._~"
_SPAN = re.compile(r"`[^`{}]*`")
_MATH, _CODE = re.compile(r"(?<!\\)\$"), re.compile(r"`+")
_OPEN_LINK = re.compile(r"\]\([^()\s]*$")

# What Markdown may not hold, wherever it is declared: what it looks like, and how a message calls it.
_REFUSED = (
    (re.compile(r"\{\{<"), "a shortcode"),
    (re.compile(r"`\{+(?:python|r|julia|ojs|=)"), "code that would be run"),
    (re.compile(r"<(?=[A-Za-z/!?])"), "HTML"),
    (re.compile(r"\]\(\s*<?(?!https?://|mailto:|#|\{|[\w./-]+\))"), "a link that is neither http(s) nor mailto"),
    (re.compile(r"\]:\s|\bon\w+\s*="), "a link's definition or a script"),
    (re.compile(r"!\["), "a picture"),
)
_HIDDEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]")
_EMOJI = regex.compile(r"\p{So}\uFE0F")  # the sign that asks for colours belongs to it
_SPOILS = re.compile(r"[$`\\{}]|--")  # what formulas of pictures and simulators, code, templates and dashes would take for their own


class Markup(str):
    """Text that is Markdown: sinks of Markdown take `.markdown`, all others the text as it reads.

    >>> Markup("**a**").markdown
    '**a**'
    """

    markdown: str

    def __new__(cls, text: str, markdown: str | None = None) -> Markup:
        made = super().__new__(cls, text)
        made.markdown = str(text) if markdown is None else markdown
        return made


class Code(str):
    """A name for machines, such as a file or a pattern: what no sentence shows, with no rule but that nothing in it is hidden."""


def escaped(text: str) -> str:
    r"""Plain text as Markdown that reads as it.

    >>> print(escaped("P&D <unk> 3*4"))
    P\&D \<unk\> 3\*4
    """
    return _ACTIVE.sub(lambda found: "".join(f"\\{sign}" for sign in found[0]), str(text))


def markdown(text: str) -> str:
    r"""What a sink of Markdown writes: of Markup its Markdown, of any other text its escaped form.

    >>> print(markdown(Markup("$x$")), markdown("R$"))
    $x$ R\$
    """
    return text.markdown if isinstance(text, Markup) else escaped(text)


def joined(parts: Iterable[str], between: str = "") -> Markup:
    r"""Several texts in a row, each of which keeps what it is.

    >>> print(joined([Markup("*a*"), "*b*"], " ").markdown)
    *a* \*b\*
    """
    parts = list(parts)
    return Markup(between.join(parts), markdown(between).join(map(markdown, parts)))


def filled(template: str, values: dict[str, Any]) -> Markup:
    r"""A template with its `{fields}` filled; it is Markdown, and the values are text, in formulas and addresses too.

    >>> print(filled("**{a}** of ${b}$", {"a": "x_1", "b": "50%"}).markdown)
    **x\_1** of $50\%$
    """
    texts = {name: value if isinstance(value, str) else str(value) for name, value in values.items()}
    made = ""
    for literal, name, spec, _ in Formatter().parse(template):
        made += literal
        if name is not None:
            made += _placed(Formatter().get_field(name, (), texts)[0] if not spec else format(texts[name], spec), made)
    return Markup(template.format(**{name: str(value) for name, value in texts.items()}), made)


def _placed(value: str, before: str) -> str:
    """A value as its place in a template needs it: in a formula, in code, in an address, or among words."""
    if len(_CODE.findall(before)) % 2:
        return str(value)
    if len(_MATH.findall(_CODE.sub("", before))) % 2:
        return _IN_TEX.sub(r"\\\1", value)
    if _OPEN_LINK.search(before):
        return quote(value, safe=_IN_ADDRESS)
    return markdown(value)


def faults(text: str, longest: int) -> Iterator[tuple[str, str]]:
    """What keeps a text of data/ from being shown as it is, each with its remedy; nothing where it can be.

    >>> list(faults("a", 3)), [what for what, _ in faults("a{b}", 3)]
    ([], ['it has 4 characters, and 3 fit', 'it holds “{”, which formulas, code and templates take for their own'])
    """
    if len(text) > longest:
        yield f"it has {len(text)} characters, and {longest} fit", "Shorten it"
    yield from _hidden(text)
    if isinstance(text, Markup):
        for pattern, name in _REFUSED:
            if pattern.search(text if "`" in pattern.pattern else _SPAN.sub("``", text)):
                yield f"it holds {name}", "Markdown of data/ has words, formulas, emphasis and links to http(s) or mailto alone"
        if _has_loose_dollar(text):
            yield "it holds a “$” that is no formula's", "A formula is written $x$; write a currency in words, such as reais"
    elif not isinstance(text, Code) and (sign := _SPOILS.search(text)):
        what = f"it holds “{sign[0]}”, which formulas, code and templates take for their own"
        yield what, "Write it in words, or put the character aside"


def _has_loose_dollar(text: str) -> bool:
    """Whether a dollar sign opens no formula, as in US$, or closes none: another text on its line could make it one.

    >>> [_has_loose_dollar(text) for text in ("$x$ and $y_1$", "US$ 5 and US$ 6", "(R$)", "$ x$")]
    [False, True, True, True]
    """
    plain, opened = _SPAN.sub("``", text), False
    for sign in _MATH.finditer(plain):
        before, after = plain[: sign.start()][-1:], plain[sign.end() :][:1]
        if not opened and (before.isalpha() or not after or after.isspace()):
            return True
        opened = not opened
    return opened


def setting_faults(text: str, longest: int) -> Iterator[tuple[str, str]]:
    """The same for a text that Quarto itself puts among the Markdown of a page: what would be read as a mark is refused.

    >>> [what for what, _ in setting_faults("R&D *now*", 80)]
    ['it holds “*”, which Markdown takes for a mark']
    """
    yield from faults(text, longest)
    if sign := _MARKS.search(text):
        yield f"it holds “{sign[0]}”, which Markdown takes for a mark", "Write it in words, or put the character aside"


def _hidden(text: str) -> Iterator[tuple[str, str]]:
    for sign in _HIDDEN.finditer(_EMOJI.sub("", text)):
        name = "a line break" if sign[0] in "\n\r" else f"U+{ord(sign[0]):04X}, which no reader sees"
        yield f"it holds {name}", "Take that character out"
        return

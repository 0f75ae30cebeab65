"""The ledger on paper: the rows of the list of numbers, as readers see them.

The rows are left in the page for paper alone; `slides/theme/appendix.lua` finds the slide of each and sets the table.
It shortens what is long, for a person reads it; the ledger beside the page keeps everything whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from figures.kit import formats, ledger, markup, project
from figures.kit.entry import Claim, Entry, Figure, Listing, Simulator, Table, Text
from figures.kit.json_values import json_text
from figures.kit.marks import FENCE
from figures.kit.shown import only_on_paper
from figures.kit.words import Words

WORDS, CLAIMS = Words("ledger"), Words("claims")
WHOLE = (Table, Figure, Simulator, Listing, Text)  # what stands by itself on a slide, and not in a sentence
TEXT, VALUE = 110, 170  # characters that a cell holds in a few lines
_PIECES = re.compile(r"\$[^$]*\$|`[^`]*`|\[[^][]*\]\{[^}]*\}|[^\s$`[]+|\s+|.", re.DOTALL)  # what no cut may go through
_LINK = re.compile(r"\[([^][]*)\]\([^)]*\)(?:\{[^}]*\})?")
_RARE = re.compile(r"[\u2e80-\U0010ffff]")  # signs that the theme's fonts lack: told by their code points


@dataclass(frozen=True)
class Page:
    """What the last cell of a page with a list of numbers returns: the ledger, and its rows for paper."""

    def _repr_markdown_(self) -> str:
        rows = json_text(content(ledger.entries()))
        return ledger.page()._repr_markdown_() + only_on_paper(f"{FENCE}{{.ledger-appendix}}\n{rows}\n{FENCE}")


def page() -> Page:
    """`ledger.page()` and the rows of the list of numbers."""
    return Page()


def content(entries: Sequence[Entry]) -> dict[str, Any]:
    """All that the list says, its slides aside."""
    notes = list(dict.fromkeys(note for entry in entries for note in notes_of(entry)))
    page = project.in_hand()
    return {
        "deck": page is not None and "revealjs" in project.formats(page),
        "title": WORDS("appendix.title"),
        "opening": WORDS("appendix.opening"),
        "headings": WORDS.list("appendix.headings"),
        "slide": WORDS("appendix.slide", number="{number}"),
        "notes_title": WORDS("appendix.notes"),
        "entries": [row(entry, notes) for entry in entries],
        "notes": notes,
    }


def row(entry: Entry, notes: list[str]) -> dict[str, Any]:
    """One row of the table; `n` and `id` serve to find its slide."""
    cited = [str(notes.index(note) + 1) for note in notes_of(entry)]
    kind = WORDS("appendix.claim") if isinstance(entry, Claim) else WORDS(f"appendix.kinds.{entry.kind}")
    return {
        "n": entry.n,
        "id": entry.id,
        "what": WORDS(f"appendix.whats.{entry.what}") if isinstance(entry, WHOLE) else "",
        "shown": shown(entry),
        "value": value(entry),
        "call": entry.call,
        "place": f"{entry.file}:{entry.line}",
        "kind": f"{kind} [{', '.join(cited)}]" if cited else kind,
    }


def shown(entry: Entry) -> str:
    """What a reader saw, in a few lines of Markdown: of a table its caption or headings, of a figure the start of its text."""
    return _as_markdown(_shown(entry))


def _as_markdown(text: str) -> str:
    """A text of the ledger as Markdown: its formulas, code and marked words stay, all else is text."""
    return "".join(piece if len(piece) > 1 and piece[0] in "$`[" else markup.escaped(piece) for piece in _PIECES.findall(text))


def _shown(entry: Entry) -> str:
    match entry:
        case Table():
            return shortened(entry.value.caption or ", ".join(column.heading for column in entry.value.columns), TEXT)
        case Listing():
            return f"`{entry.text.splitlines()[0]}` …"
        case Simulator():
            return entry.text.partition(": ")[2] or entry.text
        case Text():
            return shortened(in_a_line(entry.text), TEXT)
    return shortened(entry.text, TEXT if isinstance(entry, Figure) else 2 * TEXT)


def in_a_line(text: str) -> str:
    """Blocks of Markdown as one line: what frames them goes, and a link is what it says.

    >>> in_a_line("::: {.note}\\n- [one](a.html#x){.y}\\n- two\\n:::")
    '- one; - two'
    """
    lines = [line.strip() for line in _LINK.sub(r"\1", text).splitlines()]
    return "; ".join(line for line in lines if line and not line.startswith(":::"))


def value(entry: Entry) -> str:
    """The value in full, where the text rounds it or says it otherwise: 0.6199850 where 0,620 is shown; else nothing."""
    if isinstance(entry, Table):
        return WORDS("appendix.size", rows=len(entry.value.rows), columns=len(entry.value.columns))
    if isinstance(entry, WHOLE):
        return ""
    number = written(renamed(entry.value))[1:-1] if isinstance(entry.value, dict) else written(entry.value)
    full = f"{number}{formats.NBSP}{entry.unit}" if entry.unit else number
    as_shown = _letters(entry.text)
    return "" if as_shown in (_letters(number), _letters(full)) else markup.escaped(shortened(full, VALUE))


def renamed(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a claim under the names that readers know, where data/words/LANGUAGE/claims.yml has one."""
    names = CLAIMS.named("names")
    return {names.get(name, name): value for name, value in values.items()}


def written(raw: Any) -> str:
    """A raw value as people write it.

    >>> written([0.5, {"a": None}])
    '[0,5; {a: –}]'
    """
    if isinstance(raw, (list, tuple)):
        return "[" + "; ".join(written(part) for part in raw) + "]"
    if isinstance(raw, dict):
        return "{" + "; ".join(f"{name}: {written(part)}" for name, part in raw.items()) + "}"
    if isinstance(raw, (int, float)) and not isinstance(raw, bool):
        return formats.exact()(raw)
    return "–" if raw is None else _RARE.sub(lambda sign: f"U+{ord(sign[0]):04X}", str(raw))


def notes_of(entry: Entry) -> list[str]:
    """The sources and measurements that an entry rests on, those of a table's cells too."""
    return list(dict.fromkeys(source.note for source in entry.sources))


def shortened(text: str, length: int) -> str:
    """Markdown cut between words; a formula or a marked word stays whole or goes.

    >>> shortened("one $a + b$ two", 8)
    'one …'
    """
    made = ""
    for piece in _PIECES.findall(text):
        if len(made) + len(piece) > length:
            return made.rstrip(" ,;:") + " …"
        made += piece
    return made


def _letters(text: str) -> str:
    """A text without spaces and marks, to compare what is written two ways."""
    return re.sub(r"\{\.[^}]*\}|[\s[\]$`\\;,.·×]", "", text)

"""What a page has shown, looked for in the file that was written: texts, tables, pictures with their words, no lost glyph.

Knows no engine and no format: `written` reads the file that it is given.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from figures.kit.errors import Problem
from proof.written import READERS, Written

MOST = 6  # of the missing things, named
SAID = 60  # characters of what stands for a picture
UNRESOLVED = re.compile(r"\?var:\S+|\?meta:\S+|\{python\}")
LINK = re.compile(r"\[([^][]*)\]\([^()\s]+\)")
MARKS = re.compile(r"\{[.#][^}]*\}|[\s\u200b-\u200d\u00ad\ufe00-\ufe0f\[\]$`\\_{}*^]")
ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-"})


@dataclass(frozen=True)
class Shown:
    """A thing that a page has shown: its sort, its call, what a reader sees of it."""

    what: str
    id: str
    texts: list[str]


def recorded(file: Path) -> list[Shown] | None:
    """What `slides/theme/paper/shown.lua` left in a record; None where a document keeps no ledger."""
    if not file.is_file():
        return None
    return [Shown(**entry) for entry in json.loads(file.read_text(encoding="utf-8"))["entries"]]


def check(output: Path, content: bytes, shown: Sequence[Shown]) -> None:
    """A Problem that names what was shown and is not in the file, or what must not be in any."""
    reader = READERS.get(output.suffix)
    if reader is None:
        return
    written = reader(content)
    kept = output.suffix != ".ipynb"  # whose numbers come when it is run
    faults = [*(_missing(written, shown) if kept else ()), *_blank(written, shown), *_unfit(written)]
    if faults:
        more = f" and {len(faults) - MOST} more" if len(faults) > MOST else ""
        raise Problem(output.name, "; ".join(faults[:MOST]) + more, "Nothing of it is left in place; the last good output is.")


def _missing(written: Written, shown: Sequence[Shown]) -> Iterator[str]:
    text, pictures = plain(written.text), Counter(map(plain, written.pictures))
    wanted: Counter[str] = Counter()
    for thing in shown:
        for said in _pieces(thing):
            key = plain(said)
            wanted[(thing.what == "figure") * "picture:" + key] += 1
            if thing.what == "figure":
                if pictures[key] < wanted[f"picture:{key}"]:
                    yield f"the picture of {thing.id} is not in it"
            elif text.count(key) < wanted[key]:
                yield f"{thing.id} shows “{said}”, which is not in it"
    tables = sum(thing.what == "table" for thing in shown)
    if written.tables is not None and written.tables < tables:
        yield f"it has {written.tables} tables of {tables}"


def _pieces(thing: Shown) -> Iterator[str]:
    """The texts to look for: of a listing each line, since on paper the head of a page may stand between two."""
    for text in thing.texts:
        yield from text.splitlines() if thing.what == "listing" else [text]


def _blank(written: Written, shown: Sequence[Shown]) -> Iterator[str]:
    """Figures in which nothing is drawn; a picture that an author put there may be as empty as they like."""
    drawn = {plain(words) for thing in shown if thing.what == "figure" for words in thing.texts}
    yield from (f"nothing is drawn in the picture “{words[:SAID]}”" for words in written.blank if plain(words) in drawn)


def _unfit(written: Written) -> Iterator[str]:
    if "\ufffd" in written.text:
        at = written.text.index("\ufffd")
        yield f"a character is lost at “{' '.join(written.text[max(0, at - 20) : at + 20].split())}”"
    if written.lost:
        yield f"{written.lost} characters have no glyph in their font"
    yield from (f"{found} was not replaced" for found in dict.fromkeys(UNRESOLVED.findall(written.text)))


def plain(text: str) -> str:
    """A text without spaces and Markdown's marks, a link by its words.

    >>> plain("[5 × 10⁻⁴]{.n}"), plain("[abrir](https://example.org/a)")
    ('5×10-4', 'abrir')
    """
    text = LINK.sub(r"\1", text)
    return MARKS.sub("", unicodedata.normalize("NFKC", text).translate(ALIKE)).translate(ALIKE)

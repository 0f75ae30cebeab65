"""Numerals that are typed for a reason: data/declared.yml against the sources and the ledger."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from figures.kit import data, files, language
from figures.kit.entry import Entry, Formula, Number, Table, Word
from figures.kit.markup import Code
from figures.kit.origin import Known
from proof.fault import HOLE, Stray, around
from proof.numerals import SIGNS, Numeral, numerals, value_of
from proof.text_piece import Text

DECLARED, OF_THE_KIT = "declared", "declared_kit"
_NAME = re.compile(r"(?:[^\W\d_][\w.+-]*)(?: [^\W\d_][\w.+-]*)*")  # each of its words starts with a letter: GPT-2, float32
_BOUND = re.compile(r"[\^_]\{?$")  # an exponent or an index is no amount of its own


class Declared(data.Record):
    """A numeral that is typed for a reason: the exact text around it, which stands once in its place; a name may recur there.

    `name` is part of a name (GPT-2), `ordinal` numbers a thing (head 1), `symbol` is a 0, 1 or 2 that belongs to a
    formula (1/n, n²), `wording` belongs to the language or to a title,
    `code` is no result (a tolerance). `place` is the id of the slide or section; in
    data/words/ the key, in code the function. `other_than` names the values of the same slide that happen to be as much.
    """

    file: str
    place: str
    text: Code
    kind: Literal["name", "ordinal", "symbol", "wording", "code"]
    reason: str
    other_than: tuple[Code, ...] = ()


def declarations(name: str = DECLARED) -> tuple[Declared, ...]:
    """The records of data/declared.yml, or of the file that the kit has of its own; none where it holds none, or is not there."""
    is_there = (files.folder() / f"{name}.yml").is_file()
    return data.load(name, tuple[Declared, ...]) if is_there and data.tree(name).value else ()


def stale(texts: Iterable[Text], declared: Iterable[Declared]) -> list[Declared]:
    """The declarations whose text stands in its place no more: a slide was taken out, or its sentence was written anew."""
    by_place = _by_place(texts)
    return [one for one in declared if not _stands(one, by_place)]


def without(lines: Sequence[str], gone: Iterable[Declared]) -> list[str]:
    """The lines of data/declared.yml without some of its records, each from its own line to the next record, remark or gap."""
    dropped: set[int] = set()
    for one in gone:
        first = data.line_of(one)
        ends = (n for n in range(first, len(lines)) if not lines[n].startswith(" "))  # lines[n] is the line after the n-th
        dropped |= set(range(first, next(ends, len(lines)) + 1))
    return [line for n, line in enumerate(lines, 1) if n not in dropped]


def _by_place(texts: Iterable[Text]) -> dict[tuple[str, str], list[Text]]:
    by_place: defaultdict[tuple[str, str], list[Text]] = defaultdict(list)
    for text in texts:
        by_place[text.file, text.place].append(text)
    return by_place


def _stands(one: Declared, by_place: Mapping[tuple[str, str], list[Text]]) -> list[tuple[Text, int]]:
    """Where the text of a declaration stands: the piece of prose, and where in it."""
    written = re.compile(rf"(?<![0-9A-Za-zÀ-ÿ]){re.escape(one.text)}(?![0-9A-Za-zÀ-ÿ])")
    return [(text, match.start()) for text in by_place.get((one.file, one.place), []) for match in written.finditer(text.text)]


def strays(texts: Iterable[Text], declared: Sequence[Declared], shown: Mapping[tuple[str, str], Sequence[Entry]]) -> list[Stray]:
    """The numerals of the sources that nothing explains, then the declarations that don't fit where they stand.

    `shown` has the ledger's entries of each slide, by source file and id.
    """
    by_place = _by_place(texts)
    spoken = {text.file: text.language for group in by_place.values() for text in group}
    faults = []
    for one in declared:
        with language.speaking(spoken.get(one.file, "")):
            fault = _unfit(one, _stands(one, by_place), shown.get((one.file, one.place), []))
        if fault:
            told = f"“{one.text}” ({one.file}, {one.place}): {fault}"
            faults.append(Stray(data.file_of(one) or f"data/{DECLARED}.yml", data.line_of(one), 1, one.text, told))
    typed = [_stray(text, numeral) for text, numeral in _typed(by_place, declared)]
    once = {stray[:4]: stray for stray in reversed(typed)}  # two readers may have found it
    return sorted(once.values(), key=lambda stray: stray[:3]) + faults


def drafts(texts: Iterable[Text], declared: Sequence[Declared]) -> list[str]:
    """A line for data/declared.yml for each numeral that nothing explains, the kind and the reason left to whoever knows them."""
    by_place = _by_place(texts)
    lines = []
    for text, numeral in _typed(by_place, declared):
        for said in _wider(text.text, numeral):
            one = Declared(file=text.file, place=text.place, text=Code(said), kind="wording", reason="")
            if len(_stands(one, by_place)) == 1:
                break
        quoted = "'" + said.replace("'", "''") + "'"
        lines.append(f"- {{file: {text.file}, place: {text.place}, text: {quoted}, kind: wording, reason: ''}}")
    return list(dict.fromkeys(lines))


def _wider(text: str, numeral: Numeral) -> Iterator[str]:
    """The word that a numeral is in, then one word more on either side, and so on to the whole text; no holes at its ends."""
    words = list(re.finditer(rf"[^\s{HOLE}]+", text))
    inside = [n for n, word in enumerate(words) if word.start() < numeral.end and numeral.start < word.end()]
    for more in range(len(words) + 1):
        first, last = max(0, inside[0] - more), min(len(words) - 1, inside[-1] + more)
        yield text[words[first].start() : words[last].end()]


def _typed(by_place: Mapping[tuple[str, str], list[Text]], declared: Iterable[Declared]) -> Iterator[tuple[Text, Numeral]]:
    """The numerals that no declaration covers, each with the text that it stands in."""
    covered: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for one in declared:
        for text, start in _stands(one, by_place):
            covered[text.file, text.line].append((text.column + start, text.column + start + len(one.text)))
    for text in (text for group in by_place.values() for text in group if not text.given):
        with language.speaking(text.language):
            found = list(numerals(text.text))
        for numeral in found:
            first, last = text.column + numeral.start, text.column + numeral.end
            if not any(start <= first and last <= end for start, end in covered[text.file, text.line]):
                yield text, numeral


def _stray(text: Text, numeral: Numeral) -> Stray:
    roman = re.fullmatch("[IVXLCDM]+", numeral.text)
    read = f", read as the Roman numeral {value_of(numeral.text):.0f}" if roman else ""
    what = f"“{numeral.text}” is typed{read} (“{around(text.text, numeral)}”, {text.place})"
    return Stray(text.file, text.line, text.column + numeral.start, numeral.text, what)


def _unfit(one: Declared, at: list[tuple[Text, int]], shown: Sequence[Entry]) -> str:
    """What is wrong with a declaration; empty when nothing is."""
    if not at:
        return ""  # stale, which is told of all together
    typed = [match[0] for match in numerals(one.text)]
    amounts = {value_of(numeral) for numeral in typed}
    if not typed:
        return "declares no numeral"
    if not one.reason.strip():
        return "gives no reason"
    if len(at) > 1 and one.kind != "name":
        return f"stands there {len(at)} times: declare more of the sentence"
    text, start = at[0]
    if one.kind == "name":
        if not _NAME.fullmatch(one.text):
            return "is no name: each word of one starts with a letter, as GPT-2 does"
        same = [entry for entry in shown if isinstance(entry, Word) and entry.text == one.text]
    elif one.kind == "symbol":
        if not _in_math(text, start) and not all(re.fullmatch(SIGNS, numeral) for numeral in typed):
            return "is no symbol: it stands in no formula"
        if not amounts <= {0, 1, 2}:
            return "is no symbol: those are 0, 1 and 2; another number of a formula is computed"
        loose = {value_of(numeral[0]) for numeral in numerals(one.text) if not _BOUND.search(one.text[: numeral.start])}
        same = [entry for entry in shown if isinstance(entry, Formula) and _values(entry) & loose]
    elif one.kind == "ordinal" and all(map(_is_circled, typed)):
        same = []  # ③ is a step, whatever the slide has three of
    else:
        same = [entry for entry in shown if _values(entry) & amounts]
    if unknown := set(one.other_than) - {entry.call for entry in shown}:
        return f"`other_than` names {unknown.pop()}, which this slide doesn't show" if shown else ""
    others = [entry for entry in same if entry.call not in one.other_than]
    if not others:
        return ""
    remedy = f"show that, or add `other_than: [{others[0].call}]` where the text speaks of something else"
    return f"is a value of the ledger on this slide ({others[0].id} = {others[0].text or 'a cell'}): {remedy}"


def _is_circled(numeral: str) -> bool:
    return all(unicodedata.decomposition(sign).startswith("<circle>") for sign in numeral)


def _values(entry: Entry) -> set[float | None]:
    """The numbers that an entry shows, raw and as written; of a table those of its numeric cells, of a word those that it spells."""
    match entry:
        case Table():
            cells = zip(itertools.chain(*entry.value.rows), itertools.chain(*entry.value.texts))
            return {value for raw, text in cells for number in _numbers(raw) for value in (number, *_written(text))}
        case Word():  # "duas frases", "metade"; what has digits in it is a formula or a name
            spelled = [match[0] for match in numerals(entry.text) if match[0].isalpha()]
            return set() if re.search(r"\d", entry.text) else set(map(value_of, spelled))
        case Number() | Formula():
            text = re.sub(r"\S*\s×\s10[⁻⁰¹²³⁴-⁹]+|10[⁻⁰¹²³⁴-⁹]+", "", entry.text)  # a power of ten is one number
            return {*_numbers(entry.value), *_written(text)}
    return set()


def _numbers(raw: Any) -> list[float]:
    """The numbers of a raw value: itself, those of a vector, those from which a cell computes what it shows."""
    if isinstance(raw, list):
        return [number for part in raw for number in _numbers(part)]
    value = raw.value if isinstance(raw, Known) else raw
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def _written(text: str) -> list[float | None]:
    return [value_of(match[0]) for match in numerals(text)]


def _in_math(text: Text, at: int) -> bool:
    """Whether a place lies in a formula: an odd number of dollars, unescaped and single or double, before it."""
    return (_dollars(text.text[:at]) + text.display) % 2 == 1


def _dollars(text: str) -> int:
    return re.sub(r"\\\$", "  ", text).replace("$$", "$").count("$")

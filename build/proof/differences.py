"""What differs between the ledgers of one page in two builds: pure, from their entries to a list of changes."""

from __future__ import annotations

import difflib
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from figures.kit.entry import Cells, Claim, Entry, Figure, Simulator, Table
from figures.kit.origin import Known

NOTHING = "—"
SECTIONS = {
    "failing": "Claims that no longer hold",
    "claims": "Claims added, changed or removed",
    "numbers": "Numbers and words",
    "tables": "Tables",
    "figures": "Figures, by their data",
    "sources": "Facts whose source changed",
    "measured": "Measured anew",
    "moved": "Shown elsewhere, more often or less often",
    "slides": "Slides",
}
Key = tuple[str, int]  # an entry's id; of a claim, the how manieth with that id it is


class Change(NamedTuple):
    """One difference: its section, its slide (number and id), what is meant, what it was, what it is."""

    section: str
    slide: str
    what: str
    old: str
    new: str


def compare(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Change]:
    """Every difference between two pages' entries, section by section."""
    before, after = _by_key(old), _by_key(new)
    changes = [change for key in before | after for change in _changes(before.get(key), after.get(key))]
    changes += [*_moved(before, after, old, new), *_slides(old, new)]
    yield from sorted(changes, key=lambda change: (list(SECTIONS).index(change.section), int(change.slide.partition(" ")[0])))


def _by_key(entries: Sequence[Entry]) -> dict[Key, Entry]:
    """The entries by their call, as one call shows the same wherever it stands; a claim's stand apart, each beside its own sentence."""
    keyed: dict[Key, Entry] = {}
    for entry in entries:
        nth = sum(id == entry.id for id, _ in keyed) if isinstance(entry, Claim) else 0
        keyed[entry.id, nth] = entry
    return keyed


def _changes(old: Entry | None, new: Entry | None) -> Iterator[Change]:
    entry = new or old
    assert entry is not None
    slide, id = f"{entry.slide.number} {entry.slide.id}", entry.id.removesuffix(":text")
    section = "tables" if isinstance(entry, Table) else "figures" if isinstance(entry, (Figure, Simulator)) else "numbers"
    if isinstance(entry, Claim):
        yield from (Change(section, slide, *rest) for section, *rest in _claims(old, new, id))
    elif old is None or new is None:
        yield Change(section, slide, f"{id} ({entry.what})", *(_short(one.text) if one else NOTHING for one in (old, new)))
    else:
        yield from (Change("sources", slide, id, *notes) for notes in _sources(old, new))
        for key in ("kind", "unit"):
            if getattr(old, key) != getattr(new, key):
                yield Change(section, slide, f"{id}, {key}", getattr(old, key) or NOTHING, getattr(new, key) or NOTHING)
        if (old.value, old.text) == (new.value, new.text):
            return
        if {"measured", "recorded"} & {old.kind, new.kind}:
            yield Change("measured", slide, id, *(f"{_short(one.text)} ({one.note})" for one in (old, new)))
        elif isinstance(old, Table) and isinstance(new, Table):
            yield from (Change(section, slide, f"{id}, {what}", *both) for what, *both in _cells(old.value, new.value))
        elif isinstance(old, (Figure, Simulator)) and isinstance(new, (Figure, Simulator)):
            yield from (Change(section, slide, f"{id}, {what}", *both) for what, *both in _drawn(old, new))
        else:
            yield Change(section, slide, id, *_both_shown(old, new))


def _both_shown(old: Entry, new: Entry) -> Iterator[str]:
    """Both as shown; where that is the same, with their raw values."""
    for entry in (old, new):
        yield _short(entry.text) if old.text != new.text else f"{_short(entry.text)} ({_raw(entry.value)})"


def _apart(old: str, new: str) -> Iterator[str]:
    """Two texts, from a little before the place where they part: long ones often start alike."""
    alike = len(os.path.commonprefix([old, new]))
    start = max(0, alike - 20) if max(len(old), len(new)) > 90 else 0
    return (("…" if start else "") + _short(text[start:]) or NOTHING for text in (old, new))


def _claims(old: Entry | None, new: Entry | None, id: str) -> Iterator[tuple[str, str, str, str]]:
    """(section, what, old, new) of a check that fails, holds again, came, went or stands beside another sentence."""
    failed, fails = (isinstance(claim, Claim) and not claim.holds for claim in (old, new))
    sentence = f"“{claim.text}” ({id})" if (claim := new or old) else id
    if isinstance(new, Claim) and fails and not failed:
        values = "; ".join(f"{name} = {_raw(value)}" for name, value in new.value.items() if name != "holds")
        yield "failing", sentence, "held" if old else "new", values
    elif failed and new and not fails:
        yield "claims", sentence, "did not hold", "holds"
    elif old is None or new is None:
        yield "claims", sentence, "checked" if old else NOTHING, "checked" if new else NOTHING
    elif old.text != new.text:
        yield "claims", id, f"“{old.text}”", f"“{new.text}”"


def _sources(old: Entry, new: Entry) -> Iterator[tuple[str, str]]:
    """The sources of an entry that is a fact, or of the facts in its table, where they differ."""
    before, after = (list(dict.fromkeys(source.note for source in entry.sources if source.kind == "fact")) for entry in (old, new))
    return ((was, now) for was, now in zip_longest(before, after, fillvalue=NOTHING) if was != now)


def _cells(old: Cells, new: Cells) -> Iterator[tuple[str, str, str]]:
    """The cells of a table that read otherwise; a cell that only differs in its raw value is shown with that."""
    for key in ("heading", "unit"):
        before, after = ([getattr(column, key) for column in table.columns] for table in (old, new))
        if before != after:
            yield f"{key}s", " | ".join(before), " | ".join(after)
    if len(old.texts) != len(new.texts):
        yield "rows", str(len(old.texts)), str(len(new.texts))
    if old.caption != new.caption:
        yield "caption", old.caption, new.caption
    headings = [column.heading for column in new.columns]
    for i, (was, now, raw_was, raw_now) in enumerate(zip(old.texts, new.texts, old.rows, new.rows), 1):
        for heading, a, b, x, y in zip(headings, was, now, map(_bare, raw_was), map(_bare, raw_now)):
            if a != b:
                yield f"row {i}, {heading}", a or NOTHING, b or NOTHING
            elif x != y:
                yield f"row {i}, {heading}", f"{a} ({_short(str(x))})", f"{b} ({_short(str(y))})"


def _bare(cell: Any) -> Any:
    return cell.value if isinstance(cell, Known) else cell


def _drawn(old: Figure | Simulator, new: Figure | Simulator) -> Iterator[tuple[str, str, str]]:
    """A figure's data: how many of its numbers moved, and by how much at most; then its texts."""
    ours, theirs = _parts(old), _parts(new)
    for name in ours | theirs:
        was, now = (list(_numbers(parts.get(name))) for parts in (ours, theirs))
        if len(was) != len(now):
            yield name, f"{len(was)} numbers", f"{len(now)} numbers"
        elif was != now:
            moved = [(a, b) for a, b in zip(was, now) if a != b]
            a, b = max(moved, key=lambda pair: abs(pair[1] - pair[0]))
            yield f"{name}: {len(moved)} of {len(was)} numbers, the most", f"{a:.6g}", f"{b:.6g}"
    for name in ours | theirs:
        said, says = (dict(_words(parts.get(name), name)) for parts in (ours, theirs))
        for where in said | says:
            if said.get(where) != says.get(where):
                what = "what it offers and says" if where == "offered" else where
                yield what, said.get(where, NOTHING), says.get(where, NOTHING)
    texts, others = ([*one.value.texts, *filter(None, [one.value.caption])] if isinstance(one, Figure) else [] for one in (old, new))
    for kind, i, end, j, stop in difflib.SequenceMatcher(None, texts, others, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (("text", _short(a), _short(b)) for a, b in zip_longest(texts[i:end], others[j:stop], fillvalue=NOTHING))
    if old.text != new.text:
        yield "text in its place", *_apart(old.text, new.text)


def _parts(entry: Figure | Simulator) -> dict[str, Any]:
    """What holds the data of a figure or of a simulator's state, by a name such as "axes 1, lines" or "size"."""
    if isinstance(entry, Simulator):
        return {"opening": entry.value.opening, "result": entry.value.result, "offered": entry.value.offered}
    axes = {f"axes {n}, {name}": part for n, one in enumerate(entry.value.axes, 1) for name, part in one.items()}
    return axes | {"size": entry.value.size}


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)


def _words(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """What is no number in a simulator's state, by its place, as in ("result.fits", "true")."""
    if isinstance(value, (dict, list)):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value, 1):
            yield from _words(item, f"{where}.{name}")
    elif isinstance(value, (bool, str)):
        yield where, _short(value) if isinstance(value, str) else _raw(value)


def _moved(before: Mapping[Key, Entry], after: Mapping[Key, Entry], old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Change]:
    """What still is shown, but on other slides, more often or less often, in the notes or no longer there."""
    was, now = _stands(old), _stands(new)
    for key in before.keys() & after.keys():
        entry, id = after[key], key[0]
        is_claim = isinstance(entry, Claim)
        there, here = ([_spot(before[key])], [_spot(entry)]) if is_claim else (was[id], now[id])
        if sorted(there) != sorted(here):
            what = f"“{entry.text}” ({id})" if is_claim else id.removesuffix(":text")
            yield Change("moved", f"{entry.slide.number} {entry.slide.id}", what, ", ".join(there), ", ".join(here))


def _stands(entries: Sequence[Entry]) -> dict[str, list[str]]:
    spots: defaultdict[str, list[str]] = defaultdict(list)
    for entry in entries:
        spots[entry.id].append(_spot(entry))
    return spots


def _spot(entry: Entry) -> str:
    return f"{entry.slide.id}{' (notes)' * entry.notes}"


def _slides(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Change]:
    """Slides that came, went or moved, as far as they show anything."""
    before, after = ({entry.slide.id: entry.slide.number for entry in entries} for entries in (old, new))
    for id in before | after:
        was, now = before.get(id, NOTHING), after.get(id, NOTHING)
        if was != now:
            yield Change("slides", f"{after.get(id, before.get(id))} {id}", "number", str(was), str(now))


def _raw(value: Any) -> str:
    return _short(json.dumps(value, ensure_ascii=False))


def _short(text: str, most: int = 90) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"

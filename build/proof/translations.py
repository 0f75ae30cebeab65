"""What was translated, and from which text: data/translations/LANGUAGE.yml keeps a digest of the source beside each translation.

A slide is known by its id, a text of data/words/ by its key. Where the source has changed since, or has a slide or a text
that the translation lacks, it is named with both files; who has read both accepts it, which renews the digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from figures.kit import data, qmd, strict_yaml
from figures.kit.dependencies import digest
from figures.kit.errors import Faults, Problem
from figures.kit.files import lines_of, shown
from figures.kit.markup import Code
from proof.source_numbers import TITLE, prose

FOLDER = Path("data", "translations")
ALL = "all"
HEAD = """\
# From which text each translation was made, by a digest of that text: a slide by its id, a text of data/words/ by its key.
# `make translations` names what has changed since, and `make translations ACCEPT=FILE` writes this file anew.
"""
REMEDY = "Read both, put the translation right, then `make translations ACCEPT=FILE` (or FILE#NAME, or all)"


class Pair(data.Record):
    """A document, or a part of one, with what it was translated from; `units` has the digests."""

    EMPTY = frozenset({"units"})

    file: str
    of: str
    units: dict[str, str] = {}


class Translations(data.Record):
    """What a language has: `of` is the language that it is translated from."""

    EMPTY = frozenset({"files", "words"})

    of: str
    files: tuple[Pair, ...] = ()
    words: dict[str, dict[Code, str]] = {}  # its keys are names, signs of formulas among them


class Unit(NamedTuple):
    """A slide or a text, where it starts in its file, what stands there, and the fields that code fills in it."""

    line: int
    text: str
    fields: frozenset[str] = frozenset()


class Fault(NamedTuple):
    """Something that a translator has to look at; printed as "file, name: …"."""

    file: str
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}#{self.name}: {self.what}"


def slides(file: Path, root: Path) -> dict[str, Unit]:
    """The slides or sections of one file by their ids, without what it includes; of its front matter what readers see."""
    lines = lines_of(file, root)
    front, body = qmd.split_front_matter(lines)
    units: dict[str, Unit] = {}
    if front:
        seen = [text.text for text in prose(shown(file, root), lines) if text.place == TITLE and text.line <= front[-1].place.line]
        units[TITLE] = Unit(1, "\n".join(seen))
    heads = [heading for heading in qmd.headings(body) if heading.level <= 2 and heading.id]
    starts = [heading.line.place.line for heading in heads]
    for heading, start, end in zip(heads, starts, [*starts[1:], len(lines) + 1], strict=False):
        units[heading.id] = Unit(start, "\n".join(line.text.rstrip() for line in lines[start - 1 : end - 1]).strip())
    return units


def texts(file: Path, root: Path) -> dict[str, Unit]:
    """The texts of a file of words by their keys."""
    found = strict_yaml.read(lines_of(file, root)).texts()
    fields = re.compile(r"(?<!\{)\{(\w+)\}")
    return {key: Unit(entry.place.line, text := str(entry.value), frozenset(fields.findall(text))) for key, entry in found}


class Compared(NamedTuple):
    """A translated file beside its source, and the digests that it was accepted with."""

    file: str
    of: str
    source: dict[str, Unit]
    made: dict[str, Unit]
    accepted: Mapping[Any, str]

    def faults(self) -> Iterator[Fault]:
        """What isn't translated, asks for other fields, has no source any more, was never accepted, or with another source."""
        for name, unit in self.source.items():
            place = f"{self.of}:{unit.line}"
            if name not in self.made:
                if _top(name) in set(map(_top, self.made)) or "." not in name:
                    yield Fault(self.file, name, f"is not translated yet; its source is {place}")
            elif unknown := self.made[name].fields - unit.fields:
                asked = ", ".join(f"{{{one}}}" for one in sorted(unknown))
                yield Fault(self.file, name, f"asks for {asked}, which its source, {place}, doesn't")
            elif name not in self.accepted:
                yield Fault(self.file, name, f"has not been accepted yet as a translation of {place}")
            elif self.accepted[name] != _digest(unit):
                yield Fault(self.file, name, f"is older than its source: {place} has changed since it was translated")
        for name in self.made.keys() - self.source.keys():
            yield Fault(self.file, name, f"has no source any more in {self.of}: drop it, or mend its name")

    def renewed(self, wanted: set[str]) -> dict[str, str]:
        """The digests, anew for what is accepted: the whole file, or one of its names."""
        now = {name: _digest(self.source[name]) for name in self.made if name in self.source}
        kept = {name: digest for name, digest in self.accepted.items() if name in now}
        taken = {name for name in now if wanted & {ALL, self.file, f"{self.file}#{name}"}}
        return {name: now[name] if name in taken else kept[name] for name in now if name in taken | kept.keys()}


def compared(language: str, kept: Translations, root: Path) -> tuple[list[Compared], dict[str, Compared]]:
    """The documents of a language beside their sources, and its files of words by topic."""
    for n, pair in enumerate(kept.files):
        for key, name in (("file", pair.file), ("of", pair.of)):
            if not (root / name).is_file():
                remedy = "Take the record out, or write where the file is now"
                raise data.fault(f"translations/{language}", f"files[{n}].{key}", f"{name} is not there", remedy)
    documents = [
        Compared(pair.file, pair.of, slides(root / pair.of, root), slides(root / pair.file, root), pair.units) for pair in kept.files
    ]
    words = {}
    for file in sorted((root / "data" / "words" / language).glob("*.yml")):
        source = root / "data" / "words" / kept.of / file.name
        made = texts(file, root)
        units = texts(source, root) if source.is_file() else {}
        words[file.stem] = Compared(shown(file, root), shown(source, root), units, made, kept.words.get(file.stem, {}))
    return documents, words


def run(root: Path, accept: Iterable[str] = ()) -> str:
    """What `make translations` does: raises Faults unless every translation is of today's source; renews what is accepted."""
    wanted = {one for text in accept for one in re.split(r"[,\s]+", text) if one}
    unknown, faults, said = set(wanted) - {ALL}, [], []
    for file in sorted((root / FOLDER).glob("*.yml")):
        kept = data.load(f"translations/{file.stem}", Translations)
        documents, words = compared(file.stem, kept, root)
        every = [*documents, *words.values()]
        unknown -= {one.file for one in every} | {f"{one.file}#{name}" for one in every for name in one.made}
        if wanted:
            kept = renewed(kept, documents, words, wanted)
            file.write_text(written(kept), encoding="utf-8", newline="\n")
            data.forget()
            documents, words = compared(file.stem, kept, root)
            every = [*documents, *words.values()]
        faults += [fault for one in every for fault in one.faults()]
        said.append(f"{file.stem}: {sum(len(one.made) for one in every)} texts are of today's {kept.of}{_left(words, kept.of, root)}")
    if unknown:
        raise Problem("translations", f"{', '.join(sorted(unknown))} is no translation", f"Name a file of {FOLDER}/, or FILE#NAME")
    if faults:
        raise Faults("translations", faults, REMEDY)
    return "Translations: " + ("; ".join(said) if said else f"none ({FOLDER}/ is empty)")


def renewed(kept: Translations, documents: list[Compared], words: dict[str, Compared], wanted: set[str]) -> Translations:
    """The record with the digests of what is accepted."""
    files = tuple(data.changed(pair, units=one.renewed(wanted)) for pair, one in zip(kept.files, documents, strict=True))
    topics = {topic: made for topic, one in words.items() if (made := one.renewed(wanted))}
    return data.changed(kept, files=files, words=topics)


def written(kept: Translations) -> str:
    """The record as its file has it: a digest a line, so that two versions of it merge line by line."""
    lines = [f"{HEAD}of: {kept.of}", "files:" if kept.files else "files: []"]
    for pair in kept.files:
        lines += [f"  - file: {pair.file}", f"    of: {pair.of}", *_mapping("units", pair.units, 4)]
    lines += ["words:" if kept.words else "words: {}"]
    for topic, units in kept.words.items():
        lines += _mapping(topic, units, 2)
    return "\n".join(lines) + "\n"


def _mapping(name: str, units: Mapping[Any, str], indent: int) -> list[str]:
    space = " " * indent
    quoted = [f"{space}  {msgspec.json.encode(key).decode()}: {msgspec.json.encode(value).decode()}" for key, value in units.items()]
    return [f"{space}{name}:", *quoted] if units else [f"{space}{name}: {{}}"]


def _left(words: Mapping[str, Compared], of: str, root: Path) -> str:
    """The topics and groups that nobody has begun to translate: no faults, since what asks for one of them stops by name."""
    topics = [file.stem for file in sorted((root / "data" / "words" / of).glob("*.yml")) if file.stem not in words]
    for topic, one in words.items():
        begun = set(map(_top, one.made))
        topics += [f"{topic}.{top}" for top in dict.fromkeys(map(_top, one.source)) if top not in begun]
    return f" (not begun: {', '.join(topics)})" if topics else ""


def _top(key: str) -> str:
    return re.split(r"[.\[]", key)[0]


def _digest(unit: Unit) -> str:
    return digest(unit.text.encode())[:8]

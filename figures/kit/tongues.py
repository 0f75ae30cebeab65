"""What the build knows of each language that documents may be in: data/languages/TAG.yml."""

from __future__ import annotations

from functools import cache

from figures.kit import data, files, language
from figures.kit.errors import DataError


class Amount(data.Record):
    value: float
    words: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()


class Endings(data.Record):
    """What words for parts end in: a third, two thirds."""

    one: tuple[str, ...]
    many: tuple[str, ...]


class Halves(data.Record):
    """The words for a half, and those beside which they say something else."""

    words: tuple[str, ...]
    not_after: tuple[str, ...]
    not_before: tuple[str, ...]


class Tongue(data.Record):
    """A language's grammar of numbers, and words that no other language has as often.

    `multiples` and `ordinals` are stems that take the endings in `agreeing`. `prefixes` count before what `counted` begins with,
    those of `sure` before whatever follows. `not_before` is what makes a number word, behind it, a name.
    """

    EMPTY = frozenset({"before_parts"})

    words: tuple[Amount, ...]
    verbs: tuple[Amount, ...]
    endings: tuple[str, ...]
    parts: tuple[Amount, ...]
    part_endings: Endings
    before_a_part: tuple[str, ...]
    part: tuple[str, ...]
    before_a_roman: tuple[str, ...]
    common: tuple[str, ...]
    after_a_part: tuple[str, ...] = ()
    before_parts: str = ""
    multiples: tuple[Amount, ...] = ()
    ordinals: tuple[Amount, ...] = ()
    agreeing: tuple[str, ...] = ()
    prefixes: tuple[Amount, ...] = ()
    sure: tuple[Amount, ...] = ()
    counted: tuple[str, ...] = ()
    halves: Halves | None = None
    not_before: tuple[str, ...] = ()


@cache
def of(tag: str) -> Tongue:
    """What is known of a language, or of a more general one that it falls back on."""
    tags = language.fallbacks(tag)
    for name in tags:
        if (files.folder() / "languages" / f"{name}.yml").is_file():
            return data.load(f"languages/{name}", Tongue)
    remedy = f"Write what the audit has to know of it, as in {', '.join(f'{name}.yml' for name in languages())}"
    raise DataError(f"data/languages/{tags[-1]}.yml", "", "the file is missing", remedy)


def languages() -> list[str]:
    """The languages with a file in data/languages/."""
    return sorted(file.stem for file in (files.folder() / "languages").glob("*.yml"))

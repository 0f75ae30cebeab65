"""What the field says and no computation here can hold: words of a slide that are shown as a fact, with the passage that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from figures.kit import data, ledger
from figures.kit.origin import Known
from figures.kit.show import word
from figures.kit.words import Words

_words = Words("field")


PASSAGES = re.compile(r"resumo|seç(?:ão|ões) \d|tabela \d|figura \d|p(?:\.|ágina|áginas) \d")


class Statement(data.Record):
    """A record of `data/field.yml`: a statement by the id that slides call it by, and a work with the passage that bears it out."""

    id: str
    source: str

    def faults(self) -> Iterator[str]:
        if not PASSAGES.search(self.source):
            yield f"the source of `{self.id}` names no passage, such as “seção 2” or “resumo”"


@word
def named(id: str) -> Known:
    """The words by which a slide makes the statement `id`; its card tells what the passage says, and where it stands.

    >>> named("paged_attention")
    PagedAttention
    """
    statement = data.one(data.load("field", tuple[Statement, ...]), lambda one: one.id, id, "data/field.yml")
    return ledger.fact(_words(f"{id}.shown"), f"{_words(f'{id}.says')} ({statement.source})")

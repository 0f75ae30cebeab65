"""The verdict on a whole answer, and how it shows: a quotation with a sign in front, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from figures.kit import ledger
from figures.kit.checkpoints.calling import NotMade
from figures.kit.checkpoints.judging import judge
from figures.kit.checkpoints.parts import BLANK, RIGHT, UNFIT, URGENCY, Finding, Part, Rule
from figures.kit.formats import joined
from figures.kit.ledger import Origin
from figures.kit.show import by_hand
from figures.kit.words import Words

_words = Words("checkpoints")


@dataclass(frozen=True)
class Verdict:
    """What a checkpoint says of an answer: of each part its name and its finding; `foot` is a last line of its own."""

    section: str
    names: tuple[str, ...]
    findings: tuple[Finding, ...]
    foot: str = ""

    @property
    def status(self) -> str:
        """The status of the whole: that of the part which most needs the student."""
        return min((finding.status for finding in self.findings), key=URGENCY.index)

    @property
    def text(self) -> str:
        """The verdict as plain text: the first line says what it is, then follows a line for each part where there are several."""
        return "\n".join(self._lines("", ""))

    def _lines(self, strong: str, code: str) -> list[str]:
        sign, called = _words(f"signs.{self.status}"), _words(f"statuses.{self.status}")
        head = f"{sign} {strong}{self.section} · {called}{strong}"
        foot = [self.foot] if self.foot else []
        if len({finding.text for finding in self.findings}) == 1:
            return [f"{head}. {self.findings[0].text}", *foot]
        return [head, *(self._line(name, finding, code) for name, finding in zip(self.names, self.findings)), *foot]

    def _line(self, name: str, finding: Finding, code: str) -> str:
        plain_right = finding.status == RIGHT and finding.text == _words("right")
        text = _words("right_part") if plain_right else finding.text
        return f"{_words(f'signs.{finding.status}')} {code}{name}{code}: {text}"

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        text = "\n" + "\n>\n".join(f"> {line}" for line in self._lines("**", "`")) + "\n"
        if by_hand():
            return text
        n = ledger.add("text", self.text, self.text, Origin(verdict, (self.section,)))
        return f'\n::: {{.block n="{n}"}}\n{text}\n:::\n'


def verdict(section: str, parts: Sequence[Part | Rule], answer: Any) -> Verdict:
    """The verdict on a whole answer: the thing itself where one is asked for, else a list with one item for each part."""
    return of_findings(section, _findings(section, parts, answer))


def of_findings(section: str, found: Sequence[tuple[str, Finding]]) -> Verdict:
    """The verdict that these findings make together."""
    return Verdict(section, tuple(name for name, _ in found), tuple(finding for _, finding in found))


def _findings(section: str, parts: Sequence[Part | Rule], answer: Any) -> list[tuple[str, Finding]]:
    if len(parts) == 1:
        return judge(parts[0], answer)
    try:
        answers = list(answer) if type(answer) in (list, tuple) or isinstance(answer, np.ndarray) else None
    except Exception:
        answers = None
    if answer is ... or isinstance(answer, NotMade):
        return [(section, Finding(BLANK, _words("blank")))]
    if answers is None or len(answers) != len(parts):
        asked = joined([f"`{part.name}`" for part in parts], _words("and"))
        return [(section, Finding(UNFIT, _words("unfit.parts", parts=asked)))]
    return [found for part, item in zip(parts, answers) for found in judge(part, item)]

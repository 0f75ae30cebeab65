"""Judges a student's answer against the right value and the known mistakes, and never raises, whatever it is given.

Knows no section and no answer: whoever calls says what is right. A verdict never holds the right value.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from figures.kit import ledger
from figures.kit.arrays import Array
from figures.kit.formats import joined, shape
from figures.kit.ledger import Origin
from figures.kit.show import by_hand
from figures.kit.words import Words

_words = Words("checkpoints")

RIGHT, NEAR, MISTAKE, WRONG, BLANK, UNFIT = "right", "near", "mistake", "wrong", "blank", "unfit"
# What a verdict over several parts shows first: the part that most needs the student.
URGENCY = (UNFIT, MISTAKE, WRONG, NEAR, BLANK, RIGHT)
# At most so large a share of the largest right number may an answer be off: equal but for rounding, and near.
EQUAL, CLOSE = 1e-6, 0.05


@dataclass(frozen=True)
class Finding:
    """What one part of an answer turned out to be, and the text that says so."""

    status: str
    text: str


@dataclass(frozen=True)
class Part:
    """One value that a checkpoint asks for.

    `mistakes` are the values that known mistakes give, by the key of the text that tells them (`mistakes.KEY` in the
    words). `call` makes the value out of a student's function; `read` brings a numeric answer to its canonical form;
    `judged` replaces the comparison where not one value alone is right. `infinite` lets ±∞ in.
    """

    name: str
    right: Array
    mistakes: Mapping[str, Array] = field(default_factory=dict)
    call: Callable[[Callable[..., Any]], Any] | None = None
    takes: str = ""
    read: Callable[[Array], Array] = lambda value: value
    judged: Callable[[Array], str] | None = None
    infinite: bool = False
    equal: float = EQUAL
    close: float = CLOSE


class Unfit(Exception):
    """An answer that can't be compared; its text says what was expected."""


def judge(part: Part, answer: Any) -> Finding:
    """What this part of the answer is.

    >>> judge(Part("x", np.array(2.0)), 2.0).status
    'right'
    """
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return _judged(part, answer)
    except Unfit as unfit:
        return Finding(UNFIT, str(unfit))
    except (Exception, SystemExit):  # an object may raise wherever it is touched
        return Finding(UNFIT, _words("unfit.unreadable", expected=expected(part)))


def _judged(part: Part, answer: Any) -> Finding:
    if is_blank(answer):
        return Finding(BLANK, _words("blank"))
    value = _called(part, answer) if part.call else answer
    if is_blank(value):
        return Finding(BLANK, _words("blank"))
    return _compared(part, part.read(numbers(part, value)))


def is_blank(answer: Any) -> bool:
    """Whether a gap is still in the answer.

    >>> is_blank([1, ...])
    True
    """
    if answer is ... or answer is None or answer is NotImplemented:
        return True
    if type(answer) in (list, tuple):
        return any(is_blank(item) for item in answer)
    return isinstance(answer, np.ndarray) and answer.dtype == object and any(item is ... or item is None for item in answer.flat)


def _called(part: Part, answer: Any) -> Any:
    """What the student's function gives; a blank if it stopped at a gap."""
    assert part.call is not None
    if not callable(answer):
        raise Unfit(_words("unfit.not_callable", expected=expected(part), kind=type(answer).__name__))
    try:
        return part.call(answer)
    except (Exception, SystemExit) as error:
        if has_gap(answer):
            return ...
        raise Unfit(_words("unfit.raised", error=type(error).__name__, message=_one_line(error), takes=part.takes)) from None


def has_gap(function: Any) -> bool:
    """Whether a function's own code still holds `...`."""
    code = getattr(function, "__code__", None)
    return code is not None and ... in code.co_consts


def _one_line(error: BaseException) -> str:
    try:
        text = " ".join(str(error).split())
    except Exception:
        return "?"
    return text if len(text) <= 160 else text[:157] + "…"


def numbers(part: Part, value: Any) -> Array:
    """An answer as float64, or Unfit: no tensor, no text, no NaN, no ±∞ where none belongs."""
    kind = type(value).__name__
    if type(value).__module__.partition(".")[0] == "torch":
        raise Unfit(_words("unfit.torch", expected=expected(part)))
    if isinstance(value, (str, bytes)):
        raise Unfit(_words("unfit.text", expected=expected(part)))
    if callable(value):
        raise Unfit(_words("unfit.function", expected=expected(part)))
    if type(value) in (list, tuple) and any(type(item).__module__.partition(".")[0] == "torch" for item in value):
        raise Unfit(_words("unfit.torch", expected=expected(part)))
    try:
        raw = np.asarray(value)
    except Exception:
        raise Unfit(_words("unfit.kind", expected=expected(part), kind=kind)) from None
    if raw.dtype.kind not in "iufb" or raw.size == 0:
        raise Unfit(_words("unfit.kind", expected=expected(part), kind=kind))
    answer: Array = raw.astype(np.float64)
    if np.isnan(answer).any():
        raise Unfit(_words("unfit.nan", expected=expected(part)))
    if np.isinf(answer).any() and not part.infinite:
        raise Unfit(_words("unfit.infinite", expected=expected(part)))
    return answer


def _compared(part: Part, answer: Array) -> Finding:
    """The order counts: a known mistake may lie close to the right value, or have another shape."""
    right = np.asarray(part.right, np.float64)
    if part.judged is None and within(answer, right, part.equal):
        return Finding(RIGHT, _words("right"))
    for key, value in part.mistakes.items():
        if within(answer, np.asarray(value, np.float64), part.equal):
            return Finding(MISTAKE, _words(f"mistakes.{key}"))
    if np.squeeze(answer).shape != np.squeeze(right).shape:
        raise Unfit(_words("unfit.shape", expected=expected(part), shape=shape_in_words(answer)))
    if part.judged is not None:
        key = part.judged(answer)
        if key in (RIGHT, WRONG):
            return Finding(key, _words(key))
        return Finding(NEAR if key == NEAR else MISTAKE, _words(f"mistakes.{key}"))
    if within(answer, right, part.close):
        return Finding(NEAR, _words("near"))
    return Finding(WRONG, _words("wrong"))


def within(answer: Array, right: Array, share: float) -> bool:
    """Whether all numbers agree, up to a share of the largest right one.

    Infinite numbers must stand in the same places; axes of length 1 don't count.

    >>> within([1.04], [1], 0.05)
    True
    """
    answer, right = np.squeeze(np.asarray(answer, np.float64)), np.squeeze(np.asarray(right, np.float64))
    if answer.shape != right.shape:
        return False
    finite = np.isfinite(right)
    if (answer[~finite] != right[~finite]).any():
        return False
    scale = np.abs(right[finite]).max(initial=0.0)
    return bool((np.abs(answer[finite] - right[finite]) <= share * (scale or 1.0)).all())


def expected(part: Part) -> str:
    """What an answer must be: a number, an array and its shape, or a function and what it takes."""
    right = np.asarray(part.right)
    if part.call:
        return _words("expected.function", takes=part.takes)
    return _words("expected.number") if right.size == 1 else _words("expected.array", shape=shape_in_words(right))


def shape_in_words(values: Array) -> str:
    """A shape in words: "6 × 4"; one axis as its length, none as a lone number."""
    return _words("shape.none") if values.ndim == 0 else shape()(values.shape) if values.ndim > 1 else _words("shape.one", n=len(values))


@dataclass(frozen=True)
class Verdict:
    """What a checkpoint says of an answer, part by part; it shows as a quotation with a sign in front."""

    section: str
    names: tuple[str, ...]
    findings: tuple[Finding, ...]

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
        if len(self.findings) == 1 or {finding.status for finding in self.findings} == {BLANK}:
            return [f"{head}. {self.findings[0].text}"]
        return [head, *(self._line(name, finding, code) for name, finding in zip(self.names, self.findings))]

    def _line(self, name: str, finding: Finding, code: str) -> str:
        text = _words("right_part") if finding.status == RIGHT else finding.text
        return f"{_words(f'signs.{finding.status}')} {code}{name}{code}: {text}"

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        text = "\n" + "\n>\n".join(f"> {line}" for line in self._lines("**", "`")) + "\n"
        if by_hand():
            return text
        n = ledger.add("text", self.text, self.text, Origin(verdict, (self.section,)))
        return f'\n::: {{.block n="{n}"}}\n{text}\n:::\n'


def verdict(section: str, parts: Sequence[Part], answer: Any) -> Verdict:
    """The verdict on a whole answer: the value itself where one is asked for, else a list with one item for each part."""
    names = tuple(part.name for part in parts)
    if len(parts) == 1:
        return Verdict(section, names, (judge(parts[0], answer),))
    try:
        answers = list(answer) if type(answer) in (list, tuple) or isinstance(answer, np.ndarray) else None
    except Exception:
        answers = None
    if answer is ... or answer is None:
        return Verdict(section, (section,), (Finding(BLANK, _words("blank")),))
    if answers is None or len(answers) != len(parts):
        asked = joined([f"`{name}`" for name in names], _words("and"))
        return Verdict(section, (section,), (Finding(UNFIT, _words("unfit.parts", parts=asked)),))
    return Verdict(section, names, tuple(judge(part, item) for part, item in zip(parts, answers)))

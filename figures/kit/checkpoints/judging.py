"""Judges an answer against what is right and what is known to go wrong, and never raises, whatever it is given.

Knows no section and no answer: whoever calls says what is right. No finding holds the right value.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from figures.kit.arrays import Array
from figures.kit.checkpoints import errors, facts
from figures.kit.checkpoints.calling import NotMade, Stopped, called, gaps, is_blank
from figures.kit.checkpoints.parts import BLANK, MISTAKE, NEAR, RIGHT, UNFIT, WRONG, Finding, Output, Part, Probe, Rule, Unfit
from figures.kit.checkpoints.reading import call_in_words, expected, numbers, shape_in_words, within
from figures.kit.formats import joined
from figures.kit.words import Words

_words = Words("checkpoints")
Named = tuple[str, Finding]
NOT_A_FACTOR = 0.01  # the share of the right number that no forgotten factor is as small as


def judge(part: Part | Rule, answer: Any) -> list[Named]:
    """What this part of an answer is: a finding for each of its outputs, or one alone where they can't be told apart."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            if isinstance(part, Rule):
                return [(part.name, _by_rule(part, answer))]
            return _of_part(part, answer)
    except Unfit as unfit:
        return [(part.name, Finding(unfit.status, str(unfit)))]
    except (Exception, SystemExit):  # an object may raise wherever it is touched
        return [(part.name, Finding(UNFIT, _words("unfit.unreadable")))]


def _of_part(part: Part, answer: Any) -> list[Named]:
    if callable(answer):
        return judged(part, [called(answer, probe.args, probe.named) for probe in part.calls()], [gap.line for gap in gaps(answer)])
    refuse_blank(answer)
    if part.value is None:
        raise Unfit(_words("unfit.not_callable", takes=part.takes, kind=type(answer).__name__))
    return [(part.name, _of_value(part, answer))]


def refuse_blank(answer: Any) -> None:
    """Unfit for a name that was never made, for code that stopped, and for what still has a gap in it."""
    if isinstance(answer, NotMade):
        raise Unfit(_words("unfit.not_made", why=answer.why)) if answer.why else Unfit(_words("blank_not_made", name=answer.name), BLANK)
    if is_blank(answer):
        raise Unfit(_words("blank"), BLANK)


def _of_value(part: Part, answer: Any) -> Finding:
    """A value in place of the function: what it would give for the first probe, as far as a hand writes it out."""
    (output,), probe = part.outputs, part.probes[0]
    right = _right(output, probe, None)
    value, equal = output.read(numbers(answer, expected(right), output.infinite), right), part.value or output.equal
    if within(value, right, equal):
        return Finding(RIGHT, _words("right"))
    if key := _known(output, [Tried(probe, value, right)], equal):
        return Finding(MISTAKE, _words(f"mistakes.{key}"))
    if np.squeeze(value).shape != np.squeeze(right).shape:
        raise Unfit(_words("unfit.shape", expected=expected(right), shape=shape_in_words(value)))
    return _wrong(part, replace(output, equal=equal), [Tried(probe, value.reshape(right.shape), right)], [])


def _by_rule(rule: Rule, answer: Any) -> Finding:
    refuse_blank(answer)
    like = np.zeros(rule.shape)
    value = numbers(answer, expected(like))
    if value.shape != like.shape:
        raise Unfit(_words("unfit.shape", expected=expected(like), shape=shape_in_words(value)))
    key = rule.judged(value)
    if key in (RIGHT, WRONG):
        return Finding(key, _words(key))
    return Finding(NEAR if key == NEAR else MISTAKE, _words(f"mistakes.{key}"))


# A function's replies

Reply = Array | Unfit  # what one output was for one probe


class Tried(NamedTuple):
    """One output at one probe: what came, what is right, and the student's own value of the output that it comes after."""

    probe: Probe
    value: Reply
    right: Array
    before: Array | None = None


def judged(part: Part, replies: Sequence[Any], open_lines: Sequence[int] = ()) -> list[Named]:
    """The findings for what a function gave, one reply for each of `part.calls()`; `open_lines` still hold a gap."""
    probes, varied = list(part.probes), replies[len(part.probes) :]
    rows = [_outputs(part, probe, reply, open_lines) for probe, reply in zip(probes, replies)]
    findings: list[Named] = []
    own: dict[str, list[Array | None]] = {}
    for at, output in enumerate(part.outputs):
        before = own.get(output.after, [None] * len(probes))
        rights = [_right(output, probe, earlier) for probe, earlier in zip(probes, before)]
        others = [_at(reply, at, len(part.outputs)) for reply in varied]
        try:
            values = [_value(part, output, probe, row[at], right) for probe, row, right in zip(probes, rows, rights)]
            own[output.name] = [v if isinstance(v, np.ndarray) and v.shape == r.shape else None for v, r in zip(values, rights)]
            finding = _compared(part, output, [Tried(*one) for one in zip(probes, values, rights, before)], others)
        except Unfit as unfit:
            finding = Finding(unfit.status, str(unfit))
        if output.after and dict(findings)[output.after].status != RIGHT:
            finding = _following(output, finding)
        findings.append((output.name, finding))
    if len({finding for _, finding in findings}) == 1:
        return [(part.name, findings[0][1])]
    return findings


def _following(output: Output, finding: Finding) -> Finding:
    """The finding for an output whose own origin is wrong."""
    if finding.status == RIGHT:
        return Finding(RIGHT, _words("right_after", name=output.after))
    if finding.text in {_words(f"mistakes.{key}") for key in output.mistakes}:
        return finding
    return Finding(WRONG, _words("wrong_after", name=output.after))


def _open(lines: Sequence[int]) -> str:
    """Which lines of the cell still hold a gap."""
    listed = joined([str(line) for line in lines], _words("and"))
    return _words("blank_line", line=listed) if len(lines) == 1 else _words("blank_lines", lines=listed)


def _outputs(part: Part, probe: Probe, reply: Any, open_lines: Sequence[int]) -> list[Any]:
    """A reply as one value for each output, or for each the reason why there is none."""
    if is_blank(reply) and open_lines:
        raise Unfit(_open(open_lines), BLANK)
    if isinstance(reply, Stopped):
        if not reply.error:
            raise Unfit(_words("blank"), BLANK)
        return [Unfit(_words("unfit.raised", call=call_in_words(part, probe, sizes=True), told=errors.told(reply)))] * len(part.outputs)
    if len(part.outputs) == 1:
        return [reply]
    if is_blank(reply) and not isinstance(reply, (list, tuple)):
        raise Unfit(_words("blank"), BLANK)
    if reply is None:
        raise Unfit(_words("unfit.returned_none", call=call_in_words(part, probe)))
    if not isinstance(reply, (list, tuple, np.ndarray)) or getattr(reply, "ndim", 1) == 0 or len(reply) != len(part.outputs):
        names = joined([f"`{output.name}`" for output in part.outputs], _words("and"))
        raise Unfit(_words("unfit.outputs", call=call_in_words(part, probe), names=names))
    return list(reply)


def _value(part: Part, output: Output, probe: Probe, value: Any, right: Array) -> Reply:
    """One output's value, or the reason why it can't be compared."""
    if isinstance(value, Unfit):
        return value
    if is_blank(value):
        raise Unfit(_words("blank"), BLANK)
    wanted, call = output.wanted or expected(right), call_in_words(part, probe, sizes=True)
    try:
        if value is None:
            return Unfit(_words("unfit.returned_none", call=call))
        answer = output.read(numbers(value, wanted, output.infinite), right)
    except Unfit as unfit:
        return Unfit(_words("unfit.returned", call=call, what=unfit), value=unfit.value)
    if np.squeeze(answer).shape == np.squeeze(right).shape:
        return answer.reshape(right.shape)
    what = _words("unfit.shape", expected=wanted, shape=shape_in_words(answer))
    return Unfit(_words("unfit.returned", call=call, what=what), value=answer)


def _compared(part: Part, output: Output, tries: list[Tried], varied: list[Any]) -> Finding:
    good = [isinstance(one.value, np.ndarray) and within(one.value, one.right, output.equal) for one in tries]
    if all(good):
        return Finding(RIGHT, _words("right"))
    if key := _known(output, tries):
        return Finding(MISTAKE, _words(f"mistakes.{key}"))
    if good[0]:
        return _partly(part, output, tries[0], tries[good.index(False)])
    numeric = [one for one in tries if not isinstance(one.value, Unfit) or one.value.value is not None]
    if numeric and numeric[0] is tries[0] and (key := _known(output, numeric)):
        return Finding(MISTAKE, _words(f"mistakes.{key}"))
    if isinstance(tries[0].value, Unfit):
        raise tries[0].value
    return _wrong(part, output, [one for one, right in zip(tries, good) if not right and isinstance(one.value, np.ndarray)], varied)


def _partly(part: Part, output: Output, first: Tried, bad: Tried) -> Finding:
    """Right for the first probe and wrong for another: which, and what is true there."""
    if isinstance(bad.value, Unfit):
        what = str(bad.value)
    else:
        call, seen = call_in_words(part, bad.probe, sizes=True), _explained(output, bad.value, bad.right)
        what = f"{_words('partly', call=call)} {seen or _words('fixed')}"
    return Finding(MISTAKE, _words("right_there", call=call_in_words(part, first.probe), what=what))


def _wrong(part: Part, output: Output, tries: list[Tried], varied: Sequence[Any]) -> Finding:
    """Wrong from the first probe on: what is true of it, near, or only wrong."""
    first, right = np.asarray(tries[0].value), tries[0].right
    if len({one.right.tobytes() for one in tries}) > 1 and all(within(one.value, first, output.equal) for one in tries):
        return Finding(MISTAKE, _words("facts.constant"))
    if output.explains is None and (said := _from_changes(part, output, first, right, varied)):
        return Finding(MISTAKE, said)
    if seen := _explained(output, first, right):
        return Finding(MISTAKE, seen)
    if len(tries) > 1 and right.size == 1:
        factors = [float(np.asarray(one.value).item() / (one.right.item() or np.nan)) for one in tries]
        if factors[0] and np.allclose(factors, factors[0], rtol=1e-6):
            return Finding(MISTAKE, _words("facts.factor"))
    if all(within(one.value, one.right, output.close) for one in tries):
        return Finding(NEAR, _words("near"))
    return Finding(WRONG, _words("wrong", call=call_in_words(part, tries[0].probe)))


def _explained(output: Output, value: Array, right: Array) -> str:
    """What is true of a wrong value, in words; "" where nothing is known."""
    seen = output.explains(value, right) if output.explains else facts.fact(output, value, right)
    if seen is None:
        return ""
    key, fields = seen
    return _words(f"facts.{key}", **fields)


def _from_changes(part: Part, output: Output, first: Array, right: Array, varied: Sequence[Any]) -> str:
    """What changing one argument at a time shows: an argument that is never used, or used in another way."""
    told = {}
    for (name, probe), reply in zip(part.variations(), varied):
        wanted = _right(output, probe, None)
        try:
            value = output.read(numbers(reply, "", output.infinite), wanted)
        except Unfit:
            continue
        if value.shape != first.shape or within(wanted, right, output.equal):
            continue
        if within(value, first, output.equal):
            return _words("facts.ignores", name=name)
        if right.size == 1 and right and first and not np.isclose(value / first, wanted / right, rtol=output.growth).all():
            told[name] = _words("facts.grows_otherwise", name=name)
    if told:
        return " ".join(told.values())
    scaled = right.size == 1 and part.alone and varied and right and first and not within(first, right, NOT_A_FACTOR)
    return _words("facts.factor") if scaled else ""


def _known(output: Output, tries: Sequence[Tried], equal: float | None = None) -> str:
    """The key of the known mistake that gives just these values, "" for none."""
    for key in output.mistakes:
        if all(_same(one.value, _mistaken(output, key, one.probe, one.before), equal or output.equal) for one in tries):
            return key
    return ""


def _same(value: Reply, mistaken: Array | None, equal: float) -> bool:
    found = value.value if isinstance(value, Unfit) else value
    return found is not None and mistaken is not None and within(found, mistaken, equal)


def _mistaken(output: Output, key: str, probe: Probe, earlier: Array | None) -> Array | None:
    """What a known mistake gives for a probe; None where it gives nothing."""
    try:
        return np.asarray(output.mistakes[key](*_arguments(output, probe, earlier), **probe.named), np.float64)
    except Exception:
        return None


def _right(output: Output, probe: Probe, earlier: Array | None) -> Array:
    return np.asarray(output.right(*_arguments(output, probe, earlier), **probe.named), np.float64)


def _arguments(output: Output, probe: Probe, earlier: Array | None) -> Iterator[Any]:
    """A probe's arguments; before them the student's own value of what came before, None for the right one."""
    if output.after:
        yield earlier
    yield from (value.copy() if isinstance(value, np.ndarray) else value for value in probe.args)


def _at(reply: Any, at: int, outputs: int) -> Any:
    if outputs == 1:
        return reply
    return reply[at] if isinstance(reply, (list, tuple, np.ndarray)) and len(reply) == outputs else None

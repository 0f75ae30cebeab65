"""The worked examples of the docstrings hold: `weight("praça")` -> 0,620 is run, and what it gives compared.

Read are: a call between backquotes followed by an arrow and its result; and, of a function without arguments that a page
shows, the value with which the first line ends ("… at the largest d_k: 25 000", "√128 -> 11").
"""

from __future__ import annotations

import ast
import inspect
import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from figures.kit.modules import modules
from figures.kit.show import Formula, Shown

CALL = re.compile(r"`(?P<call>[\w.]+\((?:[^`]*)\)(?:\.\w+)*)`\s*(?:->|→)\s*(?P<result>[^`\n]+)")
LAST = re.compile(r"(?:: |-> )(?P<result>[^:>`]*\d[^:>`]*)$")
NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)?(?:e[-−+]?\d+)?")
# Functions that take seconds, or whose value differs with the machine.
SKIPPED = ("smollm2", "training", "machine", "measurement", "real_model", "cost", "cost_experiment", "weights", "checkpoints", "student")

# Told in other words than the result's own.
LOOSE = (
    "tokens.words", "byte_pairs.words", "running_example.sigma_by_hand", "chapter.path", "prose.blind_weight", "style.ink_on",
    "deck.act_list", "bpe.id_list", "lab.numbered", "style.math",
)  # fmt: skip


class Example(NamedTuple):
    where: str
    module: Any
    call: str
    result: str


def examples() -> Iterator[Example]:
    for module in modules():
        name_of_module = module.__name__.rpartition(".")[2]
        if not module.__name__.startswith("figures.kit."):
            continue  # their examples are doctest's already
        if name_of_module in SKIPPED:
            continue
        for name, function in vars(module).items():
            if not (inspect.isfunction(function) and function.__module__ == module.__name__ and function.__doc__):
                continue
            where = f"{name_of_module}.{name}"
            if where in LOOSE:
                continue
            for match in CALL.finditer(function.__doc__):
                if resolvable(match["call"], module):
                    yield Example(where, module, match["call"], match["result"])
            first = function.__doc__.strip().splitlines()[0]
            last = LAST.search(first.rstrip("."))
            if last and "`" not in first and is_shown(function) and not inspect.signature(function).parameters:
                yield Example(where, module, f"{name}()", last["result"])


def is_shown(function: Any) -> bool:
    made = function
    while made is not None:
        if made.__code__.co_filename.endswith("show.py"):
            return True
        made = getattr(made, "__wrapped__", None)
    return False


def resolvable(call: str, module: Any) -> bool:
    """Whether a call names only what the module has: `cut("o gato", merges)` with `merges` a function is no example to run."""
    try:
        tree = ast.parse(call.replace("…", "..."), mode="eval")
    except SyntaxError:
        return False
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    known = all(node.id in vars(module) or node.id in ("np", "range", "list", "tuple") for node in names)
    bare = [node for node in names if node not in called and callable(vars(module).get(node.id))]
    return known and not bare and "..." not in call and "…" not in call


def numbers(text: str) -> list[tuple[float, float]]:
    """(value, tolerance) of each number written in a text: half a unit of its last digit."""
    found = []
    for written in NUMBER.findall(text.replace(" ", "").replace(" ", "")):
        plain = written.replace("−", "-").replace(",", ".")
        mantissa, _, power = plain.partition("e")
        decimals = len(mantissa.partition(".")[2])
        found.append((float(plain), 0.51 * 10 ** (int(power or 0) - decimals) if decimals or power else 1e-9))
    return found


def flat(value: Any) -> list[float] | None:
    """The numbers of a raw value, or None where it holds anything else."""
    if isinstance(value, (bool, np.bool_)) or value is None:
        return None  # True is no 1 here
    if isinstance(value, (int, float, np.number)):
        return [float(value)]
    if isinstance(value, (list, tuple, np.ndarray)):
        parts = [flat(item) for item in value]
        return None if None in parts else [number for part in parts for number in part or []]
    return None


def agrees(value: Any, result: str) -> bool:
    """Whether a value is the one that the docstring tells: in its own words, as Python writes it, or to the digits given."""
    for told in dict.fromkeys((result, result.rpartition(" = ")[2], result.rpartition(", ")[2])):
        seen, wanted = plain(spoken(value)), plain(told)
        rest = wanted.removeprefix(seen) if seen and wanted.startswith(seen) else "?"
        if seen == wanted or re.match(r"[ ,;:(.](?! ?\d)", rest) or "…" in wanted and re.fullmatch(anything(wanted), seen):
            return True
        if literal(told, value):
            return True
    raw = flat(value)
    if raw is None or isinstance(value, Shown):
        return False
    stated = numbers(result)
    return 0 < len(raw) <= len(stated) and all(abs(a - b) <= tolerance + 1e-12 for a, (b, tolerance) in zip(raw, stated))


def spoken(value: Any) -> str:
    return value.text if isinstance(value, Shown) else str(value) if isinstance(value, (str, Formula)) else repr(value)


def plain(text: str) -> str:
    """A text without what only its looks need: narrow spaces, italic letters, the marks of a token, quotes around it all."""
    shown = re.sub(r"\[([^\]]*)\]\{\.token\}", r"\1", unicodedata.normalize("NFKC", text))
    return re.sub(r"\s+", " ", shown).strip().rstrip(".;:").strip("\"' ")


def anything(wanted: str) -> str:
    return ".*".join(re.escape(part) for part in wanted.split("…"))


def literal(told: str, value: Any) -> bool:
    """Whether what is told begins with a Python literal that equals the value."""
    for end in range(len(told), 1, -1):
        try:
            stated = ast.literal_eval(told[:end].strip())
        except (SyntaxError, ValueError):
            continue
        if equal(stated, value):
            return True
    return False


def equal(stated: Any, value: Any) -> bool:
    if isinstance(stated, (list, tuple)) and isinstance(value, (list, tuple, np.ndarray)):
        return len(stated) == len(value) and all(equal(one, other) for one, other in zip(stated, value))
    if isinstance(stated, str):
        return isinstance(value, str) and plain(stated) == plain(value)
    if isinstance(stated, bool):
        return bool(stated == value)
    raw = flat(value)
    return bool(raw and abs(raw[0] - stated) <= 1e-9) if isinstance(stated, (int, float)) else bool(stated == value)


EXAMPLES = sorted(set(examples()), key=lambda example: (example.where, example.call))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.where}: {example.call}")
def test_the_example_holds(example: Example) -> None:
    value = eval(example.call, vars(example.module))
    assert agrees(value, example.result), f"{example.call} gives {value!s}, told as {example.result}"


def test_there_are_many() -> None:
    assert len(EXAMPLES) > 30

"""How many slips the lab's checkpoints refuse, and of how many they say what is wrong: `make lab-mutants`.

Each official solution is broken in every way that `broken` knows, one at a time, and by the slips of lab_slips.yml; its
checkpoint judges it in this process. A change that gives what the solution gives, on inputs of any size, is no slip and isn't
counted.
"""

from __future__ import annotations

import argparse
import ast
import copy
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import lab_answers
import numpy as np
import yaml
from lab_breaking import SIZES, Replace, broken
from lab_inputs_any import inputs

from figures.kit.checkpoints.calling import Stopped, called
from figures.kit.words import Words

SLIPS = Path(__file__).with_name("lab_slips.yml")
NAMED_AIM = 0.8
UNNAMED = ("near", "wrong")
WORDS = Words("checkpoints")


class Slip(NamedTuple):
    """A section's solution with one thing wrong in it."""

    section: int
    what: str
    text: str


class Outcome(NamedTuple):
    """What became of a slip: whether it differs from the solution at all, whether it was refused, and whether the reply names it."""

    slip: Slip
    counts: bool
    refused: bool
    named: bool
    reply: str


def hard_coded(n: int, text: str) -> Iterator[tuple[str, str]]:
    """A solution with one of its sizes replaced by the number that it has on the section's own data."""
    from figures.lab import checks

    found = checks.parts_of(n)
    assert found
    tree = ast.parse(text)
    for part in found[1]:
        if not hasattr(part, "probes"):
            continue
        for place, node in enumerate(ast.walk(tree)):
            if not isinstance(node, (ast.Call, ast.Subscript, ast.BinOp, ast.Name)) or (
                isinstance(node, ast.Name) and (node.id not in SIZES | {"base", "posicao"} or not isinstance(node.ctx, ast.Load))
            ):
                continue
            seen: list[Any] = []
            probed = copy.deepcopy(tree)
            target = list(ast.walk(probed))[place]
            call = ast.Call(ast.Name("_see", ast.Load()), [copy.deepcopy(target)], [])
            Replace(target, call).visit(probed)
            ast.fix_missing_locations(probed)
            try:
                names = lab_answers.namespace() | {"_see": lambda value, seen=seen: seen.append(value) or value}
                names = lab_answers.run(ast.unparse(probed), names)
                called(names[part.name], part.probes[0].args, part.probes[0].named)
            except Exception:
                continue
            if len(seen) != 1 or not isinstance(seen[0], (int, float, np.integer, np.floating)) or isinstance(seen[0], bool):
                continue
            fixed = copy.deepcopy(tree)
            target = list(ast.walk(fixed))[place]
            Replace(target, ast.Constant(seen[0].item() if hasattr(seen[0], "item") else seen[0])).visit(fixed)
            ast.fix_missing_locations(fixed)
            yield f"{ast.unparse(node)}: {seen[0]} as on the section's data", ast.unparse(fixed)


def slips(n: int) -> Iterator[Slip]:
    """Every slip of a section, each text once."""
    text, seen = lab_answers.official(n), set()
    if n == 10:  # its last line trains for seconds
        text = text.replace("aprendida = treina(alvo)", "")
    made = [*broken(text), *hard_coded(n, text)]
    for entry in yaml.safe_load(SLIPS.read_text(encoding="utf-8")) if SLIPS.is_file() else []:
        if entry["section"] == n:
            made.append(by_hand(entry, text))
    for what, mutant in made:
        if mutant not in seen:
            seen.add(mutant)
            yield Slip(n, what, mutant)


def by_hand(entry: dict[str, Any], text: str) -> tuple[str, str]:
    """A slip of lab_slips.yml: one text for another, or a function in the place of the solution's."""
    if "old" in entry:
        assert text.count(entry["old"]) == 1, entry
        return f"{entry['old']} → {entry['new']}", text.replace(entry["old"], entry["new"])
    return entry["new"].strip().splitlines()[-1].strip(), f"{text}\n{entry['new']}"


# Judging


def outcome(slip: Slip) -> Outcome:
    """What the checkpoint says of a slip."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            names = lab_answers.run(slip.text)
        except Exception as error:  # the student sees the error itself
            return Outcome(slip, True, True, True, type(error).__name__)
        if slip.section == 10:
            names["aprendida"] = learnt() if target(slip.text) == target(lab_answers.official(10)) else trained(slip.text)
        counts = differs(slip.section, lab_answers.run(slip.text)) or (slip.section == 10 and asks_for_another(names["alvo"]))
        verdict = lab_answers.checked(slip.section, names)
    findings = [finding for finding in verdict.findings if finding.status != "right"]
    named = bool(findings) and findings[0].status not in UNNAMED
    return Outcome(slip, counts, verdict.status != "right", named, verdict.text)


def learnt() -> np.ndarray:
    """Weights that pass: each token looks at the one before."""
    from figures.lab.inputs import records

    A = np.eye(records().teach.tokens, k=-1)
    A[0, 0] = 1
    return A


def target(text: str) -> list[str]:
    """What the text says of section 10's target."""
    return [ast.unparse(node) for node in ast.parse(text).body if "alvo" in ast.unparse(node).partition("\n")[0]]


def trained(text: str) -> Any:
    return lab_answers.run(f"{text}\naprendida = treina(alvo)")["aprendida"]


def differs(n: int, names: dict[str, Any]) -> bool:
    """Whether a section's functions give anything else than the solution's, on inputs of any size."""
    right = lab_answers.run(lab_answers.official(n).replace("aprendida = treina(alvo)", ""))
    for name, arguments in inputs(n):
        wanted, found = (called(one[name], arguments) for one in (right, names))
        if not same(wanted, found, mask=n == 5):
            return True
    return False


def asks_for_another(alvo: Callable[..., Any]) -> bool:
    """Whether section 10's target is, at more than a tenth of the positions that have one before them, not the id before."""
    import torch

    random, wrong = torch.Generator().manual_seed(5), []
    for _ in range(2):
        ids = torch.randint(16, (8, 12), generator=random)
        wanted = called(alvo, (ids,))
        if not isinstance(wanted, np.ndarray) or wanted.shape != tuple(ids.shape):
            return True
        wrong.append((wanted[:, 1:] != ids.numpy()[:, :-1]).mean())
    return max(wrong) > 0.1


def same(a: Any, b: Any, mask: bool = False) -> bool:
    """Whether two results say the same: a mask also where it is one row for all, or hides by a large negative number."""
    if isinstance(a, Stopped) or isinstance(b, Stopped):
        return isinstance(a, Stopped) and isinstance(b, Stopped)
    if isinstance(a, tuple) or isinstance(b, tuple):
        alike = isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b)
        return alike and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a == b
    try:
        a, b = (np.asarray(one, np.float64) for one in (a, b))
        if mask:
            a, b = (np.broadcast_to(np.where(one < -1000, -np.inf, one), a.shape) for one in (a, b))
    except Exception:
        return False
    if a.ndim > 1:
        a, b = np.squeeze(a), np.squeeze(b)
    return a.shape == b.shape and bool(np.isclose(a, b, rtol=1e-5, atol=1e-6).all())


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--section", type=int, action="append", help="only this section")
    parser.add_argument("--show", action="store_true", help="list every slip that no reply names")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    outcomes = [outcome(slip) for n in options.section or lab_answers.ASKED for slip in slips(n)]
    counted = [one for one in outcomes if one.counts]
    for one in counted:
        if not one.refused:
            print(f"  accepted  section {one.slip.section}, {one.slip.what}")
        elif not one.named and options.show:
            print(f"  not named  section {one.slip.section}, {one.slip.what}\n             {one.reply!r}")
    wronged = [one for one in outcomes if not one.counts and one.refused]
    for one in wronged:
        print(f"  refused though right  section {one.slip.section}, {one.slip.what}\n             {one.reply!r}")
    refused, named = sum(one.refused for one in counted), sum(one.named for one in counted)
    by_section = Counter(one.slip.section for one in counted)
    print("slips by section: " + ", ".join(f"{n}: {by_section[n]}" for n in sorted(by_section)))
    print(
        f"{refused} of {len(counted)} slips refused ({refused / len(counted):.1%}), {named} named ({named / len(counted):.1%}); "
        f"{len(outcomes) - len(counted)} changes were none; {time.monotonic() - started:.0f} s"
    )
    return 0 if refused == len(counted) and not wronged and named >= NAMED_AIM * len(counted) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

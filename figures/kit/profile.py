"""Quarto's project profiles, by its own rules: which are active, and `_quarto.yml` with what `_quarto-NAME.yml` changes in it.

`QUARTO_PROFILE=exam,short` names them, the first winning; without it `profile: default:` does, and of each `group` one is
always active. `_quarto.yml.local` goes over all. What Quarto passes over in silence, a profile without a file, is refused.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from figures.kit import files, strict_yaml
from figures.kit.errors import Problem
from figures.kit.strict_yaml import Entry, Tree

VARIABLE = "QUARTO_PROFILE"
KEY = "profile"  # of _quarto.yml; no setting of a document
ENDS = (".yml", ".yaml")


def active(base: Tree, root: Path) -> list[str]:
    """The names of the active profiles, the strongest first.

    >>> active(Tree({"profile": {"group": ["short", "long"]}}, {}), Path())
    ['short']
    """
    chosen, local = _chosen(base), _chosen(_local(root))
    _refuse_environment(root)
    default = local.get("default") or chosen.get("default") or []
    asked = os.environ.get(VARIABLE) or ",".join(map(str, [default] if isinstance(default, str) else default))
    names = [name for name in re.split(r"[ ,]+", asked) if name]
    groups = chosen.get("group") or []
    for group in [groups] if all(isinstance(one, str) for one in groups) else groups:
        if group and not set(group) & set(names):
            names.append(group[0])
    return names


def _chosen(tree: Tree) -> dict[str, Any]:
    """What a file says under `profile`; a Problem for what Quarto would not take."""
    said = tree.value.get(KEY, {})
    if not isinstance(said, dict) or set(said) - {"default", "group"}:
        remedy = "Write `default: NAME` or `group: [NAME, NAME]` below it"
        raise Problem(tree.entries[KEY].place, f"`{KEY}` is {said!r}", remedy)
    return said


def _refuse_environment(root: Path) -> None:
    """A Problem where a file of Quarto's would choose the profile, which the other engine doesn't read."""
    for file in sorted(root.glob("_environment*")) if not os.environ.get(VARIABLE) else ():
        if re.search(rf"^\s*{VARIABLE}\s*=", files.read_text(file), re.MULTILINE):
            raise Problem(
                file.name, f"it sets {VARIABLE}, and Quarto alone would hear of it", f"Set it in the shell: {VARIABLE}=… make deck"
            )


def applied(base: Tree, root: Path) -> Tree:
    """The settings with those of the active profiles over them; a Problem for a profile that no file describes."""
    merged = base
    for name in reversed(active(base, root)):
        file = next((root / f"_quarto-{name}{end}" for end in ENDS if (root / f"_quarto-{name}{end}").is_file()), None)
        if file is None:
            profiles = sorted(path.stem.removeprefix("_quarto-") for path in root.glob("_quarto-*.y*ml"))
            remedy = f"Correct the name; known: {', '.join(profiles)}" if profiles else f"Write _quarto-{name}.yml, or unset {VARIABLE}"
            where = f"{VARIABLE}={name}" if os.environ.get(VARIABLE) else f"_quarto.yml, {KEY}"
            raise Problem(where, f"there is no _quarto-{name}.yml", remedy)
        merged = over(merged, strict_yaml.settings(files.lines_of(file, root)))
    return without(over(merged, _local(root)), KEY)


def _local(root: Path) -> Tree:
    """What `_quarto.yml.local` says, which git leaves out."""
    file = next((root / f"_quarto{end}.local" for end in ENDS if (root / f"_quarto{end}.local").is_file()), None)
    return strict_yaml.settings(files.lines_of(file, root)) if file else Tree({}, {})


def over(base: Tree, tree: Tree) -> Tree:
    """Two files' settings as one: what the second says wins, mappings are merged, lists grow.

    >>> over(Tree({"a": [1], "b": 1}, {}), Tree({"a": [1, 2]}, {})).value
    {'a': [1, 2], 'b': 1}
    """
    value = _over(base.value, tree.value)
    entries = {**base.entries, **tree.entries}
    return Tree(value, dict(_placed(value, "", entries)))


def without(tree: Tree, key: str) -> Tree:
    """The settings without one of the top."""
    entries = {path: entry for path, entry in tree.entries.items() if re.split(r"[.\[]", path)[0] != key}
    return Tree({name: value for name, value in tree.value.items() if name != key}, entries)


def _over(base: Any, value: Any) -> Any:
    if isinstance(base, dict) and isinstance(value, dict):
        return {**base, **{key: _over(base[key], one) if key in base else one for key, one in value.items()}}
    return together(base, value)


def together(base: Any, value: Any) -> Any:
    """Two values of one setting: lists grow, by a text too, and hold each thing once; else the second wins.

    >>> together("a", ["b", "a"]), together(["a"], "b"), together("a", "b")
    (['a', 'b'], ['a', 'b'], 'b')
    """
    if not isinstance(base, list) and not isinstance(value, list) or not base:
        return value
    if not value:
        return base
    every = [one for each in (base, value) for one in (each if isinstance(each, list) else [each])]
    first: dict[str, Any] = {}
    for one in every:
        first.setdefault(json.dumps(one, sort_keys=True, default=str), one)
    return list(first.values())


def _placed(value: Any, path: str, entries: dict[str, Entry]) -> list[tuple[str, Entry]]:
    """Each value below one with the line of the file that set it."""
    made = [(path, Entry(value, entries[path].place, entries[path].pieces))] if path in entries else []
    for key, one in value.items() if isinstance(value, dict) else ():
        made += _placed(one, f"{path}.{key}" if path else str(key), entries)
    return made

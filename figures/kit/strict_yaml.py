"""YAML without its traps, or an error that names the file and the line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import yaml

from figures.kit.errors import DataError

LARGEST = 1e18  # no number of a course is larger; one that is would overflow somewhere far from its file


class _StrictLoader(yaml.SafeLoader):
    """YAML 1.1 without its traps: no repeated keys, no `NO` as false, `1e12` is a number, `012` is 12, a date is a text."""


_OWN = {f"tag:yaml.org,2002:{name}" for name in ("bool", "int", "float", "timestamp")}
_StrictLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in _OWN]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_StrictLoader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
_StrictLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_StrictLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+|\.(?:inf|nan))$"),
    list("-+0123456789."),
)


def _mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, (str, int, float, bool)):
            raise yaml.constructor.ConstructorError(None, None, "a key must be one word or number", key_node.start_mark)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands here twice", key_node.start_mark)
        seen.add(key)
    loader.flatten_mapping(node)
    return {loader.construct_object(k, deep=True): loader.construct_object(v, deep=True) for k, v in node.value}


def _number(construct: Callable[[Any, Any], Any]) -> Callable[[yaml.SafeLoader, yaml.ScalarNode], Any]:
    def number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
        try:
            value = construct(loader, node)
        except ValueError:  # a word tagged `!!int`, or thousands of digits
            raise yaml.constructor.ConstructorError(None, None, f"{str(node.value)[:20]} is no number", node.start_mark) from None
        if not abs(value) <= LARGEST:  # a comparison that NaN fails too
            what = f"{node.value} is no number that a course can use: NaN, infinite or larger than {LARGEST:g}"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark)
        return value

    return number


_StrictLoader.add_constructor("tag:yaml.org,2002:map", _mapping)
_StrictLoader.add_constructor("tag:yaml.org,2002:int", _number(lambda loader, node: int(loader.construct_scalar(node))))
_StrictLoader.add_constructor("tag:yaml.org,2002:float", _number(yaml.SafeLoader.construct_yaml_float))


def parse(text: str, file: str) -> Any:
    """`text` as strict YAML; `file` is the name that an error shows."""
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise DataError(file, place, error.problem or "not YAML", "Correct that line") from None
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError) as error:  # odd characters, tags, depth
        raise DataError(
            file, "", f"no YAML that this course can use: {str(error).splitlines()[0]}", "Start from the version in git"
        ) from None

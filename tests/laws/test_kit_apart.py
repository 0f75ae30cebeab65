"""The kit serves any lecture: its code names no topic, no document, no role and no word of this one.

Comments and docstrings may give examples from the lecture; imports are the business of test_layers.py.
"""

from __future__ import annotations

import re

import pytest
from plain_code import ROOT, files, name_of, uncommented

from figures.kit import strict_yaml

KIT = ("figures/kit/**/*.py", "build/**/*", "slides/sim/kit/*", "slides/theme/**/*")
ROOMS = {"figures", "kit", "lab", "model", "simulators"}  # folders any lecture may have
ORDINARY = {"roles", "matrix", "cache"}  # topics and simulators whose names are words of any kit too
QUOTE = "[\"'`]"


def topics() -> set[str]:
    """The modules and packages of figures/ that are about this lecture, and its simulators."""
    modules = {path.stem for path in files("figures/*.py")} | {path.parent.name for path in files("figures/*/__init__.py")}
    return (modules | {path.parent.name for path in files("slides/sim/*/*.mjs")}) - ROOMS - ORDINARY - {"__init__"}


def roles() -> str:
    """The classes of the coloured roles of data/theme.yml: a letter each."""
    theme = strict_yaml.parse((ROOT / "data" / "theme.yml").read_text(encoding="utf-8"), "data/theme.yml")
    return "".join(role["css"] for role in theme["roles"])


def topic_pattern() -> str:
    """A topic's name alone between quotes, in a path, or as the start of a css class."""
    names = "|".join(sorted(topics()))
    unmistakable = "|".join(sorted(name for name in topics() if "_" in name))
    return rf"{QUOTE}(?:{names}){QUOTE}|/(?:{names})(?:/|\.\w)|\.(?:sim-)?(?:{names})-\w|\b(?:{unmistakable})\b"


FORBIDDEN = {
    "topic": topic_pattern(),
    "document": "|".join(re.escape(path.stem) for path in files("slides/*.qmd")),
    # In a list of matplotlib's markers, "v" is a triangle.
    "role": rf"^(?!\s*marker: ).*{QUOTE}[{roles()}]{QUOTE}|(?:^|[\s(,&>]|text|mark)\.[{roles()}]\b",
    # Letters with Portuguese marks beside plain ones (a range such as À-ÿ has none beside it), and its commonest short words.
    "portuguese": r"[a-z][ß-ÿ]|[ß-ÿ][a-z]|[À-Þ][a-z]|\b(?:da|das|de|dos|duas|dois|para|pela|pelo|que|um|uma)\b",
}

EXCEPT = {
    "portuguese": {"figures/kit/formats.py"},  # num2words knows no feminine in Portuguese, so the formatter makes it
}


def sayings(pattern: str) -> list[str]:
    """file:line and text of each line of the kit's code that holds the pattern."""
    return [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in files(*KIT)
        if path.suffix != ".md" and "template" not in path.parts  # a lecture in waiting
        for number, line in enumerate(uncommented(path.read_text(encoding="utf-8"), path.suffix).split("\n"), 1)
        if re.search(pattern, line)
    ]


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_the_kit_names_nothing_of_this_lecture(kind):
    found = sayings(FORBIDDEN[kind])
    strange = [one for one in found if one.partition(":")[0] not in EXCEPT.get(kind, set())]
    assert not strange, f"the kit names a {kind}:\n" + "\n".join(strange)
    assert EXCEPT.get(kind, set()) <= {one.partition(":")[0] for one in found}, "an exception that is needed no more"


def test_the_law_sees_what_it_looks_for():
    lines = {
        "topic": ['load("hand_example")', 'open("figures/attention.py")', "  .multihead-code {"],
        "document": ['ROOT / "slides" / "atencao.qmd"'],
        "role": ['ROLES = ["q"]', ".reveal .slides .k {", "& text.v,"],
        "portuguese": ['"Copiar para a tela"', '"atenção"', '"É"[0] + "Área"'],
    }
    for kind, texts in lines.items():
        assert all(re.search(FORBIDDEN[kind], text) for text in texts), kind
    harmless = ["position: absolute;", "for k, v in items:", "[A-Za-zÀ-ÿ]", 'add("position", 1.5)', "a.query(k)"]
    assert not [text for text in harmless for kind in ("document", "role", "portuguese") if re.search(FORBIDDEN[kind], text)]

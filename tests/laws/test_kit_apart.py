"""The kit serves any lecture: its code names no topic, no document, no role and no word of this one.

Comments and docstrings may give examples from the lecture; imports are the business of test_layers.py. A lecture that came later,
by `make new`, may have any name: the kit's words were there before it.
"""

from __future__ import annotations

import re

import own_data
import pytest
from plain_code import ROOT, files, name_of, uncommented

from figures.kit import project, strict_yaml

KIT = ("figures/kit/**/*.py", "build/**/*", "slides/sim/kit/*", "slides/theme/**/*")
ROOMS = {"figures", "kit", "lab", "model", "simulators"}  # folders any lecture may have
ORDINARY = {"roles", "matrix", "cache"}  # topics and simulators whose names are words of any kit too
QUOTE = "[\"'`]"
NOTHING = r"(?!)"  # is found nowhere


def documents() -> set[str]:
    """The names of the documents that the kit was made with; in a repository of one's own there is none."""
    return {path.stem for path in files("slides/*.qmd") if name_of(path) in own_data.published()}


def topics() -> set[str]:
    """The modules and packages of figures/ that are about these documents, and their simulators."""
    later = {path.stem for path in files("slides/*.qmd")} - documents()
    modules = {path.stem for path in files("figures/*.py")} | {path.parent.name for path in files("figures/*/__init__.py")}
    return (modules | {path.parent.name for path in files("slides/sim/*/*.mjs")}) - later - ROOMS - ORDINARY - {"__init__", "__main__"}


def roles() -> str:
    """The classes of the coloured roles of data/theme.yml, a letter each; none where they are somebody's own."""
    if not documents() or "theme.yml:roles" in own_data.DIFFERING:
        return ""
    theme = strict_yaml.parse((ROOT / "data" / "theme.yml").read_text(encoding="utf-8"), "data/theme.yml")
    return "".join(role["css"] for role in theme["roles"])


def topic_pattern() -> str:
    """A topic's name alone between quotes, in a path, or as the start of a css class."""
    if not topics():
        return NOTHING
    names = "|".join(sorted(topics()))
    unmistakable = "|".join(sorted(name for name in topics() if "_" in name))
    plain = rf"\b(?:{unmistakable})\b" if unmistakable else NOTHING
    return rf"{QUOTE}(?:{names}){QUOTE}|/(?:{names})(?:/|\.\w)|\.(?:sim-)?(?:{names})-\w|{plain}"


FORBIDDEN = {
    "topic": topic_pattern(),
    "document": rf"(?<!NAME=)\b(?:{'|'.join(map(re.escape, sorted(documents())))})\b" if documents() else NOTHING,
    # In a list of matplotlib's markers, "v" is a triangle.
    "role": NOTHING if not roles() else rf"^(?!\s*marker: ).*{QUOTE}[{roles()}]{QUOTE}|(?:^|[\s(,&>]|text|mark)\.[{roles()}]\b",
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
        if path.suffix != ".md" and not {"template", "repository"} & set(path.parts)  # a lecture in waiting
        for number, line in enumerate(uncommented(path.read_text(encoding="utf-8"), path.suffix).split("\n"), 1)
        if re.search(pattern, line)
    ]


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_the_kit_names_nothing_of_this_lecture(kind):
    found = sayings(FORBIDDEN[kind])
    strange = [one for one in found if one.partition(":")[0] not in EXCEPT.get(kind, set())]
    assert not strange, f"the kit names a {kind}:\n" + "\n".join(strange)
    assert EXCEPT.get(kind, set()) <= {one.partition(":")[0] for one in found}, "an exception that is needed no more"


@pytest.mark.skipif(not documents(), reason="the kit was there before this lecture")
def test_the_law_sees_what_it_looks_for():
    topic, document, letters = sorted(topics())[0], project.document("revealjs").stem, roles()
    lines = {
        "topic": [f'load("{topic}")', f'open("figures/{topic}.py")', f"  .{topic}-code {{"],
        "document": [f'ROOT / "slides" / "{document}.qmd"'],
        "role": [f'ROLES = ["{letters[0]}"]', f".reveal .slides .{letters[0]} {{", f"& text.{letters[-1]},"] if letters else [],
        "portuguese": ['"Copiar para a tela"', '"atenção"', '"É"[0] + "Área"'],
    }
    for kind, texts in lines.items():
        assert all(re.search(FORBIDDEN[kind], text) for text in texts), kind
    harmless = ["position: absolute;", "for k, v in items:", "[A-Za-zÀ-ÿ]", 'add("position", 1.5)', "a.query(k)"]
    assert not [text for text in harmless for kind in ("document", "role", "portuguese") if re.search(FORBIDDEN[kind], text)]


@pytest.mark.parametrize("room", ["conftest.py", "kit/*.py", "build/*.py", "laws/*.py"])
def test_what_is_tested_of_any_lecture_names_none(room):
    """These go along where `make new DIR=…` writes a repository: they import no topic and read no document by name."""
    named = "|".join(map(re.escape, sorted(documents()))) or NOTHING
    subjects = "|".join(sorted(topics() | ROOMS - {"figures", "kit"}))
    pattern = (
        rf"^(?:from|import) figures(?: import \($|(?:\.| import .*\b)(?:{subjects})\b)|{QUOTE}(?:slides/)?(?:{named})(?:\.\w+)?{QUOTE}"
    )
    found = [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in files(f"tests/{room}")
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if re.search(pattern, line)
    ]
    assert not found, "\n".join(found)


def test_no_two_files_of_tests_have_one_name():
    """Pytest would refuse the second, wherever it stands."""
    names = [path.name for path in files("tests/**/test_*.py", "tests/**/conftest.py") if path.name != "conftest.py"]
    assert sorted({name for name in names if names.count(name) > 1}) == []

"""Builds of a small deck in a copy of the project: its ledger is written, its faults stop the build or the audit by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from a_copy import ROOT, copied, run
from proof import audit, ledger_file

from figures.kit.errors import Problem

FRONT = (ROOT / "slides" / "atencao.qmd").read_text(encoding="utf-8").split("---\n")[1]
DECK = f"""---
{FRONT}---

```{{python}}
#| label: topics
from figures import hand_example
from figures.kit import ledger
```
BEFORE
## Um slide {{#sec-um}}

Em $d_k = `{{python}} hand_example.dimensions().tex`$, “praça” recebe `{{python}} hand_example.weight("praça")`. INSIDE

## Outro {{#sec-outro}}

::: {{.notes}}
São `{{python}} hand_example.key_count()` chaves.
:::

```{{python}}
ledger.page()
```
"""
PAGE = Path("_output", "slides", "atencao.html")


class Small:
    """The deck in its copy of the project, rendered again only where it says something else than last time."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.page, self.source = folder, folder / PAGE, folder / "slides" / "atencao.qmd"
        self.made = ""

    def build(self, before: str = "", inside: str = "", fails: bool = False, **environment: str) -> str:
        """Writes the deck, renders it, and gives what the build said."""
        text = DECK.replace("BEFORE", before).replace("INSIDE", inside)
        self.source.write_text(text, encoding="utf-8")
        if text == self.made and not environment:
            return ""
        self.made = ""
        done = run(self.folder, "build", "render", "slides/atencao.qmd", ENGINE="embedded", **environment)
        assert bool(done.returncode) == fails, done.stderr
        self.made = "" if fails or environment else text
        return done.stderr

    def refusals(self) -> list[str]:
        return list(audit.refusals(self.folder, self.page))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    return Small(copied(tmp_path_factory.mktemp("kit")))


def test_a_render_writes_the_ledger_beside_the_page(small):
    small.build()
    written = small.page.with_suffix(".ledger.json")
    assert [(entry.what, entry.text, entry.slide.id, entry.slide.number, entry.notes) for entry in ledger_file.read(written).entries] == [
        ("formula", "2", "sec-um", 2, False),
        ("number", "0,620", "sec-um", 2, False),
        ("number", "três", "sec-outro", 3, True),
    ]
    assert json.loads(small.page.with_name("ledger.schema.json").read_text(encoding="utf-8"))["$ref"] == "#/$defs/Ledger"


def test_a_number_outside_every_slide_stops_the_build_and_the_last_page_stays(small):
    small.build()
    page = small.page.read_bytes()
    said = small.build(before="\nSolto: `{python} hand_example.dimension_count()`.\n", fails=True)
    assert "hand_example.dimension_count():spelled(feminine) shows “duas” outside every slide" in said
    assert small.page.read_bytes() == page


def test_a_course_may_have_a_number_in_its_name_and_the_audit_names_the_planted_numeral_by_line_and_column(small):
    variables = small.folder / "_variables.yml"
    written = variables.read_text(encoding="utf-8")
    variables.write_text(written.replace("institution: Insper", "institution: Insper 2027"), encoding="utf-8")
    small.build(inside="São 7 cabeças.")
    said = run(small.folder, "build", "audit")
    variables.write_text(written, encoding="utf-8")
    line = next(n for n, text in enumerate(small.source.read_text(encoding="utf-8").split("\n"), 1) if "São 7" in text)
    column = small.source.read_text(encoding="utf-8").split("\n")[line - 1].index("7 cabeças") + 1
    small.made = ""
    assert said.returncode == 1 and "2027" not in said.stderr
    assert f"slides/atencao.qmd:{line}:{column}: “7” is typed (“" in said.stderr


def test_a_page_made_of_other_sources_proves_nothing(small):
    small.build()
    data = small.folder / "data" / "hand_example.yml"
    small.source.write_text(small.source.read_text(encoding="utf-8").replace("recebe", "ganha"), encoding="utf-8")
    assert "was made of another slides/atencao.qmd" in " ".join(small.refusals())
    small.build()
    data.touch()
    assert small.refusals() == []
    written = data.read_text(encoding="utf-8")
    data.write_text(f"{written}\n# another remark\n", encoding="utf-8")
    said = small.refusals()
    data.write_text(written, encoding="utf-8")
    assert "was made of another data/hand_example.yml" in " ".join(said)


def test_a_page_whose_claims_were_only_noted_is_no_proof(small):
    small.build(CLAIMS="note")
    assert 'role="alert"' in small.page.read_text(encoding="utf-8")
    assert "may not hold (CLAIMS=note)" in " ".join(small.refusals())


@pytest.mark.parametrize(
    ("content", "said"),
    [("{oops", "not JSON"), (json.dumps({"version": 99}), "version 99"), ('{"version": 1, "entries": [3]}', "entry 1")],
)
def test_the_audit_names_a_broken_ledger(small, content, said):
    small.build()
    ledger = small.page.with_suffix(".ledger.json")
    written = ledger.read_bytes()
    ledger.write_text(content, encoding="utf-8")
    with pytest.raises(Problem, match=said):
        audit.run(small.folder)
    ledger.write_bytes(written)

"""Builds of a small deck in a copy of the project: its ledger is written, its faults stop the build or the audit by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from a_copy import ROOT, copied, run
from proof import ledger_file

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


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("kit"))


@pytest.fixture
def build(project: Path) -> Callable[..., str]:
    """Writes the deck, renders it, and gives what the build said on its last lines."""

    def built(before: str = "", inside: str = "", fails: bool = False) -> str:
        text = DECK.replace("BEFORE", before).replace("INSIDE", inside)
        (project / "slides" / "atencao.qmd").write_text(text, encoding="utf-8")
        done = run(project, "build", "render", "slides/atencao.qmd", ENGINE="embedded")
        assert bool(done.returncode) == fails, done.stderr
        return done.stderr

    return built


def test_a_render_writes_the_ledger_beside_the_page(project, build):
    build()
    entries = ledger_file.read(project / PAGE.with_suffix(".ledger.json")).entries
    assert [(entry.what, entry.text, entry.slide.id, entry.slide.number, entry.notes) for entry in entries] == [
        ("formula", "2", "sec-um", 2, False),
        ("number", "0,620", "sec-um", 2, False),
        ("number", "três", "sec-outro", 3, True),
    ]
    assert json.loads((project / PAGE).with_name("ledger.schema.json").read_text(encoding="utf-8"))["$ref"] == "#/$defs/Ledger"
    again = (project / PAGE.with_suffix(".ledger.json")).read_bytes()
    build()
    assert (project / PAGE.with_suffix(".ledger.json")).read_bytes() == again


def test_a_number_outside_every_slide_stops_the_build_and_the_last_page_stays(project, build):
    build()
    page = (project / PAGE).read_bytes()
    said = build(before="\nSolto: `{python} hand_example.dimension_count()`.\n", fails=True)
    assert "hand_example.dimension_count():spelled(feminine) shows “duas” outside every slide" in said
    assert (project / PAGE).read_bytes() == page


def test_a_course_may_have_a_number_in_its_name(project, build):
    variables = project / "_variables.yml"
    written = variables.read_text(encoding="utf-8")
    variables.write_text(written.replace("institution: Insper", "institution: Insper 2027"), encoding="utf-8")
    build()
    said = run(project, "build", "audit")
    variables.write_text(written, encoding="utf-8")
    assert said.returncode == 0, said.stderr


def test_the_audit_names_the_planted_numeral_by_line_and_column(project, build):
    build(inside="São 7 cabeças.")
    said = run(project, "build", "audit")
    written = (project / "slides" / "atencao.qmd").read_text(encoding="utf-8").split("\n")
    line = next(n for n, text in enumerate(written, 1) if "São 7" in text)
    column = written[line - 1].index("7 cabeças") + 1
    assert said.returncode == 1
    assert f"slides/atencao.qmd:{line}:{column}: “7” is typed (“" in said.stderr


def test_the_audit_refuses_a_page_made_of_other_sources(project, build):
    build()
    source, data = project / "slides" / "atencao.qmd", project / "data" / "hand_example.yml"
    source.write_text(source.read_text(encoding="utf-8").replace("INSIDE", "`{python} 3 + 4`").replace("recebe", "ganha"), encoding="utf-8")
    done = run(project, "build", "audit")
    assert done.returncode == 1 and "atencao was made of another slides/atencao.qmd" in done.stderr
    build()
    data.touch()
    assert run(project, "build", "audit").returncode == 0
    written = data.read_text(encoding="utf-8")
    data.write_text(f"{written}\n# another remark\n", encoding="utf-8")
    done = run(project, "build", "audit")
    data.write_text(written, encoding="utf-8")
    assert done.returncode == 1 and "atencao was made of another data/hand_example.yml" in done.stderr


def test_the_audit_refuses_a_page_whose_claims_were_only_noted(project, build):
    build()
    noted = run(project, "build", "render", "slides/atencao.qmd", ENGINE="embedded", CLAIMS="note")
    assert noted.returncode == 0 and 'role="alert"' in (project / PAGE).read_text(encoding="utf-8")
    done = run(project, "build", "audit")
    assert done.returncode == 1 and "may not hold (CLAIMS=note)" in done.stderr


def test_the_audit_names_a_broken_ledger(project, build):
    build()
    ledger = project / PAGE.with_suffix(".ledger.json")
    for content, said in (
        ("{oops", "not JSON"),
        (json.dumps({"version": 99}), "version 99"),
        ('{"version": 1, "entries": [3]}', "entry 1"),
    ):
        ledger.write_text(content, encoding="utf-8")
        done = run(project, "build", "audit")
        assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr

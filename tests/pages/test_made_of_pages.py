"""The lecture's pages name what they were made of, and the audit refuses a page that isn't made of it any more."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from proof import audit, ledger_file, made_of

from figures.kit import project
from figures.kit.errors import Problem
from figures.kit.files import ROOT


def test_a_rendered_page_names_all_that_it_reads(deck_file: Path) -> None:
    html = deck_file.read_text(encoding="utf-8")
    named = json.loads(made_of.IN_PAGE.findall(html)[0])["files"]
    entries = ledger_file.read(deck_file.with_suffix(".ledger.json")).entries
    read = {f"data/{name}" for entry in entries for name in entry.data if (ROOT / "data" / name).is_file()}  # others are a package's own
    assert list(audit.refusals(ROOT, deck_file)) == []
    assert read | {"slides/atencao.qmd", "slides/_atos/02-tokens.qmd", "figures/recurrence/claims.py", "data/theme.yml"} <= named.keys()
    assert not [name for name in named if name.startswith(("slides/solucoes", "tests/", "/"))]


def test_a_ledger_of_another_page_is_refused(deck_file: Path, descent_file: Path, tmp_path: Path) -> None:
    page = Path(shutil.copy(deck_file, tmp_path))
    shutil.copy(descent_file.with_suffix(".ledger.json"), page.with_suffix(".ledger.json"))
    assert list(audit.refusals(ROOT, page)) == ["has a ledger beside it that isn't its own"]


def test_the_audit_refuses_by_name_once_the_others_are_read(page_of: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    document = next(one for one in project.documents() if one.stem == "descida")
    made = page_of(document)
    assert "every numeral of descida" in audit.run(ROOT, "descida")
    monkeypatch.setattr(made_of, "faults", lambda page, root: ["was made of another x"] if page == made else [])
    with pytest.raises(Problem, match="descida was made of another x") as caught:
        audit.run(ROOT, "descida")
    assert "make deck NAME=" in caught.value.remedy

"""Frozen pages of this lecture: what each rests on, and Quarto itself with them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from a_copy import copied, run_quarto
from proof import freeze

from figures.kit.project import documents


def test_the_projects_own_pages_are_found() -> None:
    root = Path(__file__).resolve().parents[2]
    page = root / "slides" / "atencao.qmd"
    assert page in documents(root)
    names = freeze.stamp(page, root).keys()
    parts = {
        "slides/_atos/03-ideia.qmd",
        "figures/attention.py",
        "data/hand_example.yml",
        "_variables.yml",
        "package numpy",
        "package Python",
    }
    assert parts | {"package numpy", "package Python"} <= names


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
def test_quarto_itself(tmp_path: Path) -> None:
    project = copied(tmp_path)
    shutil.rmtree(project / "slides" / "_atos")
    for page in (project / "slides").glob("*.qmd"):
        page.unlink()
    cell = "```{python}\nfrom figures import hand_example\n```\n\n`{python} hand_example.weight('praça')`\n"
    settings = (project / "_quarto.yml").read_text(encoding="utf-8").replace("freeze: false", "freeze: auto")
    start, end = settings.index("  render:"), settings.index("  pre-render:")
    settings = settings[:start] + "  render: [slides/a.qmd, slides/c.qmd]\n" + settings[end:]
    (project / "_quarto.yml").write_text(settings, encoding="utf-8")
    for name, text in {"a": cell, "c": "Só texto.\n"}.items():
        (project / "slides" / f"{name}.qmd").write_text(f"---\ntitle: {name}\nformat: html\n---\n\n## Parte\n\n{text}", encoding="utf-8")

    first = run_quarto(project, "render")
    assert first.returncode == 0 and "Executing" in first.stderr, first.stderr
    output = project / "_output" / "slides" / "a.html"
    assert "0,620" in output.read_text(encoding="utf-8")

    again = run_quarto(project, "render")
    assert again.returncode == 0 and "Executing" not in again.stderr, again.stderr

    data = project / "data" / "hand_example.yml"
    data.write_text(data.read_text(encoding="utf-8").replace("query: [1, 2]", "query: [1, 3]"), encoding="utf-8")
    refusal = run_quarto(project, "render")
    assert refusal.returncode != 0 and "data/hand_example.yml changed" in refusal.stderr, refusal.stderr

    alone = run_quarto(project, "render", "slides/a.qmd")
    assert alone.returncode == 0 and "Executing" in alone.stderr, alone.stderr
    assert "0,620" not in output.read_text(encoding="utf-8")
    assert run_quarto(project, "render").returncode == 0

"""A project of one document, rendered by the embedded engine: what it shows, and what it is told when it can't be rendered."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import dom
import pytest
from base.html_tree import Element
from base.progress import Progress
from engine import embedded

from figures.kit.errors import Problem

FRONT = """---
title: "Ensaio"
engine: jupyter
lang: pt
format:
  revealjs:
    html-math-method: mathml
    code-copy: false
    auto-stretch: false
execute:
  echo: false
---

"""
Make = Callable[..., Path]


def project_in(folder: Path) -> Make:
    """`project_in(folder)("## Um {#um}", **{"_a.qmd": "…"})` writes a project and gives the path of its document."""

    def make(body: str, front: str = FRONT, **files: str) -> Path:
        files = {"_quarto.yml": "project:\n  type: default\n  execute-dir: project\n", "d.qmd": front + body, **files}
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return folder / "d.qmd"

    return make


def render(document: Path, to: str | None = None) -> str:
    return embedded.render(document, [to] if to else [], Progress(io.StringIO()))[0].read_text(encoding="utf-8")


def slide(html: str, id: str) -> Element:
    return next(node for node in dom.slides(html).all("section") if node.attributes.get("id") == id)


def problem(document: Path, to: str | None = None) -> Problem:
    with pytest.raises(Problem) as caught:
        render(document, to)
    return caught.value

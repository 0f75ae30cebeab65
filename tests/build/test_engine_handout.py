"""The handout: a PDF from the same execution as the deck, its pictures with their alt texts."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from base.progress import Progress
from engine import convert, document, embedded

from figures.kit.errors import Problem

DRAWING = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>').decode()
SVG = f"data:image/svg+xml;base64,{DRAWING}"
SOURCE = """---
title: "Apostila"
author: Ana
lang: pt-BR
engine: jupyter
format:
  revealjs: {html-math-method: mathml, code-copy: false, auto-stretch: false}
  typst:
    papersize: a4
    margin: {x: 2cm, y: 25mm}
    mainfont: Fira Sans
    output-file: d-apostila.pdf
execute:
  echo: false
---

```{python}
with open("runs.txt", "a") as runs:
    _ = runs.write("uma")
```

## Um {#um}

Valor `{python} 40 + 2`, $\\frac{a}{\\sqrt{d_k}} \\odot b \\in \\mathbb{R}$.

![](SVG){fig-alt="Um \\"quadrado\\" de 9" width=96}

::: {.content-visible when-format="typst"}
Só no papel.
:::

::: {.notes}
Nota.
:::
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "_quarto.yml").write_text("project: {type: default, output-dir: out}\n")
    (tmp_path / "d.qmd").write_text(SOURCE.replace("SVG", SVG), encoding="utf-8")
    return tmp_path / "d.qmd"


def test_deck_and_handout_come_from_one_execution_and_the_same_bytes_each_time(source: Path) -> None:
    pytest.importorskip("typst")
    made = embedded.render(source, ["revealjs", "typst"], Progress(io.StringIO()))
    assert [path.relative_to(source.parent).as_posix() for path in made] == ["out/d.html", "out/d-apostila.pdf"]
    assert (source.parent / "runs.txt").read_text() == "uma"
    before = [path.read_bytes() for path in made]
    assert before[1].startswith(b"%PDF")
    assert [path.read_bytes() for path in embedded.render(source, ["revealjs", "typst"], Progress(io.StringIO()))] == before


def test_paper_has_numbers_notes_and_alt_texts(source: Path, tmp_path: Path) -> None:
    ready = document.executed(document.opened(source), False, Progress(io.StringIO()))
    text = convert.convert(ready.lines, {}, "typst", "--extract-media=media", folder=tmp_path)
    assert "Valor 42," in text
    assert "Só no papel." in text
    assert "Nota." in text
    assert 'alt: "Um \\"quadrado\\" de 9", width: 1.0000in' in text
    assert len(list((tmp_path / "media").glob("*.svg"))) == 1


def test_a_typst_error_is_told(source: Path) -> None:
    pytest.importorskip("typst")
    source.write_text(source.read_text(encoding="utf-8") + "\n```{=typst}\n#nada\n```\n", encoding="utf-8")
    with pytest.raises(Problem) as caught:
        embedded.render(source, ["typst"], Progress(io.StringIO()))
    assert "unknown variable: nada" in caught.value.what

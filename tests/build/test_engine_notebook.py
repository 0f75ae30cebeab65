"""The notebook format: what a student opens."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from base.progress import Progress
from engine import embedded

SOURCE = """---
title: "Laboratório {{< var nome >}}"
author: [Ana, Beto]
engine: jupyter
format:
  ipynb: default
execute:
  echo: true
---

Texto `{python} 1 + 1` com $x^2$ e [cor]{.q}.

```{python}
#| label: conta
class Table:
    def _repr_markdown_(self): return "| $d_k$ | b |\\n|---|--:|\\n| 1 | 2 |\\n"
print("a")
Table()
```

```{python}
#| echo: false
Table()
```

```{python}
#| eval: false
gap = ...
```

::: {.content-visible when-format="ipynb"}
só aqui
:::

::: {.content-hidden when-format="ipynb"}
nunca
:::
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "_quarto.yml").write_text("project: {type: default}\n")
    (folder / "_variables.yml").write_text("nome: um\n")
    (folder / "lab.qmd").write_text(SOURCE, encoding="utf-8")
    return embedded.render(folder / "lab.qmd", ["ipynb"], Progress(io.StringIO()))[0]


@pytest.fixture(scope="module")
def cells(made: Path) -> list[dict[str, Any]]:
    return list(json.loads(made.read_text(encoding="utf-8"))["cells"])


def test_it_is_a_valid_notebook(made: Path) -> None:
    nbformat.validate(nbformat.read(made, 4))


def test_it_opens_with_title_and_authors_then_text(cells: list[dict[str, Any]]) -> None:
    assert cells[0]["cell_type"] == "markdown"
    assert "".join(cells[0]["source"]) == '# Laboratório um\n\nAna\n\nBeto\n\nTexto 2 com $x^2$ e <span class="q">cor</span>.'


def test_cells_keep_code_and_outputs(cells: list[dict[str, Any]]) -> None:
    cell = cells[1]
    assert cell["id"] == "cell-conta"
    assert "".join(cell["source"]).endswith('print("a")\nTable()')
    assert "".join(cell["outputs"][0]["text"]) == "a"
    assert "$d_k$" in "".join(cell["outputs"][1]["data"]["text/markdown"])


def test_a_hidden_cell_leaves_what_it_displays_as_text(cells: list[dict[str, Any]]) -> None:
    assert cells[2]["cell_type"] == "markdown"
    assert "".join(cells[2]["source"]).startswith("| $d_k$")


def test_a_cell_that_is_not_run_stays_code(cells: list[dict[str, Any]]) -> None:
    assert (cells[3]["cell_type"], cells[3]["source"], cells[3]["outputs"]) == ("code", ["gap = ..."], [])


def test_conditional_content(cells: list[dict[str, Any]]) -> None:
    assert "".join(cells[4]["source"]) == "só aqui"


def test_the_same_sources_give_the_same_bytes(made: Path) -> None:
    before = made.read_bytes()
    embedded.render(made.with_suffix(".qmd"), ["ipynb"], Progress(io.StringIO()))
    assert made.read_bytes() == before

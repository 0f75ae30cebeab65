"""The embedded engine on its own: sources, settings, cells and what they display."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest
from base.progress import Progress
from engine import embedded
from essay import FRONT, Make, problem, render, slide
from hypothesis import HealthCheck, given
from hypothesis import settings as given_settings
from hypothesis import strategies as st

# What a cell and an inline expression display


def test_inline_values_as_quarto_shows_them(project: Make) -> None:
    """Observed with Quarto 1.11: Markdown as it is, a string escaped, everything else by its repr."""
    body = """```{python}
import numpy as np
class Shown:
    def _repr_markdown_(self): return "**0,62**"
```

## Um {#um}

`{python} Shown()`|`{python} "1.234,5 *a*"`|`{python} np.float64(0.12)`|`{python} 1 + 1`|`{python} None`

`` `{python} "1.234,5"` ``
"""
    paragraphs = list(slide(render(project(body)), "um").all("p"))
    assert paragraphs[0].text == "0,62 |1.234,5 *a*|np.float64(0.12)|2|None"
    assert [node.text for node in paragraphs[0].all("strong")] == ["0,62"]
    assert paragraphs[1].text == r"1\.234\,5"


def test_a_cell_displays_its_last_expression_and_what_it_prints_in_order(project: Make) -> None:
    body = """## Um {#um}

```{python}
from IPython.display import Markdown, display
print("a")
display(Markdown("*um*"))
print("b")
print("c")
Markdown("*dois*")
```

```{python}
1;
```

```{python}
#| output: false
print("calado")
2
```

```{python}
#| output: asis
print("**solto**")
```

```{python}
#| echo: true
#| eval: false
undefined_name
```
"""
    node = slide(render(project(body)), "um")
    outputs = [(" ".join(sorted(set(div.classes) - {"cell-output"})), div.text) for div in node.all("div", "cell-output")]
    assert outputs == [
        ("cell-output-stdout", "a"),
        ("cell-output-display cell-output-markdown", "um"),
        ("cell-output-stdout", "b c"),
        ("cell-output-display cell-output-markdown", "dois"),
    ]
    assert [strong.text for strong in node.all("strong")] == ["solto"]
    assert "undefined_name" in node.text
    assert "calado" not in node.text


def test_cells_run_in_the_projects_folder_with_it_on_the_path(project: Make, tmp_path: Path) -> None:
    body = "## Um {#um}\n\n```{python}\nimport os, only_in_this_project as m\nprint(os.getcwd(), m.X)\n```\n"
    document = project(body, **{"only_in_this_project.py": "X = 46"})
    before = os.getcwd()
    assert slide(render(document), "um").text.endswith(f"{tmp_path.resolve()} 46")
    assert os.getcwd() == before


def test_what_a_cell_prints_as_errors_stays_off_the_slide(project: Make, capfd: pytest.CaptureFixture[str]) -> None:
    html = render(project("## Um {#um}\n\n```{python}\nimport sys\nprint('aviso', file=sys.stderr)\n```\n"))
    assert slide(html, "um").text == "Um"


def test_the_same_expression_twice_between_two_cells_shows_its_last_value(project: Make) -> None:
    """Observed with Quarto 1.11: results are kept by the expression's words."""
    body = "## Um {#um}\n\n```{python}\nn = iter(range(9))\n```\n\n`{python} next(n)` `{python} next(n)`\n\n`{python} next(n) + 0`\n"
    assert [node.text for node in slide(render(project(body)), "um").all("p")] == ["1 1", "2"]


# Includes, variables, settings


def test_variables_stand_in_text_titles_code_and_authors(project: Make) -> None:
    front = FRONT.replace('"Ensaio"', '"Em {{< var curso.nome >}}"\nauthor: ["{{< var ano >}}", Outra]\ninstitute: Casa')
    body = "## Um {#um}\n\n{{< var curso.nome >}} {{{< var x >}}} `{{< var ano >}}`\n"
    html = render(project(body, front, **{"_variables.yml": "curso:\n  nome: Redes & neurais\nano: 2026\n"}))
    assert slide(html, "um").text == "Um Redes & neurais {{< var x >}} 2026"
    assert "<title>Em Redes &amp; neurais</title>" in html
    title = slide(html, "title-slide")
    assert [node.text for node in title.all("div", "quarto-title-author-name")] == ["2026", "Outra"]
    assert [node.text for node in title.all("div", "quarto-title-author")] == ["2026 Casa", "Outra"]


def test_the_documents_settings_win_over_the_projects_and_lists_grow(project: Make, tmp_path: Path) -> None:
    project_yml = "project: {type: default}\nlang: en\nformat:\n  revealjs:\n    css: [a.css]\n    width: 900\n    height: 500\n"
    front = FRONT.replace("revealjs:", "revealjs:\n    css: [sub/b.css]\n    width: 1280")
    html = render(project("## Um\n", front, **{"_quarto.yml": project_yml, "a.css": "p{color:red}", "sub/b.css": "q{color:blue}"}))
    assert '<html lang="pt">' in html
    assert re.search(r'"width": 1280,\s*"height": 500', html)
    assert 0 < html.index("p{color:red}") < html.index("q{color:blue}")


def test_sources_of_other_systems(project: Make, tmp_path: Path) -> None:
    """Windows line ends and a byte order mark are read; what is no UTF-8 is told."""
    document = project("")
    document.write_bytes(b"\xef\xbb\xbf" + (FRONT + "## Um {#um}\n\na\n").replace("\n", "\r\n").encode())
    assert slide(render(document), "um").text == "Um a"
    document.write_bytes("ação".encode("latin-1"))
    assert "no UTF-8" in problem(document).what


# Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_names_act_and_cell(project: Make) -> None:
    stream = io.StringIO()
    document = project(
        "## Um\n\n```{python}\n#| label: nomeada\n1\n```\n\n{{< include _02-tokens.qmd >}}\n",
        **{"_02-tokens.qmd": "```{python}\n\ny = 2\n```\n"},
    )
    embedded.render(document, [], Progress(stream))
    lines = stream.getvalue().splitlines()
    assert lines[:3] == ["  d · nomeada", "  _02-tokens · y = 2", "  d.html · pandoc and revealjs"]
    assert re.fullmatch(r"d\.html \(\d+\.\d s\)", lines[3])


def test_progress_rewrites_its_line_on_a_terminal() -> None:
    stream = Terminal()
    progress = Progress(stream)
    progress("um")
    progress("dois")
    progress.done("feito")
    assert "\n" not in stream.getvalue()[:-1]
    assert re.fullmatch(r"\r\x1b\[Kum\r\x1b\[Kdois\r\x1b\[Kfeito \(0\.\d s\)\n", stream.getvalue())


# Laws

WORD = st.text(alphabet="abcdefgãéíôúçABC", min_size=1, max_size=8)
PARAGRAPH = st.lists(WORD, min_size=1, max_size=6).map(" ".join)
DECK = st.lists(st.lists(PARAGRAPH, min_size=1, max_size=4), min_size=1, max_size=4)


@given(DECK)
@given_settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_paragraph_is_lost(project: Make, deck: list[list[str]]) -> None:
    body = "".join(f"## T{n} {{#s{n}}}\n\n" + "".join(f"{text}\n\n" for text in texts) for n, texts in enumerate(deck))
    html = render(project(body))
    for n, texts in enumerate(deck):
        assert [node.text for node in slide(html, f"s{n}").all("p")] == texts

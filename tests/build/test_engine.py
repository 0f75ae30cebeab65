"""The embedded engine on its own: sources, settings, cells, what they display, errors that name place and remedy."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import dom
import pytest
from base import atomic_write
from base.html_tree import Element
from base.progress import Progress
from engine import embedded
from hypothesis import HealthCheck, given
from hypothesis import settings as given_settings
from hypothesis import strategies as st

from figures.kit.errors import Problem
from figures.kit.files import ROOT

BUILD = Path(embedded.__file__).resolve().parents[1]
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


@pytest.fixture
def project(tmp_path: Path) -> Make:
    """`project("## Um {#um}", **{"_a.qmd": "…"})` writes a project and gives the path of its document."""

    def make(body: str, front: str = FRONT, **files: str) -> Path:
        files = {"_quarto.yml": "project:\n  type: default\n  execute-dir: project\n", "d.qmd": front + body, **files}
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / "d.qmd"

    return make


def render(document: Path, to: str | None = None) -> str:
    return embedded.render(document, [to] if to else [], Progress(io.StringIO()))[0].read_text(encoding="utf-8")


def slide(html: str, id: str) -> Element:
    return next(node for node in dom.slides(html).all("section") if node.attributes.get("id") == id)


def problem(document: Path, to: str | None = None) -> Problem:
    with pytest.raises(Problem) as caught:
        render(document, to)
    return caught.value


def line_of(document: Path, text: str) -> int:
    return document.read_text(encoding="utf-8").split("\n").index(text) + 1


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


@pytest.mark.parametrize("expression", ['""', "type('E', (), {'_repr_markdown_': lambda self: ''})()"])
def test_an_inline_value_that_shows_nothing_is_told(project: Make, expression: str) -> None:
    document = project(f"```{{python}}\n1\n```\n\n## Um\n\ntexto `{{python}} {expression}` texto\n")
    told = problem(document)
    assert "displays nothing" in told.what
    assert told.where == f"d.qmd:{len(FRONT.splitlines()) + 7}"


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


def test_text_html_is_refused(project: Make) -> None:
    document = project("## Um\n\n```{python}\nclass H:\n    def _repr_html_(self): return '<b>x</b>'\nH()\n```\n")
    told = problem(document)
    assert "text/html" in told.what
    assert "_repr_markdown_" in told.remedy


def test_a_pyplot_figure_left_open_is_refused(project: Make) -> None:
    document = project(
        "## Um\n\n```{python}\nimport matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as p\n_ = p.figure()\n```\n"
    )
    try:
        assert "pyplot" in problem(document).what
    finally:
        import matplotlib.pyplot

        matplotlib.pyplot.close("all")


def test_cells_run_in_the_projects_folder_with_it_on_the_path(project: Make, tmp_path: Path) -> None:
    body = "## Um {#um}\n\n```{python}\nimport os, only_in_this_project as m\nprint(os.getcwd(), m.X)\n```\n"
    document = project(body, **{"only_in_this_project.py": "X = 46"})
    before = os.getcwd()
    assert slide(render(document), "um").text.endswith(f"{tmp_path.resolve()} 46")
    assert os.getcwd() == before


def test_what_a_cell_prints_as_errors_stays_off_the_slide(project: Make, capfd: pytest.CaptureFixture[str]) -> None:
    html = render(project("## Um {#um}\n\n```{python}\nimport sys\nprint('aviso', file=sys.stderr)\n```\n"))
    assert slide(html, "um").text == "Um"


# Includes, variables, settings


@pytest.mark.parametrize(
    ("body", "files", "what", "where"),
    [
        ("\n{{< include _x.qmd >}}\n", {}, "no file _x.qmd", "d.qmd:15"),
        ("{{< include _a.qmd >}}\n", {"_a.qmd": "\n{{< include _a.qmd >}}\n"}, "circle", "_a.qmd:2"),
        ("{{< include _a.qmd >}}\n", {"_a.qmd": "---\ntitle: x\n---\n"}, "front matter", "_a.qmd:1"),
        ("a {{< include _a.qmd >}}\n", {"_a.qmd": ""}, "among other text", "d.qmd:14"),
        ("\n{{< vra curso >}}\n", {}, "shortcode `vra`", "d.qmd:15"),
        ("{{< var curso >}}\n", {}, "no variable `curso`", "d.qmd:14"),
        ("{{< var a >}}\n", {"_variables.yml": "a:\n  b: 1\n"}, "no variable `a`", "d.qmd:14"),
    ],
)
def test_a_wrong_shortcode_is_told(project: Make, body: str, files: dict[str, str], what: str, where: str) -> None:
    told = problem(project(body, **files))
    assert what in told.what
    assert told.where == where
    assert told.remedy


def test_variables_stand_in_text_titles_code_and_authors(project: Make) -> None:
    front = FRONT.replace('"Ensaio"', '"Em {{< var curso.nome >}}"\nauthor: ["{{< var ano >}}", Outra]\ninstitute: Casa')
    body = "## Um {#um}\n\n{{< var curso.nome >}} {{{< var x >}}} `{{< var ano >}}`\n"
    html = render(project(body, front, **{"_variables.yml": "curso:\n  nome: Redes *neurais*\nano: 2026\n"}))
    assert slide(html, "um").text == "Um Redes neurais {{< var x >}} 2026"
    assert "<title>Em Redes neurais</title>" in html
    title = slide(html, "title-slide")
    assert [node.text for node in title.all("div", "quarto-title-author-name")] == ["2026", "Outra"]
    assert [node.text for node in title.all("div", "quarto-title-author")] == ["2026 Casa", "Outra"]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("code-copy: false", "code-cpoy: false", "key `code-cpoy` is unknown"),
        ("code-copy: false", "code-copy: true", "`code-copy` is True"),
        ("code-copy: false", 'width: "1280"', "`width` is '1280'"),
        ("echo: false", "freeze: auto", "`execute.freeze` is 'auto'"),
        ("lang: pt", "toc: true", "key `toc` is unknown"),
        ("lang: pt", "lang: pt\nlang: en", "`lang` stands twice"),
        ("lang: pt", "lang: [pt", "no valid YAML"),
        ("lang: pt", "filters: [x.lua]", "key `filters` is unknown"),
        ("revealjs:", "revealjs:\n    theme: dark", "key `theme` is unknown"),
        ("revealjs:", "revealjs:\n    css: [no.css]", "no such style sheet"),
        ("revealjs:", "beamer:", "format `beamer` is unknown"),
    ],
)
def test_a_setting_that_is_not_known_is_told_with_its_line(project: Make, old: str, new: str, what: str) -> None:
    document = project("## Um\n", FRONT.replace(old, new))
    told = problem(document)
    assert what in told.what
    assert told.remedy
    if not any(text in new for text in ("no.css", "beamer", "[pt")):
        assert told.where in {
            f"d.qmd:{n}" for n, line in enumerate(document.read_text().split("\n"), 1) if line.strip() in new.split("\n")[-1]
        }


def test_a_format_that_the_document_does_not_declare_is_told(project: Make) -> None:
    assert "no format" in str(problem(project("## Um\n", FRONT.replace("revealjs:", "typst:")), "revealjs"))


def test_the_documents_settings_win_over_the_projects_and_lists_grow(project: Make, tmp_path: Path) -> None:
    project_yml = "project: {type: default}\nlang: en\nformat:\n  revealjs:\n    css: [a.css]\n    width: 900\n    height: 500\n"
    front = FRONT.replace("revealjs:", "revealjs:\n    css: [sub/b.css]\n    width: 1280")
    html = render(project("## Um\n", front, **{"_quarto.yml": project_yml, "a.css": "p{color:red}", "sub/b.css": "q{color:blue}"}))
    assert '<html lang="pt">' in html
    assert re.search(r'"width": 1280,\s*"height": 500', html)
    assert 0 < html.index("p{color:red}") < html.index("q{color:blue}")


# Cells that can't be


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("```{python}\n#| ecoh: true\n1\n```", "cell option `ecoh` is unknown"),
        ("```{python}\n#| echo: sim\n1\n```", "`echo` is 'sim'"),
        ("```{python}\n#| label: fig-x\n1\n```", "asks for a cross-reference"),
        ("```{python, echo=FALSE}\n1\n```", "options in the fence"),
        ("```{r}\n1\n```", "cell in `r`"),
        ("- a\n\n    ```{python}\n    1\n    ```", "cell inside a list"),
        ("```{python}\n1\n", "never ends"),
        ("::: {.callout-note}\nx\n:::", "class `callout-note`"),
        ("::: {.x layout-ncol=2}\nx\n:::", "attribute `layout-ncol`"),
        ("::: {.content-visible when-format=papel}\nx\n:::", "no format is called `papel`"),
        ("::: {.content-visible when-profile=a}\nx\n:::", "condition `when-profile`"),
        ("Ver @fig-x.", "`@fig-x` asks for a citation"),
        ('| a | b |\n|---|---|\n| 1 | 2 |\n\n: C {tbl-colwidths="[10,20,70]"}', "3 numbers for 2 columns"),
        ("| a |\n|---|\n| 1 |\n\n: C {#tabela}", "which Quarto loses"),
        ("::: {.x}\naberto", "unclosed"),
        ("$\\frac{1$", "TeX math"),
        ("![](nada.png){fig-alt='x'}", "no file"),
        ("![](https://example.org/x.png){fig-alt='x'}", "fetched"),
    ],
)
def test_what_the_engine_cannot_do_is_told(project: Make, cell: str, what: str) -> None:
    told = problem(project(f"## Um\n\n{cell}\n"))
    assert what in told.what
    assert told.remedy
    if not cell.startswith("!["):
        assert re.fullmatch(r"d\.qmd:(1[6-9]|20)", told.where), told.where


def test_a_fence_that_never_ends_is_told_where_it_starts_and_doesn_t_swallow_the_next_file(project: Make) -> None:
    files = {"_a.qmd": "## Um {#um}\n\n~~~\n```\ncódigo\n", "_b.qmd": "## Dois {#dois}\n"}
    told = problem(project("{{< include _a.qmd >}}\n\n{{< include _b.qmd >}}\n", **files))
    assert (told.where, told.what) == ("_a.qmd:3", "this code fence never ends in its file")
    assert "~~~" in told.remedy


def test_a_function_without_its_parentheses_is_told(project: Make) -> None:
    told = problem(project("## Um\n\n```{python}\ndef f(): ...\n```\n\na `{python} f` b\n"))
    assert "shows the object <function __main__.f()>" in told.what and "Call the function" in told.remedy


def test_a_deck_without_a_title_is_told(project: Make) -> None:
    assert "no title slide" in problem(project("## Um\n", front=FRONT.replace('title: "Ensaio"\n', ""))).what


def test_a_picture_that_quarto_would_stretch_is_told(project: Make) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    front = FRONT.replace("    auto-stretch: false\n", "")
    assert ".nostretch" in problem(project('## Um {#um}\n\n![](p.svg){fig-alt="x"}\n', front, **{"p.svg": svg})).remedy
    image = next(slide(render(project('## Um {#um}\n\n![](p.svg){.nostretch fig-alt="x"}\n', front, **{"p.svg": svg})), "um").all("img"))
    assert image.attributes["alt"] == "x"
    assert image.attributes["data-src"].startswith("data:image/svg+xml;base64,")


# Failures


FAILING = """## Máscaras {#sec-mascaras}

texto

```{python}
#| label: fica
x = 1

failing.half(x)
```
"""


def test_a_failing_cell_names_slide_file_line_and_frames(project: Make) -> None:
    files = {"_ato.qmd": FAILING, "failing.py": "def half(x):\n    return x / 0\n"}
    told = problem(project("```{python}\nimport failing\n```\n\n{{< include _ato.qmd >}}\n", **files))
    assert told.where == "_ato.qmd:9 (slide “Máscaras”)"
    assert told.what == "ZeroDivisionError: division by zero\n    failing.py:2 in half: return x / 0"


def test_a_fault_that_names_its_own_file_and_remedy_is_told_without_frames(project: Make) -> None:
    code = "from figures.kit.data import DataError\ndef legs():\n    raise DataError('data/zoo.yml', 'legs', 'not a number', 'Write one')\n"
    text = '```{python}\nimport zoo\n```\n\n## Um [três]{.n n="1"} {#um}\n\na `{python} zoo.legs()`\n'
    told = problem(project(text, **{"zoo.py": code}))
    assert (told.where, told.what) == ("data/zoo.yml, legs", "not a number")
    assert told.remedy == f"Write one\n    asked for at d.qmd:{len(FRONT.splitlines()) + 7} (slide “Um três”)"


def test_the_same_expression_twice_between_two_cells_shows_its_last_value(project: Make) -> None:
    """Observed with Quarto 1.11: results are kept by the expression's words."""
    body = "## Um {#um}\n\n```{python}\nn = iter(range(9))\n```\n\n`{python} next(n)` `{python} next(n)`\n\n`{python} next(n) + 0`\n"
    assert [node.text for node in slide(render(project(body)), "um").all("p")] == ["1 1", "2"]


def test_a_failing_inline_expression_names_its_line(project: Make) -> None:
    told = problem(project("```{python}\n1\n```\n\n## Um {#um}\n\na\n\n## Dois\n\nb `{python} 1 / 0` c\n"))
    assert told.where == f"d.qmd:{len(FRONT.splitlines()) + 11} (slide “Dois”)"
    assert told.what == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize("use", ["```{python}\nBad()\n```", "a `{python} Bad()` b"])
def test_an_object_that_cannot_be_displayed_stops_the_build(project: Make, use: str) -> None:
    """IPython and Quarto would go on with the object's repr."""
    code = "class Bad:\n    def _repr_markdown_(self): return 1 / 0"
    assert "ZeroDivisionError" in problem(project(f"## Um\n\n```{{python}}\n{code}\n```\n\n{use}\n")).what


@pytest.mark.filterwarnings("ignore:To exit")
@pytest.mark.parametrize("code", ["if True:\nx = 1", "x = (", "%unknown_magic", "raise SystemExit(3)"])
def test_any_error_of_a_cell_stops_the_build(project: Make, code: str) -> None:
    told = problem(project(f"## Um\n\n```{{python}}\ny = 1\n{code}\n```\n"))
    assert re.fullmatch(r"d\.qmd:1[789] \(slide “Um”\)", told.where), told.where


def command(document: Path) -> list[str]:
    return [sys.executable, str(BUILD), "render", str(document)]


def test_a_failed_build_leaves_the_last_page_as_it_was(project: Make, tmp_path: Path) -> None:
    render(project("## Um\n\nbom\n"))
    good = (tmp_path / "d.html").read_bytes()
    done = subprocess.run(command(project("## Um\n\n```{python}\n1 / 0\n```\n")), capture_output=True, text=True)
    assert done.returncode == 1
    assert "slide “Um”" in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "d.html").read_bytes() == good


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_a_killed_build_leaves_the_last_page_as_it_was(project: Make, tmp_path: Path) -> None:
    render(project("## Um\n\nbom\n"))
    good = (tmp_path / "d.html").read_bytes()
    document = project("## Um\n\n```{python}\nopen('running', 'w').close()\nimport time\ntime.sleep(60)\n```\n")
    process = subprocess.Popen(command(document), stderr=subprocess.DEVNULL)
    wait_for(tmp_path / "running")
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (tmp_path / "d.html").read_bytes() == good
    assert not list(tmp_path.glob(".d.html*"))


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_a_build_killed_while_writing_leaves_the_old_file_and_its_rest_is_cleaned(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    atomic_write.write(target, "bom")
    code = (
        f"import sys, os, time; sys.path.insert(0, {str(BUILD)!r}); from base import atomic_write\n"
        f"os.fsync = lambda fd: (open({str(tmp_path / 'running')!r}, 'w').close(), time.sleep(60))\n"
        f"from pathlib import Path; atomic_write.write(Path({str(target)!r}), 'x' * 100_000)"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    wait_for(tmp_path / "running")
    atomic_write.clean(target)
    assert len(list(tmp_path.glob(".page.html.*.part"))) == 1, "a running build keeps its file"
    process.kill()
    process.wait()
    assert target.read_text() == "bom"
    atomic_write.write(target, "melhor")
    assert target.read_text() == "melhor"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["page.html", "running"]


def test_an_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    with pytest.raises(Problem, match="can't be written"):
        atomic_write.write(tmp_path / "page.html", "x")
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_files_that_belong_together_are_replaced_together_or_not_at_all(tmp_path: Path) -> None:
    atomic_write.write_together({tmp_path / "page.json": "velho", tmp_path / "page.html": "velho"})
    (tmp_path / "full").write_text("")  # a file where a folder is wanted: the second can't be written
    with pytest.raises(Problem, match="can't be written"):
        atomic_write.write_together({tmp_path / "page.json": "novo", tmp_path / "full" / "page.html": "novo"})
    assert (tmp_path / "page.json").read_text() == "velho"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["full", "page.html", "page.json"]


BARE = "import sys; sys.path = [p for p in sys.path if 'site-packages' not in p]; sys.argv = ['build', 'deck']; import runpy; "


def test_a_python_without_the_packages_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{BARE}runpy.run_path({str(BUILD)!r}, run_name='__main__')"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "is not installed in this Python" in done.stderr and "make setup" in done.stderr
    assert "or activate the environment: `. .venv/bin/activate`" in done.stderr
    assert "Traceback" not in done.stderr


def test_sources_of_other_systems(project: Make, tmp_path: Path) -> None:
    """Windows line ends and a byte order mark are read; what is no UTF-8 is told."""
    document = project("")
    document.write_bytes(b"\xef\xbb\xbf" + (FRONT + "## Um {#um}\n\na\n").replace("\n", "\r\n").encode())
    assert slide(render(document), "um").text == "Um a"
    document.write_bytes("ação".encode("latin-1"))
    assert "no UTF-8" in problem(document).what


def wait_for(file: Path) -> None:
    for _ in range(600):
        if file.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{file} never came")


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


@given(st.text(max_size=40), st.integers(1, 9))
def test_a_file_written_is_what_was_given(tmp_path_factory: pytest.TempPathFactory, text: str, times: int) -> None:
    path = tmp_path_factory.mktemp("store") / "a" / "b.html"
    data = (text * times).encode("utf-8", "replace")
    atomic_write.write(path, data)
    assert path.read_bytes() == data
    assert [file.name for file in path.parent.iterdir()] == ["b.html"]


def test_a_module_says_what_a_build_should_know():
    """Without weights the recorded measurement is shown, and the build says so."""
    done = subprocess.run(
        [sys.executable, "build", "pre-render"], cwd=ROOT, env=os.environ | {"ATENCAO_WEIGHTS": "none"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "shows the measurement recorded on" in done.stderr
    assert "ATENCAO_WEIGHTS" in done.stderr

"""What the embedded engine can't show, and what fails while it runs, is told with its place and a remedy."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from engine import embedded
from essay import FRONT, Make, problem, render, slide

BUILD = Path(embedded.__file__).resolve().parents[1]


@pytest.mark.parametrize("expression", ['""', "type('E', (), {'_repr_markdown_': lambda self: ''})()"])
def test_an_inline_value_that_shows_nothing_is_told(project: Make, expression: str) -> None:
    document = project(f"```{{python}}\n1\n```\n\n## Um\n\ntexto `{{python}} {expression}` texto\n")
    told = problem(document)
    assert "displays nothing" in told.what
    assert told.where == f"d.qmd:{len(FRONT.splitlines()) + 7}"


@pytest.mark.parametrize(
    ("body", "front", "where"),
    [
        ("## Um\n\n![uma foto](imagens/nada%20mais.png)\n", "", len(FRONT.splitlines()) + 3),
        ("## Um\n\ntexto\n\n## Dois {background-image=imagens/nada.png}\n", "", len(FRONT.splitlines()) + 5),
        ("## Um\n\ntexto\n", "    logo: imagens/nada.png\n", FRONT.splitlines().index("  revealjs:") + 2),
    ],
)
def test_a_picture_that_is_not_there_is_told_at_the_line_that_names_it(project: Make, body: str, front: str, where: int) -> None:
    document = project(body)
    document.write_text(document.read_text(encoding="utf-8").replace("  revealjs:\n", f"  revealjs:\n{front}"), encoding="utf-8")
    told = problem(document)
    assert (told.where, told.remedy) == (f"d.qmd:{where}", "Correct its path.") and "no file" in told.what


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
        ("revealjs:", "beamer:", "not made as `beamer`"),
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
    assert "not made as `revealjs`" in str(problem(project("## Um\n", FRONT.replace("revealjs:", "typst:")), "revealjs"))


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
        ("::: {.content-visible when-meta=a}\nx\n:::", "condition `when-meta`"),
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
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
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


def test_a_picture_that_is_not_there_is_told_before_how_it_would_be_laid_out(project: Make) -> None:
    front = FRONT.replace("    auto-stretch: false\n", "")
    told = problem(project("## Um {#um}\n\n![](nada.png)\n", front))
    assert "nada.png" in told.what and "stretch" not in told.what


@pytest.mark.parametrize("use", ["```{python}\nzoo.count()\n```", "São `{python} zoo.count()` ao todo."])
def test_a_topic_that_is_not_imported_is_told_with_the_line_to_write(project: Make, use: str) -> None:
    """Of a name that is no topic it is said as Python says it."""
    told = problem(project(f"## Um {{#um}}\n\n{use}\n", **{"figures/zoo.py": ""}))
    assert told.what == "`zoo` is not imported on this page" and "`from figures import zoo`" in told.remedy
    assert told.where.startswith("d.qmd:") and "slide “Um”" in told.where
    assert "NameError" in problem(project(f"## Um {{#um}}\n\n{use.replace('zoo', 'zaa')}\n")).what


@pytest.mark.parametrize("use", ["```{python}\nimport math\n\nmath.sqrtt(4)\n```", "São `{python} __import__('math').sqrtt(4)`."])
def test_a_function_that_is_not_there_is_told_with_the_one_that_was_meant(project: Make, use: str) -> None:
    told = problem(project(f"```{{python}}\n1\n```\n\n## Um\n\n{use}\n"))
    assert (told.what, told.remedy) == ("`math` has no `sqrtt`", "Did you mean `sqrt`?")
    assert "Correct the name" in problem(project(f"```{{python}}\n1\n```\n\n## Um\n\n{use.replace('sqrtt', 'zzz')}\n")).remedy


@pytest.mark.parametrize("date", ["2027/1", "hoje", "março de 2027", "2027-13-01", "2027"])
def test_a_date_that_quarto_would_call_invalid_is_refused_with_where_a_semester_goes(project: Make, date: str) -> None:
    told = problem(project("## Um {#um}\n", FRONT.replace("---\n", f"---\ndate: {date}\n", 1)))
    assert told.where == "d.qmd:2" and "`date` is" in told.what and "a semester goes into `author`" in told.remedy
    assert '<p class="date">2027-03-01</p>' in render(project("## Um {#um}\n", FRONT.replace("---\n", "---\ndate: 2027-03-01\n", 1)))


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


BARE = "import sys; sys.path = [p for p in sys.path if 'site-packages' not in p]; sys.argv = ['build', 'deck']; import runpy; "


def test_a_python_without_the_packages_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{BARE}runpy.run_path({str(BUILD)!r}, run_name='__main__')"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "is not installed in this Python" in done.stderr and "make setup" in done.stderr
    assert "or activate the environment: `. .venv/bin/activate`" in done.stderr
    assert "Traceback" not in done.stderr

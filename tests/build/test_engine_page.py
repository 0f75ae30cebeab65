"""The engine's pages in a browser, from a file: the speaker's window works without a network, a page copies and links."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from base.progress import Progress
from engine import embedded
from engine import self_contained as pages

from figures.kit.errors import Problem

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROJECT = "project: {type: default}\nlang: pt-BR\nengine: jupyter\n"
DECK = """---
title: Ensaio
format:
  revealjs: {html-math-method: mathml, code-copy: false, width: 1280, height: 720, margin: 0}
---

## Um {#um}

a

::: {.notes}
Nota de um, com $x^2$.
:::

## Dois {#dois}

b

. . .

c

::: {.notes}
Nota de dois.
:::
"""
READ = """---
title: Página
format:
  html: {theme: none, html-math-method: mathml, toc: true, toc-title: Nesta página}
---

## Um {#um}

```python
x = "maçã" * 2
```
"""


def render(folder: Path, source: str) -> Path:
    (folder / "_quarto.yml").write_text(PROJECT, encoding="utf-8")
    (folder / "d.qmd").write_text(source, encoding="utf-8")
    return embedded.render(folder / "d.qmd", [], Progress(io.StringIO()))[0]


def test_a_page_links_its_headings_and_copies_its_code(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(render(tmp_path, READ).as_uri())
    assert page.locator("h2#um .anchorjs-link").get_attribute("href") == "#um"
    assert page.locator("nav#TOC a").all_inner_texts() == ["Um"]
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    page.locator(".code-copy-button").click()
    page.locator(".code-copy-button-checked").wait_for(state="attached", timeout=5_000)
    assert page.evaluate("window.copied").strip() == 'x = "maçã" * 2'
    assert wrong == []
    context.close()


def test_code_that_would_end_its_element_is_escaped() -> None:
    assert pages.script_text("a = '</script>' + '<!--' + '</p>'") == r"a = '\x3C/script>' + '\x3C!--' + '</p>'"


def test_a_style_sheet_carries_its_files_and_refuses_addresses(tmp_path: Path) -> None:
    (tmp_path / "p.svg").write_text("<svg/>")
    sheet = tmp_path / "a.css"
    sheet.write_text("a{background:url(p.svg)} b{background:url('data:image/png;base64,xx')}")
    styled = pages.style(sheet)
    assert 'url("data:image/svg+xml;base64,PHN2Zy8+")' in styled
    assert 'url("data:image/png;base64,xx")' in styled
    for wrong in ("a{background:url(https://example.org/a.png)}", "@import 'b.css';", "a{background:url(no.png)}"):
        sheet.write_text(wrong)
        with pytest.raises(Problem):
            pages.style(sheet)

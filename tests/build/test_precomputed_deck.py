"""A simulator in ten lines of Python, as an author writes it: rendered, audited, on paper and without scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from a_copy import copied, run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TOPIC = '''"""Savings that grow."""
from figures.kit import style
from figures.kit.formats import fixed, percent
from figures.kit.precomputed import Slider, Switch, precomputed
from figures.kit.show import Picture
from figures.kit.words import Words

_words = Words("savings")


@precomputed(rate=Slider([0.01, 0.02, 0.05], opens=0.02, format=percent()), monthly=Switch())
def growth(rate: float, monthly: bool) -> tuple[Picture, str]:
    """What a hundred becomes in thirty years."""
    years = range(31)
    worth = [100 * (1 + rate / 12) ** (12 * n) if monthly else 100 * (1 + rate) ** n for n in years]
    drawing, axes = style.canvas(640, 400)
    axes.plot(years, worth)
    axes.set(ylim=(0, 500))
    text = fixed(0)(worth[-1])
    return Picture(drawing, _words("growth.alt", worth=text)), _words("growth.told", worth=text)
'''
WORDS = """growth:
  name: "Simulador: juros"
  rate: "taxa $r$"
  monthly: todo mês
  alt: "Uma curva que sobe até {worth}"
  told: "No fim, são {worth}."
"""
PAGE = """---
title: "Juros"
format:
  revealjs:
    width: 1280
    height: 720
    margin: 0
    embed-resources: true
    css: [theme/shared.css, theme/deck.css]
---

```{python}
from figures import savings
from figures.kit import ledger
```

## Juros {#sec-juros}

```{python}
savings.growth()
```

```{python}
ledger.page()
```
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copied(tmp_path_factory.mktemp("project"), "pyproject.toml")
    words = folder / "data" / "words" / "pt"
    (folder / "figures" / "savings.py").write_text(TOPIC, encoding="utf-8")
    with (folder / "data" / "underived.yml").open("a", encoding="utf-8") as file:
        file.write("- {function: savings.growth, reason: an example whose only inputs are its controls}\n")
    (words / "savings.yml").write_text(WORDS, encoding="utf-8")
    (folder / "slides" / "juros.qmd").write_text(PAGE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def page(project: Path) -> Path:
    done = run(project, "build", "render", "slides/juros.qmd", "--to", "revealjs")
    assert done.returncode == 0, done.stderr
    return project / "_output" / "slides" / "juros.html"


def test_the_ledger_holds_it_with_its_data_and_its_parts(page: Path) -> None:
    entries: list[dict[str, Any]] = json.loads(page.with_suffix(".ledger.json").read_text(encoding="utf-8"))["entries"]
    found = {entry["id"].partition(":")[0]: entry for entry in entries}
    whole = found["savings.growth()"]
    assert whole["what"] == "simulator" and whole["value"]["opening"] == {"rate": 0.02, "monthly": False}
    assert any(file.endswith("savings.yml") for file in whole["data"])
    assert found["savings.growth(rate=0.02, monthly=False).sentence"]["text"] == "No fim, são 181."
    assert {entry["slide"]["id"] for entry in entries} == {"sec-juros"}


def test_the_same_bytes_again(page: Path, project: Path) -> None:
    first = page.read_bytes()
    assert run(project, "build", "render", "slides/juros.qmd", "--to", "revealjs").returncode == 0
    assert page.read_bytes() == first


def test_it_fits_its_slide_alive_printed_and_without_scripts(page: Path, browser: Browser) -> None:
    inside = """(part) => { const box = document.querySelector(part).getBoundingClientRect();
      return box.width > 600 && box.height > 300 && box.right <= 1280 && box.bottom <= 720; }"""
    for scripts, part in ((True, ".sim-live"), (False, ".sim-static")):
        context = browser.new_context(java_script_enabled=scripts, viewport={"width": 1280, "height": 720})
        opened = context.new_page()
        opened.goto(f"{page.as_uri()}#/sec-juros")
        opened.wait_for_timeout(400)
        assert not scripts or opened.evaluate(inside, part)
        if scripts:
            assert "181" in opened.locator(part).inner_text()
            opened.locator(".sim-live input[type=range]").focus()
            opened.keyboard.press("End")
            assert "432" in opened.locator(part).inner_text()
        else:
            assert opened.locator(".sim-static svg text").count() > 4
            assert "2%; todo mês: desligado No fim, são 181." in " ".join(opened.locator(".sim-static").inner_text().split())
        context.close()
    paper = browser.new_page(viewport={"width": 1280, "height": 720})
    paper.goto(f"{page.as_uri()}?print-pdf")
    paper.wait_for_selector(".pdf-page .sim-static svg")
    assert paper.locator(".pdf-page").count() == 2 and paper.locator(".sim-live").count() == 0
    paper.close()


def test_the_audit_finds_every_number_in_the_ledger(page: Path, project: Path) -> None:
    done = run(project, "build", "audit")
    assert "juros.html" not in done.stdout + done.stderr
    assert "savings" not in done.stdout + done.stderr


def test_a_bound_that_is_passed_stops_the_build_by_name(page: Path, project: Path) -> None:
    topic = project / "figures" / "savings.py"
    topic.write_text(TOPIC.replace("monthly=Switch()", "monthly=Switch(), max_bytes=4_000"), encoding="utf-8")
    done = run(project, "build", "render", "slides/juros.qmd", "--to", "revealjs")
    topic.write_text(TOPIC, encoding="utf-8")
    assert done.returncode == 1
    assert "figures/savings.py:11, growth: the simulator can't be made: its 6 states take" in done.stderr
    assert "4 kB are allowed" in done.stderr and "coarser step" in done.stderr

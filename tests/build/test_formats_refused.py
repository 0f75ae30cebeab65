"""A format that a document isn't made in is refused by name before anything is written; what stood there stays there."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from base import last_good
from base.progress import Progress
from engine import embedded, quarto_hooks, settings
from engine.document import opened
from rendering import first

from figures.kit import project
from figures.kit.errors import Problem

ROOT = Path(__file__).resolve().parents[2]
QUIET = Progress(io.StringIO())
DECK = project.document("revealjs")


@pytest.mark.parametrize(("asked", "instead"), [("gfm", "revealjs"), ("pptx", "revealjs"), ("beamer", "revealjs"), ("html", "revealjs")])
def test_the_embedded_engine_names_the_format_to_use(asked: str, instead: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "executed", lambda *_: pytest.fail("a cell was run"))
    with pytest.raises(Problem) as caught:
        embedded.render(DECK, [asked], QUIET)
    assert f"`{asked}`" in caught.value.what and f"`--to {instead}`" in caught.value.remedy


def test_two_formats_that_would_write_one_file_are_refused() -> None:
    chapter = first("html", without="ipynb")
    with pytest.raises(Problem, match=f"`typst` and `pdf`.*{chapter.stem}.pdf"):
        embedded.render(chapter, ["typst", "pdf"], QUIET)


@pytest.mark.parametrize("asked", [[], ["html"], ["revealjs"]])
def test_a_page_beside_slides_under_one_name_is_refused_whichever_is_asked_for(asked: list[str], tmp_path: Path) -> None:
    (tmp_path / "_quarto.yml").write_text("project: {output-dir: _output}\n", encoding="utf-8")
    page = tmp_path / "page.qmd"
    page.write_text("---\nformat:\n  revealjs: default\n  html: {theme: none}\n---\n\nText.\n", encoding="utf-8")
    with pytest.raises(Problem, match="`revealjs` and `html`.*page.html\n.*output-file"):
        embedded.render(page, asked, QUIET)
    with pytest.raises(Problem, match="`revealjs` and `html`"):
        quarto_hooks.before(tmp_path, {"QUARTO_PROJECT_INPUT_FILES": "page.qmd"}, QUIET)
    page.write_text(page.read_text(encoding="utf-8").replace("theme: none", "theme: none, output-file: read.html"), encoding="utf-8")
    assert [file.name for file in embedded.render(page, ["html"], QUIET)] == ["read.html"]


def test_a_render_of_all_makes_no_pdf_of_a_page_unasked() -> None:
    unasked = [settings.rendered(opened(file).layers) for file in project.documents(ROOT)]
    pages = [formats for formats in unasked if "revealjs" not in formats]
    assert all({"typst", "pdf"}.isdisjoint(formats) for formats in pages)
    assert all("typst" in formats for formats in unasked if "revealjs" in formats)


def test_a_setting_that_quarto_alone_knows_stops_no_hook_of_quartos(tmp_path: Path) -> None:
    (tmp_path / "_quarto.yml").write_text("project:\n  output-dir: _output\nexecute:\n  freeze: auto\n", encoding="utf-8")
    page = tmp_path / "page.qmd"
    page.write_text("---\ntitle: t\nformat:\n  html:\n    theme: cosmo\n    lightbox: true\n---\n\nText.\n", encoding="utf-8")
    document = opened(page)
    assert list(quarto_hooks.outputs(document)) == [tmp_path / "_output" / name for name in ("page.html", "page.ledger.json")]
    with pytest.raises(Problem, match="freeze"):
        embedded.render(page, ["html"], QUIET)


def test_the_formats_on_a_command_line() -> None:
    asked = quarto_hooks.asked_formats
    assert asked(["quarto", "render", "a.qmd", "--to", "pdf,docx"]) == ["pdf", "docx"]
    assert asked(["quarto", "render", "a.qmd", "--to=gfm"]) == asked(["quarto", "render", "-t", "gfm"]) == ["gfm"]
    assert asked(["quarto", "render", "--to", "all"]) == asked(["quarto", "render"]) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows shows no command line")
def test_the_command_line_of_another_process() -> None:
    waiting = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()", "--to", "gfm"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert waiting.stdout is not None and waiting.stdout.readline()  # it runs its own program by now
        assert quarto_hooks.asked_formats(quarto_hooks.command_line(waiting.pid)) == ["gfm"]
    finally:
        waiting.kill()
        waiting.wait()


def test_what_a_render_replaced_is_put_back_and_what_it_left_is_taken_away(tmp_path: Path) -> None:
    good, new = tmp_path / "out" / "a.html", tmp_path / "out" / "b.pdf"
    good.parent.mkdir()
    good.write_text("good")
    last_good.keep([good, new], tmp_path)
    good.unlink()
    good.write_text("half")
    new.write_text("half")
    last_good.restore(tmp_path)
    assert good.read_text() == "good" and not new.exists() and not (tmp_path / last_good.FOLDER).exists()


def test_a_render_that_ends_well_keeps_what_it_made(tmp_path: Path) -> None:
    good = tmp_path / "a.html"
    good.write_text("good")
    last_good.keep([good], tmp_path)
    good.unlink()
    good.write_text("better")
    last_good.done(tmp_path)
    last_good.restore(tmp_path)
    assert good.read_text() == "better"


def test_once_the_render_is_over_its_half_done_output_goes(tmp_path: Path) -> None:
    good = tmp_path / "a.html"
    good.write_text("good")
    last_good.keep([good], tmp_path)
    good.unlink()
    good.write_text("half")
    render = subprocess.Popen([sys.executable, "-c", "pass"])
    render.wait()
    last_good.put_back_after(tmp_path, render.pid)
    assert good.read_text() == "good"

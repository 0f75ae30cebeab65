"""What a picture leaves for each format that its page is for."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from figures.kit import show, style, targets
from figures.kit.errors import Problem

STARTS = {"typst": b"<svg ", "pdf": b"%PDF", "docx": b"\x89PNG"}


@pytest.fixture
def picture() -> show.Picture:
    return drawn()


def drawn() -> show.Picture:
    figure, axes = style.canvas(144, 100)
    axes.plot([0, 1], [0, 1])
    axes.set_xlabel("meio ⁻⁴")
    return show.Picture(figure, "Uma “reta”")


def wanted(monkeypatch: pytest.MonkeyPatch, *formats: str) -> None:
    monkeypatch.delenv("QUARTO_EXECUTE_INFO", raising=False)
    monkeypatch.setenv(targets.VARIABLE, " ".join(formats))


def test_each_format_gets_the_file_that_it_can_hold_and_no_other(monkeypatch, picture):
    wanted(monkeypatch, "revealjs", *STARTS)
    text = picture._repr_markdown_()
    assert re.findall(r'when-format="(\w+)"', text) == ["revealjs", *STARTS]
    files = [base64.b64decode(data) for data in re.findall(r"base64,([^)]+)\)", text)]
    assert all(file.startswith(start) for file, start in zip(files, STARTS.values(), strict=True))
    assert re.findall(r'pixels="(\w+)"', text) == ["144"] * len(STARTS)
    assert text.count("<svg ") == 1 and text.count('fig-alt="Uma “reta”"') == len(STARTS)


def test_a_page_alone_draws_nothing_for_paper(monkeypatch, picture):
    wanted(monkeypatch, "html")
    assert "base64" not in picture._repr_markdown_()


def test_where_no_engine_asks_a_page_and_any_paper_are_served(monkeypatch, picture):
    wanted(monkeypatch)
    assert re.findall(r"content-visible (\S+)}", picture._repr_markdown_()) == ['when-format="html"', 'unless-format="html"']


def test_the_same_figure_gives_the_same_bytes(monkeypatch):
    wanted(monkeypatch, "revealjs", *STARTS)
    assert drawn()._repr_markdown_() == drawn()._repr_markdown_()


def test_quarto_names_its_one_format_and_another_is_refused_with_those_to_use(monkeypatch, tmp_path: Path):
    told = tmp_path / "info.json"
    monkeypatch.setenv("QUARTO_EXECUTE_INFO", str(told))
    told.write_text(json.dumps({"format": {"identifier": {"base-format": "pdf"}}}))
    assert targets.formats() == ("pdf",)
    told.write_text(json.dumps({"format": {"identifier": {"base-format": "pdf"}, "pandoc": {"to": "typst"}}}))
    assert targets.formats() == ("typst",)
    told.write_text(json.dumps({"format": {"identifier": {"base-format": "gfm"}}}))
    with pytest.raises(Problem, match="--to gfm.*\n.*revealjs"):
        targets.formats()

"""Quarto itself with this lecture's pages: what it refuses, and what it makes without a TeX."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from a_copy import copied, run_quarto
from base import last_good
from engine import tex
from proof import written

pypdf = pytest.importorskip("pypdf")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
def test_quarto_refuses_before_it_writes_and_keeps_the_good_pages_when_a_document_fails(tmp_path: Path) -> None:
    copied(tmp_path)
    page = tmp_path / "_output" / "slides" / "query-key-value.html"
    page.parent.mkdir(parents=True)
    page.write_text("good")
    assert "not made as `gfm`" in quarto(tmp_path, "slides/query-key-value.qmd", "--to", "gfm")
    assert page.read_text() == "good"
    listed = tmp_path / "_quarto.yml"
    two = "    - slides/query-key-value.qmd\n    - slides/laboratorio.qmd\n"
    listed.write_text(re.sub(r"(?<=  render:\n)(?:    - .*\n)+", two, listed.read_text(encoding="utf-8")), encoding="utf-8")
    lab = tmp_path / "slides" / "laboratorio.qmd"
    lab.write_text(lab.read_text(encoding="utf-8") + "\n```{python}\n1/0\n```\n", encoding="utf-8")
    assert "ZeroDivisionError" in quarto(tmp_path, "--to", "html")
    time.sleep(5 * last_good.PAUSE + 2)
    assert page.read_text() == "good"


def quarto(folder: Path, *arguments: str) -> str:
    """What a render that fails says."""
    environment = os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    done = subprocess.run(["quarto", "render", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
def test_quarto_makes_a_whole_pdf_by_typst(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(tmp_path / "project")
    monkeypatch.setenv("PATH", os.pathsep.join(without_tex(tmp_path)))
    done = run_quarto(folder, "render", "slides/query-key-value.qmd", "--to", "pdf")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "so it is made by typst" in done.stdout + done.stderr
    made = folder / "_output" / "slides" / "query-key-value.pdf"
    assert "Typst" in str(pypdf.PdfReader(made).metadata.creator)
    assert len([one for one in written.elements(pypdf.PdfReader(made)) if one["/S"] == "/Figure"]) > 2


def without_tex(folder: Path) -> list[str]:
    """The folders of the PATH; in place of one with a TeX, one with all else that it has."""
    kept: list[str] = []
    for number, name in enumerate(os.environ["PATH"].split(os.pathsep)):
        if shutil.which(tex.PROGRAM, path=name):
            links = folder / f"bin-{number}"
            links.mkdir()
            for file in Path(name).iterdir():
                if "tex" not in file.name:
                    (links / file.name).symlink_to(file)
            name = str(links)
        kept.append(name)
    return kept

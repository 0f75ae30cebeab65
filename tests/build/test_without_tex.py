"""Without a TeX a `pdf` is made by Typst, whole, and that is said; under both engines."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from base.progress import Progress
from engine import embedded, tex

from figures.kit import project
from figures.kit.errors import Problem

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("typst")
ROOT = Path(__file__).resolve().parents[2]
PAGE = "---\ntitle: Aula\n---\n\n# Um\n\nTexto com $\\sqrt{d_k}$.\n"
FORMATS = "lang: pt-BR\nformat:\n  typst: {toc: true, include-in-header: a.typ}\n  pdf: {pdf-engine: lualatex}\n"


@pytest.fixture
def no_tex(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tex, "program", lambda: None)


def page(folder: Path, formats: str = FORMATS) -> Path:
    """A document of a project that declares these formats."""
    (folder / "_quarto.yml").write_text(formats, encoding="utf-8")
    (folder / "a.typ").write_text("#let conf(title: none, lang: none, ..rest, doc) = { set document(title: title); doc }\n")
    (folder / "page.qmd").write_text(PAGE, encoding="utf-8")
    return folder / "page.qmd"


def producer(pdf: Path) -> str:
    reader: Any = pypdf.PdfReader(pdf)
    return str(reader.metadata.get("/Creator") or reader.metadata.get("/Producer"))


def test_typst_makes_it_under_its_own_name_and_that_is_said(tmp_path: Path, no_tex: None) -> None:
    said = io.StringIO()
    [made] = embedded.render(page(tmp_path), ["pdf"], Progress(said))
    assert made == tmp_path / "page.pdf" and "Typst" in producer(made)
    assert "page.qmd --to pdf: there is no `lualatex` on the PATH, so it is made by typst." in said.getvalue()


def test_a_project_without_typst_is_told_what_to_install(tmp_path: Path, no_tex: None) -> None:
    with pytest.raises(Problem, match="no `lualatex`.*\n.*TeX Live.*typst"):
        embedded.render(page(tmp_path, "format:\n  pdf: {pdf-engine: lualatex}\n"), ["pdf"], Progress(io.StringIO()))


def test_quarto_s_own_tex_is_found_though_it_is_on_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert tex.program() is None
    lualatex = tmp_path / ".TinyTeX" / "bin" / "x86_64-linux" / ("lualatex.exe" if os.name == "nt" else "lualatex")
    lualatex.parent.mkdir(parents=True)
    lualatex.touch(0o755)
    assert tex.program() == str(lualatex)


def test_quarto_gets_the_settings_of_typst_for_its_pdf_and_with_a_tex_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page(tmp_path)
    monkeypatch.setattr(tex, "program", lambda: None)
    tex.tell_quarto(tmp_path)
    told = yaml.safe_load((tmp_path / tex.FILE).read_text(encoding="utf-8"))
    as_typst = {"to": "typst", "pdf-engine": "typst", "wrap": "none"}
    assert told == {"format": {"pdf": {"toc": True, "include-in-header": "a.typ", **as_typst}}}
    monkeypatch.setattr(tex, "program", lambda: "lualatex")
    tex.tell_quarto(tmp_path)
    assert not (tmp_path / tex.FILE).exists()


def test_the_project_names_the_file_that_tells_quarto() -> None:
    assert project.settings(ROOT).value["metadata-files"] == [tex.FILE.as_posix()]

"""The check of an output: what was shown is found in each format that can hold it, and each planted loss is named."""

from __future__ import annotations

import base64
import io
import subprocess
from pathlib import Path

import pytest
from base.pandoc import pandoc
from PIL import Image
from proof import output_check
from proof.output_check import Shown

from figures.kit.errors import Problem


def png(*colours: int) -> str:
    """A PNG of a row of greys."""
    image, file = Image.new("L", (len(colours), 1)), io.BytesIO()
    image.putdata(colours)
    image.save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


DRAWN, BLANK = png(0, 255), png(255, 255)
TEXT = f"""São [5 × 10⁻⁴]{{.n n="1"}} e −2, com “aspas”.

| token | peso |
|:--|--:|
| gato | 0,62 |

![Uma “reta”]({DRAWN})
"""
SHOWN = [
    Shown("number", "a.small()", ["5\u00a0×\u00a010⁻⁴"]),
    Shown("number", "a.minus()", ["-2"]),
    Shown("table", "a.weights()", ["gato", "0,62"]),
    Shown("figure", "a.line()", ["Uma “reta”"]),
    Shown("claim", "a.holds()", []),
]


def written(text: str, suffix: str, folder: Path) -> tuple[Path, bytes]:
    file = folder / f"d{suffix}"
    subprocess.run([pandoc(), "--from=markdown", "--standalone", f"--output={file}"], input=text, text=True, encoding="utf-8", check=True)
    return file, file.read_bytes()


@pytest.mark.parametrize("suffix", [".html", ".docx"])
def test_all_of_it_is_found(suffix: str, tmp_path: Path) -> None:
    output_check.check(*written(TEXT, suffix, tmp_path), SHOWN)


@pytest.mark.parametrize("suffix", [".html", ".docx"])
@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("5 × 10⁻⁴", "5 × 10��", "a.small"),
        ("0,62", "0,26", "0,62"),
        ("![Uma", "[Uma", "picture of a.line"),
        (DRAWN, BLANK, "nothing is drawn in the picture “Uma “reta””"),
        ("| gato", "gato", "0 tables of 1"),
        ("São", "São \ufffd", "a character is lost"),
        ("São", "São ?var:course", "?var:course was not replaced"),
    ],
)
def test_each_loss_is_named(suffix: str, old: str, new: str, named: str, tmp_path: Path) -> None:
    text = TEXT.replace(old, new).replace("|:--|--:|\n", "" if "tables" in named else "|:--|--:|\n")
    with pytest.raises(Problem) as caught:
        output_check.check(*written(text, suffix, tmp_path), SHOWN)
    assert named in caught.value.what and "last good" in caught.value.remedy


@pytest.mark.parametrize("suffix", [".html", ".docx"])
def test_a_link_is_found_by_its_words(suffix: str, tmp_path: Path) -> None:
    """A lab whose `repository` is set shows a link to Colab, a chapter those to its neighbours."""
    link = Shown("word", "a.link()", ["[abrir no Colab →](https://example.org/a/b.ipynb)"])
    output_check.check(*written(f"Veja [{link.texts[0]}]{{.n}}.\n", suffix, tmp_path), [link])
    with pytest.raises(Problem, match="a.link"):
        output_check.check(*written("Veja o Colab.\n", suffix, tmp_path), [link])


def test_a_thing_shown_twice_must_stand_there_twice(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="a.line"):
        output_check.check(*written(TEXT, ".html", tmp_path), [*SHOWN, SHOWN[3]])


def test_a_notebook_keeps_what_its_cells_will_show_for_later_but_no_lost_character() -> None:
    output_check.check(Path("d.ipynb"), b'{"cells": []}', SHOWN)
    with pytest.raises(Problem, match="lost"):
        output_check.check(Path("d.ipynb"), '{"source": "a \ufffd"}'.encode(), [])


SHAPE = '<circle r="1"/>'


@pytest.mark.parametrize("inside", ["", "<title>a</title>", f"<defs>{SHAPE}</defs>"])
def test_a_drawing_in_a_page_without_a_shape_is_named(inside: str) -> None:
    page = f'<svg role="img" aria-label="Uma reta">{inside}%s</svg>'
    line = [Shown("figure", "a.line()", ["Uma reta"])]
    output_check.check(Path("d.html"), (page % SHAPE).encode(), line)
    with pytest.raises(Problem, match="nothing is drawn.*Uma reta"):
        output_check.check(Path("d.html"), (page % "").encode(), line)
    output_check.check(Path("d.html"), (page % "").encode(), [])  # a picture of the author's own


@pytest.mark.parametrize("standard", ["ua-1", "1.7"])
def test_a_figure_of_a_pdf_in_which_nothing_is_painted_is_named(standard: str, tmp_path: Path) -> None:
    typst = pytest.importorskip("typst")
    pytest.importorskip("pypdf")
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">%s</svg>'
    source = tmp_path / "d.typ"
    source.write_text('#set document(title: "d")\n= a\n#image("a.svg", alt: "Uma reta")\n#image("b.svg", alt: "Outra")\n', encoding="utf-8")
    (tmp_path / "a.svg").write_text(svg % SHAPE)
    (tmp_path / "b.svg").write_text(svg % SHAPE)
    both = [Shown("figure", f"a.{words}()", [words]) for words in ("Uma reta", "Outra")]
    output_check.check(Path("d.pdf"), typst.compile(str(source), pdf_standards=[standard]), both)
    (tmp_path / "b.svg").write_text(svg % "")
    with pytest.raises(Problem, match="nothing is drawn in the picture “Outra”"):
        output_check.check(Path("d.pdf"), typst.compile(str(source), pdf_standards=[standard]), both)


def test_a_listing_may_go_on_in_the_next_page(tmp_path: Path) -> None:
    typst = pytest.importorskip("typst")
    pytest.importorskip("pypdf")
    lines = [f"linha_{n} = {n}" for n in range(9)]
    listing = "\n".join(lines)
    source = tmp_path / "d.typ"
    source.write_text(f"#set page(height: 5cm, header: [cabeça])\n```\n{listing}\n```\n", encoding="utf-8")
    made = typst.compile(str(source))
    output_check.check(Path("d.pdf"), made, [Shown("listing", "a.code()", [listing])])
    with pytest.raises(Problem, match="linha_9"):
        output_check.check(Path("d.pdf"), made, [Shown("listing", "a.code()", [f"{listing}\nlinha_9 = 9"])])

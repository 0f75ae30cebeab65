"""The check of an output: what was shown is found in each format that can hold it, and each planted loss is named."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from base.pandoc import pandoc
from proof import output_check
from proof.output_check import Shown

from figures.kit.errors import Problem

PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TEXT = f"""São [5 × 10⁻⁴]{{.n n="1"}} e −2, com “aspas”.

| token | peso |
|:--|--:|
| gato | 0,62 |

![Uma “reta”]({PIXEL})
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


def test_a_thing_shown_twice_must_stand_there_twice(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="a.line"):
        output_check.check(*written(TEXT, ".html", tmp_path), [*SHOWN, SHOWN[3]])


def test_a_notebook_keeps_what_its_cells_will_show_for_later_but_no_lost_character() -> None:
    output_check.check(Path("d.ipynb"), b'{"cells": []}', SHOWN)
    with pytest.raises(Problem, match="lost"):
        output_check.check(Path("d.ipynb"), '{"source": "a \ufffd"}'.encode(), [])

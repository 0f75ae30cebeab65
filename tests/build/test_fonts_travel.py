"""Fonts go where the lab's package goes: those of installed packages, and files below data/; any other is refused by name."""

from __future__ import annotations

import re
import shutil
import tomllib
import zipfile
from pathlib import Path

import pytest
from a_copy import copied, run

from figures.kit.files import ROOT
from figures.kit.style import FONTS, face_path

TEXT = FONTS[0]
FACES = "faces: [{weight: 400, style: normal, file: %s}]"
WHERE = "from figures.kit import style; print(style.face_path(style.FONTS[0], style.FONTS[0].faces[0]))"


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    return copied(tmp_path, "pyproject.toml")


def with_font(root: Path, record: str, file: str) -> None:
    """The theme's font of texts is this one, its file a copy of what it was."""
    theme = root / "data" / "theme.yml"
    old = re.compile(rf"(    family: {TEXT.family}\n)    package: .*\n(.*\n.*\n)    faces:\n(?:      - .*\n)+")
    text, changed = old.subn(lambda was: f"{was[1]}{was[2]}    {record}\n", theme.read_text(encoding="utf-8"))
    assert changed == 1
    theme.write_text(text, encoding="utf-8")
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(face_path(TEXT, TEXT.faces[0]), root / file)


def test_every_package_of_a_font_is_installed_with_the_lab():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {re.split("[ <>=~;]", package)[0] for package in settings["project"]["dependencies"]}
    assert {font.package for font in FONTS if font.package} <= needed


@pytest.mark.parametrize(
    ("record", "remedy"),
    [
        ("package: slides\n    " + FACES % "slides/sim/mine.ttf", "`file: fonts/mine.ttf`"),
        (FACES % "../slides/sim/mine.ttf", f"Put the file of {TEXT.family} below data/"),
        (FACES % "fonts/nobody.ttf", f"Put the file of {TEXT.family} below data/"),
    ],
)
def test_a_font_that_the_package_would_lack_is_refused_by_name(record: str, remedy: str, fork: Path):
    with_font(fork, record, "slides/sim/mine.ttf")
    done = run(fork, "-c", "import figures.kit.style")
    assert done.returncode and "data/theme.yml, fonts: " in done.stderr and remedy in done.stderr


def test_a_font_of_one_s_own_is_there_in_the_checkout_and_far_from_it(fork: Path):
    with_font(fork, FACES % "fonts/mine.ttf", "data/fonts/mine.ttf")
    assert run(fork, "-c", WHERE).stdout.strip() == str(fork / "data" / "fonts" / "mine.ttf")
    built = run(fork, "-m", "hatchling", "build", "--target", "wheel", "--directory", "dist")
    assert built.returncode == 0, built.stderr
    far = fork.parent / "far"
    (wheel,) = (fork / "dist").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(far / "site")
    done = run(far, "-c", WHERE, PYTHONPATH=str(far / "site"))
    assert done.stdout.strip() == str(far / "site" / "figures" / "data" / "fonts" / "mine.ttf"), done.stderr

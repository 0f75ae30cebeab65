"""What is kept between renders: found again only where nothing that it comes from has changed, and never believed when damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from base import kept as store
from base.html_tree import parse
from base.kept import kept
from page import fonts

from figures.kit import files


@pytest.fixture(autouse=True)
def a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "ROOT", tmp_path)


class Maker:
    """Gives another content each time that it is asked, and counts."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> bytes:
        self.asked += 1
        return f"content {self.asked}".encode()


def test_the_same_inputs_are_made_once() -> None:
    make = Maker()
    assert [kept("a", [b"x", b"y"], ["numpy"], make) for _ in range(3)] == [b"content 1"] * 3
    assert make.asked == 1


@pytest.mark.parametrize(
    "other", [("b", [b"x", b"y"], ["numpy"]), ("a", [b"xy"], ["numpy"]), ("a", [b"y", b"x"], ["numpy"]), ("a", [b"x", b"y"], [])]
)
def test_whatever_differs_is_made_for_itself(other: tuple[str, list[bytes], list[str]]) -> None:
    make = Maker()
    kept("a", [b"x", b"y"], ["numpy"], make)
    assert kept(*other, make) == b"content 2"


def test_another_version_of_a_package_makes_it_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    kept("a", [b"x"], ["numpy"], make)
    monkeypatch.setattr(store, "version", lambda package: "0")
    assert kept("a", [b"x"], ["numpy"], make) == b"content 2"


@pytest.mark.parametrize("damage", [lambda content: content[:-1], lambda content: b"", lambda content: content[:40] + b"!" + content[41:]])
def test_a_damaged_file_is_made_again(damage) -> None:
    make = Maker()
    kept("a", [b"x"], [], make)
    (file,) = store.folder().iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert kept("a", [b"x"], [], make) == b"content 2"
    assert kept("a", [b"x"], [], make) == b"content 2"


def test_what_was_not_used_for_long_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST", 3)
    for n in range(6):
        kept("a", [bytes([n])], [], Maker())
        kept("a", [bytes([0])], [], Maker())
    assert len(list(store.folder().iterdir())) <= 4
    make = Maker()
    kept("a", [bytes([0])], [], make)
    assert make.asked == 0


def test_a_folder_that_takes_nothing_costs_only_the_time(tmp_path: Path) -> None:
    (tmp_path / ".cache").write_text("a file, where the folder belongs")
    assert kept("a", [b"x"], [], lambda: b"made") == b"made"


def test_a_font_s_cut_is_that_of_its_characters() -> None:
    """What comes from the store is what would be cut anew, and another character is another cut."""
    first, again, other = (fonts.font_faces(f"<p>{text}</p>") for text in ("ação", "ação", "ação ≥ ć"))
    assert first == again != other
    assert "≥" in fonts.characters(parse("<p>≥</p>"))[0]
    for file in store.folder().iterdir():
        file.unlink()
    assert fonts.font_faces("<p>ação</p>") == first

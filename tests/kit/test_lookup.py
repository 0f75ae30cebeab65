"""A number's short name leads back to what made it: the same value again, its code, the lines of data it read; or a word on why not."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rendering import first

from figures.kit import ledger, lookup, project
from figures.kit.entry import Ledger
from figures.kit.errors import Problem

command = importlib.import_module("figures.__main__")
CHOSEN = {"what": "number", "kind": "computed", "unit": "", "format": "f", "arguments": [], "line": 1, "data": [], "records": [],
          "fields": [], "seeds": [], "note": "", "notes": False, "text": "2", "value": 2}  # fmt: skip


def entry(n: int, slide: int, name: str, **other: Any) -> dict[str, Any]:
    place = {"n": n, "slide": {"id": f"s{slide}", "number": slide}, "name": name}
    return CHOSEN | place | {"id": "deck.slide():f", "function": "deck.slide", "file": "figures/kit/deck.py"} | other


def written(folder: Path, *entries: dict[str, Any]) -> str:
    (file := folder / "a.ledger.json").write_text(json.dumps({"version": 1, "page": "a.html", "entries": list(entries)}), encoding="utf-8")
    return str(file)


@pytest.mark.pages
def test_every_name_of_a_page_is_its_own_and_counts_on_its_slide(deck_file: Path):
    entries = msgspec.json.decode(deck_file.with_suffix(".ledger.json").read_bytes(), type=Ledger).entries
    for slide in {one.slide.number for one in entries}:
        names = [one.name for one in entries if one.slide.number == slide]
        assert names == [f"{slide}.{n}" for n in range(1, len(names) + 1)]
    assert {(one.n, one.name) for one in lookup.read(deck_file)} == {(one.n, one.name) for one in entries}


@pytest.mark.pages
def test_what_is_computed_again_is_what_the_page_shows(deck_file: Path, capsys: pytest.CaptureFixture[str]):
    """The shortest calls of each kind, a few a kind: all of a large deck's take a minute."""
    every = [one for one in lookup.read(deck_file) if one.kind == "computed"]
    for what in {one.what for one in every}:
        for one in sorted((one for one in every if one.what == what), key=lambda one: len(one.fields))[:3]:
            assert lookup.computed(one).value == one.value, one.id
    number = next(one for one in every if one.what == "number" and one.fields)
    assert command.main([number.name, "--page", str(deck_file)]) == 0
    said = capsys.readouterr().out
    assert number.call in said and lookup.code(number).strip() in said and f"data/{number.fields[0].partition(':')[0]}:" in said
    assert all((place := line.split(None, 1))[1] in (lookup.files.ROOT / place[0].rpartition(":")[0]).read_text(encoding="utf-8")
               for line in lookup.data(number))  # fmt: skip


@pytest.mark.pages
def test_a_page_is_named_as_its_file_is(deck_file: Path):
    name = lookup.read(deck_file)[0].name
    assert lookup.found(name, deck_file.stem) == lookup.found(name, str(deck_file.with_suffix(".ledger.json")))
    assert project.page(first("revealjs")) == deck_file
    with pytest.raises(Problem, match=f"--page gone: there is no such page; there are .*{deck_file.stem}"):
        lookup.found(name, "gone")


def test_a_name_that_is_none_is_told_which_there_are(tmp_path: Path):
    page = written(tmp_path, entry(1, 14, "14.1"), entry(2, 14, "14.2"))
    assert lookup.found("14.2", page)[0].n == 2
    with pytest.raises(Problem, match=r"a.ledger.json, 14.7: no such short name: slide 14 has 14.1 to 14.2"):
        lookup.found("14.7", page)
    with pytest.raises(Problem, match=r"no such short name: it has 14.1 to 14.2"):
        lookup.found("seven", page)
    old = {key: value for key, value in entry(1, 1, "1.1").items() if key != "name"}
    with pytest.raises(Problem, match="older than short names"):
        lookup.found("1.1", written(tmp_path, old))


@pytest.mark.parametrize(
    ("text", "fault"),
    [("{", "its ledger is not JSON"), ("[]", "its ledger has version None"), ('{"version": 2}', "its ledger has version 2")],
)
def test_a_ledger_cut_off_is_told(text: str, fault: str, tmp_path: Path):
    (file := tmp_path / "a.ledger.json").write_text(text, encoding="utf-8")
    with pytest.raises(Problem, match=fault):
        lookup.found("1.1", str(file))
    (page := tmp_path / "a.html").write_text("<p>no ledger</p>", encoding="utf-8")
    with pytest.raises(Problem, match="keeps no ledger.*\n.*--page FILE"):
        lookup.found("1.1", str(page))


def test_where_nothing_was_rendered_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(lookup, "_kept", list)
    assert command.main(["14.7"]) == 1
    assert "there is no ledger here" in (said := capsys.readouterr().err) and "make deck" in said


@pytest.mark.parametrize(
    "other",
    [
        {"file": "figures/../../etc/passwd.py"},
        {"file": "os.py", "function": "os.system", "id": "os.system('echo'):f"},
        {"function": "deck.gone", "id": "deck.gone():f"},
        {"id": "__import__('os').system('true') or deck.slide():f"},
        {"id": "deck.slide(__import__('os').getcwd()):f"},
    ],
)
def test_a_ledger_from_elsewhere_runs_nothing_of_its_own(other: dict[str, Any], tmp_path: Path):
    held, _ = lookup.found("1.1", written(tmp_path, entry(1, 1, "1.1", **other)))
    before = ledger.entries()
    with pytest.raises((Problem, ValueError)):
        lookup.computed(held)
    assert ledger.entries() == before


def test_what_can_t_be_computed_here_is_told_with_the_reason(tmp_path: Path):
    """A slide's number is known only of a document that is there."""
    held, page = lookup.found("1.1", written(tmp_path, entry(1, 1, "1.1", id="deck.slide('gone'):f")))
    told = "\n".join(lookup.report(held, page))
    assert "gone" in told.partition("\n")[2] and lookup.code(held).rstrip() in told
    assert lookup._words("lookup.elsewhere", reason="")[:12] in told

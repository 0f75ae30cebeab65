"""What an edit did, told from two ledgers; refs are built aside, and the checkout is left as it is."""

from __future__ import annotations

import copy
import json
import subprocess
from pathlib import Path
from typing import Any

import entries
import pytest
from proof import diff
from proof.differences import Change, compare

from figures.kit.errors import Problem


def entry(id: str, value: Any, text: str, **more: Any) -> dict[str, Any]:
    return entries.PLACE | entries.entry(1, id=id, value=value, text=text, **more)


def table(texts: list[list[str]], rows: list[list[Any]], **more: Any) -> dict[str, Any]:
    return entry("x.t()", entries.cells(texts, rows, ("nome", "peso")), "", what="table", **more)


def figure(line: list[list[float]], texts: list[str]) -> dict[str, Any]:
    return entry("x.f()", entries.drawing([line], texts), "alt", what="figure")


def changes(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[Change]:
    return list(compare(entries.records(*old), entries.records(*new)))


def test_the_same_ledger_twice_has_no_difference() -> None:
    page = [entry("x.a()", 1, "1"), table([["a", "1"]], [["a", 1.0]]), figure([[0, 1]], ["1"])]
    assert changes(page, copy.deepcopy(page)) == []
    assert "nothing changed" in diff.as_text({"a.html": []}, "A", "B")


def test_a_number_tells_slide_old_and_new() -> None:
    assert changes([entry("x.a()", 0.62, "0,62")], [entry("x.a()", 0.7, "0,70")]) == [
        Change("numbers", "2 sec-um", "x.a()", "0,62", "0,70")
    ]


def test_a_number_that_only_rounds_to_the_same_is_told_raw() -> None:
    (change,) = changes([entry("x.a()", 0.621, "0,62")], [entry("x.a()", 0.622, "0,62")])
    assert (change.old, change.new) == ("0,62 (0.621)", "0,62 (0.622)")


def test_what_comes_and_goes() -> None:
    found = changes([entry("x.a()", 1, "1")], [entry("x.b()", 2, "2")])
    assert [(change.what, change.old, change.new) for change in found] == [("x.a() (number)", "1", "—"), ("x.b() (number)", "—", "2")]


def test_a_table_by_its_cells() -> None:
    old, new = table([["a", "1"], ["b", "2"]], [["a", 1.0], ["b", 2.0]]), table([["a", "1"], ["b", "3"]], [["a", 1.1], ["b", 3.0]])
    assert [(change.what, change.old, change.new) for change in changes([old], [new])] == [
        ("x.t(), row 1, peso", "1 (1.0)", "1 (1.1)"),
        ("x.t(), row 2, peso", "2", "3"),
    ]
    (longer,) = changes([old], [table([["a", "1"], ["b", "2"], ["c", "3"]], [["a", 1.0], ["b", 2.0], ["c", 3.0]])])
    assert (longer.what, longer.old, longer.new) == ("x.t(), rows", "2", "3")


def test_a_figure_by_its_data_and_its_texts() -> None:
    found = changes([figure([[0, 1], [1, 2]], ["a"])], [figure([[0, 1], [1, 2.5]], ["b"])])
    assert [change[2:] for change in found] == [("x.f(), axes 1, lines: 1 of 4 numbers, the most", "2", "2.5"), ("x.f(), text", "a", "b")]
    more = changes([figure([[0, 1]], ["0", "1", "eixo", "8"])], [figure([[0, 1]], ["0", "1", "2", "eixo", "9"])])
    assert [change[3:] for change in more] == [("—", "2"), ("8", "9")], "what follows a text that came is not told as changed"
    (longer,) = changes([figure([[0, 1]], [])], [figure([[0, 1], [2, 3]], [])])
    assert longer[2:] == ("x.f(), axes 1, lines", "2 numbers", "4 numbers")


def simulator(text: str = "Simulador", **state: Any) -> dict[str, Any]:
    return entry(
        "x.s()", {"opening": {"model": "8B", "causal": True} | state, "result": {"cache": 1.0}, "offered": "1a"}, text, what="simulator"
    )


def test_a_simulator_by_the_words_and_switches_it_opens_with_and_by_what_it_offers() -> None:
    old = simulator()
    assert [change[2:] for change in changes([old], [simulator(model="70B", causal=False)])] == [
        ("x.s(), opening.model", "8B", "70B"),
        ("x.s(), opening.causal", "true", "false"),
    ]
    menu = copy.deepcopy(old)
    menu["value"]["offered"] = "2b"
    assert [change[2:] for change in changes([old], [menu])] == [("x.s(), what it offers and says", "1a", "2b")]
    assert [change[2:] for change in changes([old], [simulator("Outro")])] == [("x.s(), text in its place", "Simulador", "Outro")]


def test_a_caption_and_an_alternative_text_alone() -> None:
    old, captioned, told = figure([[0, 1]], ["1"]), figure([[0, 1]], ["1"]), figure([[0, 1]], ["1"])
    captioned["value"]["caption"] = "Até 8"
    told["text"] = "outro"
    assert [change[2:] for change in changes([old], [captioned])] == [("x.f(), text", "—", "Até 8")]
    assert [change[2:] for change in changes([old], [told])] == [("x.f(), text in its place", "alt", "outro")]
    long = [figure([[0, 1]], []) | {"text": "uma curva " * 20 + end} for end in ("sobe", "desce")]
    (change,) = changes(long[:1], long[1:])
    assert change.old.endswith("curva sobe") and change.new.endswith("curva desce"), "a long text is told from where it parts"


def test_a_kind_and_a_unit_alone() -> None:
    old = entry("x.a()", 1, "1", unit="ms")
    assert [change[2:] for change in changes([old], [old | {"unit": "s"}])] == [("x.a(), unit", "ms", "s")]
    assert [change[2:] for change in changes([old], [old | {"kind": "recorded"}])] == [("x.a(), kind", "computed", "recorded")]
    cells = table([["a", "1"]], [["a", 1.0]])
    other = copy.deepcopy(cells)
    other["value"]["columns"][1]["unit"] = "ms"
    assert [change[2:] for change in changes([cells], [other])] == [("x.t(), units", " | ", " | ms")]


def test_what_is_shown_on_another_slide_once_more_or_in_the_notes() -> None:
    old, elsewhere = entry("x.a()", 1, "1"), entry("x.a()", 1, "1", slide={"id": "sec-dois", "number": 3})
    there = [entry("x.b()", 2, "2", slide={"id": "sec-dois", "number": 3}), entry("x.d()", 2, "2")]
    assert changes([old, *there], [elsewhere, *there]) == [Change("moved", "3 sec-dois", "x.a()", "sec-um", "sec-dois")]
    assert [change[2:] for change in changes([old, *there], [old, elsewhere, *there])] == [("x.a()", "sec-um", "sec-um, sec-dois")]
    assert [change[2:] for change in changes([old], [old | {"notes": True}])] == [("x.a()", "sec-um", "sec-um (notes)")]
    said = claim("Sobe.", x=1)
    (moved,) = changes([said, *there], [said | {"slide": {"id": "sec-dois", "number": 3}}, *there])
    assert moved[2:] == ("“Sobe.” (x.c())", "sec-um", "sec-dois")


def claim(text: str, **values: Any) -> dict[str, Any]:
    return entry("x.c()", values, text, what="claim")


def test_claims_failing_gone_and_rewritten() -> None:
    (failing,) = changes([claim("Sobe.", x=1)], [claim("Sobe.", x=-1, holds=False)])
    assert failing.section == "failing" and failing.what == "“Sobe.” (x.c())" and failing.new == "x = -1"
    (gone,) = changes([claim("Sobe.", x=1)], [])[:1]
    assert (gone.section, gone.old, gone.new) == ("claims", "checked", "—")
    (rewritten,) = changes([claim("Sobe.", x=1)], [claim("Cresce.", x=1)])
    assert (rewritten.old, rewritten.new) == ("“Sobe.”", "“Cresce.”")
    (mended,) = changes([claim("Sobe.", x=1, holds=False)], [claim("Sobe.", x=1)])
    assert mended.new == "holds"


def test_a_claim_gone_from_one_of_its_two_sentences() -> None:
    (gone,) = changes([claim("Sobe.", x=1), claim("Cresce.", x=1)], [claim("Sobe.", x=1)])
    assert gone[2:] == ("“Cresce.” (x.c())", "checked", "—")


def test_a_fact_whose_source_changed_alone_or_in_a_table() -> None:
    (change,) = changes([entry("x.a()", 1, "1", kind="fact", note="A, 2023")], [entry("x.a()", 1, "1", kind="fact", note="B, 2024")])
    assert (change.section, change.old, change.new) == ("sources", "A, 2023", "B, 2024")
    old, new = ([["a", {"value": 1, "kind": "fact", "note": note}]] for note in ("A", "B"))
    (inside,) = changes([table([["a", "1"]], old)], [table([["a", "1"]], new)])
    assert (inside.section, inside.old, inside.new) == ("sources", "A", "B")


def test_a_measurement_is_told_with_where_it_was_made() -> None:
    (change,) = changes([entry("x.m()", 1, "1", kind="measured", note="one")], [entry("x.m()", 2, "2", kind="measured", note="two")])
    assert (change.section, change.old, change.new) == ("measured", "1 (one)", "2 (two)")


def test_slides_that_move() -> None:
    found = changes([entry("x.a()", 1, "1")], [entry("x.a()", 1, "1", slide={"id": "sec-um", "number": 5})])
    assert found == [Change("slides", "5 sec-um", "number", "2", "5")]


def test_markdown_keeps_its_cells_apart() -> None:
    found = {"a.html": [Change("numbers", "2 sec-um", "x.a()", "a|b", "c")]}
    text = diff.as_markdown(found, "A", "B")
    assert "| 2 sec-um | x.a() | a\\|b | c |" in text and "**Numbers and words**" in text and "1 change\n" in text


# Where builds come from


def written(folder: Path, name: str, *made: dict[str, Any]) -> Path:
    file = folder / name
    file.write_text(json.dumps({"version": 1, "page": "a.html", "entries": made}), encoding="utf-8")
    return file


def silent(text: str) -> None: ...


def test_two_ledger_files(tmp_path: Path) -> None:
    one, other = written(tmp_path, "1.json", entry("x.a()", 1, "1")), written(tmp_path, "2.json", entry("x.a()", 2, "2"))
    assert "slide 2 sec-um  x.a()  1 → 2" in diff.run(str(one), str(other), False, tmp_path, silent)


@pytest.mark.parametrize(
    ("content", "part"), [("{", "not JSON"), ('{"version": 9}', "version 9"), ('{"version": 1, "entries": [{}]}', "entry 1")]
)
def test_a_broken_ledger_is_named(tmp_path: Path, content: str, part: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(Problem, match=part):
        diff.run(str(file), str(file), False, tmp_path, silent)


def test_a_ledger_that_is_not_there_and_a_ref_that_git_does_not_know(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    with pytest.raises(Problem, match="no such ledger"):
        diff.run("nowhere.json", "nowhere.json", False, tmp_path, silent)
    with pytest.raises(Problem, match="has no name"):
        diff.run("", ".", False, tmp_path, silent)
    for ref in ("no-such-branch", "--all", "HEAD~99"):
        with pytest.raises(Problem, match="git knows no such commit"):
            diff.run(ref, "HEAD", False, tmp_path, silent)


def test_outside_a_repository(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="not a git repository"):
        diff.run("HEAD", ".", False, tmp_path, silent)


def test_pages_without_one_in_common(tmp_path: Path) -> None:
    one = written(tmp_path, "1.json")
    other = tmp_path / "2.json"
    other.write_text(json.dumps({"version": 1, "page": "b.html", "entries": []}), encoding="utf-8")
    with pytest.raises(Problem, match="no page in common"):
        diff.run(str(one), str(other), False, tmp_path, silent)

"""A numeral that is declared is no stray: each declaration is needed, in its place, small and with a reason."""

from __future__ import annotations

from pathlib import Path

import entries
import pytest
from proof import audit, excuses, source_numbers
from proof.excuses import Declared
from typed import found, planted

from figures.kit import data, files, project
from figures.kit.entry import Entry, Ledger
from figures.kit.errors import DataError
from figures.kit.files import ROOT

OF_THE_KIT = ("figures/kit/", "figures/__main__.py", "slides/theme/", "slides/sim/kit/", "build/")


def declared(text: str, kind: str = "wording", place: str = "sec-a", file: str = "slides/a.qmd", reason: str = "um motivo") -> Declared:
    return Declared(file=file, place=place, text=text, kind=kind, reason=reason)  # type: ignore[arg-type]


def number(value: object, text: str, **more) -> Entry:
    (made,) = entries.records(entries.entry(1, id="t.f()", value=value, text=text) | more)
    return made


def table(id: str, rows: list, texts: list) -> Entry:
    return number(entries.cells(texts, rows), "", id=id, what="table")


def fault(root: Path, *declarations: Declared, shown: dict | None = None) -> str:
    (stray,) = found(root, *declarations, shown=shown)
    assert stray.file == "data/declared.yml"
    return str(stray)


def test_a_declared_numeral_is_no_stray(root):
    planted(root, "slides/a.qmd", "uma linha só", "duas linhas só")
    assert found(root, declared("duas linhas")) == []


def test_a_declaration_covers_its_own_place_only(root):
    planted(root, "slides/a.qmd", "1. Um item", "## Outra {#sec-b}\n\n- são duas linhas\n\n1. Um item")
    planted(root, "slides/a.qmd", "uma linha só", "são duas linhas só")
    (stray,) = found(root, declared("duas linhas"))
    assert stray.line == 22 and "sec-b" in str(stray)


def test_what_matches_nothing_any_more_stops_nobody_and_is_told_at_once(root, monkeypatch):
    """A fork that took slides out learns in one message which lines to delete."""
    planted(root, "slides/a.qmd", "uma linha só", "duas linhas só")
    write(root, monkeypatch, "duas linhas", "sete linhas", "nove linhas")
    texts = source_numbers.typed(root)
    assert found(root, *excuses.declarations(), declared("two lines", file="slides/en/gone.qmd")) == []
    gone = excuses.stale(texts, excuses.declarations())
    assert [one.text for one in gone] == ["sete linhas", "nove linhas"]
    told = audit.told_of_stale(gone)
    assert told.startswith("2 declarations match nothing any more (data/declared.yml, lines 4, 6)") and "--drop-stale" in told


def test_stale_declarations_are_taken_out_and_nothing_else(root, monkeypatch):
    planted(root, "slides/a.qmd", "uma linha só", "duas linhas só")
    file = write(root, monkeypatch, "duas linhas", "sete linhas", "nove linhas")
    before = file.read_text(encoding="utf-8").split("\n")
    assert "2 declarations taken out" in audit.drop_stale(root)
    assert file.read_text(encoding="utf-8").split("\n") == [line for line in before if "sete" not in line and "nove" not in line]
    assert "0 declarations taken out" in audit.drop_stale(root)


def test_a_line_is_drafted_for_what_is_typed_and_its_reason_is_the_author_s_to_give(root, monkeypatch):
    planted(root, "slides/a.qmd", "uma linha só", "três linhas d'água, e três só, num CD")
    file = write(root, monkeypatch)
    assert ["read as the Roman numeral 400" in str(stray) for stray in found(root)] == [False, False, True]
    assert audit.declare(root).startswith("data/declared.yml: 3 lines added, each without its reason")
    with pytest.raises(DataError, match=r"declared.yml:\d+, \[0\].reason: nothing stands here"):
        excuses.declarations()
    file.write_text(file.read_text(encoding="utf-8").replace("reason: ''", "reason: um motivo"), encoding="utf-8")
    data.forget()
    assert found(root, *excuses.declarations()) == []
    assert [one.text for one in excuses.declarations()] == ["e três linhas", "e três só,", "CD"]
    assert audit.declare(root) == "data/declared.yml: 0 lines added"


@pytest.mark.parametrize("content", ["", "# Só um comentário\n", "[]\n", None])
def test_nothing_need_be_declared(content, root, monkeypatch):
    file = write(root, monkeypatch)
    file.unlink() if content is None else file.write_text(content, encoding="utf-8")
    data.forget()
    assert excuses.declarations() == ()


def test_what_the_kit_declares_for_itself_explains_its_numerals_and_a_lecture_s_own_list_may_be_empty(root, monkeypatch):
    planted(root, "slides/a.qmd", "uma linha só", "a terceira linha só")
    file = write(root, monkeypatch, "a terceira linha")
    file.rename(file.with_name("declared_kit.yml"))
    data.forget()
    (kept,) = excuses.declarations(excuses.OF_THE_KIT)
    assert excuses.declarations() == () and found(root, kept) == []
    (fault,) = found(root, kept, shown={("slides/a.qmd", "sec-a"): [number(3, "três")]})
    assert (fault.file, fault.line) == ("data/declared_kit.yml", 2)


def write(root: Path, monkeypatch: pytest.MonkeyPatch, *texts: str) -> Path:
    """data/declared.yml with a record for each text, a remark before and after the first."""
    lines = [f"- {{file: slides/a.qmd, place: sec-a, text: {text}, kind: wording, reason: x}}" for text in texts]
    file = root / "data" / "declared.yml"
    file.write_text("\n".join(["# Do deck", *lines[:1], "# Outros", *lines[1:2], "", *lines[2:], ""]), encoding="utf-8")
    monkeypatch.setattr(files, "folder", lambda: root / "data")
    data.forget()
    return file


def test_a_number_that_happens_to_be_as_much_is_named_as_another(root):
    """“Dois passos” in a title, where the slide shows another two: the way out says which value it is not."""
    planted(root, "slides/a.qmd", "uma linha só", "dois passos só")
    shown = {("slides/a.qmd", "sec-a"): [number(2, "dois")]}
    assert "or add `other_than: [t.f()]`" in fault(root, declared("dois passos"), shown=shown)
    assert found(root, other_than("t.f()"), shown=shown) == []
    assert "`other_than` names t.g(), which this slide doesn't show" in fault(root, other_than("t.f()", "t.g()"), shown=shown)
    both = {("slides/a.qmd", "sec-a"): [number(2, "dois"), number(2, "2", id="t.h()")]}
    assert "t.h() = 2" in fault(root, other_than("t.f()"), shown=both)


def other_than(*calls: str) -> Declared:
    return Declared(file="slides/a.qmd", place="sec-a", text="dois passos", kind="wording", reason="os da lista", other_than=calls)


def test_a_sentence_that_does_not_hold_is_a_fault_of_its_page():
    """A page made with CLAIMS=note has it, and is no page to show."""
    held, failed = (
        number({"a": 1} | more, "A soma é zero.", what="claim", id=f"t.{name}()") for name, more in (("one", {}), ("two", {"holds": False}))
    )
    pages = {Path("a.html"): (Ledger(version=1, page="a.html", entries=[held, failed]), frozenset[str]())}
    (stray,) = audit.unborne(pages)
    assert "“A soma é zero.” does not hold (t.two())" in str(stray)


def test_a_declaration_that_matches_twice_is_an_error_but_a_name_may_recur(root):
    planted(root, "slides/a.qmd", "Nada aqui", "O GPT-2 e o GPT-2, duas vezes, duas vezes")
    names = declared("GPT-2", "name")
    assert "stands there 2 times" in fault(root, names, declared("duas vezes"))


def test_a_declaration_whose_numeral_the_ledger_has_is_an_error(root):
    planted(root, "slides/a.qmd", "uma linha só", "duas linhas só")
    shown = {("slides/a.qmd", "sec-a"): [number(2, "2")]}
    assert "is a value of the ledger on this slide (t.f() = 2)" in fault(root, declared("duas linhas"), shown=shown)
    powers = [number(2e-9, "2 × 10⁻⁹")]
    elsewhere = {
        ("slides/a.qmd", "sec-b"): [number(2, "2")],
        ("slides/b.qmd", "sec-a"): [number(2, "2")],
        ("slides/a.qmd", "sec-a"): powers,
    }
    assert found(root, declared("duas linhas"), shown=elsewhere) == []
    plain = table("t.g()", [["a", 2.0]], [["a", "2,0"]])
    assert "t.g() = a cell" in fault(root, declared("duas linhas"), shown={("slides/a.qmd", "sec-a"): [plain]})
    known = table("t.h()", [[{"value": 2, "kind": "fact", "note": "x"}]], [["2"]])
    assert "t.h() = a cell" in fault(root, declared("duas linhas"), shown={("slides/a.qmd", "sec-a"): [known]})
    word = number(0, "duas vezes", what="word")
    assert "t.f() = duas vezes" in fault(root, declared("duas linhas"), shown={("slides/a.qmd", "sec-a"): [word]})
    truth = table("t.i()", [[True]], [["sim"]])
    names = [number(0, "SmolLM2", what="word"), truth]
    assert found(root, declared("duas linhas"), shown={("slides/a.qmd", "sec-a"): names}) == []


def test_a_declaration_needs_a_numeral_and_a_reason(root):
    assert "declares no numeral" in fault(root, declared("uma linha só"))
    planted(root, "slides/a.qmd", "uma linha só", "duas linhas só")
    assert "gives no reason" in fault(root, declared("duas linhas", reason=" "))


def test_a_symbol_stands_in_a_formula_and_is_small(root):
    planted(root, "slides/a.qmd", "basta", "basta: $n^2$ e $x = 7$ e 2 vezes")
    square, seven, prose = declared("n^2", "symbol"), declared("x = 7", "symbol"), declared("2 vezes", "symbol")
    told = [str(stray) for stray in found(root, square, seven, prose)]
    assert len(told) == 2 and "those are 0, 1 and 2" in told[0] and "stands in no formula" in told[1]
    assert found(root, square, declared("x = 7"), declared("2 vezes")) == []
    formula = {("slides/a.qmd", "sec-a"): [number(2, "2", what="formula")]}
    others = declared("x = 7"), declared("2 vezes", "name")
    assert "is a value" not in str(found(root, square, *others, shown=formula)), "an exponent is no amount of its own"
    planted(root, "slides/a.qmd", "$n^2$", "$n^2$ e $d_k = 2$")
    assert "is a value of the ledger" in str(found(root, square, declared("d_k = 2", "symbol"), *others, shown=formula))


def test_a_displayed_formula_may_fill_lines_of_its_own(root):
    planted(root, "slides/a.qmd", "1. Um item", "$$\nn^2\n$$\n\n1. Um item")
    assert found(root, declared("n^2", "symbol")) == []


def test_a_name_starts_each_of_its_words_with_a_letter(root):
    planted(root, "slides/a.qmd", "basta", "basta ao GPT-2, com 7 camadas")
    assert found(root, declared("GPT-2", "name"), declared("7 camadas")) == []
    assert "is no name" in str(found(root, declared("GPT-2", "name"), declared("7 camadas", "name"))[0])


def test_a_template_is_held_against_the_slides_that_show_it():
    one = declared("duas linhas", file="data/words/pt/t.yml", place="caption")
    told = number("", "Legenda: duas linhas", what="word", data=["words/pt/t.yml"])
    value, other = number(2, "2"), number(2, "2", slide={"id": "sec-b", "number": 3})
    assert audit.beside(one, [told, value, other]) == [told, value]
    assert audit.beside(one, [value, other]) == []


def test_a_variable_of_the_course_is_an_input(root):
    planted(root, "slides/a.qmd", "Um título", "{{< var course >}} e {{< var year >}}")
    front = next(text for text in source_numbers.typed(root) if text.line == 2)
    assert front.variables == ("course", "year") and found(root) == []


@pytest.mark.parametrize("tag", sorted(file.stem for file in (ROOT / "data" / "languages").glob("*.yml")))
def test_what_the_kit_brings_is_clean_whatever_language_a_project_speaks(tag, monkeypatch):
    data.forget()  # other tests declare for themselves
    monkeypatch.setattr(project, "language", lambda: tag)
    monkeypatch.setattr(project, "documents", lambda root=None: [])
    texts = [text for text in source_numbers.typed(ROOT) if text.file.startswith(OF_THE_KIT)]
    assert texts and excuses.strays(texts, excuses.declarations(excuses.OF_THE_KIT), {}) == []


def test_a_text_that_the_kit_shows_is_read_all_the_same(root):
    (root / "figures" / "kit").mkdir()
    code = 'HELP = "são três coisas"\n\n\ndef drawn(axes):\n    axes.text(0, 3, "são sete")\n'
    (root / "figures" / "kit" / "k.py").write_text(code, encoding="utf-8")
    assert [stray.text for stray in found(root)] == ["sete"]

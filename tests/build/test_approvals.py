"""What a page says is cut into sentences with their calls and claims, and held against what was approved."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import approved
import entries
import own_data
import pytest
from hypothesis import given
from hypothesis import strategies as st
from proof import approve, approved_text, made_of, sentences
from proof.approved_text import Line
from proof.sentences import Sentence

from figures.kit import ledger as kit_ledger
from figures.kit.entry import Ledger
from figures.kit.errors import Problem

HERE = {"slide": {"id": "sec-a", "number": 1}}
PAGE = """<html><head><title>T</title></head><body><section id="sec-a" class="slide"><h2>Pesos</h2>
<ul><li>O maior é <span class="n" data-n="1">0,62</span>. Um só se destaca. <span class="n claim" data-n="2"></span></li>
<li>Sem nada.<ul><li>por baixo</li></ul></li></ul>
<div data-n="3"><table><tr><th>token</th><th>peso</th></tr><tr><td>a</td>
<td><span class="n" data-n="3-1-2">7 ms</span></td></tr></table></div>
<p>Em <math><mi>x</mi><annotation>x = \\text{9}</annotation><mtext data-n="4">9</mtext></math>, <a href="#" title="a fonte">veja</a>.</p>
<div data-n="5"><svg role="img" aria-label="Uma curva. Ela cai."><text>10<tspan>−3</tspan></text><text>256</text></svg></div>
<pre><code>a = 1
if a:
    b = 2
</code></pre>
<aside class="notes"><p>Diga <span class="n" data-n="6">8 ms</span>.</p></aside></section>
<section id="sec-b"><h2>Outro</h2><script type="application/json" class="sim-params">{"name": "s", "words": {"on": "ligado"},
"golden": [{"state": {"f": "c"}}], "data": {"lines": ["x"], "models": ["A", "B"]}}</script></section></body></html>"""


def made(*changes: tuple[str, str]) -> list[Sentence]:
    """The sentences of the page, texts of it put for others."""
    page = PAGE
    for old, new in changes:
        assert old in page
        page = page.replace(old, new)
    return sentences.of_page(page, LEDGER)


def one(n: int, call: str, **others: Any) -> dict[str, Any]:
    return entries.entry(n, id=call, format="", function=call.partition("(")[0], **HERE, **others)


TABLE = entries.cells([["a", "7 ms"]], [["a", {"value": 7, "kind": "measured", "note": "a machine"}]], ["token", "peso"])
LEDGER = Ledger(
    version=1,
    page="a.html",
    entries=entries.records(
        one(1, "t.largest()", fields=["a.yml:first.b"], data=["a.yml"]),
        one(2, "t.stands_out()", what="claim", value={"weight": 0.62}, text="Um só se destaca."),
        one(3, "t.rows()", what="table", text="", value=TABLE),
        one(4, "t.x()", what="formula", text="9"),
        one(5, "t.curve()", what="figure", text="Uma curva. Ela cai.", value=entries.drawing(texts=["10−3", "256"])),
        one(6, "t.time()", kind="measured", text="8 ms"),
    ),
)


def test_a_page_by_hand() -> None:
    assert made() == [
        Sentence("sec-a", "title", "Pesos"),
        Sentence("sec-a", "text", "O maior é 0,62.", ("t.largest()",)),
        Sentence("sec-a", "text", "Um só se destaca.", (), ("t.stands_out()",)),
        Sentence("sec-a", "text", "Sem nada."),
        Sentence("sec-a", "text", "por baixo"),
        Sentence("sec-a", "table", "token | peso", ("t.rows()",)),
        Sentence("sec-a", "table", f"a | {sentences.MEASURED}"),
        Sentence("sec-a", "text", "Em $x = \\text{9}$, [a fonte]veja.", ("t.x()",)),
        Sentence("sec-a", "alt", "Uma curva.", ("t.curve()",)),
        Sentence("sec-a", "alt", "Ela cai."),
        Sentence("sec-a", "picture", "10−3 | 256"),
        Sentence("sec-a", "code", "a = 1"),
        Sentence("sec-a", "code", "if a:"),
        Sentence("sec-a", "code", "    b = 2"),
        Sentence("sec-a", "note", f"Diga {sentences.MEASURED}.", ("t.time()",)),
        Sentence("sec-b", "title", "Outro"),
        Sentence("sec-b", "simulator", "name: s"),
        Sentence("sec-b", "simulator", "words.on: ligado"),
        Sentence("sec-b", "simulator", "data.models: A | B"),
    ]


def test_what_was_measured_may_change_and_nothing_else() -> None:
    assert made(("7 ms", "9 ms"), ("8 ms", "1 h")) == made()
    for change in (("0,62", "0,26"), ("token", "tokens"), ("10<tspan>−3", "10<tspan>−2"), ("Diga", "Não diga"), ('"A"', '"C"')):
        assert made(change) != made(), change


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Uma. Duas! Três? “Quatro.” Cinco…", ["Uma.", "Duas!", "Três?", "“Quatro.”", "Cinco…"]),
        ("Vale 0,5. e segue, p. ex. assim.", ["Vale 0,5. e segue, p. ex. assim."]),
        ("Disse “É.” Depois saiu.", ["Disse “É.”", "Depois saiu."]),
        ("Sem ponto", ["Sem ponto"]),
    ],
)
def test_sentences_by_hand(text: str, cut: list[str]) -> None:
    page = f'<section id="s"><p>{text}</p></section>'
    assert [each.words for each in sentences.of_page(page, Ledger(version=1, page="a.html", entries=[]))] == cut


def test_a_claim_within_a_sentence_and_one_after_it_are_that_sentence_s() -> None:
    within = made(("se destaca. <span", "se destaca<span"), ('data-n="2"></span>', 'data-n="2"></span>, e os outros somem. Fim.'))
    assert [each.claims for each in within if each.claims] == [("t.stands_out()",)]
    assert next(each.words for each in within if each.claims) == "Um só se destaca, e os outros somem."


def test_only_what_a_notebook_says_beyond_its_page_is_told() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["## Pesos {#sec-a}\n", "\n", "O **maior** é [0,62]{.n}.\n", "Só no notebook."]},
        {"cell_type": "code", "source": ["a = 1\n", "c = 3"]},
    ]
    page = sentences.of_page(PAGE, LEDGER, masked=False)
    found = sentences.of_notebook(json.dumps({"cells": cells}), page)
    assert found == [Sentence("sec-a", "notebook", "Só no notebook."), Sentence("sec-a", "notebook", "c = 3")]


# The file


WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp"))).map(lambda text: " ".join(text.split()))
SAID = st.builds(
    Sentence,
    st.sampled_from(["sec-a", "sec-b"]),
    st.sampled_from(["text", "note", "code"]),
    WORDS,
    st.lists(st.sampled_from(["t.a()", "t.b('x')"]), max_size=2).map(tuple),
    st.lists(st.sampled_from(["t.holds()"]), max_size=1).map(tuple),
)


@given(st.lists(SAID))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, said: list[Sentence]) -> None:
    file = tmp_path_factory.mktemp("approved") / "a.txt"
    lines = approved_text.lines(said)
    approved_text.write(file, "slides/a.qmd", lines)
    assert approved_text.read(file, file.parent) == lines


def test_a_line_that_is_no_sentence_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# a\n\n## sec-a\nwhatever\n", encoding="utf-8")
    with pytest.raises(Problem, match=r"a\.txt:4: this is no approved sentence"):
        approved_text.read(tmp_path / "a.txt", tmp_path)


def test_a_document_s_file_stands_where_the_document_does(tmp_path: Path) -> None:
    found = [approved_text.file_of(tmp_path / name, tmp_path).relative_to(tmp_path).as_posix() for name in ("slides/en/a.qmd", "b.qmd")]
    assert found == ["tests/approved/en/a.txt", "tests/approved/b.txt"]


# A project with one page


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose page says what was approved."""
    for folder in ("slides", "data", "_output/slides"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "_quarto.yml").write_text("project:\n  output-dir: _output\n  render: [slides/a.qmd]\nlang: pt-BR\n", encoding="utf-8")
    (tmp_path / "slides" / "a.qmd").write_text("---\nformat: revealjs\n---\n", encoding="utf-8")
    (tmp_path / "data" / "a.yml").write_text("first: {b: 1}\nlast: 2\n", encoding="utf-8")
    shows(tmp_path)
    approve.run(tmp_path, "", True, None)
    return tmp_path


def shows(root: Path, *changes: tuple[str, str], calls: tuple[tuple[str, str], ...] = ()) -> None:
    """Render the page: texts of it, or calls of its ledger, put for others."""
    page, ledger = PAGE, json.dumps(kit_ledger.msgspec.to_builtins(LEDGER))
    for old, new in changes:
        page = page.replace(old, new)
    for old, new in calls:
        ledger = ledger.replace(old, new)
    named = made_of.named(page, root / "slides" / "a.qmd", root, ledger, made_of.digests(root), noted=False)
    (root / "_output" / "slides" / "a.html").write_text(named, encoding="utf-8")
    (root / "_output" / "slides" / "a.ledger.json").write_text(ledger, encoding="utf-8")


def stopped(root: Path) -> str:
    with pytest.raises(Problem) as caught:
        approved.check(root / "slides" / "a.qmd", root)
    return str(caught.value)


def test_what_was_approved_passes(root: Path) -> None:
    approved.check(root / "slides" / "a.qmd", root)


def test_another_word_stops_with_both_sentences_the_calls_the_values_and_the_data_that_changed(root: Path) -> None:
    (root / "data" / "a.yml").write_text("first: {b: 7}\nlast: 2\n", encoding="utf-8")
    shows(root, ("0,62", "0,26"))
    said = stopped(root)
    for part in (
        "slides/a.qmd, sec-a",
        "- text | O maior é 0,62.",
        "+ text | O maior é 0,26.",
        "value  t.largest() = ",
        "data/a.yml: first",
    ):
        assert part in said
    assert "last" not in said and "make approve" in said


def test_the_same_words_by_another_function_stop(root: Path) -> None:
    shows(root, calls=(("t.largest", "t.smallest"),))
    said = stopped(root)
    assert "- calls t.largest()" in said and "+ calls t.smallest()" in said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("Um só se destaca.", "Nenhum se destaca."), "t.stands_out() stands on words that it was not approved for"),
        ((' <span class="n claim" data-n="2"></span>', ""), "t.stands_out() was approved for a sentence that is gone"),
        (("Um só se destaca. <", "<"), "t.stands_out() stands on words that it was not approved for"),
    ],
)
def test_a_claim_holds_for_the_sentence_that_it_was_approved_for(root: Path, change: tuple[str, str], told: str) -> None:
    shows(root, change)
    assert told in stopped(root)


def test_a_sentence_more_a_sentence_less_and_another_order_stop(root: Path) -> None:
    for change in (("Sem nada.", "Sem nada. Com tudo."), ("<li>Sem nada.", "<li>"), ('id="sec-b"', 'id="sec-c"')):
        shows(root, change)
        assert "other words than tests/approved/a.txt" in stopped(root)
    first, _, second = PAGE.partition('<section id="sec-b">')
    shows(root, (PAGE, f'<section id="sec-b">{second.partition("</section>")[0]}</section>{first}'))
    assert "another order" in stopped(root)


def test_without_an_approved_text_every_sentence_stops(root: Path) -> None:
    (root / "tests" / "approved" / "a.txt").unlink()
    assert "+ title | Pesos" in stopped(root)


def test_approving_takes_what_is_taken_and_keeps_the_rest(root: Path) -> None:
    file = root / "tests" / "approved" / "a.txt"
    before = file.read_text(encoding="utf-8")
    shows(root, ("0,62", "0,26"), ("por baixo", "por cima"), ("Outro", "Outra"))
    answers = iter(["y", "n", "q"])
    with pytest.raises(Problem, match="2 places are not approved"):
        approve.run(root, "", False, lambda question: next(answers))
    assert file.read_text(encoding="utf-8") == before.replace("0,62", "0,26")
    answers = iter(["a"])
    assert "2 of 2 places approved" in approve.run(root, "", False, lambda question: next(answers))
    approved.check(root / "slides" / "a.qmd", root)


@pytest.mark.parametrize(
    ("own_names", "changes", "what"),
    [
        ({"a.yml:first"}, [("0,62", "0,26")], "skipped"),
        ({"a.yml:last"}, [("0,62", "0,26")], "O maior"),  # it read another field
        (set(), [("0,62", "0,26")], "O maior"),
        ({"a.yml:first"}, [("0,62", "0,26"), ("Sem nada", "Com nada")], "Com nada"),
        ({"a.yml:first"}, [("<td>a</td>", "<td>b</td>")], "| b |"),  # this table read nothing of it
        ({"_variables.yml"}, [("Sem nada", "Curso de teste")], "skipped"),
        ({"_variables.yml"}, [("Sem nada", "Com nada")], "Com nada"),
    ],
)
def test_in_a_fork_only_what_its_own_data_or_settings_changed_waits_for_approval(
    root: Path, monkeypatch: pytest.MonkeyPatch, own_names: set[str], changes: list[tuple[str, str]], what: str
) -> None:
    monkeypatch.setattr(own_data, "DIFFERING", frozenset(own_names))
    (root / "_variables.yml").write_text("course: Curso de teste\n", encoding="utf-8")
    shows(root, *changes)
    if what == "skipped":
        with pytest.raises(pytest.skip.Exception, match="1 places to approve, by data or settings of this checkout's own"):
            approved.check(root / "slides" / "a.qmd", root)
        return
    said = stopped(root)
    assert what in said and ("0,26" in said) == (what == "O maior")


def test_a_page_of_other_sources_is_not_approved(root: Path) -> None:
    (root / "slides" / "a.qmd").write_text("---\nformat: revealjs\n---\n\nOutra.\n", encoding="utf-8")
    with pytest.raises(Problem, match="this page was made of another slides/a.qmd"):
        approve.run(root, "", True, None)
    (root / "_output" / "slides" / "a.html").unlink()
    with pytest.raises(Problem, match="has not been rendered"):
        approve.run(root, "", True, None)


def test_where_nobody_can_answer_nothing_is_taken(root: Path) -> None:
    file = root / "tests" / "approved" / "a.txt"
    before = file.read_text(encoding="utf-8")
    shows(root, ("0,62", "0,26"))
    with pytest.raises(Problem, match=r"\+ text | O maior é 0,26"):
        approve.run(root, "", False, None)
    assert file.read_text(encoding="utf-8") == before


def test_the_question_shows_the_difference(root: Path) -> None:
    shows(root, ("0,62", "0,26"))
    asked = io.StringIO()

    def answer(question: str) -> str:
        asked.write(question)
        return "y"

    approve.run(root, "a", False, answer)
    assert "- text | O maior é 0,62." in asked.getvalue() and asked.getvalue().endswith(approve.QUESTION)


def test_a_line_knows_its_claims() -> None:
    assert Line("text | Um.", "t.a() · ✓ t.b()").claims == ["t.b()"]
    assert approved_text.calls_of([Line("text | Um.", "t.a() · ✓ t.b()"), Line("x", "t.a()")]) == ["t.a()", "t.b()"]

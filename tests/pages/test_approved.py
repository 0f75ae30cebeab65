"""Every page says what was approved, word by word, and each sentence by the calls that it was approved with."""

from __future__ import annotations

import random
import re
import shutil
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import approved
import pytest
from base.html_tree import SILENT, Element, Text, parse, replaced, within
from proof import approvals, approved_text, asked_words, ledger_file, sentences
from proof.approved_text import Line
from proof.sentences import KNOWN_LATER

from figures.kit import project
from figures.kit.entry import Claim
from figures.kit.files import ROOT

pytestmark = pytest.mark.pages
DOCUMENTS = {document.relative_to(ROOT).as_posix(): document for document in project.documents()}
ROUNDS = 2


@pytest.mark.law
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_page_says_what_was_approved(name: str, page_of: Callable[[Path], Path]) -> None:
    page_of(DOCUMENTS[name])
    approved.check(DOCUMENTS[name], ROOT)


def test_what_is_shown_when_somebody_asks_was_approved() -> None:
    """Replies of the lab, dialogs, passages on cards, answers for who teaches."""
    approved.check_asked(ROOT)


def test_a_reply_an_answer_and_a_passage_with_other_words_are_named(tmp_path: Path) -> None:
    """In a copy of all words, one text of each kind is turned: each differs by file and key, and nothing else does."""
    for folder in ("data/words", "slides", "tests/approved"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for name in ("_quarto.yml", "_variables.yml"):
        shutil.copy(ROOT / name, tmp_path / name)
    turned = {
        "data/words/pt/checkpoints.yml": ("A conta está em bits.", "A conta está em bytes."),
        "data/words/pt/field.yml": ("acurácia não está entre", "acurácia está entre"),
        "slides/solucoes/resposta-3.md": ("quase uniforme", "quase one-hot"),
    }
    for name, (before, after) in turned.items():
        file = tmp_path / name
        file.write_text(file.read_text("utf-8").replace(before, after, 1), encoding="utf-8")
    found = asked_words.compared(tmp_path).differences()
    assert [one.slide for one in found] == [*turned] and all(turned[one.slide][1] in one.after[0].said for one in found)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_mark_of_markdown_is_left_on_a_page(name: str, page_of: Callable[[Path], Path]) -> None:
    """What was written as a formula, a link or a name is one: no text shows the signs that stood for it."""
    marks = re.compile(r"\$[^$]+\$|\]\(|\]\{|\*\*|\\_|\\\*|`")
    nodes = parse(page_of(DOCUMENTS[name]).read_text(encoding="utf-8")).walk()
    seen = [node.text for node in nodes if isinstance(node, Text) and not within(node, *SILENT, "math", "code", "pre", "svg")]
    assert [text for text in seen if marks.search(text)] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_claim_stands_on_a_sentence_without_words(name: str, page_of: Callable[[Path], Path]) -> None:
    page = page_of(DOCUMENTS[name])
    said = sentences.of_page(page.read_text(encoding="utf-8"), ledger_file.read(page.with_suffix(".ledger.json")))
    assert [one for one in said if one.claims and len(one.words.split()) < 2] == []


def test_swapped_calls_differ_from_what_was_approved(deck_file: Path) -> None:
    """Two numbers of each slide change places, call and all, as when their calls are swapped in the source."""
    html, ledger = deck_file.read_text(encoding="utf-8"), ledger_file.read(deck_file.with_suffix(".ledger.json"))
    marks = inline_marks(html)
    calls = {entry.n: (entry.call, entry.format) for entry in ledger.entries if entry.kind not in KNOWN_LATER}
    slides = {entry.n: entry.slide.id for entry in ledger.entries}
    pairs: defaultdict[str, list[Any]] = defaultdict(list)
    for at, one in enumerate(marks):
        for other in marks[at + 1 :]:
            if {one[0], other[0]} <= calls.keys() and slides[one[0]] == slides[other[0]] and calls[one[0]] != calls[other[0]]:
                pairs[slides[one[0]]].append((one, other))
    approved = approved_text.lines(sentences.of_page(html, ledger))
    rng = random.Random(5)
    for _ in range(ROUNDS):
        changes = []
        for one, other in (rng.choice(pairs[slide]) for slide in sorted(pairs)):
            changes += [(*one[1:], html[other[1] : other[2]]), (*other[1:], html[one[1] : one[2]])]
        said = approved_text.lines(sentences.of_page(replaced(html, sorted(changes)), ledger))
        assert [slide for slide in pairs if said[slide] == approved[slide]] == []
    assert len(pairs) > 10


def inline_marks(html: str) -> list[tuple[int, int, int]]:
    """The entry, start and end of each number and word that stands in a text, in order."""
    marks = []
    for node in parse(html).all("span", "n"):
        n = node.attributes.get("data-n", "")
        if n.isdecimal() and "claim" not in node.classes and not within(node, "nav", "table"):
            marks.append((int(n), node.start, node.end))
    return marks


def test_what_was_measured_is_masked_and_nothing_else(deck_file: Path) -> None:
    """By the ledger: of each inline number the approved words have its text, unless it was measured."""
    html, ledger = deck_file.read_text(encoding="utf-8"), ledger_file.read(deck_file.with_suffix(".ledger.json"))
    open_words, masked = (" ".join(one.words for one in sentences.of_page(html, ledger, masked=on)) for on in (False, True))
    measured = [entry for entry in ledger.entries if entry.kind in KNOWN_LATER and entry.what in ("number", "word")]
    spans = {n: html[start:end] for n, start, end in inline_marks(html)}
    assert len(measured) > 5 and sentences.MEASURED not in open_words
    in_formulas = sum(entry.what == "formula" and entry.kind in KNOWN_LATER for entry in ledger.entries)
    assert masked.count(sentences.MEASURED) >= len([entry for entry in measured if entry.n in spans]) + in_formulas
    for entry in ledger.entries:
        if entry.kind not in KNOWN_LATER and entry.what in ("number", "word") and "<math" not in spans.get(entry.n, "<math"):
            said = " ".join(" ".join(node.text for node in texts(spans[entry.n])).split())
            assert said in masked, f"{entry.call} shows {said}, which the approved words lack"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_claimed_sentence_that_says_something_else_is_noticed(name: str, page_of: Callable[[Path], Path]) -> None:
    """Each is denied, or two of its words change places; its check goes on holding, and each time the claim is named."""
    page = page_of(DOCUMENTS[name])
    html, ledger = page.read_text(encoding="utf-8"), ledger_file.read(page.with_suffix(".ledger.json"))
    before = approvals.Compared(name, approved_text.lines(sentences.of_page(html, ledger)), {}, tuple(ledger.entries), ROOT)
    planted = replaced(html, falsified(html, random.Random(name)))
    both = before._replace(said=approved_text.lines(sentences.of_page(planted, ledger)))
    told = "\n".join(map(both.told, both.differences()))
    claims = {entry.call for entry in ledger.entries if isinstance(entry, Claim)}
    assert {claim for claim in claims if f"{claim} stands on words that it was not approved for" not in told} == set()


def falsified(html: str, rng: random.Random) -> list[tuple[int, int, str]]:
    """For each claim the words before it put otherwise: where they start and end, and what stands there now."""
    changes: dict[int, tuple[int, int, str]] = {}
    last = (0, 0)
    for node in parse(html).walk():
        if isinstance(node, Text) and len(re.findall(r"[^\W\d_]{2,}", node.text)) > 1 and not within(node, *SILENT, "svg", "math"):
            last = (node.start, html.index("<", node.start))
        elif isinstance(node, Element) and "claim" in node.classes:
            start, end = last
            changes.setdefault(start, (start, end, otherwise(html[start:end], rng)))
    return [changes[start] for start in sorted(changes)]


def otherwise(text: str, rng: random.Random) -> str:
    """A sentence's end that says something else: a denial in it, or two of its words in each other's place."""
    words = list(re.finditer(r"[^\W\d_]{2,}", re.split(r"[.!?] (?=\S)", text.rstrip())[-1]))
    at = len(text.rstrip()) - len(re.split(r"[.!?] (?=\S)", text.rstrip())[-1])
    pairs = [(one, other) for one in words for other in words if one.start() < other.start() and one[0] != other[0]]
    if rng.random() < 0.5 or not pairs:
        place = at + rng.choice(words).start()
        return f"{text[:place]}não {text[place:]}"
    one, other = rng.choice(pairs)
    a, b, c, d = (at + place for place in (one.start(), one.end(), other.start(), other.end()))
    return text[:a] + other[0] + text[b:c] + one[0] + text[d:]


def texts(html: str) -> list[Text]:
    tree: Element = parse(html)
    return [node for node in tree.walk() if isinstance(node, Text)]


def test_a_difference_is_told_with_words_calls_values_and_data(deck_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNN and LSTM swapped in what was approved: a reviewer reads both sentences, their calls and values, and the data that changed."""
    both = approvals.compared(ROOT / "slides" / "atencao.qmd", ROOT)
    slide, at, line = next(
        (slide, at, line)
        for slide, said in both.said.items()
        for at, line in enumerate(said)
        if "recurrence.rnn() · recurrence.lstm()" in line.calls
    )
    swapped = line.calls.replace("recurrence.rnn() · recurrence.lstm()", "recurrence.lstm() · recurrence.rnn()")
    approved = {**both.said, slide: [*both.said[slide][:at], Line(line.said, swapped), *both.said[slide][at + 1 :]]}
    monkeypatch.setattr(approvals, "changed", lambda root: frozenset({"recurrence.yml:W", "bpe.yml:corpus"}))
    (found,) = both._replace(approved=approved).differences()
    told = both._replace(approved=approved).told(found)
    for part in (f"slides/atencao.qmd, {slide}", f"- {line.said}", f"+ {line.said}", f"- calls {swapped}", f"+ calls {line.calls}"):
        assert part in told, told
    assert "value  recurrence.rnn() = 0.000515884" in told and told.endswith("other data  data/recurrence.yml: W")

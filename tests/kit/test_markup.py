"""Text from data is text: whatever characters it has, it is shown as it is written, or refused with file, key and remedy."""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import text_fields
from base.pandoc import pandoc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from figures.kit import data, ledger, markup, project, show, strict_yaml
from figures.kit.errors import DataError
from figures.kit.files import numbered
from figures.kit.formats import text as as_text
from figures.kit.formats import to_tex
from figures.kit.markup import Code, Markup

AT_ONCE = 60  # texts that one call of pandoc converts
SPECIAL = 'P&D d\'água <unk> 50% R 5 #1 *a* _b_ [c](d) | e^2 ~f~ "g" @h &amp; &#33; !x 1. + - = : :: ::: ... <!-- -> (@) \u00a0 … – “ ”'
EVERY = st.text(st.one_of(st.sampled_from(SPECIAL), st.characters(codec="utf-8")), min_size=1, max_size=24)
ODD = ("P&D", "d'água", "50% off", "<unk>", "*a*", "1. um")
BAD = ("a{n}b", "R$ 5", "a\nb", "a\u202eb", "a\u200bb", "a\u00adb", "a`b`", "a\\b", "x" * 700, "\u4e2d\u6587", "{{< var x >}}", "\x07")


def shown_or_refused(text: str) -> bool:
    """Whether a record's field may hold it."""
    try:
        data._check_texts(text, lambda path, what, remedy: DataError("data/a.yml", path, what, remedy), "key")
    except DataError:
        return False
    return bool(text.strip())


@show.word
def worded(text: str) -> str:
    """A word, for the tests."""
    return text


@show.word
def filled(text: str) -> str:
    """A template with a value, for the tests."""
    return markup.filled("**{a}** e $x$", {"a": text})


@show.table
def tabled(text: str) -> show.Table:
    """A table whose heading, cells and caption are one text, for the tests."""
    return show.Table([show.Column(text), show.Column("n")], [[text, show.Cell(text)]], caption=text)


def read(blocks: list[str], to: str) -> Any:
    """What pandoc makes of many pieces of Markdown at once, as a page, or as its own tree."""
    text = "\n\n".join(f"::: {{#b{n}}}\n{block}\n:::" for n, block in enumerate(blocks))
    done = subprocess.run([pandoc(), "--from=markdown", f"--to={to}", "--wrap=none"], input=text, capture_output=True, text=True)
    assert not done.returncode and not done.stderr.strip(), done.stderr
    return done.stdout


def words(page: str) -> list[str]:
    """The text of each block of a page."""
    parts = re.split(r'<div id="b\d+">', page)[1:]
    return [" ".join(html.unescape(re.sub(r"<[^>]*>", " ", part)).split()) for part in parts]


def bare(text: str) -> str:
    return "".join(text.split())


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(EVERY, min_size=AT_ONCE, max_size=AT_ONCE))
def test_a_text_reads_the_same_wherever_it_stands_or_is_refused(texts):
    kept = [text for text in [*texts, *ODD] if shown_or_refused(text)]
    assert len(kept) > 5
    for many, seen in ((worded, 1), (filled, 1), (tabled, 4)):
        ledger.clear()
        for text, block in zip(kept, words(read([many(text)._repr_markdown_() for text in kept], "html")), strict=True):
            assert bare(block).count(bare(text)) >= seen, (text, block)
    ledger.clear()


@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(EVERY, min_size=AT_ONCE, max_size=AT_ONCE))
def test_a_notebook_and_paper_get_the_same_text(texts):
    """What each format writes reads back, by pandoc's own reader of that format, as the text that it was made from."""
    kept = [text for text in [*texts, *ODD] if shown_or_refused(text)]
    ledger.clear()
    blocks = [worded(text)._repr_markdown_() for text in kept]
    whole = json.loads(read(blocks, "json"))
    for format in ("gfm", "typst", "latex"):
        plain = bare(converted(converted(json.dumps(whole), "json", format), format, "plain"))
        missing = [text for text in kept if bare(text) not in plain and same_marks(text) not in plain]
        assert missing == [], format
    ledger.clear()


def converted(text: str, of: str, to: str) -> str:
    return subprocess.run([pandoc(), f"--from={of}", f"--to={to}", "--wrap=none"], input=text, capture_output=True, text=True).stdout


def same_marks(text: str) -> str:
    """A text as a reader of TeX or Typst has it: quotes and dots may be the typographer's."""
    return bare(text).replace("...", "…").replace("'", "’")


@given(EVERY.filter(shown_or_refused))
def test_a_formula_and_an_attribute_hold_every_text(text):
    assert to_tex(text).startswith("\\text{") and to_tex(text).count("{") == to_tex(text).count("}")
    assert show.pictures._attribute(text).count('"') == 0 and html.unescape(show.pictures._attribute(text)) == text


def fields() -> Iterator[tuple[text_fields.Load, str]]:
    for load in text_fields.loads():
        name, kind, key = load
        yield from ((load, path) for path, _ in text_fields.texts(data.load(name, kind, key), key or ""))


def test_every_text_field_of_every_data_file_refuses_what_it_cannot_show():
    """Each field once with a text that no place can hold: the error names the file and the key."""
    found = list(fields())
    assert len(found) > 5
    for n, ((name, kind, key), path) in enumerate(found):
        bad = BAD[n % len(BAD)]
        with pytest.raises(DataError) as refused:
            data.checked(text_fields.put(data.tree(name), path, bad), f"data/{name}.yml", kind, key or "")
        assert refused.value.file == f"data/{name}.yml" and refused.value.remedy, (name, path, bad)
        assert path.startswith(refused.value.key.partition("[")[0]), (path, refused.value.key)


REFUSED = (
    "<b>a</b>", "{{< include a >}}", "`{python} 1`", "[a](javascript:alert)", "[a](data:text/html,x)", "![a](b)", "[a]: b", "a\nb",
    "juros (R$)", "US$ 5 e US$ 6",
)  # fmt: skip
FIT = ("**a** $x_1$", "[a](https://a.org/b_c)", "[a](mailto:a@b.org)", "`<pad>`", "a < b", "[{name}]({address})", "${a} = 2$ e $x$")
VARIABLES = {
    'course: "*a*"': "course",
    'institution: "a <b> c"': "institution",
    "repository: javascript:alert": "repository",
    'site: "https://a.org/x y"': "site",
    'course: "{{< x >}}"': "course",
}


@pytest.mark.parametrize("text", REFUSED)
def test_markdown_of_data_and_words_is_words_formulas_and_links_alone(text, tmp_path, monkeypatch):
    assert list(markup.faults(Markup(text), 500))
    (tmp_path / "words" / "pt").mkdir(parents=True)
    (tmp_path / "words" / "pt" / "a.yml").write_text(f"first: ok\nkey: {json.dumps(text)}\n", encoding="utf-8")
    monkeypatch.setattr(data.files, "folder", lambda: tmp_path)
    with pytest.raises(DataError) as refused:
        data.tree.__wrapped__("words/pt/a")
    assert (refused.value.file, refused.value.key, refused.value.line) == ("data/words/pt/a.yml", "key", 2)


@pytest.mark.parametrize("text", FIT)
def test_markdown_that_is_fit_passes(text):
    assert list(markup.faults(Markup(text), 500)) == []


def test_a_value_in_a_template_is_escaped_for_its_place():
    made = markup.filled("[{a}](https://x.org/{a}) `{a}` ${a}$ {a}", {"a": "P&D_1 %"})
    assert made == "[P&D_1 %](https://x.org/P&D_1 %) `P&D_1 %` $P&D_1 %$ P&D_1 %"
    assert made.markdown == r"[P\&D\_1 %](https://x.org/P&D_1%20%) `P&D_1 %` $P\&D_1 \%$ P\&D\_1 %"


def test_a_name_for_machines_may_hold_anything_but_hidden_signs():
    assert list(markup.faults(Code("a{b}$`\\"), 50)) == []
    assert list(markup.faults(Code("a\u200bb"), 50))


@pytest.mark.parametrize(("line", "key"), VARIABLES.items())
def test_a_variable_that_would_not_show_as_it_is_is_refused(line, key, tmp_path):
    (tmp_path / "_variables.yml").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(DataError) as refused:
        project.variables(tmp_path)
    assert (refused.value.file, refused.value.key, refused.value.line) == ("_variables.yml", key, 1)


def test_a_variable_may_be_any_plain_text_or_address(tmp_path):
    lines = 'course: "P&D, d\'água, 50% off"\nrepository: https://github.com/a/b\nsite: ""\n'
    (tmp_path / "_variables.yml").write_text(lines, encoding="utf-8")
    assert project.variables(tmp_path)["course"] == "P&D, d'água, 50% off"


def test_a_record_tells_its_text_fields_apart():
    class Three(data.Record):
        plain: str
        marked: Markup
        code: Code

    lines = numbered('plain: "*a*"\nmarked: "*a*"\ncode: "{a}"', "data/a.yml")
    made = data.checked(strict_yaml.read(lines), "data/a.yml", Three, "")
    assert [markup.markdown(made.plain), markup.markdown(made.marked)] == [r"\*a\*", "*a*"] and made.code == "{a}"
    assert as_text()(made.marked) is made.marked and Path(made.code)

"""A numeral that nobody computed is found, wherever it is planted, with its file, line and column."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from proof import numerals, source_numbers
from typed import found, planted

from figures.kit import formats


def test_a_kit_whose_numbers_are_computed_is_clean(root):
    assert found(root) == []


PLANTED = {
    "prose": ("slides/a.qmd", "uma linha só", "uma linha de 7 só", "7"),
    "a word in prose": ("slides/a.qmd", "uma linha só", "duas linhas só", "duas"),
    "capitals": ("slides/a.qmd", "- O peso", "- Três pesos", "Três"),
    "a half": ("slides/a.qmd", "uma linha só", "a metade só", "metade"),
    "doubling": ("slides/a.qmd", "basta", "dobra", "dobra"),
    "a factor": ("slides/a.qmd", "basta", "cresce 10×", "10"),
    "a fraction": ("slides/a.qmd", "basta", "basta um terço", "terço"),
    "a decimal": ("slides/a.qmd", "basta", "vale 0,62", "0,62"),
    "a superscript": ("slides/a.qmd", "basta", "cresce com n²", "²"),
    "beside a computed one": ("slides/a.qmd", "t.weight(3)`, e", "t.weight(3)` de 9, e", "9"),
    "a title": ("slides/a.qmd", "## Uma frase", "## Quatro frases", "Quatro"),
    "the deck's title": ("slides/a.qmd", "Um título", "Cinco títulos", "Cinco"),
    "notes": ("slides/a.qmd", "Nada aqui", "Nada nos slides 13 a", "13"),
    "alt text": ("slides/a.qmd", "Uma curva", "Uma curva de 64 pontos", "64"),
    "a formula": ("slides/a.qmd", "basta", "basta: $d_k = 128$", "128"),
    "a formula's braces": ("slides/a.qmd", "basta", r"basta: $\frac{3}{x}$", "3"),
    "a cell": ("slides/a.qmd", "1. Um item", "| a | 8 |\n|---|---|\n\n1. Um item", "8"),
    "a cell's caption": ("slides/a.qmd", "x = 3", '#| fig-cap: "Os 5 passos"\nx = 3', "5"),
    "a listing": ("slides/a.qmd", "1. Um item", "```python\nx = 41\n```\n\n1. Um item", "41"),
    "a span": ("slides/a.qmd", "[q]{.q", "[q = 2]{.q", "2"),
    "HTML": ("slides/a.qmd", "1. Um item", '<b style="width: 3px" title="são 6">x</b>\n\n1. Um item', "6"),
    "a template": ("data/words/pt/t.yml", "{count} linhas", "{count} de 40 linhas", "40"),
    "a template's list": ("data/words/pt/t.yml", "duração", "duas durações", "duas"),
    "a drawn label": ("figures/t.py", 'words("key.2")', 'f"{x} de 12"', "12"),
    "a heading": ("figures/t.py", "SIZE = 12", 'SIZE = Column("três pesos", None)', "três"),
    "a sentence in code": ("figures/t.py", "SIZE = 12", 'EXPECTED = "são três inteiros"', "três"),
    "emphasis by underscores": ("slides/a.qmd", "basta", "são _três_ aqui", "três"),
    "an accent apart": ("slides/a.qmd", "basta", "são tre\u0302s", "tre\u0302s"),
    "digits of full width": ("slides/a.qmd", "basta", "são \uff17", "\uff17"),
    "a half more": ("slides/a.qmd", "basta", "dura uma hora e meia", "meia"),
    "five times": ("slides/a.qmd", "basta", "quintuplica", "quintuplica"),
    "a tenth part": ("slides/a.qmd", "basta", "custa a décima parte", "décima"),
    "a list's marker that counts nothing": ("slides/a.qmd", "2. Outro", "1984. Foi o ano", "1984"),
    "a marker within a sentence": ("slides/a.qmd", "vale `{python} t.weight(3)`, e", "vale\n7. e", "7"),
    "single quotes": ("slides/a.qmd", '"Uma curva"', "'Sete curvas'", "Sete"),
    "a placeholder": ("slides/a.qmd", "1. Um item", '<input placeholder="até 8">\n\n1. Um item', "8"),
    "a link's title": ("slides/a.qmd", '"fim"', '"de sete"', "sete"),
    "the deck's date": ("slides/a.qmd", 'title: "Um título"', 'title: "Um título"\ndate: "2027"', "2027"),
    "a label by keyword": ("figures/t.py", 'words("key.2")', 'words("key.2"), label="7x"', "7"),
    "a drawn label, filled in": ("figures/t.py", 'words("key.2")', '"{} de 12".format(x)', "12"),
    "a tick": ("figures/t.py", 'axes.text(0, 3, words("key.2")', 'axes.set_xticks([1], ["7x"]', "7"),
    "a returned word": ("figures/t.py", "def drawn(axes):", '@word\ndef said():\n    return "7 linhas"\n\n\ndef drawn(axes):', "7"),
    "a returned number": ("figures/t.py", "def drawn(axes):", "@number(count())\ndef said():\n    return 7\n\n\ndef drawn(axes):", "7"),
    "a computed state's sentence": (
        "figures/t.py",
        "def drawn(axes):",
        '@precomputed(on=Switch())\ndef said(on):\n    return "7 linhas"\n\n\ndef drawn(axes):',
        "7",
    ),
    "a table's rows": (
        "figures/t.py",
        "def drawn(axes):",
        '@table\ndef said():\n    rows = [["7 linhas"]]\n    return rows\n\n\ndef drawn(axes):',
        "7",
    ),
    "a simulator's factor": ("slides/sim/t.mjs", '"h2"', '"7×"', "7"),
    "a simulator's word alone": ("slides/sim/t.mjs", '"h2"', '"sete"', "sete"),
    "a simulator's count": ("slides/sim/t.mjs", '"h2"', "`${n} de 12`", "12"),
    "a style sheet": ("slides/theme/t.css", "fim", "de sete", "sete"),
    "a simulator's label": ("slides/sim/t.mjs", '"h2"', '"mais 20 passos"', "20"),
    "a simulator's formula": ("slides/sim/t.mjs", '"h2"', '"d_k = 64"', "64"),
    "a simulator's template": ("slides/sim/t.mjs", '"h2"', "`${n} de três passos`", "três"),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_numeral_is_found_where_it_stands(root, kind):
    file, old, new, numeral = PLANTED[kind]
    planted(root, file, old, new)
    (stray,) = found(root)
    line = (root / file).read_text(encoding="utf-8").split("\n")[stray.line - 1]
    assert (stray.file, stray.text) == (file, numeral)
    assert line[stray.column - 1 :].startswith(numeral), "line and column point at the numeral itself"
    assert str(stray).startswith(f"{file}:{stray.line}:{stray.column}: “{numeral}” is typed")


def test_the_day_of_a_lecture_is_no_result_and_explains_how_pages_show_it(root):
    planted(root, "slides/a.qmd", 'title: "Um título"', 'title: "Um título"\ndate: 2027-03-01')
    assert found(root) == []
    assert [text.text for text in source_numbers.typed(root) if text.given] == ["2027-03-01", "1 de março de 2027"]


def test_the_remarks_of_code_that_a_page_shows_are_prose(root):
    planted(root, "slides/a.qmd", "x = 3", '# são sete\nx = 3  # até 8\n# %pip install x2\n"""Devolve nove."""')
    assert found(root) == [], "the deck shows no code"
    planted(root, "slides/a.qmd", "format:", "execute:\n  echo: true\nformat:")
    assert [stray.text for stray in found(root)] == ["sete", "3", "8", "nove"]


def test_a_list_counts_by_itself_and_a_nested_one_too(root):
    planted(root, "slides/a.qmd", "2. Outro", "   mais dele\n\n   1. Dentro\n   2. Dentro\n\n2. Outro\n3. Mais")
    assert found(root) == []
    planted(root, "slides/a.qmd", "3. Mais", "\nUm parágrafo.\n\n3. Mais")
    assert [stray.text for stray in found(root)] == ["3"]


def test_line_and_column_are_an_editors(root):
    planted(root, "slides/a.qmd", "uma linha só", "uma linha de 7 só")
    (stray,) = found(root)
    assert (stray.line, stray.column) == (14, 54)


@given(st.integers(0, 999_999))
def test_every_whole_number_is_a_numeral_in_digits_and_in_words(number):
    for text in (formats.count()(number), formats.spelled()(number)):
        stray = [found[0] for found in numerals.numerals(f"são {text} linhas")]
        assert stray or text == "um"


def test_articles_the_first_the_second_and_look_alikes_are_no_numerals():
    for text in (
        "uma linha e um peso",
        "a primeira cabeça, a segunda, os segundos da contagem",
        "dezembro, novembro, quarta-feira",
        "no meio, por meio de, meio ambiente, o meio do vale, um meio que serve",
        "biblioteca, triste, distância, diploma, diâmetro, tributo, bilhete, decair, sexo, decisão, sextavado",
        "setembro",
        "mililitro",
        "as partes, os pares, multidimensional",
    ):
        assert list(numerals.numerals(text)) == [], text


WORDS = (
    "meio segundo, duas horas e meia, um par, uns pares, um dueto, um sexteto, um septeto, uma tríade, um lustro",
    "sétuplo, óctupla, cêntuplos, nônupla, redobrou, setuplicou, triplicação",
    "década, dezenas, vintena, centena, grosa, século, milênio, biênio, semestre, quinzena, decênio",
    "tridimensional, bidimensional, bidirecional, trilíngue, tetracampeão, pentágono, heptassílabo, octogonal, quinquagésimo, trimestre",
    "terceira, quarta, sétimo, vigésima, centésimo, milésima",
    "dois terços, um quinto, a décima parte",
    "se\u00adte, o\u200bito, no\u2060ve, d\u0336o\u0336i\u0336s\u0336, s\u0435te, ｓｅｔｅ, 𝘀𝗲𝘁𝗲, ꜱᴇᴛᴇ, vintesete, SETE",
    "⑦, ⓻, ❼, ㊆, Ⅳ, ⅳ, 七, ७, ٧, 𝟕, ７, ⁷, ₇, ⅐, 🔟, 7️⃣, ⚄, 〧, 𐄍, ፯, 㐂七, 🄈, 🕖",
)


@pytest.mark.parametrize("line", WORDS)
def test_numerals_are_found_by_the_grammar_and_by_what_unicode_says_of_a_sign(line):
    for text in line.split(", "):
        assert list(numerals.numerals(f"são {text} aqui")), text


def test_every_sign_with_a_value_is_a_numeral():
    signs = [chr(n) for n in range(0x80, 0x110000) if unicodedata.numeric(chr(n), None) is not None]
    assert len(signs) > 1500
    assert [sign for sign in signs if not list(numerals.numerals(f"são {sign}"))] == []


@given(st.sampled_from(["sete", "dezesseis", "metade", "triplicou"]), st.data())
def test_what_nobody_sees_in_a_word_parts_nothing(word, data):
    hidden = st.sampled_from("\u00ad\u200b\u200c\u200d\u2060\ufe0f\u034f\u061c\u180e\u0335\u20dd")
    written = "".join(letter + data.draw(st.text(hidden, max_size=2)) for letter in word)
    (numeral,) = numerals.numerals(f"são {written}; e basta")
    assert written.startswith(numeral.text.rstrip(" ;")) and f"são {written}; e basta"[numeral.start : numeral.end] == numeral.text
    assert numerals.parts(numeral.text) == {word}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("três", 3), ("Duas", 2), ("mil", 1000), ("metade", 0.5), ("dobra", 2), ("terço", 1 / 3)),
        *(("46\u00a0080", 46080), ("0,62", 0.62), ("1.5", 1.5), ("²", 2), ("½", 0.5)),
    ],
)
def test_a_numeral_has_a_value(text, value):
    assert numerals.value_of(text) == pytest.approx(value)

"""The last hand on a page: what it adds, what it refuses, and that doing it twice is doing it once."""

from __future__ import annotations

import base64
import io
import re
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import needs
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from page import inject
from page.checks import check
from page.finish import finish
from page.fonts import math_forms
from page.formula_colours import colour_roles, mark, roles
from page.theme_css import role_rules, theme_css, title
from page.title_picture import dots, title_picture

from figures.kit.errors import DataError, Problem
from figures.kit.theme import THEME

PAGE = Path("_output/slides/pagina.html")
ATTENTION = (
    '<math display="block" xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>Q</mi><msup><mi>K</mi><mi>⊤</mi></msup>'
    "<mo>/</mo><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt><mi>V</mi></mrow>"
    '<annotation encoding="application/x-tex">QK^\\top/\\sqrt{d_k}V</annotation></semantics></math>'
)


def page(body: str, head: str = "") -> str:
    return (
        f'<!DOCTYPE html><html lang="pt-BR"><head><meta charset="utf-8"><title>Atenção &amp; "eu"</title>{head}</head><body>'
        f'<div class="slides"><section id="a" class="slide level2"><h2>Um slide</h2>{body}</section></div></body></html>'
    )


WHOLE = page(f"<p>Olá, {ATTENTION} e <code>␣gato</code>; − √ ∞ ‖x‖</p>")


@pytest.fixture(scope="module")
def finished() -> str:
    return finish(WHOLE, PAGE)


def families(html: str) -> list[tuple[str, TTFont]]:
    rules = re.findall(r'@font-face\{font-family:"([^"]+)";.*?base64,([^"]+)"', html)
    return [(family, TTFont(io.BytesIO(base64.b64decode(data)))) for family, data in rules]


def test_twice_is_once(finished: str):
    assert finish(finished, PAGE) == finished


def test_the_same_page_gives_the_same_bytes(finished: str):
    assert finish(WHOLE, PAGE) == finished


def test_what_finish_adds_is_one_style_and_classes_and_the_words_of_formulas_and_what_every_page_has(finished: str):
    finished = re.sub(r"</?main\b[^>]*>\n", "", inject.without(finished, "page"))
    without_style = re.sub(r'<style id="theme-tokens">.*?</style>\n', "", finished, flags=re.DOTALL)
    words = ' aria-label="Q K transposta sobre raiz quadrada de d k V"'
    assert re.sub(r' class="[qkv]"', "", without_style).replace(words, "") == WHOLE and without_style.count(words) == 1


def test_a_page_takes_little_time():
    started = time.process_time()
    finish(WHOLE, PAGE)
    assert time.process_time() - started < 4  # 1.3 s on an idle machine


def classes(math: str) -> list[str]:
    return [name for _, name in roles(math)]


@needs.roles
def test_roles_in_a_formula():
    assert classes(ATTENTION) == ["q", "k", "", "", "", "v"]
    assert '<mi class="q">Q</mi><msup><mi class="k">K</mi><mi>⊤</mi></msup>' in mark(ATTENTION)


@needs.roles
@pytest.mark.parametrize(
    ("mathml", "found"),
    [
        ("<msub><mi>d</mi><mi>k</mi></msub>", ["", ""]),
        ("<msub><mi>W</mi><mi>Q</mi></msub>", ["", "q"]),
        ("<msub><mi>q</mi><mi>i</mi></msub>", ["q", ""]),
        ("<msub><mi>k</mi><mi>k</mi></msub>", ["k", ""]),
        ("<msub><mi>h</mi><mrow><mi>k</mi><mi>v</mi></mrow></msub>", ["", "", ""]),
        ("<msubsup><mi>W</mi><mi>K</mi><mi>V</mi></msubsup>", ["", "k", "v"]),
        ('<mi mathvariant="bold">𝐪</mi>', ["q"]),
        ("<mi>qk</mi>", [""]),
        ("<mi>a&nbsp;b</mi><mo>&lt;</mo><mi>k</mi>", ["", "k"]),
    ],
)
def test_whose_letter_it_is(mathml: str, found: list[str]):
    assert classes(f"<math>{mathml}</math>") == found


@needs.roles
def test_a_class_that_is_there_stays():
    assert mark('<math><mi class="x">Q</mi></math>') == '<math><mi class="x q">Q</mi></math>'


@needs.roles
def test_neutral_formulas_keep_their_ink():
    inside, outside = "<math><mi>V</mi></math>", '<math><mi class="v">V</mi></math>'
    html = f'<p class="a neutral"><span>{inside}</span> {inside}</p><p>{inside}</p><span class="neutrality">{inside}</span>'
    assert colour_roles(html) == html.replace(f"<p>{inside}", f"<p>{outside}").replace(f'ity">{inside}', f'ity">{outside}')


@given(st.text(alphabet="QqKkVvdWx", max_size=12))
@settings(max_examples=40)
def test_marking_adds_classes_and_nothing_else(letters: str):
    math = "<math>" + "".join(f"<mi>{letter}</mi>" for letter in letters) + "</math>"
    marked = mark(math)
    assert mark(marked) == marked
    assert re.sub(r' class="[qkv]"', "", marked) == math


def test_broken_mathml_is_said_with_its_text():
    with pytest.raises(Problem, match="not well-formed"):
        mark("<math><mi>Q</math>")


def test_letters_mean_what_the_lecture_says():
    assert [name for _, name in roles("<math><mi>k</mi><mi>q</mi></math>", {"k": "gate"})] == ["gate", ""]
    assert mark("<math><mi>k</mi><mo>=</mo><mn>3</mn></math>", {}) == "<math><mi>k</mi><mo>=</mo><mn>3</mn></math>"


@needs.roles
def test_a_document_that_shows_no_role_colours_no_letter(tmp_path: Path):
    html = page("<p><math><mi>k</mi></math></p>")
    assert '<mi class="k">' in finish(html, PAGE) and "<mi>k</mi>" in finish(html, PAGE, in_a_deck(tmp_path, "roles: []"))
    assert "<mi>k</mi>" in finish(html, PAGE, in_a_deck(tmp_path, "roles: [value]"))


def test_the_theme_s_variables():
    css = theme_css(page('<div class="reveal"></div>'))
    assert css.startswith(":root{--ground:#FDFCF9;")
    assert "--size-body:27px;" in css
    assert '--font-text:"Fira Sans","Fira Code","STIX Two Math",sans-serif;' in css
    assert '--deck-title:"Atenção & \\"eu\\""}' in css


def test_only_a_page_to_read_goes_dark():
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{--ground:{THEME.colours.dark.ground};"
    assert dark in theme_css(page("")) and dark not in theme_css(page('<div class="reveal"></div>'))


def test_every_role_has_its_colours_and_its_rules():
    css = theme_css(page(""))
    for role in THEME.roles:
        assert f"--{role.name}:{role.light.ink}" in css and f"--{role.name}:{role.dark.ink}" in css
        assert f".{role.css}{{--role:var(--{role.name})}}" in css
    assert role_rules(()) == []


def test_the_title_slide_s_picture():
    assert dots([[0, 1], [1]], "red") == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 448 448">'
        f'<circle cx="112" cy="112" r="12.0" fill="{THEME.colours.light.rule}"/>'
        f'<circle cx="336" cy="112" r="100.0" fill="{THEME.colours.light.rule}"/>'
        '<circle cx="112" cy="336" r="100.0" fill="red"/></svg>'
    )


def in_a_deck(folder: Path, settings: str) -> Path:
    document = folder / "d.qmd"
    document.write_text(f"---\nlecture:\n  {settings}\n---\n", encoding="utf-8")
    return document


def test_each_document_has_a_title_picture_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a.svg").write_text("<svg/>")
    css = theme_css(page('<div class="reveal"></div>'), in_a_deck(tmp_path, "title-picture: a.svg"))
    assert '--title-picture:url("data:image/svg+xml;base64,' in css
    assert title_picture(in_a_deck(tmp_path, "title-picture: a.svg")).startswith('url("data:image/svg+xml;base64,')
    monkeypatch.setitem(sys.modules, "figures.rows", SimpleNamespace(of_a_matrix=lambda: [[1.0], [0.3, 0.7]]))
    assert title_picture(in_a_deck(tmp_path, "title-picture: {dots: rows.of_a_matrix}")).count("circle") == 3
    assert title_picture(in_a_deck(tmp_path, "acts: []")) == "none"


@pytest.mark.parametrize("picture", ["{dots: nowhere.rows}", "no.svg", "d.qmd"])
def test_a_title_picture_that_is_not_there(tmp_path: Path, picture: str):
    with pytest.raises(DataError, match=r"d\.qmd:3, lecture\.title-picture.*\n.*→"):
        title_picture(in_a_deck(tmp_path, f"title-picture: {picture}"))


def test_title_is_plain_text():
    assert title("<title>A &amp;\n B</title>") == "A & B"


def test_every_font_is_cut_to_the_page(finished: str):
    fonts = families(finished)
    assert [family for family, _ in fonts] == ["Fira Sans"] * 4 + ["Fira Code", "STIX Two Math"]
    for _, font in fonts:
        assert len(font.getBestCmap()) < 300
    assert sum(len(data) for data in re.findall(r"base64,([^\"]+)", finished)) < 250_000


def test_roots_and_brackets_stretch(finished: str):
    math = families(finished)[-1][1]
    assert "MATH" in math
    assert math["MATH"].table.MathVariants.VertGlyphConstruction
    assert {ord("√"), ord("𝑑"), ord("𝑄"), ord("⊤")} <= math.getBestCmap().keys()


def test_every_root_is_as_wide_as_the_plain_one(finished: str):
    math = families(finished)[-1][1]
    variants = math["MATH"].table.MathVariants
    plain = math.getBestCmap()[ord("√")]
    construction = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(plain)]
    names = [record.VariantGlyph for record in construction.MathGlyphVariantRecord] + [
        part.glyph for part in construction.GlyphAssembly.PartRecords
    ]
    assert len(names) > 3
    assert {math["hmtx"][name][0] for name in names} == {math["hmtx"][plain][0]}


def test_the_text_family_has_tabular_figures_and_whatever_the_page_s_scripts_may_write():
    carried = '<script type="application/json" id="x">{"a": "ção"}</script><script data-words="{&quot;b&quot;: &quot;Ú&quot;}"></script>'
    text = families(finish(page(carried), PAGE))[0][1]
    assert set(map(ord, "çãÚ0")) <= text.getBestCmap().keys() and ord("é") not in text.getBestCmap()
    assert "tnum" in {record.FeatureTag for record in text["GSUB"].table.FeatureList.FeatureRecord}


def test_a_space_that_is_shown_is_no_underscore(finished: str):
    mono = next(font for family, font in families(finished) if family == "Fira Code")
    glyph = {letter: mono["glyf"][mono.getBestCmap()[ord(letter)]] for letter in "␣_"}
    assert glyph["_"].yMax < 0 < glyph["␣"].yMax


def test_a_character_that_no_font_draws_names_the_slide():
    with pytest.raises(Problem, match=r"slide “Um slide”: no font of the theme draws “中” \(U\+4E2D\)"):
        finish(page("<p>中</p>"), PAGE)


@pytest.mark.parametrize(("letter", "forms"), [("d", "d𝑑"), ("h", "hℎ"), ("Q", "Q𝑄"), ("θ", "θ𝜃"), ("2", "2")])
def test_the_italics_of_formulas(letter: str, forms: str):
    assert math_forms(letter) == set(forms)


@pytest.mark.parametrize(
    "body",
    [
        '<img src="https://example.org/a.png">',
        '<img data-src="http://example.org/a.png">',
        '<script src="//example.org/a.js"></script>',
        '<link rel="stylesheet" href="https://example.org/a.css">',
        '<section data-background-image="https://example.org/a.png"></section>',
        "<style>a{background:url(https://example.org/a.png)}</style>",
        "<style>@import 'https://example.org/a.css';</style>",
    ],
)
def test_a_page_that_would_ask_the_network_is_refused(body: str):
    with pytest.raises(Problem, match="from the network"):
        check(page(body), PAGE)


@pytest.mark.parametrize("body", ['<img data-src="imagens/n%C3%A3o.png">', '<section data-background-image="não.png"><p>a</p></section>'])
def test_a_picture_that_is_neither_inside_nor_beside_the_page_is_refused(body: str, tmp_path: Path):
    """Quarto only warns of it; what a page has beside it is in its place."""
    with pytest.raises(Problem, match=r"slide “Um slide”: there is no file .*n.*o\.png"):
        check(page(body), tmp_path / "a.html")
    (tmp_path / "imagens").mkdir()
    for file in ("imagens/não.png", "não.png"):
        (tmp_path / file).write_bytes(b"")
    check(page(body), tmp_path / "a.html")
    check(page('<img src="data:image/png;base64,AAAA">'), tmp_path / "a.html")


def test_links_and_names_of_the_web_are_fine():
    check(page('<a class="x" href="https://example.org">lá</a><svg xmlns="http://www.w3.org/2000/svg"></svg>'), PAGE)


@pytest.mark.parametrize(
    "text",
    [
        "np.float64(0.12)",
        "?var:curso",
        "`{python} x()`",
        "{{< var x >}}",
        "vale nan agora",
        "nan",
        "-nan",
        "None",
        "<x.Y object at 0x7f>",
        "::: {.small}",
        "a ::: b",
    ],
)
def test_traces_of_a_value_that_did_not_become_text(text: str):
    shown = text.replace("<", "&lt;").replace(">", "&gt;")
    for body in (f"<p>{shown}</p>", f'<svg role="img" aria-label="{shown}"></svg>', f'<aside class="notes"><p>{shown}</p></aside>'):
        with pytest.raises(Problem, match="pagina.html, slide “Um slide”: the text shows"):
            check(page(body), PAGE)


@pytest.mark.parametrize(
    "body", ["<pre><code>return None</code></pre>", "<p>nanômetro, semana</p>", "<p>Nonequa</p>", "<p>de :: a, x[::2]</p>"]
)
def test_words_that_only_look_like_traces(body: str):
    check(page(body), PAGE)

"""What a slide can't hold stops the build, by slide, element and pixels; where nobody can look, that is said."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from base import fit
from base.progress import Progress

from figures.kit.errors import Problem

SLIDE = re.compile(r'(<section id="[^"]+"[^>]*class="[^"]*\bslide\b[^"]*"[^>]*>\s*<h2\b[^>]*>).*?(?=</section>)', re.DOTALL)
DRAWN = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='2400' height='100'/%3E"
# What stands on a slide, and what is said of it.
TOO_MUCH = {
    "listing": ("<pre><code>" + "\n".join(f"x = {n}" for n in range(22)) + "</code></pre>", r"pre “x = 0.* ends \d+ px below its slide"),
    "picture": (f'<p><img alt="map" style="max-width:none" width="2400" src="{DRAWN}"></p>', r"p “map” ends 1184 px right of its slide"),
    "drawing": (
        '<div class="figure figure-wide"><svg role="img" aria-label="wide" width="2400" viewBox="0 0 2400 9"><text>a</text></svg></div>',
        r"figure-wide “wide” is shrunk until its text stands at \d+ px",
    ),
    "tall": (
        '<div class="figure figure-tall"><svg role="img" aria-label="tall" width="4" height="900" viewBox="0 0 4 900"></svg></div>',
        r"figure-tall “tall” ends \d+ px below its slide",
    ),
    "table": (
        f"<table><tbody><tr>{''.join(f'<td>a_column_with_a_name_{n}</td>' for n in range(7))}</tr></tbody></table>",
        r"table “a_column.* ends \d+ px right of its slide",
    ),
    "formula": (f'<p><math display="block">{"<mi>x</mi><mo>+</mo>" * 60}</math></p>', r"math “x\+x.* ends \d+ px right of its slide"),
    "word": (f"<p>{'word' * 40}</p>", r"p “wordword.* ends \d+ px right of its slide"),
    "column": (
        f'<div class="columns"><div class="column" style="width:30%"><p>{"word" * 18}</p></div><div class="column"><p>b</p></div></div>',
        r"p “wordword.* ends \d+ px right of its column",
    ),
    "footer": ('<p style="position:absolute;top:690px">low</p>', r"p “low” stands \d+ px in the footer"),
    "hidden": ('<div style="height:40px;overflow:hidden"><p>a<br>b<br>c</p></div>', r"p “a b c” ends \d+ px below its div"),
    "step": ('<p class="fragment" style="position:absolute;left:1250px">said last</p>', r"p “said last” ends \d+ px right of its slide"),
    "room": ("<p>It fits.</p>", ""),
}


def overfull(html: str) -> str:
    """The deck with these slides only, after its title slide."""
    made = iter(TOO_MUCH.items())

    def filled(slide: re.Match[str]) -> str:
        name, (content, _) = next(made, ("", ("", "")))
        return f"{slide[1]}{name}</h2>{content}"

    return SLIDE.sub(filled, html)


def test_each_thing_that_is_cut_is_named(deck_file: Path):
    html = deck_file.read_text(encoding="utf-8")
    if len(SLIDE.findall(html)) < len(TOO_MUCH):
        pytest.skip("the lecture has fewer slides than there are ways to fill one")
    found = {slide["title"]: [line.partition(": ")[2] for line in fit.lines(slide)] for slide in fit.looked(overfull(html), "deck.html")}
    for name, (_, said) in TOO_MUCH.items():
        if said:
            assert len(found[name]) == 1 and re.fullmatch(said, found[name][0]), (name, found[name])
    assert set(found) == {name for name, (_, said) in TOO_MUCH.items() if said}


def test_a_simulator_that_is_taller_than_its_slide_is_named(deck_file: Path):
    html = deck_file.read_text(encoding="utf-8")
    names = {f"sim {name}" for name in re.findall(r'<div\b[^>]*\bdata-sim="([^"]+)"', html)}
    taller = html.replace("</head>", "<style>.sim-live .sim-body { margin-top: 500px }</style></head>", 1)
    assert {fault["element"] for slide in fit.looked(taller, "deck.html") for fault in slide["faults"]} == names


DECK = '<div class="slides"><section>a</section><section>b</section></div>'


def said(monkeypatch: pytest.MonkeyPatch, found: list[dict[str, Any]], times: int) -> str:
    looks: list[str] = []
    monkeypatch.setattr(fit, "looked", lambda html, name: looks.append(html) or found)
    stream = StringIO()
    for _ in range(2):
        try:
            fit.check(DECK, "deck.html", Progress(stream))
        except Problem as problem:
            stream.write(str(problem))
    assert len(looks) == times
    return stream.getvalue()


def test_what_does_not_fit_stops_the_build_and_a_page_is_looked_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("base.kept.folder", lambda: tmp_path)
    monkeypatch.setattr(fit, "find_browser", lambda: "chromium")
    fault = {"element": "table", "text": "a b", "edge": "right", "of": "slide", "pixels": 90}
    text = said(monkeypatch, [{"number": 2, "title": "T", "faults": [fault]}], 1)
    assert text.count("slide 2 “T”: table “a b” ends 90 px right of its slide") == 2


def test_only_a_slide_that_changed_is_looked_at_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """It keeps its number: the third, though alone in what the browser is shown."""
    monkeypatch.setattr("base.kept.folder", lambda: tmp_path)
    monkeypatch.setattr(fit, "find_browser", lambda: "chromium")
    looks: list[str] = []
    fault = {"number": 1, "title": "T", "faults": [{"element": "p", "text": "a", "edge": "right", "of": "slide", "pixels": 9}]}
    monkeypatch.setattr(fit, "looked", lambda html, name: looks.append(html) or ([fault] if ">c<" in html else []))
    fit.check(DECK, "deck.html", Progress(StringIO()))
    with pytest.raises(Problem, match="slide 3 “T”"):
        fit.check(DECK.replace("</div>", "<section>c</section></div>"), "deck.html", Progress(StringIO()))
    assert looks == [DECK, '<div class="slides"><section>c</section></div>']


def test_without_a_browser_it_is_said_that_nobody_looked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fit, "find_browser", lambda: None)
    assert "no browser was found, so nobody looked whether a slide cuts" in said(monkeypatch, [], 0)

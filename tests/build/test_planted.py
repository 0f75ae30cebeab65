"""Three hundred numerals drawn at random, each planted alone in a place outside figures/ that readers see: none gets through."""

from __future__ import annotations

import base64
import random
import shutil
import urllib.parse
from pathlib import Path

import pytest
from typed import found, kit_in

COUNT, SEED = 300, 12
CSS, JS, MARKDOWN, SCRIPT = "slides/theme/p.css", "slides/sim/p.mjs", "slides/a.qmd", "slides/codigo/p.py"
DIGITS, WORDS, WHOLE = "digits", "words", "a numeral of its own"
LISTED = "format:\n  revealjs:\n    width: 1280\n"


def body(text: str, place: str = MARKDOWN) -> tuple[str, str]:
    """A piece of Markdown on the slide; of any other file its text."""
    return place, f"\n{text}\n"


PLACES: dict[str, tuple[str, str, str]] = {  # the file, what is put at its end, and which numerals the place can hold
    "prose": (*body("São {N} linhas."), WORDS),
    "a word in two styles": (*body("São **{N}** linhas, _{N}_ ao todo."), WORDS),
    "a word parted by emphasis": (*body("São se**te** linhas."), WHOLE),
    "a word parted by an element": (*body("São se<b>te</b> linhas."), WHOLE),
    "a word parted by a soft hyphen": (*body("São se&shy;te linhas."), WHOLE),
    "paper alone": (*body('::: {.content-visible when-format="typst"}\nSão {N} linhas.\n:::'), WORDS),
    "the notebook alone": (*body('::: {.content-visible when-format="ipynb"}\nSão {N} linhas.\n:::'), WORDS),
    "a class that the page reads elsewhere": (*body("::: {.cell-code}\nSão {N} linhas.\n:::"), WORDS),
    "navigation": (*body("<nav>São {N} linhas</nav>"), WORDS),
    "an input's value": (*body('<input value="{N}">'), WORDS),
    "an input's bare value": (*body("<input value={N}>"), DIGITS),
    "a page in a page": (*body('<iframe srcdoc="<p>São {N} linhas</p>"></iframe>'), WORDS),
    "a raw block": (*body("```{=html}\n<p>São {N} linhas</p>\n```"), WORDS),
    "a raw block for paper": (*body("```{=typst}\nSão {N} linhas\n```"), WORDS),
    "a listing": (*body("```python\nx = {N}\n```"), DIGITS),
    "an echoed cell": (*body("```{python}\n#| echo: true\nweight = {N}\n```"), DIGITS),
    "an echoed remark": (*body("```{python}\n#| echo: true\nx = y  # são {N} linhas\n```"), WORDS),
    "an echoed string": (*body('```{python}\n#| echo: true\nx = "{N} linhas"\n```'), WORDS),
    "a formula": (*body("$d = {N}$"), DIGITS),
    "a formula's words": (*body(r"$d = \text{{N}}$"), WORDS),
    "a note at the foot": (*body("Assim.[^p]\n\n[^p]: São {N} linhas."), WORDS),
    "a counter in an attribute": (*body('<b style="counter-reset: x {N}">x</b>'), DIGITS),
    "behind a remark of several lines": (*body("<!-- um\nremark --> São {N} linhas."), WORDS),
    "a picture in an address": (*body("![](data:image/svg+xml,{SVG})"), WORDS),
    "a picture in an address, packed": (*body('<img alt="x" src="data:image/svg+xml;base64,{SVG64}">'), WORDS),
    "a picture in a file": ("slides/imagens/p.svg", "<svg><text x='3'>{N}</text></svg>", WORDS),
    "a variable": ("_variables.yml", 'peso: "{N}"\n', WORDS),
    "a variable below another": ("_variables.yml", 'medidas:\n  peso: "{N}"\n', WORDS),
    "a script's remark": (SCRIPT, "x = y  # são {N} linhas\n", WORDS),
    "a script's docstring": (SCRIPT, '"""São {N} linhas."""\n', WORDS),
    "a script's number": (SCRIPT, "weight = {N}\n", DIGITS),
    "a script's print": (SCRIPT, 'print("são {N} linhas")\n', WORDS),
    "a script's printed number": (SCRIPT, "print({N})\n", DIGITS),
    "a solution": ("slides/solucoes/lacuna-1.py", "def f(x):\n    return x * {N}\n", DIGITS),
    "an answer": ("slides/solucoes/resposta-1.md", "São {N} linhas.\n", WORDS),
    "a theme for paper": ("slides/theme/p.typ", "#let a = [São {N} linhas]\n", WORDS),
    "a string of a theme for paper": ("slides/theme/p.typ", '#let a = text("são {N} linhas")\n', WORDS),
    "a filter": ("slides/theme/p.lua", 'return pandoc.Str("{N}")\n', WORDS),
    "a filter's sentence": ("slides/theme/p.lua", "local a = 'são {N} linhas'\n", WORDS),
    "a theme for LaTeX": ("slides/theme/p.tex", r"\newcommand{\peso}{são {N} linhas}" + "\n", WORDS),
    "a template of pages": ("build/p.template", "<footer>São {N} linhas</footer>\n", WORDS),
    "a script of pages": ("build/p.js", 'const a = "são {N} linhas";\n', WORDS),
    "content of a style": (CSS, 'a::after { content: "{N}"; }\n', WORDS),
    "its second string": (CSS, 'a::after { content: "x" "{N}"; }\n', WORDS),
    "content in two lines": (CSS, 'a::after {\n  content:\n    "{N}";\n}\n', WORDS),
    "an escape of a style": (CSS, 'a::after { content: "{CSS}"; }\n', DIGITS),
    "a string in two": (CSS, 'a::after { content: "se" "te"; }\n', WHOLE),
    "a counter": (CSS, "ol { counter-reset: x {N}; }\n", DIGITS),
    "a counter's step": (CSS, "li { counter-increment: x {N}; }\n", DIGITS),
    "a property that content takes": (CSS, ':root { --peso: "{N}"; }\na::after { content: var(--peso); }\n', WORDS),
    "a property that a counter takes": (CSS, ":root { --n: {N}; }\nol { counter-reset: x var(--n); }\n", DIGITS),
    "marks of a list": (CSS, 'ul { list-style-type: "{N}"; }\n', WORDS),
    "a picture in a style": (CSS, 'a::after { content: url("data:image/svg+xml,{SVG}"); }\n', WORDS),
    "a sentence of a module": (JS, 'const a = "são {N} linhas";\n', WORDS),
    "an escape of a module": (JS, 'const a = "são {JS} linhas";\n', DIGITS),
    "a number that a module writes": (JS, "write(cell, {N});\n", DIGITS),
    "a formatted number": (JS, "write(cell, format.fixed(2)({N}));\n", DIGITS),
    "a count": (JS, "const a = format.count({N});\n", DIGITS),
    "a named number": (JS, "const PESO = {N};\nwrite(cell, format.plain(2)(PESO));\n", DIGITS),
    "a text content": (JS, "cell.textContent = {N};\n", DIGITS),
    "a field of a template": (JS, "const a = `são ${{N}} linhas`;\n", DIGITS),
    "a field of a text": (JS, 'text("key", { n: {N} });\n', DIGITS),
    "an element": (JS, 'element("td", { class: "x" }, {N});\n', DIGITS),
    "a label": (JS, 'cell.setAttribute("aria-label", {N});\n', DIGITS),
    "a number as text": (JS, "const a = ({N}).toFixed(2);\n", DIGITS),
    "a template of words": ("data/words/pt/p.yml", 'a: "{x} de {N} linhas"\n', WORDS),
    "a list of words": ("data/words/pt/p.yml", 'a: [um, "{N}"]\n', WORDS),
}
SAID = [
    *("sete", "meio segundo", "um par", "sétuplo", "década", "tridimensional", "dezenas", "vigésimo", "dois terços", "a décima parte"),
    *("⑦", "Ⅳ", "⅐", "７", "٧", "𝟕", "七", "se\u00adte", "o\u200bito", "d\u0336ois", "s\u0435te", "ｓｅｔｅ", "triplicou", "metade", "XIV"),
    *("quinzena", "século", "hexágono", "bilateral", "quíntupla", "milésima", "grosa", "duas", "0,77", "3713", "64", "10⁻³", "x²"),
]


def drawn() -> list[tuple[str, str]]:
    """(place, numeral), every place among them."""
    draw = random.Random(SEED)
    places = [*PLACES] * (COUNT // len(PLACES) + 1)
    draw.shuffle(places)
    places = [*PLACES, *places][:COUNT]
    return [(place, draw.choice(SAID) if PLACES[place][2] == WORDS else number(draw)) for place in places]


def number(draw: random.Random) -> str:
    return draw.choice([str(draw.randint(3, 9999)), f"{draw.uniform(2, 90):.2f}", str(draw.randint(3, 9))])


def planted(root: Path, place: str, numeral: str) -> None:
    file, written, _ = PLACES[place]
    svg = f"<svg><text>{numeral}</text></svg>"
    forms = {
        "N": numeral,
        "SVG": urllib.parse.quote(svg),
        "SVG64": base64.b64encode(svg.encode()).decode(),
        "CSS": "".join(f"\\{ord(sign):06x}" for sign in numeral),
        "JS": "".join(f"\\u{ord(sign):04x}" for sign in numeral),
    }
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    for name, form in forms.items():
        written = written.replace(f"{{{name}}}", form)
    path.write_text(before + written, encoding="utf-8")


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    return kit_in(tmp_path / "clean")


def test_three_hundred_numerals_planted_outside_figures_are_all_found(
    clean: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    through = []
    for n, (place, numeral) in enumerate(drawn()):
        root = Path(shutil.copytree(clean, tmp_path / str(n)))
        planted(root, place, numeral)
        if not any(stray.file == PLACES[place][0] for stray in found(root)):
            through.append((place, numeral))
        shutil.rmtree(root)
    with capsys.disabled():
        print(f" {COUNT} planted in {len(PLACES)} kinds of places, {len(through)} got through", end="")
    assert through == [], through


@pytest.mark.parametrize("place", [place for place in PLACES if PLACES[place][2] != WHOLE])
def test_the_same_place_without_a_numeral_is_clean(clean: Path, place: str) -> None:
    planted(clean, place, "rows" if PLACES[place][2] == DIGITS else "muitas")
    assert found(clean) == []

"""A number that somebody typed in code is found on its way to the page, whatever it passes through."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from proof import audit, number_flow, shown_code, source_numbers
from proof.numerals import numerals

from figures.kit import data, entry, files, language
from figures.kit.files import numbered

HEAD = "from figures.kit.show import number, table, word, figure\nfrom figures.kit.formats import fixed\n"
NUMBER = "@number(fixed(2))\ndef shown(rows):\n"
PLACES = {  # how a literal N may reach what a slide shows
    "a name": NUMBER + "    x = {N}\n    return x\n",
    "two names": NUMBER + "    x = {N}\n    y = x + rows.sum()\n    return y\n",
    "a default": "@number(fixed(2))\ndef shown(rows, x={N}):\n    return x\n",
    "a keyword's default": "@number(fixed(2))\ndef shown(rows, *, x={N}):\n    return x\n",
    "a dict": NUMBER + '    return {"a": {N}}["a"]\n',
    "a list": NUMBER + "    return [{N}, rows][0]\n",
    "rounding": NUMBER + "    return round({N}, 2)\n",
    "a fact": NUMBER + "    return ledger.fact({N}, rows.source)\n",
    "a constant": "SHARE = {N}\n" + NUMBER + "    return SHARE\n",
    "a constant with a type": "SHARE: float = {N}\n" + NUMBER + "    return SHARE\n",
    "a table of constants": 'SHARES = {"a": {N}}\n' + NUMBER + '    return SHARES["a"]\n',
    "a helper": "def _help():\n    return {N}\n" + NUMBER + "    return _help()\n",
    "a helper's default": "def help(x={N}):\n    return x\n" + NUMBER + "    return help()\n",
    "a helper's constant": "S = {N}\ndef help():\n    return S\n" + NUMBER + "    return help()\n",
    "a branch": NUMBER + "    if rows:\n        return {N}\n    return rows\n",
    "a condition's value": NUMBER + "    return {N} if rows else rows\n",
    "a factor": NUMBER + "    return rows.mean() * {N}\n",
    "a sum": NUMBER + "    return rows.mean() + {N}\n",
    "a minus": NUMBER + "    return -{N}\n",
    "a formatted text": '@word\ndef shown():\n    return f"{{N}}"\n',
    "a cell": "@table\ndef shown(rows):\n    return Table(columns, [[Cell({N}), rows]])\n",
    "a row": "@table\ndef shown(rows):\n    return Table(columns, [(rows, {N})])\n",
    "a lambda": NUMBER + "    return (lambda: {N})()\n",
    "a comprehension": NUMBER + "    return sum({N} for row in rows)\n",
    "a word's field": '@word\ndef shown():\n    return _words("a", x=fixed(2)({N}))\n',
    "a walrus": NUMBER + "    return (x := {N})\n",
    "an array": NUMBER + "    return np.array([{N}]).mean()\n",
    "a call": NUMBER + "    return float({N})\n",
    "a drawn list": "@figure\ndef shown():\n    axes.plot([0, 1], [{N}, 1])\n    return Picture(figure, alt)\n",
    "a drawn constant": "HEIGHTS = [0, {N}]\n@figure\ndef shown():\n    axes.bar([0, 1], HEIGHTS)\n    return Picture(figure, alt)\n",
    "a drawn text behind a name": 'LABEL = "{N}"\n@figure\ndef shown():\n    axes.text(0, 1, LABEL)\n    return Picture(figure, alt)\n',
    "a drawn number behind a name": "LABEL = {N}\n@figure\ndef shown():\n    axes.text(0, 1, LABEL)\n    return Picture(figure, alt)\n",
    "a drawn text in a variable": '@figure\ndef shown():\n    t = "{N}"\n    axes.annotate(t, (0, 1))\n',
    "a drawn default": 'def drawn(axes, label="{N}"):\n    axes.set_title(label)\n',
    "a formatter of fixed texts": 'def drawn(axes):\n    axes.xaxis.set_major_formatter(FixedFormatter(["{N}", "x"]))\n',
    "fixed texts behind a name": 'TEXTS = ["{N}", "x"]\ndef drawn(axes):\n    axes.xaxis.set_major_formatter(FixedFormatter(TEXTS))\n',
    "a drawn list in a variable": "@figure\ndef shown():\n    ys = [{N}, 1]\n    axes.plot([0, 1], ys)\n    return Picture(figure, alt)\n",
    "ticks": "@figure\ndef shown():\n    axes.set_yticks([0, {N}])\n    return Picture(figure, alt)\n",
}


def stray(code: str) -> list[str]:
    """The numerals that the audit reads in a module."""
    with language.speaking("pt-BR"):
        lines = numbered(code, "figures/a.py")
        texts = [*source_numbers.literals("figures/a.py", lines), *number_flow.flowing({"figures/a.py": lines})]
        return [match[0] for text in texts for match in numerals(text.text)]


OTHER = {  # how a literal N of figures/b.py may reach what figures/a.py shows
    "a constant": ("S = {N}\n", "from figures.b import S\n" + NUMBER + "    return S\n"),
    "a constant under another name": ("S = {N}\n", "from figures.b import S as share\n" + NUMBER + "    return share\n"),
    "a module's constant": ("S = {N}\n", "from figures import b\n" + NUMBER + "    return b.S\n"),
    "a module under another name": ("S = {N}\n", "import figures.b as other\n" + NUMBER + "    return other.S\n"),
    "a helper": ("def f(rows):\n    return rows.mean() + {N}\n", "from figures.b import f\n" + NUMBER + "    return f(rows)\n"),
    "a module's helper": ("def f(rows):\n    return {N}\n", "from figures import b\n" + NUMBER + "    return b.f(rows)\n"),
    "a helper's default": ("def f(rows, x={N}):\n    return x\n", "from figures.b import f\n" + NUMBER + "    return f(rows)\n"),
    "a helper's constant": ("S = {N}\ndef f(rows):\n    return S\n", "from figures.b import f\n" + NUMBER + "    return f(rows)\n"),
    "a plotted list": ("YS = [{N}, 1]\n", "from figures.b import YS\ndef drawn(axes):\n    axes.plot([0, 1], YS)\n"),
    "a drawn text": ('TEXT = "{N}"\n', "from figures import b\ndef drawn(axes):\n    axes.text(0, 1, b.TEXT)\n"),
}


@pytest.mark.parametrize("kind", OTHER)
@pytest.mark.parametrize("literal", ["3713", "0.77", "4e-3"])
def test_a_number_of_another_module_is_found_there(kind: str, literal: str) -> None:
    there, here = OTHER[kind]
    assert [file for file, _ in flow(there.replace("{N}", literal), here)] == ["figures/b.py"] * len(list(numerals(literal)))
    assert flow(there.replace("{N}", "0"), here) == [("figures/b.py", "0")] * (kind == "a drawn text")


def test_what_a_package_hands_on_is_followed_to_where_it_stands() -> None:
    """figures/p/__init__.py takes a name from figures/p/model.py, and a slide's function takes it from the package."""
    given = {
        "figures/p/model.py": "SHARE = 0.77\n",
        "figures/p/__init__.py": "from figures.p.model import SHARE\n",
        "figures/a.py": f"from figures import p\n{HEAD}{NUMBER}    return p.SHARE\n",
    }
    texts = number_flow.flowing({file: numbered(code, file) for file, code in given.items()})
    assert [(text.file, text.text) for text in texts] == [("figures/p/model.py", "SHARE = 0.77")]


def flow(there: str, here: str) -> list[tuple[str, str]]:
    """The numerals that the flow over two modules finds, each with its file."""
    with language.speaking("pt-BR"):
        files = {"figures/a.py": numbered(HEAD + here, "figures/a.py"), "figures/b.py": numbered(there, "figures/b.py")}
        return [(text.file, match[0]) for text in number_flow.flowing(files) for match in numerals(text.text)]


def drawn(count: int) -> list[tuple[str, str]]:
    """(place, literal) pairs drawn at random, every kind of place among them."""
    draw = random.Random(12)
    kinds = [*PLACES] * (count // len(PLACES) + 1)
    whole, part, tiny = "{:d}".format, "{:.4f}".format, "{:.0e}".format
    forms = [[whole(draw.randint(2, 9999)), part(draw.random()), tiny(draw.uniform(0.001, 0.009))] for _ in range(count)]
    return [(kind, draw.choice(form)) for kind, form in zip(kinds, forms)]


def test_three_hundred_numbers_planted_in_code_are_all_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Each alone in a module that is clean without it."""
    through = [(kind, literal) for kind, literal in drawn(300) if not stray(HEAD + PLACES[kind].replace("{N}", literal))]
    print(f"300 planted, {len(through)} got through: {through[:5]}")
    assert through == []


@pytest.mark.parametrize("kind", PLACES)
def test_the_same_code_without_a_typed_number_is_clean(kind: str) -> None:
    assert stray(HEAD + PLACES[kind].replace("{N}", "rows")) == []


@pytest.mark.parametrize(
    "line",
    ["return rows[2]", "return rows**2", "return fixed(3)(rows)", "return rows if len(rows) > 7 else rows", "return rows + 1"],
)
def test_what_is_no_result_is_left_alone(line: str) -> None:
    assert stray(f"{HEAD}{NUMBER}    {line}\n") == []


@pytest.mark.parametrize("written", [r"são \u0037 camadas", r"são \x37 camadas", r"são \U00000037 camadas"])
def test_a_numeral_written_as_an_escape_is_read(written: str) -> None:
    texts = source_numbers.templates("data/words/pt/a.yml", numbered(f'a: "{written}"', "data/words/pt/a.yml"))
    assert [match[0] for text in texts for match in numerals(text.text)] == ["7"]


def test_a_numeral_written_as_an_escape_in_a_style_sheet_is_read() -> None:
    texts = shown_code.styles("a.css", numbered('a::after { content: "\\37  camadas"; }', "a.css"))
    assert [match[0] for text in texts for match in numerals(text.text)] == ["7"]


def made(**changes: object) -> entry.Number:
    """An entry as a page's ledger has it."""
    texts = {"id": "a.b():count", "kind": "computed", "text": "7", "unit": "", "format": "count", "function": "a.b", "file": "figures/a.py"}
    lists: dict[str, object] = {name: [] for name in ("arguments", "data", "records", "fields", "seeds")}
    return entry.Number(**{**texts, **lists, "n": 1, "value": 7, "line": 3, "note": "", **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "is_told"),
    [
        ({}, True),
        ({"data": ["words/pt/a.yml"]}, True),
        ({"data": ["a.yml"]}, False),
        ({"seeds": [entry.Seed(file="a.yml", seed=1)]}, False),
        ({"kind": "measured"}, False),
        ({"function": "a.declared"}, False),
        ({"file": "figures/kit/deck.py"}, False),
    ],
)
def test_a_computed_entry_that_read_no_data_is_a_fault_unless_declared(
    changes: dict[str, object], is_told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "underived.yml").write_text("- {function: a.declared, reason: counts what code holds}\n", encoding="utf-8")
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    data.forget()
    ledger = entry.Ledger(version=entry.VERSION, page="a.html", entries=[made(**changes)])
    faults = audit.underived({Path("a.html"): (ledger, frozenset())})
    data.forget()
    assert bool(faults) == is_told
    assert all(fault.file == "figures/a.py" and "data/underived.yml" in fault.what for fault in faults)

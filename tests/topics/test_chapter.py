"""The chapter: its scripts print what the source's print, its chain is attention, its page says what it must."""

from __future__ import annotations

import base64
import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from loaded import with_records
from matplotlib.colors import to_hex
from msgspec.structs import replace
from published import published, same_text

from figures import attention, chapter, embedding, hand_example, running_example
from figures.kit import data, ledger
from figures.kit.claims import ClaimError
from figures.kit.entry import Listing
from figures.kit.errors import DataError
from figures.kit.files import ROOT
from figures.kit.style import COLOURS
from figures.kit.theme import THEME

SOURCE = ROOT / "slides" / "query-key-value.qmd"
pytestmark = pytest.mark.skipif(not SOURCE.is_file(), reason="the lecture has no such chapter")


# Its place


def test_the_step_and_how_many():
    assert chapter.step().value == published("chapter", "place", "step")
    assert chapter.steps().value == published("chapter", "place", "of")
    assert (chapter.step_before().text, chapter.step_after().text) == ("2", "4")


def test_a_neighbour_without_an_address_is_a_name_with_one_a_link():
    assert chapter.course.linked(chapter.model.Page(id="next", address="")) == "Máscaras e cabeças"
    assert chapter.course.linked(chapter.model.Page(id="next", address="m.html#x")) == "[Máscaras e cabeças](m.html#x)"


def test_the_way_to_the_neighbours_shows_only_pages_with_an_address(monkeypatch: pytest.MonkeyPatch):
    assert chapter.neighbours() is None
    known = chapter.model.records()
    for addressed, way in (
        ({"previous": "e.html"}, "← [Embeddings](e.html)"),
        ({"next": "m.html"}, "próximo passo: [Máscaras e cabeças](m.html) →"),
        ({"previous": "e.html", "next": "m.html"}, "← [Embeddings](e.html) · próximo passo: [Máscaras e cabeças](m.html) →"),
    ):
        pages = tuple(replace(page, address=addressed.get(page.id, "")) for page in known.pages)
        with monkeypatch.context() as patch:
            with_records(patch, "chapter", replace(known, pages=pages))
            shown = chapter.neighbours()
        assert shown is not None and shown.value == way


def test_the_last_step_may_be_this_one_and_none_after_it():
    last = replace(chapter.model.records(), step=7, steps=7)
    assert list(last.faults()) == [] and list(replace(last, step=8).faults()) == ["step 8 of 7"]


def test_an_unknown_page_is_refused_with_the_known_ones():
    with pytest.raises(DataError, match="overview, previous, next, block"):
        chapter.page("nowhere")


# Its scripts


@pytest.fixture(scope="module")
def by_hand() -> dict[str, Any]:
    return run("by-hand")


@pytest.fixture(scope="module")
def way_back() -> dict[str, Any]:
    return run("way-back")


def run(id: str) -> dict[str, Any]:
    """The names that a script leaves behind."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with redirect_stdout(io.StringIO()):
        exec(chapter.scripts.source(id), names)
    return names


def squeezed(text: str) -> list[str]:
    """The lines that aren't empty, each with single spaces."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def matrices(text: str) -> list[list[list[float]]]:
    """Every matrix that numpy has printed over several lines."""
    found = re.findall(r"\[\[.*?\]\]", text, re.DOTALL)
    return [[[float(x) for x in row.split()] for row in re.findall(r"\[([^\[\]]+)\]", one)] for one in found]


def test_the_first_script_prints_the_published_lines():
    lines = squeezed(chapter.script("by-hand").output)
    expected = published("chapter", "script_1", "first_lines")
    assert [line.replace("a = softmax =", "a =") for line in lines[: len(expected)]] == expected


def test_the_first_script_prints_the_published_matrices():
    A, out = matrices(chapter.script("by-hand").output)
    assert published("chapter", "script_1", "A") == A
    assert published("chapter", "script_1", "O") == out


def test_the_first_script_computes_with_the_example_s_own_vectors(by_hand: dict[str, Any]):
    example = hand_example.example()
    assert by_hand["K"].tolist() == example.keys.tolist()
    assert by_hand["V"].tolist() == example.values.tolist()
    assert by_hand["Q"].tolist() == chapter.matrices.queries().tolist()
    assert by_hand["query"].tolist() == list(example.query)


def test_the_first_script_gives_the_page_s_numbers(by_hand: dict[str, Any]):
    found = chapter.by_hand()
    assert by_hand["A"] == pytest.approx(found.A, rel=1e-12)
    assert by_hand["out"] == pytest.approx(found.O, rel=1e-12)


def test_the_second_script_prints_the_published_matrices():
    A, dQ = matrices(chapter.script("way-back").output)
    assert published("chapter", "script_2", "A") == A
    assert published("chapter", "script_2", "dQ") == dQ


@pytest.mark.parametrize("name", ["dQ", "dK", "dV"])
def test_the_errors_stay_below_their_bound(name: str, way_back: dict[str, Any]):
    """Their digits depend on the processor's arithmetic, so the script prints the bound alone; their order is what can be held."""
    assert f"{name}: abaixo de 1e-08" in chapter.script("way-back").output
    matrix = way_back[name.removeprefix("d")]
    found = np.abs(way_back["finite_differences"](way_back["loss"], matrix) - way_back["gradients"][name]).max()
    shown = float(published("chapter", "script_2", "errors")[name])
    assert shown / 20 < found < shown * 20 < 1e-7


def test_each_row_of_the_scores_gradient_sums_to_zero(way_back: dict[str, Any]):
    assert published("chapter", "script_2", "row_sums") == "zero to 12 decimals"
    assert np.abs(way_back["gradients"]["dS"].sum(axis=-1)).max() < 0.5e-12
    assert "dS: [0. 0. 0.]" in chapter.script("way-back").output


@pytest.mark.parametrize("id", ["by-hand", "way-back"])
def test_a_script_prints_on_a_terminal_that_lacks_its_letters(id: str, tmp_path: Path):
    (file := tmp_path / "script.py").write_text(chapter.scripts.source(id), encoding="utf-8")
    for encoding in ("cp1252", "ascii"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
        subprocess.run([sys.executable, str(file)], check=True, capture_output=True, env=environment)


def test_the_second_script_against_torch(way_back: dict[str, Any]):
    Q, K, V, dO = (torch.tensor(way_back[name], requires_grad=name != "dO") for name in ("Q", "K", "V", "dO"))
    torch.nn.functional.scaled_dot_product_attention(Q, K, V).backward(dO)
    for name, tensor in (("dQ", Q), ("dK", K), ("dV", V)):
        assert tensor.grad is not None
        assert way_back["gradients"][name] == pytest.approx(tensor.grad.numpy(), abs=1e-12)


def test_the_second_script_against_the_lecture_s_own_way_back(way_back: dict[str, Any]):
    found = attention.backward(*(way_back[name] for name in ("dO", "Q", "K", "V")))
    for name in ("Q", "K", "V"):
        assert way_back["gradients"][f"d{name}"] == pytest.approx(getattr(found, name), abs=1e-14)


def test_how_many_lines_a_function_has():
    assert str(chapter.script_lines("by-hand", "attention")) == "três"
    assert chapter.scripts.statements('def f():\n    """Doc."""\n    x = 1\n    return x\n', "f") == 2
    assert str(chapter.script_lines("by-hand", "softmax")) == "duas"
    with pytest.raises(DataError, match="no such function"):
        chapter.script_lines("by-hand", "nothing")


@pytest.mark.parametrize("id", ["by-hand", "way-back"])
def test_the_page_shows_hands_out_and_runs_the_same_file(id: str):
    shown = chapter.script(id)._repr_markdown_()
    file = f"{chapter.scripts.source(id)}\n"
    saved = re.search(rf'download="{chapter.scripts.path(id).name}" href="data:text/x-python;charset=utf-8;base64,([^"]+)"', shown)
    assert saved
    assert base64.b64decode(saved[1]).decode() == file
    assert f"```python\n{file}```" in shown
    assert f"```{{.output}}\n{chapter.scripts.output(chapter.scripts.source(id), chapter.scripts.path(id).name)}\n```" in shown


def test_a_script_has_the_inputs_of_its_example_whatever_they_are(monkeypatch: pytest.MonkeyPatch):
    given = hand_example.example()
    fourth = data.changed(given.tokens[0], name="sombra", key=(2.0, 1.0), value=(0.25, 0.0))
    with_records(monkeypatch, "hand_example", data.changed(given, query=(2.0, -1.5), tokens=(fourth, *given.tokens), asking="praça"))
    asking = [chapter.model.Asking(token=name, query=(0.5, 3.0)) for name in ("sentei", "banco", "sombra")]
    with_records(monkeypatch, "chapter", data.changed(chapter.model.records(), queries=tuple(asking)))
    made = run("by-hand")
    assert made["row"] == 3 and made["query"].tolist() == [2.0, -1.5] and made["K"].shape == (4, 2)
    assert made["out"] == pytest.approx(chapter.by_hand().O, rel=1e-12)
    text = chapter.script("by-hand")
    assert "[2.0, 1.0],  # sombra" in text.text and 'row = 3  # a linha de "praça"' in text.text
    assert f"q·k         = {made['products']}" in text.output


def test_what_a_script_leaves_open_and_nothing_is_known_of_is_named():
    assert chapter.scripts.filled("a = 1\nb = ...\n", {"b": lambda: "2"}, "x.py") == "a = 1\nb = 2\n"
    with pytest.raises(DataError, match=r"x\.py:1, c: nothing is known that could stand here"):
        chapter.scripts.filled("c = ...", {"b": lambda: "2"}, "x.py")


def test_a_script_is_one_entry_of_the_page_s_ledger():
    ledger.clear()
    shown = chapter.script("by-hand")._repr_markdown_()
    (entry,) = ledger.entries()
    assert '.script n="1"' in shown and isinstance(entry, Listing) and entry.call == "chapter.script('by-hand')"
    assert entry.text.startswith("q·k") and entry.value.startswith('"""') and entry.value.endswith(f"\n\n{entry.text}")
    ledger.clear()
    assert '.script n="0"' in chapter.scripts.Run("x = 1")._repr_markdown_() and ledger.entries() == ()


def test_a_script_that_stops_stops_the_build():
    with pytest.raises(chapter.scripts.ScriptError, match=r"(?s)broken\.py stopped with code 1.*ValueError: quebrou"):
        chapter.scripts.output("print('começo')\nraise ValueError('quebrou')", "broken.py")


def test_of_a_long_error_the_end_is_told():
    with pytest.raises(chapter.scripts.ScriptError) as caught:
        chapter.scripts.output("def f(n):\n    return f(n - 1) + n if n else 1 / 0\nf(5)", "deep.py")
    told = str(caught.value).splitlines()
    assert len(told) == 1 + 6 and told[-1] == "ZeroDivisionError: division by zero"


# The chain


def test_the_chain_by_hand():
    found = chapter.by_hand()
    assert found.S[1] == pytest.approx(np.array([1, 3, 4]) / np.sqrt(2))
    assert found.A.sum(axis=1) == pytest.approx([1, 1, 1])
    assert found.O[1] == pytest.approx([0.847, 0.153], abs=5e-4)


@given(arrays(float, (3, 5, 2), elements=st.floats(-6, 6)))
def test_the_chain_against_torch(numbers: np.ndarray):
    Q, K, V = numbers
    expected = torch.nn.functional.scaled_dot_product_attention(*(torch.tensor(one)[None] for one in (Q, K, V)))[0]
    found = chapter.chain_of(Q, K, V)
    output = found.O
    assert output == pytest.approx(expected.numpy(), abs=1e-10)
    assert found.A.sum(axis=-1) == pytest.approx(np.ones(5))
    assert (output <= V.max(axis=0) + 1e-12).all()
    assert (output >= V.min(axis=0) - 1e-12).all()


def test_the_four_steps_in_the_chapter_s_precision():
    assert re.findall(r"= \\text\{(.*?)\}", chapter.products().text) == ["1·1 + 2·0 = 1", "1·1 + 2·1 = 3", "1·0 + 2·2 = 4"]
    assert re.findall(r"\\text\{(.*?)\}", chapter.exponentials().text) == ["0,71", "2,0", "2,12", "8,3", "2,83", "16,9"]
    assert same_text(chapter.mixture(), "0,07 [1; 0] + 0,31 [0,5; 0,5] + 0,62 [1; 0]")
    assert same_text(chapter.scaled(), "[0,71; 2,12; 2,83]")
    assert same_text(chapter.weights(), "[0,07; 0,31; 0,62]")


def test_a_token_without_a_query_is_named(monkeypatch: pytest.MonkeyPatch):
    records = chapter.model.records()
    fewer = chapter.model.Chapter(**{name: getattr(records, name) for name in records.__struct_fields__ if name != "queries"}, queries=())
    with_records(monkeypatch, "chapter", fewer)
    with pytest.raises(DataError, match="no query for sentei, praça"):
        chapter.matrices.queries()


def test_the_chain_s_picture_is_told_in_its_own_numbers():
    alt = chapter.chain().alt
    for text in ("“banco”", "[1; 2]", "[0,71; 2,12; 2,83]", "[0,07; 0,31; 0,62]", "[0,85; 0,15]", "3 × 3", "3 × 2"):
        assert text in alt.replace("\u00a0", " ")


def test_of_the_chain_s_matrices_the_weights_alone_are_shaded():
    boxes = [to_hex(patch.get_facecolor()) for patch in chapter.chain().figure.axes[0].patches if patch.get_fill()]
    flat = {colour.lower() for colour in (COLOURS.ground, COLOURS.wash, *(role.wash for role in THEME.roles))}
    assert len(boxes) == 4 * 3 * 2 + 2 * 3 * 3 and len([colour for colour in boxes if colour not in flat]) == 9


# What the text says of the running example


def test_the_last_token_looks_at_the_verb_or_the_build_stops(monkeypatch: pytest.MonkeyPatch):
    assert chapter.looks_at_the_verb().values["share"] == pytest.approx(0.94, abs=5e-3)
    monkeypatch.setattr(running_example.model, "run", lambda **_: running_example.chain(embedding.X(), OTHER))
    with pytest.raises(ClaimError, match="é para ele que o token olha"):
        chapter.looks_at_the_verb()


def test_half_of_the_attention_is_not_most_of_it():
    check = chapter.looks_at_the_verb.check  # type: ignore[attr-defined]
    assert not check(0.5).holds and check(0.51) == (True, {"share": 0.51})


@pytest.mark.parametrize(
    ("masked", "change", "spared"),
    [
        ([0.0, 1.0], 0, True),
        ([0.25, 1.0], 0.25, False),
        ([0.0, 0.75], 0.25, False),
        ([9e-13, 1.0], 9e-13, True),
        ([1e-12, 1.0], 1e-12, False),
    ],
)
def test_a_mask_that_moves_one_weight_either_way_does_not_spare_the_row(
    masked: list[float], change: float, spared: bool, monkeypatch: pytest.MonkeyPatch
):
    given = running_example.run()
    monkeypatch.setattr(running_example, "run", lambda causal: given._replace(weights=np.array([masked if causal else [0.0, 1.0]])))
    assert chapter.survives_the_mask.check() == (spared, {"largest change": change})  # type: ignore[attr-defined]


def test_the_mask_spares_the_last_row_or_the_build_stops(monkeypatch: pytest.MonkeyPatch):
    assert chapter.survives_the_mask().values["largest change"] == 0
    given = running_example.records().heads[0]
    monkeypatch.setattr(running_example, "run", lambda causal: running_example.chain(embedding.X(), OTHER if causal else given))
    with pytest.raises(ClaimError, match="estes números ficam como estão"):
        chapter.survives_the_mask()


OTHER = running_example.model.Head(query=(4, 2), key=(4, 2), value=(1, 2))  # a head that looks at tokens like its own


# The page's source


def test_the_sections_are_the_source_s_in_its_order():
    titles = re.findall(r"^#{2,3} (.*?) \{#sec-", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert titles == [
        "Um dicionário suave",
        "Query, Key, Value",
        "Um exemplo feito à mão",
        "O mesmo, em código",
        "O exemplo da página: uma cabeça, à mão",
        "As formas de cada matriz",
        r"A matriz inteira e por que $\sqrt{d_k}$ não é cosmético",
        "A volta por uma cabeça",
    ]


def test_no_number_is_typed_on_the_page():
    """Beside names (GPT-2), ordinals of steps, heads and positions, and the constants of symbols."""
    text = SOURCE.read_text(encoding="utf-8").partition("\n---\n")[2]
    text = re.sub(r"```\{python\}.*?```|`\{python\}[^`]*`|\{[#.][^}]*\}", " ", text, flags=re.DOTALL)
    text = re.sub(r"GPT-2|Passos? \d( a \d)?:|cabeça [12]\b|na posição 1\b|^\d\. ", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\\mathbf\{1\}|\{i=1\}", " ", text)
    assert re.findall(r"[^\n]*\d[^\n]*", text) == []


def test_beside_the_values_stands_how_one_reads():
    code = {name: chapter.scripts.matrix_code(name).split("\n") for name in "KV"}
    assert code["V"][0] == "np.array([  # cada value se lê [assento, dinheiro]" and code["K"][0] == "np.array(["
    assert code["V"][2] == "    [0.5, 0.5],  # banco"
    with pytest.raises(ValueError, match="longer"):
        chapter.scripts.array_code([[1.0]], ["a", "b"])

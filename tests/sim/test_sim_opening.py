"""What a simulator opens with, read back from its page and held against its picture on paper: each series' name, looks and values."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import drawings
import live
import numpy as np
import pytest
import sim_page
from drawings import grids, plain, read
from live import by_ticks, nodes, points
from sim_page import CHAPTER, DECK, made
from sim_slides import Slides

from figures import hand_example, simulators

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Facts = dict[str, Any]


def static(name: str) -> drawings.Drawing:
    return read(getattr(simulators, name)().picture().figure)


def same_looks(found: Facts, drawing: drawings.Drawing, names: tuple[str, ...]) -> None:
    seen, drawn = live.looks(found), drawing.looks()
    assert set(seen) == set(names)
    for name in names:
        assert len(seen[name]) == 1, f"{name} has {len(seen[name])} looks"
        (look,) = seen[name]
        assert (look.colour, look.marker) == (drawn[name].colour, drawn[name].marker), name
        assert look.dash == pytest.approx(drawn[name].dash), name


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def power(tick: str) -> float | None:
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    exponent = re.fullmatch(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", tick)
    return float(exponent[1].translate(digits)) if exponent else 0.0 if tick == "1" else None


def number(tick: str) -> float | None:
    return float(tick.replace("−", "-").replace(",", ".")) if re.fullmatch(r"−?\d+(,\d+)?", tick) else None


def gradient_is_the_same(found: Facts, drawing: drawings.Drawing) -> None:
    (panel,) = drawing.panels
    same_looks(found, drawing, ("attention", "lstm", "rnn"))
    chart = found["pictures"][-1]
    across, up = by_ticks(chart, number, "x"), by_ticks([one for one in chart if one["text"] != "0"], power, "y")
    told = {one["series"]: one for one in found["html"] if one["kind"] == "gradient-value"}
    for name in told:
        (line,) = [one for one in chart if one["series"] == name and one["kind"] == "line"]
        (mark,) = [one for one in chart if one["series"] == name and one["marker"]]
        (end,) = [one for one in chart if one["series"] == name and one["tag"] == "text"]
        drawn = panel.curve(name).points
        seen = np.array([[across(x), up(y)] for x, y in points(line)])
        assert seen[:, 0] == pytest.approx(drawn[:, 0], abs=0.2) and seen[:, 1] == pytest.approx(np.log10(drawn[:, 1]), abs=0.02)
        assert points(mark)[0] == pytest.approx(points(line)[-1], abs=0.2)
        (label,) = panel_texts(panel, name)
        said = words(told[name]["text"])
        assert label.replace(": ", "") == said and said.startswith(words(end["text"])) and abs(end["y"] - 6 - points(mark)[0][1]) < 30


def panel_texts(panel: drawings.Panel, series: str) -> list[str]:
    return [words(text.text) for text in panel.texts if text.series == series]


def banco_is_the_same(found: Facts, drawing: drawings.Drawing) -> None:
    page, keys, values = drawing.panels
    same_looks(found, drawing, ("query", "key", "value", "output"))
    planes = [picture for picture in found["pictures"] if any(one["marker"] for one in picture)]
    for picture, panel, series in zip(planes, (keys, values), (("query", "key"), ("value", "output"))):
        across, up = by_ticks(picture, number, "x"), by_ticks(picture, number, "y")
        for name in series:
            marks = [one for one in picture if one["series"] == name and one["marker"]]
            drawn = [curve for curve in panel.curves if curve.series == name and curve.look.marker]
            places = [[across(x), up(y)] for one in marks for x, y in points(one)]
            assert np.array(places) == pytest.approx(np.array([curve.points[-1] for curve in drawn]), abs=0.02)
            assert np.argsort([one["width"] for one in marks]).tolist() == np.argsort([curve.size for curve in drawn]).tolist()
        (mark,) = [one for one in nodes(found, series="query") if one["kind"] == "line"] if "query" in series else [None]
        assert mark is None or [across(points(mark)[0][0]), up(points(mark)[0][1])] == pytest.approx([0, 0], abs=0.02)
        for one in (one for one in picture if one["marker"] and one["series"] in ("key", "value")):
            labels = [text for text in picture if text["tag"] == "text" and text["series"] == one["series"] and text["text"]]
            nearest = min(labels, key=lambda text: abs(text["at"][1] - one["at"][1]))
            place = [across(points(one)[0][0]), up(points(one)[0][1])]
            here = [token.name for token in hand_example.example().tokens if np.allclose(getattr(token, one["series"]), place, atol=0.02)]
            assert nearest["text"].split(", ") == here
    written = [text.text for text in page.texts]
    assert [cell for row in found["tables"][0] for cell in map(words, row) if cell and cell not in written] == []


def cache_is_the_same(found: Facts, drawing: drawings.Drawing) -> None:
    card, _ = drawing.panels
    seen, drawn = live.looks(found), drawing.looks()
    assert {name: {look.colour for look in seen[name]} for name in seen} == {name: {drawn[name].colour} for name in ("weights", "cache")}
    bars = {name: max(nodes(found, series=name, tag="rect"), key=lambda one: one["width"]) for name in ("weights", "cache")}
    (tall,) = [patch.get_height() for patch in card.axes.patches if not patch.get_fill()]  # type: ignore[attr-defined]
    (frame,) = nodes(found, kind="card")
    for bar in card.bars:
        assert bars[bar.series]["width"] / frame["width"] == pytest.approx(bar.height / tall, abs=0.01)
        samples = [one for one in nodes(found, series=bar.series, tag="rect") if one["kind"] == "outlined"]
        texts = [
            one for one in nodes(found, tag="text") if abs(one["at"][1] - samples[0]["at"][1]) < 8 and one["at"][0] > samples[0]["at"][0]
        ]
        assert [words(min(texts, key=lambda one: one["at"][0])["text"])] == panel_texts(card, bar.series)


def bars_are_the_same(found: Facts, drawn: list[drawings.Bar]) -> None:
    """Bars from the top: as long beside each other, and of the same colours."""
    seen = [one for one in found["html"] if one["kind"] == "sim-bar"]
    drawn = sorted(drawn, key=lambda bar: -bar.y)
    longest = max(one["width"] for one in seen), max(bar.width for bar in drawn)
    assert [one["width"] / longest[0] for one in seen] == pytest.approx([bar.width / longest[1] for bar in drawn], abs=0.01)
    assert [one["ground"] for one in seen] == [bar.colour for bar in drawn]


def lines_of(found: Facts) -> list[tuple[str, str]]:
    """The name and the number of each bar."""
    names, numbers = (
        [words(one["text"]) for one in found["html"] if one["kind"].split()[:1] == [kind]] for kind in ("sim-bar-name", "sim-bar-text")
    )
    return list(zip(names, numbers, strict=True))


def lines_drawn(drawing: drawings.Drawing) -> list[tuple[str, str]]:
    """The texts at the height of each bar, from the top."""
    page = drawing.panels[0]
    found = []
    for bar in sorted((bar for bar in page.bars if bar.series == "bar"), key=lambda bar: -bar.y):
        height = page.axes.transData.transform((0, bar.y + bar.height / 2))[1]
        beside = [text for text in page.texts if abs(text.at[1] - height) < 6]
        start = page.axes.transData.transform((bar.x, 0))[0]
        name = max((text for text in beside if text.at[0] < start), key=lambda text: text.at[0])
        value = min((text for text in beside if text.at[0] > start), key=lambda text: text.at[0])
        found.append((name.text, value.text))
    return found


def matrix_is_the_same(found: Facts, drawing: drawings.Drawing) -> None:
    page, heat = drawing.panels
    assert live.darkness(found) == pytest.approx(heat.darkness(), rel=0.1)
    for side, role in (("y", "q"), ("x", "k")):
        assert [one["text"] for one in nodes(found, tag="text", role=role)] == heat.labels(side)
    assert lines_of(found) == lines_drawn(drawing)
    bars_are_the_same(found, [bar for bar in page.bars if bar.series == "bar"])


def bpe_is_the_same(found: Facts, drawing: drawings.Drawing) -> None:
    (panel,) = drawing.panels
    assert lines_of(found) == lines_drawn(drawing)
    bars_are_the_same(found, [bar for bar in panel.bars if bar.series == "bar"])
    pieces = [one["text"] for one in found["html"] if one["kind"] == "bpe-piece"]
    highest = [text for text in panel.texts if text.text in pieces and text.at[1] > 300]
    assert [text.text for text in sorted(highest, key=lambda text: text.at[0])] == pieces


def heads_are_the_same(found: Facts, drawing: drawings.Drawing) -> None:
    right = [text for text in drawing.panels[0].texts if text.at[0] > 700]
    drawn = grids(right, ["cabeça 1: A", "cabeça 2: A", "saida: as cabeças lado a lado"])
    tables = [[list(map(words, row)) for row in table] for table in found["tables"]]
    assert [[[plain(cell) for cell in row if cell] for row in table if any(row)] for table in tables] == list(drawn.values())


CHECKS: dict[str, Callable[[Facts, drawings.Drawing], None]] = {
    "gradient": gradient_is_the_same,
    "bpe": bpe_is_the_same,
    "banco": banco_is_the_same,
    "matrix": matrix_is_the_same,
    "multihead": heads_are_the_same,
    "cache": cache_is_the_same,
}


def opened(slides: Slides, name: str) -> Facts:
    """The simulator as it opens, or as paper shows it."""
    slides.fresh(name)
    if getattr(made(name), "on_paper", None):
        slides.press("até o fim")
    return live.facts(slides.page)


# Those of the chapter alone: the names of their matrices on paper, line by line.
MATRICES = {
    "chain": [["Q", "K", "V"], ["S=QK⊤/√dk", "A=softmax(S)", "O=AV"]],
    "running": [["u", "Q", "K", "V"], ["S=QK⊤/√dk", "A=softmax(S)", "O=AV"]],
}


def beside(matrices: list[list[list[str]]]) -> list[list[str]]:
    """The rows of matrices that stand beside each other, each row through all of them."""
    return [sum(rows, []) for rows in zip(*matrices, strict=True)]


def test_every_simulator_is_compared() -> None:
    assert list(CHECKS) == DECK and {*CHECKS, *MATRICES} == {*DECK, *CHAPTER}


def test_those_of_the_chapter_open_with_their_pictures_on_paper(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "deck.html"
    file.write_text(sim_page.deck(made(name) for name in MATRICES), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    page.wait_for_function("Reveal.isReady()")
    for number, (name, lines) in enumerate(MATRICES.items(), 1):
        page.evaluate("(number) => Reveal.slide(number)", number)
        page.wait_for_selector(f"section.present .sim-{name} .sim-matrix-box")
        (panel,) = static(name).panels
        drawn = grids(panel.texts, sum(lines, []))
        tables = iter([[[plain(cell) for cell in row] for row in table if row] for table in live.facts(page)["tables"]])
        for line in lines:
            assert beside([next(tables) for _ in line]) == beside([drawn[title] for title in line]), f"{name}: {line}"
        assert not list(tables)
    page.close()


@pytest.mark.parametrize("name", CHECKS)
def test_a_simulator_opens_with_its_picture_on_paper(name: str, slides: Slides) -> None:
    CHECKS[name](opened(slides, name), static(name))


# Faults that must be noticed


def everything(found: Facts, which: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What has these facts, drawn or in HTML."""
    drawn = [node for picture in found["pictures"] for node in picture]
    return (node for node in [*drawn, *found["html"]] if all(node[name] == value for name, value in which.items()))


def exchanged(fact: str, first: dict[str, Any], second: dict[str, Any]) -> Callable[[Facts], None]:
    """A fact of the first thing for that of the second, and the other way round."""

    def fault(found: Facts) -> None:
        one, other = (next(everything(found, which)) for which in (first, second))
        one[fact], other[fact] = other[fact], one[fact]
        assert one[fact] != other[fact], "nothing was changed"

    return fault


def changed(fact: str, value: Any, **which: Any) -> Callable[[Facts], None]:
    def fault(found: Facts) -> None:
        for node in list(everything(found, which)):
            node[fact] = value

    return fault


def transposed(found: Facts) -> None:
    n = found["side"]
    found["pixels"] = np.array(found["pixels"]).reshape(n, n, 4).swapaxes(0, 1).ravel().tolist()


def rows_exchanged(found: Facts) -> None:
    found["tables"][0].reverse()


LSTM, RNN = {"series": "lstm", "kind": "line"}, {"series": "rnn", "kind": "line"}


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("gradient", exchanged("stroke", LSTM, RNN)),
        ("gradient", changed("dash", "none", **LSTM)),
        ("gradient", changed("fill", "#000000", series="attention", tag="path")),
        ("gradient", changed("d", "M0 -1L1 1L-1 1Z", series="lstm", marker="s")),
        ("gradient", exchanged("text", {"kind": "gradient-value", "series": "lstm"}, {"kind": "gradient-value", "series": "rnn"})),
        ("gradient", exchanged("text", {"kind": "end", "series": "lstm"}, {"kind": "end", "series": "rnn"})),
        ("banco", changed("fill", "#1A56DB", series="key", marker="s")),
        ("banco", exchanged("moved", {"series": "value"}, {"series": "output", "marker": "*"})),
        ("banco", exchanged("text", {"series": "key", "text": "praça"}, {"series": "key", "text": "banco"})),
        ("cache", exchanged("fill", {"series": "weights", "kind": ""}, {"series": "cache", "kind": ""})),
        ("cache", changed("width", 1, series="cache", kind="")),
        ("matrix", transposed),
        ("matrix", exchanged("text", {"role": "k", "text": "gato"}, {"role": "k", "text": "viu"})),
        ("bpe", changed("ground", "#B23C06", kind="sim-bar")),
        ("bpe", changed("text", "8", kind="sim-bar-text", text="9")),
        ("multihead", rows_exchanged),
    ],
)  # fmt: skip
def test_another_drawing_is_noticed(name: str, fault: Callable[[Facts], None], slides: Slides) -> None:
    found = copy.deepcopy(opened(slides, name))
    fault(found)
    with pytest.raises(AssertionError):
        CHECKS[name](found, static(name))

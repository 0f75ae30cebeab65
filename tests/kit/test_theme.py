"""The theme: contrasts as its comments say them, roles that every eye can tell apart, a canvas in pixels."""

from __future__ import annotations

import io
import itertools
import logging
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

from figures.kit import style
from figures.kit.files import ROOT, folder
from figures.kit.style import COLOURS, SIZES

with warnings.catch_warnings(), np.printoptions():  # importing colour-science changes how numpy prints, for everybody
    warnings.simplefilter("ignore")
    from colour import XYZ_to_Lab, sRGB_to_XYZ
    from colour.blindness import matrix_cvd_Machado2009
    from colour.difference import delta_E_CIE2000
    from colour.models import eotf_inverse_sRGB, eotf_sRGB

THEME_FILE = (folder() / "theme.yml").read_text(encoding="utf-8")
COMMENTED = re.findall(r'^  (\w+): "(#[0-9A-F]{6})" *# ([\d.]+) ([\d.]+) ·', THEME_FILE, re.MULTILINE)
TEXTS = ["ink", "soft", "query", "key", "value", "stress"]
WASHES = ["query", "key", "value", "stress"]


def seen(colour: str, deficiency: str, severity: float = 1.0) -> np.ndarray:
    """CIE Lab of a colour as seen with a colour deficiency (Machado 2009)."""
    rgb = eotf_sRGB(np.array(style.to_rgb(colour)))
    if deficiency:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the tritan matrix is an approximation, and says so
            rgb = np.clip(matrix_cvd_Machado2009(deficiency, severity) @ rgb, 0, 1)
    return XYZ_to_Lab(sRGB_to_XYZ(eotf_inverse_sRGB(rgb)))


@pytest.mark.parametrize("deficiency", ["", "Protanomaly", "Deuteranomaly", "Tritanomaly"])
@pytest.mark.parametrize("pair", list(itertools.combinations(style.ROLES, 2)), ids="-".join)
def test_query_key_and_value_differ_for_every_eye(pair: tuple[str, str], deficiency: str):
    first, second = (seen(style.ROLES[role], deficiency) for role in pair)
    assert delta_E_CIE2000(first, second) >= 20


def test_each_role_has_a_second_carrier():
    assert style.DASHES.keys() == style.ROLES.keys()
    assert len({str(dash) for dash in style.DASHES.values()}) == 3


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ground", ["ground", "wash"])
def test_text_reads_on_its_grounds(text: str, ground: str):
    assert style.contrast(getattr(COLOURS, text), getattr(COLOURS, ground)) >= 4.5


@pytest.mark.parametrize("text", WASHES)
def test_a_coloured_text_reads_on_its_own_wash(text: str):
    assert style.contrast(getattr(COLOURS, text), getattr(COLOURS, f"{text}_wash")) >= 4.5


def test_lines_that_carry_meaning_reach_three_to_one():
    assert style.contrast(COLOURS.rule, COLOURS.wash) >= 3


@pytest.mark.parametrize(("name", "colour", "on_ground", "on_wash"), COMMENTED)
def test_the_comments_give_the_measured_contrast(name: str, colour: str, on_ground: str, on_wash: str):
    measured = [style.contrast(colour, ground) for ground in (COLOURS.ground, COLOURS.wash)]
    assert [f"{ratio:.1f}" for ratio in measured] == [on_ground, on_wash]


def test_every_text_colour_has_its_contrast_in_a_comment():
    assert {name for name, *_ in COMMENTED} >= set(TEXTS)


def test_contrast_by_hand():
    assert style.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert style.contrast("#777777", "#FFFFFF") == pytest.approx(4.478, abs=1e-3)  # the grey that just fails


@pytest.mark.parametrize("shade", np.linspace(0, 1, 21).tolist())
def test_a_number_on_any_cell_of_a_heat_map_reads(shade: float):
    cell = style.HEAT(shade)
    assert style.contrast(style.ink_on(cell), cell) >= 4.5


def test_sizes_keep_what_a_room_can_read():
    assert SIZES.body >= 24
    assert min(SIZES.table, SIZES.code, SIZES.figure, SIZES.figure_small) >= 18
    assert SIZES.small >= 20


def test_a_pixel_of_a_canvas_is_a_pixel_of_the_slide():
    figure, axes = style.canvas(600, 240, bare=True)
    text = style.centred(axes, "M", (300, 120), size=20)
    assert figure.get_size_inches() * figure.dpi == pytest.approx((600, 240))
    assert axes.transData.transform((300, 120)) == pytest.approx((300, 120))
    assert text.get_fontsize() == 20


def test_all_weights_are_found_without_a_warning(caplog: pytest.LogCaptureFixture):
    figure, axes = style.canvas(300, 200)
    for weight in (400, 600):
        axes.text(0, 0, "␣gato √∞ ação", weight=weight)
    axes.set_xlabel(style.math(r"d_k, \theta, h_{kv}"))
    with caplog.at_level(logging.WARNING):
        figure.draw_without_rendering()
    assert not caplog.records


@pytest.mark.parametrize(
    ("formula", "set_as"),
    [
        ("d_k", r"$\mathrm{𝑑_{𝑘}}$"),
        (r"\theta^2", r"$\mathrm{𝜃^{2}}$"),
        ("h_{kv}", r"$\mathrm{ℎ_{𝑘𝑣}}$"),
        (r"\sqrt{d_k}", r"$\mathrm{√𝑑_{𝑘}}$"),
        (r"\mathrm{softmax}", r"$\mathrm{\mathrm{softmax}}$"),
    ],
)
def test_a_formula_in_a_figure_looks_like_the_page_s(formula: str, set_as: str):
    assert style.math(formula) == set_as


def test_formulas_in_a_figure_use_the_page_s_math_font():
    figure, axes = style.canvas(300, 100, bare=True)
    axes.text(0, 0, style.math(r"O=AV, d_k, n\times d_v, \sqrt{d_k}, \theta"))
    svg = io.StringIO()
    figure.savefig(svg, format="svg")
    assert set(re.findall(r"font-family: '([^']+)'", svg.getvalue())) == {"STIX Two Math"}


def test_style_leaves_pyplot_alone():
    code = "import sys, figures.kit.style; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_no_colour_is_named_outside_the_theme():
    places = [*(ROOT / "figures").glob("*.py"), ROOT / "slides" / "theme" / "deck.css", *(ROOT / "slides").rglob("*.qmd")]
    named = {path.name: re.findall(r"#[0-9A-Fa-f]{6}\b|\brgba?\(|\bhsla?\(", path.read_text(encoding="utf-8")) for path in places}
    assert {name: colours for name, colours in named.items() if colours} == {}

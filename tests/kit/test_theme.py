"""The theme: roles that every eye can tell apart, a canvas in pixels."""

from __future__ import annotations

import io
import itertools
import logging
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from figures.kit import colour, data, files, style, theme
from figures.kit.errors import DataError
from figures.kit.files import ROOT, folder
from figures.kit.style import SIZES
from figures.kit.theme import SCHEMES, THEME, Role, Theme

with warnings.catch_warnings(), np.printoptions():  # importing colour-science changes how numpy prints, for everybody
    warnings.simplefilter("ignore")
    from colour import XYZ_to_Lab, sRGB_to_XYZ
    from colour.blindness import matrix_cvd_Machado2009
    from colour.difference import delta_E_CIE2000
    from colour.models import eotf_inverse_sRGB, eotf_sRGB

THEME_FILE = (folder() / "theme.yml").read_text(encoding="utf-8")
SOME_THEME = (ROOT / "tests" / "helpers" / "theme.yml").read_text(encoding="utf-8")  # with roles and series, to be spoilt
ROLES = [role["name"] for role in yaml.safe_load(SOME_THEME)["roles"]]
DEFICIENCIES = {"full": "", "protan": "Protanomaly", "deutan": "Deuteranomaly", "tritan": "Tritanomaly"}
PARTS = st.sampled_from([0, 20, 255]) | st.integers(0, 255)
COLOURS = st.builds("#{:02X}{:02X}{:02X}".format, PARTS, PARTS, PARTS)
RULES = sorted((ROOT / "slides").rglob("*.css"))


def measured(first: str, second: str, eye: str) -> float:
    """The difference of two colours for an eye, by colour-science."""
    return float(delta_E_CIE2000(seen(first, DEFICIENCIES[eye]), seen(second, DEFICIENCIES[eye])))


def seen(hex: str, deficiency: str) -> np.ndarray:
    """CIE Lab of a colour as seen with a colour deficiency (Machado 2009)."""
    rgb = eotf_sRGB(np.array(to_rgb(hex)))
    if deficiency:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the tritan matrix is an approximation, and says so
            rgb = np.clip(matrix_cvd_Machado2009(deficiency, 1.0) @ rgb, 0, 1)
    return XYZ_to_Lab(sRGB_to_XYZ(eotf_inverse_sRGB(rgb)))


# ---- the lecture's own colours ----


@pytest.mark.parametrize("eye", DEFICIENCIES)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("pair", list(itertools.combinations(THEME.roles, 2)), ids=lambda pair: "-".join(role.name for role in pair))
def test_roles_differ_for_every_eye(pair: tuple[Role, Role], scheme: str, eye: str):
    first, second = (getattr(role, scheme).ink for role in pair)
    assert measured(first, second, eye) >= 20


# ---- the measures ----


@example("#0000FF", "#00FF00", "protan")
@example("#FF0000", "#00FF00", "deutan")
@given(COLOURS, COLOURS, st.sampled_from(list(DEFICIENCIES)))
def test_the_difference_of_two_colours_is_colour_science_s(first: str, second: str, eye: str):
    assert colour.difference(first, second, eye) == pytest.approx(measured(first, second, eye), abs=0.02)


SHARMA = """
50 2.6772 -79.7751    50 0 -82.7485    2.0425
50 3.1571 -77.2803    50 0 -82.7485    2.8615
50 2.8361 -74.0200    50 0 -82.7485    3.4412
50 -1.3802 -84.2814   50 0 -82.7485    1.0000
50 -1.1848 -84.8006   50 0 -82.7485    1.0000
50 -0.9009 -85.5211   50 0 -82.7485    1.0000
50 0 0                50 -1 2          2.3669
50 -1 2               50 0 0           2.3669
50 2.49 -0.001        50 -2.49 0.0009  7.1792
50 2.49 -0.001        50 -2.49 0.0011  7.2195
50 -0.001 2.49        50 0.0009 -2.49  4.8045
50 -0.001 2.49        50 0.0011 -2.49  4.7461
50 2.5 0              50 0 -2.5        4.3065
50 2.5 0              73 25 -18        27.1492
50 2.5 0              61 -5 29         22.8977
50 2.5 0              56 -27 -3        31.9030
50 2.5 0              58 24 15         19.4535
50 2.5 0              50 3.1736 0.5854 1.0000
50 2.5 0              50 3.2972 0      1.0000
50 2.5 0              50 1.8634 0.5757 1.0000
50 2.5 0              50 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677  60.4626 -34.1751 39.4387  1.2644
63.0109 -31.0961 -5.8663  62.8187 -29.7946 -4.0864  1.2630
61.2901 3.7196 -5.3901    61.4292 2.2480 -4.9620    1.8731
35.0831 -44.1164 3.7933   35.0232 -40.0716 1.5901   1.8645
22.7233 20.0904 -46.6940  23.0331 14.9730 -42.5619  2.0373
36.4612 47.8580 18.3852   36.2715 50.5065 21.2231   1.4146
90.8027 -2.0831 1.4410    91.1528 -1.6435 0.0447    1.4441
90.9257 -0.5406 -0.9208   88.6381 -0.8985 -0.7239   1.5381
6.7747 -0.2908 -2.4247    5.8714 -0.0985 -2.2286    0.6377
2.0776 0.0795 -1.1350     0.9033 -0.0636 -0.5514    0.9082
"""  # pairs in CIE Lab and their difference, as Sharma, Wu and Dalal (2005) publish them in table 1


@pytest.mark.parametrize("pair", SHARMA.strip().splitlines())
def test_the_difference_in_lab_is_the_published_one(pair: str):
    L1, a1, b1, L2, a2, b2, expected = map(float, pair.split())
    assert colour.ciede2000((L1, a1, b1), (L2, a2, b2)) == pytest.approx(expected, abs=6e-5)


def test_contrast_by_hand():
    assert colour.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert colour.contrast("#777777", (1, 1, 1)) == pytest.approx(4.478, abs=1e-3)  # the grey that just fails


# ---- what is refused ----

MEANINGS = list(itertools.combinations(("ink", "soft", "rule", "stress", *ROLES), 2))

FAULTS = [  # what is replaced, by what, where the error says it is, what it says
    ('ink: "#1B222C"', "ink: black", "colours.light.ink", "regex"),
    ('ink: "#1B222C"', 'ink: "#C0C0C0"', "colours.light", "`ink` reaches a contrast of 1.8 on `ground`"),
    ('rule: "#858B94"', 'rule: "#B5BBC4"', "colours.light", "needs 3"),
    ('stress: "#FFA477"', 'stress: "#804020"', "colours.dark", "`stress` reaches a contrast of"),
    ('ink: "#6C6A00", wash: "#F3F1D9"', 'ink: "#6C6A00", wash: "#99A060"', "roles[2].light", "on `wash`"),
    ('dark: {ink: "#73B1FF"', 'dark: {ink: "#1A56DB"', "roles[0].dark", "on `wash`"),
    ('light: {ink: "#97145A"', 'light: {ink: "#1A56DB"', "", "`query` and `key` differ by 0 (CIEDE2000) in the light scheme"),
    ('light: {ink: "#6C6A00"', 'light: {ink: "#8A4B00"', "", "`value` and `stress` differ by"),
    (
        'dark: {ink: "#E3DA7A"',
        'dark: {ink: "#E8B0D0"',
        "",
        "differ by 13 (CIEDE2000) in the dark scheme for an eye that is protan",
    ),
    ("css: k", "css: q", "", "two roles have the same `css`: q"),
    ("letters: [k, K]", "letters: [k, Q]", "", "two roles colour the same letter: Q"),
    ("line: dashed\n    marker", "line: solid\n    marker", "", "two roles have the same `line`"),
    ("line: dashed\n    marker", "line: wavy\n    marker", "roles[1].line", "'wavy'"),
    ("name: value", "name: ink", "", "a role has the name of a colour: ink"),
    ("name: value", "name: key", "roles[2]", "'key' stands here twice"),
    (
        "name: lstm, colour: soft, line: dashed, marker: s",
        'name: lstm, colour: ink, line: dotted, marker: "^"',
        "",
        "two series look the same: ink, dotted, ^",
    ),
    ("name: lstm", "name: key", "", "a series has the name of a role: key"),
    ("body: 27", "body: -27", "sizes.body", ">= 1"),
]


def loaded(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Theme:
    """A theme of this text."""
    name = f"theme-{len(text)}-{hash(text)}"
    (tmp_path / f"{name}.yml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    return data.load(name, Theme)


@pytest.mark.parametrize(("old", "new", "where", "what"), FAULTS, ids=[f"{new}" for _, new, *_ in FAULTS])
def test_a_theme_that_can_t_be_read_or_told_apart_is_refused(
    old: str, new: str, where: str, what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    assert old in SOME_THEME
    with pytest.raises(DataError) as caught:
        loaded(SOME_THEME.replace(old, new, 1), monkeypatch, tmp_path)
    assert caught.value.key == where and what in str(caught.value)


def test_a_fourth_role_is_one_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    record = """roles:
  - {name: gate, css: g, letters: [g], line: dash-dotted, marker: X,
     light: {ink: "#001100", wash: "#CFEFCF"}, dark: {ink: "#DDFFEE", wash: "#104028"}}
"""
    assert [role.name for role in loaded(SOME_THEME.replace("roles:\n", record, 1), monkeypatch, tmp_path).roles][0] == "gate"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("pair", MEANINGS, ids="=".join)
def test_no_colour_that_means_something_may_be_another_s(
    pair: tuple[str, str], scheme: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """A fork that gives one thing the colour of another is stopped by name, by day and by night."""
    tree = yaml.safe_load(SOME_THEME)

    def place(name: str) -> tuple[dict[str, str], str]:
        role = next((role for role in tree["roles"] if role["name"] == name), None)
        return (role[scheme], "ink") if role else (tree["colours"][scheme], name)

    (record, key), (other, its_key) = map(place, pair)
    record[key] = other[its_key]
    with pytest.raises(DataError) as caught:
        loaded(yaml.safe_dump(tree, allow_unicode=True), monkeypatch, tmp_path)
    assert f"`{pair[0]}`" in str(caught.value) or f"`{pair[1]}`" in str(caught.value)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["stress_wash", *ROLES])
def test_a_marked_cell_is_no_plain_one(name: str, scheme: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    tree = yaml.safe_load(SOME_THEME)
    role = next((role for role in tree["roles"] if role["name"] == name), None)
    record, key = (role[scheme], "wash") if role else (tree["colours"][scheme], name)
    record[key] = tree["colours"][scheme]["ground"]
    with pytest.raises(DataError, match="`ground` and"):
        loaded(yaml.safe_dump(tree, allow_unicode=True), monkeypatch, tmp_path)


def test_a_lecture_may_have_no_roles_and_no_picture(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    text = re.sub(r"\n(roles|subscripts_name_roles_at|series):.*?(?=\n\n|\n#)", "", SOME_THEME, flags=re.DOTALL)
    text = re.sub(r"kind: dots\n.*?\n\n", "kind: none\n\n", text, flags=re.DOTALL)
    assert loaded(text, monkeypatch, tmp_path).roles == ()


def test_an_unknown_role_or_series_is_told_with_the_known_ones():
    roles, series = ([one.name for one in looks] or ["none"] for looks in (THEME.roles, THEME.series))
    with pytest.raises(DataError, match=f"no role is called 'answer'\n.*Known: {roles[0]}"):
        theme.role("answer")
    with pytest.raises(DataError, match=f"no series is called 'answers'\n.*Known: {series[0]}"):
        theme.series("answers")
    with pytest.raises(
        DataError,
        match=f"no role or series is called 'answer'\n.*Known: {', '.join(one.name for one in (*THEME.roles, *THEME.series)) or 'none'}",
    ):
        theme.look("answer")


def test_what_stands_in_pictures_has_the_look_of_its_name():
    for one in (*THEME.roles, *THEME.series):
        assert theme.look(one.name) is one
        assert one.dash == "-" if one.line == "solid" else one.dash[0] == 0 and len(one.dash[1]) % 2 == 0


# ---- what figures are drawn with ----


@pytest.mark.parametrize("shade", np.linspace(0, 1, 21).tolist())
def test_a_number_on_any_cell_of_a_heat_map_reads(shade: float):
    cell = style.heat()(shade)
    assert colour.contrast(style.ink_on(cell), cell) >= 4.5


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
    places = [*(ROOT / "figures").rglob("*.py"), *RULES, *(ROOT / "slides").rglob("*.qmd")]
    text = {path: re.sub(r'url\("data:[^)]*\)', "", path.read_text(encoding="utf-8")) for path in places}
    named = {path.name: re.findall(r"#[0-9A-Fa-f]{3}(?:[0-9A-Fa-f]{3})?\b(?! *[{,>])|\brgba?\(|\bhsla?\(", text[path]) for path in places}
    assert {name: colours for name, colours in named.items() if colours} == {}


def test_no_size_of_letters_is_named_outside_the_tokens():
    named = {path.name: re.findall(r"\bfont-size: *[^;]*?\d(?:px|pt|rem)\b[^;]*", path.read_text(encoding="utf-8")) for path in RULES}
    assert {name: sizes for name, sizes in named.items() if [size for size in sizes if "var(" not in size]} == {}

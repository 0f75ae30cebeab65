"""The one formatter: by hand, against Python's own rounding, and laws for every number."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures.kit import equations, formats, language, measurement
from figures.kit.errors import DataError
from figures.kit.formats import NBSP


def test_by_hand():
    """What is shown, and what it should be."""
    pairs = [
        (formats.fixed(3)(0.62), "0,620"),
        (formats.fixed(2)(-0.001), "0,00"),
        (formats.fixed(2, sign=True)(1.18), "+1,18"),
        (formats.fixed(2, sign=True)(0.5), "+0,50"),
        (formats.fixed(2, sign=True)(-0.81), "−0,81"),
        (formats.plain()(0.5), "0,5"),
        (formats.plain()(-1.0), "−1"),
        (formats.plain()(1 / 3), "0,3333"),
        (formats.count()(46080), "46\u00a0080"),
        (formats.count()(1024), "1024"),
        (formats.count()(np.int64(131072)), "131\u00a0072"),
        (formats.count()(2**62 + 1), "4\u00a0611\u00a0686\u00a0018\u00a0427\u00a0387\u00a0905"),
        (formats.fixed(2)(46080.5), "46\u00a0080,50"),
        (formats.significant(1)(0.00118), "0,001"),
        (formats.significant(2)(0), "0"),
        (formats.significant(2)(1.122e-5), "0,000011"),
        (formats.significant(2)(0.996), "1,0"),
        (formats.significant(2)(12345), "12\u00a0000"),
        (formats.significant(1)(96), "100"),
        (formats.scientific(1)(1.26e-14), "1\u00a0×\u00a010⁻¹⁴"),
        (formats.scientific(2)(1.192e-7), "1,2\u00a0×\u00a010⁻⁷"),
        (formats.scientific(1)(9.96e-9), "1\u00a0×\u00a010⁻⁸"),
        (formats.scientific(1)(0), "0"),
        (formats.scientific(1)(1), "1"),
        (formats.scientific(1)(0.999), "1"),
        (formats.scientific(2)(-3.44), "−3,4"),
        (formats.scientific()(1.26e-14), "1\u00a0×\u00a010⁻¹⁴"),
        (formats.scientific(2, sign=True)(0.012), "+1,2\u00a0×\u00a010⁻²"),
        (formats.power_of_ten()(2.06e-9), "10⁻⁹"),
        (formats.power_of_ten()(0), "0"),
        (formats.power_of_ten()(1), "10⁰"),
        (formats.fixed(2, sign=True)(0), "0,00"),
        (formats.percent()(0.17), "17%"),
        (formats.percent(1)(0.175), "17,5%"),
        (formats.times()(4.0), "4×"),
        (formats.times()(1.4), "1×"),
        (formats.times(1)(1.4), "1,4×"),
        (formats.times(1)(2.0), "2×"),
        (formats.binary_bytes()(131072), "128\u00a0KiB"),
        (formats.binary_bytes()(1023), "1023\u00a0B"),
        (formats.binary_bytes()(1024), "1\u00a0KiB"),
        (formats.binary_bytes()(2**34), "16\u00a0GiB"),
        (formats.binary_bytes(1)(1536), "1,5\u00a0KiB"),
        (formats.binary_bytes()(-(2**41)), "−2\u00a0TiB"),
        (formats.binary_bytes()(2**51), "2048\u00a0TiB"),
        (formats.kibi()(131072), "128k"),
        (formats.kibi()(1024), "1k"),
        (formats.kibi()(0), "0"),
        (formats.kibi()(1000), "1000"),
        (formats.vector(formats.fixed(2))([0.85, 0.15]), "[0,85;\u00a00,15]"),
        (formats.shape()((6, 4)), "6\u00a0×\u00a04"),
        (formats.spelled()(4), "quatro"),
        (formats.spelled()(2), "dois"),
        (formats.spelled(feminine=True)(2), "duas"),
        (formats.unit(formats.count(), "ms")(24), "24\u00a0ms"),
    ]
    assert [shown for shown, _ in pairs] == [text for _, text in pairs]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "1", None, True, np.float64("nan")])
@pytest.mark.parametrize("format", [formats.fixed(2), formats.scientific(1), formats.percent(), formats.binary_bytes()])
def test_what_is_no_number_is_refused(format, value):
    with pytest.raises(formats.FormatError):
        format(value)


def test_a_fraction_is_no_count_and_a_debt_has_no_order_of_magnitude():
    with pytest.raises(formats.FormatError):
        formats.count()(1.5)
    with pytest.raises(formats.FormatError):
        formats.power_of_ten()(-1e-9)


PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def read(text: str) -> float:
    """A shown number back as a float."""
    return float(text.replace(NBSP, "").replace(",", ".").replace("−", "-"))


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_fixed_is_within_half_a_unit_of_the_last_place(value, decimals):
    assert abs(read(formats.fixed(decimals)(value)) - value) <= 0.5 * 10.0**-decimals * (1 + 1e-9) + 4e-16 * abs(value)


@given(st.floats(1e-300, 1e300), st.integers(1, 6))
def test_scientific_agrees_with_python(value, digits):
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    shown = formats.scientific(digits)(value)
    power = int(shown.split("10")[-1].translate(PLAIN)) if "10" in shown.split("×")[-1] else 0
    assert power == int(exponent)
    assert read(shown.split(NBSP)[0]) == pytest.approx(float(mantissa), abs=1.01 * 10.0 ** (1 - digits))


@given(st.integers(-(10**15), 10**15))
def test_a_count_keeps_every_digit(value):
    text = formats.count()(value)
    assert read(text) == value
    assert re.fullmatch(r"−?(\d{1,4}|\d{1,3}(\u00a0\d{3})+)", text)


def test_tex_is_the_same_text():
    assert formats.to_tex("0,85") == r"\text{0,85}"
    assert formats.to_tex("17%") == r"\text{17\%}"


@pytest.mark.parametrize(
    ("tag", "half", "sixteen", "two_of_them"),
    [
        ("pt-BR", "0,50", "dezesseis", "duas"),
        ("pt", "0,50", "dezesseis", "duas"),
        ("pt-PT", "0,50", "dezasseis", "duas"),
        ("en", "0.50", "sixteen", "two"),
        ("en-US", "0.50", "sixteen", "two"),
        ("mt", "0.50", "16", "2"),  # a language in which nobody taught num2words to count
    ],
)
def test_another_language_changes_the_decimal_sign_and_the_words(tag, half, sixteen, two_of_them):
    with language.speaking(tag):
        assert formats.fixed(2)(0.5) == half and formats.spelled()(16) == sixteen
        assert formats.spelled(feminine=True)(2) == two_of_them


@pytest.mark.parametrize(
    ("tag", "date", "shown"),
    [
        ("pt-BR", "2026-12-01", "1º de dez. de 2026"),
        ("pt-BR", "2026-01-11", "11 de jan. de 2026"),
        ("en", "2026-12-01", "Dec 1, 2026"),
    ],
)
def test_the_first_of_a_month_has_the_word_of_its_language(tag, date, shown):
    with language.speaking(tag):
        assert measurement.day(date) == shown


def test_an_unknown_language_is_named():
    with language.speaking("xx-YY-nope"), pytest.raises(DataError, match="lang"):
        formats.locale()


def test_an_equal_part_is_a_fraction_and_another_number_is_refused():
    assert formats.reciprocal()(1 / 16) == "1/16" and formats.reciprocal()(1.0) == "1/1"
    for value in (0.3, 2, 0, -0.25):
        with pytest.raises(formats.FormatError):
            formats.reciprocal()(value)


def test_a_list_in_prose_by_hand():
    assert [formats.joined(["a", "b", "c"][:n], "e") for n in (1, 2, 3)] == ["a", "a e b", "a, b e c"]


def test_a_title_starts_with_a_capital():
    assert formats.capital(formats.spelled(feminine=True))(2) == "Duas"


def test_exact_keeps_every_digit():
    values = (46080.0, 46080, -0.5, 0.0011790184577738603, 1.257221565152561e-14, -1e-6, 0.0)
    assert [formats.exact()(value) for value in values] == [
        "46\u00a0080",
        "46\u00a0080",
        "−0,5",
        "0,0011790184577738603",
        "1,257221565152561\u00a0×\u00a010⁻¹⁴",
        "−1\u00a0×\u00a010⁻⁶",
        "0",
    ]
    with pytest.raises(formats.FormatError):
        formats.exact()(float("nan"))


def test_what_a_cell_computes_is_shown_with_its_terms():
    minus, nbsp = formats.MINUS, NBSP
    sums = {(1, 2): "1 + 2 = 3", (0, 4): "4", (): "0", (2, -0.5): f"2 {minus} 0,5 = 1,5", (0.0, -0.0): "0"}
    assert {terms: equations.sum_of(formats.plain())(terms) for terms in sums} == sums
    assert equations.quotient_of(formats.fixed(2), formats.fixed(3))([2.034, 27.29]) == "2,03 / 27,29 ≈ 0,075"
    pair = equations.multiple_of(formats.fixed(2), formats.vector(formats.plain()), formats.vector(formats.fixed(2)))
    assert pair([0.3, [1, 2]]) == f"0,30{nbsp}[1;{nbsp}2] = [0,30;{nbsp}0,60]"


@given(st.lists(st.integers(-999, 999), max_size=5))
def test_a_sum_that_is_shown_is_the_sum_of_the_terms_that_are_shown(terms):
    *left, total = equations.sum_of(formats.plain())(terms).replace(formats.MINUS, "-").replace(" ", "").split("=")
    shown = re.findall(r"-?\d+", left[0]) if left else [total]
    assert sum(map(int, shown)) == int(total) == sum(terms)


@pytest.mark.parametrize(("value", "exponent"), [(6.250438355095282, -300), (9.173015966758017, -299), (1.25, -308)])
def test_the_smallest_numbers_keep_their_digits(value: float, exponent: int) -> None:
    digits = len(str(value)) - 1
    text = formats.scientific(digits)(float(f"{value}e{exponent}"))
    assert text.partition(formats.NBSP)[0] == str(value).replace(".", ",")


def test_bytes_that_are_no_whole_number_of_their_unit_say_so() -> None:
    about = formats.ABOUT
    pairs = {1536: "1,5 KiB", 1300: f"{about}1,27 KiB", 8 * 10**8: f"{about}763 MiB", 2_621_440_000: f"{about}2,44 GiB", 2**30: "1 GiB"}
    assert {value: formats.binary_bytes()(value) for value in pairs} == {v: text.replace(" ", NBSP) for v, text in pairs.items()}
    assert equations.result_of(formats.binary_bytes())(2**30) == f"= 1{NBSP}GiB"
    assert equations.result_of(formats.binary_bytes())(8 * 10**8) == f"≈{NBSP}763{NBSP}MiB"


def half_away(value: Fraction, decimals: int) -> Fraction:
    """The rule, in whole numbers alone: of two nearest, the one away from zero."""
    unit = Fraction(1, 10**decimals)
    return (-1 if value < 0 else 1) * math.floor(abs(value) / unit + Fraction(1, 2)) * unit


DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=5)
TIES = st.builds(lambda n, places: (2 * n + 1) / (2 * 10**places), st.integers(-(10**6), 10**6), st.integers(0, 5))


@given(st.one_of(st.floats(-1e9, 1e9), DECIMALS.map(float), TIES), st.integers(0, 6))
def test_half_a_unit_goes_away_from_zero(value, decimals):
    exact = Fraction(Decimal(repr(float(value))))
    assert Fraction(read_exactly(formats.fixed(decimals)(value))) == half_away(exact, decimals)
    share = formats.percent(decimals)(value)
    if "100%" not in share and share != "0%" and len(share.partition(",")[2]) <= decimals + 1:
        assert Fraction(read_exactly(share.rstrip("%"))) == half_away(exact * 100, decimals)


def read_exactly(text: str) -> Decimal:
    return Decimal(text.replace(NBSP, "").replace(",", ".").replace("−", "-"))


@given(st.floats(1e-300, 1e300), st.integers(1, 8))
def test_significant_digits_and_powers_follow_the_same_rule(value, digits):
    exact = Fraction(Decimal(repr(value)))
    mantissa, _, power = formats.scientific(digits)(value).partition(f"{NBSP}×{NBSP}10")
    ten = Fraction(10) ** int(power.translate(PLAIN) or 0)
    assert abs(Fraction(read_exactly(mantissa)) * ten - exact) <= ten * Fraction(1, 2 * 10 ** (digits - 1))
    assert 1 <= read_exactly(mantissa) < 10


@given(st.floats(0, 1))
def test_a_share_shows_none_or_all_only_where_it_is(share):
    shown = read_exactly(formats.percent()(share).rstrip("%"))
    assert (shown == 0) == (share < 5e-15 or share == 0) and (shown == 100) == (1 - share < 5e-15)


@pytest.mark.parametrize("value", [1e29, -1.5e300, 12345678901234567890123456789012])
def test_the_largest_numbers_are_written_out(value):
    assert read_exactly(formats.fixed(2)(value)) == Decimal(repr(value))


def test_the_instances_by_hand():
    assert [formats.percent()(n / 200) for n in (33, 129, 1, 199)] == ["17%", "65%", "1%", "99,5%"]
    assert formats.percent()(np.float32(0.645)) == "65%" and formats.exact()(np.float32(0.645)) == "0,645"
    assert [formats.percent()(share) for share in (0.996, 0.9996, 0.004, 0, 1)] == ["99,6%", "99,96%", "0,4%", "0%", "100%"]
    assert [formats.fixed(0)(x) for x in (0.5, 1.5, 2.5, -0.5)] == ["1", "2", "3", "−1"]
    assert [formats.fixed(2)(x) for x in (1.005, 2.675, 0.125)] == ["1,01", "2,68", "0,13"]


@pytest.mark.parametrize("value", [2.9, 0.5, -1.2])
def test_only_a_whole_number_is_spelled(value):
    with pytest.raises(formats.FormatError, match="whole number"):
        formats.spelled()(value)

"""The values behind a figure: a table beside it on a page, and a word on the figures that offer none."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from page import checks

from figures.kit import language, show
from figures.kit.formats import fixed, scientific
from figures.kit.show.behind import details

TABLE = show.Table([show.Column("n & m"), show.Column("√n", scientific(1))], [["a", 5e-4]], "Legenda")


@show.figure
def told() -> show.Picture:
    """A picture that offers a table, for the tests."""
    return show.Picture(Figure(), "alt", values=[TABLE])


@show.figure
def plain() -> show.Picture:
    """A picture whose words say all, for the tests."""
    return show.Picture(Figure(), "alt", values=())


@show.figure
def forgotten() -> show.Picture:
    """A picture of which nobody said what it draws, for the tests."""
    return show.Picture(Figure(), "alt")


def test_a_table_opens_beside_the_figure_its_cells_said_where_voices_would_not():
    with language.speaking("pt-BR"):
        made = details([TABLE])
    assert made == (
        '<details class="figure-values"><summary>os valores da figura</summary>'
        '<table data-quarto-disable-processing="true"><caption>Legenda</caption>'
        '<thead><tr><th scope="col">n &amp; m</th><th scope="col" aria-label="raiz quadrada de n">√n</th></tr></thead>'
        '<tbody><tr><th scope="row">a</th><td aria-label="5 vezes 10 elevado a menos 4">5\u00a0×\u00a010⁻⁴</td></tr>'
        "</tbody></table></details>"
    )


def test_a_matrix_names_its_rows_and_leaves_empty_what_is_nan():
    table = show.matrix_table("de", ["a", "b"], show.numbered(np.ones((2, 2))), np.array([[1, np.nan], [0.25, 0.75]]), fixed(2))
    assert [column.heading for column in table.columns] == ["de", "1", "2"]
    assert table.texts() == [["a", "1,00", ""], ["b", "0,25", "0,75"]]


@pytest.mark.parametrize(("picture", "offers", "named"), [(told, True, False), (plain, False, False), (forgotten, False, True)])
def test_only_a_figure_that_says_nothing_of_its_values_is_named(picture, offers: bool, named: bool):
    text = picture()._repr_markdown_()
    assert ('<details class="figure-values">' in text, ".without-values" in text) == (offers, named)


def test_the_build_names_slide_figure_and_remedy():
    figure = '<div class="figure figure-topic-curve without-values"><svg></svg></div>'
    page = f'<section id="a"><h2>Um</h2>{figure}</section><section id="b"><div class="figure figure-topic-other"></div></section>'
    (notice,) = checks.without_values(page)
    assert "“Um”" in notice and "figure-topic-curve" in notice and "`values`" in notice

"""The picture of the six matrices: what the chapter's first panel opens with."""

from __future__ import annotations

from figures import hand_example
from figures.chapter.matrices import Chain, asking_row, by_hand
from figures.kit import matrix_drawing, style
from figures.kit.arrays import Array
from figures.kit.formats import Format, fixed, plain, shape, spelled, vector
from figures.kit.matrix_drawing import Matrix
from figures.kit.show import Picture, Table, figure, matrix_table, numbered
from figures.kit.theme import Role
from figures.kit.words import Words
from figures.roles import KEY, QUERY, VALUE

_words = Words("chapter")
WIDTH = 656


@figure
def chain() -> Picture:
    """The opening state of the chapter's first panel: six matrices, the row of the asking token followed through them."""
    example, matrices = hand_example.example(), by_hand()
    row = asking_row()
    drawing, axes = style.canvas(WIDTH, 440, bare=True)
    n, gap = len(example.names), 43
    upper, lower, left = 400.0, 172.0, 92.0
    cell = (min(58.0, (WIDTH - left - 2 * gap) / (2 * n + 2)), min(38.0, (lower - 10) / n))
    tall = cell[1] * n

    def matrix(name: str, values: Array, format: Format, role: Role | None = None, heat: bool = False) -> Matrix:
        return Matrix(style.math(name), values, format, shape()(values.shape), role, row, heat)

    rows = (
        (upper, (matrix("Q", matrices.Q, plain(), QUERY), matrix("K", matrices.K, plain(), KEY), matrix("V", matrices.V, plain(), VALUE))),
        (
            lower,
            (
                matrix(r"S=QK^⊤/√{d_k}", matrices.S, fixed(2)),
                matrix(r"A=\mathrm{softmax}(S)", matrices.A, fixed(2), heat=True),
                matrix("O=AV", matrices.O, fixed(2)),
            ),
        ),
    )
    for top, line in rows:
        x = left
        for place, one in enumerate(line):
            matrix_drawing.draw(axes, one, (x, top), cell, example.names if place == 0 else ())
            x += matrix_drawing.size(one, cell)[0] + gap
    s_end = left + n * cell[0]
    a_end = s_end + gap + n * cell[0]
    matrix_drawing.arrow(axes, (s_end + 7, lower - tall / 2), (s_end + 36, lower - tall / 2))
    matrix_drawing.arrow(axes, (a_end + 7, lower - tall / 2), (a_end + 36, lower - tall / 2))
    return Picture(drawing, alt=_chain_alt(matrices, row), values=_values(matrices))


def _values(matrices: Chain) -> list[Table]:
    """The six matrices as tables, a row for each token."""
    names = hand_example.example().names
    return [matrix_table(_words("chain.token"), names, numbered(of), of, fixed(2), name) for name, of in matrices._asdict().items()]


def _chain_alt(matrices: Chain, row: int) -> str:
    shapes = {f"{name.lower()}_shape": shape()(matrix.shape) for name, matrix in matrices._asdict().items()}
    drawn_rows = {name: vector(plain())(getattr(matrices, of)[row]) for name, of in (("q_row", "Q"), ("k_row", "K"), ("v_row", "V"))}
    computed_rows = {name: vector(fixed(2))(getattr(matrices, of)[row]) for name, of in (("s_row", "S"), ("a_row", "A"), ("o_row", "O"))}
    return _words(
        "chain.alt",
        matrices=spelled(feminine=True)(len(matrices)),
        followed=hand_example.example().asking,
        **shapes,
        **drawn_rows,
        **computed_rows,
    )

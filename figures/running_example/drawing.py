"""The picture of the running example's chain: what the chapter's panel opens with."""

from __future__ import annotations

from figures.kit import matrix_drawing, style
from figures.kit.formats import fixed, shape, vector
from figures.kit.matrix_drawing import Matrix
from figures.kit.show import Picture, figure, matrix_table, numbered
from figures.kit.words import Words
from figures.pieces import example, visible
from figures.roles import KEY, QUERY, VALUE
from figures.running_example import model
from figures.running_example.model import Chain, pieces, three
from figures.running_example.queries import q_last, u_last
from figures.running_example.sizes import d_k
from figures.running_example.weights import output_last, weights_last

_words = Words("running_example")


@figure
def opening_state() -> Picture:
    """The chain of head 1 in boxes, the last token's row followed through them: what the chapter's panel opens with."""
    chain = model.run()
    row = len(chain.u) - 1
    cell, labels = (54.0, 34.0), [visible(piece) for piece in pieces()]
    left, gap = max(72.0, 14.0 * max(map(len, labels))), 26
    columns = 2 * len(labels) + chain.output.shape[1]  # scores, weights and output stand in one line
    line_height = len(labels) * cell[1] + 78
    drawing, page = style.canvas(round(left + columns * cell[0] + 2 * gap + 8), round(2 * line_height + 4), bare=True)
    two = fixed(2)
    rows = (
        (2 * line_height - 42, (("u", chain.u, None), ("Q", chain.Q, QUERY), ("K", chain.K, KEY), ("V", chain.V, VALUE))),
        (
            line_height - 42,
            (
                (r"S=QK^⊤/√{d_k}", chain.scores, None),
                (r"A=\mathrm{softmax}(S)", chain.weights, None),
                ("O=AV", chain.output, None),
            ),
        ),
    )
    for top, line in rows:
        x = left
        for place, (name, values, role) in enumerate(line):
            box = Matrix(style.math(name), values, two, shape()(values.shape), role, row, heat=values is chain.weights)
            matrix_drawing.draw(page, box, (x, top), cell, labels if place == 0 else ())
            x += cell[0] * values.shape[1] + gap
    named = [(name, values) for _, line in rows for name, values, _ in line]
    tables = [matrix_table(_words("opening.token"), labels, numbered(of), of, two, name.partition("=")[0]) for name, of in named]
    return Picture(drawing, _alt(chain, row), values=tables)


def _alt(chain: Chain, row: int) -> str:
    return _words(
        "opening.alt",
        phrase=example(),
        token=f"“{visible(pieces()[row])}”",
        u=u_last(),
        q=q_last(),
        d_k=d_k(),
        scores=vector(three)(chain.scores[row]),
        weights=weights_last(),
        output=output_last(),
    )

// The matrices of the running example, and whether the chosen row looks ahead.

import { matrices } from "../kit/cells.mjs";
import { bound, choice, switches } from "../kit/controls.mjs";
import { element, rich, set } from "../kit/draw.mjs";

const LINES = [
  ["u", "Q", "K", "V"],
  ["S", "A", "O"],
];

export function build(panel) {
  const { data, words, text, format } = panel;
  const [two, vector] = [format.fixed(2), format.vector(format.fixed(3))];
  const drawn = matrices(panel, LINES, {
    rows: data.tokens,
    titles: words.matrices,
    roles: { Q: "q", K: "k", V: "v" },
    heat: ["A"],
  });
  const sentence = element("p");
  const note = element("p", { class: "sim-box" });
  const fields = ({ row }, { A, ahead }) => {
    const weight = Math.max(...A[row]);
    return { token: data.tokens[row], heaviest: data.tokens[A[row].indexOf(weight)], weight: two(weight), ahead: two(ahead[row]) };
  };
  panel.follow((state, result) => {
    const { row } = state;
    const last = row === data.tokens.length - 1;
    drawn.show(result, { row, marked: (line, column) => line === row && column > row });
    const about = { ...fields(state, result), q: vector(result.Q[row]), weights: vector(result.A[row]) };
    sentence.replaceChildren(...rich(text("told", about)));
    note.replaceChildren(...rich(text(last ? "nothing_ahead" : "looks_ahead", about)));
    set(note, { "data-ahead": !last });
  });
  return {
    body: [
      element(
        "div",
        { class: "sim-row running-controls" },
        bound(panel, choice, "row", { options: data.tokens.map((token, i) => [i, token]) }),
        ...switches(panel),
      ),
      drawn.element,
      sentence,
      note,
    ],
    heard: (state, result) => text("heard", fields(state, result)),
  };
}

// Matrix after matrix; the row of one token is followed through all of them.

import { matrices } from "../kit/cells.mjs";
import { bound, choice, stepper } from "../kit/controls.mjs";
import { element, rich } from "../kit/draw.mjs";
import { ORDER } from "./model.mjs";

const LINES = [ORDER.slice(0, 3), ORDER.slice(3)];

export function build(panel) {
  const { data, words, text, format } = panel;
  const drawn = matrices(panel, LINES, {
    rows: data.tokens,
    titles: words.matrices,
    roles: { Q: "q", K: "k", V: "v" },
    heat: ["A"],
    formats: { Q: format.plain(2), K: format.plain(2), V: format.plain(2) },
  });
  const sentence = element("p");
  panel.follow(({ step, row }, result) => {
    const name = ORDER[step - 1];
    const shape = format.shape([result[name].length, result[name][0].length]);
    sentence.replaceChildren(...rich(text(`step_${name}`, { token: data.tokens[row], shape })));
    drawn.show(result, { row, shown: step, now: name });
  });
  return {
    body: [
      bound(panel, choice, "row", { options: data.tokens.map((token, i) => [i, token]) }),
      element("div", { class: "sim-row chain-steps" }, ...stepper(panel, "step", { first: 1, last: ORDER.length })),
      sentence,
      drawn.element,
    ],
    heard({ step, row }, result) {
      const name = ORDER[step - 1];
      return text("heard", { name, token: data.tokens[row], row: format.vector(format.fixed(2))(result[name][row]) });
    },
  };
}

// The running example through one head, row by row, with and without the division. The twin of figures/running_example.py.

import { attended, matrices, rowChoice } from "./chain.mjs";
import { panel, toggle } from "./controls.mjs";
import { element, rich, set } from "./draw.mjs";

// The whole chain: run(data, { row: 4, divide: true }).A[4] -> [0.011, 0.035, 0.622, 0.319, 0.014]; `ahead` is what each
// row gives to later tokens. A state may bring an X of its own.
export function run({ X: given, head }, { divide, X = given }) {
  const u = X.map(normalised);
  const [Q, K, V] = [head.query, head.key, head.value].map((columns) => u.map((row) => columns.map((column) => row[column - 1])));
  const found = attended(Q, K, V, divide ? Math.sqrt(head.query.length) : 1);
  const ahead = found.A.map((row, i) => row.slice(i + 1).reduce((a, b) => a + b, 0));
  return { u, Q, K, V, ...found, ahead };
}

// A row less its mean, over its standard deviation: normalised([1, 3]) -> [-1, 1]
function normalised(row) {
  const mean = row.reduce((a, b) => a + b) / row.length;
  const spread = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length);
  return row.map((x) => (x - mean) / spread);
}

export function mount(host, params) {
  return panel(host, params, { run, build });
}

function build(own) {
  const { data, words, text, format } = own;
  const row = rowChoice(own);
  const divide = toggle(own, { label: words.divide, change: (value) => own.set({ divide: value }) });
  const told = element("p", { class: "chain-told" });
  const note = element("p", { class: "chain-note" });
  const drawn = matrices(own, [
    ["u", "Q", "K", "V"],
    ["S", "A", "O"],
  ]);
  return {
    body: element(
      "div",
      { class: "sim-body" },
      element("div", { class: "chain-controls" }, row.element, divide.element),
      drawn.element,
      told,
      note,
    ),
    update(state, result) {
      const [i, two] = [state.row, format.fixed(2)];
      row.show(i);
      divide.show(state.divide);
      drawn.show(result, { row: i, marked: (line, column) => line === i && column > i });
      const fields = {
        token: data.tokens[i],
        heaviest: data.tokens[heaviest(result.A[i])],
        weight: two(Math.max(...result.A[i])),
        ahead: two(result.ahead[i]),
      };
      told.replaceChildren(
        ...rich(
          text("told", { ...fields, q: format.vector(format.fixed(3))(result.Q[i]), weights: format.vector(format.fixed(3))(result.A[i]) }),
        ),
      );
      const last = i === data.tokens.length - 1;
      note.replaceChildren(...rich(text(last ? "nothing_ahead" : "looks_ahead", fields)));
      set(note, { class: last ? "chain-note" : "chain-note ahead" });
      return text("heard", fields);
    },
  };
}

function heaviest(weights) {
  return weights.indexOf(Math.max(...weights));
}

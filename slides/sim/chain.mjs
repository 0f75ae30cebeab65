// One head, a matrix at a time: Q, K, V, scores, weights, output; the row of one token is followed through all of them.

import { button, choice, panel } from "./controls.mjs";
import { cells } from "./cells.mjs";
import { element, rich, set } from "./draw.mjs";
import { mixed, softmax, times, transposed } from "./tensor.mjs";

// Scores, weights and output of every token: run({ Q, K, V }, {}).A[1] -> [0.07, 0.31, 0.62]. A state may bring its own Q, K, V.
export function run(data, { Q = data.Q, K = data.K, V = data.V }) {
  return { Q, K, V, ...attended(Q, K, V, Math.sqrt(K[0].length)) };
}

export function attended(Q, K, V, divisor) {
  const S = times(Q, transposed(K)).map((row) => row.map((score) => score / divisor));
  const A = S.map(softmax);
  return { S, A, O: A.map((row) => mixed(row, V)) };
}

export function mount(host, params) {
  return panel(host, params, { run, build });
}

const LINES = [
  ["Q", "K", "V"],
  ["S", "A", "O"],
];
const ORDER = LINES.flat();

function build(own) {
  const { data, words, text, format } = own;
  const go = (step) => own.set({ step: Math.max(1, Math.min(ORDER.length, step)) });
  const row = rowChoice(own);
  const buttons = {
    first: button(own, words.first, () => go(1)),
    back: button(own, words.back, () => go(own.state.step - 1), { name: words.back_name }),
    forward: button(own, words.forward, () => go(own.state.step + 1), { name: words.forward_name }),
    all: button(own, words.all, () => go(ORDER.length)),
  };
  const told = element("p", { class: "chain-told" });
  const drawn = matrices(own, LINES, { Q: format.plain(2), K: format.plain(2), V: format.plain(2) });
  return {
    body: element(
      "div",
      { class: "sim-body" },
      row.element,
      element("div", { class: "chain-steps" }, ...Object.values(buttons)),
      told,
      drawn.element,
    ),
    update(state, result) {
      row.show(state.row);
      buttons.first.disabled = buttons.back.disabled = state.step === 1;
      buttons.forward.disabled = buttons.all.disabled = state.step === ORDER.length;
      const name = ORDER[state.step - 1];
      told.replaceChildren(
        ...rich(
          text(`step_${name}`, { token: data.tokens[state.row], shape: format.shape([result[name].length, result[name][0].length]) }),
        ),
      );
      drawn.show(result, { row: state.row, shown: state.step, now: name });
      return text("heard", { name, token: data.tokens[state.row], row: format.vector(format.fixed(2))(result[name][state.row]) });
    },
  };
}

// Whose row is followed.
export function rowChoice(own) {
  return choice(own, { label: own.words.row, options: own.data.tokens.map((token, i) => [i, token]), change: (row) => own.set({ row }) });
}

const ROLES = { Q: "q", K: "k", V: "v" };

// Lines of matrices, each with its shape; `shown` of them are filled in, the one called `now` is marked.
export function matrices({ data, words, format }, lines, formats = {}) {
  const places = lines.flat().map((name) => ({ name, box: element("div", { class: "chain-matrix" }) }));
  const of = (line) => element("div", { class: "chain-line" }, ...places.filter(({ name }) => line.includes(name)).map(({ box }) => box));
  const firsts = new Set(lines.map(([first]) => first));
  return {
    element: element("div", { class: "chain-lines" }, ...lines.map(of)),
    show(result, { row, shown = places.length, now = null, marked = () => false }) {
      places.forEach(({ name, box }, i) => {
        const values = result[name];
        const hidden = i >= shown;
        const table = cells({
          values,
          format: hidden ? () => "" : (formats[name] ?? format.fixed(2)),
          rows: firsts.has(name) ? data.tokens : null,
          framed: hidden ? null : row,
          role: ROLES[name],
          heat: name === "A" && !hidden,
          marked: name === "A" && !hidden ? marked : undefined,
        });
        set(box, { class: ["chain-matrix", hidden && "waiting", name === now && "now"].filter(Boolean).join(" ") });
        box.replaceChildren(
          element("h4", {}, ...rich(words.matrices[name]), element("small", {}, format.shape([values.length, values[0].length]))),
          table,
        );
      });
    },
  };
}

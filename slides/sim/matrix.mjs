// The whole n × n matrix of attention over a sentence, read row by row. The twin of figures/matrix.py.

import { choice, number, panel, toggle } from "./controls.mjs";
import { element, set, write } from "./draw.mjs";
import { heatMap } from "./heat.mjs";
import { dot, masked, softmax } from "./tensor.mjs";

// The weights, (n, n): run(data, { function: "previous", dk: 16, divide: true, causal: false }).weights[1][0] -> 0.84
export function run(data, { function: name, dk, divide, causal }) {
  const root = Math.sqrt(dk);
  const raw = scores(data, name, dk);
  const scaled = divide ? raw.map((row) => row.map((score) => score / root)) : raw;
  return { weights: masked(scaled, causal).map(softmax) };
}

// The undivided scores of one of the score functions; each spreads with a standard deviation near √d_k.
function scores(data, name, dk) {
  const n = data.tokens.length;
  const square = (score) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => score(i, j)));
  const root = Math.sqrt(dk);
  const { queries, keys, previous, distance, mix } = data;
  if (name === "content") {
    const [shortQueries, shortKeys] = [queries, keys].map((rows) => rows.map((row) => row.slice(0, dk)));
    return square((i, j) => dot(shortQueries[i], shortKeys[j]));
  }
  if (name === "previous") return square((i, j) => (j === Math.max(0, i - 1) ? root * previous : 0));
  if (name === "distance") return square((i, j) => -root * distance * Math.abs(i - j));
  const parts = Object.entries(mix).map(([part, share]) => [share, scores(data, part, dk)]);
  return square((i, j) => parts.reduce((sum, [share, part]) => sum + share * part[i][j], 0));
}

export function mount(host, params) {
  return panel(host, params, { run, build });
}

function build(own) {
  const { data, words, text, format } = own;
  const map = heatMap(own, { tokens: data.tokens, side: 424, choose: (row) => own.set({ row }) });
  const controls = [
    choice(own, {
      label: words.function,
      options: data.functions.map((name) => [name, words.functions[name]]),
      change: (name) => own.set({ function: name }),
    }),
    number(own, { label: words.dk, ...data.dk, whole: true, change: (dk) => own.set({ dk }) }),
    toggle(own, { label: words.divide, change: (divide) => own.set({ divide }) }),
    toggle(own, { label: words.causal, change: (causal) => own.set({ causal }) }),
  ];
  const row = rowBars(own);
  const side = element(
    "div",
    { class: "matrix-side" },
    controls[0].element,
    controls[1].element,
    element("div", { class: "matrix-toggles" }, controls[2].element, controls[3].element),
    row.element,
  );
  return {
    body: element("div", { class: "sim-body" }, map.element, side),
    update(state, { weights }) {
      [state.function, state.dk, state.divide, state.causal].forEach((value, i) => controls[i].show(value));
      map.show(weights, state.row, state.causal);
      row.show(weights[state.row], state.row);
      const heaviest = weights[state.row].indexOf(Math.max(...weights[state.row]));
      return text("heard", {
        token: data.tokens[state.row],
        heaviest: data.tokens[heaviest],
        weight: format.fixed(2)(weights[state.row][heaviest]),
      });
    },
  };
}

const MOST = 12; // rows of bars that fit

// The chosen row as bars: every token, or the heaviest ones of a long sentence and the rest together.
function rowBars({ data, words, text, format }) {
  const heading = element("h4", {});
  const sum = element("strong", {});
  const shown = Math.min(data.tokens.length, MOST);
  const lines = Array.from({ length: shown }, () => {
    const [name, bar, value] = [
      element("span", { class: "matrix-name" }),
      element("span", { class: "matrix-bar" }),
      element("span", { class: "matrix-weight" }),
    ];
    return { name, bar, value, element: element("div", { class: "matrix-line" }, name, bar, value) };
  });
  return {
    element: element(
      "div",
      { class: "matrix-row" },
      element("div", { class: "matrix-heading" }, heading, sum),
      ...lines.map((line) => line.element),
    ),
    show(weights, row) {
      write(heading, text("row", { token: data.tokens[row] }));
      write(sum, text("sum", { sum: format.plain(4)(weights.reduce((a, b) => a + b)) }));
      const top = Math.max(...weights);
      entries(weights, data.tokens, words.others, shown).forEach(([name, weight], i) => {
        const { bar, value, ...line } = lines[i];
        write(line.name, name);
        write(value, format.fixed(2)(weight));
        bar.style.transform = `scaleX(${weight.toFixed(4)})`;
        set(line.element, { "data-top": weight === top });
      });
    },
  };
}

function entries(weights, tokens, others, shown) {
  const all = weights.map((weight, i) => [tokens[i], weight, i]);
  if (all.length <= shown) return all;
  const kept = new Set([...all].sort((a, b) => b[1] - a[1]).slice(0, shown - 1));
  const rest = all.filter((one) => !kept.has(one)).reduce((sum, one) => sum + one[1], 0);
  return [...all.filter((one) => kept.has(one)), [others, rest]];
}

// How far a gradient travels back: a plain RNN, the path through an LSTM's cell, and attention. The twin of figures/recurrence.py.

import { number, panel } from "./controls.mjs";
import { element, linear, path, picture, rich, set, steps, svg, write } from "./draw.mjs";
import { power } from "./format.mjs";
import { dot, norm, transposed } from "./tensor.mjs";

const NAMES = ["attention", "lstm", "rnn"];

// What is left of a gradient of length 1 after 0 … n steps back, one list for each of the three:
// paths(data, { tokens: 64, scale: 1 }).rnn[64] -> 5.2e-4
export function paths({ W, w, u, forget }, { tokens, scale }) {
  const steps = Array.from({ length: tokens + 1 }, (_, step) => step);
  return {
    attention: steps.map(() => 1 / tokens),
    lstm: steps.map((step) => forget ** step),
    rnn: recurrent(W, w, u.slice(0, tokens), scale),
  };
}

// The gradient from the last token to the first, as powers of ten: run(data, { tokens: 64, scale: 1 }).rnn -> -3.29
export function run(data, state) {
  const found = paths(data, state);
  return Object.fromEntries(NAMES.map((name) => [name, Math.log10(found[name].at(-1))]));
}

// h_t = tanh(scale W h_(t-1) + w u_t); each step back multiplies by scale Wᵀ diag(1 − h_t²).
function recurrent(W, w, u, scale) {
  const states = [w.map(() => 0)];
  for (const x of u) states.push(W.map((row, i) => Math.tanh(scale * dot(row, states.at(-1)) + w[i] * x)));
  const across = transposed(W);
  let back = w.map(() => 1 / Math.sqrt(w.length));
  const left = [norm(back)];
  for (let t = u.length; t > 0; t--) {
    const through = back.map((g, i) => (1 - states[t][i] ** 2) * g);
    back = across.map((column) => scale * dot(column, through));
    left.push(norm(back));
  }
  return left;
}

export function mount(host, params) {
  return panel(host, params, { run, build });
}

function build(own) {
  const { data, words, text } = own;
  const tokens = number(own, { label: words.tokens, ...data.tokens, whole: true, change: (x) => own.set({ tokens: x }) });
  const scale = number(own, { label: words.scale, ...data.scale, change: (x) => own.set({ scale: x }) });
  const values = valueList(own);
  const chart = logChart(own);
  return {
    body: element(
      "div",
      { class: "sim-body" },
      element("div", { class: "gradient-side" }, tokens.element, scale.element, values.element),
      chart.element,
    ),
    update(state) {
      const found = paths(data, state);
      tokens.show(state.tokens);
      scale.show(state.scale);
      values.show(found);
      chart.show(state, found);
      const [attention, lstm, rnn] = NAMES.map((name) => short(own.format)(found[name].at(-1)));
      return text("heard", { tokens: own.format.count(state.tokens), attention, lstm, rnn });
    },
  };
}

// "5 × 10⁻⁴", and near one or above it a plain number: "1,1".
function short({ fixed, scientific }) {
  return (left) => (left >= 0.1 ? fixed(1)(left) : scientific(1)(left));
}

function valueList({ words, format }) {
  const rows = NAMES.map((name) => {
    const line = svg("svg", { width: 46, height: 12, "aria-hidden": "true" }, svg("path", { class: `line ${name}`, d: "M0 6H46" }));
    const value = element("strong", {});
    return { name, value, element: element("div", { class: "gradient-value" }, line, element("span", {}, ...rich(words[name])), value) };
  });
  return {
    element: element("div", { class: "gradient-values" }, element("h4", {}, ...rich(words.values)), ...rows.map((row) => row.element)),
    show(found) {
      for (const { name, value } of rows) write(value, short(format)(found[name].at(-1)));
    },
  };
}

const WIDTH = 796;
const HEIGHT = 500;
const LEFT = 78;
const RIGHT = WIDTH - 136;
const TOP = 42;
const BOTTOM = HEIGHT - 62;

function logChart({ words, format }) {
  const grid = svg("g", {});
  const lines = NAMES.map((name) => svg("path", { class: `line ${name}` }));
  const labels = NAMES.map((name) => svg("text", { class: `end ${name}`, x: RIGHT + 12 }, words[`${name}_short`]));
  const drawn = picture(
    WIDTH,
    HEIGHT,
    grid,
    ...lines,
    ...labels,
    svg("text", { class: "tick", x: 2, y: 18 }, words.y_axis),
    svg("text", { class: "tick", x: (LEFT + RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, words.x_axis),
  );
  let ends = "";
  return {
    element: element("div", {}, drawn),
    show({ tokens }, found) {
      const lowest = Math.min(...NAMES.map((name) => Math.log10(found[name].at(-1))));
      const top = Math.max(0, Math.ceil(Math.log10(Math.max(...found.rnn))));
      const floor = Math.min(-5, Math.floor(lowest / 5) * 5);
      const x = linear([0, tokens], [LEFT, RIGHT]);
      const y = linear([floor, top], [BOTTOM, TOP]);
      if (ends !== (ends = `${tokens} ${floor} ${top}`)) grid.replaceChildren(...axes(x, y, tokens, floor, top, format));
      NAMES.forEach((name, i) => set(lines[i], { d: path(found[name].map((left, step) => [x(step), y(Math.log10(left))])) }));
      const places = apart(
        NAMES.map((name) => y(Math.log10(found[name].at(-1))) + 6),
        24,
      );
      labels.forEach((label, i) => set(label, { y: places[i].toFixed(1) }));
    },
  };
}

function axes(x, y, tokens, floor, top, { count }) {
  const across = steps(0, tokens, 6);
  const up = steps(floor, top, 7);
  return [
    svg("path", { class: "grid", d: up.map((e) => `M${LEFT} ${y(e)}H${RIGHT}`).join("") }),
    svg("path", { class: "axis", d: `M${LEFT} ${TOP - 8}V${BOTTOM}H${RIGHT}` + across.map((t) => `M${x(t)} ${BOTTOM}v7`).join("") }),
    ...up.map((e) => svg("text", { class: "tick", x: LEFT - 10, y: y(e) + 6, "text-anchor": "end" }, e === 0 ? count(1) : power(e))),
    ...across.map((t) => svg("text", { class: "tick", x: x(t), y: BOTTOM + 27, "text-anchor": "middle" }, count(t))),
  ];
}

// Heights moved so that none lies closer than `gap` to another: apart([10, 12], 20) -> [10, 30]
function apart(heights, gap) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  for (let k = 1; k < order.length; k++) placed[order[k]] = Math.max(placed[order[k]], placed[order[k - 1]] + gap);
  return placed;
}

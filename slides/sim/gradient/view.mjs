// What is left of the gradient, step by step back, on a logarithmic axis.

import { bound, number } from "../kit/controls.mjs";
import { element, linear, path, picture, rich, set, steps, svg, write } from "../kit/draw.mjs";
import { line, marker, named, put } from "../kit/series.mjs";
import { power } from "../kit/format.mjs";
import { NAMES, paths } from "./model.mjs";

export function build(panel) {
  const { data, text, format } = panel;
  const values = valueList(panel);
  const chart = logChart(panel);
  panel.follow((state) => {
    const left = paths(data, state);
    values.show(left);
    chart.show(state, left);
  });
  const side = element(
    "div",
    { class: "sim-stack gradient-side" },
    bound(panel, number, "tokens", { ...data.tokens, whole: true }),
    bound(panel, number, "scale", data.scale),
    values.element,
  );
  return {
    body: [side, chart.element],
    heard(state) {
      const left = paths(data, state);
      const shown = NAMES.map((name) => [name, short(format)(left[name].at(-1))]);
      return text("heard", { tokens: format.count(state.tokens), ...Object.fromEntries(shown) });
    },
  };
}

// "5 × 10⁻⁴", and near one or above it a plain number: "1,1".
function short({ fixed, scientific }) {
  return (left) => (left >= 0.1 ? fixed(1)(left) : scientific(1)(left));
}

function valueList({ words, looks, format }) {
  const rows = NAMES.map((name) => {
    const mark = marker(looks, name);
    put(mark, [50, 8], 7);
    const sample = svg("svg", { width: 60, height: 16, "aria-hidden": "true" }, line(looks, name, "M0 8H50"), mark);
    const label = element("span", {}, ...rich(words.paths[name]));
    const value = element("strong", { class: "sim-large" });
    return { name, value, element: element("div", { class: "gradient-value", "data-series": name }, sample, label, value) };
  });
  return {
    element: element(
      "div",
      { class: "sim-stack sim-box gradient-values" },
      element("h3", {}, ...rich(words.values)),
      ...rows.map((row) => row.element),
    ),
    show(left) {
      for (const { name, value } of rows) write(value, short(format)(left[name].at(-1)));
    },
  };
}

const WIDTH = 796;
const HEIGHT = 500;
const LEFT = 78;
const RIGHT = WIDTH - 136;
const TOP = 42;
const BOTTOM = HEIGHT - 62;

function logChart({ words, looks, format }) {
  const grid = svg("g", {});
  const lines = NAMES.map((name) => line(looks, name));
  const marks = NAMES.map((name) => marker(looks, name));
  const labels = NAMES.map((name) => named(looks, name, words.ends[name], { class: "end", x: RIGHT + 14 }));
  const drawn = picture(
    WIDTH,
    HEIGHT,
    grid,
    ...lines,
    ...marks,
    ...labels,
    svg("text", { class: "tick", x: 2, y: 18 }, words.paths.left),
    svg("text", { class: "tick", x: (LEFT + RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, words.paths.back),
  );
  let ends = "";
  return {
    element: element("div", {}, drawn),
    show({ tokens }, left) {
      const lowest = Math.min(...NAMES.map((name) => Math.log10(left[name].at(-1))));
      const top = Math.max(0, Math.ceil(Math.log10(Math.max(...left.rnn))));
      const floor = Math.min(-5, Math.floor(lowest / 5) * 5);
      const x = linear([0, tokens], [LEFT, RIGHT]);
      const y = linear([floor, top], [BOTTOM, TOP]);
      if (ends !== (ends = `${tokens} ${floor} ${top}`)) grid.replaceChildren(...axes(x, y, tokens, floor, top, format));
      NAMES.forEach((name, i) => set(lines[i], { d: path(left[name].map((length, step) => [x(step), y(Math.log10(length))])) }));
      const places = apart(
        NAMES.map((name) => y(Math.log10(left[name].at(-1))) + 6),
        24,
      );
      NAMES.forEach((name, i) => put(marks[i], [RIGHT, y(Math.log10(left[name].at(-1)))]));
      labels.forEach((label, i) => set(label, { y: places[i].toFixed(1) }));
    },
  };
}

function axes(x, y, tokens, floor, top, { count }) {
  const across = steps(0, tokens, 6);
  const up = steps(floor, top, 7);
  const ticks = across.map((t) => `M${x(t)} ${BOTTOM}v7`).join("");
  const label = (x, y, anchor, text) => svg("text", { class: "tick", x, y, "text-anchor": anchor }, text);
  return [
    svg("path", { class: "grid", d: up.map((e) => `M${LEFT} ${y(e)}H${RIGHT}`).join("") }),
    svg("path", { class: "axis", d: `M${LEFT} ${TOP - 8}V${BOTTOM}H${RIGHT}${ticks}` }),
    ...up.map((e) => label(LEFT - 10, y(e) + 6, "end", e === 0 ? count(10 ** e) : power(e))),
    ...across.map((t) => label(x(t), BOTTOM + 27, "middle", count(t))),
  ];
}

// Heights moved so that none lies closer than `gap` to another: apart([10, 12], 20) -> [10, 30]
function apart(heights, gap) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  for (let k = 1; k < order.length; k++) placed[order[k]] = Math.max(placed[order[k]], placed[order[k - 1]] + gap);
  return placed;
}

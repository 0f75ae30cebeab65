// A simulator whose every state Python has computed: the page keeps each picture, table and sentence once, and shows those of
// the state that is chosen. The twin of figures/kit/precomputed/kept.py.

import { bound, choice, number, toggle } from "./controls.mjs";
import { element, rich, set, spoken } from "./draw.mjs";
import { one } from "./entries.mjs";
import { parse } from "./format.mjs";

// What a state shows, each part as text, "" where there is none.
export function run(data, state) {
  const [picture, table, sentence] = data.shown[place(data.controls, state)];
  const [words, runs] = data.pictures[picture];
  const lines = [];
  for (let i = 0; i < runs.length; i += 2) lines.push(...data.lines.slice(runs[i], runs[i] + runs[i + 1]));
  return { words, svg: lines.join("\n"), table: data.tables[table], sentence: data.sentences[sentence] };
}

// What the page's own check compares: the CRC-32 of all that a state shows, as eight hexadecimal digits.
export function digest(data, state) {
  const { words, svg, table, sentence } = run(data, state);
  return crc32([words, svg, table, sentence].join("\n"))
    .toString(16)
    .padStart(8, "0");
}

export function entries({ controls }) {
  return Object.fromEntries(controls.map(({ name, values }) => [name, one(values)]));
}

// Simulators of one page whose controls have a name in common share it.
export function shared(data, state) {
  return state;
}

export function taken(data, state, inputs) {
  return inputs;
}

// Where a state stands among all, the last control fastest.
function place(controls, state) {
  return controls.reduce((at, { name, values }) => at * values.length + values.indexOf(state[name]), 0);
}

function crc32(text) {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

export function build(panel) {
  const { data } = panel;
  const picture = element("div", { class: "figure sim-picture" });
  const table = element("div", { class: "sim-table" });
  const sentence = element("p", { class: "sim-box" });
  const parts = [
    [picture, "svg", (svg) => (picture.innerHTML = svg)],
    [table, "table", (json) => table.replaceChildren(tabled(JSON.parse(json)))],
    [sentence, "sentence", (text) => sentence.replaceChildren(...rich(text))],
  ];
  let before = {};
  panel.follow((_, shown) => {
    for (const [box, name, show] of parts) {
      if (shown[name] === before[name]) continue;
      set(box, { hidden: !shown[name] });
      if (shown[name]) show(shown[name]);
    }
    if (shown.svg) set(picture.firstElementChild, { role: "img", "aria-label": shown.words });
    before = shown;
  });
  return {
    body: [element("div", { class: "sim-stack" }, ...data.controls.map((one) => control(panel, one)), sentence, table), picture],
    heard: (_, { sentence, words }) => spoken(sentence || words),
  };
}

function control(panel, { name, kind, label, values, texts }) {
  if (kind === "switch") return bound(panel, toggle, name, { label });
  if (kind === "choice") return bound(panel, choice, name, { label, options: values.map((value, i) => [value, texts[i]]) });
  const nearest = (x) => values.reduce((best, value) => (Math.abs(value - x) < Math.abs(best - x) ? value : best));
  return bound(panel, number, name, {
    label,
    min: values[0],
    max: values.at(-1),
    snap: nearest,
    scale: { to: (value) => values.indexOf(nearest(value)), from: (i) => values[i], step: 1 },
    write: (value) => texts[values.indexOf(nearest(value))],
    read: (typed) => values[texts.indexOf(typed.trim())] ?? parse(typed),
  });
}

// A table as Table.plain() of figures/kit/show/tables.py gives it.
function tabled({ caption, columns, rows }) {
  const side = (i) => ({ style: `text-align: ${columns[i][1]}` });
  const heads = columns.map(([heading], i) => element("th", { scope: "col", ...side(i) }, ...rich(heading)));
  const cell = ([text, role], i) => element("td", { ...side(i), class: role || null }, ...rich(text));
  return element(
    "table",
    {},
    caption && element("caption", {}, ...rich(caption)),
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))),
  );
}

// Every number of the example under a slider, the two planes, the table of the four steps, and what comes out.

import { number } from "../kit/controls.mjs";
import { element, italic, path, rich, set, write } from "../kit/draw.mjs";
import { line, marker, named, put } from "../kit/series.mjs";
import { marks, plane, SIDE } from "./plane.mjs";

export function build(panel) {
  const { format, text } = panel;
  return {
    body: [
      inputs(panel),
      element("div", { class: "sim-row banco-planes" }, keyPlane(panel), valuePlane(panel)),
      stepsTable(panel),
      verdict(panel),
    ],
    heard: (_, result) => text("heard", { output: format.vector(format.fixed(2))(result.output), sense: senseOf(panel, result) }),
  };
}

function senseOf({ data, words }, { sense }) {
  return sense === null ? words.undecided : data.meaning[sense];
}

// The query and d_k on top, a row of key and value for each token below.
function inputs(panel) {
  const { data, words, text, format } = panel;
  const slider = (name, bounds, read, change, role) => {
    const control = number(panel, { label: "", name, role, ...bounds, change: (x) => panel.set(change(x)) });
    panel.follow((state) => control.show(read(state)));
    return control.element;
  };
  const pair = (role, what, read, change) =>
    [0, 1].map((i) =>
      slider(
        text("component", { what, i: format.count(i + 1) }),
        data.vectors,
        (state) => read(state)[i],
        (x) => change(read(panel.state).with(i, x)),
        role,
      ),
    );
  // A vector of the row `j` of keys or of values.
  const vector = (role, what, name, j) =>
    pair(
      role,
      what,
      (state) => state[name][j],
      (next) => ({ [name]: panel.state[name].with(j, next) }),
    );
  const row = (token, j) => [
    element("div", { class: "banco-token" }, token),
    ...vector("k", text("key_of", { token }), "keys", j),
    ...vector("v", text("value_of", { token }), "values", j),
  ];
  return element(
    "div",
    { class: "banco-inputs" },
    element("div", { class: "banco-token q" }, ...rich(words.query)),
    ...pair(
      "q",
      words.query_name,
      (state) => state.q,
      (q) => ({ q }),
    ),
    element("div", { class: "banco-dk" }, element("span", {}, ...rich(words.dk)), element("small", {}, ...rich(words.dk_note))),
    slider(
      words.dk_name,
      { ...data.dk, whole: true },
      (state) => state.dk,
      (dk) => ({ dk }),
    ),
    element(
      "div",
      { class: "banco-heads" },
      element("div", { class: "k" }, ...rich(words.key)),
      element("div", { class: "v" }, ...rich(words.value)),
    ),
    ...data.tokens.flatMap(row),
  );
}

// The query as a line from the origin, the keys as marks: the further a key lies along the query, the higher its score.
function keyPlane(panel) {
  const { data, words, looks } = panel;
  const [arrow, tip] = [line(looks, "query"), marker(looks, "query")];
  const keys = marks(looks, "key", data.tokens);
  const name = named(looks, "query", italic("q"), { class: "letter" });
  const drag = (i, point) => panel.set(i === 0 ? { q: point } : { keys: panel.state.keys.with(i - 1, point) });
  const made = plane(panel, words.key_plane, drag, arrow, keys.element, tip, name);
  panel.follow(({ q, keys: at }) => {
    made.fit([q, ...at]);
    const [end, start] = [q, [0, 0]].map(([x, y]) => [made.x(x), made.y(y)]);
    set(arrow, { d: path([start, end]) });
    put(tip, end);
    set(name, { x: start[0] + (end[0] - start[0]) * 0.7 - 24, y: start[1] + (end[1] - start[1]) * 0.7 });
    keys.place(at, made);
  });
  return made.element;
}

// The values, each mark as large as its weight, and the output, which always lies between them.
function valuePlane(panel) {
  const { data, words, looks } = panel;
  const values = marks(looks, "value", data.tokens);
  const output = marks(looks, "output", [words.output_mark]);
  const drag = (i, point) => panel.set({ values: panel.state.values.with(i, point) });
  const made = plane(panel, words.value_plane, drag, values.element, output.element);
  panel.follow((state, { weights, output: at }) => {
    made.fit(state.values);
    values.place(state.values, made, { sizes: weights.map((weight) => 5 + 8 * Math.sqrt(weight)) });
    output.place([at], made, { above: made.y(at[1]) < SIDE / 3 ? 32 : -18 });
  });
  return made.element;
}

// The slide's table, live: one row a token, the sums below.
function stepsTable({ data, words, format, follow }) {
  const heads = words.columns.map((head, i) => element("th", { scope: "col", class: i ? null : "text" }, ...rich(head)));
  const rows = data.tokens.map((token) => {
    const bar = element("span", { class: "sim-bar" });
    const cells = words.columns.slice(1).map(() => element("span"));
    const tds = cells.map((cell, i) => element("td", { class: i === 3 ? "weight" : null }, i === 3 && bar, cell));
    return { bar, cells, element: element("tr", {}, element("th", { scope: "row" }, token), ...tds) };
  });
  const totals = words.columns.slice(1).map(() => element("td"));
  const [two, three] = [format.fixed(2), format.fixed(3)];
  const short = (x) => (x === 0 ? format.count(x) : three(x));
  const large = (x) => (x < 1e5 ? two(x) : format.scientific(3)(x));
  follow((_, { scores, scaled, exponentials, total, weights, parts, output }) => {
    rows.forEach(({ bar, cells }, j) => {
      const part = format.vector(short)(parts[j]);
      const texts = [format.plain(2)(scores[j]), two(scaled[j]), large(exponentials[j]), three(weights[j]), part];
      cells.forEach((cell, i) => write(cell, texts[i]));
      bar.style.transform = `scaleX(${weights[j].toFixed(4)})`;
    });
    write(totals[2], large(total));
    write(totals[3], format.plain(2)(weights.reduce((sum, weight) => sum + weight)));
    write(totals[4], format.vector(two)(output));
  });
  const sums = element("tr", { class: "total" }, element("th", { scope: "row" }, words.total), ...totals);
  const head = element("thead", {}, element("tr", {}, ...heads));
  const body = element("tbody", {}, ...rows.map((row) => row.element), sums);
  return element("div", { class: "banco-steps" }, element("table", {}, head, body));
}

// The token that asks comes out as …
function verdict(panel) {
  const { words, format, follow } = panel;
  const output = element("div", { class: "banco-output" });
  const sense = element("strong");
  follow((_, result) => {
    write(sense, senseOf(panel, result));
    write(output, format.vector(format.fixed(2))(result.output));
  });
  return element("div", { class: "sim-box banco-verdict" }, element("div", {}, ...rich(words.comes_out)), sense, output);
}

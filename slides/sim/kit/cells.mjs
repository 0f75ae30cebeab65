// A matrix as a table of cells, alone or beside others, one row followed through all of them.

import { element, rich, set } from "./draw.mjs";

// cells({ title: "A", values, format, rows: ["one", …], columns, role, heat: true, framed: 1, marked: (i, j) => false }); beside
// another whose rows' names are seen, those of this one are only heard: `heard: true`.
export function cells({
  title = "",
  values,
  format,
  rows = null,
  heard = false,
  columns = null,
  role = null,
  heat = false,
  framed = null,
  marked = () => false,
}) {
  const cell = (value, i, j) =>
    element("td", { style: heat ? `--weight:${value.toFixed(3)}` : null, class: marked(i, j) ? "marked" : null }, format(value));
  const line = (row, i) =>
    element(
      "tr",
      { class: i === framed ? "framed" : null },
      rows && element("th", { scope: "row", class: heard ? "sim-row-heard" : null }, rows[i]),
      ...row.map((value, j) => cell(value, i, j)),
    );
  const head =
    columns &&
    element("thead", {}, element("tr", {}, rows && element("td", { class: heard ? "sim-row-heard" : null }), ...columns.map((name) => element("th", { scope: "col" }, name))));
  return element(
    "table",
    { class: heat ? "sim-cells heat-cells" : "sim-cells" },
    title && element("caption", {}, ...rich(title)),
    head,
    element("tbody", { class: role && `tinted ${role}` }, ...values.map(line)),
  );
}

// A matrix's name, which may hold formulas, and its shape.
export function heading(title, shape) {
  return element("h3", { class: "sim-matrix-name" }, ...rich(title), element("small", {}, shape));
}

// Lines of matrices by name, the first of each line with the names of its rows: matrices(panel, [["Q", "K"], ["A"]],
// { rows: data.tokens, titles: words.matrices, roles: { Q: "q" }, heat: ["A"] }). show(result, { row, … }) frames `row` in all of
// them, fills in the first `shown`, stresses the one called `now`, and marks cells of the heat maps.
export function matrices({ format }, lines, { rows, titles, roles = {}, heat = [], formats = {} }) {
  const names = lines.flat();
  const firsts = new Set(lines.map(([first]) => first));
  const boxes = Object.fromEntries(names.map((name) => [name, element("div", { class: "sim-matrix-box" })]));
  return {
    element: element(
      "div",
      { class: "sim-matrices" },
      ...lines.map((line) => element("div", { class: "sim-matrices-line" }, ...line.map((name) => boxes[name]))),
    ),
    show(result, { row, shown = names.length, now = null, marked }) {
      names.forEach((name, i) => {
        const values = result[name];
        const waiting = i >= shown;
        const hot = heat.includes(name) && !waiting;
        const table = cells({
          values,
          format: waiting ? () => "" : (formats[name] ?? format.fixed(2)),
          rows,
          heard: !firsts.has(name),
          framed: waiting ? null : row,
          role: roles[name],
          heat: hot,
          marked: hot ? marked : undefined,
        });
        set(boxes[name], { class: ["sim-matrix-box", waiting && "waiting", name === now && "now"].filter(Boolean).join(" ") });
        boxes[name].replaceChildren(heading(titles[name], format.shape([values.length, values[0].length])), table);
      });
    },
  };
}

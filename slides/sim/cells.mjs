// A matrix as a table of cells, for the panels that follow rows through a computation.

import { element, rich } from "./draw.mjs";

// cells({ title: "A", values, format, rows: ["sentei", …], columns, role: "q", heat: true, framed: 1, marked: (i, j) => false })
export function cells({
  title = "",
  values,
  format,
  rows = null,
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
      rows && element("th", { scope: "row" }, rows[i]),
      ...row.map((value, j) => cell(value, i, j)),
    );
  const head =
    columns &&
    element("thead", {}, element("tr", {}, rows && element("td"), ...columns.map((name) => element("th", { scope: "col" }, name))));
  return element(
    "table",
    { class: ["cells", role, heat && "heat-cells"].filter(Boolean).join(" ") },
    title && element("caption", {}, ...rich(title)),
    head,
    element("tbody", {}, ...values.map(line)),
  );
}

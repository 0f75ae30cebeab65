// A square heat map of weights; a row is chosen by pointer, finger or arrow keys.

import { element, picture, rich, set, svg } from "./draw.mjs";

const LEFT = 112;
const TOP = 84;
const BESIDE = 46; // what the last column's slanted name needs
const SMALLEST_LABEL = 20; // px a label needs; further apart cells are labelled every few

// heatMap(panel, { names, side, label, rows: { title, role }, columns: { title, role }, choose })
//   .show({ weights, row, causal, heard })
// `label` names the map and `heard` the chosen row for a screen reader; the triangle above the diagonal is hatched if `causal`.
export function heatMap(panel, { names, side, label, rows, columns, choose }) {
  const n = names.length;
  const cell = side / n;
  const canvas = element("canvas", { width: n, height: n, "aria-hidden": "true" });
  canvas.style.cssText = `left:${LEFT}px;top:${TOP}px;width:${side}px;height:${side}px`;
  const frame = svg("rect", { class: `frame ${rows.role}`, x: LEFT, width: side, height: cell });
  const hidden = svg("path", { class: "hidden", d: "" });
  const middle = (i) => cell * (i + 0.5);
  const rowLabels = names.map((name, i) => svg("text", { x: LEFT - 10, y: TOP + middle(i) + 6, "text-anchor": "end" }, name));
  const columnLabels = names.map((name, j) =>
    svg("text", { transform: `translate(${LEFT + middle(j) + 5} ${TOP - 8}) rotate(-48)` }, name),
  );
  const every = Math.ceil(SMALLEST_LABEL / cell);
  const labels = (all, role) => svg("g", { class: role }, ...all.filter((_, i) => i % every === 0));
  const drawing = picture(
    LEFT + side + BESIDE,
    TOP + side + 2,
    svg("path", { class: "grid", d: gridLines(n, cell, side) }),
    hidden,
    labels(rowLabels, rows.role),
    labels(columnLabels, columns.role),
    frame,
  );
  const heads = [columns, rows].map(({ title, role }) => element("span", { class: role }, ...rich(title)));
  const box = element(
    "div",
    {
      class: "sim-heat",
      role: "slider",
      tabindex: 0,
      "aria-label": label,
      "aria-orientation": "vertical",
      "aria-valuemin": 1,
      "aria-valuemax": n,
      "data-prevent-swipe": "",
    },
    element("div", { class: "sim-heat-heads" }, ...heads),
    canvas,
    drawing,
  );
  const paint = painter(canvas, n, panel.root);
  let chosen = 0;
  let last = null;
  const repaint = () => last && paint(last, true);
  panel.listen(matchMedia("(prefers-color-scheme: dark)"), "change", repaint);
  panel.listen(document, "deckscheme", repaint);

  const move = (row) => row !== chosen && choose(Math.max(0, Math.min(n - 1, row)));
  const point = ({ clientY }) => {
    const area = canvas.getBoundingClientRect();
    const row = Math.floor(((clientY - area.top) / area.height) * n);
    if (row >= 0 && row < n) move(row);
  };
  panel.listen(box, "pointerdown", point);
  panel.listen(box, "pointermove", point);
  panel.listen(box, "keydown", ({ key }) => {
    const to = { ArrowUp: chosen - 1, ArrowDown: chosen + 1, Home: 0, End: n - 1 }[key];
    if (to !== undefined) move(to);
  });

  return {
    element: box,
    show({ weights, row, causal, heard }) {
      paint(weights);
      last = weights;
      set(frame, { y: (TOP + cell * row).toFixed(2) });
      set(hidden, { d: causal ? hatching(n, cell) : "" });
      set(rowLabels[chosen], { class: null });
      set(rowLabels[row], { class: "chosen" });
      chosen = row;
      set(box, { "aria-valuenow": row + 1, "aria-valuetext": heard });
    },
  };
}

// One pixel a cell, enlarged by the page: as crisp at any zoom as a picture, at the price of one image.
function painter(canvas, n, root) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(n, n);
  let ramp = null;
  return (weights, afresh = false) => {
    if (ramp === null || afresh) ramp = colours(root);
    for (let i = 0, at = 0; i < n; i++)
      for (let j = 0; j < n; j++, at += 4) {
        const [r, g, b] = ramp[Math.round(Math.sqrt(weights[i][j]) * 255)];
        image.data[at] = r;
        image.data[at + 1] = g;
        image.data[at + 2] = b;
        image.data[at + 3] = 255;
      }
    context.putImageData(image, 0, 0);
  };
}

// Ground to rule to ink in 256 steps, as the figures' ramp; shades follow the square root of a weight.
function colours(root) {
  const style = getComputedStyle(root.isConnected ? root : document.documentElement);
  const stops = ["--ground", "--rule", "--ink"].map((name) => rgb(style.getPropertyValue(name).trim()));
  return Array.from({ length: 256 }, (_, step) => {
    const at = (step / 255) * (stops.length - 1);
    const first = Math.min(stops.length - 2, Math.floor(at));
    return stops[first].map((from, i) => Math.round(from + (stops[first + 1][i] - from) * (at - first)));
  });
}

function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) || 0);
}

function gridLines(n, cell, side) {
  const lines = Array.from({ length: n + 1 }, (_, i) => (i * cell).toFixed(2));
  return lines.map((d) => `M${LEFT} ${TOP + Number(d)}h${side}M${LEFT + Number(d)} ${TOP}v${side}`).join("");
}

// Three strokes across each cell above the diagonal.
function hatching(n, cell) {
  let path = "";
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const [x, y] = [LEFT + j * cell, TOP + i * cell];
      const half = cell / 2;
      path += `M${x} ${y + half}l${half} ${-half}M${x} ${y + cell}l${cell} ${-cell}M${x + half} ${y + cell}l${half} ${-half}`;
    }
  return path;
}

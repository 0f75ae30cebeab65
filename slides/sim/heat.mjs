// A square heat map of weights, one row a query, one column a key; a row is chosen by pointer, finger or arrow keys.

import { element, rich, set, svg } from "./draw.mjs";

const LEFT = 112;
const TOP = 84;
const BESIDE = 46; // what the last key's slanted name needs
const SMALLEST_LABEL = 20; // px a label needs; further apart cells are labelled every few

// heatMap(panel, { tokens, side, choose }).show(weights, row, causal)
export function heatMap(own, { tokens, side, choose }) {
  const { words, text, format } = own;
  const n = tokens.length;
  const cell = side / n;
  const canvas = element("canvas", { width: n, height: n, "aria-hidden": "true" });
  canvas.style.cssText = `left:${LEFT}px;top:${TOP}px;width:${side}px;height:${side}px`;
  const frame = svg("rect", { class: "frame", x: LEFT, width: side, height: cell });
  const hidden = svg("path", { class: "hidden", d: "" });
  const rowLabels = tokens.map((token, i) => svg("text", { x: LEFT - 10, y: TOP + cell * (i + 0.5) + 6, "text-anchor": "end" }, token));
  const every = Math.ceil(SMALLEST_LABEL / cell);
  const columnLabels = tokens.map((token, j) => {
    const at = `translate(${LEFT + cell * (j + 0.5) + 5} ${TOP - 8}) rotate(-48)`;
    return svg("text", { class: "key", transform: at }, token);
  });
  const shownOf = (labels) => labels.filter((_, i) => i % every === 0);
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${LEFT + side + BESIDE} ${TOP + side + 2}`,
      width: LEFT + side + BESIDE,
      height: TOP + side + 2,
      "aria-hidden": "true",
    },
    svg("path", { class: "grid", d: gridLines(n, cell, side) }),
    hidden,
    svg("g", { class: "queries" }, ...shownOf(rowLabels)),
    svg("g", { class: "keys" }, ...shownOf(columnLabels)),
    frame,
  );
  const box = element(
    "div",
    {
      class: "heat",
      role: "slider",
      tabindex: 0,
      "aria-label": words.rows,
      "aria-orientation": "vertical",
      "aria-valuemin": 1,
      "aria-valuemax": n,
      "data-prevent-swipe": "",
    },
    element(
      "div",
      { class: "heat-heads" },
      element("span", { class: "q" }, ...rich(words.queries)),
      element("span", { class: "k" }, ...rich(words.keys)),
    ),
    canvas,
    drawing,
  );
  const paint = painter(canvas, n, own.root);
  let chosen = 0;
  let last = null;
  own.listen(matchMedia("(prefers-color-scheme: dark)"), "change", () => last && paint(last, true));

  const move = (row) => row !== chosen && choose(Math.max(0, Math.min(n - 1, row)));
  const point = ({ clientY }) => {
    const area = canvas.getBoundingClientRect();
    const row = Math.floor(((clientY - area.top) / area.height) * n);
    if (row >= 0 && row < n) move(row);
  };
  own.listen(box, "pointerdown", point);
  own.listen(box, "pointermove", point);
  own.listen(box, "keydown", ({ key }) => {
    const to = { ArrowUp: chosen - 1, ArrowDown: chosen + 1, Home: 0, End: n - 1 }[key];
    if (to !== undefined) move(Math.max(0, Math.min(n - 1, to)));
  });

  return {
    element: box,
    show(weights, row, causal) {
      paint(weights);
      last = weights;
      set(frame, { y: (TOP + cell * row).toFixed(2) });
      set(hidden, { d: causal ? hatching(n, cell) : "" });
      set(rowLabels[chosen], { class: null });
      set(rowLabels[row], { class: "chosen" });
      chosen = row;
      const heaviest = weights[row].indexOf(Math.max(...weights[row]));
      set(box, {
        "aria-valuenow": row + 1,
        "aria-valuetext": text("row_heard", {
          token: tokens[row],
          heaviest: tokens[heaviest],
          weight: format.fixed(2)(weights[row][heaviest]),
        }),
      });
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
  const at = Array.from({ length: n + 1 }, (_, i) => (i * cell).toFixed(2));
  return at.map((d) => `M${LEFT} ${TOP + Number(d)}h${side}M${LEFT + Number(d)} ${TOP}v${side}`).join("");
}

// Three strokes across each cell that the mask forbids.
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

// Lines and marks in the looks that data/theme.yml gives to roles and series, the same here as in the figures.

import { set, svg } from "./draw.mjs";

const WIDTH = 4; // of a line, in units of its picture
const POINT = Math.sqrt(0.5);
// Each marker by its name in the theme, one unit from its middle to its outermost points.
const MARKERS = {
  o: "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z",
  s: polygon([[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]]),
  D: polygon([[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]]),
  "^": polygon([[0, -1.1], [1.1, 0.9], [-1.1, 0.9]]),
  P: polygon(cross(0)),
  X: polygon(cross(45)),
  "*": polygon(star()),
};

// A line of the series `name` along a path: line(looks, "answer", "M0 0H40").
export function line(looks, name, d = "") {
  const { colour, dash } = looks[name];
  const strokes = dash.map((part) => part * WIDTH).join(" ") || "none";
  return svg("path", { class: "line", "data-series": name, style: `stroke:${colour};stroke-dasharray:${strokes}`, d });
}

// The marker of the series `name`, as a group that is moved and sized by `put`.
export function marker(looks, name) {
  const { colour, marker: shape } = looks[name];
  return svg("path", { "data-series": name, "data-marker": shape, style: `fill:${colour}`, d: MARKERS[shape] });
}

// Puts a marker at a point, `size` units from its middle to its edge.
export function put(mark, [x, y], size = 8) {
  set(mark, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(1)})` });
}

// A text in the colour of the series `name`.
export function named(looks, name, text, attributes = {}) {
  return svg("text", { "data-series": name, style: `fill:${looks[name].colour}`, ...attributes }, text);
}

function polygon(points) {
  return `M${points.map((point) => point.map((x) => Number(x.toFixed(3))).join(" ")).join("L")}Z`;
}

function star() {
  return Array.from({ length: 10 }, (_, i) => around(i * 36, i % 2 ? 0.55 : 1.45));
}

// A plus sign, turned by some degrees.
function cross(turn) {
  const arm = [18.435, 45, 71.565];
  return [0, 90, 180, 270].flatMap((quarter) => arm.map((at, i) => around(quarter + at + turn, i === 1 ? POINT / 1.5 : 1.05)));
}

// The point at an angle in degrees, clockwise from the top.
function around(degrees, radius) {
  const angle = (degrees * Math.PI) / 180;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

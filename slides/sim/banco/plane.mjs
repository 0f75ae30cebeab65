// A plane with axes whose points can be dragged, and the marks that stand at them.

import { element, linear, picture, rich, set, steps, svg, write } from "../kit/draw.mjs";
import { marker, named, put } from "../kit/series.mjs";

export const SIDE = 250; // units of a plane's side
const PAD = 26;

// A square plane that shows the origin and all `points` it is given, with a tick at each whole number.
// A point can be dragged: `drag(i, point)` puts the i-th one elsewhere; the scale rests until it is let go.
export function plane(panel, title, drag, ...children) {
  const { format } = panel;
  const axes = svg("g", {});
  const drawn = picture(SIDE, SIDE, svg("rect", { class: "ground", width: SIDE, height: SIDE, rx: 6 }), axes, ...children);
  set(drawn, { "data-prevent-swipe": "" });
  let ends = null;
  let points = [];
  const made = {
    element: element("div", { class: "banco-plane" }, element("h3", {}, ...rich(title)), drawn),
    fit(next) {
      points = next;
      if (held.is()) return;
      const low = Math.floor(Math.min(0, ...points.flat()));
      const high = Math.ceil(Math.max(1, ...points.flat()));
      if (ends === `${low} ${high}`) return;
      ends = `${low} ${high}`;
      const room = low < 0 ? 0 : 0.14 * high;
      made.x = linear([low - room, high], [PAD, SIDE - PAD]);
      made.y = linear([low - room, high], [SIDE - PAD, PAD]);
      const ticks = steps(low, high, 3).filter((tick) => tick !== 0 && Number.isInteger(tick));
      const [x0, y0] = [made.x(0), made.y(0)];
      axes.replaceChildren(
        svg("path", {
          class: "axis",
          d:
            `M${PAD / 2} ${y0}H${SIDE - PAD / 2}M${x0} ${PAD / 2}V${SIDE - PAD / 2}` +
            ticks.map((t) => `M${made.x(t)} ${y0}v6M${x0} ${made.y(t)}h-6`).join(""),
        }),
        ...ticks.flatMap((t) => [
          svg("text", { class: "tick", x: made.x(t), y: y0 + 24, "text-anchor": "middle" }, format.plain(1)(t)),
          svg("text", { class: "tick", x: x0 - 10, y: made.y(t) + 6, "text-anchor": "end" }, format.plain(1)(t)),
        ]),
      );
    },
  };
  const held = dragging(panel, drawn, made, () => points, drag);
  return made;
}

const REACH = 26; // units from a point within which the pointer takes it

// Takes the nearest point under mouse or finger and moves it, in the sliders' steps and bounds, until it is let go.
function dragging(panel, drawn, made, points, drag) {
  const { min, max, step } = panel.data.vectors;
  let taken = -1;
  const at = ({ clientX, clientY }) => {
    const box = drawn.getBoundingClientRect();
    return [((clientX - box.left) / box.width) * SIDE, ((clientY - box.top) / box.height) * SIDE];
  };
  const snapped = (x) => Math.min(max, Math.max(min, Number((Math.round(x / step) * step).toFixed(6))));
  panel.listen(drawn, "pointerdown", (event) => {
    const pointer = at(event);
    const gaps = points().map(([x, y]) => Math.hypot(made.x(x) - pointer[0], made.y(y) - pointer[1]));
    const nearest = gaps.indexOf(Math.min(...gaps));
    if (gaps[nearest] > REACH) return;
    taken = nearest;
    drawn.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  panel.listen(drawn, "pointermove", (event) => {
    if (taken < 0) return;
    const [x, y] = at(event);
    drag(taken, [snapped(made.x.back(x)), snapped(made.y.back(y))]);
  });
  const release = () => {
    if (taken < 0) return;
    taken = -1;
    panel.set({});
  };
  panel.listen(drawn, "pointerup", release);
  panel.listen(drawn, "pointercancel", release);
  return { is: () => taken >= 0 };
}

// A mark in the look of a series and a name for each point; the names of points that lie together stand in one line.
export function marks(looks, series, names) {
  const shapes = names.map(() => marker(looks, series));
  const labels = names.map(() => named(looks, series, ""));
  return {
    element: svg("g", { class: "mark" }, ...shapes, ...labels),
    // `sizes` are those of the marks; with `above` the names stand so far above them, else beside them.
    place(points, made, { sizes = [], above = 0 } = {}) {
      const at = points.map((point) => [made.x(point[0]), made.y(point[1])]);
      at.forEach(([px, py], i) => {
        const together = names.filter((_, j) => near(at[i], at[j]));
        const first = at.findIndex((other) => near(other, at[i])) === i;
        const size = Math.max(...at.map((other, j) => (near(other, at[i]) ? (sizes[j] ?? 8) : 0)));
        const left = px + 22 + 10 * together.join(", ").length > SIDE;
        const beside = size + 8;
        put(shapes[i], [px, py], sizes[i]);
        set(labels[i], {
          x: (px + (above ? 0 : left ? -beside : beside)).toFixed(1),
          y: (py + (above || 6)).toFixed(1),
          "text-anchor": above ? "middle" : left ? "end" : "start",
        });
        write(labels[i], first ? together.join(", ") : "");
      });
    },
  };
}

function near([x1, y1], [x2, y2]) {
  return Math.hypot(x1 - x2, y1 - y2) < 14;
}

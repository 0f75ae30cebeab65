// One query against three keys: scores, scale, softmax, mixture. The chapter's panel is the same.

import { number, panel } from "./controls.mjs";
import { element, italic, linear, picture, rich, set, steps, svg, write } from "./draw.mjs";
import { dot, mixed, softmax } from "./tensor.mjs";

// The four steps for one query: run({ undecided: 0.25 }, { q: [1, 2], keys, values, dk: 2 }).weights -> [0.074, 0.306, 0.620].
// `sense` is the component of the output that wins, or null within `undecided` of each other.
export function run({ undecided }, { q, keys, values, dk }) {
  const scores = keys.map((key) => dot(q, key));
  const scaled = scores.map((score) => score / Math.sqrt(dk));
  const exponentials = scaled.map(Math.exp);
  const total = exponentials.reduce((a, b) => a + b);
  const weights = softmax(scaled);
  const parts = values.map((value, j) => value.map((x) => weights[j] * x));
  const output = mixed(weights, values);
  const gap = output[0] - output[1];
  const sense = Math.abs(gap) < undecided ? null : gap > 0 ? 0 : 1;
  return { scores, scaled, exponentials, total, weights, parts, output, sense };
}

export function mount(host, params) {
  return panel(host, params, { run, build });
}

function build(own) {
  const inputs = vectors(own);
  const planes = [keyPlane(own), valuePlane(own)];
  const table = stepsTable(own);
  const verdict = sentence(own);
  return {
    body: element(
      "div",
      { class: "sim-body" },
      inputs.element,
      element("div", { class: "banco-planes" }, ...planes.map((p) => p.element)),
      table.element,
      verdict.element,
    ),
    update(state, result) {
      for (const part of [inputs, ...planes, table, verdict]) part.show(state, result);
      return own.text("heard", { output: own.format.vector(own.format.fixed(2))(result.output), sense: senseOf(own, result) });
    },
  };
}

function senseOf({ data, words }, { sense }) {
  return sense === null ? words.undecided : data.meaning[sense];
}

// Every number of the example under a slider: the query and d_k on top, a row of key and value for each token below.
function vectors(own) {
  const { data, words, text, format } = own;
  const controls = [];
  const cell = (role, name, read, change) => {
    const control = number(own, { label: "", name, ...data.vectors, role, change: (x) => own.set(change(x)) });
    controls.push((state) => control.show(read(state)));
    return control.element;
  };
  const dk = number(own, { label: "", name: words.dk_name, ...data.dk, whole: true, change: (x) => own.set({ dk: x }) });
  controls.push((state) => dk.show(state.dk));
  const pair = (role, what, read, change) =>
    [0, 1].map((i) =>
      cell(
        role,
        text("component", { what, i: format.count(i + 1) }),
        (s) => read(s)[i],
        (x) => change(own.state, i, x),
      ),
    );
  const row = (name, j) => [
    element("div", { class: "banco-token" }, name),
    ...pair(
      "k",
      text("key_of", { token: name }),
      (s) => s.keys[j],
      (s, i, x) => ({ keys: changed(s.keys, j, i, x) }),
    ),
    ...pair(
      "v",
      text("value_of", { token: name }),
      (s) => s.values[j],
      (s, i, x) => ({ values: changed(s.values, j, i, x) }),
    ),
  ];
  const grid = element(
    "div",
    { class: "banco-inputs" },
    element("div", { class: "banco-token q" }, ...rich(words.query)),
    ...pair(
      "q",
      words.query_name,
      (s) => s.q,
      (s, i, x) => ({ q: s.q.with(i, x) }),
    ),
    element("div", { class: "banco-dk" }, element("span", {}, ...rich(words.dk)), element("small", {}, ...rich(words.dk_note))),
    dk.element,
    element(
      "div",
      { class: "banco-heads" },
      ...[
        ["k", words.key],
        ["v", words.value],
      ].map(([role, t]) => element("div", { class: role }, ...rich(t))),
    ),
    ...data.tokens.flatMap(row),
  );
  return { element: grid, show: (state) => controls.forEach((show) => show(state)) };
}

function changed(rows, j, i, x) {
  return rows.with(j, rows[j].with(i, x));
}

const SIDE = 250; // units of a plane's side
const PAD = 26;

// A square plane that shows the origin and all `points` it is given, with a tick at each whole number.
// A point can be dragged: `drag(i, point)` puts the i-th one elsewhere; the scale rests until it is let go.
function plane(own, title, drag, ...children) {
  const { format } = own;
  const axes = svg("g", {});
  const drawn = picture(SIDE, SIDE, svg("rect", { class: "ground", width: SIDE, height: SIDE, rx: 6 }), axes, ...children);
  set(drawn, { "data-prevent-swipe": "" });
  let ends = null;
  let points = [];
  const made = {
    element: element("div", { class: "banco-plane" }, element("h4", {}, ...rich(title)), drawn),
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
      const ticks = steps(low, high, high - low > 1 ? 3 : 2).filter((tick) => tick !== 0);
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
  const held = dragging(own, drawn, made, () => points, drag);
  return made;
}

const REACH = 26; // units from a point within which the pointer takes it

// Takes the nearest point under mouse or finger and moves it, in the sliders' steps and bounds, until it is let go.
function dragging(own, drawn, made, points, drag) {
  const { min, max, step } = own.data.vectors;
  let taken = -1;
  const at = ({ clientX, clientY }) => {
    const box = drawn.getBoundingClientRect();
    return [((clientX - box.left) / box.width) * SIDE, ((clientY - box.top) / box.height) * SIDE];
  };
  const snapped = (x) => Math.min(max, Math.max(min, Number((Math.round(x / step) * step).toFixed(6))));
  own.listen(drawn, "pointerdown", (event) => {
    const pointer = at(event);
    const gaps = points().map(([x, y]) => Math.hypot(made.x(x) - pointer[0], made.y(y) - pointer[1]));
    const nearest = gaps.indexOf(Math.min(...gaps));
    if (gaps[nearest] > REACH) return;
    taken = nearest;
    drawn.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  own.listen(drawn, "pointermove", (event) => {
    if (taken < 0) return;
    const [x, y] = at(event);
    drag(taken, [snapped(made.x.back(x)), snapped(made.y.back(y))]);
  });
  const release = () => {
    if (taken < 0) return;
    taken = -1;
    own.set({});
  };
  own.listen(drawn, "pointerup", release);
  own.listen(drawn, "pointercancel", release);
  return { is: () => taken >= 0 };
}

// The query as an arrow, the keys as squares: the further a key lies along the query, the higher its score.
function keyPlane(own) {
  const { data, words } = own;
  const arrow = svg("path", { class: "arrow" });
  const keys = marks("square", "k", data.tokens);
  const name = svg("text", { class: "q" }, italic("q"));
  const drag = (i, point) => own.set(i === 0 ? { q: point } : { keys: own.state.keys.with(i - 1, point) });
  const made = plane(own, words.key_plane, drag, arrow, keys.element, name);
  return {
    element: made.element,
    show({ q, keys: at }) {
      made.fit([q, ...at]);
      const tip = [made.x(q[0]), made.y(q[1])];
      const start = [made.x(0), made.y(0)];
      set(arrow, { d: arrowPath(start, tip) });
      set(name, { x: start[0] + (tip[0] - start[0]) * 0.7 - 24, y: start[1] + (tip[1] - start[1]) * 0.7 });
      keys.place(at, made);
    },
  };
}

// The values as circles, each as large as its weight, and the output, which always lies between them.
function valuePlane(own) {
  const { data, words } = own;
  const values = marks("circle", "v", data.tokens);
  const output = marks("diamond", "out", [words.output_mark]);
  const drag = (i, point) => own.set({ values: own.state.values.with(i, point) });
  const made = plane(own, words.value_plane, drag, values.element, output.element);
  return {
    element: made.element,
    show(state, { weights, output: at }) {
      made.fit(state.values);
      values.place(state.values, made);
      values.shapes.forEach((shape, j) => set(shape, { r: (6 + 9 * Math.sqrt(weights[j])).toFixed(1) }));
      output.place([at], made, made.y(at[1]) < SIDE / 3 ? 32 : -18);
    },
  };
}

// A mark and a name for each point; the names of points that lie together stand in one line.
function marks(shape, role, names) {
  const drawn = {
    square: () => svg("rect", { x: -8, y: -8, width: 16, height: 16 }),
    circle: () => svg("circle", {}),
    diamond: () => svg("path", { d: "M0-12 12 0 0 12-12 0Z" }),
  };
  const shapes = names.map(() => drawn[shape]());
  const groups = shapes.map((one) => svg("g", {}, one));
  const labels = names.map(() => svg("text", {}));
  return {
    shapes,
    element: svg("g", { class: `mark ${role}` }, ...groups, ...labels),
    place(points, { x, y }, above = 0) {
      const at = points.map((point) => [x(point[0]), y(point[1])]);
      at.forEach(([px, py], i) => {
        const together = names.filter((_, j) => near(at[i], at[j]));
        const first = at.findIndex((other) => near(other, at[i])) === i;
        const left = px + 22 + 10 * together.join(", ").length > SIDE;
        set(groups[i], { transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})` });
        set(labels[i], {
          x: (px + (above ? 0 : left ? -18 : 18)).toFixed(1),
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

function arrowPath([x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return `M${x0} ${y0}m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0`;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = Math.min(14, length);
  const back = [x1 - ux * head, y1 - uy * head];
  const side = head * 0.5;
  return `M${x0} ${y0}L${back}M${x1} ${y1}L${[back[0] - uy * side, back[1] + ux * side]}L${[back[0] + uy * side, back[1] - ux * side]}Z`;
}

// The slide's table, live: one row a token, the sums below.
function stepsTable({ data, words, format }) {
  const heads = words.columns.map((head, i) => element("th", { scope: "col", class: i ? null : "text" }, ...rich(head)));
  const rows = data.tokens.map((token) => {
    const bar = element("span", { class: "banco-bar" });
    const cells = words.columns.slice(1).map(() => element("span"));
    const tds = cells.map((cell, i) => element("td", { class: i === 3 ? "weight" : null }, i === 3 && bar, cell));
    return { bar, cells, element: element("tr", {}, element("th", { scope: "row" }, token), ...tds) };
  });
  const totals = words.columns.slice(1).map(() => element("td"));
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads)),
    element(
      "tbody",
      {},
      ...rows.map((r) => r.element),
      element("tr", { class: "total" }, element("th", { scope: "row" }, words.total), ...totals),
    ),
  );
  const two = format.fixed(2);
  const three = (x) => (x === 0 ? format.count(0) : format.fixed(3)(x));
  const large = (x) => (x < 1e5 ? two(x) : format.scientific(3)(x));
  return {
    element: element("div", { class: "banco-steps" }, table),
    show(_, result) {
      rows.forEach(({ bar, cells }, j) => {
        const shown = [
          format.plain(2)(result.scores[j]),
          two(result.scaled[j]),
          large(result.exponentials[j]),
          format.fixed(3)(result.weights[j]),
          format.vector(three)(result.parts[j]),
        ];
        cells.forEach((cell, i) => write(cell, shown[i]));
        bar.style.transform = `scaleX(${result.weights[j].toFixed(4)})`;
      });
      write(totals[2], large(result.total));
      write(totals[3], format.count(1));
      write(totals[4], format.vector(two)(result.output));
    },
  };
}

// "banco" comes out as …
function sentence(own) {
  const { words, data, format } = own;
  const output = element("div", { class: "banco-output" });
  const sense = element("strong", {});
  return {
    element: element("div", { class: "banco-verdict" }, element("div", {}, ...rich(words.comes_out)), sense, output),
    show(_, result) {
      write(sense, senseOf(own, result));
      write(output, `${format.vector(format.fixed(2))(result.output)}`);
      set(sense, { class: result.sense === null ? "open" : null });
    },
  };
}

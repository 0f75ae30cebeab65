// The multi-head listing run line by line: after each line the shapes and numbers that it made. The twin of
// figures/multihead_code.py, whose lines come with the page.

import { button, panel, toggle } from "./controls.mjs";
import { cells } from "./cells.mjs";
import { element, rich, set, write } from "./draw.mjs";
import { masked, mixed, softmax, times, transposed } from "./tensor.mjs";

// What each line makes, by name: run(data, { causal: false, oneHead: false, equalKeys: false }).made[5].A[0][1] -> [0.07, 0.31, 0.62].
// A state may bring Q, K and V of its own.
export function run(data, { causal, oneHead, equalKeys, Q = data.Q, K = data.K, V = data.V }) {
  const keys = equalKeys ? K.map(() => K[0]) : K;
  const [n, d] = [Q.length, Q[0].length];
  const h = oneHead ? 1 : data.heads;
  const dh = Math.floor(d / h);
  const [q, k, v] = [Q, keys, V].map((X) => split(X, h, dh));
  const A = q.map((one, head) => weights(one, k[head], causal));
  const o = A.map((one, head) => one.map((row) => mixed(row, v[head])));
  const saida = Q.map((_, i) => o.flatMap((head) => head[i]));
  return { made: [{ n, d }, { dh }, { q }, { k }, { v }, { A, o }, { saida }] };
}

// (n, d) -> (h, n, d/h): head i takes its own columns.
function split(X, h, dh) {
  return Array.from({ length: h }, (_, head) => X.map((row) => row.slice(head * dh, (head + 1) * dh)));
}

function weights(q, k, causal) {
  const root = Math.sqrt(k[0].length);
  const scores = times(q, transposed(k)).map((row) => row.map((score) => score / root));
  return masked(scores, causal).map(softmax);
}

export function mount(host, params) {
  return panel(host, params, { run, build });
}

function build(own) {
  const { words } = own;
  const switches = ["causal", "oneHead", "equalKeys"].map((name) => [
    name,
    toggle(own, { label: words[name], change: (value) => own.set({ [name]: value }) }),
  ]);
  const steps = stepper(own);
  const code = listing(own);
  const tensors = made(own);
  const left = element("div", { class: "multihead-left" }, steps.element, code.element);
  return {
    body: element(
      "div",
      { class: "sim-body" },
      element("div", { class: "multihead-switches" }, ...switches.map(([, one]) => one.element)),
      left,
      tensors.element,
    ),
    update(state, result) {
      for (const [name, one] of switches) one.show(state[name]);
      for (const part of [steps, code, tensors]) part.show(state, result);
      const told = state.line === 0 ? words.not_run : `${own.data.lines[state.line - 1]}: ${shapesOf(own, result.made[state.line - 1])}`;
      return own.text("heard", { line: own.format.count(state.line), all: own.data.lines.length, made: told });
    },
  };
}

function stepper(own) {
  const { data, words, text, format } = own;
  const last = data.lines.length;
  const go = (line) => own.set({ line: Math.max(0, Math.min(last, line)) });
  const first = button(own, words.first, () => go(0));
  const back = button(own, words.back, () => go(own.state.line - 1), { name: words.back_name });
  const forward = button(own, words.forward, () => go(own.state.line + 1), { name: words.forward_name });
  const all = button(own, words.all, () => go(last));
  const told = element("span", { class: "multihead-at" });
  return {
    element: element("div", { class: "multihead-steps" }, first, back, forward, all, told),
    show({ line }) {
      write(told, text("at", { line: format.count(line), all: format.count(last) }));
      first.disabled = back.disabled = line === 0;
      forward.disabled = all.disabled = line === last;
    },
  };
}

// The lines of code; those that ran show the shape of what they made, the last of them is marked.
function listing({ data, words, format }) {
  const rows = data.lines.map((line, i) => {
    const shape = element("span", { class: "multihead-shape" });
    return {
      shape,
      element: element("li", {}, element("span", { class: "multihead-number" }, format.count(i + 1)), element("code", {}, line), shape),
    };
  });
  return {
    element: element("ol", { class: "multihead-code", "aria-label": words.code }, ...rows.map((row) => row.element)),
    show({ line }, { made: values }) {
      rows.forEach((row, i) => {
        set(row.element, {
          class: i + 1 === line ? "now" : i + 1 > line ? "waiting" : null,
          "aria-current": i + 1 === line ? "step" : null,
        });
        write(row.shape, i < line ? shapesOf({ format }, values[i]) : "");
      });
    },
  };
}

// "2 × 3 × 2" of tensors, the number itself of numbers.
function shapesOf({ format }, values) {
  return Object.values(values)
    .map((value) => (Array.isArray(value) ? format.shape(shapeOf(value)) : format.count(value)))
    .join("; ");
}

function shapeOf(value) {
  return Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : [];
}

const ROLES = { q: "q", k: "k", v: "v" };

// What the last line made; with the last line of all, the weights too.
function made(own) {
  const { data, words, text, format } = own;
  const box = element("div", { class: "multihead-made" });
  const framed = data.tokens.indexOf(data.asking);
  const two = format.fixed(2);
  const heads = (name, tensor, more = {}) =>
    element(
      "div",
      { class: "multihead-heads" },
      element("h4", {}, ...rich(`$${name}$`), element("small", {}, format.shape(shapeOf(tensor)))),
      ...tensor.map((values, head) =>
        cells({
          title: text("head", { head: format.count(head + 1) }),
          values,
          format: two,
          rows: head === 0 ? data.tokens : null,
          framed,
          role: ROLES[name],
          ...more,
        }),
      ),
    );
  const scalars = (values) =>
    element(
      "p",
      { class: "multihead-scalars" },
      Object.entries(values)
        .map(([name, value]) => `${name} = ${format.count(value)}`)
        .join("   "),
    );
  const output = (saida) => {
    const dh = saida[0].length / (own.state.oneHead ? 1 : data.heads);
    const columns = saida[0].map((_, j) => (j % dh === 0 ? text("head", { head: format.count(j / dh + 1) }) : ""));
    return element(
      "div",
      { class: "multihead-heads" },
      element("h4", {}, words.output, element("small", {}, format.shape(shapeOf(saida)))),
      cells({ values: saida, format: two, rows: data.tokens, columns, framed }),
    );
  };
  return {
    element: box,
    show({ line }, { made: values }) {
      const now = values[line - 1] ?? {};
      const drawn = {
        0: () => [element("p", {}, words.not_run)],
        1: () => [scalars(now)],
        2: () => [
          scalars(now),
          element("p", {}, ...rich(text("root", { dh: format.count(now.dh), root: format.fixed(2, { trim: true })(Math.sqrt(now.dh)) }))),
        ],
        6: () => [heads("A", now.A, { heat: true }), heads("o", now.o)],
        7: () => [heads("A", values[5].A, { heat: true }), output(now.saida)],
      };
      const [[name, tensor] = []] = Object.entries(now);
      box.replaceChildren(...(drawn[line] ?? (() => [heads(name, tensor)]))());
    },
  };
}

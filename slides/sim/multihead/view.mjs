// The listing line by line: after each line the shapes and numbers that it made.

import { cells, heading } from "../kit/cells.mjs";
import { stepper, switches } from "../kit/controls.mjs";
import { element, rich, set, write } from "../kit/draw.mjs";

const ROLES = { q: "q", k: "k", v: "v" };

export function build(panel) {
  const { data, words, text, format } = panel;
  const last = data.lines.length;
  const at = element("span", { class: "sim-soft multihead-at" });
  panel.follow(({ line }) => write(at, text("at", { line: format.count(line), all: format.count(last) })));
  return {
    body: [
      element("div", { class: "sim-row multihead-switches" }, ...switches(panel)),
      element("div", {}, element("div", { class: "sim-row" }, ...stepper(panel, "line", { last }), at), listing(panel)),
      product(panel),
    ],
    heard({ line }, { made: values }) {
      const made = line === 0 ? words.not_run : `${data.lines[line - 1]}: ${shapesOf(format, values[line - 1])}`;
      return text("heard", { line: format.count(line), all: last, made });
    },
  };
}

// The lines of code; those that ran show the shape of what they made, the last of them is marked.
function listing({ data, words, format, follow }) {
  const rows = data.lines.map((line, i) => {
    const shape = element("span", { class: "sim-soft" });
    const number = element("span", { class: "sim-soft" }, format.count(i + 1));
    return { shape, element: element("li", {}, number, element("code", {}, line), shape) };
  });
  follow(({ line }, { made }) =>
    rows.forEach(({ element, shape }, i) => {
      const now = i + 1 === line;
      set(element, { class: now ? "now" : i + 1 > line ? "waiting" : null, "aria-current": now ? "step" : null });
      write(shape, i < line ? shapesOf(format, made[i]) : "");
    }),
  );
  return element("ol", { class: "multihead-code", "aria-label": words.code }, ...rows.map((row) => row.element));
}

// "2 × 3 × 2" of tensors, the number itself of numbers.
function shapesOf(format, values) {
  return Object.values(values)
    .map((value) => (Array.isArray(value) ? format.shape(shapeOf(value)) : format.count(value)))
    .join("; ");
}

function shapeOf(value) {
  return Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : [];
}

// What the last line made; with the last line of all, the weights too.
function product({ data, words, text, format, follow }) {
  const box = element("div", { class: "sim-stack multihead-made" });
  const framed = data.tokens.indexOf(data.asking);
  const two = format.fixed(2);
  const numbered = (head) => text("head", { head: format.count(head + 1) });
  const block = (title, tensor, ...tables) =>
    element("div", { class: "multihead-heads" }, heading(title, format.shape(shapeOf(tensor))), ...tables);
  const heads = (name, tensor, more = {}) => {
    const table = (values, head) =>
      cells({ title: numbered(head), values, format: two, rows: data.tokens, heard: head > 0, framed, role: ROLES[name], ...more });
    return block(`$${name}$`, tensor, ...tensor.map(table));
  };
  const weights = { heat: true, columns: data.tokens };
  const scalars = (values) => {
    const texts = Object.entries(values).map(([name, value]) => `${name} = ${format.count(value)}`);
    return element("p", { class: "sim-large" }, texts.join("   "));
  };
  const divisor = ({ dh }) => rich(text("root", { dh: format.count(dh), root: format.fixed(2, { trim: true })(Math.sqrt(dh)) }));
  const output = (rows, oneHead) => {
    const width = rows[0].length / (oneHead ? 1 : data.heads);
    const columns = rows[0].map((_, j) => (j % width === 0 ? numbered(j / width) : ""));
    return block(words.output, rows, cells({ values: rows, format: two, rows: data.tokens, columns, framed }));
  };
  follow(({ line, oneHead }, { made }) => {
    const now = made[line - 1] ?? {};
    const drawn = {
      0: () => [element("p", {}, words.not_run)],
      1: () => [scalars(now)],
      2: () => [scalars(now), element("p", {}, ...divisor(now))],
      6: () => [heads("A", now.A, weights), heads("o", now.o)],
      7: () => [heads("A", made[5].A, weights), output(now.saida, oneHead)],
    };
    const [[name, tensor] = []] = Object.entries(now);
    box.replaceChildren(...(drawn[line] ?? (() => [heads(name, tensor)]))());
  });
  return box;
}

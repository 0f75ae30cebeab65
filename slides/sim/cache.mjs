// Weights and KV cache against an accelerator's memory. The twin of figures/kv_cache.py.

import { choice, number, panel } from "./controls.mjs";
import { element, linear, picture, rich, set, svg, write } from "./draw.mjs";
import { parse } from "./format.mjs";

const KEY_AND_VALUE = 2;
const BITS_IN_BYTE = 8;
const KIBI = 1024;

// Bytes that a state needs and those that the card has: 8B, GQA, 32k, 8 requests, 16 bits -> cache 34.36e9, weights 16e9
export function run(data, state) {
  const factors = factorsOf(data, state);
  const model = find(data.models, state.model);
  const weights = model.parameters * (state.bits / BITS_IN_BYTE);
  const cache = factors.reduce((product, { values }) => product * values.reduce((a, b) => a + b), 1);
  const memory = find(data.accelerators, state.accelerator).memory;
  const spare = memory - weights - cache;
  return { weights, cache, memory, spare, fits: spare >= 0 };
}

// The formula's factors with their symbols; the latent's two parts are added up.
export function factorsOf({ models, schemes, latent }, { model: id, scheme, context, requests, bits }) {
  const model = find(models, id);
  const { keeps } = find(schemes, scheme);
  const heads = { all: model.heads, groups: model.kv_heads, one: 1 }[keeps];
  const each =
    keeps === "latent"
      ? [{ symbol: "c", values: [latent.kv_latent, latent.rope_dim] }]
      : [
          { symbol: "h_{kv}", values: [heads] },
          { symbol: "d_h", values: [model.head_dim] },
        ];
  return [
    ...(keeps === "latent" ? [] : [{ symbol: "", values: [KEY_AND_VALUE] }]),
    { symbol: "L", values: [model.layers] },
    ...each,
    { symbol: "b", values: [bits / BITS_IN_BYTE] },
    { symbol: "T", values: [context] },
    { symbol: "B", values: [requests] },
  ];
}

function find(records, id) {
  return records.find((record) => record.id === id);
}

export function mount(host, params) {
  return panel(host, params, { run, build });
}

const doubling = { to: Math.log2, from: (x) => 2 ** x, step: 1 };

function build(own) {
  const { data, words, text, format } = own;
  const ids = (records) => records.map(({ id }) => [id, id]);
  const bar = (name, options, label = words[name]) => [
    name,
    choice(own, { label, options, change: (value) => own.set({ [name]: value }) }),
  ];
  const slider = (name, more) => [
    name,
    number(own, {
      label: words[name],
      ...data[name],
      whole: true,
      scale: doubling,
      change: (value) => own.set({ [name]: value }),
      ...more,
    }),
  ];
  const controls = [
    bar("model", ids(data.models)),
    bar("scheme", ids(data.schemes)),
    slider("context", { write: format.kibi, read: kibi }),
    slider("requests", {}),
    bar(
      "bits",
      data.bits.map((bits) => [bits, format.count(bits)]),
    ),
    bar("accelerator", ids(data.accelerators)),
  ];
  const verdict = sentence(own);
  const card = cardBar(own);
  const formula = product(own);
  return {
    body: element(
      "div",
      { class: "sim-body" },
      element("div", { class: "cache-side" }, ...controls.map(([, control]) => control.element)),
      element("div", { class: "cache-main" }, verdict.element, card.element, formula.element),
    ),
    update(state, result) {
      for (const [name, control] of controls) control.show(state[name]);
      for (const part of [verdict, card, formula]) part.show(state, result);
      const total = format.gigabytes(result.weights + result.cache);
      return text("heard", { verdict: result.fits ? words.fits : words.fits_not, spare: spareText(own, result), total });
    },
  };
}

// "32k" -> 32768; a number without k is itself.
function kibi(typed) {
  const [, digits, k] = typed.match(/^(.*?)\s*(k?)\s*$/i);
  const value = parse(digits);
  return value === null ? null : value * (k ? KIBI : 1);
}

function spareText({ text, format }, { fits, spare }) {
  return text(fits ? "spare" : "missing", { bytes: format.gigabytes(Math.abs(spare)) });
}

function sentence(own) {
  const { words } = own;
  const fits = element("strong", {});
  const spare = element("span", {});
  return {
    element: element("div", { class: "cache-verdict" }, fits, spare),
    show(_, result) {
      write(fits, result.fits ? words.fits : words.fits_not);
      write(spare, spareText(own, result));
      set(fits, { class: result.fits ? null : "missing" });
    },
  };
}

const WIDTH = 620;
const HEIGHT = 212;
const TOP = 52;
const TALL = 96;

// Weights and cache end to end; what lies beyond the card's memory is hatched in the colour that warns.
function cardBar({ words, text, format }) {
  const [weights, cache, over] = ["weights", "cache", "over"].map((name) => svg("rect", { class: name, y: TOP, height: TALL }));
  const hatching = svg("path", { class: "hatching" });
  const card = svg("path", { class: "card" });
  const [weightsName, cacheName, cardName] = [1, 2, 3].map(() => svg("text", {}));
  const [weightsMark, cacheMark] = ["weights", "cache"].map((name) =>
    svg("rect", { class: `${name} outlined`, y: TOP - 31, width: 18, height: 18 }),
  );
  const drawn = picture(WIDTH, HEIGHT, weightsMark, cacheMark, weights, cache, over, hatching, card, weightsName, cacheName, cardName);
  return {
    element: drawn,
    show(state, result) {
      const total = result.weights + result.cache;
      const x = linear([0, Math.max(result.memory, total)], [2, WIDTH - 3]);
      const edge = Math.min(total, result.memory);
      set(weights, { x: x(0), width: x(Math.min(result.weights, edge)) - x(0) });
      set(cache, { x: x(Math.min(result.weights, edge)), width: x(edge) - x(Math.min(result.weights, edge)) });
      set(over, { x: x(edge), width: x(total) - x(edge) });
      set(hatching, { d: strokes(x(edge), x(total)) });
      set(card, { d: `M${x(result.memory)} ${TOP}v${TALL + 12}M${x(0)} ${TOP}H${x(result.memory)}v${TALL}H${x(0)}Z` });
      write(weightsName, `${words.weights} ${format.gigabytes(result.weights)}`);
      write(cacheName, `${words.cache} ${format.gigabytes(result.cache)}`);
      write(cardName, text("card", { card: state.accelerator, memory: format.gigabytes(result.memory) }));
      const split = 64 + 11.5 * weightsName.textContent.length;
      set(weightsMark, { x: x(0) });
      set(cacheMark, { x: split });
      set(weightsName, { x: x(0) + 28, y: TOP - 14 });
      set(cacheName, { x: split + 28, y: TOP - 14 });
      const right = x(result.memory) > WIDTH / 2;
      set(cardName, { x: x(result.memory) + (right ? -10 : 10), y: TOP + TALL + 32, "text-anchor": right ? "end" : "start" });
    },
  };
}

function strokes(from, to) {
  let path = "";
  for (let x = from + 8; x < to; x += 14) path += `M${x} ${TOP}V${TOP + TALL}`;
  return path;
}

// The formula, each factor under its symbol.
function product({ words, data, text, format }) {
  const row = element("div", { class: "cache-factors" });
  const total = element("strong", {});
  const note = element("p", { class: "cache-note" });
  let shape = "";
  let cells = [];
  return {
    element: element(
      "div",
      { class: "cache-formula" },
      element("h4", {}, ...rich(words.formula)),
      element("div", { class: "cache-line" }, row, total),
      note,
    ),
    show(state, result) {
      const factors = factorsOf(data, state);
      const now = factors.map(({ symbol }) => symbol).join();
      if (now !== shape) {
        shape = now;
        cells = factors.map(() => element("b", {}));
        row.replaceChildren(
          ...factors
            .flatMap(({ symbol }, i) => [
              i > 0 && element("span", { class: "dot" }, "·"),
              element("div", {}, element("span", {}, ...rich(symbol && `$${symbol}$`)), cells[i]),
            ])
            .filter(Boolean),
        );
        const mla = find(data.schemes, state.scheme).keeps === "latent";
        note.replaceChildren(
          ...(mla
            ? rich(
                text("latent", {
                  name: data.latent.name,
                  kv: format.count(data.latent.kv_latent),
                  rope: format.count(data.latent.rope_dim),
                }),
              )
            : []),
        );
      }
      factors.forEach(({ values }, i) =>
        write(cells[i], values.length > 1 ? `(${values.map(format.count).join(" + ")})` : format.plain(2)(values[0])),
      );
      write(total, `= ${format.gigabytes(result.cache)}`);
    },
  };
}

// Whether the weights and the cache fit, drawn against the card's memory, and the formula factor by factor.

import { bound, choice, number } from "../kit/controls.mjs";
import { element, linear, picture, rich, set, svg, write } from "../kit/draw.mjs";
import { parse } from "../kit/format.mjs";
import { factorsOf, find } from "./model.mjs";

const KIBI = 1024;
const DOUBLING = { to: Math.log2, from: (x) => 2 ** x, step: 1 };

export function build(panel) {
  const { data, words, text, format } = panel;
  const one = (name, options) => bound(panel, choice, name, { options });
  const power = (name, more) => bound(panel, number, name, { ...data[name], whole: true, scale: DOUBLING, ...more });
  const ids = (records) => records.map(({ id }) => [id, id]);
  const controls = [
    one("model", ids(data.models)),
    one("scheme", ids(data.schemes)),
    power("context", { write: format.kibi, read: kibi }),
    power("requests"),
    one(
      "bits",
      data.bits.map((bits) => [bits, format.count(bits)]),
    ),
    one("accelerator", ids(data.accelerators)),
  ];
  return {
    body: [
      element("div", { class: "sim-stack cache-side" }, ...controls),
      element("div", { class: "cache-main" }, sentence(panel), cardBar(panel), formula(panel)),
    ],
    heard(_, result) {
      const total = format.gigabytes(result.weights + result.cache);
      return text("heard", { verdict: result.fits ? words.fits : words.fits_not, spare: spareText(panel, result), total });
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

function sentence(panel) {
  const [fits, spare] = [element("strong"), element("span")];
  panel.follow((_, result) => {
    write(fits, result.fits ? panel.words.fits : panel.words.fits_not);
    write(spare, spareText(panel, result));
    set(fits, { class: result.fits ? null : "missing" });
  });
  return element("div", { class: "sim-row cache-verdict" }, fits, spare);
}

const WIDTH = 620;
const HEIGHT = 212;
const TOP = 52;
const TALL = 96;

// Weights and cache end to end; what lies beyond the card's memory is hatched in the colour that warns.
function cardBar({ words, looks, text, format, follow }) {
  const filled = (name, attributes) => svg("rect", { "data-series": name, style: `fill:${looks[name].colour}`, ...attributes });
  const [weights, cache] = ["weights", "cache"].map((name) => filled(name, { y: TOP, height: TALL }));
  const over = svg("rect", { class: "over", y: TOP, height: TALL });
  const hatching = svg("path", { class: "hatching" });
  const card = svg("path", { class: "card" });
  const [weightsName, cacheName, cardName] = [1, 2, 3].map(() => svg("text", {}));
  const [weightsMark, cacheMark] = ["weights", "cache"].map((name) =>
    filled(name, { class: "outlined", y: TOP - 31, width: 18, height: 18 }),
  );
  const shapes = [weightsMark, cacheMark, weights, cache, over, hatching, card];
  const drawn = picture(WIDTH, HEIGHT, ...shapes, weightsName, cacheName, cardName);
  follow((state, result) => {
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
  });
  return drawn;
}

function strokes(from, to) {
  let path = "";
  for (let x = from + 8; x < to; x += 14) path += `M${x} ${TOP}V${TOP + TALL}`;
  return path;
}

// The formula, each factor under its symbol.
function formula({ words, data, text, format, follow }) {
  const row = element("div", { class: "sim-row cache-factors" });
  const total = element("strong", { class: "sim-large" });
  const note = element("p", { class: "sim-soft cache-note" });
  let shown = "";
  let numbers = [];
  function layOut(factors, scheme) {
    const latent = { name: data.latent.name, kv: format.count(data.latent.kv_latent), rope: format.count(data.latent.rope_dim) };
    numbers = factors.map(() => element("b"));
    const symbols = factors.map(({ symbol }) => element("span", {}, ...rich(symbol && `$${symbol}$`)));
    const pairs = factors.map((_, i) => element("div", {}, symbols[i], numbers[i]));
    row.replaceChildren(...pairs.flatMap((pair, i) => (i > 0 ? [element("span", { class: "dot" }, "·"), pair] : [pair])));
    note.replaceChildren(...rich(find(data.schemes, scheme).keeps === "latent" ? text("latent", latent) : ""));
  }
  follow((state, result) => {
    const factors = factorsOf(data, state);
    const now = factors.map(({ symbol }) => symbol).join();
    if (shown !== (shown = now)) layOut(factors, state.scheme);
    factors.forEach(({ values }, i) =>
      write(numbers[i], values.length > 1 ? `(${values.map(format.count).join(" + ")})` : format.plain(2)(values[0])),
    );
    write(total, `= ${format.gigabytes(result.cache)}`);
  });
  return element(
    "div",
    { class: "sim-box cache-formula" },
    element("h3", {}, ...rich(words.formula)),
    element("div", { class: "cache-line" }, row, total),
    note,
  );
}

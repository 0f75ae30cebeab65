// Numbers as the document's language writes them: the twin of figures/kit/formats.py, digit for digit.
// Knows no page. Refuses whatever is not a finite number, so that no NaN is ever shown.

const NBSP = "\u00a0";
const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// formatter({ decimal: ",", minus: "−" }).fixed(3)(0.62) -> "0,620"
export function formatter({ decimal, minus }) {
  const fixed =
    (places, { trim = false, tens = 0 } = {}) =>
    (value) => {
      const number = finite(value);
      let [whole, rest] = rounded(Math.abs(number), places, tens);
      if (trim) rest = rest.replace(/0+$/, "");
      const text = grouped(whole) + (rest ? decimal + rest : "");
      const negative = number < 0 && /[1-9]/.test(text);
      return (negative ? minus : "") + text;
    };
  const plain = (places = 4) => fixed(places, { trim: true });
  const count = fixed(0);
  const scientific =
    (digits = 1) =>
    (value) => {
      const number = finite(value);
      if (number === 0) return count(number);
      let exponent = Number(number.toExponential().split("e")[1]);
      if (rounded(Math.abs(number), digits - 1, -exponent)[0] === "10") exponent += 1;
      const mantissa = fixed(digits - 1, { tens: -exponent })(number);
      return exponent ? `${mantissa}${NBSP}×${NBSP}${power(exponent)}` : mantissa;
    };
  const vector = (inner) => (values) => `[${values.map(inner).join(`;${NBSP}`)}]`;
  const shape = (sizes) => sizes.map(count).join(`${NBSP}×${NBSP}`);
  const kibi = (value) => (value && value % 1024 === 0 ? `${count(value / 1024)}k` : count(value));
  const gigabytes = (value) => fixed(Math.abs(value) >= 99.95e9 ? 0 : 1, { trim: true, tens: -9 })(value) + NBSP + "GB";
  return { fixed, plain, count, scientific, vector, shape, kibi, gigabytes };
}

// Ten to the exponent: power(-9) -> "10⁻⁹"
export function power(exponent) {
  return "10" + [...String(exponent)].map((digit) => SUPERSCRIPTS[digit]).join("");
}

// A text with its {fields} filled in, as Python's str.format does: fill("{n} of {all}", { n: 1, all: 3 }) -> "1 of 3"
export function fill(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (field, name) => (name in values ? String(values[name]) : field));
}

// What a reader types as a number, or null: parse("1,5") -> 1.5, parse("−2") -> -2, parse("x") -> null
export function parse(text) {
  const plainText = text
    .trim()
    .replace(/[−–]/g, "-")
    .replace(/[\s\u00a0]/g, "")
    .replace(",", ".");
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plainText)) return null;
  const number = Number(plainText);
  return Number.isFinite(number) ? number : null;
}

function finite(value) {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new RangeError(`${value} is not a number to show`);
  return value;
}

// The decimal digits that JavaScript prints for a number are Python's too; both round half of them away from zero.
// `tens` multiplies by a power of ten first, with not a digit lost.
function rounded(number, places, tens = 0) {
  const [mantissa, exponent = "0"] = String(number).split("e");
  const [head, tail = ""] = mantissa.split(".");
  const point = head.length + Number(exponent) + tens;
  const digits = "0".repeat(Math.max(0, -point)) + head + tail;
  const kept = Math.max(point, 0) + places;
  const padded = digits.padEnd(kept + 1, "0");
  const value = BigInt(padded.slice(0, kept) || "0") + (padded[kept] >= "5" ? 1n : 0n);
  const text = value.toString().padStart(places + 1, "0");
  return [text.slice(0, text.length - places), text.slice(text.length - places)];
}

function grouped(whole) {
  return whole.length < 5 ? whole : whole.replace(/\d(?=(?:\d{3})+$)/g, `$&${NBSP}`);
}

// What a simulator's state may hold, an entry a kind. A kind reads the text that a link carries, undefined where it is none of
// its values, and writes a value as such a text. A model says the kinds of its own entries.

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

// A number between two bounds: number({ min: 1, max: 64, whole: true }).read("8") -> 8, read("65") -> undefined
export function number({ min, max, whole = false }) {
  const fits = (x) => x >= min && x <= max && (!whole || Number.isInteger(x));
  return { write: String, read: (text) => (NUMBER.test(text) && fits(Number(text)) ? Number(text) : undefined) };
}

// Where something stands among `count` things, from 0.
export function index(count) {
  return number({ min: 0, max: count - 1, whole: true });
}

// One of several values: one(["content", "mix"]).read("mix") -> "mix"
export function one(values) {
  return { write: String, read: (text) => values.find((value) => String(value) === text) };
}

export const flag = one([false, true]);

// A text that is no blank, so long at most.
export function text(longest) {
  return { write: String, read: (given) => (given.trim() && [...given].length <= longest ? given : undefined) };
}

// So many values of one kind: list(number(bounds), 2).read("1,0") -> [1, 0]
export function list(kind, length, mark = ",") {
  return {
    write: (values) => values.map(kind.write).join(mark),
    read(given) {
      const values = given.split(mark).map(kind.read);
      return values.length === length && !values.includes(undefined) ? values : undefined;
    },
  };
}

// A matrix of numbers between two bounds, row by row: "1,0;0,2".
export function matrix(bounds, [rows, columns]) {
  return list(list(number(bounds), columns), rows, ";");
}

// Whether a value is one of this kind, as a link would have it.
export function holds(kind, value) {
  return value !== undefined && kind.read(kind.write(value)) !== undefined;
}

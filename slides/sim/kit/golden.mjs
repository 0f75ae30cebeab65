// Whether a model gives what Python gave: the page's own check and the tests use the same measure.

const RELATIVE = 1e-9;
const ABSOLUTE = 1e-12;

// How many of the golden vectors that came with the page the model reproduces: { equal: 12, total: 12 }
export function agreeing(run, { data, golden }) {
  const equal = golden.filter(({ state, result }) => same(run(data, state), result)).length;
  return { equal, total: golden.length };
}

// Equal to 1e-9 relative or 1e-12 absolute, number by number; everything else exactly.
export function same(actual, expected) {
  if (typeof expected === "number") return typeof actual === "number" && near(actual, expected);
  if (expected === null || typeof expected !== "object") return actual === expected;
  if (actual === null || typeof actual !== "object" || Array.isArray(actual) !== Array.isArray(expected)) return false;
  const keys = Object.keys(expected);
  return Object.keys(actual).length === keys.length && keys.every((key) => same(actual[key], expected[key]));
}

function near(actual, expected) {
  const gap = Math.abs(actual - expected);
  return gap <= ABSOLUTE || gap <= RELATIVE * Math.abs(expected);
}

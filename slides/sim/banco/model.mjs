// One query against some keys: scores, scale, softmax, mixture. The twin of figures/hand_example/model.py.

import { list, matrix, number } from "../kit/entries.mjs";
import { dot, mixed, softmax } from "../kit/tensor.mjs";

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

export function entries({ tokens, vectors, dk }) {
  const rows = matrix(vectors, [tokens.length, 2]);
  return { q: list(number(vectors), 2), keys: rows, values: rows, dk: number({ ...dk, whole: true }) };
}

// The inputs that other simulators of the page have too, and the same taken back.
export function shared(data, { q, keys, values, dk }) {
  return { query: q, keys, values, dk };
}

export function taken(data, state, { query, ...rows }) {
  return { ...rows, ...(query && { q: query }) };
}

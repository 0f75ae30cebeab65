// The whole n × n matrix of attention over a sentence. The twin of figures/score_matrix/model.py.

import { flag, index, number, one } from "../kit/entries.mjs";
import { dot, masked, softmax } from "../kit/tensor.mjs";

// The weights, (n, n): run(data, { function: "previous", dk: 16, divide: true, causal: false }).weights[1][0] -> 0.84
export function run(data, { function: name, dk, divide, causal }) {
  const root = Math.sqrt(dk);
  const raw = scores(data, name, dk);
  const scaled = divide ? raw.map((row) => row.map((score) => score / root)) : raw;
  return { weights: masked(scaled, causal).map(softmax) };
}

// The undivided scores of one of the score functions; each spreads with a standard deviation near √d_k.
function scores(data, name, dk) {
  const n = data.tokens.length;
  const square = (score) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => score(i, j)));
  const root = Math.sqrt(dk);
  const { queries, keys, previous, distance, mix } = data;
  if (name === "content") {
    const [shortQueries, shortKeys] = [queries, keys].map((rows) => rows.map((row) => row.slice(0, dk)));
    return square((i, j) => dot(shortQueries[i], shortKeys[j]));
  }
  if (name === "previous") return square((i, j) => (j === Math.max(0, i - 1) ? root * previous : 0));
  if (name === "distance") return square((i, j) => -root * distance * Math.abs(i - j));
  const parts = Object.entries(mix).map(([part, share]) => [share, scores(data, part, dk)]);
  return square((i, j) => parts.reduce((sum, [share, part]) => sum + share * part[i][j], 0));
}

export function entries({ functions, dk, tokens }) {
  return { function: one(functions), dk: number({ ...dk, whole: true }), divide: flag, causal: flag, row: index(tokens.length) };
}

// The inputs that other simulators of the page have too, and the same taken back.
export function shared(data, { dk, divide, causal }) {
  return { dk, divide, causal };
}

export function taken(data, state, inputs) {
  return inputs;
}

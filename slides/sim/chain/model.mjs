// One head, a matrix at a time: Q, K, V, scores, weights, output. The twin of figures/chapter/matrices.py.

import { index, matrix, number } from "../kit/entries.mjs";
import { mixed, softmax, times, transposed } from "../kit/tensor.mjs";

export const ORDER = ["Q", "K", "V", "S", "A", "O"];

// Scores, weights and output of every token: run({ Q, K, V }, {}).A[1] -> [0.07, 0.31, 0.62]. A state may bring its own Q, K, V.
export function run(data, { Q = data.Q, K = data.K, V = data.V }) {
  return { Q, K, V, ...attended(Q, K, V, Math.sqrt(K[0].length)) };
}

export function attended(Q, K, V, divisor) {
  const S = times(Q, transposed(K)).map((row) => row.map((score) => score / divisor));
  const A = S.map(softmax);
  return { S, A, O: A.map((row) => mixed(row, V)) };
}

export function entries({ tokens, vectors, Q, K, V }) {
  const sizes = (X) => matrix(vectors, [X.length, X[0].length]);
  return { step: number({ min: 1, max: ORDER.length, whole: true }), row: index(tokens.length), Q: sizes(Q), K: sizes(K), V: sizes(V) };
}

// The inputs that other simulators of the page have too, and the same taken back.
export function shared(data, { Q = data.Q, K = data.K, V = data.V }) {
  return { query: Q[asking(data)], keys: K, values: V };
}

export function taken(data, { Q = data.Q }, { query, keys, values }) {
  return { ...(query && { Q: Q.with(asking(data), query) }), ...(keys && { K: keys }), ...(values && { V: values }) };
}

function asking({ tokens, asking }) {
  return tokens.indexOf(asking);
}

// One head, a matrix at a time: Q, K, V, scores, weights, output. The twin of figures/chapter/matrices.py.

import { mixed, softmax, times, transposed } from "../kit/tensor.mjs";

// Scores, weights and output of every token: run({ Q, K, V }, {}).A[1] -> [0.07, 0.31, 0.62]. A state may bring its own Q, K, V.
export function run(data, { Q = data.Q, K = data.K, V = data.V }) {
  return { Q, K, V, ...attended(Q, K, V, Math.sqrt(K[0].length)) };
}

export function attended(Q, K, V, divisor) {
  const S = times(Q, transposed(K)).map((row) => row.map((score) => score / divisor));
  const A = S.map(softmax);
  return { S, A, O: A.map((row) => mixed(row, V)) };
}

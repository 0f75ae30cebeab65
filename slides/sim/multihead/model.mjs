// The multi-head listing run line by line. The twin of figures/multihead_code.py, whose lines come with the page.

import { masked, mixed, softmax, times, transposed } from "../kit/tensor.mjs";

// What each line makes, by name: run(data, { causal: false, oneHead: false, equalKeys: false }).made[5].A[0][1] ->
// [0.07, 0.31, 0.62]. A state may bring Q, K and V of its own.
export function run(data, { causal, oneHead, equalKeys, Q = data.Q, K = data.K, V = data.V }) {
  const keys = equalKeys ? K.map(() => K[0]) : K;
  const [n, d] = [Q.length, Q[0].length];
  const h = oneHead ? 1 : data.heads;
  const dh = Math.floor(d / h);
  const [q, k, v] = [Q, keys, V].map((X) => split(X, h, dh));
  const A = q.map((one, head) => weights(one, k[head], causal));
  const o = A.map((one, head) => one.map((row) => mixed(row, v[head])));
  const saida = Q.map((_, i) => o.flatMap((head) => head[i]));
  return { made: [{ n, d }, { dh }, { q }, { k }, { v }, { A, o }, { saida }] };
}

// (n, d) -> (h, n, d/h): head i takes its own columns.
function split(X, h, dh) {
  return Array.from({ length: h }, (_, head) => X.map((row) => row.slice(head * dh, (head + 1) * dh)));
}

function weights(q, k, causal) {
  const root = Math.sqrt(k[0].length);
  const scores = times(q, transposed(k)).map((row) => row.map((score) => score / root));
  return masked(scores, causal).map(softmax);
}

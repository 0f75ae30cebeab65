// The multi-head listing run line by line. The twin of figures/multihead_code.py, whose lines come with the page.

import { flag, index, matrix } from "../kit/entries.mjs";
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

export function entries({ lines, vectors, Q, K, V }) {
  const sizes = (X) => matrix(vectors, [X.length, X[0].length]);
  const switches = { causal: flag, oneHead: flag, equalKeys: flag };
  return { line: index(lines.length + 1), ...switches, Q: sizes(Q), K: sizes(K), V: sizes(V) };
}

// The inputs that other simulators of the page have too, and the same taken back: head 1 is the example worked by hand.
export function shared(data, { causal, Q = data.Q, K = data.K, V = data.V }) {
  const [q, keys, values] = [Q, K, V].map((X) => split(X, data.heads, X[0].length / data.heads)[0]);
  return { causal, query: q[data.tokens.indexOf(data.asking)], keys, values };
}

export function taken(data, { Q = data.Q, K = data.K, V = data.V }, { query, keys, values, ...switches }) {
  const begin = (row, numbers) => [...numbers, ...row.slice(numbers.length)];
  const asked = (row, i) => (data.tokens[i] === data.asking ? begin(row, query) : row);
  return {
    ...switches,
    ...(query && { Q: Q.map(asked) }),
    ...(keys && { K: K.map((row, i) => begin(row, keys[i])) }),
    ...(values && { V: V.map((row, i) => begin(row, values[i])) }),
  };
}

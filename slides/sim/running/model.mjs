// The running example through one head, with and without the division. The twin of figures/running_example/model.py.

import { flag, index } from "../kit/entries.mjs";
import { attended } from "../chain/model.mjs";

// The whole chain: run(data, { row: 4, divide: true }).A[4] -> [0.011, 0.035, 0.622, 0.319, 0.014]; `ahead` is what each
// row gives to later tokens. A state may bring an X of its own.
export function run(data, { divide, X = data.X }) {
  const { query, key, value } = data.head;
  const u = X.map(normalised);
  const [Q, K, V] = [query, key, value].map((columns) => u.map((row) => columns.map((column) => row[column - 1])));
  const chain = attended(Q, K, V, divide ? Math.sqrt(query.length) : 1);
  const ahead = chain.A.map((row, i) => row.slice(i + 1).reduce((a, b) => a + b, 0));
  return { u, Q, K, V, ...chain, ahead };
}

// A row less its mean, over its standard deviation: normalised([1, 3]) -> [-1, 1]
function normalised(row) {
  const mean = row.reduce((a, b) => a + b) / row.length;
  const spread = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length);
  return row.map((x) => (x - mean) / spread);
}

export function entries({ tokens }) {
  return { row: index(tokens.length), divide: flag };
}

// The inputs that other simulators of the page have too, and the same taken back.
export function shared(data, { divide }) {
  return { divide };
}

export function taken(data, state, inputs) {
  return inputs;
}

// How far a gradient travels back: a plain RNN, the path through an LSTM's cell, and attention. The twin of figures/recurrence/model.py.

import { number } from "../kit/entries.mjs";
import { dot, norm, transposed } from "../kit/tensor.mjs";

export const NAMES = ["attention", "lstm", "rnn"];

// What is left of a gradient of length 1 after 0 … n steps back, one list for each of the three:
// paths(data, { tokens: 64, scale: 1 }).rnn[64] -> 5.2e-4
export function paths({ W, w, u, forget }, { tokens, scale }) {
  const steps = Array.from({ length: tokens + 1 }, (_, step) => step);
  return {
    attention: steps.map(() => 1 / tokens),
    lstm: steps.map((step) => forget ** step),
    rnn: recurrent(W, w, u.slice(0, tokens), scale),
  };
}

// The gradient from the last token to the first, as powers of ten: run(data, { tokens: 64, scale: 1 }).rnn -> -3.29
export function run(data, state) {
  const left = paths(data, state);
  return Object.fromEntries(NAMES.map((name) => [name, Math.log10(left[name].at(-1))]));
}

// h_t = tanh(scale W h_(t-1) + w u_t); each step back multiplies by scale Wᵀ diag(1 − h_t²).
function recurrent(W, w, u, scale) {
  const states = [w.map(() => 0)];
  for (const x of u) states.push(W.map((row, i) => Math.tanh(scale * dot(row, states.at(-1)) + w[i] * x)));
  const across = transposed(W);
  let back = w.map(() => 1 / Math.sqrt(w.length));
  const left = [norm(back)];
  for (let t = u.length; t > 0; t--) {
    const through = back.map((g, i) => (1 - states[t][i] ** 2) * g);
    back = across.map((column) => scale * dot(column, through));
    left.push(norm(back));
  }
  return left;
}

export function entries({ tokens, scale }) {
  return { tokens: number({ ...tokens, whole: true }), scale: number(scale) };
}

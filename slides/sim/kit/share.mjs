// Inputs that simulators of one page have in common, carried from one to another.

import { holds } from "./entries.mjs";

// The inputs of both, by name: common(banco, multihead) -> ["query", "keys", "values"]
export function common(from, to) {
  if (!from.module.shared || !to.module.shared) return [];
  const there = inputs(to, to.opening);
  return Object.keys(inputs(from, from.opening)).filter((name) => name in there);
}

// The state of `to` with the inputs that were changed in either: { state }, or { refused: true } where it can't hold them;
// nothing where there is nothing to carry.
export function carried(from, state, to, old) {
  const [now, opened, there, first] = [inputs(from, state), inputs(from, from.opening), inputs(to, old), inputs(to, to.opening)];
  const isNew = (name) => !same(now[name], there[name]) && !(same(now[name], opened[name]) && same(there[name], first[name]));
  const names = common(from, to).filter(isNew);
  if (names.length === 0) return null;
  const change = to.module.taken(to.data, old, Object.fromEntries(names.map((name) => [name, now[name]])));
  const fits = Object.entries(change).every(([name, value]) => holds(to.kinds[name], value));
  return fits ? { state: { ...old, ...change } } : { refused: true };
}

function inputs({ module, data }, state) {
  return module.shared(data, state);
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

// Weights and KV cache against an accelerator's memory. The twin of figures/kv_cache/arithmetic.py.

import { number, one } from "../kit/entries.mjs";

const KEY_AND_VALUE = 2;
const BITS_IN_BYTE = 8;

// Bytes that a state needs and those that the card has: 8B, GQA, 32k, 8 requests, 16 bits -> cache 34.36e9, weights 16e9
export function run(data, state) {
  const factors = factorsOf(data, state);
  const model = find(data.models, state.model);
  const weights = model.parameters * (state.bits / BITS_IN_BYTE);
  const cache = factors.reduce((product, { values }) => product * values.reduce((a, b) => a + b), 1);
  const memory = find(data.accelerators, state.accelerator).memory;
  const spare = memory - weights - cache;
  return { weights, cache, memory, spare, fits: spare >= 0 };
}

// The formula's factors with their symbols; the latent's two parts are added up.
export function factorsOf({ models, schemes, latent }, { model: id, scheme, context, requests, bits }) {
  const model = find(models, id);
  const { keeps } = find(schemes, scheme);
  const heads = { all: model.heads, groups: model.kv_heads, one: 1 }[keeps];
  const each =
    keeps === "latent"
      ? [{ symbol: "c", values: [latent.kv_latent, latent.rope_dim] }]
      : [
          { symbol: "h_{kv}", values: [heads] },
          { symbol: "d_h", values: [model.head_dim] },
        ];
  return [
    ...(keeps === "latent" ? [] : [{ symbol: "", values: [KEY_AND_VALUE] }]),
    { symbol: "L", values: [model.layers] },
    ...each,
    { symbol: "b", values: [bits / BITS_IN_BYTE] },
    { symbol: "T", values: [context] },
    { symbol: "B", values: [requests] },
  ];
}

export function find(records, id) {
  return records.find((record) => record.id === id);
}

export function entries({ models, schemes, accelerators, context, requests, bits }) {
  const ids = (records) => one(records.map(({ id }) => id));
  const whole = (bounds) => number({ ...bounds, whole: true });
  return {
    model: ids(models),
    scheme: ids(schemes),
    context: whole(context),
    requests: whole(requests),
    bits: one(bits),
    accelerator: ids(accelerators),
  };
}

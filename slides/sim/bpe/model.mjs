// Byte-pair encoding, merge by merge. The twin of figures/bpe/model.py.

import { index, text } from "../kit/entries.mjs";

// A word with the space before it, a sign, or a space left over: what Python's " ?\w+|[^\w\s]|\s" finds.
const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const WORDS = new RegExp(` ?[\\p{L}\\p{N}_]+|[^\\p{L}\\p{N}_${BLANK}]|[${BLANK}]`, "gu");

// The words of a text as single characters: words("o gato.") -> [["o"], [" ", "g", "a", "t", "o"], ["."]]
export function words(text) {
  return (text.match(WORDS) ?? []).map((word) => [...word]);
}

// The pair becomes one symbol wherever it stands: fuse(["t", "o", "t"], ["t", "o"]) -> ["to", "t"]
export function fuse(symbols, [left, right]) {
  const fused = [];
  for (let i = 0; i < symbols.length; i++) {
    const pair = symbols[i] === left && symbols[i + 1] === right;
    fused.push(pair ? left + right : symbols[i]);
    if (pair) i++;
  }
  return fused;
}

// How often each pair of neighbours stands in the words, the commonest first; of equals, the one seen first.
export function pairCounts(texts) {
  const counts = new Map();
  for (const symbols of texts)
    for (let i = 0; i + 1 < symbols.length; i++) {
      const key = JSON.stringify([symbols[i], symbols[i + 1]]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts].map(([key, count]) => [...JSON.parse(key), count]).sort((a, b) => b[2] - a[2]);
}

// The phrase after `done` merges, its ids, the corpus's commonest pairs, and the merges that change the phrase.
export function run({ corpus, merges, vocabulary, pairs }, { text, done }) {
  const replayed = (symbols) => merges.slice(0, done).reduce(fuse, symbols);
  const pieces = words(text).flatMap(replayed);
  return {
    pieces,
    ids: idsOf(pieces, vocabulary),
    pairs: pairCounts(corpus.flatMap(words).map(replayed)).slice(0, pairs),
    touching: touching(text, merges),
  };
}

function idsOf(pieces, vocabulary) {
  return pieces.map((piece) => (vocabulary.includes(piece) ? vocabulary.indexOf(piece) : null));
}

// The numbers, from 1, of the merges that change the phrase's pieces.
function touching(text, merges) {
  let now = words(text);
  return merges.flatMap((pair, i) => {
    const next = now.map((symbols) => fuse(symbols, pair));
    const changed = next.some((symbols, word) => symbols.length < now[word].length);
    now = next;
    return changed ? [i + 1] : [];
  });
}

export function entries({ longest, merges }) {
  return { text: text(longest), done: index(merges.length + 1) };
}

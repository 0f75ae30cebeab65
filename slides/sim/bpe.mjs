// Byte-pair encoding, merge by merge: a phrase in pieces and the corpus's pairs. The twin of figures/bpe.py.

import { button, choice, number, panel } from "./controls.mjs";
import { element, picture, rich, set, svg, write } from "./draw.mjs";
import { fill } from "./format.mjs";

const SPACE = "␣";
const PLAY_EVERY = 700; // ms between two merges

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
    const found = symbols[i] === left && symbols[i + 1] === right;
    fused.push(found ? left + right : symbols[i]);
    if (found) i++;
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

export function mount(host, params) {
  return panel(host, params, { run, build, pause: (own) => own.stop() });
}

function build(own) {
  const parts = [phrases(own), stepper(own), chips(own), ranking(own), told(own)];
  const below = element("div", { class: "bpe-below" }, parts[3].element, parts[4].element);
  return {
    body: element("div", { class: "sim-body" }, ...parts.slice(0, 3).map((part) => part.element), below),
    update(state, result) {
      for (const part of parts) part.show(state, result);
      return own.text("heard", {
        done: state.done,
        all: own.data.merges.length,
        pieces: result.pieces.map(visible).join(" "),
        count: result.pieces.length,
      });
    },
  };
}

function visible(piece) {
  return piece.replaceAll(" ", SPACE);
}

// The phrases of the lecture, or one that the reader writes.
function phrases(own) {
  const { data, words: texts, format } = own;
  const pick = (text) => own.set({ text, done: Math.min(own.state.done, data.merges.length) });
  const cases = choice(own, {
    label: texts.phrase,
    options: data.cases.map(({ id, text }) => [text, texts.cases[id]]),
    change: pick,
    hideLabel: true,
  });
  const field = element("input", {
    type: "text",
    "aria-label": texts.own_phrase,
    placeholder: texts.own_phrase,
    autocomplete: "off",
    spellcheck: "false",
  });
  const message = element("span", { class: "sim-message", role: "alert" });
  const complain = (text) => {
    write(message, text);
    set(message, { "data-shown": text !== "" });
    set(field, { "aria-invalid": text ? "true" : null });
  };
  own.listen(field, "input", () => {
    const letters = [...field.value.toWellFormed().normalize("NFC")];
    const kept = letters.slice(0, data.longest).join("");
    if (kept.trim() === "") return complain(texts.empty);
    complain(letters.length > data.longest ? own.text("too_long", { longest: format.count(data.longest) }) : "");
    return pick(kept);
  });
  own.listen(field, "blur", () => {
    complain("");
    field.value = own.state.text;
  });
  return {
    element: element("div", { class: "bpe-phrases" }, cases.element, element("div", { class: "bpe-own" }, field, message)),
    show({ text }) {
      cases.show(text);
      if (document.activeElement !== field) field.value = text;
    },
  };
}

// Back, forward, to the next merge that changes the phrase, and by itself.
function stepper(own) {
  const { data, words: texts, format } = own;
  const last = data.merges.length;
  let touched = [];
  let cancel = null;
  const go = (done) => own.set({ done: Math.max(0, Math.min(last, done)) });
  const next = () => touched.find((number) => number > own.state.done);
  const stop = () => {
    cancel?.();
    cancel = null;
    write(play, texts.play);
  };
  const tick = () => {
    go(own.state.done + 1);
    if (own.state.done < last) cancel = own.after(PLAY_EVERY, tick);
    else stop();
  };
  const by = (move) => () => {
    stop();
    go(move());
  };
  const back = button(
    own,
    texts.back,
    by(() => own.state.done - 1),
    { name: texts.back_name },
  );
  const forward = button(
    own,
    texts.forward,
    by(() => own.state.done + 1),
    { name: texts.forward_name },
  );
  const jump = button(
    own,
    texts.jump,
    by(() => next() ?? own.state.done),
  );
  const play = button(own, texts.play, () => {
    if (cancel) return stop();
    if (own.state.done === last) go(0);
    write(play, texts.stop);
    return tick();
  });
  own.stop = stop;
  const merge = number(own, { label: texts.merge, min: 0, max: last, step: 1, whole: true, change: (done) => by(() => done)() });
  return {
    element: element(
      "div",
      { class: "bpe-steps" },
      back,
      forward,
      jump,
      play,
      merge.element,
      element("span", { class: "bpe-of" }, own.text("of", { all: format.count(last) })),
    ),
    show({ done }, result) {
      touched = result.touching;
      merge.show(done);
      back.disabled = done === 0;
      forward.disabled = done === last;
      jump.disabled = next() === undefined;
    },
  };
}

// How chips are set: px of the letters, px around each piece, how many lines there are.
const SETTINGS = [
  { name: null, size: 30, around: 34, lines: 1 },
  { name: "many", size: 24, around: 21, lines: 2 },
];
const CHIPS_WIDTH = 900;

// The phrase: a chip a piece, its id below; a piece that the vocabulary lacks says so.
function chips({ data, words: texts, format }) {
  const row = element("div", { class: "bpe-chips" });
  const count = element("strong", {});
  const made = [];
  return {
    element: element("div", { class: "bpe-phrase" }, row, count),
    show({ done }, { pieces, ids: found }) {
      while (made.length < pieces.length) {
        const [piece, id] = [element("span", { class: "bpe-piece" }), element("span", { class: "bpe-id" })];
        made.push({ piece, id, element: element("span", { class: "bpe-chip" }, piece, id) });
      }
      if (row.childElementCount !== pieces.length) row.replaceChildren(...made.slice(0, pieces.length).map((chip) => chip.element));
      set(row, { "data-many": settingOf(pieces) });
      const fresh = done > 0 ? data.merges[done - 1].join("") : null;
      pieces.forEach((piece, i) => {
        write(made[i].piece, visible(piece));
        write(made[i].id, found[i] === null ? texts.no_id : format.count(found[i]));
        set(made[i].element, { "data-fresh": piece === fresh, "data-known": found[i] !== null });
      });
      write(count, fill(pieces.length === 1 ? texts.one_piece : texts.pieces, { count: format.count(pieces.length) }));
    },
  };
}

// The largest setting in which the chips fit: settingOf(["o", " gato"]) -> null, the large one
function settingOf(pieces) {
  const characters = pieces.reduce((sum, piece) => sum + [...piece].length, 0);
  const fits = ({ size, around, lines }) => characters * size * 0.61 + pieces.length * around < (CHIPS_WIDTH - (lines - 1) * size) * lines;
  const found = SETTINGS.find(fits);
  return found ? found.name : "most";
}

// The corpus's commonest pairs as bars; the first is the next merge.
function ranking({ data, words: texts, format }) {
  const rows = Array.from({ length: data.pairs }, () => {
    const [name, bar, count] = [
      element("span", { class: "bpe-pair" }),
      element("span", { class: "bpe-bar" }),
      element("span", { class: "bpe-times" }),
    ];
    return { name, bar, count, element: element("div", { class: "bpe-line" }, name, bar, count) };
  });
  return {
    element: element("div", { class: "bpe-ranking" }, element("h4", {}, ...rich(texts.pairs)), ...rows.map((row) => row.element)),
    show(_, { pairs }) {
      const most = data.most;
      rows.forEach((row, i) => {
        const [left, right, count] = pairs[i] ?? ["", "", 0];
        write(row.name, pairs[i] ? `${visible(left)} + ${visible(right)}` : "");
        write(row.count, pairs[i] ? format.count(count) : "");
        row.bar.style.transform = `scaleX(${(count / most).toFixed(3)})`;
      });
    },
  };
}

const MOST_IDS = 24; // more don't fit in a line

// What the last merge did and the next one will do; below, all merges in a row, those that change the phrase raised.
function told({ data, words: texts, text, format }) {
  const [before, after, touches, ids, missing] = ["", "", "bpe-touches", "bpe-ids", "bpe-missing"].map((name) =>
    element("p", { class: name }),
  );
  const last = data.merges.length;
  const [wide, high] = [560, 44];
  const width = wide / last;
  const marks = data.merges.map((_, i) => svg("rect", { x: (i * width + 1).toFixed(1), width: (width - 2).toFixed(1) }));
  const line = picture(wide, high, ...marks);
  line.classList.add("bpe-line-of-merges");
  const named = (key, i, more = {}) => {
    const [left, right] = data.merges[i].map(visible);
    return text(key, { number: format.count(i + 1), left, right, made: left + right, ...more });
  };
  return {
    element: element("div", { class: "bpe-told" }, before, after, line, touches, ids, missing),
    show({ done }, { pieces, ids: found, pairs, touching: touched }) {
      write(before, done === 0 ? texts.nothing_yet : named(touched.includes(done) ? "did" : "did_not", done - 1));
      write(after, done === last ? texts.finished : named("will", done, { count: format.count(pairs[0][2]) }));
      write(touches, text("touches", { count: format.count(touched.length), all: format.count(last) }));
      const without = found.filter((id) => id === null).length;
      const listed = `[${found.map((id) => (id === null ? texts.no_id : format.count(id))).join(", ")}]`;
      write(ids, pieces.length > MOST_IDS ? "" : text("ids", { ids: listed }));
      write(
        missing,
        text(without === 0 ? "all_have_ids" : "without_id", {
          without: format.count(without),
          pieces: format.count(pieces.length),
          tokens: format.count(data.vocabulary.length),
        }),
      );
      marks.forEach((mark, i) => {
        const tall = touched.includes(i + 1);
        set(mark, {
          y: tall ? 0 : high - 14,
          height: tall ? high : 14,
          class: i < done ? (tall ? "done touching" : "done") : tall ? "touching" : null,
        });
      });
    },
  };
}

// A phrase in pieces, and the corpus's pairs, merge by merge.

import { bars } from "../kit/bars.mjs";
import { bound, button, choice, number, textField } from "../kit/controls.mjs";
import { element, picture, rich, set, svg, write } from "../kit/draw.mjs";
import { fill } from "../kit/format.mjs";

const SPACE = "␣";
const PLAY_EVERY = 700; // ms between two merges

export function build(panel) {
  const { data, text } = panel;
  const steps = stepper(panel);
  return {
    body: [phrases(panel), steps.element, chips(panel), element("div", { class: "bpe-below" }, ranking(panel), story(panel))],
    heard: ({ done }, { pieces }) =>
      text("heard", { done, all: data.merges.length, pieces: pieces.map(visible).join(" "), count: pieces.length }),
    pause: steps.stop,
  };
}

function visible(piece) {
  return piece.replaceAll(" ", SPACE);
}

// The phrases of the lecture, or one that the reader writes.
function phrases(panel) {
  const { data, words, text, format } = panel;
  const cases = bound(panel, choice, "text", {
    label: words.phrase,
    options: data.cases.map(({ name, text }) => [text, name]),
    hideLabel: true,
  });
  const { field, message, complain } = textField(words.own_phrase, { placeholder: words.own_phrase });
  panel.listen(field, "input", () => {
    const letters = [...field.value.toWellFormed().normalize("NFC")];
    const kept = letters.slice(0, data.longest).join("");
    if (kept.trim() === "") return complain(words.empty);
    complain(letters.length > data.longest ? text("too_long", { longest: format.count(data.longest) }) : "");
    return panel.set({ text: kept });
  });
  panel.listen(field, "blur", () => {
    complain("");
    field.value = panel.state.text;
  });
  panel.follow((state) => {
    if (document.activeElement !== field) field.value = state.text;
  });
  return element("div", { class: "sim-row bpe-phrases" }, cases, element("div", { class: "bpe-own" }, field, message));
}

// Back, forward, to the next merge that changes the phrase, and by itself.
function stepper(panel) {
  const { data, words, text, format } = panel;
  const last = data.merges.length;
  let touched = [];
  let cancel = null;
  const go = (done) => panel.set({ done: Math.max(0, Math.min(last, done)) });
  const next = () => touched.find((number) => number > panel.state.done);
  const stop = () => {
    cancel?.();
    cancel = null;
    write(play, words.play);
  };
  const tick = () => {
    go(panel.state.done + 1);
    if (panel.state.done < last) cancel = panel.after(PLAY_EVERY, tick);
    else stop();
  };
  const stopAndGo = (done) => {
    stop();
    go(done);
  };
  const back = button(panel, words.back, () => stopAndGo(panel.state.done - 1), { name: words.back_name });
  const forward = button(panel, words.forward, () => stopAndGo(panel.state.done + 1), { name: words.forward_name });
  const jump = button(panel, words.jump, () => stopAndGo(next() ?? panel.state.done));
  const play = button(panel, words.play, () => {
    if (cancel) return stop();
    if (panel.state.done === last) go(0);
    write(play, words.stop);
    return tick();
  });
  const merge = bound(panel, number, "done", { label: words.merge, min: 0, max: last, step: 1, whole: true, change: stopAndGo });
  panel.follow(({ done }, { touching }) => {
    touched = touching;
    back.disabled = done === 0;
    forward.disabled = done === last;
    jump.disabled = next() === undefined;
  });
  const of = element("span", { class: "sim-soft" }, text("of", { all: format.count(last) }));
  return { element: element("div", { class: "sim-row bpe-steps" }, back, forward, jump, play, merge, of), stop };
}

// How chips are set: px of the letters, px around each piece, how many lines there are.
const SETTINGS = [
  { name: null, size: 30, around: 34, lines: 1 },
  { name: "many", size: 24, around: 21, lines: 2 },
];
const CHIPS_WIDTH = 900;

// The phrase: a chip for each piece, its id below; a piece that the vocabulary lacks says so.
function chips({ data, words, format, follow }) {
  const row = element("div", { class: "bpe-chips" });
  const count = element("strong", { class: "sim-large" });
  const made = [];
  follow(({ done }, { pieces, ids }) => {
    while (made.length < pieces.length) {
      const [piece, id] = [element("span", { class: "bpe-piece" }), element("span", { class: "bpe-id" })];
      made.push({ piece, id, element: element("span", { class: "bpe-chip" }, piece, id) });
    }
    if (row.childElementCount !== pieces.length) row.replaceChildren(...made.slice(0, pieces.length).map((chip) => chip.element));
    set(row, { "data-many": settingOf(pieces) });
    const fresh = done > 0 ? data.merges[done - 1].join("") : null;
    pieces.forEach((piece, i) => {
      write(made[i].piece, visible(piece));
      write(made[i].id, ids[i] === null ? words.no_id : format.count(ids[i]));
      set(made[i].element, { "data-fresh": piece === fresh, "data-known": ids[i] !== null });
    });
    write(count, fill(pieces.length === 1 ? words.one_piece : words.pieces, { count: format.count(pieces.length) }));
  });
  return element("div", { class: "sim-box bpe-phrase" }, row, count);
}

// The largest setting in which the chips fit: settingOf(["o", " gato"]) -> null, the large one
function settingOf(pieces) {
  const characters = pieces.reduce((sum, piece) => sum + [...piece].length, 0);
  const fits = ({ size, around, lines }) =>
    characters * size * 0.61 + pieces.length * around < (CHIPS_WIDTH - (lines - 1) * size) * lines;
  const setting = SETTINGS.find(fits);
  return setting ? setting.name : "most";
}

// The corpus's commonest pairs as bars; the first is the next merge.
function ranking({ data, words, format, follow }) {
  const lines = bars(data.pairs);
  follow((_, { pairs }) =>
    lines.show(
      pairs.map(([left, right, count], i) => ({
        name: `${visible(left)} + ${visible(right)}`,
        share: count / data.most,
        text: format.count(count),
        top: i === 0,
      })),
    ),
  );
  return element("div", { class: "bpe-ranking" }, element("h3", {}, ...rich(words.pairs)), ...lines.elements);
}

const MOST_IDS = 24; // more don't fit in a line
const WIDE = 560;
const HIGH = 44;
const LOW = 14;

// What the last merge did and the next one will do; below, all merges in a row, those that change the phrase raised.
function story({ data, words, text, format, follow }) {
  const [before, after, touches, ids, missing] = ["", "", "bpe-touches", "bpe-ids", "sim-soft"].map((name) =>
    element("p", { class: name }),
  );
  const last = data.merges.length;
  const width = WIDE / last;
  const marks = data.merges.map((_, i) => svg("rect", { x: (i * width + 1).toFixed(1), width: (width - 2).toFixed(1) }));
  const named = (key, i, more = {}) => {
    const [left, right] = data.merges[i].map(visible);
    return text(key, { number: format.count(i + 1), left, right, made: left + right, ...more });
  };
  follow(({ done }, { pieces, ids: all, pairs, touching }) => {
    write(before, done === 0 ? words.nothing_yet : named(touching.includes(done) ? "did" : "did_not", done - 1));
    write(after, done === last ? words.finished : named("will", done, { count: format.count(pairs[0][2]) }));
    write(touches, text("touches", { count: format.count(touching.length), all: format.count(last) }));
    const without = all.filter((id) => id === null).length;
    const listed = `[${all.map((id) => (id === null ? words.no_id : format.count(id))).join(", ")}]`;
    write(ids, pieces.length > MOST_IDS ? "" : text("ids", { ids: listed }));
    const [lacking, of, tokens] = [without, pieces.length, data.vocabulary.length].map(format.count);
    write(missing, text(without === 0 ? "all_have_ids" : "without_id", { without: lacking, pieces: of, tokens }));
    marks.forEach((mark, i) => {
      const raised = touching.includes(i + 1);
      const height = raised ? HIGH : LOW;
      set(mark, { y: HIGH - height, height, "data-done": i < done, "data-touches": raised });
    });
  });
  return element("div", { class: "bpe-story" }, before, after, picture(WIDE, HIGH, ...marks), touches, ids, missing);
}

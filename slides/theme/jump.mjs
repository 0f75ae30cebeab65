// To any slide by its number, its title or a word that it shows (key G). What only the speaker sees is not looked into.

import { button, element, titleOf } from "./parts.mjs";

const UNSEEN = "aside.notes, script, style, annotation, annotation-xml, [hidden], .sim-heard, .ledger-card, .drawing";
const AROUND = 40; // letters of a slide's text before and after the word
const MOST = 40; // slides listed at once

/** Without accents, case and double spaces, so that "atencao" finds "Atenção". */
export function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}

/** The slides that answer, best first: by number, then by title, then by text. `slides` have { number, title, text }. */
export function answers(slides, asked) {
  const word = plain(asked);
  if (!word) return slides;
  const rank = ({ number, title, text }) => [String(number) === word, plain(title).includes(word), plain(text).includes(word)].indexOf(true);
  return slides.map((slide) => [rank(slide), slide]).filter(([n]) => n >= 0).sort(([a], [b]) => a - b).map(([, slide]) => slide);
}

/** Where the word stands in a text, with what is around it. */
export function around(text, asked) {
  const at = plain(text).indexOf(plain(asked));
  return `…${text.slice(Math.max(0, at - AROUND), at + asked.length + AROUND).trim()}…`;
}

export function mount(room) {
  const { page, reveal, words, listen } = room;
  const dialog = element("dialog", "deck-dialog deck-jump");
  const label = element("label", "", words.jump);
  const field = element("input");
  const list = element("ol");
  const count = element("p", "deck-count");
  let slides = [];

  field.type = "text";
  field.autocomplete = "off";
  count.setAttribute("role", "status");
  dialog.setAttribute("aria-label", words.jump);
  label.append(field);
  dialog.append(label, count, list, button("", words.close, () => dialog.close()));
  page.body.append(dialog);
  room.tool("jump", words.jump, "G", open);
  room.key("G", words.jump, open);
  listen(field, "input", show);
  listen(dialog, "keydown", keyed);

  function open() {
    slides = room.slides.map(read);
    field.value = "";
    show();
    dialog.showModal();
    field.focus();
  }

  function read(slide, n) {
    const copy = slide.cloneNode(true);
    for (const part of copy.querySelectorAll(UNSEEN)) part.remove();
    return { number: n + 1, title: titleOf(slide), text: clean(copy.textContent), slide };
  }

  function show() {
    const asked = field.value.trim();
    const found = answers(slides, asked);
    count.textContent = found.length ? words.found.replace("{n}", found.length) : words.nothing;
    list.replaceChildren(...found.slice(0, MOST).map((one) => item(one, asked)));
  }

  function item({ number, title, text, slide }, asked) {
    const line = element("li");
    const made = button("", `${number} · ${title}`, () => go(slide));
    const inText = asked && String(number) !== asked && !plain(title).includes(plain(asked));
    if (inText) made.append(element("small", "", around(text, asked)));
    line.append(made);
    return line;
  }

  function go(slide) {
    dialog.close();
    if (reveal.isOverview()) reveal.toggleOverview(false);
    reveal.slide(room.slides.indexOf(slide));
  }

  /** The deck's own keys are not for the dialog; the arrows walk through what was found. */
  function keyed(event) {
    event.stopPropagation();
    const stops = [field, ...list.querySelectorAll("button")];
    const at = stops.indexOf(page.activeElement);
    if (event.key === "Enter" && at === 0) stops[1]?.click();
    else if (event.key === "ArrowDown" && at >= 0) stops[Math.min(at + 1, stops.length - 1)].focus();
    else if (event.key === "ArrowUp" && at > 0) stops[at - 1].focus();
    else return;
    event.preventDefault();
  }

  return () => dialog.remove();
}

function clean(text) {
  return text.replace(/\s+/g, " ").trim();
}

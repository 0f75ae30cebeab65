// What a lecturer has in hand: tools, pointer, drawing, overview, a way to any slide, the speaker's window. Each is a module
// of its own; this one gives them what they share, and their keys a line in the help.

import { mount as draw } from "./drawing.mjs";
import { mount as point } from "./hand.mjs";
import { mount as jump } from "./jump.mjs";
import { mount as mirror } from "./mirror.mjs";
import { mount as lookOver } from "./overview.mjs";
import { button, teller } from "./parts.mjs";
import { mount as speak } from "./speaker.mjs";
import { reading } from "./view.mjs";

const PARTS = [point, draw, lookOver, jump, mirror, speak];

/** Binds the deck; gives a function that undoes it all. `words` are its texts, `acts` the lecture's. */
export function mount(page, reveal, { words, acts }) {
  const { tell, remove } = teller(page);
  const slides = [...page.querySelectorAll(".reveal .slides > section")];
  const bar = page.querySelector(".deck-tools");
  const over = new AbortController();
  const codes = [];
  const added = [];
  const room = {
    page, reveal, words, acts, slides, tell,
    speaking: new URLSearchParams(location.search).has("speaker"),
    changes: new EventTarget(), // what the other window should hear: event `change`, whose detail is a message
    parts: {}, // by name, what takes such a message back
    change: (message) => room.changes.dispatchEvent(new CustomEvent("change", { detail: message })),
    listen: (target, type, act, options = {}) => target.addEventListener(type, act, { ...options, signal: over.signal }),
    presenting: () => !reading(page) && !reveal.isPrintView(),
    /** Binds keys, as `"G"` or `"F5"`, and says in the help what the first is for. */
    key(name, text, act) {
      const code = /^F\d+$/.test(name) ? 111 + Number(name.slice(1)) : name.charCodeAt(0);
      reveal.addKeyBinding(code, act);
      if (text) reveal.registerKeyboardShortcut(name, text);
      codes.push(code);
    },
    tool(name, text, key, act) {
      const made = button(`${name} for-slides`, text, act, key);
      bar?.insertBefore(made, bar.querySelector(".reading"));
      added.push(made);
      return made;
    },
  };
  const ends = PARTS.map((part) => part(room));
  return () => {
    over.abort();
    for (const end of ends) end?.();
    for (const code of codes) reveal.removeKeyBinding(code);
    for (const made of added) made.remove();
    remove();
  };
}

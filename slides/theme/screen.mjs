// The deck on this screen: light or dark, by key and remembered; and by key whether the projector shows what the slides need.
// The dark colours are those of `:root.dark`, which hold on screens alone, so that what is printed is light.

import { element } from "./parts.mjs";
import { recolour, themed } from "./recolour.mjs";

const KEPT = "deck-scheme";
const DRAWN = ".figure svg, .sim-static svg, .sim-picture svg"; // drawings with colours of their own; a simulator's follow the theme
const STEPS = 11; // patches from the ground to the ink
const FAINT = [0.02, 0.04, 0.08, 0.16]; // how much ink the faintest have

/** Binds the deck; gives a function that undoes it all. `words` are its texts. */
export function mount(page, reveal, words) {
  const root = page.documentElement;
  const done = new WeakSet();
  const came = new MutationObserver(settle); // a simulator shows its next picture
  const check = page.createElement("dialog");
  const codes = [key("T", words.scheme, () => choose(!root.classList.contains("dark"))), key("V", words.check, look)];

  check.className = "screen-check";
  check.setAttribute("aria-label", words.check);
  check.addEventListener("keydown", keyed);
  page.body.append(check);
  for (const sim of page.querySelectorAll(".sim")) came.observe(sim, { childList: true, subtree: true });
  page.addEventListener("deckview", settle);
  settle();

  function key(letter, description, act) {
    const keyCode = letter.charCodeAt(0);
    reveal.addKeyBinding({ keyCode, key: letter, description }, act);
    return keyCode;
  }

  function choose(dark) {
    root.classList.toggle("dark", dark);
    keep(dark ? "dark" : "");
    settle();
    page.dispatchEvent(new page.defaultView.Event("deckscheme"));
  }

  /** Drawings get their dark colours once, beside their light ones. */
  function settle() {
    if (!root.classList.contains("dark")) return;
    const drawings = [...page.querySelectorAll(DRAWN)].filter((drawing) => !done.has(drawing));
    if (!drawings.length) return;
    drawings.forEach((drawing) => done.add(drawing));
    recolour(root, drawings);
  }

  function look() {
    check.replaceChildren(heading(), ...contrasts(), smallest(), colours());
    check.showModal();
  }

  /** The keys that close it, and none that would turn the slides below it. */
  function keyed(event) {
    event.stopPropagation();
    if (event.keyCode === codes[1]) check.close();
  }

  function heading() {
    return element("h2", "", words.check);
  }

  function contrasts() {
    const rows = [Array.from({ length: STEPS }, (_, step) => step / (STEPS - 1)), FAINT, FAINT.map((ink) => 1 - ink)];
    return rows.map((inks, row) => {
      const patches = inks.map((ink) => {
        const patch = element("span", "", `${Math.round(ink * 100)}%`);
        patch.style.setProperty("--part", `${ink * 100}%`);
        return patch;
      });
      const line = element("p", "screen-steps", "", ...patches);
      return element("section", "", "", element("h3", "", [words.steps, words.faint, words.deep][row]), line);
    });
  }

  function smallest() {
    const pixels = Math.min(...texts().map(({ size }) => size));
    const line = element("p", "", words.sample);
    line.style.fontSize = `${pixels * reveal.getScale()}px`;
    return element("section", "", "", element("h3", "", words.smallest.replace("{size}", Math.round(pixels))), line);
  }

  /** The sizes of the slides' texts; indices, which are smaller by nature, aside. */
  function texts() {
    const aside = "sup, sub, math, aside, script, style, template, tspan, section [hidden], .sim-heard, .figure-values";
    const parts = [...page.querySelectorAll(".slides > section :is(p, li, td, th, code, small, figcaption, text, h2, h3)")];
    return parts.filter((part) => !part.closest(aside) && part.textContent.trim()).map((part) => ({ size: parseFloat(getComputedStyle(part).fontSize) }));
  }

  function colours() {
    const list = element("ul");
    for (const variable of themed(page)) {
      const name = variable.slice(2).replace("-", "_");
      if (!words[name] && name.endsWith("_wash")) continue; // a role is known by its colour, not by that of its cells
      const item = element("li", "", words[name] ?? name);
      item.style.setProperty("--shown", `var(${variable})`);
      list.append(item);
    }
    return element("section", "", "", element("h3", "", words.colours), list);
  }

  return () => {
    came.disconnect();
    page.removeEventListener("deckview", settle);
    for (const code of codes) reveal.removeKeyBinding(code);
    check.remove();
    root.classList.remove("dark");
  };
}

// Where the browser keeps nothing (a sandboxed frame), the choice lasts as long as the page.
function keep(scheme) {
  try {
    localStorage.setItem(KEPT, scheme);
  } catch {
    // nothing to do
  }
}

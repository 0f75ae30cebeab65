// What reveal says in English, in the page's language: the help (key ?), and by
// menu.mjs the menu that Quarto adds. The words are the page's; reveal's own texts stand here, and
// one that isn't known stays as it is.

const SAID = {
  title: "Keyboard Shortcuts",
  key: "KEY",
  action: "ACTION",
  next: "Next slide",
  previous: "Previous slide",
  left: "Navigate left",
  right: "Navigate right",
  up: "Navigate up",
  down: "Navigate down",
  whole: "Navigate without fragments",
  ends: "Jump to first/last slide",
  pause: "Pause",
  fullscreen: "Fullscreen",
  overview: "Slide overview",
  menu: "Toggle menu",
  print: "PDF export mode",
  search: "Search",
  resume: "Resume presentation",
  slides: "Slides",
  tools: "Tools",
  close: "Close",
  window: "Speaker View",
  keys: "Keyboard Help",
};
const KEYS = { space: /\bSPACE\b/, escape: /\bESC\b/ };
const ATTRIBUTES = ["placeholder", "title", "aria-label"];

/** A text of reveal's in other words, spaces around it kept: `" Next slide"` -> " próximo slide". */
export function told(text, words) {
  const plain = text.trim().replace(/\.\.\.$/, "").toLowerCase(); // "Slide overview" and "Slide Overview", "Search" and "Search..."
  const known = Object.keys(SAID).find((name) => SAID[name].toLowerCase() === plain);
  if (known) return text.replace(text.trim(), () => words[known]);
  return Object.entries(KEYS).reduce((made, [name, key]) => made.replace(key, () => words[name]), text);
}

/** Every text of an element, and what stands for it. */
export function translate(element, words) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) node.data = told(node.data, words);
  for (const one of [element, ...element.querySelectorAll("*")]) {
    for (const name of ATTRIBUTES) if (one.hasAttribute(name)) one.setAttribute(name, told(one.getAttribute(name), words));
  }
}

/** Under the keys of the help, what a published page was built of, as the page says it. */
export function built(overlay) {
  const said = document.querySelector('meta[name="build"]')?.content;
  const keys = overlay.querySelector("table");
  if (!said || !keys || !overlay.querySelector(".title")) return;
  const line = document.createElement("p");
  line.textContent = said;
  line.style.fontSize = "0.8em";
  keys.after(line);
}

/** Watches for what reveal puts over the slides; gives a function that ends it. */
export function mount(page, reveal, words) {
  const root = reveal.getRevealElement();
  const over = ":not(.slides, .backgrounds, .aria-status)";
  const seen = new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]).filter((node) => node instanceof Element && node.matches(over));
    for (const node of added) {
      translate(node, words);
      built(node);
    }
  });
  for (const child of root.children) if (child.matches(over)) translate(child, words);
  seen.observe(root, { childList: true });
  return () => seen.disconnect();
}

// What reveal tells screen readers when a slide or a step of it comes: all that is shown, in the words that the page carries.
// A formula says its name, a picture the text that stands for it, never the letters inside; what is hidden says nothing.

const LEFT_OUT = "script, style, template, annotation, [hidden], [aria-hidden=true], .notes, .fragment:not(.visible), .sim-live, .figure-values";
const TABLES = "details.figure-values";
const NAMED = "math, svg, img, [role=img]";

/** What an element says, as one line: each block a sentence, the cells of a row parted by commas. */
export function said(element) {
  const parts = [];
  gather(element, parts);
  return tidy(parts.join(""));
}

function gather(node, parts) {
  if (node.nodeType === Node.TEXT_NODE) return void parts.push(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches(LEFT_OUT)) return;
  const { display, visibility } = getComputedStyle(node);
  if (display === "none" || visibility === "hidden") return;
  if (node.dataset?.said) return void parts.push(node.dataset.said);
  if (node.matches(NAMED)) {
    const name = node.getAttribute("aria-label") ?? node.getAttribute("alt") ?? "";
    return void parts.push(node.localName === "math" ? name : `. ${name}. `);
  }
  const isCell = display === "table-cell";
  const isBlock = !isCell && !display.startsWith("inline") && display !== "contents";
  if (isBlock) parts.push(". ");
  for (const child of node.childNodes) gather(child, parts);
  if (isBlock) parts.push(". ");
  else if (isCell) parts.push(", ");
  else if (node.nodeName === "BR") parts.push(" ");
}

/** One line with single spaces, and one mark where several meet: `"a . . b , . c"` -> "a. b. c". */
export function tidy(text) {
  return text
    .replace(/\s+/g, " ")
    .replace(/ (?=[.,;:])/g, "")
    .replace(/([.,;:?!…])(?:\s*[.,])+(?=\s|$)/g, (marks, first) => (first === "," && marks.includes(".") ? "." : first))
    .replace(/^[.,\s]+/, "")
    .trim();
}

/** Binds the deck; gives a function that undoes it all. */
export function mount(page, reveal) {
  const status = page.querySelector(".reveal .aria-status");
  if (!status) return () => {};
  let whole = true; // a slide came, and not only steps of it
  let steps = [];
  let words = "";
  // Reveal writes its own text; ours takes its place before a screen reader hears of either.
  const seen = new MutationObserver(settle);
  const over = new AbortController();
  const bound = { slidechanged: come, fragmentshown: ({ fragments }) => steps.push(...fragments) };

  for (const [event, handler] of Object.entries(bound)) reveal.on(event, handler);
  page.addEventListener("keydown", keep, { capture: true, signal: over.signal });
  watch();
  settle();

  function come() {
    whole = true;
    for (const table of page.querySelectorAll(`${TABLES}[open]`)) table.open = false;
  }

  /** The keys that open and close a table of a figure's values stay with it. */
  function keep(event) {
    const table = event.target.closest?.(TABLES);
    if (!table || ![" ", "Enter", "Escape"].includes(event.key)) return;
    event.stopPropagation();
    if (event.key !== "Escape" || !table.open) return;
    table.open = false;
    table.querySelector("summary").focus();
  }

  function watch() {
    seen.observe(status, { childList: true, characterData: true, subtree: true });
  }

  function settle() {
    if (whole) words = said(reveal.getCurrentSlide());
    else if (steps.length) words = tidy(steps.map(said).join(". "));
    [whole, steps] = [false, []];
    seen.disconnect();
    status.textContent = words;
    watch();
  }

  return () => {
    over.abort();
    seen.disconnect();
    for (const [event, handler] of Object.entries(bound)) reveal.off(event, handler);
  };
}

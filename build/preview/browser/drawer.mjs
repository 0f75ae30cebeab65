// What if: a drawer with the values of data/ that the slide in view read, each under a control of its own kind. A change makes the
// whole page anew as if the file held it; nothing is written until it is kept.

import { element } from "./parts.mjs";

const KEY = "w";
const LATER = 150; // ms after the last change of a control
const FALSE = "preview-false";

// Binds the key; gives what follows the states of the preview.
export function mount(words, here) {
  const list = element("div", { class: "preview-fields" });
  const changes = element("ol", { class: "preview-changes" });
  const message = element("p", { class: "preview-message", role: "status" });
  const diff = element("pre", { class: "preview-diff", hidden: true });
  const keep = element("button", { type: "button", click: () => kept(diff.textContent) }, words.keep);
  const back = element("button", { type: "button", click: () => wish({}) }, words.back);
  const box = element(
    "aside",
    { class: "preview-drawer", hidden: true, "aria-label": words.what_if, tabindex: -1 },
    element("h2", {}, words.what_if),
    list,
    element("p", {}, keep, back),
    message,
    diff,
    changes,
  );
  const base = { entries: null };
  let tried = {};
  let timer = 0;

  document.body.append(box);
  addEventListener("keydown", keyed, { capture: true });
  box.addEventListener("keydown", (event) => event.key !== "Escape" && event.stopPropagation());
  window.Reveal?.on("slidechanged", () => !box.hidden && fill());
  document.addEventListener("pagepatched", mark);

  function keyed(event) {
    const writing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "Escape" && box.contains(event.target)) return toggle(false);
    if (event.key.toLowerCase() !== KEY || event.ctrlKey || event.metaKey || event.altKey || writing) return undefined;
    event.preventDefault();
    return toggle(box.hidden);
  }

  function toggle(open) {
    box.hidden = !open;
    if (!open) return;
    box.focus();
    fill();
  }

  // The controls of the slide in view, or of the section that is being read.
  async function fill() {
    const slide = window.Reveal?.getCurrentSlide()?.id ?? "";
    const answer = await fetch(`${here}/-/fields?slide=${encodeURIComponent(slide)}`);
    const fields = await answer.json();
    list.replaceChildren(...(fields.length ? fields.map(control) : [element("p", {}, words.no_fields)]));
  }

  function control(field) {
    const { name, kind, choices, line, comment } = field;
    const value = tried[name] ?? field.value;
    const change = (next) => wish({ ...tried, [name]: next });
    const [file, path] = name.split(":");
    const note = element("small", {}, `data/${file}:${line}${comment ? ` · ${comment}` : ""}`);
    return element("label", {}, element("span", {}, path), input(kind, value, field, choices, change), note);
  }

  function wish(next) {
    tried = next;
    show("");
    clearTimeout(timer);
    timer = setTimeout(() => post("try", next), LATER);
  }

  async function post(action, body) {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${here}/-/${action}`, { method: "POST", headers, body: JSON.stringify(body) });
    const said = await answer.json();
    message.textContent = answer.ok ? "" : `${said.where}: ${said.what} → ${said.remedy}`;
    return answer.ok ? said : {};
  }

  // First shows what would be written; once that has been seen, writes just that.
  async function kept(seen) {
    const said = await post("keep", { diff: seen });
    show(said.diff ?? "");
    if (said.kept) message.textContent = words.kept;
  }

  function show(text) {
    diff.hidden = !text;
    diff.textContent = text;
    keep.textContent = text ? words.confirm : words.keep;
  }

  // Marks what shows something else than the page without what is tried, and strikes through what became false.
  function mark() {
    const now = entriesOf();
    document.querySelectorAll(".preview-changed").forEach((one) => one.classList.remove("preview-changed"));
    if (!Object.keys(tried).length) base.entries = byCall(now);
    for (const [call, entry] of byCall(now)) {
      const before = base.entries?.get(call);
      if (before && (before.text !== entry.text || JSON.stringify(before.value) !== JSON.stringify(entry.value))) {
        document.querySelectorAll(`[data-n="${entry.n}"]`).forEach((one) => one.classList.add("preview-changed"));
      }
    }
    strike(now.filter(({ what, value }) => what === "claim" && value.holds === false));
  }

  return (state) => {
    if (Object.keys(state.tried).length) tried = state.tried;
    const lines = state.changes.map(([, slide, what, old, now]) => element("li", {}, element("b", {}, slide), ` ${what}: ${old} → ${now}`));
    changes.replaceChildren(...lines);
    if (!base.entries || !Object.keys(state.tried).length) mark();
  };
}

function input(kind, value, { min, max }, choices, change) {
  if (kind === "flag") {
    const box = element("input", { type: "checkbox", change: () => change(box.checked) });
    box.checked = value;
    return box;
  }
  if (kind === "choice") {
    const options = choices.map((one) => element("option", { selected: one === value }, one));
    const menu = element("select", { change: () => change(menu.value) }, ...options);
    return menu;
  }
  if (kind === "number" || kind === "whole") {
    const field = element("input", { type: "number", min, max, step: kind === "whole" ? 1 : "any", value });
    field.addEventListener("input", () => field.value !== "" && field.validity.valid && change(Number(field.value)));
    return field;
  }
  const field = element("input", { type: "text", value: kind === "list" ? JSON.stringify(value) : value });
  field.addEventListener("change", () => change(field.value));
  return field;
}

function entriesOf() {
  return JSON.parse(document.querySelector("script#ledger")?.textContent ?? '{"entries":[]}').entries;
}

// Entries by their call, the same one twice as its first and second.
function byCall(entries) {
  const times = new Map();
  return new Map(
    entries.map((entry) => {
      const nth = times.get(entry.id) ?? 0;
      times.set(entry.id, nth + 1);
      return [`${entry.id} ${nth}`, entry];
    }),
  );
}

// The sentences before the marks of false claims, drawn over without a change to the page, and the reasons as tips.
function strike(claims) {
  if (!window.CSS?.highlights) return;
  const ranges = claims.flatMap((claim) => {
    const mark = document.querySelector(`.claim[data-n="${claim.n}"]`);
    if (!mark) return [];
    mark.classList.add("preview-reason");
    mark.dataset.reason = Object.entries(claim.value).filter(([name]) => name !== "holds").map(([name, value]) => `${name} = ${value}`).join("; ");
    return [sentenceBefore(mark)];
  });
  CSS.highlights.set(FALSE, new Highlight(...ranges));
}

function sentenceBefore(mark) {
  const block = mark.closest("p, li, td, th, figcaption, h2, h3, div");
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(mark);
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && node.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING; node = walker.nextNode()) {
    for (const end of node.data.matchAll(/[.!?…]\s+(?=[“"\p{Lu}])/gu)) range.setStart(node, end.index + end[0].length);
  }
  return range;
}

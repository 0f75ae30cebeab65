// Shows where each number of the page comes from. The key `i` and a button mark every number; pointing, tapping or
// tabbing to a mark shows its card, a click keeps it. Off, only the button is there. Knows only the page's own ledger
// (`#ledger`, whose entries figures/kit/entry.py describes), and needs no network.

const KEY = "i";
const EMPTY = { unit: "", format: "", note: "", arguments: [], data: [], records: [], seeds: [] }; // what a page leaves out
const LINGER = 250; // ms in which the pointer may cross from a mark to its card
const LONG = 160; // characters of a text, and of a value that is no number
const LINE = 40; // characters of a text that is shown large
const CONTROL = "a, button, input, select, textarea, label, output, [tabindex], [role=slider]";

/** The entry of a mark, and for a table's cell the cell's own value: `"12-3-2"` is row 3, column 2 of entry 12. */
export function look(entries, mark) {
  const [n, row, column] = mark.split("-").map(Number);
  const entry = entries.get(n);
  if (!entry || row === undefined) return entry;
  const table = entry.value;
  const { unit, format } = table.columns[column - 1];
  const cell = { ...entry, what: "cell", value: table.rows[row - 1][column - 1], text: table.texts[row - 1][column - 1], unit, format };
  return cell.value?.kind ? { ...cell, ...cell.value } : cell; // a fact in a cell: its value, kind and note
}

/** A raw value in full: numbers with every digit, a long list by its start. */
export function inFull(value) {
  if (typeof value === "number") return String(value);
  return short(typeof value === "string" ? value : JSON.stringify(value));
}

/** The call as code: `hand_example.weight(token="praça")`. */
export function call(entry) {
  return `${entry.function}(${entry.arguments.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(", ")})`;
}

/** The lines of a card, as [label, text, address] triples; a line without text is left out. */
export function lines(entry, words, repository) {
  const place = `${entry.file}:${entry.line}`;
  const address = repository ? `${repository.replace(/\/$/, "")}/blob/HEAD/${entry.file}#L${entry.line}` : "";
  const whole = ["number", "word", "formula", "cell"].includes(entry.what);
  const value = inFull(entry.value) + (entry.unit ? ` ${entry.unit}` : "");
  const rows = [
    [words.value, whole && value !== entry.text ? value : "", ""],
    [words.function, call(entry), ""],
    [words.place, place, address],
    [words.data, entry.data.filter((file) => !file.startsWith("words/")).join(", "), ""],
    [words.records, entry.records.map((record) => record.split("#")[1]).join(", "), ""],
    [words.seeds, entry.seeds.map(({ file, seed }) => `${seed} (${file})`).join(", "), ""],
    [words.notes[entry.kind] ?? words.note, entry.note, ""],
  ];
  return rows.filter(([, text]) => text);
}

function short(text) {
  return text.length > LONG ? `${text.slice(0, LONG - 1)}…` : text;
}

function ledgerOf(page) {
  return JSON.parse(page.querySelector("script#ledger").textContent);
}

function entriesOf(page) {
  return new Map(ledgerOf(page).entries.map((entry) => [entry.n, { ...EMPTY, ...entry }]));
}

/** Binds the page; gives a function that undoes it all. */
export function mount(page, reveal) {
  const { words, repository } = ledgerOf(page);
  let entries = entriesOf(page);
  const over = new AbortController();
  const listen = (target, type, handler, capture = false) => target.addEventListener(type, handler, { signal: over.signal, capture });
  const card = element("aside", "ledger-card");
  const button = element("button", "ledger-button", KEY);
  const said = element("div", "ledger-said");
  let on = false;
  let marked = null;
  let kept = false;
  let leaving = 0;

  card.id = "ledger-card";
  card.hidden = true;
  card.setAttribute("aria-label", words.button);
  said.setAttribute("role", "status");
  button.type = "button";
  button.title = `${words.button} (${KEY})`;
  button.setAttribute("aria-label", words.button);
  button.setAttribute("aria-keyshortcuts", KEY);
  (page.querySelector(".deck-tools") ?? page.body).append(button);
  page.body.append(card, said);
  toggle(false);

  listen(button, "click", () => toggle(!on));
  listen(window, "keydown", keyed, true); // before reveal, for which Esc is the overview
  listen(page, "pointerover", pointed);
  listen(page, "click", clicked);
  listen(page, "focusin", (event) => on && !card.contains(event.target) && event.target !== button && show(ownMark(event.target)));
  listen(window, "resize", hide);
  listen(page, "pagepatched", () => {
    entries = entriesOf(page);
    refresh();
  });
  if (reveal) {
    reveal.on("slidechanged", refresh);
    reveal.on("overviewshown", hide);
    reveal.addKeyBinding({ keyCode: KEY.toUpperCase().charCodeAt(0), key: KEY.toUpperCase(), description: words.button }, () => toggle(!on));
  }

  function keyed(event) {
    if (event.key === "Escape" && !card.hidden) {
      const back = card.contains(page.activeElement) ? marked : null;
      event.stopImmediatePropagation();
      event.preventDefault();
      hide();
      back?.focus();
      hide();
    } else if (event.key === "Enter" && on && marked && event.target === marked) {
      kept = true;
      card.querySelector("a")?.focus();
    } else if (!reveal && event.key.toLowerCase() === KEY && !(event.ctrlKey || event.metaKey || event.altKey) && !writes(event.target)) {
      toggle(!on);
    }
  }

  function pointed(event) {
    if (!on || kept) return;
    const mark = markOf(event.target);
    if (mark || card.contains(event.target)) clearTimeout(leaving);
    if (mark) show(mark);
    else if (!card.hidden && !card.contains(event.target)) later(hide);
  }

  function clicked(event) {
    if (!on || card.contains(event.target)) return;
    const mark = markOf(event.target);
    if (!mark) return hide();
    show(mark);
    kept = true;
  }

  function later(act) {
    clearTimeout(leaving);
    leaving = setTimeout(act, LINGER);
  }

  function toggle(state) {
    on = state;
    page.documentElement.classList.toggle("ledger-on", on);
    button.setAttribute("aria-pressed", String(on));
    refresh();
  }

  /** Marks of the slide that is shown take the Tab key; those that did before don't. */
  function refresh() {
    hide();
    for (const mark of page.querySelectorAll("[data-n][tabindex]")) {
      mark.removeAttribute("tabindex");
      mark.removeAttribute("data-ledger");
    }
    if (!on) return;
    const stage = reveal?.getCurrentSlide() ?? page;
    for (const mark of stage.querySelectorAll("[data-n]:not(.claim):not([tabindex])")) {
      mark.setAttribute("tabindex", "0");
      mark.setAttribute("data-ledger", "");
    }
  }

  /** The mark that a pointer is on; a simulator's controls keep theirs to themselves. */
  function markOf(target) {
    const mark = target instanceof Element ? target.closest("[data-n]:not(.claim)") : null;
    const control = mark?.matches(".sim") ? target.closest(`${CONTROL}, svg`) : null;
    return control && control !== mark ? null : mark;
  }

  function ownMark(target) {
    return target instanceof Element && target.matches("[data-n]:not(.claim)") ? target : null;
  }

  function show(mark) {
    clearTimeout(leaving);
    if (mark === marked) return;
    const entry = mark && look(entries, mark.dataset.n);
    hide();
    if (!entry) return;
    const rows = lines(entry, words, repository);
    marked = mark;
    mark.setAttribute("aria-describedby", card.id);
    card.replaceChildren(head(entry), list(rows));
    card.dataset.kind = entry.kind;
    card.hidden = false;
    said.textContent = [short(entry.text), kind(entry), ...rows.map(([label, text]) => `${label}: ${text}`)].join("; ");
    place(mark.getBoundingClientRect(), (mark.closest("table") ?? mark).getBoundingClientRect());
  }

  function hide() {
    clearTimeout(leaving);
    marked?.removeAttribute("aria-describedby");
    marked = null;
    kept = false;
    card.hidden = true;
    said.textContent = "";
  }

  function element(tag, name, text = "") {
    const made = page.createElement(tag);
    made.className = name;
    made.textContent = text;
    return made;
  }

  function head(entry) {
    const row = element("p", "ledger-head");
    const text = short(unmarked(entry.text));
    row.append(element("strong", text.length > LINE ? "ledger-text ledger-long" : "ledger-text", text), element("span", "ledger-kind", kind(entry)));
    return row;
  }

  /** Its short name, which `python -m figures` takes, and what it is. */
  function kind(entry) {
    return `${entry.name ?? ""} ${words.kinds[entry.kind]}`.trim();
  }

  function list(rows) {
    const made = element("dl", "ledger-lines");
    for (const [label, text, address] of rows) {
      const value = element("dd", [words.value, words.function, words.place].includes(label) ? "ledger-code" : "");
      const line = element(address ? "a" : "span", "", text);
      if (address) Object.assign(line, { href: address, target: "_blank", rel: "noopener" });
      value.append(line);
      made.append(element("dt", "", label), value);
    }
    return made;
  }

  /** Below the mark, of a cell below its whole table, or above where there is no room; never outside the window. */
  function place(at, around) {
    const gap = 8;
    const { width, height } = card.getBoundingClientRect();
    const tops = [around.bottom + gap, around.top - gap - height, at.bottom + gap, at.top - gap - height];
    const top = tops.find((y) => y >= 0 && y + height <= innerHeight) ?? innerHeight - height - gap;
    card.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - width - gap))}px`;
    card.style.top = `${Math.max(gap, top)}px`;
  }

  return () => {
    over.abort();
    toggle(false);
    if (reveal) {
      reveal.off("slidechanged", refresh);
      reveal.off("overviewshown", hide);
      reveal.removeKeyBinding(KEY.toUpperCase().charCodeAt(0));
    }
    for (const made of [card, button, said]) made.remove();
  };
}

/** A text of the ledger without its Markdown marks: `"[o]{.token} [␣g]{.token}"` -> "o ␣g". */
export function unmarked(text) {
  return text.replace(/\[([^\][]*)\]\{[^{}]*\}/g, "$1").replace(/[`*$]/g, "").replace(/\s+/g, " ").trim();
}

function writes(target) {
  return target instanceof Element && target.matches("input, textarea, select, [contenteditable]");
}

export function start() {
  if (!document.querySelector("script#ledger")) return;
  const reveal = window.Reveal;
  if (reveal && !reveal.isReady()) reveal.on("ready", () => mount(document, reveal));
  else mount(document, reveal ?? null);
}

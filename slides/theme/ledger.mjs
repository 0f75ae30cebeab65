// Shows where each number of the page comes from. A key and a button switch the marks on; pointing, tapping or
// tabbing to a mark shows its card. Off, it changes nothing. Knows only the page's own ledger (`#ledger`).

const KEY = "i";

/** The entry of a mark, and for a table's cell the cell's own value: `"12-3-2"` is row 3, column 2 of entry 12. */
export function look(entries, mark) {
  const [n, row, column] = mark.split("-").map(Number);
  const entry = entries.get(n);
  if (!entry || row === undefined) return entry;
  const table = entry.value;
  return { ...entry, value: table.rows[row - 1][column - 1], text: table.texts[row - 1][column - 1] };
}

/** A raw value in full: numbers with every digit, a large array by its size. */
export function inFull(value) {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value;
  const written = JSON.stringify(value);
  return written.length > 120 ? `${written.slice(0, 117)}…` : written;
}

/** The lines of a card, as [label, text, address] triples. */
export function lines(entry, words, repository) {
  const place = `${entry.file}:${entry.line}`;
  const address = repository ? `${repository}/blob/HEAD/${entry.file}#L${entry.line}` : "";
  const told = entry.arguments.map((argument) => JSON.stringify(argument)).join(", ");
  const rows = [
    [words.shown, entry.text, ""],
    entry.what === "figure" || entry.what === "table" ? null : [words.value, inFull(entry.value), ""],
    [words.function, `${entry.function}(${told})`, ""],
    [words.place, place, address],
    entry.data.length ? [words.data, entry.data.join(", "), ""] : null,
    entry.note ? [words.notes[entry.kind] ?? words.note, entry.note, ""] : null,
  ];
  return rows.filter((row) => row && row[1] !== "");
}

/** Binds the page; gives a function that undoes it all. */
export function mount(page, reveal) {
  const ledger = JSON.parse(page.getElementById("ledger").textContent);
  const entries = new Map(ledger.entries.map((entry) => [entry.n, entry]));
  const { words, repository } = ledger;
  const over = new AbortController();
  const listen = (target, type, handler) => target.addEventListener(type, handler, { signal: over.signal });
  const card = page.createElement("aside");
  const button = page.createElement("button");
  let on = false;
  let marked = null;

  card.id = "ledger-card";
  card.className = "ledger-card";
  card.hidden = true;
  card.setAttribute("role", "status");
  button.type = "button";
  button.className = "ledger-button";
  button.title = `${words.button} (${KEY})`;
  button.setAttribute("aria-label", words.button);
  button.textContent = KEY;
  page.body.append(button, card);
  toggle(false);

  listen(button, "click", () => toggle(!on));
  listen(page, "keydown", keyed);
  listen(page, "pointerover", (event) => on && show(markOf(event.target)));
  listen(page, "click", (event) => on && markOf(event.target) && show(markOf(event.target)));
  listen(page, "focusin", (event) => on && !card.contains(event.target) && show(markOf(event.target)));
  if (reveal) {
    reveal.on("slidechanged", refresh);
    reveal.addKeyBinding({ keyCode: KEY.toUpperCase().charCodeAt(0), key: KEY.toUpperCase(), description: words.button }, () => toggle(!on));
  }

  function keyed(event) {
    if (event.key === "Escape" && !card.hidden) {
      event.stopPropagation();
      hide();
    } else if (event.key === "Enter" && on && marked && event.target === marked) {
      card.querySelector("a")?.focus();
    } else if (!reveal && event.key === KEY && !event.target.matches("input, textarea, select") && !event.ctrlKey && !event.metaKey) {
      toggle(!on);
    }
  }

  function toggle(state) {
    on = state;
    page.documentElement.classList.toggle("ledger-on", on);
    button.setAttribute("aria-pressed", String(on));
    hide();
    refresh();
  }

  function refresh() {
    hide();
    for (const mark of page.querySelectorAll("[data-n][tabindex]")) mark.removeAttribute("tabindex");
    if (!on) return;
    const stage = reveal?.getCurrentSlide() ?? page;
    for (const mark of stage.querySelectorAll("[data-n]")) if (!mark.matches(".claim")) mark.setAttribute("tabindex", "0");
  }

  function markOf(target) {
    return target instanceof Element ? target.closest("[data-n]") : null;
  }

  function show(mark) {
    if (mark === marked) return;
    if (!mark) return card.matches(":hover") ? undefined : hide();
    const entry = look(entries, mark.dataset.n);
    if (!entry) return hide();
    marked?.removeAttribute("aria-describedby");
    marked = mark;
    mark.setAttribute("aria-describedby", card.id);
    card.replaceChildren(...lines(entry, words, repository).map(line), kind(entry));
    card.dataset.kind = entry.kind;
    card.hidden = false;
    place(mark.getBoundingClientRect());
  }

  function hide() {
    marked?.removeAttribute("aria-describedby");
    marked = null;
    card.hidden = true;
  }

  function line([label, text, address]) {
    const row = page.createElement("p");
    const name = page.createElement("b");
    const value = page.createElement(address ? "a" : "span");
    name.textContent = label;
    value.textContent = text;
    if (address) Object.assign(value, { href: address, target: "_blank", rel: "noopener" });
    row.append(name, " ", value);
    return row;
  }

  function kind(entry) {
    const row = page.createElement("p");
    row.className = "ledger-kind";
    row.textContent = words.kinds[entry.kind];
    return row;
  }

  /** Below the mark, or above it where there is no room; never outside the window. */
  function place(at) {
    const gap = 8;
    const { width, height } = card.getBoundingClientRect();
    const below = at.bottom + gap + height <= innerHeight;
    const left = Math.min(Math.max(gap, at.left), innerWidth - width - gap);
    card.style.left = `${left}px`;
    card.style.top = `${Math.max(gap, below ? at.bottom + gap : at.top - gap - height)}px`;
  }

  return () => {
    over.abort();
    toggle(false);
    if (reveal) {
      reveal.off("slidechanged", refresh);
      reveal.removeKeyBinding(KEY.toUpperCase().charCodeAt(0));
    }
    card.remove();
    button.remove();
  };
}

export function start() {
  if (!document.getElementById("ledger")) return;
  const reveal = window.Reveal;
  if (reveal && !reveal.isReady()) reveal.on("ready", () => mount(document, reveal));
  else mount(document, reveal ?? null);
}

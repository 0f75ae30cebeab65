// The speaker's window (key S): the same page, opened once more with `?speaker`. It shows the slide, which works there too,
// the next one whole, the notes, the clock, and the minutes of each act beside those planned. mirror.mjs keeps both alike.

import { store, stored } from "./session.mjs";
import { button, element, titleOf } from "./parts.mjs";
import { byAct, clock, going, pausing, plan, settled, stopped, total } from "./timer.mjs";

const NAME = "timer";
const SIZE = "width=1200,height=760";

export function mount(room) {
  const { parts, words } = room;
  let time = stored(NAME, stopped);
  let opened = null;
  parts.time = (told) => {
    time = told;
    store(NAME, time);
  };
  if (room.speaking) return desk(room, time);
  parts.timeAsked = () => time !== stopped && room.change({ time });
  room.tool("speaker", words.speaker, "S", open);
  room.key("S", words.speaker, open);

  /** Opens the window, or shows the one that is open; where the browser refuses, says what to do. */
  function open() {
    if (opened && !opened.closed) return opened.focus();
    const address = new URL(location.href);
    address.search = "?speaker";
    try {
      opened = window.open(address.href, "", SIZE);
    } catch {
      opened = null;
    }
    if (!opened || opened.closed) return room.tell(words.no_window);
    room.pair(opened);
  }

  return () => opened?.close();
}

/** All of the speaker's window; gives a function that takes it away. */
function desk(room, started) {
  const { page, reveal, words, acts, slides, parts, listen } = room;
  const ids = slides.map((slide) => slide.id);
  const root = element("main", "desk");
  const link = element("p", "desk-link");
  const now = element("p", "desk-clock");
  const spent = element("p", "desk-spent");
  const running = button("", words.begin, () => (time.since === null ? begin() : stop()));
  const table = element("table", "desk-acts");
  const next = element("div", "desk-next");
  const notes = element("section", "desk-notes");
  const seen = next.attachShadow({ mode: "open" });
  const dialog = element("dialog", "deck-dialog desk-plan");
  let time = started;

  page.documentElement.classList.add("speaker");
  page.title = `${words.speaker} · ${page.title}`;
  link.setAttribute("role", "status");
  notes.tabIndex = 0;
  notes.setAttribute("aria-label", words.notes);
  next.setAttribute("role", "img");
  const hands = element("p", "desk-hands");
  hands.append(running, button("", words.zero, zero), button("", words.rehearse, rehearse), button("", words.propose, propose));
  const side = element("section", "desk-side");
  side.setAttribute("aria-label", words.time);
  side.append(now, spent, hands, table);
  root.append(element("h1", "desk-title", words.speaker), link, next, side, notes);
  page.body.append(root, dialog);
  seen.append(...[...page.querySelectorAll("style")].map((sheet) => sheet.cloneNode(true)));
  listen(root, "keydown", (event) => [" ", "Enter"].includes(event.key) && event.target.matches("button") && event.stopPropagation());
  listen(dialog, "keydown", (event) => event.stopPropagation());
  reveal.on("slidechanged", come);
  parts.time = (told) => put(told, false);
  room.linked = (linked) => (link.textContent = linked ? "" : words.lost);
  const ticking = setInterval(tick, 1000);
  const sized = new ResizeObserver(() => next.style.setProperty("--shown", next.clientWidth / reveal.getConfig().width));
  sized.observe(next);
  reveal.layout();
  show();
  tick();

  function come() {
    const first = time.since === null && !Object.keys(time.spent).length;
    if (time.since !== null || first) put(going(time, reveal.getCurrentSlide().id, Date.now()));
    show();
  }

  function begin() {
    put(going(time, reveal.getCurrentSlide().id, Date.now()));
  }

  function stop() {
    put(pausing(time, Date.now()));
  }

  function zero() {
    put(stopped);
  }

  /** From the first slide on, with nothing counted yet. */
  function rehearse() {
    zero();
    reveal.slide(0);
    begin();
  }

  function put(changed, tell = true) {
    time = changed;
    store(NAME, time);
    if (tell) room.change({ time });
    tick();
  }

  function tick() {
    const at = Date.now();
    now.textContent = new Date(at).toLocaleTimeString(page.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    spent.textContent = `${words.spent} ${clock(total(time, at))}`;
    running.textContent = time.since === null ? words.begin : words.stop;
    table.replaceChildren(...rows(at));
  }

  /** An act a row, with the minutes used and planned; the current one stands out, and so does what is over its plan. */
  function rows(at) {
    const here = reveal.getCurrentSlide().id;
    const head = element("tr");
    head.append(...[words.act, words.used, words.planned].map((text) => scoped(element("th", "", text), "col")));
    return [head, ...byAct(time, at, acts, ids).map(({ name, slides, used, minutes }) => {
      const row = element("tr");
      const over = minutes && used > minutes;
      row.append(scoped(element("th", "", name), "row"), element("td", over ? "over" : "", clock(used * 60_000)), element("td", "", minutes ? `${minutes}:00` : "–"));
      if (over) row.children[1].append(` ${words.over}`);
      if (slides.includes(here)) row.setAttribute("aria-current", "true");
      return row;
    })];
  }

  function scoped(cell, scope) {
    cell.scope = scope;
    return cell;
  }

  function show() {
    const slide = reveal.getCurrentSlide();
    const texts = [...slide.querySelectorAll("aside.notes")].flatMap((note) => [...note.cloneNode(true).childNodes]);
    notes.replaceChildren(...(texts.length ? texts : [element("p", "", words.no_notes)]));
    notes.scrollTop = 0;
    preview(slides[slides.indexOf(slide) + 1]);
  }

  /** The next slide with all its steps, drawn from a copy that nothing else on the page meets. */
  function preview(slide) {
    next.setAttribute("aria-label", slide ? `${words.next_slide}: ${titleOf(slide)}` : words.end);
    seen.querySelector(".reveal")?.remove();
    const frame = element("div", "reveal");
    const canvas = element("div", "slides");
    frame.append(canvas);
    seen.append(frame);
    if (!slide) return void (canvas.textContent = words.end);
    const copy = slide.cloneNode(true);
    frame.inert = true; // to look at: its links and controls are those of the slide itself, once it is there
    for (const name of ["hidden", "style", "inert"]) copy.removeAttribute(name);
    for (const step of copy.querySelectorAll(".fragment")) step.classList.add("visible");
    for (const live of copy.querySelectorAll(".sim-live")) live.remove();
    canvas.append(copy);
  }

  /** What was used, slide by slide, and the plan that it makes, to be taken over into the deck's source. */
  function propose() {
    time = settled(time, Date.now());
    const list = element("ol");
    const lines = element("textarea");
    const taken = slides.filter((slide) => time.spent[slide.id]);
    list.append(...taken.map((slide) => element("li", "", `${slides.indexOf(slide) + 1} · ${titleOf(slide)}: ${clock(time.spent[slide.id])}`)));
    lines.value = plan(byAct(time, Date.now(), acts, ids));
    lines.readOnly = true;
    lines.rows = 4 * acts.length + 1;
    lines.setAttribute("aria-label", words.paste);
    dialog.setAttribute("aria-label", words.propose);
    dialog.replaceChildren(element("p", "", taken.length ? words.per_slide : words.nothing_yet), list, element("p", "", words.paste), lines, button("", words.close, () => dialog.close()));
    dialog.showModal();
    lines.select();
  }

  return () => {
    clearInterval(ticking);
    sized.disconnect();
    reveal.off("slidechanged", come);
    for (const one of [root, dialog]) one.remove();
  };
}

// Drawing over a slide, by pen, finger or mouse. What is drawn stays on its slide until it is cleared, over a reload too:
// lines on the canvas, in the colours of the theme. Keys, while the pen is out: 1, 2, … a colour, Z takes back, Delete clears.

import { onCanvas } from "./hand.mjs";
import { store, stored } from "./session.mjs";
import { button, element } from "./parts.mjs";

const NAME = "drawing";
const SVG = "http://www.w3.org/2000/svg";

/** A line as the path of an SVG: `[1, 2, 3, 4]` -> "M1 2 3 4"; one point is a dot. */
export function path(points) {
  return `M${points.join(" ")}${points.length === 2 ? "h.1" : ""}`;
}

export function mount(room) {
  const { page, reveal, words, listen, slides } = room;
  const root = page.documentElement;
  const colours = room.words.colours;
  const drawings = stored(NAME, {}); // by slide, its lines: [colour, [x, y, x, y, …]]
  const sheet = element("div", "draw-sheet");
  const pens = colours.map((colour, n) => button(`pen pen-${n}`, `${words.pen} ${n + 1}`, () => choose(n), String(n + 1)));
  const palette = element("nav", "deck-palette");
  let on = false;
  let pen = 0;
  let line = null; // what is being drawn

  sheet.hidden = palette.hidden = true;
  palette.setAttribute("aria-label", words.drawing);
  pens.forEach((one, n) => one.style.setProperty("color", `var(--${colours[n]})`));
  palette.append(...pens, button("undo", words.undo, undo, "Z"), button("clear", words.clear, clear, "Delete"));
  page.body.append(sheet, palette);
  const tool = room.tool("pen", words.drawing, "D", () => toggle());
  tool.setAttribute("aria-pressed", "false");
  room.key("D", words.drawing, () => toggle());
  room.parts.drawing = ([id, lines]) => put(id, lines);
  room.parts.asked = () => Object.entries(drawings).forEach((one) => room.change({ drawing: one }));
  listen(sheet, "pointerdown", begin);
  listen(sheet, "pointermove", go);
  for (const type of ["pointerup", "pointercancel"]) listen(sheet, type, end);
  listen(page, "keydown", keyed, { capture: true });
  listen(page, "deckview", () => room.presenting() || toggle(false));
  choose(0);
  slides.forEach(show);

  function toggle(wanted = !on) {
    on = wanted && room.presenting() && !reveal.isOverview();
    sheet.hidden = palette.hidden = !on;
    root.classList.toggle("drawing-on", on);
    tool.setAttribute("aria-pressed", String(on));
    if (on) room.tell(words.drawing_keys);
  }

  function choose(n) {
    pen = n;
    pens.forEach((one, i) => one.setAttribute("aria-pressed", String(i === n)));
  }

  function lines(id = reveal.getCurrentSlide().id) {
    return drawings[id] ?? [];
  }

  function begin(event) {
    event.preventDefault();
    sheet.setPointerCapture(event.pointerId);
    line = [colours[pen], onCanvas(reveal.getCurrentSlide(), event)];
    draw([...lines(), line]);
  }

  function go(event) {
    if (!line) return;
    const to = onCanvas(reveal.getCurrentSlide(), event);
    if (to[0] === line[1].at(-2) && to[1] === line[1].at(-1)) return;
    line[1].push(...to);
    draw(lines());
  }

  function end() {
    line = null;
    store(NAME, drawings);
  }

  function undo() {
    draw(lines().slice(0, -1));
    end();
  }

  function clear() {
    draw([]);
    end();
  }

  function draw(all) {
    const { id } = reveal.getCurrentSlide();
    put(id, all);
    room.change({ drawing: [id, all] });
  }

  function put(id, all) {
    const slide = slides.find((one) => one.id === id);
    if (!slide) return;
    if (all.length) drawings[id] = all;
    else delete drawings[id];
    if (!line) store(NAME, drawings);
    show(slide);
  }

  function show(slide) {
    const all = lines(slide.id);
    const old = slide.querySelector(":scope > .drawing");
    if (!all.length) return old?.remove();
    const svg = old ?? page.createElementNS(SVG, "svg");
    svg.setAttribute("class", "drawing");
    svg.setAttribute("aria-hidden", "true");
    svg.replaceChildren(...all.map(([colour, points]) => {
      const made = page.createElementNS(SVG, "path");
      made.setAttribute("d", path(points));
      made.style.stroke = `var(--${colour})`;
      return made;
    }));
    if (!old) slide.append(svg);
  }

  function keyed(event) {
    if (!on || event.altKey || event.target.closest?.("input, textarea, dialog")) return;
    const plain = !event.ctrlKey && !event.metaKey;
    const n = plain ? "123456789".indexOf(event.key) : -1;
    if (n >= 0 && n < colours.length) choose(n);
    else if (event.key.toLowerCase() === "z") undo();
    else if (plain && (event.key === "Delete" || event.key === "Backspace")) clear();
    else if (event.key === "Escape") toggle(false);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  return () => {
    toggle(false);
    for (const one of [sheet, palette, ...page.querySelectorAll(".drawing")]) one.remove();
  };
}

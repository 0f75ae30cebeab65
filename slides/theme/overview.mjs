// The overview as a grid, a row an act, all of it in sight. The slides are reveal's own, moved by the sheet; over them lie
// buttons with their titles, which the arrows walk through.

import { element, titleOf } from "./parts.mjs";

const EDGE = 8; // pixels around a slide of the grid
const TITLE = 34; // below it, for two lines of its title at least, or none
const TITLES = 52; // and for three at most
const ACT = 22; // above a row, for the act's name
const WIDTH = 1280 / 720;

/** The rows: the numbers of the slides of each act; before the first act, and without acts, as many as fit a square. */
export function rows(ids, acts) {
  const firsts = acts.map((act) => ids.indexOf(act.first)).filter((n) => n >= 0);
  if (!firsts.length) {
    const most = Math.ceil(Math.sqrt(ids.length));
    return Array.from({ length: Math.ceil(ids.length / most) }, (_, row) => ids.map((_, n) => n).slice(row * most, (row + 1) * most));
  }
  const starts = [0, ...firsts.slice(1)];
  return starts.map((start, row) => ids.map((_, n) => n).slice(start, starts[row + 1]));
}

/** How wide a slide is, so that rows of such lengths fit a window, and how much is left for its title: pixels. */
export function fitting(grid, width, height, head) {
  const most = Math.max(...grid.map((row) => row.length));
  const across = (width - EDGE) / most - EDGE;
  const high = (height - EDGE) / grid.length - head - EDGE;
  const wide = Math.max(24, Math.min(across, high * WIDTH));
  const left = high - wide / WIDTH;
  return { wide, below: left < TITLE ? 0 : Math.min(left, TITLES) };
}

export function mount(room) {
  const { page, reveal, words, acts, slides, listen } = room;
  const grid = rows(slides.map((slide) => slide.id), acts);
  const layer = element("nav", "overview-grid");
  const head = acts.length ? ACT : 0;

  layer.hidden = true;
  layer.setAttribute("aria-label", words.overview);
  page.querySelector(".reveal").append(layer);
  reveal.on("overviewshown", open);
  reveal.on("overviewhidden", close);
  listen(window, "resize", () => reveal.isOverview() && lay());
  listen(layer, "keydown", keyed);

  function open() {
    for (const slide of slides) slide.inert = true; // their buttons stand for them
    fill();
    layer.hidden = false;
    lay();
    layer.querySelectorAll("button")[slides.indexOf(reveal.getCurrentSlide())].focus();
  }

  function close() {
    layer.hidden = true;
    layer.replaceChildren();
  }

  function fill() {
    layer.replaceChildren(...grid.flatMap((row, r) => [
      ...(acts[r] ? [element("p", "overview-act", `${r + 1} · ${acts[r].name}`)] : []),
      ...row.map(entry),
    ]));
  }

  function entry(n) {
    const made = element("button", "overview-slide");
    made.type = "button";
    made.append(element("span", "", `${n + 1} · ${titleOf(slides[n])}`));
    if (slides[n] === reveal.getCurrentSlide()) made.setAttribute("aria-current", "true");
    made.addEventListener("click", () => {
      reveal.toggleOverview(false);
      reveal.slide(n);
    });
    return made;
  }

  function lay() {
    const { clientWidth, clientHeight } = layer;
    const { wide, below } = fitting(grid, clientWidth, clientHeight, head);
    const high = wide / WIDTH;
    const names = layer.querySelectorAll(".overview-act");
    const buttons = layer.querySelectorAll(".overview-slide");
    grid.forEach((row, r) => {
      const top = EDGE + r * (head + high + below + EDGE) + head;
      if (names[r]) Object.assign(names[r].style, { left: `${EDGE}px`, top: `${top - head}px` });
      row.forEach((n, c) => {
        const left = EDGE + c * (wide + EDGE);
        Object.assign(buttons[n].style, { left: `${left}px`, top: `${top}px`, width: `${wide}px`, height: `${high + below}px`, paddingTop: `${high + 2}px` });
        slides[n].style.setProperty("--place", `translate(${left}px, ${top}px) scale(${wide / slides[n].offsetWidth})`);
      });
    });
  }

  /** Left and right to the slide beside, up and down to the act above and below. */
  function keyed(event) {
    const buttons = [...layer.querySelectorAll(".overview-slide")];
    const n = buttons.indexOf(page.activeElement);
    const r = grid.findIndex((row) => row.includes(n));
    const beside = (row) => row && row[Math.min(grid[r].indexOf(n), row.length - 1)];
    const goals = { ArrowLeft: n - 1, ArrowRight: n + 1, ArrowUp: beside(grid[r - 1]), ArrowDown: beside(grid[r + 1]), Home: 0, End: buttons.length - 1 };
    if (event.key === "Enter" || event.key === " ") return event.stopPropagation();
    if (!(event.key in goals)) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[goals[event.key]]?.focus();
  }

  return () => {
    reveal.off("overviewshown", open);
    reveal.off("overviewhidden", close);
    layer.remove();
  };
}

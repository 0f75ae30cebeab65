// A slide with more on it than it holds, because somebody's sentence is longer than the lecture's, is set tighter, step by
// step, until it fits; `section[data-fit]` in deck.css says how. A slide that fits is left as it is.

import { reading } from "./view.mjs";

const STEPS = 4;
const FOOTER = 40; // the lowest pixels of a slide: the deck's name and the slide's number
const ROUNDING = 1;

/** Whether anything of the slide stands in the footer or sticks out of its column. */
export function isFull(slide) {
  const frame = slide.getBoundingClientRect();
  const scale = frame.height / slide.offsetHeight || 1;
  const floor = slide.offsetHeight - FOOTER + ROUNDING;
  const low = [...slide.children].some((part) => (part.getBoundingClientRect().bottom - frame.top) / scale > floor);
  const wide = [slide, ...slide.querySelectorAll(".column")].some((box) => box.scrollWidth > box.clientWidth + ROUNDING);
  return low || wide;
}

/** Sets the slide as tight as it must be, and no tighter; the step taken, 0 where none was needed. */
export function fit(slide) {
  slide.removeAttribute("data-fit");
  if (isFull(slide)) slide.querySelectorAll(".token").forEach(breakable);
  for (let step = 1; step <= STEPS && isFull(slide); step += 1) slide.dataset.fit = step;
  return Number(slide.dataset.fit ?? 0);
}

/** A chip of several words may be broken between them: `o␣gato` has no space to break at. */
function breakable(chip) {
  const [first, ...others] = chip.textContent.split(/(?<=.)(?=␣)/);
  chip.replaceChildren(first, ...others.flatMap((word) => [document.createElement("wbr"), word]));
}

/** Binds the deck; gives a function that undoes it all. */
export function mount(page, reveal) {
  const slides = [...page.querySelectorAll(".reveal .slides section.slide")];
  const bound = { slidechanged: settle, overviewshown: settle, "pdf-ready": settle };
  for (const [event, handler] of Object.entries(bound)) reveal.on(event, handler);
  page.addEventListener("deckview", settle);
  settle();

  /** Now, and again once the fonts that the slide asks for are there. */
  function settle() {
    refit();
    page.fonts.ready.then(refit);
  }

  function refit() {
    for (const slide of fitted()) if (fit(slide)) onePage(slide);
  }

  /** The slides that stand on a canvas now; a text to read has none. */
  function fitted() {
    if (page.documentElement.classList.contains("on-paper") || reveal.isOverview() || reveal.isPrintView()) return slides;
    if (!reading(page)) return slides.filter((slide) => slide === reveal.getCurrentSlide());
    for (const slide of slides) slide.removeAttribute("data-fit");
    return [];
  }

  /** On paper a slide that didn't fit was given more pages before it was fitted: it needs one. */
  function onePage(slide) {
    const paper = slide.closest(".pdf-page");
    if (paper && !isFull(slide)) paper.style.height = `${slide.offsetHeight + reveal.getConfig().pdfPageHeightOffset}px`;
  }

  return () => {
    for (const [event, handler] of Object.entries(bound)) reveal.off(event, handler);
    page.removeEventListener("deckview", settle);
    for (const slide of slides) slide.removeAttribute("data-fit");
  };
}

// The deck as a text to read: the slides one below another, for a narrow screen, for who zooms, for paper. It is the same
// page: a class says how it looks (reading.css), and nothing is moved or built anew, so that a phone may be turned and a
// page printed without loss. Also the tools for hand and finger. Other scripts hear of a change by the event `deckview`.

import { button } from "./parts.mjs";
import { reading, showReading } from "./view.mjs";
import { store, stored } from "./session.mjs";
import { zoomed } from "./zoom.mjs";

const NARROW = "(max-width: 435px), (max-width: 700px) and (orientation: portrait)";
const IDLE = 2500; // ms after which the tools go when nothing moves
const KEY = "r";
const WISH = "deck-view";

/** Binds the deck; gives a function that undoes it all. `words` names the tools. */
export function mount(page, reveal, words) {
  const window = page.defaultView;
  const root = page.documentElement;
  const narrow = window.matchMedia(NARROW);
  const large = zoomed(window);
  const speaking = new URLSearchParams(window.location.search).has("speaker"); // that window always shows a slide
  const slides = [...page.querySelectorAll(".reveal .slides > section")];
  const over = new AbortController();
  const listen = (target, type, handler, options = {}) => target.addEventListener(type, handler, { ...options, signal: over.signal });
  const config = reveal.getConfig();
  const keys = config.keyboardCondition;
  const tools = toolbar();
  let wish = stored(WISH); // "slides", "reading", or nothing: the screen decides
  let at = null; // the slide that is being read
  let idle = 0;

  page.body.append(tools);
  config.keyboardCondition = (event) => !reading(page) && (typeof keys === "function" ? keys(event) : true);
  reveal.addKeyBinding({ keyCode: KEY.toUpperCase().charCodeAt(0), key: KEY.toUpperCase(), description: words.reading }, toggle);
  listen(narrow, "change", settle);
  listen(window, "resize", settle);
  listen(window, "keydown", keyed);
  listen(window, "hashchange", () => reading(page) && go(addressed()));
  listen(window, "scroll", follow, { passive: true });
  listen(window, "beforeprint", toPaper);
  listen(window, "afterprint", fromPaper);
  for (const type of ["pointermove", "pointerdown"]) listen(page, type, wake, { passive: true });
  reveal.on("slidechanged", reachable);
  settle();

  /** The looks that wish and screen ask for, at the same slide as before. */
  function settle() {
    const presenting = speaking || (wish ? wish === "slides" : !narrow.matches && !large());
    if (reveal.isPrintView() || presenting === !reading(page)) return reachable();
    if (presenting) leave();
    else enter();
  }

  function enter() {
    at = reveal.getCurrentSlide();
    showReading(true, page);
    page.querySelector(".reveal").setAttribute("data-prevent-swipe", "");
    changed();
    at?.scrollIntoView();
  }

  function leave() {
    showReading(false, page);
    page.querySelector(".reveal").removeAttribute("data-prevent-swipe");
    window.scrollTo(0, 0);
    reveal.layout();
    if (at) reveal.slide(slides.indexOf(at));
    changed();
  }

  function changed() {
    reachable();
    dress(tools.querySelector(".view"), reading(page) ? "▭" : "Aa", reading(page) ? words.slides : words.reading);
    page.dispatchEvent(new window.Event("deckview"));
  }

  function toggle() {
    wish = reading(page) ? "slides" : "reading";
    store(WISH, wish);
    settle();
  }

  /** Reveal hides all slides but one from screen readers; here all are read. */
  function reachable() {
    if (!reading(page)) return;
    for (const slide of slides) {
      slide.removeAttribute("hidden");
      slide.removeAttribute("aria-hidden");
      slide.inert = false;
    }
  }

  /** While reading, the address follows what is read, so that it can be sent and kept. */
  function follow() {
    if (!reading(page) || root.classList.contains("on-paper")) return;
    const line = window.innerHeight / 3;
    const read = slides.findLast((slide) => slide.getBoundingClientRect().top <= line) ?? slides[0];
    if (read === at) return;
    at = read;
    window.history.replaceState(null, "", read.id && read !== slides[0] ? `#/${read.id}` : window.location.pathname + window.location.search);
  }

  function addressed() {
    const [name] = decodeURIComponent(window.location.hash.replace(/^#\/?/, "")).split("/"); // after it may stand a step of the slide
    return slides.find((slide) => slide.id === name) ?? slides[Number(name)] ?? null;
  }

  function go(slide) {
    if (!slide) return;
    at = slide;
    slide.scrollIntoView();
  }

  function keyed(event) {
    if (event.defaultPrevented || !reading(page)) return; // the key that reveal had just now
    if (event.key.toLowerCase() !== KEY || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.target.closest?.("input, textarea, select")) toggle();
  }

  /** Each slide on a page of its own, as reveal's own print view has it. */
  function toPaper() {
    if (reveal.isPrintView() || (reading(page) && wish === "reading")) return;
    at = reading(page) ? at : reveal.getCurrentSlide();
    root.classList.add("on-paper");
    showReading(true, page);
    const sheet = page.createElement("style");
    sheet.className = "paper-size";
    sheet.textContent = `@page { size: ${config.width}px ${config.height}px; margin: 0; }`;
    page.head.append(sheet);
    slides.forEach((slide, number) => (slide.dataset.page = `${number + 1} / ${slides.length}`));
    changed();
  }

  function fromPaper() {
    if (!root.classList.contains("on-paper")) return;
    root.classList.remove("on-paper");
    page.querySelector(".paper-size").remove();
    const slide = at;
    settle();
    if (!reading(page)) return;
    changed();
    go(slide);
  }

  function wake() {
    tools.classList.add("shown");
    clearTimeout(idle);
    idle = setTimeout(() => tools.classList.remove("shown"), IDLE);
  }

  function toolbar() {
    const bar = page.createElement("nav");
    bar.className = "deck-tools";
    bar.setAttribute("aria-label", words.tools);
    bar.append(
      button("previous for-slides", words.previous, () => reveal.prev(), "PageUp"),
      button("next for-slides", words.next, () => reveal.next(), "PageDown"),
      button("overview for-slides", words.overview, () => reveal.toggleOverview(), "O"),
      button("reading view", words.reading, toggle),
    );
    dress(bar.querySelector(".view"), "Aa", words.reading);
    return bar;
  }

  function dress(button, sign, name) {
    button.textContent = sign;
    button.title = name;
    button.setAttribute("aria-label", name);
  }

  return () => {
    over.abort();
    clearTimeout(idle);
    config.keyboardCondition = keys;
    reveal.off("slidechanged", reachable);
    reveal.removeKeyBinding(KEY.toUpperCase().charCodeAt(0));
    tools.remove();
    showReading(false, page);
  };
}

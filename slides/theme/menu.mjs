// The menu that Quarto gives a deck (key M): in the page's language, with the titles as they stand on the slides, no stop for
// Tab while it is closed, and no view that would build the slides anew. A deck without a menu is left as it is.

import { translate } from "./help.mjs";

const OURS = { speakerMode: "S", fullscreen: "F" }; // tools of Quarto's that the deck has keys of its own for
const TITLE = "h1, h2, h3";
const SPOKEN_TWICE = "annotation, annotation-xml"; // the source of a formula, which MathML carries beside it

/** Binds the menu; gives a function that undoes it all. */
export function mount(page, reveal, words) {
  const menu = page.querySelector(".slide-menu-wrapper");
  if (!menu) return () => {};
  const settle = () => (menu.inert = !page.body.classList.contains("slide-menu-active"));
  const watched = new MutationObserver(settle);

  menu.querySelector(".slide-menu").setAttribute("aria-label", words.menu);
  for (const part of menu.querySelectorAll(".slide-menu-toolbar, .slide-menu-custom-panel")) translate(part, words);
  for (const item of menu.querySelectorAll("[data-slide-h]")) entitle(item, reveal);
  for (const link of menu.querySelectorAll("[onclick*=toggleScrollView]")) toRead(link, page, reveal);
  for (const [name, key] of Object.entries(OURS)) {
    for (const link of menu.querySelectorAll(`[onclick*=${name}]`)) take(link, reveal, () => reveal.triggerKey(key.charCodeAt(0)));
  }
  watched.observe(page.body, { attributeFilter: ["class"] });
  settle();

  return () => {
    watched.disconnect();
    menu.inert = false;
  };
}

/** The item with its slide's title, formulas as formulas; one without a title stays as it is. */
function entitle(item, reveal) {
  const slide = reveal.getSlide(Number(item.dataset.slideH), Number(item.dataset.slideV));
  const heading = slide?.querySelector(TITLE);
  if (!heading || slide.hasAttribute("data-menu-title")) return;
  const title = heading.cloneNode(true);
  title.querySelectorAll(SPOKEN_TWICE).forEach((source) => source.remove());
  title.querySelectorAll("[id], [tabindex]").forEach((part) => ["id", "tabindex"].forEach((name) => part.removeAttribute(name)));
  item.querySelector(".slide-menu-item-title").replaceChildren(...title.childNodes);
}

/** Reveal's scroll view would part the simulators from their slides: the view to read stands in its place, under its own name. */
function toRead(link, page, reveal) {
  const tool = page.querySelector(".deck-tools .reading");
  if (!tool) return link.closest("li").remove();
  link.lastChild.data = ` ${tool.title}`;
  take(link, reveal, () => tool.click());
}

/** Closes the menu and does something else than the link says. */
function take(link, reveal, act) {
  link.onclick = (event) => {
    event.preventDefault();
    reveal.getPlugin("menu").closeMenu();
    act();
  };
}

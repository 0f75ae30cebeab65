// The deck for those who don't see it, or don't use a mouse: only the slide that is shown takes focus and is read, and the
// page is a document, not an application, so that screen readers keep their reading keys. Knows only reveal's events.

import { reading } from "./view.mjs";

/** Binds the deck; gives a function that undoes it all. */
export function mount(page, reveal) {
  const root = page.querySelector(".reveal");
  const sections = [...page.querySelectorAll(".reveal .slides section")];
  const role = root.getAttribute("role");
  const bound = { slidechanged: settle, overviewshown: open, overviewhidden: settle };

  root.removeAttribute("role");
  for (const [event, handler] of Object.entries(bound)) reveal.on(event, handler);
  page.addEventListener("deckview", settle);
  settle();

  /** Only the slide that is shown, and what holds it, can be reached; to read, on paper and in the overview every one. */
  function settle() {
    const shown = reveal.getCurrentSlide();
    const everyOne = reveal.isOverview() || reveal.isPrintView() || reading(page);
    for (const section of sections) section.inert = !everyOne && section !== shown && !section.contains(shown);
  }

  function open() {
    for (const section of sections) section.inert = false;
  }

  return () => {
    for (const [event, handler] of Object.entries(bound)) reveal.off(event, handler);
    page.removeEventListener("deckview", settle);
    open();
    if (role) root.setAttribute("role", role);
  };
}

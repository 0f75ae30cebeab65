// What any page owes to who uses no mouse: whatever scrolls sideways has a name and takes the Tab key, the links beside headings
// say where they lead, a listing that was copied says so, and one link leads past the table of contents.

const WIDE = "pre, code, p, div, figure, section"; // what may scroll
const OWN = "a[href], button, input, select, textarea, summary, [tabindex]";
const TAKEN = "[data-scrolls], [role], [tabindex], [aria-hidden=true], aside.notes *"; // has a name and a stop, or needs none
const MARK = "data-scrolls";
const LONGEST = 80; // characters of a name

/** Binds the page; gives a function that undoes it all. `words` are its texts. */
export function mount(page, words) {
  const window = page.defaultView;
  const over = new AbortController();
  const heard = page.createElement("p");
  const grown = new ResizeObserver(later);
  const changed = new MutationObserver(later);
  let asked = 0;

  heard.className = "page-heard";
  heard.setAttribute("role", "status");
  page.body.append(heard);
  page.addEventListener("click", copied, { signal: over.signal });
  for (const event of ["deckview", "toggle"]) page.addEventListener(event, later, { signal: over.signal, capture: true });
  grown.observe(page.body);
  for (const part of page.querySelectorAll(".sim, .reveal")) changed.observe(part, { childList: true, subtree: part.matches(".sim") });
  const skip = leadPast();
  page.fonts.ready.then(later);
  later();

  /** Once for all that happens until the next picture. */
  function later() {
    window.cancelAnimationFrame(asked);
    asked = window.requestAnimationFrame(settle);
  }

  function settle() {
    for (const box of page.querySelectorAll(`[${MARK}]`)) if (!scrolls(box)) release(box);
    for (const box of page.querySelectorAll(WIDE)) if (!box.matches(TAKEN) && scrolls(box) && !hasStop(box)) hold(box);
    for (const link of page.querySelectorAll(".anchorjs-link")) {
      link.setAttribute("aria-label", `${words.link}: ${text(link.parentElement).replace(/ ?#$/, "")}`);
    }
  }

  function hasStop(box) {
    return [...box.querySelectorAll(OWN)].some((one) => one.checkVisibility({ visibilityProperty: true }));
  }

  function scrolls(box) {
    const isWide = box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(window.getComputedStyle(box).overflowX);
    return isWide || (box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(window.getComputedStyle(box).overflowY));
  }

  function hold(box) {
    box.setAttribute(MARK, "");
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", nameOf(box));
  }

  function release(box) {
    for (const name of [MARK, "tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }

  function nameOf(box) {
    const table = box.querySelector("table");
    const formula = box.querySelector("math");
    const picture = box.querySelector("svg[aria-label]");
    if (table) return said(words.table, text(table.caption));
    if (box.matches("pre, code")) return said(words.code, text(box));
    if (picture) return said(words.picture, picture.getAttribute("aria-label"));
    return formula ? said(words.formula, formula.getAttribute("aria-label")) : said(words.wide, text(box));
  }

  function said(kind, what) {
    const whole = [kind, what].filter(Boolean).join(": ");
    return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1)}…` : whole;
  }

  function text(element) {
    return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
  }

  function copied(event) {
    if (!event.target.closest?.(".code-copy-button")) return;
    heard.textContent = "";
    window.setTimeout(() => (heard.textContent = words.copied), 50); // said again, even where it was just said
  }

  /** The first stop of a page with a table of contents. */
  function leadPast() {
    const main = page.querySelector("main");
    if (!main || !page.querySelector("nav#TOC")) return null;
    const link = page.createElement("a");
    link.className = "page-skip";
    link.href = `#${main.id}`;
    link.textContent = words.skip;
    link.addEventListener("click", () => main.focus());
    main.tabIndex = -1;
    page.body.prepend(link);
    return link;
  }

  return () => {
    over.abort();
    grown.disconnect();
    changed.disconnect();
    window.cancelAnimationFrame(asked);
    for (const box of page.querySelectorAll(`[${MARK}]`)) release(box);
    heard.remove();
    skip?.remove();
  };
}

export function start() {
  const words = document.querySelector("#page-script")?.dataset.words;
  if (words) mount(document, JSON.parse(words));
}

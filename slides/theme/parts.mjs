// Small parts of a page that several scripts of the deck need: elements, buttons with a drawn sign, a message for all.

const SIGNS = {
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  overview: "M4 5h16v14H4zM4 12h16M12 5v14",
  pen: "M5 19l1-5L16 4l4 4L10 18z",
  pointer: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3",
  speaker: "M3 5h18v11H3zM8 20h8M12 16v4",
  jump: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5",
  undo: "M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3",
  clear: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
};

export function element(tag, name = "", text = "", ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  made.append(...children);
  return made;
}

/** A slide's title as it is said: a formula in words. */
export function titleOf(slide) {
  return slide.dataset.titleSaid ?? (slide.querySelector("h1, h2")?.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** A button that shows a sign, or its text; `key` is named in its tip. */
export function button(name, text, act, key = "") {
  const made = element("button", name);
  made.type = "button";
  const sign = SIGNS[name.split(" ")[0]];
  if (!sign) made.textContent = text;
  else made.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${sign}"/></svg>`;
  if (sign) made.setAttribute("aria-label", text);
  if (sign) made.title = key ? `${text} (${key})` : text;
  made.addEventListener("click", act);
  return made;
}

/** Says something to everyone: it stands over the slides until a key or a click, and screen readers hear it. */
export function teller(page) {
  const line = element("p", "deck-notice");
  line.setAttribute("role", "status");
  page.body.append(line);
  const clear = () => (line.textContent = "");
  const tell = (text) => (line.textContent = text);
  page.addEventListener("pointerdown", clear);
  page.addEventListener("keydown", clear, { capture: true });
  return { tell, remove: () => line.remove() };
}

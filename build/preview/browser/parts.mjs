// Small parts of the preview: elements, which slide a title is of.

// element("p", { class: "a", click: act }, "text"): a function is a listener, true an attribute without a value.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  made.dataset.preview = "";
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// The slide or section whose title, as its source has it, shares the most words with this one; or the one with this id.
export function titled(title) {
  if (!title) return null;
  const byId = document.getElementById(title);
  if (byId) return byId.closest("section");
  const wanted = wordsOf(title);
  const scored = [...document.querySelectorAll("section:has(> :is(h1, h2, h3))")].map((section) => {
    const has = wordsOf(section.querySelector("h1, h2, h3").textContent);
    return [wanted.filter((word) => has.includes(word)).length / Math.max(wanted.length, has.length, 1), section];
  });
  const [score, section] = scored.reduce((best, one) => (one[0] > best[0] ? one : best), [0, null]);
  return score > 0.3 ? section : null;
}

function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

// Puts a newer page in the place of an older one, as far as they differ: what is the same stays the same element, with its focus,
// its state and all that scripts have bound to it. Both texts are the server's; the page itself holds more, which scripts put there.

const NUMBER = / data-n="[^"]*"/g; // of entries in the ledger: one more on an earlier slide moves them all
const ROOTS = ".reveal .slides, main, body";
const OUTSIDE = "script[type='application/json']#ledger";

// Patches the document, and tells whether it could: another script, other slides or another frame want the page loaded anew.
export function patch(was, now) {
  const [old, next] = [was, now].map((text) => new DOMParser().parseFromString(text, "text/html"));
  const roots = [document, old, next].map(rootOf);
  if (scripts(old) !== scripts(next) || frame(old) !== frame(next) || order(roots[1]) !== order(roots[2])) return false;
  styles(old, next);
  document.title = next.title;
  const ledger = document.querySelector(OUTSIDE);
  if (ledger) ledger.textContent = next.querySelector(OUTSIDE).textContent;
  const back = whereabouts();
  const changed = children(...roots);
  settle(changed);
  back();
  return true;
}

function rootOf(page) {
  return ROOTS.split(", ").map((one) => page.querySelector(one)).find(Boolean);
}

function scripts(page) {
  const run = [...page.querySelectorAll("script:not([type='application/json'], #preview-script)")];
  return run.map((one) => JSON.stringify(one.dataset) + one.textContent).join("\n");
}

// The page around its slides or its text, without what is patched apart.
function frame(page) {
  const copy = page.body.cloneNode(true);
  copy.querySelectorAll(`script, ${ROOTS.replace(", body", "")}`).forEach((one) => one.remove());
  return copy.innerHTML;
}

function order(root) {
  return root.closest(".reveal") ? [...root.children].map((one) => one.id).join() : "";
}

function styles(old, next) {
  const [before, after] = [old, next].map((page) => [...page.querySelectorAll("style")]);
  const here = [...document.querySelectorAll("style")];
  after.forEach((one, i) => {
    if (one.textContent === before[i]?.textContent) return;
    const live = one.id ? document.getElementById(one.id) : here.find((style) => style.textContent === before[i]?.textContent);
    if (live) live.textContent = one.textContent;
  });
}

// Gives `live` the children of `now`, given that it has those of `was`; tells which sections changed.
function children(live, was, now) {
  const old = [...was.children];
  const mine = [];
  for (const one of live.children) {
    const next = old[mine.length];
    if (next && one.localName === next.localName && one.id === next.id) mine.push(one);
  }
  const paired = mine.length === old.length;
  if (!paired && live.matches(".slides")) throw new Error("these are other slides");
  const others = new Set([...live.children].filter((one) => !mine.includes(one))); // which scripts have put there
  const pool = paired ? old.map((one, i) => ({ key: keyOf(one), was: one, live: mine[i] })) : [];
  const take = (fits) => pool.splice(pool.findIndex(fits), 1)[0];
  const changed = [];
  const made = [...now.children].map((one) => {
    const key = keyOf(one);
    const same = pool.some((other) => other.key === key) && take((other) => other.key === key);
    if (same) return numbered(same.live, one);
    const alike = (other) => one.localName === "section" && other.was.id === one.id && other.was.localName === "section";
    const section = pool.some(alike) && take(alike);
    if (!section) return fresh(one, mine);
    attributes(section.live, section.was, one);
    changed.push(section.live, ...children(section.live, section.was, one));
    return section.live;
  });
  for (const one of paired ? pool.map((other) => other.live) : mine) one.remove();
  made.forEach((one, i) => {
    const at = [...live.children].filter((other) => !others.has(other))[i];
    if (at !== one) live.insertBefore(one, at ?? null);
  });
  return changed;
}

function keyOf(element) {
  return element.outerHTML.replace(NUMBER, "");
}

// The element as it is, its marks under their new numbers.
function numbered(live, now) {
  const marks = (element) => [element, ...element.querySelectorAll("[data-n]")].filter((one) => one.dataset.n);
  const [mine, next] = [marks(live), marks(now)];
  if (mine.length === next.length) mine.forEach((one, i) => (one.dataset.n = next[i].dataset.n));
  return live;
}

// An element of the newer page; a simulator in it that is as before stays the one that is alive.
function fresh(now, mine) {
  const made = document.importNode(now, true);
  const hosts = mine.flatMap((one) => [...(one.matches(".sim") ? [one] : []), ...one.querySelectorAll(".sim")]);
  const said = (host) => host.querySelector("script.sim-params")?.textContent;
  let whole = made;
  for (const host of [...(made.matches(".sim") ? [made] : []), ...made.querySelectorAll(".sim")]) {
    const alive = hosts.find((one) => said(one) === said(host));
    if (!alive) continue;
    if (host === made) whole = alive;
    else host.replaceWith(alive);
  }
  return whole;
}

function attributes(live, was, now) {
  for (const { name } of [...was.attributes]) if (!now.hasAttribute(name)) live.removeAttribute(name);
  for (const { name, value } of now.attributes) if (was.getAttribute(name) !== value) live.setAttribute(name, value);
}

// Where focus and scrolling are, as a function that takes them back there.
function whereabouts() {
  const focused = document.activeElement;
  const path = pathOf(focused);
  const step = window.Reveal?.getIndices();
  const seen = document.elementFromPoint(innerWidth / 2, 80)?.closest("section, h2, p");
  const top = seen?.getBoundingClientRect().top;
  return () => {
    if (step) Reveal.slide(step.h, step.v, step.f);
    if (seen?.isConnected && !document.documentElement.classList.contains("presenting")) scrollBy(0, seen.getBoundingClientRect().top - top);
    if (focused !== document.activeElement) (focused.isConnected ? focused : at(path))?.focus({ preventScroll: true });
  };
}

function pathOf(element) {
  const section = element?.closest("section[id]");
  const path = [];
  for (let one = element; section && one !== section; one = one.parentElement) path.unshift([...one.parentElement.children].indexOf(one));
  return { section: section?.id, path };
}

function at({ section, path }) {
  return path.reduce((one, i) => one?.children[i], section ? document.getElementById(section) : null);
}

// Lets reveal and the page's scripts know.
function settle(changed) {
  for (const section of changed) if (window.Reveal?.getSlides().includes(section)) Reveal.syncFragments(section);
  document.dispatchEvent(new CustomEvent("pagepatched"));
  document.dispatchEvent(new Event("deckview"));
}

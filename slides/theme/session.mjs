// What a reload gives back, for this page and this tab. Where the browser keeps nothing (a sandboxed frame), it lasts as long
// as the page.

const here = new Map();
const key = (name) => `${name} of ${location.pathname}`;

/** Keeps a value of JSON under a name. */
export function store(name, value) {
  here.set(name, value);
  try {
    sessionStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    // nothing to do: it lasts as long as the page
  }
}

/** The value kept under a name, or another where there is none that we have left. */
export function stored(name, otherwise = null) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name))) ?? here.get(name) ?? otherwise;
  } catch {
    return here.get(name) ?? otherwise;
  }
}

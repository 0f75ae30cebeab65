// Elements, formulas and scales.

const SVG = "http://www.w3.org/2000/svg";

// element("p", { class: "note" }, "text", child): an HTML element. A value of null or false leaves the attribute out.
export function element(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

// The same in SVG: svg("circle", { r: 4 }).
export function svg(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

// A picture of width x height units, hidden from screen readers: the texts beside it say the same.
export function picture(width, height, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, ...children);
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}

// Writes a text only where it changed, so that an input event costs no more layout than it must.
export function write(node, text) {
  if (node.firstChild?.nodeType === 3 && node.childNodes.length === 1) {
    if (node.firstChild.data !== text) node.firstChild.data = text;
  } else node.textContent = text;
  return node;
}

// Text with formulas between dollars as nodes: rich("divided by $√{d_k}$"). In a formula letters are italic, _k and _{kv}
// go down, ^x goes up and √{x} has its bar. A letter on the line carries itself as a class (Q carries q), so that the page's
// rules colour it where it stands for something that has a colour.
export function rich(text) {
  return text.split("$").map((part, i) => (i % 2 ? mathematics(part) : part));
}

// The words of formulas, as the page carries them.
const said = new Map();

export function teach(words) {
  for (const [formula, read] of Object.entries(words)) said.set(formula, read);
}

// The same in words, for names that are only heard: spoken("$√{d_k}$") -> "raiz quadrada de d k".
export function spoken(text) {
  return text.replace(/\$([^$]*)\$/g, (_, inside) => said.get(inside) ?? inside.replace(/[_^{}]/g, ""));
}

function mathematics(inside) {
  const name = said.get(inside);
  return element("span", { class: "sim-math", ...(name && { role: "img", "aria-label": name }) }, ...formula(inside));
}

// A straight scale and its way back: linear([0, 10], [0, 100])(5) -> 50, linear([0, 10], [0, 100]).back(50) -> 5
export function linear([from, to], [start, end]) {
  const scale = (x) => start + ((x - from) / (to - from)) * (end - start);
  scale.back = (y) => from + ((y - start) / (end - start)) * (to - from);
  return scale;
}

// Round steps that cut a range into at most `most` parts: steps(0, 256, 5) -> [0, 100, 200]
export function steps(from, to, most) {
  const raw = (to - from) / most;
  const ten = Number(`1e${Math.floor(Math.log10(raw))}`);
  const step = [1, 2, 5, 10].map((m) => m * ten).find((s) => s >= raw * (1 - 1e-12));
  const all = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) all.push(i * step);
  return all;
}

// A polyline's path; points that are not finite break it.
export function path(points) {
  let pen = "M";
  let text = "";
  for (const [x, y] of points) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) pen = "M";
    else {
      text += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = "L";
    }
  }
  return text;
}

function dressed(node, attributes, children) {
  set(node, attributes);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function formula(text, onLine = true) {
  return [...text.matchAll(/√\{([^}]*)\}|([_^])(\{[^}]*\}|.)|([A-Za-z])|([^A-Za-z_^√]+|√)/g)].map(
    ([, root, mark, inside, letter, other]) => {
      if (root) return element("span", { class: "sim-root" }, "√", element("span", {}, ...formula(root, onLine)));
      if (mark) return element(mark === "_" ? "sub" : "sup", {}, ...formula(inside.replace(/[{}]/g, ""), false));
      if (!letter) return other;
      return onLine ? element("span", { class: letter.toLowerCase() }, italic(letter)) : italic(letter);
    },
  );
}

// A letter as the math font's italic, which is a character of its own: italic("q") -> "𝑞"
export function italic(letter) {
  if (letter === "h") return "ℎ"; // the block of italics has a hole here, long filled elsewhere
  const [first, block] = letter < "a" ? ["A", 0x1d434] : ["a", 0x1d44e];
  return String.fromCodePoint(block + letter.charCodeAt(0) - first.charCodeAt(0));
}

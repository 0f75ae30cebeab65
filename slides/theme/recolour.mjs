// The colours of drawings for a dark deck: one that the theme has becomes the theme's dark one of the same name; a shade in
// between keeps its hue and its place between ground and ink, and what is written on it stays as legible as it was.

const PAINTED = ["fill", "stroke"];
const EVEN = 0.179; // the luminance on which black and white stand out alike: shades on either side of it change sides

/** Gives each part of these drawings its dark colour beside its light one; which shows is the page's `color-scheme`. */
export function recolour(root, drawings) {
  const wasDark = root.classList.contains("dark");
  root.classList.add("dark");
  const names = themed(root.ownerDocument);
  const dark = names.map((name) => valueOf(root, name));
  root.classList.remove("dark"); // the drawings' own colours, none of them taken from a dark theme
  const light = names.map((name) => valueOf(root, name));
  const known = new Map(names.map((_, i) => [light[i].join(), dark[i]]));
  const [ground, ink] = ["--ground", "--ink"].map((name) => [light[names.indexOf(name)], dark[names.indexOf(name)]]);
  const read = drawings.flatMap((drawing) => [drawing, ...drawing.querySelectorAll("*")]).flatMap(coloursOf);
  root.classList.toggle("dark", wasDark);
  for (const [part, property, text, colour] of read) {
    const [r, g, b] = known.get(colour.slice(0, 3).join()) ?? turned(colour, ground, ink);
    part.style[property] = `light-dark(${text}, rgb(${r} ${g} ${b} / ${colour[3] ?? 1}))`;
  }
}

/** The colour's counterpart: as far from the dark ground as it was from the light one, on the other side of the even shade. */
export function turned(colour, ground, ink) {
  const old = luminance(colour);
  const [from, to] = ground.map(luminance);
  const [first, last] = ink.map(luminance);
  const part = old > EVEN ? (old - EVEN) / (from - EVEN) : (EVEN - old) / (EVEN - first);
  const wanted = Math.min(1, Math.max(0, EVEN + Math.min(part, 1) * ((old > EVEN ? to : last) - EVEN)));
  if (part > 1) return colour.slice(0, 3).map((c) => 255 - c); // beyond both: white for black
  const made = colour.slice(0, 3).map(linear).map((c) => (wanted <= old ? (c * wanted) / old : c + ((1 - c) * (wanted - old)) / (1 - old)));
  return made.map((c) => Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)));
}

function luminance([r, g, b]) {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(c) {
  return c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
}

/** The names that the dark theme gives a colour. */
export function themed(page) {
  const rules = [...page.styleSheets].flatMap((sheet) => [...sheet.cssRules]).flatMap((rule) => [rule, ...(rule.cssRules ?? [])]);
  return [...rules.find((rule) => rule.selectorText === ":root.dark").style].filter((name) => name.startsWith("--"));
}

function valueOf(root, name) {
  const hex = getComputedStyle(root).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** What a part of a drawing is painted with, as [part, property, text, numbers]. */
function coloursOf(part) {
  const style = getComputedStyle(part);
  return PAINTED.map((name) => [part, name, style[name], style[name].match(/[\d.]+/g)?.map(Number)]).filter(([, , text]) => text.startsWith("rgb"));
}

// What can be seen of the slide that is shown: one record a fault, each with its kind, its text and what was measured.
// Lengths are pixels of the 1280x720 canvas, whatever the window's size.
({ width, height, footer, sizes }) => {
  const slide = Reveal.getCurrentSlide();
  const canvas = document.querySelector(".reveal .slides").getBoundingClientRect();
  const scale = canvas.width / width;
  const faults = [];
  const fault = (kind, element, measured) => {
    const text = (element.textContent || element.getAttribute?.("aria-label") || "").replace(/\s+/g, " ").trim();
    faults.push({ kind, element: element.nodeName.toLowerCase(), text: text.slice(0, 60), measured });
  };

  const box = (element) => {
    const r = element.getBoundingClientRect();
    const [left, right] = [r.left, r.right].map((x) => (x - canvas.left) / scale);
    const [top, bottom] = [r.top, r.bottom].map((y) => (y - canvas.top) / scale);
    return { left, top, right, bottom };
  };
  const isShown = (element) => {
    const style = getComputedStyle(element);
    const r = element.getBoundingClientRect();
    return style.visibility === "visible" && style.display !== "none" && Number(style.opacity) > 0 && r.width > 0 && r.height > 0;
  };
  const unspoken = "aside.notes, aside.notes *, annotation, script, style, template, [hidden], [hidden] *, defs, defs *, .figure-values:not([open]), .figure-values *";
  const shown = [...slide.querySelectorAll("*")].filter((element) => !element.matches(unspoken) && isShown(element));

  // Nothing outside the canvas or under the footer, nothing clipped, nothing to scroll.
  const floor = slide.id === "title-slide" ? height : height - footer;
  for (const element of shown) {
    if (element.closest("svg") && element.nodeName !== "svg" && element.nodeName !== "text") continue;
    if (element.closest("math") && element.nodeName.toLowerCase() !== "math") continue;
    const { left, top, right, bottom } = box(element);
    if (left < -1 || top < -1 || right > width + 1 || bottom > height + 1)
      fault("outside", element, `${left.toFixed()},${top.toFixed()} to ${right.toFixed()},${bottom.toFixed()}`);
    else if (bottom > floor + 1 && !element.closest(".crosslinks")) fault("footer", element, `ends at ${bottom.toFixed()}, the footer begins at ${floor}`);
    const frame = element.nodeName === "text" ? box(element.ownerSVGElement) : null;
    if (frame && (left < frame.left - 2 || top < frame.top - 2 || right > frame.right + 2 || bottom > frame.bottom + 2))
      fault("clipped", element, "cut off at the edge of its figure");
    if (!element.closest("svg, math") && element.clientHeight && getComputedStyle(element).overflow !== "visible") {
      if (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1)
        fault("clipped", element, `needs ${element.scrollWidth}x${element.scrollHeight}, has ${element.clientWidth}x${element.clientHeight}`);
    }
  }
  if (slide.scrollHeight > slide.clientHeight || slide.scrollWidth > slide.clientWidth)
    fault("scrolled", slide, `needs ${slide.scrollWidth}x${slide.scrollHeight}, has ${slide.clientWidth}x${slide.clientHeight}`);

  // Texts side by side, not on top of one another.
  const blocks = shown.filter((element) => element.matches("p, li, h2, h3, table, pre, svg, .question") && !element.closest("svg svg"));
  blocks.forEach((first, index) => {
    for (const second of blocks.slice(index + 1)) {
      if (first.contains(second) || second.contains(first)) continue;
      const [a, b] = [box(first), box(second)];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 3 && high > 3) fault("overlap", first, `${high.toFixed()} px over “${second.textContent.trim().slice(0, 40)}”`);
    }
  });

  // Sizes as painted, and contrast of each piece of text on what lies under it.
  const rgba = (colour) => {
    const whole = colour.startsWith("color(srgb") ? 255 : 1; // mixed colours come as parts of one
    const numbers = colour.match(/[\d.]+(?:e-\d+)?/g)?.map((part, i) => Number(part) * (i < 3 ? whole : 1)) ?? [0, 0, 0, 0];
    return numbers.length === 3 ? [...numbers, 1] : numbers;
  };
  const over = ([r, g, b, a], ground) => [r, g, b].map((c, i) => c * a + ground[i] * (1 - a)).concat(1);
  const luminance = (colour) =>
    colour
      .slice(0, 3)
      .map((c) => (c /= 255) && (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const groundOf = (element) => {
    const layers = [];
    for (let node = element; node; node = node.parentElement) {
      const colour = rgba(getComputedStyle(node).backgroundColor);
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    const own = slide.slideBackgroundElement ? rgba(getComputedStyle(slide.slideBackgroundElement).backgroundColor) : [0, 0, 0, 0];
    const base = over(own, rgba(getComputedStyle(document.querySelector(".reveal-viewport")).backgroundColor));
    return layers.reverse().reduce((ground, colour) => over(colour, ground), base);
  };
  const shapes = new Map();
  const groundInFigure = (text) => {
    const svg = text.ownerSVGElement;
    if (!shapes.has(svg)) {
      const filled = [...svg.querySelectorAll("path, rect, circle, ellipse, polygon")].filter((shape) => !shape.closest("defs, clipPath"));
      shapes.set(svg, filled.filter((shape) => getComputedStyle(shape).fill !== "none"));
    }
    const r = text.getBoundingClientRect();
    const middle = new DOMPoint(r.left + r.width / 2, r.top + r.height / 2);
    let ground = groundOf(svg);
    for (const shape of shapes.get(svg)) {
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
      const matrix = shape.getScreenCTM();
      if (!matrix || !shape.isPointInFill(middle.matrixTransform(matrix.inverse()))) continue;
      const style = getComputedStyle(shape);
      const [red, green, blue, alpha] = rgba(style.fill);
      ground = over([red, green, blue, alpha * style.fillOpacity * style.opacity], ground);
    }
    return ground;
  };
  const least = (element) => {
    if (element.closest(".small, .small *, caption, figcaption, .figure > p")) return sizes.small;
    if (element.closest("svg, table, pre, code, .token, .sim, .crosslinks")) return sizes.figure_small;
    return 24;
  };
  const walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest(unspoken) || !isShown(element)) continue;
    const style = getComputedStyle(element);
    const inFigure = element.closest("svg");
    const isScript = element.closest("sup, sub, msub > :nth-child(2), msup > :nth-child(2), msubsup > :nth-child(n + 2), mfrac, munder, mover");
    const isTspanScript = inFigure && element.nodeName === "tspan" && parseFloat(style.fontSize) < sizes.figure_small;
    const matrix = inFigure ? element.getScreenCTM?.() ?? inFigure.getScreenCTM() : null;
    const painted = parseFloat(style.fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) / scale : 1);
    if (!isScript && !isTspanScript && painted < least(element) - 0.3) fault("small", element, `${painted.toFixed(1)} px, needs ${least(element)}`);
    const ground = inFigure ? groundInFigure(element) : groundOf(element);
    const ink = over(rgba(inFigure ? style.fill : style.color), ground);
    if (contrast(ink, ground) < 4.45) fault("faint", element, `contrast ${contrast(ink, ground).toFixed(2)}`);
  }

  for (const picture of slide.querySelectorAll("svg, img")) {
    const name = picture.nodeName === "IMG" ? picture.alt : picture.getAttribute("aria-label");
    const isDecoration = picture.closest("[aria-hidden=true]");
    if (!isDecoration && (!name?.trim() || (picture.nodeName === "svg" && picture.getAttribute("role") !== "img")))
      fault("nameless", picture, "no role img with a text that stands for it");
  }

  const spoken = [...slide.querySelectorAll("[alt], [aria-label]")].map((e) => e.alt ?? e.getAttribute("aria-label")).join(" ");
  const words = `${slide.innerText} ${spoken}`;
  const traces = words.match(/np\.float\d+|(?<![\p{L}-])nan(?![\p{L}-])|\?var|\{python\}|\{\{<|undefined|\[object /u);
  if (traces) fault("trace", slide, `shows ${traces[0]}`);

  const heading = slide.querySelector("h1, h2");
  return { title: heading ? heading.innerText.trim() : "without a title", top: heading ? box(heading).top : null, faults };
}

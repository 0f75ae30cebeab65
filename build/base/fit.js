// What every slide of an open deck cuts: one record a slide that does, each of its faults with element, edge and pixels of the
// canvas. In the print view all slides stand there at once; else each is shown in turn, with all its steps and its simulators.
async () => {
  const LEFT_OUT = "aside.notes, annotation, annotation-xml, script, style, template, defs, section [hidden], .sim-heard, .figure-values";
  const LEAVES = "img, svg, canvas, video, iframe, object, button, input, select, textarea"; // what is seen, texts aside
  const WHOLES = [".sim", "table, pre, .figure, figure, math", "p, li, h1, h2, h3, h4, blockquote, dt, dd", "*"]; // what a fault is named by
  const BESIDE = ".column, .box, .question"; // what text must not leave sideways
  const FOOTER = 40; // the lowest pixels of a slide: the deck's name and the slide's number, as in slides/theme/fit.mjs
  const ROUNDING = 2;
  const LEAST = 15; // pixels of a drawing's text: under that the drawing was made too wide for its place, and shrunk

  const found = [];
  const slides = Reveal.getSlides();
  await document.fonts.ready;
  for (let frame = 0; frame < 3 && Reveal.isPrintView(); frame += 1) await new Promise(requestAnimationFrame); // reveal lays out in steps
  for (const [number, slide] of slides.entries()) {
    if (!Reveal.isPrintView()) await show(slide);
    const faults = [...cuts(slide).values()];
    if (faults.length) found.push({ number: number + 1, title: titleOf(slide), faults });
  }
  return found;

  async function show(slide) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v, 999);
    void slide.offsetHeight; // asks for the slide's fonts; once they are there, fit.mjs sets it as tight as it must be
    await document.fonts.ready;
  }

  function titleOf(slide) {
    return slide.dataset.titleSaid ?? brief(slide.querySelector("h1, h2, h3") ?? slide, 80);
  }

  function cuts(slide) {
    const { left, width } = slide.getBoundingClientRect(); // its height may be that of what stands on it
    const { top } = (slide.closest(".pdf-page") ?? slide.closest(".slides")).getBoundingClientRect();
    const scale = width / slide.offsetWidth || 1;
    const faults = new Map();
    const within = (box) => ({
      left: (box.left - left) / scale,
      top: (box.top - top) / scale,
      right: (box.right - left) / scale,
      bottom: (box.bottom - top) / scale,
    });
    const canvas = { left: 0, top: 0, right: slide.offsetWidth, bottom: Reveal.getConfig().height };
    const known = new Map();
    for (const [element, around, boxes] of seen(slide)) {
      if (!known.has(around)) known.set(around, [...limits(around, slide, canvas, within)]);
      for (const box of boxes.map(within)) for (const [edges, of] of known.get(around)) note(faults, element, slide, box, edges, of);
      if (element.localName === "text") small(faults, element, slide, scale);
    }
    return faults;
  }

  function small(faults, text, slide, scale) {
    const { a, b } = text.getScreenCTM();
    const painted = (parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b)) / scale;
    if (painted < LEAST) add(faults, text.ownerSVGElement, slide, { edge: "", of: "text", pixels: Math.round(painted) });
  }

  /** What is seen of a slide: each element, where it stands, and the boxes of its text, or its own. */
  function* seen(slide) {
    const walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isText = node.nodeType === Node.TEXT_NODE;
      const element = isText ? node.parentElement : node;
      const isDrawn = element.closest("svg") && element.closest("svg") !== element;
      if (isText ? !node.data.trim() || isDrawn : isDrawn ? element.localName !== "text" : !element.matches(LEAVES)) continue;
      if (element.closest(LEFT_OUT) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const boxes = (isText ? textBoxes(node) : [element.getBoundingClientRect()]).filter((box) => box.width > 0 && box.height > 0);
      yield [element, isText ? element : element.parentElement, boxes];
    }
  }

  function textBoxes(text) {
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()];
  }

  /** The edges that what stands in an element must keep within, each with what they are the edges of. */
  function* limits(element, slide, canvas, within) {
    yield [canvas, "slide"];
    const inFooter = !slide.matches(".slide") || element.closest(".crosslinks, .slide-number-pdf");
    if (!inFooter) yield [{ bottom: canvas.bottom - FOOTER }, "footer"];
    for (let box = element; box && box !== slide; box = box.parentElement) {
      if (box.closest("svg, math")) continue;
      const { overflowX, overflowY } = getComputedStyle(box);
      const { left, right, top, bottom } = within(box.getBoundingClientRect());
      if (box.matches(BESIDE)) yield [{ left, right }, box.className.split(" ")[0]];
      if (overflowX !== "visible") yield [{ left, right }, box.localName];
      if (overflowY !== "visible") yield [{ top, bottom }, box.localName];
    }
  }

  function note(faults, element, slide, box, edges, of) {
    for (const [edge, limit] of Object.entries(edges)) {
      const pixels = edge === "left" || edge === "top" ? limit - box[edge] : box[edge] - limit;
      if (pixels <= ROUNDING) continue;
      add(faults, element, slide, { edge, of, pixels: Math.round(pixels) });
    }
  }

  /** Of the faults of one thing at one edge the farthest stays, and what leaves the slide says more than that it lies in the footer. */
  function add(faults, element, slide, fault) {
    const whole = WHOLES.map((kind) => element.closest(kind)).find((one) => one && slide.contains(one) && one !== slide);
    const key = `${[...slide.querySelectorAll("*")].indexOf(whole)} ${fault.edge}`;
    const known = faults.get(key);
    if (known && (known.of === fault.of ? known.pixels >= fault.pixels : fault.of === "footer" || known.of === "slide")) return;
    faults.set(key, { element: called(whole), text: brief(whole, 40), ...fault });
  }

  function called(element) {
    const names = element.matches(".sim") ? `sim ${element.dataset.sim}` : [...element.classList].find((name) => /^(table|figure)-/.test(name));
    const around = element.closest('[class*="table-"], [class*="figure-"]');
    return names ?? [...(around?.classList ?? [])].find((name) => /^(table|figure)-/.test(name)) ?? element.localName;
  }

  function brief(element, most) {
    const name = element.getAttribute("aria-label") ?? element.getAttribute("alt");
    const shown = element.matches(".sim, .figure, figure") || !element.innerText?.trim() ? element.querySelector("svg, img") : null;
    const text = (name ?? shown?.getAttribute("aria-label") ?? shown?.getAttribute("alt") ?? element.innerText ?? element.textContent ?? "");
    const line = text.replace(/\s+/g, " ").trim();
    return line.length > most ? `${line.slice(0, most - 1)}…` : line;
  }
}

// What is wrong with the page: a fault that keeps it from being made, over its slide; findings that don't, in a strip below.

import { element, titled } from "./parts.mjs";

// A panel over the slide that a fault is of, and a line on the others.
export function fault(words) {
  const box = element("aside", { class: "preview-fault", role: "alert", hidden: true });
  const slide = () => window.Reveal?.getCurrentSlide();
  let faults = [];
  document.body.append(box);
  window.Reveal?.on("slidechanged", show);

  function show() {
    const [first] = faults;
    const of = first && titled(first.slide);
    const here = !of || !slide() || of === slide();
    box.hidden = !first;
    box.classList.toggle("preview-elsewhere", !here);
    if (!first) return box.replaceChildren();
    const go = !here && element("button", { type: "button", click: () => window.Reveal.slide(Reveal.getSlides().indexOf(of)) }, words.go);
    return box.replaceChildren(
      element("strong", {}, first.where),
      element("pre", {}, first.what),
      element("p", {}, `→ ${first.remedy}`),
      ...(go ? [go] : []),
      element("small", {}, words.stays ?? "The last good page stays below."),
    );
  }
  return (state) => {
    faults = state.faults;
    show();
  };
}

// Findings, and what is being done.
export function strip(words, here) {
  const box = element("details", { class: "preview-strip", hidden: true });
  document.body.append(box);
  return ({ notes, making, version }) => {
    document.documentElement.toggleAttribute("data-making", making);
    const links = version ? [element("a", { href: `${here}/-/pdf`, target: "_blank" }, words.pdf)] : [];
    box.hidden = notes.length === 0 && links.length === 0;
    const lines = notes.map(({ text, slide }) => element("li", {}, text, slide ? element("a", { href: linkTo(slide) }, ` ${slide}`) : ""));
    box.replaceChildren(
      element("summary", {}, notes.length ? words.findings.replace("{count}", notes.length) : words.none),
      element("ul", {}, ...lines),
      ...links,
    );
  };
}

function linkTo(slide) {
  return `${window.Reveal ? "#/" : "#"}${(titled(slide) ?? { id: slide }).id}`;
}

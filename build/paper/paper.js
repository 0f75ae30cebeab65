// Makes reveal's print view ready for paper and tells what each page holds: id and title of its slide, how many pages it takes.

// Off screen a slide is hidden from screen readers; on paper every slide is there, and only then does the PDF get its tags.
for (const element of document.querySelectorAll(".slides [aria-hidden], .slides [hidden]")) {
  if (element.closest("svg, math")) continue;
  element.removeAttribute("aria-hidden");
  element.removeAttribute("hidden");
}
document.querySelector(".reveal").removeAttribute("role");
for (const number of document.querySelectorAll(".slide-number-pdf")) number.setAttribute("aria-hidden", "true");

// A formula in a line of text, for bookmarks: √d_k, h_kv, O(n²).
const SMALL = { 2: "²", 3: "³" };
function plain(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent.normalize("NFKC");
  if (node.localName === "annotation") return "";
  const parts = [...node.childNodes].map(plain);
  const scripts = [...(node.children ?? [])].map(plain);
  if (node.localName === "msqrt") return `√${parts.join("")}`;
  if (node.localName === "msub") return `${scripts[0]}_${scripts[1]}`;
  if (node.localName === "msup") return `${scripts[0]}${SMALL[scripts[1]] ?? `^${scripts[1]}`}`;
  return parts.join("");
}

return [...document.querySelectorAll(".slides section")].map((slide) => ({
  id: slide.id,
  title: plain(slide.querySelector("h1, h2") ?? slide).replace(/\s+/g, " ").trim(),
  pages: Math.max(1, Math.round(slide.closest(".pdf-page").offsetHeight / window.innerHeight)),
}));

// Makes reveal's print view ready for paper and tells what each page holds: id and title of its slide, how many pages it takes.
// `FORMULA` marks the words of a formula.

// Off screen a slide is hidden from screen readers; on paper every slide is there, and only then does the PDF get its tags.
for (const element of document.querySelectorAll(".slides [aria-hidden], .slides [hidden]")) {
  if (element.closest("svg, math")) continue;
  element.removeAttribute("aria-hidden");
  element.removeAttribute("hidden");
}
document.querySelector(".reveal").removeAttribute("role");
for (const number of document.querySelectorAll(".slide-number-pdf")) number.setAttribute("aria-hidden", "true");

// Chromium tags a picture with its words and knows no formula: each goes as a picture, whose words say that it is one.
for (const math of document.querySelectorAll(".slides math[aria-label]")) {
  math.setAttribute("role", "img");
  math.setAttribute("aria-label", `${FORMULA}${math.getAttribute("aria-label")}`);
}

// A cell that holds nothing gets no tag, and its row would be shorter than the others.
for (const cell of document.querySelectorAll(".slides td:empty, .slides th:empty")) cell.textContent = "\u00a0";

return [...document.querySelectorAll(".slides section")].map((slide) => ({
  id: slide.id,
  title: slide.dataset.titleSaid ?? (slide.querySelector("h1, h2") ?? slide).textContent.replace(/\s+/g, " ").trim(),
  pages: Math.max(1, Math.round(slide.closest(".pdf-page").offsetHeight / window.innerHeight)),
}));

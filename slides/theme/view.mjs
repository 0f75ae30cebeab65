// Whether a deck shows one slide after the other, or all of them one below another, to be read or printed (reading.mjs).

/** Whether the page shows its slides one below another. */
export function reading(page = document) {
  return !page.documentElement.classList.contains("presenting");
}

/** Shows the slides so, or not. Without `print-pdf` reveal's own rules for paper hold, which the view to read must not have. */
export function showReading(on, page = document) {
  page.documentElement.classList.toggle("presenting", !on);
  page.documentElement.classList.toggle("print-pdf", on);
}

// A page's two conveniences, as Quarto's pages have them: copying a listing, and a link at each heading.

for (const heading of document.querySelectorAll(".anchored")) {
  const link = document.createElement("a");
  link.className = "anchorjs-link";
  link.href = `#${heading.id}`;
  link.setAttribute("aria-label", "#");
  link.textContent = " #";
  heading.append(link);
}

function copied(button) {
  button.classList.add("code-copy-button-checked");
  setTimeout(() => button.classList.remove("code-copy-button-checked"), 1000);
}

// Where the clipboard's own interface is closed to the page, a selection is copied instead.
function copySelection(code) {
  const range = document.createRange();
  range.selectNodeContents(code);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  document.execCommand("copy");
  getSelection().removeAllRanges();
}

for (const button of document.querySelectorAll(".code-copy-button")) {
  button.addEventListener("click", async () => {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.innerText);
    } catch {
      copySelection(code);
    }
    copied(button);
  });
}

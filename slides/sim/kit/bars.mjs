// Bars one below the other, each with a name before it and a number after it.

import { element, set, write } from "./draw.mjs";

const NOTHING = { name: "", share: 0, text: "", top: false };

// bars(2, { role: "k" }).show([{ name: "a", share: 0.75, text: "0.75", top: true }]): the second stays empty.
export function bars(count, { role = null } = {}) {
  const lines = Array.from({ length: count }, () => {
    const [name, bar, text] = ["sim-bar-name", "sim-bar", "sim-bar-text"].map((part) => element("span", { class: part }));
    if (role) name.classList.add(role);
    return { name, bar, text, element: element("div", { class: "sim-bar-line" }, name, bar, text) };
  });
  return {
    elements: lines.map((line) => line.element),
    show(entries) {
      lines.forEach((line, i) => {
        const { name, share, text, top } = entries[i] ?? NOTHING;
        write(line.name, name);
        write(line.text, text);
        line.bar.style.transform = `scaleX(${share.toFixed(4)})`;
        set(line.element, { "data-top": top });
      });
    },
  };
}

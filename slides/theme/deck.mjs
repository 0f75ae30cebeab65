// The scripts of a deck, bound in this order once reveal is ready. One that fails leaves the others as they are.

import { mount as reading } from "./reading.mjs";
import { mount as focus } from "./focus.mjs";
import { mount as fit } from "./fit.mjs";
import { mount as help } from "./help.mjs";
import { mount as menu } from "./menu.mjs";
import { mount as aloud } from "./aloud.mjs";
import { mount as screen } from "./screen.mjs";
import { mount as present } from "./present.mjs";

export function start() {
  const reveal = window.Reveal;
  if (!reveal) return;
  const words = JSON.parse(document.querySelector("#deck-script").dataset.words);
  const scripts = [
    [reading, words.reading], [focus], [fit], [help, words.help], [menu, words.help], [aloud], [screen, words.screen], [present, words.present],
  ];
  for (const [mount, its] of scripts) {
    const bind = () => mount(document, reveal, its);
    if (reveal.isReady()) queueMicrotask(bind);
    else reveal.on("ready", bind);
  }
}

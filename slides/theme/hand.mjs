// The pointer, full screen, and the keys that remotes send: F5 begins full screen as in other programs, Esc ends what is on
// before it is reveal's overview. Page keys and the black screen are reveal's own.

const REACH = 36; // pixels on the canvas, across the pointer's disc

/** A point of the window on the canvas of a slide. */
export function onCanvas(slide, { clientX, clientY }) {
  const box = slide.getBoundingClientRect();
  const scale = slide.offsetWidth / box.width;
  return [Math.round((clientX - box.left) * scale), Math.round((clientY - box.top) * scale)];
}

export function mount(room) {
  const { page, reveal, words, tell, listen } = room;
  const root = page.documentElement;
  const dot = page.createElement("div");
  let on = false;

  dot.className = "deck-pointer";
  dot.hidden = true;
  dot.setAttribute("aria-hidden", "true");
  page.querySelector(".reveal .slides").append(dot);
  const tool = room.tool("pointer", words.pointer, "Q", () => toggle());
  tool.setAttribute("aria-pressed", "false");
  room.key("Q", words.pointer, () => toggle());
  room.key("F", words.fullscreen, fullScreen);
  listen(page, "keydown", beginning, { capture: true });
  listen(page, "keydown", ending, { capture: true });
  for (const type of ["pointermove", "pointerdown"]) listen(page, type, follow, { passive: true });
  reveal.on("slidechanged", hide);
  room.parts.pointer = place;

  function toggle(wanted = !on) {
    on = wanted;
    root.classList.toggle("pointing", on);
    tool.setAttribute("aria-pressed", String(on));
    if (!on) hide();
  }

  function follow(event) {
    if (!on || !room.presenting() || event.target.closest?.(".deck-tools")) return;
    const at = onCanvas(reveal.getCurrentSlide(), event);
    place(at);
    room.change({ pointer: at });
  }

  function place(at) {
    dot.hidden = !at;
    if (at) dot.style.translate = `${at[0] - REACH / 2}px ${at[1] - REACH / 2}px`;
  }

  function hide() {
    if (dot.hidden) return;
    place(null);
    room.change({ pointer: null });
  }

  /** Remotes begin with F5: full screen, rather than the page anew; once it is full, F5 is the browser's again. */
  function beginning(event) {
    if (event.key !== "F5" || event.ctrlKey || page.fullscreenElement) return;
    event.preventDefault();
    fullScreen();
  }

  function ending(event) {
    if (event.key !== "Escape") return;
    const dialog = page.querySelector("dialog[open]"); // closed at once, wherever the focus is: the browser takes its time
    if (dialog) closeNow(dialog);
    else if (on) toggle(false);
    else if (reveal.isPaused()) reveal.togglePause(false);
    else return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }

  /** The focus, too, leaves it at once: the browser takes it away with the next picture, and until then keys would go there. */
  function closeNow(dialog) {
    dialog.close();
    if (dialog.contains(page.activeElement)) page.activeElement.blur();
  }

  async function fullScreen() {
    try {
      if (page.fullscreenElement) await page.exitFullscreen();
      else await root.requestFullscreen();
    } catch {
      tell(words.no_fullscreen);
    }
  }

  return () => {
    toggle(false);
    reveal.off("slidechanged", hide);
    dot.remove();
  };
}

// The live part of a simulator: it holds the state, runs the model, lets the view follow, and undoes all it did.

import { button } from "./controls.mjs";
import { element, spoken, teach, write } from "./draw.mjs";
import { fill, formatter } from "./format.mjs";
import { agreeing } from "./golden.mjs";

const ANNOUNCE_AFTER = 400; // ms without a further change, so that a drag is announced once
const KEPT_FROM_SLIDES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", " ", "Enter", "Escape"]);

// Listeners and timers that end together.
export function scope() {
  const controller = new AbortController();
  const timers = new Set();
  return {
    listen(target, type, handler, options = {}) {
      target.addEventListener(type, handler, { ...options, signal: controller.signal });
    },
    // Runs `task` once after `ms`; returns what cancels it.
    after(ms, task) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        task();
      }, ms);
      timers.add(timer);
      return () => {
        clearTimeout(timer);
        timers.delete(timer);
      };
    },
    end() {
      controller.abort();
      timers.forEach(clearTimeout);
      timers.clear();
    },
  };
}

// Puts a simulator into `host`. `run(data, state)` is its model; `build(panel)` makes its view: { body: elements,
// heard(state, result): what a screen reader is told, pause(): optional }. Parts of the view follow the state through
// panel.follow(show) and change it through panel.set(change). A module that computes nothing itself has a `digest(data, state)`
// of what it shows, which is checked in the result's place. `tools` are the page's own buttons: { label, act() -> what it says }.
export function mount(host, params, { run, build, digest = null }, tools = []) {
  const own = scope();
  const { words, data } = params;
  teach(params.said ?? {});
  const root = element("div", { class: `sim-live sim-${params.name}`, role: "group", "aria-label": spoken(words.name) });
  const heard = element("div", { class: "sim-heard", role: "status", "aria-live": "polite" });
  const report = element("span", { class: "sim-report", role: "status", "aria-live": "polite" });
  const followers = [];
  let state = structuredClone(params.opening);
  let cancelAnnouncement = () => {};

  const panel = {
    ...own,
    data,
    words,
    looks: params.looks,
    root,
    format: formatter(params.locale),
    text: (key, values) => fill(words[key], values),
    get state() {
      return state;
    },
    // Calls `show(state, result)` once the view stands, and at every change.
    follow(show) {
      followers.push(show);
    },
    // Merges `change` into the state, draws it, and tells the page.
    set(change) {
      state = { ...state, ...change };
      draw();
      write(report, "");
      host.dispatchEvent(new CustomEvent("simulatorstate", { bubbles: true }));
    },
  };
  const reset = () => panel.set(structuredClone(params.opening));
  const verify = () => agreeing(digest ?? run, params);
  const view = build(panel);

  function draw() {
    const result = run(data, state);
    for (const show of followers) show(state, result);
    const said = view.heard(state, result);
    cancelAnnouncement();
    cancelAnnouncement = own.after(ANNOUNCE_AFTER, () => write(heard, said));
  }
  function verdict() {
    const { equal, total } = verify();
    const [agrees, differs] = digest ? [words.stored, words.stored_differs] : [words.verified, words.differs];
    write(report, fill(equal === total ? agrees : differs, { equal, total }));
  }

  keepKeys(own, root);
  dropPointerFocus(own, root);
  const say = (text) => write(report, text);
  const others = tools.map(({ label, act }) => button(panel, label, async () => say(await act())));
  const foot = [button(panel, words.reset, reset), button(panel, words.verify, verdict), ...others, report];
  root.append(element("div", { class: "sim-body" }, ...view.body), element("div", { class: "sim-row sim-foot" }, ...foot), heard);
  host.append(root);
  host.dataset.live = "";
  draw();
  return {
    get state() {
      return structuredClone(state);
    },
    restore: (saved) => panel.set(structuredClone(saved)),
    reset,
    verify,
    say,
    pause: () => view.pause?.(),
    destroy() {
      own.end();
      root.remove();
      delete host.dataset.live;
    },
  };
}

// Arrow keys and the like stay with the control that has the focus. PageUp and PageDown, which presenters' remotes send,
// still change the slide, except on a slider that the keyboard is moving.
function keepKeys(own, root) {
  own.listen(root, "keydown", (event) => {
    if (KEPT_FROM_SLIDES.has(event.key)) event.stopPropagation();
    if (event.key === "Escape") event.target.blur();
    const paging = event.key === "PageUp" || event.key === "PageDown";
    if (paging && event.target.type === "range") event.stopPropagation();
    else if (paging) event.target.blur();
  });
}

// After a mouse or a finger the keys belong to the slides again; who uses the keyboard keeps the focus.
function dropPointerFocus(own, root) {
  let pointer = false;
  own.listen(root, "pointerdown", () => (pointer = true), { capture: true });
  own.listen(root, "keydown", () => (pointer = false), { capture: true });
  for (const type of ["change", "click"])
    own.listen(root, type, ({ target }) => {
      const control = target.closest("input, button, [tabindex]");
      if (pointer && control && control.type !== "text") control.blur();
    });
}

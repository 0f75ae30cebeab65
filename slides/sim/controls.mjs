// What every simulator is made of: a panel that undoes all it did, and labelled controls for mouse, touch and keys.
// Each control has `element`, `show(value)` and calls `change(value)`; none keeps a state of its own.

import { agreeing } from "./golden.mjs";
import { element, rich, set, spoken, write } from "./draw.mjs";
import { fill, formatter, parse } from "./format.mjs";

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

// The live part of a simulator inside `host`. `view` = { run, build, label }: `run(data, state)` is the model,
// `build(panel)` returns { body, update(state, result) } and changes the state through panel.set(change).
export function panel(host, params, { run, build, pause = () => {} }) {
  const own = scope();
  const { words, data } = params;
  const root = element("div", { class: `sim-live sim-${params.name}`, role: "group", "aria-label": words.name });
  const heard = element("div", { class: "sim-heard", role: "status", "aria-live": "polite" });
  const report = element("span", { class: "sim-report", role: "status", "aria-live": "polite" });
  let state = structuredClone(params.opening);
  let cancelAnnouncement = () => {};

  const self = {
    ...own,
    data,
    words,
    root,
    format: formatter(params.locale),
    text: (key, values) => fill(words[key], values),
    get state() {
      return state;
    },
    // Merges `change` into the state and draws it.
    set(change) {
      state = { ...state, ...change };
      draw();
      write(report, "");
    },
  };
  const view = build(self);
  const footer = element(
    "div",
    { class: "sim-foot" },
    button(self, words.reset, () => self.set(structuredClone(params.opening))),
    button(self, words.verify, () => write(report, verdict(run, params, self))),
    report,
  );

  function draw() {
    const said = view.update(state, run(data, state));
    cancelAnnouncement();
    cancelAnnouncement = own.after(ANNOUNCE_AFTER, () => write(heard, said));
  }

  keepKeys(own, root);
  dropPointerFocus(own, root);
  root.append(view.body, footer, heard);
  host.append(root);
  host.dataset.live = "";
  draw();
  return {
    get state() {
      return structuredClone(state);
    },
    restore: (saved) => self.set(structuredClone(saved)),
    reset: () => self.set(structuredClone(params.opening)),
    verify: () => agreeing(run, params),
    pause: () => pause(self),
    destroy() {
      own.end();
      root.remove();
      delete host.dataset.live;
    },
  };
}

function verdict(run, params, { words }) {
  const { equal, total } = agreeing(run, params);
  return fill(equal === total ? words.verified : words.differs, { equal, total });
}

// A button. `label` may hold formulas; `name` is what a screen reader says instead.
export function button(panel, label, press, { name = null } = {}) {
  const made = element("button", { type: "button", class: "sim-button", "aria-label": name }, ...rich(label));
  panel.listen(made, "click", press);
  return made;
}

// A switch: a checkbox with its label.
export function toggle(panel, { label, change }) {
  const box = element("input", { type: "checkbox", role: "switch" });
  panel.listen(box, "change", () => change(box.checked));
  return {
    element: element("label", { class: "sim-toggle" }, box, element("span", {}, ...rich(label))),
    show(value) {
      box.checked = value;
    },
  };
}

let groups = 0;

// One of several, all in sight: radio buttons drawn as one bar. `options` = [[value, label], …].
export function choice(panel, { label, options, change, hideLabel = false }) {
  const name = `sim-choice-${++groups}`;
  const radios = options.map(([value, text]) => {
    const radio = element("input", { type: "radio", name, value: String(value) });
    panel.listen(radio, "change", () => change(value));
    return { value, radio, element: element("label", { class: "sim-option" }, radio, element("span", {}, ...rich(text))) };
  });
  return {
    element: element("fieldset", { class: "sim-choice", "aria-label": spoken(label) }, !hideLabel && element("legend", {}, ...rich(label)), element("div", { class: "sim-options" }, ...radios.map((r) => r.element))),
    show(value) {
      for (const one of radios) one.radio.checked = one.value === value;
    },
  };
}

// A number between two bounds: a field to type in and, unless `slider` is off, a slider. `scale` = { to, from } maps the value
// to the slider's own travel, for powers of two; `write` and `read` are the field's own way to put the number. A text that is no number changes nothing and says so beside the field.
export function number(panel, { label, name = spoken(label), min, max, step, whole = false, slider = true, scale = null, role = null, write: shown, read = parse, change }) {
  const { words, format } = panel;
  const show = shown ?? format.plain(4);
  const to = scale?.to ?? ((x) => x);
  const from = scale?.from ?? ((x) => x);
  const field = element("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", maxlength: 24, "aria-label": name });
  const range = slider && element("input", { type: "range", min: to(min), max: to(max), step: scale?.step ?? step, "aria-label": name, "data-prevent-swipe": "" });
  const message = element("span", { class: "sim-message", role: "alert" });
  let value = null;

  function complain(text) {
    write(message, text);
    set(field, { "aria-invalid": text ? "true" : null });
    set(message, { "data-shown": text !== "" });
  }
  function typed() {
    const typedNumber = read(field.value);
    if (typedNumber === null) return complain(words.not_a_number);
    const inside = Math.min(max, Math.max(min, whole ? Math.round(typedNumber) : typedNumber));
    complain(inside === typedNumber ? "" : fill(words.out_of_range, { min: show(min), max: show(max) }));
    value = inside;
    if (range) range.value = to(inside);
    change(inside);
  }
  function settle() {
    complain("");
    if (value !== null) field.value = show(value);
  }
  panel.listen(field, "input", typed);
  panel.listen(field, "blur", settle);
  const slid = () => change(whole ? Math.round(from(Number(range.value))) : from(Number(range.value)));
  panel.listen(field, "keydown", ({ key }) => {
    if (key === "Enter") field.blur();
    if (!range || (key !== "ArrowUp" && key !== "ArrowDown")) return;
    if (key === "ArrowUp") range.stepUp();
    else range.stepDown();
    slid();
  });
  if (range) panel.listen(range, "input", slid);
  return {
    element: element("div", { class: ["sim-number", role].filter(Boolean).join(" ") }, element("span", { class: "sim-label", "aria-hidden": "true" }, ...rich(label)), field, range, message),
    show(next) {
      if (Object.is(next, value)) return;
      value = next;
      if (document.activeElement !== field || read(field.value) !== next) {
        field.value = show(next);
        complain("");
      }
      if (range) {
        range.value = to(next);
        set(range, { "aria-valuetext": show(next) });
      }
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

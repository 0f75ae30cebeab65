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
    element: element(
      "fieldset",
      { class: "sim-choice", "aria-label": spoken(label) },
      !hideLabel && element("legend", {}, ...rich(label)),
      element("div", { class: "sim-options" }, ...radios.map((r) => r.element)),
    ),
    show(value) {
      for (const one of radios) one.radio.checked = one.value === value;
    },
  };
}

// A number between two bounds: a field to type in and a slider. `scale` = { to, from, step } maps the value to the slider's own
// travel, for powers of two; `write` and `read` are the field's own way to put the number. A text that is no number changes
// nothing and says so beside the field; a number out of bounds counts as the bound, and that is said too.
export function number(
  panel,
  { label, name = spoken(label), role = null, write: shown, read = parse, scale = STRAIGHT, change, ...bounds },
) {
  const show = shown ?? panel.format.plain(4);
  const clamp = (x) => Math.min(bounds.max, Math.max(bounds.min, bounds.whole ? Math.round(x) : x));
  const field = textField(name);
  const range = slider(name, bounds, scale);
  const message = element("span", { class: "sim-message", role: "alert" });
  let value = null;

  function complain(text) {
    write(message, text);
    set(field, { "aria-invalid": text ? "true" : null });
    set(message, { "data-shown": text !== "" });
  }
  function typed() {
    const number = read(field.value);
    if (number === null) return complain(panel.words.not_a_number);
    value = clamp(number);
    complain(value === number ? "" : panel.text("out_of_range", { min: show(bounds.min), max: show(bounds.max) }));
    range.value = scale.to(value);
    return change(value);
  }
  const slid = () => change(clamp(scale.from(Number(range.value))));
  function key({ key }) {
    if (key === "Enter") field.blur();
    if (key !== "ArrowUp" && key !== "ArrowDown") return;
    if (key === "ArrowUp") range.stepUp();
    else range.stepDown();
    slid();
  }
  panel.listen(field, "input", typed);
  panel.listen(field, "keydown", key);
  panel.listen(field, "blur", () => {
    complain("");
    field.value = show(value);
  });
  panel.listen(range, "input", slid);
  return {
    element: element(
      "div",
      { class: ["sim-number", role].filter(Boolean).join(" ") },
      element("span", { class: "sim-label", "aria-hidden": "true" }, ...rich(label)),
      field,
      range,
      message,
    ),
    show(next) {
      if (Object.is(next, value)) return;
      value = next;
      if (document.activeElement !== field || read(field.value) !== next) {
        field.value = show(next);
        complain("");
      }
      range.value = scale.to(next);
      set(range, { "aria-valuetext": show(next) });
    },
  };
}

const STRAIGHT = { to: (x) => x, from: (x) => x };

function textField(name) {
  return element("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 24,
    "aria-label": name,
  });
}

function slider(name, { min, max, step }, scale) {
  const travel = { min: scale.to(min), max: scale.to(max), step: scale.step ?? step };
  return element("input", { type: "range", ...travel, "aria-label": name, "data-prevent-swipe": "" });
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

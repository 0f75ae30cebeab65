// Labelled controls for mouse, touch and keys. Each has `element`, `show(value)` and calls `change(value)`; none keeps a
// state of its own.

import { element, rich, set, spoken, write } from "./draw.mjs";
import { parse } from "./format.mjs";

// The control of the state's entry `name`, labelled with the word of that name, as an element: bound(panel, toggle, "on").
export function bound(panel, control, name, options = {}) {
  const change = (value) => panel.set({ [name]: value });
  const { element, show } = control(panel, { label: panel.words[name], change, ...options });
  panel.follow((state) => show(state[name]));
  return element;
}

// A button. `label` may hold formulas; `name` is what a screen reader says instead.
export function button(panel, label, press, { name = null } = {}) {
  const made = element("button", { type: "button", class: "sim-button", "aria-label": name }, ...rich(label));
  panel.listen(made, "click", press);
  return made;
}

// Buttons that walk the state's entry `name` through whole numbers: to the first, back, forward, to the last.
export function stepper(panel, name, { first = 0, last }) {
  const { words } = panel;
  const go = (to) => () => panel.set({ [name]: to(panel.state[name]) });
  const down = [
    button(panel, words.first, go(() => first)),
    button(panel, words.back, go((now) => now - 1), { name: words.back_name }),
  ];
  const up = [
    button(panel, words.forward, go((now) => now + 1), { name: words.forward_name }),
    button(panel, words.all, go(() => last)),
  ];
  panel.follow((state) => {
    for (const one of down) one.disabled = state[name] === first;
    for (const one of up) one.disabled = state[name] === last;
  });
  return [...down, ...up];
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

// A toggle for each entry of the state that is on or off, in their order.
export function switches(panel) {
  const names = Object.keys(panel.state).filter((name) => typeof panel.state[name] === "boolean");
  return names.map((name) => bound(panel, toggle, name));
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

// A field to type in, and a message beside it for what can't be taken: textField(name).complain("not a number").
export function textField(name, attributes = {}) {
  const field = element("input", { type: "text", autocomplete: "off", spellcheck: "false", "aria-label": name, ...attributes });
  const message = element("span", { class: "sim-message", role: "alert" });
  return {
    field,
    message,
    complain(text) {
      write(message, text);
      set(field, { "aria-invalid": text ? "true" : null });
      set(message, { "data-shown": text !== "" });
    },
  };
}

const STRAIGHT = { to: (x) => x, from: (x) => x };

// A number between two bounds: a field to type in and a slider. `scale` = { to, from, step } maps the value to the slider's own
// travel, for powers of two; `write` and `read` are the field's own way to put the number; `snap` takes it to the nearest that
// there is. A text that is no number changes nothing and says so beside the field; a number out of bounds counts as the bound,
// one between two that there are as the nearest, and that is said too.
export function number(
  panel,
  { label, name = spoken(label), role = null, write: shown, read = parse, snap = (x) => x, scale = STRAIGHT, change, ...bounds },
) {
  const show = shown ?? panel.format.plain(4);
  const clamp = (x) => snap(Math.min(bounds.max, Math.max(bounds.min, bounds.whole ? Math.round(x) : x)));
  const { field, message, complain } = textField(name, { inputmode: "decimal", maxlength: 24 });
  const range = slider(name, bounds, scale);
  let value = null;

  function typed() {
    const number = read(field.value);
    if (number === null) return complain(panel.words.not_a_number);
    value = clamp(number);
    complain(value === number ? "" : remark(number));
    range.value = scale.to(value);
    return change(value);
  }
  function remark(number) {
    if (number > bounds.min && number < bounds.max) return panel.text("nearest", { value: show(value) });
    return panel.text("out_of_range", { min: show(bounds.min), max: show(bounds.max) });
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
      label && element("span", { class: "sim-label", "aria-hidden": "true" }, ...rich(label)),
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

function slider(name, { min, max, step }, scale) {
  const travel = { min: scale.to(min), max: scale.to(max), step: scale.step ?? step };
  return element("input", { type: "range", ...travel, "aria-label": name, "data-prevent-swipe": "" });
}

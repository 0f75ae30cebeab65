// Brings the simulators of a page to life: on slides the one that is shown, where the slides stand one below another those
// in sight, on a page to read all of them. What a reader changed is kept while they are away, and over a reload; nothing is
// mounted, and so nothing runs, on slides that are not shown. Another window of the same page hears of each state by the event
// `simulatorchange`, [place, state], gives one with `simulatorset`, and has them all by `simulatorasked`.

import { addressed, copied } from "./address.mjs";
import { holds } from "./entries.mjs";
import { fill } from "./format.mjs";
import { recalled, remember } from "./memory.mjs";
import { mount } from "./panel.mjs";
import { carried, common } from "./share.mjs";

const HOSTS = ".sim[data-sim]";
const AHEAD = 200; // pixels before it comes into sight, a simulator is brought to life
const printing = /[?&](print-pdf|view=print)/i;

// `simulators` = { name: { run, build, … }, … }, those that the page uses.
export function start(simulators) {
  if (printing.test(location.search)) return;
  const all = gathering([...document.querySelectorAll(HOSTS)], simulators);
  const address = addressed(all, window.Reveal);
  all.tools = (host) => [copyTool(host, all, address), carryTool(host, all)].filter(Boolean);
  if (window.Reveal) onSlides(all, window.Reveal);
  else onPage(all);
}

function params(host) {
  return host.querySelector("script.sim-params").textContent;
}

// The simulators of a page by their hosts: which are live, and the states of those that are not.
function gathering(hosts, simulators) {
  const live = new Map();
  const left = new Map(hosts.map((host, place) => [host, recalled(place, params(host))]).filter(([, state]) => state));
  const waiting = new Map(); // what is to be said when one comes to life
  const known = new Map();
  addEventListener("pagehide", () => {
    for (const [host, handle] of live) left.set(host, handle.state);
    for (const [host, state] of left) remember(hosts.indexOf(host), params(host), state);
  });
  const stateOf = (host) => live.get(host)?.state ?? left.get(host);
  const tell = (host) => document.dispatchEvent(new CustomEvent("simulatorchange", { detail: [hosts.indexOf(host), stateOf(host)] }));
  const put = (host, state) => (live.has(host) ? live.get(host).restore(state) : left.set(host, state));
  document.addEventListener("simulatorstate", ({ target }) => live.has(target) && tell(target));
  document.addEventListener("simulatorasked", () => hosts.filter(stateOf).forEach(tell));
  document.addEventListener("pagepatched", renew);
  document.addEventListener("simulatorset", ({ detail: [place, state] }) => hosts[place] && put(hosts[place], state));
  // A page that is patched while it is shown has other hosts in the places of some; what they can hold of a state they get.
  function renew() {
    const now = [...document.querySelectorAll(HOSTS)];
    hosts.forEach((host, place) => {
      if (now.includes(host)) return;
      const state = stateOf(host);
      all.sleep(host);
      left.delete(host);
      const kinds = now[place] ? Object.entries(all.of(now[place]).kinds) : [];
      const fits = state && kinds.every(([name, kind]) => !(name in state) || holds(kind, state[name]));
      if (now[place] && fits) left.set(now[place], state);
    });
    hosts.splice(0, hosts.length, ...now);
  }
  const all = {
    hosts,
    tools: () => [],
    // What the page says of one, with its module and the kinds of its state's entries.
    of(host) {
      if (known.has(host)) return known.get(host);
      const module = simulators[host.dataset.sim];
      const its = JSON.parse(params(host));
      known.set(host, { ...its, module, kinds: module.entries?.(its.data) ?? {} });
      return known.get(host);
    },
    state: (host) => stateOf(host) ?? all.of(host).opening,
    // Gives one a state, and says something of it where it is seen.
    put(host, state, said = "") {
      put(host, state);
      if (!live.has(host)) tell(host);
      if (said && live.has(host)) live.get(host).say(said);
      else if (said) waiting.set(host, said);
    },
    has: (host) => live.has(host),
    pause: (host) => live.get(host)?.pause(),
    wake(host) {
      if (live.has(host)) return;
      const handle = mount(host, all.of(host), all.of(host).module, all.tools(host));
      if (left.has(host)) handle.restore(left.get(host));
      live.set(host, handle);
      if (waiting.has(host)) handle.say(waiting.get(host));
      waiting.delete(host);
    },
    sleep(host) {
      if (!live.has(host)) return;
      left.set(host, live.get(host).state);
      live.get(host).destroy();
      live.delete(host);
    },
  };
  return all;
}

// A button of a simulator that copies the link of its state, where its model says what a link may carry.
function copyTool(host, all, { link }) {
  const { words, kinds } = all.of(host);
  if (Object.keys(kinds).length === 0) return null;
  const act = async () => ((await copied(link(host))) ? words.link_copied : fill(words.link_here, { link: link(host) }));
  return { label: words.copy_link, act };
}

// A button that carries its inputs to the other simulators of the page that have them too, if there are any.
function carryTool(host, all) {
  const from = all.of(host);
  const others = all.hosts.filter((other) => other !== host && common(from, all.of(other)).length > 0);
  if (others.length === 0) return null;
  const carry = (other) => ({ name: placeOf(other, all), other, ...carried(from, all.state(host), all.of(other), all.state(other)) });
  function act() {
    const made = others.map(carry);
    const at = (some) => made.filter(some).map(({ name }) => name).join(", ");
    for (const { other, state } of made) if (state) all.put(other, state);
    const [places, refused] = [at(({ state }) => state), at(({ refused }) => refused)];
    const said = [places && fill(from.words.carried, { places }), refused && fill(from.words.carry_refused, { places: refused })];
    return said.filter(Boolean).join(" ") || from.words.nothing_to_carry;
  }
  return { label: from.words.carry, act };
}

// Where a simulator stands: the number of its slide, or its name.
function placeOf(host, all) {
  const { words } = all.of(host);
  const slide = window.Reveal?.getSlides().findIndex((one) => one.contains(host)) ?? -1;
  return slide < 0 ? words.name : fill(words.slide, { number: slide + 1 });
}

function onSlides(all, reveal) {
  const { hosts } = all;
  const near = new Set();
  const presenting = () => !document.documentElement.classList.contains("print-pdf"); // see slides/theme/reading.mjs
  const wanted = (host) => (presenting() ? reveal.getCurrentSlide()?.contains(host) : near.has(host) || all.has(host));
  const follow = () => {
    for (const host of hosts) if (!wanted(host)) all.sleep(host);
    for (const host of hosts) if (wanted(host)) all.wake(host);
  };
  inSight(hosts, (host, visible) => {
    if (visible) near.add(host);
    else near.delete(host);
    if (!visible) all.pause(host);
    if (!presenting()) follow();
  });
  reveal.on("ready", follow);
  reveal.on("slidechanged", follow);
  document.addEventListener("deckview", follow);
  if (reveal.isReady()) follow();
}

function onPage(all) {
  const wake = () => all.hosts.forEach(all.wake);
  wake();
  document.addEventListener("pagepatched", wake);
  inSight(all.hosts, (host, visible) => visible || all.pause(host));
}

// Tells when a host comes into sight, or nearly, and when it goes.
function inSight(hosts, tell) {
  const told = (entries) => entries.forEach(({ target, isIntersecting }) => tell(target, isIntersecting));
  const seen = new IntersectionObserver(told, { rootMargin: `${AHEAD}px` });
  const observe = () => hosts.forEach((host) => seen.observe(host));
  observe();
  document.addEventListener("pagepatched", observe);
}

// Brings the simulators of a page to life: on slides the one that is shown, where the slides stand one below another those
// in sight, on a page to read all of them. What a reader changed is kept while they are away, and over a reload; nothing is
// mounted, and so nothing runs, on slides that are not shown. Another window of the same page hears of each state by the event
// `simulatorchange`, [place, state], gives one with `simulatorset`, and has them all by `simulatorasked`.

import { recalled, remember } from "./memory.mjs";
import { mount } from "./panel.mjs";

const AHEAD = 200; // pixels before it comes into sight, a simulator is brought to life
const printing = /[?&](print-pdf|view=print)/i;

// `simulators` = { name: { run, build }, … }, those that the page uses.
export function start(simulators) {
  const hosts = [...document.querySelectorAll(".sim[data-sim]")];
  const bring = (host) => mount(host, JSON.parse(params(host)), simulators[host.dataset.sim]);
  if (printing.test(location.search)) return;
  if (window.Reveal) onSlides(hosts, bring, window.Reveal);
  else onPage(hosts, bring);
}

function params(host) {
  return host.querySelector("script.sim-params").textContent;
}

// The simulators of a page by their hosts: which are live, and the states of those that are not.
function gathering(hosts, bring) {
  const live = new Map();
  const left = new Map(hosts.map((host, place) => [host, recalled(place, params(host))]).filter(([, state]) => state));
  addEventListener("pagehide", () => {
    for (const [host, handle] of live) left.set(host, handle.state);
    for (const [host, state] of left) remember(hosts.indexOf(host), params(host), state);
  });
  const stateOf = (host) => live.get(host)?.state ?? left.get(host);
  const tell = (host) => document.dispatchEvent(new CustomEvent("simulatorchange", { detail: [hosts.indexOf(host), stateOf(host)] }));
  document.addEventListener("simulatorstate", ({ target }) => live.has(target) && tell(target));
  document.addEventListener("simulatorasked", () => hosts.filter(stateOf).forEach(tell));
  document.addEventListener("simulatorset", ({ detail: [place, state] }) => {
    const host = hosts[place];
    if (live.has(host)) live.get(host).restore(state);
    else if (host) left.set(host, state);
  });
  return {
    has: (host) => live.has(host),
    pause: (host) => live.get(host)?.pause(),
    wake(host) {
      if (live.has(host)) return;
      const handle = bring(host);
      if (left.has(host)) handle.restore(left.get(host));
      live.set(host, handle);
    },
    sleep(host) {
      if (!live.has(host)) return;
      left.set(host, live.get(host).state);
      live.get(host).destroy();
      live.delete(host);
    },
  };
}

function onSlides(hosts, bring, reveal) {
  const all = gathering(hosts, bring);
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

function onPage(hosts, bring) {
  const all = gathering(hosts, bring);
  hosts.forEach(all.wake);
  inSight(hosts, (host, visible) => visible || all.pause(host));
}

// Tells when a host comes into sight, or nearly, and when it goes.
function inSight(hosts, tell) {
  const told = (entries) => entries.forEach(({ target, isIntersecting }) => tell(target, isIntersecting));
  const seen = new IntersectionObserver(told, { rootMargin: `${AHEAD}px` });
  hosts.forEach((host) => seen.observe(host));
}

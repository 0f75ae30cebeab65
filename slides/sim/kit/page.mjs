// Brings the simulators of a page to life: on slides the one that is shown, elsewhere all of them.
// What a reader changed on a slide is kept while they are away; nothing is mounted, and so nothing runs, on other slides.

import { mount } from "./panel.mjs";

const printing = /[?&](print-pdf|view=print)/i;

// `simulators` = { name: { run, build }, … }, those that the page uses.
export function start(simulators) {
  const hosts = [...document.querySelectorAll(".sim[data-sim]")];
  const bring = (host) => {
    const params = JSON.parse(host.querySelector("script.sim-params").textContent);
    return mount(host, params, simulators[host.dataset.sim]);
  };
  if (printing.test(location.search)) return;
  if (window.Reveal) onSlides(hosts, bring, window.Reveal);
  else onPage(hosts, bring);
}

function onSlides(hosts, bring, reveal) {
  const live = new Map();
  const left = new Map();
  const follow = () => {
    const current = reveal.getCurrentSlide();
    for (const [host, handle] of live) {
      if (current?.contains(host)) continue;
      left.set(host, handle.state);
      handle.destroy();
      live.delete(host);
    }
    for (const host of hosts) {
      if (!current?.contains(host) || live.has(host)) continue;
      const handle = bring(host);
      if (left.has(host)) handle.restore(left.get(host));
      live.set(host, handle);
    }
  };
  reveal.on("ready", follow);
  reveal.on("slidechanged", follow);
  if (reveal.isReady()) follow();
}

function onPage(hosts, bring) {
  const handles = new Map(hosts.map((host) => [host, bring(host)]));
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (!isIntersecting) handles.get(target).pause();
  });
  hosts.forEach((host) => seen.observe(host));
}

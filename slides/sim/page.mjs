// Brings the simulators of a page to life: on slides the one that is shown, elsewhere all of them.
// What a reader changed on a slide is kept while they are away; nothing is mounted, and so nothing runs, on other slides.

import * as banco from "./banco.mjs";
import * as bpe from "./bpe.mjs";
import * as cache from "./cache.mjs";
import * as chain from "./chain.mjs";
import * as gradient from "./gradient.mjs";
import * as matrix from "./matrix.mjs";
import * as multihead from "./multihead.mjs";
import * as running from "./running.mjs";

export const SIMULATORS = { gradient, bpe, banco, matrix, multihead, cache, chain, running };

const printing = /[?&](print-pdf|view=print)/i;

export function start(root = document) {
  const hosts = [...root.querySelectorAll(".sim[data-sim]")].filter((host) => host.dataset.sim in SIMULATORS);
  if (printing.test(location.search)) return;
  if (window.Reveal) onSlides(hosts, window.Reveal);
  else onPage(hosts);
}

function mounted(host) {
  const params = JSON.parse(host.querySelector("script.sim-params").textContent);
  return SIMULATORS[host.dataset.sim].mount(host, params);
}

function onSlides(hosts, reveal) {
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
      const handle = mounted(host);
      if (left.has(host)) handle.restore(left.get(host));
      live.set(host, handle);
    }
  };
  reveal.on("ready", follow);
  reveal.on("slidechanged", follow);
  if (reveal.isReady()) follow();
}

function onPage(hosts) {
  const handles = new Map(hosts.map((host) => [host, mounted(host)]));
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (!isIntersecting) handles.get(target).pause();
  });
  hosts.forEach((host) => seen.observe(host));
}

// The states of the simulators of a slide in the page's address, so that they can be sent, kept and loaded again. A script in the
// page's head takes what a link says of them out of the address, before reveal.js would look for a slide of that name.

import { fill } from "./format.mjs";
import { named, parted, read, written } from "./link.mjs";

const SETTLED = 1200; // ms without a change; reveal.js itself writes the address as much as 1000 ms late

// Binds the simulators `all` of a page, and gives { link(host) }, the address with the states of its slide.
export function addressed(all, reveal = null) {
  let timer = 0;
  const root = document.documentElement;
  const within = (section) => all.hosts.filter((host) => section.contains(host));

  addEventListener("simulatorlink", take);
  document.addEventListener("simulatorstate", ({ target }) => later(sectionOf(target)));
  for (const event of ["slidechanged", "fragmentshown", "fragmenthidden"]) reveal?.on(event, () => later(reveal.getCurrentSlide()));
  take();

  function take() {
    const { place, query } = parted(root.dataset.link ?? "");
    delete root.dataset.link;
    const section = named(place) ? document.getElementById(named(place)) : document.body;
    const hosts = query && section ? within(section) : [];
    if (hosts.length === 0) return;
    read(query, hosts.map(all.of)).forEach(({ state, refused }, i) => {
      const { opening, words } = all.of(hosts[i]);
      if (refused) all.put(hosts[i], opening, fill(words.link_refused, { entry: refused }));
      else all.put(hosts[i], state);
    });
    if (reveal) later(section);
    else section.scrollIntoView();
  }

  function later(section) {
    clearTimeout(timer);
    timer = setTimeout(write, SETTLED, section);
  }

  function write(section) {
    const { place, query: before } = parted(location.hash);
    const query = queryOf(section);
    if (!query && !before) return;
    const base = named(place) === section.id ? place : hashOf(section);
    try {
      history.replaceState(history.state, "", query ? `${base}?${query}` : base);
    } catch {
      // a page without an address of its own
    }
  }

  function queryOf(section) {
    const hosts = within(section);
    return written(hosts.map(all.of), hosts.map(all.state));
  }

  function hashOf(section) {
    return `#${reveal ? "/" : ""}${encodeURIComponent(section.id)}`;
  }

  return {
    link(host) {
      const section = sectionOf(host);
      const query = queryOf(section);
      return location.href.split(/[?#]/)[0] + hashOf(section) + (query && `?${query}`);
    },
  };
}

function sectionOf(host) {
  return host.closest("section[id]") ?? document.body;
}

// Puts a text where the reader can paste it from; says whether that could be done.
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedAsSelected(text);
  }
}

// The older way, for frames and browsers that refuse the newer one.
function copiedAsSelected(text) {
  const focused = document.activeElement;
  const field = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return done;
}

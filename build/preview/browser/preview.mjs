// Keeps a page up to date with its sources: the newer page is fetched and patched in, what is wrong stands over it, and goes.

import { mount as drawer } from "./drawer.mjs";
import { fault, strip } from "./faults.mjs";
import { patch } from "./patch.mjs";

export async function start() {
  const script = document.getElementById("preview-script");
  const words = JSON.parse(script.dataset.words);
  const here = location.pathname;
  const parts = [fault(words), strip(words, here), drawer(words, here)];
  let version = script.dataset.version;
  let source = version ? await loaded(here) : "";
  let newest = null;
  let busy = false;

  document.documentElement.dataset.preview = version;
  const events = new EventSource(`${here}/-/events`);
  events.onmessage = ({ data }) => {
    newest = JSON.parse(data);
    follow();
  };

  // One state after the other; of those that came meanwhile, the last.
  async function follow() {
    if (busy) return;
    busy = true;
    try {
      for (let state = null; state !== newest; ) {
        state = newest;
        if (state.version && state.version !== version) await renew();
        for (const show of parts) show(state);
      }
    } finally {
      busy = false; // a preview that has ended answers nothing; the next state is tried again
    }
  }

  async function renew() {
    const text = await loaded(here);
    const next = text.match(/<script type="module" id="preview-script" data-version="([^"]*)"/)?.[1];
    if (!source || !patched(source, text)) return location.reload();
    [source, version] = [text, next];
    document.documentElement.dataset.preview = version;
  }
}

// A page that can't be patched is loaded anew, at the same place.
function patched(was, now) {
  try {
    return patch(was, now);
  } catch (error) {
    console.info(`loaded anew: ${error.message}`);
    return false;
  }
}

async function loaded(address) {
  return (await fetch(address, { cache: "no-store" })).text();
}

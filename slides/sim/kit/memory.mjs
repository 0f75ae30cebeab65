// What a reader changed in the simulators of a page survives a reload, where the browser keeps anything at all. A state is
// given back only to the simulator that it was of: the same place on the page, with the same data.

import { store, stored } from "../../theme/session.mjs";

const key = (place) => `simulator ${place}`;

/** The state kept for the simulator at this place of the page, or nothing. */
export function recalled(place, params) {
  const kept = stored(key(place));
  return kept?.mark === mark(params) ? kept.state : undefined;
}

/** Keeps the state of the simulator at this place. */
export function remember(place, params, state) {
  store(key(place), { mark: mark(params), state });
}

/** A short mark of a text, that another text hardly shares (FNV-1a). */
function mark(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length} ${hash >>> 0}`;
}

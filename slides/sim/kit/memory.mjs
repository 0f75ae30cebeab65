// What a reader changed in the simulators of a page survives a reload, where the browser keeps anything at all. A state is
// given back only to the simulator that it was of: the same place on the page, with the same data.

const key = (place) => `simulator ${place} of ${location.pathname}`;

/** The state kept for the simulator at this place of the page, or nothing. */
export function recalled(place, params) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key(place)));
    return kept?.mark === mark(params) ? kept.state : undefined;
  } catch {
    return undefined; // a frame without storage, or what another page left
  }
}

/** Keeps the state of the simulator at this place. */
export function remember(place, params, state) {
  try {
    sessionStorage.setItem(key(place), JSON.stringify({ mark: mark(params), state }));
  } catch {
    // a frame without storage: the state lasts as long as the page
  }
}

/** A short mark of a text, that another text hardly shares (FNV-1a). */
function mark(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length} ${hash >>> 0}`;
}

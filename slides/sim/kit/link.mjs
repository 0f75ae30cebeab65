// A link that carries states of simulators, `#/sec-sim-banco?q=1,0`: the entries that differ from the opening state. A number
// alone says which simulator of its slide the entries after it are of: `?rate=0.5&2&share=0.1`.

// What stands before the first question mark of an address's hash, and after it. Some programs that send links on escape all signs.
export function parted(hash) {
  const [, place, mark, query] = hash.match(/^(.*?)(?:(\?|%3F)(.*))?$/is);
  return { place, query: mark?.length > 1 ? decoded(query) : query };
}

// The id that the place of a hash names: named("#/sec-a/2") -> "sec-a"
export function named(place) {
  return decoded(place.replace(/^#\/?/, "").split("/")[0]);
}

// The states of the simulators of a slide as a query, "" where all are as they open. `simulators` have { kinds, opening }.
export function written(simulators, states) {
  const parts = simulators.map(({ kinds, opening }, i) =>
    Object.entries(kinds)
      .filter(([name]) => states[i][name] !== undefined)
      .map(([name, kind]) => [name, kind.write(states[i][name]), opening[name] === undefined ? null : kind.write(opening[name])])
      .filter(([, now, before]) => now !== before)
      .map(([name, now]) => `${name}=${escaped(now)}`),
  );
  return parts.flatMap((part, i) => (i && part.length ? [i + 1, ...part] : part)).join("&");
}

// What a query says of each simulator: { state } where it can be taken, { refused: "q=99" } where it can't.
export function read(query, simulators) {
  const said = simulators.map(({ opening }) => ({ state: structuredClone(opening) }));
  let at = 0;
  for (const part of query.split("&").filter(Boolean)) {
    if (/^\d+$/.test(part)) at = Number(part) - 1;
    else if (at in said) take(part, simulators[at].kinds, said[at]);
  }
  return said;
}

function take(part, kinds, said) {
  const [name, ...rest] = part.split("=").map(decoded);
  const value = Object.hasOwn(kinds, name) ? kinds[name].read(rest.join("=")) : undefined;
  if (value === undefined) said.refused ??= `${name}=${rest.join("=")}`;
  else said.state[name] = value;
}

function escaped(text) {
  return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3B", ";");
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that escapes nothing
  }
}

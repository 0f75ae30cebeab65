// How long each slide has been shown, and what that makes of the plan of the acts. Pure: a time is { spent: { slide: ms },
// since, at }, where `since` is when the slide `at` came (ms since 1970), or null while it is stopped.

const MINUTE = 60_000;

export const stopped = { spent: {}, since: null, at: null };

/** The time with what the current slide has had until now counted in. */
export function settled(time, now) {
  if (time.since === null) return time;
  const spent = { ...time.spent, [time.at]: (time.spent[time.at] ?? 0) + Math.max(0, now - time.since) };
  return { ...time, spent, since: now };
}

export function going(time, at, now) {
  return { ...settled(time, now), since: now, at };
}

export function pausing(time, now) {
  return { ...settled(time, now), since: null };
}

/** ms in all, or on the slides of a list. */
export function total(time, now, ids = null) {
  const { spent } = settled(time, now);
  return Object.entries(spent).reduce((sum, [id, ms]) => sum + (!ids || ids.includes(id) ? ms : 0), 0);
}

/** Each act with the minutes planned and used; what comes before the first act counts to it. */
export function byAct(time, now, acts, ids) {
  const starts = acts.map((act) => ids.indexOf(act.first));
  return acts.map((act, n) => {
    const own = ids.slice(n ? starts[n] : 0, starts[n + 1]);
    return { ...act, slides: own, used: total(time, now, own) / MINUTE };
  });
}

/** The acts as YAML with the minutes that were used, rounded up: for `lecture:` at the top of the deck's source. */
export function plan(used) {
  const lines = used.flatMap(({ name, summary, first, covers, used }) => [
    `    - name: ${JSON.stringify(name)}`,
    `      summary: ${JSON.stringify(summary)}`,
    `      first: ${first}`,
    ...(covers?.length ? [`      covers: [${covers.join(", ")}]`] : []),
    `      minutes: ${Math.max(1, Math.ceil(used))}`,
  ]);
  return ["  acts:", ...lines].join("\n");
}

/** ms as minutes and seconds: `clock(83000)` -> "1:23". */
export function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

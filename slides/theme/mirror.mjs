// Two windows of one deck, the room's and the speaker's, kept alike both ways: slide and step, black screen, simulators,
// drawing, pointer, time. They speak by messages between windows, which work from a file without any server. The speaker's
// window asks every now and then, so that each may be loaded anew without the other.

const NAME = "deck";
const ASK = 1000; // ms between two questions of the speaker's window
const LOST = 3; // questions without an answer, after which the room's window is lost

export function mount(room) {
  const { reveal, page, parts, listen, speaking } = room;
  const to = location.protocol.startsWith("http") ? location.origin : "*"; // a file has no origin to name
  let peer = speaking ? window.opener : null;
  let applying = false;
  let unanswered = 0;
  let asking = 0;
  let fresh = true;

  parts.at = ([h, v, f]) => reveal.slide(h, v, f);
  parts.paused = (paused) => reveal.isPaused() !== paused && reveal.togglePause(paused);
  parts.simulator = (detail) => page.dispatchEvent(new CustomEvent("simulatorset", { detail }));
  listen(window, "message", hear);
  listen(room.changes, "change", ({ detail }) => send(detail));
  listen(page, "simulatorchange", ({ detail }) => send({ simulator: detail }));
  const bound = { slidechanged: turn, fragmentshown: turn, fragmenthidden: turn, paused: blank, resumed: blank };
  for (const [event, act] of Object.entries(bound)) reveal.on(event, act);
  if (speaking) asking = setInterval(ask, ASK);
  if (speaking) ask();
  room.pair = (window) => (peer = window);

  function send(message) {
    if (!applying) peer?.postMessage({ [NAME]: message }, to);
  }

  function turn() {
    const { h, v, f } = reveal.getIndices();
    send({ at: [h, v, f] });
  }

  function blank() {
    send({ paused: reveal.isPaused() });
  }

  function ask() {
    unanswered += 1;
    room.linked?.(unanswered <= LOST);
    send({ asks: fresh });
  }

  function hear({ data, source }) {
    const message = data?.[NAME];
    if (!message || !source) return;
    // The speaker's window that this one opened is still there after this one was loaded anew.
    const found = !speaking && source !== peer && source.opener === page.defaultView;
    if (found) peer = source;
    if (source !== peer) return;
    [unanswered, fresh] = [0, false];
    room.linked?.(true);
    applying = true;
    for (const [name, value] of Object.entries(message)) parts[name]?.(value);
    applying = false;
    if (speaking) return;
    if ("asks" in message) send({ answered: true });
    if (found || message.asks) tellAll();
  }

  function tellAll() {
    turn();
    blank();
    parts.asked();
    parts.timeAsked?.();
    page.dispatchEvent(new CustomEvent("simulatorasked"));
  }

  return () => {
    clearInterval(asking);
    for (const [event, act] of Object.entries(bound)) reveal.off(event, act);
  };
}

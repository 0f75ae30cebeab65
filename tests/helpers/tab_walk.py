"""Where Tab leads on a page that is open, forwards and back, until it comes round, and whether the focus can be seen there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST = 400
# What has the focus, as a path of places among siblings, and whether it, or what stands for it, is drawn otherwise than without.
STOP = """() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return ["", true];
  const path = [];
  for (let e = focused; e !== document.body && e.parentElement; e = e.parentElement) path.unshift([...e.parentElement.children].indexOf(e));
  const ring = (e) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(e);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  };
  const around = [focused, focused.parentElement, focused.parentElement?.parentElement].filter(Boolean);
  return [`${focused.localName}.${focused.className?.baseVal ?? focused.className} ${path.join("/")}`, around.some(ring)];
}"""


def stops(page: Page, key: str) -> tuple[list[str], list[str]]:
    """The stops of a whole round, the page itself as "", and those at which nothing shows the focus."""
    page.evaluate("document.activeElement.blur()")
    met: list[str] = []
    unseen: list[str] = []
    for _ in range(MOST):
        page.keyboard.press(key)
        stop, visible = page.evaluate(STOP)
        if stop in met:
            return met, unseen
        met.append(stop)
        if not visible:
            unseen.append(stop)
    raise AssertionError(f"{key} comes round to nothing after {MOST} stops: {met[-3:]}")


def _from(start: str, met: list[str]) -> list[str]:
    """The same round, begun after one of its stops."""
    at = met.index(start) if start in met else -1
    return [*met[at + 1 :], *met[: max(at, 0)]]


def faults(page: Page, where: str, closed: bool = False) -> list[str]:
    """What is wrong with a walk forwards and back: a trap, unless what is open keeps the focus as a dialog does, or is a window alone."""
    (forwards, unseen), (back, _) = stops(page, "Tab"), stops(page, "Shift+Tab")
    assert closed or "" in forwards, f"Tab never leaves {forwards}"
    start = "" if "" in forwards and "" in back else next(stop for stop in forwards if stop)
    forwards, back = ([stop for stop in _from(start, met) if stop and stop != start] for met in (forwards, back))
    wrong = [f"{where}: the focus doesn't show at {stop}" for stop in unseen]
    if back[::-1] != forwards:
        missed = [stop for stop in forwards if stop not in back] + [stop for stop in back if stop not in forwards]
        wrong.append(f"{where}: forwards {len(forwards)} stops, back {len(back)}; in one alone: {missed[:3]}")
    return wrong

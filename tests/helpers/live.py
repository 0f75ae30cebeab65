"""What a live simulator shows, read from its page as an eye would: looks from computed styles, places from the ticks of its axes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from drawings import Look

from figures.kit.colour import contrast

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Every mark, line, bar and text of the simulator in sight; one picture after the other, and what stands in HTML beside them.
FACTS = """() => {
  const live = document.querySelector('section.present .sim-live');
  const paint = document.createElement('canvas').getContext('2d');
  const hex = (colour) => { paint.fillStyle = colour; return paint.fillStyle.toUpperCase() };
  const node = (e) => {
    const [style, box] = [getComputedStyle(e), e.getBoundingClientRect()];
    return { tag: e.tagName, series: e.dataset.series ?? '', marker: e.dataset.marker ?? '', kind: e.getAttribute('class') ?? '',
      text: e.textContent, stroke: hex(style.stroke), fill: hex(style.fill), ground: hex(style.backgroundColor), colour: hex(style.color),
      bold: style.fontWeight >= 600, dash: style.strokeDasharray, wide: parseFloat(style.strokeWidth), d: e.getAttribute('d') ?? '',
      at: [box.x + box.width / 2, box.y + box.height / 2], width: box.width, moved: e.getAttribute('transform') ?? '',
      x: Number(e.getAttribute('x')), y: Number(e.getAttribute('y')), anchor: e.getAttribute('text-anchor') ?? '',
      role: e.parentElement?.getAttribute('class') ?? '' };
  };
  const canvas = live.querySelector('canvas');
  return { pictures: [...live.querySelectorAll('svg')].map((svg) => [...svg.querySelectorAll('*')].map(node)),
    html: [...live.querySelectorAll('*')].filter((e) => !e.ownerSVGElement && e.tagName !== 'svg').map(node),
    tables: [...live.querySelectorAll('table')].map((table) =>
      [...table.querySelectorAll('tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))),
    pixels: canvas && [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data], side: canvas?.width };
}"""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
Node = dict[str, Any]


def facts(page: Page) -> dict[str, Any]:
    """The simulator in sight."""
    found: dict[str, Any] = page.evaluate(FACTS)
    return found


def nodes(found: dict[str, Any], **wanted: Any) -> list[Node]:
    """What is drawn that has these facts, whichever picture it stands in."""
    return [one for picture in found["pictures"] for one in picture if all(one[name] == value for name, value in wanted.items())]


def looks(found: dict[str, Any]) -> dict[str, set[Look]]:
    """Each series with every look that it has: lines and marks joined, a bar by its colour alone."""
    lines: dict[str, set[tuple[str, tuple[float, ...]]]] = {}
    marks: dict[str, set[tuple[str, str]]] = {}
    seen: dict[str, set[Look]] = {}
    for one in (node for picture in found["pictures"] for node in picture if node["series"]):
        if one["tag"] == "rect":
            seen.setdefault(one["series"], set()).add(Look(one["fill"], (), ""))
        elif one["marker"]:
            marks.setdefault(one["series"], set()).add((one["fill"], shape(one["d"])))
        elif one["tag"] == "path":
            strokes = tuple(float(part) / one["wide"] for part in re.findall(r"[\d.]+", one["dash"]))
            lines.setdefault(one["series"], set()).add((one["stroke"], strokes))
    for name in {*lines, *marks}:
        for colour, strokes in lines.get(name, {("", ())}):
            for fill, marker in marks.get(name, {("", "")}):
                seen.setdefault(name, set()).update({Look(one, strokes, marker) for one in (colour, fill) if one})
    return seen


def shape(d: str) -> str:
    """Which marker a path draws, as matplotlib names it, by its corners: shape("M0 -1L1 0L0 1L-1 0Z") -> "D"."""
    if "a" in d.lower():
        return "o"
    corners = np.array([float(x) for x in NUMBER.findall(d)]).reshape(-1, 2)
    upright = bool((np.abs(corners[:, 0]) < 0.02).any())
    return {(4, False): "s", (4, True): "D", (3, True): "^", (12, False): "P", (12, True): "X", (10, True): "*"}[len(corners), upright]


def points(one: Node) -> np.ndarray[Any, Any]:
    """The points of a line, or the place of a mark, in units of its picture."""
    if one["marker"]:
        return np.array([[float(x) for x in NUMBER.findall(one["moved"])[:2]]])
    return np.array([float(x) for x in NUMBER.findall(one["d"])]).reshape(-1, 2)


def by_ticks(picture: list[Node], read: Any, side: str) -> Any:
    """What a place across ("x") or up ("y") is worth, by the axis and its ticks."""
    ticks = [one for one in picture if one["kind"] == "tick" and read(one["text"]) is not None]
    mine = [one for one in ticks if (one["anchor"] == "middle") == (side == "x")]
    worth = [(one["x"] if side == "x" else one["y"] - 6, read(one["text"])) for one in mine]
    if len(worth) == 1:  # "M13 200H237M60 13V237": the axes cross at the origin
        _, high, _, left = map(float, NUMBER.findall(next(one["d"] for one in picture if one["kind"] == "axis"))[:4])
        worth.append((left if side == "x" else high, 0.0))
    slope, start = np.polyfit(*np.array(worth).T, 1)
    return lambda at: slope * at + start


def darkness(found: dict[str, Any]) -> np.ndarray[Any, Any]:
    """How dark each cell of a heat map is, 1 to 21."""
    n = found["side"]
    cells = np.array(found["pixels"]).reshape(n, n, 4)[..., :3] / 255
    return np.array([[contrast(tuple(rgb), (1, 1, 1)) for rgb in row] for row in cells])

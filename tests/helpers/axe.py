"""axe-core over a page that is open, from the package that carries it: what is serious or critical, and headings that skip a level."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from figures.kit import packages

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORSE = ("serious", "critical")
RUN = """async ([place, worse]) => {
  const { violations } = await axe.run(place ? document.querySelector(place) : document, { resultTypes: ["violations"], iframes: false });
  return violations.filter(({ impact, id }) => worse.includes(impact) || id === "heading-order").flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary.split("\\n").slice(1).join("; ").trim()}`));
}"""


@cache
def source() -> str:
    folder = packages.folder("axe_playwright_python")
    assert folder, "the package axe-playwright-python is not installed: make setup"
    return (folder / "axe.min.js").read_text(encoding="utf-8")


def faults(page: Page, where: str, place: str = "") -> list[str]:
    """A line for each fault below `place`, a selector, or in the whole page; `where` stands before each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(source())
    return [f"{where}: {line}" for line in page.evaluate(RUN, [place, WORSE])]

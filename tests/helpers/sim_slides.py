"""A deck of simulators under the hands of a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sim_page import ALL

from figures import hand_example

if TYPE_CHECKING:
    from playwright.sync_api import Page

CONTROLS = "input, button, [tabindex='0']"
# For each simulator a change, and where it shows.
CHANGES: dict[str, tuple[Any, Any, str]] = {
    "gradient": ("tokens na sequência", 200, ".gradient-values"),
    "bpe": ("fusão", 20, ".bpe-phrase"),
    "banco": (f"query de {hand_example.example().asking}, componente 1", -2, ".banco-steps"),
    "matrix": ("dimensão d k", 99, ".matrix-row"),
    "multihead": (None, "do início", ".multihead-made"),
    "cache": ("contexto, em tokens (T)", 12, ".cache-formula"),
    "precomputed": ("peso p", 3, ".sim-box"),
}


class Slides:
    """A deck of simulators, opened from a file; `go` shows one of them, `problems` is what the browser complained of."""

    def __init__(self, page: Page) -> None:
        self.page, self.problems = page, []
        page.set_default_timeout(4000)
        page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else self.problems.append(request.url))

    def go(self, name: str | None) -> None:
        self.page.evaluate("(n) => Reveal.slide(n)", 0 if name is None else 1 + ALL.index(name))
        if name is not None:
            self.page.wait_for_selector(f".sim-{name}")

    def fresh(self, name: str) -> None:
        """The simulator's slide, in its opening state."""
        self.go(name)
        self.press("Recomeçar")

    def press(self, label: str) -> None:
        self.page.locator(f"section.present .sim-live button:text-is('{label}')").first.click()

    def text(self, selector: str) -> str:
        return re.sub(r"\s+", " ", self.page.locator(f"section.present {selector}").first.inner_text()).strip()

    def texts(self, selector: str) -> list[str]:
        return [re.sub(r"\s+", " ", text).strip() for text in self.page.locator(f"section.present {selector}").all_text_contents()]

    def slide(self, control: str, value: float) -> None:
        """Moves a slider that is found by its accessible name."""
        self.page.locator(f"section.present input[type=range][aria-label='{control}']").evaluate(
            "(range, value) => { range.value = value; range.dispatchEvent(new Event('input', { bubbles: true })); }", value
        )

    @property
    def index(self) -> int:
        return int(self.page.evaluate("Reveal.getIndices().h"))

    def change(self, name: str) -> None:
        """What CHANGES says of a simulator."""
        control, value, _ = CHANGES[name]
        if control:
            self.slide(control, value)
        else:
            self.press(value)

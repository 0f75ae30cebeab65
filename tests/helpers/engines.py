"""The browsers beside Chromium: a tab of each for a test, which is skipped where the browser isn't installed."""

from __future__ import annotations

from collections.abc import Iterator

import firefox
import pytest
import webkit

# Firefox in every run, WebKit by `make test-slow`.
ENGINES = ["firefox", pytest.param("webkit", marks=pytest.mark.slow)]
MISSING = {
    "firefox": "no Firefox here; name one with FIREFOX=/path/to/firefox",
    "webkit": "no WebKit here; on Debian: apt-get install webkit2gtk-driver xvfb",
}
READY = """
  const until = Date.now() + 20000;
  while (!(window.Reveal && Reveal.isReady()) && Date.now() < until) await new Promise((done) => setTimeout(done, 50));
  await document.fonts.ready;
"""


def tab(engine: str) -> Iterator[firefox.Tab | webkit.Tab]:
    """A tab of Firefox or of WebKit, for a fixture."""
    module = {"firefox": firefox, "webkit": webkit}[engine]
    program = module.find()
    if program is None:
        pytest.skip(MISSING[engine])
    with module.tab(program) as opened:
        yield opened

"""A page under its own content security policy does all that it did, and runs nothing that was put into it afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from base import commit
from publishing import edition, policy, stamp

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ADDRESS = "http://site.invalid/page.html"
HEARD = (
    "window.refused = []; addEventListener('securitypolicyviolation', e => window.refused.push(e.violatedDirective + ' ' + e.blockedURI))"
)


@contextmanager
def served(browser: Browser, html: str, sent: str = "") -> Iterator[Page]:
    """The page as a server gives it, with a policy of the server's own where there is one."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    headers = {"content-type": "text/html; charset=utf-8"} | ({"content-security-policy": sent} if sent else {})
    context.route("**/*", lambda route: route.fulfill(body=html, headers=headers) if "site.invalid" in route.request.url else route.abort())
    context.add_init_script(HEARD)
    page = context.new_page()
    page.goto(ADDRESS)
    page.evaluate("document.fonts.ready.then(() => undefined)")
    yield page
    context.close()


@pytest.mark.pages
def test_a_deck_does_all_that_it_did(browser: Browser, deck_file: Path):
    built = commit.Commit("abc1234", "2026-01-02", True)
    html = policy.with_policy(stamp.page(edition.for_the_instructor(deck_file.read_text(encoding="utf-8")), built))
    with served(browser, html) as page:
        page.wait_for_function("window.Reveal && Reveal.isReady()")
        with page.context.expect_page(timeout=10_000) as opened:
            page.keyboard.press("s")
        opened.value.locator(".reveal.ready").wait_for()
        opened.value.locator(".desk-notes").wait_for()
        page.bring_to_front()
        page.keyboard.press("Shift+Slash")
        assert stamp.sentence(built) in page.locator(".r-overlay-help, .overlay-help").inner_text()
        page.keyboard.press("Escape")
        for _ in range(page.evaluate("Reveal.getTotalSlides()")):
            page.evaluate("Reveal.right()")
        for key in ("g", "Escape", "o", "Escape", "i", "i", "r", "r"):
            page.keyboard.press(key)
        assert page.evaluate("window.refused") == opened.value.evaluate("window.refused") == []


@pytest.mark.pages
def test_a_page_to_read_does_all_that_it_did(browser: Browser, chapter_file: Path, lab_file: Path):
    for file in (chapter_file, lab_file):
        with served(browser, policy.with_policy(file.read_text(encoding="utf-8")), "default-src 'self' 'unsafe-inline' data:") as page:
            page.keyboard.press("i")
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
            assert page.evaluate("window.refused") == []


def test_what_is_put_in_afterwards_is_not_run(browser: Browser):
    page_of_its_own = '<html><head><meta charset="utf-8"><script>window.mine = 1</script></head><body></body></html>'
    foreign = '<script>window.foreign = 1</script><script src="https://elsewhere.invalid/a.js"></script><img src="https://elsewhere.invalid/a.png">'
    with served(browser, policy.with_policy(page_of_its_own).replace("<body>", f"<body>{foreign}")) as page:
        assert page.evaluate("[window.mine, window.foreign]") == [1, None]
        assert sorted(one.split()[0] for one in page.evaluate("window.refused")) == ["img-src", "script-src-elem", "script-src-elem"]


def test_the_policy_stands_before_what_it_governs_and_names_no_other_place():
    html = policy.with_policy('<html><head>\n<meta charset="utf-8">\n<style>a{}</style><script>1</script></head></html>')
    assert html.index("Content-Security-Policy") < html.index("<style>")
    assert "http:" not in html and "https:" not in html and "'unsafe-eval'" not in html and "script-src 'unsafe-inline'" not in html


def test_data_in_a_page_is_no_script():
    assert list(policy.scripts('<script type="application/json">{"a": 1}</script><script type="module">a()</script>')) == ["a()"]


def test_the_script_of_a_window_that_a_script_writes_is_allowed():
    written = r'<script>open().document.write("\x3cp><script>\n\tvar a = \"b\";\n<\/script>")</script>'
    assert list(policy.scripts(written))[1] == '\n\tvar a = "b";\n'

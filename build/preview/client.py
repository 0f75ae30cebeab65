"""A page as the preview serves it: the finished page, and the script that keeps it up to date, which no file ever holds."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from page.inject import with_head
from page.modules import bundle

from preview.pages import Pages

FOLDER = Path(__file__).resolve().parent / "browser"
WAITING = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
</head>
<body>
<main></main>
</body>
</html>
"""


def page(pages: Pages, address: str) -> str:
    """The last good page at an address, or one that waits for the first, with the preview's script and style."""
    answer = pages.of[address].answer
    html = answer.html or WAITING.format(title=escape(address))
    style = f'<link rel="icon" href="data:,">\n<style id="preview-style">\n{(FOLDER / "preview.css").read_text(encoding="utf-8")}</style>\n'
    words = escape(json.dumps(answer.words, ensure_ascii=False))
    version = pages.version(address) if answer.html else ""
    opening = f'<script type="module" id="preview-script" data-version="{version}" data-words="{words}">'
    body, closing, rest = with_head(html, style).rpartition("</body>")
    return f"{body}{opening}\n{bundle(FOLDER, 'preview.mjs')}</script>\n{closing}{rest}"

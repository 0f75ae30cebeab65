"""The commit and the day of a build, put into what is published: into pages for the deck's help (key ?), into PDFs as properties.

The day is the commit's, never the clock's, so that one commit gives one sequence of bytes.
"""

from __future__ import annotations

import html as entities
import io
from typing import Any

from base.commit import Commit
from page.inject import with_head

from figures.kit.words import Words

_words = Words("site")


def sentence(commit: Commit | None) -> str:
    """What a build was made of: its commit and its day, and whether files had changed since."""
    if commit is None:
        return _words("no_commit")
    return _words("commit" if commit.clean else "changed", name=commit.name, day=commit.day)


def page(html: str, commit: Commit | None) -> str:
    """The page with that sentence, which slides/theme/help.mjs shows under the keys."""
    said = f'<meta name="build" content="{entities.escape(sentence(commit))}">\n'
    named = f'<meta name="commit" content="{commit.name}">\n' if commit and commit.clean else ""  # for `make verify`
    return with_head(html, said + named)


def pdf(content: bytes, commit: Commit | None) -> bytes:
    """The PDF with that sentence among its keywords, and the commit's day as the one on which it was made."""
    from pypdf import PdfWriter
    from pypdf.generic import NameObject, TextStringObject

    writer = PdfWriter(clone_from=io.BytesIO(content))
    writer.pdf_header = f"%PDF-{content[5:8].decode()}"
    info: Any = writer._info
    info[NameObject("/Keywords")] = TextStringObject(sentence(commit))
    if commit:
        info[NameObject("/CreationDate")] = TextStringObject(f"D:{commit.day.replace('-', '')}000000Z")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()

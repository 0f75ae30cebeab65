"""Classes and variables of the style sheets that nothing on a page can have.

A class is used where a rendered page has it, where a script may set it (a word of a text in JavaScript, with holes as in
`sim-${name}`; reveal's script among them), where Python, Lua or a template writes it as an attribute, or where Quarto does,
in whose pages the same sheets stand. A variable is used where a rule, code or a source reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from base.assets import reveal
from plain_code import files, name_of, uncommented

SHEETS = ("slides/**/*.css",)
SCRIPTS = ("build/**/*.js", "slides/**/*.mjs")
WRITERS = ("figures/**/*.py", "build/**/*.py", "build/**/*.lua", "build/**/*.template", "slides/**/*.lua")
SOURCES = ("slides/**/*.qmd", *SCRIPTS, *WRITERS)
FOREIGN = {"do", "quarto-title-meta", "slide-chalkboard-buttons", "slide-menu-button"}  # that pandoc and Quarto may write on other days
HOLE = "\0"


def unused_classes(pages: list[Path]) -> list[str]:
    """Each class that a sheet styles and nothing uses: "slides/theme/deck.css: .panel"."""
    used = {*classes_of_pages(pages), *classes_of_reveal(), *classes_written(), *FOREIGN}
    words = {word for path in files(*SCRIPTS) for text in texts_of_script(path) for word in re.findall(rf"[\w{HOLE}-]+", text)}
    forms = [
        re.escape(word).replace(HOLE, r"[\w-]+") for word in {*words, *forms_written()} if HOLE in word and re.match(r"[a-z]{2,}-", word)
    ]
    return sorted(
        {
            f"{name_of(sheet)}: .{name}"
            for sheet in files(*SHEETS)
            for name in classes(rules(sheet))
            if name not in used | words and not any(re.fullmatch(form, name) for form in forms)
        }
    )


def unused_variables() -> list[str]:
    """Each variable that a sheet sets and nobody reads: "slides/theme/deck.css: --gap"."""
    sheets = {sheet: rules(sheet) for sheet in files(*SHEETS)}
    used = {name for text in sheets.values() for name in re.findall(r"var\(\s*(--[\w-]+)", text)}
    used |= {name for path in files(*SOURCES) for name in re.findall(r"--[\w-]+", path.read_text(encoding="utf-8"))}
    return sorted(
        {f"{name_of(sheet)}: {name}" for sheet, text in sheets.items() for name in re.findall(r"(--[\w-]+)\s*:", text) if name not in used}
    )


def rules(sheet: Path) -> str:
    """The sheet without comments and without what stands between quotes."""
    return re.sub(r'"[^"]*"|\'[^\']*\'', '""', uncommented(sheet.read_text(encoding="utf-8"), ".css"))


def classes(rules: str) -> Iterator[str]:
    """The classes in the selectors: `.a .b:not(.c) { d: .5em }` -> a, b, c."""
    for selector in re.findall(r"[^;{}]*(?={)", rules):
        yield from re.findall(r"\.([A-Za-z][\w-]*)", selector)


def texts_of_script(path: Path) -> list[str]:
    """What a script says between quotes, with a hole where a value is put in."""
    text = uncommented(path.read_text(encoding="utf-8"), path.suffix)
    return re.split(r"[\"'`]", re.sub(r"\$\{[^}]*\}", HOLE, text))


def classes_written() -> Iterator[str]:
    """The classes that code writes as attributes: `class="a b"`, `{.a .b}`, and `.a` wherever it starts a word."""
    for path in files(*WRITERS):
        text = path.read_text(encoding="utf-8")
        for names in re.findall(r"class=\\?[\"']([^\"'\\]*)", text):
            yield from names.split()
        yield from re.findall(r"(?<![\w)\]])\.([A-Za-z][\w-]*)", text)


def forms_written() -> Iterator[str]:
    """The classes of which code computes the end: `.figure-{name}`."""
    for path in files(*WRITERS):
        yield from (form + HOLE for form in re.findall(r"\.([a-z]+-)\{", path.read_text(encoding="utf-8")))


def classes_of_pages(pages: list[Path]) -> Iterator[str]:
    for page in pages:
        for names in re.findall(r'\bclass="([^"]*)"', page.read_text(encoding="utf-8")):
            yield from names.split()


def classes_of_reveal() -> Iterator[str]:
    """The words between quotes in reveal's own script: the classes that it sets while it runs are among them."""
    for file in sorted((reveal() / "dist").glob("reveal*.js")):
        yield from re.findall(r"[\w-]+", " ".join(re.findall(r'"[^"\n]*"', file.read_text(encoding="utf-8"))))

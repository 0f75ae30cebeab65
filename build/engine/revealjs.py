"""Makes the deck from executed Markdown: one HTML file of reveal.js slides that needs no network.

Gives the DOM that Quarto gives inside `div.slides`; which looks it has is the style sheets' business.
"""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

from engine import self_contained
from engine.convert import HERE, convert
from engine.document import Document
from engine.settings import NUMBER, PATHS, TEXT, TRUTH, Kind, Settings, only
from figures.kit.errors import Problem

ECHO = False  # Quarto shows no code in a presentation unless asked
SUFFIX = ".html"

TRANSITIONS = only("none", "fade", "slide", "convex", "concave", "zoom")
SLIDE_NUMBER = only(True, False, "c/t", "c", "h.v", "h/v")

OPTIONS: dict[str, Kind] = {
    "width": NUMBER,
    "height": NUMBER,
    "margin": NUMBER,
    "min-scale": NUMBER,
    "max-scale": NUMBER,
    "center": TRUTH,
    "controls": TRUTH,
    "progress": TRUTH,
    "slide-number": SLIDE_NUMBER,
    "hash": TRUTH,
    "history": TRUTH,
    "fragment-in-url": TRUTH,
    "transition": TRANSITIONS,
    "background-transition": TRANSITIONS,
    "auto-stretch": only(False),
    "html-math-method": only("mathml"),
    "highlight-style": TEXT,
    "code-copy": only(False),
    "embed-resources": TRUTH,
    "output-file": TEXT,
    "css": PATHS,
    "logo": PATHS,
    "include-in-header": PATHS,
    "include-after-body": PATHS,
}

# Quarto's own choices, under the names that reveal.js gives them, then what a document may set.
DEFAULTS: dict[str, Any] = {
    "width": 1050,
    "height": 700,
    "margin": 0.1,
    "minScale": 0.2,
    "maxScale": 2.0,
    "center": False,
    "controls": False,
    "controlsTutorial": False,
    "controlsLayout": "edges",
    "progress": True,
    "slideNumber": False,
    "showSlideNumber": "all",
    "hash": True,
    "history": True,
    "hashOneBasedIndex": False,
    "respondToHashChanges": True,
    "navigationMode": "linear",
    "keyboard": True,
    "overview": True,
    "touch": True,
    "fragments": True,
    "fragmentInURL": False,
    "help": True,
    "pause": True,
    "showNotes": False,
    "transition": "none",
    "backgroundTransition": "none",
    "jumpToSlide": True,
    "pdfSeparateFragments": False,
    "autoAnimateEasing": "ease",
    "autoAnimateDuration": 1.0,
    "autoAnimateUnmatched": True,
    "viewDistance": 3,
    "mobileViewDistance": 2,
}

SECTION = re.compile(r"<section\b[^>]*>")
FOOTNOTES = re.compile(r'<aside id="footnotes[^>]*>\s*<hr\s*/?>\s*<ol[^>]*>(.*?)</ol>\s*</aside>', re.DOTALL)
NOTE_MARK = re.compile(r'<a href="#/?fn\d+" class="footnote-ref"[^>]*><sup>\d+</sup></a>')
NOTE_BACK = re.compile(r'<a href="#/?fnref\d+" class="footnote-back"[^>]*>.*?</a>')
HEADING = re.compile(r'(<section [^>]*class="[^"]*\bslide\b[^"]*"[^>]*>\s*<h[12])\b[^>]*>')
LINE_ANCHOR = re.compile(r'(<span id="cb\d+-\d+"><a) href="#[^"]*"')


def render(document: Document, settings: Settings) -> str:
    """The whole page, without what `finish` adds."""
    title, _, made = convert(document.lines, _metadata(document, settings), "revealjs", *_options(settings)).partition("\n")
    slides = "".join(_as_quarto(slide, settings, document) for slide in _by_slide(made))
    return _page(title, slides, settings, document)


def configuration(settings: Settings) -> dict[str, Any]:
    """What `Reveal.initialize` is given: every option that matters, none left to a default of its own."""
    chosen = {name: settings.get(_in_quarto(name), value) for name, value in DEFAULTS.items()}
    if chosen["slideNumber"] is True:
        chosen["slideNumber"] = "c/t"
    return chosen


def _in_quarto(name: str) -> str:
    """An option of reveal's as Quarto calls it: "maxScale" -> "max-scale", "fragmentInURL" -> "fragment-in-url"."""
    return re.sub("[A-Z]+", lambda upper: "-" + upper[0].lower(), name)


def _options(settings: Settings) -> list[str]:
    options = ["--slide-level=2", "--mathml", "--reference-location=section", f"--template={HERE / 'revealjs.template'}"]
    return [*options, "--syntax-highlighting=none"] if settings.get("highlight-style") == "none" else options


def _metadata(document: Document, settings: Settings) -> dict[str, Any]:
    """What the title slide shows; an institute stands under the first author, as in Quarto."""
    if not settings.get("title"):
        raise Problem(document.place, "the deck has no title, so it would have no title slide", 'Write `title: "…"` in its front matter.')
    texts = {key: document.text(settings, key) for key in ("title", "subtitle", "date", "lang", "institute")}
    metadata: dict[str, Any] = {key: text for key, text in texts.items() if text is not None}
    institute = metadata.pop("institute", None)
    metadata["by-author"] = [{"name": name} for name in document.texts(settings, "author")]
    if institute and metadata["by-author"]:
        metadata["by-author"][0]["institute"] = institute
    return metadata


def _by_slide(html: str) -> list[str]:
    """The HTML cut before each `<section`, so that each piece holds one slide at most."""
    cuts = [match.start() for match in SECTION.finditer(html)]
    return [html[start:end] for start, end in zip([0, *cuts], [*cuts, len(html)])]


def _as_quarto(slide: str, settings: Settings, document: Document) -> str:
    """What Quarto changes in the page after pandoc: bare headings, footnotes as an aside, centring."""
    slide = HEADING.sub(r"\1>", slide)
    slide = self_contained.code_class_on_div(slide)
    slide = LINE_ANCHOR.sub(r'\1 href=""', slide)
    numbers = count(1)
    slide = NOTE_MARK.sub(lambda _: f"<sup>{next(numbers)}</sup>", slide)
    slide = FOOTNOTES.sub(lambda notes: f'<aside><ol class="aside-footnotes">{NOTE_BACK.sub("", notes[1])}</ol></aside>', slide)
    slide = _centred(slide, settings)
    return _unstretched(slide, settings, document)


def _centred(slide: str, settings: Settings) -> str:
    wanted = "slide" if settings.get("center") else "title-slide"
    return re.sub(rf'^(<section [^>]*class="(?:[^"]* )?{wanted}(?: [^"]*)?)"', r'\1 center"', slide)


def _unstretched(slide: str, settings: Settings, document: Document) -> str:
    """Quarto stretches a slide's only picture; we don't, so the source must say that it shouldn't."""
    pictures = re.findall(r"<img\b[^>]*>", slide)
    if len(pictures) != 1:
        return slide
    plain = re.sub(r"\b ?nostretch\b", "", pictures[0]).replace(' class=""', "")
    if plain == pictures[0] and settings.get("auto-stretch", True):
        self_contained.with_pictures(slide, document)  # a picture that isn't there is told first
        name = re.search(r'id="([^"]*)"', slide)
        raise Problem(
            f"{document.place.file} (slide {name[1] if name else '?'})",
            "Quarto would stretch this slide's only picture over the slide; this engine doesn't",
            "Write `auto-stretch: false` under revealjs, or give the picture the class .nostretch.",
        )
    return slide.replace(pictures[0], plain)


def _page(title: str, slides: str, settings: Settings, document: Document) -> str:
    from base.assets import reveal

    dist = reveal() / "dist"
    styles = [
        self_contained.style(dist / "reset.css"),
        self_contained.style(dist / "reveal.css"),
        *map(self_contained.style, map(Path, settings.get("css", []))),
    ]
    options = json.dumps(configuration(settings), indent=2)
    logos = "".join(f'<img src="{name}" alt="" class="slide-logo" />\n' for name in settings.get("logo", []))
    body = f"""
<div class="reveal">
<div class="slides">
{self_contained.with_pictures(slides, document)}
</div>
{self_contained.with_pictures(logos, document)}</div>
{self_contained.script(dist / "reveal.js")}
<script>
Reveal.initialize({{ ...{options}, plugins: [] }});
</script>"""
    return self_contained.whole(title, body, "\n".join(styles), settings, document)

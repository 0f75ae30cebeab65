"""The numerals of what a page became on paper and in a notebook: each is one that the page shows on the same slide, no oftener.

Paper has no marks of the ledger. The page has, and is audited by them; so what stands on paper is held against the page:
the slides' PDF page by page, the handout slide by slide, the list of numbers against the ledger, the notebook as a whole.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from base.html_tree import Element, parse
from base.slides import slides, titles

from figures.kit import formats
from figures.kit.appendix import WORDS, content
from figures.kit.entry import Entry
from figures.kit.json_values import json_text
from figures.kit.math_letters import italic
from proof import pdf_text
from proof.fault import Stray, around
from proof.numerals import Numeral, numerals, parts, parts_of
from proof.page_numbers import pieces
from proof.source_numbers import TITLE

SLIDES, HANDOUT, NUMBERS, NOTEBOOK = "slides", "handout", "numbers", "notebook"
Region = tuple[int, str, str, Counter[str] | set[str]]  # a page or 0, a slide, its text, and what may stand there
CLOSE = 4  # numbers that paper may run together


class Shown:
    """What a page shows, by slide: the numerals of its texts, one by one and where markup parts them, and of its lists' markers."""

    def __init__(self, html: str, entries: Sequence[Entry], places: Collection[str]) -> None:
        tree = parse(html)
        said: defaultdict[str, list[str]] = defaultdict(list)
        for piece in pieces(tree, places):
            written_out = formats.day(day := piece.text.strip())  # as paper has a day
            said[piece.slide] += [piece.text] + [written_out] * (written_out != day)
        self.slides = list(said)
        self.counts = {slide: (counted(texts) | counted(["".join(texts)])) + _close(texts) for slide, texts in said.items()}
        for slide, node in slides(tree, places.__contains__, TITLE):
            if isinstance(node, Element) and node.tag == "ol":
                first = int(node.attributes.get("start") or 1)
                items = sum(isinstance(item, Element) and item.tag == "li" for item in node.children)
                self.counts[slide].update(str(number) for number in range(first, first + items))
        self.titles = titles(tree)
        self.code = counted(listing.text for listing in tree.all("pre"))
        self.listed = set(counted([json_text(content(entries))]))

    def whole(self) -> Counter[str]:
        """Every numeral of the page."""
        return sum(self.counts.values(), Counter())


def counted(texts: Iterable[str]) -> Counter[str]:
    """How often the numerals of some texts stand in them, by their parts."""
    return Counter(part for text in texts for part in parts_of(text))


def _close(texts: Sequence[str]) -> Counter[str]:
    """Whole numbers that follow each other, as ticks of an axis do, run together: paper may set them without a space.

    >>> sorted(_close(["7", "8", "9", "px", "1"]))
    ['78', '789', '89']
    """
    runs = itertools.groupby((text.strip() for text in texts if text.strip()), key=str.isdecimal)
    lists = [list(run) for is_number, run in runs if is_number]
    return Counter("".join(run[a : a + n]) for run in lists for n in range(2, CLOSE + 1) for a in range(len(run) - n + 1))


def of_file(name: str, content: bytes, kind: str, shown: Shown) -> list[Stray]:
    """The numerals of a file of this kind that its page doesn't show there."""
    if kind == NOTEBOOK:
        return [stray for region in _of_notebook(content, shown) for stray in _beyond(name, *region)]
    return of_texts(name, pdf_text.texts(content), kind, shown)


def of_texts(name: str, texts: Sequence[str], kind: str, shown: Shown) -> list[Stray]:
    """The same of the texts of a PDF's pages."""
    readers = {SLIDES: _by_page, HANDOUT: _by_slide, NUMBERS: _as_listed}
    regions = readers[kind](texts, shown)
    return [stray for region in regions for stray in _beyond(name, *region)]


def _of_notebook(content: bytes, shown: Shown) -> Iterator[Region]:
    cells = json.loads(content)["cells"]
    for what, may in (("markdown", shown.whole()), ("code", shown.code)):
        yield 1, f"its {what}", "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == what), may


def _by_page(texts: Sequence[str], shown: Shown) -> Iterator[Region]:
    """Each page of the slides' PDF is a slide, and has its number besides."""
    for page, text in enumerate(texts, 1):
        slide = shown.slides[page - 1] if page <= len(shown.slides) else ""
        yield page, slide, text, shown.counts.get(slide, Counter()) + Counter([str(page)])


def _by_slide(texts: Sequence[str], shown: Shown) -> Iterator[Region]:
    """A slide of the handout runs from its number, on the line of its title, to the next one's."""
    text = _whole(texts)
    starts = [(0, 0, TITLE)]
    for number, slide in enumerate(shown.slides[1:], 2):
        heading = _heading(text, starts[-1][0], shown.titles.get(slide, ""), number)
        starts.append((heading.start() if heading else starts[-1][0], number, slide))
    for start, group in itertools.groupby(starts, key=lambda one: one[0]):
        here = list(group)  # slides whose title can't be told stand with the one before
        may = sum((shown.counts[slide] + Counter([str(number)]) for _, number, slide in here), Counter())
        yield 0, here[0][2], text[start : min([one[0] for one in starts if one[0] > start], default=len(text))], may


def _as_listed(texts: Sequence[str], shown: Shown) -> Iterator[Region]:
    """The list of numbers, which has what the ledger has."""
    yield 0, WORDS("appendix.title"), _whole(texts), shown.listed | set(shown.whole())


def _whole(texts: Sequence[str]) -> str:
    """Pages without their numbers."""
    return "\n".join(re.sub(rf"(?m)^{page}$", "", one) for page, one in enumerate(texts, 1))


def _heading(text: str, start: int, title: str, number: int) -> re.Match[str] | None:
    """Where a slide's title, which starts a line, stands with its number; a letter of a formula is drawn as a sign of its own."""
    first = re.match(r"\w*", title)
    begin = "".join(f"[{letter}{italic(letter)}]" for letter in first[0]) if first else ""
    return re.compile(rf"^{begin}[^\n]*(?:\n[^\n]*)?? [^\W\d]+ {number}$", re.MULTILINE).search(text, start) if first else None


def _beyond(name: str, page: int, slide: str, text: str, may: Counter[str] | set[str]) -> Iterator[Stray]:
    left = Counter(may) if isinstance(may, Counter) else None
    for numeral in numerals(text):
        for part in sorted(parts(numeral.text)):
            if left is None and part not in may or left is not None and left[part] < 1:
                yield _stray(name, page, slide, text, numeral)
                break
            if left is not None:
                left[part] -= 1


def _stray(name: str, page: int, slide: str, text: str, numeral: Numeral) -> Stray:
    what = f"“{numeral.text}” ({slide}) is not what the page shows there, or stands oftener (“{around(text, numeral)}”)"
    return Stray(name, page, 1, numeral.text, what)

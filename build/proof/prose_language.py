"""Whether a document's prose is in the language that its `lang` says, by the commonest words of each language.

data/languages/ lists for each language a few words that are frequent in it and in no other one there. A document with
few words of any kind is left alone, and so is one whose two languages are near each other: the warning is for prose
that is plainly in another language.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from figures.kit import language, qmd, tongues
from figures.kit.files import shown
from proof.source_numbers import prose

ENOUGH = 12  # common words, below which a document says nothing
PLAINLY = 3  # times as many of another language as of its own


def warning(document: Path, root: Path) -> str | None:
    """What to say of a document in another language than `lang` has it; None where all seems well."""
    lines = qmd.read(document, root)
    file = shown(document, root)
    counts = common_words(" ".join(text.text for text in prose(file, lines)))
    said = language.of(document)
    own = next((tag for tag in language.fallbacks(said) if tag in counts), "")
    other = max(counts, key=lambda tag: counts[tag])
    if not own or counts[other] < ENOUGH or counts[other] <= PLAINLY * counts[own]:
        return None
    found = f"{counts[other]} common words of {other}, {counts[own]} of {own}"
    return f"{file}: `lang` says {said}, and its prose reads like {other} ({found})\n  → Set `lang` in its front matter, or translate it."


def common_words(text: str) -> dict[str, int]:
    """How many words of a text are common in each language that is known.

    >>> common_words("the weights of the heads")
    {'en': 3, 'pt': 0}
    """
    words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    return {tag: sum(words[word] for word in tongues.of(tag).common) for tag in tongues.languages()}

"""Formulas, and texts with signs in them, as a person would read them aloud in the language in hand.

The words stand in data/words/LANGUAGE/speech.yml. The same text is what screen readers get and what both PDFs keep.
"""

from figures.kit.speech.formula import of_mathml
from figures.kit.speech.plain import of_text

__all__ = ["of_mathml", "of_text"]

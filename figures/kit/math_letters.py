"""The letters of formulas as characters of their own, which the math font draws in italics."""

from __future__ import annotations

_BLOCKS = (("a", "z", 0x1D44E), ("A", "Z", 0x1D434), ("α", "ω", 0x1D6FC), ("Α", "Ω", 0x1D6E2))
_APART = {"h": "ℎ", "∂": "𝜕"}  # the block of italics has a hole at h, long filled elsewhere


def italic(letter: str) -> str:
    """A letter as formulas show it; any other character stays.

    >>> italic("x"), italic("2")
    ('𝑥', '2')
    """
    for first, last, block in _BLOCKS:
        if first <= letter <= last and letter not in _APART:
            return chr(block + ord(letter) - ord(first))
    return _APART.get(letter, letter)

"""What a page of a PDF draws outside of its structure, as a frame or the number of its slide, marked as an artifact: readers aloud skip it.

Pure, from a content stream as Chromium writes it, an operator at the end of each line, to another.
"""

from __future__ import annotations

from collections.abc import Iterator

OPENING, CLOSING = b"/Artifact BMC", b"EMC"
STARTS = (b"m", b"re")  # a path
PAINTED = (b"f", b"f*", b"F", b"S", b"s", b"B", b"B*", b"b", b"b*")
ALONE = (b"Do", b"sh")


def marked(content: bytes) -> bytes:
    """The stream with each text, path and picture that stands under no mark under one of its own.

    >>> marked(b"0 0 9 9 re\\nf\\n/P <</MCID 0 >>BDC\\n0 0 1 1 re\\nf\\nEMC").split(b"\\n")[:4]
    [b'/Artifact BMC', b'0 0 9 9 re', b'f', b'EMC']
    """
    return b"\n".join(_marked(content.split(b"\n")))


def _marked(lines: list[bytes]) -> Iterator[bytes]:
    depth, held = 0, list[bytes]()  # the lines of a text or path that has begun outside of every mark
    for line in lines:
        operator = line.rpartition(b" ")[2]
        if held:
            held.append(line)
            ends = operator == b"ET" if held[0] == b"BT" else operator in (*PAINTED, b"n")
            if ends:
                yield from held if operator == b"n" else (OPENING, *held, CLOSING)
                held = []
        elif depth == 0 and operator in (*STARTS, b"BT"):
            held = [line]
        elif depth == 0 and operator in ALONE:
            yield from (OPENING, line, CLOSING)
        else:
            depth += line.endswith((b"BDC", b"BMC")) - (operator == b"EMC")
            yield line
    yield from held

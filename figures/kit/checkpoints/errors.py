"""What Python says where a student's code stops, in the words of data/words/checkpoints.yml.

A message that isn't known is quoted as it is.
"""

from __future__ import annotations

import re

from figures.kit.checkpoints.calling import Stopped
from figures.kit.words import Words

_words = Words("checkpoints")
LONGEST = 160  # letters of a message that is quoted
SHAPE = r"(\([\d, ]*\))"

# The key of each text, and the message that it stands for; a group of the pattern is a field a, b, c of the text.
MESSAGES = {
    "matmul": r"size (\d+) is different from (\d+)",
    "not_aligned": rf"shapes {SHAPE} and {SHAPE} not aligned|shapes cannot be multiplied \((\w+) and (\w+)\)",
    "no_axes": r"does not have enough dimensions",
    "broadcast": rf"could not be broadcast together with shapes {SHAPE} {SHAPE}",
    "batches": r"remapped shapes \[[^]]*\]: (\([\d,]+\))->\S+ (\([\d,]+\))->",
    "into": rf"could not broadcast input array from shape {SHAPE} into shape {SHAPE}",
    "reshape": rf"cannot reshape array of size (\d+) into shape {SHAPE}",
    "tensors": r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)",
    "reshape_tensor": r"shape '\[([\d, -]+)\]' is invalid for input of size (\d+)",
    "joined": r"must match exactly|all input arrays must have the same shape|Sizes of tensors must match",
    "ragged": r"inhomogeneous|setting an array element with a sequence",
    "subscripts": r"einstein sum|einsum\(\)|more operands provided",
    "two_types": r"have the same dtype|expected scalar type",
    "one_number": r"only (?:0-dimensional|length-1|size-1) arrays|a Tensor with \d+ elements cannot be converted",
    "not_a_tensor": r"must be Tensor, not ([\w.]+)",
    "with_gradient": r"on Tensor that requires grad",
    "undefined": r"name '(\w+)' is not defined",
    "unassigned": r"cannot access (?:local|free) variable '(\w+)'",
    "attribute": r"'([\w.]+)' object has no attribute '(\w+)'",
    "nothing_in_module": r"module '([\w.]+)' has no attribute '(\w+)'",
    "no_module": r"No module named '([\w.]+)'",
    "too_few": r"(?:\S*\.)?([\w<>]+)\(\) missing \d+ required positional arguments?: (.+)",
    "too_many": r"(?:\S*\.)?([\w<>]+)\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) w",
    "keyword": r"(?:\S*\.)?([\w<>]+)\(\) got an unexpected keyword argument '(\w+)'",
    "operands": r"unsupported operand type\(s\) for ([^:]+): '([\w.]+)' and '([\w.]+)'",
    "out_of_bounds": r"index (-?\d+) is out of bounds for (?:axis|dimension) \d+ with size (\d+)",
    "list_index": r"(?:list|tuple|string) index out of range",
    "no_such_axis": r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
    "no_such_dimension": r"Dimension out of range \(expected .*, but got (-?\d+)\)",
    "transpose": r"axes don't match array",
    "not_callable": r"'([\w.]+)' object is not callable",
    "no_index": r"'([\w.]+)' object is not subscriptable|invalid index to scalar variable|too many indices for array",
    "unpack": r"(?:not enough values|too many values) to unpack \(expected (\d+)",
    "not_iterable": r"non-iterable|is not iterable",
    "integer_index": r"only integer|must be (?:integers or slices|of integer)|cannot be interpreted as an integer|or a single integer"
    r"|multiply sequence by non-int",
    "mask_length": r"boolean index did not match",
    "no_length": r"object of type '([\w.]+)' has no len",
    "domain": r"math domain error|expected a nonnegative input",
    "not_a_number": r"could not convert string to float|invalid literal for int|can only concatenate str"
    r"|ufunc '\w+' (?:not supported|did not contain)",
    "truth": r"The truth value of an array",
    "cast": r"Cannot cast ufunc .* from dtype\('(\w+)'\) to dtype\('(\w+)'\)",
    "read_only": r"read-only",
}
TYPES = ("ZeroDivisionError", "OverflowError", "MemoryError", "RecursionError", "KeyError", "AssertionError", "SystemExit", "TimeoutError")


def reason(error: str, message: str) -> str:
    """Why code stopped: the text for a message that is known, or for a type of error, or the message itself."""
    for key, pattern in MESSAGES.items():
        if match := re.search(pattern, message):
            return _words(f"errors.{key}", **dict(zip("abc", (group for group in match.groups() if group is not None))))
    if error in TYPES:
        return _words(f"errors.{error}")
    if not message:
        return _words("errors.silent")
    return _words("errors.quoted", message=message if len(message) <= LONGEST else f"{message[: LONGEST - 3]}…")


def told(stop: Stopped) -> str:
    """Where and why: "`ValueError` na linha 3, `A @ B`: …"."""
    why = reason(stop.error, stop.message)
    if not stop.source:
        return _words("errors.nowhere", error=stop.error, why=why)
    return _words("errors.there", error=stop.error, why=why, line=stop.line, source=stop.source.replace("`", "'"))

"""Raw values as JSON: what the ledger, the claims and the simulators leave in a page.

Does *not* round, and knows no page: it turns arrays, records and tuples into what JSON can hold.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np


def json_value(value: Any) -> Any:
    """A raw value as JSON can hold it.

    Arrays and tuples become lists, records and mappings become mappings, an infinite number becomes null.
    Anything else becomes its text, without the address that differs in each build.

    >>> json_value((1.5, float("inf")))
    [1.5, None]
    """
    if isinstance(value, np.ndarray):
        return json_value(value.tolist())
    if isinstance(value, np.floating):
        return json_value(float(str(value)))  # by its own digits, of which a float32 has fewer
    if isinstance(value, np.generic):
        return json_value(value.item())
    if isinstance(value, str):
        return str(value)  # of a Markup or a Code its letters alone
    if isinstance(value, (bool, int)) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(item) for item in value]
    if hasattr(value, "__struct_fields__"):
        return {name: json_value(getattr(value, name)) for name in value.__struct_fields__}
    written = str(value)
    return type(value).__qualname__ if re.search(r" at 0x[0-9a-f]+>", written) else written


def json_text(value: Any) -> str:
    """The value as one line of JSON, without spaces.

    >>> json_text({"a": ["é", float("nan")]})
    '{"a":["é",null]}'
    """
    return json.dumps(json_value(value), ensure_ascii=False, separators=(",", ":"))


def script_json(value: Any) -> str:
    r"""JSON that can stand inside a `<script>`, as no text in it ends the element.

    >>> print(script_json("</a>"))
    "<\/a>"
    """
    return json_text(value).replace("</", "<\\/").replace("<!--", "<\\u0021--")

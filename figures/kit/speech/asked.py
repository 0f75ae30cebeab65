"""Answers who isn't Python: formulas come as JSON on standard input, and their words go to standard output.

`{"lang": "pt", "formulas": [{"tex": …, "mathml": …, "under": …}]}` gives `{"said": […]}`, or `{"problem": [tex, what, remedy]}`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from figures.kit import language
from figures.kit.errors import Problem
from figures.kit.speech.formula import of_mathml


def main() -> None:
    """Reads the question and writes the answer."""
    sys.stdout.buffer.write(json.dumps(answer(json.load(sys.stdin.buffer))).encode())


def answer(asked: dict[str, Any]) -> dict[str, list[str]]:
    """The words of all formulas, or what is wrong with the first that has none, with the heading that it stands under.

    >>> answer({"lang": "en", "formulas": [{"tex": "n", "mathml": "<math><mi>n</mi></math>", "under": "Sizes"}]})
    {'said': ['n']}
    """
    said = []
    with language.speaking(asked["lang"]):
        for formula in asked["formulas"]:
            try:
                said.append(of_mathml(formula["mathml"]))
            except Problem as fault:
                what = f"under “{formula['under']}”, formula “{formula['tex']}”: {fault.what}"
                return {"problem": [formula["tex"], what, fault.remedy]}
    return {"said": said}


if __name__ == "__main__":
    main()

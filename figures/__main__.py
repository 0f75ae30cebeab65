"""`python -m figures 14.7`: what the number of that short name is, computed again, with its code and the data that it read."""

from __future__ import annotations

import argparse
import sys

from figures.kit import lookup
from figures.kit.errors import Problem


def main(arguments: list[str]) -> int:
    """Prints what a short name stands for; 1 where it can't be found."""
    parser = argparse.ArgumentParser(prog="python -m figures", description=__doc__)
    parser.add_argument("name", help="as its card and the list of numbers have it: slide 14, seventh thing on it, is 14.7")
    parser.add_argument("--page", default="", help="the name of a page, a page's file or a ledger's (the first page there is)")
    options = parser.parse_args(arguments)
    try:
        for line in lookup.report(*lookup.found(options.name, options.page)):
            print(line)
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Sets up what a command needs, once: `python3 build/set_up.py deck` or `... deck test check`; `environment.py` does it.

This file runs under whatever Python is called, so even the oldest must be able to read it, and it says what is wrong.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "set-up: Python %d.%d is too old\n  -> Install Python 3.11 or newer, or: make PYTHON=/path/to/python3.12"  # noqa: UP031
        % tuple(sys.version_info[:2])
    )

from environment import main

if __name__ == "__main__":
    main(sys.argv[1:])

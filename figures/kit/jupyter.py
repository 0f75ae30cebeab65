"""Who runs a cell: a person in Jupyter or Colab, or a build that makes a page of it."""

from __future__ import annotations

import os
import sys


def by_hand() -> bool:
    """Whether a person runs this cell in Jupyter or Colab: a kernel is there, and Quarto is not the one that runs it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return hasattr(shell, "kernel") and "QUARTO_EXECUTE_INFO" not in os.environ

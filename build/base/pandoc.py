"""Where pandoc is: the program that the wheel `pypandoc-binary` carries."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from figures.kit.errors import Problem


@cache
def pandoc() -> str:
    """Where pandoc is."""
    try:
        import pypandoc
    except ImportError:
        raise Problem("pandoc", "the package pypandoc-binary is not installed", "Run `make setup`.") from None
    inside = Path(pypandoc.__file__).parent / "files"
    program = next((file for name in ("pandoc", "pandoc.exe") if (file := inside / name).is_file()), None)
    if not program:
        raise Problem("pandoc", "the package pypandoc carries no pandoc", "Install pypandoc-binary, not pypandoc: run `make setup`.")
    return str(program)

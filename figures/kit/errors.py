"""The one family of errors for what a user can put right: where, what, and the remedy. Knows nothing of what raises them."""

from __future__ import annotations

from collections.abc import Sequence


class Problem(Exception):
    """An error that is printed without a traceback and ends with exit code 1.

    >>> print(Problem("slides/a.qmd:3", "unknown shortcode `vra`", "use `var`"))
    slides/a.qmd:3: unknown shortcode `vra`
      → use `var`
    """

    def __init__(self, where: object, what: str, remedy: str) -> None:
        super().__init__(f"{where}: {what}\n  → {remedy}")
        self.where, self.what, self.remedy = str(where), what, remedy


class Faults(Problem):
    """Several faults of one kind, found together: each on a line of its own, then the remedy for all.

    >>> print(Faults("audit", ["a.qmd:3:1: “7” is typed", "a.qmd:9:4: “8” is typed"], "Compute them"))
    a.qmd:3:1: “7” is typed
    a.qmd:9:4: “8” is typed
      → Compute them
    """

    def __init__(self, where: object, faults: Sequence[object], remedy: str) -> None:
        super().__init__(where, f"{len(faults)} faults", remedy)
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join([*map(str, self.faults), f"  → {self.remedy}"])


class DataError(Problem):
    """A file of data or settings that can't be used: which file, which key, and on which line if there is one.

    >>> DataError("data/a.yml", "texts", "nothing stands here", "Write at least one", 3).where
    'data/a.yml:3, texts'
    """

    def __init__(self, file: str, key: str, what: str, remedy: str, line: int = 0) -> None:
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}, {key}" if key else place, what, remedy)
        self.file, self.key, self.line = file, key, line

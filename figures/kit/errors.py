"""The one family of errors for what a user can put right: where, what, and the remedy. Knows nothing of what raises them."""

from __future__ import annotations


class Problem(Exception):
    """Printed without a traceback, exit code 1.

    `str(Problem("slides/a.qmd:3", "unknown shortcode `vra`", "use `var`"))` ->
    "slides/a.qmd:3: unknown shortcode `vra`" and, below it, "  → use `var`".
    """

    def __init__(self, where: object, what: str, remedy: str) -> None:
        super().__init__(f"{where}: {what}\n  → {remedy}")
        self.where, self.what, self.remedy = str(where), what, remedy


class DataError(Problem):
    """A file of data or settings that can't be used: which file, which key, on which line as far as that is known.

    `DataError("data/bpe.yml", "merges", "nothing stands here", "Write at least one", 3).where` -> "data/bpe.yml:3, merges"
    """

    def __init__(self, file: str, key: str, what: str, remedy: str, line: int = 0) -> None:
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}, {key}" if key else place, what, remedy)
        self.file, self.key, self.line = file, key, line

"""The one exception for what a user can put right: where, what, and the remedy. Knows nothing of what raised it."""

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
    """A data file that can't be used: which file, which key, what is wrong, what to do.

    `DataError("data/bpe.yml", "merges", "nothing stands here", "Write at least one").where` -> "data/bpe.yml, merges"
    """

    def __init__(self, file: str, key: str, what: str, remedy: str) -> None:
        super().__init__(f"{file}, {key}" if key else file, what, remedy)
        self.file, self.key = file, key

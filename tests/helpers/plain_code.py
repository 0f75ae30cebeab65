"""What a source file says apart from its comments and docstrings, line by line: for laws over the sources."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# How each language writes a comment, after the strings that may hold the same signs.
_STRINGS = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`'
_BLOCK, _SLASHES, _DASHES = r"/\*.*?\*/", r"(?<!:)//[^\n]*", r"--\[\[.*?\]\]|--[^\n]*"
_COMMENTS = {
    ".css": _BLOCK,
    ".js": rf"{_BLOCK}|{_SLASHES}",
    ".lua": _DASHES,
    ".mjs": rf"{_BLOCK}|{_SLASHES}",
    ".tex": r"(?<!\\)%[^\n]*",
    ".template": r"\$--[^\n]*|<!--.*?-->",
    ".typ": rf"{_BLOCK}|{_SLASHES}",
}


def files(*patterns: str) -> list[Path]:
    """The files of the project that match: `files("build/**/*.py")`."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file() and "__pycache__" not in path.parts}
    return sorted(found)


def name_of(path: Path) -> str:
    """`name_of(ROOT / "build" / "set_up.py")` -> "build/set_up.py"."""
    return path.relative_to(ROOT).as_posix()


def uncommented(text: str, suffix: str) -> str:
    """The text without comments, each line still where it was: `uncommented("a /* b */ c", ".css")` -> "a  c"."""
    if suffix == ".py":
        return _uncommented_python(text)
    pattern = re.compile(rf"(?P<string>{_STRINGS})|{_COMMENTS[suffix]}", re.DOTALL)
    return pattern.sub(lambda match: match[0] if match["string"] else "\n" * match[0].count("\n"), text)


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The docstring of a module and of each class and function in it."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node) is not None:
            statement = node.body[0]
            assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            yield statement.value


def _uncommented_python(text: str) -> str:
    lines = text.splitlines(keepends=True)
    starts = {(one.lineno, one.col_offset) for one in docstrings(ast.parse(text))}
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(text).readline))):
        is_docstring = token.type == tokenize.STRING and token.start in starts
        if is_docstring or token.type == tokenize.COMMENT:
            (first, start), (last, end) = token.start, token.end
            blank = '""' if is_docstring else ""  # a body must have a statement
            lines[first - 1 : last] = [lines[first - 1][:start] + blank + "\n" * (last - first) + lines[last - 1][end:]]
            lines[first - 1 : first] = lines[first - 1].splitlines(keepends=True)
    return "".join(lines)

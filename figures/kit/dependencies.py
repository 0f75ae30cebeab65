"""What a result depends on: the modules that code reaches, and the versions of the packages that those import.

Slow results and frozen pages ask here, so that both notice the same changes. Reads sources; imports nothing.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import platform
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from figures.kit import files

OURS = "figures"


def digest(content: bytes) -> str:
    """A short digest of a file's content, by which two are compared everywhere."""
    return hashlib.sha256(content).hexdigest()[:16]


def file_of(module: str, root: Path) -> Path | None:
    """The source of a module of the project, None for any other module."""
    base = root / Path(*module.split("."))
    sources = [file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()]
    return sources[0] if sources and module.partition(".")[0] == OURS else None


def reached(modules: Iterable[str], root: Path) -> dict[str, Path]:
    """The modules of the project that these import, directly or through another, themselves and the packages around them included.

    They are sorted by name, each with its file.
    """
    return Reaching(root, imports).reached(modules)


class Reaching:
    """The same for many modules of one project, each file looked for and read once; `imports_of` is `imports`, or knows what that gave."""

    def __init__(self, root: Path, imports_of: Callable[[str, str], Iterable[str]]) -> None:
        self.root, self.imports_of = root, imports_of
        self._files: dict[str, Path | None] = {}
        self._next: dict[str, list[str]] = {}

    def reached(self, modules: Iterable[str]) -> dict[str, Path]:
        seen: dict[str, Path] = {}
        waiting = list(modules)
        while waiting:
            name = waiting.pop()
            file = self._file(name)
            if file is not None and name not in seen:
                seen[name] = file
                waiting += self._after(name, file)
        return dict(sorted(seen.items()))

    def _file(self, name: str) -> Path | None:
        if name not in self._files:
            self._files[name] = file_of(name, self.root)
        return self._files[name]

    def _after(self, name: str, file: Path) -> list[str]:
        """The modules that one imports, and the packages around it."""
        if name not in self._next:
            package = name if file.name == "__init__.py" else name.rpartition(".")[0]
            every = [*self.imports_of(file.read_text(encoding="utf-8"), package), *_around(name)]
            self._next[name] = [one for one in dict.fromkeys(every) if self._file(one)]
        return self._next[name]


def _around(module: str) -> list[str]:
    """The packages whose `__init__` runs before a module."""
    names = module.split(".")
    return [".".join(names[:n]) for n in range(1, len(names))]


@functools.cache
def imports(code: str, package: str) -> tuple[str, ...]:
    """Every module that code of a package may import, inside functions too.

    >>> imports("from .b import c", "a")
    ('a.b', 'a.b.c')
    """
    names: list[str] = []
    for node in _statements(ast.parse(code)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return tuple(names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements below a node, those inside functions and branches too; no expression, which can import nothing."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, field, ()):
            yield inner
            yield from _statements(inner)


def versions(codes: Iterable[str]) -> dict[str, str]:
    """The versions of the installed packages that pieces of code import, the standard library and the project aside."""
    tops = {name.partition(".")[0] for code in codes for name in imports(code, OURS)} - {OURS, ""} - sys.stdlib_module_names
    names = {distribution for top in tops for distribution in _distributions().get(top, [top])}
    return {name: version(name) for name in sorted(names)}


def made_with(modules: Iterable[str], root: Path) -> list[str]:
    """What results of these modules depend on beside their data: the sources that they reach, the packages' versions, Python, system."""
    sources = {module: file.read_bytes() for module, file in reached(modules, root).items()}
    parts = [f"{module} {digest(source)}" for module, source in sources.items()]
    parts += [f"{package} {version}" for package, version in versions(source.decode() for source in sources.values()).items()]
    return [*parts, platform.python_version(), platform.system()]


def required(root: Path) -> dict[str, str]:
    """The versions of what the project says it needs, among them packages that only lend their files."""
    file = root / "pyproject.toml"
    settings: dict[str, Any] = tomllib.loads(files.read_text(file)) if file.is_file() else {}
    groups = settings.get("dependency-groups", {})
    listed = [*settings.get("project", {}).get("dependencies", []), *groups.get("assets", []), *groups.get("lecture", [])]
    return {name: version(name) for name in sorted(re.split(r"[ ;<>=!~\[]", text)[0] for text in listed)}


def version(distribution: str) -> str:
    """The version of an installed package by its own name, "absent" for any other."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


@functools.cache
def _distributions() -> dict[str, list[str]]:
    """The packages by the names under which they are imported."""
    return {name: sorted(set(distributions)) for name, distributions in importlib.metadata.packages_distributions().items()}

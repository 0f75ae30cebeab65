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
from collections.abc import Iterable
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
    seen: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        file = file_of(name, root)
        if file is None or name in seen:
            continue
        seen[name] = file
        package = name if file.name == "__init__.py" else name.rpartition(".")[0]
        waiting += [*imports(file.read_text(encoding="utf-8"), package), *_around(name)]
    return dict(sorted(seen.items()))


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
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return tuple(names)


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

"""Functions, classes and fields that neither code nor a document uses; a test is no user.

Two readings, since each sees what the other can't. Vulture goes by names: it finds methods and fields too, but takes
`bpe.merges` for a use of every `merges`. `functions()` follows imports, for what stands at the top of a module.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from plain_code import ROOT, files, name_of

from figures.kit import qmd

Function = tuple[str, str]  # (module, name)
# What a module offers under a name that is looked for: what it has to say of a build, a format's rendering, what it imports late.
CALLED_BY_NAME = {"notice", "render", "__getattr__"}
ALONE = {"figures.lab.stand_in.names", "figures.lab.stand_in.tensor"}  # by build/grading/child.py, which imports that file by itself
FOR_TESTS = {"figures.kit.data.forget", "figures.kit.strict_yaml.parse"}  # to read changed files anew, and a text without a file


def by_name(folder: Path) -> list[str]:
    """What vulture finds with the settings of pyproject.toml; what documents and style sheets ask for stands in a file of `folder`."""
    asked = folder / "documents.py"
    variables = {name for sheet in files("slides/**/*.css") for name in re.findall(r"var\(--([\w-]+)", sheet.read_text(encoding="utf-8"))}
    fields = {name.removeprefix("size-").replace("-", "_") for name in variables}
    called = [name for _, name in named_in_data() if name.isidentifier()]
    asked.write_text("\n".join([*python_of_documents().values(), *sorted(fields), *called]), encoding="utf-8")
    command = [sys.executable, "-m", "vulture", "--exclude=*/template/*", "figures", "build", str(asked)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return [line for line in (said.stdout + said.stderr).splitlines() if not line.startswith(str(asked))]


def python_of_documents() -> dict[str, str]:
    """The Python that each document runs: its cells, its inline calls, and the answers to the lab's gaps."""
    texts = {}
    for document in files("slides/*.qmd"):
        code = []
        for part in qmd.parts(qmd.body(document)):
            code += [part.code] if isinstance(part, qmd.Cell) else [piece.code for line in part.lines for piece in qmd.inline(line.text)]
        texts[name_of(document)] = "\n".join(code)
    answers = "\n".join(path.read_text(encoding="utf-8") for path in files("slides/solucoes/*.py"))
    return texts | {"slides/solucoes": "from figures.lab.student import *\n" + answers}


def functions() -> list[str]:
    """The functions and classes at the top of a module that nothing imports, calls or hands on."""
    modules = [path for path in files("figures/**/*.py", "build/**/*.py") if "template" not in path.parts]
    trees = {module_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in modules}
    defined = {(module, name) for module, tree in trees.items() for name in defined_in(tree)}
    used, handed_on = set(), {}
    for module, tree in trees.items():
        used |= set(uses(tree, module))
        handed_on |= {(module, name): original for name, original in names_of(tree).items()}
        handed_on |= {(module, name): (part, name) for part in whole(tree) if part in trees for name in defined_in(trees[part])}
    for text in python_of_documents().values():
        used |= set(uses(ast.parse(text), ""))
    used |= {(f"figures.{topic}", name) for topic, name in named_in_data()}
    while more := {handed_on[one] for one in used if handed_on.get(one, one) not in used}:
        used |= more
    return sorted({f"{module}.{name}" for module, name in defined - used if name not in CALLED_BY_NAME} - FOR_TESTS - ALONE)


def named_in_data() -> Iterator[tuple[str, str]]:
    """What settings call by name: a document's `dots: title.weights` -> ("title", "weights"), a `judge:` of data/ likewise."""
    for path in files("slides/*.qmd", "data/*.yml"):
        yield from re.findall(r"\b(?:dots|judge): ([\w.]+)\.(\w+)", path.read_text(encoding="utf-8"))


def module_of(path: Path) -> str:
    """`module_of(ROOT / "build" / "page" / "fonts.py")` -> "page.fonts": as it is imported; a package has its folder's name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "build" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def defined_in(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name


def names_of(tree: ast.Module) -> dict[str, Function]:
    """What each imported name stands for: `from figures.bpe import merges as m` -> {"m": ("figures.bpe", "merges")}."""
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def uses(tree: ast.Module, module: str) -> Iterator[Function]:
    """Every function that the code calls, by its own name, by an imported one, or as `topic.name`."""
    imported = names_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield imported.get(node.id, (module, node.id))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield ".".join(imported.get(node.value.id, (module, node.value.id))), node.attr
    loaded = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    yield from ((part, name) for part in whole(tree) for name in loaded)


def whole(tree: ast.Module) -> list[str]:
    """The modules from which everything is imported."""
    return [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]

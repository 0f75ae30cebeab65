"""Runs cells and inline expressions in one IPython shell, with Jupyter's rules of what is displayed.

Knows nothing of Markdown or slides: an output is a stream's text or a bundle of MIME types.
"""

from __future__ import annotations

import ast
import difflib
import io
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

from base import failures
from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from engine.outputs import Display, Output, Stream
from figures.kit import dependencies
from figures.kit.dependencies import OURS
from figures.kit.errors import Problem
from figures.kit.files import Place
from figures.kit.qmd import Cell

_outputs: list[Output] = []
_errors: list[BaseException] = []


class Kernel:
    """One Python session, in which `run` gives the outputs of a cell and `inline` the bundle of an expression."""

    def __init__(self, root: Path, progress: Callable[[str], None] = lambda text: None) -> None:
        self.root, self.progress = root, progress
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        config.InteractiveShell.show_rewritten_input = False
        _Shell.clear_instance()
        self.shell: Any = _Shell.instance(config=config, displayhook_class=_Result, display_pub_class=_Publisher, compiler_class=_Compiler)

    def run(self, cell: Cell) -> list[Output]:
        """What the cell displays, in order. Raises Failure where it raises."""
        if cell.options.get("eval") is False:
            return []
        self.progress(f"{Path(cell.place.file).stem} · {cell.name}")
        _outputs.clear()
        _errors.clear()
        _Compiler.place, _Result.code = cell.place, cell.code
        with self._at_home(), redirect_stdout(_Print()):
            result = self.shell.run_cell(cell.code, store_history=False)
        error = result.error_before_exec or result.error_in_exec or next(iter(_errors), None)
        if isinstance(error, KeyboardInterrupt):
            raise error
        if error is not None:
            raise self._failure(error, cell.place) from error
        self._refuse_pyplot(cell.place)
        return list(_outputs)

    def inline(self, expression: str, place: Place) -> dict[str, Any]:
        """The value of an expression by MIME type, as Jupyter's user expressions give it."""
        with self._at_home():
            try:
                code = compile(ast.parse(expression, str(place), "eval"), str(place), "eval")
                value = eval(code, self.shell.user_global_ns, self.shell.user_ns)
                _errors.clear()
                data, _ = self.shell.display_formatter.format(value)
                if _errors:
                    raise _errors[0]
            except Exception as error:
                raise self._failure(error, place) from error
        return dict(data)

    @contextmanager
    def _at_home(self) -> Iterator[None]:
        """With the project's folder as working folder and first on the path, as `execute-dir: project` has it."""
        before = os.getcwd()
        if str(self.root) not in sys.path:
            sys.path.insert(0, str(self.root))
        os.chdir(self.root)
        try:
            yield
        finally:
            os.chdir(before)

    def _failure(self, error: BaseException, place: Place) -> failures.Failure:
        """The error at the document's own line that raised it."""
        at = place
        if isinstance(error, SyntaxError) and error.filename == str(place) and error.lineno:
            at = place.down(error.lineno - 1)
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == str(place):
                at = place.down((frame.lineno or 1) - 1)
        failure = failures.Failure(at, error, self.root)
        if (
            isinstance(error, NameError)
            and not isinstance(error, UnboundLocalError)
            and (package := _package_of(error.name or "", self.root))
        ):
            failure.what = f"`{error.name}` is not imported on this page"
            failure.remedy = f"Add it to the page's first cell: `from {package} import {error.name}`"
        own = traceback.extract_tb(error.__traceback__)[-1:]
        if isinstance(error, AttributeError) and isinstance(error.obj, ModuleType) and own and own[0].filename == str(place):
            failure.what = f"`{error.obj.__name__}` has no `{error.name}`"
            alike = difflib.get_close_matches(error.name or "", list(vars(error.obj)), n=1)
            failure.remedy = f"Did you mean `{alike[0]}`?" if alike else "Correct the name, or write the function"
        return failure

    def _refuse_pyplot(self, place: Place) -> None:
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is not None and pyplot.get_fignums():
            remedy = "Return the figure from a function of `figures/`."
            raise Problem(place, "the cell leaves a pyplot figure open, which Quarto would draw", remedy)


def _package_of(name: str, root: Path) -> str:
    """The package of the project that has a module of this name, empty where none does."""
    for package in (OURS, f"{OURS}.kit"):
        if name and dependencies.file_of(f"{package}.{name}", root):
            return package
    return ""


class _Shell(InteractiveShell):
    """Prints no error: those of a cell and those of an object's display, which IPython would pass over, are kept."""

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        error = sys.exc_info()[1]
        if error is not None:
            _errors.append(error)

    def showsyntaxerror(self, *args: Any, **kwargs: Any) -> None: ...


class _Compiler(CachingCompiler):
    """Gives a cell's code the name of the line where it starts, so that tracebacks speak of the document."""

    place = Place("", 0)

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return str(self.place)


class _Result(DisplayHook):
    """Collects the value of a cell's last expression; a semicolon at its end silences it."""

    code = ""

    def quiet(self) -> bool:
        return bool(DisplayHook.semicolon_at_end_of_expression(self.code))  # type: ignore[no-untyped-call]

    def write_output_prompt(self) -> None: ...

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        _outputs.append(Display(format_dict, md_dict or {}, result=True))

    def finish_displayhook(self) -> None: ...


class _Publisher(DisplayPublisher):
    def publish(self, data: Any, metadata: Any = None, source: Any = None, **kwargs: Any) -> None:
        _outputs.append(Display(data, metadata or {}))


class _Print(io.TextIOBase):
    def write(self, text: str) -> int:
        if _outputs and isinstance(_outputs[-1], Stream):
            _outputs[-1].text += text
        elif text:
            _outputs.append(Stream(text))
        return len(text)

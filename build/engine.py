"""Which engine makes the deck, the embedded one or Quarto, and what both do before and after.

The hooks that `_quarto.yml` declares and the embedded engine call the same functions here, so that neither engine
skips a step.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import notebook
import revealjs
import store
import webpage
from document import executed, opened
from failures import told
from problem import Problem
from progress import Progress
from settings import formats
from source import shown

FORMATS = {"revealjs": revealjs, "html": webpage, "ipynb": notebook}

OLDEST = (1, 9)
REMEDY = "Get it from quarto.org, or `pip install .[quarto]`; or leave ENGINE unset: the embedded engine needs nothing more."


@dataclass(frozen=True)
class Quarto:
    path: str
    version: tuple[int, ...]

    @property
    def name(self) -> str:
        return "Quarto " + ".".join(map(str, self.version))

    @property
    def new_enough(self) -> bool:
        return self.version[:2] >= OLDEST


def find_quarto() -> Quarto | None:
    """The Quarto on the PATH, whatever its age."""
    path = shutil.which("quarto")
    if path is None:
        return None
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    numbers = re.search(r"\d+(?:\.\d+)+", said)
    return Quarto(path, tuple(map(int, numbers[0].split(".")))) if numbers else None


def choose(wanted: str, quarto: Quarto | None) -> tuple[Quarto | None, str]:
    """(Quarto, or None for the embedded engine; why), from the variable ENGINE and the Quarto found."""
    oldest = ".".join(map(str, OLDEST))
    if wanted not in ("", "quarto", "embedded"):
        raise Problem(f"ENGINE={wanted}", "there is no such engine", "Use ENGINE=quarto or ENGINE=embedded.")
    if wanted == "embedded":
        return None, "ENGINE=embedded asks for it"
    if wanted == "quarto":
        if quarto is None:
            raise Problem("ENGINE=quarto", "no working `quarto` is on the PATH", REMEDY)
        if not quarto.new_enough:
            raise Problem("ENGINE=quarto", f"{quarto.path} is {quarto.name}, older than {oldest}", REMEDY)
        return quarto, "ENGINE=quarto asks for it"
    if quarto is None:
        return None, "no `quarto` is on the PATH"
    if not quarto.new_enough:
        return None, f"{quarto.path} is {quarto.name}, older than {oldest}"
    return quarto, f"it is on the PATH, at {quarto.path}"


def run_quarto(quarto: Quarto, document: Path, to: str, root: Path) -> None:
    """Quarto's render, with this very Python for its kernel and its hooks."""
    environment = os.environ | {
        "QUARTO_PYTHON": sys.executable,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }
    done = subprocess.run([quarto.path, "render", str(document), "--to", to], cwd=root, env=environment)
    if done.returncode:
        raise Problem(document, "Quarto stopped", "Its message above says why.")


def before(root: Path, progress: Progress) -> None:
    """What must be there before a cell runs: the results that take long, measured once and stored."""
    if not (root / "figures" / "slow.py").is_file():
        return
    import figures
    from figures import slow

    for module in pkgutil.iter_modules(figures.__path__, "figures."):
        with told(module.name, root):
            importlib.import_module(module.name)
    for job in slow.pending():
        progress(f"{job.title} ({job.name}, once for this code, data and machine)")
        with told(job.name, root):
            store.write(job.path, job.compute())


def render(path: Path, to: str | None, progress: Progress) -> Path:
    """The embedded engine: the project's hooks around the cells and one page, put in place whole."""
    document = opened(path)
    name = to or next(iter(formats(document.layers)), "")
    if name not in FORMATS:
        raise Problem(document.place, f"the format `{name}` is unknown to this engine", f"It knows {', '.join(FORMATS)}.")
    format = FORMATS[name]
    settings = document.settings(name, format.OPTIONS)
    output = document.output(settings, format.SUFFIX)
    store.clean(output)
    if settings.get("project.pre-render"):
        before(document.root, progress)
    ready = executed(document, settings.get("execute.echo", format.ECHO), progress)
    progress(f"{output.name} · pandoc and page")
    made = format.render(ready, settings)
    finishes = output.suffix == ".html" and settings.get("project.post-render")
    store.write(output, finished(made, output) if finishes else made)
    progress.done(shown(output, document.root))
    return output


def finished(html: str, page: Path) -> str:
    """What Quarto leaves to be done on a page, whoever made it."""
    from finish import finish

    return finish(html, page)


def after(page: Path) -> None:
    """The last hand on a page that Quarto made, put in place whole."""
    html = page.read_text(encoding="utf-8")
    made = finished(html, page)
    if made != html:
        store.write(page, made)


def rendered_files(environment: dict[str, str], root: Path) -> list[Path]:
    """The HTML pages that Quarto says it made."""
    names = environment.get("QUARTO_PROJECT_OUTPUT_FILES", "").splitlines()
    return [root / name for name in names if name.endswith(".html")]

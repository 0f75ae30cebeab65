"""`make doctor`: what is installed, what is missing and how to get it; what the project itself lacks. One line each, in seconds.

Runs under any Python before anything is installed, so it uses the standard library alone; what needs packages is asked of
the environment's Python, `.venv`, where there is one. Ends with 1 where `make deck` would stop.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import environment

GOOD, LACKS, STOPS = "✓", "–", "✗"  # there; missing and not needed for the slides; `make deck` stops
SECONDS = 10
OLDEST_QUARTO = (1, 9)
Line = tuple[str, str, str]  # the sign, what it is, what to do


def main() -> int:
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(lambda check=check: list(answered(check))) for check in (*MACHINE, of_the_project)]
        lines = [line for one in asked for line in one.result()]
    for sign, what, remedy in lines:
        print(f"{sign} {what}" + (f"\n    → {remedy}" if remedy else ""))
    faults = sum(sign == STOPS for sign, *_ in lines)
    print(f"{faults} to put right before `make deck`" if faults else "`make deck` has what it needs")
    return 1 if faults else 0


def answered(check: Callable[[], Iterator[Line]]) -> Iterator[Line]:
    """The lines of a check; one that itself fails says so and keeps nobody from the others."""
    try:
        yield from check()
    except Exception as error:
        yield LACKS, f"{check.__name__}: could not be looked at ({type(error).__name__}: {error})", ""


def python() -> Iterator[Line]:
    """The Python that runs this, and that of the environment."""
    version = platform.python_version()
    if sys.version_info < (3, 11):  # noqa: UP036 (this file runs under whatever `python3` is)
        yield STOPS, f"Python {version} is too old", "Install Python 3.11 or newer, or: make PYTHON=/path/to/python3.12"
    else:
        yield GOOD, f"Python {version}", ""
    if not environment.python().is_file():
        yield STOPS, "the environment .venv: not made yet", "`make deck` makes it, or `make setup`"


def packages() -> Iterator[Line]:
    """What the environment holds of what each command needs."""
    there = installed(environment.VENV)
    if not there:
        return
    settings = environment.project()
    extras, groups = settings["project"]["optional-dependencies"], settings["dependency-groups"]
    deck = [*settings["project"]["dependencies"], *extras["build"], *extras.get("model", []), *groups["assets"]]
    large = groups.get("large", [])
    for what, names, sign, remedy in (
        ("what `make deck` needs", deck, STOPS, "make setup"),
        ("the printing tools", extras["paper"], LACKS, "`make pdf` installs them"),
        ("what `make preview` needs", extras["preview"], LACKS, "`make preview` installs it"),
        ("the test tools", extras["test"], LACKS, "`make test` installs them"),
        ("large files", large, LACKS, "make setup; without them the pages show what was recorded"),
    ):
        if not names:
            continue
        missing = [name for name in map(plain, names) if name not in there]
        yield (sign, f"{what}: {', '.join(missing)} not installed", remedy) if missing else (GOOD, f"{what}: {len(names)} installed", "")
    pinned: dict[str, str] = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", environment.LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    versions = {name: there.get(plain(name), wanted).split("+")[0] for name, wanted in pinned.items()}
    others = [f"{name} {versions[name]}" for name, wanted in pinned.items() if versions[name] != wanted]
    if others:
        yield LACKS, f"other versions than requirements.lock: {', '.join(others)}", "make setup, for the same pages as elsewhere"


def installed(environment: Path) -> dict[str, str]:
    """The packages of an environment with their versions, read from its folders."""
    folders = [*environment.glob("lib/python*/site-packages"), environment / "Lib" / "site-packages"]
    names = (path.name.removesuffix(".dist-info").rpartition("-") for folder in folders for path in folder.glob("*.dist-info"))
    return {plain(name): version for name, _, version in names}


def plain(name: str) -> str:
    """A package's name as registries compare it.

    >>> plain("Fira_Code>=2")
    'fira-code'
    """
    return re.sub(r"[-_.]+", "-", re.split(r"[ <>=~;\[]", name)[0]).lower()


def programs() -> Iterator[Line]:
    """The programs that some commands call."""
    browser = environment.find_browser()
    yield (GOOD, f"browser: {browser}", "") if browser else (LACKS, "no browser for `make pdf` and `make test`", BROWSER)
    lualatex, tex = shutil.which("lualatex"), f"apt-get install {' '.join(environment.TEX)}"
    yield (GOOD, f"TeX: {lualatex}", "") if lualatex else (LACKS, "no lualatex, for `--to pdf` alone", tex)
    if not shutil.which("git"):
        yield LACKS, "no git, for `make diff` and `make check`", "Install git"


BROWSER = "Install Chromium, Google Chrome or Microsoft Edge, or name one: CHROMIUM=/path/to/browser"


def quarto() -> Iterator[Line]:
    """The Quarto on the PATH, and which engine `make deck` takes."""
    path, wanted = shutil.which("quarto"), os.environ.get("ENGINE", "")
    oldest = ".".join(map(str, OLDEST_QUARTO))
    get = f"Quarto {oldest} or newer comes from quarto.org; the embedded engine needs nothing more"
    version: tuple[int, ...] = ()
    if path:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=SECONDS).stdout
        version = tuple(map(int, re.findall(r"\d+", said)[:3]))
    if wanted not in ("", "embedded", "quarto"):
        yield STOPS, f"ENGINE={wanted}: there is no such engine", "Use ENGINE=quarto or ENGINE=embedded"
    elif path and version[:2] >= OLDEST_QUARTO and wanted != "embedded":
        yield GOOD, f"Quarto {'.'.join(map(str, version))} at {path}: it makes the pages", ""
    elif wanted == "quarto":
        yield STOPS, "ENGINE=quarto, and no Quarto that is new enough is on the PATH", get
    elif wanted == "embedded":
        yield GOOD, "ENGINE=embedded: the embedded engine makes the pages", ""
    else:
        yield LACKS, f"{'an old' if path else 'no'} Quarto on the PATH: the embedded engine makes the pages", get


MACHINE = (python, packages, programs, quarto)


def of_the_project() -> Iterator[Line]:
    """What the environment's Python says of the project: theme, languages, data, declarations, links, repository."""
    if not environment.python().is_file():
        return
    command = [str(environment.python()), str(environment.ROOT / "build"), "health"]
    utf8 = {**os.environ, "PYTHONUTF8": "1"}
    done = subprocess.run(command, cwd=environment.ROOT, capture_output=True, text=True, encoding="utf-8", env=utf8)
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 2]
    yield from ((sign, what, remedy) for sign, what, remedy in lines)
    if done.returncode and not lines:
        last = done.stderr.strip().splitlines() or ["it said nothing"]
        yield STOPS, f"the project could not be looked at: {last[0]}", " ".join(last[1:]).strip(" →") or "make setup"


if __name__ == "__main__":
    sys.exit(main())

"""The environment in `.venv`, set up for the commands that ask for it: `set_up.py` calls it.

Runs before anything is installed, so it uses the standard library alone. A stamp in `.venv` tells that a group
is in place; then nothing is done and no network is asked. `--again` forgets the stamps. Of several at once one works, the
others wait for it.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
CPU_TORCH = "https://download.pytorch.org/whl/cpu"  # PyTorch's own index of builds without CUDA
REACHABLE_SECONDS = 5
GROUPS = ("deck", "paper", "preview", "test", "check")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge")
BROWSER_FILES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
    r"%ProgramFiles%\Microsoft\Edge\Application\msedge.exe",
)


TEX = ("texlive-luatex", "texlive-latex-extra", "texlive-fonts-recommended", "texlive-lang-portuguese", "lmodern")


def main(arguments: list[str]) -> None:
    groups = [argument for argument in arguments if argument != "--again"]
    if not groups or set(groups) - set(GROUPS):
        stop(f"unknown set-up: {' '.join(groups) or 'none named'}", f"Name one or more of: {', '.join(GROUPS)}")
    again = "--again" in arguments
    if again or any(not is_in_place(group) for group in groups):
        with alone():
            for group in groups:
                if again or not is_in_place(group):  # another one may have done it meanwhile
                    put_in_place(group)
    if "test" in groups and not find_browser():
        install_browser()
    if "test" in groups and not shutil.which("lualatex"):
        install_tex()


def is_in_place(group: str) -> bool:
    stamp = VENV / f"set-up-{group}"
    return stamp.is_file() and stamp.read_text() == fingerprint() and python().is_file()


def put_in_place(group: str) -> None:
    started = time.monotonic()
    make_environment()
    {"deck": set_up_deck, "paper": set_up_paper, "preview": set_up_preview, "test": set_up_test, "check": set_up_check}[group]()
    (VENV / f"set-up-{group}").write_text(fingerprint())
    say(f"{group}: ready in {time.monotonic() - started:.0f} s")


@contextmanager
def alone() -> Iterator[None]:
    """Holds the lock of this `.venv`, which several checkouts may share; waits while another set-up holds it."""
    name = hashlib.sha256(str(VENV.resolve()).encode()).hexdigest()[:16]
    with (Path(tempfile.gettempdir()) / f"set-up-{getpass.getuser()}-{name}.lock").open("a+b") as file:
        waiting = False
        while not _taken(file.fileno()):
            if not waiting:
                say(f"another set-up is at work on {VENV.name}: waiting for it")
            waiting = True
            time.sleep(0.2)
        yield  # the system lets go of the lock with the file, and with a process that is killed


def _taken(file: int) -> bool:
    """Whether this process has the lock now."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def set_up_deck() -> None:
    """What the kit needs, and what this lecture lists for itself in pyproject.toml: `model`, `lecture`, `large`, or nothing."""
    settings = project()
    extras, groups = settings["project"]["optional-dependencies"], settings["dependency-groups"]
    model = extras.get("model", [])
    packages = [*settings["project"]["dependencies"], *extras["build"], *(package for package in model if package != "torch")]
    install("numbers, figures and the page", packages)
    files = [*groups["assets"], *groups.get("lecture", [])]
    install(f"the files of {', '.join(files)}", files, "--no-deps")
    if "torch" in model:
        install_torch()
    if large := groups.get("large"):
        install_large(large)


def set_up_paper() -> None:
    install("the printing tools", project()["project"]["optional-dependencies"]["paper"])


def set_up_preview() -> None:
    install("what watches files", project()["project"]["optional-dependencies"]["preview"])


def set_up_test() -> None:
    install("the test tools", project()["project"]["optional-dependencies"]["test"])


def set_up_check() -> None:
    install("the checking tools", project()["project"]["optional-dependencies"]["check"])


def install_torch() -> None:
    """PyTorch without CUDA where that can be had: the ordinary Linux build is several GB larger."""
    if sys.platform == "linux" and not installed("torch"):
        if reachable(CPU_TORCH):
            install("PyTorch, build without CUDA", ["torch"], "--no-deps", "--index-url", CPU_TORCH)
        else:
            say("PyTorch's own index can't be reached: pip takes what it finds, which may be the build with CUDA (several GB)")
    install("PyTorch", ["torch"])


def install_large(packages: list[str]) -> None:
    """Packages of a hundred megabytes and more. The pages do without them: they show what was recorded with them."""
    if not install(f"the files of {', '.join(packages)} (large)", packages, "--no-deps", needed=False):
        say("they could not be had: the pages will show the recorded measurement instead. Try again later: make setup")


def make_environment() -> None:
    if python().is_file():
        return
    say(f"making {VENV.name} with Python {platform.python_version()}")
    if subprocess.run([sys.executable, "-m", "venv", str(VENV)]).returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        stop("Python could not make a virtual environment", "On Debian and Ubuntu: apt-get install python3-venv")


def install(what: str, packages: list[str], *options: str, needed: bool = True) -> bool:
    """Installs `packages` at the pinned versions; stops with pip's own words if it can't and they are needed."""
    say(f"installing {what}")
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    command = [str(python()), "-m", "pip", "install", *quiet, "--constraint", str(LOCK), *options, *packages]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=None if needed else subprocess.DEVNULL)
    if done.returncode and needed:
        stop(f"pip could not install {what}", "Its words are above. Check the network or pip's settings, then run the command again")
    return done.returncode == 0


def installed(package: str) -> bool:
    command = [str(python()), "-c", f"import importlib.metadata as m; m.version({package!r})"]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def reachable(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/torch/", timeout=REACHABLE_SECONDS):
            return True
    except OSError:
        return False


def find_browser() -> str | None:
    """The Chromium, Chrome or Edge that the browser tests drive: what CHROMIUM names, else the PATH, else where installers put it."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    on_path = (shutil.which(name) for name in BROWSERS)
    in_place = (os.path.expandvars(file) for file in BROWSER_FILES)
    return next((path for path in on_path if path), None) or next((path for path in in_place if os.path.isfile(path)), None)


def install_browser() -> None:
    """Debian's Chromium where that takes no question (root, apt-get); otherwise the remedy."""
    remedy = "Install Chromium, Google Chrome or Microsoft Edge, or name one: CHROMIUM=/path/to/browser make test"
    if not (shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0):
        stop("the browser tests need a browser, and none was found", remedy)
    say("installing Debian's Chromium for the browser tests")
    apt_get("chromium")
    if not find_browser():
        stop("apt-get could not install chromium", remedy)


def install_tex() -> None:
    """Debian's TeX Live where that takes no question; without it the tests of a PDF by LaTeX are skipped, and say so."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        say("installing Debian's TeX Live for the tests of a PDF by LaTeX")
        apt_get(*TEX, "poppler-utils")
    if not shutil.which("lualatex"):
        say("there is no lualatex: the tests of a PDF by LaTeX will be skipped")


def apt_get(*packages: str) -> None:
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}}
    for step in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "-qq", *step], check=False, **quiet)  # type: ignore[call-overload]


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def fingerprint() -> str:
    """Changes when what has to be installed does: the lists, the pins, this file, the Python."""
    settings = project()
    lists = repr((settings["project"]["dependencies"], settings["project"]["optional-dependencies"], settings["dependency-groups"]))
    parts = (lists.encode(), LOCK.read_bytes(), Path(__file__).read_bytes(), platform.python_version().encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def say(words: str) -> None:
    print(f"set-up · {words}", flush=True)


def stop(what: str, remedy: str) -> NoReturn:
    sys.exit(f"set-up: {what}\n  → {remedy}")

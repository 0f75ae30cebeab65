"""WebKitGTK's MiniBrowser over WebDriver with nothing but the standard library: enough to open a file and run a script.

On Debian: apt-get install webkit2gtk-driver xvfb.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

SECONDS = 60
WRAPPED = """
const done = arguments[arguments.length - 1];
(async () => { %s })().then((made) => done(JSON.stringify(made ?? null)), (error) => done(JSON.stringify({ failed: String(error) })));
"""


def find() -> str | None:
    """MiniBrowser's program, where the driver and a screen without a window for it are there too."""
    if not (shutil.which("WebKitWebDriver") and (os.environ.get("DISPLAY") or shutil.which("Xvfb"))):
        return None
    return next(map(str, sorted(Path("/usr").glob("lib*/**/webkit*gtk-4.1/MiniBrowser"))), None)


class Tab:
    """One tab: `run("return document.title")`."""

    def __init__(self, port: int, program: str, size: tuple[int, int]) -> None:
        self._address, self._session = f"http://127.0.0.1:{port}", ""
        options = {"binary": program, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options, "timeouts": {"script": SECONDS * 1000}}}}
        self._session = self._send("POST", "/session", wanted)["sessionId"]
        self._send("POST", self._at("/window/rect"), {"width": size[0], "height": size[1]})

    def open(self, url: str) -> None:
        self._send("POST", self._at("/url"), {"url": url})

    def run(self, body: str) -> Any:
        """What an async function with this body returns, as JSON."""
        made = json.loads(self._send("POST", self._at("/execute/async"), {"script": WRAPPED % body, "args": []}))
        if isinstance(made, dict) and "failed" in made:
            raise AssertionError(made["failed"])
        return made

    def close(self) -> None:
        self._send("DELETE", self._at(""), None)

    def _at(self, path: str) -> str:
        return f"/session/{self._session}{path}"

    def _send(self, method: str, path: str, body: Any) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=2 * SECONDS) as answer:
            return json.loads(answer.read())["value"]


@contextmanager
def tab(program: str, size: tuple[int, int] = (1280, 720)) -> Iterator[Tab]:
    """A tab of a MiniBrowser on a screen that nobody sees."""
    with ExitStack() as stack:
        profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        environment = os.environ | {"HOME": profile, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        if not environment.get("DISPLAY"):
            environment["DISPLAY"] = stack.enter_context(_screen())
        port = _free_port()
        driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        stack.callback(_ended, driver)
        _listening(port)
        opened = Tab(port, program, size)
        stack.callback(opened.close)
        yield opened


@contextmanager
def _screen() -> Iterator[str]:
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    screen = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as told:
            yield f":{told.readline().strip()}"
    finally:
        _ended(screen)


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(30)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _listening(port: int) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("WebKitWebDriver doesn't listen")

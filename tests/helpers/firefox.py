"""Firefox over WebDriver BiDi with nothing but the standard library: enough to open a file, run a script, take a picture."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

LISTENING = re.compile(r"ws://[\w.]+:(\d+)")


def find() -> str | None:
    """Firefox's program: FIREFOX, or what is on the PATH."""
    return os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


class Tab:
    """One tab: `run("return document.title")`."""

    def __init__(self, stream: IO[bytes], size: tuple[int, int]) -> None:
        self._stream, self._last = stream, 0
        self._send("session.new", {"capabilities": {}})
        self.context = self._send("browsingContext.getTree", {})["contexts"][0]["context"]
        self._send("browsingContext.setViewport", {"context": self.context, "viewport": {"width": size[0], "height": size[1]}})

    def open(self, url: str) -> None:
        self._send("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})

    def run(self, body: str) -> Any:
        """What an async function with this body returns, as JSON."""
        wrapped = f"(async () => JSON.stringify(await (async () => {{ {body} }})() ?? null))()"
        answer = self._send("script.evaluate", {"expression": wrapped, "target": {"context": self.context}, "awaitPromise": True})
        if answer["type"] != "success":
            raise AssertionError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def picture(self) -> bytes:
        return base64.b64decode(self._send("browsingContext.captureScreenshot", {"context": self.context})["data"])

    def _send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._last += 1
        text = json.dumps({"id": self._last, "method": method, "params": params}).encode()
        length = struct.pack("!B", 0x80 | len(text)) if len(text) < 126 else struct.pack("!BH", 0x80 | 126, len(text))
        if len(text) >= 1 << 16:
            length = struct.pack("!BQ", 0x80 | 127, len(text))
        mask = b"mask"
        self._stream.write(b"\x81" + length + mask + bytes(letter ^ mask[i % 4] for i, letter in enumerate(text)))
        self._stream.flush()
        while True:
            answer = json.loads(self._frame())
            if answer.get("id") == self._last:
                if answer["type"] == "error":
                    raise AssertionError(f"{method}: {answer['message']}")
                result: dict[str, Any] = answer["result"]
                return result

    def _frame(self) -> bytes:
        """One message, put together from its frames."""
        whole = b""
        while True:
            first, second = self._stream.read(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", self._stream.read(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self._stream.read(8))
            whole += self._stream.read(length)
            if first & 0x80:
                return whole


@contextmanager
def tab(program: str, size: tuple[int, int] = (1280, 720)) -> Iterator[Tab]:
    """A tab of a Firefox without a window, with a profile of its own that is thrown away."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, "--headless", "--remote-debugging-port", "0", "--profile", profile, "--no-remote"]
        process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=os.environ | {"HOME": profile}
        )
        try:
            assert process.stderr is not None
            found = next((match for line in process.stderr if (match := LISTENING.search(line))), None)
            assert found, "Firefox ended before it listened"
            with socket.create_connection(("127.0.0.1", int(found[1])), timeout=60) as connection:
                stream = connection.makefile("rwb")
                key = base64.b64encode(os.urandom(16)).decode()
                asked = ["GET /session HTTP/1.1", f"Host: 127.0.0.1:{found[1]}", "Upgrade: websocket", "Connection: Upgrade"]
                asked += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
                stream.write("\r\n".join(asked).encode())
                stream.flush()
                while stream.readline() != b"\r\n":
                    pass
                yield Tab(stream, size)
        finally:
            process.terminate()
            process.wait(30)

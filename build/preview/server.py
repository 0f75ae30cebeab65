"""Serves the pages to browsers of this machine: by a token in the address, and to nobody who was sent here by another page."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from figures.kit.errors import Problem
from preview import client, edits
from preview.pages import Pages

HOST = "127.0.0.1"
LARGEST = 100_000  # bytes of what a browser may send
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Server(ThreadingHTTPServer):
    """The server of some pages at a free port, or at the one wanted; `address` opens the first of them."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, pages: Pages, papers: Callable[[str], bytes], port: int = 0) -> None:
        super().__init__((HOST, port), Handler)
        self.pages, self.papers, self.token = pages, papers, secrets.token_urlsafe(16)
        self.hosts = {f"{name}:{self.server_port}" for name in (HOST, "localhost")}

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}/{self.token}/{next(iter(self.pages.of))}"


class Handler(BaseHTTPRequestHandler):
    """One request: refused without a word on what is here, or answered."""

    server: Server
    protocol_version = "HTTP/1.1"

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (BrokenPipeError, ConnectionResetError):  # the browser has gone
            self.close_connection = True

    def do_GET(self) -> None:
        if (asked := self._asked()) is None:
            return
        path, action = asked
        if not path:
            self._send(HTTPStatus.FOUND, b"", "text/plain", {"Location": self.server.address})
        elif action == "events":
            self._stream(path)
        elif action == "fields":
            self._json(self.server.pages.controls(path, parse_qs(urlsplit(self.path).query).get("slide", [""])[0]))
        elif action == "pdf":
            self._send(HTTPStatus.OK, self.server.papers(path), "application/pdf")
        else:
            self.server.pages.ask(path)
            self._send(HTTPStatus.OK, client.page(self.server.pages, path).encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        if (asked := self._asked()) is None:
            return
        body, pages = self._body(), self.server.pages
        try:
            if asked[1] == "try" and body is not None:
                pages.try_out(edits.checked(body))
                self._json({})
            elif asked[1] == "keep" and isinstance(body, dict):
                self._json(pages.keep(asked[0], str(body.get("diff", ""))))
            else:
                self._refuse(HTTPStatus.BAD_REQUEST)
        except Problem as refused:
            self._json({"where": refused.where, "what": refused.what, "remedy": refused.remedy}, HTTPStatus.CONFLICT)

    def _asked(self) -> tuple[str, str] | None:
        """The page that is asked for, and what of it; None where the request was refused."""
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "none")
        token, _, rest = urlsplit(self.path).path.removeprefix("/").partition("/")
        path, _, action = rest.partition("/-/")
        foreign = self.headers.get("Host") not in self.server.hosts or site not in ("none", "same-origin")
        if foreign or origin not in (None, f"http://{self.headers['Host']}") or (self.command == "POST" and origin is None):
            self._refuse(HTTPStatus.FORBIDDEN)
        elif not secrets.compare_digest(token.encode(), self.server.token.encode()) or (path and path not in self.server.pages.of):
            self._refuse(HTTPStatus.NOT_FOUND)
        else:
            return path, action
        return None

    def _body(self) -> Any:
        size = self.headers.get("Content-Length", "")
        if self.headers.get_content_type() != "application/json" or not size.isdecimal() or int(size) > LARGEST:
            return None
        try:
            return json.loads(self.rfile.read(int(size)))
        except ValueError:
            return None

    def _stream(self, path: str) -> None:
        """The states of a page as they come, for as long as somebody listens."""
        self.send_response(HTTPStatus.OK)
        for name, value in {**HEADERS, "Content-Type": "text/event-stream", "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        self.server.pages.ask(path)
        for state in self.server.pages.states(path):
            self.wfile.write(b": here\n\n" if state is None else f"data: {json.dumps(state)}\n\n".encode())
            self.wfile.flush()

    def _json(self, value: Any, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _send(self, status: HTTPStatus, body: bytes, kind: str, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body)), **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self._send(status, status.phrase.encode(), "text/plain", {"Connection": "close"})

    def log_message(self, format: str, *args: object) -> None: ...

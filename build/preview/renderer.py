"""Processes that make pages, one at a time, each for one page: the next stands by while nothing is asked for."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from preview import child
from preview.child import Answer, Fault, Order

PATIENCE = 0.05  # seconds between two looks whether an order was taken back


class Renderer:
    """Makes pages: `answer(order)` waits for one, `stale()` says that code or data have changed, `cancel()` ends what is being made."""

    def __init__(self) -> None:
        method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
        self._context: Any = get_context(method)
        if method == "forkserver":
            self._context.set_forkserver_preload(child.PRELOADED)
        self._lock, self._turn = Lock(), Lock()
        self._spare: tuple[Any, Connection] | None = None
        self._running: Any = None
        self._overlay: Mapping[str, str] = {}
        self._next()

    def _next(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=child.serve, args=(theirs, self._overlay), daemon=True)
        process.start()
        theirs.close()
        self._spare = process, ours

    def stale(self, overlay: Mapping[str, str]) -> None:
        """The process that stands by has read what has changed since: another takes its place, with these texts for files."""
        with self._lock:
            self._overlay = overlay
            if self._spare:
                _end(self._spare[0])
            self._next()

    def cancel(self) -> None:
        """End the page that is being made: something newer is wanted."""
        with self._lock:
            if self._running:
                _signal(self._running)

    def answer(self, order: Order) -> Answer | None:
        """What came of an order; None where it was taken back. A process that dies is a fault of the page, not of the preview."""
        with self._turn:
            return self._answer(order)

    def _answer(self, order: Order) -> Answer | None:
        with self._lock:
            process, connection = self._spare or (None, None)
            self._running, self._spare = process, None
            if order.looked:  # which takes seconds, in which something may be saved
                self._next()
        assert process and connection
        try:
            connection.send(order)
            while not connection.poll(PATIENCE):
                if not process.is_alive() and not connection.poll():
                    raise EOFError
            answer: Answer = connection.recv()
        except (EOFError, OSError):
            process.join()
            answer_or_none = None if process.exitcode == -signal.SIGTERM else _died(process.exitcode)
        else:
            answer_or_none = answer
        with self._lock:
            self._running = None
            _end(process)
            if not self._spare:
                self._next()
        return answer_or_none

    def end(self) -> None:
        """End all processes."""
        with self._lock:
            for process in (self._running, self._spare[0] if self._spare else None):
                if process:
                    _end(process)


def _signal(process: Any) -> None:
    """Tells a process, and all that it started, to end."""
    with suppress(OSError, AttributeError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(OSError):
        process.terminate()


def _end(process: Any) -> None:
    _signal(process)
    process.join()


def _died(code: int) -> Answer:
    what = f"the process that makes the page ended by itself (code {code})"
    return Answer(faults=[Fault("preview", what, "Save again; if it comes back, `make deck` shows more")])

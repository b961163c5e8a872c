"""``lemmata check --watch``: a page of the run while it goes on, at an address that nobody guesses.

The server (of the standard library) is a process of its own, so that the supervisor keeps its one thread and may fork
workers. It binds 127.0.0.1 and a free port; the address has a random token, and who does not know it, or comes under another
host name, gets an empty 404. Two pipes connect it with the supervisor: events as lines of JSON go in, and what shall be stopped
comes out.

``LiveServer`` is the supervisor's side, a ``Watcher``: it never waits for the server while the run goes on. ``serve_watchers``
is the other side: whoever asks for events gets all of them from the start, as server-sent events, then the result; when the
run is over the server waits a moment until everybody has it, and ends. The page has the data then and needs no server any more.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
from collections.abc import Iterator, Mapping
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from time import monotonic

from lemmata.errors import UsageError
from lemmata.escapes import in_json
from lemmata.events import EventRecord
from lemmata.report.formats.jsonl import event_line
from lemmata.report.page import live_page
from lemmata.run import StopOrder
from lemmata.run.processes.limits import die_with_parent

_HOST = "127.0.0.1"
_LINGER_S = 5.0  # that the server waits until everybody has the result
_PATIENCE_S = 30.0  # with a client that neither sends nor takes
_SILENCE_S = 10.0  # after which the server looks whether a listener is still there
_TICK_S = 0.5  # between two looks at memory that are told
_BODY_DIGITS = 4  # of the length of an order
_TOKEN_BYTES = 32


class LiveServer:
    """The supervisor's side."""

    def __init__(self, file: str, command: str) -> None:
        if not hasattr(os, "fork"):
            raise UsageError("--watch needs a system with fork (Linux, macOS): elsewhere --report writes a page at the end")
        listening = socket.create_server((_HOST, 0))
        self._token = secrets.token_urlsafe(_TOKEN_BYTES)
        self.address = f"http://{_HOST}:{listening.getsockname()[1]}/{self._token}/"
        news, self._out = os.pipe()
        self._orders, orders = os.pipe()
        page = live_page(file, command)
        parent = os.getpid()
        self._pid = os.fork()
        if not self._pid:
            try:
                die_with_parent(parent)
                os.close(self._out)
                os.close(self._orders)
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)  # it ends when its pipe does
                serve_watchers(listening, self._token, page, news, orders)
            finally:
                os._exit(0)
        for fd in (news, orders):
            os.close(fd)
        listening.close()
        os.set_blocking(self._out, False)
        os.set_blocking(self._orders, False)
        self._unsent = b""
        self._ordered = b""
        self._ticked = 0.0

    def hear(self, record: EventRecord) -> None:
        """Hand the event on."""
        self._send(event_line(record))

    def tick(self, memory_mb: float, time_s: float) -> None:
        """Hand on how much memory is used, now and then."""
        if time_s - self._ticked >= _TICK_S or not self._ticked:
            self._ticked = time_s
            self._send(in_json({"event": "tick", "time_s": round(time_s, 2), "memory_mb": round(memory_mb, 1)}))
        self._send()

    def stops(self) -> Iterator[StopOrder]:
        """What somebody has asked to stop since the last time."""
        with contextlib.suppress(BlockingIOError):
            self._ordered += os.read(self._orders, 1 << 16)
        *lines, self._ordered = self._ordered.split(b"\n")
        for line in lines:
            order = json.loads(line)
            yield StopOrder(order.get("property"), order.get("engine"))

    def finish(self, page: Mapping[str, object]) -> None:
        """Hand the result on, and wait until the server is gone, which it is soon."""
        os.set_blocking(self._out, True)
        self._send(in_json({"event": "result", "page": page}))
        self.close()

    def close(self) -> None:
        """Let the server end, and wait until it has."""
        if self._pid:
            os.close(self._out)
            os.close(self._orders)
            os.waitpid(self._pid, 0)
            self._pid = 0

    def _send(self, line: str = "") -> None:
        self._unsent += line.encode() + b"\n" if line else b""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):  # it takes the rest later, or is gone
            while self._unsent:
                self._unsent = self._unsent[os.write(self._out, self._unsent) :]


class _Board:
    """What was told so far, for all who listen."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.is_over = False
        self.listeners = 0
        self.changed = Condition()

    def read(self, news: int) -> None:
        """Take lines from the pipe until it is closed."""
        with os.fdopen(news, encoding="utf-8") as lines:
            for line in lines:
                with self.changed:
                    self.lines.append(line.rstrip("\n"))
                    self.changed.notify_all()
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def listen(self) -> Iterator[str]:
        """All lines from the first to the last, as they come; an empty one now and then, to see whether somebody is there."""
        position = 0
        while True:
            with self.changed:
                if len(self.lines) == position and not self.is_over:
                    self.changed.wait(timeout=_SILENCE_S)
                fresh, is_over = self.lines[position:], self.is_over
            position += len(fresh)
            yield from fresh or ([] if is_over else [""])
            if is_over:
                return


def serve_watchers(listening: socket.socket, token: str, page: str, news: int, orders: int) -> None:
    """Answer requests until the run is over and everybody has its result."""
    board = _Board()
    host = f"{_HOST}:{listening.getsockname()[1]}"

    class Handler(BaseHTTPRequestHandler):
        """Three things behind the token: the page, its events, and the place for orders."""

        protocol_version = "HTTP/1.1"
        timeout = _PATIENCE_S

        def do_GET(self) -> None:
            """The page, or the events."""
            match self._wanted():
                case "":
                    self._answer(200, "text/html; charset=utf-8", page.encode("utf-8", "backslashreplace"))
                case "events":
                    self._stream()
                case _:
                    self._answer(404)

        def do_POST(self) -> None:
            """An order: ``{"property": name}`` or ``{"engine": name}``."""
            self.close_connection = True
            given = self.headers.get("Content-Length") or ""
            body = self.rfile.read(int(given)) if given.isdecimal() and len(given) <= _BODY_DIGITS else b""
            if self._wanted() != "stop" or not _is_order(body):
                self._answer(404)
                return
            os.write(orders, json.dumps(json.loads(body)).encode() + b"\n")
            self._answer(204)

        def _wanted(self) -> str | None:
            """What is asked for; ``None`` to those who do not know the token, or think that this is another host."""
            key = f"/{token}/".encode()
            path = self.path.encode()
            is_known = compare_digest(path[: len(key)], key)
            return path[len(key) :].decode() if is_known and self.headers.get("Host") == host else None

        def _answer(self, code: int, kind: str = "text/plain", body: bytes = b"") -> None:
            self.send_response_only(code)
            for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def _stream(self) -> None:
            self.send_response_only(200)
            for name, value in {**_HEADERS, "Content-Type": "text/event-stream", "Connection": "close"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.close_connection = True
            board.listeners += 1
            try:
                with contextlib.suppress(OSError):  # it went away
                    for line in board.listen():
                        self.wfile.write(f"data: {line}\n\n".encode() if line else b":\n\n")
                    self.wfile.flush()
            finally:
                with board.changed:
                    board.listeners -= 1
                    board.changed.notify_all()

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 (the library's name)
            """Say nothing: standard error is the supervisor's."""

    server = ThreadingHTTPServer((_HOST, 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    board.read(news)
    until = monotonic() + _LINGER_S
    with board.changed:
        board.changed.wait_for(lambda: not board.listeners, timeout=max(0.0, until - monotonic()))


_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def _is_order(body: bytes) -> bool:
    try:
        order = json.loads(body)
    except ValueError:
        return False
    return (
        isinstance(order, dict)
        and len(order) == 1
        and all(k in ("property", "engine") and isinstance(v, str) for k, v in order.items())
    )

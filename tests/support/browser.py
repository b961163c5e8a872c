"""A real browser for tests and pictures of pages: Chromium, spoken to through a pipe in its own protocol (DevTools).

No port is opened and no driver is needed: with ``--remote-debugging-pipe`` the browser reads JSON from its descriptor 3 and
writes to 4, each message ended by a zero byte. A ``Tab`` notes what the page complains about: exceptions, errors of the
console, violations of its Content-Security-Policy.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.support.clock import HANGS

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
WHY_NOT = "no browser: install Chromium (Debian: apt-get install chromium)"
_FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
]  # fmt: skip
_RENUMBERED = """import fcntl, os, sys
high = [fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3]]
for wanted, fd in zip((3, 4), high):
    os.dup2(fd, wanted)
os.execv(sys.argv[3], sys.argv[3:])
"""  # the protocol has fixed descriptors, which may be taken here
_KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32, "Enter": 13, "Tab": 9}


class Browser:
    """A browser without a past."""

    def __init__(self, program: str, home: Path) -> None:
        their_in, self._out = os.pipe()
        self._in, their_out = os.pipe()
        call = [program, *_FLAGS, f"--user-data-dir={home}", "about:blank"]
        renumbered = [sys.executable, "-SEc", _RENUMBERED, str(their_in), str(their_out), *call]
        self._process = subprocess.Popen(
            renumbered,
            pass_fds=(their_in, their_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(their_in)
        os.close(their_out)
        self._numbers = count(1)
        self._bytes = b""
        self._tabs: dict[str, Tab] = {}

    def tab(self, width: int = 1200, height: int = 800, dark: bool = False) -> Tab:
        """A new tab of this size."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        self._tabs[session] = tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Log"):
            tab.call(f"{domain}.enable")
        tab.look(width, height, dark)
        return tab

    def call(self, method: str, parameters: dict[str, Any] | None = None, session: str | None = None) -> dict[str, Any]:
        """Ask the browser, and wait for the answer; events that come before it are noted."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters or {}} | ({"sessionId": session} if session else {})
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            data = data[os.write(self._out, data) :]
        deadline = time.monotonic() + HANGS
        while True:
            answer = self._next(deadline)
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                found: dict[str, Any] = answer["result"]
                return found

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._bytes:
            if not select.select([self._in], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise TimeoutError("the browser hangs")
            chunk = os.read(self._in, 1 << 16)
            assert chunk, "the browser is gone"
            self._bytes += chunk
        text, _, self._bytes = self._bytes.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        if "method" in message and message.get("sessionId") in self._tabs:
            self._tabs[message["sessionId"]].note(message["method"], message["params"])
        return message

    def close(self) -> None:
        """End the browser."""
        os.close(self._out)
        os.close(self._in)
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Tab:
    """One page; ``complaints`` has what went wrong on it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session
        self.complaints: list[str] = []

    def call(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """Ask the browser about this tab."""
        return self._browser.call(method, parameters, self._session)

    def note(self, method: str, news: dict[str, Any]) -> None:
        """Remember what the page complains about."""
        match method:
            case "Runtime.exceptionThrown":
                self.complaints.append(str(news["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if news["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(news["args"]))
            case "Log.entryAdded" if news["entry"]["level"] in ("error", "warning"):
                self.complaints.append(news["entry"]["text"])
            case "Page.javascriptDialogOpening":
                self.complaints.append(f"a dialog: {news['message']}")

    def look(self, width: int, height: int, dark: bool = False) -> None:
        """Be so wide and high, light or dark."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, place: Path | str) -> None:
        """Load a file, or an address, and wait until it is there."""
        address = place if isinstance(place, str) else place.resolve().as_uri()
        answer = self.call("Page.navigate", {"url": address})
        assert not answer.get("errorText"), (address, answer)
        self.until(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(address[:200])})")
        self.until("document.documentElement.dataset.drawn !== 'no'")

    def ask(self, expression: str) -> Any:
        """The value of an expression of JavaScript on this page."""
        wanted = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = self.call("Runtime.evaluate", wanted)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until the expression is true."""
        deadline = time.monotonic() + HANGS
        while not self.ask(expression):
            assert time.monotonic() < deadline, f"never: {expression}; {self.complaints}"
            time.sleep(0.02)

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that match."""
        found: list[str] = self.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.textContent)")
        return found

    def press(self, key: str) -> None:
        """A key, to whatever has the focus."""
        is_sign = len(key) == 1
        event = {"key": key, "code": key, "windowsVirtualKeyCode": _KEYS.get(key, ord(key[0]))}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", **event, **({"text": key} if is_sign else {})})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def focus(self, selector: str) -> None:
        """Put the focus there."""
        self.ask(f"document.querySelector({json.dumps(selector)}).focus()")

    def click(self, selector: str) -> None:
        """Click on the first element that matches."""
        self.ask(f"document.querySelector({json.dumps(selector)}).click()")

    def cpu_s(self) -> float:
        """Seconds of processors that the process of this page has used."""
        self.call("Performance.enable")
        found = {one["name"]: one["value"] for one in self.call("Performance.getMetrics")["metrics"]}
        return float(found["ProcessTime"])

    def picture(self) -> bytes:
        """The page as it is, as PNG."""
        return b64decode(self.call("Page.captureScreenshot", {"format": "png"})["data"])


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a new home; the caller has looked whether there is one."""
    assert CHROMIUM is not None, WHY_NOT
    with tempfile.TemporaryDirectory(prefix="lemmata-browser-", ignore_cleanup_errors=True) as home:
        one = Browser(CHROMIUM, Path(home))
        try:
            yield one
        finally:
            one.close()

"""The program ``lemmata`` in a process of its own, without the price of starting Python for each call.

A server, started once per test process, imports everything and does nothing but fork: each call is the real command line in a
fresh fork with one thread, with its own arguments, folder and standard outputs. Tests of limits, signals, terminals and of the
start itself start the program instead.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import select
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import nullcontext, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import lemmata
from tests.support.clock import HANGS
from tests.support.paths import ROOT


class Done(NamedTuple):
    """How a call ended, and what it said."""

    code: int
    out: str
    err: str


def run_program(*arguments: str | Path, hash_seed: int | None = None) -> Done:
    """Call the program in the current folder; ``hash_seed`` decides in which order Python has the members of sets.

    ``explain`` has a limit on the clock of its own, which a busy machine would meet.
    """
    if arguments[:1] == ("explain",) and "--timeout" not in arguments:
        arguments += ("--timeout", str(HANGS))
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("out", "err")]
        code = _ask({"arguments": [*map(str, arguments)], "folder": str(Path.cwd()), "files": [*map(str, files)]}, hash_seed)
        out, err = (file.read_bytes().decode() for file in files)
        return Done(code, out, err)


@cache
def _server(owner: int, hash_seed: int | None) -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.support.program"],
        env=os.environ if hash_seed is None else os.environ | {"PYTHONHASHSEED": str(hash_seed)},
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    server.wait()  # it goes on without a parent: tests look at their children
    assert server.stdin is not None
    atexit.register(server.stdin.close)
    return server


def _ask(call: dict[str, object], hash_seed: int | None) -> int:
    server = _server(os.getpid(), hash_seed)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(call) + "\n")
    server.stdin.flush()
    if not select.select([server.stdout], [], [], 2 * HANGS)[0]:
        os.killpg(server.pid, 9)
        raise TimeoutError(f"{call['arguments']} hangs")
    return int(server.stdout.readline())


def _serve() -> None:
    """Leave the parent; then fork for each line that comes, and answer with the exit code."""
    if os.fork():
        os._exit(0)
    load_everything()
    gc.collect()
    gc.freeze()
    while line := sys.stdin.readline():
        call = json.loads(line)
        if (pid := os.fork()) == 0:
            os._exit(_called(call["arguments"], call["folder"], call["files"]))
        status = os.waitpid(pid, 0)[1]
        print(os.waitstatus_to_exitcode(status), flush=True)


def load_everything() -> None:
    """Import all modules, so that forks need not."""
    for module in pkgutil.walk_packages(lemmata.__path__, "lemmata."):
        is_elsewhere = module.name.startswith("lemmata.frontends.slang.")  # in a process of its own
        if not module.name.endswith("__main__") and not is_elsewhere:
            is_extra = module.name.endswith(("_backend", "_library"))
            with suppress(ImportError) if is_extra else nullcontext():
                import_module(module.name)


def _called(arguments: list[str], folder: str, files: list[str]) -> int:
    """Be the program, up to its exit code."""
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for fd, file in enumerate(files, 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), fd)
    for name, module in sys.modules.items():
        if name.startswith("lemmata") and hasattr(module, "STARTED"):
            module.STARTED = time.monotonic()
    sys.argv = ["lemmata", *arguments]
    code: object = 1
    try:
        import_module("lemmata.__main__").main()
        code = 0
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return code if isinstance(code, int) else 1


if __name__ == "__main__":
    _serve()

"""One task of a ``.sby`` file in a folder of its own, as sby does it.

The folder has ``src`` (the files), ``model`` (the log of Yosys), ``engine_0`` (traces and testbenches), the task itself,
a log, ``status``, and a file called like the result. ``bmc`` looks at ``depth`` steps, ``prove`` has no bound, and
``cover`` wants every cover reached within ``depth`` steps. The engines that a task names are sby's; Lemmata's own do their
work.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, strftime

from lemmata.config import DesignOptions
from lemmata.engines.names import BMC
from lemmata.engines.registry import AUTO
from lemmata.errors import InputError, LemmataError, Place, Unsupported, UsageError
from lemmata.frontends.verilog.assertions import rewrite_assertions
from lemmata.result import PropertyResult
from lemmata.run import Outcome, supervise
from lemmata.run.options import make_config
from lemmata.run.sby.tasks import MODES, SbyTask
from lemmata.run.task import Wanted

RETURN_CODES = {"PASS": 1, "FAIL": 2, "UNKNOWN": 4, "TIMEOUT": 8, "ERROR": 16}
_BEYOND = "depth"  # the reason of an unknown that is known up to the depth of the task
_REMOVED = {"bmc": "chformal -cover -remove", "prove": "chformal -cover -remove", "cover": "chformal -assert -remove"}


class Job:
    """One task; ``say`` prints a line."""

    def __init__(self, path: Path, task: SbyTask, folder: Path, say: Callable[[str], None]) -> None:
        self._path = path
        self._task = task
        self.folder = folder
        self._say = say
        self._log: list[str] = []
        self._summary: list[str] = []
        self._started = monotonic()

    def set_up(self, is_forced: bool, is_backed_up: bool = False) -> None:
        """Make the folder and copy the files."""
        if self.folder.exists() and is_backed_up:
            number = next(k for k in range(1000) if not self.folder.with_name(f"{self.folder.name}.bak{k:03d}").exists())
            self.folder.rename(self.folder.with_name(f"{self.folder.name}.bak{number:03d}"))
        elif self.folder.exists() and is_forced:
            if not (self.folder / "config.sby").exists():
                raise UsageError(f"{self.folder} is no folder of a task: it is not removed")
            self._tell(f"Removing directory '{self.folder.resolve()}'.")
            shutil.rmtree(self.folder)
        elif self.folder.exists():
            raise UsageError(f"the folder {self.folder} is there already: use -f to overwrite it, or -b to keep it")
        for name in ("src", "model", "engine_0"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "config.sby").write_text(self._task.text)
        for name, text in self._task.contents.items():
            self._target(name).write_text(text)
        for name, source in self._task.files:
            found = next((base / source for base in (Path(), self._path.parent) if (base / source).is_file()), None)
            if found is None:
                raise InputError(Place(source), "there is no such file", f"{self._path} lists it")
            self._tell(f"Copy '{found.resolve()}' to '{self._target(name).resolve()}'.")
            shutil.copyfile(found, self._target(name))
        names = [*self._task.contents, *(name for name, _ in self._task.files)]
        self._rewrite([self._target(name) for name in names if name.endswith((".v", ".sv"))])

    def _rewrite(self, paths: Sequence[Path]) -> None:
        """Concurrent assertions in a form that Yosys reads."""
        texts = [path.read_text(errors="surrogateescape") for path in paths]
        for path, text, new in zip(paths, texts, rewrite_assertions(texts), strict=True):
            if new != text:
                self._tell(f"Rewrote assertions in '{path}'.")
                path.write_text(new, errors="surrogateescape")

    def _target(self, name: str) -> Path:
        target = self.folder / "src" / name
        if (self.folder / "src").resolve() not in target.resolve().parents:
            raise InputError(
                Place(self._path), f"the file {name} would lie outside of the task's folder", "give it another name"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def run(self) -> int:
        """Run the task; its exit code, which is 0 if the result is what the task expects."""
        self._tell(f"engine_0: {', '.join(self._task.engines) or 'lemmata'} (by Lemmata)")
        try:
            outcome = self._check(AUTO if self._task.mode == "prove" else BMC)
            if any(getattr(prop.verdict, "reason", "") == "incomplete" for prop in outcome.result.properties):
                outcome = self._check(AUTO)  # unrolling ended early: there is nothing to unroll
        except LemmataError as error:
            self._tell(f"ERROR: {error}")
            self._summary.append(str(error))
            return self._finish("ERROR")
        status = self._judge(outcome)
        self._summary.insert(0, f"engine_0 (lemmata) returned {status}")
        self._write_traces(outcome)
        return self._finish(status)

    def _check(self, engine: str) -> Outcome:
        task = self._task
        if task.mode not in MODES:
            raise Unsupported(task.place, f"mode {task.mode} is not supported", f"modes are {', '.join(MODES)}")
        names = [*task.contents, *(name for name, _ in task.files)]
        source = next((name for name in names if name.endswith((".v", ".sv"))), "design.sv")
        design = DesignOptions(
            multiclock=task.multiclock,
            script=(*(line for text in task.script for line in _commands(text)), _REMOVED[task.mode]),
            folder=str((self.folder / "src").resolve()),
            log=str(self.folder / "model" / "design.log"),
        )
        config = make_config(
            engine=engine,
            timeout=task.timeout,
            workers=1,
            depth=None if task.mode == "prove" else task.depth,
            design=design,
        )
        return supervise(str(self.folder / "src" / source), config, wanted=Wanted(waveform=True, testbench=True))

    def _judge(self, outcome: Outcome) -> str:
        properties = outcome.result.properties
        statuses = [self._status(prop) for prop in properties]
        for prop, status in zip(properties, statuses, strict=True):
            what = "cover" if prop.is_cover else "assert"
            self._tell(f"engine_0: {what} {prop.name}: {prop.word} ({status})")
            (self.folder / "engine_0" / "properties.txt").open("a").write(f"{what} {prop.name} {prop.word} {status}\n")
        return next((s for s in ("ERROR", "FAIL", "TIMEOUT", "UNKNOWN") if s in statuses), "PASS")

    def _status(self, prop: PropertyResult) -> str:
        reason = getattr(prop.verdict, "reason", "")
        if prop.is_cover:
            good, bad = "covered", "unreachable"
        else:
            good, bad = "safe", "unsafe"
        if prop.word in (good, bad):
            return "PASS" if prop.word == good else "FAIL"
        if reason == _BEYOND:
            return "FAIL" if prop.is_cover else "PASS"
        return {"timeout": "TIMEOUT", "uncertified": "ERROR", "error": "ERROR"}.get(reason, "UNKNOWN")

    def _write_traces(self, outcome: Outcome) -> None:
        folder, names = self.folder / "engine_0", [prop.name for prop in outcome.result.properties]
        traces = [(index, files) for index, files in outcome.files.items() if files.waveform is not None]
        for number, (index, files) in enumerate(traces):
            suffix = str(number) if self._task.mode == "cover" or number else ""
            path = folder / f"trace{suffix}.vcd"
            path.write_bytes(files.waveform or b"")
            (folder / f"trace{suffix}_tb.v").write_bytes(files.testbench or b"")
            kind = "trace" if self._task.mode == "cover" else "counterexample trace"
            self._summary.append(f"{kind}: {path} ({names[index]})")

    def _finish(self, status: str) -> int:
        code = 0 if status in self._task.expect else RETURN_CODES[status]
        seconds = int(monotonic() - self._started)
        elapsed = (
            f"Elapsed clock time [H:MM:SS (secs)]: {seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d} ({seconds})"
        )
        for line in (elapsed, *self._summary):
            self._tell(f"summary: {line}")
        (self.folder / "status").write_text(f"{status} {code} {seconds}\n")
        (self.folder / status).write_text("\n".join([elapsed, *self._summary]) + "\n")
        self._tell(f"DONE ({status}, rc={code})")
        (self.folder / "logfile.txt").write_text("\n".join(self._log) + "\n")
        return code

    def _tell(self, text: str) -> None:
        line = f"SBY {strftime('%H:%M:%S')} [{self.folder}] {text}"
        self._log.append(line)
        self._say(line)


def _commands(text: str) -> Sequence[str]:
    """A line of a script as commands of the Yosys that is there: without Verific, its own reader takes its place."""
    found = []
    for command in (part.strip() for part in text.split(";")):
        if re.fullmatch(r"read\s+-(no)?verific|verific\s+-(import|cfg)\b.*", command):
            continue
        command = re.sub(r"^verific\s+-(sv\w*|formal|vlog\w+)\b", "read -formal", command)
        command = re.sub(r"^read\s+-sv\w*\b", "read -formal", command)
        command = re.sub(r"^verific\s+-vlog-define\b", "read -define", command)
        found += [command] if command else []
    return found

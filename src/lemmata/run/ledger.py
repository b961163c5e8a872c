"""The ledger: what is known about each property while a run goes on, and the result when it ends.

The first word on a property counts: a certified verdict, or that evidence failed its check, which is a bug and ends all hope
for this property in this run. A property on which nobody said that word is unknown, for the reason that ended the run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

from lemmata import __version__
from lemmata.config import Config
from lemmata.engines.registry import AUTO
from lemmata.errors import InputError, Place
from lemmata.escapes import printable
from lemmata.events import BoundReached, Event, EventRecord, Measured, Progress, PropertyStarted, WorkerLost
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.result import NotChecked, PropertyResult, Result, Returned
from lemmata.run.processes.messages import Abandoned, Crashed, EventTold, Listed, Loaded, Message, Refused, Settled, Uncertified
from lemmata.run.processes.worker_group import WorkerEnded
from lemmata.run.task import Files
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict

if TYPE_CHECKING:
    from lemmata.report.drawing.control_flow import Drawing, Pictures

_REMEMBERED = 10_000  # events, for bug bundles

BUGS = frozenset({"uncertified", "error"})  # reasons that are our own fault
Ending = Literal["finished", "timeout", "interrupted"]


@dataclass(frozen=True, slots=True)
class Bug:
    """Something that must not happen: evidence that failed its check, or a worker that broke."""

    kind: Literal["uncertified", "crash"]
    engine: str
    name: str  # of the property, "" if unknown
    cause: str  # one line
    detail: str = ""
    evidence: Verdict | None = None

    @property
    def headline(self) -> str:
        """What happened, in one line."""
        if self.kind == "uncertified":
            return f"the evidence of {self.engine} for {self.name} did not survive its check: {self.cause}"
        return f"internal error in {self.engine}: {self.cause}"

    def request(self, bundle: Path | None) -> str:
        """What happened, and what to do about it."""
        return printable(f"{self.headline}; please report it" + (f" with the folder {bundle}" if bundle else ""))


class Ledger:
    """Notes every message of every worker."""

    def __init__(self, file: str, config: Config, started: float) -> None:
        self._file = file
        self._config = config
        self._started = started
        self._names: dict[int, str] = {}
        self._circuit = 0
        self._not_checked: NotChecked | None = None
        self._covers: frozenset[int] = frozenset()
        self._places: dict[int, Place] = {}
        self._notes: tuple[str, ...] = ()
        self._digest = ""
        self._results: dict[int, PropertyResult] = {}
        self._reached: dict[int, tuple[int, str]] = {}  # bound and engine
        self._measured: dict[int, Measured] = {}
        self._reasons: dict[int, str] = {}
        self._whys: dict[int, str] = {}
        self._counts: dict[int, dict[str, dict[str, float]]] = {}  # by property and engine
        self._returned: dict[int, Returned] = {}
        self._heard_at: dict[str, float] = {}  # when each worker gave its last sign of life
        self._name_lists: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._crashes: dict[str, str] = {}  # engine: traceback
        self._speakers: dict[str, str] = {}  # engine of an event: the task of the worker that told it
        self._labels: dict[str, str] = {}  # engine: what its worker calls itself
        self._lost: set[str] = set()  # memory, crash
        self._is_dismissed = False  # was a worker sent away?
        self._news: EventRecord | None = None
        self.bugs: list[Bug] = []
        self.starved: list[str] = []  # engines whose process ended for want of memory
        self.modules: tuple[str, ...] = ()  # that the last worker who told had loaded
        self._drawing: Drawing | None = None  # the control-flow graph, if it was asked for
        self._regions: dict[int, tuple[Mapping[str, object], ...]] = {}  # pictures of invariants
        self.files: dict[int, Files] = {}  # in the order in which the properties were settled
        self.events: deque[EventRecord] = deque(maxlen=_REMEMBERED)

    @property
    def is_complete(self) -> bool:
        """Is there nothing left to do?"""
        return bool(self._names) and len(self._results) == len(self._names)

    @property
    def age(self) -> float:
        """Seconds since the run began."""
        return monotonic() - self._started

    @property
    def pictures(self) -> Pictures | None:
        """What was drawn for a page."""
        if self._drawing is None and not any(self._regions.values()):
            return None
        from lemmata.report.drawing.control_flow import Pictures

        return Pictures(self._drawing, tuple([self._regions.get(prop, ()) for prop in self._names]))

    def note(self, engine: str, message: Message | WorkerEnded) -> EventRecord | None:
        """Write down what a worker said and return the event in it; an error of the input or the call is raised here."""
        self._news = None
        if isinstance(message, Listed) and message.label:
            self._labels[engine] = message.label
        if isinstance(message, EventTold) and isinstance(message.event, BoundReached | Progress):
            self._speakers[message.event.engine] = engine
        engine = self._labels.get(engine, engine)
        match message:
            case Listed(properties, circuit):
                self._note_listed(dict(properties), circuit)
                self._not_checked, self._covers, self._places = message.not_checked, message.covers, dict(message.places)
                self._notes = message.notes
                self._digest = message.digest or self._digest
                self._drawing = message.drawing or self._drawing
            case EventTold(prop, event):
                self._hear(engine, prop, event)
            case Settled():
                self._note_settled(message)
            case Uncertified(prop, verdict, _, cause):
                self._close(prop, Unknown("uncertified"), engine, self.age)
                self.bugs.append(Bug("uncertified", engine, self._names[prop], cause, evidence=verdict))
            case Abandoned(prop, reason, by, bound, why):
                self._reasons[prop] = reason
                self._whys[prop] = why or self._whys.get(prop, "")
                self._reach(prop, bound, by or engine)
            case Crashed(detail):
                self._crashes[engine] = detail
            case Loaded(modules):
                self.modules = modules
            case WorkerEnded():
                self._note_end(engine, message)
            case Refused():
                raise message.error()
        return self._news

    def stop(self, name: str) -> int | None:
        """Nobody wants to know any more about the property of this name: it is unknown; its index, if there is such a one."""
        prop = next((prop for prop, known in self._names.items() if known == name and prop not in self._results), None)
        if prop is not None:
            self._close(prop, Unknown("interrupted"), self._config.engine, self.age)
        return prop

    def dismiss(self, engine: str) -> tuple[str, bool]:
        """This engine, or the worker that calls itself so, is to go: the name of its task, and whether that may have others."""
        self._is_dismissed = True
        labels = {label: task for task, label in self._labels.items()}
        if engine in labels:
            return labels[engine], False
        return self._speakers.get(engine, engine), self._config.engine == AUTO

    def result(self, ending: Ending, memory_mb: float, cpu_s: float = 0.0) -> Result:
        """The result when the run ends this way; what is open is unknown."""
        if not self._names:  # it ended before the file was read
            self._names = {-1: self._config.property}
        for prop in self._names:
            if prop not in self._results:
                self._close(prop, Unknown(self._reason(prop, ending)), self._config.engine, self.age)
        ordered = tuple(self._results[prop] for prop in self._names)
        return Result(
            self._file,
            __version__,
            ordered,
            self.age,
            memory_mb,
            self._not_checked,
            self._notes,
            cpu_s,
            self._config,
            self._digest,
        )

    def _hear(self, engine: str, prop: int | None, event: Event) -> None:
        self._news = EventRecord(self.age, engine, None if prop is None else self._names.get(prop), event)
        self.events.append(self._news)
        if prop is not None and isinstance(event, BoundReached | Progress):
            self._reach(prop, event.bound, event.engine)
        if prop is not None and isinstance(event, BoundReached | Progress):
            self._count(prop, event)
            self._note_time(engine, prop, event.engine)
        if isinstance(event, PropertyStarted):
            self._heard_at.setdefault(engine, self.age)
        if prop is not None and isinstance(event, Measured):
            self._measured[prop] = event

    def _count(self, prop: int, event: BoundReached | Progress) -> None:
        """What the engine says that it counted; a bound alone is no count of anything else."""
        counts = self._counts.setdefault(prop, {}).setdefault(event.engine, {})
        counts["bound"] = max(event.bound, counts.get("bound", -1))
        if isinstance(event, Progress):
            news = {"frames": event.frames, "lemmas": event.lemmas, "obligations": event.obligations, "queries": event.queries}
            counts |= news
            known = self._returned.get(prop)
            if event.returns and (known is None or event.returns >= known.returns):
                self._returned[prop] = Returned(event.engine, event.returned, event.returns)

    def _note_time(self, worker: str, prop: int, engine: str) -> None:
        """The time since the worker's last sign of life is that of the engine which gives this one."""
        now = self.age
        counts = self._counts[prop][engine]
        counts["time_s"] = round(counts.get("time_s", 0.0) + now - self._heard_at.get(worker, now), 3)
        self._heard_at[worker] = now

    def _note_listed(self, names: dict[int, str], circuit: int) -> None:
        """Verdicts of several workers belong together only if they read the same."""
        if self._names and circuit != self._circuit:
            raise InputError(Place(self._file), "the file changed while it was read", "check it again")
        self._names, self._circuit = self._names or names, circuit

    def _note_settled(self, message: Settled) -> None:
        prop = message.prop
        if prop in self._results:
            return
        self._reach(prop, message.bound, message.engine)
        self._close(prop, self._thrifty(message.verdict), message.engine, message.time_s)
        self._results[prop] = replace(self._results[prop], by=message.by, read_by=message.read_by, checked=message.checked)
        self.files[prop] = message.files
        self._regions[prop] = message.regions

    def _thrifty(self, verdict: Verdict) -> Verdict:
        """The same verdict; the names of a circuit, which each message brings, are kept once for all properties."""

        def once(names: tuple[str, ...]) -> tuple[str, ...]:
            return self._name_lists.setdefault(names, names)

        match verdict:
            case Safe(Invariant() as invariant):
                return Safe(replace(invariant, names=once(invariant.names)))
            case Unsafe(Trace() as trace):
                return Unsafe(replace(trace, latch_names=once(trace.latch_names), input_names=once(trace.input_names)))
        return verdict

    def _note_end(self, engine: str, ended: WorkerEnded) -> None:
        if ended.cause == "crash":
            trace = self._crashes.get(engine, "").strip()
            cause = trace.splitlines()[-1] if trace else ended.how
            self.bugs.append(Bug("crash", engine, "", cause, f"{trace}\n{ended.printed}".strip()))
        if ended.cause == "memory":
            self.starved.append(engine)
        if ended.cause != "finished":
            self._lost.add(ended.cause)
            self._hear(engine, None, WorkerLost(engine, ended.cause))

    def _reach(self, prop: int, bound: int, engine: str) -> None:
        if bound > self._reached.get(prop, (-1, ""))[0]:
            self._reached[prop] = bound, engine

    def _close(self, prop: int, verdict: Verdict, engine: str, time_s: float) -> None:
        bound, by = self._reached.get(prop, (-1, engine))
        is_settled = not isinstance(verdict, Unknown)
        by = engine if is_settled else by
        measured = self._measured.get(prop)
        is_theirs = measured is not None and (measured.engine == by or not is_settled)
        statistics = measured.statistics if measured is not None and is_theirs else None
        why = self._whys.get(prop, "") if verdict == Unknown("incomplete") else ""
        counts = self._counts.setdefault(prop, {})
        if is_settled:
            counts.setdefault(by, {"bound": bound})
        place, is_cover = self._places.get(prop), prop in self._covers
        result = PropertyResult(
            self._names[prop],
            verdict,
            by,
            bound,
            is_settled,
            time_s,
            statistics,
            is_cover=is_cover,
            place=place,
            why=why,
            engines=counts,
            most_returned=self._returned.get(prop),
        )
        self._results.setdefault(prop, result)

    def _reason(self, prop: int, ending: Ending) -> str:
        """Why a property is open: a bug is never hidden behind a limit."""
        if ending == "finished" and self._is_dismissed and "crash" not in self._lost:
            return self._reasons.get(prop, "interrupted")
        if ending == "finished" and not self._lost and prop not in self._reasons:
            self.bugs.append(Bug("crash", self._config.engine, self._names[prop], "the workers ended without a word on it"))
            self._lost.add("crash")
        if "crash" in self._lost and ending != "interrupted":
            return "error"
        if ending != "finished":
            return ending
        return "memory" if "memory" in self._lost else self._reasons[prop]

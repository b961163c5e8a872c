"""The commands as functions, for scripts and notebooks; ``lemmata`` has all of them. See ``docs/api.md``.

``check`` and ``watch`` work in processes of their own; the others work here, without limits on memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

from lemmata.bench.records import Record
from lemmata.config import ExplainPresetName
from lemmata.engines.registry import AUTO
from lemmata.errors import CertificateError, UsageError
from lemmata.events import EventRecord
from lemmata.logic.terms import Term
from lemmata.result import Result
from lemmata.run.task import Model
from lemmata.values import dataclass
from lemmata.verdict import Evidence
from lemmata.work import FOREVER, now, within

AnyPath = str | Path


@dataclass(frozen=True, slots=True)
class Judgement:
    """Is the evidence in a file accepted? ``cause`` says why not; ``evidence`` is what was read, as far as it was."""

    is_accepted: bool
    cause: str = ""
    evidence: tuple[Evidence, ...] = ()

    def __bool__(self) -> bool:
        return self.is_accepted


def watch(source: AnyPath | Model, **options: object) -> Iterator[EventRecord | Result]:
    """What ``lemmata.check`` hears, event by event as they come, and its result last; ``options`` are those of ``check``."""
    from queue import Queue
    from threading import Thread

    from lemmata.run.api import check

    mail: Queue[EventRecord | Result | BaseException] = Queue()

    def work() -> None:
        try:
            mail.put(check(source, on_event=mail.put, **options))  # type: ignore[arg-type]
        except BaseException as error:
            mail.put(error)

    Thread(target=work, daemon=True).start()
    while True:
        news = mail.get()
        if isinstance(news, BaseException):
            raise news
        yield news
        if isinstance(news, Result):
            return


def certify_file(model: AnyPath, certificate: AnyPath, property: str | int = "all", timeout: float | None = None) -> Judgement:  # noqa: A002
    """Does the file prove the property? As ``lemmata certify``, a second reader of the model included."""
    from lemmata.cli.evidence import check_proof
    from lemmata.config import Config
    from lemmata.frontends import load
    from lemmata.run.options.selection import select
    from lemmata.run.second_reader import SecondReader

    loaded = load(model)
    chosen = select(loaded, str(property))
    if len(chosen) > 1:
        raise UsageError(f"{loaded.file} has {len(chosen)} properties: say which one is meant")
    try:
        with within(timeout):
            began = now()
            proof = check_proof(loaded, chosen[0].index, Path(certificate), FOREVER)
            if proof is not None:
                SecondReader(str(model), loaded, Config()).read_by(chosen[0].index, proof, now() - began)
    except CertificateError as error:
        return Judgement(False, str(error))
    return Judgement(True, evidence=() if proof is None else (proof.invariant,))


def replay_file(model: AnyPath, witness: AnyPath) -> Judgement:
    """Do the runs in a file really reach bad states? As ``lemmata replay``; the evidence are the runs, with their states."""
    from lemmata.cli.evidence import traces
    from lemmata.frontends import load
    from lemmata.frontends.files import read_bytes
    from lemmata.run.evidence.states import with_states

    loaded, found = load(model), list[Evidence]()
    for trace, run_again in traces(loaded, read_bytes(Path(witness)).decode("utf-8", "replace"), Path(witness)):
        try:
            run_again()
        except CertificateError as error:
            return Judgement(False, str(error), tuple(found))
        found.append(with_states(loaded, trace))
    return Judgement(True, evidence=tuple(found))


def convert_file(source: AnyPath, target: AnyPath) -> None:
    """Write a model in another notation; the suffixes say which."""
    from lemmata.cli.convert import convert

    convert(Path(source), Path(target))


def explain_file(
    source: AnyPath,
    property: str | int = "",  # noqa: A002 (the word of the command line)
    preset: ExplainPresetName | None = None,
    max_steps: int = 200,
    timeout: float = 60.0,
) -> list[str]:
    """The lines that ``lemmata explain`` prints: the run step by step, and the verdict."""
    from lemmata.cli.explain import View, explained
    from lemmata.frontends import load

    if preset is not None and preset not in get_args(ExplainPresetName):
        raise UsageError(f"there is no preset '{preset}': choose one of {', '.join(get_args(ExplainPresetName))}")
    lines: list[str] = []
    view = View(preset, str(property), max_steps=max_steps)
    with within(timeout):
        explained(load(source), view, FOREVER, lambda line: lines.append(line.text), str(source))
    return lines


def bench_files(
    places: Sequence[AnyPath], out: AnyPath, engines: Sequence[str] = (AUTO,), timeout: float = 10.0, memory: int = 2000
) -> list[Record]:
    """Run engines on the files of suites, one after the other, as ``lemmata bench`` does; ``out`` takes logs and bundles."""
    from lemmata.bench import campaign, suites
    from lemmata.bench.contestants import lineup
    from lemmata.bench.runners import RunLimits

    Path(out).mkdir(parents=True, exist_ok=True)
    cases = [case for case in suites.load_suite(list(map(Path, places))) if suites.has_question(case)]
    tasks = campaign.plan_runs(list(lineup(engines, (), ())), cases)
    return list(campaign.Campaign(RunLimits(timeout, memory), Path(out), 1).perform(tasks))


def term_text(term: Term, notation: Literal["infix", "smtlib", "systemverilog"] = "infix") -> str:
    """A term of an invariant as people or solvers read it; what SystemVerilog has no expression for is infix."""
    from lemmata.logic.smtlib.writer import to_text
    from lemmata.logic.systemverilog import systemverilog
    from lemmata.logic.text import infix

    match notation:
        case "smtlib":
            return to_text(term)
        case "systemverilog":
            return systemverilog(term) or infix(term)
    return infix(term)


def invariant_terms(invariant: Evidence) -> dict[str, list[Term]]:
    """The lemmas of an invariant as terms, by location; systems and circuits have one, called ``main``."""
    from lemmata.logic.build import disj, negate
    from lemmata.logic.sorts import BOOL
    from lemmata.logic.terms import var
    from lemmata.models.derivation import GraphInvariant, GraphKInductive
    from lemmata.models.invariant import Invariant
    from lemmata.models.words import WordInvariant

    match invariant:
        case GraphKInductive(_, claims):
            return invariant_terms(claims)
        case GraphInvariant(claims):
            return {claim.place.name: list(claim.lemmas) for claim in claims}
        case WordInvariant(lemmas):
            return {"main": list(lemmas)}
        case Invariant():
            bits = [[var(invariant.name(lit), BOOL) for lit in cube] for cube in invariant.cubes]
            pairs = [list(zip(cube, names, strict=True)) for cube, names in zip(invariant.cubes, bits, strict=True)]
            return {"main": [disj([bit if lit & 1 else negate(bit) for lit, bit in pair]) for pair in pairs]}
    return {}

"""Evidence: certificates and witnesses, genuine ones and changed ones, for models of all kinds; none is accepted wrongly.

A file has two parts: a model, and evidence about one of its properties. Genuine evidence comes from engines on tiny models of
the other worlds; then words of the evidence are changed, or words of the model, or the evidence of another model is taken.
The truth comes from the other worlds' second readers: a proof of a property that fails is a finding, so is a witness of one
that holds, and a witness that the second reader does not follow. Genuine evidence must be accepted.
"""

from __future__ import annotations

import re
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from lemmata.cli.evidence import check_proof, traces
from lemmata.errors import CertificateError, GaveUp, InputError
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.run.task import Wanted
from lemmata.work import now
from tests.fuzz import aiger_naive, aiger_world, boogie_world, btor2_world, chc_world, vmt_world
from tests.fuzz.boogie_naive import Runs
from tests.fuzz.engines import settled
from tests.fuzz.mutate import mutate
from tests.fuzz.smt_naive import Script
from tests.fuzz.smt_values import wider
from tests.fuzz.world import Beyond, Case, Disagreement, Outcome, World, judged
from tests.support.btor2_interpreter import Interpreter, count, reachable
from tests.support.btor2_simulator import Simulator

SECONDS = 1.0  # for an engine, and for a check
BUSY = 60  # times as long on the clock of a busy machine
_STOCK = 60  # pieces of genuine evidence that are kept
_HEAD = re.compile(rb"%% (aiger|btor2|vmt|chc|boogie) (proof|witness)(\.\w+) (\d{1,3})\n")
_MIDDLE = b"\n%% evidence\n"
_CIRCUIT_ENGINES = ("pdr", "bmc", "kinduction")
_GRAPH_ENGINES = ("auto", "lifted", "bmc", "kinduction", "abstract")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A model with evidence about one property."""

    world: str
    kind: str  # proof or witness
    suffix: str
    prop: int
    model: bytes
    evidence: bytes

    def data(self) -> bytes:
        """As a file."""
        head = f"%% {self.world} {self.kind}{self.suffix} {self.prop}\n".encode()
        return head + self.model + _MIDDLE + self.evidence


def bundle_of(data: bytes) -> Bundle | None:
    """The parts of a file, or None if it has no such parts."""
    head = _HEAD.match(data)
    model, middle, evidence = data[head.end() if head else 0 :].partition(_MIDDLE)
    if head is None or not middle:
        return None
    return Bundle(head[1].decode(), head[2].decode(), head[3].decode(), int(head[4]), model, evidence)


class ProofsWorld:
    """See above."""

    name, suffix = "proofs", ".bundle"
    covers = (
        "cli/evidence.py",
        "cli/proofs.py",
        "certify",
        "frontends/horn/models.py",
        "logic/smtlib/formula_reader.py",
        "logic/smtlib/term_reader.py",
    )
    words = re.compile(rb"%%[^\n]*\n|\|[^|\n]*\||[A-Za-z0-9_.]+|\s|.", re.DOTALL)

    def __init__(self) -> None:
        self._stock: list[Bundle] = []

    def generate(self, rng: Random) -> Case:
        """Genuine evidence, or such with a change."""
        if not self._stock or rng.random() < 0.05:
            self._produce(rng)
        if not self._stock:
            return Case(b"")
        genuine = rng.choice(self._stock)
        if rng.random() < 0.1:
            return Case(genuine.data(), is_legal=True)
        world, other = WORLDS[genuine.world], rng.choice(self._stock)
        model, evidence = genuine.model, genuine.evidence
        match rng.randrange(4):
            case 0:
                model = mutate(rng, model, other.model, world.words)
            case 1:
                evidence = other.evidence
            case _:
                evidence = mutate(rng, evidence, other.evidence, self.words)
        prop = genuine.prop if rng.random() < 0.9 else rng.randrange(3)
        return Case(Bundle(genuine.world, genuine.kind, genuine.suffix, prop, model, evidence).data())

    def _produce(self, rng: Random) -> None:
        """Let an engine work on a new model."""
        name = rng.choice(list(WORLDS))
        world = WORLDS[name]
        case = world.generate(rng)
        suffix = rng.choice((".aag", ".txt")) if name == "aiger" else ".smt2"
        engine = rng.choice(
            _CIRCUIT_ENGINES if name == "aiger" else ("pdr", "bmc", "word") if name == "btor2" else _GRAPH_ENGINES
        )
        try:
            truth_of(name, case.data)
            model = world.read(case.data)
            assert isinstance(model, Aig | Graph)
            answers = settled(model, engine, Wanted(witness=True, certificate=suffix), SECONDS)  # type: ignore[arg-type]
        except (InputError, Beyond, GaveUp, RecursionError):
            return
        for prop, answer in enumerate(answers):
            if answer is None:
                continue
            _, files = answer
            for kind, evidence in (("proof", files.certificate), ("witness", files.witness)):
                if evidence is not None:
                    self._stock.append(Bundle(name, kind, suffix if kind == "proof" else ".txt", prop, case.data, evidence))
        del self._stock[:-_STOCK]

    def read(self, data: bytes) -> object:
        """Check the evidence; the model is read, too."""
        bundle = bundle_of(data)
        return None if bundle is None else _checked(bundle)

    def judge(self, data: bytes) -> Outcome:
        """Nothing is accepted wrongly."""
        bundle = bundle_of(data)
        if bundle is None:
            return Outcome("no bundle")
        return judged(self, data, lambda result, _: _compare(bundle, str(result)))

    def accepts(self, data: bytes) -> bool:
        """Nobody else can tell: genuine is what an engine wrote."""
        return False


WORLDS: dict[str, World] = {
    "aiger": aiger_world.WORLD,
    "btor2": btor2_world.WORLD,
    "vmt": vmt_world.WORLD,
    "chc": chc_world.WORLD,
    "boogie": boogie_world.WORLD,
}


def _btor2_truth(data: bytes) -> list[bool]:
    text = data.decode("utf-8", "replace")
    model = Interpreter(text)
    if count([*model.states, *model.inputs, *model.loose()]) > 1 << 9:
        raise Beyond("many states")
    return [depth is not None for depth in reachable(text)]


def _boogie_truth(data: bytes) -> list[bool]:
    wanted = Runs(data.decode("utf-8", "replace")).violated()
    graph = WORLDS["boogie"].read(data)
    assert isinstance(graph, Graph)
    if graph.origin.inexact:
        raise Beyond("inexact")
    return [question.name in wanted for question in graph.questions]


def _chc_truth(data: bytes) -> list[bool]:
    model = WORLDS["chc"].read(data)
    if isinstance(model, Graph) and model.origin.kind == "vmt":  # scripts are told apart by their commands
        return _TRUTHS["vmt"](data)
    return [chc_world.Facts(Script(data.decode("utf-8", "replace"))).derives_false()]


_TRUTHS: dict[str, Callable[[bytes], list[bool]]] = {
    "aiger": lambda data: [depth is not None for depth in aiger_naive.Circuit(data).depths()],
    "btor2": _btor2_truth,
    "vmt": lambda data: vmt_world.violated(data.decode("utf-8", "replace")),
    "chc": _chc_truth,
    "boogie": _boogie_truth,
}


def truth_of(name: str, data: bytes) -> list[bool]:
    """For each property whether it fails; ``Beyond`` where the second reader does not know."""
    try:
        return _TRUTHS[name](data)
    except (InputError, Beyond):
        raise
    except Exception as error:  # a model that was changed may be none any more
        raise Beyond(f"no second reading: {type(error).__name__}") from None
    except Disagreement:
        raise Beyond("no second reading") from None


def _checked(bundle: Bundle) -> str:
    """``accepted``, or why not; raises ``InputError`` where a part cannot be read."""
    model = WORLDS[bundle.world].read(bundle.model)
    assert isinstance(model, Aig | Graph)
    if bundle.prop >= len(model.properties()):
        return "no such property"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x" + bundle.suffix)
        path.write_bytes(bundle.evidence)
        try:
            if bundle.kind == "proof":
                check_proof(model, bundle.prop, path, now() + BUSY * SECONDS)
                return "accepted"
            return "accepted for " + " ".join(map(str, replay_all(model, bundle.evidence, path)))
        except InputError as error:  # the folder has another name each time
            error.args = (str(error).replace(folder, "."),)
            raise
        except CertificateError as error:
            return f"rejected: {str(error).replace(folder, '.')}"
        except GaveUp as error:
            return f"gave up: {error}"


def replay_all(model: Aig | Graph, evidence: bytes, path: Path) -> list[int]:
    """The properties that the witnesses of a file violate; ``CertificateError`` if one does not."""
    accepted = []
    for trace, run_again in traces(model, evidence.decode("utf-8", "replace"), path):
        run_again()
        accepted.append(trace.prop)
    return accepted


def _compare(bundle: Bundle, result: str) -> str:
    if not result.startswith("accepted"):
        return f"refused: {result}"
    with wider(bundle.evidence if bundle.kind == "witness" and bundle.world not in ("aiger", "btor2") else b""):
        truth = truth_of(bundle.world, bundle.model)
    claimed = [bundle.prop] if bundle.kind == "proof" else [*map(int, result.split()[2:])]
    if bundle.kind == "proof":
        if truth[bundle.prop]:
            raise Disagreement(f"a wrong proof is accepted ({bundle.world})", f"property {bundle.prop} fails")
        return result
    for prop in claimed:
        if not truth[prop]:
            raise Disagreement(f"a wrong witness is accepted ({bundle.world})", f"property {prop} holds")
    if bundle.world == "btor2" and bundle.evidence.count(b"sat\n") == 1:
        _follow_words(bundle)
    return result


def _follow_words(bundle: Bundle) -> None:
    """The simulator of ``tests`` must reach a bad state, too."""
    try:
        follows = Simulator(bundle.model.decode("utf-8", "replace"), bundle.evidence.decode("utf-8", "replace")).reaches_bad()
    except Exception:
        raise Beyond(f"no second reading of the witness: {traceback.format_exc(limit=-1).splitlines()[-1]}") from None
    if not follows:
        raise Disagreement("a witness that the simulator does not follow (btor2)")


WORLD = ProofsWorld()

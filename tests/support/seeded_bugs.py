"""Engine bugs on purpose, each a context manager, and the corpus on which certify must catch them.

A checker is worth what it catches. Every bug here is one that somebody could write: a check left out, an index off by one, a
comparison turned round, a part of the model forgotten. While its context lasts the real code runs with that one mistake in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from random import Random
from typing import Any
from unittest import mock

from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.bit.initiation import Initiation
from lemmata.engines.pdr.bit.lift import CoreLift
from lemmata.engines.pdr.bit.oracle import BitOracle
from lemmata.engines.pdr.frames import Frames, Lemma
from lemmata.engines.pdr.generalize import Ctg, Drop
from lemmata.engines.pdr.loop import PdrLoop
from lemmata.engines.pdr.oracle import Cube
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.solvers.cones import Cones
from lemmata.solvers.native import PURE
from lemmata.solvers.relation import Relation
from lemmata.solvers.sat import SatSolver
from lemmata.transforms.circuit import correspondence, stuck_latches
from lemmata.transforms.circuit.rebuild import AigBuilder, Replaced
from lemmata.verdict import Unsafe, Verdict
from tests.support.enumerate import shortest_depths
from tests.support.evidence import DEMANDING
from tests.support.paths import ROOT
from tests.support.planted import planted_circuit
from tests.support.random_circuits import random_circuit

Patch = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Bug:
    """A mistake: while ``patch()`` lasts, the engine makes it. ``options`` let it show."""

    patch: Patch
    options: PdrOptions = field(default_factory=partial(PdrOptions, backend=PURE))  # the native core has none of these mistakes


def _instead(owner: Any, name: str, make: Callable[[Any], Callable[..., Any]]) -> Patch:
    """Replace a function of a class or module; ``make`` gets the real one."""
    return lambda: mock.patch.object(owner, name, make(getattr(owner, name)))


def _engine_sees(change: Callable[[Aig], Aig]) -> Patch:
    """The engine works on another circuit than the one it was given."""

    def make(init: Callable[..., None]) -> Callable[..., None]:
        return lambda self, model, *args, **kwargs: init(self, change(model), *args, **kwargs)

    return _instead(Pdr, "__init__", make)


def _relative_to(level: Callable[[int], int]) -> Patch:
    """Consecution relative to another frame than the one that was asked for."""

    def make(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, cube, at, *args, **kwargs: real(self, cube, level(at), *args, **kwargs)

    return _all(*[_instead(BitOracle, name, make) for name in ("consecution", "inductive")])


def _all(*patches: Patch) -> Patch:
    """Several patches for one mistake."""

    @contextmanager
    def together() -> Iterator[None]:
        with ExitStack() as stack:
            for patch in patches:
                stack.enter_context(patch())
            yield

    return together


# mistakes that need more than a line


def _keep_weaker(real: Callable[..., Lemma]) -> Callable[..., Lemma]:
    def add(self: Frames, cube: Cube, level: int) -> Lemma:
        literals = frozenset(cube)
        for stronger in [lemma for lemma in self.from_level(1) if lemma.literals < literals and lemma.level <= level]:
            self.remove(stronger)
        return real(self, cube, level)

    return add


def _too_early(real: Callable[..., int | None]) -> Callable[..., int | None]:
    def propagate(self: PdrLoop) -> int | None:
        level = real(self)
        return self.frontier - 1 if level is None and self.frontier > 1 else level

    return propagate


def _drop_one(real: Callable[..., Cube]) -> Callable[..., Cube]:
    return lambda *args, **kwargs: real(*args, **kwargs)[1:]


def _guess(_: object) -> Callable[..., Cube]:
    def generalize(self: Drop, cube: Cube, level: int, attempts: int) -> Cube:
        half = cube[: max(1, len(cube) // 2)]
        return cube if self.oracle.initial(half) else half

    return generalize


def _cut_core(real: Callable[..., list[int] | None]) -> Callable[..., list[int] | None]:
    random = Random(0)

    def refute(self: SatSolver, assumptions: Any) -> list[int] | None:
        core = real(self, assumptions)
        if core is not None and len(core) > 1:
            core.remove(random.choice(core))
        return core

    return refute


def _swapped(trace: Trace) -> Trace:
    first, *others = trace.inputs
    return replace(trace, inputs=(*others[:1], first, *others[1:]))


def _swap_steps(real: Callable[..., Verdict]) -> Callable[..., Verdict]:
    def check(self: Pdr, *args: Any) -> Verdict:
        verdict = real(self, *args)
        return Unsafe(_swapped(verdict.trace)) if isinstance(verdict, Unsafe) and isinstance(verdict.trace, Trace) else verdict

    return check


def _lose(part: Callable[[list[tuple[int, ...]]], list[tuple[int, ...]]]) -> Patch:
    """Gates into which others were substituted lose a part of their definition."""

    def make(real: Callable[..., Any]) -> Callable[..., Any]:
        def definition(self: Relation, v: int) -> Any:
            clauses, reads = real(self, v)
            gate = v - self.model.first_gate
            fanins = {lit >> 1 for lit in (*self.model.lefts[gate : gate + 1], *self.model.rights[gate : gate + 1])}
            return (part(clauses), reads) if set(reads) - fanins and len(clauses) > 1 else (clauses, reads)

        return definition

    return _instead(Relation, "definition", make)


def _shift_back(real: Callable[..., Invariant]) -> Callable[..., Invariant]:
    def invariant(self: Replaced, found: Invariant) -> Invariant:
        return real(replace(self, latches=(*self.latches[1:], *self.latches[:1])), found)

    return invariant


def _other_reset(kind: str, value: int) -> Callable[[Aig], Aig]:
    """The circuit with all resets of one kind replaced by a constant."""

    def is_kind(position: int, reset: int, own: int) -> bool:
        found = "constant" if reset <= 1 else "free" if reset == own else "function"
        return found == kind and reset != value

    def change(model: Aig) -> Aig:
        pairs = [(i, reset, model.latch_lit(i)) for i, reset in enumerate(model.resets)]
        return replace(model, resets=tuple(value if is_kind(*pair) else pair[1] for pair in pairs))

    return change


def _free_functions(model: Aig) -> Aig:
    own = [model.latch_lit(i) for i in range(model.latches)]
    return replace(model, resets=tuple(r if r <= 1 else lit for r, lit in zip(model.resets, own, strict=True)))


def _negated_next(model: Aig) -> Aig:
    return replace(model, nexts=(*model.nexts[:-1], *(lit ^ 1 for lit in model.nexts[-1:])))


BUGS: dict[str, Bug] = {
    # proofs
    "the initiation check is skipped": Bug(
        _all(
            _instead(Initiation, "meets", lambda _: lambda self, cube: False),
            _instead(Initiation, "away", lambda _: lambda self, core, cube: core or cube[:1]),
        )
    ),
    "consecution is relative to the frame below": Bug(_relative_to(lambda level: max(0, level - 1))),
    "consecution is relative to the initial states": Bug(_relative_to(lambda level: 0)),
    "lemmas are pushed without a check": Bug(_instead(BitOracle, "pushes", lambda _: lambda self, cube, level: cube)),
    "a new lemma removes the stronger ones": Bug(_instead(Frames, "add", _keep_weaker)),
    "the fix-point is declared too early": Bug(_instead(PdrLoop, "_propagate", _too_early)),
    "generalization drops half of the cube without a query": Bug(
        _all(_instead(Drop, "generalize", _guess), _instead(Ctg, "generalize", _guess))
    ),
    "the core is cut at random": Bug(_instead(SatSolver, "refute", _cut_core)),
    "a temporary clause stays": Bug(_instead(Cones, "retire", lambda _: lambda self, guard: self.sat.add((guard,)))),
    "the engine asks about the first property only": Bug(
        _instead(BitOracle, "ask", lambda real: lambda self, prop: real(self, 0))
    ),
    # the model
    "the engine forgets the constraints": Bug(_engine_sees(lambda model: replace(model, constraints=()))),
    "a free latch is taken as 0": Bug(_engine_sees(_other_reset("free", 0))),
    "a latch that resets to 1 is taken as 0": Bug(_engine_sees(_other_reset("constant", 0))),
    "a reset function is taken as 0": Bug(_engine_sees(_other_reset("function", 0))),
    "a reset function is taken as free": Bug(_engine_sees(_free_functions)),
    "a next-state function is negated": Bug(_engine_sees(_negated_next)),
    # counterexamples
    "lifting drops a literal too many": Bug(_instead(CoreLift, "lift", _drop_one)),
    "the inputs of two steps are swapped": Bug(_instead(Pdr, "check", _swap_steps)),
    # the transition relation
    "elimination loses a clause": Bug(_lose(lambda clauses: clauses[:-1]), PdrOptions(lift="ternary", backend=PURE)),
    "elimination loses a literal": Bug(_lose(lambda clauses: [clauses[0][:-1], *clauses[1:]])),
    # transforms
    "the way back forgets the facts": Bug(
        _instead(Replaced, "invariant", lambda real: lambda self, found: real(replace(self, facts=()), found))
    ),
    "the way back mixes up the latches": Bug(_instead(Replaced, "invariant", _shift_back)),
    "latches that start as constants are taken as stuck": Bug(
        _instead(stuck_latches, "stuck_values", lambda _: lambda model: {i: r for i, r in enumerate(model.resets) if r <= 1})
    ),
    "latches that look equal in simulation are merged unproved": Bug(
        _instead(correspondence, "_round", lambda _: lambda model, classes, deadline: classes)
    ),
    "opposite latches are taken as equal": Bug(
        _instead(correspondence, "equivalent_latches", lambda real: lambda *args: [[x & ~1 for x in c] for c in real(*args)])
    ),
}


# the corpus


@dataclass(frozen=True, slots=True)
class Case:
    """A circuit and the true answer to each of its properties."""

    model: Aig
    words: tuple[str, ...]


@cache
def corpus() -> tuple[Case, ...]:
    """Random circuits that make PDR work, planted ones for the transforms, a late surprise, and the small examples."""
    random = [random_circuit(seed) for seed in DEMANDING[::3]]
    planted = [planted_circuit(seed).model for seed in DEMANDING[::5]]
    cases = [Case(model, _words(model)) for model in [*random, *planted, *map(late_difference, (30, 40))]]
    return (*cases, *_examples())


def _words(model: Aig) -> tuple[str, ...]:
    return tuple("safe" if depth is None else "unsafe" for depth in shortest_depths(model))


def _examples() -> list[Case]:
    folder = ROOT / "examples"
    models = [load(path) for path in sorted(folder.glob("*.a[ai]g"))]
    return [Case(model, _expected(model)) for model in models if model.latches <= 9 or "lock" in model.file]


def _expected(model: Aig) -> tuple[str, ...]:
    said = dict(line.split(": ", 1) for line in model.comments if line.startswith("expected"))
    return tuple(said.get(f"expected {prop.name}", said["expected"]) for prop in model.properties())


def late_difference(steps: int) -> Aig:
    """Six latches count; two more change together until the state ``steps``, where only one does; bad when they differ."""
    builder = AigBuilder(9)
    *bits, one, two = [2 * (1 + i) for i in range(8)]
    carry, nexts = 1, []
    for bit in bits:
        nexts.append(builder.conjoin(builder.conjoin(bit, carry) ^ 1, builder.conjoin(bit ^ 1, carry ^ 1) ^ 1))
        carry = builder.conjoin(bit, carry)
    now = builder.conjoin_all([bit ^ (not steps >> i & 1) for i, bit in enumerate(bits)])
    nexts += [one ^ 1, builder.conjoin(two ^ 1, now ^ 1)]
    bad = builder.conjoin(one, two ^ 1)
    return Aig(0, tuple(nexts), (0,) * 8, tuple(builder.lefts), tuple(builder.rights), bads=(bad,), file=f"<late {steps}>")

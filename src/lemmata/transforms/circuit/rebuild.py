"""Rebuild a circuit with some latches replaced: the workhorse of every reduction.

``rebuild`` walks the cone of the properties and the constraints, hashes structurally equal gates together, applies the
one- and two-level rules of and-inverter graphs (Brummayer, Biere 2006), joins the constraints into one literal, and drops
what nobody reads. ``facts`` says why a latch may be replaced: cubes that no reachable state meets, inductive together.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import Invariant, LatchCube
from lemmata.models.trace import Trace
from lemmata.transforms import Chain
from lemmata.transforms.circuit import CircuitReduction
from lemmata.values import dataclass
from lemmata.work import GATE, tally


class AigBuilder:
    """And-gates with structural hashing; literals 0 and 1 are the constants."""

    def __init__(self, first_gate: int) -> None:
        self.first = first_gate
        self.lefts: list[Lit] = []
        self.rights: list[Lit] = []
        self._known: dict[int, Lit] = {}  # by both literals in one number

    def conjoin(self, a: Lit, b: Lit) -> Lit:
        """A literal for a ∧ b."""
        if a > b:
            a, b = b, a
        if a <= 1:
            return b if a else 0
        if a == b:
            return a
        if a ^ b == 1:
            return 0
        key = a << 40 | b
        found = self._known.get(key)
        if found is not None:
            return found
        simpler = self._two_level(a, b)
        if simpler is None:
            simpler = 2 * (self.first + len(self.lefts))
            self.lefts.append(a)
            self.rights.append(b)
        self._known[key] = simpler
        tally[GATE] += 1
        return simpler

    def _two_level(self, a: Lit, b: Lit) -> Lit | None:
        """Contradiction, idempotence, subsumption and substitution with the fan-ins of a and b."""
        for x, y in ((a, b), (b, a)):
            gate = (x >> 1) - self.first
            if gate < 0:
                continue
            left, right = self.lefts[gate], self.rights[gate]
            if not x & 1:  # x = left ∧ right
                if y in (left, right):
                    return x
                if y ^ 1 in (left, right):
                    return 0
            else:  # x = ¬(left ∧ right)
                if y ^ 1 in (left, right):
                    return y
                if y == left:
                    return self.conjoin(y, right ^ 1)
                if y == right:
                    return self.conjoin(y, left ^ 1)
        return None

    def conjoin_all(self, lits: Iterable[Lit]) -> Lit:
        """A balanced tree over ``lits``."""
        layer = sorted(set(lits))
        while len(layer) > 1:
            pairs = [self.conjoin(layer[i], layer[i + 1]) for i in range(0, len(layer) - 1, 2)]
            layer = pairs + layer[len(layer) & ~1 :]
        return layer[0] if layer else 1


@dataclass(frozen=True, slots=True)
class Replaced:
    """The way back from ``rebuild``."""

    old: Aig
    new: Aig
    latches: tuple[int, ...]  # old position of each new latch
    inputs: tuple[int, ...]  # old position of each new input
    properties: tuple[int, ...]  # old index of each new property
    facts: tuple[LatchCube, ...] = field(default=())

    def invariant(self, invariant: Invariant) -> Invariant:
        """The new cubes over the old latches, and the facts that let latches go."""
        first = self.new.first_latch

        def old_lit(lit: Lit) -> Lit:
            return self.old.latch_lit(self.latches[(lit >> 1) - first]) | lit & 1

        return describe_invariant(self.old, (*self.facts, *invariant.map(old_lit)))

    def trace(self, trace: Trace) -> Trace:
        """The new trace with a legal value for every latch and input that was dropped."""
        lines = []
        for line in trace.inputs:
            bits = [0] * self.old.inputs
            for position, bit in zip(self.inputs, line, strict=True):
                bits[position] = bit
            lines.append(tuple(bits))
        chosen = dict(zip(self.latches, trace.initial, strict=True))
        return describe_trace(self.old, self.properties[trace.prop], initial_state(self.old, chosen, lines[0]), lines)


def describe_invariant(model: Aig, cubes: Iterable[LatchCube]) -> Invariant:
    """An invariant that speaks with the model's names."""
    names = tuple(map(model.latch_name, range(model.latches)))
    return Invariant(tuple(dict.fromkeys(cubes)), names, model.first_latch)


def describe_trace(model: Aig, prop: int, initial: Sequence[int], inputs: Iterable[tuple[int, ...]]) -> Trace:
    """A trace that speaks with the model's names."""
    return Trace(
        prop,
        tuple(initial),
        tuple(inputs),
        tuple(map(model.latch_name, range(model.latches))),
        tuple(map(model.input_name, range(model.inputs))),
    )


def initial_state(model: Aig, chosen: Mapping[int, int], inputs: Sequence[int]) -> list[int]:
    """An initial state: constants and reset functions as the file says; free latches as ``chosen``, else 0."""
    first, gate0 = model.first_latch, model.first_gate
    values: dict[int, int] = {0: 0, **{1 + i: bit for i, bit in enumerate(inputs)}}
    for root in range(first, first + model.latches):
        stack = [root]
        while stack:
            variable = stack[-1]
            if variable in values:
                stack.pop()
                continue
            if variable >= gate0:
                needs = (model.lefts[variable - gate0], model.rights[variable - gate0])
            else:
                reset = model.resets[variable - first]
                if reset >> 1 == variable:
                    values[variable] = chosen.get(variable - first, 0)
                    continue
                needs = (reset, 1)
            waiting = [lit >> 1 for lit in needs if lit >> 1 not in values]
            if waiting:
                stack += waiting
            else:
                values[variable] = (values[needs[0] >> 1] ^ needs[0] & 1) & (values[needs[1] >> 1] ^ needs[1] & 1)
    return [values[first + i] for i in range(model.latches)]


def rebuild(
    model: Aig,
    properties: Sequence[int] | None = None,
    replacement: Mapping[int, Lit] | None = None,
    facts: Iterable[LatchCube] = (),
) -> CircuitReduction:
    """The cone of the chosen properties with latches (by position) replaced by old literals of constants or other latches."""
    replacement = replacement or {}
    asked = model.properties()
    chosen = tuple(range(len(asked)) if properties is None else properties)
    bads = [asked[p].bad for p in chosen]
    order = _cone(model, [*bads, *model.constraints], replacement)
    first, gate0 = model.first_latch, model.first_gate
    inputs = tuple(v - 1 for v in order if v < first)
    latches = tuple(v - first for v in order if first <= v < gate0)
    builder = AigBuilder(1 + len(inputs) + len(latches))
    new = array("q", [-1]) * model.variables  # -1: not needed
    new[0] = 0
    for i, old in enumerate(inputs):
        new[1 + old] = 2 * (1 + i)
    for i, old in enumerate(latches):
        new[first + old] = 2 * (1 + len(inputs) + i)
    for position, instead in replacement.items():
        if new[instead >> 1] >= 0:
            new[first + position] = new[instead >> 1] ^ instead & 1
    lefts, rights, conjoin = model.lefts, model.rights, builder.conjoin
    tally[GATE] += 3 * len(order)
    for variable in order:
        if variable >= gate0:
            a, b = lefts[variable - gate0], rights[variable - gate0]
            new[variable] = conjoin(new[a >> 1] ^ a & 1, new[b >> 1] ^ b & 1)

    def lit(old: Lit) -> Lit:
        return new[old >> 1] ^ old & 1

    valid = builder.conjoin_all(lit(c) for c in model.constraints)
    smaller = Aig(
        inputs=len(inputs),
        nexts=tuple(lit(model.nexts[i]) for i in latches),
        resets=tuple(lit(model.resets[i]) for i in latches),
        lefts=tuple(builder.lefts),
        rights=tuple(builder.rights),
        bads=tuple(map(lit, bads)),
        constraints=() if valid == 1 else (valid,),
        symbols=_symbols(model, chosen, inputs, latches),
        file=model.file,
    )
    back = Replaced(model, smaller, latches, inputs, chosen, tuple(facts))
    if len(_cone(smaller, [*smaller.bads, *smaller.constraints], {})) == smaller.variables - 1:
        return CircuitReduction(smaller, back)
    swept = rebuild(smaller)  # simplification has cut something off
    return CircuitReduction(swept.model, Chain((back, swept.back)))


def support_latches(model: Aig, roots: Iterable[Lit]) -> set[int]:
    """The latches, by variable, that the roots and the constraints depend on."""
    return {v for v in _cone(model, [*roots, *model.constraints], {}) if model.first_latch <= v < model.first_gate}


def _symbols(model: Aig, chosen: Sequence[int], inputs: Sequence[int], latches: Sequence[int]) -> dict[tuple[str, int], str]:
    asked = model.properties()
    names = {("i", i): model.input_name(old) for i, old in enumerate(inputs)}
    names |= {("l", i): model.latch_name(old) for i, old in enumerate(latches)}
    names |= {("b", i): asked[p].name for i, p in enumerate(chosen)}
    return names


def _cone(model: Aig, roots: Iterable[Lit], replacement: Mapping[int, Lit]) -> list[int]:
    """The variables that the roots read, through latches and reset functions, ascending (so: topological)."""
    first, gate0 = model.first_latch, model.first_gate
    seen = bytearray(model.variables)
    seen[0] = 1
    stack = [lit >> 1 for lit in roots]
    while stack:
        variable = stack.pop()
        if seen[variable]:
            continue
        seen[variable] = 1
        if variable >= gate0:
            stack.append(model.lefts[variable - gate0] >> 1)
            stack.append(model.rights[variable - gate0] >> 1)
        elif variable >= first:
            position = variable - first
            instead = replacement.get(position)
            if instead is None:
                stack.append(model.nexts[position] >> 1)
                stack.append(model.resets[position] >> 1)
            else:
                seen[variable] = 2
                stack.append(instead >> 1)
    tally[GATE] += 2 * model.variables
    return [v for v in range(1, model.variables) if seen[v] == 1]

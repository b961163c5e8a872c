"""From words to bits: a system becomes a circuit, and evidence about the circuit becomes evidence about the system.

``blast`` restricts a system to the cone of the chosen properties, spells its arrays out, and builds the gates with
``logic.blast``. Bit 3 of the word ``x`` is the input or latch ``x[3]``; a word of one bit keeps its name. A start function
becomes a reset function, a free variable becomes free latches. Everything is exact and goes both ways: cubes over bits become
formulas over words (``blast_facts``), bits of a run become values. That a property is k-inductive needs no translation.

With ``abstract``, arrays that are too large are havocked first; ``is_exact`` is false then, and ``trace`` may give up. For
proofs that can pay where arrays are small, too: seventeen thousand latches became four hundred in one of our benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lemmata.errors import Place, Unsupported
from lemmata.logic.blast import Blaster, CannotBlast
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import TRUE, Term, name_of
from lemmata.models.aig import Aig, Lit
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant
from lemmata.models.system import System, system_of
from lemmata.models.trace import Trace
from lemmata.models.words import Values, WordInvariant, WordTrace
from lemmata.transforms.arrays import BITS, expand_arrays, large_sorts
from lemmata.transforms.arrays_havoc import havoc_arrays
from lemmata.transforms.blast_facts import lemmas_of
from lemmata.transforms.rebuild import Builder
from lemmata.transforms.words import WordBack, WordChain, WordReduction, cone


@dataclass(frozen=True, slots=True)
class Blasted:
    """A circuit and the way back to words; not exact means that the circuit has more runs than the system."""

    aig: Aig
    system: System  # what the bits are bits of
    back: WordBack  # from there to the system that was given
    is_exact: bool = True

    def invariant(self, invariant: Invariant) -> WordInvariant:
        """The cubes over latches as formulas over variables."""
        places = [(v, position) for v in self.system.variables for position in range(width_of(v))]
        lemmas = lemmas_of(invariant.cubes, places, self.aig.first_latch)
        return self.back.invariant(WordInvariant(tuple(lemmas)))

    def trace(self, trace: Trace) -> WordTrace:
        """The bits of a run as values; ``GaveUp`` if arrays were abstracted and the run cannot be made true."""
        lines = tuple(_words(self.system.inputs, line) for line in trace.inputs)
        return self.back.trace(WordTrace(trace.prop, _words(self.system.variables, trace.initial), lines))


def width_of(variable: Term) -> int:
    """How many bits a Boolean or a word has."""
    return 1 if variable.sort is BOOL else variable.width


def _words(variables: Sequence[Term], bits: Sequence[int]) -> Values:
    values = []
    at = 0
    for v in variables:
        end = at + width_of(v)
        value = int("".join(map(str, bits[at:end][::-1])), 2)
        values.append((v, bool(value) if v.sort is BOOL else value))
        at = end
    return tuple(values)


def blast(model: Graph | System, props: Sequence[int] | None = None, *, abstract: bool = False, bits: int = BITS) -> Blasted:
    """The circuit of the chosen properties (all, if ``None``); ``TooLarge`` for arrays that are, unless ``abstract``.

    Arrays are too large if they have more than ``bits`` together; with 0 all of them are.
    """
    file = model.file if isinstance(model, Graph) else "<memory>"
    system = system_of(model) if isinstance(model, Graph) else model
    if system is None:
        raise Unsupported(Place(file), "only a transition system can be turned into a circuit", "it has one loop, no calls")
    chosen = range(len(system.bads)) if props is None else props
    names = [model.properties()[p].name if isinstance(model, Graph) else f"b{p}" for p in chosen]
    small = without_arrays(system, chosen, abstract, bits)
    try:
        aig = circuit_of(small.system, names, file)
    except CannotBlast as error:
        raise Unsupported(Place(file), str(error), "bits can be made of Booleans and bit-vectors only") from None
    return Blasted(aig, small.system, small.back, small.is_exact)


def without_arrays(system: System, props: Sequence[int], abstract: bool, bits: int = BITS) -> WordReduction:
    """The cone of the chosen properties with words only; ``TooLarge`` for arrays that are, unless ``abstract``."""
    steps: list[Callable[[System], WordReduction]] = [lambda s: cone(s, props)]
    if abstract:
        steps += [lambda s: havoc_arrays(s, large_sorts(s, bits)), cone]
    steps.append(lambda s: expand_arrays(s, bits))
    links: list[WordBack] = []
    is_exact = True
    for step in steps:
        reduction = step(system)
        links.append(reduction.back)
        system, is_exact = reduction.system, is_exact and reduction.is_exact
    return WordReduction(system, WordChain(tuple(links)), is_exact)


def circuit_of(system: System, names: Sequence[str], file: str) -> Aig:
    """The circuit of a system without arrays; ``names`` are those of its properties."""
    for v in (*system.variables, *system.inputs):
        if not (v.sort is BOOL or isinstance(v.sort, BitVec)):
            raise CannotBlast(v)
    inputs, latches = _bit_names(system.inputs), _bit_names(system.variables)
    leaves = _leaves((*system.inputs, *system.variables))
    gates = Builder(1 + len(inputs) + len(latches))
    blaster = Blaster(gates, leaves.__getitem__)

    def bits(terms: Iterable[Term]) -> tuple[Lit, ...]:
        return tuple(lit for term in terms for lit in blaster.bits(term))

    parts = system.constraint.args if system.constraint.op == "and" else (system.constraint,)
    symbols = {("i", i): name for i, name in enumerate(inputs)} | {("l", i): name for i, name in enumerate(latches)}
    return Aig(
        inputs=len(inputs),
        nexts=bits(system.nexts[v] for v in system.variables),
        resets=bits(v if (start := system.starts[v]) is None else start for v in system.variables),
        bads=bits(system.bads),
        constraints=tuple(dict.fromkeys(lit for lit in bits(part for part in parts if part is not TRUE) if lit != 1)),
        lefts=tuple(gates.lefts),  # now that all bits are there
        rights=tuple(gates.rights),
        symbols=symbols | {("b", i): name for i, name in enumerate(names)},
        file=file,
    )


def _bit_names(variables: Iterable[Term]) -> list[str]:
    return [
        name_of(v) if width_of(v) == 1 else f"{name_of(v)}[{position}]" for v in variables for position in range(width_of(v))
    ]


def _leaves(variables: Iterable[Term]) -> dict[Term, Sequence[Lit]]:
    """The literals of each variable: numbered one after another."""
    leaves: dict[Term, Sequence[Lit]] = {}
    lit = 2
    for v in variables:
        end = lit + 2 * width_of(v)
        leaves[v] = range(lit, end, 2)
        lit = end
    return leaves

"""A graph over words on bits: with its location as one more word it is a system, and that is a circuit.

Evidence comes back the whole way, from the reduced circuit to the graph as it was read. Of a proof most ranges of integers are
not needed; they go while the graph is small. A proof that speaks of single bits of integers, and so of remainders, is given up:
solvers of arithmetic take longer to check it than other engines take for a proof of their own.
"""

from __future__ import annotations

from contextlib import suppress

from lemmata.certify.graph.minimize import minimize_claims
from lemmata.engines import Engine
from lemmata.engines.registry import EngineRecord, Order
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.terms import topological
from lemmata.models.derivation import GraphInvariant
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.run.evidence import minimizing_time
from lemmata.run.worlds.transformed import Route
from lemmata.run.worlds.words import OnBits
from lemmata.transforms.circuit.reduce import reduce
from lemmata.transforms.graph import GraphReduction
from lemmata.transforms.system.blast import blast
from lemmata.transforms.system.program_counter import CounterReduction, with_program_counter
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unsafe, Verdict

_MOST_REMAINDERS = 20  # lemmas about remainders that may go when a proof is made smaller


def on_graph_bits(record: EngineRecord, reduction: GraphReduction, words: GraphReduction, order: Order) -> Route:
    """The engine on the circuit of ``words``, which is ``reduction``'s graph over words; ``GaveUp`` where there are trees."""
    counted = with_program_counter(words.model, order.prop)
    if counted is None:
        raise GaveUp("incomplete")
    blasted = blast(counted.graph, (0,))
    circuit = reduce(blasted.aig, (0,), order.listener)
    engine = record.builds["graph"](circuit.model, Order(order.config, order.listener))
    way = _WayToFile(reduction, words, counted, order)
    return OnGraphBits(OnBits(engine, way.back, blasted, circuit.back))


@dataclass(frozen=True, slots=True)
class _WayToFile:
    """From the system to the graph as it was read."""

    reduction: GraphReduction
    words: GraphReduction
    counted: CounterReduction
    order: Order

    def back(self, verdict: Safe | Unsafe) -> Verdict:
        """The verdict with evidence about that graph."""
        match verdict:
            case Safe(WordInvariant() as invariant):
                claims = self.words.back.invariant(self.counted.back.invariant(invariant))
                if _remainders(claims) > _MOST_REMAINDERS:
                    raise GaveUp("incomplete")
                with suppress(CertificateError):  # which is for the check to say
                    model, order = self.reduction.model, self.order
                    claims = minimize_claims(model, order.prop, claims, order.solver, minimizing_time(0.0))
                if _remainders(claims):
                    raise GaveUp("incomplete")
                return Safe(self.reduction.back.invariant(claims))
            case Unsafe(WordTrace() as trace):
                derivation = self.words.back.trace(self.counted.back.trace(trace))
                return Unsafe(self.reduction.back.trace(derivation))
        return verdict


def _remainders(invariant: GraphInvariant) -> int:
    """How many lemmas are about remainders of integers."""
    lemmas = {lemma for claim in invariant.claims for lemma in claim.lemmas}
    return sum(any(term.op in ("mod", "div") for term in topological([lemma])) for lemma in lemmas)


@dataclass(frozen=True, slots=True)
class OnGraphBits:
    """By way of a circuit with one property: whatever is asked is asked of that."""

    route: OnBits

    @property
    def engine(self) -> Engine:
        """The engine."""
        return self.route.engine

    def asked(self, position: int) -> int:
        """Always the one property."""
        return 0

    def back(self, position: int, verdict: Safe | Unsafe, spent: float, until: float | None) -> Verdict:
        """From the smaller circuit to the graph."""
        return self.route.back(0, verdict, spent, until)

"""The invariant of the whole program, from the states that were removed on the way.

Claim(ℓ) is the disjunction of the labels of all states at ℓ that were ever removed. It is inductive: when a state is removed,
each of its successors is removed with it, was removed before, or was cut off by *false*; a successor that was removed before
has a label that also holds after the labels that its source has now, since these only became stronger. With several sources
the one that was removed first decides: the others were states then, with weaker labels than they had in the end. Locations
that do not lead to the error may be anything.
"""

from __future__ import annotations

from lemmata.engines.traces.automaton import Removed, weakest
from lemmata.engines.traces.predicates import Predicates
from lemmata.logic.build import conj, disj
from lemmata.logic.terms import FALSE, Term
from lemmata.models.derivation import Claim, GraphInvariant
from lemmata.models.graph import Graph


def invariant_of_proofs(graph: Graph, predicates: Predicates, removed: Removed, leading: frozenset[int]) -> GraphInvariant:
    """Claims for all locations but the errors; ``leading`` are those that lead to the error in question."""
    errors = {question.location for question in graph.questions}
    claims = []
    for number, place in enumerate(graph.locations):
        if number not in errors:
            lemmas = _lemmas(predicates, removed.masks.get(number, set())) if number in leading else ()
            claims.append(Claim(number, place, lemmas))
    return GraphInvariant(tuple(claims))


def _lemmas(predicates: Predicates, masks: set[int]) -> tuple[Term, ...]:
    """A disjunction of conjunctions; what they have in common comes first."""
    label = weakest(masks)
    if not label:
        return (FALSE,)
    common = label[0]
    for mask in label:
        common &= mask
    rest = disj([conj(predicates.terms_of(mask & ~common)) for mask in label])
    return tuple(lemma for lemma in (*predicates.terms_of(common), rest) if lemma is not conj([]))

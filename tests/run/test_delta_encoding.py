"""Proofs on their way to the supervisor."""

from __future__ import annotations

import pickle
from dataclasses import replace

from lemmata.logic.build import build
from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, Term, const, var
from lemmata.models.derivation import Claim, GraphInvariant
from lemmata.models.graph import Location
from lemmata.models.invariant import Invariant
from lemmata.run.processes.delta_encoding import DeltaDecoder, DeltaEncoder
from lemmata.run.processes.messages import Abandoned, Settled
from lemmata.verdict import Safe

X = var("x", INT)
PLACES = [Location(f"p:{n}", (X,), n, f"statement {n}") for n in range(300)]


def _proof(lemmas: dict[int, Term], places: list[Location] = PLACES) -> GraphInvariant:
    return GraphInvariant(tuple(Claim(n, p, (lemmas[n],) if n in lemmas else ()) for n, p in enumerate(places)))


def _settled(prop: int, proof: GraphInvariant | Invariant) -> Settled:
    return Settled(prop, Safe(proof), "pdr", 3, 0.1, by="cvc5")


def _positive(least: int) -> Term:
    return build("<=", (const(least, INT), X))


def test_messages_arrive_as_they_were_however_many_proofs_they_share():
    shared, other = _proof({1: _positive(0), 2: FALSE}), _proof({2: _positive(5), 299: _positive(7)})
    elsewhere = _proof({0: _positive(1)}, [replace(p, name=f"q:{p.line}") for p in PLACES])
    of_bits = Invariant(((2,),))
    proofs = [of_bits, shared, shared, other, elsewhere, other, shared, elsewhere, of_bits]
    messages = [Abandoned(9, "incomplete", "pdr", 1), *[_settled(prop, proof) for prop, proof in enumerate(proofs)]]
    encoded, decoded = DeltaEncoder(), DeltaDecoder()
    received = [decoded(pickle.loads(pickle.dumps(encoded(message)))) for message in messages]
    assert received == messages
    assert [message.verdict.invariant.describe() for message in received[1:]] == [proof.describe() for proof in proofs]
    assert received[2].verdict.invariant is received[3].verdict.invariant  # so that it is told once


def test_a_second_proof_costs_what_it_says():
    encoded = DeltaEncoder()
    first, second, again = [
        len(pickle.dumps(encoded(_settled(prop, proof)))) for prop, proof in enumerate([_proof({1: FALSE}), _proof({2: FALSE})])
    ] + [len(pickle.dumps(encoded(_settled(2, _proof({3: FALSE})))))]
    assert max(second, again) < first / 10

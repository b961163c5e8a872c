"""Proofs of large programs on their way to the supervisor, as deltas: what was written once is not written again.

A proof has a claim for every location of a graph. Where a program has hundreds of properties, many share one proof, and all
proofs speak of the same locations, most of which they know nothing about. So the first proof is written as it is; of the
others that one is named, with the lemmas that differ. What graphs are is loaded by those who have some.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from lemmata.run.processes.messages import Message, Settled
from lemmata.values import dataclass
from lemmata.verdict import Evidence, Safe, Unknown

if TYPE_CHECKING:
    from lemmata.logic.terms import Term
    from lemmata.models.code import CodeClaim
    from lemmata.models.derivation import Claim, GraphInvariant


@dataclass(frozen=True, slots=True)
class SettledLike:
    """A verdict without its proof. That is proof number ``like``, or has other ``lemmas`` by position at the same locations."""

    settled: Settled  # whose verdict is none
    like: int
    lemmas: tuple[tuple[int, tuple[Term, ...]], ...] | None
    told: tuple[CodeClaim, ...] = ()


class DeltaEncoder:
    """Makes the messages of a worker shorter."""

    def __init__(self) -> None:
        self._proofs: list[GraphInvariant] = []
        self._numbers: dict[int, int] = {}  # by the identity of a proof

    def __call__(self, message: Message) -> Message | SettledLike:
        """What to write instead."""
        proof = _proof_with_claims(message)
        if proof is None or not isinstance(message, Settled):
            return message
        without = replace(message, verdict=Unknown(""))
        if id(proof) in self._numbers:
            return SettledLike(without, self._numbers[id(proof)], None)
        self._numbers[id(proof)] = len(self._proofs)
        self._proofs.append(proof)
        if len(self._proofs) == 1 or not _has_same_places(proof, self._proofs[0]):
            return message
        lemmas = [(position, claim.lemmas) for position, claim in enumerate(proof.claims) if claim.lemmas]
        return SettledLike(without, 0, tuple(lemmas), proof.told)


class DeltaDecoder:
    """Makes the messages of one worker whole again."""

    def __init__(self) -> None:
        self._proofs: list[Evidence] = []  # as they are numbered
        self._empty: list[Claim] = []  # the places of the first proof, without lemmas

    def __call__(self, message: object) -> object:
        """What ``DeltaEncoder`` was given."""
        if isinstance(message, SettledLike):
            proof: Evidence = self._proofs[message.like] if message.lemmas is None else self._like_the_first(message)
            return replace(message.settled, verdict=Safe(proof))
        if (first := _proof_with_claims(message)) is not None:
            self._proofs.append(first)
            self._empty = self._empty or [replace(claim, lemmas=()) if claim.lemmas else claim for claim in first.claims]
        return message

    def _like_the_first(self, message: SettledLike) -> Evidence:
        from lemmata.models.derivation import GraphInvariant

        claims = list(self._empty)
        for position, lemmas in message.lemmas or ():
            claims[position] = replace(claims[position], lemmas=lemmas)
        self._proofs.append(GraphInvariant(tuple(claims), message.told))
        return self._proofs[-1]


def _proof_with_claims(message: object) -> GraphInvariant | None:
    """A proof over a graph; its class is loaded where there is one."""
    match message:
        case Settled(verdict=Safe(proof)) if hasattr(proof, "claims"):
            return cast("GraphInvariant", proof)
    return None


def _has_same_places(proof: GraphInvariant, other: GraphInvariant) -> bool:
    pairs = zip(proof.claims, other.claims, strict=False)
    return len(proof.claims) == len(other.claims) and all(a.place is b.place and a.location == b.location for a, b in pairs)

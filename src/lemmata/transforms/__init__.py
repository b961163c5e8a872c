"""Transforms: each returns another model, mostly a smaller one, and the way back.

A way back turns evidence about the new model into evidence about the old one, so engines never know that anything happened.
There is one family for all models: ``Reduction``, ``WayBack`` and ``Chain`` are generic in the model, in what proves it and
in what refutes it (a ``Trace``, a ``WordTrace``, a ``Derivation``); ``CircuitReduction``, ``WordReduction`` and
``GraphReduction`` are its three instances.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from lemmata.values import dataclass

_Model = TypeVar("_Model")
_Proof = TypeVar("_Proof")
_Run = TypeVar("_Run")


class WayBack(Protocol[_Proof, _Run]):
    """Evidence about the new model in, evidence about the old model out."""

    def invariant(self, invariant: _Proof) -> _Proof:
        """What proves the property on the new model becomes what proves it on the old model."""
        ...

    def trace(self, trace: _Run) -> _Run:
        """A run of the new model (or a derivation of its error) becomes one of the old model."""
        ...


@dataclass(frozen=True)  # no slots: Python 3.11 cannot make a frozen one through an alias of a generic class
class Chain(Generic[_Proof, _Run]):
    """The ways back of several transforms, last one first; without links nothing was changed."""

    links: tuple[WayBack[_Proof, _Run], ...] = ()

    def invariant(self, invariant: _Proof) -> _Proof:
        """Through all links."""
        for link in reversed(self.links):
            invariant = link.invariant(invariant)
        return invariant

    def trace(self, trace: _Run) -> _Run:
        """Through all links."""
        for link in reversed(self.links):
            trace = link.trace(trace)
        return trace


@dataclass(frozen=True)
class Reduction(Generic[_Model, _Proof, _Run]):
    """A model and how to come back from it; not exact means that it has more runs than the old one."""

    model: _Model
    back: WayBack[_Proof, _Run]
    is_exact: bool = True

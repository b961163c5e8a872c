"""What every SMT backend answers, whatever library stands behind it.

``Smt`` is one incremental solver. An answer is a value: ``Sat`` carries the values of the terms that were asked for, ``Unsat``
the assumptions that were needed. *Unknown* is not an answer: it raises ``GaveUp("timeout")`` past ``until`` and
``GaveUp("incomplete")`` otherwise. ``open_solver`` imports a backend when it is first wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lemmata.logic.terms import Term, Value


@dataclass(frozen=True, slots=True)
class Sat:
    """Satisfiable; ``values`` of the terms that were wanted, in one model."""

    values: Mapping[Term, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unsat:
    """Unsatisfiable; ``core`` are assumptions that suffice, in the order in which they were given."""

    core: tuple[Term, ...] = ()


class Smt(Protocol):
    """One incremental solver."""

    name: str

    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""
        ...

    def push(self) -> None:
        """Open a scope."""
        ...

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        ...

    def check(self, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None) -> Sat | Unsat:
        """Is everything added, with the assumptions (any Boolean terms), satisfiable? ``until`` is in ``time.monotonic``."""
        ...

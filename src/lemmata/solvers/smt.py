"""What every SMT backend answers, whatever library stands behind it.

``Smt`` is one incremental solver. An answer is a value: ``Sat`` carries the values of the terms that were asked for, ``Unsat``
the assumptions that were needed. *Unknown* is not an answer: it raises ``GaveUp("timeout")`` past ``until`` and
``GaveUp("incomplete")`` otherwise. ``open_solver`` imports a backend when it is first wanted.

================  ================================================================================================
bitwuzla          words, arrays, functions; the general choice for words
z3                everything
cvc5              everything
yices             everything but constant arrays and products of variables (an optional package)
blast             words without arrays: our own circuits on a SAT solver, for many small questions
================  ================================================================================================

A term that a backend has no word for raises ``Inexpressible``, which is a ``GaveUp("incomplete")``: whoever does not care which
backend is at work reports *unknown*; whoever does tries another one. Deep terms are fine with bitwuzla, z3 and blast; cvc5
and yices would crash on them and raise instead. Numbers divided by zero are left open, as in SMT-LIB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from importlib import import_module
from typing import Protocol

from lemmata.errors import GaveUp, UsageError
from lemmata.logic.terms import Term, Value
from lemmata.values import dataclass


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
        """Is everything added, with the assumptions (any Boolean terms), satisfiable? ``until`` is on the work clock."""
        ...


class Inexpressible(GaveUp):
    """A backend has no word for a term; reads as ``GaveUp("incomplete")``."""

    def __init__(self, backend: str, what: str) -> None:
        super().__init__("incomplete")
        self.args = (f"{backend} has no {what}",)


SMT_BACKENDS = {"bitwuzla": "Bitwuzla", "z3": "Z3", "cvc5": "Cvc5", "yices": "Yices", "blast": "Blast"}
_OPTIONAL = ("yices",)


def open_solver(name: str, logic: str = "") -> Smt:
    """A new, empty solver. ``logic`` (``QF_BV``, ``QF_LIA``, …) promises that no other terms come; some are faster then."""
    if name not in SMT_BACKENDS:
        raise UsageError(f"there is no solver '{name}' (choose from {', '.join(SMT_BACKENDS)})")
    if not _is_installed(name):
        raise UsageError(f"the solver '{name}' is not installed (pip install 'lemmata[{name}]')")
    try:
        module = _module(name)
    except ModuleNotFoundError as error:  # not so an ImportError, which may be for want of memory
        raise UsageError(f"the solver '{name}' is not installed: {error} (install lemmata again)") from None
    solver: Smt = getattr(module, SMT_BACKENDS[name])(logic)
    return solver


def preferred() -> str:
    """The backend for many small questions about numbers where nobody chose one: yices if it is installed, else z3."""
    return "yices" if _is_installed("yices") else "z3"


def _module(name: str) -> object:
    return import_module(f"lemmata.solvers.{name}_backend")


@cache
def _is_installed(name: str) -> bool:
    if name not in _OPTIONAL:
        return True
    try:
        _module(name)
    except ImportError:
        return False
    return True

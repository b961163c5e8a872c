"""``FallbackSolver``: an incremental solver that is replaced by Z3 where it does not get on.

Engines want the solver that is fastest on their questions, and none of the fast ones can do everything: Yices has no words for
constant arrays and for products of variables, Bitwuzla may answer *unknown* where arrays are compared and one of them is
constant, and each of them may be caught by a single question. Z3 then goes on with the same facts and scopes, for good: what
made the first give up does not go away. There are three reasons to change:

- it has no words for a term (``Inexpressible``);
- it does not know (``GaveUp("incomplete")``);
- a question that needs an answer takes longer than ``hard`` seconds. Without ``hard`` a time-out is no reason.

``check`` needs an answer; ``attempt`` has only so much patience, and *too hard* is one more answer. A solver is opened with the
first question. What was assumed stays in it as dead weight: with ``renew`` it is built anew after so many assumed terms.

``with_fallback`` is the same for work that cannot change its solver on the way: all of it, again.

The patience of PDR on words (``engines.pdr.word.patience``) is another thing: there two SAT solvers share the same bits,
neither lacks a word, effort is counted in propagations, and the first goes on with the next question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from lemmata.errors import GaveUp
from lemmata.logic.terms import Term
from lemmata.solvers.smt import Inexpressible, Sat, Smt, Unsat, open_solver
from lemmata.work import is_over, now

FALLBACK = "z3"  # has a word for everything, products of variables as well

X = TypeVar("X")


class FallbackSolver:
    """As ``Smt``; ``name`` is the solver that is asked now."""

    def __init__(self, name: str, facts: Iterable[Term] = (), *, hard: float | None = None, renew: int | None = None) -> None:
        self.name = name
        self.queries = 0
        self._hard = hard
        self._renew = renew
        self._scopes: list[list[Term]] = [list(facts)]
        self._assumed: set[Term] = set()
        self._opened: Smt | None = None

    def add(self, fact: Term) -> None:
        """Assert a formula in the current scope."""
        self._scopes[-1].append(fact)
        if self._opened is None:
            return
        try:
            self._opened.add(fact)
        except Inexpressible:
            if self.name == FALLBACK:
                raise
            self._hand_over()

    def push(self) -> None:
        """Open a scope."""
        self._scopes.append([])
        if self._opened is not None:
            self._opened.push()

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        self._scopes.pop()
        if self._opened is not None:
            self._opened.pop()

    def open(self) -> None:
        """Open the solver now, not with the first question."""
        if self._opened is None:
            self._opened = self._fresh()

    @property
    def is_worn(self) -> bool:
        """Is it time to build the solver anew? The next question does."""
        return self._renew is not None and len(self._assumed) > self._renew

    def restart(self, facts: Iterable[Term]) -> None:
        """Forget everything and begin with other facts."""
        self._scopes = [list(facts)]
        self._assumed.clear()
        self._opened = self._fresh()

    def check(self, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None) -> Sat | Unsat:
        """As ``Smt.check``; ``GaveUp("incomplete")`` only if the second solver cannot answer either."""
        self.queries += 1
        if self.name != FALLBACK:
            try:
                return self._ask(assumptions, wanted, _sooner(until, self._hard))
            except GaveUp as gave_up:
                is_hard = gave_up.reason == "timeout" and self._hard is not None and not _is_over(until)
                if gave_up.reason != "incomplete" and not is_hard:
                    raise
            self._hand_over()
        return self._ask(assumptions, wanted, until)

    def attempt(
        self, assumptions: Sequence[Term], wanted: Sequence[Term], until: float | None, patience: float | None
    ) -> Sat | Unsat | None:
        """The answer, or ``None`` if it takes more than ``patience`` seconds; past ``until`` raise ``GaveUp("timeout")``."""
        self.queries += 1
        try:
            if self.name != FALLBACK:
                try:
                    return self._ask(assumptions, wanted, _sooner(until, patience))
                except GaveUp as gave_up:
                    if gave_up.reason != "incomplete":
                        raise
                self._hand_over()
            return self._ask(assumptions, wanted, _sooner(until, patience))
        except GaveUp:
            if _is_over(until):
                raise GaveUp("timeout") from None
            return None

    def _ask(self, assumptions: Sequence[Term], wanted: Sequence[Term], until: float | None) -> Sat | Unsat:
        if self.is_worn:
            self._assumed.clear()
            self._opened = None
        if self._opened is None:
            self._opened = self._fresh()
        if self._renew is not None:
            self._assumed.update(assumptions)
        return self._opened.check(assumptions, wanted, until)

    def _hand_over(self) -> None:
        """The second solver goes on; it may have been opened already, for want of words."""
        if self.name != FALLBACK:
            self.name = FALLBACK
            self._assumed.clear()
            self._opened = self._fresh()

    def _fresh(self) -> Smt:
        """A solver with all facts and scopes: of the first kind if that has words for them."""
        try:
            return _filled(self.name, self._scopes)
        except Inexpressible:
            if self.name == FALLBACK:
                raise
        self.name = FALLBACK
        return _filled(FALLBACK, self._scopes)


def with_fallback(name: str, work: Callable[[str], X]) -> X:
    """``work`` with the solver called ``name``; all of it again with Z3 if it is incomplete."""
    try:
        return work(name)
    except GaveUp as gave_up:
        if gave_up.reason != "incomplete" or name == FALLBACK:
            raise
    return work(FALLBACK)


def _filled(name: str, scopes: Sequence[Sequence[Term]]) -> Smt:
    solver = open_solver(name)
    for depth, facts in enumerate(scopes):
        if depth:
            solver.push()
        for fact in facts:
            solver.add(fact)
    return solver


def _sooner(until: float | None, patience: float | None) -> float | None:
    """When a question that is asked now is over."""
    if patience is None:
        return until
    end = now() + patience
    return end if until is None else min(until, end)


def _is_over(until: float | None) -> bool:
    return is_over(until)

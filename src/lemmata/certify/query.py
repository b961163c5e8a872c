"""Fresh questions to SMT solvers that the caller names: those that the engine did not use.

Solvers differ wildly on the same formula, so a question goes to the first one for a slice of time, then to the next, and round
again with slices twice as long. Every attempt starts with an empty solver: nothing survives but the question. A solver that is
not installed is left out. What all of them give up on stays open (``GaveUp``); that is neither an answer nor a bug.

Where a solver says that it will find no answer and there are constant arrays in the question, it is asked about weaker formulas
without them (``constant_arrays``). If these have no model, the question has none; a model of them is no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from lemmata.budgets import CERTIFY_FIRST_SLICE_S
from lemmata.certify.journal import Journal
from lemmata.errors import GaveUp, UsageError
from lemmata.logic.terms import Term
from lemmata.proof_obligations import ProofObligation
from lemmata.solvers.smt import Sat, Unsat, open_solver
from lemmata.work import is_over, now

WORD_SOLVERS = ("bitwuzla", "z3")


class Panel:
    """Solvers by name, in the order in which they are asked; ``answered`` are those that did answer.

    ``journal`` gets the obligations that were discharged, with the time until somebody answered.
    """

    def __init__(self, solvers: Sequence[str], until: float | None = None, journal: Journal | None = None) -> None:
        self.answered: dict[str, None] = {}
        self.journal = journal
        self._solvers = tuple(solvers)
        self._until = until

    def discharge(
        self, obligation: ProofObligation | None, formulas: Sequence[Term], wanted: Sequence[Term] = ()
    ) -> Sat | Unsat:
        """``ask``; if the formulas are unsatisfiable that goes into the journal, where there is one."""
        began = monotonic()
        answer, by = self._first_answer(formulas, wanted)
        if isinstance(answer, Unsat) and self.journal is not None and obligation is not None:
            self.journal.note(obligation, by, monotonic() - began)
        return answer

    def discharge_soon(self, obligations: Sequence[ProofObligation], formula: Term, seconds: float) -> bool:
        """Does the first solver find within so much work that ``formula``, which stands for all obligations, has no model?

        In the journal they share the time evenly.
        """
        began = monotonic()
        until = now() + seconds
        try:
            answer = _answer(self._solvers[0], [formula], (), until if self._until is None else min(until, self._until))
        except GaveUp:
            return False
        if not isinstance(answer, Unsat):
            return False
        self.answered[self._solvers[0]] = None
        if self.journal is not None:
            for obligation in obligations:
                self.journal.note(obligation, self._solvers[0], (monotonic() - began) / len(obligations))
        return True

    def ask(self, formulas: Sequence[Term], wanted: Sequence[Term] = ()) -> Sat | Unsat:
        """Are the formulas satisfiable together? ``wanted`` are terms whose values are of interest."""
        return self._first_answer(formulas, wanted)[0]

    def _first_answer(self, formulas: Sequence[Term], wanted: Sequence[Term]) -> tuple[Sat | Unsat, str]:
        """The first answer, and whose it is."""
        left = list(self._solvers)
        slice_s = CERTIFY_FIRST_SLICE_S
        reason = "incomplete"
        while left:
            for name in tuple(left):
                try:
                    answer = self._try(name, formulas, wanted, slice_s, len(left) == 1)
                except GaveUp as gave_up:
                    reason = gave_up.reason
                    if is_over(self._until):
                        raise GaveUp("timeout") from gave_up
                    if reason != "timeout":
                        left.remove(name)
                    continue
                self.answered[name] = None
                return answer, name
            slice_s *= 2
        raise GaveUp(reason)

    def look_at_the_clock(self) -> None:
        """``GaveUp("timeout")`` if the time is up; for those who need long to write a question down."""
        if is_over(self._until):
            raise GaveUp("timeout")

    def _try(self, name: str, formulas: Sequence[Term], wanted: Sequence[Term], slice_s: float, is_alone: bool) -> Sat | Unsat:
        until = self._until
        if not is_alone:
            until = now() + slice_s if until is None else min(until, now() + slice_s)
        try:
            return _answer(name, formulas, wanted, until)
        except GaveUp as gave_up:
            if gave_up.reason == "incomplete" and _is_refuted_without_constant_arrays(name, formulas, until):
                return Unsat()
            raise


def _answer(name: str, formulas: Sequence[Term], wanted: Sequence[Term], until: float | None) -> Sat | Unsat:
    try:
        solver = open_solver(name)
    except UsageError:
        raise GaveUp("incomplete") from None
    for formula in formulas:
        solver.add(formula)
    return solver.check((), wanted, until)


def _is_refuted_without_constant_arrays(name: str, formulas: Sequence[Term], until: float | None) -> bool:
    from lemmata.certify.constant_arrays import without_constant_arrays

    weaker = without_constant_arrays(formulas)
    return weaker is not None and isinstance(_answer(name, weaker, (), until), Unsat)

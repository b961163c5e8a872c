"""The queries of strong PDR in letters, with their answers: what let a lemma in, and what found an obligation.

Engines tell lemmas and obligations with their levels, and these say what was asked: a lemma of F₁ … F_i was inductive relative
to F_{i-1} when it was learned, and a new obligation on level i is a state of F_i that steps into the one above it. One that
comes back on a higher level was found earlier, and nothing is told of where guesses begin: these have no query.
"""

from __future__ import annotations

from lemmata.report.explanation.formula import subscript
from lemmata.report.explanation.lines import ReportLine

_FOREVER = 1 << 29  # a level beyond those of frames


def let_in_by(level: int) -> ReportLine:
    """The query of a lemma c of F₁ … F_level."""
    return ReportLine(f"  {_frame(level - 1)} ∧ c ∧ T ∧ ¬c′:  unsatisfiable, where c is the lemma", "no")


def tried(clause: str, level: int | None, is_blocked: bool, how: str) -> ReportLine:
    """A try of generalization: may the lemma c say so much? ``level`` is that of the lemma, ``None``: for ever."""
    match how:
        case "seen":
            return ReportLine(f"  c = {clause}?  no: a transition that was found breaks it", "yes")
        case "reached":
            return ReportLine(f"  c = {clause}?  no: a state that is reached breaks it", "yes")
    frame = "F∞" if level is None else _frame(level - 1)
    answer = "unsatisfiable: yes" if is_blocked else "satisfiable: no"
    return ReportLine(f"  c = {clause}?  {frame} ∧ c ∧ T ∧ ¬c′ is {answer}", "no" if is_blocked else "yes")


def found_by(level: int, is_last: bool) -> ReportLine:
    """The query whose answer is an obligation on this level; ``is_last``: its states step into the error."""
    if is_last:
        return ReportLine(f"  {_frame(level)} ∧ T ∧ ¬P′:  satisfiable, by this obligation", "yes")
    return ReportLine(
        f"  {_frame(level)} ∧ ¬s ∧ T ∧ s′:  satisfiable, by this obligation, where s is the one that it leads to", "yes"
    )


def bad_by(level: int) -> ReportLine:
    """The query whose answer is an obligation on this level that is bad itself."""
    return ReportLine(f"  {_frame(level)} ∧ ¬P:  satisfiable, by this obligation", "yes")


def _frame(level: int) -> str:
    return "F∞" if level >= _FOREVER else subscript("F", level)

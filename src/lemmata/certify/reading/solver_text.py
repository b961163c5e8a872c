"""Questions in SMT-LIB text, read by a solver's own parser: Bitwuzla's, and Z3's where Bitwuzla does not know."""

from __future__ import annotations

from lemmata.errors import GaveUp
from lemmata.work import Z3_UNIT, is_over, units


def is_satisfiable(script: str, until: float | None) -> tuple[bool, str]:
    """Can all assertions hold, and who says so; ``GaveUp`` past ``until`` or where nobody knows."""
    answer = _bitwuzla(script, until)
    if answer is not None:
        return answer, "bitwuzla"
    answer = _z3(script, until)
    if answer is not None:
        return answer, "z3"
    raise GaveUp("timeout" if is_over(until) else "incomplete")


def _bitwuzla(script: str, until: float | None) -> bool | None:
    from bitwuzla import BitwuzlaException, Options, Parser, Result, TermManager

    from lemmata.solvers.bitwuzla_backend import Terminator

    parser = Parser(TermManager(), Options())
    try:
        parser.parse(script, True, False)
    except BitwuzlaException:  # something that it does not know
        return None
    solver = parser.bitwuzla()
    terminator = Terminator()
    terminator.begin(until)
    solver.configure_terminator(terminator)
    answer = solver.check_sat()
    return None if answer == Result.UNKNOWN else bool(answer == Result.SAT)


def _z3(script: str, until: float | None) -> bool | None:
    from lemmata.solvers.z3_library import (
        ENDLESS,
        Z3_TRUE,
        Z3_UNKNOWN,
        checked,
        complaint,
        note_resources,
        reading_context,
        set_limit,
        z3,
    )

    context = reading_context()
    solver = checked(context, z3.Z3_mk_solver(context))
    z3.Z3_solver_inc_ref(context, solver)
    try:
        if is_over(until):
            return None
        set_limit(context, solver, b"rlimit", min(units(until, Z3_UNIT) or 0, ENDLESS))
        z3.Z3_solver_from_string(context, solver, script.encode())
        if complaint(context) is not None:
            return None
        answer = z3.Z3_solver_check(context, solver)
        note_resources(context, solver)
        return None if answer == Z3_UNKNOWN else bool(answer == Z3_TRUE)
    finally:
        z3.Z3_solver_dec_ref(context, solver)

"""Questions in SMT-LIB text, read by a solver's own parser: Bitwuzla's, and Z3's where Bitwuzla does not know."""

from __future__ import annotations

from lemmata.errors import GaveUp
from lemmata.work import Z3_UNIT, is_over, tally, units


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
    import z3

    solver = z3.Solver(ctx=z3.Context())
    if is_over(until):
        return None
    solver.set("rlimit", min(units(until, Z3_UNIT) or 0, (1 << 32) - 1))
    try:
        solver.from_string(script)
    except z3.Z3Exception:
        return None
    answer = solver.check()
    tally[Z3_UNIT] += solver.statistics().get_key_value("rlimit count")
    return None if answer == z3.unknown else bool(answer == z3.sat)

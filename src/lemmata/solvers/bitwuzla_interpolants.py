"""Craig interpolants of formulas about words, by Bitwuzla.

The library's answer is a term of its own over the symbols that both sides share; it is walked and built again as one of ours.
It tends to speak of single bits. Formulas with arrays or functions are not taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bitwuzla import Bitwuzla as Solver
from bitwuzla import Kind, Option, Options, Result

from lemmata.errors import GaveUp
from lemmata.logic.build import build
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import Term, const, topological
from lemmata.solvers.bitwuzla_backend import _KINDS, Terminator, _terms
from lemmata.solvers.smt import Inexpressible

_OPERATORS: dict[Any, str] = {kind: op for op, kind in _KINDS.items()}
_FLIPPED = {Kind.BV_UGT: "bvult", Kind.BV_UGE: "bvule", Kind.BV_SGT: "bvslt", Kind.BV_SGE: "bvsle"}
_WITH_DATA = {Kind.BV_EXTRACT: "extract", Kind.BV_ZERO_EXTEND: "zero_extend", Kind.BV_SIGN_EXTEND: "sign_extend"}
_DENIED = {Kind.DISTINCT: "=", Kind.BV_NAND: "bvand", Kind.BV_NOR: "bvor", Kind.BV_XNOR: "bvxor"}


def speaks_of_words(formulas: Iterable[Term]) -> bool:
    """Are all terms Booleans or words, and without functions?"""
    return all((term.sort is BOOL or isinstance(term.sort, BitVec)) and term.op != "apply" for term in topological(formulas))


def interpolant(side: Sequence[Term], other: Sequence[Term], until: float | None = None) -> Term | None:
    """A formula that ``side`` implies, that contradicts ``other``, over shared variables; ``None`` if both can hold.

    Both speak of words only. ``GaveUp`` past ``until``.
    """
    terms = _terms()
    options = Options()
    options.set(Option.PRODUCE_INTERPOLANTS, True)
    solver = Solver(terms.manager, options)
    terminator = Terminator()
    terminator.begin(until)
    solver.configure_terminator(terminator)
    sides = [[terms(formula) for formula in formulas] for formulas in (side, other)]
    for formula in [*sides[0], *sides[1]]:
        solver.assert_formula(formula)
    answer = solver.check_sat()
    if answer == Result.UNKNOWN:
        raise GaveUp("timeout" if terminator.is_over else "incomplete")
    if answer == Result.SAT:
        return None
    names = {terms(v): v for v in topological([*side, *other]) if v.is_var}
    return _read(solver.get_interpolant(sides[0]), names)


def _read(root: Any, names: dict[Any, Term]) -> Term:
    """Our term for one of the library's; a loop, since it may be deep."""
    known: dict[Any, Term] = dict(names)
    stack = [root]
    while stack:
        top = stack[-1]
        if top in known:
            stack.pop()
            continue
        missing = [child for child in top.children() if child not in known]
        if missing:
            stack += missing
        else:
            known[top] = _node(top, [known[child] for child in top.children()])
            stack.pop()
    return known[root]


def _node(native: Any, args: list[Term]) -> Term:
    if native.is_value():
        return const(native.value(), BOOL) if native.sort().is_bool() else _word(native)
    kind = native.kind()
    if kind in _OPERATORS:
        return _chained(_OPERATORS[kind], args)
    if kind in _FLIPPED:
        return build(_FLIPPED[kind], (args[1], args[0]))
    if kind in _WITH_DATA:
        indices = native.indices()
        return build(_WITH_DATA[kind], tuple(args), tuple(indices) if len(indices) == 2 else indices[0])
    if kind in _DENIED and len(args) == 2:
        inner = build(_DENIED[kind], tuple(args))
        return build("not" if inner.sort is BOOL else "bvnot", (inner,))
    if kind == Kind.BV_COMP:
        return build("ite", (build("=", tuple(args)), const(1, BitVec(1)), const(0, BitVec(1))))
    raise Inexpressible("lemmata", f"operator '{kind}' of Bitwuzla")


def _word(native: Any) -> Term:
    return const(int(native.value(16), 16), BitVec(native.sort().bv_size()))


def _chained(op: str, args: list[Term]) -> Term:
    """Operators that the library has with more than two arguments."""
    if len(args) <= 2 or op in ("and", "or", "ite"):
        return build(op, tuple(args))
    result = build(op, (args[0], args[1]))
    for arg in args[2:]:
        result = build(op, (result, arg))
    return result

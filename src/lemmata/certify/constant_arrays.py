"""Formulas without constant arrays that follow from given ones: where those have a model, so have these.

cvc5 and Bitwuzla give up where writes into one constant array equal writes into another one, cvc5 also where a constant array
holds what is no constant. So a constant array K(v) becomes a new array, of which is said what it holds at some indices: at
every value of the index if there are few, else at every index that the formulas read or write, and at one more that differs
from all of these, if the sort has so many values (two arrays may differ where nobody looks). These are instances of ∀i:
K(v)[i] = v (de Moura, Bjørner, FMCAD 2009), and a model of the given formulas becomes one of theirs by the meaning of K. The
other way it may be none: only *unsatisfiable* carries over.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import FALSE, TRUE, Term, bv, make, name_of, topological, value_of, var
from lemmata.logic.walk import substitute, variables
from lemmata.solvers.library import spelled_out

_INSTANCES = 2_000  # reads of constant arrays that are told; where there are more, the rest is left out
_INDEX_BITS = 4  # of an index whose values are all told


def without_constant_arrays(formulas: Sequence[Term]) -> list[Term] | None:
    """Formulas over reads and writes that follow from these; ``None`` where these have no constant array."""
    formulas = _values_spelled_out(formulas)
    filled = [term for term in topological(formulas) if term.op == "filled"]
    if not filled:
        return None
    names = {name_of(variable) for variable in variables(formulas)}
    arrays: dict[Term, Term] = {}
    for term in filled:
        arrays[term] = _fresh(f"constant array {len(arrays)}", term.sort, names)
    plain = substitute(formulas, arrays, make)
    held = substitute([term.args[0] for term in filled], arrays, make)  # which may be constant arrays as well
    return [*plain, *_instances(plain, dict(zip(arrays.values(), held, strict=True)), names)]


def _values_spelled_out(formulas: Sequence[Term]) -> list[Term]:
    """The same formulas; values of arrays are writes into constant arrays, those of arrays of arrays as well."""
    formulas = list(formulas)
    while values := {t: spelled_out(value_of(t)) for t in topological(formulas) if t.is_const and isinstance(t.sort, Array)}:
        formulas = substitute(formulas, values, make)
    return formulas


def _instances(formulas: Sequence[Term], held: dict[Term, Term], names: set[str]) -> list[Term]:
    """What is known of the new arrays, each of which holds one term everywhere."""
    indices: dict[Sort, dict[Term, None]] = {_index(array): {} for array in held}
    for term in topological([*formulas, *held.values()]):
        if term.op in ("select", "store") and term.args[1].sort in indices:
            indices[term.args[1].sort][term.args[1]] = None
    found: list[Term] = []
    for sort, known in indices.items():
        if values := _few_values(sort):
            indices[sort] = dict.fromkeys(values)
        elif _has_more_values(sort, len(known)):
            elsewhere = _fresh(f"elsewhere in {sort}", sort, names)
            found += [make("not", (make("=", (elsewhere, index)),)) for index in known]
            known[elsewhere] = None
    reads = [(array, index, cell) for array, cell in held.items() for index in reversed(indices[_index(array)])]
    return found + [make("=", (make("select", (array, index)), cell)) for array, index, cell in reads[:_INSTANCES]]


def _index(array: Term) -> Sort:
    assert isinstance(array.sort, Array)
    return array.sort.index


def _few_values(sort: Sort) -> Sequence[Term]:
    """All values of a sort, if they are few."""
    if sort is BOOL:
        return FALSE, TRUE
    if isinstance(sort, BitVec) and sort.width <= _INDEX_BITS:
        return [bv(value, sort.width) for value in range(1 << sort.width)]
    return ()


def _has_more_values(sort: Sort, count: int) -> bool:
    """Does a sort certainly have more than ``count`` values?"""
    return sort is INT or sort is REAL or (isinstance(sort, BitVec) and count < 1 << sort.width)


def _fresh(name: str, sort: Sort, names: set[str]) -> Term:
    while name in names:
        name += "'"
    names.add(name)
    return var(name, sort)

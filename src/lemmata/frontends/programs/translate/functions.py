"""What the functions and constants of a program stand for.

A function with a body is a *macro*: its body is translated once, and arguments are put in. If there are quantifiers in it, it
is *spelled* out where it is used, since a quantifier's meaning depends on where it stands. ``{:builtin "bvadd"}`` is an
operator of SMT-LIB. Any other function is a *table*: a map that never changes, like a constant. Nothing is known of it but its
ground axioms. That is exact for a function without a body; not so for those marked ``{:overapproximation …}``, which stand for
something that the program could not say, and for operators that we do not know.
"""

from __future__ import annotations

import re

from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.translate.order import callees_first
from lemmata.frontends.programs.tree import Apply, Expression, Function, Literal, Name, Variable, below
from lemmata.logic.build import build
from lemmata.logic.smtlib.operators import Operator, indexed, operators
from lemmata.logic.sorts import Array, Sort
from lemmata.logic.terms import SortError, Term, var
from lemmata.values import dataclass

_BUILTIN = ("builtin", "bvbuiltin")
_INDEXED = re.compile(r"\(?\s*(?:_\s+)?([a-z_]+)((?:\s+\d+)*)\s*\)?")


@dataclass(frozen=True, slots=True)
class Macro:
    """``body`` with arguments for ``parameters``; it has ``size`` nodes."""

    parameters: tuple[Term, ...]
    body: Term
    is_exact: bool
    size: int


@dataclass(frozen=True, slots=True)
class Spelled:
    """``body`` is to be translated where it is used."""

    parameters: tuple[Variable, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Builtin:
    """An operator of SMT-LIB."""

    operator: Operator


@dataclass(frozen=True, slots=True)
class ConstantMap:
    """A map that never changes."""

    term: Term
    is_exact: bool


_Meaning = Macro | Spelled | Builtin | ConstantMap


class Functions:
    """Constants by variable, functions by name; those with a body have no meaning before ``define``."""

    def __init__(self, program: CheckedProgram) -> None:
        self._constants = {v: var(v.name, program.sort_of(v)) for v in program.constants.values()}
        self.macros = _with_bodies(program)
        self.written_out = 0  # nodes, so far
        self._meanings: dict[str, _Meaning] = {}
        for name, function in program.functions.items():
            if function.body is None:
                self._meanings[name] = self._without_body(function, program)
        self._needs: dict[str, dict[Variable | Term, None]] = {}
        for name, meaning in self._meanings.items():
            self._needs[name] = {meaning.term: None} if isinstance(meaning, ConstantMap) else {}
        for function in self.macros:
            self._needs[function.name] = self._needed(function, program)

    def constant(self, variable: Variable) -> Term:
        """The term of a constant."""
        return self._constants[variable]

    def meaning(self, name: str) -> _Meaning:
        """What the function stands for."""
        return self._meanings[name]

    def needs(self, name: str) -> dict[Variable | Term, None]:
        """The constants and tables that the function speaks of."""
        return self._needs[name]

    @property
    def symbols(self) -> list[Term]:
        """All constants and tables."""
        tables = [meaning.term for meaning in self._meanings.values() if isinstance(meaning, ConstantMap)]
        return [*self._constants.values(), *tables]

    def define(self, name: str, meaning: _Meaning) -> None:
        """Give a function its meaning."""
        self._meanings[name] = meaning

    def _needed(self, function: Function, program: CheckedProgram) -> dict[Variable | Term, None]:
        needs: dict[Variable | Term, None] = {}
        for expression in below(function.body) if function.body is not None else ():
            match expression:
                case Name() if (variable := program.variable_of(expression)) in self._constants:
                    needs[self._constants[variable]] = None
                case Apply(_, name):
                    needs |= self._needs[name]
        return needs

    def _without_body(self, function: Function, program: CheckedProgram) -> _Meaning:
        sorts = [program.sort_of(parameter) for parameter in function.parameters]
        result = program.sort_of(function)
        names = {attribute.name for attribute in function.attributes}
        if not names.isdisjoint(_BUILTIN):
            operator = _operator(function)
            examples = tuple([var(f"{function.name}({n})", sort) for n, sort in enumerate(sorts)])
            if operator is not None and _gives(operator, examples, result):
                return Builtin(operator)
        is_exact = names.isdisjoint((*_BUILTIN, "overapproximation"))
        for sort in reversed(sorts):
            result = Array(sort, result)
        is_taken = function.name in program.constants or function.name in program.variables
        return ConstantMap(var(f"{function.name}()" if is_taken else function.name, result), is_exact)


def parameter_terms(function: Function, program: CheckedProgram) -> dict[Variable, Term]:
    """Terms for the parameters, with names that nothing in a program has."""
    numbered = enumerate(function.parameters)
    return {v: var(f"{function.name}({n})", program.sort_of(v)) for n, v in numbered}


def _operator(function: Function) -> Operator | None:
    """The operator that ``{:builtin "zero_extend 8"}`` names; ``{:indices 8}`` may give the indices, too."""
    texts = [a.arguments[0] for a in function.attributes if a.name in _BUILTIN and a.arguments]
    match = _INDEXED.fullmatch(texts[0].strip()) if texts and isinstance(texts[0], str) else None
    if match is None:
        return None
    name, numbers = match[1], [int(digits) for digits in match[2].split()]
    for attribute in function.attributes:
        if attribute.name == "indices":
            numbers += [a.value for a in attribute.arguments if isinstance(a, Literal) and isinstance(a.value, int)]
    if not numbers:
        return operators(build).get(name)
    arity, operator = indexed(build).get(name, (0, None))
    return operator(*numbers) if operator is not None and arity == len(numbers) else None


def _gives(operator: Operator, examples: tuple[Term, ...], result: Sort) -> bool:
    """Does it take such arguments, and give such a result?"""
    try:
        return operator(examples).sort is result
    except (SortError, IndexError, ValueError):
        return False


def _with_bodies(program: CheckedProgram) -> list[Function]:
    """The functions with bodies, those that one uses before it; none uses itself."""
    uses = {
        name: list(dict.fromkeys(e.function for e in below(function.body) if isinstance(e, Apply)))
        for name, function in program.functions.items()
        if function.body is not None
    }
    return [program.functions[name] for name in callees_first(uses)[0]]

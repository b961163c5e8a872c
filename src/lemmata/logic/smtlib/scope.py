"""What the symbols of an SMT-LIB text mean: ``names`` stand alone, ``heads`` take arguments, ``sorts`` are sorts.

The keys of these tables are symbols as ``sexprs.spelled`` writes them; literals have a table of their own.

A function with parameters that is defined is a macro: its body is a term in which arguments replace the parameters, all at
once. Parameters are variables that no text can name, so that nothing is captured. Definitions that double in size each time
would fill any memory; what they may grow to is bounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.errors import InputError
from lemmata.logic.decimals import MOST_DECIMAL_DIGITS, number_of, too_long
from lemmata.logic.smtlib.operators import MOST_BITS, Args, Construct, Operator, as_sort, need, operators
from lemmata.logic.smtlib.sexprs import Listing, Sexpr, SexprAtom, SexprText
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import FALSE, TRUE, SortError, Term, var
from lemmata.logic.walk import dag_size, substitute

_DEEPEST_SORT = 50
_MOST_EXPANDED = 500_000  # operators and operands that macros may grow to
SymbolMeaning = tuple[Term | None, Operator | None]  # alone, and before arguments


class SymbolScope:
    """The symbols that are known."""

    def __init__(self, text: SexprText, construct: Construct) -> None:
        self.text = text
        self.construct = construct
        self.names: dict[str, Term] = {"true": TRUE, "false": FALSE}
        self.literals: dict[str, Term] = {}  # read before
        self.nameless: set[str] = set()  # names of terms that mean nothing outside of their quantifier or command
        self.heads: dict[str, Operator] = operators(construct)
        self.sorts: dict[str, Sort] = {"Bool": BOOL, "Int": INT, "Real": REAL}
        self._expanded = 0

    def define(self, name: SexprAtom, term: Term) -> None:
        """From now on ``name`` means ``term``."""
        self.check_new(name)
        self.names[name.text] = term

    def define_macro(self, name: SexprAtom, parameters: Sequence[Term], body: Term) -> None:
        """From now on ``(name arguments)`` means ``body`` with arguments for ``parameters``, which occur nowhere else."""
        self.check_new(name)
        sorts = [p.sort for p in parameters]
        size = dag_size([body])

        def apply(args: Args) -> Term:
            self._expanded += size
            if self._expanded > _MOST_EXPANDED:
                raise SortError(f"written out, '{name.text[:40]}' and other definitions grow beyond all bounds")
            mapping = dict(zip(parameters, self.fitted(name.text, args, sorts), strict=True))
            return substitute([body], mapping, self.construct)[0]

        self.heads[name.text] = apply

    def declare(self, name: SexprAtom, wants: Sequence[Sort], gives: Sort) -> None:
        """From now on ``name`` is a variable, or an uninterpreted function."""
        self.check_new(name)
        data = (name.name, tuple(wants), gives)
        if wants:
            self.heads[name.text] = lambda args: self.construct("apply", self.fitted(name.text, args, wants), data)
        else:
            self.names[name.text] = var(name.name, gives)

    def bind(self, names: Sequence[str], values: Sequence[Term]) -> list[SymbolMeaning]:
        """Let names mean values, and nothing else, for a while; gives what they meant before."""
        before = [(self.names.get(name), self.heads.pop(name, None)) for name in names]
        self.names.update(zip(names, values, strict=True))
        return before

    def restore(self, names: Sequence[str], before: Sequence[SymbolMeaning]) -> None:
        """Let names mean what they meant before."""
        for name, (term, operator) in zip(names, before, strict=True):
            if term is None:
                self.names.pop(name, None)
            else:
                self.names[name] = term
            if operator is not None:
                self.heads[name] = operator

    def check_new(self, name: SexprAtom) -> None:
        """The name is a symbol, and free."""
        text = self.checked(name)
        if text in self.names or text in self.heads or text in self.nameless:
            raise self.text.error(name.at, f"there is a {text[:40]} already")

    def checked(self, name: Sexpr) -> str:
        """The name, which must be a symbol."""
        if isinstance(name, Listing):
            raise self.text.error(name.at, "this is not a name")
        if not name.is_symbol or name.text in ("true", "false"):
            raise self.text.error(name.at, f"'{name.text[:40]}' is not a name")
        return name.text

    def fitted(self, name: str, args: Args, wants: Sequence[Sort]) -> Args:
        """The arguments of a function, Ints converted where Reals are wanted; or a ``SortError``."""
        need(name[:40], args, len(wants))
        args = tuple([as_sort(self.construct, arg, want) for arg, want in zip(args, wants, strict=True)])
        for arg, want in zip(args, wants, strict=True):
            if arg.sort is not want:
                raise SortError(f"'{name[:40]}' takes ({_listed(wants)}), not ({_listed([a.sort for a in args])})")
        return args

    def lookup(self, atom: SexprAtom) -> Term:
        """The term that a symbol means."""
        term = self.names.get(atom.text)
        if term is None:
            raise self.unknown(atom.text, atom.at)
        return term

    def unknown(self, word: str, at: int) -> InputError:
        """There is no such term."""
        if word in self.heads:
            return self.text.error(at, f"'{word[:40]}' needs arguments")
        if word in self.nameless:
            cause = f"'{word[:40]}' names a formula that is quantified, or has variables of a quantifier around it"
            return self.text.unsupported(at, cause, "write the formula out")
        remedy = "declare it before it is used"
        if word[:1] == "-" and word[1:].replace(".", "", 1).isdigit():
            remedy = f"a negative number is written (- {word[1:41]})"
        return self.text.error(at, f"there is no '{word[:40]}'", remedy)

    def sort(self, node: Sexpr, depth: int = 0) -> Sort:
        """The sort that ``node`` writes; ``depth`` counts the arrays around it."""
        if depth > _DEEPEST_SORT:
            raise self.text.error(node.at, "these sorts are nested too deeply", f"at most {_DEEPEST_SORT} arrays")
        match node:
            case SexprAtom(name) if name in self.sorts:
                return self.sorts[name]
            case Listing((SexprAtom("_"), SexprAtom("BitVec"), SexprAtom() as width)):
                return BitVec(self.number(width, least=1))
            case Listing((SexprAtom("Array"), index, element)):
                return Array(self.sort(index, depth + 1), self.sort(element, depth + 1))
        what = f"'{node.text[:40]}'" if isinstance(node, SexprAtom) else "this"
        remedy = "Bool, Int, Real, (_ BitVec N) and (Array SORT SORT) are"
        raise self.text.error(node.at, f"{what} is not a sort that is known here", remedy)

    def parameters(self, node: Sexpr) -> list[tuple[SexprAtom, Sort]]:
        """What ``((x Int) (y Bool))`` says."""
        if isinstance(node, SexprAtom):
            raise self.text.error(node.at, "variables with their sorts are wanted here", "such as ((x Int) (y Bool))")
        found: dict[str, tuple[SexprAtom, Sort]] = {}
        for item in node.items:
            match item:
                case Listing((SexprAtom() as name, sort)) if name.text not in found:
                    found[name.text] = name, self.sort(sort)
                case Listing((SexprAtom() as name, _)):
                    raise self.text.error(name.at, f"{name.text[:40]} is bound twice here")
                case _:
                    raise self.text.error(item.at, "this is not a variable with its sort", "(NAME SORT) is")
        return list(found.values())

    def number(self, atom: SexprAtom, least: int = 0) -> int:
        """A numeral among the indices of a sort or an operator."""
        value = self.digits(atom, atom.text)
        if not least <= value <= MOST_BITS:
            raise self.text.error(atom.at, f"{atom.text[:40]} is out of range", f"from {least} to {MOST_BITS}")
        return value

    def digits(self, atom: SexprAtom, digits: str) -> int:
        """The number that ``digits``, a part of ``atom``, write."""
        if not (digits.isascii() and digits.isdigit()):
            raise self.text.error(atom.at, f"'{atom.text[:40]}' is not a number")
        if len(digits) > MOST_DECIMAL_DIGITS:
            raise self.text.error(atom.at, *too_long(digits))
        return number_of(digits)


def _listed(sorts: Sequence[Sort]) -> str:
    return ", ".join(map(str, sorts))

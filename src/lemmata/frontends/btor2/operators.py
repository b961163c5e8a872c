"""What each operator takes and which term it is.

``BTOR2_OPERATORS`` maps a tag to its arity, a check of its arguments' sorts, and a function that makes the term. What gives one
bit is a Boolean term inside ``bit``; what takes words of one bit and is a connective takes the Booleans out again with
``truth``. Division by zero and shifts past the width are as in SMT-LIB, which is where BTOR2 has them from.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.frontends.btor2 import arithmetic
from lemmata.frontends.btor2.sorts import bits_of
from lemmata.logic.build import bit, build, conj, disj, equal, implies, ite, negate, truth
from lemmata.logic.sorts import Array, BitVec
from lemmata.logic.terms import Term, bv
from lemmata.values import dataclass

_Args = tuple[Term, ...]
Complaint = tuple[int, str]  # which argument, and what is wrong with it


@dataclass(frozen=True, slots=True)
class _Operator:
    """An operator whose arguments are all terms."""

    arity: int
    complain: Callable[[_Args], Complaint | None]
    make: Callable[..., Term]


def invert_word(word: Term) -> Term:
    """All bits the other way round."""
    return bit(negate(truth(word))) if word.width == 1 else build("bvnot", (word,))


# Checks: what is wrong with the sorts of the arguments, if anything.


def _words(args: _Args) -> Complaint | None:
    for position, arg in enumerate(args):
        if not isinstance(arg.sort, BitVec):
            return position, "is an array, not a word"
    return None


def _same_words(args: _Args) -> Complaint | None:
    return _words(args) or _same(args)


def _same(args: _Args) -> Complaint | None:
    if args[-1].sort is not args[-2].sort:
        return len(args) - 1, f"has {bits_of(args[-1].sort)}, but the one before has {bits_of(args[-2].sort)}"
    return None


def _bits(args: _Args) -> Complaint | None:
    for position, arg in enumerate(args):
        if arg.sort is not _BIT:
            return position, f"has {bits_of(arg.sort)} instead of 1"
    return None


def _choice(args: _Args) -> Complaint | None:
    return _bits(args[:1]) or _same(args)


def _access(args: _Args) -> Complaint | None:
    sort = args[0].sort
    if not isinstance(sort, Array):
        return 0, "is a word, not an array"
    for position, (arg, wanted) in enumerate(zip(args[1:], (sort.index, sort.element), strict=False), 1):
        if arg.sort is not wanted:
            return position, f"has {bits_of(arg.sort)}, but the array wants {bits_of(wanted)}"
    return None


_BIT = BitVec(1)


# Makers: from arguments whose sorts are right to a term.


def _plain(op: str) -> Callable[[Term, Term], Term]:
    return lambda left, right: build(op, (left, right))


def _negated(make: Callable[[Term, Term], Term]) -> Callable[[Term, Term], Term]:
    return lambda left, right: invert_word(make(left, right))


def _relation(op: str) -> Callable[[Term, Term], Term]:
    return lambda left, right: bit(build(op, (left, right)))


def _turned_relation(op: str) -> Callable[[Term, Term], Term]:
    return lambda left, right: bit(build(op, (right, left)))


def _and(left: Term, right: Term) -> Term:
    return bit(conj([truth(left), truth(right)])) if left.sort is _BIT else build("bvand", (left, right))


def _or(left: Term, right: Term) -> Term:
    return bit(disj([truth(left), truth(right)])) if left.sort is _BIT else build("bvor", (left, right))


def _xor(left: Term, right: Term) -> Term:
    return bit(negate(equal(truth(left), truth(right)))) if left.sort is _BIT else build("bvxor", (left, right))


def _eq(left: Term, right: Term) -> Term:
    return bit(equal(truth(left), truth(right)) if left.sort is _BIT else equal(left, right))


def _implies(left: Term, right: Term) -> Term:
    return bit(implies(truth(left), truth(right)))


def _ite(condition: Term, yes: Term, no: Term) -> Term:
    if yes.sort is _BIT:
        return bit(ite(truth(condition), truth(yes), truth(no)))
    return ite(truth(condition), yes, no)


def _neg(word: Term) -> Term:
    return build("bvneg", (word,))


def _inc(word: Term) -> Term:
    return build("bvadd", (word, bv(1, word.width)))


def _dec(word: Term) -> Term:
    return build("bvsub", (word, bv(1, word.width)))


def _redand(word: Term) -> Term:
    return word if word.sort is _BIT else bit(equal(word, bv(-1, word.width)))


def _redor(word: Term) -> Term:
    return word if word.sort is _BIT else bit(negate(equal(word, bv(0, word.width))))


def _read(array: Term, index: Term) -> Term:
    return build("select", (array, index))


def _write(array: Term, index: Term, element: Term) -> Term:
    return build("store", (array, index, element))


BTOR2_OPERATORS: dict[bytes, _Operator] = {
    b"not": _Operator(1, _words, invert_word),
    b"inc": _Operator(1, _words, _inc),
    b"dec": _Operator(1, _words, _dec),
    b"neg": _Operator(1, _words, _neg),
    b"redand": _Operator(1, _words, _redand),
    b"redor": _Operator(1, _words, _redor),
    b"redxor": _Operator(1, _words, arithmetic.parity),
    b"iff": _Operator(2, _bits, _eq),
    b"implies": _Operator(2, _bits, _implies),
    b"eq": _Operator(2, _same, _eq),
    b"neq": _Operator(2, _same, _negated(_eq)),
    b"sgt": _Operator(2, _same_words, _turned_relation("bvslt")),
    b"ugt": _Operator(2, _same_words, _turned_relation("bvult")),
    b"sgte": _Operator(2, _same_words, _turned_relation("bvsle")),
    b"ugte": _Operator(2, _same_words, _turned_relation("bvule")),
    b"slt": _Operator(2, _same_words, _relation("bvslt")),
    b"ult": _Operator(2, _same_words, _relation("bvult")),
    b"slte": _Operator(2, _same_words, _relation("bvsle")),
    b"ulte": _Operator(2, _same_words, _relation("bvule")),
    b"and": _Operator(2, _same_words, _and),
    b"nand": _Operator(2, _same_words, _negated(_and)),
    b"or": _Operator(2, _same_words, _or),
    b"nor": _Operator(2, _same_words, _negated(_or)),
    b"xor": _Operator(2, _same_words, _xor),
    b"xnor": _Operator(2, _same_words, _negated(_xor)),
    b"rol": _Operator(2, _same_words, arithmetic.rol),
    b"ror": _Operator(2, _same_words, arithmetic.ror),
    b"sll": _Operator(2, _same_words, _plain("bvshl")),
    b"sra": _Operator(2, _same_words, _plain("bvashr")),
    b"srl": _Operator(2, _same_words, _plain("bvlshr")),
    b"add": _Operator(2, _same_words, _plain("bvadd")),
    b"mul": _Operator(2, _same_words, _plain("bvmul")),
    b"sdiv": _Operator(2, _same_words, _plain("bvsdiv")),
    b"udiv": _Operator(2, _same_words, _plain("bvudiv")),
    b"smod": _Operator(2, _same_words, _plain("bvsmod")),
    b"srem": _Operator(2, _same_words, _plain("bvsrem")),
    b"urem": _Operator(2, _same_words, _plain("bvurem")),
    b"sub": _Operator(2, _same_words, _plain("bvsub")),
    b"saddo": _Operator(2, _same_words, arithmetic.saddo),
    b"uaddo": _Operator(2, _same_words, arithmetic.uaddo),
    b"sdivo": _Operator(2, _same_words, arithmetic.sdivo),
    b"smulo": _Operator(2, _same_words, arithmetic.smulo),
    b"umulo": _Operator(2, _same_words, arithmetic.umulo),
    b"ssubo": _Operator(2, _same_words, arithmetic.ssubo),
    b"usubo": _Operator(2, _same_words, arithmetic.usubo),
    b"concat": _Operator(2, _words, _plain("concat")),
    b"read": _Operator(2, _access, _read),
    b"ite": _Operator(3, _choice, _ite),
    b"write": _Operator(3, _access, _write),
}

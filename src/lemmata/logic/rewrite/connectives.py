"""Simplifying constructors of Boolean structure, and the border between Bool and 1-bit words.

Everything here takes and gives terms that are simple already, so a rule looks one level down and never recurses.

*Conjunction* drops duplicates and true, sees ``x ∧ ¬x``, and takes in the arguments of small conjunctions below; large ones are
left as they are, since copying them at every level of a chain would be quadratic. *Negation* of a comparison is the opposite
comparison. *Exclusive or* is the negation of ``=``.

A 1-bit word is either ``bit(b)``, which is ``(ite b #b1 #b0)``, or *opaque*: a variable, a read, a slice. Operators on 1-bit
words are built as Boolean ones under ``bit``, and ``truth`` looks through it; so the Boolean structure of a design, which
word-level formats write with 1-bit words, shows wherever it is needed, at no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, bv, make, value_of

BIT = BitVec(1)
_ONE, _ZERO = bv(1, 1), bv(0, 1)
_DISSOLVED_TERMS = 8  # conjunctions of at most so many terms dissolve in the one above
_OPPOSITE = {"bvult": "bvule", "bvule": "bvult", "bvslt": "bvsle", "bvsle": "bvslt", "<": "<=", "<=": "<"}


def by_number(term: Term) -> int:
    """A key to sort terms by."""
    return term.number


def ordered(a: Term, b: Term) -> tuple[Term, Term]:
    """The arguments of a commutative operator in a fixed order: a constant last, older terms first."""
    if b.op == "const":
        return a, b
    return (b, a) if a.op == "const" or b.number < a.number else (a, b)


# Boolean connectives.


def negate(term: Term) -> Term:
    """¬term."""
    op = term.op
    if op == "not":
        return term.args[0]
    if op == "const":
        return FALSE if term is TRUE else TRUE
    if op in _OPPOSITE:
        a, b = term.args
        return make(_OPPOSITE[op], (b, a))
    return make("not", (term,))


def conj(terms: Iterable[Term]) -> Term:
    """⋀ terms."""
    return _junction("and", TRUE, FALSE, terms)


def disj(terms: Iterable[Term]) -> Term:
    """⋁ terms."""
    return _junction("or", FALSE, TRUE, terms)


def _junction(op: str, neutral: Term, absorbing: Term, terms: Iterable[Term]) -> Term:
    members: set[Term] = set()
    for term in terms:
        if term.op == op and len(term.args) <= _DISSOLVED_TERMS:
            members.update(term.args)
        else:
            members.add(term)
    members.discard(neutral)
    if len(members) < 2:
        return next(iter(members), neutral)
    if absorbing in members or _has_opposites(members):
        return absorbing
    return make(op, tuple(sorted(members, key=by_number)))


def _has_opposites(terms: set[Term]) -> bool:
    comparisons: set[tuple[str, Term, Term]] = set()
    for term in terms:
        op = term.op
        if op == "not":
            if term.args[0] in terms:
                return True
        elif op in _OPPOSITE:
            a, b = term.args
            if (_OPPOSITE[op], b, a) in comparisons:
                return True
            comparisons.add((op, a, b))
    return False


def implies(a: Term, b: Term) -> Term:
    """a → b."""
    return disj((negate(a), b))


def equivalent(a: Term, b: Term) -> Term:
    """a ↔ b."""
    is_odd = False
    if a.op == "not":
        a, is_odd = a.args[0], True
    if b.op == "not":
        b, is_odd = b.args[0], not is_odd
    a, b = ordered(a, b)
    if a is b:
        result = TRUE
    elif b.op == "const":
        result = a if b is TRUE else negate(a)
    else:
        result = make("=", (a, b))
    return negate(result) if is_odd else result


def ite(c: Term, a: Term, b: Term) -> Term:
    """``a`` if ``c``, else ``b``; of any sort."""
    if c.op == "const":
        return a if c is TRUE else b
    if c.op == "not":
        c, a, b = c.args[0], b, a
    if a.op == "ite" and a.args[0] is c:
        a = a.args[1]
    if b.op == "ite" and b.args[0] is c:
        b = b.args[2]
    if a is b:
        return a
    if a.sort is BOOL:
        return _choice(c, a, b)
    if a.sort is BIT:
        return bit(ite(c, truth(a), truth(b)))
    return make("ite", (c, a, b))


def _choice(c: Term, a: Term, b: Term) -> Term:
    """``ite`` on Booleans."""
    if a is TRUE or a is c:
        return disj((c, b))
    if b is FALSE or b is c:
        return conj((c, a))
    if a is FALSE:
        return conj((negate(c), b))
    if b is TRUE:
        return disj((negate(c), a))
    return equivalent(c, a) if a in _stripped(b) or b in _stripped(a) else make("ite", (c, a, b))


def _stripped(term: Term) -> tuple[Term, ...]:
    return term.args if term.op == "not" else ()


# Bool and 1-bit words.


def bit(formula: Term) -> Term:
    """The 1-bit word that is 1 where ``formula`` holds."""
    if formula.op == "const":
        return _ONE if formula is TRUE else _ZERO
    if formula.op == "=" and formula.args[1] is _ONE:
        return formula.args[0]
    return make("ite", (formula, _ONE, _ZERO))


def truth(word: Term) -> Term:
    """Is this 1-bit word 1?"""
    if word.op in WORD_TO_WORD and not _is_bit(word):
        word = _pushed(word)
    if word.op == "ite":
        return word.args[0]
    if word.op == "const":
        return TRUE if value_of(word) else FALSE
    return make("=", (word, _ONE))


def _is_bit(word: Term) -> bool:
    return word.op == "ite" and word.args[1] is _ONE and word.args[2] is _ZERO


def _pushed(word: Term) -> Term:
    """A 1-bit word that was made elsewhere, in the form that is used here: the region of 1-bit operators is built again."""
    region, stack = {word}, [word]
    while stack:
        for arg in stack.pop().args:
            if arg.sort is BIT and arg.op in WORD_TO_WORD and arg not in region:
                region.add(arg)
                stack.append(arg)
    done: dict[Term, Term] = {}
    for term in sorted(region, key=by_number):
        done[term] = WORD_TO_WORD[term.op](*[done.get(arg, arg) for arg in term.args])
    return done[word]


def same_bit(a: Term, b: Term) -> Term:
    """a = b for 1-bit words."""
    if a.op in WORD_TO_WORD or b.op in WORD_TO_WORD or a.op == "const" or b.op == "const":
        return equivalent(truth(a), truth(b))
    return TRUE if a is b else make("=", ordered(a, b))


def _both(a: Term, b: Term) -> Term:
    return bit(conj((truth(a), truth(b))))


def _either(a: Term, b: Term) -> Term:
    return bit(disj((truth(a), truth(b))))


def _differ(a: Term, b: Term) -> Term:
    return bit(negate(same_bit(a, b)))


def _only_first(a: Term, b: Term) -> Term:
    return bit(conj((truth(a), negate(truth(b)))))


def _unless(a: Term, b: Term) -> Term:
    return bit(disj((truth(a), negate(truth(b)))))


def _first(a: Term, b: Term | None = None) -> Term:
    return a


WORD_TO_WORD: dict[str, Callable[..., Term]] = {  # every operator on 1-bit words that gives one
    "ite": ite,
    "bvnot": lambda a: bit(negate(truth(a))),
    "bvneg": _first,
    "bvand": _both,
    "bvmul": _both,
    "bvor": _either,
    "bvxor": _differ,
    "bvadd": _differ,
    "bvsub": _differ,
    "bvudiv": _unless,
    "bvsdiv": _unless,
    "bvurem": _only_first,
    "bvsrem": _only_first,
    "bvsmod": _only_first,
    "bvshl": _only_first,
    "bvlshr": _only_first,
    "bvashr": _first,
}
WORD_TO_BOOL: dict[str, Callable[..., Term]] = {  # the comparisons; as a signed number, 1 is -1
    "bvult": lambda a, b: conj((negate(truth(a)), truth(b))),
    "bvule": lambda a, b: disj((negate(truth(a)), truth(b))),
    "bvslt": lambda a, b: conj((truth(a), negate(truth(b)))),
    "bvsle": lambda a, b: disj((truth(a), negate(truth(b)))),
}

"""What the cells of Yosys compute, as terms: "Cell Library" in the Yosys manual, where each is defined by a line of Verilog.

The operands of an operator are extended to the width that it works with; with the sign, if all of them are signed. Shift
amounts are unsigned but for ``$shift`` and ``$shiftx``. Words have two values per bit here: what is ``x`` in simulation is what
Yosys' own writers of BTOR2 and SMT-LIB make of it: a bit outside of a word is 0, division by zero is SMT-LIB's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

from lemmata.logic.build import bit, build, conj, disj, equal, ite, negate, truth
from lemmata.logic.terms import Term, bv, value_of

Parameters = Mapping[str, int]
Operands = Mapping[str, Term]
CellFunction = Callable[[Operands, Parameters], Term]


def resized(word: Term, width: int, is_signed: bool = False) -> Term:
    """The word with that many bits: cut off above, or extended."""
    if word.width > width:
        return build("extract", (word,), (width - 1, 0))
    if word.width < width:
        return build("sign_extend" if is_signed else "zero_extend", (word,), width - word.width)
    return word


def nonzero(word: Term) -> Term:
    """Is a bit of the word 1?"""
    return truth(word) if word.width == 1 else negate(equal(word, bv(0, word.width)))


def xor_of_bits(word: Term) -> Term:
    """The exclusive or of the bits; constant bits are only counted, so that parities of the same bits are comparable."""
    bits = [build("extract", (word,), (k, k)) for k in range(word.width)]
    rest = [one for one in bits if not one.is_const]
    is_odd = sum(value_of(one) for one in bits if one.is_const) % 2
    sum_of_rest = reduce(lambda a, b: build("bvxor", (a, b)), rest) if rest else bv(0, 1)
    return build("bvnot", (sum_of_rest,)) if is_odd else sum_of_rest


def _unary(op: str | None) -> CellFunction:
    def function(given: Operands, given_parameters: Parameters) -> Term:
        word = resized(given["A"], given_parameters["Y_WIDTH"], bool(given_parameters["A_SIGNED"]))
        return word if op is None else build(op, (word,))

    return function


def _is_signed(parameters: Parameters) -> bool:
    return bool(parameters["A_SIGNED"] and parameters["B_SIGNED"])


def _modular(op: str, is_inverted: bool = False) -> CellFunction:
    """Operators whose low bits depend on low bits only."""

    def function(given: Operands, parameters: Parameters) -> Term:
        width, sign = parameters["Y_WIDTH"], _is_signed(parameters)
        word = build(op, (resized(given["A"], width, sign), resized(given["B"], width, sign)))
        return build("bvnot", (word,)) if is_inverted else word

    return function


def _division(unsigned: str, signed: str) -> CellFunction:
    def function(given: Operands, parameters: Parameters) -> Term:
        a, b, sign = given["A"], given["B"], _is_signed(parameters)
        width = max(a.width, b.width, parameters["Y_WIDTH"])
        args = resized(a, width, sign), resized(b, width, sign)
        return resized(build(signed if sign else unsigned, args), parameters["Y_WIDTH"])

    return function


def _floor_division(given: Operands, parameters: Parameters) -> Term:
    """Rounded down: one less than what is rounded towards zero, where signs differ and something is left."""
    if not _is_signed(parameters):
        return _division("bvudiv", "bvsdiv")(given, parameters)
    a, b = given["A"], given["B"]
    width = max(a.width, b.width, parameters["Y_WIDTH"])
    a, b, zero = resized(a, width, True), resized(b, width, True), bv(0, width)
    quotient, rest = build("bvsdiv", (a, b)), build("bvsrem", (a, b))
    differs = negate(equal(bit(build("bvslt", (a, zero))), bit(build("bvslt", (b, zero)))))
    is_less = conj([negate(equal(rest, zero)), differs])
    return resized(ite(is_less, build("bvsub", (quotient, bv(1, width))), quotient), parameters["Y_WIDTH"])


def _comparison(op: str, is_swapped: bool = False, is_negated: bool = False) -> CellFunction:
    def function(given: Operands, parameters: Parameters) -> Term:
        sign = _is_signed(parameters)
        width = max(given["A"].width, given["B"].width)
        a, b = resized(given["A"], width, sign), resized(given["B"], width, sign)
        if is_swapped:
            a, b = b, a
        formula = equal(a, b) if op == "=" else build(f"bv{'s' if sign else 'u'}{op}", (a, b))
        return _flag(negate(formula) if is_negated else formula, parameters)

    return function


def _flag(formula: Term, parameters: Parameters) -> Term:
    return resized(bit(formula), parameters["Y_WIDTH"])


def _logic(join: Callable[[list[Term]], Term]) -> CellFunction:
    return lambda given, parameters: _flag(join([nonzero(given["A"]), nonzero(given["B"])]), parameters)


def _shift(op: str, is_arithmetic: bool = False) -> CellFunction:
    def function(given: Operands, parameters: Parameters) -> Term:
        sign = bool(parameters["A_SIGNED"])
        word = resized(given["A"], max(given["A"].width, parameters["Y_WIDTH"]), sign)
        return resized(shifted(op, word, given["B"], is_arithmetic and sign), parameters["Y_WIDTH"])

    return function


def shifted(op: str, word: Term, amount: Term, is_arithmetic: bool = False) -> Term:
    """The word, shifted by an unsigned amount of any width."""
    width = max(word.width, amount.width)
    op = "bvashr" if op == "bvlshr" and is_arithmetic else op
    return resized(build(op, (resized(word, width, is_arithmetic), resized(amount, width))), word.width)


def _either_shift(is_extended: bool) -> CellFunction:
    """To the right, or to the left where the amount is negative."""

    def function(given: Operands, parameters: Parameters) -> Term:
        amount, width = given["B"], parameters["Y_WIDTH"]
        word = resized(given["A"], max(given["A"].width, width), is_extended and bool(parameters["A_SIGNED"]))
        right = shifted("bvlshr", word, amount)
        if not parameters["B_SIGNED"]:
            return resized(right, width)
        left = shifted("bvshl", word, build("bvneg", (amount,)))
        is_negative = truth(build("extract", (amount,), (amount.width - 1, amount.width - 1)))
        return resized(ite(is_negative, left, right), width)

    return function


def _pmux(given: Operands, parameters: Parameters) -> Term:
    """One of several words; the highest selecting bit wins, as in Yosys' own writers (two of them are ``x``)."""
    word, width = given["A"], parameters["WIDTH"]
    for k in range(parameters["S_WIDTH"]):
        select = truth(build("extract", (given["S"],), (k, k)))
        word = ite(select, build("extract", (given["B"],), ((k + 1) * width - 1, k * width)), word)
    return word


def _bmux(given: Operands, parameters: Parameters) -> Term:
    """The word at a binary position."""
    width = parameters["WIDTH"]
    words = [build("extract", (given["A"],), ((k + 1) * width - 1, k * width)) for k in range(given["A"].width // width)]
    for k in range(parameters["S_WIDTH"]):
        select = truth(build("extract", (given["S"],), (k, k)))
        words = [ite(select, words[i + 1], words[i]) for i in range(0, len(words), 2)]
    return words[0]


def _demux(given: Operands, parameters: Parameters) -> Term:
    places = [
        ite(equal(given["S"], bv(k, parameters["S_WIDTH"])), given["A"], bv(0, parameters["WIDTH"]))
        for k in range(1 << parameters["S_WIDTH"])
    ]
    return reduce(lambda low, high: build("concat", (high, low)), places)


def _bwmux(given: Operands, parameters: Parameters) -> Term:
    chosen = build("bvand", (given["B"], given["S"]))
    return build("bvor", (chosen, build("bvand", (given["A"], build("bvnot", (given["S"],))))))


def _power(given: Operands, parameters: Parameters) -> Term:
    """Powers of two, and powers with small constant exponents."""
    base, exponent, width = given["A"], given["B"], parameters["Y_WIDTH"]
    is_negative = parameters["B_SIGNED"] and not (exponent.is_const and value_of(exponent) >> exponent.width - 1 == 0)
    if base.is_const and value_of(base) == 2 and not is_negative:
        return resized(shifted("bvshl", bv(1, max(width, 2)), exponent), width)
    if not exponent.is_const or is_negative or value_of(exponent) > 64:
        raise NotImplementedError
    word = resized(base, width, bool(parameters["A_SIGNED"]))
    return reduce(lambda product, _: build("bvmul", (product, word)), range(value_of(exponent)), bv(1, width))


def _gate(join: Callable[..., Term]) -> CellFunction:
    """Gates of one bit, as ``simplemap`` and hand-written netlists have them."""
    return lambda given, parameters: bit(join(*(truth(given[port]) for port in sorted(given))))


FUNCTIONS: dict[str, CellFunction] = {
    "$not": _unary("bvnot"),
    "$pos": _unary(None),
    "$buf": lambda given, parameters: given["A"],
    "$neg": _unary("bvneg"),
    "$and": _modular("bvand"),
    "$or": _modular("bvor"),
    "$xor": _modular("bvxor"),
    "$xnor": _modular("bvxor", is_inverted=True),
    "$add": _modular("bvadd"),
    "$sub": _modular("bvsub"),
    "$mul": _modular("bvmul"),
    "$div": _division("bvudiv", "bvsdiv"),
    "$mod": _division("bvurem", "bvsrem"),
    "$divfloor": _floor_division,
    "$modfloor": _division("bvurem", "bvsmod"),
    "$pow": _power,
    "$eq": _comparison("="),
    "$eqx": _comparison("="),
    "$ne": _comparison("=", is_negated=True),
    "$nex": _comparison("=", is_negated=True),
    "$lt": _comparison("lt"),
    "$le": _comparison("le"),
    "$gt": _comparison("lt", is_swapped=True),
    "$ge": _comparison("le", is_swapped=True),
    "$logic_not": lambda given, parameters: _flag(negate(nonzero(given["A"])), parameters),
    "$logic_and": _logic(conj),
    "$logic_or": _logic(disj),
    "$reduce_and": lambda given, parameters: _flag(equal(given["A"], bv(-1, given["A"].width)), parameters),
    "$reduce_or": lambda given, parameters: _flag(nonzero(given["A"]), parameters),
    "$reduce_bool": lambda given, parameters: _flag(nonzero(given["A"]), parameters),
    "$reduce_xor": lambda given, parameters: resized(xor_of_bits(given["A"]), parameters["Y_WIDTH"]),
    "$reduce_xnor": lambda given, parameters: _flag(negate(truth(xor_of_bits(given["A"]))), parameters),
    "$shl": _shift("bvshl"),
    "$sshl": _shift("bvshl"),
    "$shr": _shift("bvlshr"),
    "$sshr": _shift("bvlshr", is_arithmetic=True),
    "$shift": _either_shift(is_extended=True),
    "$shiftx": _either_shift(is_extended=False),
    "$mux": lambda given, parameters: ite(truth(given["S"]), given["B"], given["A"]),
    "$pmux": _pmux,
    "$bmux": _bmux,
    "$demux": _demux,
    "$bwmux": _bwmux,
    "$_BUF_": _gate(lambda a: a),
    "$_NOT_": _gate(negate),
    "$_AND_": _gate(lambda a, b: conj([a, b])),
    "$_NAND_": _gate(lambda a, b: negate(conj([a, b]))),
    "$_OR_": _gate(lambda a, b: disj([a, b])),
    "$_NOR_": _gate(lambda a, b: negate(disj([a, b]))),
    "$_XOR_": _gate(lambda a, b: negate(equal(a, b))),
    "$_XNOR_": _gate(equal),
    "$_ANDNOT_": _gate(lambda a, b: conj([a, negate(b)])),
    "$_ORNOT_": _gate(lambda a, b: disj([a, negate(b)])),
    "$_MUX_": lambda given, parameters: ite(truth(given["S"]), given["B"], given["A"]),
}

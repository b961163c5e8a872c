"""Sums that cannot wrap: a linear word in a width that holds all of its values is a sum over the integers.

``sext(x, 39) · 100 - sext(y, 39)`` with x and y of 32 bits is such a word, and people would rather read ``100·xₛ - yₛ``.
"""

from __future__ import annotations

from collections import Counter

from lemmata.logic.terms import Term, value_of
from lemmata.logic.values import signed

SignedParts = list[tuple[Term, bool, int]]  # a word, whether it is read with its sign, and its factor
_SUM_NODES = 64  # nodes


def exact_sum(term: Term) -> SignedParts | None:
    """The integer sum that the term, read with its sign, is; ``None`` if it may wrap or is no sum of several words."""
    total: Counter[tuple[Term, bool]] = Counter()
    stack = [(term, 1)]
    for _ in range(_SUM_NODES):
        if not stack:
            break
        node, factor = stack.pop()
        match node.op:
            case "bvadd" | "bvsub":
                stack += [(node.args[0], factor), (node.args[1], factor if node.op == "bvadd" else -factor)]
            case "bvneg":
                stack.append((node.args[0], -factor))
            case "bvmul" if node.args[1].is_const:
                stack.append((node.args[0], factor * signed(value_of(node.args[1]), node.width)))
            case "sign_extend" | "zero_extend" if node.args[0].is_var:
                total[node.args[0], node.op == "sign_extend"] += factor
            case _:
                return None
    parts = [(word, is_signed, factor) for (word, is_signed), factor in total.items() if factor]
    if stack or len(parts) < 2:
        return None
    spans = [
        sorted((factor * low, factor * high)) for word, is_signed, factor in parts for low, high in [_span(word, is_signed)]
    ]
    half = 1 << (term.width - 1)
    is_exact = -half <= sum([low for low, _ in spans]) and sum([high for _, high in spans]) < half
    return sorted(parts, key=lambda part: part[0].number) if is_exact else None


def _span(word: Term, is_signed: bool) -> tuple[int, int]:
    """The smallest and the largest number that a word can be."""
    half = 1 << (word.width - 1)
    return (-half, half - 1) if is_signed else (0, 2 * half - 1)

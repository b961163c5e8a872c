"""Random DAGs of words and Booleans."""

from __future__ import annotations

import random

from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, bv, make, var


def random_dag(rng: random.Random, size: int, width: int, variables: int) -> tuple[list[Term], list[Term]]:
    """Leaves, and all nodes."""
    leaves = [var(f"s{i}", BitVec(width)) for i in range(variables)]
    words: list[Term] = [*leaves, bv(1, width), bv(rng.getrandbits(width), width)]
    truths: list[Term] = [make("bvult", (leaves[0], leaves[1]))]
    word_ops = [
        "bvadd",
        "bvsub",
        "bvand",
        "bvor",
        "bvxor",
        "bvmul",
        "bvurem",
        "bvsdiv",
        "bvshl",
        "bvlshr",
        "ite",
        "ite",
        "slices",
    ]
    for _ in range(size):
        a, b, p, q = rng.choice(words), rng.choice(words), rng.choice(truths), rng.choice(truths)
        match rng.choice([*word_ops, "bvult", "bvsle", "=", "and", "or", "not", "many"]):
            case "ite":
                words.append(make("ite", (p, a, b)))
            case "slices":
                low = rng.randrange(width - 1)
                words.append(make("concat", (make("extract", (a,), (low, 0)), make("extract", (b,), (width - 1, low + 1)))))
            case ("bvult" | "bvsle" | "=") as op:
                truths.append(make(op, (a, b)))
            case ("and" | "or") as op:
                truths.append(make(op, (p, q)))
            case "not":
                truths.append(make("not", (p,)))
            case "many":
                truths.append(make(rng.choice(["and", "or"]), tuple(rng.choices(truths, k=rng.randint(1, 6)))))
            case op:
                words.append(make(op, (a, b)))
    return leaves, words + truths

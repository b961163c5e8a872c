"""``build`` never changes the sort or the meaning of a term, on every operator; its rules fire where they are meant to."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from lemmata.logic.build import bit, build, conj, disj, equal, implies, ite, negate, truth
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import FALSE, OPERATORS, TRUE, SortError, Term, bv, const, make, var
from lemmata.logic.values import ArrayValue
from lemmata.logic.walk import fold, variables
from tests.support.random_terms import COMPARISONS, WORD_BINARY, Nest, Pool

x, y, z = (var(name, BitVec(8)) for name in "xyz")
p, q, r = (var(name, BOOL) for name in "pqr")
u, v = (var(name, BitVec(1)) for name in "uv")


def assert_same_meaning(pool: Pool, pairs: list[tuple[Term, Term]], points: int) -> None:
    raw, built = [a for a, _ in pairs], [b for _, b in pairs]
    assert [a.sort for a in raw] == [b.sort for b in built]
    for _ in range(points):
        point = pool.point()
        values = evaluate([*raw, *built], point)
        for (a, b), left, right in zip(pairs, values[: len(raw)], values[len(raw) :], strict=True):
            assert left == right, f"{a} is {left}, {b} is {right} at {point}"


@pytest.mark.parametrize("seed", range(40))
def test_building_and_making_mean_the_same(seed: int) -> None:
    pool = Pool(Random(seed), build)
    assert_same_meaning(pool, [pool.step() for _ in range(150)], points=8)


@pytest.mark.parametrize(("seed", "widths"), [(100, (32, 64)), (101, (130, 1)), (102, (64, 130, 5)), (103, (31, 33))])
def test_building_and_making_mean_the_same_on_wide_words(seed: int, widths: tuple[int, ...]) -> None:
    pool = Pool(Random(seed), build, widths)
    assert_same_meaning(pool, [pool.step() for _ in range(300)], points=8)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_single_operators_with_constants_mean_the_same_everywhere(width: int) -> None:
    sort = BitVec(width)
    a, b = var("a", sort), var("b", sort)
    leaves = [a, b, *(bv(k, width) for k in range(1 << width))]
    ops = [op for op in OPERATORS if op.startswith("bv") and op not in ("bvnot", "bvneg")]
    for op in ops:
        pairs = [(make(op, (s, t)), build(op, (s, t))) for s in leaves for t in leaves]
        for i in range(1 << width):
            for j in range(1 << width):
                raw = evaluate([s for s, _ in pairs], {a: i, b: j})
                assert evaluate([t for _, t in pairs], {a: i, b: j}) == raw, op


@pytest.mark.parametrize("seed", range(300, 308))
def test_operators_directly_on_operators_mean_the_same(seed: int) -> None:
    nest = Nest(Random(seed), build, width=2 + seed % 2)
    sorts = [BitVec(nest.width)] * 3 + [BitVec(nest.width + 2), BitVec(1), BOOL, BOOL, INT, Array(BitVec(1), BitVec(2))]
    pairs = [nest.pair(nest.random.choice(sorts), 3) for _ in range(1200)]
    assert_same_meaning(Pool(nest.random, build, variables=list(variables(raw for raw, _ in pairs))), pairs, points=12)


def reshaped(word: Term) -> list[tuple[str, tuple[Term, ...], object]]:
    """What can be made of one word."""
    return [
        *((op, (word,), None) for op in ("bvnot", "bvneg")),
        *((op, (word,), 2) for op in ("zero_extend", "sign_extend")),
        *(("extract", (word,), (high, low)) for high in range(word.width) for low in range(high + 1)),
        *(("concat", (word, bv(k, 2)), None) for k in range(4)),
        *(("concat", (bv(k, 2), word), None) for k in range(4)),
        ("concat", (word, word), None),
        ("ite", (var("c", BOOL), bv(1, word.width), word), None),
        ("ite", (var("c", BOOL), bv(1, word.width), bv(2, word.width)), None),
    ]


@pytest.mark.parametrize("k", [0, 1, 4, 6, 7])
def test_every_operator_on_every_operator_and_a_constant_means_the_same(k: int) -> None:
    random, sort = Random(k), BitVec(3)
    a, b = var("a", sort), var("b", sort)
    inner = [(op, args, None) for op in WORD_BINARY for args in ((a, b), (a, bv(k, 3)), (bv(k, 3), b))] + reshaped(a)
    pairs = [(make(*shape), build(*shape)) for shape in inner]
    for raw, built in list(pairs):
        for shape in reshaped(raw):
            op, args, data = shape
            pairs.append((make(*shape), build(op, tuple(built if arg is raw else arg for arg in args), data)))
        beside = [bv(random.randrange(1 << raw.width), raw.width), bv(random.choice((0, 1, -1)), raw.width)]
        for other in [*beside, a] if raw.sort is sort else beside:
            for op in (*WORD_BINARY, *COMPARISONS, "="):
                pairs.append((make(op, (raw, other)), build(op, (built, other))))
                pairs.append((make(op, (other, raw)), build(op, (other, built))))
    assert_same_meaning(Pool(random, build, variables=[a, b, var("c", BOOL)]), pairs, points=8)


def test_every_connective_on_every_connective_means_the_same() -> None:
    leaves = [p, q, r, TRUE, FALSE]
    binary = ("and", "or", "xor", "=>", "=")
    inner = [(op, args) for op in binary for args in product(leaves, repeat=2)]
    inner += [("ite", (p, *args)) for args in product(leaves, repeat=2)] + [("not", (leaf,)) for leaf in leaves]
    pairs = [(make(*shape), build(*shape)) for shape in inner]
    for raw, built in list(pairs):
        for other in leaves:
            for op in binary:
                pairs.append((make(op, (raw, other)), build(op, (built, other))))
                pairs.append((make(op, (other, raw)), build(op, (other, built))))
            for place, leaf in product(range(3), leaves):
                args, images = [other, leaf], [other, leaf]
                args.insert(place, raw)
                images.insert(place, built)
                pairs.append((make("ite", tuple(args)), build("ite", tuple(images))))
    raws, builts = [raw for raw, _ in pairs], [built for _, built in pairs]
    for point in product((False, True), repeat=3):
        values = dict(zip((p, q, r), point, strict=True))
        assert evaluate(raws, values) == evaluate(builts, values)


@pytest.mark.parametrize("seed", range(500, 508))
def test_building_on_arguments_that_were_made_raw_means_the_same(seed: int) -> None:
    nest = Nest(Random(seed), make, width=2 + seed % 3)
    sorts = [BitVec(nest.width)] * 3 + [BitVec(nest.width + 2), BitVec(1), BOOL, BOOL, INT, Array(BitVec(1), BitVec(2))]
    raw = [term for _ in range(1200) if (term := nest.pair(nest.random.choice(sorts), 3)[0]).args]
    pairs = [(term, build(term.op, term.args, term.data)) for term in raw]
    pairs += [
        (make("extract", (term,), (high, 0)), build("extract", (term,), (high, 0)))
        for term in raw
        if isinstance(term.sort, BitVec)
        for high in range(term.width)
    ]
    assert_same_meaning(Pool(nest.random, make, variables=list(variables(raw))), pairs, points=8)


@pytest.mark.parametrize("seed", range(400, 404))
def test_the_truth_of_raw_bits_is_their_value(seed: int) -> None:
    nest = Nest(Random(seed), make, width=1)
    raw = [nest.pair(BitVec(1), 4)[0] for _ in range(300)]
    pairs = [(make("=", (word, bv(1, 1))), truth(word)) for word in raw] + [(word, bit(truth(word))) for word in raw]
    assert_same_meaning(Pool(nest.random, make, variables=list(variables(raw))), pairs, points=12)


def built_again(terms: list[Term]) -> list[Term]:
    """Terms that were made raw, built from below with the rules."""
    built = fold(terms, lambda term, args: build(term.op, tuple(args), term.data) if args else term)
    return [built[term] for term in terms]


@pytest.mark.parametrize("seed", range(200, 210))
def test_building_raw_terms_again_keeps_the_meaning(seed: int) -> None:
    pool = Pool(Random(seed), make)
    raw = [pool.step()[0] for _ in range(200)]
    assert_same_meaning(pool, list(zip(raw, built_again(raw), strict=True)), points=8)


def test_every_operator_is_in_the_random_pool() -> None:
    seen = set()
    for seed in range(40):
        pool = Pool(Random(seed), build)
        seen |= {pool.step()[0].op for _ in range(150)}
    assert seen == OPERATORS - {"apply"}


@pytest.mark.parametrize(
    ("built", "wanted"),
    [
        (build("bvadd", (build("bvadd", (x, bv(250, 8))), bv(6, 8))), x),
        (build("bvsub", (x, bv(1, 8))), make("bvadd", (x, bv(255, 8)))),
        (build("bvsub", (build("bvadd", (x, y)), y)), x),
        (build("bvand", (bv(0, 8), x)), bv(0, 8)),
        (build("bvor", (x, build("bvnot", (x,)))), bv(255, 8)),
        (build("bvxor", (x, bv(255, 8))), make("bvnot", (x,))),
        (build("bvudiv", (x, bv(0, 8))), bv(255, 8)),
        (build("bvurem", (x, bv(0, 8))), x),
        (build("bvshl", (x, bv(8, 8))), bv(0, 8)),
        (build("extract", (build("concat", (x, y)),), (11, 9)), make("extract", (x,), (3, 1))),
        (build("extract", (build("extract", (x,), (6, 1)),), (3, 2)), make("extract", (x,), (4, 3))),
        (build("concat", (build("extract", (x,), (7, 3)), build("extract", (x,), (2, 0)))), x),
        (build("concat", (bv(0, 4), x)), make("zero_extend", (x,), 4)),
        (build("zero_extend", (x,), 0), x),
        (build("extract", (build("zero_extend", (x,), 8),), (15, 8)), bv(0, 8)),
        (build("bvult", (x, bv(0, 8))), FALSE),
        (build("bvult", (x, bv(1, 8))), make("=", (x, bv(0, 8)))),
        (build("bvule", (x, bv(255, 8))), TRUE),
        (build("bvsle", (bv(128, 8), x)), TRUE),
        (build("bvult", (build("zero_extend", (x,), 8), bv(256, 16))), TRUE),
        (build("bvult", (build("zero_extend", (x,), 8), bv(7, 16))), make("bvult", (x, bv(7, 8)))),
        (build("bvslt", (build("zero_extend", (x,), 8), build("zero_extend", (y,), 8))), make("bvult", (x, y))),
        (negate(build("bvult", (x, y))), make("bvule", (y, x))),
        (negate(negate(p)), p),
        (conj([p, q, p, TRUE]), make("and", (p, q))),
        (conj([p, conj([q, r]), negate(q)]), FALSE),
        (disj([build("bvult", (x, y)), build("bvule", (y, x))]), TRUE),
        (conj([]), TRUE),
        (disj([]), FALSE),
        (implies(p, p), TRUE),
        (build("xor", (p, p)), FALSE),
        (build("=", (p, negate(p))), FALSE),
        (ite(p, TRUE, FALSE), p),
        (ite(negate(p), x, y), make("ite", (p, y, x))),
        (ite(p, x, x), x),
        (ite(p, ite(p, x, y), z), make("ite", (p, x, z))),
        (equal(ite(p, bv(3, 8), bv(4, 8)), bv(3, 8)), p),
        (equal(ite(p, bv(3, 8), bv(4, 8)), bv(5, 8)), FALSE),
        (equal(build("bvadd", (x, bv(3, 8))), bv(1, 8)), make("=", (x, bv(254, 8)))),
        (equal(build("zero_extend", (x,), 8), bv(256, 16)), FALSE),
        (equal(const(1, INT), const(2, INT)), FALSE),
        (equal(build("concat", (x, bv(2, 4))), bv(0x52, 12)), make("=", (x, bv(5, 8)))),
        (build("bvand", (u, v)), bit(conj([truth(u), truth(v)]))),
        (truth(build("bvnot", (u,))), negate(truth(u))),
        (truth(bit(p)), p),
        (bit(truth(u)), u),
        (truth(bv(1, 1)), TRUE),
        (truth(make("bvor", (make("bvnot", (u,)), u))), TRUE),
    ],
)
def test_a_rule_gives_what_it_promises(built: Term, wanted: Term) -> None:
    assert built is wanted


def test_reads_look_through_writes() -> None:
    sort = Array(BitVec(8), BitVec(8))
    a = var("memory", sort)
    written = build("store", (build("store", (a, bv(1, 8), x)), bv(2, 8), y))
    assert build("select", (written, bv(1, 8))) is x
    assert build("select", (written, bv(3, 8))) is make("select", (a, bv(3, 8)))
    assert build("select", (written, z)).op == "select"
    assert build("select", (build("filled", (x,), sort), z)) is x
    assert build("store", (a, z, build("select", (a, z)))) is a


def test_arrays_and_divisions_by_zero_are_never_folded() -> None:
    sort = Array(BitVec(8), BitVec(8))
    assert build("filled", (bv(0, 8),), sort).op == "filled"
    for op in ("div", "mod"):
        assert build(op, (const(3, INT), const(0, INT))).op == op
    assert build("/", (const(3, REAL), const(0, REAL))).op == "/"
    constant = const(ArrayValue(sort, 7), sort)
    assert build("select", (constant, bv(1, 8))) is bv(7, 8)


def test_building_checks_sorts_before_rules() -> None:
    with pytest.raises(SortError):
        build("bvadd", (x, bv(0, 16)))
    with pytest.raises(SortError):
        build("and", (FALSE, x))
    with pytest.raises(SortError):
        build("frobnicate", (x,))
    with pytest.raises(SortError):
        equal(x, u)


def test_building_a_raw_term_again_folds_it() -> None:
    raw = make("bvadd", (make("bvmul", (x, bv(0, 8))), make("bvadd", (bv(3, 8), bv(4, 8)))))
    assert built_again([raw]) == [bv(7, 8)]

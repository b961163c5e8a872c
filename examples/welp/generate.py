"""Write the ten instances of Welp and Kuehlmann's table 2 as BTOR2: ``python examples/welp/generate.py [FOLDER] [--width N]``.

Each program below is a function that returns its transition system and an inductive invariant that proves it; the docstring
goes into the file. Only the system is written, unless ``--invariant`` asks for a second property, "outside", that is bad where
the invariant does not hold: with it any tool can check the invariant. ``--width`` scales the words and, where they have to fit,
the constants: a system of 8 bits can be enumerated.

Arithmetic wraps. Where a program means integers, its guards keep the words away from where they would, or a sum that is
compared gets a few bits more.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable
from pathlib import Path

from words import System, Word

Program = Callable[[int], tuple[System, Word]]

PAPER = "given in the paper"
INVGEN = "follows a program of InvGen"
RECONSTRUCTION = "reconstruction: the paper gives only the name, a remark and the times"


def simple(width: int) -> tuple[System, Word]:
    """Section 3.1.2, "Example: Simple".

    int n = 1, x = 0;
    while (n > 0) { x++; n--; }
    assert(x < 3);                        // at any time

    invariant: n <= 1 && (x <= 0 || n <= 0) && x <= 2
    The region below the cover of figure 2; one variable per comparison.
    """
    s = System(width)
    n, x = s.state("n", 1), s.state("x", 0)
    s.drive(n > 0, x=x + 1, n=n - 1)
    s.bads["assertion"] = x >= 3
    return s, (n <= 1) & ((x <= 0) | (n <= 0)) & (x <= 2)


def lin(width: int) -> tuple[System, Word]:
    """Section 3.1.3, "Example: Linear Invariant".

    int x, y; assume(x + 2*y <= 5);       // over the integers
    while (x < INT_MAX && y > INT_MIN) { x++; y--; }
    assert(x + 2*y <= 5);                 // at any time

    invariant: x + 2*y <= 5
    The sum has two bits more than the words, so that it does not wrap. BTOR2 has no relation between start values: the
    constraint asks for it while `started` is 0, that is in the first step.
    """
    s = System(width)
    started, x, y = s.state("started", 0, width=1), s.state("x"), s.state("y")
    is_below = x.wide(2) + y.wide(2) * 2 <= 5
    s.nexts[started] = started.beside(1)
    s.drive((x < s.top) & (y > s.bottom), x=x + 1, y=y - 1)
    s.constraints = [started | is_below]
    s.bads["assertion"] = ~is_below
    return s, ~started | is_below


def max_(width: int) -> tuple[System, Word]:
    """The position of the greatest element of an array.

    int n; assume(n > 0);
    int m = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > a[m]) m = i;           // the array does not matter: the input `greater`
    assert(0 <= m && m < n);              // at any time

    invariant: 0 <= i && 0 <= m && m < n
    The bound of m is a variable. InvGen's gulwani_cegar2.c is the same loop without the array.
    """
    s = System(width)
    n, i, m, greater = s.state("n"), s.state("i", 0), s.state("m", 0), s.choice("greater")
    s.drive(i < n, i=i + 1)
    s.drive((i < n) & greater, m=i)
    s.constraints = [n > 0]
    s.bads["assertion"] = (m < 0) | (m >= n)
    return s, (i >= 0) & (m >= 0) & (m < n)


def diameter(width: int) -> tuple[System, Word]:
    """A counter that starts again.

    int x = 0;
    while (true) x = x < 20 ? x + 1 : 0;
    assert(x < 30);                       // at any time

    invariant: x <= 20
    The last state is reached after 20 steps, the diameter of the system. One bound on one variable proves it, but a search
    that makes each lemma as strong as its level allows, says x < 2, x < 3, ... and finds that bound only after 20 levels.
    """
    s = System(width)
    x = s.state("x", 0)
    s.nexts[x] = (x < 20).then(x + 1, x.beside(0))
    s.bads["assertion"] = x >= 30
    return s, x <= 20


def gen_di(width: int) -> tuple[System, Word]:
    """The counter of *diameter* in general: with any last value n, and twice.

    int n; assume(n >= 0);
    int x = 0, y = 0;
    while (true) { x = x < n ? x + 1 : 0; y = y < n ? y + 1 : 0; }
    assert(x == y);                       // at any time

    invariant: x == y
    Bits have an easy time with an equality, intervals have not.
    """
    s = System(width)
    n, x, y = s.state("n"), s.state("x", 0), s.state("y", 0)
    for counter in (x, y):
        s.nexts[counter] = (counter < n).then(counter + 1, counter.beside(0))
    s.constraints = [n >= 0]
    s.bads["assertion"] = ~x.is_(y)
    return s, x.is_(y)


def split(width: int) -> tuple[System, Word]:
    """InvGen's split.c: a bit decides which of two counters counts.

    int k = 100; bool b; int j; int i = j;
    for (int n = 0; n < 2*k; n++) { if (b) i++; else j++; b = !b; }
    assert(n >= 0);                       // at any time

    invariant: n >= 0
    InvGen asserts i == j at the end, which needs the relation of i, j and b. The paper counts *split* among the instances that
    need one variable per comparison only, and solves it fastest of all: its question must have been a bound of the loop's n.
    """
    s = System(width)
    b, j = s.state("b", width=1), s.state("j")
    i, n = s.state("i", j), s.state("n", 0)
    last = 2 * s.scaled(100, 10)
    s.drive(n < last, n=n + 1, b=~b)
    s.drive((n < last) & b, i=i + 1)
    s.drive((n < last) & ~b, j=j + 1)
    s.bads["assertion"] = n < 0
    return s, n >= 0


def sim_inv(width: int) -> tuple[System, Word]:
    """The simple invariant "not beyond the end": InvGen's simple.c.

    int n; assume(n > 0);
    int x = 0;
    while (x < n) x++;
    assert(x <= n);                       // at any time

    invariant: x <= n
    """
    s = System(width)
    n, x = s.state("n"), s.state("x", 0)
    s.drive(x < n, x=x + 1)
    s.constraints = [n > 0]
    s.bads["assertion"] = x > n
    return s, x <= n


def bound(width: int) -> tuple[System, Word]:
    """The first loop of InvGen's bound.c: what is moved from i to k stays bounded by n.

    int n; assume(0 <= n && n <= 200);
    int k = 0, i = n, h = i + k;
    while (i > 0) { i--; k++; h = i + k; }
    assert(h <= n);                       // at any time

    invariant: i + k == n && h <= n
    InvGen asserts i >= 0 at the end and asks, in an annotation, for a bound of h in terms of n; only the latter needs a
    relation between variables, as the paper says of *bound*.
    """
    s = System(width)
    n = s.state("n")
    i, k, h = s.state("i", n), s.state("k", 0), s.state("h", n)
    s.drive(i > 0, i=i - 1, k=k + 1, h=(i - 1) + (k + 1))
    s.constraints = [(n >= 0) & (n <= s.scaled(200, 20))]
    s.bads["assertion"] = h > n
    return s, (i + k).is_(n) & (h <= n)


def rajam(width: int) -> tuple[System, Word]:
    """InvGen's rajamani_1.c: the third branch would break the assertion, but is never taken.

    int x = 0, y = 0, z = 0, w = 0;
    while (nondet() && x < 1000 && w < 1000) {
        if (nondet()) { x++; y += 100; }
        else if (nondet()) { if (x >= 4) { x++; y++; } }
        else if (y > 10*w && z >= 100*x) y = -y;
        w++; z += 10;
    }
    assert(x < 4 || y > 2);               // at any time

    invariant: 0 <= x <= 1000 && 0 <= w <= 1000 && x <= y && y <= 100*x && z <= 10*w
    The third branch needs y > 10*w >= z >= 100*x >= y. InvGen's loop has no limit: with one the products do not wrap.
    """
    s = System(width)
    x, y, z, w = (s.state(name, 0) for name in "xyzw")
    first, second = s.choice("first"), s.choice("second")
    much, some = s.scaled(100, 6), s.scaled(10, 3)
    limit = s.scaled(1000, s.top // much)
    goes_on = (x < limit) & (w < limit)
    s.drive(goes_on, w=w + 1, z=z + some)
    s.drive(goes_on & first, x=x + 1, y=y + much)
    s.drive(goes_on & ~first & second & (x >= 4), x=x + 1, y=y + 1)
    s.drive(goes_on & ~first & ~second & (y > w * some) & (z >= x * much), y=-y)
    s.bads["assertion"] = (x >= 4) & (y <= 2)
    in_range = (x >= 0) & (x <= limit) & (w >= 0) & (w <= limit)
    return s, in_range & (x <= y) & (y <= x * much) & (z <= w * some)


def parity(width: int) -> tuple[System, Word]:
    """Odd numbers only.

    unsigned x = 1;
    while (true) x += 2;                  // wraps
    assert(x != 0);                       // at any time

    invariant: x is odd
    One bit says it; a disjunction of intervals would need one for each even number.
    """
    s = System(width)
    x = s.state("x", 1)
    s.nexts[x] = x + 2
    s.bads["assertion"] = x.is_(0)
    return s, x.is_odd()


PROGRAMS: dict[str, tuple[Program, str]] = {
    "simple": (simple, PAPER),
    "lin": (lin, PAPER),
    "max": (max_, RECONSTRUCTION),
    "diameter": (diameter, RECONSTRUCTION),
    "gen_di": (gen_di, RECONSTRUCTION),
    "split": (split, INVGEN),
    "sim_inv": (sim_inv, RECONSTRUCTION),
    "bound": (bound, INVGEN),
    "rajam": (rajam, INVGEN),
    "parity": (parity, RECONSTRUCTION),
}  # in the order of table 2


def text(name: str, width: int, has_invariant: bool) -> str:
    """The file of one instance."""
    program, origin = PROGRAMS[name]
    system, invariant = program(width)
    if has_invariant:
        system.bads["outside"] = ~invariant
    scale = [] if width == 32 else [f"scaled to {width} bits, with smaller constants"]
    about = inspect.cleandoc(program.__doc__ or "").split("\n")
    return system.text([*about, "", *scale, "expected: safe", f"from: Welp, Kuehlmann 2013, table 2, {name}; {origin}"])


def main() -> None:
    """Write every instance and ``index.csv``."""
    parser = argparse.ArgumentParser(description="Write the instances of table 2 as BTOR2.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent)
    parser.add_argument("--width", type=int, default=32, help="bits of a word, at least 6 (default: 32)")
    parser.add_argument("--invariant", action="store_true", help='add the property "outside": the invariant does not hold')
    called = parser.parse_args()
    if called.width < 6:
        parser.error("the constants need 6 bits")
    for name in PROGRAMS:
        (called.folder / f"{name}.btor2").write_text(text(name, called.width, called.invariant))
    rows = "".join(f"{name}.btor2,safe\n" for name in PROGRAMS)
    (called.folder / "index.csv").write_text("file,expected\n" + rows)


if __name__ == "__main__":
    main()

"""The order in which C evaluates operands is not told (C11 6.5p3): a graph has all orders that differ, and no others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lemmata.frontends.c import parse_c
from lemmata.frontends.c.graph import read_c
from tests.support.c_runs import Run, executions

COUNT = "int c; int next(void) { return ++c; } int twice(void) { return c *= 2; } "
PLAIN = "int one(void) { return 1; } int two(int n) { return n + 2; } "

RESULTS = {  # what a program computes, and everything that the standard permits
    "operands": (COUNT + "int main(void) { RESULT(next() - 2 * next()); }", {-3, 0}),
    "an operand that a call changes": (COUNT + "int main(void) { c = 5; RESULT(10 * c + next()); }", {56, 66}),
    "a step is one evaluation": (COUNT + "int main(void) { c = 5; RESULT(10 * c++ + next()); }", {57, 66}),
    "arguments": (
        COUNT + "int f(int a, int b) { return 10 * a + b; } int main(void) { RESULT(f(next(), next())); }",
        {12, 21},
    ),
    "three arguments": (
        COUNT
        + """int f(int a, int b, int d) { return 100 * a + 10 * b + d; }
        int main(void) { c = 1; RESULT(f(twice(), next(), twice())); }""",
        {236, 254, 428, 824, 452, 632},
    ),
    "other arguments stay where they are": (
        COUNT
        + """int f(int a, int b, int d) { return 100 * a + 10 * b + d; }
        int main(void) { int n = 7; RESULT(f(next(), n, next())); }""",
        {172, 271},
    ),
    "a pointer to a function, and its arguments": (
        COUNT
        + """int f(int a) { return a; } int g(int a) { return 10 * a; } int (*p)(int) = f;
        int set(void) { p = g; return 3; } int main(void) { RESULT((*p)(set())); }""",
        {3, 30},
    ),
    "subscripts": (
        COUNT + "int main(void) { int a[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}; RESULT(a[next()][next()]); }",
        {6, 9},
    ),
    "a pointer and its subscript": (
        COUNT
        + "int a[2] = {10, 11}, b[2] = {20, 21}, *p = a; int f(void) { p = b; return 1; } int main(void) { RESULT(p[f()]); }",
        {11, 21},
    ),
    "both sides of an assignment": (
        COUNT + "int main(void) { int a[3] = {0, 0, 0}; a[c] = next(); RESULT(10 * a[0] + a[1]); }",
        {10, 1},
    ),
    "where a pointer points before the value": (
        "int a, b, *p = &a; int f(void) { p = &b; return 1; } int main(void) { *p = f(); RESULT(10 * a + b); }",
        {10, 1},
    ),
    "the value of a compound assignment comes first (6.5.16.2p3)": (
        COUNT + "int main(void) { c = 5; c += next(); RESULT(c); }",
        {12},
    ),
    "initialisers": (COUNT + "int main(void) { int a[2] = {next(), next()}; RESULT(10 * a[0] + a[1]); }", {12, 21}),
    "initialisers of lists in lists": (
        COUNT + "int main(void) { struct { int x, y[2]; } s = {.y = {5, next()}, .x = next()}; RESULT(10 * s.x + s.y[1]); }",
        {12, 21},
    ),
    "structures": (
        COUNT
        + """struct p { int x, y; } s; struct p f(void) { s.x++; struct p r = {s.x, c}; return r; }
        int g(struct p a, struct p b) { return 10 * a.x + b.x; } int main(void) { RESULT(g(f(), f())); }""",
        {12, 21},
    ),
    "pointers": (
        """int a, b, n; int *f(void) { return n++ ? &b : &a; } int g(int *p, int *q) { *p = 1; *q = 2; return 10 * a + b; }
        int main(void) { RESULT(g(f(), f())); }""",
        {12, 21},
    ),
    "pointers as numbers": (
        """int a, n; int *f(void) { return n++ ? &a : 0; }
        int main(void) { RESULT((unsigned long)f() == (unsigned long)(f(), &a)); }""",
        {0, 1},
    ),
    "in memory": (
        "int f(int *p) { return ++*p; } int main(void) { int x = 0; RESULT(f(&x) * 10 + f(&x)); }",
        {12, 21},
    ),
    "statics of a function": ("int f(void) { static int n; return ++n; } int main(void) { RESULT(f() * 10 + f()); }", {12, 21}),
    "through a function that calls another": (
        COUNT + "int f(void) { return next(); } int main(void) { RESULT(f() * 10 + f()); }",
        {12, 21},
    ),
    "there is an order in &&, ||, ?: and with commas": (
        COUNT
        + """int main(void) { int a = (next() && next() == 2) ? next() : 0; a = (next(), 10 * a + next());
        RESULT(a == 35 ? c || next() : 0); }""",
        {1},
    ),
    "nothing to choose from": (COUNT + PLAIN + "int main(void) { RESULT(one() + two(c) + next()); }", {4, 5}),
    "calls that change nothing": (PLAIN + "int main(void) { RESULT(two(one()) * 10 + two(2)); }", {34}),
}


def results(text: str, *, words: bool = False, inline: bool = True) -> Iterator[Run]:
    whole = "static int result; void RESULT(int n) { result = n; __VERIFIER_error(); } " + text
    return executions(parse_c(whole.encode(), "p.c", words=words, inline=inline))


def computed(run: Run) -> int:
    value = int(run.values["result"])
    return value - (1 << 32) if value >> 31 == 1 else value


@pytest.mark.parametrize("words", [False, True], ids=["integers", "words"])
@pytest.mark.parametrize("name", RESULTS)
def test_every_order_is_in_the_graph(name: str, words: bool) -> None:
    text, wanted = RESULTS[name]
    found = list(results(text, words=words))
    assert {computed(run) for run in found} == wanted
    assert all(run.is_exact for run in found)


@pytest.mark.parametrize("name", ["operands", "pointers", "structures"])
def test_orders_of_calls_that_are_summaries(name: str) -> None:
    text, wanted = RESULTS[name]
    assert {computed(run) for run in results(text, inline=False)} == wanted


SEVERAL = {
    "three calls in a sum": COUNT + "int main(void) { RESULT(next() + 10 * next() + 100 * next()); }",
    "two reads and a call": COUNT + "int main(void) { RESULT(c + 10 * c + 100 * next()); }",
    "four arguments": COUNT
    + "int f(int a, int b, int d, int e) { return a; } int main(void) { RESULT(f(next(), next(), next(), next())); }",
    "the argument of a call": COUNT + "int f(int n) { return c += n; } int main(void) { RESULT(f(next()) + next()); }",
}


@pytest.mark.parametrize("name", SEVERAL)
def test_runs_do_not_count_where_there_are_too_many_orders(name: str) -> None:
    found = next(results(SEVERAL[name]))
    assert found.error is not None
    assert not found.is_exact


FAILS = {  # an order ends the run, another one fails
    "exit": "int f(void) { exit(0); return 0; } int g(void) { reach_error(); return 0; }",
    "assume": "int f(void) { __VERIFIER_assume(0); return 0; } int g(void) { reach_error(); return 0; }",
    "a loop": "int f(void) { while (1) { } return 0; } int g(void) { reach_error(); return 0; }",
    "recursion": "int f(void) { return f(); } int g(void) { reach_error(); return 0; }",
}


@pytest.mark.parametrize("name", FAILS)
def test_an_operand_that_ends_the_run_hides_no_error_of_another(name: str) -> None:
    text = f"{FAILS[name]} int main(void) {{ return f() + g(); }}"
    found = executions(parse_c(text.encode(), "p.c"))
    assert any((run.error or "").startswith("reach_error") for run in found)


@pytest.mark.parametrize(("claim", "is_known"), [("d == 3", True), ("c == 3", False), ("n == 6", False)])
def test_after_too_many_orders_only_what_no_function_changes_is_known(claim: str, is_known: bool) -> None:
    text = f"{COUNT} int d = 3; int main(void) {{ int n = next() + next() + next(); assert({claim}); }}"
    found = next(executions(parse_c(text.encode(), "p.c")))
    assert (found.error is None) == is_known
    assert not found.is_exact


def test_a_note_says_where_the_order_matters() -> None:
    program, _ = read_c((COUNT + "int main(void) {\n return next() - next(); }").encode(), "p.c")
    assert "note: operands at line 2 are evaluated in any order" in program.spelling.notes

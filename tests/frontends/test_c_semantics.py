"""C programs as the standard has them (section numbers of C11): executed on their graphs, with integers and with words."""

from __future__ import annotations

import pytest

from lemmata.config import COptions
from lemmata.frontends.c import parse_c
from tests.support.c_runs import Run, execute

BOTH = pytest.mark.parametrize("words", [False, True], ids=["integers", "words"])


def run(text: str, words: bool = False, inline: bool = True, options: COptions | None = None) -> Run:
    return execute(parse_c(text.encode(), "p.c", None, options, words=words, inline=inline))


def main(body: str) -> str:
    return f"int main(void) {{ {body} }}"


OWN = "void __VERIFIER_assert(int c) { if (!c) { ERROR: __VERIFIER_error(); } }\n"

HOLD = {  # nothing fails, and nothing is undefined
    "6.2.5p9: unsigned arithmetic is modulo": r"""
        int main(void) { unsigned x = 0; x--; assert(x == 4294967295u); x += 2; assert(x == 1);
        unsigned char c = 255; c++; assert(c == 0);assert(4294967295u + 1 == 0); assert(2u - 3 == 4294967295u);
        assert(65536u * 65536u == 0); }
    """,
    "signed arithmetic wraps, as with -fwrapv": r"""
        int main(void) { int x = 2147483647; x++; assert(x == -2147483647 - 1); assert(-x == x); }
    """,
    "6.3.1.1: promotions": r"""
        int main(void) { unsigned char a = 200, b = 100; assert(a + b == 300);
        assert((unsigned char)(a + b) == 44); signed char s = -1;assert(s == -1); assert((unsigned char)s == 255);
        assert(~a == -201); assert((a ^ ~a) == -1); assert(-a == -200); }
    """,
    "6.3.1.2: _Bool": r"""
        int main(void) { _Bool b = 256; assert(b == 1); b = 0; assert(!b); b--; assert(b == 1); b++; assert(b); }
    """,
    "6.3.1.3: conversions": r"""
        int main(void) { unsigned u = -1; assert(u == 4294967295u); int i = u; assert(i == -1); short s = 70000;
        assert(s == 4464);long l = u; assert(l == 4294967295L); l = i; assert(l == -1); unsigned long m = i;
        assert(m == 18446744073709551615ul);char c = 200; assert(c == -56); }
    """,
    "6.3.1.8: usual arithmetic conversions": r"""
        int main(void) { int i = -1; unsigned u = 1; assert(i > u); assert(-1 < 1l); assert(-1L < 1u);
        assert(!(-1 < 1u));unsigned char c = 1; assert(-1 < c); assert(sizeof(i + 1L) == 8);
        assert(sizeof(c + c) == 4); }
    """,
    "6.4.4.1: types of constants": r"""
        int main(void) { assert(sizeof(1) == 4); assert(sizeof(1L) == 8); assert(sizeof(2147483648) == 8);
        assert(sizeof(0x80000000) == 4);assert(0x80000000 > 0); assert(-2147483648 < 0); assert(010 == 8);
        assert(0b11 == 3); assert(1u - 2 > 0); }
    """,
    "6.4.4.4: characters": r"""
        int main(void) { assert('a' == 97); assert('\n' == 10); assert('\x41' == 65); assert('\101' == 65);
        assert('\0' == 0);assert('\377' == -1); assert(sizeof('a') == 4); }
    """,
    "6.5.2.4, 6.5.3.1: ++ and --": r"""
        int main(void) { int x = 1; int y = x++; assert(y == 1 && x == 2); y = ++x; assert(y == 3 && x == 3);
        y = x-- - 1; assert(y == 2 && x == 2);int a[2] = {5, 6}; int i = 0; assert(a[i++] == 5); assert(i == 1);
        a[i]--; assert(a[1] == 5); int *p = a; assert(*p++ == 5);assert(p == a + 1); assert((*p)++ == 5);
        assert(a[1] == 6); }
    """,
    "6.5.5: division truncates": r"""
        int main(void) { int a = -7, b = 2; assert(a / b == -3); assert(a % b == -1); assert(7 / -b == -3);
        assert(7 % -b == 1);assert(a / -b == 3); assert(a % -b == -1); unsigned u = a;
        assert(u / 2 == 2147483644u); assert((-7) / 2 == -3); }
    """,
    "6.5.7: shifts": r"""
        int main(void) { int a = 1, n = 4; assert(a << n == 16); a = -16; assert(a >> 2 == -4);
        unsigned u = 0x80000000; assert(u >> 31 == 1);assert(u << 1 == 0); unsigned char c = 255;
        assert(c << 4 == 4080); long l = 1; assert(l << 40 == 1099511627776);a = 1; a <<= 31; assert(a < 0); }
    """,
    "6.5.8, 6.5.9: comparisons are 0 or 1": r"""
        int main(void) { int a = 3, b = 4; assert((a < b) == 1); assert((a > b) + (a == b) == 0); int c = a < b;
        assert(c == 1); assert(1 < a < 2);assert((a < b) * 5 == 5); assert(-(a < b) == -1); }
    """,
    "6.5.10 to 6.5.12: bits": r"""
        int main(void) { int a = -2; unsigned u = 0xf0f0; assert((a & 7) == 6); assert((a | 1) == -1);
        assert((a ^ 1) == -1);assert((u & 0x0ff0) == 0x00f0); assert((u | 0x000f) == 0xf0ff);
        assert((u ^ 0xffff) == 0x0f0f);assert((u & ~0xf0u) == 0xf000); assert((~u & 0xffff) == 0x0f0f);
        assert((a & -4) == -4); }
    """,
    "6.5.13 to 6.5.15: the right side only if needed": r"""
        int main(void) { int x = 0; int y = 0; (x && (y = 1)); assert(y == 0); (x || (y = 2)); assert(y == 2);
        int z = x ? (y = 5) : (y = 6, 7);assert(y == 6 && z == 7); if (x == 0 && y++ == 6 && y == 7) z = 1;
        assert(z == 1); z = !x && !y; assert(z == 0);assert((1 ? -1 : 1u) > 0); x = y ? 3 : 4; assert(x == 3); }
    """,
    "6.5.16: assignments": r"""
        int main(void) { int a, b; a = b = 5; assert(a == 5 && b == 5); a += a; assert(a == 10); a -= 3; a *= 2;
        a /= 4; a %= 2; assert(a == 1);a <<= 3; a >>= 1; a |= 3; a ^= 1; a &= 6; assert(a == 6); unsigned char c;
        int d = (c = 300); assert(d == 44);c = 250; c += 10; assert(c == 4); long l = a = 7; assert(l == 7); }
    """,
    "6.5.17: comma": r"""
        int main(void) { int a, b = (a = 1, a + 1); assert(b == 2); for (a = 0, b = 9; a < b; a++, b--) ;
        assert(a == 5 && b == 4); }
    """,
    "6.7.2.1: structures": r"""
        struct in { char c; int a[2]; }; struct s { int x; struct in i; struct { long y; } j;
        } g = {1, {2, {3, 4}}, {5}};int main(void) { struct s t = g;
        assert(t.x == 1 && t.i.c == 2 && t.i.a[1] == 4 && t.j.y == 5); t.i.a[0] = 9; assert(g.i.a[0] == 3);g = t;
        assert(g.i.a[0] == 9); struct s u[2] = {{.x = 7}, {.j = {8}}};
        assert(u[0].x == 7 && u[1].j.y == 8);assert(u[1].x == 0); u[0].i = t.i; assert(u[0].i.a[0] == 9);
        assert(sizeof(struct s) == 24 && sizeof(struct in) == 12); }
    """,
    "6.7.2.2: enumerations": r"""
        enum e { A, B = 5, C, D = -1 };int main(void) { enum e x = C; assert(x == 6); assert(A == 0 && D == -1);
        switch (x) { case B: assert(0); case C: break; default: assert(0); } }
    """,
    "6.7.6.2: arrays": r"""
        int main(void) { int m[2][3] = {{1, 2, 3}, {4, 5}}; assert(m[1][1] == 5 && m[1][2] == 0);
        m[0][2] += m[1][0]; assert(m[0][2] == 7);int k[] = {1, 2, 3}; assert(sizeof(k) / sizeof(k[0]) == 3);
        int e[4] = {1, [2] = 5, 6}; assert(e[2] + e[3] == 11);int n = 3; int v[n]; v[0] = 1; v[n - 1] = 2;
        assert(v[0] + v[2] == 3); int q[2][2] = {1, 2, 3, 4}; assert(q[1][0] == 3); }
    """,
    "6.4.5: strings": r"""
        int main(void) { char s[] = "ab"; assert(sizeof(s) == 3 && s[1] == 98 && s[2] == 0); char *p = "xyz";
        assert(p[2] == 122 && p[3] == 0);int n = 0; for (char *q = p; *q; q++) n++; assert(n == 3);
        char t[5] = "a"; assert(t[4] == 0); }
    """,
    "6.5.3.2, 6.5.6: pointers": r"""
        int main(void) { int x = 1, y = 2; int *p = &x; *p = 5; assert(x == 5); p = &y; ++*p; assert(y == 3);
        int **q = &p; **q = 9; assert(y == 9);int a[4] = {1, 2, 3, 4}; p = a + 1;
        assert(p[1] == 3 && *(p - 1) == 1 && 2[p] == 4); assert(&a[3] - p == 2);
        assert(p < &a[2]);assert(p != 0 && p); p = 0; assert(!p && p == (void *)0); int *e = &a[4];
        assert(e - a == 4); }
    """,
    "pointers to structures": r"""
        struct n { int v; struct n *next; };int main(void) { struct n a = {1, 0}, b = {2, &a}, *p = &b;
        assert(p->next->v == 1); p->next->v = 7; assert(a.v == 7); p = p->next; assert(!p->next);int s = 0;
        for (p = &b; p; p = p->next) s += p->v; assert(s == 9); struct n c = *b.next; assert(c.v == 7); }
    """,
    "7.22.3: malloc, calloc, free": r"""
#include <stdlib.h>
        int main(void) { int *p = malloc(3 * sizeof(int)); p[0] = 1; p[2] = 3; int *q = malloc(4); *q = 5;
        assert(p[0] == 1 && p[2] == 3 && *q == 5);assert(p != q); free(p); long *r = calloc(2, 8);
        assert(r[1] == 0); free(0); }
    """,
    "6.8.4.2: switch": r"""
        int main(void) { int n = 0; for (int i = 0; i < 5; i++) switch (i) { case 1: n += 10; case 2: n += 1;
        break; case 3: { case 4: n += 100; } }assert(n == 212); switch (3) { default: n = 0; } assert(n == 0);
        switch (2) { case 1: n = 5; } assert(n == 0); }
    """,
    "6.8.5: loops": r"""
        int main(void) { int n = 0, i = 0; do { n++; if (n == 2) continue; if (n > 3) break; } while (n < 10);
        assert(n == 4); while (1) { if (++i > 3) break; }assert(i == 4); for (i = 0; i < 3;
        i++) { if (i == 1) continue; n++; } assert(n == 6); for (;;) goto out; out: assert(1); }
    """,
    "6.8.6.1: goto": r"""
        int main(void) { int n = 0; again: n++; if (n < 3) goto again; { goto in; n = 100; in: n++;
        } assert(n == 4); }
    """,
    "6.9.1: functions": r"""
        static int count; int next(void) { static int n = 5; count++; return n++;
        } void set(int *p, int v) { *p = v; }int sum(int a[], int n) { int s = 0; while (n--) s += *a++; return s;
        } long big(char c) { return c; }struct p { int x, y; };
        struct p swap(struct p a) { struct p b = {a.y, a.x}; a.x = 0; return b;
        }int main(void) { assert(next() == 5 && next() == 6 && count == 2); int x; set(&x, 3); assert(x == 3);
        int a[3] = {1, 2, 3};assert(sum(a, 3) == 6); assert(big(300) == 44); struct p q = {1, 2}; q = swap(q);
        assert(q.x == 2 && q.y == 1);assert(next() + next() * 10 == 87); }
    """,
    "recursion": r"""
        int f(int n) { int own = n; int *p = &own; if (n > 0) f(n - 1); return *p;
        }int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int odd(int);
        int even(int n) { return n ? odd(n - 1) : 1; }int odd(int n) { return n ? even(n - 1) : 0;
        }int main(void) { assert(fib(7) == 13); assert(f(3) == 3); assert(even(6) && odd(3)); }
    """,
    "6.3.2.3p8: pointers to functions": r"""
        int inc(int x) { return x + 1; } int dec(int x) { return x - 1;
        } int (*table[2])(int) = {inc, dec};int twice(int (*f)(int), int x) { return f((*f)(x));
        }int main(void) { assert(twice(inc, 3) == 5); assert(twice(&dec, 3) == 1); assert(table[1](1) == 0);
        int (*p)(int) = table[0]; assert(p != dec); }
    """,
    "6.2.1: scopes": r"""
        int x = 1;int main(void) { assert(x == 1); int y = x; { int x = 2; y += x; { int x = 3; y += x;
        } } assert(y == 6); for (int x = 0; x < 1; x++) ; assert(x == 1); }
    """,
    "6.9.2: globals start as zero": r"""
        int a; int b[3]; struct { int c; int *p; } s; int d = 2 + 3; int *q = &d;
        extern int a;int main(void) { assert(a == 0 && b[2] == 0 && s.c == 0 && !s.p && d == 5); *q = 6;
        assert(d == 6); }
    """,
    "6.7.7: typedef, qualifiers": r"""
        typedef unsigned char byte; typedef struct t { byte b; } t;
        typedef int row[2];int main(void) { const byte x = 300; t y = {x}; assert(y.b == 44); row r = {1, 2};
        assert(r[1] == 2); volatile int v = 3; register int w = v; assert(w == 3); }
    """,
    "macros": r"""
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef NO
#error no
#else
#define K 3
#endif
#include <limits.h>
#include <stdint.h>
        int main(void) { assert(MAX(K, 2) == 3); assert(INT_MAX + 1u == 2147483648u); uint8_t x = UINT8_MAX;
        assert((uint8_t)(x + 1) == 0); }
    """,
    "6.7.10: static_assert": r"""
        int main(void) { _Static_assert(sizeof(int) == 4, "four"); }
    """,
}

FAIL = {  # the property that fails
    "assert": (main("assert(1 == 2);"), "assert at line 1"),
    "reach_error": ("void reach_error(void) { assert(0); }" + main("if (1) reach_error();"), "reach_error at line 1"),
    "__VERIFIER_error": (main("__VERIFIER_error();"), "__VERIFIER_error at line 1"),
    "sassert": (main("sassert(0);"), "assert at line 1"),
    "__VERIFIER_assert": (main("__VERIFIER_assert(0);"), "assert at line 1"),
    "an own __VERIFIER_assert": (OWN + main("__VERIFIER_assert(0);"), "__VERIFIER_error at line 1"),
    "a label ERROR": (main("ERROR: return 1;"), "ERROR at line 1"),
    "static_assert": (main('_Static_assert(1 > 2, "no");'), "static_assert at line 1"),
    "__assert_fail": (main('__assert_fail("x", "f", 1, "g");'), "assert at line 1"),
}

END = {  # the run ends before the error
    "assume": main("__VERIFIER_assume(0); assert(0);"),
    "assume by another name": main("assume(1 > 2); assert(0);"),
    "__CPROVER_assume": main("__CPROVER_assume(0); assert(0);"),
    "abort": main("abort(); assert(0);"),
    "exit": main("exit(1); assert(0);"),
    "return": main("return 0; assert(0);"),
    "assert with NDEBUG": "#define NDEBUG\n#include <assert.h>\n" + main("assert(0);"),
}

UNDEFINED = {  # what comes after it does not count
    "6.5.5p5: division by zero": main("int x = 0; int y = 1 / x; assert(0);"),
    "6.5.5p6: an overflow in a division": main("int x = -2147483647 - 1, y = -1; int z = x / y; assert(0);"),
    "6.5.7p3: a shift by too much": main("int x = 32; int y = 1 << x; assert(0);"),
    "6.5.6p8: an index out of bounds": main("int a[2] = {0}; int i = 2; a[i] = 1; assert(0);"),
    "a null pointer": main("int *p = 0; *p = 1; assert(0);"),
    "a freed object": "#include <stdlib.h>\n" + main("int *p = malloc(4); free(p); *p = 1; assert(0);"),
    "6.2.4p2: an object that has ended": "int *f(void) { int x = 1; return &x; }" + main("int *p = f(); *p = 2; assert(0);"),
    "floating point": main("double x = 1.5; if (x > 1) assert(0);"),
    "pointers to different objects": main("int a, b; if (&a < &b) ; assert(0);"),
    "a number as an address": main("int x = 5; int *p = (int *)x; assert(0);"),
    "an address as a number": main("int x; long n = (long)&x; assert(0);"),
    "a function of libc that is not told": "#include <stdlib.h>\n" + main("int x = atoi(0); assert(0);"),
}


@BOTH
@pytest.mark.parametrize("name", HOLD)
def test_what_the_standard_says_holds(name: str, words: bool) -> None:
    found = run(HOLD[name], words)
    assert (found.error, found.is_exact) == (None, True)


@pytest.mark.parametrize("name", ["6.9.1: functions", "recursion", "6.3.2.3p8: pointers to functions"])
def test_calls_as_summaries_mean_the_same(name: str) -> None:
    assert run(HOLD[name], inline=False).error is None


@pytest.mark.parametrize("name", HOLD)
def test_runs_come_to_their_end(name: str) -> None:
    text = HOLD[name].rstrip()
    assert run(f"{text[:-1]} __VERIFIER_error(); }}").error is not None


@pytest.mark.parametrize("name", FAIL)
def test_errors_are_errors(name: str) -> None:
    text, error = FAIL[name]
    found = run(text)
    assert (found.error, found.is_exact) == (error, True)


@pytest.mark.parametrize("name", END)
def test_runs_end(name: str) -> None:
    assert run(END[name]).error is None


@BOTH
@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined_behaviour_does_not_count(name: str, words: bool) -> None:
    found = run(UNDEFINED[name], words)
    assert found.error is None or not found.is_exact


def test_memory_is_checked_if_asked() -> None:
    options = COptions(check=("memory",))
    for body in ("int a[2]; int i = 2; a[i] = 1;", "int *p = 0; *p = 1;", "int a[2]; int *p = a - 1; int x = *p;"):
        assert run(main(body), options=options).error == "memory at line 1"
    assert run(main("int a[2]; a[1] = 1; int *p = a; p[1] = 2;"), options=options).error is None


def test_the_data_model_tells_sizes() -> None:
    body = main("assert(sizeof(long) == N && sizeof(int *) == N); long x = 2147483647; x++; assert((x > 0) == (N == 8));")
    for model, size in (("LP64", 8), ("ILP32", 4)):
        options = COptions(data_model=model, defines=(f"N={size}",))  # type: ignore[arg-type]
        assert run(body, options=options).error is None
    pair = "struct s { char c; long long x; };" + main("assert(sizeof(struct s) == N);")
    assert run(pair, options=COptions(data_model="ILP32", defines=("N=12",))).error is None
    assert run(pair, options=COptions(defines=("N=16",))).error is None


def test_unbounded_arithmetic_is_that_of_mathematics() -> None:
    options = COptions(arithmetic="unbounded")
    body = main(
        "int x = 2147483647; x++; assert(x > 0); unsigned y = 0; y--; assert(y < 0); assert(-7 / 2 == -3 && -7 % 2 == -1);"
    )
    assert run(body, options=options).error is None


@pytest.mark.parametrize("words", [False, True])
def test_overflow_is_asserted_if_asked(tmp_path, words: bool) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "no-overflow.prp"
    file.write_text("CHECK( init(main()), LTL(G ! overflow) )")
    options = COptions(property_file=str(file))
    most = "int x = 2147483647; unsigned u = 4294967295u; long l = x; char c = 127;"
    for bad in ("x + 1", "-x - 2", "x * 2", "x << 1", "(-x - 1) / -1", "-(-x - 1)", "x++", "-1 << 1"):
        assert run(main(f"{most} {bad};"), words, options=options).error == "overflow at line 1", bad
    for good in ("x - 1", "u + 1", "u++", "l + 1", "c + 1", "c++", "-x", "x / 2", "l << 31", "assert(0)"):
        assert run(main(f"{most} {good};"), words, options=options).error is None, good


def test_every_call_of_one_assert_is_one_property() -> None:
    graph = parse_c((OWN + main("__VERIFIER_assert(1); __VERIFIER_assert(2);")).encode(), "p.c")
    assert [p.name for p in graph.questions] == ["__VERIFIER_error at line 1"]


def test_bits_of_two_variables_want_words_and_masks_do_not() -> None:
    def sorts(body: str) -> set[str]:
        graph = parse_c(main(f"unsigned x = nondet(), y = nondet(); {body} assert(x);").encode(), "p.c")
        return {str(v.sort) for place in graph.locations for v in place.variables}

    assert sorts("x = x & 0xff; x = x << 3;") == {"Int"}
    assert "Int" not in sorts("x = x & y;")


def test_functions_that_nobody_defines_return_anything() -> None:
    graph = parse_c(b"int f(void); unsigned char g(int); int main(void) { if (f() == 7 && g(1) == 200) assert(0); }", "p.c")
    assert not graph.origin.inexact
    assert any("f" in str(v) for edge in graph.edges for v in edge.inputs)

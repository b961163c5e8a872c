"""Generic selections, and what GNU C adds to expressions and statements: executed on their graphs, compared with gcc."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lemmata.config import COptions
from lemmata.errors import InputError
from lemmata.frontends.c import parse_c
from tests.support.c_runs import Run, execute, executions

WAYS = pytest.mark.parametrize(("words", "inline"), [(False, True), (True, True), (False, False)])
START = "#include <assert.h>\n"

HOLD = {  # nothing fails, and nothing is undefined
    "a ?: b": r"""
        int n; int next(void) { return ++n; } int *at(int k) { static int v = 7; return k ? &v : 0; }
        int main(void) { int a = 0, b = 5, d = 9, e[2] = {1, 2}; assert((a ?: 3) == 3 && (b ?: 3) == 5);
        assert((next() ?: 100) == 1 && n == 1); assert(*(at(0) ?: &d) == 9 && *(at(1) ?: &d) == 7);
        assert((-1 ?: 1u) > 0 && (0 ?: -1) < 0 && (0u ?: -1) > 0); assert(sizeof(1 ?: 1L) == 8 && (a ?: b ?: 1) == 5);
        assert((a++ ?: a) == 1 && a == 1); assert((a++ ?: a) == 1 && a == 2); assert(e[a - 2 ?: 1] == 2);
        unsigned char c = 200; assert((c ?: 1) << 1 == 400); int f[0 ?: 3]; assert(sizeof f == 12);
        a = 0; assert((a ?: (b = 8)) == 8 && b == 8); _Bool t = 5 ?: 0; assert(t == 1); }
    """,
    "ranges of cases": r"""
        int f(int x) { switch (x) { case 1 ... 5: return 1; case 6: return 2; case 10 ... 10: return 3;
        case 20 ... 12: return 4; case -5 ... -1: return 5; default: return 6; } }
        int h(unsigned u) { switch (u) { case 0x80000000 ... 0xffffffff: return 1; case 0 ... 9: return 2; } return 3; }
        int l(int x) { int r = 0; switch (x) { case 1 ... 3: r += 1; case 7 ... 9: r += 10; break;
        case 4 ... 6: default: r += 100; } return r; }
        int m(long v) { switch (v) { case 0x100000000 ... 0x200000000: return 1; } return 0; }
        int main(void) { assert(f(1) == 1 && f(5) == 1 && f(6) == 2 && f(10) == 3); assert(f(15) == 6 && f(20) == 6);
        assert(f(-3) == 5 && f(0) == 6); assert(h(-1) == 1 && h(5) == 2 && h(10) == 3);
        assert(l(2) == 11 && l(8) == 10 && l(5) == 100 && l(50) == 100); assert(m(0x180000000) == 1 && m(1) == 0); }
    """,
    "parts of compound literals": r"""
        struct P { int x, y; int a[2]; };
        int main(void) { int k = 3; assert(((struct P){1, 2}.y == 2)); assert(((struct P){.a = {4, k}}.a[1] == 3));
        assert(((int[]){5, 6, 7}[k - 1] == 7)); assert((sizeof (int[]){1, 2} == 8 && sizeof (struct P){1}.a == 8));
        assert(((char[]){"abc"}[1] == 'b')); assert(((int){4}++ == 4 && ++(int){4} == 5));
        assert(((&(struct P){8, 9})->y == 9)); int *p = &(struct P){1, 2, {3, 4}}.a[1]; assert(*p == 4); }
    """,
    "typeof": r"""
        #define swap(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
        #define container_of(p, t, m) ({ const typeof(((t *)0)->m) *m_ = (p); (t *)((char *)m_ - __builtin_offsetof(t, m)); })
        struct S { int a; short b; char c[3]; struct S *n; }; int f(char c, long l) { return c + l; } typeof(f) *pf = f;
        typeof(int) g = 4; typeof(g) h = 5; typedef typeof((char)1) T; typeof(int[3]) arr; typeof(&g) gp = &g;
        struct Q { typeof(g) x; typeof(((struct S *)0)->b) y; }; int ff(typeof(g) x, typeof(gp) y) { return x + *y; }
        int n; int side(void) { return ++n; }
        int u1(typeof(g), typeof(&g)); int u1(int x, int *y) { return x + *y; }
        typeof(g) made(void) { return (typeof(g) (*)(typeof(g)))0 == 0; }
        int main(void) { assert(u1(1, &g) == 5 && made() == 1);
        assert(pf(1, 2) == 3 && g + h == 9); assert(sizeof(T) == 1 && sizeof arr == 12 && *gp == 4);
        assert(sizeof(struct Q) == 8 && ff(1, &h) == 6); unsigned char u = 255; typeof(u) v = u + 1; assert(v == 0);
        typeof(u + 0) w = u + 1; assert(w == 256); int i = 1, j = 2; swap(i, j); assert(i == 2 && j == 1);
        typeof(side()) y = 3; assert(n == 0 && y == 3); typeof(i++) q = 1; assert(i == 2 && q == 1);
        struct S s = {1, 2, "ab", 0}; assert(container_of(&s.b, struct S, b)->a == 1); typeof(s.c) c = {1, 2, 3};
        assert(sizeof c == 3 && c[2] == 3); assert((typeof(u))300 == 44 && (typeof(s.b))70000 == 4464);
        typeof("abc") str = "xyz"; assert(sizeof str == 4 && str[2] == 'z'); typeof(i) *a = &i, b = 7; assert(*a + b == 9); }
    """,
    "statements in expressions": r"""
        #define least(a, b, c) ({ int m_ = (a); if ((b) < m_) m_ = (b); if ((c) < m_) m_ = (c); m_; })
        int n; int next(void) { return ++n; } struct P { int x, y; };
        int sum(int *a, int k) { return ({ int s = 0; for (int i = 0; i < k; i++) s += a[i]; s; }); }
        int rec(int k) { return ({ int r = k; if (k > 0) r += rec(k - 1); r; }); }
        int changed(int q) { int z = ({ q = 5; q; }); return q + z; } int stepped(int q) { ({ q++; }); return q; }
        int main(void) { int a[3] = {1, 2, 3}, x = 1; assert(({ int x = 4; x * 2; }) + 1 == 9); assert(sum(a, 3) == 6);
        assert(least(4, next(), 9) == 2 && n == 2); assert(({ int x = 5; x; }) + x == 6); x = ({ int y = x + 1; y * y; });
        assert(x == 4); ({ x = 9; }); assert(x == 9); assert(({ x = 2; x + 1; }) == 3);
        struct P p = ({ struct P q = {1, 2}; q; });
        assert(p.y == 2 && ({ p; }).x == 1); assert(({ int k = 0; while (k < 5) { k++; if (k == 3) break; } k; }) == 3);
        assert(0 || ({ n; }) == 2); assert(!(0 && ({ n = 77; 1; })) && n == 2); assert(rec(4) == 10); int i = 0;
        while (({ i++; i < 4; })) ; assert(i == 4); assert(changed(1) == 10 && stepped(1) == 2);
        assert(sizeof(({ (char)1; })) == 1); assert(({ unsigned char c = 255; c; }) + 1 == 256); assert(({ a; })[2] == 3);
        assert(({ static int s = 4; s++; }) == 4); assert(a[({ 2; })] == 3); a[({ i = 1; i; })] = 50; assert(a[1] == 50); }
    """,
    "statements in expressions, one in the other": r"""
        #define MIN(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); (void)(&_x == &_y); _x < _y ? _x : _y; })
        #define FIRST(l, p) ({ struct N *r_ = 0; for (struct N *i = (l); i; i = i->n) if (p(i->v)) { r_ = i; break; } r_; })
        struct N { int v; struct N *n; }; int g; int odd(int x) { return x & 1; }
        int deep(int k) { return k <= 0 ? 0 : ({ int t = k; int *p = &t; *p += deep(k - 1); t; }); }
        int f(int x) { switch (({ int y = x + 1; y; })) { case 1 ... 3: return ({ int z = x; z * 10; }); default: ; }
        do { x--; } while (({ int t = x; t > 0; })); return x; }
        int main(void) { int i = 3, j = 7; assert(MIN(i++, j--) == 3 && i == 4 && j == 6); assert(MIN(MIN(9, i), j) == 4);
        struct N c = {5, 0}, b = {4, &c}, a = {2, &b}; assert(FIRST(&a, odd)->v == 5); assert(deep(4) == 10);
        int r[3] = {1, 2, 3}; for (int k = 0; k < 3; k++) { int *p = ({ int z = k * 2; g = z; &r[k]; }); *p += g; }
        assert(r[0] == 1 && r[1] == 4 && r[2] == 7); assert(({ struct N t = a; t.v = 9; t; }).v + a.v == 11);
        assert(f(0) == 0 && f(2) == 20 && f(5) == 0); unsigned u = ({ -1; }); assert(u > 0 && ({ char c = 200; c; }) < 0); }
    """,
    "ranges of elements": r"""
        int a[10] = {[2 ... 4] = 7, 8, [8 ... 8] = 9};
        struct S { int v[3]; char t[2][4]; } s = {.v[1 ... 2] = 5, .t[0 ... 1] = "ab"};
        int m[][2] = {[0 ... 2] = {1, 2}, [1][0 ... 1] = 6}, n[4] = {[0 ... 3] = 1, [1] = 2}; enum { A, B, C };
        int main(void) { int k = 3; assert(a[1] == 0 && a[2] == 7 && a[4] == 7 && a[5] == 8 && a[8] == 9 && a[9] == 0);
        assert(s.v[0] == 0 && s.v[1] == 5 && s.v[2] == 5 && s.t[1][1] == 'b'); assert(sizeof m == 24 && m[1][1] == 6);
        assert(m[2][1] == 2 && n[0] + n[1] + n[3] == 4); int q[3] = {[A ... B] = k + 1, [C] = k};
        assert(q[1] == 4 && q[2] == 3); }
    """,
    "6.5.1.1: generic selections": r"""
        #define T(x) _Generic((x), char: 1, signed char: 2, unsigned char: 3, short: 4, unsigned short: 5, int: 6, \
            unsigned: 7, long: 8, unsigned long: 9, long long: 10, float: 12, double: 13, _Bool: 15, default: 16)
        struct S { int a; } s; enum E { A }; int n; int f(int x) { return x + 1; } long g(long x) { return x + 2; }
        #define call(x) _Generic((x), int: f, long: g)(x)
        int side(void) { n++; return 1; } int given(int q) { _Generic(q, int: q) = 4; return q; }
        int main(void) { char c = 0; signed char sc = 0; unsigned char uc = 0; const int ci = 1; _Bool b = 0; enum E e = A;
        assert(T(c) == 1 && T(sc) == 2 && T(uc) == 3 && T(c + c) == 6); assert(T('a') == 6 && T(1u) == 7 && T(1LL) == 10);
        assert(T(1.f) == 12 && T(1.) == 13 && T(b) == 15 && T(!b) == 6); assert(T(ci) == 6 && T(e) == 7 && T(A) == 6);
        assert(T(s) == 16 && _Generic(s, struct S: 3) == 3); assert(call(1) == 2 && call(1L) == 3);
        assert(_Generic(side(), int: n, default: 9) == 0 && n == 0); int x = 3; _Generic(x, int: x) = 8; assert(x == 8);
        assert(given(1) == 4); int *p = &x; assert(_Generic(p, int: 1, default: 2) == 2); }
    """,
    "the alignment of expressions": r"""
        struct S { char c; double d; }; int main(void) { short s; int a[3]; struct S t; assert(__alignof__(s) == 2);
        assert(_Alignof(a) == 4 && __alignof__ t == 8 && __alignof__(double) == 8); }
    """,
}


def run(text: str, words: bool = False, inline: bool = True) -> Run:
    return execute(parse_c((START + text).encode(), "p.c", words=words, inline=inline))


@WAYS
@pytest.mark.parametrize("name", HOLD)
def test_what_the_manual_says_holds(name: str, words: bool, inline: bool) -> None:
    found = run(HOLD[name], words, inline)
    assert (found.error, found.is_exact) == (None, True)


@pytest.mark.parametrize("name", HOLD)
def test_each_assertion_fails_where_it_is_negated(name: str) -> None:
    parts = HOLD[name].split("assert(")
    for number in range(1, len(parts)):
        condition = _condition(parts[number])
        text = "assert(".join([*parts[:number], f"!({condition})" + parts[number][len(condition) :], *parts[number + 1 :]])
        found = run(text)
        assert found.error is not None and found.is_exact, condition


def _condition(text: str) -> str:
    """What is in the parentheses that are open at the start."""
    depth = 1
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return text[:at]
    raise AssertionError(text)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_gcc_agrees(tmp_path: Path) -> None:
    for number, text in enumerate(HOLD.values()):
        source, program = tmp_path / f"{number}.c", tmp_path / str(number)
        source.write_text(START + text)
        subprocess.run(["gcc", "-std=gnu11", "-w", "-fwrapv", "-m64", str(source), "-o", str(program)], check=True)
        assert subprocess.run([str(program)], capture_output=True).returncode == 0, text


def main(body: str) -> str:
    return f"int main(void) {{\n  {body}\n}}\n"


REFUSED = {
    main("int x = ({ return 1; 2; });"): "p.c:2:14: a jump out of statements in an expression is not supported",
    main("for (;;) ({ break; });"): "p.c:2:15: a jump out of statements in an expression is not supported",
    main("int x = ({ l: 2; });"): "p.c:2:14: a jump out of statements in an expression is not supported",
    "int x = ({ 1; });" + main("return x;"): "p.c:1:9: statements in expressions are for functions",
    main("int x = ({ int y = 1; });"): "p.c:2:7: a value of type void is not converted to int",
    main("int x = _Generic(1L, int: 1);"): "p.c:2:11: this _Generic has nothing for long",
    main("int x = _Generic(1, int: 1, signed: 2);"): "p.c:2:11: two types of this _Generic are the same",
    main("int x = _Generic(1, default: 1, default: 2);"): "p.c:2:11: two types of this _Generic are the same",
    main('int x = _Generic("a", const char *: 1, default: 2);'): "p.c:2:11: _Generic that chooses by a pointer is not supp",
    main("switch (3) { case 1 ... 5: case 3: ; }"): "p.c:2:30: this switch has two cases 3",
    main("switch (3) { case 1 ... 5: ; case 5 ... 7: ; }"): "p.c:2:32: this switch has two cases 5",
    main("int x = 1; (x ?: x) = 3;"): "p.c:2:15: this is no place to store something",
    "struct S { int a : 3; } s;" + main("typeof(s.a) x;"): "p.c:2:3: a bit-field has no type of its own",
    main("int a[3] = {[2 ... 1] = 1};"): "p.c:2:7: this designator is no range of indices",
    main("int a[3] = {[1 ... 3] = 1};"): "p.c:2:7: this designator is no index of the array",
    main("int x = 0, a[3] = {[0 ... 2] = x++};"): "p.c:2:14: a range of elements beside side effects is not supported",
    "struct S { typeof(1); };" + main(""): "p.c:1:12: this declares nothing",
    main("typeof(1);"): "p.c:2:3: this declares nothing",
    main("typeof(1) *;"): "p.c:2:13: invalid declarator",
    main("int typeof(1);"): "p.c:2:7: this declares nothing",
    "struct S { typeof(1) * ; };" + main(""): "p.c:1:22: invalid declarator",
    "struct S { typeof(1) : 3; int n; };" + main(""): "p.c:1:12: this declares nothing",
    main("typeof(y) x;"): "p.c:2:10: 'y' is not declared",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_meaning_is_refused_with_a_place(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_c(text.encode(), "p.c")
    assert str(error.value).startswith(REFUSED[text])


def test_what_is_unsequenced_beside_statements_does_not_count() -> None:
    assert not run("int main(void) { int x = 1; int r = x + ({ x = 5; x; }); assert(r == 7); }").is_exact
    assert run("int main(void) { int x = 1; int r = ({ int x = 7; x = 5; x; }) + x; assert(r == 6); }").is_exact


def test_calls_come_before_or_after_statements_in_an_expression() -> None:
    text = "int g; int f(void) { return g; } int main(void) { int r = f() + ({ g = 1; 10; }); assert(r == 11); }"
    found = list(executions(parse_c((START + text).encode(), "p.c")))
    assert {found.error is None for found in found} == {True, False} and all(run.is_exact for run in found)


def test_preferred_alignments_are_those_of_the_data_model() -> None:
    text = START + "int main(void) { assert(__alignof__(double) == 8 && _Alignof(double) == 4 && __alignof__(long) == 4); }"
    assert execute(parse_c(text.encode(), "p.c", None, COptions(data_model="ILP32"))).error is None

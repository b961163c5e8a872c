"""Objects of C as bytes, unions, structures by value, initialisers, libc and calls: executed on their graphs.

``python -m tests.frontends.test_c_objects`` compiles the programs with gcc and its sanitizers: what shall hold must hold there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lemmata.config import COptions
from lemmata.errors import Unsupported
from lemmata.frontends.c import parse_c
from lemmata.frontends.c.graph import read_c
from tests.support.c_runs import Run, execute

BOTH = pytest.mark.parametrize("words", [False, True], ids=["integers", "words"])
INCLUDES = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n"


def run(text: str, words: bool = False, inline: bool = True, options: COptions | None = None) -> Run:
    return execute(parse_c((INCLUDES + text).encode(), "p.c", None, options, words=words, inline=inline))


HOLD = {  # nothing fails, and nothing is undefined
    "6.3.1.1p2: the width of a bit-field decides what it is promoted to, as with gcc": r"""
        struct S { long a : 20; unsigned long b : 20, d : 32; long c : 32; unsigned long long e : 31; };
        struct S x = {-1, -1, -1, -1, -1};
        int main(void) { assert(x.a < 0u == 0 && x.b - 1048576 < 0 && ~x.b < 0); assert(x.d + 1 == 0 && -x.d == 1);
        assert(x.d << 4 == 4294967280u && x.d * x.d == 1 && x.d > -1L && x.d == -1); assert(x.c > 0u && x.c == -1u);
        assert(sizeof(+x.d) == 4 && sizeof(x.c + 0) == 4 && -x.e < 0); long l = x.d + x.d; assert(l == 4294967294);
        x.d = 5; l = x.d - 6; assert(l == 4294967295); assert((x.d = -1) + 1 == 0);
        x.c = 2147483647; assert(x.c++ > 0 && x.c < 0); }
    """,
    "6.2.7: declarations of the same thing": r"""
        extern int a[]; int a[3]; int f(); int f(int x) { return x; } int f(int); enum { K } k; typedef int T; extern T z;
        int z = 1; int z; struct S; extern struct S q; struct S { int n; }; struct S q = {2}; void h(struct S *);
        void h(struct S *p) { p->n++; } int main(void) { h(&q); assert(q.n + z + f(1) == 5 && sizeof a == 12 && k == K); }
    """,
    "6.6: constants that a conversion changes": r"""
        enum { E = (unsigned char)-1, F = (signed char)200 }; _Static_assert(-1 > 0u, ""); int a[(unsigned char)258];
        _Static_assert((_Bool)7 == 1 && (unsigned)-1 >> 31 == 1 && (long)(int)0x80000000 < 0, "");
        int main(void) { int n = 0; switch (65535) { case (unsigned short)-1: n = 1; }
        assert(n == 1 && E == 255 && F == -56 && sizeof a == 8); }
    """,
    "6.7.3p9: what is const, and what is not": r"""
        typedef const int number; typedef const char *text; struct S { int *const p; const int n; };
        int main(void) { int x = 1, y[2] = {0}; struct S s = {y, 3}; s.p[1] = 2; *s.p = 4; assert(y[0] + y[1] == 6);
        text t = "a"; t = "b"; assert(*t == 'b'); number z = 5; const number *q = &z; q = &s.n; assert(*q == 3 && z + x == 6);
        const int *r = &x; r++; struct S *u = &s; u->p[0]++; u++; assert(y[0] == 5); }
    """,
    "6.8.4.2p5: a case is converted to the promoted type of its switch": r"""
        int main(void) { int a = 0; long b = -1; switch (b) { case 0xffffffffffffffff: a = 1; break; default: a = 2; }
        assert(a == 1); int i = -1; switch (i) { case 0xffffffffu: a = 3; } assert(a == 3); unsigned char c = 255;
        switch (c) { case -1: a = 4; break; case 255: a = 5; } assert(a == 5); }
    """,
    "6.5.6p8: elements of arrays in objects, and the end of one": r"""
        struct S { int a[3]; int b; }; struct F { int n; int a[0]; };
        int main(void) { struct S s = {{1, 2, 3}, 4}, *p = &s; int n = 0; for (int i = 0; i < 3; i++) n += p->a[i];
        assert(n == 6); int k = 3, *end = &p->a[k]; assert(end - p->a == 3); int m[2][3] = {{1}, {4}}, (*q)[3] = m;
        k = 1; q += k; assert(*q[k - 1] == 4); struct F *f = malloc(sizeof *f + 8); f->a[k] = 7; assert(f->a[k] == 7); }
    """,
    "6.7.9p4: the values of globals that are made of values of others": r"""
        struct P { int x, y; }; struct P first = (struct P){7, 8}; struct Q { struct P p; int n; } q = {(struct P){1, 2}, 3};
        int *array = (int[]){4, 5}; struct P *pointer = &(struct P){9, 10};
        static const int five; int six = 6, *where = &six; char letter = "abc"[1];
        int main(void) { assert(first.x == 7 && first.y == 8); assert(q.p.x == 1 && q.p.y == 2 && q.n == 3);
        assert(array[1] == 5 && pointer->y == 10 && *where == 6 && letter == 'b');
        static struct P own = (struct P){11, 12}; assert(own.y == 12 && !five); }
    """,
    "an assignment to memory is worth what it wrote, however often that is read": r"""
        struct s { int c; };
        struct n { struct n *n; };
        union u { int i; unsigned j; };
        int add(int *p, int d) { return *p += d; }
        int release(struct s *r) { if ((r->c -= 1) == 0) return 1; return 0; }
        int main(void) { int x = 5, *p = &x; assert(add(&x, 3) == 8); assert((*p += 3) == 11 && x == 11);
        assert((*p = *p + 1) + 1 == 13); long l = 5, *q = &l; assert((int)(*q += 3) == 8);
        union u u; u.i = 1; int r = (u.i += 3); assert(r == 4); struct s s = {2}; assert(!release(&s) && release(&s));
        struct n a = {0}, b = {&a}; struct n *h = &b, **w = &h; struct n *t = *w = (*w)->n; assert(t == &a && h == &a);
        int *m = malloc(8); m[0] = 1; m[1] = 2; r = (m[0] = m[0] + m[1]); assert(r == 3); }
    """,
    "an assignment to an element is worth what it wrote, also where the index reads it": r"""
        int main(void) { int a[2] = {1, 2}, i = 0; int r = (a[i] += 3); assert(r == 4); r = a[i] = a[i] + 1; assert(r == 5);
        int m[2][2] = {{1, 2}, {3, 4}}; r = m[1][0] += m[0][1]; assert(r == 5);
        int v[3] = {0, 7, 9}; r = ++v[v[0]]; assert(r == 1 && v[0] == 1 && v[1] == 7);
        int w[2] = {0, 7}; r = (w[w[i]] = 1); assert(r == 1); int *p = w; r = (*p++ += 5); assert(r == 6 && *p == 7);
        unsigned char c[2] = {250}; r = (c[0] += 10); assert(r == 4); int x, y; x = y = a[1] *= 2; assert(x == 4 && y == 4); }
    """,
    "calloc is zero for whatever is read first": r"""
        struct n { int v; struct n *next; char c[3]; };
        int main(void) { struct n *p = calloc(2, sizeof *p); assert(p[1].v == 0 && !p->next && p->c[2] == 0);
        char *s = calloc(4, 1); assert(s[3] == 0); long *l = calloc(1, 8); assert(*l == 0); }
    """,
    "calloc before any other use of a type": r"""
        int main(void) { short *p = calloc(4, 2); assert(p[3] == 0); p[3] = 7; assert(p[3] == 7 && p[0] == 0); }
    """,
    "memset and memcpy of arrays": r"""
        int main(void) { int a[4], b[4]; memset(a, 0, sizeof a); assert(a[0] == 0 && a[3] == 0);
        memset(a, -1, sizeof a); assert(a[2] == -1); memset(a, 1, sizeof a); assert(a[1] == 0x01010101);
        memcpy(b, a, sizeof a); assert(b[3] == 0x01010101); b[0] = 5; memcpy(&a[1], b, sizeof(int)); assert(a[1] ==
        5); }
    """,
    "memmove within an array": r"""
        int main(void) { int a[5] = {1, 2, 3, 4, 5}; memmove(a + 1, a, 4 * sizeof(int)); assert(a[0] == 1 && a[1] == 1);
        assert(a[4] == 4); memmove(a, a + 2, 3 * sizeof(int)); assert(a[0] == 2 && a[2] == 4); }
    """,
    "memmove with a length that is computed": r"""
        int main(void) { char a[6] = "abcde"; unsigned n = 0; while (n < 4) n++; memmove(a + 1, a, n); assert(a[1] ==
        'a');
        assert(a[4] == 'd' && a[5] == 0); memmove(a, a + 1, n); assert(a[0] == 'a' && a[3] == 'd'); }
    """,
    "memcpy of structures": r"""
        struct s { int a; char b; int *p; } x, y;
        int main(void) { int v = 3; x.a = 1; x.b = 2; x.p = &v; memcpy(&y, &x, sizeof y); assert(y.a == 1 && y.b == 2);
        assert(*y.p == 3); memset(&x, 0, sizeof x); assert(x.a == 0 && !x.p && y.p); }
    """,
    "memcpy between types is a copy of bytes": r"""
        int main(void) { unsigned u = 0x01020304; unsigned char c[4]; memcpy(c, &u, 4); assert(c[0] == 4 && c[3] == 1);
        c[0] = 9; memcpy(&u, c, sizeof u); assert(u == 0x01020309); short s; memcpy(&s, &u, 2); assert(s == 0x0309); }
    """,
    "strings of libc": r"""
        int main(void) { char a[16] = "abc", b[16]; assert(strlen(a) == 3); strcpy(b, a); assert(strcmp(a, b) == 0);
        strcat(b, "de"); assert(strlen(b) == 5 && b[4] == 'e' && b[5] == 0); assert(strcmp(a, b) < 0);
        assert(strncmp(a, b, 3) == 0); assert(strchr(b, 'd') == b + 3); assert(!strchr(b, 'x')); strncpy(a, "z", 3);
        assert(a[0] == 'z' && a[1] == 0 && a[2] == 0); assert(memcmp(b, "abcde", 6) == 0); assert(memcmp(b, "abd", 3)
        < 0); }
    """,
    "numbers of libc": r"""
        int main(void) { int x = -5; assert(abs(x) == 5 && labs(-7L) == 7); int r = rand(); assert(r >= 0); }
    """,
    "bytes of an integer": r"""
        int main(void) { int x = 0x11223344; char *p = (char *)&x; assert(p[0] == 0x44 && p[3] == 0x11); p[1] = 0;
        assert(x == 0x11220044); unsigned char *q = (unsigned char *)&x; q[3] = 0xff; assert(x < 0); assert(p[3] ==
        -1); }
    """,
    "bytes through void": r"""
        int main(void) { int x = 258; void *v = &x; char *c = v; assert(c[0] == 2 && c[1] == 1); *c = 3; assert(x ==
        259);
        void *m = malloc(8); int *i = m; *i = 1; unsigned char *b = m; assert(b[0] == 1 && b[1] == 0); b[1] = 1;
        assert(*i == 257); }
    """,
    "signs through void": r"""
        int main(void) { int x = -1; void *v = &x; unsigned *u = v; assert(*u == 4294967295u); *u = 5; assert(x == 5); }
    """,
    "structures through pointers to characters": r"""
        struct s { char a; short b; int c; };
        int main(void) { struct s x = {1, 2, 3}; unsigned char *p = (unsigned char *)&x; assert(p[0] == 1 && p[2] == 2);
        assert(p[4] == 3 && p[7] == 0); p[3] = 1; assert(x.b == 258); struct s y = x; assert(y.b == 258 && y.c == 3); }
    """,
    "loops over bytes": r"""
        int main(void) { int a[2] = {0x01010101, 1}; unsigned char *p = (void *)a; int n = 0;
        for (unsigned i = 0; i < sizeof a; i++) n += p[i]; assert(n == 5);
        for (unsigned i = 0; i < sizeof a; i++) p[i] = 0; assert(a[0] == 0 && a[1] == 0); }
    """,
    "pointers to pointers through void": r"""
        int main(void) { int x = 1, *p = &x; void *v = &p; int **q = v; **q = 7; assert(x == 7); void *w = p; *(int
        *)w = 8;
        assert(x == 8); }
    """,
    "GNU arithmetic on void": r"""
        int main(void) { int a[2] = {1, 2}; void *v = a; v = v + 4; assert(*(int *)v == 2); assert(*(char *)(v + 1)
        == 0); }
    """,
    "a pointer as a number and back": r"""
        int main(void) { int x = 4; int *p = (int *)(unsigned long)&x; assert(*p == 4); assert((long)p == (long)&x); }
    """,
    "6.3.2.3p6: the null pointer of a variable as a number": r"""
        int main(void) { void *p; unsigned long n; int i = 1; p = (void *)0; n = (unsigned long)p; assert(n == 0);
        assert(n != (unsigned long)i); if (i) { int *q = 0; assert((long)q + 3 == 3); } }
    """,
    "unions": r"""
        union u { int i; unsigned char c[4]; short s; };
        int main(void) { union u x; x.i = 0x01020304; assert(x.c[0] == 4 && x.s == 0x0304); x.c[3] = 0x7f;
        assert(x.i == 0x7f020304); union u y = x; assert(y.i == x.i); y.s = 0; assert(x.s != 0 && y.c[1] == 0);
        union u z = {5}; assert(z.c[0] == 5 && z.c[1] == 0); union u w = {.s = -1}; assert(w.i == 65535);
        assert(sizeof(union u) == 4); }
    """,
    "unions in structures, in arrays and by value": r"""
        struct v { int tag; union { int i; char c; } u; union { long l; int h[2]; }; };
        struct v make(int n) { struct v r = {1}; r.u.i = n; r.l = 4294967297; return r; }
        int get(struct v x) { return x.u.c + x.h[1]; }
        int main(void) { struct v a[2]; a[1] = make(513); assert(a[1].u.c == 1 && a[1].h[0] == 1); assert(get(a[1])
        == 2);
        a[0] = a[1]; a[1].u.i = 0; assert(a[0].u.i == 513); assert(make(7).u.i == 7); }
    """,
    "unions of pointers": r"""
        union p { int *i; void *v; char *c; };
        int main(void) { int x = 3; union p a; a.i = &x; union p b = a; assert(*b.i == 3); assert(b.v == &x); b.v =
        0; assert(!b.c);
        assert(a.i); }
    """,
    "a union of two structures": r"""
        struct a { int t; int x; }; struct b { int t; char c[4]; }; union u { struct a a; struct b b; } g;
        int main(void) { assert(g.a.x == 0); g.a.t = 1; g.a.x = 0x41424344; assert(g.b.t == 1 && g.b.c[0] == 0x44);
        union u *p = &g; p->b.c[3] = 0; assert(g.a.x == 0x424344); }
    """,
    "bit-fields": r"""
        struct f { unsigned a : 3; int b : 4; unsigned c : 1; _Bool d : 1; unsigned e : 20; };
        int main(void) { struct f x = {0}; x.a = 9; assert(x.a == 1); x.b = 7; x.b++; assert(x.b == -8); x.c = 2;
        assert(x.c == 0);
        x.d = 2; assert(x.d == 1); assert((x.e = 0x1fffff) == 0xfffff); assert(x.a == 1 && x.b == -8); assert(x.a - 2
        < 0);
        struct f *p = &x; p->a += 7; assert(x.a == 0 && x.b == -8 && x.e == 0xfffff); struct f y = *p; y.b = 3;
        assert(x.b == -8);
        assert(sizeof(struct f) == 4); }
    """,
    "bit-fields as bytes": r"""
        union u { struct { unsigned a : 3, b : 5; unsigned char : 0; unsigned char c; } f; unsigned char b[4]; };
        int main(void) { union u x; x.b[0] = 0xff; x.b[1] = 2; x.f.a = 1; assert(x.b[0] == 0xf9); x.f.b = 0;
        assert(x.b[0] == 1);
        assert(x.f.c == 2); x.b[0] = 0x88; assert(x.f.a == 0 && x.f.b == 17); }
    """,
    "the layout of bit-fields": r"""
        struct a { char c; int x : 10; int y : 20; }; struct b { int x : 30; int y : 4; }; struct c { char a : 4;
        char b : 5; };
        struct d { int a : 3; int : 0; int b : 3; };
        int main(void) { assert(sizeof(struct a) == 8); assert(sizeof(struct b) == 8); assert(sizeof(struct c) == 2);
        assert(sizeof(struct d) == 8); }
    """,
    "structures with arrays, copied in memory": r"""
        struct in { short k[2]; }; struct s { int a[3]; struct in i[2]; char n; };
        struct s f(struct s x) { x.a[0]++; x.i[1].k[0] = 9; return x; }
        int main(void) { struct s x = {{1, 2, 3}, {{{4, 5}}, {{6, 7}}}, 8}, y, *p = &x, *q = &y; *q = *p;
        assert(y.a[2] == 3 && y.i[1].k[1] == 7 && y.n == 8); y.a[1] = 0; assert(x.a[1] == 2); y = f(*p);
        assert(y.a[0] == 2);
        assert(y.i[1].k[0] == 9 && x.i[1].k[0] == 6); struct s z[2]; z[1] = *q; assert(z[1].a[0] == 2 && z[1].n == 8);
        q->i[0] = p->i[1]; assert(y.i[0].k[0] == 6); }
    """,
    "nested structures, copied and returned": r"""
        struct a { int x; struct { int y; struct { char z; int *p; } i; } m; };
        struct a mk(int v, int *p) { struct a r = {v, {v + 1, {(char)(v + 2), p}}}; return r; }
        int main(void) { int k = 5; struct a s = mk(1, &k), t; t = s; *t.m.i.p = 6; assert(k == 6 && t.m.i.z == 3);
        struct a *p = &t; struct a u = *p; p->m = mk(10, 0).m; assert(u.m.y == 2 && t.m.y == 11 && !t.m.i.p);
        struct a v = 1 ? u : t; assert(v.x == 1); }
    """,
    "strings in braces": r"""
        char g[] = {"xyz"}; struct { char s[4]; int n; } r[] = {{"ab", 1}, {{"c"}, 2}};
        int main(void) { char d[] = {"xyz"}; assert(sizeof d == 4 && d[2] == 'z' && d[3] == 0); assert(sizeof g == 4
        && g[0] == 'x');
        assert(r[0].s[1] == 'b' && r[1].s[0] == 'c' && r[1].s[1] == 0 && r[1].n == 2); char e[3] = "abc"; assert(e[2]
        == 'c'); }
    """,
    "designators": r"""
        struct p { int x, y; }; struct q { struct p a[3]; int z; };
        struct q g = {.a[1].y = 5, 6, 7, .z = 8, .a[0] = {1}};
        int main(void) { assert(g.a[1].y == 5 && g.a[2].x == 6 && g.a[2].y == 7 && g.z == 8 && g.a[0].x == 1 &&
        g.a[0].y == 0);
        int a[6] = {[3] = 1, 2, [0] = 3, 4}; assert(a[0] == 3 && a[1] == 4 && a[2] == 0 && a[3] == 1 && a[4] == 2 &&
        a[5] == 0);
        int b[] = {1, [4] = 2, 3}; assert(sizeof b == 24 && b[5] == 3); struct p c = {.y = 1, .x = 2}; assert(c.x ==
        2 && c.y == 1); }
    """,
    "a later initialiser replaces an earlier one": r"""
        struct p { int x, y; };
        int main(void) { struct p a[2] = {{1, 2}, {3, 4}, [0] = {5}}; assert(a[0].x == 5 && a[0].y == 0 && a[1].y == 4);
        int b[2] = {1, 2, [0] = 3}; assert(b[0] == 3 && b[1] == 2); struct { struct p p; int z; } c = {.p = {1, 2},
        .p.y = 9, 4};
        assert(c.p.x == 1 && c.p.y == 9 && c.z == 4); }
    """,
    "braces that are left out": r"""
        struct s { int a[2]; struct { int b, c; } d; int e; } x[] = {1, 2, 3, 4, 5, 6, 7};
        int main(void) { assert(sizeof x / sizeof *x == 2 && x[0].d.c == 4 && x[0].e == 5 && x[1].a[1] == 7 && x[1].e
        == 0);
        int m[2][3] = {1, 2, 3, 4}; assert(m[1][0] == 4 && m[1][2] == 0); int k[2][2] = {{1}, 2, 3}; assert(k[0][1]
        == 0 && k[1][1] == 3); }
    """,
    "a structure among initialisers": r"""
        struct p { int x, y; };
        int main(void) { struct p a = {1, 2}; struct { struct p p; int z; } b = {a, 3}; assert(b.p.y == 2 && b.z == 3);
        struct p c[2] = {a, {4}}; assert(c[0].y == 2 && c[1].x == 4 && c[1].y == 0); }
    """,
    "a flexible array member": r"""
        struct v { int n; int a[]; };
        int main(void) { struct v *p = malloc(sizeof(struct v) + 3 * sizeof(int)); p->n = 3; p->a[2] = 7;
        assert(p->a[2] == 7);
        assert(sizeof(struct v) == 4 && p->n == 3); free(p); }
    """,
    "compound literals": r"""
        struct p { int x, y; }; int sum(struct p *p) { return p->x + p->y; } int *g = (int[]){4, 5};
        int main(void) { int *a = (int[]){1, 2, 3}; assert(a[2] == 3); assert(sum(&(struct p){2, 3}) == 5); struct p q;
        q = (struct p){.y = 7}; assert(q.x == 0 && q.y == 7); assert(g[1] == 5);
        for (int i = 0; i < 2; i++) { int *b = (int[1]){i}; assert(*b == i); *b = 9; } }
    """,
    "realloc keeps what was there": r"""
        int main(void) { int *p = malloc(8); p[0] = 1; p[1] = 2; p = realloc(p, 16); p[3] = 4; assert(p[0] == 1 &&
        p[1] == 2);
        p = realloc(p, 4); assert(*p == 1); int *q = realloc(0, 4); *q = 3; assert(*q == 3); }
    """,
    "functions without a definition, through pointers": r"""
        int add(int a, int b) { return a + b; } int mul(int a, int b) { return a * b; } void end(int c) { exit(c); }
        struct op { int (*f)(int, int); void (*e)(int); } ops[2] = {{add, exit}, {mul, end}};
        int apply(struct op *o, int a, int b) { return o->f(a, b); }
        int main(void) { assert(apply(&ops[0], 2, 3) == 5 && apply(&ops[1], 2, 3) == 6); int (*t)(int, int) = add; t
        = &mul;
        assert((*t)(3, 4) == 12); assert((**t)(1, 4) == 4); int (*g)(int) = abs; assert(g(-3) == 3); ops[1].e(0);
        assert(0); }
    """,
    "abort and exit through pointers": r"""
        int main(void) { void (*f)(void) = abort; if (rand() < 0) return 1; f(); assert(0); }
    """,
    "pointers to functions among arguments": r"""
        typedef int cmp(int, int); int less(int a, int b) { return a < b; } int more(int a, int b) { return a > b; }
        int pick(int a, int b, cmp *c) { return c(a, b) ? a : b; } cmp *choose(int n) { return n ? less : more; }
        int main(void) { assert(pick(1, 2, less) == 1); assert(pick(1, 2, choose(0)) == 2); assert(choose(1) == less); }
    """,
    "static variables, scopes and externs": r"""
        extern int e; int f(void) { static int n; static int a[2] = {1}; extern int e; return n++ + a[0]++ + e; } int
        e = 10;
        enum { K = 1 }; int main(void) { enum { K = 2 }; assert(K == 2); { enum { K = 3 }; assert(K == 3); }
        assert(f() == 11);
        assert(f() == 13); int x = 1; { int y = x, x = 5; assert(x == 5 && y == 1); } for (int x = 3; x > 2; x--) ;
        assert(x == 1); }
    """,
    "a switch into a loop": r"""
        int main(void) { int n = 0, c = 7; switch (c % 4) { case 0: do { n++; case 3: n++; case 2: n++; case 1: n++;
        } while ((c -= 4) > 0); } assert(n == 7); switch (5) case 5: n = 0; assert(n == 0); }
    """,
    "goto in and out of blocks": r"""
        int main(void) { int n = 0, *p = &n; { int x = 1; int *q = &x; if (n) { in: n += 10; } else { *q = 2; n += x;
        goto in; } }
        assert(n == 12); for (;;) { int y = 1; p = &y; if (*p) break; } p = &n; assert(*p == 12); }
    """,
    "variable length": r"""
        int main(void) { int n = 3; int a[n]; assert(sizeof a == 12); n = 9; assert(sizeof a / sizeof a[0] == 3);
        a[2] = 1;
        int *p = a; assert(p[2] == 1); int m[2][n]; assert(sizeof m == 72); m[1][8] = 5; assert(m[1][8] == 5); n = 1;
        assert(sizeof(int[n + 1]) == 8); }
    """,
    "sizeof does nothing": r"""
        int main(void) { int n = 0; assert(sizeof(n++) == 4 && n == 0); char c[3]; assert(sizeof c == 3 && sizeof(c +
        1) == 8);
        assert(sizeof(char) == 1 && sizeof('a') == 4 && sizeof "abc" == 4 && sizeof(1.0f) == 4 && sizeof(struct {
        char a; short b; }) == 4);
        assert(sizeof(c[0] + 1) == 4); int *p = 0; assert(sizeof *p == 4); assert(sizeof(n, c) == 8 || sizeof(n, c)
        == 3); }
    """,
    "compound assignments on narrow types": r"""
        int main(void) { unsigned char c = 200; c += 100; assert(c == 44); c *= 10; assert(c == 184); c <<= 1;
        assert(c == 112);
        signed char s = 127; s++; assert(s == -128); s /= -1; assert(s == -128); short h = 30000; h += h; assert(h ==
        -5536);
        c = 5; c -= 6; assert(c == 255); c >>= 1; assert(c == 127); _Bool b = 0; b += 5; assert(b == 1); b -= 1;
        assert(!b);
        unsigned char d = 255; int r = d++; assert(r == 255 && d == 0); long l = 1; l <<= 33; assert(l == 8589934592); }
    """,
    "types of conditionals": r"""
        int main(void) { int c = 1; assert((c ? -1 : 0u) > 0); assert(sizeof(c ? 1 : 2L) == 8); char a = -1;
        assert((c ? a : 1) == -1);
        int x = 3, *p = c ? &x : 0; assert(*p == 3); void *v = c ? (void *)p : 0; assert(v == p); assert(sizeof(c ? a
        : a) == 4); }
    """,
    "conversions between all widths": r"""
        int main(void) { long long l = 0x123456789abcdef0; assert((int)l == (int)0x9abcdef0); assert((short)l ==
        (short)0xdef0);
        assert((unsigned char)l == 0xf0); assert((signed char)l == -16); int i = -2; assert((unsigned long)i ==
        18446744073709551614ul);
        assert((unsigned)(signed char)200 == 4294967240u); assert((long)(unsigned)-1 == 4294967295);
        assert((_Bool)256 == 1);
        unsigned short us = -1; assert(us == 65535 && (short)us == -1); assert((char)128 == -128); }
    """,
    "division and shifts": r"""
        int main(void) { int a = -7; assert(a / 2 == -3 && a % 2 == -1 && a % -2 == -1 && 7 % -2 == 1); assert(a >> 1
        == -4);
        unsigned u = -7; assert(u >> 28 == 15); assert((-7) % 7 == 0); long m = -9223372036854775807L - 1; assert(m %
        10 == -8); }
    """,
    "assertions with side effects": r"""
        int main(void) { int x = 0; assert(++x == 1); assert(x++ == 1 && x == 2); assert((x = 5) && x == 5); int y =
        0; (y = 1) || (x = 0);
        assert(x == 5); y && (x = 6, 1); assert(x == 6); }
    """,
    "recursion with objects": r"""
        void rev(char *s, int n) { if (n > 1) { char c = s[0]; s[0] = s[n - 1]; s[n - 1] = c; rev(s + 1, n - 2); } }
        int depth(int n, int *out) { int mine = n; if (n) depth(n - 1, &mine); *out += mine; return mine; }
        int main(void) { char a[] = "abcd"; rev(a, 4); assert(a[0] == 'd' && a[3] == 'a'); int t = 0; depth(3, &t);
        assert(t == 6); }
    """,
    "pointers and structures in arrays": r"""
        struct n { int v; struct n *l, *r; } pool[4]; int used;
        struct n *mk(int v) { struct n *p = &pool[used++]; p->v = v; return p; }
        void put(struct n **t, int v) { while (*t) t = v < (*t)->v ? &(*t)->l : &(*t)->r; *t = mk(v); }
        int main(void) { struct n *t = 0; put(&t, 2); put(&t, 1); put(&t, 3); assert(t->v == 2 && t->l->v == 1 &&
        t->r->v == 3);
        assert(&pool[2] - pool == 2 && pool + 1 < pool + 2 && t == pool); int *p = &pool[1].v; assert(*p == 1); }
    """,
    "a struct that is assigned through a conditional or a comma": r"""
        struct p { int a[2]; } x = {{1, 2}}, y = {{3, 4}};
        int main(void) { int c = 0; struct p z; z = c ? x : y; assert(z.a[1] == 4); z = (c++, x); assert(z.a[0] == 1
        && c == 1);
        assert((c ? x : y).a[1] == 2); struct p *p = &z; *p = c ? y : x; assert(z.a[0] == 3); x = y = *p;
        assert(x.a[1] == 4); }
    """,
    "free of what was allocated": r"""
        int main(void) { int *p = malloc(4); *p = 1; int *q = p; free(q); p = malloc(0); free(p); p = 0; free(p);
        char *c = calloc(3, 1);
        free(c); }
    """,
    "comparing what lives": r"""
        int main(void) { int *p = malloc(4), *q = malloc(4); assert(p != q); free(q); assert(p == p && p); int x;
        assert(p != &x); }
    """,
    "offsets of members": r"""
        struct s { char a; int b; short c[3]; };
        int main(void) { assert((unsigned long)&((struct s *)0)->b == 4); long n = (long)&((struct s *)0)->c[1];
        assert(n == 10); struct s x, *p = &x; assert((char *)&p->b - (char *)p == 4); int *q = &x.b; *q = 3;
        struct s *r = (struct s *)((char *)q - n + 6); assert(r == p && r->b == 3); }
    """,
    "an extern that only functions declare": r"""
        void set(void) { extern int shared; shared = 5; }
        int shared; int main(void) { extern int shared; set(); assert(shared == 5); }
    """,
    "static initialisers": r"""
        int a[3] = {1, 2, 3}; int *p = &a[1] + 1; char *s = "abc" + 1; char *t[] = {"a", "bc"}; int (*row)[3] = &a;
        struct { int *q; char *u; } z = {a + 1, "x"}; static const int N = 2;
        int main(void) { assert(*p == 3 && s[0] == 'b' && t[1][1] == 'c' && sizeof t == 16); assert((*row)[2] == 3);
        assert(*z.q == 2 && z.u[0] == 'x'); int v[N]; v[1] = 4; assert(v[1] == 4 && sizeof v == 8); }
    """,
    "arrays of arrays through pointers": r"""
        int sum(int m[][3], int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += m[i][j];
        return s; }
        int main(void) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; assert(sum(a, 2) == 21); int (*p)[3] = a + 1;
        assert((*p)[1] == 5 && p[-1][2] == 3); int *q = &a[0][0]; assert(q[4] == 5); char *w[2] = {"ab", "cd"}; char
        **x = w;
        assert(*(*(x + 1) + 1) == 'd'); struct { int g[2][2]; } s = {{{1, 2}, {3, 4}}}, *r = &s; assert(r->g[1][0] ==
        3); }
    """,
    "generic functions over bytes": r"""
        void swap(void *a, void *b, unsigned long n) { unsigned char *x = a, *y = b;
        while (n--) { unsigned char t = *x; *x++ = *y; *y++ = t; } }
        int main(void) { int a = 1000, b = -7; swap(&a, &b, sizeof a); assert(a == -7 && b == 1000); long l[2] = {1, 2};
        swap(l, l + 1, 8); assert(l[0] == 2 && l[1] == 1); }
    """,
    "structures around structures": r"""
        struct l { struct l *n; }; struct item { int v; struct l link; }; struct base { int kind; };
        struct derived { struct base b; int extra; };
        int get(struct base *p) { return p->kind == 1 ? ((struct derived *)p)->extra : 0; }
        int main(void) { struct item it = {7, {0}}; struct l *p = &it.link;
        struct item *q = (struct item *)((char *)p - __builtin_offsetof(struct item, link)); assert(q->v == 7); q->v
        = 8;
        assert(it.v == 8); struct derived d = {{1}, 42}; assert(get(&d.b) == 42 && get((struct base *)&d) == 42); }
    """,
    "callbacks with a context": r"""
        typedef void (*cb)(void *, int); void add(void *c, int v) { *(int *)c += v; }
        void each(const int *a, int n, cb f, void *ctx) { for (int i = 0; i < n; i++) f(ctx, a[i]); }
        int main(void) { int s = 0, a[3] = {1, 2, 3}; each(a, 3, add, &s); assert(s == 6); }
    """,
    "parameters that are arrays": r"""
        int sum(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        int main(void) { int m[3] = {1, 2, 3}; assert(sum(3, m) == 6); }
    """,
    "sizes of compound literals, which are no pointers": r"""
        int main(void) { assert(sizeof((int[]){1, 2, 3}) == 12 && sizeof((char[]){"abc"}) == 4);
        assert(sizeof((int[5]){1}) == 20 && sizeof((int){1}) == 4); }
    """,
    "types of floating-point operations": r"""
        int main(void) { float f = 1; double d = 1; int i = 1; assert(sizeof(f + 1) == 4 && sizeof(f * f) == 4);
        assert(sizeof(f + d) == 8 && sizeof(i - d) == 8 && sizeof(1.0L + f) == sizeof(long double));
        assert(sizeof(i ? f : i) == 4 && sizeof(-f) == 4 && sizeof(f += d) == 4); }
    """,
    "enumerators that int does not have": r"""
        enum wide { SMALL = 1, BIG = 4294967296, NEXT }; enum top { TOP = 4294967295u }; enum low { LOW = -2147483649 };
        int main(void) { assert(BIG == 4294967296 && NEXT > BIG && sizeof(BIG) == 8 && sizeof(SMALL) == 4);
        assert(sizeof(enum wide) == 8 && TOP > 0 && sizeof TOP == 4 && LOW < -2147483647 && sizeof(enum low) == 8); }
    """,
    "conditionals among constants": r"""
        enum { A = 1 ? 1 << 8 : 2, B = (1 << 3) > 9 ? 1 / 0 : 7 % 4, C = sizeof(0 ? 1 << 1 : 1L) };
        int main(void) { assert(A == 256 && B == 3 && C == 8); switch (A) { case 0 ? 2 : 4 << 6: break; default: assert(0); }
        int x = 5; assert((1 ? -1 : 1u) > x); }
    """,
    "the number of arguments": "int main(int argc, char **argv) { assert(argc >= 0); }",
    "an end without a value, which nobody uses": r"""
        int g; int f(int x) { g++; if (x) return 1; } int h(void) { while (1) if (g) return 5; }
        int main(void) { f(0); (void)f(0); int (*p)(int) = f; p(0); assert(g == 3 && f(1) == 1 && h() == 5); }
    """,
    "constant objects in memory": r"""
        const int a = 1, b = 2, t[3] = {4, 5, 6}; const char *const names[] = {"x", "y"};
        int sum(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
        int main(void) { const struct { int x; int y[2]; } s = {7, {8, 9}}; const int *p = &a; int v = 3, *w = &v; *w = 4;
        assert(*p == 1 && &a != &b && sum(t, 3) == 15 && sum(s.y, 2) == 17 && names[1][0] == 'y' && v == 4);
        p = &b; assert(*p == 2); static const int u[2] = {1, 2}; assert(sum(u, 2) == 3); const char l[] = "ab";
        assert(strlen(l) == 2); int *const k = &v; *k = 6; assert(v == 6); }
    """,
    "what is known to be constant": 'int main(void) { assert(__builtin_constant_p(3 + 4) && __builtin_constant_p("a")); }',
    "a nested function of libc": r"""
        int n(char *s) { return (int)strlen(s); }
        int main(void) { char b[8]; strcpy(b, "hi"); assert(n(b) + n("abc") == 5); assert(strlen("") == 0); }
    """,
}

FAIL = {  # some assertion is violated by a run that counts
    "6.5.2.2p7: a prototype converts what is judged": r"""
        void __VERIFIER_assert(int c); int main(void) { long x = 1L << 32; __VERIFIER_assert(x); }
    """,
    "a judged condition of one byte": "void sassert(unsigned char c); int main(void) { int x = 256; sassert(x); }",
    "reach_error through a pointer": "void reach_error(void); int main(void) { void (*f)(void) = reach_error; f(); }",
    "reach_error that a function declares": r"""
        int main(void) { extern void reach_error(void); void (*f)(void) = reach_error; f(); }
    """,
    "reach_error in a table": r"""
        void reach_error(void); void ok(void) {} void (*t[2])(void) = {ok, reach_error};
        int main(void) { for (int i = 0; i < 2; i++) t[i](); }
    """,
    "what an undefined function may write": "void f(int *); int main(void) { int x = 1; f(&x); assert(x == 1); }",
    "what it may write in an array": "void f(int *); int main(void) { int x[2] = {1, 1}; f(x); assert(x[1] == 1); }",
    "what an undefined function without a prototype may write": "int main(void) { int x = 1; f(&x); assert(x == 1); }",
    "what scanf writes": 'int main(void) { int x = 1; scanf("%d", &x); assert(x == 1); }',
    "memset of something else": "int main(void) { int a[2] = {1, 1}; memset(a, 0, sizeof a); assert(a[1] == 1); }",
    "a byte that was written": "int main(void) { int x = 1; void *v = &x; *(char *)v = 2; assert(x == 1); }",
    "a member of a union": "union u { int i; char c; }; int main(void) { union u x; x.i = 1; x.c = 2; assert(x.i == 1); }",
    "abort is not reached": "int main(void) { void (*f)(void) = abort; int x = 1; if (!x) f(); assert(x == 2); }",
}

UNDEFINED = {  # what comes after it does not count
    "no sequence point where an operand is skipped": "int main(void) { int i = 1; i = i++ || 0; assert(i == 7); }",
    "free of a string": 'int main(void) { free("a"); assert(0); }',
    "memset of a string": 'int main(void) { memset("a", 0, 1); assert(0); }',
    "a call through the null pointer": "int main(void) { int (*f)(int) = 0; f(1); assert(0); }",
    "a write to an object that is const by a typedef": """typedef const int number;
        int main(void) { number n = 1; *(int *)&n = 2; assert(0); }""",
    "outside of an array in an object": """struct S { int a[3], b; };
        int main(void) { struct S s, *p = &s; int i = 3; p->a[i] = 1; assert(0); }""",
    "outside of a row": "int main(void) { int m[2][3] = {{0}}, (*q)[3] = m, i = 3; int x = q[0][i]; assert(0); }",
    "before a row": "int main(void) { int m[2][3] = {{0}}, (*q)[3] = m, i = -1; int x = q[1][i]; assert(0); }",
    "outside of a row, and calls in any order": """int n; int next(void) { return ++n; } int m[4][2];
        int main(void) { int (*q)[2] = m; q[next()][2 * next() - 2] = next(); assert(0); }""",
    "free twice": "int main(void) { int *p = malloc(4); free(p); free(p); assert(0); }",
    "free of a variable": "int main(void) { int x; free(&x); assert(0); }",
    "free in the middle": "int main(void) { int *p = malloc(8); free(p + 1); assert(0); }",
    "free of an array that was put on the stack": "int main(void) { int n = 2; int a[n]; free(a); assert(0); }",
    "a block that has ended": "int main(void) { int *p; { int x = 1; p = &x; } *p = 2; assert(0); }",
    "a block that was left by break": "int main(void) { int *p; for (;;) { int x = 1; p = &x; break; } *p = 2; assert(0); }",
    "a block that was left by goto": "int main(void) { int *p; { int x = 1; p = &x; goto out; } out: *p = 2; assert(0); }",
    "memcpy out of bounds": "int main(void) { int a[2], b[3] = {0}; memcpy(a, b, sizeof b); assert(0); }",
    "memcpy of what overlaps": "int main(void) { int a[3] = {0}; memcpy(a, a + 1, 8); assert(0); }",
    "memset of null": "int main(void) { int *p = 0; memset(p, 0, 4); assert(0); }",
    "a string without an end": "int main(void) { char a[2] = {1, 1}; strlen(a); assert(0); }",
    "comparing what was freed": "int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); assert(p == q); }",
    "the bytes of a pointer": "int main(void) { int x, *p = &x; unsigned char *c = (unsigned char *)&p; assert(c[0] == 77); }",
    "the bytes of a floating-point number": "int main(void) { float f = 1; unsigned *p = (void *)&f; assert(*p == 7); }",
    "a pointer to a function of another type": r"""
        int f(int x) { assert(x == 1); return x; } int main(void) { int (*g)(void) = (int (*)(void))f; g(); assert(0); }
    """,
    "sprintf": 'int main(void) { char b[9]; sprintf(b, "%d", 1); assert(b[0] == 7); }',
    "what is behind void": "void f(void *); int main(void) { int x = 1; void *v = &x; f(v); assert(x == 3); }",
    "two strings may be one": 'int main(void) { char *a = "x", *b = "x"; assert(a == b); }',
    "a pointer without a value": "int main(void) { int x = 1, *q = &x, *p; if (*q) *p = 2; assert(0); }",
    "a write to a string": 'int main(void) { char *s = "abc"; s[0] = 1; assert(0); }',
    "unreachable": "int main(void) { int x = 1; if (x) __builtin_unreachable(); assert(0); }",
    "a flexible array member of a variable": r"""
        struct f { int n; int d[]; }; int main(void) { struct f x = {1}; x.d[0] = 3; assert(x.n == 2); }
    """,
    "a flexible array member of a global": r"""
        struct f { int n; int d[]; } x = {1}; int main(void) { int *p = &x.n; x.d[0] = 3; assert(*p == 2); }
    """,
    "the order of two objects": "int main(void) { int a, b; int r = &a < &b; assert(r == 7); }",
    "the distance of two objects": "int main(void) { int a, b; long r = &a - &b; assert(r == 7); }",
    "an end without a value": "int f(int x) { if (x) return 1; } int main(void) { int y = f(0); assert(0); }",
    "a return without a value": "int f(int x) { if (x) return; return 1; } int main(void) { if (f(1)) ; assert(0); }",
    "an end without a value, through a pointer": r"""
        int f(int x) { if (x) return 1; } int main(void) { int (*p)(int) = f; int y = p(0); assert(0); }
    """,
    "a write to a constant": "const int c = 1; int main(void) { *(int *)&c = 2; assert(0); }",
    "a write to a constant of a block": "int main(void) { const int c[2] = {1}; int *p = (int *)c; p[1] = 2; assert(0); }",
    "memset of a constant": "int main(void) { const int c = 1; memset((int *)&c, 0, 4); assert(0); }",
    "what may be known to be constant": "int main(void) { int x = 1; assert(__builtin_constant_p(x) == 2); }",
    "an array of no length": "int main(void) { int n = 0; int a[n]; assert(0); }",
    "what the arguments of main point to": "int main(int c, char **v) { if (v[0][0] == 1) assert(0); assert(0); }",
    "a modification without a sequence point": "int main(void) { int x = 1; x = x++; assert(x == 7); }",
    "a read without a sequence point": "int main(void) { int x = 1; int y = x + x++; assert(y == 7); }",
}

REFUSED = {
    "void g(void) { assert(0); } void f(void (*)(void)); int main(void) { f(g); }": "'f', which has no definition, may call",
    "void g(void) {} int main(void) { atexit(g); }": "the function atexit is not supported",
    "struct s { long x : 40; }; int main(void) { struct s a; a.x = 1; }": "bit-fields of more than 32 bits are not supported",
}


@BOTH
@pytest.mark.parametrize("name", HOLD)
def test_what_the_standard_says_holds(name: str, words: bool) -> None:
    found = run(HOLD[name], words)
    assert (found.error, found.is_exact) == (None, True)


@pytest.mark.parametrize("name", [name for name in HOLD if "exit" not in HOLD[name] and "abort" not in HOLD[name]])
def test_runs_come_to_their_end(name: str) -> None:
    text = HOLD[name].rstrip()
    found = run(f"{text[:-1]} __VERIFIER_error(); }}", inline=False)
    assert found.error is not None and found.error.startswith("__VERIFIER_error")


@BOTH
@pytest.mark.parametrize("name", FAIL)
def test_errors_are_errors(name: str, words: bool) -> None:
    found = run(FAIL[name], words)
    assert found.error is not None and found.is_exact


@BOTH
@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined_behaviour_does_not_count(name: str, words: bool) -> None:
    assert not run(UNDEFINED[name], words).is_exact


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_exact_meaning_is_refused(text: str) -> None:
    with pytest.raises(Unsupported) as error:
        parse_c((INCLUDES + text).encode(), "p.c")
    assert REFUSED[text] in str(error.value)


def test_memory_is_checked_if_asked() -> None:
    options = COptions(check=("memory",))
    for bad in (
        "int *p = malloc(4); free(p); free(p);",
        "int x; free(&x);",
        'char *s = "a"; s[0] = 1;',
        "int a[2]; memset(a, 0, 9);",
        'free("a");',
        "int (*f)(int) = 0; f(1);",
        "struct { int a[2], b; } s, *p = &s; int i = 2; p->a[i] = 1;",
        "struct { int n; int d[]; } x = {1}; x.d[0] = 3;",
    ):
        assert (run(f"int main(void) {{ {bad} }}", options=options).error or "").startswith("memory at line 5"), bad
    good = 'char a[4]; strcpy(a, "abc"); int *p = calloc(2, 4); p[1] = a[2]; free(p); free(0); memset(a, 0, 4);'
    assert run(f"int main(void) {{ {good} }}", options=options).error is None


def test_a_prototype_converts_what_is_assumed() -> None:
    text = "void __VERIFIER_assume({}); int main(void) {{ long x = 1L << 32; __VERIFIER_assume(x); assert(0); }}"
    assert run(text.format("int c")).error is None
    assert all(run(text.format(parameters)).error is not None for parameters in ("_Bool c", "long c", ""))


def test_nobody_knows_what_is_between_the_members() -> None:
    for members, is_padded in (("char c; int n;", True), ("unsigned b : 3;", True), ("int n, m;", False)):
        text = f"struct S {{ {members} }}; int main(void) {{ struct S s = {{1}}; assert(((char *)&s)[0] == 1); }}"
        for storage in ("", "static "):
            graph = parse_c((INCLUDES + text.replace("struct S s", storage + "struct S s")).encode(), "p.c")
            is_free = any("padding" in str(v) for edge in graph.edges for v in edge.inputs)
            assert is_free == (is_padded and not storage), (members, storage)


def test_a_long_double_has_the_alignment_of_the_data_model() -> None:
    text = "struct S { char c; long double d; }; int main(void) { assert(sizeof(struct S) == SIZE); }"
    for model, size in (("LP64", 32), ("ILP32", 16)):
        options = COptions(data_model=model, defines=(f"SIZE={size}",))
        assert run(text, options=options).error is None, model


def test_no_proof_depends_on_the_order_of_two_objects() -> None:
    for claim in ("&a < &b", "&a <= &b", "&a - &b == 0", "!(&a < &b) || &a > &b"):
        found = parse_c(f"int main(void) {{ int a, b; assert({claim}); }}".encode(), "p.c").edges
        assert any("unordered" in str(v) for edge in found for v in edge.inputs), claim
    assert run("int main(void) { int a, b; assert(&a <= &b); }").error is not None


def test_the_number_of_arguments_may_be_positive() -> None:
    graph = parse_c(b"int main(int argc, char **argv) { assert(argc != 3); }", "p.c")
    assert not graph.origin.inexact


@pytest.mark.parametrize(
    "options",
    [COptions(property_file=f"{name}.prp") for name in ("no-overflow", "unreach-call")] + [COptions(check=("memory",))],
)
def test_a_property_that_nothing_can_violate_is_there_and_holds(options: COptions) -> None:
    graph = parse_c(b"int main(void) { return 0; }", "p.c", None, options)
    assert [p.name.removesuffix(" at line 1") for p in graph.questions] in (["no-overflow"], ["unreach-call"], ["memory"])
    assert execute(graph).error is None
    assert not parse_c(b"int main(void) { return 0; }", "p.c").questions


def test_warnings_name_functions_without_a_definition() -> None:
    text = 'int f(const int *); void g(int *); int main(void) { int x = 1; g(&x); assert(x == f(&x)); printf("%d", x); }'
    program, _ = read_c((INCLUDES + text).encode(), "p.c")
    assert list(program.spelling.notes) == [
        "warning: f has no definition: it returns anything and changes nothing else",
        "warning: g has no definition: it returns anything and may change what it gets pointers to",
    ]


def main() -> int:
    """gcc's opinion of the programs that hold."""
    failed = 0
    for name, text in HOLD.items():
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder) / "p.c", Path(folder) / "p"
            source.write_text(INCLUDES + text)
            flags = ["-std=gnu11", "-O0", "-w", "-fwrapv", "-fsanitize=undefined,address"]
            subprocess.run([shutil.which("gcc") or "gcc", *flags, str(source), "-o", str(program)], check=True)
            done = subprocess.run([str(program)], capture_output=True, text=True, env={"ASAN_OPTIONS": "detect_leaks=0"})
            if done.returncode not in (0, -6 if "abort" in text else 0) or "runtime error" in done.stderr:
                failed += 1
                print(name, done.returncode, done.stderr[:300])
    print(f"{len(HOLD)} programs, {failed} fail")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

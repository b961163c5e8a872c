"""Misreadings of C, which programs with known answers notice when their graphs are executed."""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.errors import InputError
from lemmata.frontends.c import parse_c
from tests.seeded.bug import Catcher, SeededBug, edit
from tests.support.c_runs import execute, executions

HOLD = {  # C11, as sections number it: nothing fails, and nothing is undefined
    "6.2.5p9": "unsigned x = 0; x--; assert(x == 4294967295u); x += 2; assert(x == 1 && x * 0x80000000u * 2 == 0);",
    "6.3.1.1": "unsigned char a = 200, b = 100; assert(a + b == 300); assert((unsigned char)(a + b) == 44); "
    "assert(a << 9 == 102400);",
    "6.3.1.2": "_Bool b = 256; assert(b == 1); int n = 2; b = n; assert(b == 1);",
    "6.3.1.3": "int i = 40000; short s = i; assert(s == -25536); unsigned u = s; assert(u == 4294941760u); "
    "signed char c = i; assert(c == 64);",
    "6.3.1.8": "int i = -1; unsigned u = 1; assert(i > u); long l = -1; assert(l < u); assert((u ? i : u) > 0);",
    "6.5.2.4": "int i = 1, j = i++; assert(j == 1 && i == 2); j = ++i; assert(j == 3); j = i-- - 1; assert(j == 2 && i == 2);",
    "6.5.3.4": "assert(sizeof(int) - 5 > 0);",
    "6.5.5": "int a = -7, b = 2; assert(a / b == -3 && a % b == -1); b = -2; assert(a / b == 3 && a % b == -1); "
    "assert(7 / b == -3);",
    "6.5.6": "int a[4] = {1, 2, 3, 4}, *p = a + 1, *q = &a[3]; assert(q - p == 2 && p[1] == 3 && *--q == 3 && p < q + 1);",
    "6.5.13": "int i = 0; if (i && ++i) assert(0); assert(i == 0); if (i || ++i) i += 2; assert(i == 3);",
    "6.5.16": "int i = 1, a[3] = {0}; a[i] = 2; i += i + 1; assert(i == 3); unsigned char c; assert((c = 300) == 44);",
    "6.7.2.1": "struct { char c; int n, m; short s; } t, *p = &t; p->n = 2; p->m = 3; p->s = 4; "
    "assert(t.n + t.s == 6 && sizeof t == 16);",
    "6.7.9": "int a[5] = {[1] = 2, 3, [4] = 5}; assert(a[0] == 0 && a[1] == 2 && a[2] == 3 && a[4] == 5);",
    "6.8.4.2": "long b = -1; int n = 0; switch (b) { case 0xffffffffffffffff: n = 1; case 5: n += 2; break; "
    "default: n = 9; } assert(n == 3);",
    "6.3.1.1p2": "struct { unsigned long n : 32; } x = {4294967295u}; assert(x.n + 1 == 0 && sizeof(+x.n) == 4);",
    "6.5.2.2p7": "void __VERIFIER_assume(int); long x = 1L << 32; __VERIFIER_assume(x); assert(0);",
    "a ?: b": "int i = 1, j = i++ ?: 9; assert(i == 2 && j == 1); j = 0 ?: i; assert(j == 2);",
    "ranges of cases": "int n = 5, m = 0; switch (n) { case 1 ... 5: m = 1; break; case 6: m = 2; } assert(m == 1);",
    "6.8.5": "int n = 0, i = 5; do n++; while (n < 3); assert(n == 3); for (i = 0; i < 4; "
    "i++) { if (i == 2) continue; n++; } assert(n == 6);",
    "7.22.3": "int *p = malloc(2 * sizeof *p), *q = malloc(4); p[1] = 3; *q = 4; assert(p[1] == 3); free(p); "
    "assert(*q == 4); free(q); free(0);",
    "unions": "union { unsigned n; unsigned char b[4]; } u; u.n = 0x01020304; assert(u.b[0] == 4 && u.b[3] == 1);",
    "a value before a change": "int i = 3, j = i + one(&i); assert(j == 4); i = 7; int k = (j = i, i++); "
    "assert(k == 7 && j == 7);",
}
UNDEFINED = {  # what comes after it does not count
    "division by zero": "int z = 0; z = 1 / z;",
    "a shift too far": "int n = 32; n = 1 << n;",
    "after the end": "int a[3], *p = a, i = 3; p[i] = 1;",
    "before the start": "int a[3] = {0}, *p = a, i = -1; i = p[i];",
    "an index": "int a[3], i = 3; a[i] = 1;",
    "a member": "struct { int a[2], b; } s, *p = &s; int i = 2; p->a[i] = 1;",
    "a string": "char *s = \"ab\"; s[0] = 'c';",
    "a block that ended": "int *p; { int x = 1; p = &x; } *p = 2;",
    "free twice": "int *p = malloc(4); free(p); free(p);",
    "free in the middle": "int *p = malloc(8); free(p + 1);",
    "no order": "int i = 1; i = i++ + i;",
    "no sequence point": "int i = 1; i = i++ || 0;",
    "two objects": "int a, b; int *p = &a, *q = &b; int less = p < q;",
    "no result": "int n = nothing();",
}
CHANGED = {  # a function without a definition may do so
    "an object": "int x = 5; unknown_function(&x); assert(x == 5);",
}
COUNT = (
    "int c; int next(void) { return ++c; } int stop(void) { exit(0); return 0; } int fail(void) { reach_error(); return 0; }"
)
ORDERS = {  # what is computed: all that the standard permits (6.5p3)
    "next() - 2 * next()": {-3, 0},
    "10 * c + next()": {1, 11},
    "two(next(), next())": {12, 21},
    "(stop() + fail(), 7)": {"fails"},
    "10 * ((c = 3) + next())": {40, 70},
}
HEAD = """#include <stdlib.h>
void unknown_function(int *p); int one(int *p) { *p = 1; return 1; } int nothing(void) { }
"""


def _look(_: float) -> Iterator[str]:
    for words in (False, True):
        for name, text in HOLD.items():
            found = _executed(text, words)
            if found != (None, True):
                yield f"{name}: {found}"
        for name, text in UNDEFINED.items():
            found = _executed(f"{text} __VERIFIER_error();", words)
            if found[0] is None or found[1]:
                yield f"{name}: {found}"
        for name, text in CHANGED.items():
            if _executed(text, words)[0] is None:
                yield f"{name} stays as it is"


def _executed(text: str, words: bool) -> tuple[str | None, bool]:
    try:
        run = execute(parse_c(f"{HEAD} int main(void) {{ {text} }}".encode(), "p.c", words=words))
    except (InputError, AssertionError, LookupError, ValueError, TypeError) as error:
        return repr(error), False
    return run.error, run.is_exact


def _look_at_orders(_: float) -> Iterator[str]:
    for text, wanted in ORDERS.items():
        program = f"{HEAD} {COUNT} int two(int a, int b) {{ return 10 * a + b; }} int result;"
        program += f"int main(void) {{ result = {text}; __VERIFIER_error(); }}"
        found: set[int | str] = set()
        for run in executions(parse_c(program.encode(), "p.c")):
            error = run.error or ""
            found |= {"fails"} if error.startswith("reach_error") else set()
            found |= {int(run.values["result"])} if error.startswith("__VERIFIER_error") and run.is_exact else set()
        if found != wanted:
            yield f"{text} is {sorted(map(str, found))}"
    several = execute(parse_c(f"{COUNT} int main(void) {{ int n = next() + next() + next(); fail(); }}".encode(), "p.c"))
    if several.is_exact:
        yield "too many orders count"


KNOWN = Catcher("C with known answers", "short programs, each about a section of the standard, executed on their graphs", _look)
ORDER = Catcher("C in all orders", "expressions whose value depends on the order, executed in all of them", _look_at_orders)
C = "frontends.c"
ARITHMETIC, EXPRESSIONS, LVALUES = (
    f"{C}.operators.arithmetic:IntegerArithmetic",
    f"{C}.translate.expressions:Expressions",
    f"{C}.memory.lvalues:Places",
)
STATEMENTS, ORDERING = f"{C}.translate.statements:StatementTranslator", f"{C}.sequencing.ordering:Ordering"

BUGS: tuple[SeededBug, ...] = (
    edit(
        "numbers do not wrap",
        f"{ARITHMETIC}._fitted",
        "not self.wraps or (kind.least <= low and high <= kind.most)",
        "True",
        KNOWN,
    ),
    edit(
        "a sum that is too small is not turned",
        f"{ARITHMETIC}._turned",
        'self._binary("+", term, turn)',
        "term",
        KNOWN,
    ),
    edit(
        "quotients are rounded down",
        f"{ARITHMETIC}.divide",
        "numeric(0), a.term), plain, negative",
        "numeric(0), a.term), plain, plain",
        KNOWN,
    ),
    edit(
        "operands have the type of the left one",
        f"{C}.operators.binary:Operators.arithmetic",
        "kind = common(left.type, right.type, self.unit.data)",
        "kind = left.type",
        KNOWN,
    ),
    edit(
        "both parts of ?: have the type of the first one",
        f"{C}.operators.conditional:Conditionals._joint",
        "return common(a.type, b.type, self.unit.data)",
        "return a.type",
        KNOWN,
    ),
    edit(
        "division by zero counts",
        f"{C}.operators.binary:Operators._defined",
        'self.places.must(arithmetic.compare("!=", right, arithmetic.literal(0, right.type)), at, "division")',
        "pass",
        KNOWN,
    ),
    edit(
        "a shift by the width counts",
        f"{C}.operators.binary:Operators._defined",
        'compare("<", right',
        'compare("<=", right',
        KNOWN,
    ),
    edit(
        "one byte after an object is part of it",
        f"{LVALUES}.inside",
        "arithmetic.read(arithmetic.moved(offset, size, 1, ptrdiff), ptrdiff)",
        "start",
        KNOWN,
    ),
    edit(
        "what is before an object is part of it",
        f"{LVALUES}.inside",
        'arithmetic.compare("<=", arithmetic.literal(0, ptrdiff), start)',
        "TRUTH",
        KNOWN,
    ),
    edit("strings can be written to", f"{LVALUES}.inside", "if is_written else 0", "if False else 0", KNOWN),
    edit("arrays have one element more", f"{LVALUES}._is_index", '"<", index, bound', '"<=", index, bound', KNOWN),
    edit("arrays in objects have no bounds", f"{LVALUES}.check", "place.within", "TRUTH", KNOWN),
    edit("all members are at the start", f"{LVALUES}.member", "unit.data.offset(struct, name)", "0", KNOWN),
    edit("objects of blocks live on", f"{STATEMENTS}._end_objects", "self._e.places.end(base, at)", "pass", KNOWN),
    edit(
        "what is freed may be freed again",
        f"{C}.library.allocation:Allocation.release",
        "both(self._is_heap(pointer.base), e.places.lives(pointer.base))",
        "self._is_heap(pointer.base)",
        KNOWN,
    ),
    edit(
        "free takes any pointer",
        f"{C}.library.allocation:Allocation.release",
        "both(start,",
        "both(TRUTH,",
        KNOWN,
        (
            f"{C}.library.allocation:Allocation.release",
            "is_null = e.is_null(pointer)",
            "from lemmata.frontends.c.translate.tree_builder import TRUTH; is_null = e.is_null(pointer)",
        ),
    ),
    edit(
        "pointers are subtracted in bytes",
        f"{C}.operators.pointers:PointerOperators.combined",
        "unit.arithmetic.literal(size, ptrdiff)",
        "unit.arithmetic.literal(1, ptrdiff)",
        KNOWN,
    ),
    edit(
        "pointers to two objects are ordered",
        f"{C}.operators.pointers:PointerOperators._within_one",
        'self.places.must(same, at, "pointers")',
        "pass",
        KNOWN,
    ),
    edit(
        "i++ is worth the new value",
        f"{EXPRESSIONS}._step",
        "return new if is_prefix or not is_used else",
        "return new if True else",
        KNOWN,
    ),
    edit(
        "sizeof is an int",
        f"{EXPRESSIONS}._unary",
        "arithmetic.literal(size, unit.data.size_t)",
        "arithmetic.literal(size, C_INT)",
        KNOWN,
    ),
    edit(
        "the right side of && is evaluated always",
        f"{EXPRESSIONS}.branch",
        "self.branch(node.left, middle, no)",
        "self.branch(node.left, middle, middle)",
        KNOWN,
    ),
    edit(
        "values are not kept when something changes",
        f"{C}.sequencing.snapshots:Snapshots.kept_term",
        "not later or",
        "True or",
        KNOWN,
    ),
    edit(
        "cases are not converted",
        f"{STATEMENTS}._case_values",
        "wrapped(number, kind) if self._unit.is_exact else number",
        "number",
        KNOWN,
    ),
    edit(
        "a range of cases has not its last value",
        f"{STATEMENTS}._switch",
        'compare("<=", value, last)',
        'compare("<", value, last)',
        KNOWN,
    ),
    edit(
        "a ?: b evaluates a twice",
        f"{C}.operators.conditional:Conditionals.omitted",
        "e.store(self.places.of(storage), value, node)",
        "e.store(self.places.of(storage), e.value(condition), node)",
        KNOWN,
    ),
    edit(
        "bit-fields of 32 bits have the type that they are declared with",
        f"{C}.memory.cells:MemoryCells.field",
        "promoted_field(kind)",
        "kind.type",
        KNOWN,
    ),
    edit(
        "what is assumed is not converted",
        f"{C}.translate.calls:CallTranslator._judged",
        "not (values and parameters",
        "not (False and parameters",
        KNOWN,
    ),
    edit(
        "there is a sequence point behind an operand that decides alone",
        f"{C}.sequencing.unsequenced:Sequencing._in_order",
        "parts if is_last_skipped else",
        "parts[1:] if is_last_skipped else",
        KNOWN,
    ),
    edit("continue skips the step of a loop", f"{STATEMENTS}._loop", "(body, end, again)", "(body, end, head)", KNOWN),
    edit(
        "do goes on until its condition holds", f"{STATEMENTS}._do", "(node.cond, head, end)", "(node.cond, end, head)", KNOWN
    ),
    edit(
        "the value of a function without one counts",
        f"{C}.translate.calls:CallTranslator._receive",
        'e.places.must(inverse(unit.nodes.name(falls)), at, "value")',
        "pass",
        KNOWN,
    ),
    edit("after [3] comes [3]", f"{C}.translate.initializers:Initializers._designated", "step + 1", "step", KNOWN),
    edit(
        "functions without a definition change nothing",
        f"{C}.library.externals:Externals._through",
        "if is_const:\n        return False\n    at",
        "if True:\n        return False\n    at",
        KNOWN,
    ),
    edit(
        "two changes of a variable have an order",
        f"{C}.sequencing.unsequenced:Sequencing.conflicts",
        "self._conflicts.get(id(node), _NAMES())",
        "_NAMES()",
        KNOWN,
    ),
    edit("calls are evaluated from left to right", f"{ORDERING}._with_calls", "whole.add(self._bodies[name])", "pass", ORDER),
    edit(
        "reads before a call that changes them are not seen",
        f"{ORDERING}._orders",
        "| (later.writes & earlier.reads)",
        "",
        ORDER,
    ),
    edit("an operand that ends the run hides errors of others", f"{ORDERING}._orders", "earlier.ends and", "False and", ORDER),
    edit("too many orders count", f"{ORDERING}._orders", "self._count(operands[n], variables) > 1", "False", ORDER),
    edit(
        "the last order is left out",
        f"{C}.sequencing.ordering:Orders.of",
        "permutations(places)",
        "list(permutations(places))[:-1]",
        ORDER,
    ),
)

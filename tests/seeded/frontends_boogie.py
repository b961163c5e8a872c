"""Misreadings of Boogie, which execution of the syntax tree or a known answer notices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from lemmata.errors import LemmataError
from lemmata.frontends.boogie import parse_boogie
from tests.seeded.bug import Catcher, SeededBug, edit, entry
from tests.soak.boogie import RICH, program_of, truth
from tests.support.boogie_interpreter import DOMAIN
from tests.support.graph_states import reached

CRASHES = (LemmataError, AssertionError, LookupError, ValueError, TypeError)

# What the reference manual says about programs of one line; the answer is the set of violated properties.

ASSERT = {"assert at line 1"}
PROGRAMS: tuple[tuple[str, set[str]], ...] = (
    ("procedure main() { assert 2 + 3 * 4 == 14; }", set()),
    ("procedure main() { assert 7 - 2 - 1 == 4; }", set()),
    ("procedure main(p: bool) { assert p ==> false ==> p; }", set()),
    ("procedure main(p: bool, q: bool) { assert p && q ==> p || q; }", set()),
    ("procedure main(p: bool) { assert !p == p; }", ASSERT),
    ("procedure main(p: bool, q: bool) { assert (p <== q) <==> (q ==> p); }", set()),
    ("procedure main(x: int) { assert -x + x == 0; }", set()),
    ("procedure main() { assert (0 - 7) mod 4 == 1 && (0 - 7) div 4 == 0 - 2; }", set()),
    ("procedure main(x: int, y: int) { assert x < y || x > y || x == y; assert x >= y || y >= x; }", set()),
    ("procedure main(x: int) { assert (if x > 1 then x else 2) >= 2; }", set()),
    ("procedure main() { var x, y: int; x := 0; y := 1; x, y := y, x; assert x == 1 && y == 0; }", set()),
    ("procedure main() { var x: int where x > 0; assert x > 0; }", set()),
    ("var g: int where g > 0; procedure main() modifies g; { havoc g; assert g > 0; }", set()),
    ("var g: int where g > 0; procedure main() { assert g > 0; }", set()),
    ("var g: int where g > 1 && g < 1; procedure main() { assert false; }", set()),
    ("procedure main(x: int where x > 0) { assert x > 0; }", set()),
    ("const c: int; axiom c > 0; procedure main() { assert c > 0; }", set()),
    ("procedure main(x: int) requires x > 0; { assert x > 0; }", set()),
    ("procedure main() { var i: int; i := 0; while (i < 2) invariant i <= 2; { i := i + 1; } assert i == 2; }", set()),
    ("procedure main() { var i: int; i := 0; while (i < 2) invariant i <= 1; { i := i + 1; } }", {"invariant at line 1"}),
    ("procedure main() { var i: int; i := 0; while (true) { i := 1; break; } assert i == 1; }", set()),
    ("procedure main() { var i: int; i := 0; goto A, B; A: i := 1; goto C; B: i := 2; C: assert i > 0; }", set()),
    ("procedure main() { goto A, B; A: assert true; return; B: assert false; }", {"assert at line 1~2"}),
    ("procedure main(x: int) { if (x > 1) { return; } assert x <= 1; }", set()),
    (
        "procedure main() { var i: int; i := 0; while (i < 2) { i := i + 1; if (i == 1) { break; } i := 2; } assert i == 1; }",
        set(),
    ),
    ("procedure main() { var i: int; i := 0; while (i < 2) { assume i < 3; i := i + 1; } assert i != 2; }", ASSERT),
    ("var g: int; procedure main() modifies g; { g := g + 1; assert g == old(g); }", ASSERT),
    (
        "var g: int; procedure p() modifies g; { g := 2; } procedure q() modifies g; { call p(); }"
        " procedure main() modifies g; { g := 0; call q(); assert g == 2; }",
        set(),
    ),
    (
        "var g: int; var h: int; procedure p() returns (r: int) { r := h; }"
        " procedure main() { var a, b: int; call a := p(); call b := p(); assert a == b; }",
        set(),
    ),
    ("procedure main(x: int) { if (x > 1) { assert x > 1; } else { assert x <= 1; } }", set()),
    ("var m: [int]int; procedure main() modifies m; { m[0] := 1; m[1] := 0; assert m[0] == 1; }", set()),
    ("function f(a: int, b: int) returns (int) { a - b } procedure main() { assert f(2, 1) == 1; }", set()),
    (
        "procedure p(x: int) returns (y: int); ensures y == x + 1;"
        " procedure main() { var r: int; call r := p(1); assert r == 2; }",
        set(),
    ),
    ("procedure p(x: int); requires x > 0; procedure main() { call p(0); }", {"requires of p at line 1"}),
    (
        "var g: int; procedure p(); modifies g; ensures g == old(g) + 1;"
        " procedure main() modifies g; { g := 0; call p(); assert g == 1; }",
        set(),
    ),
    (
        "var g: int; procedure p() modifies g; { g := 2; } procedure main() modifies g; { g := 0; call p(); assert g == 2; }",
        set(),
    ),
    ("var g: int; procedure main() modifies g; ensures g == old(g); { g := 1 - g; g := 1 - g; }", set()),
    (
        "procedure p(x: int, y: int) returns (r: int) { r := x - y; }"
        " procedure main() { var r: int; call r := p(2, 1); assert r == 1; }",
        set(),
    ),
    (
        "procedure p(n: int) returns (r: int) { r := n; if (n > 0) { call r := p(n - 1); } }"
        " procedure main() { var r: int; call r := p(2); assert r == 0; }",
        set(),
    ),
    ("procedure p(n: int) returns (r: int) ensures r == 0; { r := 1; } procedure main() { }", {"ensures at line 1"}),
    ("procedure main() { var b: bv8; b := 5bv8; assert b[4:0] ++ b[8:4] == 80bv8; }", set()),
    ("procedure main() { assume false; assert false; }", set()),
)


def _look_at_known(_: float) -> Iterator[str]:
    for text, expected in PROGRAMS:
        for inline in (True, False):
            try:
                found = reached(parse_boogie(text.encode(), "p.bpl", inline=inline), DOMAIN)
            except CRASHES as error:
                yield f"{text}: {error!r}"
                continue
            if found != expected:
                yield f"{text}: {found or 'nothing'} is violated"


# Random programs.

SEEDS = (4, 0, 15, 36, 22, 10, 29, 25, 6, RICH)


@cache
def _truth(seed: int) -> frozenset[str]:
    return frozenset(truth(seed))


def _look_at_random(_: float) -> Iterator[str]:
    for seed in SEEDS:
        wanted = _truth(seed)
        try:
            found = reached(parse_boogie(program_of(seed).encode(), "p.bpl", inline=seed % 2 == 0), DOMAIN)
        except CRASHES as error:
            yield f"seed {seed}: {error!r}"
            continue
        if found != wanted:
            yield f"seed {seed}: missing {wanted - found}, too many {found - wanted}"


KNOWN = Catcher(
    "Boogie with known answers",
    "programs of one line, what the manual says about them, and enumeration of the graph",
    _look_at_known,
)
EXECUTION = Catcher(
    "Boogie interpreter", "random programs, executed statement by statement, against enumeration of the graph", _look_at_random
)

PARSER, WALK, EFFECTS = (
    "frontends.boogie.syntax.parse_expressions",
    "frontends.programs.translate.expressions:_Walk",
    "frontends.programs.translate.effects",
)
STATEMENTS, CALLS = "frontends.programs.translate.statements:Statements", "frontends.programs.translate.calls:Calls"
PROCEDURES, CONTEXT = (
    "frontends.programs.translate.procedures:Procedures",
    "frontends.programs.translate.context:TranslationContext",
)

BUGS: tuple[SeededBug, ...] = (
    entry("* binds like +", f"{PARSER}:_RANKS", "*", "+", KNOWN),
    entry("==> binds like &&", f"{PARSER}:_RANKS", "==>", "&&", KNOWN),
    edit("- joins from the right", f"{PARSER}:ExpressionParser._wait", "op not in _RIGHT", "False", KNOWN),
    edit("<== is ==>", f"{PARSER}:_join", 'Binary(at, "==>", right, left)', 'Binary(at, "==>", left, right)', KNOWN),
    edit(
        "a sign holds for the whole sum",
        f"{PARSER}:ExpressionParser._operand",
        "(_UNARY, cursor.kind",
        "(0, cursor.kind",
        KNOWN,
    ),
    edit("> is >=", f"{WALK}._binary", '"<" if op == ">" else "<="', '"<="', KNOWN),
    edit("!= is ==", f"{WALK}._binary", "negate(equal(left, right))", "equal(left, right)", EXECUTION),
    edit(
        "old is now",
        f"{WALK}._visit",
        "self._stack.append((argument, sign, True, False))",
        "self._stack.append((argument, sign, False, False))",
        KNOWN,
    ),
    edit("an extract is one bit too high", f"{WALK}._combine", "(high - 1, low)", "(high, low + 1)", KNOWN),
    edit(
        "the branches of a conditional are swapped", f"{WALK}._combine", "ite(*args)", "ite(args[0], args[2], args[1])", KNOWN
    ),
    edit(
        "values are assigned in the wrong order",
        f"{STATEMENTS}._change",
        "new = dict(zip(variables, values, strict=True))",
        "new = dict(zip(variables, values[::-1], strict=True))",
        KNOWN,
    ),
    edit(
        "where is not assumed after havoc",
        f"{STATEMENTS}._change",
        "context.assume_where(list(new), VariableScope({**now, **new}, activation.scope.before), draft)",
        "pass",
        KNOWN,
    ),
    edit(
        "where of locals is dropped",
        f"{PROCEDURES}._enter",
        "context.assume_where(implementation.variables,",
        "context.assume_where((),",
        KNOWN,
    ),
    edit(
        "where of globals is dropped at the start",
        f"{PROCEDURES}._enter",
        "(*self.needed(procedure, state), *procedure.parameters)",
        "procedure.parameters",
        KNOWN,
    ),
    edit(
        "where of globals that nobody mentions is dropped",
        "frontends.programs.translate.graph:_start",
        "context.assume_where(others, scope, draft)",
        "pass",
        KNOWN,
    ),
    edit(
        "an assert is assumed only",
        f"{STATEMENTS}._condition",
        "isinstance(statement, Assert) and activation.assertions is Assertions.CHECKED",
        "False",
        EXECUTION,
    ),
    edit("a loop is never left", f"{STATEMENTS}._while", "((first, True), (target, False))", "((first, True),)", KNOWN),
    edit(
        "the condition of a loop is not assumed inside",
        f"{STATEMENTS}._while",
        "statement.condition, wanted, way",
        "statement.condition if not wanted else None, wanted, way",
        KNOWN,
    ),
    edit(
        "break leaves the inner if only",
        "frontends.programs.translate.statements:Exits.target",
        "exits.is_loop if label is None",
        "True if label is None",
        KNOWN,
    ),
    edit(
        "goto takes its first label only",
        f"{STATEMENTS}._statement",
        "for name, _ in labels:",
        "for name, _ in labels[:1]:",
        EXECUTION,
    ),
    edit(
        "return goes on",
        f"{STATEMENTS}._statement",
        "self._skip(activation, source, activation.end, at)",
        "self._skip(activation, source, target, at)",
        KNOWN,
    ),
    edit(
        "both branches of an if are taken alike",
        f"{STATEMENTS}._if",
        "(statement.otherwise, False)",
        "(statement.otherwise, True)",
        KNOWN,
    ),
    edit("requires is not asserted at calls", f"{CALLS}._assert_requires", "if call.is_free or", "if True or", KNOWN),
    edit(
        "requires of the caller's arguments is read in the wrong order",
        f"{CALLS}._arguments",
        "for argument in call.arguments",
        "for argument in call.arguments[::-1]",
        KNOWN,
    ),
    edit(
        "a call of a contract changes no global",
        f"{CALLS}._trust",
        "changes = {state[v]: term for v, term in changed.items()}",
        "changes = {}",
        KNOWN,
    ),
    edit(
        "ensures is not assumed of contracts",
        f"{CALLS}._trust",
        "context.assume_all(procedure.ensures, after, draft)",
        "pass",
        KNOWN,
    ),
    edit(
        "a summary forgets what the arguments were",
        f"{CALLS}._return",
        "same += zip(root.formals.parameters, self._arguments(caller, call, draft), strict=True)",
        "pass",
        KNOWN,
    ),
    edit(
        "a summary forgets the globals",
        f"{CALLS}._return",
        "changes = {caller.globals[v]: at_end[root.globals[v]] for v in root.formals.old}",
        "changes = {}",
        KNOWN,
    ),
    edit("ensures is not asserted", f"{PROCEDURES}.leave", "if activation.assertions is Assertions.CHECKED", "if False", KNOWN),
    edit("what callees need is not passed on", f"{EFFECTS}:_join", "caller.needs |= callee.needs", "pass", KNOWN),
)

"""Small files that would like to be large: each has at most 10 kB and means something enormous when it is taken at its word."""

from __future__ import annotations

from collections.abc import Callable

SMALL = 10_000  # bytes


def _horn(body: str, *definitions: str, sort: str = "Int") -> bytes:
    """Clauses with ``body``, a formula over x, as a guard."""
    return "\n".join(
        [
            "(set-logic HORN)",
            f"(declare-fun P ({sort}) Bool)",
            *definitions,
            f"(assert (forall ((x {sort})) (=> (= x x) (P x))))",
            f"(assert (forall ((x {sort})) (=> (and (P x) {body}) false)))",
            "(check-sat)\n",
        ]
    ).encode()


def _nested(start: str, step: Callable[[str], str], times: int, use: str) -> str:
    """``let`` in ``let``: v0 is ``start``, each next one a step from the one before; ``use`` speaks of ``v``."""
    opened = f"(let ((v0 {start})) "
    for n in range(1, times + 1):
        opened += f"(let ((v{n} {step(f'v{n - 1}')})) "
    return opened + use.replace("v", f"v{times}") + ")" * (times + 1)


def _square(v: str) -> str:
    return f"(* {v} {v})"


def _chain(start: str, op: str, times: int, sort: str) -> list[str]:
    """Definitions, each applying ``op`` twice to the one before."""
    first = f"(define-fun c0 () {sort} {start})"
    return [first, *(f"(define-fun c{n} () {sort} ({op} c{n - 1} c{n - 1}))" for n in range(1, times + 1))]


def _macros(times: int) -> list[str]:
    first = "(define-fun f0 ((a Int) (b Int)) Int (+ a (* 2 b)))"
    step = "(define-fun f{0} ((a Int) (b Int)) Int (f{1} (f{1} a b) (f{1} b a)))"
    return [first, *(step.format(n, n - 1) for n in range(1, times + 1))]


def _vmt(value: str) -> bytes:
    return f"""(declare-fun x () Int)
(declare-fun y () Int)
(define-fun sv () Int (! x :next y))
(define-fun start () Bool (! (= x {value}) :init true))
(define-fun step () Bool (! (= y x) :trans true))
(define-fun good () Bool (! (< x 2) :invar-property 0))
""".encode()


def _btor2(lines: list[str], width: int = 1 << 20) -> bytes:
    """Lines that start with an id from 10 on; the last one has 1 bit and is bad."""
    head = [f"1 sort bitvec {width}", "2 sort bitvec 1", "3 ones 1", "4 state 1 s"]
    numbered = [f"{n} {line}" for n, line in enumerate(lines, 10)]
    return "\n".join([*head, *numbered, f"{10 + len(lines)} bad {9 + len(lines)}", ""]).encode()


def _operator(op: str, count: int = 250, start: int = 3) -> bytes:
    lines = [f"{op} 1 {start if n == 0 else 9 + n} 3" for n in range(count)]
    return _btor2([*lines, f"eq 2 {9 + count} 4"])


def _overflows(op: str) -> bytes:
    return _btor2([f"{op} 2 3 4" for _ in range(200)])


def _boogie(body: str, *declarations: str) -> bytes:
    text = "\n".join([*declarations, "procedure main() {", "  var x: int;", f"  {body}", "}", ""])
    return text.encode()


def _calls(depth: int) -> list[str]:
    procedures = [f"procedure p{depth}() returns (r: int) {{ r := 1; }}"]
    for n in range(depth):
        body = f"var a: int; var b: int; call a := p{n + 1}(); call b := p{n + 1}(); r := a + b;"
        procedures.append(f"procedure p{n}() returns (r: int) {{ {body} }}")
    return procedures


def _branches(count: int) -> str:
    return " ".join(f"if (x == {n}) {{ x := x + {n}; }} else {{ x := x - {n}; }}" for n in range(count)) + " assert x != 3;"


FILES: dict[str, bytes] = {
    # numbers that square themselves
    "let-squares.smt2": _horn(_nested("3", _square, 40, "(= x v)")),
    "let-squares-negative.smt2": _horn(_nested("(- 3)", _square, 40, "(= x v)")),
    "let-squares-with-x.smt2": _horn(_nested("(* 3 x)", _square, 40, "(= x v)")),
    "let-sums-of-x.smt2": _horn(_nested("(+ 3 x)", lambda v: f"(+ {v} {v})", 150, "(= x v)")),
    "let-binomials.smt2": _horn(_nested("(+ 3 x)", _square, 30, "(= x v)")),
    "let-real-squares.smt2": _horn(_nested("1.5", _square, 40, "(= x v)"), sort="Real"),
    "let-real-quotients.smt2": _horn(_nested("1.5", lambda v: f"(/ (+ {v} 0.3) (* {v} {v}))", 40, "(= x v)"), sort="Real"),
    "defined-squares.smt2": _horn("(= x c40)", *_chain("7", "*", 40, "Int")),
    "flat-product.smt2": _horn(f"(= x (* {' '.join(['9' * 3000] * 3)} x))"),
    "squares.vmt": _vmt(_nested("3", _square, 40, "v")),
    "squares.bpl": _boogie("assert 1.0 == " + "*".join(["(3.0**64.0**2.0)"] * 300) + ";"),
    "powers.bpl": _boogie("assert 1.0 == ((((((((3.0**64.0)**64.0)**64.0)**64.0)**64.0)**64.0)**64.0)**64.0);"),
    "powers-of-x.bpl": _boogie("assert real(x) == ((((((((real(x)**64.0)**64.0)**64.0)**64.0)**64.0)**64.0)**64.0)**64.0);"),
    "real-exponents.bpl": _boogie("assert " + " * ".join(["1e4000"] * 400) + " > 1.0;"),
    # words that grow
    "repeat.smt2": _horn("(= ((_ extract 7 0) ((_ repeat 1048576) #b1)) x)", sort="(_ BitVec 8)"),
    "repeat-x.smt2": _horn("(= ((_ extract 7 0) ((_ repeat 131072) x)) x)", sort="(_ BitVec 8)"),
    "repeats.smt2": _horn("(= ((_ extract 7 0) " + "((_ repeat 1024) " * 6 + "x" + ")" * 7 + " x)", sort="(_ BitVec 8)"),
    "let-concat.smt2": _horn(
        _nested("#b1", lambda v: f"(concat {v} {v})", 40, "(= ((_ extract 7 0) v) x)"), sort="(_ BitVec 8)"
    ),
    "let-concat-x.smt2": _horn(
        _nested("x", lambda v: f"(concat {v} {v})", 40, "(= ((_ extract 7 0) v) x)"), sort="(_ BitVec 8)"
    ),
    "extensions.smt2": _horn(
        "(= ((_ extract 7 0) " + "((_ sign_extend 1048576) " * 200 + "#b1" + ")" * 201 + " x)", sort="(_ BitVec 8)"
    ),
    "wide.smt2": _horn("(= x (bvmul x x (bvudiv (bvnot x) (bvneg x))))", sort="(_ BitVec 1048576)"),
    "wide-constants.smt2": _horn(
        _nested("(_ bv3 1048576)", lambda v: f"(bvudiv (bvmul {v} (bvnot {v})) {v})", 100, "(= x v)"),
        sort="(_ BitVec 1048576)",
    ),
    **{
        f"{op}.btor2": _operator(op)
        for op in ("mul", "udiv", "sdiv", "srem", "smod", "urem", "add", "sll", "sra", "rol", "ror")
    },
    **{f"{op}-state.btor2": _operator(op, start=4) for op in ("mul", "udiv", "sll", "rol", "and")},
    **{f"{op}.btor2": _overflows(op) for op in ("umulo", "smulo", "saddo", "sdivo", "usubo")},
    **{f"{op}.btor2": _btor2([f"{op} 2 4" for _ in range(200)]) for op in ("redxor", "redand", "redor")},
    **{f"{op}-constant.btor2": _btor2([f"{op} 2 3" for _ in range(200)]) for op in ("redxor", "redand")},
    "slices.btor2": _btor2(
        [line for n in range(150) for line in (f"slice 2 {(n and 9 + 2 * n) or 4} 0 0", f"uext 1 {10 + 2 * n} {(1 << 20) - 1}")]
        + ["redor 2 309"]
    ),
    # formulas that multiply
    "macros.smt2": _horn("(= x (f40 x x))", *_macros(40)),
    "clauses.smt2": _horn("(and " + " ".join(f"(or (= x {n}) (< x {n}) (P {n}))" for n in range(100)) + ")"),
    "negated-clauses.smt2": _horn("(not (or " + " ".join(f"(and (= x {n}) (< x {n}))" for n in range(150)) + "))"),
    "choices.smt2": _horn(_nested("x", lambda v: f"(ite (= {v} 1) (+ {v} 1) (- {v} 1))", 80, "(= x v)")),
    "choices-mod.smt2": _horn(_nested("x", lambda v: f"(mod (ite (= (mod {v} 7) 1) (* 3 {v}) (div {v} 3)) 64)", 60, "(= x v)")),
    "distinct.smt2": _horn("(distinct " + " ".join(f"(+ x {n})" for n in range(700)) + ")"),
    "xor.smt2": _horn(_nested("(= x 1)", lambda v: f"(xor {v} (= (< x 3) {v}))", 80, "v")),
    "deep.smt2": _horn("(= x " + "(- " * 3000 + "x" + ")" * 3001),
    "deep-arrays.smt2": _horn("(= x x)", "(declare-fun a () " + "(Array Int " * 400 + "Int" + ")" * 401),
    "doubled-sorts.smt2": _horn(
        "(= x x)", "(declare-fun Q (" + "(Array (_ BitVec 1048576) " * 40 + "Int" + ")" * 40 + ") Bool)"
    ),
    "quantifiers.smt2": _horn("(forall ((y Int)) " * 200 + "(= x y)" + ")" * 200),
    # circuits that announce themselves
    "inputs.aig": b"aig 1000000000 1000000000 0 0 0 1\n2\n",
    "inputs.aag": b"aag 1000000000 1000000000 0 0 0 1\n2\n",
    "gates.aag": b"aag 1000000000 1 0 0 999999999 1\n2\n2\n",
    "latches.aig": b"aig 1000000000 0 1000000000 0 0 1\n2\n",
    "justice.aag": b"aag 1 1 0 0 0 0 0 2 0\n2\n1000000000000\n999999999999999999\n2\n",
    "maximum.aag": b"aag 99999999999999999999999 0 0 0 0 1\n0\n",
    "sparse.aag": b"aag 4000000000 1 1 0 0 1\n8000000000\n7999999998 8000000000\n7999999998\n",
    # programs that call themselves
    "calls.bpl": _boogie("call x := p0(); assert x > 0;", *_calls(60)),
    "branches.bpl": _boogie("x := 0; " + _branches(120)),
    "types.bpl": _boogie(
        "assert t == t;", *[f"type T{n} = [T{n + 1}]T{n + 1};" for n in range(50)], "type T50 = int;", "var t: T0;"
    ),
    "functions.bpl": _boogie(
        "assert f0(x) == 1;",
        *[f"function f{n}(a: int): int {{ f{n + 1}(a) + f{n + 1}(f{n + 1}(a)) }}" for n in range(60)],
        "function f60(a: int): int { a + 1 }",
    ),
    "widths.bpl": _boogie("var b: bv1048576; assert b[1048576:1048575] ++ b[8:7] == 3bv2;"),
    "concatenations.bpl": _boogie("var b: bv1048576; assert " + " ++ ".join(["b"] * 600) + " == b;"),
    "labels.bpl": _boogie(" ".join(f"l{n}: goto l{n + 1}, l{(n * 7) % 200};" for n in range(200)) + " l200: assert false;"),
    "loops.bpl": _boogie("while (*) { " * 200 + "x := x + 1;" + " }" * 200 + " assert x > 0;"),
    "old.bpl": _boogie("assert " + "(" * 2000 + "x == 0" + ")" * 2000 + ";"),
    "chains.bpl": _boogie("assert " + " <==> ".join(["(x == 1)"] * 700) + ";"),
    "choices.bpl": _boogie("assert " + "(if x == 1 then x + 1 else " * 300 + "x" + ")" * 300 + " == 0;"),
}

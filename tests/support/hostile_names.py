"""Names that try to be more than names, and what none of them may do to an output."""

from __future__ import annotations

import re

EVIL = "\x1b[31m\x07\x9b2J\u202e\u2066\u200b\u2028\ufeff"  # colours, a bell, a cleared screen, text turned around, line breaks
MARKUP = "<script>alert(1)</script>\"'`$x$|[/b]{}\\"
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def tame(text: str) -> bool:
    """Is there nothing in ``text`` that a terminal, a page or an editor obeys?"""
    return _FORBIDDEN.search(text) is None


def circuit(name: str, safe: bool = True) -> bytes:
    """A circuit whose input, latch and property are all called so; the latch stays 0, or takes the input."""
    written = name.encode("utf-8", "surrogateescape")
    body = b"aag 2 1 1 0 0 1\n2\n4 %d\n4\n" % (4 if safe else 2)
    return body + b"i0 %b\nl0 %b\nb0 %b\n" % (written, written, written)


def clauses(name: str, safe: bool = True) -> bytes:
    """Horn clauses whose predicate and variable are called so."""
    bound = "1" if safe else "0"
    return f"""(set-logic HORN)
(declare-fun |{name}| (Int) Bool)
(assert (forall ((|{name} x| Int)) (=> (= |{name} x| 0) (|{name}| |{name} x|))))
(assert (forall ((|{name} x| Int) (y Int)) (=> (and (|{name}| |{name} x|) (= y |{name} x|)) (|{name}| y))))
(assert (forall ((|{name} x| Int)) (=> (and (|{name}| |{name} x|) (= |{name} x| {bound})) false)))
(check-sat)
""".encode()


def system(name: str, safe: bool = True) -> bytes:
    """A transition system of VMT-LIB whose variable and property are called so."""
    step = f"|{name}|" if safe else f"(+ |{name}| 1)"
    return f"""(declare-fun |{name}| () Int)
(declare-fun |{name} next| () Int)
(define-fun sv () Int (! |{name}| :next |{name} next|))
(define-fun start () Bool (! (= |{name}| 0) :init true))
(define-fun step () Bool (! (= |{name} next| {step}) :trans true))
(define-fun |{name} property| () Bool (! (< |{name}| 2) :invar-property 0))
""".encode()


def words(name: str, safe: bool = True) -> bytes:
    """A BTOR2 system whose state and property are called so."""
    written = name.encode("utf-8", "surrogateescape")
    change = b"4" if safe else b"5"
    return (
        b"1 sort bitvec 4\n2 sort bitvec 1\n3 zero 1\n4 state 1 %b\n5 inc 1 4\n6 init 1 4 3\n7 next 1 4 %b\n8 ones 1\n"
        b"9 eq 2 4 8\n10 bad 9 %b!\n" % (written, change, written)
    )


def program(name: str, safe: bool = True) -> bytes:
    """A Boogie program; strings, comments and attributes may hold anything, identifiers may not."""
    return f"""// {name}
procedure {{:note "{name}"}} main() {{
  var x: int;
  x := 0;
  while (x < 2) {{ x := x + 1; }}
  assert {{:msg "{name}"}} x == {2 if safe else 1};
}}
""".encode("utf-8", "surrogateescape")

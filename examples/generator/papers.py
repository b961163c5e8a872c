"""The systems that the literature explains PDR with.

Their transition relations are not functions: a state may have several successors. An input chooses among them, so that the
circuit has exactly the relation's transitions.
"""

from __future__ import annotations

from generator.catalog import example
from generator.circuit import Circuit

THESIS = "Werner, Property Directed Reachability in Ultimate, 2018, section "


@example("thesis-2.3.1.aag", unsafe=("not_P",), origin=THESIS + "2.3.1")
def thesis_unsafe() -> Circuit:
    """The transition system U: x2′ = x1, x3′ = x2, and x1′ is arbitrary.

    T = (x1 ∨ ¬x2′) ∧ (¬x1 ∨ x2′) ∧ (x2 ∨ ¬x3′) ∧ (¬x2 ∨ x3′), I = ¬x1 ∧ ¬x2 ∧ ¬x3, P = ¬x1 ∨ ¬x2 ∨ ¬x3.
    """
    c = Circuit()
    pick = c.input("pick")
    x1, x2, x3 = c.latch("x1"), c.latch("x2"), c.latch("x3")
    c.drive([x1, x2, x3], [pick, x1, x2])
    c.bad("not_P", x1 & x2 & x3)
    return c


@example("thesis-2.3.2.aag", origin=THESIS + "2.3.2")
def thesis_safe() -> Circuit:
    """The transition system B: 00 stays, 01 goes to 01 or 11, 10 stays, 11 goes to 10.

    T = (x1 ∨ ¬x2 ∨ x2′) ∧ (x1 ∨ x2 ∨ ¬x1′) ∧ (¬x1 ∨ x1′) ∧ (¬x1 ∨ ¬x2′) ∧ (x2 ∨ ¬x2′), I = ¬x1 ∧ ¬x2, P = ¬x1 ∨ x2.
    """
    c = Circuit()
    pick = c.input("pick")
    x1, x2 = c.latch("x1"), c.latch("x2")
    c.drive([x1, x2], [x1 | (x2 & pick), ~x1 & x2])
    c.bad("not_P", x1 & ~x2)
    return c


@example("slides-two-variables.aag", origin="Strejček, IA169 Model Checking, slides on property directed reachability")
def slides() -> Circuit:
    """Two variables: 00 stays, 01 stays or goes to 10, 10 and 11 go to 11.

    T = (¬x1 ∧ ¬x2 ∧ ¬x1′ ∧ ¬x2′) ∨ (¬x1 ∧ x2 ∧ ¬x1′ ∧ x2′) ∨ (¬x1 ∧ x2 ∧ x1′ ∧ ¬x2′) ∨ (x1 ∧ x1′ ∧ x2′),
    I = ¬x1 ∧ ¬x2, P = ¬x1 ∨ ¬x2.
    """
    c = Circuit()
    pick = c.input("pick")
    x1, x2 = c.latch("x1"), c.latch("x2")
    c.drive([x1, x2], [x1 | (x2 & pick), x1 | (x2 & ~pick)])
    c.bad("not_P", x1 & x2)
    return c

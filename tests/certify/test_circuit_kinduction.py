"""k-induction: accepted exactly when base and step hold; sound with constraints, dead ends and reset functions."""

from __future__ import annotations

import pytest

from lemmata.certify.circuit.check import certify, check_kinductive
from lemmata.errors import CertificateError
from lemmata.frontends.aiger import parse_aiger
from lemmata.models.invariant import KInductive
from lemmata.verdict import Safe

# x → y → z pass 0 on; a good step with z=0 says nothing of x and y. bad: z. 3-inductive, not 2-inductive.
PIPE = b"aag 3 0 3 0 0 1\n2 0\n4 2\n6 4\n6\n"
# Latch a toggles; latch b keeps itself, starting at 0; bad: both. Before the good state a=0, b=1 comes a bad one. 2-inductive.
KEEP = b"aag 3 0 2 0 1 1\n2 3\n4 4\n6\n6 4 2\n"
# An unreachable good loop 01 → 01 (input 0) leads to the bad 11 (input 1): only simple paths prove 00 → 00 safe.
LOOP = b"aag 4 1 2 0 1 1\n2\n4 8\n6 6\n4\n8 6 2\n"
# s is 0, 1, 1, …; the constraint ¬s kills everything after step 0; t follows s; bad: t.
KILLER = b"aag 2 0 2 0 0 1 1\n2 1\n4 2\n4\n3\n"
# a starts as the input and keeps its value; bad: a and not the input. Not bad at step 0, bad in the same state at step 1.
LATE = b"aag 3 1 1 0 1 1\n2\n4 4 2\n6\n6 4 3\n"


def check(text: bytes, k: int, simple: bool = False) -> None:
    check_kinductive(parse_aiger(text), 0, KInductive(k, simple))


@pytest.mark.parametrize(
    ("text", "k", "simple"),
    [
        (PIPE, 3, False),
        (PIPE, 4, False),
        (PIPE, 3, True),
        (KEEP, 2, False),
        (LOOP, 2, True),
        (KILLER, 2, False),
        (b"aag 1 1 0 0 0 1\n2\n0\n", 0, False),
        (b"aag 1 1 0 0 0 1\n2\n0\n", 1, True),
        (b"aag 1 0 1 0 0 1 1\n2 2\n1\n0\n", 0, False),
    ],
    ids=["pipe-3", "pipe-4", "pipe-simple", "keep", "loop-simple", "killer", "constant", "no-state", "false-constraint"],
)
def test_a_k_inductive_property_is_accepted(text: bytes, k: int, simple: bool) -> None:
    check(text, k, simple)


@pytest.mark.parametrize(
    ("text", "k", "simple", "cause"),
    [
        (PIPE, 2, False, "step"),
        (PIPE, 0, False, "step"),
        (PIPE, -1, False, "k = -1"),
        (KEEP, 1, False, "step"),
        (LOOP, 1, True, "step"),
        (LOOP, 9, False, "step"),
        (LATE, 1, True, "base fails: a bad state is reachable in 1 steps"),
        (LATE, 2, False, "base fails: a bad state is reachable in 1 steps"),
        (b"aag 1 1 0 0 0 1\n2\n2\n", 1, True, "base fails: a bad state is reachable in 0 steps"),
        (b"aag 1 0 1 0 0 1\n2 2 2\n2\n", 1, False, "base"),
    ],
)
def test_what_is_not_k_inductive_is_rejected(text: bytes, k: int, simple: bool, cause: str) -> None:
    with pytest.raises(CertificateError, match=cause):
        check(text, k, simple)


def test_simple_paths_do_not_hide_that_the_first_state_comes_back_with_other_inputs() -> None:
    for k in range(5):
        with pytest.raises(CertificateError):
            check(LATE, k, simple=True)


def test_certify_names_the_solver() -> None:
    assert certify(parse_aiger(PIPE), 0, Safe(KInductive(3)), backend="glucose4") == "glucose4"

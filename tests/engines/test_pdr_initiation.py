"""Initial states where resets are functions: which cubes meet them, and when."""

from __future__ import annotations

from lemmata.certify.circuit.check import certify
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.frontends.aiger import parse_aiger
from lemmata.verdict import Safe

# A latch starts as the input and keeps its value; a constraint holds the input at 0; bad: the latch.
HELD = b"aag 2 1 1 0 0 1 1\n2\n4 4 2\n4\n3\n"


def test_a_state_in_which_only_a_forbidden_input_starts_is_not_initial():
    model = parse_aiger(HELD)
    verdict = Pdr(model).check(0)
    assert isinstance(verdict, Safe)
    certify(model, 0, verdict)

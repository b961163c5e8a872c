"""Pictures of invariants: every state that is drawn as reached is one, and lies where the invariant holds."""

from __future__ import annotations

import pytest

from lemmata import run
from lemmata.config import Config
from lemmata.frontends import load
from lemmata.logic.sorts import INT, BitVec
from lemmata.logic.terms import var
from lemmata.run.evidence.reached import ReachedStates
from lemmata.run.evidence.regions import _landmarks
from lemmata.run.task import Wanted
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
PAGE = Wanted(drawing=True, details=True)


def points(region: dict, name: str) -> set[tuple[int, int]]:
    (left, right), (low, high) = region["window"]
    bits = "".join(f"{int(digit, 16):04b}" for digit in region[name])
    places = [(x, y) for y in range(low, high + 1) for x in range(left, right + 1)]
    return {place for place, bit in zip(places, bits, strict=False) if bit == "1"}


def drawn(name: str) -> list[dict]:
    outcome = run.supervise(str(EXAMPLES / name), Config(workers=1), wanted=PAGE)
    assert outcome.pictures is not None
    return [region for regions in outcome.pictures.regions for region in regions]


@pytest.mark.parametrize("name", ["welp/lin.btor2", "btor2/counter.btor2", "boogie/account.bpl", "lia/mccarthy.smt2"])
def test_what_is_reached_satisfies_the_invariant_and_what_is_bad_does_not(name):
    found = drawn(name)
    assert found
    for region in found:
        holds = points(region, "invariant")
        assert points(region, "reached") <= holds
        assert region["bad"] is None or not (points(region, "bad") & holds)


def test_integers_and_words_are_drawn_on_the_plane_of_their_two_variables():
    (word,) = drawn("welp/lin.btor2")
    assert word["names"] == ["x", "y"] and {(x, y) for x, y in points(word, "invariant") if x + 2 * y > 5} == set()
    assert (0, 2) in points(word, "invariant") and (0, 3) in points(word, "bad") and points(word, "reached")
    numbers = drawn("boogie/account.bpl")
    assert {tuple(region["names"]) for region in numbers} == {("balance", "n")}
    (bad,) = [region for region in numbers if region["place"] == "main:37" and region["bad"]]
    assert all(balance < 0 for balance, _ in points(bad, "bad"))


def test_all_states_of_a_small_system_are_found():
    reached = ReachedStates(load(EXAMPLES / "btor2" / "counter.btor2"))
    assert reached.is_all and {values for _, values in reached.states} == {(count,) for count in range(11)}


def test_states_that_no_run_has_are_not_reached(tmp_path):
    text = "1 sort bitvec 8\n2 sort bitvec 1\n3 state 1 x\n4 input 1 i\n5 next 1 3 4\n6 zero 1\n7 eq 2 3 6\n8 constraint 7\n"
    (tmp_path / "one.btor2").write_text(text + "9 redor 2 3\n10 bad 9\n")
    reached = ReachedStates(load(tmp_path / "one.btor2"))
    assert reached.is_all and [values for _, values in reached.states] == [(0,)]


def test_the_window_shows_what_is_reached_and_the_numbers_of_the_invariant():
    (region,) = drawn("lia/mccarthy.smt2")
    assert points(region, "reached") and points(region, "invariant") and points(region, "bad")
    assert region["outside"] == 0


def test_a_window_is_small_and_within_the_values_of_a_word():
    x, byte = var("x", INT), var("b", BitVec(8))
    assert _landmarks({0, 3, 1000}, {1000, 1001}, x, False) == [1000, 1001]
    assert _landmarks({0, 3, 1000}, set(), x, False) == [0, 3]
    assert _landmarks({0, 3}, set(range(-500, 500)), x, False) == list(range(-40, 41))
    assert _landmarks({10, 91, 102}, set(), x, False) == [91, 102]
    assert _landmarks({255, -1}, set(), byte, False) == [255] and _landmarks({255, -1}, set(), byte, True) == [-1]
    assert _landmarks(set(), set(range(500)), x, False) == list(range(81))
    assert _landmarks(set(), set(), x, False) == [0]

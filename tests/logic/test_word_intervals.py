"""Arcs as values: constructors, membership, inclusion, meeting."""

from __future__ import annotations

import itertools

import pytest

from lemmata.logic.domains.word_intervals import WordInterval
from tests.support.small_arcs import every_arc, is_well_formed, members


def test_both_readings_and_the_bits_of_an_interval_are_there() -> None:
    arc = WordInterval.unsigned(0x90, 0x9F, 8)
    assert (arc.umin, arc.umax, arc.smin, arc.smax) == (0x90, 0x9F, -0x70, -0x61)
    assert (arc.known, arc.bits) == (0xF0, 0x90)
    arc = WordInterval.signed(-4, 20, 8)
    assert (arc.umin, arc.umax, arc.smin, arc.smax) == (0, 255, -4, 20)
    assert arc.known == 0
    arc = WordInterval.pattern(0x81, 0x01, 8)
    assert (arc.umin, arc.umax, arc.smin, arc.smax) == (1, 127, 1, 127)


def test_a_point_takes_both_readings_of_its_value() -> None:
    assert WordInterval.point(-1, 8) == WordInterval.point(255, 8)
    assert WordInterval.point(-1, 8).umin == WordInterval.point(-1, 8).umax
    assert WordInterval.point(True, 1).umin == 1


@pytest.mark.parametrize("width", [1, 2, 3])
def test_constructors_mean_what_they_say(width: int) -> None:
    size, half = 1 << width, 1 << width - 1
    for lo, hi in itertools.combinations_with_replacement(range(size), 2):
        assert members(WordInterval.unsigned(lo, hi, width)) == list(range(lo, hi + 1))
        wanted = sorted(value % size for value in range(lo - half, hi - half + 1))
        assert members(WordInterval.signed(lo - half, hi - half, width)) == wanted
    for known, bits in itertools.product(range(size), repeat=2):
        wanted = [value for value in range(size) if not (value ^ bits) & known]
        assert members(WordInterval.pattern(known, bits, width)) == wanted
    assert members(WordInterval.top(width)) == list(range(size))


@pytest.mark.parametrize(("lo", "hi"), [(3, 2), (-1, 2), (0, 8)])
def test_what_is_no_interval_is_refused(lo: int, hi: int) -> None:
    with pytest.raises(ValueError, match="is no unsigned interval of 3 bits"):
        WordInterval.unsigned(lo, hi, 3)
    with pytest.raises(ValueError, match="is no signed interval of 3 bits"):
        WordInterval.signed(lo - 4, hi - 4, 3)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_meeting_agrees_with_the_sets(width: int) -> None:
    for a, b in itertools.product(every_arc(width), repeat=2):
        both = a.meet(b)
        common = sorted(set(members(a)) & set(members(b)))
        if both is None:
            assert not common
        else:
            assert set(common) <= set(members(both))
            assert is_well_formed(both)

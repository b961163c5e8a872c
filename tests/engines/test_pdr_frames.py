"""Frames without a solver: subsumption both ways, lemmas at their highest level only, and which of them may move."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from lemmata.engines.pdr.frames import Frames, Lemma
from lemmata.engines.pdr.obligations import Obligation, ObligationQueue
from lemmata.engines.pdr.oracle import INFINITY, Cube


def frames_of(depth: int, *lemmas: tuple[Cube, int]) -> Frames:
    """Frames with so many levels and these lemmas."""
    frames = Frames()
    for _ in range(depth):
        frames.open()
    for cube, level in lemmas:
        frames.add(cube, level)
    return frames


def contents(frames: Frames) -> dict[int, set[Cube]]:
    """The cubes at each level that has some."""
    levels = [*range(1, frames.depth + 1), INFINITY]
    return {level: {lemma.cube for lemma in frames.at(level)} for level in levels if frames.at(level)}


def cubes(lemmas: list[Lemma]) -> set[Cube]:
    return {lemma.cube for lemma in lemmas}


# the difference encoding


def test_a_new_object_has_level_zero_and_no_lemma() -> None:
    assert (Frames().depth, len(Frames())) == (0, 0)


def test_a_lemma_sits_at_one_level_and_counts_for_all_below() -> None:
    frames = frames_of(3, ((1, 2), 2))
    assert contents(frames) == {2: {(1, 2)}}
    assert cubes(frames.from_level(1)) == cubes(frames.from_level(2)) == {(1, 2)}
    assert frames.from_level(3) == []
    assert len(frames) == 1


def test_what_holds_for_ever_holds_at_every_level() -> None:
    frames = frames_of(2, ((1,), INFINITY), ((2,), 1))
    assert cubes(frames.from_level(1)) == {(1,), (2,)}
    assert cubes(frames.from_level(2)) == cubes(frames.from_level(INFINITY)) == {(1,)}
    frames.open()
    assert cubes(frames.from_level(3)) == {(1,)}
    assert len(frames) == 2


def test_a_lemma_that_moves_leaves_its_level() -> None:
    frames = frames_of(2)
    lemma = frames.add((1, -2), 1)
    frames.move(lemma, 2)
    assert (lemma.level, contents(frames)) == (2, {2: {(1, -2)}})
    frames.move(lemma, INFINITY)
    assert contents(frames) == {INFINITY: {(1, -2)}}
    assert frames.blocks((1, -2), 2)


# subsumption


def test_a_stronger_lemma_replaces_weaker_ones_up_to_its_level() -> None:
    frames = frames_of(3, ((1, 2, 3), 1), ((1, 2, -4), 2), ((1, 3), 2), ((1, 2, 5), 3))
    frames.add((1, 2), 2)
    assert contents(frames) == {2: {(1, 2), (1, 3)}, 3: {(1, 2, 5)}}


def test_the_same_cube_again_at_a_higher_level_is_one_lemma() -> None:
    frames = frames_of(3, ((1, 2), 1), ((1, 2), 3))
    assert contents(frames) == {3: {(1, 2)}}


def test_a_weaker_lemma_replaces_nothing() -> None:
    frames = frames_of(2, ((1,), 1))
    frames.add((1, 2), 2)
    assert contents(frames) == {1: {(1,)}, 2: {(1, 2)}}


def test_opposite_literals_do_not_subsume_each_other() -> None:
    frames = frames_of(2, ((1, 2), 1))
    frames.add((-1,), 2)
    assert contents(frames) == {1: {(1, 2)}, 2: {(-1,)}}


@pytest.mark.parametrize(
    ("cube", "level", "blocked"),
    [
        ((1, 2), 1, True),
        ((1, 2, 3), 2, True),
        ((1, 2, 3), 3, False),  # known only up to level 2
        ((1,), 1, False),  # the lemma excludes a part of the cube only
        ((1, -2), 1, False),
        ((-4,), 3, True),
        ((-4, 7), 9, True),
        ((), 1, False),
    ],
)
def test_a_cube_is_blocked_by_a_subset_at_its_level_or_above(cube: Cube, level: int, blocked: bool) -> None:
    frames = frames_of(3, ((1, 2), 2), ((-4,), INFINITY))
    assert frames.blocks(cube, level) is blocked


def test_a_removed_lemma_blocks_nothing() -> None:
    frames = frames_of(2)
    lemma = frames.add((1, 2), 2)
    frames.remove(lemma)
    assert not frames.blocks((1, 2, 3), 1)
    assert (len(frames), frames.from_level(1)) == (0, [])


def test_frames_agree_with_a_plain_list_of_lemmas() -> None:
    for seed in range(40):
        random, frames = Random(seed), frames_of(4)
        plain: list[tuple[frozenset[int], int]] = []
        for _ in range(40):
            cube = random_cube(random)
            level = random.choice((1, 2, 3, 4, 4, INFINITY))
            if random.random() < 0.2 and (movable := frames.from_level(1)):
                lemma = random.choice(movable)
                if lemma.level < 4:
                    plain.append((frozenset(lemma.cube), lemma.level + 1))
                    frames.move(lemma, lemma.level + 1)
            else:
                frames.add(cube, level)
                plain.append((frozenset(cube), level))
            for asked in (1, 2, 3, 4, INFINITY):
                known = [literals for literals, upto in plain if upto >= asked]
                probe = random_cube(random)
                assert frames.blocks(probe, asked) == any(literals <= set(probe) for literals in known), seed
                kept = [lemma.literals for lemma in frames.from_level(asked)]
                assert all(any(k <= literals for k in kept) for literals in known)
                assert all(literals in known for literals in kept)
        assert len(frames) == len(frames.from_level(1))


def random_cube(random: Random) -> Cube:
    variables = sorted(random.sample(range(1, 6), random.randint(1, 4)))
    return tuple(v * random.choice((1, -1)) for v in variables)


# which lemmas may move


def test_a_new_lemma_may_move() -> None:
    frames = frames_of(2, ((1, 2), 1), ((3,), 2))
    assert cubes(frames.unstick(1)) == {(1, 2)}
    assert cubes(frames.unstick(2)) == {(3,)}


def test_a_lemma_that_was_stopped_stays_until_its_state_is_excluded() -> None:
    frames = frames_of(3)
    lemma = frames.add((1, 2), 1)
    frames.unstick(1)
    lemma.cti = frozenset((-1, 3, 4))
    assert frames.unstick(1) == []
    frames.add((-4, 3), 2)  # does not exclude the state
    frames.add((-3,), 3)
    assert frames.unstick(1) == []
    frames.add((-1, 4), 1)
    assert cubes(frames.unstick(1)) == {(1, 2), (-1, 4)}


def test_a_lemma_about_latches_that_the_state_does_not_tell_may_exclude_it() -> None:
    frames = frames_of(3)
    lemma = frames.add((1, 2), 1)
    frames.unstick(1)
    lemma.cti = frozenset((-1, 3, 4))
    frames.add((3, 5), 2)
    assert cubes(frames.unstick(1)) == {(1, 2)}


def test_a_lemma_of_a_lower_level_frees_nobody() -> None:
    frames = frames_of(3)
    lemma = frames.add((1, 2), 2)
    frames.unstick(2)
    lemma.cti = frozenset((-1, 3))
    newer = frames.add((3,), 1)
    assert frames.unstick(2) == []
    frames.move(newer, 2)  # now it does hold there
    assert cubes(frames.unstick(2)) == {(1, 2), (3,)}


def test_a_lemma_for_ever_frees_those_it_concerns() -> None:
    frames = frames_of(2)
    lemma = frames.add((1, 2), 1)
    frames.unstick(1)
    lemma.cti = frozenset((-1, 3))
    frames.add((-1, 3), INFINITY)
    assert cubes(frames.unstick(1)) == {(1, 2)}


def test_a_lemma_that_moved_may_move_again() -> None:
    frames = frames_of(3)
    lemma = frames.add((1, 2), 1)
    frames.unstick(1)
    lemma.cti = frozenset((3,))
    frames.move(lemma, 2)
    assert cubes(frames.unstick(2)) == {(1, 2)}


def test_whoever_is_left_behind_is_stopped_by_a_state_that_is_still_there() -> None:
    left_behind = 0
    for seed in range(40):
        random, frames = Random(seed), frames_of(3)
        for _ in range(30):
            frames.add(random_cube(random), random.randint(1, 3))
            level = random.randint(1, 2)
            movable = frames.unstick(level)
            for lemma in frames.at(level):
                if lemma not in movable:
                    assert lemma.cti in states_of(frames, level), seed
                    left_behind += 1
            for lemma in movable:
                states = states_of(frames, level)
                if states and random.random() < 0.7:
                    lemma.cti = random.choice(states)
                else:
                    frames.move(lemma, level + 1)
    assert left_behind > 100


def states_of(frames: Frames, level: int) -> list[frozenset[int]]:
    """The states over five variables that F_level allows."""
    states = [frozenset(v * sign for v, sign in enumerate(signs, 1)) for signs in product((1, -1), repeat=5)]
    return [state for state in states if not any(lemma.literals <= state for lemma in frames.from_level(level))]


# obligations


def test_the_lowest_level_comes_first_and_then_the_deepest() -> None:
    queue = ObligationQueue()
    asked = [Obligation((1,), level, (), depth=depth) for level, depth in ((3, 0), (1, 4), (2, 1), (1, 5), (3, 2))]
    for obligation in asked:
        queue.push(obligation)
    order = [queue.pop() for _ in range(len(queue))]
    assert [(o.level, o.depth) for o in order] == [(1, 5), (1, 4), (2, 1), (3, 2), (3, 0)]
    assert not queue


def test_equal_obligations_come_in_the_order_in_which_they_were_pushed() -> None:
    for many in combinations(range(5), 3):
        queue = ObligationQueue()
        asked = [Obligation((number,), 1, ()) for number in many]
        for obligation in asked:
            queue.push(obligation)
        assert [queue.pop() for _ in many] == asked


def test_a_path_leads_to_the_bad_state() -> None:
    bad = Obligation((1,), 3, (7,))
    middle = Obligation((2,), 2, (8,), bad, 1)
    assert Obligation((3,), 1, (9,), middle, 2).path()[1:] == [middle, bad]
    assert bad.path() == [bad]

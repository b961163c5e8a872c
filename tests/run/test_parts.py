"""The parts of a run that need no process: rounds, selection, messages, options."""

from __future__ import annotations

import os

import pytest

from lemmata.budgets import FIRST_SLICE_S, LEAST_SLICE_S
from lemmata.config import PdrOptions, ThesisOptions
from lemmata.errors import InputError, LemmataError, Place, Unsupported, UsageError
from lemmata.events import BoundReached
from lemmata.frontends.aiger import parse_aiger
from lemmata.models.invariant import Invariant
from lemmata.run.options import make_config, technique_choices
from lemmata.run.options.selection import select
from lemmata.run.processes.messages import EventTold, Inbox, Listed, Refused, Settled, send
from lemmata.run.rounds import rounds
from lemmata.verdict import Safe
from lemmata.work import FOREVER
from tests.support.fake_engines import TWO


@pytest.fixture
def left_s(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """What a user's time limit leaves, as far as ``rounds`` knows; the work clock stands still at 100."""
    left: list[float | None] = [None]
    monkeypatch.setattr("lemmata.run.rounds.now", lambda: 100.0)
    monkeypatch.setattr("lemmata.run.rounds.wall_left", lambda: left[0])
    return left


def test_every_property_gets_the_same_slice_and_the_next_round_twice_of_it(left_s):
    slices = []
    for prop, until in rounds(pending := {0, 1, 2}):
        slices.append((prop, (until - 100.0) / FIRST_SLICE_S))
        if len(slices) == 6:
            pending.clear()
    assert slices == [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)]


def test_the_last_open_property_gets_all_the_time_that_is_left(left_s):
    pending = {0, 1}
    turns = rounds(pending)
    assert next(turns)[0] == 0
    pending.discard(0)
    assert next(turns) == (1, FOREVER)


def test_the_time_limit_is_shared_so_that_every_property_has_its_turn(left_s):
    left_s[0] = 1.0
    visited = []
    for prop, until in rounds(set(range(10))):
        visited.append(prop)
        left_s[0] -= until - 100.0
        if left_s[0] < 1e-9:
            break
    assert visited == list(range(10))


def test_a_settled_property_is_not_visited_again():
    pending, visited = {0, 1, 2}, []
    for prop, _ in rounds(pending):
        visited.append(prop)
        pending.discard(1)
        if len(visited) == 5:
            pending.clear()
    assert visited == [0, 2, 0, 2, 0]


JUSTICE = "aag 1 0 1 0 0 1 0 2\n2 2\n2\n1\n1\n2\n3\nb0 0\nj0 eventually\n"


@pytest.mark.parametrize(
    ("wanted", "indices"),
    [("all", [0, 1]), ("0", [0]), ("1", [1]), ("hot", [0]), ("cold", [1]), ("b1", [1])],
)
def test_properties_are_chosen_by_index_name_or_all(wanted, indices):
    assert [p.index for p in select(parse_aiger(TWO.encode(), "m"), wanted)] == indices


@pytest.mark.parametrize(("wanted", "hint"), [("2", "has 2"), ("warm", "hot, cold"), ("-1", "hot"), ("", "hot"), ("²", "hot")])
def test_a_property_that_does_not_exist_is_a_usage_error_that_lists_the_others(wanted, hint):
    with pytest.raises(UsageError, match=hint):
        select(parse_aiger(TWO.encode(), "m"), wanted)


@pytest.mark.parametrize("wanted", ["j0", "j1", "eventually"])
def test_a_justice_property_is_refused_as_liveness(wanted):
    with pytest.raises(Unsupported, match="liveness is not supported yet"):
        select(parse_aiger(JUSTICE.encode(), "m"), wanted)


def test_safety_properties_of_a_file_with_justice_are_checked():
    assert len(select(parse_aiger(JUSTICE.encode(), "m"), "all")) == 1


@pytest.mark.parametrize(("text", "hint"), [("aag 0 0 0 0 0\n", "no property"), ("aag 0 0 0 0 0 0 0 1\n1\n0\n", "liveness")])
def test_a_file_without_safety_properties_says_so(text, hint):
    with pytest.raises(InputError, match=hint):
        select(parse_aiger(text.encode(), "m"), "all")


def test_two_properties_of_one_name_must_be_chosen_by_index():
    twins = parse_aiger(TWO.replace("hot", "same").replace("cold", "same").encode(), "m")
    with pytest.raises(UsageError, match="by index"):
        select(twins, "same")
    assert select(twins, "1")[0].index == 1


def test_messages_arrive_whole_however_the_bytes_are_cut():
    messages = [Listed(((0, "p"),)), EventTold(0, BoundReached("pdr", 3)), Settled(0, Safe(Invariant(((2,),))), "pdr", 3, 0.1)]
    reader, writer = os.pipe()
    for message in messages:
        send(writer, message)
    data = os.read(reader, 1 << 16)
    inbox, received = Inbox(reader), []
    for byte in data:
        os.write(writer, bytes([byte]))
        received += inbox.receive()
    os.close(writer)
    assert received == messages
    assert inbox.receive() == []
    assert not inbox.is_open
    os.close(reader)


@pytest.mark.parametrize(
    "error",
    [InputError(Place("f", 3, 4), "cause", "remedy"), Unsupported(Place("f"), "liveness"), UsageError("wrong option")],
)
def test_errors_survive_the_way_to_the_parent(error):
    import pickle

    again = pickle.loads(pickle.dumps(Refused.of(error))).error()
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert isinstance(again, LemmataError)


def test_techniques_are_set_by_name():
    config = make_config(technique={"lift": "ternary", "relative": "off", "renew": "7", "backend": "cadical153"})
    assert config.pdr == PdrOptions(lift="ternary", relative=False, renew=7, backend="cadical153")


def test_every_technique_that_is_offered_is_accepted():
    for name, values in technique_choices().items():
        for value in values:
            if value != "…":
                is_thesis = name in ThesisOptions.__dataclass_fields__
                make_config(technique={name: value}, preset="thesis" if is_thesis else "strong")


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"timeout": 0}, "above 0"),
        ({"timeout": -1}, "above 0"),
        ({"timeout": float("nan")}, "above 0"),
        ({"timeout": float("inf")}, "above 0"),
        ({"memory": 0}, "from 1 on"),
        ({"workers": 0}, "from 1 on"),
        ({"seed": -1}, "from 0 on"),
        ({"engine": "ic3"}, "auto, pdr, bmc, kinduction"),
        ({"preset": "weak"}, "strong, textbook"),
        ({"technique": {"lifting": "core"}}, "lift"),
        ({"technique": {"lift": "x"}}, "none, ternary, core"),
        ({"technique": {"renew": "-3"}}, "renew"),
        ({"technique": {"infinity": "maybe"}}, "true, false"),
        ({"technique": {"backend": "lingeling"}}, "minisat22"),
        ({"engine": "bmc", "technique": {"lift": "core"}}, "techniques are PDR's"),
        ({"preset": "textbook", "technique": {"lift": "core"}}, "without techniques"),
        ({"preset": "textbook", "engine": "bmc"}, "without techniques"),
    ],
)
def test_wrong_options_are_usage_errors_that_name_the_right_ones(options, hint):
    with pytest.raises(UsageError, match=hint):
        make_config(**options)


def test_an_empty_result_is_not_safe():
    from lemmata.result import Result

    assert Result("f", "0", (), 0.0, 0.0).verdict == "unknown"


def test_thousands_of_properties_get_slices_in_which_something_can_happen(left_s):
    left_s[0] = 10.0
    assert next(rounds(set(range(5000)))) == (0, 100.0 + LEAST_SLICE_S)

"""Machines that steer something: lights, a lift, memory refresh, a lock."""

from __future__ import annotations

from generator.catalog import example
from generator.circuit import Circuit, Word, choose, equal, every, increment, less, some


@example("traffic-light.aag")
def traffic_light() -> Circuit:
    """A crossing: green, yellow, all red, then the other street. A timer stretches green while a sensor sees cars."""
    c = Circuit()
    cars = c.input("cars")
    phase = [c.latch(f"phase{i}", int(i == 0)) for i in range(6)]  # ns green, ns yellow, red, ew green, ew yellow, red
    timer = c.latches("timer", 4)
    lights = {name: c.latch(name, int(name == "ns_green")) for name in ("ns_green", "ns_yellow", "ew_green", "ew_yellow")}
    green = phase[0] | phase[3]
    done = green.then(every(timer) | (timer[3] & ~cars), timer[1])
    move = choose(done, [phase[i - 1] for i in range(6)], phase)
    c.drive(phase, move)
    c.drive(timer, choose(done, c.number(0, 4), increment(timer, c.true)))
    for name, i in (("ns_green", 0), ("ns_yellow", 1), ("ew_green", 3), ("ew_yellow", 4)):
        c.drive(lights[name], move[i])
    c.bad("crash", (lights["ns_green"] | lights["ns_yellow"]) & (lights["ew_green"] | lights["ew_yellow"]))
    return c


@example("elevator.aag", unsafe=("serves_top", "all_called"))
def elevator() -> Circuit:
    """A lift with four floors and five properties: three hold, and two "bad" ones ask whether something can happen at all."""
    c = Circuit()
    calls = c.inputs("call", 4)
    floor, moving, up, door = c.latches("floor", 2), c.latch("moving"), c.latch("up"), c.latch("door")
    wanted = c.latches("wanted", 4)
    at = [equal(floor, c.number(i, 2)) for i in range(4)]
    here = some(at[i] & wanted[i] for i in range(4))
    above = some(at[i] & some(wanted[i + 1 :]) for i in range(3))
    below = some(at[i] & some(wanted[:i]) for i in range(1, 4))
    rests = ~moving & ~door
    opens = rests & here
    c.drive(door, opens)
    c.drive(moving, rests & ~here & (above | below))
    c.drive(up, rests.then(above, up))
    c.drive(floor, choose(moving, choose(up, increment(floor, c.true), _decrement(c, floor)), floor))
    c.drive(wanted, [(wanted[i] & ~(opens & at[i])) | calls[i] for i in range(4)])
    c.bad("moves_with_open_door", moving & door)
    c.bad("through_the_roof", moving & up & at[3])
    c.bad("through_the_floor", moving & ~up & at[0])
    c.bad("serves_top", door & at[3])
    c.bad("all_called", every(wanted))
    return c


def _decrement(c: Circuit, word: Word) -> Word:
    return [~bit for bit in increment([~bit for bit in word], c.true)]


def _refresh(threshold: int) -> Circuit:
    """A row must be refreshed within 64 ticks; an operation occupies the memory for up to eight ticks."""
    c = Circuit()
    start, length = c.input("start"), c.inputs("length", 3)
    age, left, refreshing = c.latches("age", 7), c.latches("left", 3), c.latch("refreshing")
    idle = equal(left, c.number(0, 3)) & ~refreshing
    due = ~less(age, c.number(threshold, 7))
    begin = idle & due
    accept = idle & ~due & start
    minus = _decrement(c, left)
    c.drive(refreshing, begin)
    c.drive(left, choose(accept, length, choose(equal(left, c.number(0, 3)), left, minus)))
    c.drive(age, choose(refreshing, c.number(0, 7), increment(age, c.true)))
    c.bad("row_lost", age[6])
    return c


@example("refresh-in-time.aag")
def refresh_in_time() -> Circuit:
    """Memory refresh: a row is lost at age 64. Refresh is due at age 52, an operation takes at most eight ticks: in time."""
    return _refresh(52)


@example("refresh-too-late.aag", unsafe=("row_lost",))
def refresh_too_late() -> Circuit:
    """Memory refresh: a row is lost at age 64. Refresh is due at age 58, an operation takes up to eight ticks: too late."""
    return _refresh(58)


@example("combination-lock.aag", unsafe=("open",))
def lock() -> Circuit:
    """A lock with a code of thirty digits from 0 to 3; a wrong digit starts again. The shortest way in has thirty steps.

    A shift register remembers the last eight digits, as a display would.
    """
    c = Circuit()
    key = c.inputs("key", 2)
    progress = c.latches("progress", 5)
    display = [c.latches(f"display{i}_", 2) for i in range(8)]
    code = [(i * i + i // 3) % 4 for i in range(30)]
    fits = some(equal(progress, c.number(i, 5)) & equal(key, c.number(digit, 2)) for i, digit in enumerate(code))
    opened = equal(progress, c.number(30, 5))
    c.drive(progress, choose(opened, progress, choose(fits, increment(progress, c.true), c.number(0, 5))))
    for i, shown in enumerate(display):
        c.drive(shown, display[i - 1] if i else key)
    c.bad("open", opened)
    return c


@example("dead-end.aag", unsafe=("one",))
def dead_end() -> Circuit:
    """A counter that may never be 2: the constraint kills the only successor of 1.

    The bad state 1 needs no successor, so `one` is reachable; 2 breaks the constraint and 3 comes after it, so they are not.
    """
    c = Circuit()
    count = c.latches("count", 2)
    c.drive(count, increment(count, c.true))
    c.constraint("never_two", ~equal(count, c.number(2, 2)))
    for value, name in ((1, "one"), (2, "two"), (3, "three")):
        c.bad(name, equal(count, c.number(value, 2)))
    return c


@example("counter-constrained.aag")
def counter() -> Circuit:
    """An eight-bit counter that goes up and down. Nothing in it stops at 200: the constraint on its environment does."""
    c = Circuit()
    up, down = c.input("up"), c.input("down")
    count = c.latches("count", 8)
    limit = c.number(200, 8)
    zero = equal(count, c.number(0, 8))
    c.drive(count, choose(up, increment(count, c.true), choose(down & ~zero, _decrement(c, count), count)))
    c.constraint("not_both", ~(up & down))
    c.constraint("stops_at_limit", ~(up & equal(count, limit)))
    c.bad("above_limit", less(limit, count))
    return c

"""Data that moves: queues, counters, shift registers."""

from __future__ import annotations

from generator.catalog import example
from generator.circuit import Circuit, Word, add, choose, equal, every, increment, less, parity, some, two


def _fifo(full_at: int) -> Circuit:
    c = Circuit()
    push, pop = c.input("push"), c.input("pop")
    write, read, count = c.latches("write", 3), c.latches("read", 3), c.latches("count", 4)
    puts = push & ~equal(count, c.number(full_at, 4))
    takes = pop & ~equal(count, c.number(0, 4))
    c.drive(write, increment(write, puts))
    c.drive(read, increment(read, takes))
    c.drive(count, add(count, [takes & ~puts] * 4, puts & ~takes))
    c.bad("overflow", less(c.number(8, 4), count))
    c.bad("pointers_disagree", ~equal(add(write, [~bit for bit in read], c.true), count[:3]))
    return c


@example("fifo.aag")
def fifo() -> Circuit:
    """A queue of eight places with two pointers and a counter: never more than eight, and the three always agree."""
    return _fifo(8)


@example("fifo-off-by-one.aag", unsafe=("overflow",))
def fifo_off_by_one() -> Circuit:
    """The queue of fifo.aag, but it believes to be full at nine: it overflows after nine pushes; the pointers still agree."""
    return _fifo(9)


@example("fifo-data.aag")
def fifo_data() -> Circuit:
    """A queue of four places with two data bits. An observer picks one item as it enters and compares it when it leaves."""
    c = Circuit()
    push, pop, pick, data = c.input("push"), c.input("pop"), c.input("pick"), c.inputs("data", 2)
    write, read, count = c.latches("write", 2), c.latches("read", 2), c.latches("count", 3)
    memory = [c.latches(f"memory{i}_", 2) for i in range(4)]
    seen, value, ahead, wrong = c.latch("seen"), c.latches("value", 2), c.latches("ahead", 3), c.latch("wrong")
    puts = push & ~count[2]
    takes = pop & ~equal(count, c.number(0, 3))
    picks = puts & pick & ~seen
    leaves = seen & takes & equal(ahead, c.number(0, 3))
    head = _select(read, memory)
    c.drive(write, increment(write, puts))
    c.drive(read, increment(read, takes))
    behind = add(count, [takes] * 3, c.false)
    c.drive(count, increment(behind, puts))
    for i, cell in enumerate(memory):
        c.drive(cell, choose(puts & equal(write, c.number(i, 2)), data, cell))
    c.drive(seen, (seen & ~leaves) | picks)
    c.drive(value, choose(picks, data, value))
    c.drive(ahead, choose(picks, behind, choose(seen & takes & ~leaves, add(ahead, [c.true] * 3, c.false), ahead)))
    c.drive(wrong, leaves & ~equal(head, value))
    c.bad("wrong_item", wrong)
    return c


def _select(index: Word, rows: list[Word]) -> Word:
    c = index[0].circuit
    hits = [equal(index, c.number(i, len(index))) for i in range(len(rows))]
    return [some(hit & row[bit] for hit, row in zip(hits, rows, strict=True)) for bit in range(len(rows[0]))]


@example("gray-counter.aag")
def gray() -> Circuit:
    """A Gray-code counter of eight bits beside a binary one: the codes always match, and one bit changes at a time."""
    c = Circuit()
    n = 8
    enable = c.input("enable")
    binary, code, before = c.latches("binary", n), c.latches("gray", n), c.latches("before", n)
    odd = parity(code)
    flips = [~odd, *(odd & code[i - 1] & ~some([c.false, *code[: i - 1]]) for i in range(1, n - 1))]
    flips.append(odd & ~some(code[: n - 2]))
    c.drive(binary, increment(binary, enable))
    c.drive(code, [bit ^ (enable & flip) for bit, flip in zip(code, flips, strict=True)])
    c.drive(before, code)
    c.bad("codes_differ", ~equal(code, [binary[i] ^ (binary[i + 1] if i + 1 < n else c.false) for i in range(n)]))
    c.bad("two_bits_change", two([x ^ y for x, y in zip(code, before, strict=True)]))
    return c


@example("lfsr-free-start.aag", unsafe=("starts_at_zero",))
def lfsr() -> Circuit:
    """A shift register of sixteen bits with feedback (taps 16, 15, 13, 4) that starts anywhere: its latches have no reset.

    From any other state it never falls into the state 0; but as the start is free, 0 is a start too.
    """
    c = Circuit()
    bits, was_nonzero = c.latches("bit", 16, reset=None), c.latch("was_nonzero")
    zero = ~some(bits)
    c.drive(bits, [parity(bits[i] for i in (15, 14, 12, 3)), *bits[:-1]])
    c.drive(was_nonzero, ~zero)
    c.bad("falls_to_zero", was_nonzero & zero)
    c.bad("starts_at_zero", zero)
    return c


@example("ring-reset-function.aag")
def ring() -> Circuit:
    """A one-hot ring whose start is chosen by inputs: the latches have reset functions. A copy of one of them resets to it."""
    c = Circuit()
    start, hold = c.inputs("start", 3), c.input("hold")
    ring = [c.latch(f"ring{i}", reset=equal(start, c.number(i, 3))) for i in range(8)]
    copy = c.latch("copy", reset=ring[0])
    c.drive(ring, choose(hold, ring, [ring[i - 1] for i in range(8)]))
    c.drive(copy, hold.then(copy, ring[7]))
    c.bad("not_one_hot", two(ring) | ~some(ring))
    c.bad("copy_differs", copy ^ ring[0])
    return c


@example("delay-lines.aig")
def delay_lines() -> Circuit:
    """Two delay lines of 128 places, the second with inverted bits, and a valid bit that goes along: the ends always agree.

    With 3 × 128 latches this is the largest example; it is in the binary format.
    """
    c = Circuit()
    n = 128
    data, valid = c.input("data"), c.input("valid")
    plain, flipped, marks = c.latches("plain", n), c.latches("flipped", n), c.latches("valid", n)
    c.drive(plain, [data, *plain[:-1]])
    c.drive(flipped, [~data, *flipped[:-1]])
    c.drive(marks, [valid, *marks[:-1]])
    c.bad("ends_differ", every([marks[-1], ~(plain[-1] ^ flipped[-1])]))
    return c

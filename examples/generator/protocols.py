"""Processes that share something: mutual exclusion, arbitration, caches, handshakes."""

from __future__ import annotations

from collections.abc import Callable

from generator.catalog import example
from generator.circuit import Circuit, Wire, choose, equal, every, increment, some, two

Guard = Callable[[int, list[Wire], Wire], Wire]


def _mutex(enter: Guard, wait: Guard) -> Circuit:
    """Two processes: idle (00) → wants (01) → waits (10) → critical (11) → idle; an input says who moves."""
    c = Circuit()
    who, go = c.input("who"), c.input("go")
    low, high = [c.latch(f"pc{p}_0") for p in (0, 1)], [c.latch(f"pc{p}_1") for p in (0, 1)]
    flags, turn = [c.latch(f"flag{p}") for p in (0, 1)], c.latch("turn")
    after = turn
    for p in (0, 1):
        moves = who if p else ~who
        start = moves & ~high[p] & ~low[p] & go & enter(p, flags, turn)
        claim = moves & ~high[p] & low[p]
        win = moves & high[p] & ~low[p] & wait(p, flags, turn)
        leave = moves & high[p] & low[p]
        c.drive(low[p], (low[p] & ~claim & ~leave) | start | win)
        c.drive(high[p], (high[p] & ~leave) | claim)
        c.drive(flags[p], (flags[p] & ~leave) | claim)
        after = claim.then(c.constant(1 - p), after)
    c.drive(turn, after)
    c.bad("both_critical", low[0] & high[0] & low[1] & high[1])
    return c


@example("mutex-peterson.aag")
def peterson() -> Circuit:
    """Peterson's mutual exclusion of two processes: raise the flag, give the turn away, wait for flag or turn."""
    return _mutex(
        lambda p, flags, turn: turn.circuit.true, lambda p, flags, turn: ~flags[1 - p] | ~(turn ^ turn.circuit.constant(p))
    )


@example("mutex-broken.aag", unsafe=("both_critical",))
def broken() -> Circuit:
    """Mutual exclusion done wrong: each process looks at the other's flag before it raises its own."""
    return _mutex(lambda p, flags, turn: ~flags[1 - p], lambda p, flags, turn: turn.circuit.true)


@example("arbiter-round-robin.aag")
def arbiter() -> Circuit:
    """Twelve clients and a token that goes round: the holder is granted while it asks, then the token moves on.

    Two grants at once need two tokens: the proof has to find that the token is one-hot.
    """
    c = Circuit()
    n = 12
    asks = c.inputs("ask", n)
    token = [c.latch(f"token{i}", int(i == 0)) for i in range(n)]
    grant = [c.latch(f"grant{i}") for i in range(n)]
    stays = some(t & a for t, a in zip(token, asks, strict=True))
    c.drive(token, choose(stays, token, [token[i - 1] for i in range(n)]))
    c.drive(grant, [t & a for t, a in zip(token, asks, strict=True)])
    c.bad("two_grants", two(grant))
    return c


@example("cache-msi.aag")
def msi() -> Circuit:
    """Four caches and one line: modified, shared, invalid. A write waits on the bus until the others have let go."""
    c = Circuit()
    n = 4
    reads, writes = c.inputs("read", n), c.inputs("write", n)
    shared, modified, pending = c.latches("shared", n), c.latches("modified", n), c.latches("pending", n)
    busy = some(pending)
    for i in range(n):
        before = some([c.false, *writes[:i]])
        others_hold = some(shared[j] | modified[j] for j in range(n) if j != i)
        asked = some(pending[j] for j in range(n) if j != i)
        wins = pending[i] & ~others_hold
        fetch = reads[i] & ~busy & ~some(modified) & ~some(writes)
        c.drive(pending[i], (pending[i] & ~wins) | (writes[i] & ~before & ~busy))
        c.drive(modified[i], (modified[i] & ~asked) | wins)
        c.drive(shared[i], ((shared[i] | fetch) & ~asked & ~wins))
    c.bad("two_modified", two(modified))
    c.bad("modified_and_shared", some(modified[i] & shared[j] for i in range(n) for j in range(n) if i != j))
    return c


@example("handshake-with-justice.aag")
def handshake() -> Circuit:
    """A four-phase handshake with a server that takes up to seven ticks: request, acknowledge, release.

    Safety: no acknowledge without request pending. Beside it, a justice property (a request is served for ever and ever)
    and a fairness constraint, which a safety checker has to read past.
    """
    c = Circuit()
    client, server = c.input("client"), c.input("server")
    request, acknowledge, ticks = c.latch("request"), c.latch("acknowledge"), c.latches("ticks", 3)
    late = every(ticks)
    working = request & ~acknowledge
    c.drive(request, (request & ~(acknowledge & client)) | (~request & ~acknowledge & client))
    c.drive(acknowledge, (working & (server | late)) | (acknowledge & request))
    c.drive(ticks, choose(working & ~server & ~late, increment(ticks, c.true), c.number(0, 3)))
    c.bad("ticks_without_request", ~equal(ticks, c.number(0, 3)) & ~request)
    c.justice("served_again_and_again", request, acknowledge)
    c.fairness("client_moves", client)
    return c

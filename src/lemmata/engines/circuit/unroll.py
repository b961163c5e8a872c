"""Unrolling: the circuit's literals at each time step, as literals over the first state and the inputs of every step.

The copies share one graph of nodes. A node is an and, an exclusive or or a multiplexer over earlier nodes; equal nodes are one
node (structural hashing, also across time), and constants from the resets run through the operations while they are copied, so
that in the first frames of most circuits little is left. A node literal is a non-zero integer whose sign is its negation; 1 is
true and -1 is false. Nothing here talks to a solver: ``clauses.py`` writes down the nodes that a question needs.

Only what is asked for is copied. A literal at time k needs its cone at time k, the next-state functions of that cone's latches
at time k-1, and so on: a ``LayeredCone`` lists these layers once per circuit, each without what an earlier layer has. Going
from bound k-1 to k then takes layer d at time k-d, a flat loop without search; deep layers are empty. Left out: two-level
simplification.
"""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.engines.circuit.netlist import XOR, Netlist, Op, reads
from lemmata.models.aig import Lit
from lemmata.values import dataclass
from lemmata.work import GATE, tally

TRUE_NODE = 1
AigNode = int  # a node, negative for its negation
Definition = tuple[int, ...]  # (a, b, …) and; (0, a, b) exclusive or; (0, c, a, b) c ? a : b; () a leaf


@dataclass(frozen=True, slots=True)
class Layer:
    """What a question first needs so many steps before the time it asks about."""

    inputs: tuple[Lit, ...]
    latches: tuple[int, ...]  # positions
    ops: tuple[Op, ...]


class LayeredCone:
    """The layers of some literals, built when first asked for."""

    def __init__(self, net: Netlist, roots: Iterable[Lit]) -> None:
        self._net = net
        self._seen = bytearray(net.first_op + len(net.ops))
        self._layers = [self._layer(roots)]

    def layers(self, upto: int) -> list[Layer]:
        """Layers 0 to ``upto``, or fewer if the rest is empty."""
        layers, nexts = self._layers, self._net.nexts
        while len(layers) <= upto and layers[-1].latches:
            layers.append(self._layer([nexts[position] for position in layers[-1].latches]))
        return layers[: upto + 1]

    @property
    def built(self) -> int:
        """How many layers are known so far: all, once a question has gone back so many steps."""
        return len(self._layers)

    def latches(self) -> list[int]:
        """The latches (positions) that the literals depend on at any distance."""
        self.layers(len(self._net.nexts))
        return sorted(position for layer in self._layers for position in layer.latches)

    def _layer(self, roots: Iterable[Lit]) -> Layer:
        seen, ops = self._seen, self._net.ops
        first_latch, first_op = self._net.first_latch, self._net.first_op
        found: list[int] = []
        stack = [lit >> 1 for lit in roots]
        while stack:
            var = stack.pop()
            if seen[var] or not var:
                continue
            seen[var] = 1
            found.append(var)
            if var >= first_op:
                stack += reads(ops[var - first_op])
        found.sort()
        return Layer(
            inputs=tuple([2 * var for var in found if var < first_latch]),
            latches=tuple([var - first_latch for var in found if first_latch <= var < first_op]),
            ops=tuple([ops[var - first_op] for var in found if var >= first_op]),
        )


class Unroller:
    """Copies of a netlist at times 0, 1, …; from the reset states if ``initial``, else from any state."""

    def __init__(self, net: Netlist, initial: bool) -> None:
        self.definitions: list[Definition] = [(), ()]  # by node; nodes 0 and 1 are no nodes
        self._net = net
        self._width = 2 * (net.first_op + len(net.ops))
        self._initial = initial
        self._reached: dict[LayeredCone, int] = {}
        self._nodes: dict[Definition, AigNode] = {}
        self._frames = [self._new_frame()]  # by time, then by literal; 0 = not copied yet
        if initial:
            self._reset_functions()

    def extend(self, cone: LayeredCone, bound: int) -> None:
        """Copy what ``cone`` needs for a question about time ``bound``; called with 0, 1, 2, … for each cone."""
        while len(self._frames) <= bound:
            self._frames.append(self._new_frame())
        layers = cone.layers(bound)
        for distance in range(len(layers) - 1, -1, -1):
            layer, time = layers[distance], bound - distance
            tally[GATE] += 8 + 2 * (len(layer.inputs) + len(layer.latches) + len(layer.ops))
            frame = self._frames[time]
            if len(frame) < self._width:
                frame += [0] * (self._width - len(frame))
            for lit in layer.inputs:
                if not frame[lit]:
                    self._leaf(frame, lit)
            if time:
                self._step(frame, self._frames[time - 1], layer.latches)
            else:
                self._start(frame, layer.latches)
            self._sweep(frame, layer.ops)
        self._reached[cone] = bound
        self._trim(bound - len(layers))

    def _trim(self, time: int) -> None:
        """Forget the operations at ``time`` (inputs and latches stay) if no cone is in the middle of them."""
        if time >= 0 and all(bound < time or bound - time >= cone.built for cone, bound in self._reached.items()):
            del self._frames[time][2 * self._net.first_op :]

    def at(self, lit: Lit, time: int) -> AigNode:
        """``lit`` at ``time``, 0 if nothing needed it; for operations only right after the ``extend`` that needs them."""
        return self._frames[time][lit]

    def fresh(self) -> AigNode:
        """A node that may be either."""
        self.definitions.append(())
        return len(self.definitions) - 1

    def difference(self, a: AigNode, b: AigNode) -> AigNode:
        """``a ⊕ b``."""
        return self._xor(a, b)

    def _new_frame(self) -> list[AigNode]:
        frame = [0] * self._width
        frame[0], frame[1] = -TRUE_NODE, TRUE_NODE
        return frame

    def _reset_functions(self) -> None:
        """Latches whose reset is a function start as that function of time 0; no function depends on itself."""
        net, frame = self._net, self._frames[0]
        for var in _reset_order(net):
            if var >= net.first_op:
                self._sweep(frame, (net.ops[var - net.first_op],))
            elif var < net.first_latch:
                self._leaf(frame, 2 * var)
            else:
                self._start(frame, (var - net.first_latch,))

    def _leaf(self, frame: list[AigNode], lit: Lit) -> None:
        node = self.fresh()
        frame[lit], frame[lit + 1] = node, -node

    def _step(self, frame: list[AigNode], before: list[AigNode], latches: tuple[int, ...]) -> None:
        nexts, first_latch = self._net.nexts, self._net.first_latch
        for position in latches:
            lit = 2 * (first_latch + position)
            node = before[nexts[position]]
            frame[lit], frame[lit + 1] = node, -node

    def _start(self, frame: list[AigNode], latches: tuple[int, ...]) -> None:
        first_latch = self._net.first_latch
        for position in latches:
            lit = 2 * (first_latch + position)
            reset = self._net.resets[position]
            if frame[lit]:
                continue
            if self._initial and reset != lit:
                frame[lit], frame[lit + 1] = frame[reset], -frame[reset]
            else:
                self._leaf(frame, lit)

    def _sweep(self, frame: list[AigNode], ops: tuple[Op, ...]) -> None:
        """Copy ``ops`` into ``frame``; the hot loop."""
        nodes, definitions = self._nodes, self.definitions
        for out, left, right, rest in ops:
            if frame[out]:
                continue
            a, b = frame[left], frame[right]
            if rest is None:
                if a == -1 or b == -1 or a == -b:
                    node = -1
                elif a == 1 or a == b:
                    node = b
                elif b == 1:
                    node = a
                else:
                    key = (a, b) if a < b else (b, a)
                    node = nodes.get(key, 0)
                    if not node:
                        nodes[key] = node = len(definitions)
                        definitions.append(key)
            elif isinstance(rest, tuple):
                node = self._and({a, b, *[frame[lit] for lit in rest]})
            elif rest == XOR:
                node = self._xor(a, b)
            else:
                node = self._ite(a, b, frame[rest])
            frame[out] = node
            frame[out + 1] = -node

    def _and(self, operands: set[AigNode]) -> AigNode:
        if -1 in operands:
            return -1
        operands.discard(1)
        if len(operands) <= 1:
            return operands.pop() if operands else 1
        key = tuple(sorted(operands))
        node = self._nodes.get(key, 0)
        if node:
            return node
        if key[0] < 0 and not operands.isdisjoint([-a for a in key]):
            return -1
        return self._node(key)

    def _node(self, key: Definition) -> AigNode:
        node = self._nodes.get(key, 0)
        if not node:
            self._nodes[key] = node = len(self.definitions)
            self.definitions.append(key)
        return node

    def _xor(self, a: AigNode, b: AigNode) -> AigNode:
        x, y = abs(a), abs(b)
        if x == 1:
            return b if a < 0 else -b
        if y == 1:
            return a if b < 0 else -a
        if x == y:
            return -1 if a == b else 1
        node = self._node((0, x, y) if x < y else (0, y, x))
        return node if (a < 0) == (b < 0) else -node

    def _ite(self, c: AigNode, a: AigNode, b: AigNode) -> AigNode:
        """``c ? a : b``."""
        if c < 0:
            c, a, b = -c, b, a
        if c == 1 or a == b:
            return a
        if a == -b:
            return self._xor(c, b)
        if a == 1 or a == c:
            return -self._and({-c, -b})
        if a == -1 or a == -c:
            return self._and({-c, b})
        if b == 1 or b == -c:
            return -self._and({c, -a})
        if b == -1 or b == c:
            return self._and({c, a})
        return self._node((0, c, a, b)) if a > 0 else -self._node((0, c, -a, -b))


def _reset_order(net: Netlist) -> list[int]:
    """The variables that reset functions rest on and the latches that start so, each after what it rests on."""
    first_latch, first_op = net.first_latch, net.first_op
    order: list[int] = []
    done = bytearray(first_op + len(net.ops))
    done[0] = 1
    stack = [first_latch + i for i, reset in enumerate(net.resets) if reset > 1 and reset >> 1 != first_latch + i]
    while stack:
        var = stack[-1]
        below: list[int] = []
        if var >= first_op:
            below = reads(net.ops[var - first_op])
        elif var >= first_latch and net.resets[var - first_latch] >> 1 != var:
            below = [net.resets[var - first_latch] >> 1]
        missing = [other for other in below if not done[other]]
        if missing:
            stack += missing
            continue
        stack.pop()
        if not done[var]:
            done[var] = 1
            order.append(var)
    return order

"""All reductions of a circuit in their order, and the composed way back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lemmata.events import NOBODY, Listener, Reduced
from lemmata.models.aig import Aig
from lemmata.transforms import Chain
from lemmata.transforms.circuit import CircuitBack, CircuitReduction
from lemmata.transforms.circuit.correspondence import merge_equivalent_latches
from lemmata.transforms.circuit.rebuild import rebuild
from lemmata.transforms.circuit.stuck_latches import drop_stuck_latches


def reduce(model: Aig, props: Sequence[int], listener: Listener = NOBODY, *, light: bool = False) -> CircuitReduction:
    """The smallest circuit we know with the chosen properties; ``light`` only restricts to their cone.

    BMC wants it light: on large circuits with shallow bugs the rest took longer than the whole search.
    """
    steps: list[tuple[str, Callable[[Aig], CircuitReduction]]] = [("cone of influence", lambda m: rebuild(m, props))]
    if not light:
        steps += [("stuck-at latches", drop_stuck_latches), ("equivalent latches", merge_equivalent_latches)]
    links: list[CircuitBack] = []
    for name, transform in steps:
        step = transform(model)
        if step.model != model:
            links.append(step.back)
            model = step.model
            listener(Reduced(name, model.inputs, model.latches, model.gates))
    return CircuitReduction(model, Chain(tuple(links)))

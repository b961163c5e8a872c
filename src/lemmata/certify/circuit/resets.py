"""Reset functions: a latch may start as any literal of the first time step.

They must be *stratified* (Yu, Froleyks, Biere, Heljanko 2022): following a latch to what its reset reads never comes back to
the latch. Otherwise the circuit could have no initial state at all, and everything would be true of it.
"""

from __future__ import annotations

from lemmata.certify.circuit.cone import combinational_cone
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig, Lit


def reset_functions(model: Aig) -> dict[int, Lit]:
    """Variable → reset literal for the latches whose reset is neither a constant nor free."""
    first = model.first_latch
    return {first + p: reset for p, reset in enumerate(model.resets) if reset > 1 and reset != 2 * (first + p)}


def resets_read_inputs(model: Aig) -> bool:
    """Whether some latch's initial value depends on the first step's inputs."""
    return bool(combinational_cone(model, reset_functions(model).values()).inputs)


def require_stratified(model: Aig) -> None:
    """Raise ``CertificateError`` when a latch's reset reads, directly or not, the latch itself."""
    functions = reset_functions(model)
    done: set[int] = set()
    for latch in functions:
        _visit(model, functions, latch, done)


def _visit(model: Aig, functions: dict[int, Lit], root: int, done: set[int]) -> None:
    """Depth-first search below ``root``; ``path`` holds the variables that are being followed."""
    path: set[int] = set()
    stack = [root]
    while stack:
        var = stack[-1]
        if var in done:
            stack.pop()
        elif var in path:  # everything below it is done
            path.remove(var)
            done.add(var)
            stack.pop()
        else:
            path.add(var)
            below = _reads(model, functions, var)
            if any(x in path for x in below):
                raise CertificateError(f"{model.file}: the reset functions of the latches form a cycle")
            stack.extend(x for x in below if x not in done)


def _reads(model: Aig, functions: dict[int, Lit], var: int) -> tuple[int, ...]:
    if var >= model.first_gate:
        gate = var - model.first_gate
        return model.lefts[gate] >> 1, model.rights[gate] >> 1
    return (functions[var] >> 1,) if var in functions else ()

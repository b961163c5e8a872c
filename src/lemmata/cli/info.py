"""``lemmata info``: what a file holds, as plain data for a table or for JSON."""

from __future__ import annotations

from collections import Counter

from lemmata.models.aig import Aig


def info(model: Aig) -> dict[str, object]:
    """Kind, sizes, resets, properties with their names, and what else the circuit has."""
    return {
        "file": model.file,
        "kind": "AIGER circuit",
        "inputs": model.inputs,
        "latches": model.latches,
        "gates": model.gates,
        "outputs": len(model.outputs),
        "resets": _resets(model),
        "constraints": len(model.constraints),
        "properties": [prop.name for prop in model.properties()],
        "justice": len(model.justice),
        "fairness": len(model.fairness),
    }


def _resets(model: Aig) -> dict[str, int]:
    kinds = Counter(_reset_kind(model, position) for position in range(model.latches))
    return {kind: kinds[kind] for kind in ("0", "1", "free", "function")}


def _reset_kind(model: Aig, position: int) -> str:
    reset = model.resets[position]
    if reset < 2:
        return str(reset)
    return "free" if reset == model.latch_lit(position) else "function"

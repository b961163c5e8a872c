"""``lemmata info``: what a file holds, as plain data for a table or for JSON."""

from __future__ import annotations

from collections import Counter

from lemmata.logic.sorts import BOOL, Array, BitVec, Sort
from lemmata.logic.terms import Term, topological
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.models.system import system_of


def info(model: Aig | Graph) -> dict[str, object]:
    """Kind, sizes, properties with their names, and what else the model has."""
    return _graph(model) if isinstance(model, Graph) else _circuit(model)


def _circuit(model: Aig) -> dict[str, object]:
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


def _graph(model: Graph) -> dict[str, object]:
    joined = {edge.guard for edge in model.edges if not edge.updates}  # error edges join constraint and bad
    terms = topological(term for edge in model.edges for term in (edge.guard, *edge.updates))
    return {
        "file": model.file,
        "kind": f"{model.origin.kind.upper() or 'graph'} over words",
        "inputs": _widths(model.origin.inputs),
        "states": _widths(model.origin.states),
        "starts": _starts(model),
        "operators": dict(Counter(term.op for term in terms if term.args and term not in joined).most_common()),
        "constraints": _constraints(model),
        "properties": [prop.name for prop in model.properties()],
        "justice": model.origin.liveness,
    }


def _widths(variables: tuple[Term, ...]) -> dict[str, int]:
    return dict(sorted(Counter(_sort_text(v.sort) for v in variables).items()))


def _sort_text(sort: Sort) -> str:
    match sort:
        case BitVec():
            return f"{sort.width} bit{'s' if sort.width > 1 else ''}"
        case Array():
            return f"array of {_sort_text(sort.element)} at {_sort_text(sort.index)}"
    return "Bool" if sort is BOOL else str(sort)


def _starts(model: Graph) -> dict[str, int]:
    """How the states start; those that the graph has as inputs are free at every step."""
    system = system_of(model)
    if system is None:
        return {}
    kinds = Counter(_start_kind(system.starts[v]) for v in system.variables)
    kinds["free at every step"] = sum(state not in system.nexts for state in model.origin.states)
    return {kind: count for kind, count in kinds.items() if count}


def _start_kind(start: Term | None) -> str:
    return "free" if start is None else "constant" if start.is_const else "function"


def _constraints(model: Graph) -> int:
    """How many formulas the constraint joins."""
    system = system_of(model)
    if system is None or system.constraint.is_const:
        return 0
    return len(system.constraint.args) if system.constraint.op == "and" else 1

"""``lemmata info``: what a file holds, as plain data for a table or for JSON."""

from __future__ import annotations

from collections import Counter

from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, topological
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.run.worlds.classification import is_system_of_words

_KINDS = {"boogie": "Boogie program", "c": "C program", "horn": "Horn clauses", "vmt": "VMT-LIB transition system"}


def info(model: Aig | Graph) -> dict[str, object]:
    """Kind, sizes, properties with their names, and what else the model has."""
    if isinstance(model, Aig):
        return _circuit(model)
    return _system(model) if is_system_of_words(model) else _graph(model)


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
    """A graph in general: places, clauses, and what they are made of."""
    terms = topological(term for edge in model.edges for term in (edge.guard, *edge.updates))
    errors = {question.location for question in model.questions}
    inner = [place for number, place in enumerate(model.locations) if number not in errors]
    most = max((len(edge.sources) for edge in model.edges), default=0)
    return {
        "file": model.file,
        "kind": _KINDS.get(model.origin.kind, "graph"),
        "logic": logic(model),
        "locations": [place.name for place in inner],
        "variables": _widths(tuple(v for place in inner for v in place.variables)),
        "edges": len(model.edges),
        "initial edges": sum(not edge.sources for edge in model.edges),
        "error edges": sum(edge.target in errors for edge in model.edges),
        "shape": "linear" if most < 2 else f"nonlinear (up to {most} sources)",
        "inputs": _widths(tuple(v for edge in model.edges for v in edge.inputs)),
        "operators": dict(Counter(term.op for term in terms if term.args).most_common()),
        "properties": [prop.name for prop in model.properties()],
        "justice": len(model.origin.liveness),
        "fairness": len(model.origin.fairness),
    }


def logic(model: Graph) -> str:
    """The logic of SMT-LIB that the clauses need: ``LIA``, ``LIRA``, ``NIA``, ``ALIA``, ``BV``, …"""
    terms = topological(t for edge in model.edges for t in (edge.guard, *edge.updates, *edge.inputs))
    names = [v for place in model.locations for v in place.variables]
    sorts = {sort for term in (*terms, *names) for sort in _below(term.sort)}
    letters = "I" * (INT in sorts) + "R" * (REAL in sorts)
    is_bent = any(_is_bent(term) for term in terms)
    parts = "A" * any(isinstance(sort, Array) for sort in sorts) + "BV" * any(isinstance(sort, BitVec) for sort in sorts)
    return parts + f"{'N' if is_bent else 'L'}{letters}A" * bool(letters) or "Bool"


def _is_bent(term: Term) -> bool:
    """Is this a product of unknowns, or a division by one?"""
    if term.op == "*":
        return sum(not arg.is_const for arg in term.args) > 1
    return term.op in ("div", "mod", "/") and not term.args[1].is_const


def _below(sort: Sort) -> set[Sort]:
    return {sort, *_below(sort.index), *_below(sort.element)} if isinstance(sort, Array) else {sort}


def _system(model: Graph) -> dict[str, object]:
    joined = {edge.guard for edge in model.edges if not edge.updates}  # error edges join constraint and bad
    terms = topological(term for edge in model.edges for term in (edge.guard, *edge.updates))
    return {
        "file": model.file,
        "kind": "Verilog design" if model.design else f"{model.origin.kind.upper() or 'graph'} over words",
        "inputs": _widths(model.origin.inputs),
        "states": _widths(model.origin.states),
        "starts": _starts(model),
        "operators": dict(Counter(term.op for term in terms if term.args and term not in joined).most_common()),
        "constraints": _constraints(model),
        "properties": [prop.name for prop in model.properties()],
        "justice": len(model.origin.liveness),
        "fairness": len(model.origin.fairness),
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

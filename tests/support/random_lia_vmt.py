"""Random transition systems over numbers as VMT-LIB, with their reachable states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any

from tests.support.random_lia import (
    ARRAY,
    LIMIT,
    Case,
    Expr,
    Fact,
    Maker,
    choose,
    environments,
    inside,
    meaning,
    text,
    values_of,
)

FIXED: dict[str, list[Expr]] = {"Real": [-LIMIT, LIMIT, LIMIT / 2], ARRAY: [("fill", 0), ("fill", 2)]}


def random_vmt(random: Random) -> Case:
    """A system with up to three variables, an input perhaps, and one or two properties."""
    make = Maker(random)
    state = {name: random.choice(["Int", "Int", "Int", "Bool"]) for name in "xyz"[: random.randint(1, 3)]}
    if random.random() < 0.25:
        state["r"] = "Real"
    elif random.random() < 0.15:
        state["a"] = ARRAY
    inputs = {"i": random.choice(["Int", "Bool"])} if random.random() < 0.5 else {}
    both = state | inputs
    later = {f"{name}.next": sort for name, sort in state.items()}
    nexts = {name: make.of(sort, both) if sort in FIXED or random.random() < 0.85 else None for name, sort in state.items()}
    guard = make.formula(both | later, 2) if random.random() < 0.5 else True
    plain = {name: sort for name, sort in state.items() if sort not in FIXED}
    fixed = {name: random.choice(FIXED[sort]) for name, sort in state.items() if sort in FIXED}
    start = [("=", name, make.of(sort, {})) for name, sort in plain.items() if random.random() < 0.6]
    start += [("=", name, expr) for name, expr in fixed.items()]
    if random.random() < 0.4:
        start.append(make.formula(plain))
    readable = state | {name: sort for name, sort in inputs.items() if sort == "Bool"}
    offers = [make.formula(readable if random.random() < 0.3 else state) for _ in range(8)]
    init = ("and", True, *start, *(inside(name, sort) for name, sort in state.items()))
    moves = [("=", f"{name}.next", expr) for name, expr in nexts.items() if expr is not None]
    bounds = [inside(name, sort) for name, sort in (later | inputs).items()]
    trans = ("and", True, *moves, guard, *bounds)
    heights = _explore(state, inputs, init, fixed, nexts, trans)
    bits = {name: sort for name, sort in inputs.items() if sort == "Bool"}
    chosen = choose(random, [(_first(heights, prop, bits), prop) for prop in offers], random.randint(1, 2))
    truth, properties = tuple(height for height, _ in chosen), [prop for _, prop in chosen]
    facts: frozenset[Fact] = frozenset(("main", tuple(env)) for env in heights)
    return Case(".vmt", _written(state, inputs, init, trans, properties), truth, facts)


States = dict[tuple[Any, ...], tuple[int, dict[str, Any]]]


def _explore(
    state: dict[str, str], inputs: dict[str, str], init: Expr, fixed: dict[str, Expr], nexts: dict[str, Expr], trans: Expr
) -> States:
    """Every reachable state, by its values, with the number of steps to it; ``fixed`` start with one value."""
    first = {name: meaning(expr)({}) for name, expr in fixed.items()}
    found: States = {}
    frontier = []
    holds = meaning(init)
    for env in environments({name: sort for name, sort in state.items() if name not in first}):
        full = {name: first[name] if name in first else env[name] for name in state}
        if holds(full):
            found[tuple(full.values())] = 0, full
            frontier.append(full)
    successors = _successors(state, inputs, nexts, trans)
    steps = 0
    while frontier:
        steps, fresh = steps + 1, []
        for env in frontier:
            for after in successors(env):
                if tuple(after.values()) not in found:
                    found[tuple(after.values())] = steps, after
                    fresh.append(after)
        frontier = fresh
    return found


def _successors(
    state: dict[str, str], inputs: dict[str, str], nexts: dict[str, Expr], trans: Expr
) -> Callable[[dict[str, Any]], Iterator[dict[str, Any]]]:
    moves = {name: None if expr is None else meaning(expr) for name, expr in nexts.items()}
    allowed = meaning(trans)

    def successors(env: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for given in environments(inputs):
            here = env | given
            choices = [values_of(state[name]) if (move := moves[name]) is None else [move(here)] for name in state]
            for values in product(*choices):
                after = dict(zip(state, values, strict=True))
                if allowed(here | {f"{name}.next": v for name, v in after.items()}):
                    yield after

    return successors


def _first(heights: States, prop: Expr, inputs: dict[str, str]) -> int | None:
    """The height of the error: the bad state's steps, and the edge to the error."""
    holds = meaning(prop)
    bad = [steps + 1 for steps, env in heights.values() for given in environments(inputs) if not holds(env | given)]
    return min(bad, default=None)


def _written(state: dict[str, str], inputs: dict[str, str], init: Expr, trans: Expr, properties: list[Expr]) -> str:
    lines = []
    for name, sort in state.items():
        lines += [f"(declare-fun {name} () {sort})", f"(declare-fun {name}.next () {sort})"]
        lines.append(f"(define-fun .{name} () {sort} (! {name} :next {name}.next))")
    lines += [f"(declare-fun {name} () {sort})" for name, sort in inputs.items()]
    lines.append(f"(define-fun .init () Bool (! {text(init)} :init true))")
    lines.append(f"(define-fun .trans () Bool (! {text(trans)} :trans true))")
    lines += [f"(define-fun p{n} () Bool (! {text(p)} :invar-property {n}))" for n, p in enumerate(properties)]
    return "\n".join(lines) + "\n"

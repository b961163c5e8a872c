"""Random Horn clauses over numbers, linear and not, with all facts that they derive."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from tests.support.random_lia import MOST, Case, Expr, Fact, Maker, choose, environments, inside, meaning, text


@dataclass(frozen=True, slots=True)
class Clause:
    """``body ∧ constraint → head``; a body atom is a predicate with variables of the clause, a head has expressions."""

    names: dict[str, str]
    body: tuple[tuple[str, tuple[str, ...]], ...]
    constraint: Expr
    head: tuple[str, tuple[Expr, ...]] | None


def random_horn(random: Random) -> Case:
    """One to three predicates and a handful of clauses, among them at least one start and one query."""
    make = Maker(random)
    predicates = {
        name: tuple(random.choice(["Int", "Int", "Int", "Bool"]) for _ in range(random.choice([0, 1, 1, 2, 2])))
        for name in "pqs"[: random.randint(1, 3)]
    }
    most = random.choice([1, 1, 2])
    clauses = [_clause(make, predicates, 0, False)]
    clauses += [_clause(make, predicates, random.randint(0, most), False) for _ in range(random.randint(1, 4))]
    heights = _derive(clauses)
    offers = [_clause(make, predicates, random.randint(1, most), True) for _ in range(6)]
    queries = choose(random, [(_height(clause, heights), clause) for clause in offers], random.randint(1, 2))
    clauses += [clause for _, clause in queries]
    random.shuffle(clauses)
    truth = min((height for height, _ in queries if height is not None), default=None)
    return Case(".smt2", _written(predicates, clauses), (truth,), frozenset(heights))


def _clause(make: Maker, predicates: dict[str, tuple[str, ...]], premises: int, is_query: bool) -> Clause:
    random = make.random
    names: dict[str, str] = {}
    body = []
    for place in range(premises):
        predicate = random.choice(list(predicates))
        own = []
        for position, sort in enumerate(predicates[predicate]):
            shared = [name for name, s in names.items() if s == sort]
            if shared and random.random() < 0.2:
                own.append(random.choice(shared))  # the same variable twice
            else:
                own.append(f"{predicate}{place}{position}")
                names[own[-1]] = sort
        body.append((predicate, tuple(own)))
    free = {f"v{n}": random.choice(["Int", "Int", "Bool"]) for n in range(random.choice([0, 0, 1, 2 if not premises else 1]))}
    names |= free
    parts = [inside(name, sort) for name, sort in free.items()]
    if random.random() < (0.9 if is_query else 0.6):
        parts.append(make.formula(names))
    head = None
    if not is_query:
        target = random.choice(list(predicates))
        args = tuple(make.of(sort, names) for sort in predicates[target])
        parts += [inside(arg, sort) for arg, sort in zip(args, predicates[target], strict=True)]
        if args and random.random() < 0.4:  # an argument by an equation
            position = random.randrange(len(args))
            names["h"] = predicates[target][position]
            parts.append(("=", "h", args[position]))
            args = (*args[:position], "h", *args[position + 1 :])
        head = target, args
    return Clause(names, tuple(body), ("and", True, *parts), head)


def _derive(clauses: list[Clause]) -> dict[Fact, int]:
    """All facts with their least heights."""
    heights: dict[Fact, int] = {}
    height = 0
    while True:
        fresh = {fact for clause in clauses for fact in _consequences(clause, heights) if fact not in heights}
        if not fresh or len(heights) > MOST:
            return heights
        heights |= dict.fromkeys(fresh, height)
        height += 1


def _height(query: Clause, heights: dict[Fact, int]) -> int | None:
    """The least height of a derivation of false by this query."""
    for most in sorted(set(heights.values())):
        if _consequences(query, {fact: height for fact, height in heights.items() if height <= most}):
            return most + 1
    return None


def _consequences(clause: Clause, known: dict[Fact, int]) -> set[Fact]:
    found: set[Fact] = set()
    candidates = [[fact for fact in known if fact[0] == predicate] for predicate, _ in clause.body]
    bound = {name for _, own in clause.body for name in own}
    free = {name: sort for name, sort in clause.names.items() if name not in bound}
    holds = meaning(clause.constraint)
    args = [meaning(arg) for arg in clause.head[1]] if clause.head is not None else []
    target = "false" if clause.head is None else clause.head[0]
    for premises in product(*candidates):
        env = _matched(clause, premises)
        for given in environments(free) if env is not None else ():
            full = {**(env or {}), **given}
            if holds(full):
                found.add((target, tuple(arg(full) for arg in args)))
    return found


def _matched(clause: Clause, premises: tuple[Fact, ...]) -> dict[str, Any] | None:
    env: dict[str, Any] = {}
    for (_, own), (_, values) in zip(clause.body, premises, strict=True):
        for name, v in zip(own, values, strict=True):
            if env.setdefault(name, v) != v:
                return None
    return env


def _written(predicates: dict[str, tuple[str, ...]], clauses: list[Clause]) -> str:
    lines = ["(set-logic HORN)"]
    lines += [f"(declare-fun {name} ({' '.join(sorts)}) Bool)" for name, sorts in predicates.items()]
    for clause in clauses:
        atoms = [_atom(predicate, own) for predicate, own in clause.body]
        head = "false" if clause.head is None else _atom(*clause.head)
        inner = f"(=> (and {' '.join([*atoms, text(clause.constraint)])}) {head})"
        binders = " ".join(f"({name} {sort})" for name, sort in clause.names.items())
        lines.append(f"(assert (forall ({binders}) {inner}))" if binders else f"(assert {inner})")
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def _atom(predicate: str, args: tuple[Expr, ...]) -> str:
    return f"({predicate} {' '.join(map(text, args))})" if args else predicate

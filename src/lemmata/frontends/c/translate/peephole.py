"""Fewer statements with the same meaning: the graph has a location for each, with all variables of the body.

Jumps to what comes next are left out, and labels that nobody jumps to. A variable of ours that takes any value and hands it on
in the next statement is skipped: ``havoc t; x := t`` is ``havoc x``. Declarations one after the other are one ``havoc``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce

from lemmata.frontends.c.translate.tree_builder import FALSITY, TreeBuilder, both
from lemmata.frontends.programs.translate.effects import expressions, targets
from lemmata.frontends.programs.tree import (
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Expression,
    Goto,
    Havoc,
    If,
    Label,
    Literal,
    Name,
    Return,
    Statement,
    Variable,
    below,
    blocks,
)


def compacted(statements: list[Statement], nodes: TreeBuilder) -> list[Statement]:
    """The same body."""
    return _merged(_without_labels(_without_jumps(_handed_on(statements, nodes))), nodes)


def reaches_end(statements: list[Statement]) -> bool:
    """May a run of the body come to its end without ``return``? As far as the jumps tell."""
    entered: set[str] = set()
    while True:
        before, is_here = len(entered), True
        for statement in statements:
            if isinstance(statement, Label):
                is_here = is_here or statement.name in entered
            if not is_here:
                continue
            inner = (statement, *_inside(statement))
            entered.update(name for s in inner if isinstance(s, Goto) for name, _ in s.labels)
            is_here = _goes_on(statement)
        if len(entered) == before:
            return is_here


def _goes_on(statement: Statement) -> bool:
    match statement:
        case Goto() | Return():
            return False
        case Assume(_, condition) | Assert(_, condition):
            return condition is not FALSITY
        case If(_, _, then, otherwise):
            return any(all(_goes_on(inner) for inner in block) for block in (then, otherwise))
    return True


def mentioned(statements: list[Statement], nodes: TreeBuilder) -> set[Variable]:
    """The variables that statements read or write."""
    found: set[Variable] = set()
    for statement in (s for outer in statements for s in (outer, *_inside(outer))):
        found.update(nodes.names[name] for name in targets(statement))
        for expression in expressions(statement):
            found.update(nodes.names[node] for node in _names(expression))
    return found


def _merged(statements: list[Statement], nodes: TreeBuilder) -> list[Statement]:
    found: list[Statement] = []
    for statement in statements:
        last = found[-1] if found else None
        if isinstance(last, Havoc) and isinstance(statement, Havoc):
            changed = {nodes.names[name] for name in last.targets}
            own = {nodes.names[name] for name in statement.targets}
            if changed.isdisjoint(own):
                conditions = [c for c in (last.such_that, statement.such_that) if c is not None]
                such_that = reduce(both, conditions) if conditions else None
                choices = (*last.choices, *statement.choices)
                found[-1] = Havoc(last.at, (*last.targets, *statement.targets), such_that, choices)
                continue
        found.append(statement)
    return found


def _handed_on(statements: list[Statement], nodes: TreeBuilder) -> list[Statement]:
    uses: Counter[Variable] = Counter()
    for statement in statements:
        for expression in (e for s in (statement, *_inside(statement)) for e in expressions(s)):
            uses.update(nodes.names[node] for node in below(expression) if isinstance(node, Name))
    found: list[Statement] = []
    for statement in statements:
        last = found[-1] if found else None
        if isinstance(last, Havoc) and isinstance(statement, Assign) and len(last.targets) == 1:
            skipped = _skipped(last, statement, nodes, uses)
            if skipped is not None:
                found[-1] = skipped
                continue
        found.append(statement)
    return found


def _inside(statement: Statement) -> list[Statement]:
    return [inner for block in blocks(statement) for inner in block]


def _skipped(havoc: Havoc, assign: Assign, nodes: TreeBuilder, uses: Counter[Variable]) -> Havoc | None:
    variable = nodes.names[havoc.targets[0]]
    match assign.values:
        case (Name() as value,) if nodes.names[value] is variable and variable.kind == "local":
            own = 0 if havoc.such_that is None else sum(nodes.names.get(n) is variable for n in _names(havoc.such_that))
            target = nodes.names[assign.targets[0]]
            if uses[variable] != own + 1 or target is variable or not _is_range(havoc.such_that):
                return None
            such_that = None if havoc.such_that is None else _renamed(havoc.such_that, variable, target, nodes)
            choices = tuple([replace(choice, variable=target) for choice in havoc.choices])
            return Havoc(assign.at, assign.targets, such_that, choices)
    return None


def _is_range(condition: Expression | None) -> bool:
    return condition is None or all(isinstance(part, Name | Binary | Literal) for part in below(condition))


def _names(expression: Expression) -> list[Name]:
    return [node for node in below(expression) if isinstance(node, Name)]


def _renamed(expression: Expression, old: Variable, new: Variable, nodes: TreeBuilder) -> Expression:
    """A range with another variable in it."""
    match expression:
        case Name() if nodes.names[expression] is old:
            return nodes.name(new)
        case Binary(at, op, left, right):
            renamed = Binary(at, op, _renamed(left, old, new, nodes), _renamed(right, old, new, nodes))
            if expression in nodes.types:
                nodes.types[renamed] = nodes.types[expression]
            return renamed
    assert isinstance(expression, Literal)
    return expression


def _without_jumps(statements: list[Statement]) -> list[Statement]:
    found: list[Statement] = []
    following: set[str] = set()  # labels right after the statement
    for statement in reversed(statements):
        if isinstance(statement, Label):
            following = {*following, statement.name}
        elif isinstance(statement, Goto) and statement.labels[0][0] in following:
            continue
        else:
            if isinstance(statement, If):
                then, otherwise = (_passed_on(block, following) for block in (statement.then, statement.otherwise))
                statement = replace(statement, then=then, otherwise=otherwise)
            following = set()
        found.append(statement)
    found.reverse()
    return found


def _passed_on(block: Block, following: set[str]) -> Block:
    return () if len(block) == 1 and isinstance(block[0], Goto) and block[0].labels[0][0] in following else block


def _without_labels(statements: list[Statement]) -> list[Statement]:
    gotos = [s for statement in statements for s in (statement, *_inside(statement)) if isinstance(s, Goto)]
    used = {name for goto in gotos for name, _ in goto.labels}
    return [statement for statement in statements if not isinstance(statement, Label) or statement.name in used]

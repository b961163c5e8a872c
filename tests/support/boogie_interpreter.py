"""Boogie programs executed state by state: the truth that graphs of programs are measured by.

The interpreter walks the syntax tree, and shares nothing with the translation to graphs. An arbitrary number is one of
``DOMAIN``; so programs must narrow what is arbitrary to these. A map is a pair: programs look at 0 and 1
only, and have 0 and 1 there. All ways through a program are followed at once, with a table of
the ends of each procedure by what it was started with, so that recursion ends (Sharir, Pnueli 1981).

A body relies on what it requires, free or not, and on ``where`` clauses of parameters and globals. A call checks what is not
free; if the rest does not hold, the body is *loose*: it runs, and what is asserted in it, or in what it calls, does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.tree import (
    BOOL_TYPE,
    Apply,
    Assert,
    Assign,
    Assume,
    Binary,
    Block,
    Break,
    Call,
    Conditional,
    Expression,
    Goto,
    Havoc,
    If,
    Label,
    Literal,
    MapType,
    Name,
    Old,
    Procedure,
    Return,
    Select,
    Store,
    Unary,
    Variable,
    While,
    blocks,
)

DOMAIN = range(3)
Values = Mapping[Variable, Any]  # numbers, truth values as 0 and 1, tuples


@dataclass(frozen=True, eq=False, slots=True)
class Here:
    """Before statement ``index`` of ``block``, which is in statement ``position`` of another one; ``outer`` is what follows."""

    block: Block
    index: int
    outer: Here | None = None
    position: int = 0

    def after(self) -> Here:
        return here(self.block, self.index + 1, self.outer, self.position)

    def inside(self, block: Block) -> Here:
        """At the start of a block of this statement; a loop comes back."""
        is_loop = isinstance(self.block[self.index], While)
        return here(block, 0, self if is_loop else self.after(), self.index)


_KNOWN: dict[tuple[int, int, int, int], Here] = {}


def here(block: Block, index: int, outer: Here | None = None, position: int = 0) -> Here:
    """The one such place."""
    key = (id(block), index, id(outer), position)
    if key not in _KNOWN:
        _KNOWN[key] = Here(block, index, outer, position)  # which keeps the block, so that its id stays its own
    return _KNOWN[key]


Key = tuple[str, tuple[Any, ...], tuple[Any, ...], bool]  # procedure, arguments, globals, whether it is loose


class State(NamedTuple):
    """One body at work; ``values`` are those of ``Interpreter._names``."""

    key: Key
    here: Here | None
    values: tuple[Any, ...]


def violated(program: CheckedProgram) -> set[str]:
    """The names of the properties that some run violates."""
    return Interpreter(program).run()


class Interpreter:
    """A procedure has one implementation."""

    def __init__(self, program: CheckedProgram) -> None:
        self.program = program
        self.globals = list(program.variables.values())
        self.found: set[str] = set()
        self.seen: set[State] = set()
        self.open: list[State] = []
        self.ends: dict[Key, set[tuple[tuple[Any, ...], tuple[Any, ...]]]] = {}
        self.waiting: dict[Key, list[tuple[State, Call]]] = {}
        self.constants: dict[Variable, Any] = {}
        _KNOWN.clear()

    def run(self) -> set[str]:
        names = list(self.program.constants.values())
        for values in self._anything(names):
            self.constants = dict(zip(names, values, strict=True))
            if all(self._eval(axiom.condition, {}, {}) for axiom in self.program.axioms):
                self._run()
        return self.found

    def _run(self) -> None:
        self.seen, self.ends, self.waiting = set(), {}, {}
        bodies = [p for p in self.program.procedures.values() if p.implementations]
        for procedure in [p for p in bodies if p.name == "ULTIMATE.start"] or bodies:
            for state in self._anything(self.globals):
                for arguments in self._anything(procedure.parameters):
                    if self._relies(procedure, arguments, state):
                        self._start((procedure.name, arguments, state, False))
        while self.open:
            self._step(self.open.pop())

    def _anything(self, variables: Sequence[Variable]) -> Iterator[tuple[Any, ...]]:
        """All values that variables may have."""
        return product(*[self._domain(variable) for variable in variables])

    def _domain(self, variable: Variable) -> Sequence[Any]:
        kind = self.program.type_of(variable)
        if isinstance(kind, MapType):
            return list(product(range(2), repeat=2))
        return range(2) if kind == BOOL_TYPE else DOMAIN

    def _names(self, procedure: Procedure) -> list[Variable]:
        body = procedure.implementations[0]
        return [*self.globals, *body.parameters, *body.results, *body.variables]

    def _where(self, variables: Sequence[Variable], values: Values, before: Values | None = None) -> bool:
        """Whether variables may be chosen so: ``where`` holds, and assumption variables do not become true again."""
        marked = [v for v in variables if any(attribute.name == "assumption" for attribute in v.attributes)]
        is_stronger = all(values[v] <= (before[v] if before else 1) for v in marked)
        is_true = before is not None or all(values[v] for v in marked)
        return is_stronger and is_true and all(self._eval(v.where, values, {}) for v in variables if v.where is not None)

    def _relies(self, procedure: Procedure, arguments: tuple[Any, ...], state: tuple[Any, ...]) -> bool:
        """Whether all holds that a body may rely on when it starts."""
        before = dict(zip(self.globals, state, strict=True))
        values = before | dict(zip(procedure.parameters, arguments, strict=True))
        holds = all(self._eval(clause.condition, values, before) for clause in procedure.requires)
        return holds and self._where([*self.globals, *procedure.parameters], values)

    def _start(self, key: Key) -> None:
        name, arguments, state, _ = key
        self.ends.setdefault(key, set())
        body = self.program.procedures[name].implementations[0]
        open_ones = (*body.results, *body.variables)
        for values in self._anything(open_ones):
            all_values = (*state, *arguments, *values)
            if self._where(open_ones, dict(zip(self._names(self.program.procedures[name]), all_values, strict=True))):
                self._visit(State(key, here(body.body, 0), all_values))

    def _visit(self, state: State) -> None:
        if state not in self.seen:
            self.seen.add(state)
            self.open.append(state)

    def _step(self, state: State) -> None:
        place = state.here
        while place is not None and place.index == len(place.block):
            place = place.outer
        procedure = self.program.procedures[state.key[0]]
        values = dict(zip(self._names(procedure), state.values, strict=True))
        before = dict(zip(self.globals, state.key[2], strict=True))
        if place is None:
            self._end(state.key, procedure, values, before)
            return
        for there, new in self._statement(state, place, values, before):
            self._visit(State(state.key, there, tuple(new.values())))

    def _end(self, key: Key, procedure: Procedure, values: dict[Variable, Any], before: Values) -> None:
        body = procedure.implementations[0]
        pairs = zip((*procedure.parameters, *procedure.results), (*body.parameters, *body.results), strict=True)
        contract = {**{v: values[v] for v in self.globals}, **{formal: values[own] for formal, own in pairs}}
        for clause in procedure.ensures:
            if not clause.is_free and not self._eval(clause.condition, contract, before):
                if not key[3]:
                    self.found.add(f"ensures at line {self.program.text.line(clause.at)}")
                return
        end = (tuple(values[v] for v in body.results), tuple(values[v] for v in self.globals))
        if end not in self.ends[key]:
            self.ends[key].add(end)
            for caller, call in self.waiting.get(key, []):
                self._return(caller, call, end)

    def _return(self, caller: State, call: Call, end: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
        values = dict(zip(self._names(self.program.procedures[caller.key[0]]), caller.values, strict=True))
        values |= zip(self.globals, end[1], strict=True)
        values |= zip(map(self.program.variable_of, call.results), end[0], strict=True)
        assert caller.here is not None
        self._visit(State(caller.key, caller.here.after(), tuple(values.values())))

    def _statement(
        self, state: State, place: Here, values: dict[Variable, Any], before: Values
    ) -> Iterator[tuple[Here | None, dict[Variable, Any]]]:
        statement, after, is_loose = place.block[place.index], place.after(), state.key[3]
        match statement:
            case Assert(at, condition):
                if is_loose or self._holds(f"assert at line {self._line(at)}", condition, values, before):
                    yield after, values
            case Assume(_, condition):
                if self._eval(condition, values, before):
                    yield after, values
            case Havoc(_, names):
                targets = [self.program.variable_of(name) for name in names]
                for new in self._anything(targets):
                    havocked = values | dict(zip(targets, new, strict=True))
                    if self._where(targets, havocked, values):
                        yield after, havocked
            case Assign(_, names, expressions):
                new_values = [self._eval(e, values, before) for e in expressions]
                yield after, values | dict(zip(map(self.program.variable_of, names), new_values, strict=True))
            case Call():
                yield from self._call(State(state.key, place, state.values), statement, values, before)
            case Label():
                yield after, values
            case Goto(_, labels):
                for label, _ in labels:
                    yield self._label(state.key, label), values
            case If(_, condition, then, otherwise):
                for choice, block in ((1, then), (0, otherwise)):
                    if condition is None or bool(self._eval(condition, values, before)) == bool(choice):
                        yield place.inside(block), values
            case While(_, condition, invariants, body):
                for clause in invariants:
                    name = f"invariant at line {self._line(clause.at)}"
                    if clause.is_free and not self._eval(clause.condition, values, before):
                        return
                    if not clause.is_free and not is_loose and not self._holds(name, clause.condition, values, before):
                        return
                for choice in (1, 0):
                    if condition is None or bool(self._eval(condition, values, before)) == bool(choice):
                        yield (place.inside(body) if choice else after), values
            case Break(_, label):
                yield _broken(place, label), values
            case Return():
                yield None, values

    def _line(self, at: int) -> int:
        return self.program.text.line(at)

    def _holds(self, name: str, condition: Expression, values: Values, before: Values) -> bool:
        holds = bool(self._eval(condition, values, before))
        if not holds:
            self.found.add(name)
        return holds

    def _call(
        self, state: State, call: Call, values: dict[Variable, Any], before: Values
    ) -> Iterator[tuple[Here | None, dict[Variable, Any]]]:
        procedure = self.program.procedures[call.procedure]
        arguments = tuple(self._eval(e, values, before) for e in call.arguments)
        now = {v: values[v] for v in self.globals}
        formals = dict(zip(procedure.parameters, arguments, strict=True))
        is_loose = state.key[3]
        for clause in procedure.requires:
            name = f"requires of {procedure.name} at line {self._line(call.at)}"
            is_checked = not (clause.is_free or call.is_free or is_loose)
            if is_checked and not self._holds(name, clause.condition, {**now, **formals}, now):
                return
        if procedure.implementations:
            is_loose = is_loose or not self._relies(procedure, arguments, tuple(now.values()))
            key = (procedure.name, arguments, tuple(now.values()), is_loose)
            is_new = key not in self.ends
            if is_new:
                self._start(key)
            self.waiting.setdefault(key, []).append((state, call))
            for end in list(self.ends[key]):
                self._return(state, call, end)
            return
        changed = list(dict.fromkeys(map(self.program.variable_of, procedure.modifies)))
        for new in self._anything([*changed, *procedure.results]):
            after = now | dict(zip(changed, new, strict=False))
            results = dict(zip(procedure.results, new[len(changed) :], strict=True))
            ended = {**after, **formals, **results}
            is_kept = self._where([*changed, *procedure.results], ended)
            if is_kept and all(self._eval(clause.condition, ended, now) for clause in procedure.ensures):
                self._return(state, call, (tuple(results.values()), tuple(after.values())))
        yield from ()

    def _label(self, key: Key, label: str) -> Here:
        body = self.program.procedures[key[0]].implementations[0].body
        stack = [here(body, 0)]
        while stack:
            top = stack.pop()
            for index, statement in enumerate(top.block):
                place = here(top.block, index, top.outer, top.position)
                if isinstance(statement, Label) and statement.name == label:
                    return place
                stack += [place.inside(block) for block in blocks(statement)]
        raise AssertionError(label)

    def _eval(self, e: Expression, now: Values, before: Values) -> Any:
        match e:
            case Literal(_, value, _):
                return int(value)
            case Name():
                variable = self.program.variable_of(e)
                return self.constants[variable] if variable.kind == "const" else now[variable]
            case Unary(_, op, argument):
                value = self._eval(argument, now, before)
                return int(not value) if op == "!" else -value
            case Binary(_, op, left, right):
                return _binary(op, self._eval(left, now, before), self._eval(right, now, before))
            case Conditional(_, condition, then, otherwise):
                return self._eval(then if self._eval(condition, now, before) else otherwise, now, before)
            case Old(_, argument):
                return self._eval(argument, {**now, **before}, before)
            case Select(_, mapping, (index,)):
                return self._eval(mapping, now, before)[self._eval(index, now, before)]
            case Store(_, mapping, (index,), value):
                cells = list(self._eval(mapping, now, before))
                cells[self._eval(index, now, before)] = self._eval(value, now, before)
                return tuple(cells)
            case Apply(_, name, arguments):
                function = self.program.functions[name]
                values = [self._eval(argument, now, before) for argument in arguments]
                assert function.body is not None
                return self._eval(function.body, dict(zip(function.parameters, values, strict=True)), {})
        raise AssertionError(f"{e} is not executed")


def _binary(op: str, a: Any, b: Any) -> Any:
    match op:
        case "+" | "-" | "*":
            return {"+": a + b, "-": a - b, "*": a * b}[op]
        case "mod":
            return a % abs(b)
        case "div":
            return (a - a % abs(b)) // b
        case "&&" | "||":
            return int(bool(a) and bool(b)) if op == "&&" else int(bool(a) or bool(b))
        case "==>":
            return int(not a or bool(b))
        case "<==>" | "==":
            return int(a == b)
    return int({"!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op])


def _broken(place: Here, label: str | None) -> Here:
    """After the loop around, or after the statement with that label."""
    while place.outer is not None:
        block, at = place.outer.block, place.position
        labels = []
        while at > 0 and isinstance(before := block[at - 1], Label):
            labels.append(before.name)
            at -= 1
        if isinstance(block[place.position], While) if label is None else label in labels:
            return here(place.outer.block, place.position + 1, place.outer.outer, place.outer.position)
        place = place.outer
    raise AssertionError("break leads nowhere")

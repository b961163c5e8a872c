"""Evidence about programs in their own language: invariants as expressions at lines, runs as steps from line to line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from lemmata.errors import Place
from lemmata.logic.c_text import CName, c_expression
from lemmata.logic.sorts import Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, value_of
from lemmata.logic.text import infix, value_text
from lemmata.logic.values import signed
from lemmata.models.code import Code, CodeCall, CodeChoice, CodeClaim, CodeStep, CodeVariable
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.verdict import Safe, Unsafe

_CELLS = 8  # of an array that are told one by one
_FACTS = 100_000  # of a run
_PARTS = frozenset({"base", "offset", "memory", "length"})


def in_code(graph: Graph, code: Code, verdict: Safe | Unsafe) -> Safe | Unsafe:
    """The verdict with its evidence told in the language of the program."""
    match verdict:
        case Safe(GraphInvariant() as invariant):
            return Safe(_told(code, invariant))
        case Safe(GraphKInductive(k, invariant)):
            return Safe(GraphKInductive(k, _told(code, invariant)))
        case Unsafe(Derivation() as derivation):
            return Unsafe(replace(derivation, steps=tuple(steps(graph, code, derivation))))
    return verdict


# Invariants.


def _told(code: Code, invariant: GraphInvariant) -> GraphInvariant:
    shown = cache(infix)  # the same lemma may stand at many locations
    claims = [_claim(code, claim, shown) for claim in invariant.claims if claim.lemmas]
    return replace(invariant, told=tuple(dict.fromkeys(claims)) or (_nothing(code, invariant),))


def _nothing(code: Code, invariant: GraphInvariant) -> CodeClaim:
    first = invariant.claims[0].location if invariant.claims else 0
    return CodeClaim(code.places[first], code.function(first), ())


def _claim(code: Code, claim: Claim, shown: Callable[[Term], str]) -> CodeClaim:
    n = claim.location
    writer = LemmaWriter(code, n, claim.place.variables)
    texts = [(lemma, writer.text(lemma)) for lemma in claim.lemmas]
    is_end = claim.place.name.partition("~")[0].endswith(":end")
    return CodeClaim(
        code.places[n],
        code.function(n),
        tuple([text for _, text in texts if text is not None]),
        "loop" if n in code.loops else "start" if n in code.starts else "end" if is_end else "",
        tuple([shown(lemma) for lemma, text in texts if text is None]),
    )


class LemmaWriter:
    """Writes formulas over the variables of one location as expressions of C; with ``is_closed`` only names in scope count."""

    def __init__(self, code: Code, location: int, variables: tuple[Term, ...], is_closed: bool = False) -> None:
        self._code = code
        table = zip(variables, code.variables[location], strict=True)
        self._variables: Mapping[Term, CodeVariable] = {term: v for term, v in table if v.text}
        if is_closed:
            at = code.ats[location]
            own = code.function(location)
            self._variables = {
                term: v
                for term, v in self._variables.items()
                if v.function in ("", own) and v.since <= at and (v.until is None or at <= v.until) and "\\" not in v.text
            }
        self._names = {t: _name(v) for t, v in self._variables.items() if v.kind not in _PARTS and not v.is_array}

    def text(self, lemma: Term) -> str | None:
        """The expression, if there is one."""
        return c_expression(lemma, self._names, self._cell)

    def _cell(self, term: Term) -> CName | None:
        """``a[i]``, ``*p``, or a part of an object in memory."""
        indices: list[Term] = []
        while term.op == "select":
            indices.insert(0, term.args[1])
            term = term.args[0]
        variable = self._variables.get(term)
        if variable is None:
            return None
        if variable.kind == "memory":
            text = self._object(indices[0], indices[1]) if len(indices) == 2 else None
        else:
            written = [c_expression(index, self._names, self._cell) for index in indices]
            is_whole = variable.is_array and not isinstance(_below(term.sort, len(indices)), Array)
            text = variable.text + "".join([f"[{index}]" for index in written]) if None not in written and is_whole else None
        return None if text is None else replace(_name(variable), text=text)

    def _object(self, base: Term, offset: Term) -> str | None:
        if base.is_const:
            found = self._code.objects.get(value_of(base))
            if found is None:
                return None
            if offset.is_const:
                text = found.part(value_of(offset))
                return None if " + " in text else text
            if found.stride and offset.op == "*" and offset.args[0].is_const and value_of(offset.args[0]) == found.stride:
                index = c_expression(offset.args[1], self._names, self._cell)
                return None if index is None else f"{found.text}[{index}]"
            return None
        a, b = self._variables.get(base), self._variables.get(offset)
        is_pointer = a is not None and b is not None and a.text == b.text and (a.kind, b.kind) == ("base", "offset")
        return f"*{a.text}" if a is not None and is_pointer and not a.is_array else None


def _below(sort: Sort, depth: int) -> Sort:
    for _ in range(depth):
        assert isinstance(sort, Array)
        sort = sort.element
    return sort


def _name(variable: CodeVariable) -> CName:
    return CName(variable.text, variable.low, variable.high, variable.low is None or variable.low < 0)


# Runs.


def in_order(graph: Graph, code: Code, derivation: Derivation) -> list[tuple[int, int]]:
    """The facts in the order of execution, each with the number of calls around it that are no copies."""
    found: list[tuple[int, int]] = []
    stack = [(len(derivation.facts) - 1, 0)]
    while stack:
        position, depth = stack.pop()
        while len(found) < _FACTS:
            found.append((position, depth))
            fact = derivation.facts[position]
            if len(fact.premises) == 2:
                stack.append((fact.premises[0], depth))
                position, depth = fact.premises[1], depth + 1
                continue
            if not fact.premises or (depth and graph.edges[fact.edge].target in code.starts):
                break
            position = fact.premises[0]
    found.reverse()
    return found


def steps(graph: Graph, code: Code, derivation: Derivation) -> Iterator[CodeStep]:
    """The run from line to line; lines where nothing changes are told with the next one."""
    frames: list[dict[Term, tuple[CodeVariable, Value]]] = [{}]
    places: list[Place] = []
    function = ""
    for position, depth in in_order(graph, code, derivation):
        fact = derivation.facts[position]
        edge = graph.edges[fact.edge]
        source = edge.sources[0].location if edge.sources else edge.target
        is_call = bool(edge.sources) and code.is_call(source, edge.target)
        here = code.function(source)
        if here != function:
            places = []
        function = here
        _add(places, [code.edges[number] for number in fact.edges])
        if edge.target in code.starts:
            kept = {term: entry for term, entry in frames[-1].items() if not entry[0].function}
            frames[depth:] = [kept]
        elif len(frames) > depth + 1:
            frames[depth] |= {term: entry for term, entry in frames[-1].items() if not entry[0].function}
            frames[depth + 1 :] = []
        changed = _changed(code, edge.target, fact, frames[-1])
        note = _note(graph, code, derivation, fact, position, is_call, changed)
        calls = _calls(code, fact)
        if is_call:
            changed = []
        if changed or calls or note:
            yield CodeStep(function, tuple(places), tuple(changed), tuple(calls), note)
            places = []


def _add(places: list[Place], new: list[Place]) -> None:
    for place in new:
        if not places or places[-1].line != place.line:
            places.append(place)


def _note(
    graph: Graph, code: Code, derivation: Derivation, fact: Fact, position: int, is_call: bool, changed: list[tuple[str, str]]
) -> str:
    if position == len(derivation.facts) - 1:
        return f"{graph.questions[derivation.prop].name} is violated"
    if fact.stretch is not None:
        return f"{fact.stretch.count:,} rounds"
    if is_call:
        return f"calls {code.function(graph.edges[fact.edge].target)}({', '.join([f'{n} = {v}' for n, v in changed])})"
    return ""


def _calls(code: Code, fact: Fact) -> list[CodeCall]:
    values = dict(fact.inputs)
    return [
        CodeCall(choice.place, choice.function, choice.variable, choice_text(choice, values[choice.input]))
        for choice in code.choices.get(fact.edge, ())
        if choice.input in values and fact.stretch is None
    ]


def choice_text(choice: CodeChoice, value: Value) -> str:
    """The value that was chosen; the first one of an object in memory."""
    if choice.stride:
        value = dict(value.items).get(0, value.default)
    sort = choice.input.sort
    while isinstance(sort, Array) and choice.stride:
        sort = sort.element
    return _plain(value, sort, choice.is_signed)


def _plain(value: Value, sort: Sort, is_signed: bool) -> str:
    if isinstance(sort, BitVec):
        return str(signed(value, sort.width) if is_signed else value)
    if isinstance(value, bool):
        return str(int(value))
    return value_text(value, sort)


def _changed(code: Code, location: int, fact: Fact, before: dict[Term, tuple[CodeVariable, Value]]) -> list[tuple[str, str]]:
    """Variables with new values, and the table of values brought up to date."""
    found: dict[str, str] = {}
    now: dict[Term, tuple[CodeVariable, Value]] = {}
    for term, variable, value in zip(fact.place.variables, code.variables[location], fact.values, strict=True):
        if not variable.text:
            continue
        now[term] = variable, value
        known = before.get(term)
        if known is None or known[0] is not variable:
            if variable.is_parameter:
                found |= _new(code, term.sort, variable, value, None)
        elif known[1] != value:
            found |= _new(code, term.sort, variable, value, known[1])
    pointers = {v.text for term, (v, _) in now.items() if v.kind in ("base", "offset") and v.text in found}
    for text in pointers:
        parts = {v.kind: value for v, value in now.values() if v.text == text}
        if not any(isinstance(part, tuple) or hasattr(part, "items") for part in parts.values()):
            found[text] = _pointer(code, parts.get("base", 0), parts.get("offset", 0))
    before.update(now)
    return list(found.items())


def _new(code: Code, sort: Sort, variable: CodeVariable, value: Value, old: Value | None) -> dict[str, str]:
    is_signed = variable.low is None or variable.low < 0
    if variable.kind == "length":
        return {}
    if not isinstance(sort, Array):
        return {variable.text: _plain(value, sort, is_signed)}
    cells = list(_cells(sort, value, old))
    if len(cells) > _CELLS or not cells:
        return {} if variable.kind == "memory" else {variable.text: "…"}
    told: dict[str, str] = {}
    for indices, cell, element in cells:
        if variable.kind == "memory":
            text = _part(code, indices)
        else:
            text = variable.text + "".join([f"[{index}]" for index in indices])
        told[text] = _plain(cell, element, is_signed)
    return told


def _cells(sort: Sort, value: Value, old: Value | None) -> Iterator[tuple[tuple[int, ...], Value, Sort]]:
    """Where two arrays differ, with the new values; what both have everywhere is not looked at."""
    if not isinstance(sort, Array):
        yield (), value, sort
        return
    items, others = dict(value.items), {} if old is None else dict(old.items)
    for index in sorted({*items, *others}):
        new = items.get(index, value.default)
        before = None if old is None else others.get(index, old.default)
        if new != before:
            for indices, cell, element in _cells(sort.element, new, before):
                yield (index, *indices), cell, element


def _part(code: Code, indices: tuple[int, ...]) -> str:
    base, offset = (*indices, 0)[:2]
    found = code.objects.get(base)
    return f"object {base} + {offset}" if found is None else found.part(offset)


def _pointer(code: Code, base: Value, offset: Value) -> str:
    if base == 0:
        return "0"
    found = code.objects.get(base)
    if found is None:
        return f"object {base} + {offset}"
    return f"&{found.part(offset)}"

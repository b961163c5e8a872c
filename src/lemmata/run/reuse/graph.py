"""Yesterday's evidence about a graph: lemmas by location as SMT-LIB text, runs over words as values, derivations as text.

Locations are matched by their names, and the lemmas of those that are gone are tried wherever their variables live. Variables
are matched by their names; in systems also by what they do, elsewhere by their position. The largest inductive part of the
lemmas (``oracles.houdini``) holds for ever.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from zlib import crc32

from lemmata.budgets import REUSE_CANDIDATES, REUSE_QUERIES, REUSE_QUESTION_S, REUSE_S
from lemmata.errors import InputError
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.smtlib.formula_reader import read_formulas
from lemmata.logic.smtlib.writer import to_text, value_to_text
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import Term, Value, name_of, var
from lemmata.logic.values import default_value
from lemmata.logic.walk import fold, substitute, variables
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Edge, Graph, Location
from lemmata.models.system import System, system_of
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.oracles.houdini import HoudiniBudget, inductive_part
from lemmata.run.reuse.matching import ROUNDS, Refined, match_variables
from lemmata.verdict import Safe, Unsafe

_EDGE = re.compile(r"\(edge (\d+)")

OldLemmas = dict[int, list[Term]]  # by location


def remembered_graph(graph: Graph, verdict: Safe | Unsafe) -> dict[str, Any] | None:
    """What is worth to be kept of a verdict, as JSON; ``None`` where that is nothing."""
    match verdict:
        case Safe(WordInvariant(lemmas)):
            return {"locations": [_place(graph, _inner(graph), lemmas)]}
        case Safe(GraphInvariant(claims)):
            return {"locations": [_place(graph, claim.location, claim.lemmas) for claim in claims]}
        case Safe(GraphKInductive(k, GraphInvariant(claims))):
            return {"k": k, "locations": [_place(graph, claim.location, claim.lemmas) for claim in claims]}
        case Unsafe(WordTrace() as trace):
            lines = [_values(trace.initial), *map(_values, trace.inputs)]
            return {"run": lines}
        case Unsafe(Derivation() as derivation):
            from lemmata.certify.formats.derivation import format_derivation

            edges = sorted({edge for fact in derivation.facts for edge in fact.edges})
            return {
                "derivation": format_derivation(graph, derivation),
                "edges": [[edge, _edge_digest(graph.edges[edge])] for edge in edges],
            }
    return None


def recalled_lemmas(graph: Graph, kept: Mapping[str, Any]) -> tuple[OldLemmas, bool]:
    """Yesterday's lemmas over today's variables, by location, and whether every one has found its place."""
    errors = {question.location for question in graph.questions}
    inner = [number for number in range(len(graph.locations)) if number not in errors]
    places = {graph.locations[number].name: number for number in inner}
    found: OldLemmas = {number: [] for number in inner}
    is_whole = True
    homeless: list[Term] = []
    for old in kept["locations"]:
        number = places.get(str(old["name"]))
        if number is None and len(inner) == len(kept["locations"]) == 1:
            number = inner[0]
        if number is not None:
            lemmas = _lemmas(graph.locations[number], old, _signatures(graph, number), graph.origin.kind == "horn")
            found[number] += lemmas
            is_whole &= len(lemmas) == len(old["lemmas"])
        elif old["lemmas"]:
            is_whole = False
            for number in inner:
                homeless += _lemmas(graph.locations[number], old, {}, False)
    return (found if is_whole else _housed(graph, found, homeless)), is_whole


def _housed(graph: Graph, found: OldLemmas, homeless: Sequence[Term]) -> OldLemmas:
    """Lemmas without a place are tried wherever their variables live."""
    for number, lemmas in found.items():
        own = set(graph.locations[number].variables)
        more = [lemma for lemma in dict.fromkeys(homeless) if lemma not in lemmas and own >= set(variables([lemma]))]
        found[number] = [*lemmas, *more][:REUSE_CANDIDATES]
    return found


def recalled_derivation(graph: Graph, kept: Mapping[str, Any]) -> Derivation | None:
    """Yesterday's derivation, if today's graph has its edges."""
    from lemmata.certify.formats.derivation import parse_derivations

    places = {_edge_digest(edge): number for number, edge in enumerate(graph.edges)}
    moved = {str(number): places.get(digest, number) for number, digest in kept["edges"]}
    text = _EDGE.sub(lambda found: f"(edge {moved.get(found[1], found[1])}", str(kept["derivation"]))
    try:
        return next(iter(parse_derivations(text, graph, "the store")), None)
    except InputError:
        return None


def _edge_digest(edge: Edge) -> int:
    """What an edge does, with the names of its variables."""
    roots = [*edge.inputs, edge.guard, *edge.updates]
    digests = fold(roots, _named_digest)
    return crc32(repr([digests[root] for root in roots]).encode())


def _named_digest(term: Term, parts: Sequence[int]) -> int:
    data = value_to_text(*term.data) if term.is_const else term.data
    return crc32(repr((term.op, repr(data), sorted(parts))).encode())


def recalled_word_run(graph: Graph, prop: int, kept: Mapping[str, Any]) -> WordTrace | None:
    """Yesterday's run with today's system, if it is one to a bad state."""
    system = system_of(graph)
    lines = [{str(name): value for name, value in line} for line in kept["run"]]
    if system is None or len(lines) < 2:
        return None
    state = {v: _known(lines[0], v) for v in system.variables if system.starts[v] is None}
    state |= zip(system.variables, evaluate([system.starts[v] or v for v in system.variables], state), strict=True)
    initial = tuple(state.items())
    step = Program([system.constraint, system.bads[prop], *(system.nexts[v] for v in system.variables)])
    inputs: list[tuple[tuple[Term, Value], ...]] = []
    for line in lines[1:]:
        inputs.append(tuple((v, _known(line, v)) for v in system.inputs))
        is_allowed, is_bad, *after = step.run(state | dict(inputs[-1]))
        if not is_allowed:
            return None
        if is_bad:
            return WordTrace(prop, initial, tuple(inputs))
        state = dict(zip(system.variables, after, strict=True))
    return None


def _values(line: Sequence[tuple[Term, Value]]) -> list[tuple[str, int]]:
    """Words and truth values; arrays start with anything, as far as a run is kept."""
    return [(name_of(v), int(value)) for v, value in line if isinstance(value, int)]


def _known(line: Mapping[str, Any], v: Term) -> Value:
    value = line.get(name_of(v))
    if not isinstance(value, int):
        return default_value(v.sort)
    if isinstance(v.sort, BitVec):
        return value & ((1 << v.sort.width) - 1)
    return bool(value) if v.sort is BOOL else default_value(v.sort)


def _inner(graph: Graph) -> int:
    errors = {question.location for question in graph.questions}
    return next(number for number in range(len(graph.locations)) if number not in errors)


def _place(graph: Graph, number: int, lemmas: Sequence[Term]) -> dict[str, Any]:
    """The lemmas of a location, and the variables that they are about, or that tell where these stand."""
    place = graph.locations[number]
    used, signatures = set(variables(lemmas)), _signatures(graph, number)
    named = [
        [position, name_of(v), str(v.sort), *signatures.get(v, ())] for position, v in enumerate(place.variables) if v in used
    ]
    return {"name": place.name, "variables": named, "lemmas": list(map(to_text, lemmas))}


def _lemmas(place: Location, old: Mapping[str, Any], signatures: Mapping[Term, Refined], is_predicate: bool) -> list[Term]:
    """The lemmas of a location of yesterday over the variables of one of today, as far as there is one for each of theirs.

    Arguments of a predicate have no names but what some clause calls them: their position says which is which.
    """
    known = [(int(position), str(name), str(sort), tuple(map(int, s))) for position, name, sort, *s in old["variables"]]
    today = [(name_of(v), signatures.get(v, ())) for v in place.variables]
    found = match_variables([k[1] for k in known], [k[3] for k in known], [t[0] for t in today], [t[1] for t in today])
    if is_predicate:
        found = {k: position for k, (position, *_) in enumerate(known) if position < len(today)}
    taken = set(found.values())
    for k, (position, _, _, signature) in enumerate(known):
        if k not in found and not signature and position < len(today) and position not in taken:
            found[k] = position
    table = {}
    for k, (_, name, sort, _) in enumerate(known):
        if k in found and str(place.variables[found[k]].sort) == sort:
            v = place.variables[found[k]]
            table[var(name, v.sort)] = v
    lemmas = []
    for text in old["lemmas"]:
        try:
            lemmas += read_formulas(f"(assert {text})", "the store", table)
        except InputError:  # a variable is gone
            continue
    return substitute(lemmas, table)


def _signatures(graph: Graph, number: int) -> dict[Term, Refined]:
    """What the variables of a system do, in rounds; elsewhere nothing is known."""
    system = system_of(graph)
    if system is None or graph.locations[number].variables != system.variables:
        return {}
    kinds = {v: crc32(repr((str(v.sort), _start_text(system, v))).encode()) for v in system.variables}
    inputs = {v: crc32(str(v.sort).encode()) for v in system.inputs}
    nexts = [system.nexts[v] for v in system.variables]
    rounds = [kinds]
    for _ in range(ROUNDS):
        digests = fold(nexts, partial(_digest, inputs | rounds[-1]))
        rounds.append({v: crc32(repr((kinds[v], digests[system.nexts[v]])).encode()) for v in system.variables})
    return {v: tuple(found[v] for found in rounds[1:]) for v in system.variables}


def _start_text(system: System, v: Term) -> str:
    start = system.starts[v]
    return "free" if start is None else value_to_text(*start.data) if start.is_const else "computed"


def _digest(leaves: Mapping[Term, int], term: Term, parts: Sequence[int]) -> int:
    if term.is_var:
        return leaves.get(term, 0)
    data = value_to_text(*term.data) if term.is_const else term.data
    return crc32(repr((term.op, data, sorted(parts))).encode())


def inductive_lemmas(graph: Graph, candidates: OldLemmas, solver: str) -> OldLemmas:
    """The largest part of the candidates that is inductive, where there are any; what is too hard to ask is dropped."""
    lemmas = inductive_part(graph, candidates, solver, HoudiniBudget(REUSE_S, REUSE_QUESTION_S, REUSE_QUERIES))
    return {number: found for number, found in lemmas.items() if found}

"""Evidence about C programs as witnesses of SV-COMP, format 2.0 (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček 2024).

An *invariant set* has expressions of C that hold at loops; a *violation sequence* has waypoints that a violating run passes:
values that calls returned, values of variables before a statement, and at last the statement that violates the property. Lines
are those of the file as it is. Lemmas that C cannot say, or that speak of variables out of scope, are left out: whoever checks
an invariant set has to complete it.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256

from lemmata import __version__
from lemmata.errors import Place, Unsupported
from lemmata.frontends.files import read_bytes
from lemmata.logic.terms import FALSE
from lemmata.models.code import Code, CodeChoice, Spot
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.run.evidence.code import LemmaWriter, choice_text, in_order

_VERSION = "2.0"
_SPECIFICATIONS = {"overflow": "CHECK( init(main()), LTL(G ! overflow) )"}
_CALL = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
_WAYPOINTS = 10_000  # of a violation sequence
_Json = object


def format_invariants(graph: Graph, code: Code, invariant: GraphInvariant) -> bytes:
    """An invariant set."""
    content = []
    for spot, function, value in _loops(code, invariant):
        found = {
            "type": "loop_invariant",
            "location": _location(code, spot, function),
            "value": value,
            "format": "c_expression",
        }
        content.append({"invariant": found})
    return _document("invariant_set", graph, code, content)


def _loops(code: Code, invariant: GraphInvariant) -> Iterator[tuple[Spot, str, str]]:
    """What holds at each loop; in several copies of a function, one of what holds there."""
    found: dict[tuple[Spot, str], list[list[str]]] = {}
    for claim in invariant.claims:
        n = claim.location
        if n not in code.loops or code.spots[n] is None or FALSE in claim.lemmas:
            continue
        writer = LemmaWriter(code, n, claim.place.variables, is_closed=True)
        texts = [text for lemma in claim.lemmas if (text := writer.text(lemma)) is not None and "__int128" not in text]
        found.setdefault((code.spots[n] or (1, 1), code.function(n)), []).append(texts)
    for (spot, function), copies in found.items():
        if len(copies) == 1:
            yield from [(spot, function, text) for text in copies[0]]
        elif all(copies):
            whole = dict.fromkeys([" && ".join([f"({text})" for text in texts]) for texts in copies])
            yield spot, function, " || ".join([f"({text})" for text in whole]) if len(whole) > 1 else next(iter(whole))


def format_violation(graph: Graph, code: Code, derivation: Derivation) -> bytes:
    """A violation sequence."""
    text = _text(code)
    waypoints: list[_Json] = []
    for position, _ in in_order(graph, code, derivation):
        fact = derivation.facts[position]
        if fact.stretch is not None and any(turn.edge in code.choices for turn in fact.stretch.turns()):
            raise Unsupported(Place(graph.file), "the run chooses values in loops that it takes at once")
        values = dict(fact.inputs)
        target = graph.edges[fact.edge].target
        for choice in code.choices.get(fact.edge, ()):
            if choice.input in values and fact.stretch is None and len(waypoints) < _WAYPOINTS:
                waypoint = _chosen(code, choice, choice_text(choice, values[choice.input]), target, text)
                waypoints += [] if waypoint is None else [waypoint]
    last = graph.edges[derivation.facts[-1].edge]
    source = last.sources[0].location
    place = graph.questions[derivation.prop].place
    spot = code.spots[source] or (1 if place is None or place.line is None else place.line, 1)
    waypoints.append({"type": "target", "action": "follow", "location": _location(code, spot, code.function(source))})
    content = [{"segment": [{"waypoint": waypoint}]} for waypoint in waypoints]
    return _document("violation_sequence", graph, code, content)


def _chosen(code: Code, choice: CodeChoice, value: str, target: int, text: str) -> _Json | None:
    if choice.function:
        spot = None if choice.spot is None else _closing(text, choice.spot, choice.function)
        if spot is None:
            return None
        constraint = {"value": f"\\result == {value}", "format": "ext_c_expression"}
        location = _location(code, spot, "")
        return {"type": "function_return", "action": "follow", "constraint": constraint, "location": location}
    where = code.spots[target]
    if where is None or "{" in value or not choice.variable.isidentifier() or choice.stride:
        return None
    constraint = {"value": f"{choice.variable} == {value}", "format": "c_expression"}
    location = _location(code, where, code.function(target))
    return {"type": "assumption", "action": "follow", "constraint": constraint, "location": location}


def _closing(text: str, spot: Spot, function: str) -> Spot | None:
    """Where the parenthesis is that closes a call, on the same line."""
    lines = text.split("\n")
    line = lines[spot[0] - 1] if spot[0] <= len(lines) else ""
    start = line.find(f"{function}(", max(0, spot[1] - 1))
    if start < 0:
        start = line.find(f"{function}(")
    depth = 0
    for column in range(start + len(function), len(line)) if start >= 0 else ():
        depth += (line[column] == "(") - (line[column] == ")")
        if depth == 0:
            return spot[0], column + 1
    return None


def _text(code: Code) -> str:
    assert code.source is not None
    return read_bytes(code.source.file).decode("utf-8", "replace")


def _location(code: Code, spot: Spot, function: str) -> dict[str, _Json]:
    assert code.source is not None
    name = {"function": function} if function else {}
    return {"file_name": code.source.file, "line": spot[0], "column": spot[1], **name}


def _document(kind: str, graph: Graph, code: Code, content: Sequence[_Json]) -> bytes:
    assert code.source is not None
    file, data = code.source.file, read_bytes(code.source.file)
    name = graph.questions[0].name.split(" ")[0] if graph.questions else ""
    metadata = {
        "format_version": _VERSION,
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, sha256(repr((kind, data, content)).encode()).hexdigest())),
        "creation_time": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "producer": {"name": "Lemmata", "version": __version__},
        "task": {
            "input_files": [file],
            "input_file_hashes": {file: sha256(data).hexdigest()},
            "specification": _SPECIFICATIONS.get(name, _CALL),
            "data_model": code.source.data_model,
            "language": "C",
        },
    }
    entry = [{"entry_type": kind, "metadata": metadata, "content": content}]
    return ("\n".join(_yaml(entry, 0)) + "\n").encode()


def _yaml(value: _Json, depth: int) -> Iterator[str]:
    """Block style; texts as JSON writes them, which YAML reads."""
    space = "  " * depth
    if isinstance(value, list):
        for item in value:
            first, *rest = _yaml(item, depth + 1)
            yield f"{space}- {first.lstrip()}"
            yield from rest
    elif isinstance(value, dict):
        for key, item in value.items():
            name = key if str(key).isidentifier() else json.dumps(key)
            if isinstance(item, dict | list) and item:
                yield f"{space}{name}:"
                yield from _yaml(item, depth + 1)
            else:
                yield f"{space}{name}: {json.dumps(item)}"
    else:
        yield f"{space}{json.dumps(value)}"

"""Read a proof as people write it: one clause per line over latch names, as ``--certificate FILE.txt`` writes it.

``¬`` (or ``!``, ``~``) negates, ``∨`` (or ``|``) joins, ``#`` starts a comment, ``true`` is the empty invariant. A latch may
also be called ``l3`` by its position. The sentence "the property is 3-inductive" is a proof, too. Proofs about words are
SMT-LIB formulas over the variables (``logic.smtlib.formula_reader``), or that sentence. Proofs about graphs are models of Horn
clauses, or formulas over the variables of the one location; above them may stand that sentence as a comment.
"""

from __future__ import annotations

import re
from pathlib import Path

from lemmata.errors import InputError, Place
from lemmata.frontends.files import read_bytes
from lemmata.models.aig import Aig
from lemmata.models.derivation import Claim, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant, KInductive, LatchCube
from lemmata.models.words import WordInvariant

_GIVEN = re.compile(r"\s*;\s*the property is (\d{1,6})-inductive, given that\s*\n")
_KINDUCTIVE = re.compile(r"the property is (\d{1,6})-inductive( on paths without repeated states)?\s*")


def parse_proof(path: Path, model: Aig) -> Invariant | KInductive:
    """The proof in a file about ``model``."""
    text = read_bytes(path).decode("utf-8", "surrogateescape")
    return _parse_sentence(text) or _parse_clauses(text, path, model)


def parse_word_proof(path: Path, graph: Graph) -> WordInvariant | KInductive:
    """The proof in a file about ``graph``."""
    from lemmata.logic.smtlib.formula_reader import read_formulas

    text = read_bytes(path).decode("utf-8", "surrogateescape")
    if (sentence := _parse_sentence(text)) is not None:
        return sentence
    variables = dict.fromkeys(v for location in graph.locations for v in location.variables)
    return WordInvariant(tuple(read_formulas(text, str(path), variables)))


def parse_graph_proof(path: Path, graph: Graph) -> GraphInvariant | GraphKInductive:
    """The proof in a file about a graph of any shape."""
    text = read_bytes(path).decode("utf-8", "surrogateescape")
    invariant = _claims(text, path, graph)
    sentence = _GIVEN.match(text)
    return invariant if sentence is None else GraphKInductive(int(sentence[1]), invariant)


def _claims(text: str, path: Path, graph: Graph) -> GraphInvariant:
    errors = {question.location for question in graph.questions}
    inner = [number for number in range(len(graph.locations)) if number not in errors]
    if graph.origin.kind == "horn" or len(inner) != 1:
        from lemmata.frontends.horn.models import parse_model

        return parse_model(text, str(path), graph)
    from lemmata.logic.smtlib.formula_reader import read_formulas

    place = graph.locations[inner[0]]
    return GraphInvariant((Claim(inner[0], place, tuple(read_formulas(text, str(path), place.variables))),))


def _parse_sentence(text: str) -> KInductive | None:
    sentence = _KINDUCTIVE.fullmatch(text)
    return None if sentence is None else KInductive(int(sentence[1]), simple=sentence[2] is not None)


def _parse_clauses(text: str, path: Path, model: Aig) -> Invariant:
    latches = {word: model.latch_lit(position) for position, word in enumerate(model.latch_words())}
    latches |= {model.latch_name(position): model.latch_lit(position) for position in range(model.latches)}
    lines = enumerate(text.split("\n"), 1)
    cubes = [_cube(line.strip(), latches, Place(path, number)) for number, line in lines if _counts(line)]
    return Invariant(tuple(cubes), tuple(map(model.latch_name, range(model.latches))), model.first_latch)


def _counts(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#") and line.split()[0] != "true"


def _cube(clause: str, latches: dict[str, int], place: Place) -> LatchCube:
    if clause == "false":
        return ()
    return tuple(sorted(_literal(text.strip(), latches, place) ^ 1 for text in re.split(r" (?:∨|\|+) ", clause)))


def _literal(text: str, latches: dict[str, int], place: Place) -> int:
    bare = text.lstrip("¬!~").strip()
    name = bare if bare in latches else text
    if name not in latches:
        raise InputError(place, f"there is no latch '{bare[:40]}'", "write one clause per line, such as: ¬a ∨ b")
    return latches[name] ^ (text != name)

"""Meanings of predicates, as solvers write and read them: one ``define-fun`` per predicate.

``parse_model`` reads what z3, Golem, Eldarica or Lemmata answer to ``(get-model)``: an optional ``sat``, then definitions,
bare or in parentheses, with or without the word ``model``. Auxiliary functions may be defined in any order; they are written
out. A predicate that a model does not mention is false if nothing leads to it, and true otherwise. Quantifiers are refused.

``write_model`` calls predicates as the file does, so that validators find them. A name that is not printable, or no file could
have, is written with escapes (``logic.smtlib.writer.symbol``), and a comment says so; ``parse_model`` takes it for what it
stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from lemmata.frontends.smtlib.script import decoded
from lemmata.logic.build import build
from lemmata.logic.smtlib.sexprs import Listing, Sexpr, SexprAtom, SexprText, spelled
from lemmata.logic.smtlib.term_reader import TermReader
from lemmata.logic.smtlib.writer import symbol, to_text
from lemmata.logic.sorts import BOOL, Sort
from lemmata.logic.terms import FALSE, TRUE, Term, make, name_of
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Claim, GraphInvariant
from lemmata.models.graph import Graph, Location
from lemmata.values import dataclass

_ESCAPED = "; names that cannot be shown are written with % and two hexadecimal digits for each byte of UTF-8"
_REMEDY = "z3 does without if fp.xform.inline_eager and fp.xform.inline_linear are false"


def parse_model(data: bytes | str, file: str, graph: Graph) -> GraphInvariant:
    """What a model says of the predicates of ``graph``; whatever is wrong with it is an ``InputError``."""
    text = SexprText(decoded(data if isinstance(data, bytes) else data.encode(errors="surrogateescape"), file), file)
    return _Model(text, graph).invariant()


def write_model(graph: Graph, invariant: GraphInvariant) -> str:
    """The answer to ``(get-model)``: a definition of every predicate."""
    lemmas = {claim.location: claim.lemmas for claim in invariant.claims}
    substitutes = _substitutes(graph)
    lines = [
        f"  (define-fun {_quoted(substitutes.get(number, graph.locations[number].name))}"
        f" ({_parameters(graph.locations[number])}) Bool\n    {to_text(_meaning(lemmas.get(number, ())))})"
        for number in _predicates(graph)
    ]
    return "\n".join([*([_ESCAPED] if substitutes else []), "(", *lines, ")", ""])


def _predicates(graph: Graph) -> list[int]:
    errors = {question.location for question in graph.questions}
    return [number for number in range(len(graph.locations)) if number not in errors]


def _substitutes(graph: Graph) -> dict[int, str]:
    """Other names for predicates whose own cannot be shown; no predicate has them."""
    names = {number: graph.locations[number].name for number in _predicates(graph)}
    taken, found = set(names.values()), dict[int, str]()
    for number, name in names.items():
        if not _can_be_shown(name):
            escaped = symbol(name).strip("|")
            found[number] = next(new for n in count(1) if (new := escaped if n == 1 else f"{escaped}~{n}") not in taken)
            taken.add(found[number])
    return found


def _can_be_shown(name: str) -> bool:
    return name.isprintable() and "|" not in name and "\\" not in name


def _quoted(name: str) -> str:
    return spelled(f"|{name}|")


def _parameters(place: Location) -> str:
    return " ".join([f"({symbol(name_of(v))} {v.sort})" for v in place.variables])


def _meaning(lemmas: tuple[Term, ...]) -> Term:
    return make("and", lemmas) if lemmas else TRUE


@dataclass(frozen=True, slots=True)
class _Definition:
    """Where ``(define-fun name …)`` is, where it goes on after the name, and the words in it."""

    name: SexprAtom
    at: int
    after: int
    words: frozenset[str]


class _Model:
    """One model of one graph."""

    def __init__(self, text: SexprText, graph: Graph) -> None:
        self._text = text
        self._graph = graph
        self._reader = TermReader(text, build)
        self._errors = {question.location for question in graph.questions}
        self._places = {_quoted(graph.locations[number].name): number for number in _predicates(graph)}
        self._places |= {_quoted(name): number for number, name in _substitutes(graph).items()}

    def invariant(self) -> GraphInvariant:
        """Read to the end."""
        definitions: dict[str, _Definition] = {}
        for found in self._definitions():
            if found.name.text in definitions:
                raise self._text.error(found.name.at, f"'{found.name.text[:40]}' is defined twice")
            definitions[found.name.text] = found
        meanings: dict[int, Term] = {}
        for definition in self._ordered(definitions):
            self._read(definition, meanings)
        claims = [
            Claim(number, place, _split(meanings.get(number, self._default(number))))
            for number, place in enumerate(self._graph.locations)
            if number not in self._errors
        ]
        return GraphInvariant(tuple(claims))

    def _default(self, number: int) -> Term:
        return TRUE if any(edge.target == number for edge in self._graph.edges) else FALSE

    def _definitions(self) -> Iterator[_Definition]:
        tokens, opened = self._reader.tokens, []
        while (found := tokens.find()) is not None:
            word, at = found
            if word == "(":
                head, head_at = self._head(at)
                if head == "define-fun":
                    yield self._skip(at)
                elif head in ("(", "model", ")"):
                    opened.append(at)
                    tokens.seek(head_at if head != "model" else head_at + len(head))
                else:
                    remedy = "a model consists of (define-fun NAME (…) Bool FORMULA)"
                    raise self._text.unsupported(head_at, f"'{head[:40]}' is not supported in a model", remedy)
            elif word == ")" and opened:
                opened.pop()
            elif word != "sat":
                raise self._text.error(at, f"this is not a model: '{word[:40]}' is out of place")
        if opened:
            raise self._text.error(opened[-1], "this parenthesis is never closed")

    def _head(self, at: int) -> tuple[str, int]:
        self._reader.tokens.open_at = at
        return self._reader.tokens.take()

    def _skip(self, at: int) -> _Definition:
        """Go through a definition to its end."""
        tokens = self._reader.tokens
        name = tokens.node()
        self._reader.scope.checked(name)
        assert isinstance(name, SexprAtom)
        after, depth, words = tokens.ahead(), 1, set()
        parameters = tokens.node()
        while depth:
            word, word_at = tokens.take()
            if word in ("exists", "forall"):
                raise self._text.unsupported(word_at, f"'{word}' is not supported in a model", _REMEDY)
            depth += (word == "(") - (word == ")")
            words.add(spelled(word))
        own = [item.items[0] for item in _items(parameters) if isinstance(item, Listing) and item.items]
        return _Definition(name, at, after, frozenset(words - {item.text for item in own if isinstance(item, SexprAtom)}))

    def _ordered(self, definitions: dict[str, _Definition]) -> Iterator[_Definition]:
        """What a definition speaks of comes before it."""
        done: dict[str, bool] = {}  # False: begun
        for root in definitions:
            stack = [root]
            while stack:
                name = stack[-1]
                if done.get(name):
                    stack.pop()
                    continue
                needs = [n for n in definitions if n in definitions[name].words and not done.get(n)]
                if done.get(name) is False and needs:
                    raise self._text.unsupported(definitions[name].name.at, f"'{name[:40]}' is defined by itself")
                if needs:
                    done[name] = False
                    stack += needs
                    continue
                done[name] = True
                stack.pop()
                yield definitions[name]

    def _read(self, definition: _Definition, meanings: dict[int, Term]) -> None:
        reader, name = self._reader, definition.name
        reader.tokens.seek(definition.after)
        reader.tokens.open_at = definition.at
        reader.scope.check_new(name)
        parameters, body = reader.definition(name.name)
        if not reader.tokens.close():
            raise self._text.error(definition.at, "this definition has one part too many")
        if parameters:
            reader.scope.define_macro(name, parameters, body)
        else:
            reader.scope.define(name, body)
        number = self._places.get(name.text)
        if number is not None:
            variables = self._graph.locations[number].variables
            self._check(name, [v.sort for v in parameters] + [body.sort], [v.sort for v in variables] + [BOOL])
            meanings[number] = substitute([body], dict(zip(parameters, variables, strict=True)))[0]

    def _check(self, name: SexprAtom, has: list[Sort], wants: list[Sort]) -> None:
        if has != wants:
            shown = [f"({' '.join(map(str, sorts[:-1]))}) {sorts[-1]}" for sorts in (has, wants)]
            raise self._text.error(name.at, f"'{name.text[:40]}' is {shown[0]} here, but {shown[1]} in the clauses")


def _items(node: Sexpr) -> tuple[Sexpr, ...]:
    return node.items if isinstance(node, Listing) else ()


def _split(meaning: Term) -> tuple[Term, ...]:
    if meaning is TRUE:
        return ()
    return meaning.args if meaning.op == "and" else (meaning,)

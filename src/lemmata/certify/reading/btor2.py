"""BTOR2 read again: does the evidence also hold for the file as a deliberately naive second reader reads it?

``btor2_lines`` makes a dictionary of lines. A run is simulated on it (``btor2_run``); a proof is checked on its translation to
SMT-LIB, line by line, by a solver's own parser (``btor2_text``). What the first reader and this one have in common is the file.

Evidence speaks of the model's variables. They are matched by position: the model's list of states against the ``state`` lines,
its list of inputs against the ``input`` lines. Numbers, sorts and names must fit; a variable that goes by the symbol of another
line is a disagreement, one whose symbol was not unique may have another name.

With I, C and T as the lines say, an invariant must pass initiation ``I ∧ C ∧ ¬Inv``, consecution ``Inv ∧ C ∧ T ∧ ¬Inv′`` and
safety ``Inv ∧ C ∧ bad``; a k-inductive property base and step, as told in ``certify.circuit.kinduction``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from lemmata.certify.reading.btor2_lines import Btor2Lines, LineSort, read_btor2_lines
from lemmata.certify.reading.btor2_run import ArrayState, WordOrArray, run_btor2
from lemmata.certify.reading.btor2_text import SmtText, is_true, name, sort_text
from lemmata.certify.reading.solver_text import is_satisfiable
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.smtlib.writer import to_text
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.logic.walk import variables
from lemmata.models.derivation import Derivation, Fact, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.models.invariant import KInductive
from lemmata.models.system import System, system_of
from lemmata.models.words import Values, WordInvariant, WordTrace
from lemmata.verdict import Safe, Unsafe


def read_btor2_again(path: str, model: object, prop: int, verdict: Safe | Unsafe, until: float | None = None) -> str | None:
    """Who read the file again and agreed with the verdict on property ``prop``; ``None`` if nobody could say.

    ``CertificateError`` where the second reading disagrees.
    """
    if not isinstance(model, Graph) or model.origin.kind != "btor2" or (system := system_of(model)) is None:
        return None
    if not Path(path).is_file():
        return None
    return Btor2Reading(_lines(path, *_version(path)), model, system, prop).agrees(verdict, until)


def _version(path: str) -> tuple[int, int]:
    found = Path(path).stat()
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=1)
def _lines(path: str, _time: int, _size: int) -> Btor2Lines:
    """The lines; a file with many properties is read once."""
    return read_btor2_lines(path)


class Btor2Reading:
    """The file's lines beside the model that the evidence speaks of."""

    _reader = "second reader"

    def __init__(self, lines: Btor2Lines, model: Graph, system: System, prop: int) -> None:
        self._lines = lines
        self._system = system
        self._model = model
        self._prop = prop
        if len(model.questions) != len(lines.bads):
            raise CertificateError(f"the second reader has {len(lines.bads)} bad lines, the model {len(model.questions)}")
        self._nodes = _matched("states", model.origin.states, lines.states, lines)
        self._nodes |= _matched("inputs", model.origin.inputs, lines.inputs, lines)
        properties = [(q.name, symbol) for q, (_, symbol) in zip(model.questions, lines.bads, strict=True)]
        _check_names([pair for k, pair in enumerate(properties) if pair != (f"b{k}", "")], "property")  # b0, b1, … by default
        _check_names([(name_of(v), lines.nodes[node].symbol) for v, node in self._nodes.items()], "variable")

    def agrees(self, verdict: Safe | Unsafe, until: float | None) -> str | None:
        """Who agrees; ``None`` if nobody could say."""
        try:
            match verdict:
                case Unsafe(WordTrace() as trace):
                    return self.run(trace.initial, trace.inputs, until)
                case Unsafe(Derivation() as derivation):
                    return self.derivation(derivation, until)
                case Safe(WordInvariant() as invariant):
                    return self.invariant(invariant.lemmas, until)
                case Safe(GraphInvariant() as claims):
                    return self.invariant([lemma for claim in claims.claims for lemma in claim.lemmas], until)
                case Safe(KInductive() as evidence):
                    return self.kinductive(evidence, until)
        except GaveUp:
            return None
        return None

    # Runs.

    def run(self, initial: Values, inputs: Sequence[Values], until: float | None) -> str:
        """Simulate."""
        given: list[dict[int, WordOrArray]] = []
        before: dict[Term, Value] = {}
        for line in inputs:
            values = dict(line)
            given.append(self._words(values) | (self._free(before) if given else {}))
            before = values
        if not given:
            raise CertificateError("the trace has no step")
        run_btor2(self._lines, self._prop, self._words(dict(initial)), given, until)
        return f"{self._reader} (simulation)"

    def derivation(self, derivation: Derivation, until: float | None) -> str | None:
        """The same for a chain of facts: the first has the initial state, each later one the inputs of a step."""
        if any(fact.stretch is not None for fact in derivation.facts):
            return None
        chain = _chain(derivation.facts)
        first = self._model.locations[self._model.edges[chain[0].edge].target]
        initial = tuple(zip(first.variables, chain[0].values, strict=True))
        return self.run(initial, [fact.inputs for fact in chain[1:]], until)

    def _words(self, values: Mapping[Term, Value]) -> dict[int, WordOrArray]:
        return {node: _word(values[v], self._lines.sort(node)) for v, node in self._nodes.items() if v in values}

    def _free(self, before: Mapping[Term, Value]) -> dict[int, WordOrArray]:
        """States without ``next`` have any value in later steps: that of the input that the model gives them as next value."""
        found: dict[int, WordOrArray] = {}
        for v, node in self._nodes.items():
            if node in self._lines.states and node not in self._lines.nexts and v in self._system.nexts:
                after = self._system.nexts[v]
                if after not in before:
                    raise CertificateError(f"the second reader has no next value of {name_of(v)}, the model has one")
                found[node] = _word(before[after], self._lines.sort(node))
        return found

    # Proofs.

    def invariant(self, lemmas: Sequence[Term], until: float | None) -> str:
        """Three questions."""
        lines, bad, constraints = self._lines, self._lines.bads[self._prop][0], self._lines.constraints
        states = self._spoken(lemmas)
        by: list[str] = []
        if lemmas:
            text = SmtText(lines, until)
            text.initial(lines.cone([*states, *constraints], lines.inits))
            _hold(text, [*_held(constraints, 0), self._some_fails(lemmas, 0)])
            by.append(_refuted("initiation", text, until))

            text = SmtText(lines, until)
            after = [lines.nexts[state] for state in states if state in lines.nexts]
            text.step(lines.cone([*states, *constraints, *after]), 0, free=True)
            text.states(states, 1)
            _hold(text, [*self._said(lemmas, 0), *_held(constraints, 0), self._some_fails(lemmas, 1)])
            by.append(_refuted("consecution", text, until))
        text = SmtText(lines, until)
        text.step(lines.cone([*states, *constraints, bad]), 0, free=True)
        _hold(text, [*self._said(lemmas, 0), *_held([*constraints, bad], 0)])
        by.append(_refuted("safety", text, until))
        return self._signed(by)

    def kinductive(self, evidence: KInductive, until: float | None) -> str:
        """Base and step."""
        lines, bad, constraints = self._lines, self._lines.bads[self._prop][0], self._lines.constraints
        nodes = lines.cone([bad, *constraints], lines.nexts)
        states = [node for node in nodes if lines.nodes[node].tag == "state"]
        by: list[str] = []
        if evidence.k > 0:
            text = SmtText(lines, until)
            text.initial(lines.cone(nodes, lines.inits))
            for now in range(1, evidence.k):
                text.states(states, now)
                text.step(nodes, now, free=False)
            text.add(_any([_all([*_lasting(constraints, now), is_true(bad, now)]) for now in range(evidence.k)]))
            by.append(_refuted("base", text, until))
        text = SmtText(lines, until)
        text.step(nodes, 0, free=True)
        for now in range(1, evidence.k + 1):
            text.states(states, now)
            text.step(nodes, now, free=False)
        for now in range(evidence.k + 1):
            _hold(text, _held(constraints, now))
            text.add(is_true(bad, now) if now == evidence.k else f"(not {is_true(bad, now)})")
        if evidence.simple:
            for i, j in combinations(range(evidence.k + 1), 2):
                text.add(_any(self._differences(states, i, j)))
        by.append(_refuted("step", text, until))
        return self._signed(by)

    def _signed(self, by: Sequence[str]) -> str:
        return f"{self._reader} ({', '.join(dict.fromkeys(by))})"

    def _differences(self, states: Iterable[int], i: int, j: int) -> list[str]:
        """How the states of two steps may differ."""
        return [f"(distinct {name(state, i)} {name(state, j)})" for state in self._kept(states)]

    def _kept(self, states: Iterable[int]) -> list[int]:
        """The states that a run must not repeat; those with neither ``init`` nor ``next``, which no start reads, are inputs."""
        lines = self._lines
        read = set(lines.cone(lines.inits.values(), lines.inits))
        return [state for state in states if state in lines.nexts or state in lines.inits or state in read]

    def _spoken(self, lemmas: Sequence[Term]) -> list[int]:
        """The states that the lemmas speak of."""
        states = set(self._lines.states)
        found = [self._nodes.get(v, 0) for v in variables(lemmas)]
        if not states.issuperset(found):
            raise CertificateError("the invariant speaks of something that the second reader does not have as a state")
        return sorted(found)

    def _said(self, lemmas: Sequence[Term], now: int) -> list[str]:
        names = self._names(now)
        return [to_text(lemma, names) for lemma in lemmas]

    def _names(self, now: int) -> dict[tuple[str, Sort], str]:
        """How the text calls the model's variables at a time."""
        return {v.data: name(node, now) for v, node in self._nodes.items()}

    def _some_fails(self, lemmas: Sequence[Term], now: int) -> str:
        return _any([f"(not {lemma})" for lemma in self._said(lemmas, now)])


# Matching.


def _matched(what: str, variables: Sequence[Term], nodes: Sequence[int], lines: Btor2Lines) -> dict[Term, int]:
    """The model's variables beside the lines, by position."""
    if len(variables) != len(nodes):
        raise CertificateError(f"the second reader has {len(nodes)} {what}, the model {len(variables)}")
    for v, node in zip(variables, nodes, strict=True):
        if str(v.sort) != sort_text(lines.sort(node)):
            raise CertificateError(
                f"the second reader has another sort of {name_of(v)}: line {node} is {sort_text(lines.sort(node))}"
            )
    return dict(zip(variables, nodes, strict=True))


def _check_names(pairs: Iterable[tuple[str, str]], what: str) -> None:
    """No name is the symbol of another line, if no third one has it, too."""
    pairs = list(pairs)
    lines_with = Counter(symbol for _, symbol in pairs)
    for ours, symbol in pairs:
        if ours != symbol and lines_with[ours] == 1:
            raise CertificateError(f"the second reader knows the {what} {ours} as {symbol or 'one without symbol'}")


def _word(value: Value, sort: LineSort) -> WordOrArray:
    """A value of the trace."""
    if isinstance(value, ArrayValue) and isinstance(sort, tuple):
        cells = {_number(index, sort[0]): _number(cell, sort[1]) for index, cell in value.items}
        return ArrayState(_number(value.default, sort[1]), cells)
    if isinstance(sort, tuple):
        raise CertificateError("the trace does not fit the second reading: a word in place of an array")
    return _number(value, sort)


def _number(value: Value, width: int) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << width:
        raise CertificateError(f"the trace does not fit the second reading: {value!r} is no word of {width} bits")
    return int(value)


def _chain(facts: Sequence[Fact]) -> list[Fact]:
    """The facts that lead to the last one, from the first on."""
    chain = [facts[-1]]
    while chain[-1].premises:
        chain.append(facts[chain[-1].premises[0]])
    return chain[::-1]


# Questions.


def _held(nodes: Iterable[int], now: int) -> list[str]:
    return [is_true(node, now) for node in nodes]


def _lasting(nodes: Iterable[int], now: int) -> list[str]:
    return [formula for time in range(now + 1) for formula in _held(nodes, time)]


def _hold(text: SmtText, formulas: Iterable[str]) -> None:
    for formula in formulas:
        text.add(formula)


def _all(formulas: Sequence[str]) -> str:
    return f"(and {' '.join(formulas)})" if len(formulas) > 1 else formulas[0] if formulas else "true"


def _any(formulas: Sequence[str]) -> str:
    return f"(or {' '.join(formulas)})" if len(formulas) > 1 else formulas[0] if formulas else "false"


def _refuted(check: str, text: SmtText, until: float | None) -> str:
    """Who says that the text cannot be satisfied; ``CertificateError`` if it can."""
    found, by = is_satisfiable(text.script(), until)
    if found:
        raise CertificateError(f"{check} fails on the file as the second reader reads it")
    return by

"""Are these claims about the locations of a graph inductive, and do they rule out the error?

``Claim(ℓ) = ⋀ lemma`` at a location ℓ; the error of the property is claimed unreachable, that of another property may be
anything. Every edge must keep the claims, so for each edge with sources s₁ … sₙ, guard G and updates u one fresh query must be
unsatisfiable:

    Claim(s₁) ∧ … ∧ Claim(sₙ) ∧ G ∧ ¬Claim(target)[variables := u]

By induction on derivations whatever is derived satisfies its claim, and the error's claim is false. Initial edges have no
source, so initiation, consecution and safety are one and the same question; with several sources it is that of a nonlinear
Horn clause. Substitution simplifies nothing here: the solver sees what the file says. Numbers divided by zero are open to the
solver, so a proof holds whatever they are.

To open a solver costs more than most questions. So small ones are asked together, as their disjunction, which is unsatisfiable
if all of them are. Where it is not, or nobody says so soon, each is asked alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lemmata.budgets import CERTIFY_TOGETHER_NODES, CERTIFY_TOGETHER_S
from lemmata.certify.journal import Journal
from lemmata.certify.query import Panel
from lemmata.errors import CertificateError
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, Term, Value, make, name_of, topological
from lemmata.logic.text import infix, value_text
from lemmata.logic.walk import substitute, variables
from lemmata.models.derivation import GraphInvariant
from lemmata.models.graph import Edge, Graph, Source
from lemmata.proof_obligations import INSPECTION, ObligationKind, ProofObligation
from lemmata.solvers.smt import Sat
from lemmata.values import dataclass

NUMBER_SOLVERS = ("cvc5", "z3")
_SHOWN_VALUES = 12  # values in an error message

LemmasByLocation = Mapping[int, tuple[Term, ...]]  # by location


def check_claims(
    graph: Graph,
    prop: int | Sequence[int],
    invariant: GraphInvariant,
    solvers: Sequence[str] = NUMBER_SOLVERS,
    until: float | None = None,
    journal: Journal | None = None,
) -> str:
    """Who checked that ``invariant`` proves property ``prop``, or all of several; ``CertificateError`` if it does not.

    ``GaveUp`` if no solver gets through until ``until`` (on the work clock).
    """
    props = (prop,) if isinstance(prop, int) else prop
    errors: LemmasByLocation = {error_of(graph, one): (FALSE,) for one in props}
    return _ask_all(graph, {**fitting_lemmas(graph, invariant), **errors}, Panel(solvers, until, journal))


def check_inductive(graph: Graph, invariant: GraphInvariant, panel: Panel) -> None:
    """The same without a property: every claim is kept, and nothing is said about errors."""
    _ask_all(graph, fitting_lemmas(graph, invariant), panel)


def error_of(graph: Graph, prop: int) -> int:
    """The error location of a property that must exist."""
    if not 0 <= prop < len(graph.questions):
        raise CertificateError(f"{graph.file} has no property {prop}: it has {len(graph.questions)}")
    return graph.questions[prop].location


def fitting_lemmas(graph: Graph, invariant: GraphInvariant) -> dict[int, tuple[Term, ...]]:
    """The lemmas by location; ``CertificateError`` unless each location but the errors has one claim over its variables."""
    errors = {question.location for question in graph.questions}
    expected = [number for number in range(len(graph.locations)) if number not in errors]
    if sorted(claim.location for claim in invariant.claims) != expected:
        raise CertificateError("the invariant does not fit: it needs exactly one claim for each location that is no error")
    for claim in invariant.claims:
        location = graph.locations[claim.location]
        if claim.place is not location and claim.place != location:
            raise CertificateError(f"the invariant does not fit: location {claim.location} is not {claim.place.name}")
        if claim.lemmas:
            _require_formulas(location.name, location.variables, claim.lemmas)
    return {claim.location: tuple(dict.fromkeys(claim.lemmas)) if claim.lemmas else () for claim in invariant.claims}


def _require_formulas(place: str, known: Sequence[Term], lemmas: Sequence[Term]) -> None:
    for lemma in lemmas:
        if lemma.sort is not BOOL:
            raise CertificateError(f"the claim of {place} is a {lemma.sort}, not a formula")
    for v in variables(lemmas):
        if v not in known:
            raise CertificateError(f"the claim of {place} speaks of {name_of(v)}, which is not a variable there")


@dataclass(frozen=True, slots=True)
class _Question:
    """Can an edge be taken where ``known`` holds, and some claim of its target be false afterwards?"""

    edge: Edge
    obligation: ProofObligation
    known: tuple[Term, ...]
    claims: tuple[Term, ...]
    goals: tuple[Term, ...]  # the claims as they read before the edge

    @property
    def wrong(self) -> Term:
        """One of the goals is false."""
        return make("or", tuple([make("not", (goal,)) for goal in self.goals]))

    @property
    def formula(self) -> Term:
        """All of the question."""
        return make("and", (*self.known, self.wrong))


def _ask_all(graph: Graph, lemmas: LemmasByLocation, panel: Panel) -> str:
    for batch in _batches(_questions(graph, lemmas, panel)):
        if not _are_refuted_together(batch, panel):
            for question in batch:
                _ask(graph, question, panel)
    return ", ".join(panel.answered) or "inspection"


def _questions(graph: Graph, lemmas: LemmasByLocation, panel: Panel) -> Iterator[_Question]:
    """What every edge owes; goals that are assumptions need not be asked for."""
    for number, edge in enumerate(graph.edges):
        if not lemmas.get(edge.target):
            continue
        panel.look_at_the_clock()
        require_shape(graph, edge)
        obligation = _obligation(graph, number)
        known = dict.fromkeys([*before(graph, edge, lemmas), edge.guard])
        claims = lemmas[edge.target]
        asked = [(claim, goal) for claim, goal in zip(claims, after(graph, edge, claims), strict=True) if goal not in known]
        if asked:
            wrong, goals = zip(*asked, strict=True)
            yield _Question(edge, obligation, tuple(known), wrong, goals)
        elif panel.journal is not None:
            panel.journal.note(obligation, INSPECTION, 0.0)


def _batches(questions: Iterable[_Question]) -> Iterator[list[_Question]]:
    """Consecutive questions that are small together."""
    batch: list[_Question] = []
    nodes = 0
    for question in questions:
        size = len(topological([*question.known, *question.goals]))
        if batch and nodes + size > CERTIFY_TOGETHER_NODES:
            yield batch
            batch, nodes = [], 0
        batch.append(question)
        nodes += size
    if batch:
        yield batch


def _are_refuted_together(batch: Sequence[_Question], panel: Panel) -> bool:
    """Does a solver say soon that none of several questions has a model?"""
    if len(batch) < 2:
        return False
    formula = make("or", tuple([question.formula for question in batch]))
    return panel.discharge_soon([question.obligation for question in batch], formula, CERTIFY_TOGETHER_S)


def require_shape(graph: Graph, edge: Edge) -> None:
    """Raise ``CertificateError`` unless the edge is one: different names, to which guard and updates keep; fitting sorts."""
    names = [v for source in edge.sources for v in source.variables] + list(edge.inputs)
    ends = [(graph.locations[s.location].variables, s.variables) for s in edge.sources]
    ends.append((graph.locations[edge.target].variables, edge.updates))
    is_whole = all([v.sort for v in theirs] == [v.sort for v in ours] for theirs, ours in ends)
    if not is_whole or len(set(names)) != len(names) or not set(variables([edge.guard, *edge.updates])) <= set(names):
        raise CertificateError(f"{edge_text(edge)} is not well formed: its names clash, or do not fit its ends")


def _obligation(graph: Graph, number: int) -> ProofObligation:
    """What an edge owes: it starts runs, leads to the error, or keeps what is claimed."""
    edge = graph.edges[number]
    is_last = any(question.location == edge.target for question in graph.questions)
    kind: ObligationKind = "property" if is_last else "consecution" if edge.sources else "initiation"
    sources = tuple([graph.locations[source.location].name for source in edge.sources])
    return ProofObligation(kind, number, sources, graph.locations[edge.target].name, edge.line)


def _ask(graph: Graph, question: _Question, panel: Panel) -> None:
    """``Claim(s₁) ∧ … ∧ G ∧ ¬Claim(target)[u]`` is unsatisfiable."""
    edge = question.edge
    sources = [v for source in edge.sources for v in source.variables]
    wanted = list(dict.fromkeys([*sources, *edge.inputs, *edge.updates, *question.goals]))
    answer = panel.discharge(question.obligation, [*question.known, question.wrong], wanted)
    if isinstance(answer, Sat):
        raise CertificateError(_complaint(graph, edge, question.claims, question.goals, answer.values))


def before(graph: Graph, edge: Edge, lemmas: LemmasByLocation) -> list[Term]:
    """The claims of the edge's sources, in the names that the edge has for their variables."""
    return [formula for source in edge.sources for formula in renamed(graph, source, lemmas.get(source.location, ()))]


def renamed(graph: Graph, source: Source, claims: Sequence[Term]) -> list[Term]:
    """Formulas over the variables of a location in the names that an edge has for them."""
    names = dict(zip(graph.locations[source.location].variables, source.variables, strict=True))
    return substitute(claims, names, make)


def after(graph: Graph, edge: Edge, claims: Sequence[Term]) -> list[Term]:
    """Formulas over the target's variables as they are when the edge was taken."""
    return substitute(claims, dict(zip(graph.locations[edge.target].variables, edge.updates, strict=True)), make)


def _complaint(graph: Graph, edge: Edge, claims: Sequence[Term], goals: Sequence[Term], values: Mapping[Term, Value]) -> str:
    place = graph.locations[edge.target]
    facts = [fact_text(graph.locations[s.location].name, s.variables, [values[v] for v in s.variables]) for s in edge.sources]
    start = f"from {' and '.join(facts)}" if facts else "at the start"
    if edge.target in {question.location for question in graph.questions}:
        return f"{edge_text(edge)}: the claims allow to reach {place.name} {start}"
    reached = fact_text(place.name, place.variables, [values[update] for update in edge.updates])
    lemma = next((claim for claim, goal in zip(claims, goals, strict=True) if not values[goal]), claims[0])
    return f"{edge_text(edge)}: {start} it leads to {reached}, which violates the lemma {infix(lemma)}"


def edge_text(edge: Edge) -> str:
    """What an edge is called in messages."""
    return "an edge" if edge.line is None else f"the clause of line {edge.line}"


def fact_text(place: str, names: Sequence[Term], values: Sequence[Value]) -> str:
    """``inv(x = 1, y = 2)``."""
    shown = [f"{name_of(v)} = {value_text(value, v.sort)}" for v, value in zip(names, values, strict=True)]
    more = ["…"] * (len(shown) > _SHOWN_VALUES)
    return f"{place}({', '.join(shown[:_SHOWN_VALUES] + more)})" if shown else place

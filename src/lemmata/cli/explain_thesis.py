"""``lemmata explain --engine lifted --preset thesis``: the run of Werner's thesis, on the graph as it was read.

A graph whose edges have two sources (procedures) is simplified first, which may inline them; what is left of them the thesis
cannot do.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.cli.explain_words import conclude
from lemmata.config import ThesisOptions
from lemmata.engines.graph.shape import is_linear
from lemmata.engines.pdr.thesis.engine import Thesis
from lemmata.errors import GaveUp, UsageError
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.report.explain_thesis import ThesisExplainer
from lemmata.report.lines import Line, Tell, count
from lemmata.run.options import make_config
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import GraphBack, GraphChain, GraphReduction, simplify_graph
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict

ENGINES = {
    "textbook": ("pdr",),
    "strong": ("pdr", "lifted"),
    "word": ("word",),
    "lia-textbook": ("pdr",),
    "thesis": ("lifted", "pdr"),
}


def improvements(techniques: Sequence[str], preset: str) -> ThesisOptions:
    """What ``--technique`` adds to the thesis' algorithm; other runs are shown as they are."""
    if techniques and preset != "thesis":
        raise UsageError("explain shows improvements of --preset thesis only: --technique is not for other presets")
    pairs = [text.partition("=") for text in techniques]
    return make_config(preset="thesis", technique={name: value or "true" for name, _, value in pairs}).thesis


def explain_thesis(graph: Graph, prop: int, max_steps: int, until: float, tell: Tell, options: ThesisOptions) -> str:
    """Tell the run and the verdict; the verdict's word."""
    reduction, number = GraphReduction(graph, GraphChain()), prop
    if not is_linear(graph):
        reduction, number = simplify_graph(graph, prop), 0
        tell(Line("(some edges have two sources: the run is on the simplified graph)", "faint"))
    shown = reduction.graph
    explainer = ThesisExplainer(tell, max_steps)
    verdict = _settle(Thesis(shown, options=options, steps=explainer), number, until)
    if explainer.hidden:
        tell(Line())
        tell(Line(f"… and {count(explainer.hidden, 'more step', 'more steps')}, which --max-steps would show", "faint"))
    if verdict == Unknown("incomplete") and not is_linear(shown):
        tell(Line("(the thesis has no procedures: edges with two sources are for --preset strong)", "faint"))
    return conclude(graph, prop, _original(reduction.back, verdict), until, tell, preferred())


def _settle(engine: Thesis, prop: int, until: float) -> Verdict:
    try:
        return engine.check(prop, until)
    except GaveUp as gave_up:
        return Unknown(gave_up.reason)


def _original(back: GraphBack, verdict: Verdict) -> Verdict:
    match verdict:
        case Safe(GraphInvariant() as invariant):
            return Safe(back.invariant(invariant))
        case Unsafe(Derivation() as derivation):
            return Unsafe(back.derivation(derivation))
        case _:
            return verdict

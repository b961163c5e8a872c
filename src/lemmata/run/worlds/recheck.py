"""Evidence from elsewhere, certified on the model as it was read: of an earlier run (``run.reuse``), of another machine.

No engine of this process has found it, so there is no solver that the checkers have to avoid, and nobody waits for them.
"""

from __future__ import annotations

from contextlib import suppress

from lemmata.errors import CertificateError, GaveUp
from lemmata.models.aig import Aig
from lemmata.run.task import Model
from lemmata.verdict import Safe, Unsafe
from lemmata.work import FOREVER


def recheck(model: Model, prop: int, verdict: Safe | Unsafe) -> str:
    """Who checked the evidence; ``CertificateError`` if it does not hold, ``GaveUp`` if nobody could check it."""
    if isinstance(model, Aig):
        from lemmata.certify.circuit.check import certify

        return certify(model, prop, verdict, until=FOREVER)
    from lemmata.certify.graph.check import certify_graph, checkers
    from lemmata.run.worlds.classification import is_over_words

    return certify_graph(model, prop, verdict, checkers((), numbers=not is_over_words(model)), FOREVER)


def rechecked(model: Model, prop: int, verdict: Safe | Unsafe) -> str:
    """Who checked the evidence; ``""`` if it does not hold, or nobody could check it."""
    with suppress(CertificateError, GaveUp):
        return recheck(model, prop, verdict)
    return ""

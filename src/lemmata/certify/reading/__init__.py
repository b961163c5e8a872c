"""A second reader: does the evidence hold for the file as somebody else reads it?

Certification starts from what our front end read, so it cannot see a misreading. Here the file is read once more, by code that
imports nothing of ``frontends``: by another solver's parser where there is one, else by a plain reader written from the manual.
(Programs are the exception: they are executed, from the syntax tree of the front end; see ``programs``.) The evidence of a
verdict that is certified already is then checked against that reading.

Three outcomes: somebody else agrees (who); nobody else has an opinion (``None``: there is no reader for this kind of file or
of evidence, it cannot read the file, or it gave up); or the readings contradict each other, which is a bug of ours and
never a verdict (``CertificateError``). Readers are loaded when they are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.errors import CertificateError, GaveUp
from lemmata.models.aig import Aig
from lemmata.verdict import Safe, Unsafe

if TYPE_CHECKING:
    from lemmata.models.graph import Graph


def read_again(path: str, model: Aig | Graph, prop: int, verdict: Safe | Unsafe, until: float | None) -> str | None:
    """Who read ``path`` again and found that the evidence holds there; ``None`` if there is no second opinion.

    ``CertificateError`` where the second reading contradicts the evidence. Past ``until`` (on the work clock) there is no
    opinion: what is certified stays certified.
    """
    try:
        return _ask(path, model, prop, verdict, until)
    except CertificateError as error:
        raise CertificateError(f"a second reading of {path} disagrees: {error}") from error
    except (GaveUp, OSError, RecursionError):
        return None


def _ask(path: str, model: Aig | Graph, prop: int, verdict: Safe | Unsafe, until: float | None) -> str | None:
    match "aiger" if isinstance(model, Aig) else model.origin.kind:
        case "horn" if not isinstance(model, Aig):
            from lemmata.certify.reading.clauses import read_clauses_again

            return read_clauses_again(path, model, verdict, until)
        case "vmt" if not isinstance(model, Aig):
            from lemmata.certify.reading.vmt import read_vmt_again

            return read_vmt_again(path, model, prop, verdict, until)
        case "aiger":
            from lemmata.certify.reading import aiger

            return aiger.read_aiger_again(path, model, prop, verdict, until)
        case "verilog" if not isinstance(model, Aig):
            from lemmata.certify.reading.design import read_design_again

            return read_design_again(model, prop, verdict, until)
        case "btor2":
            from lemmata.certify.reading import btor2

            return btor2.read_btor2_again(path, model, prop, verdict, until)
    return None

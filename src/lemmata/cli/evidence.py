"""Evidence from files, for either kind of model: a proof and its check, a witness and its replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from lemmata.cli.proofs import parse_graph_proof, parse_proof, parse_word_proof
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.models.trace import Trace
from lemmata.models.words import WordTrace
from lemmata.run.worlds.classification import is_system_of_words
from lemmata.verdict import Safe

AnyTrace = Trace | WordTrace | Derivation


def check_proof(model: Aig | Graph, prop: int, path: Path, until: float | None) -> Safe | None:
    """Raise ``CertificateError`` unless the file proves property ``prop``; the proof, but of a circuit.

    A circuit is a proof on its own terms: it need not speak of the model's latches alone.
    """
    if isinstance(model, Graph):
        from lemmata.certify.graph.check import certify_graph, checkers

        if is_system_of_words(model):
            verdict = Safe(parse_word_proof(path, model))
            certify_graph(model, prop, verdict, until=until)
        else:
            verdict = Safe(parse_graph_proof(path, model))
            certify_graph(model, prop, verdict, checkers((), numbers=True), until)
        return verdict
    from lemmata.certify.circuit.check import certify, check_certificate

    if path.suffix.lower() in (".aag", ".aig"):
        certificate = load(path)
        assert isinstance(certificate, Aig)
        check_certificate(model, prop, certificate, until=until)
        return None
    verdict = Safe(parse_proof(path, model))
    certify(model, prop, verdict, until=until)
    return verdict


def traces(model: Aig | Graph, text: str, path: Path) -> Iterator[tuple[AnyTrace, Callable[[], None]]]:
    """The traces in a file of witnesses, each with its replay, which raises ``CertificateError``."""
    if isinstance(model, Graph) and not is_system_of_words(model):
        from lemmata.certify.formats.derivation import parse_derivations
        from lemmata.certify.graph.derivation import replay_derivation

        for found in parse_derivations(text, model, str(path)):
            yield found, lambda found=found: replay_derivation(model, found)  # type: ignore[misc]
        return
    if isinstance(model, Graph):
        from lemmata.certify.formats.btor2_witness import parse_btor2_witness
        from lemmata.certify.words.replay import replay_words

        for part in _each(text, comment=";"):
            words = parse_btor2_witness(part, model, str(path))
            yield words, lambda words=words: replay_words(model, words)  # type: ignore[misc]
        return
    from lemmata.certify.circuit.check import parse_witness, replay

    for part in _each(text, comment="c"):
        bits = parse_witness(part, model, path)
        yield bits, lambda bits=bits: replay(model, bits)  # type: ignore[misc]


def _each(text: str, comment: str) -> Iterator[str]:
    """The witnesses in a file; what comes before one is commented out, so that line numbers stay true."""
    lines = text.split("\n")
    ends = [number for number, line in enumerate(lines, 1) if line == "."]
    start = 0
    for end in ends or [len(lines)]:
        yield "\n".join([comment] * start + lines[start:end])
        start = end

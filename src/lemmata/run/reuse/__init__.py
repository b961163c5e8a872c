"""Yesterday's proof: what was proved of a model before helps with the model as it is now (``--reuse DIR``).

A verdict leaves its evidence in a store. Next time, as the model is read again, perhaps changed a little:

1. evidence that speaks of today's model as it is, is checked like that of any engine, and if it holds that is the answer;
2. else the largest part of the old lemmas that is inductive today holds for ever. It becomes a constraint
   (``transforms.circuit.strengthen``, ``transforms.graph.strengthen``), and all engines start from there; what they prove is
   brought back and certified on the file as it was read.

Nothing is trusted: a store may be old, foreign, damaged or hostile. Ivrii, Gurfinkel and Belov (2014) and Chockler, Ivrii,
Matsliah, Moran and Nevo (2011) reuse invariants of changed designs in the same spirit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lemmata.errors import UsageError
from lemmata.models.aig import Aig, Property
from lemmata.models.invariant import Invariant, KInductive
from lemmata.run.reuse.store import Key, ProofStore
from lemmata.run.task import Model
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unsafe

if TYPE_CHECKING:
    from lemmata.models.graph import GraphProperty
    from lemmata.run.reuse.graph import OldLemmas
    from lemmata.transforms.circuit import CircuitReduction
    from lemmata.transforms.graph import GraphReduction


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a store knows of a property: evidence that may hold as it is, and lemmas that may hold."""

    verdict: Safe | Unsafe | None = None
    lemmas: object = None  # cubes of a circuit, candidates of a graph


class Reuse:
    """The properties of a run, and what a store knows of them; ``notes`` tell what was of no use."""

    def __init__(self, folder: str, model: Model, properties: Sequence[Property | GraphProperty], fingerprint: int) -> None:
        self._store = ProofStore(Path(folder))
        self._model = model
        self._keys = [Key.of(model.file, p.name, fingerprint) for p in properties]
        self._recalled: list[list[Recalled]] = []
        self.notes: list[str] = []
        for prop, key in zip(properties, self._keys, strict=True):
            self._recalled.append([found for path in self._store.find(key) if (found := self._read(path, prop.index))])

    def _read(self, path: Path, prop: int) -> Recalled | None:
        try:
            return recalled(self._model, prop, self._store.read(path))
        except ValueError as error:
            self.notes.append(f"{path}: not used: {error}")
        except (KeyError, TypeError, IndexError, AttributeError, OverflowError):
            self.notes.append(f"{path}: not used: it is damaged")
        return None

    def verdicts(self, position: int) -> list[Safe | Unsafe]:
        """Evidence about a property that may hold as it is."""
        return [found.verdict for found in self._recalled[position] if found.verdict is not None]

    def strengthened(self, positions: Sequence[int]) -> CircuitReduction | GraphReduction | None:
        """The model with all lemmas about these properties that are inductive; ``None`` if there are none."""
        lemmas = [found.lemmas for position in positions for found in self._recalled[position] if found.lemmas]
        if not lemmas:
            return None
        if isinstance(self._model, Aig):
            from lemmata.run.reuse.circuit import inductive_cubes
            from lemmata.transforms.circuit.strengthen import strengthen_circuit

            cubes = inductive_cubes(self._model, [cube for found in lemmas for cube in found])  # type: ignore[attr-defined]
            return strengthen_circuit(self._model, cubes) if cubes else None
        from lemmata.run.reuse.graph import inductive_lemmas
        from lemmata.run.worlds.classification import is_over_words
        from lemmata.solvers.smt import preferred
        from lemmata.transforms.graph.strengthen import strengthen_graph

        candidates: OldLemmas = {}
        for found in lemmas:
            for number, some in found.items():  # type: ignore[attr-defined]
                candidates[number] = list(dict.fromkeys([*candidates.get(number, ()), *some]))
        solver = "bitwuzla" if is_over_words(self._model) else preferred()
        facts = inductive_lemmas(self._model, candidates, solver)
        return strengthen_graph(self._model, {n: tuple(some) for n, some in facts.items()}) if facts else None

    def keep(self, position: int, verdict: Safe | Unsafe) -> str:
        """Keep the evidence of a verdict; what went wrong, if anything did."""
        entry = remembered(self._model, verdict)
        if entry is None:
            return ""
        try:
            self._store.keep(self._keys[position], {"file": Path(self._model.file).name} | entry)
        except UsageError as error:
            return f"nothing was kept for --reuse: {error}"
        return ""


def remembered(model: Model, verdict: Safe | Unsafe) -> dict[str, Any] | None:
    """Evidence as JSON; ``None`` where it is of no use later."""
    if isinstance(verdict, Safe) and isinstance(verdict.invariant, KInductive):
        return {"kinductive": verdict.invariant.k, "simple": verdict.invariant.simple}
    if isinstance(model, Aig):
        from lemmata.run.reuse.circuit import remembered_circuit

        return remembered_circuit(model, verdict)
    from lemmata.run.reuse.graph import remembered_graph

    return remembered_graph(model, verdict)


def recalled(model: Model, prop: int, entry: dict[str, Any]) -> Recalled:
    """What an entry says about the model as it is now; whatever is wrong with it is a ``ValueError`` or one of its kin."""
    if "kinductive" in entry:
        return Recalled(Safe(KInductive(min(int(entry["kinductive"]), 1000), bool(entry["simple"]))))
    if isinstance(model, Aig):
        from lemmata.run.evidence.circuit import named
        from lemmata.run.reuse.circuit import recalled_cubes, recalled_run

        if "inputs" in entry:
            trace = recalled_run(model, prop, entry)
            return Recalled(None if trace is None else Unsafe(trace))
        cubes, is_whole = recalled_cubes(model, entry)
        return Recalled(named(model, Safe(Invariant(tuple(cubes)))) if is_whole else None, cubes)
    return _recalled_of_graph(model, prop, entry)


def _recalled_of_graph(model: Any, prop: int, entry: dict[str, Any]) -> Recalled:
    from lemmata.models.derivation import GraphKInductive
    from lemmata.models.words import WordInvariant
    from lemmata.run.reuse.graph import recalled_derivation, recalled_lemmas, recalled_word_run
    from lemmata.run.worlds.classification import is_system_of_words
    from lemmata.transforms.graph.back import claimed

    if "run" in entry:
        trace = recalled_word_run(model, prop, entry)
        return Recalled(None if trace is None else Unsafe(trace))
    if "derivation" in entry:
        derivation = recalled_derivation(model, entry)
        return Recalled(None if derivation is None else Unsafe(derivation))
    lemmas, is_whole = recalled_lemmas(model, entry)
    if not is_whole:
        return Recalled(None, lemmas)
    if is_system_of_words(model):
        return Recalled(Safe(WordInvariant(tuple(lemma for some in lemmas.values() for lemma in some))), lemmas)
    invariant = claimed(model, {number: tuple(some) for number, some in lemmas.items()})
    return Recalled(Safe(GraphKInductive(int(entry["k"]), invariant) if "k" in entry else invariant), lemmas)


def without_strengthening(reduction: Any, verdict: Safe | Unsafe) -> Safe | Unsafe:
    """A verdict about a strengthened model as one about the model as it was read. (Runs are the same.)"""
    if isinstance(verdict, Unsafe):
        return verdict
    if isinstance(verdict.invariant, Invariant):
        return Safe(reduction.back.invariant(verdict.invariant))
    from lemmata.models.derivation import GraphInvariant, GraphKInductive
    from lemmata.models.words import WordInvariant
    from lemmata.transforms.graph.back import claimed

    match verdict.invariant:
        case GraphInvariant() as invariant:
            return Safe(reduction.back.invariant(invariant))
        case GraphKInductive(k, invariant):
            return Safe(GraphKInductive(k, reduction.back.invariant(invariant)))
        case WordInvariant(lemmas) as found:
            (number,) = {claim.location for claim in claimed(reduction.model, {}).claims}
            (claim,) = reduction.back.invariant(claimed(reduction.model, {number: lemmas})).claims
            return Safe(replace(found, lemmas=claim.lemmas))
    return verdict

"""Every technique, switched alone: right and certified verdicts on random circuits and on the small examples.

The variants come from ``PdrOptions`` itself, so a new field or a new value is tested from its first day.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.solvers.native import NATIVE, PURE, preferred_backend
from lemmata.solvers.sat import SAT_BACKENDS
from lemmata.transforms.circuit import CircuitReduction
from lemmata.transforms.circuit.reduce import reduce
from tests.support.clock import in_time
from tests.support.enumerate import shortest_depths
from tests.support.evidence import DEMANDING, original
from tests.support.paths import ROOT
from tests.support.random_circuits import random_circuit

EXAMPLES = ROOT / "examples"
SMALL = 9  # latches
NUMBERS: dict[str, tuple[object, ...]] = {
    "renew": (0, 1, 7),
    "backend": SAT_BACKENDS,
}  # fields whose type does not list its values


def values(field: str, kind: Any) -> tuple[Any, ...]:
    """The values of one field that are worth a try."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return (False, True) if kind is bool else NUMBERS[field]


def variants(default: PdrOptions) -> dict[str, PdrOptions]:
    """The default, and the default with one field changed."""
    kinds = get_type_hints(PdrOptions)
    found = {"default": default}
    for field in fields(PdrOptions):
        for value in values(field.name, kinds[field.name]):
            if value != getattr(default, field.name):
                found[f"{field.name}={value}"] = replace(default, **{field.name: value})
    plain: dict[str, Any] = {
        "relative": False,
        "generalize": "none",
        "lift": "none",
        "requeue": False,
        "infinity": False,
        "eliminate": False,
    }
    found["everything off"] = replace(default, **plain)
    return found


VARIANTS = variants(PdrOptions()) | {f"{PURE}, {name}": options for name, options in variants(PdrOptions(backend=PURE)).items()}


@dataclass(frozen=True, slots=True)
class Case:
    """A circuit, what it was reduced to, and the true answer to each of its properties."""

    model: Aig
    reduction: CircuitReduction
    words: tuple[str, ...]


def case(model: Aig, words: Iterable[str]) -> Case:
    return Case(model, reduce(model, range(len(model.properties()))), tuple(words))


@cache
def circuits() -> list[Case]:
    """150 random circuits."""
    models = map(random_circuit, (*DEMANDING, *range(40)))
    return [case(model, ("safe" if depth is None else "unsafe" for depth in shortest_depths(model))) for model in models]


@cache
def examples() -> list[Case]:
    """The small examples."""
    models = [load(path) for path in sorted(EXAMPLES.glob("*.a[ai]g"))]
    small = [model for model in models if model.latches <= SMALL]
    return [case(model, (_expected(model, prop.name) for prop in model.properties())) for model in small]


def _expected(model: Aig, name: str) -> str:
    said = dict(line.split(": ", 1) for line in model.comments if line.startswith("expected"))
    return said.get(f"expected {name}", said["expected"])


def assert_right(case: Case, options: PdrOptions, reduced: bool = True) -> None:
    """One engine settles all properties; its verdicts are the true ones and certify believes them."""
    engine = Pdr(case.reduction.model if reduced else case.model, options=options)
    for prop, word in enumerate(case.words):
        verdict = engine.check(prop, in_time())
        if reduced:
            verdict = original(verdict, case.reduction.back)
        certify(case.model, prop, verdict)
        assert verdict.word == word, (case.model.file, prop)


def test_the_corpus_is_worth_the_name() -> None:
    for cases in (circuits(), examples()):
        words = [word for case in cases for word in case.words]
        assert min(words.count("safe"), words.count("unsafe")) >= 5
    assert len(circuits()) == 150 and len(examples()) >= 10


@pytest.mark.parametrize("name", VARIANTS)
def test_every_technique_is_right_on_random_circuits(name: str) -> None:
    for case in circuits():
        assert_right(case, VARIANTS[name])


@pytest.mark.parametrize("name", VARIANTS)
def test_every_technique_is_right_on_circuits_as_they_are(name: str) -> None:
    for case in circuits()[::5]:
        assert_right(case, VARIANTS[name], reduced=False)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_technique_is_right_on_the_small_examples(name: str) -> None:
    for case in examples():
        assert_right(case, VARIANTS[name])


@cache
def fingerprint(name: str) -> list[object]:
    """What a variant does on three examples: how much it asks, and what it learns."""
    found: list[object] = []
    for file in ("cache-msi.aag", "refresh-in-time.aag", "traffic-light.aag"):
        engine = Pdr(load(EXAMPLES / file), options=VARIANTS[name])
        engine.check(0, in_time())
        found.append((engine.oracle.queries, [(lemma.cube, lemma.level) for lemma in engine.frames.from_level(1)]))
    return found


@pytest.mark.parametrize("name", [name for name in VARIANTS if not name.endswith(("default", "renew=0"))])  # too short to renew
def test_every_option_makes_a_difference(name: str) -> None:
    default = f"{PURE}, default" if name.startswith(f"{PURE}, ") else "default"
    if default == "default" and name.startswith("renew=") and preferred_backend() == NATIVE:
        pytest.skip("the native core renews nothing")
    assert fingerprint(name) != fingerprint(default)


def test_cheaper_generalization_learns_longer_lemmas() -> None:
    model = load(EXAMPLES / "refresh-in-time.aag")
    lengths = {}
    for how in ("none", "core", "drop"):
        engine = Pdr(model, options=replace(PdrOptions(lift="none"), generalize=how))
        assert engine.check(0).word == "safe"
        lemmas = engine.frames.from_level(1)
        lengths[how] = sum(len(lemma.cube) for lemma in lemmas) / len(lemmas)
    assert lengths["none"] > lengths["core"] >= lengths["drop"]

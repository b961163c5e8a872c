"""Every technique, switched alone: right and certified verdicts on random circuits and on the small examples.

The variants come from ``PdrOptions`` itself, so a new field or a new value is tested from its first day.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from lemmata.certify import certify
from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.solvers.sat import BACKENDS
from tests.enumerate import shortest_depths
from tests.evidence import DEMANDING, settle
from tests.random_circuits import random_circuit

EXAMPLES = Path(__file__).parent.parent / "examples"
SMALL = 9  # latches
NUMBERS: dict[str, tuple[object, ...]] = {"renew": (0, 1, 7), "backend": BACKENDS}  # fields whose type does not list its values


def values(field: str, kind: Any) -> tuple[Any, ...]:
    """The values of one field that are worth a try."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return (False, True) if kind is bool else NUMBERS[field]


def variants() -> dict[str, PdrOptions]:
    """The default, and the default with one field changed."""
    default, kinds = PdrOptions(), get_type_hints(PdrOptions)
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


VARIANTS = variants()


@cache
def circuits() -> list[tuple[Aig, list[int | None]]]:
    """150 random circuits with their depths."""
    return [(model, shortest_depths(model)) for model in map(random_circuit, (*DEMANDING, *range(40)))]


@cache
def examples() -> list[tuple[Aig, list[str]]]:
    """The small examples with the expected verdict of each property."""
    models = [load(path) for path in sorted(EXAMPLES.glob("*.a[ai]g"))]
    small = [model for model in models if model.latches <= SMALL]
    return [(model, [_expected(model, prop.name) for prop in model.properties()]) for model in small]


def _expected(model: Aig, name: str) -> str:
    said = dict(line.split(": ", 1) for line in model.comments if line.startswith("expected"))
    return said.get(f"expected {name}", said["expected"])


def test_the_corpus_is_worth_the_name() -> None:
    depths = [depth for _, depths in circuits() for depth in depths]
    assert depths.count(None) > 80 and sum(depth is not None and depth > 3 for depth in depths) > 40
    assert len(examples()) >= 10 and {"safe", "unsafe"} == {word for _, words in examples() for word in words}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_technique_is_right_on_random_circuits(name: str) -> None:
    for model, depths in circuits():
        for prop, verdict in settle(model, VARIANTS[name]):
            certify(model, prop, verdict)
            assert verdict.word == ("safe" if depths[prop] is None else "unsafe"), (model.file, prop)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_technique_is_right_on_circuits_as_they_are(name: str) -> None:
    for model, depths in circuits()[::5]:
        engine = Pdr(model, options=VARIANTS[name])
        for prop, depth in enumerate(depths):
            verdict = engine.check(prop, monotonic() + 10)
            certify(model, prop, verdict)
            assert verdict.word == ("safe" if depth is None else "unsafe"), (model.file, prop)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_technique_is_right_on_the_small_examples(name: str) -> None:
    for model, words in examples():
        for prop, verdict in settle(model, VARIANTS[name]):
            certify(model, prop, verdict)
            assert verdict.word == words[prop], (model.file, prop)

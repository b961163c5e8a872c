"""From what a user writes to a ``Config``: every value is checked, and a wrong one is answered with the right ones."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from lemmata.config import (
    Config,
    COptions,
    DesignOptions,
    DialectName,
    LiftedOptions,
    PdrOptions,
    PresetName,
    ThesisOptions,
    TraceOptions,
    WordOptions,
)
from lemmata.engines.names import LIA_TEXTBOOK, PDR, TEXTBOOK, THESIS
from lemmata.engines.registry import AUTO, CHOICES, ENGINES, STAND_IN
from lemmata.errors import UsageError

if TYPE_CHECKING:
    from lemmata.run.options.portfolio import Teams


def _names(kind: type) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


PRESETS: tuple[PresetName, ...] = get_args(PresetName)
DIALECTS: tuple[DialectName, ...] = get_args(DialectName)
_KINDS = (PdrOptions, WordOptions, LiftedOptions, ThesisOptions, TraceOptions)
_WORD, _LIFTED, _THESIS, _TRACES = map(_names, _KINDS[1:])
_OWN: Mapping[str, Mapping[type, frozenset[str]]] = {  # by engine: whose techniques it has, and which
    AUTO: {kind: _names(kind) for record in ENGINES.values() for kind in record.options},
    **{name: {kind: _names(kind) for kind in record.options} for name, record in ENGINES.items() if record.options},
    "preset thesis": {LiftedOptions: frozenset({"solver"}), ThesisOptions: _THESIS},
    "preset thesis, traces": {LiftedOptions: frozenset({"solver"}), ThesisOptions: _THESIS, TraceOptions: _TRACES},
}
_LARGEST_NUMBER = 2_000_000_000  # of anything: seeds of SAT solvers end here
_Word = TypeVar("_Word", bound=str)
_Options = TypeVar("_Options", PdrOptions, WordOptions, LiftedOptions, ThesisOptions, TraceOptions)
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def make_config(
    *,
    engine: str = AUTO,
    prop: str | int = "all",
    timeout: float | None = None,
    memory: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    preprocess: bool = True,
    preset: str = "strong",
    technique: Mapping[str, object] | None = None,
    unit: str | None = None,
    entry: str | None = None,
    dialect: str | None = None,
    checker: str | None = None,
    second_reader: bool = True,
    design: DesignOptions | None = None,
    c: COptions | None = None,
    depth: int | None = None,
    reuse: str | None = None,
    portfolio: str | None = None,
) -> Config:
    """The configuration of a call; ``workers`` is by default two, where there are two processors."""
    technique = dict(technique or {}) | {name: value for name, value in (("unit", unit), ("checker", checker)) if value}
    engine = _one_of("engine", engine, CHOICES)
    owner = engine
    if preset == THESIS:
        engine, owner = _thesis(engine, technique)
    _check_techniques(owner, technique)
    if preset in (TEXTBOOK, LIA_TEXTBOOK):
        if technique or engine not in (AUTO, STAND_IN[preset]):
            raise UsageError(f"preset {preset} is PDR without techniques: choose neither techniques nor another engine with it")
        engine = STAND_IN[preset]
    kinds = _OWN.get(engine, {})
    teams = _portfolio(engine, portfolio)
    return Config(
        engine=engine,
        property=str(prop),
        entry=entry,
        dialect=None if dialect is None else _one_of("dialect", dialect, DIALECTS),
        timeout=None if timeout is None else seconds(timeout),
        memory_mb=None if memory is None else megabytes(memory),
        seed=_between("seed", seed, 0),
        workers=_workers(teams) if workers is None else _between("workers", workers, 1),
        portfolio=teams,
        preprocess=preprocess,
        preset=_one_of("preset", preset, PRESETS),
        pdr=_techniques(PdrOptions(), technique),
        word=_techniques(WordOptions(), technique) if _WORD & technique.keys() and WordOptions in kinds else None,
        lifted=_techniques(LiftedOptions(), technique) if _LIFTED & technique.keys() and LiftedOptions in kinds else None,
        thesis=_techniques(ThesisOptions(), technique),
        traces=_techniques(TraceOptions(), technique) if TraceOptions in kinds else TraceOptions(),
        second_reader=second_reader,
        design=design or DesignOptions(),
        c=c or COptions(),
        depth=None if depth is None else _between("depth", depth, 1),
        reuse=reuse,
    )


def _portfolio(engine: str, path: str | None) -> Teams:
    if path is None:
        return {}
    if engine != AUTO:
        raise UsageError(f"a portfolio is for engine {AUTO}: engine {engine} works alone")
    from lemmata.run.options.portfolio import read_portfolio

    return read_portfolio(path)


def _workers(teams: Teams) -> int:
    """As many as one's own portfolio has; else two, where there are two processors."""
    return max(map(len, teams.values())) if teams else min(2, processors())


def _thesis(engine: str, technique: Mapping[str, object]) -> tuple[str, str]:
    """The engine that the preset is one of, and who owns its techniques: it can also check the traces of trace abstraction."""
    if engine == AUTO or THESIS in ENGINES[engine].presets:
        return STAND_IN[THESIS], "preset thesis"
    if TraceOptions not in ENGINES[engine].options:
        raise UsageError(f"preset thesis is PDR on graphs: engine {engine} has no such preset")
    if str(technique.get("checker")).lower() != PDR:
        raise UsageError(f"preset thesis is PDR on graphs: with engine {engine} it belongs to --checker pdr")
    return engine, "preset thesis, traces"


def _check_techniques(engine: str, chosen: Mapping[str, object]) -> None:
    """A technique must exist, have such a value, and belong to an engine that works."""
    for name, value in chosen.items():
        _one_of("technique", name, tuple(technique_choices()))
        if engine not in _OWN:
            raise UsageError(f"techniques are PDR's: engine {engine} has none to choose")
        if not (kinds := _kinds(name, engine)):
            owners = " and ".join(other for other in ENGINES if other in _OWN and _kinds(name, other))
            owner = f"engine {owners}" if owners else "preset thesis"
            raise UsageError(f"{name} is a technique of {owner}, not of {engine}")
        if not any(_means(name, value, kind) for kind in kinds):
            choices = dict.fromkeys(choice for kind in kinds for choice in _choices(name, kind))
            raise UsageError(f"technique {name} is one of {', '.join(choices)}, not '{value}'")


def _kinds(name: str, engine: str) -> list[object]:
    """The types that a technique has; one name may stand for techniques of several engines."""
    return [get_type_hints(owner)[name] for owner, names in _OWN[engine].items() if name in names]


def _techniques(options: _Options, chosen: Mapping[str, object]) -> _Options:
    """``options`` with those of the chosen techniques that are its own and have a value for it."""
    kinds = get_type_hints(type(options))
    own = {name: value for name, value in chosen.items() if name in kinds and _means(name, value, kinds[name])}
    return replace(options, **{name: _technique(value, kinds[name]) for name, value in own.items()})


def technique_choices() -> dict[str, tuple[str, ...]]:
    """Every technique with the values that it takes; numbers are shown by a word."""
    found: dict[str, dict[str, None]] = {}
    for kind in _KINDS:
        for name, hint in get_type_hints(kind).items():
            found.setdefault(name, {}).update(dict.fromkeys(_choices(name, hint)))
    return {name: tuple(choices) for name, choices in found.items()}


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _means(name: str, value: object, kind: object) -> bool:
    """Is this a value of that technique?"""
    word = str(value).lower()
    if kind is bool:
        return word in _WORDS
    if kind is int:
        return word.isascii() and word.isdigit() and len(word) < len(str(_LARGEST_NUMBER))
    return word in _choices(name, kind)


def _technique(value: object, kind: object) -> Any:
    word = str(value).lower()
    return _WORDS[word] if kind is bool else int(word) if kind is int else word


def _choices(name: str, kind: object) -> tuple[str, ...]:
    if name == "backend":
        from lemmata.solvers.native import NATIVE, native_core
        from lemmata.solvers.sat import SAT_BACKENDS  # with the library behind them: few ask

        return ("auto", *((NATIVE,) if native_core() is not None else ()), *SAT_BACKENDS)
    return ("true", "false") if kind is bool else ("0", "1", "2", "…") if kind is int else get_args(kind)


def _one_of(what: str, value: str, choices: tuple[_Word, ...]) -> _Word:
    for choice in choices:
        if choice == value:
            return choice
    raise UsageError(f"there is no {what} '{value}': choose one of {', '.join(choices)}")


def seconds(timeout: float) -> float:
    """A time limit that makes sense."""
    if not (math.isfinite(timeout) and timeout > 0):
        raise UsageError(f"a timeout of {timeout:g} seconds makes no sense: give a number above 0")
    return timeout


def megabytes(memory: int) -> int:
    """A memory limit that makes sense."""
    return _between("memory", memory, 1)


def _between(what: str, value: int, least: int) -> int:
    if value < least:
        raise UsageError(f"{what} {value} makes no sense: give a number from {least} on")
    if value > _LARGEST_NUMBER:
        raise UsageError(f"{what} {value} makes no sense: the largest number is {_LARGEST_NUMBER}")
    return value

"""One's own portfolio: which engines the workers of *auto* have, as a TOML file (``--portfolio FILE``).

A table per worker, under the kind of model that it is for; engines have shares of the worker's time, in the order of their
first turns. ::

    [[circuit]]
    name = "unrolling"   # as events call the worker; if not given, by its engines
    bmc = 0.7
    kinduction = 0.3

Kinds that the file does not have keep the table of ``engines.registry``; workers beyond those of a kind have an engine each.
``portfolio_text`` writes that table in the same notation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from lemmata.engines.registry import ENGINES, PORTFOLIOS, Shares, Team, team, works_in
from lemmata.errors import InputError, Place
from lemmata.frontends.files import read_bytes

Teams = Mapping[str, tuple[Team, ...]]


def read_portfolio(path: str) -> Teams:
    """The workers that a file describes, by kind of model; ``InputError`` where it is none."""
    try:
        found = tomllib.loads(read_bytes(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(Place(path), f"this is no TOML: {error}", "see docs/scale.md for an example") from None
    if not found:
        raise _wrong(path, "it has no worker", "begin one with [[circuit]]")
    return {kind: _teams(path, kind, workers) for kind, workers in found.items()}


def _teams(path: str, kind: str, workers: object) -> tuple[Team, ...]:
    if kind not in PORTFOLIOS:
        raise _wrong(path, f"there is no kind of model '{kind}'", f"choose among {', '.join(PORTFOLIOS)}")
    if not isinstance(workers, list) or not workers or not all(isinstance(worker, dict) for worker in workers):
        raise _wrong(path, f"'{kind}' is no list of workers", f"begin each with [[{kind}]]")
    return tuple(_team(path, kind, dict(worker)) for worker in workers)


def _team(path: str, kind: str, worker: dict[str, object]) -> Team:
    name = worker.pop("name", None)
    shares: dict[str, float] = {}
    for engine, share in worker.items():
        if engine not in ENGINES or not works_in(kind, engine):
            engines = ", ".join(other for other in ENGINES if works_in(kind, other))
            raise _wrong(path, f"there is no engine '{engine}' for '{kind}'", f"choose among {engines}")
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < float("inf"):
            raise _wrong(path, f"the share of {engine} is {share!r}", "give a number above 0")
        shares[engine] = float(share)
    if not shares:
        raise _wrong(path, f"a worker for '{kind}' has no engine", "give it one, as in pdr = 1")
    if name is not None and not isinstance(name, str):
        raise _wrong(path, f"the name of a worker is {name!r}", "give it in quotes")
    return name or "+".join(shares), _normal(shares)


def _normal(shares: Shares) -> Shares:
    whole = sum(shares.values())
    return {engine: share / whole for engine, share in shares.items()}


def _wrong(path: str, cause: str, remedy: str) -> InputError:
    return InputError(Place(path), cause, remedy)


def portfolio_text(seats: int) -> str:
    """What ``auto`` does with so many workers, as a file for ``--portfolio``."""
    tables = []
    for kind in PORTFOLIOS:
        for seat in range(seats):
            name, shares = team(kind, seat, seats)
            lines = [f"{engine} = {share:g}" for engine, share in shares.items()]
            tables.append("\n".join([f"[[{kind}]]", f'name = "{name}"', *lines]))
    return "\n\n".join(tables) + "\n"

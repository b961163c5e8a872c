"""Statements as values; ``syntax`` has the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lemmata.frontends.boogie.syntax_expressions import (
    Attributes,
    Expression,
    Name,
)


@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    """``assert e;``."""

    at: int
    condition: Expression
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Assume:
    """``assume e;``."""

    at: int
    condition: Expression
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Havoc:
    """``havoc x, y;``."""

    at: int
    targets: tuple[Name, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """``x, y := e, f;`` all at once. ``m[i] := v`` is read as ``m := m[i := v]``, ``m[i][j] := v`` likewise."""

    at: int
    targets: tuple[Name, ...]
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """``call x, y := p(e, f);``; ``is_free`` calls do not assert the callee's requires."""

    at: int
    results: tuple[Name, ...]
    procedure: str
    arguments: tuple[Expression, ...]
    is_free: bool = False
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """``here:``."""

    at: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Goto:
    """``goto here, there;``: any of them."""

    at: int
    labels: tuple[tuple[str, int], ...]  # each with its offset


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """``if (condition) { … } else { … }``; no condition is ``*``.

    ``else if`` is an ``If`` as the only statement of ``otherwise``.
    """

    at: int
    condition: Expression | None
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """``while (condition) invariant … { … }``; no condition is ``*``."""

    at: int
    condition: Expression | None
    invariants: tuple[Clause, ...]
    body: Block
    end: int = 0  # of the closing brace


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """``break;`` of the innermost loop, or ``break name;`` of the loop or ``if`` right after that label."""

    at: int
    label: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """``return;``."""

    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """``requires e;``, ``ensures e;`` or ``invariant e;``, perhaps ``free``."""

    at: int
    condition: Expression
    is_free: bool = False
    attributes: Attributes = ()


Statement: TypeAlias = Assert | Assume | Havoc | Assign | Call | Label | Goto | If | While | Break | Return
Block: TypeAlias = tuple[Statement, ...]


def blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks right below a statement."""
    match statement:
        case If(_, _, then, otherwise):
            return (then, otherwise)
        case While(body=body):
            return (body,)
    return ()

"""Macros (C11 6.10.3): what ``#define`` says, checked, and taken apart for their expansion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import NAME, PUNCTUATOR, CToken
from lemmata.values import dataclass

HASHES = ("#", "%:")
PASTES = ("##", "%:%:")
VARIABLE = "__VA_ARGS__"
# That no #define and no #undef may name (6.10.8p4), or that mean something elsewhere.
RESERVED = frozenset(
    {"defined", VARIABLE, "__VA_OPT__", "__FILE__", "__LINE__", "__DATE__", "__TIME__", "__STDC__", "__STDC_VERSION__"}
    | {"__STDC_HOSTED__", "_Pragma", "__has_include", "__COUNTER__", "__INCLUDE_LEVEL__", "__BASE_FILE__", "__TIMESTAMP__"}
)

Role = Literal["token", "argument", "raw", "text"]


@dataclass(frozen=True, slots=True)
class MacroPart:
    """A token of a replacement list, or the argument of a parameter: macros in it replaced, as it is, or as a string.

    ``is_pasted``: ``##`` stands before it. ``space``: blanks stand before it.
    """

    role: Role
    token: CToken
    parameter: int
    is_pasted: bool
    space: bool


@dataclass(frozen=True, slots=True)
class CMacro:
    """A macro; without ``parameters`` it is object-like, the last of them has all further arguments if ``is_variadic``.

    ``special`` names one that the preprocessor itself computes.
    """

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[CToken, ...]
    is_variadic: bool = False
    parts: tuple[MacroPart, ...] | None = None  # where there are parameters, or ##
    special: str = ""
    alone: frozenset[str] = field(default=frozenset(), compare=False)  # its own name, as a set


def special(name: str) -> CMacro:
    """A macro that the preprocessor computes."""
    return CMacro(name, None, (), special=name)


def is_same(one: CMacro, other: CMacro) -> bool:
    """May a macro be defined as ``other``, which is ``one`` already (6.10.3p1, p2)?"""
    if (one.parameters, one.is_variadic, len(one.body)) != (other.parameters, other.is_variadic, len(other.body)):
        return False
    pairs = list(zip(one.body, other.body, strict=True))
    return all(a.text == b.text and (n == 0 or a.space == b.space) for n, (a, b) in enumerate(pairs))


def definition(tokens: list[CToken], sources: Sources, at: int) -> CMacro:
    """What follows ``#define`` on its line; ``at`` is the directive."""
    if not tokens or tokens[0].kind is not NAME:
        raise sources.error(tokens[0].at if tokens else at, "#define needs a name")
    name = tokens[0].text
    if name in RESERVED:
        raise sources.error(tokens[0].at, f"'{name}' cannot be defined")
    parameters: tuple[str, ...] | None = None
    is_variadic, rest = False, tokens[1:]
    if rest and rest[0].text == "(" and not rest[0].space:
        parameters, is_variadic, rest = _parameters(rest, sources)
    for token in rest:
        if token.text == VARIABLE and not (is_variadic and parameters and parameters[-1] == VARIABLE):
            raise sources.error(token.at, f"{VARIABLE} is for macros with '...'")
        if token.text == "__VA_OPT__":
            raise sources.unsupported(token.at, "__VA_OPT__ is not supported")
    is_plain = parameters is None and not any(token.text in PASTES for token in rest)
    parts = None if is_plain else _parts(rest, parameters, sources)
    return CMacro(name, parameters, tuple(rest), is_variadic, parts, "", frozenset((name,)))


def _parameters(tokens: list[CToken], sources: Sources) -> tuple[tuple[str, ...], bool, list[CToken]]:
    """Their names, whether the last one has all further arguments, and what follows."""
    names: list[str] = []
    position, is_variadic = 1, False
    if len(tokens) > 1 and tokens[1].text == ")":
        return (), False, tokens[2:]
    while position < len(tokens):
        token = tokens[position]
        if token.text == "...":
            names.append(VARIABLE)
            is_variadic = True
        elif token.kind is NAME and token.text not in (VARIABLE, "__VA_OPT__"):
            if token.text in names:
                raise sources.error(token.at, f"the parameter '{token.text}' is there twice")
            names.append(token.text)
            if position + 1 < len(tokens) and tokens[position + 1].text == "...":  # as GNU C has it
                is_variadic = True
                position += 1
        else:
            raise sources.error(token.at, f"a parameter needs a name, not '{token.text}'")
        position += 1
        end = tokens[position].text if position < len(tokens) else ""
        if end == ")":
            return tuple(names), is_variadic, tokens[position + 1 :]
        if end != "," or is_variadic:
            break
        position += 1
    raise sources.error(tokens[min(position, len(tokens) - 1)].at, "the list of parameters does not end here with ')'")


def _parts(body: Sequence[CToken], parameters: tuple[str, ...] | None, sources: Sources) -> tuple[MacroPart, ...]:
    names = {name: n for n, name in enumerate(parameters or ())}
    found: list[MacroPart] = []
    is_pasted, space = False, False
    position = 0
    while position < len(body):
        token = body[position]
        position += 1
        if token.kind is PUNCTUATOR and token.text in PASTES:
            if not found or position == len(body):
                raise sources.error(token.at, "'##' cannot be at an end of a macro")
            is_pasted = True
            continue
        space = token.space
        if parameters is not None and token.kind is PUNCTUATOR and token.text in HASHES:
            if position == len(body) or body[position].text not in names:
                raise sources.error(token.at, "'#' needs a parameter after it")
            part = MacroPart("text", body[position], names[body[position].text], is_pasted, space)
            position += 1
        elif token.kind is NAME and token.text in names:
            is_operand = is_pasted or (position < len(body) and body[position].text in PASTES)
            part = MacroPart("raw" if is_operand else "argument", token, names[token.text], is_pasted, space)
        else:
            part = MacroPart("token", token, -1, is_pasted, space)
        found.append(part)
        is_pasted = False
    return tuple(found)

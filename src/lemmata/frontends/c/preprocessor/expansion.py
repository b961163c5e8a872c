"""Macro replacement (C11 6.10.3): Prosser's algorithm, in which each token has a set of macros that may not replace it.

(D. Prosser, X3J11/86-196.) A macro's replacement is put before the rest of the text and read again. Its tokens get the macro's
name into their sets, together with what the name's own set and that of the closing parenthesis share (6.10.3.4p2). Arguments
are replaced on their own before they are put in, except beside ``#`` and ``##`` (6.10.3.1).

Tokens of a replacement are where the macro was used, those of arguments where they were written (so ``__LINE__`` is what gcc
makes of it), except operands of ``##``. White space is kept as far as
``#`` shows it (6.10.3.2): the first token has the blanks of what it replaces, and what becomes nothing leaves its blanks.

``Expansion`` is bounded: macros that grow beyond ``_EXPANDED_CHARACTERS``, or are nested more than ``_NESTED_CALLS`` deep, are
an error.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.frontends.c.preprocessor.macros import CMacro, MacroPart
from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import (
    CHARACTER,
    LINE,
    NAME,
    PLACEMARKER,
    PUNCTUATOR,
    STRAY,
    STRING,
    CToken,
    as_one,
    spelling_of,
)

_EXPANDED_CHARACTERS = 2_000_000  # characters of all replacements, and tokens of all arguments, together
_NESTED_CALLS = 200  # calls in arguments of calls
_NONE: frozenset[str] = frozenset()


class Rest:
    """The tokens of a file from a position on, where a call that a macro begins may find its arguments."""

    __slots__ = ("position", "tokens")

    def __init__(self, tokens: list[CToken], position: int) -> None:
        self.tokens = tokens
        self.position = position


class Expansion:
    """Replaces macros; ``compute`` is asked for those that are special, and reads what it needs from the stack given."""

    def __init__(
        self,
        macros: dict[str, CMacro],
        sources: Sources,
        compute: Callable[[CMacro, CToken, list[CToken], Rest | None], list[CToken]],
    ) -> None:
        self._macros = macros
        self._sources = sources
        self._compute = compute
        self._spent = 0
        self._depth = 0

    def expanded(self, tokens: list[CToken]) -> list[CToken]:
        """All macros in a list of tokens replaced, which is all there is."""
        return [token for token in self._expanded(tokens) if token.kind is not PLACEMARKER]

    def _expanded(self, tokens: list[CToken]) -> list[CToken]:
        """The same, with placemarkers for macros that became nothing."""
        macros = self._macros
        for token in tokens:
            if token.kind is NAME and token.text in macros:
                out: list[CToken] = []
                self.run(tokens[::-1], None, out)
                return out
        return tokens

    def run(self, stack: list[CToken], rest: Rest | None, out: list[CToken]) -> None:
        """Take tokens from the stack until there are none; calls that are open then go on in ``rest``."""
        macros, add = self._macros, out.append
        while stack:
            token = stack.pop()
            macro = macros.get(token.text) if token.kind is NAME else None
            if macro is None or (token.hidden is not None and token.text in token.hidden):
                add(token)
                continue
            replaced = self._replaced(macro, token, stack, rest)
            if replaced is None:
                add(token)
            elif replaced:
                stack += reversed(replaced)
            else:
                add(CToken(PLACEMARKER, "", token.at, token.space))

    def _replaced(self, macro: CMacro, token: CToken, stack: list[CToken], rest: Rest | None) -> list[CToken] | None:
        """The replacement; ``None`` where the name of a function-like macro is not followed by arguments (6.10.3p10)."""
        if macro.special:
            return self._compute(macro, token, stack, rest)
        if macro.parameters is None:
            hidden = macro.alone if not token.hidden else token.hidden | macro.alone
            if macro.parts is None:
                found = [CToken(t.kind, t.text, token.at, t.space, hidden) for t in macro.body]
            else:
                found = self._substituted(macro, [], False, token.at, hidden)
        else:
            if not self._opens(stack, rest):
                return None
            arguments, end = self._arguments(macro, token, stack, rest)
            shared = (token.hidden or _NONE) & (end.hidden or _NONE)
            was_left_out = self._counted(macro, arguments, token)
            found = self._substituted(macro, arguments, was_left_out, token.at, shared | macro.alone)
        self._spend(sum([len(t.text) for t in found]) + len(found) + 1, token.at)
        if found and found[0].space is not token.space:
            first = found[0]
            found[0] = CToken(first.kind, first.text, first.at, token.space, first.hidden)
        return found

    def _spend(self, characters: int, at: int) -> None:
        self._spent += characters
        if self._spent > _EXPANDED_CHARACTERS:
            raise self._sources.error(at, f"macros become more than {_EXPANDED_CHARACTERS:,} characters")

    # Arguments.

    def _opens(self, stack: list[CToken], rest: Rest | None) -> bool:
        """Is the next token a parenthesis? Then it is taken."""
        while stack and stack[-1].kind is PLACEMARKER:
            stack.pop()
        if stack:
            return stack[-1].text == "(" and stack.pop() is not None
        if rest is None:
            return False
        tokens, position = rest.tokens, rest.position
        while position < len(tokens) and tokens[position].kind is LINE:
            position += 1
        if position < len(tokens) and tokens[position].text == "(":
            rest.position = position + 1
            return True
        return False

    def next(self, stack: list[CToken], rest: Rest | None) -> CToken | None:
        """The next token inside of a call; ``None`` at the end of the text."""
        if stack:
            return stack.pop()
        if rest is None:
            return None
        tokens, position = rest.tokens, rest.position
        while position < len(tokens) and tokens[position].kind is LINE:
            position += 1
            if position < len(tokens) and tokens[position].text in ("#", "%:"):
                raise self._sources.error(tokens[position].at, "a directive inside of the arguments of a macro")
        rest.position = position + 1
        return tokens[position] if position < len(tokens) else None

    def _arguments(
        self, macro: CMacro, name: CToken, stack: list[CToken], rest: Rest | None
    ) -> tuple[list[list[CToken]], CToken]:
        """What is between the commas (6.10.3p11), and the closing parenthesis."""
        assert macro.parameters is not None
        arguments: list[list[CToken]] = [[]]
        depth, space = 0, False
        last = len(macro.parameters) if macro.is_variadic else 0  # from here on commas separate nothing
        while (token := self.next(stack, rest)) is not None:
            if token.kind is PLACEMARKER:
                space = space or token.space
                continue
            if space and not token.space:
                token = CToken(token.kind, token.text, token.at, True, token.hidden)
            space = False
            if token.kind is PUNCTUATOR:
                if token.text == "(":
                    depth += 1
                elif token.text == ")":
                    if not depth:
                        self._spend(sum([len(argument) for argument in arguments]), name.at)
                        return arguments, token
                    depth -= 1
                elif token.text == "," and not depth and len(arguments) != last:
                    arguments.append([])
                    continue
            arguments[-1].append(token)
        raise self._sources.error(name.at, f"the arguments of the macro '{macro.name}' do not end with ')'")

    def _counted(self, macro: CMacro, arguments: list[list[CToken]], name: CToken) -> bool:
        """Are there as many arguments as parameters (6.10.3p4)? With GNU C those for ``...`` may be left out: were they?"""
        assert macro.parameters is not None
        wanted = len(macro.parameters)
        if not wanted and arguments == [[]]:
            arguments.clear()
        given = len(arguments)
        if given == wanted:
            return macro.is_variadic and given == 1 and not arguments[0]
        if macro.is_variadic and given == wanted - 1:
            arguments.append([])
            return True
        raise self._sources.error(name.at, f"the macro '{macro.name}' takes {wanted} arguments, not {given}")

    # Substitution.

    def _substituted(
        self, macro: CMacro, arguments: list[list[CToken]], was_left_out: bool, at: int, hidden: frozenset[str]
    ) -> list[CToken]:
        """The replacement list with arguments for parameters (6.10.3.1 to 6.10.3.3)."""
        done: dict[int, list[CToken]] = {}
        result: list[CToken] = []
        for part in macro.parts or ():
            token = part.token
            if part.role == "token":
                piece = [CToken(token.kind, token.text, at, part.space)]
            elif part.role == "text":
                piece = [self._as_string(arguments[part.parameter], at, part.space)]
            elif part.role == "raw":
                piece = [CToken(t.kind, t.text, at, t.space, t.hidden) for t in arguments[part.parameter]]
            else:
                if part.parameter not in done:
                    done[part.parameter] = self._on_its_own(arguments[part.parameter], at)
                piece = done[part.parameter]
            if part.is_pasted and _is_rest(macro, part) and result[-1].text == ",":  # as GNU C has it
                if was_left_out:
                    result.pop()
                    continue
            else:
                if part.role in ("raw", "argument"):
                    piece = _moved(piece, part.space) or [CToken(PLACEMARKER, "", at, part.space)]
                if part.is_pasted:
                    piece = [self._pasted(result.pop(), piece[0], at), *piece[1:]]
            result += piece
            self._spend(len(piece), at)
        return _hidden(result, hidden)

    def _on_its_own(self, argument: list[CToken], at: int) -> list[CToken]:
        """An argument with all of its macros replaced, as if it were all there is (6.10.3.1)."""
        self._depth += 1
        if self._depth > _NESTED_CALLS:
            raise self._sources.error(at, f"calls of macros are nested more than {_NESTED_CALLS} deep")
        found = self._expanded(argument)
        self._depth -= 1
        return found

    def _as_string(self, argument: list[CToken], at: int, space: bool) -> CToken:
        """6.10.3.2p2; what comes out must be a string."""
        parts: list[CToken] = []
        for token in argument:
            text = token.text
            if token.kind in (STRING, CHARACTER) or (token.kind is STRAY and text[0] in "\"'"):
                text = text.replace("\\", "\\\\").replace('"', '\\"')
            parts.append(CToken(token.kind, text, token.at, token.space))
        made = as_one(f'"{spelling_of(parts)}"')
        if made is None or made.kind is not STRING:
            raise self._sources.error(at, "'#' makes no string of this argument")
        self._spend(len(made.text), at)
        return CToken(STRING, made.text, at, space)

    def _pasted(self, left: CToken, right: CToken, at: int) -> CToken:
        """6.10.3.3p3: one token of two; a placemarker changes nothing."""
        if PLACEMARKER in (left.kind, right.kind):
            kept = left if right.kind is PLACEMARKER else right
            return CToken(kept.kind, kept.text, kept.at, left.space, kept.hidden)
        made = as_one(left.text + right.text)
        if made is None:
            raise self._sources.error(at, f"'##' makes no token of '{left.text[:40]}' and '{right.text[:40]}'")
        self._spend(len(made.text), at)
        hidden = None if not left.hidden or not right.hidden else left.hidden & right.hidden
        return CToken(made.kind, made.text, at, left.space, hidden)


def _is_rest(macro: CMacro, part: MacroPart) -> bool:
    """Does the part stand for all further arguments, as they are?"""
    return macro.is_variadic and part.role == "raw" and part.parameter == len(macro.parameters or ()) - 1


def _moved(tokens: list[CToken], space: bool) -> list[CToken]:
    """The first token has the blanks of the parameter."""
    if tokens and tokens[0].space is not space:
        first = tokens[0]
        return [CToken(first.kind, first.text, first.at, space, first.hidden), *tokens[1:]]
    return tokens


def _hidden(tokens: list[CToken], hidden: frozenset[str]) -> list[CToken]:
    """Each token with more macros that must not replace it; placemarkers stay only at both ends, for blanks."""
    found: list[CToken] = []
    space = False
    for n, t in enumerate(tokens):
        if t.kind is not PLACEMARKER:
            found.append(CToken(t.kind, t.text, t.at, t.space or space, hidden if not t.hidden else t.hidden | hidden))
            space = False
        elif n:
            space = space or t.space
        else:
            found.append(t)
    if space:
        found.append(CToken(PLACEMARKER, "", tokens[-1].at, True))
    return found

"""``Preprocessor``: reads a file line by line, obeys directives (C11 6.10) and replaces macros.

What comes out is a list of tokens, with the ends of lines kept as far as no macro call goes over them. Wrong directives are
errors where they are; in groups that are skipped only the nesting of conditions is looked at (6.10.1p6).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lemmata.frontends.c.preprocessor.conditions import condition_holds
from lemmata.frontends.c.preprocessor.expansion import Expansion, Rest
from lemmata.frontends.c.preprocessor.headers import HeaderSearch
from lemmata.frontends.c.preprocessor.macros import HASHES, RESERVED, CMacro, definition, is_same, special
from lemmata.frontends.c.preprocessor.pragmas import Pragmas, destringized
from lemmata.frontends.c.preprocessor.predefined import predefined
from lemmata.frontends.c.preprocessor.sources import SourceFile, Sources
from lemmata.frontends.c.preprocessor.specials import NOT_MACROS, Specials
from lemmata.frontends.c.preprocessor.tokens import (
    LINE,
    NAME,
    NUMBER,
    PLACEMARKER,
    PUNCTUATOR,
    STRING,
    CToken,
    scan,
    spelling_of,
)

_NESTED_FILES = 200  # files that include files, as with gcc
_INCLUDED_TOKENS = 5_000_000  # tokens of all files that are included, each as often as it is
_IGNORED = frozenset({"warning", "ident", "sccs"})
_DEFINED = special("defined")


class Condition:
    """An ``#if`` that is open: has one of its groups been taken, and did its ``#else`` come?"""

    __slots__ = ("at", "had_else", "is_done", "name")

    def __init__(self, name: str, at: int, is_done: bool) -> None:
        self.name = name
        self.at = at
        self.is_done = is_done
        self.had_else = False


class Preprocessor:
    """One translation unit."""

    def __init__(self, sources: Sources, search: HeaderSearch, data_model: str) -> None:
        self._sources = sources
        self._search = search
        self._macros = dict(predefined(data_model))
        self._expansion = Expansion(self._macros, sources, self._computed)
        self._specials = Specials(sources, self._macros)
        self._pragmas = Pragmas(sources, self._macros)
        self._known: dict[str, tuple[SourceFile, list[CToken]]] = {}
        self._once: set[Path] = set()
        self._open: list[str] = []  # paths of the files that are being read, the innermost last
        self._included = 0
        self.out: list[CToken] = []

    def define(self, texts: Sequence[str]) -> None:
        """Options of the command line: ``NAME`` or ``NAME=VALUE``."""
        for text in texts:
            name, sign, value = text.partition("=")
            source = self._sources.add("<command line>", f"{name} {value if sign else '1'}")
            macro = definition([t for t in source.tokens() if t.kind is not LINE], self._sources, source.base)
            self._macros[macro.name] = macro

    def read(self, source: SourceFile, path: str) -> None:
        """The whole translation unit."""
        self._specials.main = source.name
        self._file(source, source.tokens(), path)

    # Lines.

    def _file(self, source: SourceFile, tokens: list[CToken], path: str) -> None:
        self._open.append(path)
        conditions: list[Condition] = []
        position, count = 0, len(tokens)
        while position < count:
            token = tokens[position]
            if token.kind is PUNCTUATOR and token.text in HASHES:
                position = self._directive(source, tokens, position, conditions)
            else:
                position = self._text(tokens, position)
        if conditions:
            raise self._sources.error(conditions[-1].at, f"this #{conditions[-1].name} has no #endif")
        self._open.pop()

    def _text(self, tokens: list[CToken], position: int) -> int:
        """A line that is no directive; calls of macros may take more of them. The position after it."""
        macros, add = self._macros, self.out.append
        while True:
            token = tokens[position]
            position += 1
            if token.kind is NAME and token.text in macros:
                rest = Rest(tokens, position)
                made: list[CToken] = []
                self._expansion.run([token], rest, made)
                self.out += [token for token in made if token.kind is not PLACEMARKER]
                position = rest.position
            else:
                add(token)
                if token.kind is LINE:
                    return position

    def _directive(self, source: SourceFile, tokens: list[CToken], position: int, conditions: list[Condition]) -> int:
        """Obey the directive that begins here; the position after it, and after the groups that it skips."""
        hash_at = tokens[position].at
        end = position + 1
        while tokens[end].kind is not LINE:
            end += 1
        words = tokens[position + 1 : end]
        end += 1
        if not words:
            return end  # 6.10.7
        name = words[0].text
        if words[0].kind is NUMBER:
            self._line(source, words, tokens[end - 1].at, is_marker=True)
            return end
        match name:
            case "if" | "ifdef" | "ifndef":
                is_taken = self._holds(name, words, hash_at)
                conditions.append(Condition(name, hash_at, is_taken))
                return end if is_taken else self._skip(tokens, end, conditions)
            case "elif" | "else":
                self._after_group(name, hash_at, conditions)
                return self._skip(tokens, end, conditions)
            case "endif":
                self._after_group(name, hash_at, conditions)
                conditions.pop()
            case "include":
                self._include(source, words, hash_at)
            case "line":
                self._line(source, [words[0], *self._expansion.expanded(words[1:])], tokens[end - 1].at, is_marker=False)
            case _:
                self._simple(name, words, hash_at)
        return end

    def _simple(self, name: str, words: list[CToken], at: int) -> None:
        """Directives that need neither the file nor its conditions."""
        match name:
            case "define":
                self._define(words, at)
            case "undef":
                self._one_name(words, at)
                if words[1].text in RESERVED:
                    raise self._sources.error(words[1].at, f"'{words[1].text}' cannot be undefined")
                self._macros.pop(words[1].text, None)
            case "error":
                raise self._sources.error(at, f"#error {spelling_of(words[1:])}".strip())
            case "pragma":
                if [word.text for word in words[1:]] == ["once"]:
                    self._once.add(Path(self._open[-1]).resolve())
                else:
                    self._pragmas.obey(words[1:], at)
            case "include_next" | "import" | "assert" | "unassert" | "elifdef" | "elifndef":
                raise self._sources.unsupported(at, f"the directive #{name} is not supported")
            case _ if name not in _IGNORED:
                raise self._sources.error(at, f"there is no directive #{name[:40]}")

    # Conditions.

    def _holds(self, name: str, words: list[CToken], at: int) -> bool:
        if name != "if" and name != "elif":
            self._one_name(words, at)
            is_defined = words[1].text in self._macros and words[1].text not in NOT_MACROS
            return is_defined == (name == "ifdef")
        self._macros["defined"] = _DEFINED
        try:
            return condition_holds(self._expansion.expanded(words[1:]), self._sources, at)
        finally:
            del self._macros["defined"]

    def _after_group(self, name: str, at: int, conditions: list[Condition]) -> None:
        if not conditions:
            raise self._sources.error(at, f"this #{name} belongs to no #if")
        if conditions[-1].had_else and name != "endif":
            raise self._sources.error(at, f"this #{name} comes after #else")
        conditions[-1].had_else = conditions[-1].had_else or name == "else"

    def _skip(self, tokens: list[CToken], position: int, conditions: list[Condition]) -> int:
        """Skip groups until one is taken, or until the condition ends; the position after the directive that says so."""
        depth = 0
        is_first = True
        for number in range(position, len(tokens)):
            token = tokens[number]
            if token.kind is LINE:
                is_first = True
                continue
            if not is_first or token.kind is not PUNCTUATOR or token.text not in HASHES:
                is_first = False
                continue
            is_first = False
            name = tokens[number + 1].text
            if name in ("if", "ifdef", "ifndef"):
                depth += 1
            elif depth:
                depth -= name == "endif"
            elif name == "endif":
                conditions.pop()
                return _line_end(tokens, number)
            elif name in ("elif", "else"):
                self._after_group(name, token.at, conditions)
                end = _line_end(tokens, number)
                if not conditions[-1].is_done and (name == "else" or self._holds(name, tokens[number + 1 : end - 1], token.at)):
                    conditions[-1].is_done = True
                    return end
            elif name in ("elifdef", "elifndef"):
                raise self._sources.unsupported(token.at, f"the directive #{name} is not supported")
        raise self._sources.error(conditions[-1].at, f"this #{conditions[-1].name} has no #endif")

    # Directives.

    def _one_name(self, words: list[CToken], at: int) -> None:
        if len(words) < 2 or words[1].kind is not NAME:
            raise self._sources.error(words[1].at if len(words) > 1 else at, f"#{words[0].text} needs a name")
        self._nothing_after(words, 2)

    def _nothing_after(self, words: list[CToken], count: int) -> None:
        if len(words) > count:
            raise self._sources.error(words[count].at, f"'{words[count].text[:40]}' does not belong to #{words[0].text}")

    def _define(self, words: list[CToken], at: int) -> None:
        macro = definition(words[1:], self._sources, at)
        known = self._macros.get(macro.name)
        if known is not None and not is_same(known, macro):
            raise self._sources.error(words[1].at, f"the macro '{macro.name}' is defined already, and otherwise", "#undef it")
        self._macros[macro.name] = macro

    def _line(self, source: SourceFile, words: list[CToken], at: int, is_marker: bool) -> None:
        """6.10.4, and the markers of preprocessors (``# 12 "file.c" 1``); ``at`` is the end of the directive."""
        numbers = words if is_marker else words[1:]
        if not numbers or not (numbers[0].text.isascii() and numbers[0].text.isdecimal()) or len(numbers[0].text) > 10:
            raise self._sources.error(words[0].at, "#line needs a number")
        if len(numbers) > 1 and (numbers[1].kind is not STRING or numbers[1].text[0] != '"'):
            raise self._sources.error(numbers[1].at, "the name of a file is a string")
        if not is_marker:
            self._nothing_after(words, 3)
        name = destringized(numbers[1].text) if len(numbers) > 1 else str(source.place(at).file)
        source.rename(at, int(numbers[0].text), name)

    def _include(self, source: SourceFile, words: list[CToken], at: int) -> None:
        """6.10.2."""
        name, is_quoted, after = self._header(source, words[1:], at)
        self._nothing_after([words[0], *after], 1)
        path = self._search.find(name, is_quoted, self._open[-1])
        if path is None:
            remedy = "name its folder with -I, or preprocess with --cpp"
            raise self._sources.error(at, f"there is no header '{name}'", remedy)
        if self._once and Path(path).resolve() in self._once:
            return
        if len(self._open) > _NESTED_FILES:
            raise self._sources.error(at, f"files include files more than {_NESTED_FILES} deep")
        if path not in self._known:
            self._known[path] = self._search.read(path, self._sources, at)
        header, tokens = self._known[path]
        self._included += len(tokens)
        if self._included > _INCLUDED_TOKENS:
            raise self._sources.error(at, f"the files that are included have more than {_INCLUDED_TOKENS:,} tokens")
        self._file(header, tokens, path)

    def _header(self, source: SourceFile, words: list[CToken], at: int) -> tuple[str, bool, list[CToken]]:
        """The name of a header, whether it is in quotes, and what follows; a macro may stand for it (6.10.2p4)."""
        if words and words[0].text == "<" and words[0].hidden is None:
            end = next((n for n, word in enumerate(words) if word.text[0] == ">"), None)
            raw = source.text[words[0].at - source.base :].partition("\n")[0].partition(">")[0]
            if end is None or any(part in raw for part in ("//", "/*", "'", '"', "\\")):  # 6.4.7p3
                raise self._sources.error(words[0].at, "this is no name of a header")
            return raw[1:], False, words[end + 1 :] if words[end].text == ">" else words[end:]
        if not (words and words[0].kind is STRING):
            words = self._expansion.expanded(words)
        if words and words[0].kind is STRING and words[0].text[0] == '"':
            return words[0].text[1:-1], True, words[1:]
        if words and words[0].text == "<" and ">" in [word.text for word in words]:
            end = [word.text for word in words].index(">")
            return spelling_of(words[1:end]), False, words[end + 1 :]
        raise self._sources.error(words[0].at if words else at, "#include needs the name of a header")

    # Macros that are computed.

    def _computed(self, macro: CMacro, token: CToken, stack: list[CToken], rest: Rest | None) -> list[CToken]:
        """What a special macro becomes."""
        match macro.special:
            case "_Pragma":
                return self._pragma(token, stack, rest)
            case "__has_include":
                return [self._has_include(token, stack)]
            case "__INCLUDE_LEVEL__":
                return [CToken(NUMBER, str(len(self._open) - 1), token.at, token.space)]
        return [self._specials.computed(macro.special, token, stack)]

    def _pragma(self, token: CToken, stack: list[CToken], rest: Rest | None) -> list[CToken]:
        """6.10.9: the string is a pragma."""
        opened, text, closed = [self._expansion.next(stack, rest) for _ in range(3)]
        if opened is None or text is None or closed is None or (opened.text, text.kind, closed.text) != ("(", STRING, ")"):
            raise self._sources.error(token.at, "_Pragma needs a string in parentheses")
        words = scan(destringized(text.text[text.text.index('"') :]))[:-1]
        self._pragmas.obey([CToken(word.kind, word.text, token.at, word.space) for word in words], token.at)
        return []

    def _has_include(self, token: CToken, stack: list[CToken]) -> CToken:
        """``__has_include(<name>)``, as gcc has it."""
        if "defined" not in self._macros:
            raise self._sources.error(token.at, "__has_include is for #if")
        words: list[CToken] = []
        if stack and stack.pop().text == "(":
            while stack and stack[-1].text != ")":
                words.append(stack.pop())
        if not stack or not words:
            raise self._sources.error(token.at, "__has_include needs the name of a header")
        stack.pop()
        name, is_quoted, after = self._header(self._sources.of(words[0].at), words, token.at)
        self._nothing_after([token, *after], 1)
        found = self._search.find(name, is_quoted, self._open[-1])
        return CToken(NUMBER, str(int(found is not None)), token.at, token.space)


def _line_end(tokens: list[CToken], position: int) -> int:
    """The position after the end of a line."""
    while tokens[position].kind is not LINE:
        position += 1
    return position + 1

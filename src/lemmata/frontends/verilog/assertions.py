"""Concurrent assertions that Yosys does not read, as clocked immediate ones that it does: exact rewriting of text, or none.

``assert property (@(posedge clk) disable iff (r) a ##1 b |=> c ##1 d);`` becomes a chain of registers that follow an attempt:

    always @(posedge clk) begin
      p1 <= (a) && !(r);  p2 <= p1 && (b) && !(r);  p3 <= p2 && (c) && !(r);
      assert ((!(p2 && !(r)) || c) && (!(p3 && !(r)) || d));
    end

(IEEE 1800-2017, sections 16.9 to 16.12.) Values are those before the clock edge, as concurrent assertions sample them. A
disabling condition ends every attempt that it meets on its way. Of a consequent each part is checked when its turn comes, all
in one assertion: the property fails if and only if one of them does. Supported:

- a clock and a disabling condition in the assertion, or by ``default clocking`` and ``default disable iff``;
- sequences of Boolean expressions with delays ``##n``, and in antecedents and covers also ``##[+]``, ``##[*]``, ``##[n:$]``;
- ``|->`` and ``|=>`` between sequences; ``a |-> x [*] ##1 b``, where x holds until b does;
- properties that are declared without arguments and used by name, before or after; ``let`` for conditions;
- an instance that is bound to a module (bind), which is put there.

Everything else stays as it is, and Yosys says where. Lines keep their numbers: a rewritten assertion is one line, followed by
as many ends of lines as it had.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise

from lemmata.values import dataclass

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/|\(\*(?!\s*\)).*?\*\))"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\")"
    r"|(?P<word>`?[A-Za-z_][\w$]*|\\\S+|\$\w+)"
    r"|(?P<number>[0-9][\w.]*(?:'[sS]?[bodhBODH]\s*[\w?]+)?|'[sS]?[bodhBODH01xz]\s*[\w?]*)"
    r"|(?P<sign>\|->|\|=>|##|&&&|\|\||&&|===|!==|==|!=|<=|>=|<<<|>>>|<<|>>|->|::|@\*|\+:|-:|.)",
    re.DOTALL,
)
_WORTH_A_LOOK = re.compile(r"\bproperty\b|\blet\b|\bdefault\b")
_BIND = re.compile(r"\bbind\s+(?P<target>\w+)\s+(?P<module>\w+)\s*(?:#\s*\([^;]*?\)\s*)?\w+\s*\([^;]*\)\s*;")
_KINDS = ("assert", "assume", "cover", "restrict")
_TRUE = "1'b1"
_LONGEST = 64  # cycles of a delay
_STRANGE = {
    "##", "|->", "|=>", "throughout", "intersect", "within", "first_match", "until", "not", "and", "or", "if", "s_eventually",
    "eventually", "always", "nexttime", "implies", "strong", "weak", "iff", "@", "inside",
}  # fmt: skip
_OPEN, _CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
_CONDITIONS = {"&&", "||", "==", "!=", "===", "!==", "<", "<=", ">", ">=", "inside"}


class _Unknown(Exception):
    """Not one of the forms that are rewritten."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A Boolean expression and the delay before it; ``is_open``: at least this many cycles."""

    text: str
    delay: int
    is_open: bool = False


@dataclass(slots=True)
class _Scope:
    """What a module declares, at whatever place: the rest of it may use it before (IEEE 1800-2017, 14.12, 16.12, 16.15)."""

    end: int = 0  # the position of its endmodule
    clock: str = ""
    disable: str = ""
    properties: dict[str, list[_Token]] = field(default_factory=dict)


def rewrite_assertions(texts: Sequence[str]) -> list[str]:
    """The files of one design for Yosys; the texts themselves where there is nothing to do."""
    return _bound([_Rewriter(text).rewritten() if _WORTH_A_LOOK.search(text) else text for text in texts])


def _bound(texts: list[str]) -> list[str]:
    """``bind module other name (…);`` as an instance in that module, before its last line; also where files differ."""
    for number in range(len(texts)):
        while found := _BIND.search(_without_comments(texts[number])):
            ends = [_end_of(found["target"], _without_comments(text)) for text in texts]
            where = next((k for k, end in enumerate(ends) if end is not None), None)
            if where is None:
                break
            instance = " ".join(texts[number][found.start("module") : found.end()].split())
            start, end = found.span()
            texts[number] = texts[number][:start] + "\n" * texts[number].count("\n", start, end) + texts[number][end:]
            place = _end_of(found["target"], _without_comments(texts[where])) or 0
            texts[where] = f"{texts[where][:place]}{instance} {texts[where][place:]}"
    return texts


def _end_of(module: str, text: str) -> int | None:
    """Where the module's ``endmodule`` starts."""
    head = re.search(rf"\bmodule\s+{re.escape(module)}\b", text)
    end = re.compile(r"\bendmodule\b").search(text, head.end()) if head else None
    return end.start() if end else None


def _without_comments(text: str) -> str:
    """Comments and strings as blanks, so that positions stay."""
    blank = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
    return blank.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


class _Rewriter:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [
            _Token(found.lastgroup or "sign", found[0], found.start(), found.end())
            for found in _TOKEN.finditer(text)
            if found.lastgroup != "blank"
        ]
        self._changes: list[tuple[int, int, str]] = []
        self._scope = _Scope()
        self._count = 0

    def rewritten(self) -> str:
        position = 0
        while position < len(self._tokens):
            if self._at(position) in ("module", "interface", "program", "package", "checker"):
                position = self._scoped(position)
            else:
                position = self._statement(position)
        return self._inserted(self._text, self._changes)

    def _scoped(self, start: int) -> int:
        """A module: first what it declares, then its assertions."""
        end = next((k for k in range(start, len(self._tokens)) if self._at(k) == f"end{self._at(start)}"), len(self._tokens))
        if self._at(start) != "module":
            return start + 1 if end == len(self._tokens) else end  # their declarations are not those of a module
        self._scope = _Scope(end)
        position, depth = start + 1, 0
        while position < end:
            depth += (self._at(position) == "begin") - (self._at(position) == "end")
            position = self._declaration(position, depth)
        position = start + 1
        while position < end:
            position = self._statement(position)
        self._scope = _Scope()
        return end

    @staticmethod
    def _inserted(text: str, changes: list[tuple[int, int, str]]) -> str:
        for start, end, new in sorted(changes, reverse=True):
            text = text[:start] + new + "\n" * (text.count("\n", start, end) - new.count("\n")) + text[end:]
        return text

    def _declaration(self, position: int, depth: int) -> int:
        """Look at what is declared here; the position after it. Defaults of a block inside are not those of the module."""
        word = self._at(position)
        try:
            if word == "default" and self._at(position + 1) == "clocking" and not depth:
                return self._default_clocking(position)
            if word == "default" and self._at(position + 1) == "disable" and not depth:
                return self._default_disable(position)
            if word == "property" and self._tokens[position + 1].kind == "word" and self._at(position + 2) == ";":
                return self._declared(position)
        except (_Unknown, IndexError):
            pass
        return position + 1

    def _statement(self, position: int) -> int:
        """Look at what starts here; the position after it."""
        word = self._tokens[position].text
        try:
            if word == "let":
                return self._let(position)
            if (
                (word in _KINDS or word.startswith("`"))
                and self._at(position + 1) == "property"
                and self._at(position + 2) == "("
            ):
                return self._assertion(position)
        except (_Unknown, IndexError):
            pass
        return position + 1

    def _at(self, position: int) -> str:
        return self._tokens[position].text if position < len(self._tokens) else ""

    def _closing(self, position: int) -> int:
        """The position of the bracket that closes the one here."""
        depth = 0
        for k in range(position, len(self._tokens)):
            if self._at(k) in _OPEN:
                depth += 1
            elif self._at(k) in _CLOSE:
                depth -= 1
                if depth == 0:
                    return k
        raise _Unknown

    def _until(self, position: int, sign: str) -> int:
        while self._at(position) != sign:
            position = self._closing(position) + 1 if self._at(position) in _OPEN else position + 1
            if position >= len(self._tokens):
                raise _Unknown
        return position

    def _change(self, first: int, last: int, new: str) -> None:
        self._changes.append((self._tokens[first].start, self._tokens[last].end, new))

    @staticmethod
    def _source(tokens: list[_Token]) -> str:
        """The text again, on one line and without comments."""
        if not tokens:
            raise _Unknown
        text = tokens[0].text
        for before, token in pairwise(tokens):
            text += ("" if before.end == token.start else " ") + token.text
        return " ".join(text.split())

    # Declarations.

    def _default_clocking(self, position: int) -> int:
        start = position + 2 if self._at(position + 2) == "@" else position + 3
        event, after = self._event(start)
        if self._at(after) != ";" or self._at(after + 1) != "endclocking" or self._scope.clock:
            raise _Unknown
        self._scope.clock = event
        self._change(position, after + 1, "")
        return after + 2

    def _default_disable(self, position: int) -> int:
        if self._at(position + 2) != "iff" or self._at(position + 3) != "(" or self._scope.disable:
            raise _Unknown
        end = self._closing(position + 3)
        self._scope.disable = self._source(self._tokens[position + 4 : end])
        semicolon = self._until(end + 1, ";")
        self._change(position, semicolon, "")
        return semicolon + 1

    def _event(self, position: int) -> tuple[str, int]:
        if self._at(position) != "@":
            raise _Unknown
        if self._at(position + 1) != "(":
            raise _Unknown
        end = self._closing(position + 1)
        return self._source(self._tokens[position + 2 : end]), end + 1

    def _declared(self, position: int) -> int:
        name = self._at(position + 1)
        end = next(k for k in range(position, len(self._tokens)) if self._at(k) == "endproperty")
        body = self._tokens[position + 3 : end]
        if body and body[-1].text == ";":
            body = body[:-1]
        if self._at(end + 1) == ":":
            end += 2
        if name in self._scope.properties:  # of two blocks: which is meant depends on where it is used
            raise _Unknown
        self._scope.properties[name] = body
        self._change(position, end, "")
        return end + 1

    def _let(self, position: int) -> int:
        """A condition gets a wire; other declarations stay, since their width is not known here."""
        name = self._tokens[position + 1]
        if name.kind != "word" or self._at(position + 2) != "=":
            raise _Unknown
        end = self._until(position + 3, ";")
        if not self._is_condition(self._tokens[position + 3 : end]):
            raise _Unknown
        self._change(position, position, "wire")
        return position + 3

    def _is_condition(self, tokens: list[_Token]) -> bool:
        """Is it one bit wide, whatever the names in it are?"""
        while tokens and tokens[0].text == "(" and self._closing_in(tokens, 0) == len(tokens) - 1:
            tokens = tokens[1:-1]
        outer = list(_outermost(tokens))
        if any(token.text in _CONDITIONS for token in outer) or (outer and outer[0].text == "!"):
            return True
        parts: list[list[_Token]] = [[]]
        for token, depth in _with_depth(tokens):
            if depth == 0 and token.text in ("&", "|", "^", "~^"):
                parts.append([])
            else:
                parts[-1].append(token)
        if len(parts) > 1:
            return all(self._is_condition(part) for part in parts)
        return self._is_bit(tokens)

    def _is_bit(self, tokens: list[_Token]) -> bool:
        """``x[3]`` of a vector, perhaps inverted."""
        if tokens and tokens[0].text in ("~", "!"):
            tokens = tokens[1:]
        shape = [token.kind if token.kind != "sign" else token.text for token in tokens]
        if shape not in (["word", "[", "number", "]"], ["word", "[", "word", "]"]):
            return False
        array = rf"\b(?:reg|logic|wire|bit|int|integer|byte)\b[^;()]*\b{re.escape(tokens[0].text)}\s*\["
        return not re.search(array, self._text)

    @staticmethod
    def _closing_in(tokens: list[_Token], start: int) -> int:
        depth = 0
        for k in range(start, len(tokens)):
            depth += (tokens[k].text in _OPEN) - (tokens[k].text in _CLOSE)
            if depth == 0:
                return k
        return -1

    # Assertions.

    def _assertion(self, position: int) -> int:
        kind, end = self._at(position), self._closing(position + 2)
        body = self._named(self._tokens[position + 3 : end])
        semicolon = self._until(end + 1, ";")
        first = position
        label = ""
        if self._at(position - 1) == ":" and self._tokens[position - 2].kind == "word":
            first, label = position - 2, f"{self._at(position - 2)}: "
        try:
            new = self._rewritten(kind, label, body)
        except (_Unknown, IndexError):
            new = None
        if new is not None:
            self._change(first, semicolon, new)
        elif body != self._tokens[position + 3 : end]:  # Yosys would take the name for a wire
            self._change(position, semicolon, f"{kind} property ({self._source(body)});")
        return semicolon + 1

    def _named(self, body: list[_Token]) -> list[_Token]:
        """What a declared property says, where the assertion names one; the clock and the condition before it stay."""
        start = 0
        if [token.text for token in body[:2]] == ["@", "("]:
            start = self._closing_in(body, 1) + 1
        if [token.text for token in body[start : start + 3]] == ["disable", "iff", "("]:
            start = self._closing_in(body, start + 2) + 1
        name = [token for token in body[start:] if token.text not in "()"]
        if len(name) != 1 or name[0].text not in self._scope.properties:
            return body
        return body[:start] + self._scope.properties[name[0].text]

    def _rewritten(self, kind: str, label: str, body: list[_Token]) -> str | None:
        clock, disable, body = self._head(body)
        antecedent, sign, consequent = self._implication(body)
        if not clock:
            if sign or disable or any(token.text == "##" for token in body):
                raise _Unknown
            return None  # a Boolean without a clock: Yosys reads that
        if kind == "cover" and sign:
            raise _Unknown
        chain = _Chain(f"lemmata_sva{self._count}", disable)
        self._count += 1
        if kind == "cover":
            condition = chain.follow(self._sequence(antecedent))
            return chain.text(clock, [f"{label}cover ({condition});"])
        checks: list[tuple[str, str]] = []
        if not sign:
            parts, start = self._sequence(antecedent), _TRUE
        else:
            start = chain.follow(self._sequence(antecedent))
            if sign == "|=>":
                start = chain.delayed(start)
            if (until := self._until_form(consequent)) is not None:
                held, goal = until
                waiting = chain.waiting(start, goal)
                return chain.text(clock, [f"if ({chain.live(waiting)}) {label}{kind} (({goal}) || ({held}));"])
            parts = self._sequence(consequent)
        now = start
        for part in parts:
            if part.is_open:
                raise _Unknown
            for _ in range(part.delay):
                now = chain.delayed(now)
            if part.text != _TRUE:
                checks.append((chain.live(now), part.text))
                now = f"{now} && ({part.text})"
        if len(checks) == 1:
            ((enabled, held),) = checks
            return chain.text(clock, [f"if ({enabled}) {label}{kind} ({held});"])
        whole = " && ".join(f"(!({enabled}) || ({held}))" for enabled, held in checks) or _TRUE
        return chain.text(clock, [f"{label}{kind} ({whole});"])

    def _head(self, body: list[_Token]) -> tuple[str, str, list[_Token]]:
        clock, disable = self._scope.clock, self._scope.disable
        if body and body[0].text == "@":
            if body[1].text != "(":
                raise _Unknown
            end = self._closing_in(body, 1)
            clock, body = self._source(body[2:end]), body[end + 1 :]
        if [token.text for token in body[:3]] == ["disable", "iff", "("]:
            end = self._closing_in(body, 2)
            disable, body = self._source(body[3:end]), body[end + 1 :]
        if clock and not re.fullmatch(r"(posedge|negedge) [\w$.]+(\[\d+\])?", clock):
            raise _Unknown
        return clock, disable, body

    def _implication(self, body: list[_Token]) -> tuple[list[_Token], str, list[_Token]]:
        while body and body[0].text == "(" and self._closing_in(body, 0) == len(body) - 1:
            body = body[1:-1]
        places = [k for k, (token, depth) in enumerate(_with_depth(body)) if depth == 0 and token.text in ("|->", "|=>")]
        if not places:
            return body, "", []
        if len(places) > 1:
            raise _Unknown
        (k,) = places
        return body[:k], body[k].text, body[k + 1 :]

    def _until_form(self, tokens: list[_Token]) -> tuple[str, str] | None:
        """``x [*] ##1 b``."""
        words = [token.text for token in tokens]
        for k in range(len(words) - 5):
            if words[k : k + 5] == ["[", "*", "]", "##", "1"]:
                return self._boolean(tokens[:k]), self._boolean(tokens[k + 5 :])
        return None

    def _sequence(self, tokens: list[_Token]) -> list[_Part]:
        while tokens and tokens[0].text == "(" and self._closing_in(tokens, 0) == len(tokens) - 1:
            tokens = tokens[1:-1]
        parts: list[_Part] = []
        start, delay, is_open, k = 0, 0, False, 0
        depth = 0
        while k < len(tokens):
            text = tokens[k].text
            depth += (text in _OPEN) - (text in _CLOSE)
            if text == "##" and depth == 0:
                if start < k or parts:
                    parts.append(_Part(self._boolean(tokens[start:k]), delay, is_open))
                elif k:
                    raise _Unknown
                delay, is_open, k = self._delay(tokens, k + 1)
                if not parts:
                    parts.append(_Part(_TRUE, 0))
                start = k
                continue
            k += 1
        parts.append(_Part(self._boolean(tokens[start:]), delay, is_open))
        return parts

    def _delay(self, tokens: list[_Token], k: int) -> tuple[int, bool, int]:
        if tokens[k].kind == "number" and tokens[k].text.isdigit() and int(tokens[k].text) <= _LONGEST:
            return int(tokens[k].text), False, k + 1
        if tokens[k].text != "[":
            raise _Unknown
        end = self._closing_in(tokens, k)
        words = [token.text for token in tokens[k + 1 : end]]
        if words in (["+"], ["*"]):
            return int(words == ["+"]), True, end + 1
        if len(words) == 3 and words[0].isdigit() and words[1:] == [":", "$"] and int(words[0]) <= _LONGEST:
            return int(words[0]), True, end + 1
        raise _Unknown

    def _boolean(self, tokens: list[_Token]) -> str:
        """An expression without operators of sequences and properties."""
        words = [token.text for token in tokens]
        is_repeated = any(a == "[" and b in ("*", "+", "=", "->") for a, b in pairwise(words))
        if (
            not words
            or _STRANGE.intersection(words)
            or is_repeated
            or any(w in self._scope.properties for w in words)
            or any(w.startswith("$") and w.endswith("_gclk") for w in words)
        ):
            raise _Unknown
        return f"|({self._source(tokens)})"  # true is what is not zero, however many bits it has


class _Chain:
    """Registers that follow attempts of one assertion; ``disable`` ends them."""

    def __init__(self, name: str, disable: str) -> None:
        self._name = name
        self._alive = f"!({disable})" if disable else ""
        self._updates: list[tuple[str, str]] = []

    def live(self, condition: str) -> str:
        """The condition, and that the attempt is not disabled now."""
        return f"{condition} && {self._alive}" if self._alive else condition

    def delayed(self, condition: str) -> str:
        """Did it hold one cycle before?"""
        name = f"{self._name}_{len(self._updates)}"
        self._updates.append((name, self.live(f"({condition})")))
        return name

    def waiting(self, condition: str, goal: str) -> str:
        """Does it hold, or has it held without the goal since?"""
        register = f"{self._name}_{len(self._updates)}"
        now = f"({condition} || {register})"
        self._updates.append((register, self.live(f"{now} && !({goal})")))
        return now

    def follow(self, parts: list[_Part]) -> str:
        """The condition that a match of the sequence ends now."""
        now = _TRUE
        for number, part in enumerate(parts):
            for _ in range(part.delay):
                now = self.delayed(now)
            if part.is_open:
                register = f"{self._name}_{len(self._updates)}"
                now = f"({now} || {register})"
                self._updates.append((register, self.live(now)))
            now = f"{now} && ({part.text})" if number or now != _TRUE else f"({part.text})"
        return self.live(now)

    def text(self, clock: str, checks: list[str]) -> str:
        """Declarations, and the block."""
        declared = " ".join(f"reg {name} = 0;" for name, _ in self._updates)
        updates = " ".join(f"{name} <= {value};" for name, value in self._updates)
        return " ".join(f" {declared} always @({clock}) begin {updates} {' '.join(checks)} end".split()) + " "


def _with_depth(tokens: list[_Token]) -> Iterator[tuple[_Token, int]]:
    depth = 0
    for token in tokens:
        if token.text in _CLOSE:
            depth -= 1
        yield token, depth
        if token.text in _OPEN:
            depth += 1


def _outermost(tokens: list[_Token]) -> Iterator[_Token]:
    return (token for token, depth in _with_depth(tokens) if depth == 0)


def _split(tokens: list[_Token], sign: str) -> list[list[_Token]]:
    parts: list[list[_Token]] = [[]]
    for token, depth in _with_depth(tokens):
        if depth == 0 and token.text == sign:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts

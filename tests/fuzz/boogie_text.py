"""Random Boogie programs after the grammar of *This is Boogie 2*, with few parentheses and odd but legal spellings.

Expressions are printed with the parentheses that precedence demands, and now and then with more. Names have all the
characters that names may have, or are keywords behind a backslash. There are attributes, comments, declarations in any order,
synonyms of types, procedures with their implementation elsewhere. What is arbitrary is narrowed to 0 … 2 right away, so that
all runs can be listed.
"""

from __future__ import annotations

import re
from random import Random

_PLAIN = ("a", "b", "i", "k", "n", "x", "y", "tmp", "X")
_ODD = (
    "a'",
    "#x",
    "$",
    "_",
    ".a",
    "x.y",
    "~b",
    "?",
    "`q",
    "^v",
    "a#1",
    "$$",
    "x~y.z",
    "_0",
    "\\type",
    "\\old",
    "\\var",
    "\\if",
    "\\int",
    "bv",
    "bv_1",
    "int_",
    "Type",
    "modulo",
    "divx",
    "True",
    "\\assert",
    "ULTIMATE.x",
)
_COMMENTS = ("// c\n", "/* c */", "/* // */", "// /*\n", "/**/", "// é\n", "/* a\nb */", '// "\n', "/* /* nested */ */")
_ATTRIBUTES = ("{:a}", '{:s "x y"}', "{:n 1, 2}", "{:e x + 1}", '{:m "a", true}', "{:a}{:b}")
Typed = tuple[str, int]  # text, binding strength of its weakest operator; 9: an atom


class Program:
    """``text`` gives the program."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._odd = rng.choice((0.0, 0.3, 0.8))
        self._used: set[str] = set()
        self._style = rng.choice(("plain", "plain", "odd", "tight"))
        self.globals = [self._name() for _ in range(rng.choice((0, 1, 1)))]
        self.constant = self._name() if rng.random() < 0.3 else None
        self.function = self._name() if rng.random() < 0.4 else None
        self.callee = self._name() if rng.random() < 0.4 else None
        self.synonym = self._synonym() if rng.random() < 0.2 else None
        self.scope: list[str] = []
        self.bools: list[str] = []
        self.maps: list[str] = []
        self.word: str | None = None
        self.labels = 0
        self.left = rng.randint(3, 9)

    def _name(self) -> str:
        word = self._rng.choice(_ODD if self._rng.random() < self._odd else _PLAIN)
        while word in self._used:
            word += self._rng.choice("0123456789")
        self._used.add(word)
        return word

    def _synonym(self) -> str:
        """The names of bit-vectors are no names of other types."""
        while re.fullmatch(r"bv[0-9]+", name := self._name()):
            pass
        return name

    def _attribute(self) -> str:
        return " " + self._rng.choice(_ATTRIBUTES) if self._rng.random() < 0.15 else ""

    def _int(self) -> str:
        return self.synonym if self.synonym is not None and self._rng.random() < 0.3 else "int"

    # The whole.

    def text(self) -> str:
        rng = self._rng
        parts = [f"var{self._attribute()} {name}: {self._int()};" for name in self.globals]
        if self.synonym is not None:
            parts.insert(0, f"type {self.synonym} = int;")
        if self.constant is not None:
            parts.append(f"const{rng.choice(('', ' unique'))} {self.constant}: int;")
            parts.append(f"axiom{self._attribute()} {self.constant} == {rng.randint(0, 2)};")
        if self.function is not None:
            self.scope = ["p"] + ([self.constant] if self.constant else [])
            ends = rng.choice((" returns (int)", ": int", " returns (r: int)"))
            function, self.function = self.function, None
            parts.append(f"function{self._attribute()} {function}(p: int){ends} {{ {self.integer(2)[0]} }}")
            self.function = function
        if self.callee is not None:
            callee, self.callee = self.callee, None
            parts.append(self._procedure(callee, "x_in", "y_out"))
            self.callee = callee
        parts.append(self._procedure(self._name(), "", ""))
        synonyms, rest = parts[: self.synonym is not None], parts[self.synonym is not None :]
        rng.shuffle(rest)
        return self._spaced("\n".join([*synonyms, *rest, ""]))

    def _spaced(self, text: str) -> str:
        rng = self._rng
        if self._style != "odd":
            return text
        words = text.split(" ")
        spaced = [words[0]]
        for word in words[1:]:
            inside = spaced[-1].count('"') % 2 or (spaced[-1].endswith("}") and '"' in word)
            spaced.append(
                (" " if inside or rng.random() < 0.9 else rng.choice(("\n", "\t", "  ", " " + rng.choice(_COMMENTS)))) + word
            )
        text = "".join(spaced)
        return text.replace("\n", "\r\n") if rng.random() < 0.2 else text

    def _procedure(self, name: str, parameter: str, result: str) -> str:
        rng = self._rng
        variables = [self._name() for _ in range(rng.randint(1, 2))]
        flag = self._name() if rng.random() < 0.4 else None
        board = self._name() if rng.random() < 0.3 else None
        self.scope = [
            *self.globals,
            *variables,
            *([parameter] if parameter else []),
            *([self.constant] if self.constant else []),
        ]
        self.targets = [*self.globals, *variables, *([result] if result else [])]
        self.bools = [flag] if flag else []
        self.maps, self.word = [], None
        head = f"procedure{self._attribute()} {name}({parameter}{': int' if parameter else ''})"
        head += f" returns ({result}: int)" if result else rng.choice(("", " returns ()"))
        signature = head.replace("procedure", "implementation", 1)
        clauses = [f"modifies {', '.join(self.globals)};"] if self.globals else []
        bounded = [f"0 <= {v} && {v} <= 2" for v in (*self.globals, parameter) if v]
        clauses += [f"requires {' && '.join(bounded)};"] if bounded else []
        if result and rng.random() < 0.3:
            outer, self.scope, self.bools = self.scope, [*self.globals, parameter, result], []
            clauses.append(f"ensures{self._attribute()} {self.boolean(1, old=True)[0]};")
            self.scope, self.bools = outer, [flag] if flag else []
        body = ["{"]
        joined = rng.random() < 0.4 and len(variables) > 1
        narrow = {v for v in variables if not joined and rng.random() < 0.2}  # by ``where``, and not assigned first
        wheres = {v: f" where 0 <= {v} && {v} <= 2" if v in narrow else "" for v in variables}
        separate = [f"  var{self._attribute()} {v}: {self._int()}{wheres[v]};" for v in variables]
        body += [f"  var {', '.join(variables)}: int;"] if joined else separate
        word = self._name() if rng.random() < 0.3 else None
        body += [f"  var {word}: bv2;"] if word else []
        body += [f"  var {flag}: bool;"] if flag else []
        body += [f"  var {board}: {rng.choice(('[int]int', '[int] int', '([int]int)'))};"] if board else []
        for v in [v for v in (self.targets if not parameter else (*variables, result)) if v not in narrow]:
            body.append(
                f"  {v} := {rng.randint(0, 2)};" if rng.random() < 0.7 else f"  havoc {v};\n  assume 0 <= {v} && {v} <= 2;"
            )
        if result:
            self.scope.append(result)
        body += [f"  {word} := {rng.randint(0, 3)}bv2;" if rng.random() < 0.5 else f"  havoc {word};"] if word else []
        self.word = word
        body += [f"  {flag} := {rng.choice(('true', 'false'))};"] if flag else []
        if board:
            body.append(f"  {board}[0] := 1;\n  {board}[1] := {rng.randint(0, 2)};\n  {board}[2] := 0;")
            self.maps = [board]
        body += self._block(1)
        body += [f"  assert{self._attribute()} {self.boolean(3)[0]};", "}"]
        if rng.random() < 0.2:
            return "\n".join(
                rng.sample([head + ";" + "".join("\n" + c for c in clauses), signature + "\n" + "\n".join(body)], 2)
            )
        return "\n".join([head, *clauses, *body])

    # Statements.

    def _block(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self._rng.randint(1, 3)):
            if self.left > 0:
                self.left -= 1
                lines += ["  " + line for line in self._statement(depth)]
        return lines

    def _statement(self, depth: int) -> list[str]:
        rng = self._rng
        target = rng.choice(self.targets)
        match rng.randrange(14):
            case 0 | 1 | 2:
                return [f"{target} := ({self.integer(2)[0]}) mod 3;"]
            case 3 if len(self.targets) > 1:
                a, b = rng.sample(self.targets, 2)
                return [f"{a}, {b} := {b}, {a};"]
            case 4:
                return [f"havoc {target};", f"assume 0 <= {target} && {target} <= 2;"]
            case 5 | 6:
                return [f"assert{self._attribute()} {self.boolean(3)[0]};"]
            case 7:
                return [f"assume{self._attribute()} {self.boolean(2)[0]};"]
            case 8 if self.bools:
                return [f"{self.bools[0]} := {self.boolean(2)[0]};"]
            case 9 if self.maps:
                board, at = self.maps[0], f"({self.integer(1)[0]}) mod 3"
                value = self.integer(1)[0]
                return [rng.choice((f"{board}[{at}] := ({value}) mod 3;", f"{board} := {board}[{at} := ({value}) mod 3];"))]
            case 10 if self.callee is not None:
                return [f"call{self._attribute()} {target} := {self.callee}(({self.integer(1)[0]}) mod 3);"]
            case 11 if depth < 3:
                return self._loop(depth)
            case 12 if depth < 3:
                return self._jumps(depth)
            case 13 if depth < 3:
                return self._branch(depth)
        return [f"{target} := {rng.randint(0, 2)};"]

    def _branch(self, depth: int) -> list[str]:
        rng = self._rng
        lines = [f"if ({self._guard()}) {{", *self._block(depth + 1)]
        while rng.random() < 0.3:
            lines += [f"}} else if ({self._guard()}) {{", *self._block(depth + 1)]
        if rng.random() < 0.5:
            lines += ["} else {", *self._block(depth + 1)]
        return [*lines, "}"]

    def _guard(self) -> str:
        return "*" if self._rng.random() < 0.25 else self.boolean(2)[0]

    def _loop(self, depth: int) -> list[str]:
        rng = self._rng
        self.labels += 1
        label = f"L{self.labels}"
        lines = [f"{label}:"] if rng.random() < 0.6 else []
        lines.append(f"while ({self._guard()})")
        if rng.random() < 0.3:
            lines.append(f"  invariant{self._attribute()} {self.boolean(2)[0]};")
        lines += ["{", *self._block(depth + 1)]
        if rng.random() < 0.6:
            leave = f"break {label};" if lines[0] == f"{label}:" and rng.random() < 0.5 else "break;"
            lines += [f"  if ({self._guard()}) {{", f"    {leave}", "  }"]
        return [*lines, "}"]

    def _jumps(self, depth: int) -> list[str]:
        self.labels += 1
        a, b, end = (f"{letter}{self.labels}" for letter in ("A", "B'", "E#"))
        lines = [f"goto {a}, {b};", f"{a}:", *self._block(depth + 1), f"goto {self._rng.choice((end, b, f'{end}, {b}'))};"]
        return [*lines, f"{b}:", *self._block(depth + 1), f"{end}:"]

    # Expressions, with the strength of their weakest operator: 1 <==>, 2 ==>, 3 && ||, 4 relations, 6 + -, 7 * div mod, 8 !.

    def _wrap(self, part: Typed, least: int) -> str:
        text, strength = part
        return f"({text})" if strength < least or self._rng.random() < 0.1 else text

    def _op(self, word: str, tight: str = "") -> str:
        return word if self._style == "tight" and word not in ("div", "mod") else f" {word} "

    def integer(self, depth: int, old: bool = False) -> Typed:
        rng = self._rng
        if depth <= 0 or rng.random() < 0.15:
            return self._integer_atom(old)
        match rng.randrange(9):
            case 0 | 1 | 2:
                op = rng.choice("+-")
                left, right = self._wrap(self.integer(depth - 1, old), 6), self._wrap(self.integer(depth - 1, old), 7)
                return f"{left}{self._op(op)}{right}", 6
            case 3:
                left, right = self._wrap(self.integer(depth - 1, old), 7), self._wrap(self.integer(depth - 1, old), 8)
                return f"{left}{self._op('*')}{right}", 7
            case 4:
                divisor = rng.choice(("2", "3", "-2", "-3", "1"))
                return f"{self._wrap(self.integer(depth - 1, old), 7)} {rng.choice(('div', 'mod'))} {divisor}", 7
            case 5:
                return f"-{self._wrap(self.integer(depth - 1, old), 8)}", 8
            case 6:
                condition, then, other = (
                    self.boolean(depth - 1, old)[0],
                    self.integer(depth - 1, old)[0],
                    self.integer(depth - 1, old)[0],
                )
                return f"if {condition} then {then} else {other}", 0
            case 7 if self.function is not None:
                return f"{self.function}({self.integer(depth - 1, old)[0]})", 9
        return self._integer_atom(old)

    def _integer_atom(self, old: bool) -> Typed:
        rng = self._rng
        if self.maps and rng.random() < 0.25:
            at = rng.choice((str(rng.randint(0, 2)), f"({rng.choice(self.scope)}) mod 3" if self.scope else "0"))
            board = self.maps[0]
            return rng.choice(((f"{board}[{at}]", 9), (f"{board}[0 := {rng.randint(0, 2)}][{at}]", 9)))
        if self.scope and rng.random() < 0.65:
            return rng.choice(self.scope), 9
        if (
            self.globals
            and self.maps is not None
            and rng.random() < 0.2
            and (old or self.left >= 0)
            and set(self.globals) <= set(self.scope)
        ):
            return f"old({rng.choice(self.globals)})", 9
        return str(rng.choice((0, 1, 2, 3, 7, 10))), 9

    def boolean(self, depth: int, old: bool = False) -> Typed:
        rng = self._rng
        if depth <= 0:
            return self._relation(0, old) if not self.bools or rng.random() < 0.5 else (self.bools[0], 9)
        match rng.randrange(9):
            case 0 | 1:
                op = rng.choice(("&&", "||"))
                parts = [self._wrap(self.boolean(depth - 1, old), 4) for _ in range(rng.choice((2, 2, 3)))]
                return self._op(op).join(parts), 3
            case 2:
                parts = [self._wrap(self.boolean(depth - 1, old), 3) for _ in range(rng.choice((2, 3)))]
                return self._op("==>").join(parts), 2
            case 3:
                parts = [self._wrap(self.boolean(depth - 1, old), 2) for _ in range(rng.choice((2, 3)))]
                return self._op("<==>").join(parts), 1
            case 4:
                return f"!{self._wrap(self.boolean(depth - 1, old), 8)}", 8
            case 5:
                return self._bits(), 4
            case 6:
                parts = [self._wrap(self.boolean(depth - 1, old), 3) for _ in range(2)]
                return self._op("<==").join(parts), 2
        return self._relation(depth - 1, old)

    def _relation(self, depth: int, old: bool) -> Typed:
        op = self._rng.choice(("==", "!=", "<", "<=", ">", ">="))
        return f"{self._wrap(self.integer(depth, old), 5)}{self._op(op)}{self._wrap(self.integer(depth, old), 5)}", 4

    def _bits(self) -> str:
        """A relation between words."""
        rng = self._rng

        def word() -> str:
            if self.word is not None and rng.random() < 0.5:
                return rng.choice((f"{self.word} ++ {rng.randint(0, 1)}bv1", f"{self.word}[1:0] ++ {self.word}[2:0]"))
            high = rng.randint(1, 3)
            low = rng.randrange(high)
            wide = f"{rng.randrange(8)}bv3[{high}:{low}]"
            return wide + " ++ " + f"{rng.randrange(1 << 3 - (high - low))}bv{3 - (high - low)}" if high - low < 3 else wide

        return f"{word()} {rng.choice(('==', '!='))} {word()}"

"""Random small Boogie programs, whose variables stay in 0 … 2, so that every run can be listed.

Every statement has a line of its own. What is arbitrary is narrowed right away: parameters and globals by ``requires`` (or at
the start of the one entry), results and local variables by an assumption, ``havoc`` likewise. There are branches, loops with
and without conditions and invariants, ``break``, ``goto``, ``return``, calls, recursion, procedures without body, ``old``,
constants with axioms, functions, and names that hide others. *Rich* programs also have a map, of 0 and 1, at 0 and 1
only, a Boolean variable, an assumption variable, ``where`` clauses, and clauses and calls that are free.
"""

from __future__ import annotations

from random import Random

START = "ULTIMATE.start"


def random_program(seed: int, is_rich: bool = False) -> str:
    """The text of a program."""
    return _Program(Random(seed), is_rich).text()


class _Program:
    """``globals`` are known everywhere; a procedure is called with one argument, and gives one result."""

    def __init__(self, random: Random, is_rich: bool) -> None:
        self.random = random
        self.is_rich = is_rich
        self.globals = ["g", "h"][: 1 if is_rich else random.choice([1, 1, 2])]
        self.callees = ["p", "q"][: random.randint(0, 2)]
        self.has_start = random.random() < 0.5
        self.has_contract_only = random.random() < 0.3

    def text(self) -> str:
        where = self.random.choice(["", "", " where g != 1", " where g <= c", " where g < m[0] + 2"]) if self.is_rich else ""
        lines = [f"var {name} : int{where};" for name in self.globals]
        lines += ["const c : int;", f"axiom {self.random.choice(['c == 1', 'c == 2', '0 < c && c < 3'])};"]
        lines += ["function f(x : int) returns (int) { if x > c then x - 1 else x + c }"]
        lines += ["function {:inline} small(x : int) returns (bool) { 0 <= x && x <= 2 }"]
        if self.is_rich:
            lines += [
                "var m : [int]int;",
                "function cells(m : [int]int) returns (bool) { 0 <= m[0] && m[0] < 2 && 0 <= m[1] && m[1] < 2 }",
            ]
        if self.has_contract_only:
            lines += self._contract_only()
        for name in self.callees:
            lines += _Body(self, name, ["x"], ["y"]).lines()
        lines += _Body(self, START if self.has_start else "main", [], []).lines()
        return "\n".join([*lines, ""])

    def _contract_only(self) -> list[str]:
        target = self.globals[0]
        return [
            "procedure ext(x : int) returns (y : int);",
            "requires small(x);",
            f"modifies {target};",
            f"ensures small({target}) && small(y);",
            f"ensures {self.random.choice([f'{target} != old({target})', 'y == x', f'y >= old({target})'])};",
        ]


class _Body:
    """One procedure; ``ints`` are the variables that it may assign."""

    def __init__(self, program: _Program, name: str, parameters: list[str], results: list[str]) -> None:
        self.program = program
        self.random = program.random
        self.name = name
        self.parameters = parameters
        self.results = results
        self.locals = (["i", "g"] if self.random.random() < 0.2 else ["i", "j"])[: self.random.choice([1, 1, 2])]
        self.globals = [v for v in program.globals if v not in self.locals]
        self.ints = [*self.globals, *results, *self.locals]
        self.maps = ["m"] if program.is_rich else []
        self.left = self.random.randint(3, 8)  # statements
        self.loops = 0

    def lines(self) -> list[str]:
        program, pick = self.program, self.random.choice
        typed = ", ".join(f"{v} : int" for v in self.parameters)
        head = f"procedure {self.name}({typed}) returns ({', '.join(f'{v} : int' for v in self.results)})"
        lines = [head]
        if program.globals:
            lines.append(f"modifies {', '.join([*program.globals, *self.maps])};")
        if self.name != START:
            required = [f"small({v})" for v in (*program.globals, *self.parameters)]
            required += [f"x <= {program.globals[0]} + 1" for _ in self.parameters if self.maps and self.random.random() < 0.3]
            lines.append(f"requires {' && '.join(required)};")
            lines += ["requires cells(m);" for _ in self.maps]
            lines += [f"free requires {program.globals[0]} <= 1;" for _ in self.maps if self.random.random() < 0.3]
        if self.results and self.random.random() < 0.4:
            ensured = [
                f"y <= {self.random.randint(1, 2)}",
                f"old({program.globals[0]}) <= y + 1",
                "y >= x",
                f"{program.globals[0]} >= 0",
            ]
            is_free = program.is_rich and self.random.random() < 0.5
            lines.append(f"{'free ' if is_free else ''}ensures {pick(ensured)};")
        lines.append("{")
        lines += [f"  var {v} : int{self._where(v)};" for v in self.locals]
        lines += ["  var b : bool; var {:assumption} a : bool;" for _ in self.maps]
        lines.append("  assume " + " && ".join(f"small({v})" for v in (*self.results, *self.locals)) + ";")
        if self.name == START:
            lines += [f"  assume small({v});" for v in program.globals if v not in self.locals]
            lines += ["  assume cells(m);" for _ in self.maps]
            hidden = [v for v in program.globals if v in self.locals]
            lines += [f"  call start_{v}();" for v in hidden]
        lines += self._labelled() if self.random.random() < 0.25 else self._block(0)
        if self.random.random() < 0.7:
            lines.append(f"  assert {self._formula(1)};")
        return [*lines, "}", *(self._starters() if self.name == START else [])]

    def _where(self, name: str) -> str:
        if not self.maps or self.random.random() < 0.7:
            return ""
        return self.random.choice([f" where {name} <= c", f" where {name} != {self.globals[0] if self.globals else 'c'}"])

    def _starters(self) -> list[str]:
        """What the hidden globals start with."""
        hidden = [v for v in self.program.globals if v in self.locals]
        return [
            line for v in hidden for line in (f"procedure start_{v}()", f"modifies {v};", "{", f"  assume small({v});", "}")
        ]

    def _labelled(self) -> list[str]:
        names = ["A", "B", "C"]
        lines = [f"  goto {', '.join(self.random.sample(names, 2))};"]
        for name in names:
            lines += [f"  {name}:", *self._block(1)]
            lines.append(f"  goto {', '.join(self.random.sample([*names, 'D'], self.random.randint(1, 2)))};")
        return [*lines, "  D:"]

    def _block(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            if self.left > 0:
                self.left -= 1
                lines += self._statement(depth)
        return ["  " + line for line in lines]

    def _rich(self) -> list[str]:
        """A statement about the map or the Boolean variable."""
        a, b = self.random.choice(self.ints), self._cell()
        forms = [
            [f"{b} := ({self._term(1)}) mod 2;"],
            [f"m := m[({self._atom()}) mod 2 := ({self._term(1)}) mod 2];"],
            [f"{a}, {b} := {self._cell()}, {a} mod 2;"],
            [f"{b}, {a} := {self.random.randint(0, 1)}, {self._cell()};"],
            ["havoc m;", "assume cells(m);"],
            [f"b := {self._formula(1)};"],
            ["havoc b;"],
            [f"a := a && {self._formula(0)};"],
            ["havoc a;"],
            [f"assert a || {self._formula(0)};"],
            [f"assert b || {self._cell()} <= {self._atom()};"],
            [f"assume b <==> {self._formula(0)};"],
            [f"assert m[({self._atom()}) mod 2 := {self._cell()}] == m;"],
            [
                f"while (b && {self._cell()} < 2)",
                "free invariant b || c > 0;",
                "{",
                f"  {b} := {self._cell()} + 1 - 1;",
                "  b := !b;",
                "}",
            ],
        ]
        return self.random.choice(forms)

    def _cell(self) -> str:
        return f"m[({self._atom()}) mod 2]"

    def _statement(self, depth: int) -> list[str]:
        if self.maps and self.random.random() < 0.35:
            return self._rich()
        pick, roll = self.random.choice, self.random.random()
        if roll < 0.28:
            return [f"{pick(self.ints)} := ({self._term(2)}) mod 3;"]
        if roll < 0.34 and len(self.ints) > 1:
            a, b = self.random.sample(self.ints, 2)
            return [f"{a}, {b} := ({self._term(1)}) % 3, {b if self.random.random() < 0.5 else a};"]
        if roll < 0.42:
            v = pick(self.ints)
            return [f"havoc {v};", f"assume small({v});"]
        if roll < 0.48:
            return [f"assume {self._formula(1)};"]
        if roll < 0.58:
            return [f"assert {self._formula(1)};"]
        if roll < 0.61 and depth > 0:
            return ["return;"]
        if roll < 0.74:
            return self._call()
        if depth > 2:
            return [f"{pick(self.ints)} := {self.random.randint(0, 2)};"]
        return self._branch(depth) if roll < 0.88 else self._loop(depth)

    def _call(self) -> list[str]:
        program = self.program
        names = [*program.callees, *(["ext"] if program.has_contract_only else [])]
        if not names:
            return [f"{self.random.choice(self.ints)} := f({self._atom()}) mod 3;"]
        name = self.random.choice(names)
        free = "free " if self.maps and self.random.random() < 0.2 else ""
        return [f"{free}call {self.random.choice(self.ints)} := {name}(({self._term(1)}) mod 3);"]

    def _branch(self, depth: int) -> list[str]:
        condition = "*" if self.random.random() < 0.3 else self._formula(1)
        lines = [f"if ({condition}) {{", *self._block(depth + 1), "}"]
        if self.random.random() < 0.5:
            lines[-1:] = ["} else {", *self._block(depth + 1), "}"]
        return lines

    def _loop(self, depth: int) -> list[str]:
        self.loops += 1
        label = f"W{self.loops}"
        condition = "*" if self.random.random() < 0.3 else self._formula(1)
        lines = [f"{label}:", f"while ({condition})"]
        if self.random.random() < 0.3:
            lines.append(f"invariant {self._formula(1)};")
        lines += ["{", *self._block(depth + 1)]
        if self.random.random() < 0.5:
            leave = self.random.choice(["break;", f"break {label};"])
            lines += [f"  if ({self._formula(1)}) {{", f"    {leave}", "  }"]
        return [*lines, *self._block(depth + 1), "}"]

    def _atom(self) -> str:
        names = [*self.ints, *self.parameters, "c"]
        if self.maps and self.random.random() < 0.2:
            return self.random.choice(["m[0]", "m[1]", "old(m)[0]", "old(m[1])", f"m[{self.random.choice(names)} mod 2]"])
        roll = self.random.random()
        if roll < 0.25:
            return str(self.random.randint(0, 2))
        if roll < 0.35 and self.globals:
            return f"old({self.random.choice(self.globals)})"
        return self.random.choice(names)

    def _term(self, depth: int) -> str:
        if depth == 0:
            return self._atom()
        a, b = self._term(depth - 1), self._term(depth - 1)
        forms = [a, f"{a} + {b}", f"{a} - {b}", f"{a} * ({b})", f"-{self._atom()}", f"f({a})", f"({a}) mod 2", f"({a}) div -2"]
        return self.random.choice([*forms, f"(if {self._formula(0)} then {a} else {b})", f"-{self._atom()} % 2"])

    def _formula(self, depth: int) -> str:
        a, b = self._term(self.random.randint(0, 1)), self._term(0)
        plain = f"({a}) {self.random.choice(['<', '<=', '==', '!=', '>', '>='])} {b}"
        if depth == 0 or self.random.random() < 0.5:
            return plain
        other = self._formula(depth - 1)
        return self.random.choice(
            [
                f"({plain}) && ({other})",
                f"({plain}) || ({other})",
                f"!({plain})",
                f"({plain}) ==> ({other})",
                f"({plain}) <==> ({other})",
            ]
        )

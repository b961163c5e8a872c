"""Random C programs without inputs: arithmetic of all widths, conversions, shifts, loops, arrays, structs, pointers, calls,
unions, bit-fields, bytes of objects, blocks of memory, strings, initialisers with designators, pointers to functions.

A program computes one number, ``finish(number)``. Behaviour may be undefined here and there (a division, a shift): gcc's
sanitizer says so. Whatever C leaves open otherwise (the order of side effects) is avoided.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from random import Random

TYPES = (
    "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long",
    "long long", "unsigned long long", "_Bool", "char", "int", "unsigned int", "int",
)  # fmt: skip
_BINARY = ["+", "-", "*", "/", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "+", "-", "+", "-"]
_CONSTANTS = ["0", "1", "2", "3", "7", "10", "100", "127", "128", "255", "256", "1000", "32767", "65535", "2147483647"]
_STRINGS = ('"ab"', '"abc"', '"b"', '""', '"xyzuv"')
_LETTERS = ("'a'", "'b'", "'z'", "0")
_CONSTANTS += ["4294967295u", "1u", "5L", "-1", "-2", "'a'", "0x80000000", "9223372036854775807L"]


@dataclass
class _Scope:
    scalars: list[str] = field(default_factory=list)  # may be assigned
    arrays: list[str] = field(default_factory=list)  # of four elements
    pointers: list[str] = field(default_factory=list)  # to int, valid
    structs: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)  # may be read
    wholes: list[str] = field(default_factory=list)  # structures with arrays, structures and bit-fields in them
    unions: list[str] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)  # of at most seven characters

    def copy(self) -> _Scope:
        """The same names, to which more may be added."""
        return _Scope(*[list(getattr(self, part.name)) for part in fields(self)])


# The members of ``struct t`` and ``union u`` that may be read and written.
_WHOLE = ("a[0]", "a[2]", "i.a", "i.b", "i.c", "k", "m", "n")
_UNION = ("w", "b[0]", "b[3]", "h", "f.x", "f.y")


class Generator:
    """One program; ``mark`` goes before all its names."""

    def __init__(self, seed: int, mark: str = "") -> None:
        self._random = Random(seed)
        self._mark = mark
        self._count = 0
        self._lines: list[str] = []
        self._functions: list[tuple[str, int]] = []
        self._bits = self._random.random() < 0.5  # operators that want words
        self._has_objects = self._random.random() < 0.6  # structures in structures, unions, blocks of memory
        self._has_bytes = self._has_objects and self._random.random() < 0.5  # the bytes of objects

    def text(self) -> str:
        """All of it; ``main`` is called ``main_`` and the mark, ``finish`` is declared by whoever uses it."""
        draw, mark = self._random, self._mark
        scope = _Scope()
        self._emit(f"struct s{mark} {{ int a; unsigned char b; long c; }};")
        self._types()
        for _ in range(draw.randrange(3)):
            name = self._name("g")
            self._emit(f"static {draw.choice(TYPES)} {name} = {self._constant()};")
            scope.scalars.append(name)
        if draw.random() < 0.4:
            name = self._name("h")
            self._emit(f"static {draw.choice(TYPES)} {name}[4] = {{{self._constant()}, {self._constant()}}};")
            scope.arrays.append(name)
        for _ in range(draw.randrange(3)):
            self._function(scope)
        self._emit(f"static void start{mark}(void) {{")
        own = scope.copy()
        self._block(own, draw.randrange(4, 12), 2)
        sums = [f"{name}" for name in own.scalars] + [f"{a}[{i}]" for a in own.arrays for i in range(4)]
        sums += [f"{s}.{m}" for s in own.structs for m in "abc"] + [f"*{p}" for p in own.pointers]
        sums += [f"{s}.{m}" for s in own.wholes for m in _WHOLE] + [f"{u}.{m}" for u in own.unions for m in _UNION]
        sums += [f"{s}[0]" for s in own.strings]
        total = " ".join([f"hash = hash * 31u + (unsigned long long)({part});" for part in sums])
        self._emit(f"  unsigned long long hash = 7; {total} finish(hash);")
        self._emit("}")
        return "\n".join(self._lines) + "\n"

    def _types(self) -> None:
        mark = self._mark
        self._emit(f"struct t{mark} {{ short a[3]; struct s{mark} i; unsigned k : 3; int m : 5; unsigned n : 24; }};")
        members = "unsigned w; unsigned char b[4]; short h; struct { unsigned x : 5, y : 9; } f;"
        self._emit(f"union u{mark} {{ {members} }};")
        self._emit(f"static int add{mark}(int a, int b) {{ return a + b; }}")
        self._emit(f"static int mul{mark}(int a, int b) {{ return a * b; }}")
        self._emit(f"static int (*table{mark}[2])(int, int) = {{add{mark}, mul{mark}}};")

    def _emit(self, line: str) -> None:
        self._lines.append(line)

    def _name(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._mark}{self._count}"

    def _constant(self) -> str:
        return self._random.choice(_CONSTANTS)

    def _function(self, outer: _Scope) -> None:
        draw, name = self._random, self._name("f")
        count = draw.randrange(1, 3)
        scope = _Scope(list(outer.scalars), list(outer.arrays))
        parameters = []
        for _ in range(count):
            parameter = self._name("p")
            parameters.append(f"{draw.choice(TYPES)} {parameter}")
            scope.scalars.append(parameter)
        has_pointer = draw.random() < 0.4
        if has_pointer:
            pointer = self._name("q")
            parameters.append(f"int *{pointer}")
            scope.pointers.append(pointer)
        is_recursive = draw.random() < 0.3
        if is_recursive:
            parameters.append("int depth")
        self._emit(f"static {draw.choice(TYPES)} {name}({', '.join(parameters)}) {{")
        self._block(scope, draw.randrange(1, 4), 1)
        if is_recursive:
            arguments = [self._expression(scope, 1) for _ in range(count)] + ([scope.pointers[0]] if has_pointer else [])
            self._emit(f"  if (depth > 0) return {name}({', '.join(arguments)}, depth - 1) + 1;")
        self._emit(f"  return {self._expression(scope, 2)};")
        self._emit("}")
        self._functions.append((name, count + 10 * has_pointer + 100 * is_recursive))

    def _call(self, scope: _Scope) -> str | None:
        if not self._functions:
            return None
        name, shape = self._random.choice(self._functions)
        arguments = [self._expression(scope, 1) for _ in range(shape % 10)]
        if shape // 10 % 10:
            if not scope.pointers:
                return None
            arguments.append(self._random.choice(scope.pointers))
        if shape // 100:
            arguments.append(str(self._random.randrange(4)))
        return f"{name}({', '.join(arguments)})"

    def _block(self, scope: _Scope, count: int, depth: int) -> None:
        self._declare(scope)
        for _ in range(count):
            self._statement(scope, depth)

    def _declare(self, scope: _Scope) -> None:
        draw = self._random
        for _ in range(draw.randrange(1, 4)):
            name = self._name("v")
            self._emit(f"  {draw.choice(TYPES)} {name} = {self._expression(scope, 2)};")
            scope.scalars.append(name)
        if draw.random() < 0.5:
            name = self._name("a")
            self._emit(f"  {draw.choice(TYPES)} {name}[4] = {{{self._expression(scope, 1)}, {self._constant()}}};")
            scope.arrays.append(name)
        if draw.random() < 0.3:
            name = self._name("s")
            self._emit(f"  struct s{self._mark} {name} = {{{self._constant()}, {self._constant()}}};")
            scope.structs.append(name)
        if draw.random() < 0.4:
            name = self._name("i")
            self._emit(f"  int {name}[3] = {{{self._constant()}}};")
            pointer = self._name("q")
            self._emit(f"  int *{pointer} = &{name}[{draw.randrange(3)}];")
            scope.pointers.append(pointer)
        if self._has_objects:
            self._declare_objects(scope)
        if draw.random() < 0.2:
            name, pointer = self._name("x"), self._name("q")
            self._emit(f"  int {name} = {self._constant()}; int *{pointer} = &{name};")
            scope.pointers.append(pointer)

    def _declare_objects(self, scope: _Scope) -> None:
        draw, mark = self._random, self._mark
        if draw.random() < 0.5:
            name, value = self._name("t"), self._expression(scope, 1)
            init = draw.choice(
                (
                    f".i.b = {self._constant()}, {value}, .a = {{1, [2] = {self._constant()}}}, .k = 5",
                    f"{{1, {value}}}, {{2, 3}}, 4, {self._constant()}, .a[0] = 9",
                    f".m = {value}, .a[1] = {self._constant()}, 7, {self._constant()}, 8",
                    f"1, 2, 3, {self._constant()}, 5, .i = {{6}}",
                )
            )
            self._emit(f"  struct t{mark} {name} = {{{init}}};")
            scope.wholes.append(name)
        if draw.random() < 0.4 and self._has_bytes:
            name = self._name("u")
            init = draw.choice((f"{self._expression(scope, 1)}", f".b = {{1, 2, 3, {self._constant()}}}, .h = 3", ".b = {1}"))
            self._emit(f"  union u{mark} {name} = {{{init}}};")
            scope.unions.append(name)
        if draw.random() < 0.3:
            name = self._name("q")
            self._emit(f"  int *{name} = calloc({draw.randrange(1, 4)}, sizeof(int));")
            scope.pointers.append(name)
        if draw.random() < 0.3:
            name = self._name("z")
            text = draw.choice(_STRINGS)
            self._emit(f"  char {name}[8] = {draw.choice((text, f'{{{text}}}'))};")
            scope.strings.append(name)

    def _object_statement(self, scope: _Scope) -> bool:
        """Something with objects as a whole, if there are any."""
        draw = self._random
        kinds = [k for k in (scope.wholes, scope.unions, scope.strings, scope.structs) if k]
        if not kinds:
            return False
        kind = draw.choice(kinds)
        a, b = draw.choice(kind), draw.choice(kind)
        if kind is scope.strings:
            text = draw.choice((f"strcpy({a}, {draw.choice(_STRINGS)})", f"{a}[{draw.randrange(4)}] = {draw.choice(_LETTERS)}"))
            self._emit(f"  {text};")
            return True
        whole = f"sizeof {a}"
        ways = [f"{a} = {b}", f"*&{a} = {b}", f"memmove(&{a}, &{b}, {whole})"]
        ways += [f"memset(&{a}, 0, {whole})"]
        if a != b:
            ways += [f"memcpy(&{a}, &{b}, {whole})"]
        if kind is scope.wholes:
            ways += [f"memmove({a}.a + 1, {b}.a, 2 * sizeof(short))", f"{a}.i = {b}.i"]
            ways += [f"memset({a}.a, {draw.choice(('1', '-1', '255', '0x1ff'))}, sizeof {a}.a)"]
        if kind is scope.unions:
            ways += [f"memset(&{a}, {draw.choice(('1', '-1', '0x1ff'))}, {whole})"]
        if self._has_bytes:
            ways += [f"((unsigned char *)&{a})[{draw.randrange(2)}] = {self._expression(scope, 1)}"]
            ways += [f'memcpy(&{a}, "xy", 2)']
        self._emit(f"  {draw.choice(ways)};")
        return True

    def _target(self, scope: _Scope) -> str:
        draw = self._random
        kinds = [scope.scalars] * 3 + [k for k in (scope.arrays, scope.pointers, scope.structs) if k]
        kinds += [k for k in (scope.wholes, scope.unions) if k]
        kind = draw.choice(kinds)
        if not kind:
            return "sink"
        name = draw.choice(kind)
        if kind is scope.arrays:
            return f"{name}[({self._expression(scope, 1)}) & 3]" if draw.random() < 0.5 else f"{name}[{draw.randrange(4)}]"
        if kind is scope.pointers:
            return f"*{name}"
        if kind is scope.wholes or kind is scope.unions:
            return f"{name}.{draw.choice(_WHOLE if kind is scope.wholes else _UNION)}"
        return f"{name}.{draw.choice('abc')}" if kind is scope.structs else name

    def _statement(self, scope: _Scope, depth: int) -> None:
        draw, kind = self._random, self._random.random()
        names = scope.scalars
        if self._has_objects and draw.random() < 0.2 and self._object_statement(scope):
            return
        if kind < 0.35 or not names:
            op = draw.choice(("=", "=", "+=", "-=", "*=", "^=" if self._bits else "="))
            self._emit(f"  {self._target(scope)} {op} {self._expression(scope, 3)};")
        elif kind < 0.45:
            self._emit(f"  {draw.choice(names)}{draw.choice(('++', '--'))};")
        elif kind < 0.5 and len(names) > 1:
            a, b = draw.sample(names, 2)
            op = draw.choice(("++", "--"))
            self._emit(f"  {a} = {op}{b};" if draw.random() < 0.5 else f"  {a} = {b}{op};")
        elif kind < 0.58:
            if call := self._call(scope):
                self._emit(f"  {draw.choice(names)} = {call};")
        elif kind < 0.63:
            assignment = f"({self._target(scope)} {draw.choice(('=', '+=', '*='))} {self._expression(scope, 2)})"
            if draw.random() < 0.5:
                self._emit(f"  if ({self._expression(scope, 2)} && {assignment} > 3) {draw.choice(names)}--;")
            else:
                used = self._name("w")
                self._emit(f"  {{ {draw.choice(TYPES)} {used} = {assignment}; {draw.choice(names)} += {used}; }}")
        elif depth:
            self._compound(scope, depth, kind)
        else:
            self._emit(f"  {self._target(scope)} = {self._expression(scope, 2)};")

    def _compound(self, scope: _Scope, depth: int, kind: float) -> None:
        draw, names = self._random, scope.scalars
        inner = scope.copy()
        if kind < 0.78:
            self._emit(f"  if ({self._expression(scope, 3)}) {{")
            self._block(inner, draw.randrange(1, 3), depth - 1)
            if draw.random() < 0.5:
                self._emit("  } else {")
                self._statement(scope, 0)
            self._emit("  }")
        elif kind < 0.9:
            n = self._name("n")
            inner.fixed.append(n)
            sort = draw.choice(("int", "unsigned char", "long"))
            self._emit(f"  for ({sort} {n} = 0; {n} < {draw.randrange(1, 5)}; {n}++) {{")
            self._block(inner, draw.randrange(1, 3), depth - 1)
            if draw.random() < 0.3:
                self._emit(f"  if ({self._expression(inner, 2)}) {draw.choice(('break', 'continue'))};")
            self._emit("  }")
        else:
            self._emit(f"  switch ({self._expression(scope, 1)} & 3) {{ case 0: {draw.choice(names)} = 5; break; case 1:")
            self._emit(f"  {draw.choice(names)} += 2; default: {draw.choice(names)} ^= 0; }}")

    def _expression(self, scope: _Scope, depth: int) -> str:
        draw = self._random
        if depth == 0 or draw.random() < 0.2:
            return self._leaf(scope)
        kind = draw.random()
        if kind < 0.55:
            op = draw.choice(_BINARY)
            if op in ("&", "|", "^") and not self._bits:
                return f"({self._expression(scope, depth - 1)} {op} {draw.choice(('1', '255', '12', '-16', '0xf0f'))})"
            if op in ("/", "%") and draw.random() < 0.7:
                return f"({self._expression(scope, depth - 1)} {op} {draw.choice(('3', '7', '-5', '10u', '2'))})"
            return f"({self._expression(scope, depth - 1)} {op} {self._expression(scope, depth - 1)})"
        if kind < 0.65:
            amount = str(draw.randrange(8)) if not self._bits or draw.random() < 0.7 else f"({self._leaf(scope)} & 7)"
            return f"({self._expression(scope, depth - 1)} {draw.choice(('<<', '>>'))} {amount})"
        if kind < 0.78:
            return f"(({draw.choice(TYPES)}){self._expression(scope, depth - 1)})"
        if kind < 0.9:
            return f"({draw.choice(('-', '~', '!', '+'))}{self._expression(scope, depth - 1)})"
        if kind < (0.93 if self._has_objects else 0.97):
            parts = [self._expression(scope, depth - 1) for _ in range(3)]
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        if kind < 0.985 and self._has_objects:
            return self._of_object(scope, depth)
        return f"sizeof({draw.choice(TYPES)})"

    def _of_object(self, scope: _Scope, depth: int) -> str:
        draw = self._random
        ways = [f"table{self._mark}[{self._expression(scope, depth - 1)} & 1]({self._leaf(scope)}, 3)"]
        if scope.strings:
            a, b = draw.choice(scope.strings), draw.choice(scope.strings)
            ways += [f"strlen({a})", f"(strcmp({a}, {b}) < 0)", f"(strchr({a}, 'b') == {a} + 1)"]
        if self._has_bytes and scope.scalars:
            name = draw.choice(scope.scalars)
            ways += [f"((unsigned char *)&{name})[0]", f"((char *)&{name})[sizeof {name} - 1]"]
        return draw.choice(ways)

    def _leaf(self, scope: _Scope) -> str:
        draw = self._random
        names = [scope.scalars] * 3 + [k for k in (scope.arrays, scope.pointers, scope.structs, scope.fixed) if k]
        names += [k for k in (scope.wholes, scope.unions) if k]
        kind = draw.choice(names)
        if not kind or draw.random() < 0.25:
            return f"({self._constant()})"
        name = draw.choice(kind)
        if kind is scope.arrays:
            return f"{name}[{draw.randrange(4)}]"
        if kind is scope.pointers:
            return f"(*{name})"
        if kind is scope.wholes or kind is scope.unions:
            return f"{name}.{draw.choice(_WHOLE if kind is scope.wholes else _UNION)}"
        return f"{name}.{draw.choice('abc')}" if kind is scope.structs else name


def random_c(seed: int, mark: str = "") -> str:
    """The program without ``main`` and ``finish``."""
    return Generator(seed, mark).text()

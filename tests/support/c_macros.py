"""Random texts that are full of macros, conditions and odd white space, for preprocessors."""

from __future__ import annotations

import random

OBJECTS = ("A", "B", "C", "D", "EMPTY")
FUNCTIONS = {"f": 1, "g": 2, "h": 0, "k": 1, "m": 2}
VARIADIC = {"v": 0, "w": 1}  # names before the dots
PLAIN = ("x", "y", "zed", "k9", "_1", "e")
NUMBERS = ("0", "1", "2", "007", "0x1F", "1e", ".5", "12u", "5L")
SIGNS = (
    "+",
    "-",
    "*",
    "/",
    "<",
    ">",
    "=",
    "&",
    "|",
    "!",
    "~",
    "^",
    "%",
    ".",
    ":",
    "?",
    ";",
    "[",
    "]",
    "->",
    "++",
    "<<=",
    "...",
)
QUOTED = ('"s"', '"a\\"b"', '"\\\\"', "'c'", "'\\''", "'\\n'", '""')
DIGRAPHS = ("<:", ":>", "<%", "%>")


def random_macros(seed: int) -> str:
    """A text that a preprocessor can read or refuse; the same for the same seed."""
    return _Text(random.Random(seed)).text()


class _Text:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._depth = 0

    def text(self) -> str:
        rng = self._rng
        lines = ["#define STR(x) #x", "#define XSTR(x) STR(x)", "#define CAT(a, b) a ## b", "#define XCAT(a, b) CAT(a, b)"]
        names = [*OBJECTS, *FUNCTIONS, *VARIADIC]
        rng.shuffle(names)
        lines += [self._define(name) for name in names[: rng.randint(2, len(names))]]
        for _ in range(rng.randint(2, 8)):
            lines += self._line()
        return self._spliced("\n".join(lines) + "\n")

    def _define(self, name: str) -> str:
        rng = self._rng
        if name == "EMPTY":
            return "#define EMPTY"
        if name in OBJECTS:
            return f"#define {name} {self._body((), False)}".rstrip()
        if name in FUNCTIONS:
            parameters = ("p", "q")[: FUNCTIONS[name]]
            return f"#define {name}({', '.join(parameters)}) {self._body(parameters, False)}".rstrip()
        first = ("p",)[: VARIADIC[name]]
        rest = "..." if rng.random() < 0.8 else "r..."
        last = "r" if rest[0] == "r" else "__VA_ARGS__"
        return f"#define {name}({', '.join([*first, rest])}) {self._body((*first, last), True)}"

    def _body(self, parameters: tuple[str, ...], is_variadic: bool) -> str:
        rng = self._rng
        parts: list[str] = []
        for _ in range(rng.randint(0, 6)):
            roll = rng.random()
            if parameters and roll < 0.4:
                name = rng.choice(parameters)
                parts.append(f"#{self._gap()}{name}" if rng.random() < 0.2 else name)
            elif roll < 0.43:
                names = (*PLAIN, *parameters, "1", *OBJECTS[:2])
                parts += [rng.choice(names), "##", rng.choice(names)]
            elif roll < 0.5 and is_variadic:
                parts += [",", "##", parameters[-1]]
            else:
                parts.append(self._item(1))
        return self._joined(parts)

    def _joined(self, parts: list[str]) -> str:
        """With blanks only where two tokens would become one that nobody meant, or at random."""
        text = ""
        for part in parts:
            glued = text and (text[-1].isalnum() or text[-1] in "_.\"'") and (part[0].isalnum() or part[0] in "_.\"'")
            is_sign = text and text[-1] in "+-*/<>=&|!%^#:.~?" and part[0] in "+-*/<>=&|!%^#:.~?"
            text += (" " if glued or is_sign else self._gap()) + part
        return text

    def _gap(self) -> str:
        return self._rng.choice(("", "", " ", "  ", "\t", "/**/", " /* c */ "))

    def _item(self, depth: int) -> str:
        """One token, or a call."""
        rng = self._rng
        roll = rng.random()
        if roll < 0.25:
            return self._call(depth)
        if roll < 0.45:
            return rng.choice(OBJECTS)
        if roll < 0.55:
            return rng.choice(PLAIN)
        if roll < 0.65:
            return rng.choice(NUMBERS)
        if roll < 0.85:
            return rng.choice(SIGNS)
        if roll < 0.93:
            return rng.choice(QUOTED)
        if roll < 0.96:
            return rng.choice(DIGRAPHS)
        return rng.choice(("__LINE__", "__COUNTER__", "( x )", ",", "f", "g"))

    def _call(self, depth: int) -> str:
        rng = self._rng
        name = rng.choice((*FUNCTIONS, *VARIADIC, "STR", "XSTR", "CAT", "XCAT"))
        count = FUNCTIONS.get(name, {"STR": 1, "XSTR": 1, "CAT": 2, "XCAT": 2}.get(name, rng.randint(0, 3)))
        if rng.random() < 0.005:
            count += 1
        is_pasted = "CAT" in name and rng.random() < 0.97
        arguments = [rng.choice((*PLAIN, *OBJECTS, "1", "")) if is_pasted else self._argument(depth) for _ in range(count)]
        return f"{name}{self._gap()}({','.join(arguments)})"

    def _argument(self, depth: int) -> str:
        rng = self._rng
        if depth > 3 or rng.random() < 0.1:
            return rng.choice(("", "x", " y ", "A", "EMPTY", "1"))
        items = [self._item(depth + 1) for _ in range(rng.randint(1, 3))]
        return self._gap() + self._joined([item for item in items if item != ","]) + self._gap()

    def _line(self) -> list[str]:
        rng = self._rng
        roll = rng.random()
        if roll < 0.6:
            text = self._joined([self._item(0) for _ in range(rng.randint(1, 7))])
            return [text.replace(",", ",\n", 1) if rng.random() < 0.3 else text]
        if roll < 0.7:
            name = rng.choice((*OBJECTS, *FUNCTIONS, *VARIADIC))
            return [f"#undef {name}", self._define(name)] if rng.random() < 0.7 else [f"  #  undef {name}"]
        if roll < 0.75:
            return [f'#line {rng.randint(1, 99)} "file{rng.randint(0, 3)}.c"', "__LINE__ __FILE__"]
        if roll < 0.8:
            return [rng.choice(("// comment \\\n more", "/* a\n b */ x /**/ y", "%: define Q q", "#", "# 7", "#pragma x y"))]
        if self._depth > 2:
            return ["x"]
        return self._conditional()

    def _conditional(self) -> list[str]:
        rng = self._rng
        self._depth += 1
        name = rng.choice((*OBJECTS, *FUNCTIONS))
        first = f"#if {self.condition(0)}" if rng.random() < 0.7 else f"#{rng.choice(('ifdef', 'ifndef'))} {name}"
        lines = [first, *self._line()]
        if rng.random() < 0.4:
            lines += [f"#elif {self.condition(0)}", *self._line()]
        if rng.random() < 0.5:
            lines += [rng.choice(("#else", " # else /* c */")), *self._line()]
        self._depth -= 1
        return [*lines, "#endif"]

    def condition(self, depth: int) -> str:
        """An expression for ``#if``."""
        rng = self._rng
        if depth > 3 or rng.random() < 0.2:
            name = rng.choice((*OBJECTS, *FUNCTIONS))
            wide = (
                "0xFFFFFFFFFFFFFFFF",
                "9223372036854775807",
                "18446744073709551615u",
                "-1",
                "1u",
                "0u",
                "'a'",
                "'\\377'",
                "'\\0'",
            )
            small = ("0", "1", "2", "3", "010", "0x10", "0b11", "true", "x", "int")
            names = (f"defined {name}", f"defined({name})", f"defined ( {name} )", "__LINE__", "XCAT(1, 2)", "-0x1p")
            return rng.choice(rng.choice((wide, small, small, names[:-1])))
        roll = rng.random()
        if roll < 0.2:
            return f"{rng.choice('+-!~')} {self.condition(depth + 1)}"
        if roll < 0.3:
            parts = [self.condition(depth + 1) for _ in range(3)]
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        if roll < 0.35:
            return f"{self.condition(depth + 1)} {rng.choice(('/', '%', '<<', '>>'))} {rng.randint(1, 9)}"
        operators = ("+", "-", "*", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||")
        text = f"{self.condition(depth + 1)} {rng.choice(operators)} {self.condition(depth + 1)}"
        return f"({text})" if rng.random() < 0.5 else text

    def _spliced(self, text: str) -> str:
        """Lines are spliced anywhere, also inside of tokens."""
        rng = self._rng
        for _ in range(rng.choice((0, 0, 1, 3))):
            at = rng.randrange(len(text))
            if "\\" not in text[max(0, at - 1) : at + 1]:
                text = text[:at] + "\\\n" + text[at:]
        return text

"""Random small designs for comparisons with Icarus Verilog: expressions of all widths and signs, and processes.

A design is combinational: inputs, wires with expressions, and variables that processes assign. Widths, signs and the context in
which an expression is evaluated vary. Nothing is divided by zero or selected out of range, which would be ``x`` in simulation.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

_UNARY = ("~", "-", "+", "!", "&", "|", "^", "~&", "~|", "~^")
_BINARY = ("+", "-", "*", "/", "%", "<<", ">>", "<<<", ">>>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^", "~^")


@dataclass
class Name:
    """A declared vector: ``[left:right]``, with a sign or not."""

    text: str
    left: int
    right: int
    is_signed: bool

    @property
    def width(self) -> int:
        return abs(self.left - self.right) + 1

    def declared(self, kind: str) -> str:
        return f"{kind} {'signed ' if self.is_signed else ''}[{self.left}:{self.right}] {self.text}"


@dataclass
class RandomDesign:
    """A module ``m``; ``inputs`` and ``outputs`` are its names."""

    rng: random.Random
    inputs: list[Name] = field(default_factory=list)
    outputs: list[Name] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def text(self) -> str:
        ports = ", ".join(one.declared("input") for one in self.inputs)
        return "\n".join([f"module m({ports});", *self.lines, "endmodule", ""])

    def vector(self, text: str) -> Name:
        width, low = self.rng.choice((1, 2, 3, 4, 5, 7, 8, 9)), self.rng.choice((0, 0, 0, 0, 1, 3, -2))
        ends = (low + width - 1, low) if self.rng.random() < 0.75 else (low, low + width - 1)
        return Name(text, *ends, self.rng.random() < 0.4)

    def literal(self) -> str:
        rng = self.rng
        if rng.random() < 0.3:
            return str(rng.choice((0, 1, 2, 3, 5, 9, 100)))
        width = rng.choice((1, 2, 3, 4, 6, 8, 10))
        value, sign = rng.randrange(1 << width), rng.choice(("", "", "s"))
        base = rng.choice(((f"b{value:b}"), (f"d{value}"), (f"h{value:x}"), (f"o{value:o}")))
        return f"{width}'{sign}{base}"

    def select(self, one: Name) -> str:
        rng, low, high = self.rng, min(one.left, one.right), max(one.left, one.right)
        kind = rng.randrange(5)
        if kind == 0:
            return f"{one.text}[{rng.randint(low, high)}]"
        if kind == 1:
            a, b = sorted((rng.randint(low, high), rng.randint(low, high)))
            return f"{one.text}[{b}:{a}]" if one.left >= one.right else f"{one.text}[{a}:{b}]"
        if kind == 2:
            width = rng.randint(1, one.width)
            start = rng.randint(low, high - width + 1)
            return f"{one.text}[{start} +: {width}]" if rng.random() < 0.5 else f"{one.text}[{start + width - 1} -: {width}]"
        if not any(name.text == "d0" for name in self.inputs):
            return one.text
        index = f"$unsigned(2'({self.expression(1)}))"
        return rng.choice((f"d0[{index}]", f"d1[{{1'b1, {index}}}]", f"d0[{index} +: 3]", f"d1[{{1'b1, {index}}} -: 4]"))

    def known(self) -> list[Name]:
        return self.inputs + self.outputs

    def expression(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.1:
            kind = rng.random()
            if kind < 0.25:
                return self.literal()
            one = rng.choice(self.known())
            return one.text if kind < 0.75 else self.select(one)
        kind = rng.randrange(12)
        inner = [self.expression(depth - 1) for _ in range(3)]
        if kind < 5:
            sign = rng.choice(_BINARY)
            if sign in ("/", "%"):
                return f"({inner[0]} {sign} ({inner[1]} | 1))"
            if sign in ("<<", ">>", "<<<", ">>>"):  # Icarus 11 takes some amounts of one bit for negative
                return f"({inner[0]} {sign} $unsigned({inner[1]}))"
            return f"({inner[0]} {sign} {inner[1]})"
        if kind == 5:
            return f"({rng.choice(_UNARY)}{inner[0]})" if inner[0][0] not in "&|~^+-" else f"({rng.choice(_UNARY)}({inner[0]}))"
        if kind == 6:
            return f"({inner[0]} ? {inner[1]} : {inner[2]})"
        if kind == 7:
            return f"{{{', '.join(self.sized(depth - 1) for _ in range(rng.randint(1, 3)))}}}"
        if kind == 8:
            return f"{{{rng.randint(1, 3)}{{{self.sized(depth - 1)}}}}}"
        if kind == 9:
            return f"{rng.choice(('$signed', '$unsigned'))}({inner[0]})"
        if kind == 10:
            return f"{rng.choice((1, 2, 3, 4, 6, 9, 12))}'({inner[0]})"
        return (
            f"({inner[0]} ** {rng.choice((0, 1, 2, 3))})"
            if rng.random() < 0.4
            else f"f{rng.randrange(2)}({inner[0]}, {inner[1]})"
        )

    def sized(self, depth: int) -> str:
        """An expression that may stand in a concatenation: numbers have sizes."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.6:
            one = rng.choice(self.known())
            return one.text if rng.random() < 0.6 else self.select(one)
        return f"$unsigned({rng.randint(1, 8)}'({self.expression(depth - 1)}))"

    def statement(self, target: Name, depth: int, with_loops: bool = True) -> str:
        rng = self.rng
        kind = rng.randrange(7 if with_loops else 6) if depth else 0
        if kind <= 1:
            left = target.text if rng.random() < 0.6 else self.select(target)
            left = target.text if left.startswith(("d0", "d1")) else left
            return f"{left} = {self.expression(2)};"
        first, second = (self.statement(target, depth - 1, with_loops and kind != 6) for _ in range(2))
        if kind == 2:
            return f"begin {first} {second} end"
        if kind == 3:
            return f"if ({self.expression(2)}) {first} else {second}"
        if kind == 4:
            return f"if ({self.expression(2)}) begin {first} end"
        if kind == 5:
            word = rng.choice(("case", "casez"))
            items = " ".join(
                f"{self.literal()}: {self.statement(target, depth - 1, with_loops)}" for _ in range(rng.randint(1, 3))
            )
            return f"{word} ({self.expression(2)}) {items} {self.expression(1)}: {first} default: {second} endcase"
        return f"for (i = 0; i < {rng.randint(1, 4)}; i = i + 1) begin {first} end"


def random_design(rng: random.Random, wires: int = 12, variables: int = 4) -> RandomDesign:
    """A design with that many wires and variables."""
    design = RandomDesign(rng)
    design.inputs = [Name("d0", 7, 0, False), Name("d1", 0, 8, True), *(design.vector(f"a{k}") for k in range(3))]
    for k in range(2):
        result, p, q = design.vector(f"f{k}"), design.vector("p"), design.vector("q")
        inner = RandomDesign(rng, inputs=[p, q])
        body = f"f{k} = {_without_calls(inner, 2)}; if ({_without_calls(inner, 1)}) f{k} = {_without_calls(inner, 2)};"
        head = result.declared("function").removeprefix("function ")
        design.lines.append(f"  function {head}({p.declared('input')}, {q.declared('input')}); begin {body} end endfunction")
    for k in range(wires):
        one = design.vector(f"w{k}")
        design.lines.append(f"  {one.declared('wire')}; assign {one.text} = {design.expression(rng.randint(1, 4))};")
        design.outputs.append(one)
    for k in range(variables):
        one = design.vector(f"v{k}")
        text = f"begin {one.text} = {design.expression(2)}; {design.statement(one, 3)} {design.statement(one, 3)} end"
        text = re.sub(r"\bi\b", f"i{k}", text)
        design.lines.append(f"  {one.declared('reg')}; integer i{k}; always @* begin i{k} = 0; {text} end")
        design.outputs.append(one)
    return design


def _without_calls(design: RandomDesign, depth: int) -> str:
    while True:
        text = design.expression(depth)
        if "f0(" not in text and "f1(" not in text:
            return text

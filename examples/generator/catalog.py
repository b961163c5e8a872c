"""The list of examples: each design registers itself with its file name, what is expected of it, and where it is from."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from generator.circuit import Circuit
from lemmata.models.aig import Aig


@dataclass(frozen=True)
class Example:
    """One shipped file; the docstring of ``design`` tells what the circuit is."""

    file: str
    design: Callable[[], Circuit]
    unsafe: tuple[str, ...]  # names of the properties that fail; the others hold
    origin: str

    @property
    def expected(self) -> str:
        """The verdict on the whole file."""
        return "unsafe" if self.unsafe else "safe"

    def build(self) -> Aig:
        """The circuit with its header as comments."""
        circuit = self.design()
        names = [prop.name for prop in circuit.build().properties()]
        assert set(self.unsafe) <= set(names), self.file
        each = [f"expected {name}: {'unsafe' if name in self.unsafe else 'safe'}" for name in names] if len(names) > 1 else []
        about = inspect.cleandoc(self.design.__doc__ or "").split("\n")
        return circuit.build([*about, "", f"expected: {self.expected}", *each, f"from: {self.origin}"])


CATALOG: list[Example] = []
OURS = "written for Lemmata (examples/generate.py)"


def example(
    file: str, unsafe: tuple[str, ...] = (), origin: str = OURS
) -> Callable[[Callable[[], Circuit]], Callable[[], Circuit]]:
    """Register a design as the file ``file``."""

    def register(design: Callable[[], Circuit]) -> Callable[[], Circuit]:
        CATALOG.append(Example(file, design, unsafe, origin))
        return design

    return register

"""Sorts: the types of terms. Each sort is one object, so ``is`` compares them.

``BOOL``, ``INT`` and ``REAL`` are constants; ``BitVec(8)`` and ``Array(BitVec(4), BitVec(8))`` give the same object for the
same parameters every time. They print as SMT-LIB writes them.
"""

from __future__ import annotations

from typing import ClassVar


class Sort:
    """A type of values."""

    __slots__ = ()


class _Plain(Sort):
    """A sort without parameters."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name

    def __reduce__(self) -> str:
        return self._name.upper()


BOOL: Sort = _Plain("Bool")
INT: Sort = _Plain("Int")
REAL: Sort = _Plain("Real")


class BitVec(Sort):
    """Words of ``width`` bits, at least one."""

    __slots__ = ("width",)
    width: int
    _known: ClassVar[dict[int, BitVec]] = {}

    def __new__(cls, width: int) -> BitVec:  # noqa: D102
        found = cls._known.get(width)
        if found is None:
            if width < 1:
                raise ValueError(f"a bit-vector needs at least one bit, not {width}")
            found = super().__new__(cls)
            found.width = width
            cls._known[width] = found
        return found

    def __reduce__(self) -> tuple[type[BitVec], tuple[int]]:
        return BitVec, (self.width,)

    def __repr__(self) -> str:
        return f"(_ BitVec {self.width})"


class Array(Sort):
    """Total maps from ``index`` to ``element``."""

    __slots__ = ("element", "index")
    index: Sort
    element: Sort
    _known: ClassVar[dict[tuple[Sort, Sort], Array]] = {}

    def __new__(cls, index: Sort, element: Sort) -> Array:  # noqa: D102
        found = cls._known.get((index, element))
        if found is None:
            found = super().__new__(cls)
            found.index = index
            found.element = element
            cls._known[index, element] = found
        return found

    def __reduce__(self) -> tuple[type[Array], tuple[Sort, Sort]]:
        return Array, (self.index, self.element)

    def __repr__(self) -> str:
        return f"(Array {self.index} {self.element})"

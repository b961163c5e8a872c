"""Our ``dataclass`` and the standard one make classes that behave alike."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from lemmata import values

T = TypeVar("T")
HOW = [
    {"frozen": frozen, "slots": slots, "eq": eq} for frozen in (False, True) for slots in (False, True) for eq in (False, True)
]


def classes(decorate: Any, how: dict[str, bool]) -> tuple[Any, Any, Any]:
    @decorate(**how)
    class Point:
        """A point."""

        kind: ClassVar[str] = "point"
        x: int
        y: int = 7
        line: int = field(default=0, compare=False, repr=False)
        names: list[str] = field(default_factory=list, compare=False)
        length: int = field(default=0, init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "length", self.x + self.y)

    @decorate(**how)
    class Space(Point):
        z: int = 3
        y: int = 8

    @decorate(**how)
    class Own(Generic[T]):
        value: T

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 5

    return Point, Space, Own


def behaviour(decorate: Any, how: dict[str, bool]) -> list[object]:
    """What the classes answer, in the order of the questions."""
    point_class, space_class, own_class = classes(decorate, how)
    point, same, other = point_class(1, line=4), point_class(1, line=5), point_class(x=2, y=1, names=["a"])
    seen: list[object] = [repr(point), repr(space_class(1)), repr(own_class([1])), point_class.kind, point.length]
    seen += [point == same, point == other, point != other, point == space_class(1), space_class(1) == space_class(1, z=3)]
    seen += [point_class.__match_args__, space_class.__match_args__, point_class.__doc__, point_class.__qualname__]
    seen += [[f.name for f in dataclasses.fields(space_class)], dataclasses.asdict(other), dataclasses.is_dataclass(point)]
    seen += [dataclasses.replace(other, x=9).x, dataclasses.replace(other, x=9).names, copy.deepcopy(other).names]
    seen += [hasattr(point, "__dict__"), getattr(point_class, "__slots__", None), getattr(space_class, "__slots__", None)]
    seen += [point_class.__hash__ is None, hash(own_class(1)) == 5, point.names is not same.names]
    if how["frozen"] and how["eq"]:
        seen += [hash(point) == hash(same), hash(point) == hash((1, 7))]
    for trial in (lambda: point_class(), lambda: point_class(1, 2, 3, [], 5), lambda: point_class(1, w=2)):
        with pytest.raises(TypeError):
            trial()
    for change in (lambda: setattr(point, "x", 2), lambda: delattr(point, "x")):
        try:
            change()
            seen.append("changed")
        except FrozenInstanceError as error:
            seen.append(str(error))
        except AttributeError:
            seen.append("attribute")
    return seen


@pytest.mark.parametrize("how", HOW, ids=str)
def test_it_makes_what_the_standard_one_makes(how):
    assert behaviour(values.dataclass, how) == behaviour(dataclasses.dataclass, how)


@values.dataclass(frozen=True, slots=True)
class Pickled:
    a: int
    b: tuple[int, ...] = ()


def test_values_travel_through_pipes():
    assert pickle.loads(pickle.dumps(Pickled(1, (2,)))) == Pickled(1, (2,))
    assert {Pickled(1): "found"}[copy.copy(Pickled(1))] == "found"


def test_a_method_is_written_once_at_its_first_call():
    @values.dataclass(frozen=True, slots=True)
    class One:
        a: int

    stub = One.__init__
    assert One(1) == One(1)
    written = One.__init__
    assert written is not stub and One(2) != One(1) and One.__init__ is written

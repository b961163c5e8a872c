"""``dataclass``: that of the standard library, except that a method is written when it is called for the first time.

The standard decorator compiles six functions for each class, half a millisecond in Python 3.11. A run meets up to 180 classes,
uses few methods of each, and would spend a third of its start on compiling the others. Here the class is made at once, with its
fields, slots and ``__match_args__``; in the place of ``__init__``, ``__eq__`` and ``__hash__`` there are stubs that write the
method, put it into the class and call it. What the decorators share is meant to be the same, also for what the
standard module does with such classes (``tests/whole/test_values.py`` compares them); other options, and fields other than
ordinary ones, are not supported.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError
from inspect import get_annotations
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import Any, TypeVar, dataclass_transform

_C = TypeVar("_C", bound=type)
_UNKNOWN = {"hash": None, "kw_only": False}  # options of fields that must have their usual value


@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(*, frozen: bool = False, slots: bool = False, eq: bool = True) -> Callable[[_C], _C]:
    """As ``dataclasses.dataclass``."""

    def decorate(cls: _C) -> _C:
        own = _own_fields(cls)
        inherited = {
            name: field
            for base in reversed(cls.__mro__[1:])
            for name, field in base.__dict__.get("__dataclass_fields__", {}).items()
        }
        made = _with_slots(cls, own, inherited) if slots else cls
        _furnish(made, inherited | own, frozen, slots, eq)
        return made

    return decorate


def _own_fields(cls: type) -> dict[str, Field[Any]]:
    """The fields that the class itself declares; a default that was no plain value is taken out of the class."""
    found = {}
    for name, annotation in get_annotations(cls).items():
        if "ClassVar" in str(annotation):
            continue
        default = cls.__dict__.get(name, MISSING)
        field = default if isinstance(default, Field) else dataclasses.field(default=default)
        assert all(getattr(field, option) in (usual, MISSING) for option, usual in _UNKNOWN.items()), (cls, name)
        field.name, field.type, field._field_type = name, annotation, dataclasses._FIELD  # type: ignore[union-attr,attr-defined]
        found[name] = field
        if field is default:
            delattr(cls, name)
            if field.default is not MISSING:
                setattr(cls, name, field.default)
    return found


def _with_slots(cls: _C, own: Collection[str], inherited: Collection[str]) -> _C:
    """The same class with slots for its own fields: slots can be had only when a class is made."""
    content = {name: value for name, value in cls.__dict__.items() if name not in {*own, "__dict__", "__weakref__"}}
    slots = tuple(name for name in own if name not in inherited)
    made = type(cls)(cls.__name__, cls.__bases__, {**content, "__slots__": slots})
    made.__qualname__ = cls.__qualname__
    return made


def _furnish(cls: Any, fields: dict[str, Field[Any]], frozen: bool, slots: bool, eq: bool) -> None:
    content = cls.__dict__
    cls.__dataclass_fields__ = fields
    if "__match_args__" not in content:
        type.__setattr__(cls, "__match_args__", tuple(name for name, field in fields.items() if field.init))
    if "__init__" not in content:
        _write_late(cls, "__init__", lambda: _init(cls, fields, frozen))
    if "__repr__" not in content:
        cls.__repr__ = _repr
    if eq:
        compared = [name for name, field in fields.items() if field.compare]
        if "__eq__" not in content:
            _write_late(cls, "__eq__", lambda: _eq(compared))
        if frozen and content.get("__hash__") is None:
            _write_late(cls, "__hash__", lambda: _hash(compared))
        elif "__hash__" not in content:
            cls.__hash__ = None
    if frozen:
        cls.__setattr__, cls.__delattr__ = _refuse(cls, "__setattr__"), _refuse(cls, "__delattr__")
    if frozen and slots and "__getstate__" not in content:  # the usual way sets attributes
        cls.__getstate__, cls.__setstate__ = _getstate, _setstate


def _write_late(cls: type, name: str, write: Callable[[], Callable[..., Any]]) -> None:
    def stub(self: Any, *args: Any, **options: Any) -> Any:
        method = write()
        method.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, method)
        return method(self, *args, **options)

    setattr(cls, name, stub)


def _compiled(name: str, parameters: str, lines: Sequence[str], known: dict[str, Any]) -> Callable[..., Any]:
    text = f"def {name}({parameters}):\n " + "\n ".join(lines)
    exec(text, known)
    method: Callable[..., Any] = known[name]
    return method


def _init(cls: type, fields: dict[str, Field[Any]], frozen: bool) -> Callable[..., Any]:
    known: dict[str, Any] = {"_put": object.__setattr__, "_made": MISSING}
    parameters, lines = ["self"], []
    for name, field in fields.items():
        value, parameter = name, name
        if field.default_factory is not MISSING:
            known[f"_make_{name}"] = field.default_factory
            value, parameter = f"_make_{name}() if {name} is _made else {name}", f"{name}=_made"
        elif field.default is not MISSING:
            known[f"_default_{name}"] = field.default
            value, parameter = name if field.init else f"_default_{name}", f"{name}=_default_{name}"
        if field.init:
            parameters.append(parameter)
        elif field.default is MISSING:
            continue  # for ``__post_init__``
        if frozen and isinstance(place := getattr(cls, name, None), MemberDescriptorType):
            known[f"_put_{name}"] = place.__set__  # quicker than ``object.__setattr__``
            lines.append(f"_put_{name}(self, {value})")
        else:
            lines.append(f"_put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    return _compiled("__init__", ", ".join(parameters), lines or ["pass"], known)


def _tuple(whose: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{whose}.{name},' for name in names)})"


def _eq(names: Sequence[str]) -> Callable[..., Any]:
    equal = f" return {_tuple('self', names)} == {_tuple('other', names)}"
    return _compiled("__eq__", "self, other", ["if other.__class__ is self.__class__:", equal, "return NotImplemented"], {})


def _hash(names: Sequence[str]) -> Callable[..., Any]:
    return _compiled("__hash__", "self", [f"return hash({_tuple('self', names)})"], {})


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, field in self.__dataclass_fields__.items() if field.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _refuse(cls: Any, method: str) -> Callable[..., None]:
    """The ``__setattr__`` or ``__delattr__`` of a frozen class."""
    usual = getattr(super(cls, cls), method)

    def refuse(self: Any, name: str, *value: Any) -> None:
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")
        usual(self, name, *value)

    return refuse


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _setstate(self: Any, state: Sequence[Any]) -> None:
    for name, value in zip(self.__dataclass_fields__, state, strict=True):
        object.__setattr__(self, name, value)

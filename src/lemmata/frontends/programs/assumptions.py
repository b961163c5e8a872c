"""Variables marked ``{:assumption}``: truth values that only get stronger (Leino, Wüstholz 2015, section 3).

Such a variable is local or global, of type ``bool``, without ``where``. A local one is true when its body starts. Whatever
assigns to it has the form ``a := a && e``; ``havoc`` may make it false, but not true again. ``{:assumption false}`` is no mark.
"""

from __future__ import annotations

from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import BOOL_TYPE, Attribute, Binary, Expression, Literal, Name, Type, Variable


def is_assumption(variable: Variable) -> bool:
    """Is it marked so?"""
    return any(attribute.name == "assumption" and _says(attribute) is not False for attribute in variable.attributes)


def _says(attribute: Attribute) -> bool | None:
    """The truth value that it has as its argument, or none."""
    match attribute.arguments:
        case ():
            return True
        case (Literal(value=bool(value)),):
            return value
    return None


def check_assumption(source: SourceText, variable: Variable, kind: Type) -> None:
    """Refuse marks where they have no meaning."""
    for attribute in variable.attributes:
        if attribute.name == "assumption" and _says(attribute) is None:
            raise source.error(attribute.at, "'assumption' takes 'true', 'false' or nothing")
    if not is_assumption(variable):
        return
    if variable.kind not in ("local", "global"):
        raise source.error(variable.at, f"the assumption variable '{variable.name}' is neither local nor global")
    if kind != BOOL_TYPE:
        raise source.error(variable.at, f"the assumption variable '{variable.name}' is not of type bool")
    if variable.where is not None:
        raise source.error(variable.at, f"the assumption variable '{variable.name}' cannot have a where clause")


def strengthens(name: Name, value: Expression) -> bool:
    """Is the value ``name && …``?"""
    conjuncts = 1
    while isinstance(value, Binary) and value.op == "&&":
        value = value.left
        conjuncts += 1
    return conjuncts > 1 and isinstance(value, Name) and value.text == name.text

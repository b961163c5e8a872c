"""What Boogie allows in a trigger: terms with all bound variables, and none of the operators that solvers do not match.

A trigger is resolved and typed like any expression. Beyond that Boogie refuses a variable by itself, equality, comparisons and
Boolean operators, and a trigger without one of the variables (its ``Trigger.Resolve`` and ``QuantifierExpr.ResolveTriggers``).
"""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import Binary, Name, Quantified, Unary, Variable, below

_UNMATCHED = frozenset({"==", "<", "<=", ">", ">=", "&&", "||", "==>", "<==>", "!"})


def check_triggers(source: SourceText, quantified: Quantified, names: Mapping[Name, Variable]) -> None:
    """An ``InputError`` if a trigger of this quantifier, whose names are resolved, is none."""
    for trigger in quantified.triggers:
        found: set[Variable] = set()
        for pattern in trigger.patterns:
            if isinstance(pattern, Name):
                raise source.error(
                    pattern.at, f"the variable '{pattern.text}' by itself is no trigger", "apply a function to it"
                )
            for node in below(pattern):
                if isinstance(node, Binary | Unary) and node.op in _UNMATCHED:
                    raise source.error(node.at, f"'{node.op}' cannot stand in a trigger")
                if isinstance(node, Name):
                    found.add(names[node])
        for variable in quantified.variables:
            if variable not in found:
                raise source.error(trigger.at, f"this trigger does not mention the variable '{variable.name}'")

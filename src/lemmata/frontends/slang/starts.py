"""Initial values of variables: those of two-state types are 0 where nothing else is said (IEEE 1800-2017, table 6-7).

Yosys has them free, so ``= 0`` is put behind their names. An initializer of a variable is its first value; Yosys reads one that
is no constant as a continuous assignment, so it is refused.
"""

from __future__ import annotations

from pyslang import SourceLocation, SourceRange, analysis, ast

from lemmata.frontends.slang.findings import Findings

_REMEDY = "give it an initial value"


class Starts:
    """The variables of one instance."""

    def __init__(self, findings: Findings, manager: analysis.AnalysisManager) -> None:
        self._findings = findings
        self._manager = manager

    def look(self, variable: ast.VariableSymbol) -> None:
        """Judge a variable that belongs to the instance, not to a block or function."""
        if variable.initializer is not None:
            if _reads_a_signal(variable.initializer):
                self._findings.refuse(
                    variable.initializer.sourceRange,
                    f"the initial value of {variable.name} is no constant",
                    "for a continuous assignment declare a net, or use assign",
                )
            return
        kind = variable.type
        if kind.isFourState or not (kind.isIntegral or kind.isUnpackedArray):
            return
        sources = {driver.source for driver in self._manager.getDrivers(variable)}
        if analysis.DriverSource.Initial in sources or analysis.DriverSource.AlwaysComb in sources:
            return
        if any(driver.kind == analysis.DriverKind.Continuous for driver in self._manager.getDrivers(variable)):
            return
        if not kind.isIntegral:
            self._findings.refuse(
                variable.location, f"the words of {variable.name}, which have two states, start with 0", _REMEDY
            )
            return
        start = variable.location
        end = SourceLocation(start.buffer, start.offset + len(variable.name.encode()))
        self._findings.edit(
            SourceRange(end, end),
            " = 0",
            f"{variable.name}, which has two states and comes from a macro, starts with 0",
            _REMEDY,
        )


def _reads_a_signal(node: ast.Expression) -> bool:
    found = False

    def look(inner: object) -> None:
        nonlocal found
        if isinstance(inner, ast.ValueExpressionBase) and isinstance(inner.symbol, ast.VariableSymbol | ast.NetSymbol):
            found = True

    node.visit(look)
    return found

"""Who drives a net? Yosys joins nets that are assigned to each other, so that two drivers become one net that both are.

Several drivers of a bit are refused, but where each of them can let go: a continuous assignment that writes ``z``, a gate with
an enable, or a port of an instance in which all drivers can. ``wand`` and ``wor``, which Yosys knows, may have several.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from pyslang import analysis, ast

from lemmata.frontends.slang.findings import Findings

_JOINED = ("wand", "wor", "triand", "trior")
_STRANGE = ("tri0", "tri1", "trireg")
_ENABLED = ("bufif0", "bufif1", "notif0", "notif1", "nmos", "pmos", "cmos", "rnmos", "rpmos", "rcmos")


class Drivers:
    """The nets of one instance."""

    def __init__(self, findings: Findings, manager: analysis.AnalysisManager) -> None:
        self._findings = findings
        self._manager = manager

    def look(self, net: ast.NetSymbol) -> None:
        """Judge one net."""
        drivers = self._manager.getDrivers(net)
        name = net.netType.name
        if name in _STRANGE:
            self._findings.refuse(net.location, f"nets of the kind {name} are not supported")
        if net.isImplicit and not drivers:
            self._findings.refuse(
                net.location, f"{net.name} is not declared, and nothing drives it", "declare it, or correct its name"
            )
        if name in _JOINED:
            return
        inner = [one for one in drivers if one.isInputPort or one.containingSymbol.kind != ast.SymbolKind.InstanceBody]
        for a, b in combinations(inner, 2):
            is_apart = a.bounds[1] < b.bounds[0] or b.bounds[1] < a.bounds[0]
            if not is_apart and not (self._lets_go(a, net) and self._lets_go(b, net)):
                self._findings.refuse(
                    b.sourceRange if not b.isInputPort else net.location, f"{net.name} has several drivers", "drive it once"
                )

    def _lets_go(self, driver: analysis.ValueDriver, net: ast.ValueSymbol) -> bool:
        """May the driver be z?"""
        owner: Any = driver.containingSymbol
        if isinstance(owner, ast.ContinuousAssignSymbol):
            return _writes_z(owner.assignment)
        if isinstance(owner, ast.PrimitiveInstanceSymbol):
            return owner.primitiveType.name in _ENABLED
        if isinstance(owner, ast.InstanceSymbol):
            inside = [one.port.internalSymbol for one in owner.portConnections if _mentions(one.expression, net)]
            return all(self._port_lets_go(one) for one in inside)
        return False

    def _port_lets_go(self, symbol: Any) -> bool:
        drivers = self._manager.getDrivers(symbol)
        return all(self._lets_go(one, symbol) for one in drivers if one.containingSymbol.kind != ast.SymbolKind.InstanceBody)


def _writes_z(node: ast.Expression) -> bool:
    found = False

    def look(inner: Any) -> None:
        nonlocal found
        if isinstance(inner, ast.IntegerLiteral | ast.UnbasedUnsizedIntegerLiteral):
            found = found or "z" in str(inner.value)

    node.visit(look)
    return found


def _mentions(node: ast.Expression | None, net: ast.ValueSymbol) -> bool:
    found = False

    def look(inner: Any) -> None:
        nonlocal found
        if isinstance(inner, ast.ValueExpressionBase):
            found = found or inner.symbol.location == net.location

    if node is not None:
        node.visit(look)
    return found

"""Interfaces: Yosys reads them as bundles of signals, and loses what they do themselves.

A signal that the interface drives, one of its ports, and the first value of a variable are free values for who uses the
interface there; assertions in it have a clock of their own. All of that is refused.
"""

from __future__ import annotations

from typing import Any

from pyslang import ast

from lemmata.frontends.slang.findings import Findings

_PARTS: dict[type, str] = {
    ast.PortSymbol: "ports",
    ast.ContinuousAssignSymbol: "assignments",
    ast.ProceduralBlockSymbol: "processes and assertions",
    ast.InstanceSymbol: "instances",
}


def judge_interface(findings: Findings, body: ast.InstanceBodySymbol) -> None:
    """Refuse what is more than signals, parameters, modports and functions."""

    def refuse(node: Any, part: str) -> None:
        findings.refuse(node.location, f"interfaces with {part} are not supported", "put that into a module")

    def look(node: Any) -> None:
        if (part := _PARTS.get(type(node))) is not None:
            refuse(node, part)
        elif _is_signal(node) and node.initializer is not None:
            refuse(node, "initial values")

    body.visit(look)


def _is_signal(node: Any) -> bool:
    return isinstance(node, ast.VariableSymbol | ast.NetSymbol) and not node.parentScope.isProceduralContext

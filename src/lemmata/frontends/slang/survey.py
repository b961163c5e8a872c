"""A walk through all instances of a design: every node is shown to those who judge, every signal goes into the report."""

from __future__ import annotations

from typing import Any

from pyslang import ast

from lemmata.frontends.slang.aliases import Aliases
from lemmata.frontends.slang.captures import Captures
from lemmata.frontends.slang.constructs import Constructs
from lemmata.frontends.slang.drivers import Drivers
from lemmata.frontends.slang.elaborate import Elaborated
from lemmata.frontends.slang.images import Images
from lemmata.frontends.slang.interfaces import judge_interface
from lemmata.frontends.slang.membership import Membership
from lemmata.frontends.slang.processes import Processes
from lemmata.frontends.slang.selections import Selections
from lemmata.frontends.slang.spelling import spell_out
from lemmata.frontends.slang.starts import Starts

_SHADOWING = (ast.ValueSymbol, ast.SubroutineSymbol, ast.TypeAliasType, ast.TransparentMemberSymbol)


def survey(design: Elaborated) -> None:
    """Look at the whole design; what is found is in its findings."""
    spell_out(design)
    root = design.compilation.getRoot()
    outside = {one.name for unit in root.compilationUnits for one in unit if isinstance(one, _SHADOWING)}
    tops = list(root.topInstances)
    signals: dict[str, list[int]] = {}
    waiting = list(tops)
    while waiting:
        instance = waiting.pop()
        waiting.extend(_Survey(design, instance.body, outside).run(signals))
    report = design.findings.report
    report["tops"] = [top.name for top in tops]
    report["parameters"] = _parameters(tops[0].body) if tops else {}
    report["signals"] = signals


def _parameters(body: ast.InstanceBodySymbol) -> dict[str, str]:
    """The parameters that can be set from outside, as Yosys writes their values."""
    found = {}
    for one in body.parameters:
        if isinstance(one, ast.ParameterSymbol) and not one.isLocalParam:
            found[one.name] = _constant(one)
    return found


def _constant(one: ast.ParameterSymbol) -> str:
    if not one.type.isIntegral or one.value is None:
        return ""
    number: Any = one.value.value
    width = one.type.bitWidth
    digits = "".join(str(number[k]) for k in reversed(range(width)))
    return f"{width}'{'s' if one.type.isSigned else ''}b{digits}"


class _Survey:
    """One instance."""

    def __init__(self, design: Elaborated, body: ast.InstanceBodySymbol, outside: set[str]) -> None:
        findings, manager = design.findings, design.analysis
        self._outside = outside  # names that are declared outside of modules
        self._body, self._findings = body, findings
        self._instances: list[ast.InstanceSymbol] = []
        self._constructs = Constructs(findings, design.driver.sourceManager.getSourceText)
        self._membership = Membership(findings, design.driver.sourceManager.getSourceText)
        self._aliases = Aliases(findings)
        self._selections = Selections(findings, body)
        self._captures = Captures(findings, body)
        self._processes = Processes(findings, manager)
        self._images = Images(findings)
        self._drivers = Drivers(findings, manager)
        self._starts = Starts(findings, manager)
        self._signals: dict[str, list[int]] = {}

    def run(self, signals: dict[str, list[int]]) -> list[ast.InstanceSymbol]:
        """Look at everything in it; the instances in it are next."""
        self._constructs.enter(self._body)
        if self._body.definition.definitionKind == ast.DefinitionKind.Interface:
            judge_interface(self._findings, self._body)
        self._body.visit(self._look)
        self._processes.look_between()
        self._images.look_between()
        signals.update(self._signals)
        return self._instances

    def _look(self, node: Any) -> ast.VisitAction:
        if isinstance(node, ast.Symbol) and node.name in self._outside:
            cause = f"{node.name} is also declared outside of modules, and Yosys would take that"
            self._findings.refuse(node.location, cause, "rename one of them")
        if isinstance(node, ast.InstanceSymbol):
            self._instances.append(node)
            for one in node.portConnections:
                if one.expression is not None:
                    one.expression.visit(self._look)
                    if isinstance(one.port, ast.PortSymbol) and not node.arrayPath:
                        self._constructs.look_at_connection(one.expression, one.port.type)
            return ast.VisitAction.Skip
        self._constructs.look(node)
        self._membership.look(node)
        self._aliases.look(node)
        self._selections.look(node)
        if isinstance(node, ast.ProceduralBlockSymbol):
            self._processes.look(node)
            self._images.look(node)
            self._captures.look(node)
        elif isinstance(node, ast.ContinuousAssignSymbol):
            self._processes.look_at_assignment(node)
        elif isinstance(node, ast.SubroutineSymbol):
            self._processes.look_into_subroutine(node)
        elif isinstance(node, ast.NetSymbol):
            self._drivers.look(node)
            self._signal(node)
        elif type(node) is ast.VariableSymbol and not node.parentScope.isProceduralContext:
            self._starts.look(node)
            self._signal(node)
        return ast.VisitAction.Advance

    def _signal(self, node: ast.ValueSymbol) -> None:
        if node.type.isIntegral:
            path = node.hierarchicalPath.partition(".")[2]
            self._signals[path] = [node.type.bitWidth, int(node.type.isSigned)]

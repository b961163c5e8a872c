"""Processes that Yosys makes hardware of, although they are something else in simulation (IEEE 1800-2017, clauses 9 and 10).

Refused: sensitivity lists that leave out what is read; edges of which no leading if with the right polarity makes an
asynchronous control; initial values that depend on which of two blocks is first; functions whose variables keep values from
call to call.
"""

from __future__ import annotations

from typing import Any

from pyslang import analysis, ast

from lemmata.frontends.slang.findings import Findings
from lemmata.frontends.slang.flow import DefiniteAssignment, EarlyReads, key

_EDGES = (ast.EdgeKind.PosEdge, ast.EdgeKind.NegEdge, ast.EdgeKind.BothEdges)


class Processes:
    """All processes of one instance."""

    def __init__(self, findings: Findings, manager: analysis.AnalysisManager) -> None:
        self._findings = findings
        self._manager = manager
        self._initial: list[DefiniteAssignment] = []

    def look(self, block: ast.ProceduralBlockSymbol) -> None:
        """Judge one process."""
        kind = block.procedureKind
        flow = DefiniteAssignment(with_assertions=kind != ast.ProceduralBlockKind.Initial)  # those speak of the first step
        flow.run(block.body)
        if kind == ast.ProceduralBlockKind.Initial:
            self._initial.append(flow)
            return
        self._locals(flow)
        if kind == ast.ProceduralBlockKind.Final:
            self._findings.refuse(block.location, "final blocks are not supported")
        if not isinstance(block.body, ast.TimedStatement):
            return
        events = _events(block.body.timing)
        edges = [one for one in events if one.edge in _EDGES]
        if edges:
            self._edges(edges, events, block.body.stmt)
        else:
            self._sensitivity(block, flow, {key(s) for one in events if (s := _whole(one.expr)) is not None}, bool(events))

    def look_at_assignment(self, assignment: ast.ContinuousAssignSymbol) -> None:
        """A continuous assignment follows the names on its right side, not what functions read."""
        flow = DefiniteAssignment()
        flow.run_expression(assignment.assignment)
        self._hidden(self._read_by_functions(assignment.assignment), set(flow.reads))

    def look_between(self) -> None:
        """Initial blocks whose values depend on which is first."""
        for flow in self._initial:
            for name, (symbol, _) in flow.writes.items():
                for other in self._initial:
                    if other is not flow and name in other.reads:
                        self._findings.refuse(
                            other.reads[name][1].sourceRange,
                            f"{symbol.name} is assigned in another initial block: which is first is not defined",
                            "put both into one block",
                        )

    def look_into_subroutine(self, routine: ast.SubroutineSymbol) -> None:
        """Variables of functions that are read before they are assigned."""
        flow = DefiniteAssignment()
        given = frozenset(key(one) for one in routine.arguments if one.direction != ast.ArgumentDirection.Out)
        after = flow.run(routine.body, given)
        self._locals(flow, routine)
        result = routine.returnValVar
        is_static = routine.defaultLifetime == ast.VariableLifetime.Static
        keeps = result is not None and (is_static or not result.type.isFourState)
        if result is not None and keeps and key(result) in flow.writes and key(result) not in after:
            self._findings.refuse(result.location, f"{result.name} does not always return a value", "assign it first")

    def _locals(self, flow: DefiniteAssignment, routine: ast.SubroutineSymbol | None = None) -> None:
        for symbol, use in flow.reads.values():
            if type(symbol) is not ast.VariableSymbol or not _is_local(symbol):
                continue
            keeps = routine is not None and symbol.lifetime == ast.VariableLifetime.Static
            if keeps or not symbol.type.isFourState or (routine is None and symbol.lifetime == ast.VariableLifetime.Automatic):
                self._findings.refuse(use.sourceRange, f"{symbol.name} may be read before it is assigned", "assign it first")

    def _edges(self, edges: list[ast.SignalEventControl], events: list[ast.SignalEventControl], body: Any) -> None:
        """One clock; every other edge belongs to an if that leads the block."""
        if len(edges) < len(events) or any(one.edge == ast.EdgeKind.BothEdges for one in edges):
            self._findings.refuse(
                events[0].sourceRange, "a process with both edges, or with edges and levels, is not supported"
            )
            return
        if len(edges) > 1:
            self._no_checks(body)
        left = {(key(s), one.edge) for one in edges if (s := _whole(one.expr)) is not None}
        while len(left) > 1:
            while isinstance(body, ast.BlockStatement | ast.StatementList):
                body = body.body if isinstance(body, ast.BlockStatement) else _first(body)
            control = _control(body)
            if control is None or control not in left:
                self._findings.refuse(
                    edges[-1].sourceRange,
                    "an edge without a leading if (signal), or if (!signal) for negedge, is not supported",
                    "test asynchronous controls first, with the polarity of their edges",
                )
                return
            left.discard(control)
            body = body.ifFalse

    def _no_checks(self, body: Any) -> None:
        """Yosys refuses them, or (clk2fflogic) reads the signal of the edge as it was before."""

        def look(node: Any) -> None:
            if isinstance(node, ast.ImmediateAssertionStatement | ast.ConcurrentAssertionStatement):
                cause = "an assertion in a process with several edges is not supported"
                self._findings.refuse(node.sourceRange, cause, "put it into a process of its own, with the edge of the clock")

        body.visit(look)

    def _sensitivity(
        self, block: ast.ProceduralBlockSymbol, flow: DefiniteAssignment, listed: set[str], is_explicit: bool
    ) -> None:
        """Explicit lists have to name all that is read; ``@*`` does not see what functions read."""
        if block.procedureKind == ast.ProceduralBlockKind.Always:
            self._hidden(self._read_by_functions(block.body), listed if is_explicit else set(flow.reads))
        for name, (symbol, use) in flow.reads.items() if is_explicit else ():
            if name not in listed and _is_signal(symbol):
                cause = f"{symbol.name} is not in the sensitivity list, though the process reads it"
                self._findings.refuse(use.sourceRange, cause, "use always_comb")

    def _hidden(self, reads: EarlyReads, listed: set[str]) -> None:
        for name, (symbol, use) in reads.items():
            if name not in listed and _is_signal(symbol):
                cause = f"nothing happens here when {symbol.name} changes, which the function reads"
                self._findings.refuse(use.sourceRange, cause, "make it an argument, or use always_comb")

    def _read_by_functions(self, top: Any) -> EarlyReads:
        found: EarlyReads = {}
        seen: set[str] = set()

        def look(node: Any) -> None:
            routine = node.subroutine if isinstance(node, ast.CallExpression) and not node.isSystemCall else None
            if not isinstance(routine, ast.SubroutineSymbol) or key(routine) in seen:
                return
            seen.add(key(routine))
            flow = DefiniteAssignment()
            flow.run(routine.body)
            for name, (symbol, _) in flow.reads.items():
                if not isinstance(symbol, ast.FormalArgumentSymbol) and not _is_inside(symbol, routine):
                    found.setdefault(name, (symbol, node))
            routine.body.visit(look)

        top.visit(look)
        return found


def _events(timing: Any) -> list[ast.SignalEventControl]:
    if isinstance(timing, ast.EventListControl):
        return [one for one in timing.events if isinstance(one, ast.SignalEventControl)]
    return [timing] if isinstance(timing, ast.SignalEventControl) else []


def _whole(node: Any) -> ast.ValueSymbol | None:
    return node.symbol if isinstance(node, ast.ValueExpressionBase) else None


def _first(body: ast.StatementList) -> Any:
    rest = [one for one in body.list if not isinstance(one, ast.VariableDeclStatement | ast.EmptyStatement)]
    return rest[0] if rest else None


def _control(body: Any) -> tuple[str, ast.EdgeKind] | None:
    """The signal and the edge that the condition of an if belongs to."""
    if not isinstance(body, ast.ConditionalStatement) or len(body.conditions) != 1:
        return None
    node, edge = body.conditions[0].expr, ast.EdgeKind.PosEdge
    while True:
        if isinstance(node, ast.ConversionExpression):
            node = node.operand
        elif isinstance(node, ast.UnaryExpression) and node.op in (ast.UnaryOperator.LogicalNot, ast.UnaryOperator.BitwiseNot):
            node, edge = node.operand, _other(edge)
        elif isinstance(node, ast.BinaryExpression) and node.op in (
            ast.BinaryOperator.Equality, ast.BinaryOperator.Inequality, ast.BinaryOperator.CaseEquality,
        ) and node.right.constant is not None:  # fmt: skip
            is_one = bool(node.right.constant.value == 1)
            is_same = is_one == (node.op != ast.BinaryOperator.Inequality)
            node, edge = node.left, edge if is_same else _other(edge)
        else:
            break
    symbol = _whole(node)
    return (key(symbol), edge) if symbol is not None and symbol.type.bitWidth == 1 else None


def _other(edge: ast.EdgeKind) -> ast.EdgeKind:
    return ast.EdgeKind.NegEdge if edge == ast.EdgeKind.PosEdge else ast.EdgeKind.PosEdge


def _is_local(symbol: ast.Symbol) -> bool:
    return symbol.parentScope.isProceduralContext


def _is_signal(symbol: ast.Symbol) -> bool:
    return isinstance(symbol, ast.VariableSymbol | ast.NetSymbol) and not _is_local(symbol)


def _is_inside(symbol: ast.Symbol, routine: ast.SubroutineSymbol) -> bool:
    return symbol.hierarchicalPath.startswith(f"{routine.hierarchicalPath}.")

"""Expressions and statements that Yosys reads in another way than the language, or reads and drops: refused, or edited.

A step has no time, so delays are refused; only those of non-blocking assignments (``q <= #1 d``), which end before the next
edge of any clock that is slower, change nothing. Actions of assertions that only print are taken out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyslang import SourceLocation, SourceRange, ast
from pyslang.syntax import ImplicitTypeSyntax, ParenthesizedExpressionSyntax

from lemmata.frontends.slang.findings import DIFFERS, Findings
from lemmata.frontends.slang.flow import targets_of

_FUNCTIONS = {
    "$past", "$rose", "$fell", "$stable", "$changed", "$signed", "$unsigned", "$clog2", "$bits", "$size", "$high",
    "$low", "$left", "$right", "$increment", "$dimensions", "$unpacked_dimensions", "$countones", "$onehot", "$onehot0",
    "$anyconst", "$anyseq", "$allconst", "$allseq", "$initstate", "$readmemh", "$readmemb", "$rtoi", "$itor", "$floor", "$ceil",
    "$ln", "$log10", "$exp", "$sqrt", "$pow", "$sin", "$cos", "$tan", "$typename", "$isunbounded",
}  # fmt: skip
_PRINTING = {
    "$display", "$displayb", "$displayh", "$displayo", "$write", "$writeb", "$writeh", "$writeo", "$strobe", "$monitor",
    "$error", "$warning", "$info", "$fatal", "$dumpfile", "$dumpvars", "$timeformat", "$stop", "$finish",
}  # fmt: skip
_STATEMENTS = {
    "ProceduralAssign": "procedural assign and force",
    "ProceduralDeassign": "procedural deassign and release",
    "EventTrigger": "events",
    "Wait": "waiting in a process",
    "WaitFork": "waiting in a process",
    "WaitOrder": "waiting in a process",
    "DisableFork": "fork",
    "ForeverLoop": "loops without an end",
    "RandCase": "random choices",
    "RandSequence": "random choices",
}
_WITHOUT_TIME = "a step has no time: take the delay out"


class Constructs:
    """Looks at every node of one module instance; ``body`` is what it is called in."""

    def __init__(self, findings: Findings, sources: Callable[[Any], str]) -> None:
        self._findings = findings
        self._text = sources
        self._harmless: set[int] = set()
        self._assigned: set[tuple[int, int]] = set()  # where names that are assigned start
        self._labels: dict[str, list[SourceRange]] = {}
        self._body: ast.InstanceBodySymbol | None = None
        self._looks: dict[type, Callable[[Any], None]] = {
            ast.HierarchicalValueExpression: self._hierarchical,
            ast.MemberAccessExpression: self._member,
            ast.CallExpression: self._call,
            ast.ConversionExpression: self._conversion,
            ast.AssignmentExpression: self._assignment,
            ast.ImmediateAssertionStatement: self._immediate,
            ast.ConcurrentAssertionStatement: self._concurrent,
            ast.BlockStatement: self._block,
            ast.CaseStatement: self._case,
            ast.VariableSymbol: self._variable,
            ast.ParameterSymbol: self._parameter,
            ast.DelayControl: self._delay,
            ast.Delay3Control: self._delay,
            ast.NetSymbol: self._net,
            ast.SignalEventControl: self._event,
        }

    def enter(self, body: ast.InstanceBodySymbol) -> None:
        """From here on nodes belong to this instance."""
        self._body = body

    def look(self, node: Any) -> None:
        """Judge one node; nodes above come before those below."""
        if (look := self._looks.get(type(node))) is not None:
            look(node)
        elif isinstance(node, ast.Statement) and node.kind.name in _STATEMENTS:
            self._findings.refuse(node.sourceRange, f"{_STATEMENTS[node.kind.name]}: not supported")

    # Names.

    def _hierarchical(self, node: ast.HierarchicalValueExpression) -> None:
        """A name in an instance below becomes a wire of this module that flattening connects (Yosys' attribute hierconn).

        What it is connected to is a wire there, not the signal itself, which would lose its initial value.
        """
        owner = node.symbol.parentScope.containingInstance
        here = self._body.hierarchicalPath if self._body is not None else ""
        if owner is None or self._body is None or owner.hierarchicalPath == here:
            return
        if owner.definition.definitionKind == ast.DefinitionKind.Interface:
            return
        cause = f"{node.symbol.name} is a name in another instance, which is not supported here"
        kind, path = node.symbol.type, node.symbol.hierarchicalPath
        is_below = path.startswith(f"{here}.") and "[" not in path and not node.symbol.parentScope.isProceduralContext
        if not is_below or not _is_vector(kind) or _offset(node) in self._assigned:
            self._findings.refuse(node.sourceRange, cause, "use a port, or bind a module")
            return
        inside = path.removeprefix(f"{owner.hierarchicalPath}.")
        there, bits = f"\\lemmata.{inside} ", kind.fixedRange
        wire = f"wire {'signed ' if kind.isSigned else ''}[{bits.left}:{bits.right}]"
        name = f"\\{owner.hierarchicalPath.removeprefix(f'{here}.')}.lemmata.{inside} "
        self._findings.edit(node.sourceRange, name, cause, "use a port")
        below: Any = owner.definition.syntax
        is_same = self._findings.declare(below.endmodule.range.start, there, f"{wire} {there}= {inside}; ", cause)
        head: Any = self._body.definition.syntax
        if (
            not self._findings.declare(head.header.semi.range.end, name, f" (* hierconn *) {wire} {name};", cause)
            or not is_same
        ):
            self._findings.refuse(node.sourceRange, f"{cause}: {DIFFERS}", "use a port")

    def _member(self, node: ast.MemberAccessExpression) -> None:
        inner = node.value
        if isinstance(inner, ast.ElementSelectExpression | ast.RangeSelectExpression):
            self._findings.refuse(
                node.sourceRange,
                "a member of an element of an array is not supported",
                "assign the element to a variable first",
            )
        elif inner.type.isUnpackedStruct or inner.type.isUnpackedUnion:
            self._findings.refuse(node.sourceRange, "structures that are not packed are not supported", "declare it packed")

    def _variable(self, node: ast.VariableSymbol) -> None:
        kind = node.type
        if kind.isFloating or kind.isString or kind.isEvent or kind.isClass or kind.isDynamicallySizedArray or kind.isCHandle:
            self._findings.refuse(node.location, f"a variable of type {kind} is not supported")

    def _parameter(self, node: ast.ParameterSymbol) -> None:
        """``parameter signed P`` has the range of its value and its own sign (IEEE 1800-2017, 6.20.2); Yosys keeps both."""
        syntax: Any = node.syntax.parent
        declared, value = getattr(syntax, "type", None), node.initializer
        if not isinstance(declared, ImplicitTypeSyntax) or not declared.signing.valueText or len(declared.dimensions):
            return
        while isinstance(value, ast.ConversionExpression) and value.conversionKind != ast.ConversionKind.Explicit:
            value = value.operand
        if value is None or value.type.isSigned != node.type.isSigned:
            self._findings.refuse(
                node.location,
                f"the value of {node.name} has another sign than its declaration, which has no range",
                "give it one",
            )

    # Expressions.

    def _call(self, node: ast.CallExpression) -> None:
        name = node.subroutineName
        if node.isSystemCall and name not in _FUNCTIONS | _PRINTING:
            self._findings.refuse(node.sourceRange, f"{name} is not supported")
        if name == "$past" and len(node.arguments) > 2:
            self._findings.refuse(
                node.sourceRange, "$past with a condition or a clock of its own is not supported", "use a register"
            )
        elif name in ("$rose", "$fell", "$stable", "$changed") and len(node.arguments) > 1:
            self._findings.refuse(node.sourceRange, f"{name} with a clock of its own is not supported", "use a register")
        elif name in ("$signed", "$unsigned"):
            for argument in node.arguments:
                argument.visit(self._literal)

    def _literal(self, node: Any) -> None:
        """``'1`` as an argument of ``$signed`` has one bit (IEEE 1800-2017, 5.7.1, 11.7); Yosys widens it beforehand."""
        if isinstance(node, ast.UnbasedUnsizedIntegerLiteral) and node.type.bitWidth == 1 and str(node.literalValue) != "0":
            digit = str(node.literalValue)
            cause = f"'{digit} with one bit is not supported in a macro"
            self._findings.edit(node.sourceRange, f"1'b{digit}", cause, f"write 1'b{digit}")

    def _conversion(self, node: ast.ConversionExpression) -> None:
        """A cast becomes a call: to pass an argument is the assignment that defines it (IEEE 1800-2017, 6.24.1).

        Yosys takes all that stands before the quote for the size (``~2'(x)``), and a cast to fewer bits for as wide as what
        it cuts.
        """
        syntax: Any = node.syntax
        while isinstance(syntax, ParenthesizedExpressionSyntax):  # the operand of another cast
            syntax = syntax.expression
        if node.conversionKind != ast.ConversionKind.Explicit or not hasattr(syntax, "apostrophe"):
            return
        cause, kind = "a cast is not supported here", node.type
        where = SourceRange(syntax.sourceRange.start, syntax.apostrophe.range.end)
        if self._body is None or not kind.isIntegral or kind.bitWidth == 0:
            self._findings.refuse(node.sourceRange, cause, "use a variable of that type")
            return
        self._findings.edit(where, self._assigning(kind, cause), cause, "use a variable of that type")

    def _assigning(self, kind: ast.Type, cause: str) -> str:
        """The name of a function, declared in the module, that returns its argument as a value of this width and sign."""
        sign = "signed " if kind.isSigned else ""
        name = f"lemmata_cast_{kind.bitWidth}{sign[:1]}"
        bits = f"{sign}[{kind.bitWidth - 1}:0]"
        self._declare(f" function automatic {bits} {name}(input {bits} x); {name} = x; endfunction", cause)
        return name

    def look_at_connection(self, node: ast.Expression, port: ast.Type) -> None:
        """An operator in a port connection works with the width of the port (IEEE 1800-2017, 23.3.3); Yosys cuts it before."""
        inner: Any = node
        while isinstance(inner, ast.ConversionExpression) and inner.conversionKind != ast.ConversionKind.Explicit:
            inner = inner.operand
        if isinstance(inner, ast.BinaryExpression | ast.UnaryExpression | ast.ConditionalExpression) and port.isIntegral:
            cause = "an operator in a connection of a port is not supported here"
            function = self._assigning(port, cause) if port.bitWidth > 1 else ""
            if not self._findings.wrap(inner.sourceRange, function):
                self._findings.refuse(inner.sourceRange, cause, "assign it to a wire of the width of the port")

    def _declare(self, text: str, cause: str) -> None:
        """Put a declaration behind the head of the module."""
        assert self._body is not None
        head: Any = self._body.definition.syntax
        self._findings.insert(head.header.semi.range.end, text, cause)

    def _assignment(self, node: ast.AssignmentExpression) -> None:
        self._assigned.update(_offset(target) for target in targets_of(node.left))
        if node.isNonBlocking and isinstance(node.timingControl, ast.DelayControl):
            self._harmless.add(node.timingControl.sourceRange.start.offset)

    # Time.

    def _delay(self, node: ast.DelayControl | ast.Delay3Control) -> None:
        if node.sourceRange.start.offset not in self._harmless:
            self._findings.refuse(node.sourceRange, "delays are not supported", _WITHOUT_TIME)

    def _net(self, node: ast.NetSymbol) -> None:
        if node.delay is not None:
            self._findings.refuse(node.location, "delays are not supported", _WITHOUT_TIME)

    def _event(self, node: ast.SignalEventControl) -> None:
        if node.iffCondition is not None:
            self._findings.refuse(
                node.sourceRange, "events with a condition (iff) are not supported", "put the condition into the block"
            )

    def _block(self, node: ast.BlockStatement) -> None:
        if node.blockKind.name != "Sequential":
            self._findings.refuse(node.sourceRange, "fork is not supported")

    def _case(self, node: ast.CaseStatement) -> None:
        if node.condition != ast.CaseStatementCondition.Normal and has_unknown(node.expr):
            self._findings.refuse(
                node.expr.sourceRange, "a case over an expression with x or z is not supported", "use 0 and 1"
            )

    # Assertions.

    def _immediate(self, node: ast.ImmediateAssertionStatement) -> None:
        """Deferred assertions (``#0``) speak of settled values, as all assertions do here; printing is taken out."""
        syntax: Any = node.syntax
        self._label(syntax)
        if node.isDeferred and not node.isFinal:
            self._findings.edit(syntax.delay.sourceRange, "", "deferred assertions in macros are not supported", "leave #0 out")
        actions = [one for one in (node.ifTrue, node.ifFalse) if one is not None and one.kind.name != "Empty"]
        if not self._only_print(actions) or not actions:
            return
        source = self._text(node.sourceRange.start.buffer)
        start = actions[0].sourceRange.start.offset
        if node.ifTrue is None or node.ifTrue.kind.name == "Empty":
            start = source.rfind("else", 0, start)
        buffer = node.sourceRange.start.buffer
        where = SourceRange(SourceLocation(buffer, start), syntax.action.sourceRange.end)
        between = source[max(0, source.rfind(")", 0, start)) + 1 : start]
        text = "" if ";" in between else ";"
        self._findings.edit(where, text, "an assertion with an action in a macro is not supported", "take the action out")

    def _label(self, syntax: Any) -> None:
        """A label that several assertions of an instance have, as in a generate loop, is left out: Yosys wants one for each."""
        label = getattr(syntax, "label", None)
        if label is None:
            return
        before = self._labels.setdefault(label.name.valueText, [])
        before.append(label.sourceRange)
        for where in before if len(before) > 1 else ():
            self._findings.edit(where, "", "a label of several assertions is not supported in a macro", "leave the label out")

    def _concurrent(self, node: ast.ConcurrentAssertionStatement) -> None:
        self._label(node.syntax)
        self._only_print([one for one in (node.ifTrue, node.ifFalse) if one is not None])

    def _only_print(self, actions: list[ast.Statement]) -> bool:
        before = True

        def look(node: Any) -> None:
            nonlocal before
            is_more = isinstance(node, ast.AssignmentExpression) or (
                isinstance(node, ast.CallExpression)
                and not (node.isSystemCall and node.subroutineName in _PRINTING | _FUNCTIONS)
            )
            if is_more and before:
                before = False
                self._findings.refuse(
                    node.sourceRange, "an action of an assertion that does more than print is not supported", "take it out"
                )

        for action in actions:
            action.visit(look)
        return before


def _offset(node: ast.Expression) -> tuple[int, int]:
    return node.sourceRange.start.buffer.id, node.sourceRange.start.offset


def _is_vector(kind: ast.Type) -> bool:
    """Is a selection from a value of this type one bit?"""
    own = kind.canonicalType
    return kind.isIntegral and not own.isStruct and not (isinstance(own, ast.PackedArrayType) and own.elementType.bitWidth > 1)


def has_unknown(node: ast.Expression) -> bool:
    """Is there an x or z in what is written?"""
    found = False

    def look(inner: Any) -> None:
        nonlocal found
        if isinstance(inner, ast.IntegerLiteral | ast.UnbasedUnsizedIntegerLiteral):
            found = found or any(digit in str(inner.value) for digit in "xz")

    node.visit(look)
    return found

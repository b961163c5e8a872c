"""``Sequencing``: side effects without a sequence point between them (C11 6.5p2): behaviour is undefined.

Found by the text alone, for variables that are written by their names: ``x = x++``, ``x + x++``, ``f(x, x++)``. Elements and
members, and what is reached through pointers, are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.frontends.c.syntax.parser import SIZES, Node, descendants, kind_of
from lemmata.values import dataclass

_STEPS = ("++", "--", "p++", "p--")
_NAMES = frozenset[str]
_STATEMENTS = frozenset(
    ("Compound", "Decl", "DeclList", "If", "While", "DoWhile", "For", "Switch", "Case", "Default", "Label", "Return")
)


@dataclass(frozen=True, slots=True)
class _Accesses:
    """Names that an expression reads and writes; ``late`` are writes that may come after its value is known."""

    reads: _NAMES = _NAMES()
    writes: _NAMES = _NAMES()
    late: _NAMES = _NAMES()


class Sequencing:
    """Answers for the expressions of one file."""

    def __init__(self) -> None:
        self._accesses: dict[int, _Accesses] = {}
        self._conflicts: dict[int, _NAMES] = {}

    def conflicts(self, node: Node) -> _NAMES:
        """Names whose value is undefined after the operands of this node."""
        self._of(node)
        return self._conflicts.get(id(node), _NAMES())

    def _of(self, node: Node) -> _Accesses:
        known = self._accesses.get(id(node))
        if known is None:
            known = self._accesses[id(node)] = self._found(node)
        return known

    def _found(self, node: Node) -> _Accesses:
        match kind_of(node):
            case "ID":
                return _Accesses(_NAMES({node.name}))
            case "UnaryOp" if node.op in _STEPS and kind_of(node.expr) == "ID":
                name = _NAMES({node.expr.name})
                return _Accesses(_NAMES(), name, name)
            case "UnaryOp" if node.op in SIZES:
                return _Accesses()
            case "UnaryOp" if node.op == "&" and kind_of(node.expr) == "ID":
                return _Accesses()
            case "StructRef":
                return _Accesses() if node.type == "." and kind_of(node.name) == "ID" else self._of(node.name)
            case "Assignment":
                return self._assignment(node)
            case "BinaryOp" if node.op in ("&&", "||"):
                return self._in_order([node.left, node.right], is_last_skipped=True)
            case "ExprList":
                return self._in_order(node.exprs)
            case "Typename" | "TypeOf":
                return _Accesses()
            case "GenericSelection":
                return self._in_order(node.expressions)
            case "OmittedOperand":
                return self._in_order(node.parts, is_last_skipped=True)
            case "StatementExpression":
                return self._statements(node)
            case "TernaryOp":
                return self._in_order([node.cond, node.iftrue, node.iffalse])
            case "FuncCall":
                found = self._together(node, [node.name, *(node.args.exprs if node.args is not None else ())])
                return _Accesses(found.reads, found.writes)
        return self._together(node, [child for _, child in node.children()])

    def _in_order(self, nodes: list[Node], is_last_skipped: bool = False) -> _Accesses:
        """One after the other; where the last one may be skipped, there may be no sequence point (6.5.13p4, 6.5.14p4)."""
        parts = [self._of(node) for node in nodes]
        late = _NAMES().union(*[part.late for part in (parts if is_last_skipped else parts[1:])])
        return _Accesses(_NAMES().union(*[p.reads for p in parts]), _NAMES().union(*[p.writes for p in parts]), late)

    def _statements(self, node: Node) -> _Accesses:
        """Statements in an expression end with sequence points; what they declare is theirs."""
        own = _NAMES([part.name for part in descendants(node) if kind_of(part) == "Decl" and part.name])
        parts = list(map(self._of, _expressions(node)))
        reads, writes = (_NAMES().union(*[getattr(p, which) for p in parts]) - own for which in ("reads", "writes"))
        return _Accesses(reads, writes)

    def _together(self, node: Node, nodes: list[Node]) -> _Accesses:
        """In any order, or at once."""
        reads, writes, late, wrong = _NAMES(), _NAMES(), _NAMES(), _NAMES()
        for part in map(self._of, nodes):
            wrong |= (part.writes & (reads | writes)) | (part.reads & writes)
            reads, writes, late = reads | part.reads, writes | part.writes, late | part.late
        self._conflicts[id(node)] = wrong
        return _Accesses(reads, writes, late)

    def _assignment(self, node: Node) -> _Accesses:
        """The write comes after the values of both sides, not after their side effects (6.5.16p3)."""
        right = self._of(node.rvalue)
        if kind_of(node.lvalue) != "ID":
            return self._together(node, [node.lvalue, node.rvalue])
        name = _NAMES({node.lvalue.name})
        wrong = name & right.late
        if node.op != "=":
            wrong |= name & right.writes
        self._conflicts[id(node)] = wrong
        return _Accesses(right.reads, right.writes | name, right.late | name)


def _expressions(node: Node) -> Iterator[Node]:
    """The full expressions of the statements in a node (6.8p4)."""
    for _, child in node.children():
        if kind_of(child) in _STATEMENTS:
            yield from _expressions(child)
        else:
            yield child

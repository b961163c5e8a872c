"""Statements of C (C11 6.8) become statements of the tree, all at one level: loops and branches are jumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from lemmata.frontends.c.library import FAILS
from lemmata.frontends.c.memory.lvalues import Lvalue
from lemmata.frontends.c.operators.arithmetic import wrapped
from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of
from lemmata.frontends.c.translate.claims import ClaimTranslator
from lemmata.frontends.c.translate.expressions import Expressions
from lemmata.frontends.c.translate.initializers import Initializers
from lemmata.frontends.c.translate.tree_builder import FALSITY, TRUTH, both
from lemmata.frontends.c.translate.unit import FunctionName, GlobalObject, ObjectStorage, Scope
from lemmata.frontends.c.types import C_INT, ArrayType, CType, Integer, Pointer, Signature, Structure, Void, promoted
from lemmata.frontends.c.types.declarations import is_const, type_name
from lemmata.frontends.c.types.values import Address
from lemmata.frontends.programs.tree import BOOL_TYPE, Assert, Expression, Havoc, Inexact, Label, Return, Variable
from lemmata.values import dataclass

_ERROR = "ERROR"
_NO_VALUES = frozenset(  # statements that are no expressions
    {"Compound", "Case", "Default", "Label", "Typedef", "Pragma", "Decl", "DeclList", "If", "While", "DoWhile", "For", "Switch"}
    | {"Goto", "Break", "Continue", "Return", "EmptyStatement", "StaticAssert", "FuncDef"}
)
_NO_STATEMENTS = frozenset({"Compound", "Case", "Default", "Label", "Typedef", "Pragma"})


@dataclass(slots=True)
class _Block:
    """Objects in memory that end with a block (6.2.4p6)."""

    node: int = 0
    in_memory: list[Expression] = field(default_factory=list)


@dataclass(slots=True)
class _Switch:
    labels: dict[int, str] = field(default_factory=dict)  # of cases, by node


class StatementTranslator:
    """Translates the statements of one body."""

    def __init__(
        self, expressions: Expressions, result: CType, results: tuple[Variable, ...], falls: Variable | None = None
    ) -> None:
        self._e = expressions
        self._e.objects = self
        self._unit = expressions.unit
        self._initializers = Initializers(expressions)
        self._claims = ClaimTranslator(expressions)
        self._result = result
        self._results = results
        self._falls = falls  # tells callers that there is no result
        self._breaks: list[tuple[str, int]] = []  # labels, and the number of blocks around them
        self._continues: list[tuple[str, int]] = []
        self._switches: list[_Switch] = []
        self._labels: dict[str, int] = {}  # by name, the nodes that declare them
        self._blocks: list[_Block] = [_Block()]  # from the outermost one to the one that is translated
        self._following: Sequence[Node] = ()  # statements of the same block
        self._label_blocks: dict[str, tuple[int, ...]] = {}

    def statement(self, node: Node) -> None:
        """One statement, or a declaration in a block."""
        e, at = self._e, self._unit.at.of(node)
        if kind_of(node) not in _NO_STATEMENTS:
            self._claims.before(node)
        match kind_of(node):
            case "Compound":
                self._block(node.block_items or ())
            case "Decl":
                self.declaration(node)
            case "DeclList":
                for part in node.decls:
                    self.declaration(part)
            case "Typedef":
                e.scope.names[node.name] = type_name(node, e.declarations.type(node, e.scope), e.scope)
            case "If":
                self._if(node)
            case "While":
                self._loop(node, cond=node.cond, step=None, body=node.stmt)
            case "DoWhile":
                self._do(node)
            case "For":
                self._for(node)
            case "Switch":
                self._switch(node)
            case "Case" | "Default":
                self._case(node)
            case "Label":
                self._label(node)
            case "Goto":
                if node.name not in self._label_blocks:
                    raise self._unit.error(node, f"there is no label '{node.name}'")
                self._end_objects(self._common_blocks(node.name), at)
                e.jump(at, f"{node.name}:")
            case "Break":
                if not self._breaks:
                    raise self._unit.error(node, "there is no loop or switch to leave here")
                self._jump_out(self._breaks[-1], at)
            case "Continue":
                if not self._continues:
                    raise self._unit.error(node, "there is no loop to continue here")
                self._jump_out(self._continues[-1], at)
            case "Return":
                self._return(node)
            case "EmptyStatement" | "Pragma":
                pass
            case "StaticAssert":
                self._static_assert(node)
            case "FuncDef":
                raise self._unit.unsupported(node, "functions in functions are not supported")
            case _:
                e.effect(node)

    def block_with_value(self, node: Node, last: Callable[[Node], None]) -> None:
        """A block in an expression; ``last`` gets its last statement, if that is an expression."""
        following = self._following
        self._block(node.block_items or (), last)
        self._following = following

    def _block(self, items: list[Node] | tuple[Node, ...], last: Callable[[Node], None] | None = None) -> None:
        outer = self._e.scope
        self._e.scope = Scope(outer)
        self._blocks.append(_Block(id(items[0]) if items else 0))
        for number, item in enumerate(items):
            self._following = items[number + 1 :]
            if last is None or number < len(items) - 1 or kind_of(item) in _NO_VALUES:
                self.statement(item)
            else:
                last(item)
        if items:
            self._end_objects(len(self._blocks) - 1, self._unit.at.of(None))
        self._blocks.pop()
        self._close(items[-1] if items else None, outer)

    def _end_objects(self, count: int, at: int) -> None:
        """Objects end whose blocks are left; the outer ``count`` blocks stay."""
        for block in reversed(self._blocks[count:]):
            for base in block.in_memory:
                self._e.places.end(base, at)

    def _jump_out(self, label: tuple[str, int], at: int) -> None:
        self._end_objects(label[1], at)
        self._e.jump(at, label[0])

    def _common_blocks(self, name: str) -> int:
        """How many blocks around a ``goto`` are around its label, too."""
        there = self._label_blocks.get(name, ())
        count = 1
        for own, other in zip(self._blocks[1:], there, strict=False):
            if own.node != other:
                break
            count += 1
        return count

    def find_labels(self, body: Node) -> None:
        """The blocks that are around each label of a function."""
        stack: list[tuple[Node, tuple[int, ...]]] = [(body, ())]
        while stack:
            node, blocks = stack.pop()
            if kind_of(node) == "Label":
                self._label_blocks[node.name] = blocks
            for child in _blocks_of(node):
                stack += [(item, (*blocks, id(child[0]))) for item in child]
            inner = {id(item) for child in _blocks_of(node) for item in child}
            stack += [(child, blocks) for _, child in node.children() if id(child) not in inner]

    def _close(self, last: Node | None, outer: Scope) -> None:
        """A block ends with ``last``: so do its variables."""
        own = [symbol for symbol in self._e.scope.names.values() if isinstance(symbol, ObjectStorage)]
        if own and last is not None:
            until = max([self._unit.at.of(part) for part in descendants(last)])
            self._unit.spelling.ended([v for storage in own for leaf in storage.leaves.values() for v in leaf], until)
        self._e.scope = outer

    def _static_assert(self, node: Node) -> None:
        """It must hold where it stands (6.7.10)."""
        value = self._e.constant(node.cond, self._e.scope)
        if value is None:
            raise self._unit.error(node, "a static assertion needs a constant")
        if not value:
            self._e.emit(Assert(self._unit.at.of(node), FALSITY, (), "static_assert"))

    # Declarations.

    def declaration(self, node: Node) -> None:
        """A name in a block (6.7)."""
        e, unit = self._e, self._unit
        if kind_of(node) != "Decl":
            self.statement(node)
            return
        if node.name is None:
            e.declarations.type(node.type, e.scope)
            return
        if "typedef" in node.storage:
            e.scope.names[node.name] = type_name(node, e.declarations.type(node, e.scope), e.scope)
            return
        kind = e.declarations.type(node, e.scope)
        if isinstance(kind, Signature):
            declared = unit.functions.get(node.name)
            e.scope.names[node.name] = declared if declared is not None else FunctionName(node.name, kind, None, node)
            return
        if node.name in e.scope.names and "extern" not in node.storage:
            raise unit.error(node, f"'{node.name}' is declared twice")
        if "extern" in node.storage:
            known = unit.scope.names.get(node.name) or unit.externs.get(node.name)
            if known is None:
                known = unit.externs[node.name] = GlobalObject(node.name, kind, node, is_extern=True)
            e.scope.names[node.name] = known
            return
        if "static" in node.storage:
            kind = self._initializers.completed(kind, node.init)
            e.scope.names[node.name] = GlobalObject(f"{e.body.name}.{node.name}", kind, node, node.init, e.scope)
            return
        self._local(node, kind)

    def _local(self, node: Node, kind: CType) -> None:
        e, unit, at = self._e, self._unit, self._unit.at.of(node)
        kind = self._initializers.completed(kind, node.init)
        if isinstance(kind, Void) or (isinstance(kind, Structure) and not kind.is_complete):
            raise unit.error(node, f"the variable '{node.name}' has an incomplete type")
        storage = self.object(at, id(node), node.name, kind, node)
        storage.is_const = is_const(node, e.scope)
        e.scope.names[node.name] = storage
        place = e.places.of(storage)
        if node.init is None:
            e.places.havoc(place, at, node.name)
            if isinstance(kind, Pointer) and not self._is_assigned_first(node.name):
                self._point_nowhere(place, kind, at)
        else:
            self._initializers.initialize(place, node.init, node)

    def _is_assigned_first(self, name: str) -> bool:
        """Do the statements after a declaration give the variable a value before they do anything else with it?"""
        for item in self._following:
            mentions = [part for part in descendants(item) if kind_of(part) == "ID" and part.name == name]
            if kind_of(item) in ("Label", "Case", "Default"):
                return False
            if mentions:
                is_value = kind_of(item) == "Assignment" and item.op == "=" and len(mentions) == 1
                return is_value and mentions[0] is item.lvalue
        return True

    def _point_nowhere(self, place: Lvalue, kind: Pointer, at: int) -> None:
        """A pointer without a value points to none of the program's objects, as far as runs count."""
        e, unit = self._e, self._unit
        flag = unit.variable(at, "wild", BOOL_TYPE, e.body)
        e.emit(Havoc(at, (unit.nodes.name(flag),)))
        anywhere, nowhere, end = map(e.body.label, ("anywhere", "nowhere", "end"))
        e.split(at, unit.nodes.name(flag), anywhere, nowhere)
        e.mark(at, anywhere)
        e.emit(Inexact(at))
        e.jump(at, end)
        e.mark(at, nowhere)
        e.places.write(place, Address(kind, e.places.known_base(C_INT.least), e.places.zero_offset), at)
        e.mark(at, end)

    def object(self, at: int, key: int, name: str, kind: CType, node: Node) -> ObjectStorage:
        """An object of this body: in variables, or in memory if its address is taken."""
        e, unit = self._e, self._unit
        bounds = self.bounds(node, kind)
        e.calls.program.unions(kind, node)
        if key not in unit.demands.addressed and not unit.has_union(kind):
            storage = unit.storage(at, key, name, kind, e.body)
            storage.bounds = bounds
            return storage
        if e.body.name in unit.recursive or bounds:
            base = e.calls.program.new_base(e, at, is_heap=False)
        else:
            number = unit.next_constant() if is_const(node, e.scope) else unit.next_base()
            unit.spelling.object(number, name, kind)
            base = e.places.known_base(number)
        size = unit.data.size(kind)
        ptrdiff = unit.data.ptrdiff
        if size is not None:
            length = unit.arithmetic.literal(size, ptrdiff).term
        else:
            each = unit.data.size(kind.element) if isinstance(kind, ArrayType) else None
            if each is None or not bounds:
                raise unit.unsupported(node, f"the size of '{name}' is not known")
            count = unit.arithmetic.read(bounds[0], ptrdiff)
            length = unit.arithmetic.moved(e.places.zero_offset, count, each, ptrdiff)
        e.places.set_length(base, length, at)
        self._blocks[-1].in_memory.append(base)
        return ObjectStorage(key, kind, {}, bounds, base)

    def bounds(self, node: Node, kind: CType) -> tuple[Expression, ...]:
        """The lengths of an array that are computed (6.7.6.2p5), each kept in a variable."""
        e, unit = self._e, self._unit
        found: list[Expression] = []
        declarator: Node = getattr(node, "type", None)
        has_unknown = False
        while isinstance(kind, ArrayType) and kind_of(declarator) == "ArrayDecl":
            length = unit.arithmetic.literal(kind.length, unit.data.ptrdiff).term if kind.length is not None else None
            if length is None:
                if declarator.dim is None:
                    raise unit.error(node, "the length of this array is missing")
                has_unknown = True
                value = unit.arithmetic.convert(e.scalar(declarator.dim), unit.data.ptrdiff)
                variable = unit.variable(unit.at.of(node), "length", unit.offset_sort, e.body)
                e.places.assign((variable,), [value.term], unit.at.of(node))
                zero = unit.arithmetic.literal(0, unit.data.ptrdiff)
                e.places.must(unit.arithmetic.compare("<", zero, value), unit.at.of(node), "length")
                length = unit.nodes.name(variable)
            found.append(length)
            kind, declarator = kind.element, declarator.type
        return tuple(found) if has_unknown else ()

    # Control.

    def _if(self, node: Node) -> None:
        e, at = self._e, self._unit.at.of(node)
        yes, no, end = map(e.body.label, ("then", "else", "end"))
        e.branch(node.cond, yes, no if node.iffalse is not None else end)
        e.mark(at, yes)
        self._block((node.iftrue,) if node.iftrue is not None else ())
        if node.iffalse is not None:
            e.jump(at, end)
            e.mark(at, no)
            self._block((node.iffalse,))
        e.mark(at, end)

    def _loop(self, node: Node, cond: Node | None, step: Node | None, body: Node) -> None:
        e, at = self._e, self._unit.at.of(node)
        head, inside, again, end = map(e.body.label, ("head", "body", "continue", "end"))
        e.emit(Label(at, head, is_loop=True))
        self._claims.at_loop(node)
        if cond is not None:
            e.branch(cond, inside, end)
            e.mark(at, inside)
        self._inside(body, end, again)
        e.mark(at, again)
        if step is not None:
            e.effect(step)
        e.jump(at, head)
        e.mark(at, end)

    def _do(self, node: Node) -> None:
        e, at = self._e, self._unit.at.of(node)
        head, again, end = map(e.body.label, ("head", "continue", "end"))
        e.emit(Label(at, head, is_loop=True))
        self._claims.at_loop(node)
        self._inside(node.stmt, end, again)
        e.mark(at, again)
        e.branch(node.cond, head, end)
        e.mark(at, end)

    def _for(self, node: Node) -> None:
        outer = self._e.scope
        self._e.scope = Scope(outer)
        if node.init is not None:
            if kind_of(node.init) == "DeclList":
                self.statement(node.init)
            else:
                self._e.effect(node.init)
        self._loop(node, node.cond, node.next, node.stmt)
        self._close(node, outer)

    def _inside(self, body: Node, end: str, again: str) -> None:
        self._breaks.append((end, len(self._blocks)))
        self._continues.append((again, len(self._blocks)))
        self._block((body,) if body is not None else ())
        self._breaks.pop()
        self._continues.pop()

    def _switch(self, node: Node) -> None:
        """A jump to the case that fits (6.8.4.2)."""
        e, unit, at = self._e, self._unit, self._unit.at.of(node)
        value = e.scalar(node.cond)
        value = unit.arithmetic.convert(value, promoted(value.type))
        end = e.body.label("end")
        found = _Switch()
        default = end
        numbers: list[tuple[int, int]] = []
        for case in self._cases(node.stmt):
            label = found.labels[id(case)] = e.body.label("case")
            if kind_of(case) == "Default":
                if default != end:
                    raise unit.error(case, "this switch has two defaults")
                default = label
                continue
            low, high = self._case_values(case, value.type)
            for known_low, known_high in numbers:  # 6.8.4.2p3
                if max(low, known_low) <= min(high, known_high):
                    raise unit.error(case, f"this switch has two cases {max(low, known_low)}")
            numbers.append((low, high))
            other = e.body.label("other")
            first, last = (unit.arithmetic.literal(number, value.type) for number in (low, high))
            if low == high:
                fits = unit.arithmetic.compare("==", value, first)
            else:
                fits = both(unit.arithmetic.compare("<=", first, value), unit.arithmetic.compare("<=", value, last))
            e.split(at, fits if low <= high else FALSITY, label, other)
            e.mark(at, other)
        e.jump(at, default)
        self._switches.append(found)
        self._breaks.append((end, len(self._blocks)))
        self._block((node.stmt,))
        self._breaks.pop()
        self._switches.pop()
        e.mark(at, end)

    def _case_values(self, case: Node, kind: Integer) -> tuple[int, int]:
        """The first and the last value of a case, in the type of its switch; a range of GNU C may be empty."""
        found: list[int] = []
        for part in case.expr.parts if kind_of(case.expr) == "CaseRange" else (case.expr,):
            number = self._e.constant(part, self._e.scope)
            if number is None:
                raise self._unit.error(case, "the value of a case must be a constant")
            found.append(wrapped(number, kind) if self._unit.is_exact else number)
        return found[0], found[-1]

    def _cases(self, node: Node) -> list[Node]:
        """The cases of this switch, not of those inside of it."""
        found: list[Node] = []
        stack = [node]
        while stack:
            top = stack.pop()
            if kind_of(top) in ("Case", "Default"):
                found.append(top)
            if kind_of(top) != "Switch":
                stack += [child for _, child in reversed(top.children())]
        return found

    def _case(self, node: Node) -> None:
        label = self._switches[-1].labels.get(id(node)) if self._switches else None
        if label is None:
            raise self._unit.error(node, "this case belongs to no switch")
        self._e.mark(self._unit.at.of(node), label)
        for statement in node.stmts or ():
            self.statement(statement)

    def _label(self, node: Node) -> None:
        e, at = self._e, self._unit.at.of(node)
        if self._labels.setdefault(node.name, id(node)) != id(node):
            raise self._unit.error(node, f"the label '{node.name}' is declared twice")
        e.mark(at, f"{node.name}:")
        if node.name == _ERROR and self._unit.wanted.asserts and not self._calls_error(node.stmt):
            e.emit(Assert(at, FALSITY, (), _ERROR))
            self._unit.error_labels.append(at)
        self.statement(node.stmt)

    def _calls_error(self, node: Node) -> bool:
        """Does the statement itself say that this is an error? Then the call is the property, and the label is none."""
        return any(
            kind_of(part) == "FuncCall" and getattr(part.name, "name", "") in (*self._unit.wanted.errors, *FAILS, "assert")
            for part in descendants(node)
        )

    def _return(self, node: Node) -> None:
        e, at = self._e, self._unit.at.of(node)
        if node.expr is not None:
            if isinstance(self._result, Void):
                e.effect(node.expr)
            else:
                value = e.conversions.settled(e.value(node.expr), self._result, node)
                e.places.assign(self._results, e.calls.terms(value), at)
        elif not isinstance(self._result, Void):
            self.fall_off(at)
        self.leave(at)

    def fall_off(self, at: int) -> None:
        """The function ends without a value (6.9.1p12): a run whose caller uses it does not count."""
        self._unit.demands.falling.add(self._e.body.name)
        if self._falls is not None:
            self._e.places.assign((self._falls,), [TRUTH], at)

    def leave(self, at: int) -> None:
        """What lived in this body is gone (6.2.4p6)."""
        self._end_objects(0, at)
        self._e.emit(Return(at))


def _blocks_of(node: Node) -> list[tuple[Node, ...]]:
    """The blocks right below a statement, as ``_block`` gets them."""
    match kind_of(node):
        case "Compound":
            return [tuple(node.block_items)] if node.block_items else []
        case "If":
            return [(part,) for part in (node.iftrue, node.iffalse) if part is not None]
        case "While" | "DoWhile" | "For" | "Switch":
            return [(node.stmt,)] if node.stmt is not None else []
    return []

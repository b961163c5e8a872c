"""``Program``: a whole file (C11 6.9): its functions and globals, translated as far as the entry needs them."""

from __future__ import annotations

from lemmata.frontends.c import library
from lemmata.frontends.c.evidence.code_source import code_source
from lemmata.frontends.c.evidence.diagnostics import notes
from lemmata.frontends.c.memory.aliasing import Aliasing
from lemmata.frontends.c.memory.lvalues import DEAD, Lvalue, MemoryPlace
from lemmata.frontends.c.sequencing.ordering import DISORDER
from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of
from lemmata.frontends.c.translate.expressions import Expressions
from lemmata.frontends.c.translate.initializers import Initializers
from lemmata.frontends.c.translate.peephole import compacted, mentioned, reaches_end
from lemmata.frontends.c.translate.statements import StatementTranslator
from lemmata.frontends.c.translate.tree_builder import ENTRY, FALSITY, TRUTH, both, map_type
from lemmata.frontends.c.translate.unit import Body, FunctionName, GlobalObject, ObjectStorage, Scope, TranslationUnit
from lemmata.frontends.c.types import (
    ANONYMOUS,
    C_INT,
    VOID,
    ArrayType,
    BitField,
    CType,
    Integer,
    Pointer,
    Signature,
    Structure,
    Void,
)
from lemmata.frontends.c.types.compatible import compatible
from lemmata.frontends.c.types.declarations import DeclarationReader, is_const, type_name
from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.translate.effects import statements as all_statements
from lemmata.frontends.programs.tree import (
    BOOL_TYPE,
    Assert,
    Assign,
    Assume,
    Expression,
    Filled,
    Havoc,
    Implementation,
    Inexact,
    MapType,
    Name,
    Procedure,
    Statement,
    Variable,
    below,
)
from lemmata.values import dataclass

_NEXT = "memory.next"
_MAIN = "main"


@dataclass(frozen=True, slots=True)
class CFunction:
    """The parameters and the result of a definition."""

    parameters: tuple[CType, ...]
    result: CType


class CProgram:
    """One translation of one file."""

    def __init__(self, unit: TranslationUnit, tree: Node, entry: str) -> None:
        self.unit = unit
        self.aliasing = Aliasing(unit)
        self._tree = tree
        self._entry = entry
        self._start = Body("start")
        self._declarations = DeclarationReader(unit, self._constant, self._kind)
        self._top = self._expressions(self._start)
        self._outside = StatementTranslator(self._top, VOID, ())  # of all functions
        self._signatures: dict[str, CFunction] = {}
        self._strings: dict[int, ObjectStorage] = {}
        self._literals: dict[int, GlobalObject] = {}
        self._is_starting = False  # globals get their values
        self._initialized: set[int] = set()  # globals that have them, by node

    def _expressions(self, body: Body) -> Expressions:
        expressions = Expressions(self.unit, body, self._declarations)
        expressions.calls.program = self
        return expressions

    def _constant(self, node: Node, scope: Scope) -> int | None:
        return self._top.constant(node, scope)

    def _kind(self, node: Node, scope: Scope) -> CType:
        with self._top.aside(scope):
            return self._top.type_of(node)

    def translate(self) -> CheckedProgram:
        """The whole program, from its entry on."""
        unit = self.unit
        for node in self._tree.ext:
            self._external(node)
        self._find_pointed()
        self._find_recursion()
        unit.frees = any(kind_of(n) == "ID" and n.name in (*library.RELEASES, "realloc") for n in descendants(self._tree))
        entry = unit.functions.get(self._entry)
        if entry is None or entry.definition is None:
            names = [name for name, f in unit.functions.items() if f.definition is not None]
            defined = f"it defines {', '.join(names[:8])}" if names else "it defines none"
            raise unit.error(0, f"the program has no function '{self._entry}'", f"{defined}; choose one with --entry")
        self.need(self._entry)
        while unit.waiting:
            self._function(unit.functions[unit.waiting.pop()])
        self._finish()
        unit.ordering.settle(unit.demands.orders)
        if unit.ordering.disordered:
            self._disorder(unit.at.of(entry.definition))
        self._answer()
        return CheckedProgram(
            unit.text,
            unit.globals,
            {},
            (),
            unit.nodes.functions,
            unit.procedures,
            unit.nodes.types,
            unit.nodes.names,
            spelling=unit.spelling.spelling(
                notes(unit), code_source(unit, self._entry), unit.placed_claims, unit.refused_claims
            ),
        )

    # Names of the file.

    def _external(self, node: Node) -> None:
        unit = self.unit
        match kind_of(node):
            case "FuncDef":
                self._define(node)
            case "Typedef":
                kind = self._declarations.type(node, unit.scope)
                unit.scope.names[node.name] = type_name(node, kind, unit.scope)
            case "Decl":
                self._declare(node)
            case "DeclList":
                for part in node.decls:
                    self._external(part)
            case "StaticAssert":
                self._outside._static_assert(node)
            case "Pragma" | "EmptyStatement":
                pass
            case other:
                raise unit.unsupported(node, f"this ({other}) is not supported outside of functions")

    def _define(self, node: Node) -> None:
        unit, name = self.unit, node.decl.name
        if node.param_decls:
            raise unit.unsupported(
                node, "definitions in the style of K&R are not supported", "declare types in the list of parameters"
            )
        kind = self._declarations.type(node.decl.type, unit.scope)
        if not isinstance(kind, Signature) or kind_of(node.decl.type) != "FuncDecl":  # 6.9.1p2
            raise unit.error(node, f"'{name}' has a body, and is no function")
        known = unit.functions.get(name)
        if known is not None and known.definition is not None:
            raise unit.error(node, f"the function '{name}' is defined twice")
        if known is not None and not compatible(known.type, kind):  # 6.7p4
            raise unit.error(node, f"'{name}' is declared before as something else")
        if kind.is_variadic and name not in unit.wanted.errors:
            raise unit.unsupported(node, f"'{name}' takes any number of arguments: such definitions are not supported")
        function = known or FunctionName(name, kind, None, node)
        function.type, function.definition = kind, node
        unit.functions[name] = unit.scope.names[name] = function

    def _declare(self, node: Node) -> None:
        unit = self.unit
        if node.name is None:
            self._declarations.type(node.type, unit.scope)
            return
        kind = self._declarations.type(node, unit.scope)
        if isinstance(kind, Signature):
            known_function = unit.functions.get(node.name)
            if known_function is not None and known_function.definition and not compatible(known_function.type, kind):
                raise unit.error(node, f"'{node.name}' is declared before as something else")
            if node.name not in unit.functions:
                function = FunctionName(node.name, kind, None, node)
                unit.functions[node.name] = unit.scope.names[node.name] = function
            elif unit.functions[node.name].type.parameters is None and unit.functions[node.name].definition is None:
                unit.functions[node.name].type = kind
            return
        if isinstance(kind, Void):
            raise unit.error(node, f"the variable '{node.name}' has an incomplete type")
        if node.init is not None:
            kind = Initializers(self._top).completed(kind, node.init)
        known = unit.scope.names.get(node.name)
        if known is not None and not (isinstance(known, GlobalObject) and compatible(known.type, kind)):  # 6.7p4
            raise unit.error(node, f"'{node.name}' is declared before as something else")
        if isinstance(known, GlobalObject):  # tentative definitions (6.9.2)
            if node.init is not None and known.initial is not None:
                raise unit.error(node, f"'{node.name}' is defined twice")
            if node.init is not None:
                known.initial, known.type = node.init, kind
            if isinstance(known.type, ArrayType) and known.type.length is None:
                known.type = kind
            known.is_extern = known.is_extern and "extern" in node.storage and node.init is None
            return
        is_extern = "extern" in node.storage and node.init is None
        unit.scope.names[node.name] = GlobalObject(node.name, kind, node, node.init, unit.scope, is_extern=is_extern)

    def _find_pointed(self) -> None:
        """Functions that are mentioned and not just called: pointers may point to them."""
        functions = self.unit.functions
        for part in descendants(self._tree):  # functions that other functions declare
            if kind_of(part) == "Decl" and kind_of(part.type) == "FuncDecl" and part.name not in functions:
                kind = self._declarations.type(part, self.unit.scope)
                assert isinstance(kind, Signature)
                functions[part.name] = FunctionName(part.name, kind, None, part)
        called = {id(part.name) for part in descendants(self._tree) if kind_of(part) == "FuncCall"}
        mentioned = (part.name for part in descendants(self._tree) if kind_of(part) == "ID" and id(part) not in called)
        self.unit.pointed = list(dict.fromkeys(name for name in mentioned if name in functions))

    def _find_recursion(self) -> None:
        """Functions that mention a function which may lead back to them."""
        functions = self.unit.functions
        mentions: dict[str, set[str]] = {}
        for name, function in functions.items():
            if function.definition is not None:
                parts = list(descendants(function.definition.body))
                ids = {part.name for part in parts if kind_of(part) == "ID"}
                mentions[name] = ids & functions.keys()
                if any(kind_of(part) == "FuncCall" and self._is_indirect(part.name) for part in parts):
                    mentions[name] |= set(self.unit.pointed)
        reached = {name: set(found) for name, found in mentions.items()}
        changed = True
        while changed:
            changed = False
            for found in reached.values():
                more = set().union(*[reached.get(name, set()) for name in found]) - found
                if more:
                    found |= more
                    changed = True
        self.unit.recursive = {name for name, found in reached.items() if name in found}

    def _is_indirect(self, callee: Node) -> bool:
        return kind_of(callee) != "ID" or (callee.name not in self.unit.functions and "nondet" not in callee.name)

    # Functions.

    def need(self, name: str) -> None:
        """The function is called, or may be."""
        function = self.unit.functions.get(name)
        if function is not None and function.definition is not None and name not in self.unit.begun:
            self.unit.begun.add(name)
            self.unit.waiting.append(name)

    def signature(self, function: FunctionName) -> CFunction:
        """Its parameters as the definition has them."""
        parameters = function.type.parameters or ()
        return CFunction(parameters, function.type.result)

    def targets(self) -> list[str]:
        """Functions that a pointer may point to."""
        return [name for name in self.unit.pointed if name in self.unit.functions]

    def _function(self, function: FunctionName) -> None:
        unit, node = self.unit, function.definition
        assert node is not None
        at = unit.at.of(node)
        body = Body(function.name)
        e = self._expressions(body)
        formals: list[Variable] = []
        results = tuple(
            [
                unit.nodes.variable(
                    at, "result", ".".join(("result", *path)) + suffix, map_type((unit.offset_sort,) * depth, sort)
                )
                for path, depth, leaf in unit.leaves(function.type.result)
                for suffix, sort in zip(
                    (".base", ".offset") if isinstance(leaf, Pointer) else ("",), unit.sorts(leaf), strict=False
                )
            ]
        )
        for path, _, leaf in unit.leaves(function.type.result):
            parts = [v for v in results if v.name.removesuffix(".base").removesuffix(".offset") == ".".join(("result", *path))]
            unit.spelling.leaf(parts, ".".join(("\\result", *path)), leaf, function.name)
        falls = unit.nodes.variable(at, "result", "falls", BOOL_TYPE) if function.name in unit.demands.falling else None
        if falls is not None:
            e.places.assign((falls,), [FALSITY], at)
        statements = StatementTranslator(e, function.type.result, results, falls)
        statements.find_labels(node.body)
        self._parameters(node, e, statements, formals)
        statements.statement(node.body)
        end = self._end(node)
        if function.name == _MAIN and results and isinstance(function.type.result, Integer):  # 5.1.2.2.3
            e.places.assign(results, [unit.arithmetic.literal(0, function.type.result).term], at)
        elif not isinstance(function.type.result, Void) and function.name != _MAIN and reaches_end(body.statements):
            statements.fall_off(end)
        statements.leave(end)
        results = results if falls is None else (*results, falls)
        stops = unit.text.lexemes.never_return | frozenset(unit.wanted.errors)
        unit.ordering.body(function.name, body.statements, node.body, stops)
        lines = compacted(body.statements, unit.nodes)
        used = mentioned(lines, unit.nodes)
        own = tuple([variable for variable in body.variables if variable in used])
        implementation = Implementation(at, function.name, tuple(formals), results, own, tuple(lines), end)
        unit.procedures[function.name] = Procedure(at, function.name, tuple(formals), results, (), (), (), (implementation,))

    def _end(self, node: Node) -> int:
        last = self.unit.at.of(node)
        for part in descendants(node.body):
            if getattr(part, "coord", None) is not None:
                last = max(last, self.unit.at.of(part))
        return last

    def _parameters(self, node: Node, e: Expressions, statements: StatementTranslator, formals: list[Variable]) -> None:
        """Parameters are copied where they are changed, or have to be in memory."""
        unit = self.unit
        arguments = node.decl.type.args
        changed = _changed(node.body)
        storages: list[tuple[str, Node, ObjectStorage]] = []
        ranges: Expression = TRUTH
        for parameter in arguments.params if arguments is not None else ():
            kind = self._declarations.parameter(parameter, e.scope) if kind_of(parameter) != "EllipsisParam" else VOID
            if isinstance(kind, Void):
                continue
            at, name = unit.at.of(parameter), getattr(parameter, "name", None) or "unnamed"
            if name != "unnamed" and any(name == other for other, _, _ in storages):
                raise unit.error(parameter, f"two parameters are called '{name}'")
            storage = ObjectStorage(id(parameter), kind)
            for path, depth, leaf in unit.leaves(kind):
                full = ".".join((name, *path))
                sorts = [map_type((unit.offset_sort,) * depth, sort) for sort in unit.sorts(leaf)]
                suffixes = ("",) if len(sorts) == 1 else (".base", ".offset")
                own = [unit.nodes.variable(at, "parameter", full + s, sort) for s, sort in zip(suffixes, sorts, strict=False)]
                storage.leaves[path] = tuple(own)
                formals += own
                spelled = ".".join((name, *[part for part in path if not part.startswith(ANONYMOUS)]))
                unit.spelling.leaf(own, spelled, leaf, e.body.name, depth, is_parameter=True)
                if isinstance(leaf, Integer | BitField) and not depth:
                    ranges = both(ranges, unit.within(unit.nodes.name(own[0]), leaf))
            storages.append((name, parameter, storage))
        if ranges is not TRUTH:
            e.emit(Assume(unit.at.of(node), ranges))
        if e.body.name == self._entry == _MAIN:
            self._count_arguments(storages, node, e)
            self._arguments([name for name, _, storage in storages if isinstance(storage.type, Pointer)], node, e)
        for name, parameter, storage in storages:
            at, kind = unit.at.of(parameter), storage.type
            if name in changed or id(parameter) in unit.demands.addressed or unit.has_union(kind):
                copy = statements.object(at, id(parameter), name, kind, parameter)
                e.places.write(e.places.of(copy), e.places.read(e.places.of(storage), at), at)
                e.scope.names[name] = copy
            else:
                e.scope.names[name] = storage

    def _count_arguments(self, storages: list[tuple[str, Node, ObjectStorage]], node: Node, e: Expressions) -> None:
        """The number of arguments is not negative (5.1.2.2.1p2)."""
        unit = self.unit
        if storages and isinstance(kind := storages[0][2].type, Integer):
            count = unit.arithmetic.read(unit.nodes.name(storages[0][2].leaves[()][0]), kind)
            e.emit(Assume(unit.at.of(node), unit.arithmetic.compare("<=", unit.arithmetic.literal(0, kind), count)))

    def _arguments(self, names: list[str], node: Node, e: Expressions) -> None:
        """What the arguments of ``main`` point to is none of the program's objects: a run that looks at them does not count."""
        if any(kind_of(part) == "ID" and part.name in names for part in descendants(node.body)):
            e.emit(Inexact(self.unit.at.of(node)))

    # Objects.

    def object(self, symbol: GlobalObject) -> ObjectStorage:
        """The storage of a global, which is initialised when the program starts."""
        if symbol.storage is None:
            unit, at = self.unit, self.unit.at.of(symbol.node)
            if isinstance(symbol.type, Structure) and not symbol.type.is_complete:
                raise unit.error(symbol.node, f"the variable '{symbol.name}' has an incomplete type")
            key = id(symbol.node)
            if key in unit.demands.addressed or unit.has_union(symbol.type):
                self.unions(symbol.type, symbol.node)
                number = unit.next_constant() if is_const(symbol.node, symbol.scope or unit.scope) else unit.next_base()
                unit.spelling.object(number, _plain_name(symbol.name), symbol.type)
                symbol.storage = ObjectStorage(key, symbol.type, base=self._top.places.known_base(number))
            else:
                symbol.storage = unit.storage(at, key, symbol.name, symbol.type, None, _plain_name(symbol.name))
            unit.used.append(symbol)
        self._ready(symbol)
        return symbol.storage

    def _ready(self, symbol: GlobalObject) -> None:
        """While globals get their values: an object whose value another one needs has its own first."""
        if self._is_starting and not self._top.is_aside:
            self._initialize(symbol)

    def unions(self, kind: CType, node: Node) -> None:
        """Members of unions are bytes at the same place."""
        if self.unit.has_union(kind):
            self.aliasing.punned((kind,), node)

    def is_outside(self, e: Expressions) -> bool:
        """Does it translate what is outside of all functions?"""
        return e.body is self._start

    def compound_literal(self, e: Expressions, node: Node) -> Lvalue:
        """An object without a name (6.5.2.5): of its block, or always there outside of functions."""
        kind = self.literal_type(e, node)
        if self.is_outside(e):
            if id(node) not in self._literals:
                self._literals[id(node)] = GlobalObject("literal", kind, node, node.init, e.scope)
            return e.places.of(self.object(self._literals[id(node)]))
        place = e.places.of(e.objects.object(self.unit.at.of(node), id(node), "literal", kind, node))
        Initializers(e).initialize(place, node.init, node)
        return place

    def literal_type(self, e: Expressions, node: Node) -> CType:
        """The type of a compound literal: an array stays one, and has the length that its initialiser tells."""
        return Initializers(e).completed(self._declarations.type(node.type, e.scope), node.init)

    def string(self, symbol: GlobalObject) -> ObjectStorage:
        """The object of a string literal (6.4.5p6)."""
        key = id(symbol.node)
        if key not in self._strings:
            number = self.unit.next_string()
            self.unit.spelling.object(number, symbol.node.value, symbol.type)
            base = self._top.places.known_base(number)
            storage = self._strings[key] = ObjectStorage(key, symbol.type, base=base)
            symbol.storage = storage
            symbol.initial = symbol.node
            symbol.scope = self.unit.scope
            self.unit.used.append(symbol)
            self._ready(symbol)
        return self._strings[key]

    def new_base(self, e: Expressions, at: int, *, is_heap: bool) -> Expression:
        """The number of a new object: every other one is for the heap, if blocks have objects that get numbers, too."""
        unit = self.unit
        following = unit.table(_NEXT, unit.base_sort)
        own = unit.variable(at, "object", unit.base_sort, e.body)
        name = unit.nodes.name
        one = unit.arithmetic.literal(1, C_INT)
        unit.demands.has_automatic |= not is_heap
        more = unit.arithmetic.moved(name(following), one, 2 if unit.demands.has_automatic else 1, C_INT)
        number = name(following) if is_heap else unit.arithmetic.moved(name(following), one, 1, C_INT)
        e.emit(Assign(at, (name(own), name(following)), (number, more)))
        return name(own)

    # The start.

    def _finish(self) -> None:
        """Globals get their values before the entry begins (6.7.9p10)."""
        unit = self.unit
        done = 0
        while done < len(unit.used) or unit.waiting:
            if unit.waiting:
                self._function(unit.functions[unit.waiting.pop()])
                continue
            symbol = unit.used[done]
            done += 1
            self._is_starting = True
            self._initialize(symbol)
            self._is_starting = False
        statements = self._start.statements
        following = unit.globals.get(_NEXT)
        at = unit.at.of(unit.functions[self._entry].definition)
        if following is not None:
            first = unit.arithmetic.literal(unit.last_base + 1, C_INT).term
            statements.insert(0, Assign(at, (unit.nodes.name(following),), (first,)))
        if "memory.length" in unit.globals:
            lengths = unit.lengths()
            none = unit.arithmetic.literal(DEAD, unit.data.ptrdiff).term
            nothing = Filled(0, MapType((unit.base_sort,), unit.offset_sort), none)
            statements.insert(0, Assign(at, (unit.nodes.name(lengths),), (nothing,)))
        unit.demands.objects, unit.demands.strings = unit.last_base, unit.string_count
        unit.demands.constants = unit.constant_count
        self._prepend(_merged(statements), at)

    def _initialize(self, symbol: GlobalObject) -> None:
        """Once, and after the objects whose values its own value is made of."""
        e, at = self._top, self.unit.at.of(symbol.node)
        if id(symbol.node) in self._initialized:
            return
        self._initialized.add(id(symbol.node))
        assert symbol.storage is not None
        place = e.places.of(symbol.storage)
        if isinstance(place, MemoryPlace):
            size = self.unit.data.size(symbol.type)
            length = self.unit.arithmetic.literal(size or 0, self.unit.data.ptrdiff).term
            e.places.set_length(place.base, length, at)
        if symbol.is_extern:
            for path, depth, leaf in self.unit.leaves(symbol.type):
                if isinstance(leaf, Pointer) and not self.aliasing.is_opaque(leaf.target):  # points to nobody knows what
                    e.emit(Inexact(at))
                if isinstance(leaf, Integer | BitField) and symbol.storage.leaves.get(path) and not depth:
                    within = self.unit.within(self.unit.nodes.name(symbol.storage.leaves[path][0]), leaf)
                    if within is not TRUTH:
                        e.emit(Assume(at, within))
            return
        outer, e.scope = e.scope, symbol.scope or self.unit.scope
        is_scalar = not isinstance(symbol.type, ArrayType | Structure)
        if symbol.initial is None or not is_scalar:
            e.places.zero(place, at)
        if symbol.initial is not None:
            Initializers(e).initialize(place, symbol.initial, symbol.node, is_zero=True)
        e.scope = outer

    def _disorder(self, at: int) -> None:
        """The procedure after which nothing is known of the objects of the program."""
        unit, e = self.unit, self._expressions(Body(DISORDER))
        e.emit(Inexact(at))
        written = unit.ordering.written()
        for symbol in unit.used:
            storage = symbol.storage
            if storage is not None and written & {v for leaf in storage.leaves.values() for v in leaf}:
                e.places.havoc(e.places.of(storage), at)
        memories = [unit.nodes.name(v) for v in unit.globals.values() if v in written and v.name.startswith("memory.")]
        e.emit(Havoc(at, tuple(memories)))
        body = Implementation(at, DISORDER, (), (), tuple(e.body.variables), tuple(e.body.statements), at)
        unit.procedures[DISORDER] = Procedure(at, DISORDER, (), (), (), (), (), (body,))

    def _answer(self) -> None:
        """What was asked for has an answer also where nothing in the program can violate it: a property that holds."""
        unit = self.unit
        own = (s for p in unit.procedures.values() for body in p.implementations for s in all_statements(body.body))
        if unit.wanted.name and not any(isinstance(s, Assert) and not s.what.startswith(ENTRY) for s in own):
            at = unit.at.of(unit.functions[self._entry].definition)
            self._begin([Assert(at, TRUTH, (), unit.wanted.name)], [])

    def _prepend(self, statements: list[Statement], at: int) -> None:
        """The entry begins with them; if it is called as well, the program is refused."""
        unit = self.unit
        if not statements and not self._start.variables:
            return
        if self._entry in unit.recursive or any(self._calls(p) for p in unit.procedures.values()):
            raise unit.unsupported(at, f"'{self._entry}' is called by the program", "rename it, and call it from the entry")
        self._begin(statements, self._start.variables)

    def _begin(self, statements: list[Statement], variables: list[Variable]) -> None:
        unit, old = self.unit, self.unit.procedures[self._entry]
        body = old.implementations[0]
        whole = Implementation(
            body.at,
            body.name,
            body.parameters,
            body.results,
            (*body.variables, *variables),
            (*statements, *body.body),
            body.end,
        )
        unit.procedures[self._entry] = Procedure(old.at, old.name, old.parameters, old.results, (), (), (), (whole,))

    def _calls(self, procedure: Procedure) -> bool:
        return any(getattr(s, "procedure", None) == self._entry for body in procedure.implementations for s in body.body)


def _plain_name(name: str) -> str:
    """A static variable of a function without the name of the function."""
    return name.rsplit(".", 1)[-1]


def _merged(statements: list[Statement]) -> list[Statement]:
    """Assignments one after the other become one, as long as none reads or changes what one of them changed."""
    merged: list[Statement] = []
    targets: set[str] = set()
    for statement in statements:
        last = merged[-1] if merged else None
        if isinstance(statement, Assign):
            own = {name.text for name in statement.targets}
            used = {n.text for value in statement.values for n in _names(value)}
            if isinstance(last, Assign) and not targets & (own | used):
                merged[-1] = Assign(last.at, (*last.targets, *statement.targets), (*last.values, *statement.values))
                targets |= own
                continue
            targets = own
        merged.append(statement)
    return merged


def _names(value: Expression) -> list[Name]:
    return [node for node in below(value) if isinstance(node, Name)]


def _changed(body: Node) -> set[str]:
    """Names that are assigned somewhere in a body, or whose parts are."""
    found = set()
    for part in descendants(body):
        targets = []
        if kind_of(part) == "Assignment":
            targets = [part.lvalue]
        elif kind_of(part) == "UnaryOp" and part.op in ("++", "--", "p++", "p--"):
            targets = [part.expr]
        while targets:
            target = targets.pop()
            if kind_of(target) in ("StructRef", "ArrayRef"):
                targets.append(target.name)
            elif kind_of(target) == "GenericSelection":
                targets += target.expressions
            elif kind_of(target) == "ID":
                found.add(target.name)
    return found

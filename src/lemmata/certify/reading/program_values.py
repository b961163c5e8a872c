"""Expressions of programs as Python functions: what Boogie's manual says about operators, executed.

``ExpressionCompiler.function(e)`` gives ``f(now, own, before)``: the value of ``e`` where globals are ``now``, all other
variables are ``own``, and globals below ``old`` are ``before``. A truth value is a ``bool``, a word an ``int``, a real a
``Fraction``, a map an ``ArrayValue``. Where the value depends on what nobody can say (a division by zero, most quantifiers, a
function that stands for something else) the function raises ``Unclear``.

The tree comes from outside (``run`` hands it in), since nothing here may import a front end: nodes are told apart by the names
of their classes, as in ``frontends/programs/tree.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import floor
from typing import Any, Protocol

from lemmata.certify.reading.program_words import WordOperator, builtin
from lemmata.logic.sorts import BOOL, REAL, Array, BitVec, Sort
from lemmata.logic.values import ArrayValue
from lemmata.work import STATEMENT, is_over, tally

Storage = dict[Any, Any]  # by variable
CompiledExpression = Callable[[Storage, Storage, Storage], Any]
_BUILTINS = ("builtin", "bvbuiltin")
_INSTANCES = 64  # values of bound variables that are tried
_LARGEST_EXPONENT = 64  # the largest power that is computed
_NUMBER_BITS = 1 << 14  # of a number; what has more is not computed with
_LOOK_BODIES = 256  # bodies of functions and of quantifiers between two looks at the clock


class Unclear(Exception):
    """What happens depends on a value that the program does not determine, or that cannot be computed."""


class ProgramText(Protocol):
    """What is needed of a checked program."""

    @property
    def text(self) -> Any:
        """The source, which knows the line of an offset."""

    @property
    def variables(self) -> Mapping[str, Any]:
        """The globals."""

    @property
    def constants(self) -> Mapping[str, Any]:
        """The constants."""

    @property
    def axioms(self) -> Sequence[Any]:
        """What is known of the constants."""

    @property
    def functions(self) -> Mapping[str, Any]:
        """With or without a body."""

    @property
    def procedures(self) -> Mapping[str, Any]:
        """With their implementations."""

    def sort_of(self, node: Any) -> Sort:
        """The sort of an expression, a variable, or the result of a function."""

    def sort_of_type(self, kind: Any) -> Sort:
        """The sort of a type."""

    def type_of(self, node: Any) -> Any:
        """Its type, without synonyms; types are equal if they say the same."""

    def variable_of(self, name: Any) -> Any:
        """What a name stands for."""


class ProgramWorld:
    """What never changes during a run: the values of constants, and of functions without a body."""

    def __init__(self, samples: Callable[[Sort], Sequence[Any]], choose: Callable[[Sort], Any] | None = None) -> None:
        self.constants: Storage = {}
        self.tables: dict[str, ArrayValue] = {}
        self.memory: dict[tuple[str, tuple[Any, ...]], Any] = {}
        self.samples = samples
        self.until = float("inf")  # on the work clock; one expression can be work without end
        self._choose = choose
        self._ticks = 0

    def tick(self) -> None:
        """Work goes on: ``Unclear`` if it has taken too long."""
        self._ticks += 1
        if self._ticks % _LOOK_BODIES == 0:
            tally[STATEMENT] += _LOOK_BODIES
            if is_over(self.until):
                raise Unclear("too much work")

    def constant(self, variable: Any, sort: Sort) -> Any:
        """The value of a constant; chosen now, if that is allowed."""
        if variable not in self.constants:
            if self._choose is None:
                raise Unclear(f"the constant {variable.name} has no value")
            self.constants[variable] = self._choose(sort)
        return self.constants[variable]

    def apply(self, name: str, arguments: tuple[Any, ...], sort: Sort) -> Any:
        """The value of a function without a body."""
        if name in self.tables:
            value: Any = self.tables[name]
            for argument in arguments:
                value = value.select(argument)
            return value
        key = name, arguments
        if key not in self.memory:
            if self._choose is None:
                raise Unclear(f"the function {name} has no value")
            self.memory[key] = self._choose(sort)
        return self.memory[key]


class ExpressionCompiler:
    """Turns expressions of one program into functions, each once."""

    def __init__(self, program: ProgramText, world: ProgramWorld) -> None:
        self._program = program
        self._world = world
        self._known: dict[Any, CompiledExpression] = {}

    def function(self, expression: Any) -> CompiledExpression:
        """The expression as a function."""
        if expression not in self._known:
            self._known[expression] = self._make(expression)
        return self._known[expression]

    def _make(self, e: Any) -> CompiledExpression:
        match type(e).__name__:
            case "Literal":
                value = Fraction(e.value) if self._program.sort_of_type(e.type) is REAL else e.value
                return lambda now, own, before: value
            case "Name":
                return self._name(self._program.variable_of(e))
            case "Unary":
                f = self.function(e.argument)
                if e.op == "!":
                    return lambda now, own, before: not f(now, own, before)
                return lambda now, own, before: -f(now, own, before)
            case "Binary":
                return self._binary(e)
            case "Conditional":
                c, a, b = map(self.function, (e.condition, e.then, e.otherwise))
                return lambda now, own, before: a(now, own, before) if c(now, own, before) else b(now, own, before)
            case "Old":
                f = self.function(e.argument)
                return lambda now, own, before: f(before, own, before)
            case "Select":
                return _select(self.function(e.map), [self.function(i) for i in e.indices])
            case "Store":
                return _store(self.function(e.map), [self.function(i) for i in e.indices], self.function(e.value))
            case "Filled":
                return _filled(self._program.sort_of_type(e.type), self.function(e.value), len(e.type.indices))
            case "Extract":
                f, low, mask = self.function(e.argument), e.low, (1 << e.high - e.low) - 1
                return lambda now, own, before: f(now, own, before) >> low & mask
            case "Convert":
                f = self.function(e.argument)
                if self._program.sort_of(e) is REAL:
                    return lambda now, own, before: Fraction(f(now, own, before))
                return lambda now, own, before: floor(f(now, own, before))
            case "Apply":
                return self._apply(e)
            case "Quantified":
                return self._quantified(e)
        return _unclear(f"{type(e).__name__} is not executed")

    def _name(self, variable: Any) -> CompiledExpression:
        if variable.kind == "const":
            world, sort = self._world, self._program.sort_of(variable)
            return lambda now, own, before: world.constant(variable, sort)
        if variable.kind == "global":
            return lambda now, own, before: now[variable]
        return lambda now, own, before: own[variable]

    def _binary(self, e: Any) -> CompiledExpression:
        a, b, op = self.function(e.left), self.function(e.right), e.op
        match op:
            case "&&":
                return lambda now, own, before: a(now, own, before) and b(now, own, before)
            case "||":
                return lambda now, own, before: a(now, own, before) or b(now, own, before)
            case "==>":
                return lambda now, own, before: not a(now, own, before) or b(now, own, before)
            case "<==>" | "==":
                return lambda now, own, before: a(now, own, before) == b(now, own, before)
            case "!=":
                return lambda now, own, before: a(now, own, before) != b(now, own, before)
            case "<":
                return lambda now, own, before: a(now, own, before) < b(now, own, before)
            case "<=":
                return lambda now, own, before: a(now, own, before) <= b(now, own, before)
            case ">":
                return lambda now, own, before: a(now, own, before) > b(now, own, before)
            case ">=":
                return lambda now, own, before: a(now, own, before) >= b(now, own, before)
            case "+" if self._program.sort_of(e) is REAL:  # denominators multiply
                return lambda now, own, before: _small(a(now, own, before) + b(now, own, before))
            case "-" if self._program.sort_of(e) is REAL:
                return lambda now, own, before: _small(a(now, own, before) - b(now, own, before))
            case "+":
                return lambda now, own, before: a(now, own, before) + b(now, own, before)
            case "-":
                return lambda now, own, before: a(now, own, before) - b(now, own, before)
            case "*":
                return lambda now, own, before: _small(a(now, own, before) * b(now, own, before))
            case "++":
                width = _width(self._program.sort_of(e.right))
                return lambda now, own, before: a(now, own, before) << width | b(now, own, before)
        return self._division(e, a, b)

    def _division(self, e: Any, a: CompiledExpression, b: CompiledExpression) -> CompiledExpression:
        if e.op == "**":
            return lambda now, own, before: _power(a(now, own, before), b(now, own, before))
        is_real = e.op == "/" and self._program.sort_of(e) is REAL
        compute = _quotient if is_real else _mod if e.op == "mod" else _div
        return lambda now, own, before: compute(a(now, own, before), b(now, own, before))

    def _apply(self, e: Any) -> CompiledExpression:
        function = self._program.functions[e.function]
        arguments = [self.function(argument) for argument in e.arguments]
        marks = {attribute.name for attribute in function.attributes}
        if function.body is not None:
            return self._written_out(self.function(function.body), function.parameters, arguments)
        if not marks.isdisjoint(_BUILTINS):
            operator = self._builtin(function)
            if operator is None:
                return _unclear(f"the operator {function.name} is not known")
            return lambda now, own, before: _applied(operator, [f(now, own, before) for f in arguments])
        if "overapproximation" in marks:
            return _unclear(f"the function {function.name} stands for something else")
        world, name, sort = self._world, e.function, self._program.sort_of(function)
        return lambda now, own, before: world.apply(name, tuple([f(now, own, before) for f in arguments]), sort)

    def _written_out(
        self, body: CompiledExpression, parameters: Sequence[Any], arguments: list[CompiledExpression]
    ) -> CompiledExpression:
        tick = self._world.tick

        def value(now: Storage, own: Storage, before: Storage) -> Any:
            tick()
            return body({}, dict(zip(parameters, [f(now, own, before) for f in arguments], strict=True)), {})

        return value

    def _builtin(self, function: Any) -> WordOperator | None:
        texts = [a.arguments[0] for a in function.attributes if a.name in _BUILTINS and a.arguments]
        if not texts or not isinstance(texts[0], str):
            return None
        indices = [n.value for a in function.attributes if a.name == "indices" for n in a.arguments]
        sorts = [self._program.sort_of(parameter) for parameter in function.parameters]
        return builtin(texts[0], indices, [_width(sort) if isinstance(sort, BitVec) else None for sort in sorts])

    def _quantified(self, e: Any) -> CompiledExpression:
        """One instance may decide it; where none does, and not all could be tried, it is unclear."""
        body, world, variables = self.function(e.body), self._world, e.variables
        sorts = [self._program.sort_of(variable) for variable in variables]
        decisive = bool(e.quantifier == "exists")
        is_finite = all(sort is BOOL for sort in sorts)

        def value(now: Storage, own: Storage, before: Storage) -> bool:
            instances = product(*[(False, True) if sort is BOOL else world.samples(sort) for sort in sorts])
            for tried, instance in enumerate(instances):
                if tried > _INSTANCES and not is_finite:
                    break
                world.tick()
                if bool(body(now, {**own, **dict(zip(variables, instance, strict=True))}, before)) == decisive:
                    return decisive
            if is_finite:
                return not decisive
            raise Unclear("a quantifier")

        return value


def _unclear(why: str) -> CompiledExpression:
    def fail(now: Storage, own: Storage, before: Storage) -> Any:
        raise Unclear(why)

    return fail


def _width(sort: Sort) -> int:
    assert isinstance(sort, BitVec)
    return sort.width


def _select(mapping: CompiledExpression, indices: list[CompiledExpression]) -> CompiledExpression:
    def value(now: Storage, own: Storage, before: Storage) -> Any:
        found = mapping(now, own, before)
        for index in indices:
            found = found.select(index(now, own, before))
        return found

    return value


def _filled(sort: Sort, element: CompiledExpression, depth: int) -> CompiledExpression:
    """The map that has one value everywhere."""

    def value(now: Storage, own: Storage, before: Storage) -> Any:
        sorts = [sort]
        for _ in range(depth - 1):
            assert isinstance(sorts[-1], Array)
            sorts.append(sorts[-1].element)
        result = element(now, own, before)
        for one in reversed(sorts):
            assert isinstance(one, Array)
            result = ArrayValue(one, result)
        return result

    return value


def _store(mapping: CompiledExpression, indices: list[CompiledExpression], new: CompiledExpression) -> CompiledExpression:
    def value(now: Storage, own: Storage, before: Storage) -> Any:
        places = [index(now, own, before) for index in indices]
        maps = [mapping(now, own, before)]
        for place in places[:-1]:
            maps.append(maps[-1].select(place))
        result = new(now, own, before)
        for outer, place in zip(reversed(maps), reversed(places), strict=True):
            result = outer.store(place, result)
        return result

    return value


def _applied(operator: WordOperator, arguments: list[Any]) -> Any:
    try:
        return operator(*arguments)
    except ZeroDivisionError:
        raise Unclear("a division by zero") from None


def _small(value: Any) -> Any:
    """The number itself; ``Unclear`` where loops would go on with numbers that fill the memory."""
    if value.numerator.bit_length() > _NUMBER_BITS or value.denominator.bit_length() > _NUMBER_BITS:
        raise Unclear("a large number")
    return value


def _quotient(a: Any, b: Any) -> Any:
    if b == 0:
        raise Unclear("a division by zero")
    return _small(Fraction(a) / b)


def _div(a: int, b: int) -> int:
    """Euclidean: what is left over is never negative."""
    if b == 0:
        raise Unclear("a division by zero")
    return (a - a % abs(b)) // b


def _mod(a: int, b: int) -> int:
    if b == 0:
        raise Unclear("a division by zero")
    return a % abs(b)


def _power(a: Fraction, b: Fraction) -> Fraction:
    if b.denominator != 1 or not 0 <= b <= _LARGEST_EXPONENT:
        raise Unclear("a power")
    return Fraction(_small(Fraction(a) ** int(b)))

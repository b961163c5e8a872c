"""A second reading of BTOR2: straight from the lines of text to plain integers, with nothing of ``lemmata`` in it.

A word is an int in 0 … 2ʷ - 1. An array is a tuple of all its elements, so indices must be small. The interpreter trusts its
input (it is for models that the random generator or a test has written) and follows the paper's prose, operator by operator:
Niemetz, Preiner, Wolf, Biere, CAV 2018. ``reachable`` enumerates all states and inputs, breadth first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

Value = int | tuple[int, ...]
Sort = int | tuple[int, int]  # bits of a word, or bits of index and element
Values = tuple[Value, ...]


@dataclass(frozen=True)
class Leaf:
    """A state or an input of the file."""

    node: int
    sort: Sort
    symbol: str | None


class Interpreter:
    """``states`` and ``inputs`` are in file order; so are values in tuples."""

    def __init__(self, text: str) -> None:
        self.lines = [words for line in text.split("\n") if (words := _words(line))]
        self.sorts: dict[int, Sort] = {}
        self.node_sorts: dict[int, Sort] = {}
        self.states: list[Leaf] = []
        self.inputs: list[Leaf] = []
        self.inits: dict[int, int] = {}
        self.nexts: dict[int, int] = {}
        self.constraints: list[int] = []
        self.bads: list[int] = []
        self.code: list[tuple[int, str, Sort, list[str]]] = []
        for words in self.lines:
            self._read(int(words[0]), words[1], words[2:])

    def _read(self, node: int, tag: str, rest: list[str]) -> None:
        match tag:
            case "sort" if rest[0] == "bitvec":
                self.sorts[node] = int(rest[1])
            case "sort":
                index, element = self.sorts[int(rest[1])], self.sorts[int(rest[2])]
                assert isinstance(index, int) and isinstance(element, int)
                self.sorts[node] = index, element
            case "state" | "input":
                sort = self.node_sorts[node] = self.sorts[int(rest[0])]
                leaf = Leaf(node, sort, rest[1] if len(rest) > 1 else None)
                (self.states if tag == "state" else self.inputs).append(leaf)
            case "init":
                self.inits[int(rest[1])] = int(rest[2])
            case "next":
                self.nexts[int(rest[1])] = int(rest[2])
            case "constraint":
                self.constraints.append(int(rest[0]))
            case "bad":
                self.bads.append(int(rest[0]))
            case "fair" | "justice" | "output":
                pass
            case _:
                self.node_sorts[node] = self.sorts[int(rest[0])]
                self.code.append((node, tag, self.node_sorts[node], rest[1:]))

    # What is free.

    def free(self) -> list[Leaf]:
        """The states without ``init``, whose first value is free."""
        return [state for state in self.states if state.node not in self.inits]

    def loose(self) -> list[Leaf]:
        """The states without ``next``, whose every later value is free."""
        return [state for state in self.states if state.node not in self.nexts]

    def initial(self, free: Sequence[Value]) -> Values:
        """The initial state where the states without ``init`` have the values ``free``."""
        values: dict[int, Value] = dict(zip([leaf.node for leaf in self.free()], free, strict=True))
        for state in self.states:
            if state.node in self.inits:
                source = self.inits[state.node]
                value = self._at(source, self._run(values, below=state.node))
                if isinstance(state.sort, tuple) and isinstance(value, int):
                    value = (value,) * (1 << state.sort[0])
                values[state.node] = value
        return tuple(values[state.node] for state in self.states)

    def step(self, state: Values, inputs: Values, loose: Sequence[Value] = ()) -> tuple[Values, bool, tuple[bool, ...]]:
        """The next state, whether the constraints hold here, and which bads hold here (whatever the constraints say).

        ``loose`` are the next values of the states without ``next``.
        """
        leaves = [leaf.node for leaf in (*self.states, *self.inputs)]
        values = self._run(dict(zip(leaves, (*state, *inputs), strict=True)))
        anything = dict(zip([leaf.node for leaf in self.loose()], loose, strict=True))
        following = tuple(
            self._at(self.nexts[leaf.node], values) if leaf.node in self.nexts else anything[leaf.node] for leaf in self.states
        )
        holds = all(self._at(node, values) for node in self.constraints)
        return following, holds, tuple(bool(self._at(node, values)) for node in self.bads)

    # One look at all nodes.

    def _run(self, leaves: Mapping[int, Value], below: int | None = None) -> dict[int, Value]:
        """All nodes (with an id below ``below``) whose arguments are known."""
        values = dict(leaves)
        for node, tag, sort, words in self.code:
            if below is not None and node >= below:
                break
            values_or_none = self._operate(tag, sort, words, values)
            if values_or_none is not None:
                values[node] = values_or_none
        return values

    def _at(self, node: int, values: Mapping[int, Value]) -> Value:
        value = values[abs(node)]
        if node > 0:
            return value
        width = self.node_sorts[-node]
        assert isinstance(value, int) and isinstance(width, int)
        return (1 << width) - 1 - value

    def _operate(self, tag: str, sort: Sort, words: list[str], values: Mapping[int, Value]) -> Value | None:
        if tag in ("const", "constd", "consth", "zero", "one", "ones"):
            assert isinstance(sort, int)
            return _constant(tag, words, sort)
        count = 1 if tag in ("sext", "uext", "slice") else _ARITY.get(tag, 2)
        nodes = [int(word) for word in words[:count]]
        if any(abs(node) not in values for node in nodes):
            return None
        args = [self._at(node, values) for node in nodes]
        sorts = [self.node_sorts[abs(node)] for node in nodes]
        numbers = [int(word) for word in words[count : count + {"sext": 1, "uext": 1, "slice": 2}.get(tag, 0)]]
        return _apply(tag, args, sorts, numbers)


_ARITY = {"not": 1, "inc": 1, "dec": 1, "neg": 1, "redand": 1, "redor": 1, "redxor": 1, "ite": 3, "write": 3}


def _words(line: str) -> list[str]:
    words = line.split()
    comment = next((i for i, word in enumerate(words) if word.startswith(";")), len(words))
    return words[:comment]


def _constant(tag: str, words: list[str], width: int) -> int:
    match tag:
        case "zero":
            return 0
        case "one":
            return 1
        case "ones":
            return 2**width - 1
        case "const":
            return int(words[0], 2)
        case "consth":
            return int(words[0], 16)
        case _:
            return int(words[0]) % 2**width


def _signed(word: int, width: int) -> int:
    return word - 2**width if word >= 2 ** (width - 1) else word


def _apply(tag: str, args: list[Value], sorts: list[Sort], numbers: list[int]) -> Value:
    if isinstance(args[0], tuple) or tag == "ite" or isinstance(args[-1], tuple):
        return _array(tag, args)
    words = [arg for arg in args if isinstance(arg, int)]
    widths = [sort for sort in sorts if isinstance(sort, int)]
    if len(words) == 1:
        return _unary(tag, words[0], widths[0], numbers)
    left, right = words
    if tag == "concat":
        return left * 2 ** widths[1] + right
    if tag in ("eq", "iff"):
        return int(left == right)
    if tag == "neq":
        return int(left != right)
    return _binary(tag, left, right, widths[0])


def _array(tag: str, args: list[Value]) -> Value:
    match tag, args:
        case "ite", [condition, yes, no]:
            return yes if condition else no
        case "eq", [left, right]:
            return int(left == right)
        case "neq", [left, right]:
            return int(left != right)
        case "read", [tuple(cells), int(index)]:
            return cells[index]
        case "write", [tuple(cells), int(index), int(element)]:
            return (*cells[:index], element, *cells[index + 1 :])
    raise AssertionError(f"{tag} of an array")


def _unary(tag: str, word: int, width: int, numbers: list[int]) -> int:
    bits = [word >> i & 1 for i in range(width)]
    match tag:
        case "not":
            return sum((1 - bit) << i for i, bit in enumerate(bits))
        case "inc":
            return 0 if all(bits) else word + 1
        case "dec":
            return word - 1 if word else 2**width - 1
        case "neg":
            return 2**width - word if word else 0
        case "redand":
            return int(all(bits))
        case "redor":
            return int(any(bits))
        case "redxor":
            return sum(bits) % 2
        case "uext":
            return word
        case "sext":
            return sum(bit << i for i, bit in enumerate(bits + [bits[-1]] * numbers[0]))
        case "slice":
            high, low = numbers
            return sum(bit << i for i, bit in enumerate(bits[low : high + 1]))
    raise AssertionError(tag)


def _binary(tag: str, a: int, b: int, width: int) -> int:
    size, sa, sb = 2**width, _signed(a, width), _signed(b, width)
    lowest, highest = -(size // 2), size // 2 - 1
    if tag[-1] == "o" and tag[1:] in ("addo", "subo", "mulo", "divo"):
        exact = _exact(tag[1:], *((a, b) if tag[0] == "u" else (sa, sb)))
        return int(not (0 <= exact < size if tag[0] == "u" else lowest <= exact <= highest))
    match tag:
        case "implies":
            return int(not a or b)
        case "sgt" | "sgte" | "slt" | "slte":
            return int({"gt": sa > sb, "gte": sa >= sb, "lt": sa < sb, "lte": sa <= sb}[tag[1:]])
        case "ugt" | "ugte" | "ult" | "ulte":
            return int({"gt": a > b, "gte": a >= b, "lt": a < b, "lte": a <= b}[tag[1:]])
        case "and":
            return a & b
        case "nand":
            return size - 1 - (a & b)
        case "or":
            return a | b
        case "nor":
            return size - 1 - (a | b)
        case "xor":
            return a ^ b
        case "xnor":
            return size - 1 - (a ^ b)
        case "rol" | "ror":
            digits = format(a, f"0{width}b")
            turn = b % width if tag == "rol" else -b % width
            return int(digits[turn:] + digits[:turn], 2)
        case "sll":
            return a * 2 ** min(b, width) % size
        case "srl":
            return a // 2 ** min(b, width)
        case "sra":
            return sa // 2 ** min(b, width) % size
        case "add":
            return (a + b) % size
        case "sub":
            return (a - b) % size
        case "mul":
            return a * b % size
        case "udiv":
            return a // b if b else size - 1
        case "urem":
            return a % b if b else a
        case "sdiv":
            return (_truncated(sa, sb) if sb else 1 if sa < 0 else -1) % size
        case "srem":
            return (sa - sb * _truncated(sa, sb) if sb else sa) % size
        case "smod":
            return (sa % sb if sb else sa) % size
    raise AssertionError(tag)


def _exact(op: str, a: int, b: int) -> int:
    match op:
        case "addo":
            return a + b
        case "subo":
            return a - b
        case "mulo":
            return a * b
    return _truncated(a, b) if b else 0


def _truncated(a: int, b: int) -> int:
    """The quotient, rounded towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


# All states of a tiny model.


def values_of(sort: Sort) -> Iterator[Value]:
    """Every value of a sort."""
    if isinstance(sort, int):
        return iter(range(1 << sort))
    index, element = sort
    return product(range(1 << element), repeat=1 << index)


def assignments(leaves: Sequence[Leaf]) -> list[Values]:
    """Every tuple of values of some states or inputs."""
    return list(product(*[list(values_of(leaf.sort)) for leaf in leaves]))


def count(leaves: Sequence[Leaf]) -> int:
    """How many assignments they have."""
    bits = sum(leaf.sort if isinstance(leaf.sort, int) else leaf.sort[1] << leaf.sort[0] for leaf in leaves)
    return 1 << bits


def reachable(text: str) -> list[int | None]:
    """For each bad: the number of steps to the nearest state where it holds (``c U (c and b)``), or None if there is none."""
    model = Interpreter(text)
    inputs, loose = assignments(model.inputs), assignments(model.loose())
    depths: list[int | None] = [None] * len(model.bads)
    layer = {model.initial(free) for free in assignments(model.free())}
    seen = set(layer)
    depth = 0
    while layer and None in depths:
        following: set[Values] = set()
        for state, chosen in product(layer, inputs):
            after, holds, bads = model.step(state, chosen, loose[0])
            if not holds:
                continue
            depths = [depth if bad and old is None else old for bad, old in zip(bads, depths, strict=True)]
            following.update(_with_loose(model, after, loose))
        layer = following - seen
        seen |= layer
        depth += 1
    return depths


def _with_loose(model: Interpreter, state: Values, loose: Sequence[Values]) -> Iterator[Values]:
    """The state, with every choice for the states without ``next``."""
    places = [place for place, leaf in enumerate(model.states) if leaf.node not in model.nexts]
    for chosen in loose:
        cells = list(state)
        for place, value in zip(places, chosen, strict=True):
            cells[place] = value
        yield tuple(cells)

"""A run of a C program as a C file: compiled with any compiler and started, it must violate the property, too.

The file is the text of the program, with what the run needs: functions that nobody defines return the values of the run, one
after the other; a variable that is declared without a value gets the one that it had, by a statement after its declaration;
functions that must not be called and labels that must not be reached report it. Nothing else of the text is changed, and
``#line`` keeps the lines. The program ends with code 1 if the property is violated, with 2 if the run went another way.

gcc may evaluate arguments from right to left, where we go from left to right. What is in allocated memory the machine decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from lemmata.errors import Place, Unsupported
from lemmata.escapes import printable
from lemmata.logic.sorts import Array, BitVec
from lemmata.logic.terms import Term, Value, value_of
from lemmata.logic.values import signed
from lemmata.models.code import Code, CodeChoice, CodeFunction, CodeSource, Spot
from lemmata.models.derivation import Derivation, Fact, Turn
from lemmata.models.graph import Graph
from lemmata.run.evidence.code import in_order

_RUNS = 200_000  # of equal values that are written down
_TOKEN = re.compile(r"""/\*.*?(?:\*/|\Z)|//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|.""", re.DOTALL)
_Key = tuple[str, Spot | None, str]  # function; or spot and name of a declaration
_Runs = dict[_Key, list[tuple[Value, int]]]


def format_harness(graph: Graph, code: Code, derivation: Derivation) -> bytes:
    """The whole file; ``Unsupported`` where a run has no such file."""
    source = code.source
    if source is None:
        raise Unsupported(Place(graph.file), "only a run of a C program has a harness", "write it as a witness")
    if source.writers:
        raise Unsupported(Place(graph.file), f"'{source.writers[0]}' has no definition and may write what it gets pointers to")
    try:
        text = Path(source.file).read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise Unsupported(Place(graph.file), f"the program cannot be read again: {error.strerror}") from None
    runs, choices = _values(graph, code, derivation)
    numbers = {key: number for number, key in enumerate(runs)}
    name = graph.questions[derivation.prop].name
    body = _edited(_without_headers(text, source), _edits(source, choices, numbers, runs, text))
    parts = [
        *_head(source, name),
        *_tables(runs, choices),
        *_before(source, numbers),
        f'#line 1 "{_escaped(Path(source.file).name)}"',
        body,
        *_after(source, numbers, graph, code, derivation),
    ]
    return ("\n".join(parts) + "\n").encode("utf-8", "surrogateescape")


# What was chosen.


def _values(graph: Graph, code: Code, derivation: Derivation) -> tuple[_Runs, dict[_Key, CodeChoice]]:
    """The values of each function, and of each declaration without a value, in the order of the run."""
    found: _Runs = {}
    choices: dict[_Key, CodeChoice] = {}
    for position, _ in in_order(graph, code, derivation):
        fact = derivation.facts[position]
        for choice, value, count in _chosen(graph, code, fact):
            key = (choice.function, None, "") if choice.function else ("", choice.spot, choice.variable)
            choices[key] = choice
            runs = found.setdefault(key, [])
            if runs and runs[-1][0] == value:
                runs[-1] = value, runs[-1][1] + count
            else:
                runs.append((value, count))
            if len(runs) > _RUNS:
                raise Unsupported(Place(graph.file), f"the run chooses more than {_RUNS} values")
    return found, choices


def _chosen(graph: Graph, code: Code, fact: Fact) -> Iterator[tuple[CodeChoice, Value, int]]:
    if fact.stretch is None:
        inputs = dict(fact.inputs)
        for choice in code.choices.get(fact.edge, ()):
            if choice.input in inputs:
                yield choice, inputs[choice.input], 1
        return
    if not any(turn.edge in code.choices for turn in fact.stretch.turns()):
        return
    if not all(isinstance(step, Turn) for step in fact.stretch.steps):
        raise Unsupported(Place(graph.file), "the run chooses values in nested loops that it takes at once")
    turns = [step for step in fact.stretch.steps if isinstance(step, Turn)]
    each = [found for turn in turns for found in _in_turn(graph, code, turn)]
    if len(each) == 1:
        yield each[0][0], each[0][1], fact.stretch.count
        return
    if fact.stretch.count * len(each) > _RUNS:
        raise Unsupported(Place(graph.file), f"the run chooses more than {_RUNS} values")
    for _ in range(fact.stretch.count):
        for choice, value in each:
            yield choice, value, 1


def _in_turn(graph: Graph, code: Code, turn: Turn) -> Iterator[tuple[CodeChoice, Value]]:
    inputs: Mapping[Term, Term] = dict(turn.inputs)
    for choice in code.choices.get(turn.edge, ()):
        term = inputs.get(choice.input)
        if term is not None:
            if not term.is_const:
                raise Unsupported(
                    Place(graph.file), "the run chooses other values in every round of a loop that it takes at once"
                )
            yield choice, value_of(term)


# The parts of the file.


def _head(source: CodeSource, name: str) -> list[str]:
    flags = f" {source.flags}" if source.flags else ""
    return [
        f"/* Written by Lemmata: {printable(name)} of {_safe(source.file)} is violated by this run.",
        f"   cc -fwrapv -w{flags} THIS.c -o run && ./run   ends with code 1; another way ends with 2, a good end with 0. */",
        "extern void exit(int);",
        "extern int printf(const char *, ...);",
        "static void lemmata_fail(const char *what) {",
        '  printf("violated: %s\\n", what);',
        "  exit(1);",
        "}",
        "static void lemmata_stop(const char *what) {",
        '  printf("another way: %s\\n", what);',
        "  exit(2);",
        "}",
        "struct lemmata_run { unsigned long long value, count; };",
        "typedef unsigned long long lemmata_word;",
        "static lemmata_word lemmata_next(const struct lemmata_run *runs, lemmata_word size, lemmata_word *at) {",
        "  lemmata_word left = (*at)++, n = 0;",
        "  for (; n < size; n++) {",
        "    if (left < runs[n].count) return runs[n].value;",
        "    left -= runs[n].count;",
        "  }",
        '  lemmata_stop("there are no more values");',
        "  return 0;",
        "}",
    ]


def _tables(runs: _Runs, choices: Mapping[_Key, CodeChoice]) -> Iterator[str]:
    for number, (key, values) in enumerate(runs.items()):
        choice = choices[key]
        plain = [(_first(choice, value), count) for value, count in values]
        yield f"static const struct lemmata_run lemmata_runs_{number}[] = {{"
        yield from [f"  {{{value & (1 << 64) - 1}ULL, {count}ULL}}," for value, count in plain]
        yield "};"
        yield f"static unsigned long long lemmata_at_{number};"
        size = f"sizeof lemmata_runs_{number} / sizeof *lemmata_runs_{number}"
        yield f"#define LEMMATA_NEXT_{number} lemmata_next(lemmata_runs_{number}, {size}, &lemmata_at_{number})"


def _first(choice: CodeChoice, value: Value) -> int:
    """A number; of an array or an object what it has where nothing else is said."""
    sort = choice.input.sort
    if choice.stride:
        value = dict(value.items).get(0, value.default)
        sort = sort.element if isinstance(sort, Array) else sort
    elif isinstance(sort, Array):
        value, sort = value.default, sort.element
    if isinstance(sort, Array):
        return 0
    return signed(int(value), sort.width) if isinstance(sort, BitVec) and choice.is_signed else int(value)


def _before(source: CodeSource, numbers: Mapping[_Key, int]) -> Iterator[str]:
    for name in source.names:
        number = numbers.get((name, None, ""))
        yield f"#define {name} {'0' if number is None else f'((int)LEMMATA_NEXT_{number})'}"
    for function in source.functions:
        if not function.is_declared and function.name == "assert":
            yield '#define assert(e) ((e) ? (void)0 : lemmata_fail("assert"))'
        elif not function.is_declared:
            yield f"{function.declaration};"
    if source.has_main and (source.entry != "main" or source.parameters):
        yield "#define main lemmata_main"


def _after(source: CodeSource, numbers: Mapping[_Key, int], graph: Graph, code: Code, derivation: Derivation) -> Iterator[str]:
    given = _at_start(graph, code, derivation)
    for name, kind in source.externs:
        yield f"{kind} {name} = ({kind}){_literal(given.get(name, 0))};"
    for function in source.functions:
        if function.is_declared or function.name != "assert":
            yield from _definition(function, numbers)
    if not any(f.name == "__assert_fail" for f in source.functions):
        yield "__attribute__((weak)) void __assert_fail(const char *what, const char *file, unsigned int line, const char *f) {"
        yield "  lemmata_fail(what);"
        yield "}"
    if source.entry != "main" or source.parameters:
        if source.has_main:
            yield "#undef main"
        entry = "lemmata_main" if source.entry == "main" else source.entry
        arguments = ", ".join(_argument(kind, name, given) for kind, name in source.parameters)
        yield f"int main(void) {{ {entry}({arguments}); return 0; }}"


def _argument(kind: str, name: str, given: Mapping[str, int]) -> str:
    if "*" in kind:
        return '(char *[]){(char *)"program", (char *)0}' if kind in ("char **", "char * *") else "0"
    return f"({kind}){_literal(given.get(name, 0))}"


def _at_start(graph: Graph, code: Code, derivation: Derivation) -> dict[str, int]:
    """The numbers with which the program starts."""
    order = in_order(graph, code, derivation)
    fact = derivation.facts[order[0][0]]
    location = graph.edges[fact.edge].target
    found: dict[str, int] = {}
    for variable, value in zip(code.variables[location], fact.values, strict=True):
        if variable.text and isinstance(value, int):
            is_word = variable.low is not None and variable.low < 0 and variable.high is not None
            width = (variable.high or 0).bit_length() + 1
            found[variable.text] = signed(value, width) if is_word and value > (variable.high or 0) else int(value)
    return found


def _literal(value: int) -> str:
    return f"{value & (1 << 64) - 1}ULL"


def _definition(function: CodeFunction, numbers: Mapping[_Key, int]) -> Iterator[str]:
    number, declaration = numbers.get((function.name, None, "")), function.declaration
    if function.role in ("assume", "assert") and declaration.endswith("()"):
        declaration = f"{declaration[:-2]}(int condition)"  # declared without a prototype
    match function.role:
        case "nondet" if number is not None:
            body = f"return ({function.result})LEMMATA_NEXT_{number};"
        case "nondet":
            body = 'lemmata_stop("a function is called that the run does not call"); return 0;'
        case "assume":
            body = f'if (!condition) lemmata_stop("{function.name}");'
        case "assert":
            body = f'if (!condition) lemmata_fail("{function.name}");'
        case "error":
            body = f'lemmata_fail("{function.name}");'
        case _:
            body = "" if function.result == "void" or function.result.startswith("struct ") else "return 0;"
    yield f"__attribute__((weak)) {declaration} {{ {body} }}"


# Edits of the program's text.


def _without_headers(text: str, source: CodeSource) -> str:
    names = "|".join(map(re.escape, source.headers))
    return re.sub(rf"^([ \t]*#[ \t]*include[ \t]*[<\"](?:{names})[>\"])", r"// \1", text, flags=re.MULTILINE)


def _edits(
    source: CodeSource, choices: Mapping[_Key, CodeChoice], numbers: Mapping[_Key, int], runs: _Runs, text: str
) -> list[tuple[int, str]]:
    """Offsets in the text, and what is put there."""
    lines = _Lines(text, source.file)
    found = [(lines.after(spot, "{"), f' lemmata_fail("{name}");') for name, spot in source.errors]
    found += [(lines.after(spot, ":", "ERROR"), ' lemmata_fail("ERROR");') for spot in source.labels]
    for key, number in numbers.items():
        choice = choices[key]
        if choice.function:
            continue
        if choice.spot is None:
            raise Unsupported(choice.place, f"'{choice.variable}' has no value, and is declared in a header")
        found.append((lines.end(choice.spot, choice.variable), _assigned(choice, number, runs[key])))
    return found


def _assigned(choice: CodeChoice, number: int, values: list[tuple[Value, int]]) -> str:
    """Statements that give a variable its value."""
    sort, value = choice.input.sort, f"({choice.type})LEMMATA_NEXT_{number}"
    if not choice.is_array:
        return f" {choice.variable} = {value};"
    if isinstance(sort, Array) and isinstance(sort.element, Array):
        raise Unsupported(choice.place, f"'{choice.variable}' has several dimensions and no value")
    if len(values) > 1 or values[0][1] > 1:
        raise Unsupported(choice.place, f"'{choice.variable}' is an array without values, again and again")
    name, items = choice.variable, _cells(choice, values[0][0])
    loop = f"for (lemmata_i = 0; lemmata_i < sizeof {name} / sizeof *{name}; lemmata_i++) {name}[lemmata_i] = lemmata_v;"
    cells = " ".join([f"{name}[{index}] = ({choice.type}){_literal(cell)};" for index, cell in items])
    return f" {{ unsigned long lemmata_i; {choice.type} lemmata_v = {value}; {loop} {cells} }}"


def _cells(choice: CodeChoice, value: Value) -> list[tuple[int, int]]:
    sort = choice.input.sort
    assert isinstance(sort, Array)
    found = []
    for index, cell in value.items:
        place = signed(index, sort.index.width) if isinstance(sort.index, BitVec) else index
        if 0 <= place < 1 << 20 and place % (choice.stride or 1) == 0:
            element = sort.element
            is_word = isinstance(element, BitVec) and choice.is_signed
            number = signed(cell, element.width) if isinstance(element, BitVec) and is_word else int(cell)
            found.append((place // (choice.stride or 1), number))
    return found


def _edited(text: str, edits: list[tuple[int, str]]) -> str:
    for offset, added in sorted(edits, key=lambda edit: -edit[0]):
        text = text[:offset] + added + text[offset:]
    return text


class _Lines:
    """Finds places in a text."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._starts = [0, *[found.end() for found in re.finditer("\n", text)]]

    def _offset(self, spot: Spot) -> int:
        line = min(spot[0], len(self._starts)) - 1
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)
        return min(self._starts[line] + spot[1] - 1, end)

    def _line_start(self, spot: Spot) -> int:
        return self._starts[min(spot[0], len(self._starts)) - 1]

    def after(self, spot: Spot, sign: str, word: str = "") -> int:
        """Behind the first such sign from a spot on; the word must come before it, as it does where no macro wrote both."""
        last = ""
        for start, token in self._tokens(self._offset(spot)):
            if token == sign:
                if last != word and word:
                    break
                return start + 1
            last = last if token.isspace() or token.startswith(("/*", "//")) else token
        raise self._lost(spot, word or sign)

    def end(self, spot: Spot, name: str) -> int:
        """Behind the declaration that has a name on the line of a spot."""
        word = re.escape(name.split(".")[0])
        for begin in (self._offset(spot), self._line_start(spot)):
            found = re.compile(rf"\b{word}\b").search(self._text, begin)
            if found is not None and "\n" not in self._text[begin : found.start()]:
                return self._closed(found.end(), spot, name)
        raise self._lost(spot, name)

    def _closed(self, start: int, spot: Spot, name: str) -> int:
        depth = 0
        for at, token in self._tokens(start):
            depth += (token in "([{") - (token in ")]}")
            if depth < 0:
                break
            if token == ";" and depth == 0:
                return at + 1
        raise self._lost(spot, name)

    def _tokens(self, start: int) -> Iterator[tuple[int, str]]:
        for found in _TOKEN.finditer(self._text, start):
            yield found.start(), found[0]

    def _lost(self, spot: Spot, what: str) -> Unsupported:
        return Unsupported(Place(self._file, *spot), f"'{what}' is not found in the text of the program")


def _escaped(name: str) -> str:
    return printable(name).replace("\\", "\\\\").replace('"', '\\"')


def _safe(text: str) -> str:
    return printable(text).replace("*/", "* /")

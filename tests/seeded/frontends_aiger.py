"""Misreadings of AIGER, which a second reading notices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from lemmata.certify.circuit.replay import CircuitSimulator
from lemmata.errors import InputError
from lemmata.frontends.aiger import parse_aiger
from lemmata.models.aig import Aig
from tests.seeded.bug import Catcher, SeededBug, edit
from tests.support.aiger_interpreter import Interpreter, binary

TEXTS = {
    "resets of all kinds": "aag 6 1 4 0 1 2 1\n2\n4 12 1\n6 4\n8 9 8\n10 2 5\n12\n7\n11\n12 5 2\n",
    "gates out of order": "aag 9 2 1 0 4 1 1\n4\n2\n6 16\n17\n13\n16 14 19\n14 2 5\n18 7 12\n12 4 6\n",
    "more than 7 bits": "aag 70 66 1 0 3 1\n"
    + "".join(f"{2 * i}\n" for i in range(1, 67))
    + "134 140 1\n139\n136 134 2\n138 136 67\n140 139 3\n",
}


def _agrees(model: Aig, plain: Interpreter) -> bool:
    states = list(product((0, 1), repeat=model.latches))
    inputs = list(product((0, 1), repeat=min(model.inputs, 3)))
    roots = CircuitSimulator(model, (*model.nexts, *model.constraints, *model.bads))
    resets = CircuitSimulator(model, model.resets)
    for state, given in product(states, inputs):
        line = [given[i % len(given)] for i in range(model.inputs)]
        if roots.evaluate(line, state) != [value for part in plain.step(line, state) for value in part]:
            return False
        start = plain.start(line, state)
        if resets.evaluate(line, start) != start:
            return False
    return True


def _look(_: float) -> Iterator[str]:
    for name, text in TEXTS.items():
        plain = Interpreter(text)
        forms = {"ascii": text.encode(), "line by line": text.replace(" ", "  ").encode()}
        if "order" not in name:
            forms["binary"] = binary(text)
        for form, data in forms.items():
            try:
                if not _agrees(parse_aiger(data, name), plain):
                    yield f"{name}, {form}: another circuit"
            except (InputError, AssertionError, LookupError, ValueError) as error:
                yield f"{name}, {form}: {error!r}"


READING = Catcher(
    "AIGER interpreter", "a second reading of ASCII AIGER from its lines, in every state of small circuits", _look
)
NUMBERING, READER, TEXT, BINARY = (
    "frontends.aiger.numbering",
    "frontends.aiger.reader",
    "frontends.aiger.text",
    "frontends.aiger.binary",
)

BUGS: tuple[SeededBug, ...] = (
    edit("next and reset are swapped", f"{READER}:_assemble", "latches.width - 2", "latches.width - 1", READING),
    edit(
        "resets are ignored",
        f"{READER}:_assemble",
        "tuple(numbering.lits(latches, latches.width - 1))",
        "(0,) * header.latches",
        READING,
    ),
    edit("constraints are dropped", f"{READER}:_assemble", 'numbering.lits(roots["constraints"], 0)', "()", READING),
    edit(
        "bads are read as constraints",
        f"{READER}:_assemble",
        'numbering.lits(roots["bads"], 0)',
        'numbering.lits(roots["constraints"], 0)',
        READING,
    ),
    edit("a negation is lost when variables are renumbered", f"{NUMBERING}:_as_listed", "2 * ours + 1", "2 * ours", READING),
    edit(
        "gates keep their order though they need another",
        f"{NUMBERING}:_is_topological",
        "return all",
        "return True or all",
        READING,
    ),
    edit("negations are lost when gates are sorted", f"{NUMBERING}:_places", "2 * place + 1", "2 * place", READING),
    edit("a missing reset is 1", f"{TEXT}:AigerText._fast", 'row + b" 0"', 'row + b" 1"', READING),
    edit("the slow reader fills up with 1", f"{TEXT}:AigerText._slow", "[0] * (width", "[1] * (width", READING),
    edit("long differences are shifted by 8", f"{BINARY}:_decode", "shift = 7", "shift = 8", READING),
    edit(
        "the second operand is counted from the gate",
        f"{BINARY}:read_gates",
        "map(sub, lefts,",
        "map(sub, range(2 * first, 2 * (first + count), 2),",
        READING,
    ),
)

"""The second reader's tables of operators against each other, and against Bitwuzla's own reader of BTOR2."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from bitwuzla import Options, Parser, Result, TermManager

from lemmata.certify.reading.btor2_lines import read_btor2_lines
from lemmata.certify.reading.btor2_run import RunStep
from lemmata.certify.reading.btor2_text import SmtText, is_true
from lemmata.certify.reading.btor2_values import ONE_BIT_RULES, SAME, UNARY
from lemmata.certify.reading.solver_text import is_satisfiable

OPERATORS = [*UNARY, *SAME, *ONE_BIT_RULES]
REDUCTIONS = ("redand", "redor", "redxor")


def all_values(tag: str, width: int) -> str:
    """A file with one input per operand; its constraint is that the result is not that of ``btor2_values``."""
    result = width if tag in SAME or (tag in UNARY and tag not in REDUCTIONS) else 1
    lines = ["1 sort bitvec 1", f"2 sort bitvec {width}", f"3 sort bitvec {result}", "4 zero 1", "5 input 2 a"]
    operands = [5]
    if tag not in UNARY:
        lines.append("6 input 2 b")
        operands.append(6)
    lines.append(f"7 {tag} 3 {' '.join(map(str, operands))}")
    last, wrong = 7, 4
    for values in product(range(1 << width), repeat=len(operands)):
        table = UNARY[tag](values[0], width) if tag in UNARY else (SAME | ONE_BIT_RULES)[tag](values[0], values[1], width)
        here = 0
        for operand, value in zip(operands, values, strict=True):
            lines += [f"{last + 1} constd 2 {value}", f"{last + 2} eq 1 {operand} {last + 1}"]
            last += 2
            if here:
                lines.append(f"{last + 1} and 1 {here} {last}")
                last += 1
            here = last
        lines += [f"{last + 1} constd 3 {table}", f"{last + 2} neq 1 7 {last + 1}", f"{last + 3} and 1 {here} {last + 2}"]
        lines.append(f"{last + 4} or 1 {wrong} {last + 3}")
        last += 4
        wrong = last
    return "\n".join([*lines, f"{last + 1} constraint {wrong}"]) + "\n"


def cases() -> list[tuple[str, int]]:
    return [(tag, width) for tag in OPERATORS for width in (1, 2, 3) if width == 1 or tag not in ("iff", "implies")]


@pytest.mark.parametrize("tag", OPERATORS)
def test_both_tables_and_bitwuzla_know_the_operator_alike(tmp_path: Path, tag: str) -> None:
    for width in [width for name, width in cases() if name == tag]:
        path = tmp_path / f"{width}.btor2"
        path.write_text(all_values(tag, width))
        lines = read_btor2_lines(str(path))
        text = SmtText(lines, None)
        text.step(lines.cone(lines.constraints), 0, free=True)
        text.add(is_true(lines.constraints[0], 0))
        assert not is_satisfiable(text.script(), None)[0], (tag, width)  # in SMT-LIB
        foreign = Parser(TermManager(), Options(), "btor2")
        foreign.parse(str(path), True, True)
        assert foreign.bitwuzla().check_sat() == Result.UNSAT, (tag, width)  # as Bitwuzla reads it


@pytest.mark.parametrize("seed", range(40))
def test_wide_operators_have_the_same_values_in_text(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    width = rng.choice((5, 8, 13, 16, 33))
    tags = [tag for tag in (*SAME, *ONE_BIT_RULES) if tag not in ("iff", "implies")]
    lines = [f"1 sort bitvec 1\n2 sort bitvec {width}\n3 input 2\n4 input 2"]
    lines += [
        f"{5 + k} {tag} {2 if tag in SAME else 1} {rng.choice((3, -3))} {rng.choice((4, -4))}" for k, tag in enumerate(tags)
    ]
    path = tmp_path / "wide.btor2"
    path.write_text("\n".join(lines))
    read = read_btor2_lines(str(path))
    special = (0, 1, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1, width, width - 1)
    a, b = (rng.choice((*special, rng.randrange(1 << width), rng.randrange(1 << 3))) for _ in range(2))
    values = RunStep(read, list(read.nodes)).run({3: a, 4: b})
    text = SmtText(read, None)
    text.step(read.nodes, 0, free=True)
    text.add(f"(= n3_0 #b{a:0{width}b})")
    text.add(f"(= n4_0 #b{b:0{width}b})")
    results = [f"(= n{node}_0 #b{values[node]:0{read.sort(node)}b})" for node in range(5, 5 + len(tags))]
    text.add(f"(not (and {' '.join(results)}))")
    assert not is_satisfiable(text.script(), None)[0], (a, b, width)

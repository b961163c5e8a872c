"""The form of a circuit that ABC reads as AIGER 1.9 means it.

ABC reads only binary files; it takes outputs *and* bads for properties, where AIGER takes outputs only if there are no bads; it
refuses justice and fairness even when only safety is asked; it stops at a reset function and at a circuit without properties.
None of this is about model checking, so a file that ABC would refuse or misread is rewritten before the clock starts:

- what is not a safety property goes; a circuit without properties asks about the constant 0;
- a reset function ``l := r`` becomes a free latch with the constraint ``first → (l ↔ r)``, where the new latch ``first`` is 1
  in the first step only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from lemmata.models.aig import FALSE_LIT, TRUE_LIT, Aig, Lit


def is_plain(file: Path) -> bool:
    """Whether ABC reads the file rightly as it is. Looks at the header and the latches of a binary file only."""
    with file.open("rb") as stream:
        header = stream.readline(200).split()
        counts = [int(count) for count in header[1:] if count.isdigit()] + [0] * 9
        inputs, latches, outputs, bads, justice, fairness = (counts[place] for place in (1, 2, 3, 5, 7, 8))
        if header[:1] != [b"aig"] or bool(outputs) == bool(bads) or justice or fairness:
            return False
        for variable in range(inputs + 1, inputs + latches + 1):
            line = stream.readline(100)
            reset = line.split()[1:]
            if not line or reset not in ([], [b"0"], [b"1"], [b"%d" % (2 * variable)]):
                return False
    return True


def abc_form(model: Aig) -> Aig:
    """A circuit with the same safety verdict that ABC reads rightly."""
    properties = tuple(prop.bad for prop in model.properties()) or (FALSE_LIT,)
    plain = replace(model, outputs=(), bads=properties, justice=(), fairness=(), symbols={}, comments=())
    functions = [i for i, reset in enumerate(plain.resets) if reset not in (FALSE_LIT, TRUE_LIT, plain.latch_lit(i))]
    return _without_reset_functions(plain, functions) if functions else plain


def _without_reset_functions(model: Aig, functions: list[int]) -> Aig:
    first_gate = 2 * model.first_gate

    def moved(lits: Iterable[Lit]) -> tuple[Lit, ...]:
        return tuple(lit + 2 if lit >= first_gate else lit for lit in lits)  # the new latch comes before the gates

    first = first_gate
    lefts, rights = list(moved(model.lefts)), list(moved(model.rights))
    resets = list(moved(model.resets))

    def conjunction(left: Lit, right: Lit) -> Lit:
        lefts.append(max(left, right))
        rights.append(min(left, right))
        return 2 * (model.first_gate + len(lefts))

    constraints = []
    for i in functions:
        latch, reset = model.latch_lit(i), resets[i]
        differs = conjunction(conjunction(latch, reset) ^ 1, conjunction(latch ^ 1, reset ^ 1) ^ 1)
        constraints.append(conjunction(first, differs) ^ 1)
        resets[i] = latch
    return replace(
        model,
        nexts=(*moved(model.nexts), FALSE_LIT),
        resets=(*resets, TRUE_LIT),
        lefts=tuple(lefts),
        rights=tuple(rights),
        bads=moved(model.bads),
        constraints=(*moved(model.constraints), *constraints),
    )

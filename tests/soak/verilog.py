"""Random designs in Icarus Verilog and here: the same inputs give the same values, or the design is refused.

``python -m tests.soak.verilog 500 [SEED]`` reads as many designs as one likes. Where Icarus has an ``x`` or a ``z``, a step
here has some value, and nothing is compared.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory

from lemmata.errors import InputError
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import name_of
from lemmata.logic.walk import variables
from tests.support.designs import read_text, simulate
from tests.support.random_designs import RandomDesign, random_design

STEPS = 8


def differences(folder: Path, design: RandomDesign, points: list[dict[str, int]]) -> list[str]:
    """Signals that have other values here than in Icarus, each with the inputs; ``InputError`` where the design is refused."""
    graph = read_text(folder, design.text(), "random.sv")
    assert graph.design is not None
    terms = {signal.name: signal.term for signal in graph.design.signals}
    shown = [one for one in design.outputs if one.text in terms]
    program = Program([terms[one.text] for one in shown])
    free = variables([terms[one.text] for one in shown])
    told = _simulated(folder, design, points)
    found = []
    for number, point in enumerate(points):
        values = program.run({v: point.get(name_of(v), 0) for v in free})
        for one, ours in zip(shown, values, strict=True):
            theirs = told[number, one.text]
            if set(theirs) <= {"0", "1"} and int(theirs, 2) != ours:
                found.append(f"{one.text}: {theirs} in Icarus, {ours:0{one.width}b} here, with {point}")
    return found


def _simulated(folder: Path, design: RandomDesign, points: list[dict[str, int]]) -> dict[tuple[int, str], str]:
    declared = " ".join(f"{one.declared('reg')};" for one in design.inputs)
    lines = []
    for number, point in enumerate(points):
        sets = " ".join(f"{name} = {value};" for name, value in point.items())
        prints = " ".join(f'$display("{number} {one.text} %b", dut.{one.text});' for one in design.outputs)
        lines.append(f"{sets} #1; {prints}")
    ports = ", ".join(one.text for one in design.inputs)
    bench = f"module bench; {declared} m dut({ports}); initial begin #1; {' '.join(lines)} end endmodule"
    told = re.findall(r"(\d+) (\w+) ([01xz]+)", simulate(folder, "bench", bench, design.text()))
    return {(int(number), name): digits for number, name, digits in told}


def points_for(design: RandomDesign, rng: random.Random) -> list[dict[str, int]]:
    """Inputs: all zeros, all ones, and random ones."""
    ends = [{one.text: end << one.width >> 1 and (1 << one.width) - 1 for one in design.inputs} for end in (0, 1)]
    return ends + [{one.text: rng.randrange(1 << one.width) for one in design.inputs} for _ in range(STEPS - 2)]


def run_soak(count: int, seed: int = 0) -> None:
    """Compare ``count`` designs; the first difference of each is printed with its text."""
    counts: Counter[str] = Counter()
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        design = random_design(rng)
        with TemporaryDirectory() as folder:
            try:
                found = differences(Path(folder), design, points_for(design, rng))
            except InputError as error:
                counts["refused"] += 1
                print(number, re.sub(r".*random\.sv:", "", str(error))[:150])
                continue
            except CalledProcessError:
                counts["not for Icarus"] += 1
                continue
        counts["different" if found else "same"] += 1
        if found:
            name = found[0].partition(":")[0]
            line = next(line for line in design.text().splitlines() if f"] {name};" in line)
            print(number, found[0], "\n", line)
    print(dict(counts))


if __name__ == "__main__":
    run_soak(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)

"""Random C programs against compiled execution: the number that a program computes is the same on its graph.

gcc compiles with ``-fwrapv -fsanitize=undefined``; where its sanitizer complains, behaviour is undefined, and the graph's run
must have taken an inexact edge. Graphs are made with integers and with words, with copies of called functions and with
summaries.
``python -m tests.soak.c 5000 [FIRST]`` takes as many programs as one likes through it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from lemmata.frontends.c import parse_c
from tests.support.c_programs import random_c
from tests.support.c_runs import execute

BATCH = 25  # programs per call of gcc
FLAGS = ("-std=gnu11", "-O0", "-w", "-fwrapv", "-fsanitize=undefined", "-fno-sanitize=object-size")
WAYS = ((False, True), (True, True), (False, False))  # words, inline


def compiler() -> str | None:
    """gcc, where there is one."""
    return shutil.which("gcc")


def compiled(seeds: list[int]) -> dict[int, tuple[int | None, bool]]:
    """What each program computes (``None``: it did not come to its end), and whether its behaviour is undefined."""
    parts = ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", "static int sink;"]
    parts.append('static void finish(unsigned long long x) { printf("%llu\\n", x); }')
    parts += [random_c(seed, f"_{seed}_") for seed in seeds]
    cases = " ".join([f"case {seed}: start_{seed}_(); break;" for seed in seeds])
    parts.append(f"int main(int n, char **v) {{ switch (atoi(v[1])) {{ {cases} }} (void)sink; return 0; }}")
    found: dict[int, tuple[int | None, bool]] = {}
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "batch.c", Path(folder) / "batch"
        source.write_text("\n".join(parts))
        subprocess.run([compiler() or "gcc", *FLAGS, str(source), "-o", str(program)], check=True)
        for seed in seeds:
            done = subprocess.run([str(program), str(seed)], capture_output=True, text=True, timeout=60)
            text = done.stdout.strip()
            found[seed] = (int(text) if text else None, bool(done.stderr.strip()) or done.returncode != 0)
    return found


def program_of(seed: int) -> str:
    """The program as Lemmata reads it."""
    head = "#include <stdlib.h>\n#include <string.h>\n"
    head += "static int sink;\nstatic void finish(unsigned long long result_) { __VERIFIER_error(); }\n"
    return head + random_c(seed, f"_{seed}_") + f"int main(void) {{ start_{seed}_(); return 0; }}\n"


def computed(seed: int, words: bool, inline: bool) -> tuple[int | None, bool]:
    """What the graph computes, and whether its run took an inexact edge."""
    graph = parse_c(program_of(seed).encode(), "p.c", words=words, inline=inline)
    run = execute(graph)
    if run.error is None or not run.error.startswith("__VERIFIER_error"):
        return None, not run.is_exact
    values = [int(value) for name, value in run.values.items() if name.split(".")[-1].split("~")[0] == "result_"]
    return values[-1], not run.is_exact


def complaints(seeds: list[int], counts: Counter[str] | None = None) -> list[str]:
    """What is wrong."""
    counts = Counter() if counts is None else counts
    wrong = []
    for seed, (wanted, is_undefined) in compiled(seeds).items():
        for words, inline in WAYS:
            found, is_inexact = computed(seed, words, inline)
            counts["undefined" if is_undefined else "inexact" if is_inexact else "compared"] += 1
            if is_undefined and not is_inexact:
                wrong.append(f"seed {seed}, words={words}, inline={inline}: undefined for gcc, exact for us")
            if not is_undefined and not is_inexact and found != wanted:
                wrong.append(f"seed {seed}, words={words}, inline={inline}: gcc has {wanted}, we have {found}")
            if not is_undefined and is_inexact:
                wrong.append(f"seed {seed}, words={words}, inline={inline}: defined for gcc, inexact for us")
    return wrong


def main(arguments: list[str]) -> int:
    """The soak."""
    count, first = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 0
    counts: Counter[str] = Counter()
    failed, started = 0, time.monotonic()
    for start in range(first, first + count, BATCH):
        for wrong in complaints(list(range(start, min(start + BATCH, first + count))), counts):
            failed += 1
            print(wrong, flush=True)
    print(f"{count} programs, {dict(counts)}, {failed} disagree, {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

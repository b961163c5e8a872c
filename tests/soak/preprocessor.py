"""The preprocessor against ``gcc -E``: random texts full of macros become the same tokens.

What gcc refuses must be refused; what gcc takes and we refuse is counted by its cause, and must be one of ``STRICTER``.
``python -m tests.soak.preprocessor 5000 [FIRST]`` takes as many texts as one likes through it; with files for numbers it
compares those, with our headers.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from lemmata.config import COptions
from lemmata.errors import InputError
from lemmata.frontends.c.preprocess import HEADERS
from lemmata.frontends.c.preprocessor.tokens import LINE, scan
from tests.support.c_macros import random_macros
from tests.support.c_tokens import preprocessing_tokens

FLAGS = ("-E", "-P", "-std=gnu11", "-w", "-nostdinc", "-isystem", str(HEADERS))
STRICTER = (  # undefined or forbidden by the standard, with no more than a warning from gcc
    "the condition overflows",
    "the condition shifts by",
    "is defined already, and otherwise",
    "no integer type has the constant",
    "has no partner on its line",
    "__VA_ARGS__ is for the replacement of macros",
    "a directive inside of the arguments of a macro",
)


def compiler() -> str | None:
    """gcc, where there is one."""
    return shutil.which("gcc")


def by_gcc(file: Path) -> list[str] | None:
    """The tokens that gcc makes of a file; ``None`` where it refuses the file."""
    done = subprocess.run([compiler() or "gcc", *FLAGS, str(file)], capture_output=True, timeout=60)
    if done.returncode:
        return None
    text = re.sub(r"(?m)^#pragma.*$", "", done.stdout.decode("utf-8", "surrogateescape"))
    return [token.text for token in scan(text) if token.kind is not LINE]


def by_us(file: Path) -> list[str] | InputError:
    """The same for our preprocessor."""
    try:
        return [
            token.text for token in preprocessing_tokens(file.read_bytes(), str(file), COptions()) if token.kind is not LINE
        ]
    except InputError as error:
        return error


def complaint(file: Path, counts: Counter[str]) -> str:
    """What is wrong with a file; nothing, if both read it alike."""
    wanted, found = by_gcc(file), by_us(file)
    if isinstance(found, InputError):
        counts["refused by both" if wanted is None else "refused by us"] += 1
        is_stricter = any(cause in found.cause for cause in STRICTER)
        return "" if wanted is None or is_stricter else f"gcc reads what we refuse: {found}"
    if wanted is None:
        counts["refused by gcc"] += 1
        return "we read what gcc refuses"
    counts["compared"] += 1
    counts["tokens"] += len(wanted)
    if wanted == found:
        return ""
    number = next((n for n, (a, b) in enumerate(zip(wanted, found, strict=False)) if a != b), min(len(wanted), len(found)))
    return f"token {number}: gcc has {wanted[number : number + 8]}, we have {found[number : number + 8]}"


def complaints(seeds: list[int], counts: Counter[str] | None = None) -> list[str]:
    """What is wrong with random texts."""
    counts = Counter() if counts is None else counts
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            file = Path(folder) / "text.c"
            file.write_text(random_macros(seed))
            if said := complaint(file, counts):
                wrong.append(f"seed {seed}: {said}")
    return wrong


def main(arguments: list[str]) -> int:
    """The soak."""
    counts: Counter[str] = Counter()
    started = time.monotonic()
    if not arguments[0].isdecimal():
        wrong = [f"{file}: {said}" for file in arguments if (said := complaint(Path(file), counts))]
    else:
        first = int(arguments[1]) if len(arguments) > 1 else 0
        wrong = complaints(list(range(first, first + int(arguments[0]))), counts)
    print("\n".join([*wrong, f"{dict(counts)}, {len(wrong)} differ, {time.monotonic() - started:.0f} s"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

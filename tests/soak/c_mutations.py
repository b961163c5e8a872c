"""Mutated C files: each is read, or refused with one line that has a place; nothing else comes out, and not late.

``python -m tests.soak.c_mutations 5000 [FIRST]`` takes as many mutations as one likes through it.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from lemmata.errors import InputError
from lemmata.frontends.c import parse_c
from tests.soak.c import program_of
from tests.support.c_macros import random_macros

EXAMPLES = Path(__file__).parents[2] / "examples" / "c"
SECONDS = 60.0  # for one file, on a busy machine
WORDS = """
# ## #if #endif #else #elif #define #undef #include #line #pragma \\ \\\n // /* */ " ' L" ' '\\' '\\x "\\
0x 0x1e+ 1. .1e 08 1uu 1lll
__attribute__ ((packed)) __func__ __LINE__ __VA_ARGS__ __COUNTER__ _Pragma asm typeof _Generic _Atomic _Static_assert offsetof
( ) { } [ ] ; , : ? = == += -> . ... * & && || ! ~ ++ -- << >>= <: %> %: ({ }) (int) sizeof int char long unsigned signed
struct union enum typedef static extern const volatile inline _Bool float double void if else for while do switch
case default break continue goto return x y main 0 1 -1 2147483648 18446744073709551616
'a' "s" assert __VERIFIER_nondet_int $ @ ` \u00e9 \x80 \t \f \r
struct{int:3;} int*p[3]; (*f)(void) a[i][j] {.x=1} {[2]=3} a?:b 1...5 &&l L'a' u8"x" R"(x)" __int128 _Complex
"""


def mutated(seed: int) -> str:
    """A file, with a few changes; the same for the same seed."""
    rng = random.Random(seed)
    files = sorted(EXAMPLES.glob("*.c"))
    text = rng.choice(files).read_text() if seed % 2 else program_of(seed) if seed % 8 else random_macros(seed)
    words = WORDS.replace("\n", " ").split(" ")
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice((0, 1, 2, 10)))
        other = rng.randrange(len(text) + 1)
        new = rng.choice((rng.choice(words), f" {rng.choice(words)} ", text[other : other + 20], "", "\n"))
        text = text[:at] + new + text[end:]
    return text


def complaint(text: str, counts: Counter[str]) -> str:
    """What is wrong with what we do with a text."""
    started = time.monotonic()
    try:
        parse_c(text.encode("utf-8", "surrogateescape"), "p.c")
        counts["read"] += 1
    except InputError as error:
        counts["refused"] += 1
        if error.place.line is None or error.place.column is None or "\n" in str(error):
            return f"no place: {error}"
    except Exception:  # whatever it is, it is a finding
        return traceback.format_exc()
    return "" if time.monotonic() - started < SECONDS else "it took too long"


def complaints(seeds: list[int], counts: Counter[str] | None = None) -> list[str]:
    """What is wrong with mutations."""
    counts = Counter() if counts is None else counts
    return [f"seed {seed}: {said}" for seed in seeds if (said := complaint(mutated(seed), counts))]


def main(arguments: list[str]) -> int:
    """The soak."""
    count, first = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 0
    counts: Counter[str] = Counter()
    wrong = complaints(list(range(first, first + count)), counts)
    print("\n".join([*wrong, f"{dict(counts)}, {len(wrong)} are wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Files for the corpus: for every error message of a front end the smallest file that was found to trigger it."""

from __future__ import annotations

import zlib
from random import Random
from time import monotonic

from tests.fuzz.corpus import FOLDER, corpus_of, expected, record
from tests.fuzz.loop import judge
from tests.fuzz.mutate import mutate
from tests.fuzz.shrink import shrink
from tests.fuzz.world import Case, World, plain

_SHRINK_S = 3.0


def message(word: str) -> str:
    """An error message without its place, names and numbers; nothing if the file was read."""
    return plain(word.split(": ", 2)[-1]) if word.startswith("refused") else ""


def gather(world: World, seconds: float, seed: int) -> int:
    """Mutate for that long; how many files were added."""
    words = expected(world.name)
    known = {message(word) for word in words.values()}
    pool = [data for _, data in corpus_of(world)] or [b""]
    end, number, added = monotonic() + seconds, 0, 0
    (FOLDER / world.name).mkdir(parents=True, exist_ok=True)
    while monotonic() < end:
        number += 1
        rng = Random(f"{seed}:{number}")
        case = world.generate(rng)
        data = mutate(rng, rng.choice((case.data, rng.choice(pool))), rng.choice(pool), world.words)
        outcome = judge(world, Case(data))
        wanted = message(outcome.word)
        if outcome.kind or not wanted or wanted in known:
            continue
        known.add(wanted)
        small = shrink(data, lambda data, wanted=wanted: message(judge(world, Case(data)).word) == wanted, _SHRINK_S)  # type: ignore[misc]
        name = f"error-{zlib.crc32(small):08x}{world.suffix}"
        (FOLDER / world.name / name).write_bytes(small)
        words[name] = judge(world, Case(small)).word
        pool += [data, small]
        added += 1
    record(world, words)
    return added


def again(world: World) -> int:
    """Record what becomes of every file in the folder now; how many changed."""
    words = expected(world.name)
    folder = FOLDER / world.name
    files = [file for file in sorted(folder.iterdir()) if file.name != "expected.json"]
    now = {file.name: judge(world, Case(file.read_bytes())) for file in files}
    wrong = [f"{name}: {outcome.kind}" for name, outcome in now.items() if outcome.kind]
    if wrong:
        raise SystemExit("findings cannot be recorded:\n" + "\n".join(wrong))
    record(world, {name: outcome.word for name, outcome in now.items()})
    return sum(words.get(name) != outcome.word for name, outcome in now.items())

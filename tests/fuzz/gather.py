"""Files for the corpus: for every line of the readers that refuses a file, a small file that makes it do so."""

from __future__ import annotations

import traceback
import zlib
from pathlib import Path
from random import Random
from time import monotonic

from lemmata.errors import InputError
from tests.fuzz.corpus import FOLDER, corpus_of, expected, record
from tests.fuzz.deadline import Hang, deadline
from tests.fuzz.loop import DEADLINE_S, judge
from tests.fuzz.mutate import mutate
from tests.fuzz.shrink import shrink
from tests.fuzz.world import Case, World

_SHRINK_S = 3.0
_BYTES = 2000  # a file of the corpus is small


def site(world: World, data: bytes) -> str:
    """Which line refuses the file; nothing if none does."""
    try:
        with deadline(DEADLINE_S):
            world.read(data)
    except InputError as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{Path(last.filename).parent.name}/{Path(last.filename).name}:{last.lineno}"
    except (Hang, Exception):
        pass
    return ""


def gather(world: World, seconds: float, seed: int) -> int:
    """Mutate for that long; how many files were added."""
    words = expected(world.name)
    pool = [data for _, data in corpus_of(world)] or [b""]
    known = {site(world, data) for data in pool} | {""}
    end, number, added = monotonic() + seconds, 0, 0
    while monotonic() < end:
        number += 1
        rng = Random(f"{seed}:{number}")
        base = world.generate(rng).data if rng.random() < 0.6 else rng.choice(pool)
        data = mutate(rng, base, rng.choice(pool), world.words)
        if (wanted := site(world, data)) in known:
            continue
        known.add(wanted)
        small = shrink(data, lambda data, wanted=wanted: site(world, data) == wanted, _SHRINK_S)  # type: ignore[misc]
        outcome = judge(world, Case(small))
        if outcome.kind or len(small) > _BYTES:
            continue
        name = f"error-{zlib.crc32(small):08x}{world.suffix}"
        (FOLDER / world.name / name).write_bytes(small)
        words[name] = outcome.word
        record(world, words)
        pool += [data, small]
        added += 1
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

"""The corpus: small files of each world, with what must become of them; replayed by ``make test``.

``corpus/WORLD/expected.json`` has the word of each file's outcome (its verdicts, or the error message that refuses it). A
file that triggers a new error message, or a past finding, is added by ``python -m tests.fuzz WORLD --record``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.world import World

FOLDER = Path(__file__).parent / "corpus"
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
_EXAMPLE_BYTES = 8000


def expected(name: str) -> dict[str, str]:
    """The recorded words of a world, by file."""
    file = FOLDER / name / "expected.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}


def corpus_of(world: World) -> Iterator[tuple[str, bytes]]:
    """Each file of a world's corpus with its name."""
    for name in sorted(expected(world.name)):
        yield name, (FOLDER / world.name / name).read_bytes()


def examples_of(world: World) -> Iterator[bytes]:
    """The shipped examples of that kind, as far as they are small."""
    for file in sorted(EXAMPLES.rglob(f"*{world.suffix}")):
        if file.stat().st_size < _EXAMPLE_BYTES:
            yield file.read_bytes()


def record(world: World, words: dict[str, str]) -> None:
    """Write down what must become of the files."""
    folder = FOLDER / world.name
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(dict(sorted(words.items())), indent=1, ensure_ascii=False)
    (folder / "expected.json").write_text(text + "\n")

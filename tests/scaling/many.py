"""``python -m tests.scaling.many [WORD …]``: what many properties cost together, and one by one, as a table.

Each design is checked as a whole; then ``SAMPLE`` of its properties, at equal distances, each alone in a call of its own on the
same file. One by one is their mean times the number of properties: an estimate, and no more. Told are seconds of the processor,
which a busy machine does not change much, the peak of memory, and how many verdicts are not those that the design was made
for. With words, only files that have one of them in their name.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from lemmata.cli.convert import convert
from tests.scaling.designs import mesh, register_file

SAMPLE = 40
LIMIT = 3000  # wall seconds


def main() -> None:
    folder = Path("build/many")
    folder.mkdir(parents=True, exist_ok=True)
    print("| file | properties | together, CPU s | peak MB | one by one, CPU s (40 sampled) | times | wrong | open |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for name, (text, verdicts) in {"registers": register_file(180), "mesh": mesh(7)}.items():
        words, bits = folder / f"{name}.btor2", folder / f"{name}.aig"
        words.write_text(text)
        convert(words, bits)
        for file in (bits, words):
            if not sys.argv[1:] or any(word in file.name for word in sys.argv[1:]):
                print(_row(file, verdicts), flush=True)


def _row(file: Path, verdicts: dict[str, str]) -> str:
    found, together, peak = _checked(file, "all")
    wrong = sum(found.get(name, "unknown") not in ("unknown", verdict) for name, verdict in verdicts.items())
    unknown = sum(found.get(name, "unknown") == "unknown" for name in verdicts)
    sample = range(0, len(verdicts), len(verdicts) // SAMPLE)[:SAMPLE]
    alone = sum(_checked(file, str(number))[1] for number in sample) / SAMPLE * len(verdicts)
    cells = [
        file.name,
        len(verdicts),
        f"{together:.0f}",
        f"{peak:.0f}",
        f"{alone:.0f}",
        f"{alone / together:.1f}",
        wrong,
        unknown,
    ]
    return f"| {' | '.join(map(str, cells))} |"


def _checked(file: Path, prop: str) -> tuple[dict[str, str], float, float]:
    """Verdicts by name, seconds of the processor, and megabytes, all processes together."""
    call = [
        sys.executable,
        "-m",
        "lemmata",
        "check",
        str(file),
        "--property",
        prop,
        "--format",
        "json",
        "--timeout",
        str(LIMIT),
    ]
    before = os.times()
    done = subprocess.run(call, capture_output=True, check=False)
    after = os.times()
    result = json.loads(done.stdout)
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return {p["name"]: p["verdict"] for p in result["properties"]}, seconds, result["memory_mb"]


if __name__ == "__main__":
    main()

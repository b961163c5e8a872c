"""``python -m tests.scaling [WORD …]``: measure big files, and write ``docs/scaling.md`` with its plot.

With words only what has one of them in its key (``straight, unsafe/5000/check``) is measured; the page has everything so far.

Every file is measured in a process with a limit of CPU seconds (``LIMIT``) and of memory; once a file of a family is over it,
the larger ones are not tried. What was measured is kept in ``build/scaling.json``: a later call measures what is missing.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.scaling.inputs import families
from tests.scaling.page import write_page

LIMIT = 60  # CPU seconds for one file
MEMORY = 6 << 30
_RESULTS = Path("build/scaling.json")


def main() -> None:
    wanted = sys.argv[1:]
    _RESULTS.parent.mkdir(exist_ok=True)
    results: dict[str, Any] = json.loads(_RESULTS.read_text()) if _RESULTS.exists() else {}
    for what in ("check", "simplify"):
        for family in families():
            for size in family.sizes:
                key = f"{family.name}/{size}/{what}"
                is_wanted = not wanted or any(word in key for word in wanted)
                if key not in results and is_wanted and not (what == "simplify" and family.unit == "nodes"):
                    path = Path(f"build/scaling{family.suffix}")
                    family.write(size, path)
                    results[key] = _measured(path, what)
                    _RESULTS.write_text(json.dumps(results, indent=1))
                    print(key, results[key], flush=True)
                if "over" in results.get(key, ()):
                    break
    write_page(results, LIMIT)


def _measured(path: Path, what: str) -> dict[str, Any]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    call = [sys.executable, "-m", "tests.scaling.measure", str(path), what]
    done = subprocess.run(call, capture_output=True, text=True, preexec_fn=limit, check=False)
    if done.returncode == 0:
        return dict(json.loads(done.stdout))
    return {"over": "memory" if "MemoryError" in done.stderr else "time" if done.returncode < 0 else done.stderr[-300:]}


if __name__ == "__main__":
    main()

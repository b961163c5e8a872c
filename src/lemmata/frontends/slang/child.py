"""The process in which slang works: ``python -m lemmata.frontends.slang.child`` reads a request and writes a report, as JSON.

A request has files, arguments of slang, and a folder for copies. The report has refusals (file, line, column, cause, remedy),
edits of the text, top modules, the parameters of the first, and the width and sign of every signal by its path. slang may take
memory and time, or end its process; so it never works in a process of ours.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

MISSING = 77  # exit code: there is no pyslang


def report_of(request: dict[str, Any]) -> dict[str, Any]:
    """The report about a request."""
    from lemmata.frontends.slang.elaborate import Elaborated, readable
    from lemmata.frontends.slang.survey import survey

    folder = Path(request["folder"])
    files = request["files"]
    design = Elaborated({**request, "files": readable(files, folder, with_names=False)})
    if design.has_syntax_errors:
        again = Elaborated({**request, "files": readable(files, folder, with_names=True)})
        design = design if again.has_syntax_errors else again
    design.refuse_errors()
    if not design.errors:
        survey(design)
    return design.findings.as_data()


if __name__ == "__main__":
    try:
        import pyslang
    except ImportError:
        sys.exit(MISSING)
    assert pyslang
    said = os.dup(1)
    os.dup2(2, 1)  # what slang itself prints is no report
    data = json.dumps(report_of(json.load(sys.stdin))).encode()
    os.write(said, data) if len(data) < 4096 else os.fdopen(said, "wb").write(data)
    os._exit(0)  # at once: nobody needs the compilation to be taken apart

"""The process in which slang works: ``python -m lemmata.frontends.slang.child PARENT`` reads a request, writes a report (JSON).

A request has files, arguments of slang, and a folder for copies. The report has refusals (file, line, column, cause, remedy),
edits of the text, top modules, the parameters of the first, and the width and sign of every signal by its path. slang may take
memory and time, or end its process; so it never works in a process of ours.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

SLANG_MISSING = 77  # exit code: there is no pyslang
_PR_SET_PDEATHSIG = 1


def report_of(request: dict[str, Any]) -> dict[str, Any]:
    """The report about a request."""
    from lemmata.frontends.slang.desugar import ChangedColumns, desugared, is_sugared, original_column
    from lemmata.frontends.slang.elaborate import Elaborated, parsed, readable
    from lemmata.frontends.slang.survey import survey

    folder, files = Path(request["folder"]), request["files"]
    request["originals"] = files
    places: ChangedColumns = {}
    if is_sugared(files):
        files, places = desugared(parsed(request), files, folder)
    design = Elaborated({**request, "files": readable(files, folder, with_names=False)})
    if design.has_syntax_errors:
        again = Elaborated({**request, "files": readable(files, folder, with_names=True)})
        design = design if again.has_syntax_errors else again
    design.refuse_errors()
    if not design.errors:
        survey(design)
    report = design.findings.as_data()
    for refusal in report["refusals"]:
        file, line, column = refusal["place"]
        source = next((one for k, one in enumerate(files) if file == str(folder / f"{k}" / Path(one).name)), file)
        refusal["place"] = file, line, original_column(places, source, line, column)
    return {**report, "files": files}


def answer_request(parent: int) -> None:
    """Read a request, write the report; the process dies with its parent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    if importlib.util.find_spec("pyslang") is None:
        os._exit(SLANG_MISSING)
    said = os.dup(1)
    os.dup2(2, 1)  # what slang itself prints is no report
    data = json.dumps(report_of(json.load(sys.stdin)))
    with os.fdopen(said, "w") as stream:
        stream.write(data)
    os._exit(0)  # at once: nobody needs the compilation to be taken apart


if __name__ == "__main__":
    answer_request(int(sys.argv[1]))

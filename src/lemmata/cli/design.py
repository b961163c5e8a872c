"""The options of hardware descriptions, which ``check``, ``info`` and others share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from lemmata.cli.command import PATH
from lemmata.config import DESIGNS, DesignOptions
from lemmata.errors import UsageError

_F = TypeVar("_F", bound=Callable[..., Any])
_OPTIONS = (
    click.option("--top", metavar="MODULE", help="The top module of a design. (default: the one that no other instantiates)"),
    click.option("-D", "--define", "defines", multiple=True, metavar="NAME[=VALUE]", help="A macro of a design; repeatable."),
    click.option(
        "-I", "--include", "includes", multiple=True, type=PATH, metavar="DIR", help="A folder of include files; repeatable."
    ),
    click.option(
        "--param", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the top module; repeatable."
    ),
    click.option("--clock", metavar="NAME", help="The clock of a design: an error, if registers have another."),
    click.option("--multiclock", is_flag=True, help="Every change of any signal is a step, as several clocks need it."),
    click.option("--yosys-log", "log", type=PATH, metavar="PATH", help="Write what Yosys said while it read a design."),
)


def design_options(function: _F) -> _F:
    """The function with these options; they arrive as keyword arguments that ``chosen_design`` takes."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def chosen_design(
    files: Sequence[Path] = (),
    *,
    top: str | None,
    defines: tuple[str, ...],
    includes: tuple[Path, ...],
    parameters: tuple[str, ...],
    clock: str | None,
    multiclock: bool,
    log: Path | None,
) -> DesignOptions:
    """What the options mean; ``files`` are those of the design beside the first."""
    if clock is not None and multiclock:
        raise UsageError("--clock names the one clock of a design, --multiclock says that there are several")
    folders = tuple(map(str, includes))
    for folder in folders:
        if not Path(folder).is_dir():
            raise UsageError(f"{folder} is no folder of include files")
    return DesignOptions(
        tuple(map(str, files)), top, defines, folders, parameters, clock, multiclock, log=None if log is None else str(log)
    )


def is_design(path: Path) -> bool:
    """Is this a file of a hardware description?"""
    return path.suffix.lower() in DESIGNS

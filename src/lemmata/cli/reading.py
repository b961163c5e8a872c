"""The options that say how a file is read, which ``check``, ``info`` and others share: those of designs and those of C.

Macros and folders of headers are the same options for both; everything else is for one of them, and ``load`` refuses it where
the file is of another kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Any, get_args

import click

from lemmata.cli.command import PATH, choice
from lemmata.config import DESIGNS, ArithmeticName, COptions, DataModelName, DesignOptions
from lemmata.errors import UsageError
from lemmata.values import dataclass


class CheckChoice(StrEnum):
    """Properties that C programs have without saying so."""

    memory = "memory"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the options mean."""

    design: DesignOptions
    c: COptions

    def design_of(self, files: Sequence[Path]) -> DesignOptions:
        """Those of a design that has ``files`` beside the first."""
        return replace(self.design, files=tuple(map(str, files)))


_OPTIONS = (
    click.option(
        "--define", "-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="A macro of a design or of C; repeatable."
    ),
    click.option(
        "--include", "-I", "includes", multiple=True, type=PATH, metavar="DIR", help="A folder of include files; repeatable."
    ),
    click.option("--top", metavar="MODULE", help="The top module of a design. (default: the one that no other instantiates)"),
    click.option(
        "--param", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the top module; repeatable."
    ),
    click.option("--clock", metavar="NAME", help="The clock of a design: an error, if registers have another."),
    click.option("--multiclock", is_flag=True, help="Every change of any signal is a step, as several clocks need it."),
    click.option("--yosys-log", "log", type=PATH, metavar="PATH", help="Write what Yosys said while it read a design."),
    choice("--data-model", kind=get_args(DataModelName), default="LP64", help="C: the sizes of types"),
    choice(
        "--arithmetic",
        kind=get_args(ArithmeticName),
        default="exact",
        help="C: integers of their width, or of mathematics",
    ),
    click.option("--cpp", metavar="COMMAND", help="C: preprocess with this command. (default: our own preprocessor)"),
    click.option("--property-file", type=PATH, metavar="PATH", help="C: what to check, as SV-COMP writes it."),
    choice("--check", kind=CheckChoice, help="C: also check what is undefined behaviour otherwise"),
)


def reading_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options, and the function a ``Reading`` as ``reading``."""

    @wraps(function)
    def gathered(
        *args: Any,
        defines: tuple[str, ...],
        includes: tuple[Path, ...],
        top: str | None,
        parameters: tuple[str, ...],
        clock: str | None,
        multiclock: bool,
        log: Path | None,
        data_model: DataModelName,
        arithmetic: ArithmeticName,
        cpp: str | None,
        property_file: Path | None,
        check: CheckChoice | None,
        **others: Any,
    ) -> None:
        folders = _folders(includes)
        if clock is not None and multiclock:
            raise UsageError("--clock names the one clock of a design, --multiclock says that there are several")
        design = DesignOptions(
            top=top,
            defines=defines,
            includes=folders,
            parameters=parameters,
            clock=clock,
            multiclock=multiclock,
            log=None if log is None else str(log),
        )
        c = COptions(
            data_model=data_model,
            arithmetic=arithmetic,
            includes=folders,
            defines=defines,
            cpp=cpp,
            property_file=None if property_file is None else str(property_file),
            check=() if check is None else (check.value,),
        )
        function(*args, reading=Reading(design, c), **others)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered


def _folders(includes: Sequence[Path]) -> tuple[str, ...]:
    for folder in includes:
        if not folder.is_dir():
            raise UsageError(f"{folder} is no folder of include files")
    return tuple(map(str, includes))


def is_design(path: Path) -> bool:
    """Is this a file of a hardware description?"""
    return path.suffix.lower() in DESIGNS

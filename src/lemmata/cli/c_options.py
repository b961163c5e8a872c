"""The options of commands that read C: how the file is preprocessed, what its numbers are, what is asked of it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Any

import click

from lemmata.cli.command import PATH, choice
from lemmata.config import COptions


class DataModelChoice(StrEnum):
    """Sizes of C's types."""

    ilp32 = "ILP32"
    lp64 = "LP64"


class ArithmeticChoice(StrEnum):
    """What C's integers are."""

    exact = "exact"
    unbounded = "unbounded"


class CheckChoice(StrEnum):
    """Properties that C programs have without saying so."""

    memory = "memory"


_OPTIONS = (
    choice("--data-model", kind=DataModelChoice, default=DataModelChoice.lp64, help="C: the sizes of types"),
    choice(
        "--arithmetic",
        kind=ArithmeticChoice,
        default=ArithmeticChoice.exact,
        help="C: integers of their width, or of mathematics",
    ),
    click.option("--include", "-I", multiple=True, metavar="DIR", help="C: a folder with headers; repeatable."),
    click.option("--define", "-D", multiple=True, metavar="NAME[=VALUE]", help="C: a macro; repeatable."),
    click.option("--cpp", metavar="COMMAND", help="C: preprocess with this command. (default: our own preprocessor)"),
    click.option("--property-file", type=PATH, metavar="PATH", help="C: what to check, as SV-COMP writes it."),
    choice("--check", kind=CheckChoice, help="C: also check what is undefined behaviour otherwise"),
)


def c_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options, and the function a ``COptions`` as ``c``."""

    @wraps(function)
    def gathered(
        *args: Any,
        data_model: DataModelChoice,
        arithmetic: ArithmeticChoice,
        include: tuple[str, ...],
        define: tuple[str, ...],
        cpp: str | None,
        property_file: Path | None,
        check: CheckChoice | None,
        **others: Any,
    ) -> None:
        c = COptions(
            data_model=data_model.value,
            arithmetic=arithmetic.value,
            include=include,
            define=define,
            cpp=cpp,
            property_file=None if property_file is None else str(property_file),
            check=() if check is None else (check.value,),
        )
        function(*args, c=c, **others)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered

"""What every command is made of: click's commands with the guard around them, arguments that have help, choices.

Only what click documents is used, and only what is the same in all versions that ``pyproject.toml`` allows; so arguments' help,
which click has since 8.5, is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from lemmata.cli.guard import guarded

F = TypeVar("F", bound=Callable[..., Any])

MODELS = (
    "The model: AIGER (.aag, .aig), BTOR2 (.btor2), Verilog (.v, .sv), VMT (.vmt), Horn clauses (.smt2), Boogie (.bpl), "
    "C (.c, .i)."
)
PATH = click.Path(path_type=Path, readable=False)  # what cannot be read gets one line of ours


class Argument(click.Argument):
    """An argument that ``--help`` explains."""

    def __init__(self, *args: Any, about: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.about = about


class _Command(click.Command):
    """A command whose exceptions become exit codes, and whose help has a section about its arguments."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        return guarded(super().invoke)(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments first."""
        if rows := [(one.human_readable_name, one.about) for one in self.params if isinstance(one, Argument)]:
            with formatter.section("Arguments"):
                formatter.write_dl(rows)
        super().format_options(ctx, formatter)


def command(function: Callable[..., None]) -> _Command:
    """The command whose help is the docstring."""
    return click.command(function.__name__.removesuffix("_command"), cls=_Command)(function)


def argument(name: str, about: str, **attributes: Any) -> Callable[[F], F]:
    """A path on the command line."""
    return click.argument(name, cls=Argument, about=about, type=PATH, **attributes)


def choice(*names: str, kind: Iterable[str], help: str, default: str | None = None) -> Callable[[F], F]:  # noqa: A002
    """An option whose values are those of ``kind``, words or an enum of words; they are listed after ``help``."""
    values = {str(one): one for one in kind}

    def chosen(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        return None if value is None else values[value]

    return click.option(
        *names,
        type=click.Choice(list(values)),
        callback=chosen,
        default=None if default is None else str(default),
        metavar="NAME",
        help=f"{help}: {', '.join(values)}.",
    )

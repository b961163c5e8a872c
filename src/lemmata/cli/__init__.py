"""The command line: the only code that prints or exits.

Commands are imported when they are called, so that ``lemmata check`` starts quickly whatever ``lemmata bench`` needs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from lemmata import __version__
from lemmata.cli import clock  # noqa: F401 (starts the clock)
from lemmata.cli.codes import BROKEN, INTERRUPTED
from lemmata.cli.guard import guarded
from lemmata.cli.output import complain
from lemmata.escapes import printable

_HOMES = {
    "check": "lemmata.cli.check",
    "info": "lemmata.cli.commands",
    "certify": "lemmata.cli.commands",
    "replay": "lemmata.cli.commands",
    "convert": "lemmata.cli.commands",
    "explain": "lemmata.cli.explain",
    "bench": "lemmata.cli.bench",
}


@contextmanager
def _escaped_complaints() -> Iterator[None]:
    """Arguments may be names of files; wherever typer repeats one, it is printable."""
    try:
        yield
    except Exception as error:
        if isinstance(message := getattr(error, "message", None), str):
            error.message = printable(message)  # type: ignore[attr-defined]
        raise


class _LazyGroup(TyperGroup):
    """A group whose commands live in modules that are imported on demand."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Part the arguments; a complaint about them shows them escaped."""
        with _escaped_complaints():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; the same for its arguments."""
        with _escaped_complaints():
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the table."""
        return list(_HOMES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command and turn it into one of typer's."""
        if cmd_name not in _HOMES:
            return None
        function = getattr(import_module(_HOMES[cmd_name]), cmd_name)
        app = typer.Typer(add_completion=False)
        app.command(cmd_name)(guarded(function))
        command = typer.main.get_command(app)
        for parameter in command.params:
            if hasattr(parameter.type, "readable"):
                parameter.type.readable = False  # what cannot be read gets one line of ours instead of a box
        return command


app = typer.Typer(
    cls=_LazyGroup,
    name="lemmata",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"lemmata {__version__}")
        raise typer.Exit


@app.callback()
def lemmata(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    """A certifying safety model checker: can a bad state be reached? With proof.

    \b
    Examples:
      lemmata check design.aig
      lemmata check --help
    """


def main() -> None:
    """The program ``lemmata``."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:  # of standard output, while help was shown: commands have their own guard
        complain(f"cannot write: {(error.strerror or str(error)).lower()}")
        sys.exit(BROKEN)

"""The command line: commands, what is printed, and the exit code.

Commands are imported when they are called, so that ``lemmata check`` starts quickly whatever ``lemmata bench`` needs, and
``lemmata --help`` needs none of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click
from click.exceptions import Exit

from lemmata import __version__
from lemmata.cli import clock  # noqa: F401 (starts the clock)
from lemmata.cli.codes import BROKEN, INTERRUPTED, USAGE
from lemmata.cli.guard import guarded
from lemmata.cli.output import complain
from lemmata.escapes import printable

HOMES = {
    "check": ("lemmata.cli.check", "Can a bad state be reached? Answer with proof, or with the trace."),
    "run": ("lemmata.cli.run", "Run the tasks of a .sby file as sby does, with Lemmata's engines."),
    "view": ("lemmata.cli.pages", "Look at a result in a browser."),
    "info": ("lemmata.cli.commands", "What is in a file: its kind, sizes and properties."),
    "certify": ("lemmata.cli.commands", "Is this certificate a proof that the model is safe?"),
    "replay": ("lemmata.cli.commands", "Does this witness really lead from an initial state to a bad one?"),
    "convert": ("lemmata.cli.commands", "Write a model in another notation; the suffixes say which."),
    "explain": ("lemmata.cli.explain", "Run PDR step by step: each query, its answer, the frames after it."),
    "bench": ("lemmata.cli.bench", "Compare Lemmata with itself and with peers on the same files in the same run."),
}


@contextmanager
def _escaped_complaints() -> Iterator[None]:
    """Arguments may be names of files; wherever click repeats one, it is printable."""
    try:
        yield
    except click.ClickException as error:
        raise click.UsageError(printable(error.format_message()), getattr(error, "ctx", None)) from None


class _LazyGroup(click.Group):
    """A group whose commands live in modules that are imported on demand."""

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Part the arguments; a complaint about them shows them escaped."""
        with _escaped_complaints():
            return super().make_context(*args, **options)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table."""
        return list(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in HOMES:
            return None
        command: click.Command = getattr(import_module(HOMES[cmd_name][0]), f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each, without importing it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in HOMES.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; the same for its arguments. Ctrl-C is quiet also while it is imported."""
        try:
            with _escaped_complaints():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Exit(INTERRUPTED) from None


_VERBOSE = "lemmata.cli.verbose"


def _version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        print(f"lemmata {__version__}")
        if ctx.meta.get(_VERBOSE):
            from lemmata.solvers.native import native_core

            core = native_core()
            print("native core: " + ("not built, PySAT does its work" if core is None else core.__file__))
        ctx.exit()


def _verbose(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    ctx.meta[_VERBOSE] = wanted


def _completion(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from lemmata.cli import completion

    guarded(completion.install if parameter.name == "install_completion" else completion.show_completion)(app)
    ctx.exit()


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120, "show_default": True},
)
@click.option(
    "--version",
    is_flag=True,
    callback=_version,
    expose_value=False,
    help="Show the version; with -v also whether the native core was built.",
)
@click.option("-v", "verbose", is_flag=True, callback=_verbose, is_eager=True, expose_value=False, hidden=True)
@click.option(
    "--install-completion",
    is_flag=True,
    callback=_completion,
    is_eager=True,
    expose_value=False,
    help="Install completion for the current shell (bash, zsh, fish).",
)
@click.option(
    "--show-completion",
    is_flag=True,
    callback=_completion,
    is_eager=True,
    expose_value=False,
    help="Show completion for the current shell, to copy it or customize the installation.",
)
@click.pass_context
def app(ctx: click.Context) -> None:
    """A certifying safety model checker: can a bad state be reached? With proof.

    \b
    Examples:
      lemmata check design.aig
      lemmata check --help
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        ctx.exit(USAGE)


def command_line() -> None:
    """The program ``lemmata``."""
    try:
        sys.exit(app.main(prog_name="lemmata", standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as error:  # of standard output, while help was shown: commands have their own guard
        complain(f"cannot write: {(error.strerror or str(error)).lower()}")
        sys.exit(BROKEN)

"""Completion of commands and options in bash, zsh and fish, by click's own scripts."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from lemmata.errors import UsageError
from lemmata.writes import write_whole

_VARIABLE = "_LEMMATA_COMPLETE"
_STARTS = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/completions/lemmata.fish"}  # what the shell reads, in ~


def show_completion(app: click.Command) -> None:
    """Print the script for the current shell."""
    shell = _shell()
    kind = get_completion_class(shell)
    assert kind is not None, shell
    click.echo(kind(app, {}, "lemmata", _VARIABLE).source())


def install(app: click.Command) -> None:
    """Make the current shell ask Lemmata, from its next start on; once is enough."""
    shell = _shell()
    source = f"{_VARIABLE}={shell}_source lemmata"
    line = f"{source} | source" if shell == "fish" else f'eval "$({source})"'
    start = Path.home() / _STARTS[shell]
    try:
        start.parent.mkdir(parents=True, exist_ok=True)
        before = start.read_text() if start.exists() else ""
        if line not in before.splitlines():
            gap = "\n" if before and not before.endswith("\n") else ""
            write_whole(start, f"{before}{gap}{line}\n".encode())
    except OSError as error:
        raise UsageError(f"{start}: {(error.strerror or str(error)).lower()}") from None
    click.echo(f"completion for {shell} is in {start}; it takes effect in a new shell")


def _shell() -> str:
    shell = Path(os.environ.get("SHELL", "")).name
    if shell not in _STARTS:
        raise UsageError(f"SHELL={shell or '(not set)'}: completion is for {', '.join(_STARTS)}")
    return shell

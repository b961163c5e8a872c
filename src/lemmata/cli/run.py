"""``lemmata run``: tasks of SymbiYosys, with Lemmata's engines."""

from __future__ import annotations

from pathlib import Path

import click
from click.exceptions import Exit

from lemmata.cli.command import PATH, argument, command
from lemmata.cli.output import say
from lemmata.errors import UsageError
from lemmata.escapes import printable


@command
@argument("file", "A task file of SymbiYosys (.sby).")
@click.argument("tasks", nargs=-1)
@click.option("-f", "force", is_flag=True, help="Remove the folder of an earlier run.")
@click.option("-b", "backup", is_flag=True, help="Keep the folder of an earlier run under another name.")
@click.option(
    "-d", "folder", type=PATH, metavar="DIR", help="The folder of the task. (default: the file without .sby, and the task)"
)
@click.option("-T", "more", multiple=True, metavar="TASK", help="A task; repeatable.")
def run_command(
    file: Path, tasks: tuple[str, ...], force: bool, backup: bool, folder: Path | None, more: tuple[str, ...]
) -> None:
    """Run the tasks of a .sby file as sby does, with Lemmata's engines.

    The folders, the status lines and the exit codes are those of sby.

    \b
    Examples:
      lemmata run -f fifo.sby
      lemmata run -f fifo.sby cover

    \b
    Exit codes: 0 every task has the result that it expects; else the sum of 1 (pass), 2 (fail), 4 (unknown), 8 (timeout)
    and 16 (error) over the results of the tasks, each once; 2 also for a wrong call or a task file that cannot be read.
    A script is run by Yosys and may write files: run tasks that you trust.
    """
    from lemmata.run.sby import Job, read_tasks

    if file.suffix != ".sby":
        raise UsageError(f"{file} is no task file: its name does not end with .sby")
    chosen = read_tasks(file, (*tasks, *more))
    if folder is not None and len(chosen) > 1:
        raise UsageError("-d is for one task: name it")
    code = 0
    for task in chosen:
        home = folder or file.with_name(f"{file.stem}_{task.name}" if task.name else file.stem)
        job = Job(file, task, home, lambda line: say(printable(line)))
        job.set_up(force, backup)
        code |= job.run()
    if code:
        raise Exit(code)

"""A console of rich whose reader may go away (``| head``), where rich itself would end the program.

That ends the printing, as ``output.say`` and ``output.tell`` do it, and also the work where all of it is for the reader.
"""

from __future__ import annotations

from click.exceptions import Exit
from rich.console import Console

from lemmata.cli.output import columns, discard_output


class OutputConsole(Console):
    """Standard output with colours; ``is_told``: all that is done is done for its reader."""

    def __init__(self, highlight: bool, is_told: bool) -> None:
        super().__init__(highlight=highlight, force_terminal=True, width=columns())
        self._is_told = is_told

    def on_broken_pipe(self) -> None:
        """Print nothing more; ``Exit`` where nothing else is to be done."""
        self.quiet = True
        discard_output()
        if self._is_told:
            raise Exit(0)

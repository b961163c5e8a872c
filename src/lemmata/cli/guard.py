"""Around every command: what goes wrong becomes one line on standard error and an exit code, never a traceback."""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable
from typing import TypeVar

import click
from click.exceptions import Exit

from lemmata.cli.codes import BROKEN, INTERRUPTED, UNKNOWN, USAGE
from lemmata.cli.output import complain
from lemmata.errors import GaveUp, LemmataError, WorkBroke

T = TypeVar("T")


def guarded(command: Callable[..., T]) -> Callable[..., T]:
    """``command`` with its exceptions turned into exit codes."""

    @functools.wraps(command)
    def careful(*args: object, **options: object) -> T:
        gc.freeze()  # what was loaded stays
        gc.enable()
        try:
            return command(*args, **options)
        except (Exit, click.Abort, click.ClickException):
            raise
        except KeyboardInterrupt:
            raise Exit(INTERRUPTED) from None
        except GaveUp as gave_up:
            complain(f"unknown: {gave_up.reason}")
            raise Exit(UNKNOWN) from None
        except MemoryError:
            complain("unknown: memory")
            raise Exit(UNKNOWN) from None
        except LemmataError as error:
            complain(str(error))
            raise Exit(USAGE) from None
        except WorkBroke as error:
            _tell_bug(str(error), error.detail)
            raise Exit(BROKEN) from None
        except Exception as error:
            import traceback

            _tell_bug(f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))
            raise Exit(BROKEN) from None

    return careful


def _tell_bug(cause: str, detail: str) -> None:
    complain(f"internal error: {cause} (-v shows where; please report it)")
    if {"-v", "--verbose"} & set(sys.argv):
        for line in detail.splitlines():
            complain(line)

"""The program ``lemmata``, also as ``python -m lemmata``; here Ctrl-C is quiet from the first import on."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from lemmata.cli import command_line

        sys.set_int_max_str_digits(0)  # verdicts may have numbers of any length
        command_line()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

"""What comes from files is data: one function per kind of output makes it so.

Names of properties and variables, names of files, words that solvers say: all may hold characters that command a terminal
(ESC, BEL, U+009B), turn text around (U+202E), break a line or a table, or begin a tag. Every output sends them through the
function of its kind, and none of those characters leaves it:

====================  ======================================================================
``printable``         a line of text: reports, messages, logs, comments in files that are read again
``in_html``           text and quoted attributes of a page; ``in_html_attribute`` a whole page in one
``in_script``         a value as JSON in an element of a page
``in_json``           a value as JSON in ASCII; text is kept, unless it is none (lone surrogates)
``in_dot``            a label of Graphviz
``in_markdown``       a cell or a word of a Markdown page; ``in_markdown_code`` the same as code
``in_plot``           a label of a plot
``in_workflow``       a message, or a property, of a workflow command
====================  ======================================================================

What is printable is decided by Unicode: no control, format, private, unassigned or surrogate characters, no separators but
the blank. The rest becomes an escape of Python: ESC is ``\\x1b``. ``printable`` leaves alone what it made.

Symbols of SMT-LIB in models, proofs and derivations are escaped by ``logic.smtlib.writer.symbol``, which can be read back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_MARKDOWN = str.maketrans({"&": "&amp;", "<": "&lt;", "|": "\\|", "`": "\\`", "[": "\\["})


def printable(text: str) -> str:
    """One line of ``text``: whatever is not printable is an escape."""
    return text if text.isprintable() else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable_lines(text: str) -> str:
    """The same for text of several lines, which stay."""
    return text if text.replace("\n", "").isprintable() else "\n".join(map(printable, text.split("\n")))


def in_html(text: str) -> str:
    """Text of a page, or of an attribute between quotes."""
    from html import escape

    return escape(printable(text), quote=True)


def in_html_attribute(page: str) -> str:
    """A page that is text of an attribute between quotes: of a frame that shows it."""
    from html import escape

    return escape(page, quote=True)


def in_json(value: object, indent: int | None = None) -> str:
    """JSON that every reader takes: ASCII, and lone surrogates, which are no text, written as six characters each."""
    import json

    return json.dumps(_encodable(value), indent=indent)


def _encodable(value: object) -> object:
    match value:
        case str():
            return value if value.isascii() else value.encode(errors="backslashreplace").decode()
        case Mapping():
            return {_encodable(key): _encodable(item) for key, item in value.items()}
        case list() | tuple():
            return [_encodable(item) for item in value]
        case _:
            return value


def in_script(value: object) -> str:
    """JSON inside a script element of a page: nothing in it ends the element, or begins another or a comment."""
    return in_json(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def in_dot(lines: Iterable[str]) -> str:
    """The lines of a label, in quotes; two lines and more are flush left."""
    escaped = [printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + ("".join(f"{line}\\l" for line in escaped) if len(escaped) > 1 else "".join(escaped)) + '"'


def in_markdown(text: str) -> str:
    """A cell or a word that no tag, table, link or code begins in."""
    return printable(text).translate(_MARKDOWN)


def in_markdown_code(text: str) -> str:
    """The same as code of a Markdown page; a backquote, which would end it, is a quote."""
    return "`" + printable(text).replace("`", "'") + "`"


def in_workflow(text: str, is_property: bool = False) -> str:
    """A message of a workflow command, whose lines stay; or one of its properties, which no colon or comma ends."""
    safe = printable_lines(text).replace("%", "%25").replace("\n", "%0A")
    return safe.replace(":", "%3A").replace(",", "%2C") if is_property else safe


def in_plot(text: str) -> str:
    """A label; a dollar is no formula."""
    return printable(text).replace("$", "\\$")

"""From bytes to text that the parser reads, which still knows where it came from.

Lines are put into place by ``#line`` and by the markers of preprocessors (``# 12 "file.c"``), which are taken out together with
all other directives. What GNU C adds without a meaning for us (attributes, ``__extension__``, ``__restrict``, names of symbols
given by ``asm`` after a declarator) becomes spaces, so that columns stay.
"""

from __future__ import annotations

import re
from pathlib import Path

from lemmata.errors import InputError, Place
from lemmata.frontends.programs.source import SourceText

_MARKER = re.compile(r'^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?')
_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)|//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\n|.""",
    re.DOTALL,
)
_SPELLED = {
    "__inline": "inline",
    "__inline__": "inline",
    "__const": "const",
    "__const__": "const",
    "__volatile__": "volatile",
    "__volatile": "volatile",
    "__signed__": "signed",
    "__signed": "signed",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__extension__": "",
    "_Noreturn": "",
    "__thread": "",
    "__PRETTY_FUNCTION__": '""',
    "__FUNCTION__": '""',
    "__func__": '""',
}
_ASM = ("asm", "__asm", "__asm__")
_PRELUDE = (
    "typedef int __builtin_va_list; typedef double _Float128; typedef double __float128; typedef float _Float32;"
    " typedef double _Float64; typedef double _Float32x; typedef double _Float64x;"
)


class CText(SourceText):
    """Preprocessed text without directives; places are those of the files that it was made of."""

    __slots__ = ("_as_is", "_came_from")

    def __init__(self, text: str, file: str, came_from: list[tuple[str, int]], as_is: list[int] | None = None) -> None:
        """``as_is`` are the lines of a preprocessed file, where this is one."""
        super().__init__(text, file)
        self._came_from = came_from
        self._as_is = as_is

    def line(self, at: int) -> int:
        """The line in the file that has it."""
        return self._came_from[super().line(at) - 1][1]

    def place(self, at: int) -> Place:
        """File, line and column of an offset."""
        number = super().line(at)
        file, line = self._came_from[number - 1]
        return Place(file, line, at - self._starts[number - 1] + 1)

    def spot(self, at: int) -> tuple[int, int] | None:
        """Line and column in the file as it is; ``None`` for what comes from a header. Macros move columns."""
        number = super().line(at)
        column = at - self._starts[number - 1] + 1
        if self._as_is is not None:
            return self._as_is[number - 1], column
        file, line = self._came_from[number - 1]
        return (line, column) if Path(file) == Path(self.file) else None

    def at(self, line: int, column: int) -> int:
        """The offset of a place in this text."""
        return self._starts[max(0, min(line, len(self._starts)) - 1)] + max(0, column - 1)


def c_text(text: str, file: str, is_file: bool = False) -> CText:
    """Text from a preprocessor, ready to be parsed; with ``is_file`` it is the whole file of the user."""
    lines: list[str] = [_PRELUDE]
    came_from: list[tuple[str, int]] = [(file, 1)]
    as_is = [1]
    name, number = file, 1
    for position, line in enumerate(without_comments(text).split("\n"), 1):
        marker = _MARKER.match(line)
        if marker:
            number = int(marker[1])
            name = as_given(_unescaped(marker[2]), file) if marker[2] is not None else name
            continue
        lines.append("" if line.lstrip().startswith("#") else line)
        came_from.append((name, number))
        as_is.append(position)
        number += 1
    result = CText("\n".join(lines), file, came_from)
    return CText(_plain(result), file, came_from, as_is if is_file else None)


def as_given(name: str, file: str) -> str:
    """The name of a file beside ``file`` in the way the user wrote it; preprocessors make it absolute."""
    folder = Path(file).absolute().parent
    if Path(name).is_absolute() and Path(name).parent == folder:
        return str(Path(file).parent / Path(name).name)
    return name


def _unescaped(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name)


def without_comments(text: str) -> str:
    """Comments become spaces (5.1.1.2); their line ends stay."""
    if "/*" not in text and "//" not in text:
        return text
    return "".join([_blank(token) if token.startswith(("/*", "//")) else token for token in _TOKEN.findall(text)])


def _blank(token: str) -> str:
    return "".join(["\n" if char == "\n" else " " for char in token])


def _plain(source: CText) -> str:
    """The text without what GNU C adds."""
    tokens = _TOKEN.findall(source.text)
    out: list[str] = []
    at = position = 0
    while position < len(tokens):
        token = tokens[position]
        end = position + 1
        if token in _SPELLED:
            token = _SPELLED[token].ljust(len(token))
        elif token in ("__attribute__", "__attribute", *_ASM, "_Alignas", "__declspec"):
            is_asm = token in _ASM
            if is_asm and not _is_label(out):
                raise source.unsupported(at, "inline assembler is not supported", "write what it does in C")
            end = _closed(tokens, position + 1, source, at)
            token = _blank("".join(tokens[position:end]))
        elif token == "(" and _next_token(tokens, end) == "{":
            raise source.unsupported(at, "statements in expressions, as GNU C has them, are not supported", "use a function")
        elif token in ("typeof", "__typeof__", "__typeof"):
            raise source.unsupported(at, f"'{token}' is not supported", "write the type")
        out.append(token)
        at += sum(map(len, tokens[position:end]))
        position = end
    return "".join(out)


def _is_label(before: list[str]) -> bool:
    """Does ``asm`` name the symbol of a declarator, whose last token is before it?"""
    for token in reversed(before):
        if not token.isspace():
            return token == ")" or (token[-1].isalnum() and token not in ("volatile", "do", "else"))
    return False


def _next_token(tokens: list[str], position: int) -> str:
    while position < len(tokens) and tokens[position].isspace():
        position += 1
    return tokens[position] if position < len(tokens) else ""


def _closed(tokens: list[str], position: int, source: CText, at: int) -> int:
    """Behind the parentheses that follow."""
    depth = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
            if depth == 0:
                return position
        elif depth == 0 and not token.isspace() and token not in ("volatile", "__volatile__"):
            break
    raise source.error(at, "there is no list in parentheses here")


def source_text(data: bytes, file: str) -> str:
    """The bytes as text: UTF-8, or, where they are not, one character per byte (5.2.1 leaves it open)."""
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise InputError(Place(file, line, 1), "there is a zero byte in the text", "is this C?")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data.decode("latin-1").replace("\r\n", "\n")

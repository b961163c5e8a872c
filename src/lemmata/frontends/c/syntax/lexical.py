"""From preprocessing tokens to those of the parser (C11 5.1.1.2, phases 5 to 7), and to a text to quote from.

Constants are checked here, and strings become bytes before they are put together. What GNU C adds without a meaning for us
(``__extension__``, other spellings of keywords, names of symbols given by ``asm``, silent attributes) is left out; what it
adds with one is refused. The parser's words for kinds of tokens are those of pycparser.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.frontends.c.preprocessor.literals import (
    LiteralError,
    as_literal,
    character_value,
    integer_parts,
    is_floating,
    string_bytes,
    universal,
)
from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import CHARACTER, LINE, NAME, NUMBER, PUNCTUATOR, STRING, CToken, scan
from lemmata.frontends.c.syntax.attributes import NORETURN, GnuAttribute, honoured, read_attributes
from lemmata.frontends.c.syntax.lexemes import Lexemes

_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register restrict
return short signed sizeof static struct switch typedef union unsigned void volatile while offsetof
__int128 _Bool _Complex _Thread_local _Static_assert _Atomic _Alignof _Generic
"""
_KEYWORDS = {word: word.upper() for word in _WORDS.split()} | {"__alignof__": "_ALIGNOF"}
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
    "__complex__": "_Complex",
    "__complex": "_Complex",
    "__alignof": "__alignof__",
    "__builtin_offsetof": "offsetof",
}
_NAMED_SIGNS = """
... ELLIPSIS <<= LSHIFTEQUAL >>= RSHIFTEQUAL ++ PLUSPLUS -- MINUSMINUS -> ARROW && LAND || LOR << LSHIFT >> RSHIFT <= LE >= GE
== EQ != NE *= TIMESEQUAL /= DIVEQUAL %= MODEQUAL += PLUSEQUAL -= MINUSEQUAL &= ANDEQUAL |= OREQUAL ^= XOREQUAL = EQUALS
+ PLUS - MINUS * TIMES / DIVIDE % MOD | OR & AND ~ NOT ^ XOR ! LNOT < LT > GT ? CONDOP ( LPAREN ) RPAREN [ LBRACKET ] RBRACKET
{ LBRACE } RBRACE , COMMA . PERIOD ; SEMI : COLON
"""
_SIGNS = dict(zip(_NAMED_SIGNS.split()[::2], _NAMED_SIGNS.split()[1::2], strict=True))
_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}"}  # 6.4.6p3
_ASM = frozenset({"asm", "__asm", "__asm__"})
_FUNCTION_NAMES = frozenset({"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"})
_TYPES = {  # that gcc knows without a declaration
    "_Float32": "typedef float _Float32;",
    "_Float64": "typedef double _Float64;",
    "_Float32x": "typedef double _Float32x;",
    "_Float64x": "typedef long double _Float64x;",
    "_Float128": "typedef long double _Float128;",
    "__float128": "typedef long double __float128;",
    "__float80": "typedef long double __float80;",
    "__int128_t": "typedef __int128 __int128_t;",
    "__uint128_t": "typedef unsigned __int128 __uint128_t;",
}
_VA_LISTS = {
    "LP64": "typedef struct { unsigned a, b; void *c, *d; } __builtin_va_list[1];",
    "ILP32": "typedef char *__builtin_va_list;",
}
# Characters of identifiers beyond ASCII (Annex D.1), and those that cannot come first (D.2).
_LETTERS = (
    (0xA8, 0xA8), (0xAA, 0xAA), (0xAD, 0xAD), (0xAF, 0xAF), (0xB2, 0xB5), (0xB7, 0xBA), (0xBC, 0xBE), (0xC0, 0xD6),
    (0xD8, 0xF6), (0xF8, 0xFF), (0x100, 0x167F), (0x1681, 0x180D), (0x180F, 0x1FFF), (0x200B, 0x200D), (0x202A, 0x202E),
    (0x203F, 0x2040), (0x2054, 0x2054), (0x2060, 0x206F), (0x2070, 0x218F), (0x2460, 0x24FF), (0x2776, 0x2793),
    (0x2C00, 0x2DFF), (0x2E80, 0x2FFF), (0x3004, 0x3007), (0x3021, 0x302F), (0x3031, 0x303F), (0x3040, 0xD7FF),
    (0xF900, 0xFD3D), (0xFD40, 0xFDCF), (0xFDF0, 0xFE44), (0xFE47, 0xFFFD),
    *[(n << 16, (n << 16) + 0xFFFD) for n in range(1, 15)],
)  # fmt: skip
_NOT_FIRST = ((0x300, 0x36F), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))  # that begin no name (C11 annex D.2)


class Lexing:
    """Makes lexemes of the tokens of one translation unit."""

    def __init__(self, tokens: list[CToken], sources: Sources, data_model: str) -> None:
        self._tokens = tokens
        self._sources = sources
        self._data_model = data_model
        self._found = Lexemes()
        self._pieces: list[str] = []
        self._length = 0
        self._braces = 0
        self._labels: dict[str, int] = {}  # names of symbols, and where they are given
        self._types: dict[str, str] = {}  # that have to be declared
        self._never_return: set[str] = set()
        self._handlers: dict[str, Callable[[int], int]] = {
            **dict.fromkeys(("__attribute__", "__attribute", "__declspec"), self._attributes),
            **dict.fromkeys(_ASM, self._asm),
            **dict.fromkeys(("typeof", "__typeof__", "__typeof"), self._typeof),
            "__auto_type": self._auto_type,
            **dict.fromkeys(_FUNCTION_NAMES, self._function_name),
            **dict.fromkeys((*_TYPES, "__builtin_va_list"), self._type),
            **dict.fromkeys(("__extension__", "__thread"), lambda position: position + 1),
            "_Alignas": self._alignas,
            "_Noreturn": self._noreturn,
        }

    def handle_nothing(self) -> None:
        """All names mean themselves."""
        self._handlers = {}

    def lexemes(self) -> Lexemes:
        """All of them."""
        tokens, handlers, add = self._tokens, self._handlers, self._add
        position, count = 0, len(tokens)
        while position < count:
            token = tokens[position]
            kind, text = token.kind, token.text
            if kind is NAME:
                if text in handlers:
                    position = handlers[text](position)
                    continue
                text = _SPELLED.get(text, text) if text[0] == "_" else text
                if text.isascii() and "\\" not in text:
                    add(_KEYWORDS.get(text, "ID"), text, token)
                else:
                    add("ID", self._extended(token), token)
            elif kind is PUNCTUATOR:
                self._sign(token)
            elif kind is LINE:
                if self._pieces and self._pieces[-1] != "\n":
                    self._pieces.append("\n")
                    self._length += 1
            elif kind is NUMBER:
                self._number(token)
            elif kind is STRING:
                position = self._string(position)
                continue
            else:
                self._character(token)
            position += 1
        return self._finished()

    def _finished(self) -> Lexemes:
        found = self._found
        found.text = "".join(self._pieces)
        found.never_return = frozenset(self._never_return)
        if self._labels:
            for name in self._labels.keys() & set(found.values):
                cause = f"the symbol of a declaration is called '{name}', as something else is"
                raise self._sources.unsupported(self._labels[name], cause)
        if self._types:
            _put_before(found, " ".join(self._types.values()))
        return found

    def _add(self, kind: str, value: str, token: CToken, shown: str = "") -> None:
        """One token of the parser; ``shown`` is how the text has it, if not as ``value``."""
        found, pieces = self._found, self._pieces
        piece = shown or value
        is_apart = token.space or (token.hidden is not None and pieces and _touch(pieces[-1][-1], piece[0]))
        if is_apart and pieces and pieces[-1] != "\n":
            pieces.append(" ")
            self._length += 1
        found.kinds.append(kind)
        found.values.append(value)
        found.starts.append(self._length)
        found.origins.append(token.at)
        pieces.append(piece)
        self._length += len(piece)

    # Kinds of tokens.

    def _sign(self, token: CToken) -> None:
        text = _DIGRAPHS.get(token.text, token.text)
        kind = _SIGNS.get(text)
        if kind is None:
            raise self._sources.error(token.at, f"'{token.text}' does not belong here")
        if kind == "LBRACE":
            self._braces += 1
        elif kind == "RBRACE":
            self._braces -= 1
        self._add(kind, text, token)

    def _number(self, token: CToken) -> None:
        if is_floating(token.text):
            self._add("FLOAT_CONST", token.text, token)
            return
        try:
            integer_parts(token.text)
        except LiteralError as error:
            raise self._sources.error(token.at, str(error)) from None
        self._add("INT_CONST_DEC", token.text, token)

    def _character(self, token: CToken) -> None:
        """A character constant, or what is no token at all."""
        if token.kind is not CHARACTER:
            if token.text[0] in "\"'":
                raise self._sources.error(token.at, f"this {token.text[0]} has no partner on its line")
            if '"' in token.text:
                raise self._sources.unsupported(token.at, "raw strings are not supported")
            raise self._sources.error(token.at, f"'{token.text}' does not belong here")
        try:
            value = character_value(token.text)
        except LiteralError as error:
            raise self._sources.unsupported(token.at, str(error)) from None
        self._add("CHAR_CONST", as_literal([value % 256], "'"), token, token.text)

    def _string(self, position: int) -> int:
        """Strings that follow each other are one (5.1.1.2, phase 6)."""
        first, content, shown = self._tokens[position], [], []
        while position < len(self._tokens) and self._tokens[position].kind in (STRING, LINE):
            token = self._tokens[position]
            if token.kind is STRING:
                if token.text[0] in "LU" or token.text.startswith('u"'):
                    raise self._sources.unsupported(token.at, "wide strings are not supported")
                try:
                    content += string_bytes(token.text)
                except LiteralError as error:
                    raise self._sources.error(token.at, str(error)) from None
                shown.append(token.text)
            elif not self._more(position):
                break
            position += 1
        self._add("STRING_LITERAL", as_literal(content), first, " ".join(shown))
        return position

    def _more(self, position: int) -> bool:
        """Does another string come after the ends of lines?"""
        while position < len(self._tokens) and self._tokens[position].kind is LINE:
            position += 1
        return position < len(self._tokens) and self._tokens[position].kind is STRING

    def _extended(self, token: CToken) -> str:
        """An identifier with characters beyond ASCII (6.4.2.1, Annex D), universal character names replaced."""
        text = token.text
        try:
            while "\\" in text:
                start = text.index("\\")
                length = 6 if text[start + 1] == "u" else 10
                text = text[:start] + universal(text[start + 1 : start + length]) + text[start + length :]
        except LiteralError as error:
            raise self._sources.error(token.at, str(error)) from None
        for place, letter in enumerate(text):
            code = ord(letter)
            is_letter = letter.isalnum() or letter in "_$" if code < 128 else any(low <= code <= high for low, high in _LETTERS)
            if not is_letter or (not place and any(low <= code <= high for low, high in _NOT_FIRST)):
                raise self._sources.error(token.at, f"'{letter}' is no part of a name")
        return text

    # What GNU C adds.

    def _next(self, position: int) -> int:
        """The position of the next token that does not end a line."""
        while position < len(self._tokens) and self._tokens[position].kind is LINE:
            position += 1
        return position

    def _attributes(self, position: int) -> int:
        end, found = read_attributes(self._tokens, position, self._sources)
        for attribute in found:
            self._attribute(attribute, end)
        return end

    def _attribute(self, attribute: GnuAttribute, end: int) -> None:
        if attribute.name == NORETURN:
            self._note_noreturn(end)
        elif attribute.name == "aligned" and self._found.values[-1:] and self._found.values[-1].startswith("__max_align_"):
            self._handlers.setdefault("max_align_t", self._max_align)
        elif not honoured(attribute, self._found, self._data_model):
            cause = f"the attribute '{attribute.name}' is not supported"
            remedy = "take it out; if it does not matter here, -D '__attribute__(x)=' defines all attributes away"
            raise self._sources.unsupported(attribute.at, cause, remedy)

    def _noreturn(self, position: int) -> int:
        self._note_noreturn(position + 1)
        return position + 1

    def _note_noreturn(self, position: int) -> None:
        """The declaration around a position declares a function that never returns."""
        name = self._found.declared_function()
        while not name and position < len(self._tokens) and self._tokens[position].text not in (";", "{"):
            token, after = self._tokens[position], self._next(position + 1)
            if token.text in ("__attribute__", "__attribute"):
                position, _ = read_attributes(self._tokens, position, self._sources)
                continue
            is_name = token.kind is NAME and token.text not in _KEYWORDS and token.text not in self._handlers
            if is_name and after < len(self._tokens) and self._tokens[after].text == "(":
                name = token.text
            position += 1
        if name:
            self._never_return.add(name)

    def _asm(self, position: int) -> int:
        """The name of a symbol after a declarator outside of functions; anything else is assembler."""
        token, kinds = self._tokens[position], self._found.kinds
        opened = self._next(position + 1)
        end = self._next(opened + 1)
        name = ""
        while end < len(self._tokens) and self._tokens[end].kind is STRING:
            name += self._tokens[end].text[1:-1]
            end = self._next(end + 1)
        is_closed = end < len(self._tokens) and self._tokens[end].text == ")" and self._tokens[opened].text == "("
        if self._braces or not is_closed or not kinds or kinds[-1] not in ("RPAREN", "ID", "RBRACKET"):
            raise self._sources.unsupported(token.at, "inline assembler is not supported", "write what it does in C")
        if name not in (self._found.declared_function(), self._found.values[-1]):
            self._labels[name] = token.at
        return end + 1

    def _typeof(self, position: int) -> int:
        """To the parser it is a specifier with parentheses, as ``_Atomic ( type )`` is."""
        self._add("_ATOMIC", "typeof", self._tokens[position])
        return position + 1

    def _auto_type(self, position: int) -> int:
        token = self._tokens[position]
        raise self._sources.unsupported(token.at, f"'{token.text}' is not supported", "write the type")

    def _alignas(self, position: int) -> int:
        raise self._sources.unsupported(self._tokens[position].at, "_Alignas is not supported", "take it out")

    def _max_align(self, position: int) -> int:
        """7.19: gcc's header declares it in every file, by attributes that are refused elsewhere; so its uses are refused."""
        token, is_declared = self._tokens[position], "max_align_t" in self._found.values
        if is_declared:
            raise self._sources.unsupported(token.at, "max_align_t is not supported")
        self._add("ID", token.text, token)
        return position + 1

    def _function_name(self, position: int) -> int:
        self._found.names_functions = True
        self._add("ID", "__func__", self._tokens[position])
        return position + 1

    def _type(self, position: int) -> int:
        token = self._tokens[position]
        self._types[token.text] = _TYPES.get(token.text) or _VA_LISTS[self._data_model]
        self._add("ID", token.text, token)
        return position + 1


def _touch(last: str, first: str) -> bool:
    """Would two tokens become another one, if nothing were between them?"""
    is_word = last.isalnum() or last in "_$\"'."
    return is_word if first.isalnum() or first in "_$\"'." else last in "+-*/%&|<>=!^#:" and first in "+-*/%&|<>=!^#:"


def _put_before(found: Lexemes, text: str) -> None:
    """Declarations of types come first, at the place of the file's first character."""
    own = Lexing(scan(text), Sources(), "")
    own.handle_nothing()
    first = own.lexemes()
    found.starts = first.starts + [start + len(first.text) for start in found.starts]
    found.text = first.text + found.text
    found.kinds = first.kinds + found.kinds
    found.values = first.values + found.values
    found.origins = [0] * len(first.origins) + found.origins

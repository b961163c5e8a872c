"""Pragmas (C11 6.10.6): those that change what a program means are refused, those of macros are obeyed, others say nothing."""

from __future__ import annotations

import re

from lemmata.frontends.c.preprocessor.macros import CMacro
from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import STRING, CToken, spelling_of

_MEANT = frozenset({"pack", "scalar_storage_order", "ms_struct", "weak", "redefine_extname", "options", "align", "map"})
_ESCAPED = re.compile(r'\\(["\\])')


def destringized(text: str) -> str:
    """What a string says, as 6.10.9 reads it."""
    return _ESCAPED.sub(r"\1", text[1:-1])


class Pragmas:
    """Obeys pragmas; ``macros`` are those that ``push_macro`` and ``pop_macro`` keep and bring back."""

    def __init__(self, sources: Sources, macros: dict[str, CMacro] | None = None) -> None:
        self._sources = sources
        self._macros = {} if macros is None else macros
        self._kept: dict[str, list[CMacro | None]] = {}

    def obey(self, words: list[CToken], at: int) -> None:
        """One pragma; ``words`` are what follows ``#pragma``."""
        texts = [word.text for word in words]
        first = texts[0] if texts else ""
        if first in ("push_macro", "pop_macro"):
            if len(words) != 4 or (texts[1], words[2].kind, texts[3]) != ("(", STRING, ")"):
                raise self._sources.error(at, f"#pragma {first} needs a name in quotes")
            self._keep(destringized(texts[2]), first == "push_macro")
        elif first in _MEANT:
            raise self._sources.unsupported(at, f"#pragma {first} is not supported", "it changes what the program means")
        elif texts[:2] == ["GCC", "error"]:
            raise self._sources.error(at, f"#pragma {spelling_of(words)}")

    def _keep(self, name: str, is_pushed: bool) -> None:
        if is_pushed:
            self._kept.setdefault(name, []).append(self._macros.get(name))
        elif self._kept.get(name):
            macro = self._kept[name].pop()
            if macro is None:
                self._macros.pop(name, None)
            else:
                self._macros[name] = macro

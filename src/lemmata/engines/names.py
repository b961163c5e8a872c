"""What engines are called. Each name is spelled here; records, engines and whoever looks for one take it from here."""

from __future__ import annotations

from typing import Final

PDR: Final = "pdr"  # on bits
WORD: Final = "word"  # on words
LIFTED: Final = "lifted"  # on graphs
BITBLAST: Final = "bitblast"  # on the bits of graphs
BMC: Final = "bmc"
KINDUCTION: Final = "kinduction"
ABSTRACT: Final = "abstract"
SYMBOLIC: Final = "symbolic"
ACCELERATE: Final = "accelerate"
TRACES: Final = "traces"

SIMULATE: Final = "simulate"  # beside BMC, in its place in the table
TEXTBOOK: Final = "textbook"  # a preset: an algorithm in the place of another, as are the next two
LIA_TEXTBOOK: Final = "lia-textbook"
THESIS: Final = "thesis"
REUSE: Final = "reuse"  # no engine: evidence of an earlier run that still holds

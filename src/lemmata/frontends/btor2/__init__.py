"""BTOR2: word-level systems with bit-vectors and arrays, as Niemetz, Preiner, Wolf and Biere define them (CAV 2018).

Each line is ``id tag arguments [symbol]``; ids grow, and a line speaks only of earlier ones, so one pass builds the terms and
nothing recurses. ``lines`` cuts a file into words with places, ``sorts`` and ``constants`` read what their names say,
``operators`` and ``arithmetic`` give each operator its term, ``table`` keeps what ids stand for, ``reader`` goes through the
lines, and ``states`` makes the transition system: what is a variable and how it is called, what an input, what an initial
value.

Words of one bit are the format's Booleans. They stay words here, but what computes on them is written with Boolean
connectives inside, so that the structure of conditions is visible to whoever reads the terms.

Left out: arrays of arrays, and liveness (``justice`` and ``fair`` are read and noted; the report
says that nobody answers them).
"""

from lemmata.frontends.btor2.lines import is_btor2
from lemmata.frontends.btor2.reader import parse_btor2

__all__ = ["is_btor2", "parse_btor2"]

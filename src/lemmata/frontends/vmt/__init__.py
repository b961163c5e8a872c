"""VMT-LIB: transition systems as annotated SMT-LIB 2, as Cimatti, Griggio and Tonetta describe it (SMT workshop 2022).

``(! x :next x′)`` makes x a state variable, ``(! F :init true)`` and ``(! F :trans true)`` say what the initial states and the
steps are, ``(! P :invar-property 0)`` asks whether every reachable state satisfies P. Symbols that are no state variable and no
next value are inputs. ``reader`` goes through the script (``frontends.smtlib`` reads its terms) and makes the graph, ``writer``
writes one.

Left out: liveness (``:live-property`` is noted, so that the report says it, and refused where nothing else is asked),
uninterpreted functions.
``:predicate`` hints are read over, other annotations refused.
"""

from lemmata.frontends.vmt.reader import parse_vmt
from lemmata.frontends.vmt.writer import format_vmt

__all__ = ["format_vmt", "parse_vmt"]

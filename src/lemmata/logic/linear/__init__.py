"""Linear arithmetic, exact: sums (``Linear``), literals in normal form (``Atom``), and the way from terms and back.

This is the door; ``logic.forms`` has the sums, ``logic.atoms`` the normal forms, ``logic.atom_reader`` reads terms, and
``logic.atom_rules`` combines and compares.
"""

from __future__ import annotations

from lemmata.logic.linear.atoms import FALSE_ATOM, TRUE_ATOM, Atom, atom, canonical, combine, comparison, implies, normal, split
from lemmata.logic.linear.sums import Linear, Number, from_coefficients, linear, linearize, total

__all__ = [
    "FALSE_ATOM",
    "TRUE_ATOM",
    "Atom",
    "Linear",
    "Number",
    "atom",
    "canonical",
    "combine",
    "comparison",
    "from_coefficients",
    "implies",
    "linear",
    "linearize",
    "normal",
    "split",
    "total",
]

"""Linear arithmetic, exact: sums (``Linear``), literals in normal form (``Atom``), and the way from terms and back.

This is the door; ``sums`` has the sums, ``atoms`` the normal forms, their reading and their combination, ``lp`` small linear
programs.
"""

from __future__ import annotations

from lemmata.logic.linear.atoms import (
    FALSE_ATOM,
    TRUE_ATOM,
    Atom,
    atom,
    atom_implies,
    canonical,
    combine,
    comparison,
    normal,
    split_equation,
)
from lemmata.logic.linear.sums import Linear, Number, from_coefficients, linear, linearize, total

__all__ = [
    "FALSE_ATOM",
    "TRUE_ATOM",
    "Atom",
    "Linear",
    "Number",
    "atom",
    "atom_implies",
    "canonical",
    "combine",
    "comparison",
    "from_coefficients",
    "linear",
    "linearize",
    "normal",
    "split_equation",
    "total",
]

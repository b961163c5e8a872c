"""What engines ask, and share: the layer between ``solvers``, which know formulas, and ``engines``, which know algorithms.

A solver answers questions about formulas. Engines and transforms ask about *graphs*: can this edge be taken from here into
there, which of these candidates does every edge keep, which of these facts does a proof need? Each of them once had its own
class for that; now there is one of each:

=================  =========================================================================================================
``fallback``       ``FallbackSolver``: a solver that Z3 replaces where it has no words, does not know, or takes too long
``edge``           ``EdgeTerms``: formulas of locations in the names of an edge; ``EdgeSolver``: with a solver that knows it
``houdini``        ``keep_inductive``: the largest inductive part of a set of candidates; ``inductive_part``: of formulas
``support``        ``closure``: what a proof rests on; ``support``: the facts of a proof that are needed
``shape``          which locations matter for a property, and whether runs are lists or trees
``derive``         from chosen edges and inputs to a ``Derivation``, every value computed again
``affine_hull``    ``AffineHull``: the equations that all points seen so far have in common
=================  =========================================================================================================

Answers are values (``Sat``, ``Unsat``, ``None`` for *too hard*), solvers are names that are passed, and nothing here knows
frames, cells or automata. What is here is below the engines, so each of them stays a stranger to the others.

``certify`` uses none of it: it checks what comes of these questions, and would repeat their mistakes. A contract forbids the
import; its edges, its minimizers and its choice of solvers are its own, on purpose.
"""

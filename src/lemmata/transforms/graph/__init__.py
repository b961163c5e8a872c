"""Simplification of graphs before an engine sees them: ``simplify_graph`` returns a smaller graph and the way back."""

from __future__ import annotations

from lemmata.transforms.graph.back import GraphBack, GraphReduction
from lemmata.transforms.graph.pipeline import simplify_graph

__all__ = ["GraphBack", "GraphReduction", "simplify_graph"]

"""Abstract interpretation by solver: the strongest facts of simple domains, found by asking for a step that leaves them."""

from lemmata.engines.abstract.engine import Abstract, AbstractOptions

__all__ = ["Abstract", "AbstractOptions"]

"""``LinearSpan``: a space of polynomials, kept in reduced echelon form, and the kernel of a linear map on such a space.

Long monomials lead, so the rows of a low degree span what the space has of that degree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.engines.abstract.polynomials import Monomial, Polynomial, plus_times, scaled


class LinearSpan:
    """All rational combinations of the rows."""

    def __init__(self, rows: Iterable[Polynomial] = ()) -> None:
        self._rows: dict[Monomial, Polynomial] = {}  # by leading monomial, which no other row has; its coefficient is 1
        for row in rows:
            self.add(row)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> list[Polynomial]:
        """A basis, simple ones first."""
        return [self._rows[lead] for lead in sorted(self._rows, key=_rank)]

    def remainder(self, p: Polynomial) -> Polynomial:
        """``p`` without leading monomials of rows; nothing is left of what is in the span."""
        for monomial in [m for m in p if m in self._rows]:
            p = plus_times(p, self._rows[monomial], -p[monomial])
        return p

    def add(self, p: Polynomial) -> bool:
        """Take ``p`` in; was it outside?"""
        p = self.remainder(p)
        if not p:
            return False
        lead = max(p, key=_rank)
        row = _normal(p, lead)
        for other, old in self._rows.items():
            if lead in old:
                self._rows[other] = plus_times(old, row, -old[lead])
        self._rows[lead] = row
        return True


def kernel(basis: Sequence[Polynomial], images: Sequence[Polynomial]) -> list[Polynomial]:
    """The combinations of ``basis`` whose image is zero, where ``images`` are those of the basis."""
    found: list[Polynomial] = []
    pivots: list[tuple[Monomial, Polynomial, Polynomial]] = []  # a monomial that later images lose, an image, what it is of
    for p, image in zip(basis, images, strict=True):
        for monomial, other, origin in pivots:
            if c := image.get(monomial):
                image, p = plus_times(image, other, -c), plus_times(p, origin, -c)
        if not image:
            found.append(p)
            continue
        lead = max(image, key=_rank)
        scale = type(image[lead])(1) / image[lead]
        pivots.append((lead, scaled(image, scale), scaled(p, scale)))
    return found


def _normal(p: Polynomial, lead: Monomial) -> Polynomial:
    """A multiple with coefficient 1 at ``lead``."""
    return scaled(p, type(p[lead])(1) / p[lead])


def _rank(monomial: Monomial) -> tuple[int, Monomial]:
    return len(monomial), monomial

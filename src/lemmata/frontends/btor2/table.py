"""What the ids of a file stand for: sorts, terms, and lines that have no value.

A term that stands for ``-7`` is made when it is first wanted and kept under that number.
"""

from __future__ import annotations

from lemmata.errors import InputError
from lemmata.frontends.btor2.lines import MOST_ID_DIGITS, Btor2Line
from lemmata.frontends.btor2.operators import invert_word
from lemmata.frontends.btor2.sorts import bits_of, find_sort
from lemmata.frontends.files import shown
from lemmata.logic.build import truth
from lemmata.logic.sorts import BitVec, Sort
from lemmata.logic.terms import Term


class IdTable:
    """Looks ids up; an id that is not there, or not what it should be, is an ``InputError``."""

    def __init__(self) -> None:
        self.last = 0  # the highest id so far
        self.sorts: dict[int, Sort] = {}
        self.terms: dict[int, Term] = {}
        self.roles: dict[int, str] = {}  # of the lines that have no value

    def number(self, line: Btor2Line) -> int:
        """The id of a new line."""
        number = line.natural(0, "id")
        if number <= self.last:
            raise self._misnumbered(line, number)
        self.last = number
        return number

    def _misnumbered(self, line: Btor2Line, number: int) -> InputError:
        if number == 0:
            return line.fault(0, "0 is no id", "ids start at 1")
        if number in self.terms or number in self.roles:
            return line.fault(0, f"the id {number} is used twice", "each line needs an id of its own")
        return line.fault(0, f"the id {number} comes after {self.last}", "ids must increase from line to line")

    def sort(self, line: Btor2Line) -> Sort:
        """The sort in the third word."""
        if len(line.words) < 3:
            raise line.fault(2, "the line ends before its sort", "the file may be truncated")
        return find_sort(line, 2, self.sorts)

    def signed(self, line: Btor2Line, field: int) -> int:
        """An id, perhaps negated."""
        word = line.words[field]
        digits = word.removeprefix(b"-")
        if not digits.isdigit() or len(digits) > MOST_ID_DIGITS:
            raise line.fault(field, f"{shown(word)} is no id", "expected the id of an earlier line, perhaps negated")
        return int(word)

    def argument(self, line: Btor2Line, field: int) -> Term:
        """The term that an id refers to."""
        number = self.signed(line, field)
        found = self.terms.get(number)
        if found is not None:
            return found
        positive = self.terms.get(-number)
        if number > 0 or positive is None:
            raise self._undefined(line, field, abs(number))
        if not isinstance(positive.sort, BitVec):
            raise line.fault(field, f"{-number} is an array and cannot be negated")
        self.terms[number] = inverse = invert_word(positive)
        return inverse

    def _undefined(self, line: Btor2Line, field: int, number: int) -> InputError:
        role = self.roles.get(number)
        if role is not None:
            return line.fault(field, f"{number} is a line '{role}' and has no value")
        return line.fault(field, f"there is no {number} before this line", "a line may use earlier ids only")

    def condition(self, line: Btor2Line, field: int) -> Term:
        """The Boolean that an id of one bit refers to."""
        word = self.argument(line, field)
        if word.sort is not BitVec(1):
            raise line.fault(field, f"a condition has 1 bit, but this has {bits_of(word.sort)}")
        return truth(word)

    def word(self, line: Btor2Line) -> Term:
        """The term in the fourth word, which must not be an array."""
        word = self.argument(line, 3)
        if not isinstance(word.sort, BitVec):
            raise line.fault(3, f"this argument of '{line.words[1].decode()}' is an array, not a word")
        return word

"""SMT-LIB text in, terms out: Core, Ints, Reals, FixedSizeBitVectors, ArraysEx.

``TermReader`` makes terms directly of the words of a text, without a tree in between: a stack has one frame per open
parenthesis, with what happens when it closes and the arguments so far. A formula may therefore be as deep and as large as it
likes. ``let`` binds names in a table and puts back what they meant before. Annotations are collected as ``notes``.
A reader with a ``binder`` reads quantifiers: the binder says which variable stands for a bound name, and ``apply`` of
``FORALL`` or ``EXISTS`` to the body remains in the term.

Left out: strings, floating point, datatypes, recursive functions.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.errors import InputError
from lemmata.logic.smtlib.numerals import bits, indexed_word, numeral
from lemmata.logic.smtlib.operators import MOST_BITS, Args, Construct, Operator, as_sort, filled, indexed
from lemmata.logic.smtlib.scope import SymbolMeaning, SymbolScope
from lemmata.logic.smtlib.sexprs import TOKEN, Listing, Sexpr, SexprAtom, SexprText, Tokens, atom_of, spelled
from lemmata.logic.sorts import BOOL, Array, BitVec, Sort
from lemmata.logic.terms import SortError, Term, WrongSorts, make, var
from lemmata.values import dataclass

FORALL = ("|forall|", (BOOL,), BOOL)  # the data of ``apply``; no symbol of a file has bars in it
EXISTS = ("|exists|", (BOOL,), BOOL)
Binder = Callable[[str, Sort], Term]
_UNCLOSED = "this parenthesis is never closed"
_NO_TERM = ("this is not a term",)
_NO_BINDING = ("this is not a binding", "(NAME TERM) is")
_Frame = tuple[Callable[[Args], Term | None], int, list[Term]]  # what happens at the end, where it began, arguments


@dataclass(frozen=True, slots=True)
class Note:
    """``(! term key value)``; a keyword alone has no value."""

    term: Term
    key: str
    value: Sexpr | None
    at: int
    begin: int  # of the annotation
    end: int  # of the term


class TermReader:
    """Reads terms from ``tokens``; ``scope`` says what symbols mean, ``construct`` (make or build) makes the nodes."""

    def __init__(self, text: SexprText, construct: Construct = make, binder: Binder | None = None) -> None:
        self.text = text
        self.tokens = Tokens(text)
        self.scope = SymbolScope(text, construct)
        self.notes: list[Note] = []
        self._construct = construct
        self._indexed = indexed(construct)
        self._binder = binder
        self._binders = 0  # quantifiers around
        self._quantified_at = -1  # where the last quantifier began
        self._frames: list[_Frame] = []

    def term(self) -> Term:
        """The next term of the text."""
        frames, names, heads, tokens = self._frames, self.scope.names, self.scope.heads, self.tokens
        root: list[Term] = []
        frames.append((lambda args: None, -1, root))
        depth = len(frames)
        matches = tokens.matches
        for match in matches:
            word = match[0]
            if word == "(":
                at = match.start()
                head = next(matches, None)
                if head is None:
                    raise self.text.error(at, _UNCLOSED)
                apply = heads.get(head[0]) or self._special(tokens.checked(head), at, head.start())
                if apply is not None:
                    frames.append((apply, at, []))
            elif word == ")":
                self._close(match.start())
            else:
                term = names.get(word) or self._word(tokens.checked(match), match.start())
                if term is not None:
                    frames[-1][2].append(term)
            if root and len(frames) == depth:
                frames.pop()
                return root[0]
        raise self._unclosed()

    def formula(self) -> Term:
        """The next term, which must be Boolean."""
        at = self.tokens.ahead()
        formula = self.term()
        if formula.sort is not BOOL:
            raise self.text.error(at, f"a formula is wanted here, this is a {formula.sort}")
        return formula

    def _close(self, closed_at: int) -> None:
        close, at, args = self._frames.pop()
        if at < 0:
            raise self.text.error(closed_at, "a term is wanted before this parenthesis")
        if not args:
            raise self.text.error(at, *(_NO_BINDING if isinstance(close, _Let) else _NO_TERM))
        try:
            term = close(tuple(args))
        except WrongSorts:
            raise self.text.error(at, str(WrongSorts(self._head(at), args))) from None
        except SortError as error:
            raise self.text.error(at, str(error)) from None
        if term is not None:
            if type(term.sort) is BitVec and term.sort.width > MOST_BITS:
                raise self.text.error(at, f"{term.width} bits are too many")
            self._frames[-1][2].append(term)

    def _head(self, at: int) -> str:
        """The operator of an application, as the text has it."""
        words = (match[0] for match in TOKEN.finditer(self.text.text, at) if match[0][0] not in "(;")
        word = next(words)
        return next(words) if word in ("_", "as") else word

    def _take(self) -> tuple[str, int]:
        found = self.tokens.find()
        if found is None:
            raise self._unclosed()
        return found

    def _unclosed(self) -> InputError:
        at = self._frames[-1][1]
        return self.tokens.unclosed() if at < 0 else self.text.error(at, _UNCLOSED)

    # What is not an operator before arguments.

    def _special(self, word: str, at: int, head_at: int) -> Operator | None:
        """What happens with the arguments of ``(word …)``; ``None`` if that is arranged already."""
        if word[0] == ";":
            word, head_at = self._take()
        match word:
            case "let":
                self._let(at)
                return None
            case "!":
                return _only
            case "forall" | "exists" if self._binder is not None:
                self._quantified_at = at
                return self._quantifier(word, self._binder)
            case "_":
                self._frames[-1][2].append(self._word_literal(at))
                return None
            case "(":
                return self._operator(self.tokens.node_from(word, head_at))
            case ")":
                raise self.text.error(at, *_NO_TERM)
        name = spelled(word)
        if name in self.scope.heads:
            return self.scope.heads[name]
        cause = "takes no arguments" if name in self.scope.names else "is not an operator that is known here"
        remedy = "quantifiers are not supported here" if word in ("forall", "exists") else ""
        raise self.text.error(head_at, f"'{name[:40]}' {cause}", remedy)

    def _operator(self, head: Sexpr) -> Operator:
        """``(_ extract 7 0)`` and its like."""
        match head:
            case Listing((SexprAtom("_"), SexprAtom(name), *indices)) if name in self._indexed:
                want, give = self._indexed[name]
                if len(indices) == want and all(isinstance(i, SexprAtom) for i in indices):
                    return give(*[self.scope.number(i) for i in indices if isinstance(i, SexprAtom)])
            case Listing((SexprAtom("as"), SexprAtom("const"), sort)):
                if isinstance(array := self.scope.sort(sort), Array):
                    return filled(self._construct, array)
                raise self.text.error(sort.at, "the sort of an array is wanted here")
        raise self.text.error(head.at, "this is not an operator that is known here")

    # Binding.

    def _let(self, at: int) -> None:
        word, word_at = self._take()
        if word != "(":
            raise self.text.error(word_at, "bindings are wanted here", "(let ((NAME TERM) …) TERM)")
        let = _Let(self)
        self._frames.append((let.leave, at, []))
        self._next_binding(let)

    def _next_binding(self, let: _Let) -> None:
        word, at = self._take()
        if word == ")":
            if not let.names:
                raise self.text.error(at, "'let' binds at least one name", "(let ((NAME TERM) …) TERM)")
            let.before = self.scope.bind(let.names, let.values)
            return
        name, name_at = self._take() if word == "(" else (")", at)
        if name in ("(", ")"):
            raise self.text.error(at, *_NO_BINDING)
        atom = atom_of(name, name_at)
        if self.scope.checked(atom) in let.names:
            raise self.text.error(name_at, f"{atom.text[:40]} is bound twice here")
        let.names.append(atom.text)
        self._frames.append((let, at, []))

    def _quantifier(self, word: str, binder: Binder) -> Operator:
        variables = self.tokens.node_from(*self._take())
        bound = self.scope.parameters(variables)
        if not bound:
            raise self.text.error(variables.at, f"'{word}' binds at least one variable")
        names = [self.scope.checked(name) for name, _ in bound]
        before = self.scope.bind(names, [binder(name.name, sort) for name, sort in bound])
        self._binders += 1

        def leave(args: Args) -> Term:
            self.scope.restore(names, before)
            self._binders -= 1
            return self._construct("apply", (_only(args),), FORALL if word == "forall" else EXISTS)

        return leave

    def definition(self, name: str, has_parameters: bool = True) -> tuple[tuple[Term, ...], Term]:
        """``((x Int) …) SORT BODY``, as it follows the name of a function: the parameters and the body.

        The parameters are variables that no text can name.
        """
        bound = self.scope.parameters(self.tokens.node()) if has_parameters else []
        sort = self.scope.sort(self.tokens.node())
        names = [self.scope.checked(parameter) for parameter, _ in bound]
        parameters = tuple([var(f"{name}|{parameter.name}", s) for parameter, s in bound])
        before = self.scope.bind(names, parameters)
        self._binders += bool(bound)
        at = self.tokens.ahead()
        body = as_sort(self._construct, self.term(), sort)
        self._binders -= bool(bound)
        self.scope.restore(names, before)
        if body.sort is not sort:
            raise self.text.error(at, f"this is a {body.sort}, another sort is announced: {sort}")
        return parameters, body

    # Words that no table has: literals, quoted names, comments, attributes.

    def _word(self, word: str, at: int) -> Term | None:
        first = word[0]
        if first == ";":
            return None
        if first == ":":
            return self._attributes(word, at)
        if first == "#":
            return self.scope.literals.get(word) or bits(self.scope, SexprAtom(word, at))
        if first in "0123456789":
            return self.scope.literals.get(word) or numeral(self.scope, SexprAtom(word, at))
        return self.scope.lookup(atom_of(word, at))

    def _word_literal(self, at: int) -> Term:
        """``(_ bv5 8)``, after the ``_``."""
        outer, self.tokens.open_at = self.tokens.open_at, at
        term = indexed_word(self.scope, Listing(self.tokens.rest(), at))
        self.tokens.open_at = outer
        return term

    def _attributes(self, key: str, at: int) -> Term:
        """The rest of ``(! term :key value …)``, with its parenthesis."""
        close, begin, args = self._frames[-1]
        if close != _only or len(args) != 1:
            raise self.text.error(at, f"the keyword '{key[:40]}' is out of place", "(! TERM :KEY VALUE) is an annotation")
        word, word_at, end = key, at, at
        while word != ")":
            if word[0] != ":":
                raise self.text.error(word_at, "a keyword is wanted here")
            key, at = word, word_at
            word, word_at = self._take()
            value = None
            if word != ")" and word[0] != ":":
                value = self.tokens.node_from(word, word_at)
                word, word_at = self._take()
            self._note(Note(args[0], key, value, at, begin, end))
        self._frames.pop()
        return args[0]

    def _note(self, note: Note) -> None:
        """Keep a note; what it names has this name from now on.

        A name outlives the command. A term with a quantifier in it, or around it, does not: its variables are those of the
        command, so nobody may use the name.
        """
        self.notes.append(note)
        if note.key != ":named":
            return
        if not isinstance(note.value, SexprAtom):
            raise self.text.error(note.at, "a name is wanted after ':named'")
        if self._binders or self._quantified_at > note.begin:
            self.scope.check_new(note.value)
            self.scope.nameless.add(note.value.text)
        else:
            self.scope.define(note.value, note.term)


class _Let:
    """All values first, then the names mean them, then the body, then the names mean what they meant before."""

    __slots__ = ("_reader", "before", "names", "values")

    def __init__(self, reader: TermReader) -> None:
        self._reader = reader
        self.names: list[str] = []
        self.values: list[Term] = []
        self.before: list[SymbolMeaning] = []

    def __call__(self, args: Args) -> None:
        """A binding ends."""
        self.values.append(_only(args))
        self._reader._next_binding(self)

    def leave(self, args: Args) -> Term:
        """The body ends."""
        self._reader.scope.restore(self.names, self.before)
        return _only(args)


def _only(args: Args) -> Term:
    if len(args) != 1:
        raise SortError("one term is wanted here, not more")
    return args[0]

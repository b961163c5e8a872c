"""Our own solver for words: ``logic.blast`` over ``Circuit``, as clauses in an incremental SAT solver.

For thousands of small questions about one design, which is what PDR asks, the overhead of a general SMT solver is most of the
time. Here a term becomes a literal once; from then on a question is a list of literals. Only the cones that somebody asked
about become clauses. A scope is an activation literal: what is added in it holds while the literal is assumed, and popping
makes the literal false for ever. What is added becomes clauses without a variable of its own: conjunctions are split,
disjunctions are one clause, equations of bits are two.

A gate is defined in both directions, so an assumption and its negation are two literals of one variable, and values can be read
off every gate. Left out: arrays (they would have to be expanded), word-level simplification (``logic.build`` does that), and
forgetting of cones that are not asked about any more: who asks for ever opens a new solver now and then.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.errors import GaveUp
from lemmata.logic.blast import Blaster, CannotBlast
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, Value
from lemmata.solvers.circuit import Circuit
from lemmata.solvers.limited import Cadical, Core, Limited, Minisat, SatModel
from lemmata.solvers.smt import Inexpressible, Sat, Unsat
from lemmata.work import CLAUSE, GIVEN, tally

SAT_SOLVERS: dict[str, type[Limited]] = {"minisat22": Minisat, "cadical195": Cadical}
_TRUE = 1  # this variable of the SAT solver is true


class WordEncoder:
    """The gates of terms; solvers that share one blast each term once."""

    def __init__(self) -> None:
        self.circuit = Circuit()
        self._blaster = Blaster(self.circuit, self._leaves)

    def _leaves(self, variable: Term) -> list[int]:
        return [self.circuit.leaf() for _ in range(1 if variable.sort is BOOL else variable.width)]

    def bits(self, term: Term) -> tuple[int, ...]:
        """The gates of a Boolean or a word, least significant bit first."""
        try:
            return self._blaster.bits(term)
        except CannotBlast as error:
            raise Inexpressible("blast", f"bits for '{error.term.op}' of sort {error.term.sort}") from error


class Blast:
    """One solver for Booleans and words (``smt.Smt``)."""

    name = "blast"

    def __init__(self, logic: str = "", *, sat: str = "minisat22", words: WordEncoder | None = None) -> None:
        """``words`` of another solver may be shared; ``sat`` is one of ``SAT_SOLVERS``."""
        self.words = words or WordEncoder()
        self._circuit = self.words.circuit
        self._sat = SAT_SOLVERS[sat]()
        self._sat.add([_TRUE])
        self._last = _TRUE
        self._variables = {0: -_TRUE}  # of the SAT solver, by that of the circuit
        self._lits: dict[Term, int] = {}
        self._words: dict[Term, list[int]] = {}
        self._scopes: list[int] = []  # activation literals

    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""
        stack = [self.words.bits(formula)[0]]
        while stack:
            lit = stack.pop()
            read = self._circuit.inputs(lit)
            if read is not None and lit >> 1 not in self._variables:
                stack += read
            else:
                for clause in self._clauses(lit):
                    self._sat.add([*[self._literal(x) for x in clause], *[-act for act in self._scopes[-1:]]])

    def _clauses(self, lit: int) -> list[list[int]]:
        """What a literal says that is no conjunction, as clauses over other literals of the circuit."""
        if lit >> 1 in self._variables or not self._circuit.inputs(lit ^ 1):
            return [[lit]]
        shape, reads = self._circuit.shape(lit >> 1)
        if shape == "and":
            return [[read ^ 1 for read in reads]]
        a, b, *rest = reads
        if shape == "xor":
            return [[a, b ^ 1], [a ^ 1, b]]
        c = rest[0]
        return [[a, b], [a, c], [b, c]] if shape == "majority" else [[a ^ 1, b], [a, c]]

    def push(self) -> None:
        """Open a scope."""
        self._scopes.append(self._fresh())

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        self._sat.add([-self._scopes.pop()])

    def check(
        self,
        assumptions: Sequence[Term] = (),
        wanted: Sequence[Term] = (),
        until: float | None = None,
        effort: int | None = None,
    ) -> Sat | Unsat:
        """Is everything added, with the assumptions (any Boolean terms), satisfiable? ``until`` is on the work clock.

        With ``effort`` (propagations) a question that needs more ends in ``GaveUp("effort")``, in every run the same way.
        """
        known = self._lits
        tally[GIVEN] += len(assumptions) + len(wanted)
        lits = [known.get(term) or self._assumption(term) for term in assumptions]
        words = [self._words.get(term) or self._word(term) for term in wanted]
        if effort is None:
            answer: SatModel | Core | None = self._sat.solve(self._scopes + lits, until)
        else:
            answer = self._sat.attempt(self._scopes + lits, effort, until)
        if answer is None:
            raise GaveUp("effort")
        if isinstance(answer, SatModel):
            return Sat(self._values(answer.values, wanted, words) if words else {})
        failed, core = set(answer.failed), dict[int, Term]()
        for lit, term in zip(lits, assumptions, strict=True):
            if lit in failed:
                core.setdefault(lit, term)
        return Unsat(tuple(core.values()))

    def _values(self, model: list[int], wanted: Sequence[Term], words: list[list[int]]) -> dict[Term, Value]:
        """Read words off a model, whose entry v-1 is +v or -v; variables that the solver has never seen are false."""
        model += range(-len(model) - 1, -self._last - 1, -1)
        values: dict[Term, Value] = {}
        for term, word in zip(wanted, words, strict=True):
            value = 0
            for lit in word:  # most significant first
                value += value + (model[lit - 1] > 0 if lit > 0 else model[-lit - 1] < 0)
            values[term] = value if term.sort is not BOOL else value > 0
        return values

    def _assumption(self, term: Term) -> int:
        (lit,) = self.words.bits(term)
        found = self._lits[term] = self._literal(lit)
        return found

    def _word(self, term: Term) -> list[int]:
        found = self._words[term] = [self._literal(lit) for lit in reversed(self.words.bits(term))]
        return found

    # Clauses.

    def _fresh(self) -> int:
        self._last += 1
        return self._last

    def _literal(self, lit: int) -> int:
        """The literal of the SAT solver; the cone below it gets clauses where it has none."""
        found = self._variables.get(lit >> 1)
        if found is None:
            found = self._load(lit >> 1)
        return -found if lit & 1 else found

    def _load(self, root: int) -> int:
        """Number the cone below ``root`` and give its gates clauses."""
        variables, circuit = self._variables, self._circuit
        gates: list[tuple[int, str, tuple[int, ...]]] = []
        stack = [root]
        while stack:
            variable = stack.pop()
            if variable in variables:
                continue
            variables[variable] = self._last = gate = self._last + 1
            if circuit.inputs(2 * variable) is not None:
                shape, reads = circuit.shape(variable)
                gates.append((gate, shape, reads))
                stack += [read >> 1 for read in reads]
        for gate, shape, reads in reversed(gates):
            self._define(gate, shape, [-variables[read >> 1] if read & 1 else variables[read >> 1] for read in reads])
        return variables[root]

    def _define(self, gate: int, shape: str, reads: list[int]) -> None:
        """The clauses that make ``gate`` equal to what it stands for."""
        add = self._sat.add
        tally[CLAUSE] += 4
        if shape == "and":
            for x in reads:
                add([-gate, x])
            add([gate, *[-x for x in reads]])
            return
        if shape == "xor":
            a, b = reads
            for clause in ([-gate, a, b], [-gate, -a, -b], [gate, -a, b], [gate, a, -b]):
                add(clause)
            return
        a, b, c = reads
        other = a if shape == "majority" else -a  # the third clause of a choice is redundant, but propagates more
        for x, y in ((a, b), (other, c), (b, c)):
            add([-x, -y, -gate])
        for x, y in ((other, b), (a, c), (b, c)):
            add([x, y, gate])

"""Budgets: where effort ends. One number a line, with its unit in its name.

``_S`` are nominal seconds on the work clock (``lemmata.work``), so a budget is the same amount of work on every machine, loaded
or not, unless the comment names another clock, as those of nets under solvers do that cannot count all their work: of the
processor (``YICES_*``) or of the wall (``Z3_WATCH_S``, ``CVC5_GUARD_*``). The others count questions, propagations, conflicts,
nodes. What is here decides how long something goes on, or from which size on it is not begun. What is not here says what a
result looks like (the widest clause, the largest coefficient, the degree of a polynomial, how many members of a family are
kept): that belongs to the algorithm and is written there.
"""

# Turns: how a worker shares its work out.

FIRST_SLICE_S = 2.0  # work on a property before the next one has its turn; doubled in each round
LEAST_SLICE_S = 0.05  # work that a turn has at least, where a time limit leaves less to each property
FIRST_TURN_S = 0.5  # work of which each engine of a worker has its share at first
FIRST_TURN_ON_BITS_S = 0.25  # on bits, where an interrupted engine goes on as if nothing had happened
JOINT_FIRST_S = 2.0  # work on the question to all properties of a graph, before they are asked one by one
JOINT_EACH_S = 0.5  # more of it for each property: what it takes to prepare the question to it alone
JOINT_PROPERTIES = 8  # of a circuit, from which on they are asked together
JOINT_LOOK_S = 0.5  # work on all properties of a circuit at once, by simulation and shallow BMC, before groups are proved,
JOINT_LOOK_EACH_S = 0.001  # and more for each property
JOINT_GROUP_S = 5.0  # work on a group of properties of a circuit,
JOINT_MEMBER_S = 1.0  # and more for each of them, before they are asked one by one
PULSE_S = 0.2  # work between two signs of life of an engine

# Circuits.

CORRESPONDENCE_S = 3.0  # for finding equal latches; what is not proved by then proves nothing
CORRESPONDENCE_GATES = 60_000  # gates from which on simulation and rounds take longer than they save
ELIMINATION_S = 3.0  # for eliminating gates in the clauses of the transition relation
ELIMINATION_GATES = 60_000  # gates from which on elimination costs more than it brings
PDR_FIRST_LOOK_S = 0.3  # for PDR on the circuit as it was read, before it is reduced, for all properties together,
PDR_FIRST_LOOK_S_PER_GATE = 15e-6  # and more, the longer it takes to reduce it
PDR_FIRST_LOOK_GATES = 500_000  # above which it would need much memory, and its per-gate work is long
FIRST_LOOK_STEPS = 32  # of BMC and random runs, before a circuit is reduced,
FIRST_LOOK_GATES_PER_GATE = 3  # gates that are looked at for each gate of the circuit, for all properties together,
FIRST_LOOK_PROPAGATIONS = 1_000_000  # for a question: what needs more is none for a first look,
FIRST_LOOK_PROPAGATIONS_PER_VARIABLE = 10  # or so many, on large unrollings
JOINT_LOOK_STEPS = 64  # of random runs, for all properties at once,
JOINT_BMC_STEPS = 16  # and of bounded model checking, before proofs are tried
BMC_EASY_PROPAGATIONS = 10_000_000  # that MiniSat may make for a bound before CaDiCaL is asked
BMC_EASY_PROPAGATIONS_PER_NODE = 20  # and more on large unrollings, which CaDiCaL would have to load again
KINDUCTION_CHEAP_PROPAGATIONS = 2_000_000  # for a step without simple paths, before they are asked for

# SAT solvers, which work in slices.

FIRST_SLICE_CONFLICTS = 300  # as long as nobody knows what a conflict costs
LEAST_SLICE_CONFLICTS = 50  # of a slice, however little is left
CHECKER_SLICE_CONFLICTS = 1000  # of a certificate's solver between two looks at the work clock

# SMT solvers.

YICES_GUARD_S = 0.3  # of the processor that a search of Yices may go on past its limit; it counts nothing itself
YICES_LONG_S = 0.125  # of the processor, from which on a search of Yices costs more than the estimate, in steps of four
Z3_WATCH_S = 10.0  # of the wall clock before the user's deadline, in which Z3 looks at it: a watch costs as much as a question
CVC5_GUARD_FACTOR = 3.0  # times what is left until its limit, a question to cvc5 may take, in seconds of the wall clock,
CVC5_GUARD_S = 2.0  # and so many more: its resources hardly count where integers are hard, so this is a net
SUPPORT_QUESTION_S = 5.0  # for a question about which facts a step needs

# Words.

RANDOM_RUNS = 4  # side by side, before a large system has bits
RANDOM_RUN_STEPS = 6  # of each
WORD_QUICK_PROPAGATIONS = 400_000  # of MiniSat for a question
WORD_THOROUGH_PROPAGATIONS = 3_000_000  # of CaDiCaL for a question on which much depends
WORD_QUESTION_S = 0.3  # of other solvers for a question; ten times as much where much depends on it
KINDUCTION_SECOND_LOOK_S = 2.0  # for the second solver, asked about a step that the first did not settle

# Graphs: transforms.

GUARD_INVARIANTS_S = 10.0  # for all of them; a net, the numbers of questions decide
GUARD_INVARIANTS_QUESTION_S = 1.0  # for one question: what takes longer is not worth it
GUARD_INVARIANTS_QUERIES = 200  # after which what is not known to hold is dropped
GUARD_INVARIANTS_CONJUNCTS = 400  # conjuncts of a location that are looked at
CONTROL_S = 30.0  # for state machines as locations; a net, the numbers of places and edges decide
CONTROL_PLACES = 256  # combinations of values that become locations
CLAIM_S = 30.0  # for the claim of a location that was left out; a net, since cubes are counted
SHORTER_CLAIM_S = 2.0  # for a shorter claim, where a long one is known
CLAIM_CUBES = 300  # that a claim may be put together of
BITBLAST_CASES = 500_000  # edges times variables, above which a graph becomes no circuit
INTERVAL_NODES = 400_000  # nodes of terms that interval analysis evaluates in all
FIXED_EVALUATIONS = 30  # of an edge after which its target is given up
SIMPLIFY_ROUNDS = 6  # through all transforms, as long as one of them changes something

# Graphs: engines.

OPTIONAL_QUESTION_S = 0.4  # for a question that is not essential
HARD_QUESTION_S = 1.5  # after which an essential question goes to another solver
WALK_ATTEMPTS = 2500  # steps that the walk tries when a level opens
WALK_QUERIES = 20  # that it may ask
WALK_QUESTION_S = 0.05  # for one of them
WALK_IDLE_ROUNDS = 4  # that meet nothing new, before it is given up
WALK_GUESSES = 4  # for the inputs of an edge
HALFSPACE_QUERIES = 3  # about one form, while nothing new holds for ever
HOUDINI_CLAUSES = 80  # that are tried together, in variants,
HOUDINI_CUBES = 10_000  # of which there are at most so many, at all locations together
ABSTRACT_QUESTION_S = 3.0  # for a question about a step; without an answer anything may happen
ALGEBRA_VISITS = 60  # per way, of polynomial equations
SYMBOLIC_QUESTION_S = 0.3  # for a question; what is not answered by then is possible, or not contained
SYMBOLIC_STATES = 1000  # after which symbolic execution gives up
SYMBOLIC_EXPLAINED_STATES = 300  # up to which it is asked what matters of each
TREE_NODES = 3000  # of a derivation tree beyond which BMC gives up
SIMULATE_QUERIES = 40  # states per walk at which a solver may be asked
SIMULATE_WALKS = 8  # of one length, before they become longer
ACCELERATE_LAPS = 600  # laps that are made in search of cycles

# Trace abstraction.

TRACE_QUESTION_S = 10.0  # after which a question will not be answered at all
CORE_QUERIES = 40  # formulas that are tried out one by one to make a core smaller
TRACE_PROOF_S = 3.0  # for one way to find a proof of a trace
TRACE_HOUDINI_S = 1.0  # for equations and remainders
TRACE_WALK_S = 0.2  # for the first walk through a path program; doubled each time
PATH_PROGRAM_S = 5.0  # for PDR on a path program that is met for the first time; doubled each time
HOARE_TRIPLE_S = 0.5  # for the question whether a triple is valid

# Evidence.

MINIMIZING_SHARE = 0.1  # of the work that a proof took may go into making it smaller,
MINIMIZING_LEAST_S = 0.5  # but at least so much
MINIMIZING_CLOSING = 4  # times as much for what is not needed at all, and so need not be checked either
CERTIFY_S = 10.0  # for a check of a proof, before other properties have their turn, or those that it proves are asked alone
CERTIFY_PATIENCE_S = 20.0  # for it, or as much as engines spent, before other engines look for another proof; then doubled
CERTIFY_TOGETHER_NODES = 1000  # of terms, up to which questions about edges are asked as one,
CERTIFY_TOGETHER_S = 0.3  # for which so much is enough, or each is asked alone
CERTIFY_FIRST_SLICE_S = 5.0  # for the first solver, before the next one is asked; doubled in each round
READING_LEAST_S = 2.0  # that the second reader may take,
READING_SHARE = 0.3  # and so much of the work that the engine took
READING_BYTES_PER_S = 1 << 20  # that the slowest of the readers gets through; none of them looks at the clock while it reads
READING_CORE_S = 0.3  # for a question to Z3's core, before its strategies are asked
READING_TOGETHER_BYTES = 20_000  # of clauses, up to which they are asked about as one
PROGRAM_RUNS = 1000  # of a program beside its proof
PROGRAM_IDLE_RUNS = 100  # in a row that show nothing new, after which there are no more
PROGRAM_RUNS_S = 0.3  # for all of them, once per program
PROGRAM_CLAIMS_S = 0.1  # for the claims of one proof at the states that they met
PROGRAM_REPLAY_S = 5.0  # for one trace
REPLAY_EDGES = 20_000  # of a stretch that are executed one by one; a longer one must be shown by induction
WITNESS_S = 60.0  # for all entries of a witness, where nobody sets a limit
WITNESS_ROUNDS = 4  # after the last one, entries that are open are given up
WITNESS_ROUND_SHARE = 0.5  # of the work that is left may go into a round before the last
WITNESS_AGAIN_SHARE = 1.5  # of the work of a proof may another one take without an entry,
WITNESS_AGAIN_S = 0.2  # and so much more
REACHED_S = 1.0  # for states that are reached, as pictures of invariants show them
REACHED_QUERIES = 400  # for successors of states
REACHED_STATES = 400  # after which no more are looked for

# Yesterday's proofs.

REUSE_S = 10.0  # for the inductive part of old lemmas of a graph; a net, the numbers of questions decide
REUSE_QUESTION_S = 0.5  # for one question about them: what takes longer is dropped
REUSE_QUERIES = 2000  # after which what is not known to hold is dropped
REUSE_CANDIDATES = 200  # old lemmas that are tried at a location
REUSE_ENTRY_MB = 32  # of one entry of a store: what is larger is not kept
REUSE_STORE_MB = 512  # of a whole store, past which the oldest entries go

/* PDR's questions about one circuit; oracle.c tells how they are answered. */

#ifndef LEMMATA_ORACLE_H
#define LEMMATA_ORACLE_H

#include "solver.h"

enum { FOREVER = 1 << 30 /* the level of lemmas that hold for ever, INFINITY in oracle.py */ };

typedef struct {
    Lit *lits; /* a cube, sorted */
    int size;
    int32_t level; /* DELETED when a stronger one took its place */
    int handle;    /* of the clause; -1 for a unit */
    uint64_t signature;
    uint8_t *stop; /* a bit for each literal of the state that stopped its last push; NULL for none */
    int tried;     /* how much of the history that state has survived */
} Lemma;

typedef struct {
    int inputs, latches, gates;
    const Lit *lefts, *rights, *nexts, *resets, *constraints, *keeps; /* as in AIGER; keeps: what will be asked about */
    int constraint_count, keep_count;
    bool eliminate;
} Circuit;

typedef enum { LIFT_CORE, LIFT_TERNARY, LIFT_NONE } Lifting;

typedef struct {
    int first_latch, first_gate, variables; /* of the circuit */
    Solver solver;
    Lit *number;                    /* by variable of the circuit: the solver's positive literal, or constant */
    int32_t *reads_from, *reads;    /* by variable of the solver: what its definition mentions */
    Lit *next;                      /* by variable, of latches: the solver's literal */
    int8_t *start;                  /* by variable, of latches: 1 or -1 when the reset is a constant */
    VECTOR(int32_t) functions;      /* latches with reset functions, and what these are */
    Lits function_roots;
    Lits constraints;
    Lit bad;
    Lit *lefts, *rights;            /* the gates as they were given, for simulation: */
    Lit *given_next;                /* by variable, of latches, */
    Lits given_constraints;
    Lit given_bad;
    VECTOR(int32_t) cone;           /* the gates that a target reads, in their order, */
    uint32_t *reached, reach_stamp; /* by variable: is it in the cone? */
    uint8_t *sim, *needed_gate;     /* by variable: its value; does the target need it? */
    uint32_t *cost;                 /* by variable: about how many latches its value needs */
    Lits assumptions, extra;        /* of the query that is being built */
    VECTOR(int32_t) walk;
    uint8_t *marked;                /* by literal; clear between uses */
    VECTOR(Lemma) lemmas;
    int gone;                       /* how many of them are deleted */
    VECTOR(int32_t) history;        /* lemmas as they came or rose */
    VECTOR(int32_t) *having;        /* by latch literal: lemmas with it */
    VECTOR(int32_t) *home;          /* by latch literal: lemmas that are looked up here */
    double *score, score_step;      /* by variable: how often lemmas mention it */
    bool by_index;                  /* the order of literals is that of the file */
    bool is_relative;
    Lifting lifting;
    Lits core;                      /* answers: the core of an unsatisfiable query as a cube, */
    Lits state, inputs;             /* the latches and inputs of a model, */
    Lits cti;                       /* a lifted predecessor, */
    VECTOR(Lit *) learnt;           /* and lemmas that were learnt on the way: size, level, literals */
    uint32_t *needed[3], needed_stamp[3];
} Oracle;

void oracle_init(Oracle *o, const Circuit *c);
void oracle_free(Oracle *o);
void oracle_ask(Oracle *o, Lit bad);

/* Answers are SATISFIABLE, UNSATISFIABLE or INTERRUPTED. */
int oracle_initial(Oracle *o, const Lit *cube, int size);
int oracle_bad(Oracle *o, int32_t level);
int oracle_relative(Oracle *o, const Lit *cube, int size, int32_t level, bool is_relative, bool lift);
void oracle_away(Oracle *o, const Lit *cube, int size); /* add to the core what keeps it away from the initial states */
int oracle_pushes(Oracle *o, const Lit *cube, int size, int32_t level);
bool oracle_may_push(Oracle *o, const Lit *cube, int size, int32_t level); /* has its stopping state been excluded? */
void oracle_block(Oracle *o, const Lit *cube, int size, int32_t level);
bool oracle_blocks(Oracle *o, const Lit *cube, int size, int32_t level);

typedef struct {
    int32_t level, frontier;
    int depth, most; /* of counterexamples to generalization; depth 0: only drop literals */
} Effort;

/* Drop literals of the cube, in place, while it stays inductive relative to the level: the new size. */
int oracle_generalize(Oracle *o, Lit *cube, int size, Effort effort);

#endif

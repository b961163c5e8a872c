/* A small incremental SAT solver made for IC3; solver.c tells how it works. */

#ifndef LEMMATA_SOLVER_H
#define LEMMATA_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef int32_t Lit; /* 2 * variable, or 2 * variable + 1 when negated; variable 0 is false */

/* The tag of a clause says in which queries it holds: those whose level is at most the tag. */
enum { ALWAYS = INT32_MAX, TEMPORARY = -1, DELETED = INT32_MIN };

enum { UNSATISFIABLE = 0, SATISFIABLE = 1, INTERRUPTED = -1 };

void *grown(void *at, size_t size); /* realloc that does not come back empty-handed */

/* A growing array; PUSH(v, x) appends. */
#define VECTOR(type)                                                                                                             \
    struct {                                                                                                                     \
        type *at;                                                                                                                \
        int size, room;                                                                                                          \
    }
#define RESERVE(v, n)                                                                                                            \
    do {                                                                                                                         \
        if ((v).room < (n)) {                                                                                                    \
            (v).room = (n) + (n) / 2 + 4;                                                                                        \
            (v).at = grown((v).at, (size_t)(v).room * sizeof *(v).at);                                                           \
        }                                                                                                                        \
    } while (0)
#define PUSH(v, x)                                                                                                               \
    do {                                                                                                                         \
        if ((v).size == (v).room)                                                                                                \
            RESERVE(v, (v).size + 1);                                                                                            \
        (v).at[(v).size++] = (x);                                                                                                \
    } while (0)

typedef VECTOR(Lit) Lits;

typedef struct {
    uint32_t clause; /* position << 1; the last bit marks a clause of two literals that holds always */
    Lit blocker;     /* a literal of the clause: when it is true there is nothing to do */
    int32_t tag;     /* of the clause, so that those of other levels need not be looked at */
} Watch;

typedef VECTOR(Watch) Watches;

typedef struct {
    int variables, room;
    int8_t *value;     /* by literal: 1 true, -1 false, 0 open */
    int32_t *level;    /* by variable, of the decision; 0 = for ever, 1 = the facts of the query, then assumptions, then choices */
    uint32_t *reason;  /* by variable: the clause that implied it, 0 for none */
    int32_t *fact_tag; /* by variable, when its level is 1: the least tag that it depends on */
    int8_t *phase;     /* by variable: the value that it had last */
    double *activity;
    double bump;
    int32_t *heap, *heap_place; /* open variables of the domain by activity; the place is -1 outside */
    int heap_size;
    double recent;     /* variables with less activity are not in the heap: */
    int32_t *place;    /* by variable: where it is in the domain; */
    int waiting;       /* those before this place have a value */
    bool heap_is_ready;
    uint32_t *domain; /* by variable: equal to stamp inside the domain */
    uint32_t stamp;
    VECTOR(int32_t) inside; /* the variables of the domain */
    Lits trail;
    int head; /* how much of the trail is propagated */
    VECTOR(int) starts;
    uint8_t *seen;
    Watches *watches; /* by literal: clauses that watch it */
    uint32_t *memory; /* clauses: size, tag, notes, literals */
    uint32_t used, memory_room, wasted;
    VECTOR(uint32_t) learnt, brief; /* learnt clauses; those that go with the temporary clause */
    VECTOR(uint32_t) handles;       /* clauses that somebody outside knows */
    int32_t *unit_tag;              /* by literal: the tag of the unit clause, DELETED for none */
    Lits units, first_units;        /* with tags from 1 on, with tag 0 */
    Lits lasting; /* units that hold always, found in this query */
    int32_t empty_tag;
    int32_t query; /* the level of the query */
    int learnt_limit;
    Lits core;      /* the assumptions that failed */
    Lits clause;    /* the clause that is being learnt */
    Lits unmarked;  /* variables whose seen bit must be cleared */
    Lits stack;
    uint32_t *counted, count_stamp; /* by level: which ones a clause has */
    int count_room;
    bool is_limited, is_late;
    uint64_t propagations, conflicts, decisions, queries, last; /* the last propagation that may be made */
} Solver;

void solver_init(Solver *s);
void solver_free(Solver *s);
void solver_variables(Solver *s, int variables); /* make room for variables below this number */

/* Add a clause for the queries up to the level `tag`; a handle, or -1 if the clause is a unit or holds anyway. */
int solver_add(Solver *s, const Lit *lits, int size, int32_t tag);
void solver_remove(Solver *s, int handle);
void solver_retag(Solver *s, int handle, int32_t tag); /* upwards */

void solver_domain(Solver *s);                       /* an empty domain */
static inline bool solver_include(Solver *s, int variable); /* did it come new into the domain? */
void solver_same_domain(Solver *s); /* after solver_finish: the domain of the last query, without what has a value for ever now */

/* Is there an assignment of the domain with all clauses inside it that hold at `level`, the clause `extra` (when
   extra_size > 0) and the assumptions? Values are in s->value, failed assumptions in s->core, until solver_finish. */
int solver_solve(Solver *s, const Lit *assumptions, int size, int32_t level, const Lit *extra, int extra_size);
void solver_finish(Solver *s);
void solver_limit(Solver *s, uint64_t propagations, bool is_limited); /* from now on; the same in every run */
bool solver_is_late(Solver *s);

static inline bool solver_include(Solver *s, int variable) {
    if (s->domain[variable] == s->stamp || s->value[2 * variable])
        return false; /* between queries, what has a value has it for ever */
    s->domain[variable] = s->stamp;
    PUSH(s->inside, variable);
    return true;
}

#endif

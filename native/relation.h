/* The transition relation as clauses that each gate owns; relation.c tells how. */

#ifndef LEMMATA_RELATION_H
#define LEMMATA_RELATION_H

#include "solver.h"

typedef struct {
    int size;
    Lit *lits; /* sorted */
} Clause;

typedef struct {
    VECTOR(Clause) clauses;
    VECTOR(int) readers; /* gates whose clauses mention this one; some may no longer do */
    bool is_gone;
} Gate;

typedef struct {
    int first_gate, gates;
    Gate *gate; /* by number, from 0 */
} Relation;

/* Gate g is lefts[g] ∧ rights[g], as in AIGER; `keep` marks the variables that must stay. */
void relation_init(Relation *r, int first_gate, int gates, const Lit *lefts, const Lit *rights, const uint8_t *keep,
                   bool eliminate);
void relation_free(Relation *r);

#endif

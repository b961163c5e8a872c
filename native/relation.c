/* The transition relation as clauses that each gate owns.

   A gate owns the clauses that define it (Tseitin 1968). A gate that nobody asks about directly is substituted into the gates
   that read it when that does not make more clauses (Eén and Biere 2005, restricted to definitions): resolving v ↔ f into a
   reader's clauses leaves a definition of the reader, so cones can still be followed gate by gate. What it finds are wide
   conjunctions, exclusive ors, choices. solvers/relation.py does the same for the path without this module. */

#include "relation.h"

#include <string.h>

enum { WIDTH = 12 /* literals of a clause */, READERS = 8, MANY = 32 };
enum { IRREDUNDANT = 24 /* clauses that are compared with each other */ };

static Clause copied(const Lit *lits, int size) {
    Clause c = {size, grown(NULL, (size_t)size * sizeof *lits)};
    memcpy(c.lits, lits, (size_t)size * sizeof *lits);
    return c;
}

static bool has(Clause c, Lit lit) {
    for (int i = 0; i < c.size; i++)
        if (c.lits[i] == lit)
            return true;
    return false;
}

static bool contains(Clause large, Clause small) { /* both are sorted */
    int i = 0, k = 0;
    while (k < small.size && i < large.size) {
        if (large.lits[i] == small.lits[k])
            k++;
        i++;
    }
    return k == small.size;
}

static void define(Relation *r, int g, Lit left, Lit right) {
    Gate *gate = &r->gate[g];
    Lit v = 2 * (r->first_gate + g);
    if (left > right) {
        Lit other = left;
        left = right;
        right = other;
    }
    if (left == 0 || (left ^ right) == 1) { /* false */
        Lit unit[] = {v + 1};
        PUSH(gate->clauses, copied(unit, 1));
        return;
    }
    if (left == 1 || left == right) { /* the other one; fan-ins come before the gate, so clauses are sorted */
        Lit forth[] = {right, v + 1}, back[] = {right ^ 1, v};
        PUSH(gate->clauses, copied(forth, 2));
        PUSH(gate->clauses, copied(back, 2));
        return;
    }
    Lit a[] = {left, v + 1}, b[] = {right, v + 1}, c[] = {left ^ 1, right ^ 1, v};
    PUSH(gate->clauses, copied(a, 2));
    PUSH(gate->clauses, copied(b, 2));
    PUSH(gate->clauses, copied(c, 3));
}

static void note_reader(Relation *r, int variable, int reader) {
    if (variable < r->first_gate)
        return;
    Gate *read = &r->gate[variable - r->first_gate];
    if (read->readers.size > MANY)
        return; /* it will never be eliminated */
    for (int i = 0; i < read->readers.size; i++)
        if (read->readers.at[i] == reader)
            return;
    PUSH(read->readers, reader);
}

static int count_readers(Relation *r, Gate *gate) { /* those that are still there */
    if (gate->readers.size > MANY)
        return MANY;
    int kept = 0;
    for (int i = 0; i < gate->readers.size; i++)
        if (!r->gate[gate->readers.at[i]].is_gone)
            gate->readers.at[kept++] = gate->readers.at[i];
    return gate->readers.size = kept;
}

/* The resolvent of two sorted clauses on `pivot`: its size, 0 for a tautology, -1 if it is too wide. */
static int resolve(Clause with, Clause without, Lit pivot, Lit *out) {
    int i = 0, k = 0, n = 0;
    while (i < with.size || k < without.size) {
        Lit a = i < with.size ? with.lits[i] : INT32_MAX, b = k < without.size ? without.lits[k] : INT32_MAX;
        Lit next = a < b ? a : b;
        i += a == next;
        k += b == next;
        if (next >> 1 == pivot >> 1)
            continue;
        if (n > 0 && out[n - 1] == (next ^ 1))
            return 0;
        if (n == WIDTH)
            return -1;
        out[n++] = next;
    }
    return n;
}

typedef VECTOR(Clause) Clauses;

/* The clauses of a reader with v resolved away: those that were not touched, and the new ones. False: too many or too wide. */
static bool substitute_into(const Gate *reader, const Gate *gate, Lit v, int *allowance, Clauses *kept, Clauses *fresh) {
    int touched = 0;
    for (int i = 0; i < reader->clauses.size; i++) {
        Clause clause = reader->clauses.at[i];
        Lit pivot = has(clause, v) ? v : has(clause, v ^ 1) ? v ^ 1 : -1;
        if (pivot < 0) {
            PUSH(*kept, clause);
            continue;
        }
        touched++;
        for (int k = 0; k < gate->clauses.size; k++) {
            if (!has(gate->clauses.at[k], pivot ^ 1))
                continue;
            Lit out[WIDTH];
            int n = resolve(clause, gate->clauses.at[k], pivot, out);
            if (n < 0)
                return false;
            Clause made = {n, out};
            bool is_known = n == 0;
            for (int j = 0; j < fresh->size && !is_known; j++)
                is_known = fresh->at[j].size == n && contains(made, fresh->at[j]);
            if (is_known)
                continue;
            if (fresh->size > *allowance + reader->clauses.size)
                return false;
            PUSH(*fresh, copied(out, n));
        }
    }
    *allowance += touched - fresh->size;
    return *allowance >= 0;
}

static void drop_subsumed(Clauses *fresh, const Clauses *kept) {
    if (fresh->size > IRREDUNDANT)
        return;
    int left = 0;
    for (int i = 0; i < fresh->size; i++) {
        Clause clause = fresh->at[i];
        bool is_subsumed = false;
        for (int k = 0; k < fresh->size && !is_subsumed; k++)
            is_subsumed = fresh->at[k].lits != NULL && fresh->at[k].size < clause.size && contains(clause, fresh->at[k]);
        for (int k = 0; k < kept->size && !is_subsumed; k++)
            is_subsumed = kept->at[k].size < clause.size && contains(clause, kept->at[k]);
        if (is_subsumed) {
            free(clause.lits);
            fresh->at[i].lits = NULL;
        }
    }
    for (int i = 0; i < fresh->size; i++)
        if (fresh->at[i].lits != NULL)
            fresh->at[left++] = fresh->at[i];
    fresh->size = left;
}

static void release(Clauses *clauses) {
    for (int i = 0; i < clauses->size; i++)
        free(clauses->at[i].lits);
    free(clauses->at);
}

/* Replace gate g in every reader by its definition, unless the clauses become more or too wide. */
static void substitute(Relation *r, int g) {
    Gate *gate = &r->gate[g];
    Lit v = 2 * (r->first_gate + g);
    int count = gate->readers.size, allowance = gate->clauses.size;
    Clauses kept[READERS] = {{0}}, fresh[READERS] = {{0}};
    bool fits = true;
    for (int i = 0; i < count && fits; i++) {
        const Gate *reader = &r->gate[gate->readers.at[i]];
        if (!reader->is_gone)
            fits = substitute_into(reader, gate, v, &allowance, &kept[i], &fresh[i]);
    }
    for (int i = 0; i < count; i++) {
        Gate *reader = &r->gate[gate->readers.at[i]];
        bool is_touched = !reader->is_gone && kept[i].size < reader->clauses.size;
        if (!fits || !is_touched) {
            release(&fresh[i]);
            free(kept[i].at);
            continue;
        }
        drop_subsumed(&fresh[i], &kept[i]);
        for (int k = 0; k < reader->clauses.size; k++)
            if (has(reader->clauses.at[k], v) || has(reader->clauses.at[k], v ^ 1))
                free(reader->clauses.at[k].lits);
        reader->clauses.size = 0;
        for (int k = 0; k < kept[i].size; k++)
            PUSH(reader->clauses, kept[i].at[k]);
        for (int k = 0; k < fresh[i].size; k++) {
            PUSH(reader->clauses, fresh[i].at[k]);
            for (int j = 0; j < fresh[i].at[k].size; j++)
                if (fresh[i].at[k].lits[j] >> 1 != r->first_gate + gate->readers.at[i])
                    note_reader(r, fresh[i].at[k].lits[j] >> 1, gate->readers.at[i]);
        }
        free(kept[i].at);
        free(fresh[i].at);
    }
    if (fits) {
        for (int i = 0; i < gate->clauses.size; i++)
            free(gate->clauses.at[i].lits);
        gate->clauses.size = 0;
        gate->is_gone = true;
    }
}

/* Gates with few readers first. */
static void eliminate_gates(Relation *r, const uint8_t *keep) {
    for (int most = 0; most <= READERS; most++)
        for (int g = 0; g < r->gates; g++) {
            Gate *gate = &r->gate[g];
            if (!gate->is_gone && !keep[r->first_gate + g] && count_readers(r, gate) == most)
                substitute(r, g);
        }
}

void relation_init(Relation *r, int first_gate, int gates, const Lit *lefts, const Lit *rights, const uint8_t *keep,
                   bool eliminate) {
    r->first_gate = first_gate;
    r->gates = gates;
    r->gate = grown(NULL, (size_t)(gates + 1) * sizeof *r->gate);
    memset(r->gate, 0, (size_t)(gates + 1) * sizeof *r->gate);
    for (int g = 0; g < gates; g++) {
        define(r, g, lefts[g], rights[g]);
        if (eliminate) {
            note_reader(r, lefts[g] >> 1, g);
            note_reader(r, rights[g] >> 1, g);
        }
    }
    if (eliminate)
        eliminate_gates(r, keep);
}

void relation_free(Relation *r) {
    for (int g = 0; g < r->gates; g++) {
        for (int i = 0; i < r->gate[g].clauses.size; i++)
            free(r->gate[g].clauses.at[i].lits);
        free(r->gate[g].clauses.at);
        free(r->gate[g].readers.at);
    }
    free(r->gate);
}

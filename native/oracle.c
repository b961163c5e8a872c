/* PDR's questions about one circuit, each answered by one call.

   Variables are the circuit's own for inputs and latches; gates that elimination left over are numbered after them. A primed
   literal is no variable: cube′ is assumed through the next-state functions. The domain of a query is the cone of its
   assumptions and of the constraint, with the latches of the temporary clause. Lemmas bind only inside the domain: a query
   may be satisfiable though F_level says no by lemmas that reach outside. The predecessor that it gives still steps into the
   cube, so traces stay true; and a lemma against it lies inside the domain, so the same answer does not come back. Pushes are
   asked again outside.

   Levels of queries and tags of clauses: the relation holds always; the constraint and the lemmas of F_∞ up to FOREVER;
   lemmas up to their level; the initial states at level 0. */

#include "oracle.h"
#include "relation.h"

#include <string.h>

#ifdef SMALL_LIMITS
enum { GONE = 2 };
#else
enum { GONE = 10000 /* deleted lemmas, before the others get new numbers */ };
#endif

static inline Lit renumbered(const Oracle *o, Lit lit) { return o->number[lit >> 1] ^ (lit & 1); }

/* Setting up */

static void load_relation(Oracle *o, const Circuit *c, Relation *r) {
    int next = o->first_gate;
    for (int v = 0; v < o->first_gate; v++)
        o->number[v] = 2 * v;
    for (int g = 0; g < c->gates; g++)
        o->number[o->first_gate + g] = r->gate[g].is_gone ? 0 : 2 * next++;
    Solver *s = &o->solver;
    solver_variables(s, next);
    o->variables = next;
    o->reads_from = grown(NULL, (size_t)(next + 1) * sizeof *o->reads_from);
    VECTOR(int32_t) reads = {0};
    int32_t *seen = grown(NULL, (size_t)next * sizeof *seen);
    memset(seen, 0, (size_t)next * sizeof *seen);
    for (int v = 0; v <= o->first_gate; v++)
        o->reads_from[v] = 0;
    Lits clause = {0};
    for (int g = 0; g < c->gates; g++) {
        Gate *gate = &r->gate[g];
        if (gate->is_gone)
            continue;
        int v = o->number[o->first_gate + g] >> 1;
        for (int i = 0; i < gate->clauses.size; i++) {
            clause.size = 0;
            for (int k = 0; k < gate->clauses.at[i].size; k++) {
                Lit lit = renumbered(o, gate->clauses.at[i].lits[k]);
                PUSH(clause, lit);
                if (lit >> 1 != v && seen[lit >> 1] != v) {
                    seen[lit >> 1] = v;
                    PUSH(reads, lit >> 1);
                }
            }
            solver_add(s, clause.at, clause.size, ALWAYS);
        }
        o->reads_from[v + 1] = reads.size;
    }
    free(clause.at);
    free(seen);
    o->reads = reads.at;
}

void oracle_init(Oracle *o, const Circuit *c) {
    memset(o, 0, sizeof *o);
    o->first_latch = c->inputs + 1;
    o->first_gate = c->inputs + c->latches + 1;
    o->score_step = 1.0;
    o->is_relative = true;
    o->bad = 0;
    int total = o->first_gate + c->gates;
    uint8_t *keep = grown(NULL, (size_t)total);
    memset(keep, 0, (size_t)total);
    for (int i = 0; i < c->latches; i++)
        keep[c->nexts[i] >> 1] = keep[c->resets[i] >> 1] = 1;
    for (int i = 0; i < c->constraint_count; i++)
        keep[c->constraints[i] >> 1] = 1;
    for (int i = 0; i < c->keep_count; i++)
        keep[c->keeps[i] >> 1] = 1;
    Relation relation;
    relation_init(&relation, o->first_gate, c->gates, c->lefts, c->rights, keep, c->eliminate);
    free(keep);
    solver_init(&o->solver);
    o->number = grown(NULL, (size_t)total * sizeof *o->number);
    load_relation(o, c, &relation);
    relation_free(&relation);

    o->lefts = grown(NULL, (size_t)(c->gates + 1) * sizeof *o->lefts);
    o->rights = grown(NULL, (size_t)(c->gates + 1) * sizeof *o->rights);
    memcpy(o->lefts, c->lefts, (size_t)c->gates * sizeof *o->lefts);
    memcpy(o->rights, c->rights, (size_t)c->gates * sizeof *o->rights);
    o->reached = grown(NULL, (size_t)total * sizeof *o->reached);
    memset(o->reached, 0, (size_t)total * sizeof *o->reached);
    o->sim = grown(NULL, (size_t)total);
    o->needed_gate = grown(NULL, (size_t)total);
    o->cost = grown(NULL, (size_t)total * sizeof *o->cost);
    size_t leaves = (size_t)o->first_gate;
    o->given_next = grown(NULL, leaves * sizeof *o->given_next);
    o->next = grown(NULL, leaves * sizeof *o->next);
    o->start = grown(NULL, leaves);
    memset(o->start, 0, leaves);
    o->score = grown(NULL, leaves * sizeof *o->score);
    memset(o->score, 0, leaves * sizeof *o->score);
    o->having = grown(NULL, 2 * leaves * sizeof *o->having);
    memset(o->having, 0, 2 * leaves * sizeof *o->having);
    o->home = grown(NULL, 2 * leaves * sizeof *o->home);
    memset(o->home, 0, 2 * leaves * sizeof *o->home);
    o->marked = grown(NULL, 2 * (size_t)o->variables);
    memset(o->marked, 0, 2 * (size_t)o->variables);
    for (int d = 0; d < 3; d++) {
        o->needed[d] = grown(NULL, leaves * sizeof **o->needed);
        memset(o->needed[d], 0, leaves * sizeof **o->needed);
    }
    for (int i = 0; i < c->latches; i++) {
        int v = o->first_latch + i;
        Lit reset = c->resets[i];
        o->next[v] = renumbered(o, c->nexts[i]);
        o->given_next[v] = c->nexts[i];
        if (reset <= 1) {
            Lit unit[] = {2 * v + (reset == 0)};
            o->start[v] = reset ? 1 : -1;
            solver_add(&o->solver, unit, 1, 0);
        } else if (reset >> 1 != v) {
            Lit x = renumbered(o, reset), forth[] = {2 * v + 1, x}, back[] = {2 * v, x ^ 1};
            PUSH(o->functions, v);
            PUSH(o->function_roots, x);
            solver_add(&o->solver, forth, 2, 0);
            solver_add(&o->solver, back, 2, 0);
        }
    }
    for (int i = 0; i < c->constraint_count; i++) {
        Lit x = renumbered(o, c->constraints[i]);
        PUSH(o->constraints, x);
        PUSH(o->given_constraints, c->constraints[i]);
        solver_add(&o->solver, &x, 1, FOREVER);
    }
}

void oracle_free(Oracle *o) {
    for (int i = 0; i < o->lemmas.size; i++) {
        free(o->lemmas.at[i].lits);
        free(o->lemmas.at[i].stop);
    }
    for (int lit = 0; lit < 2 * o->first_gate; lit++) {
        free(o->having[lit].at);
        free(o->home[lit].at);
    }
    for (int i = 0; i < o->learnt.size; i++)
        free(o->learnt.at[i]);
    for (int d = 0; d < 3; d++)
        free(o->needed[d]);
    void *all[] = {o->number, o->reads_from, o->reads, o->next, o->start, o->functions.at,
                   o->function_roots.at, o->constraints.at, o->assumptions.at, o->extra.at, o->walk.at,
                   o->marked, o->lemmas.at, o->history.at, o->having, o->home, o->score, o->core.at,
                   o->state.at, o->inputs.at, o->cti.at, o->learnt.at, o->lefts, o->rights, o->given_next,
                   o->given_constraints.at, o->cone.at, o->reached, o->sim, o->needed_gate, o->cost};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    solver_free(&o->solver);
}

void oracle_ask(Oracle *o, Lit bad) {
    o->bad = renumbered(o, bad);
    o->given_bad = bad;
}

/* Domains */

static void include_cone(Oracle *o, Lit root) {
    Solver *s = &o->solver;
    if (!solver_include(s, root >> 1))
        return;
    o->walk.size = 0;
    PUSH(o->walk, root >> 1);
    while (o->walk.size > 0) {
        int v = o->walk.at[--o->walk.size];
        if (v < o->first_gate)
            continue;
        for (int i = o->reads_from[v]; i < o->reads_from[v + 1]; i++)
            if (solver_include(s, o->reads[i]))
                PUSH(o->walk, o->reads[i]);
    }
}

static void begin(Oracle *o, int32_t level) {
    solver_domain(&o->solver);
    o->assumptions.size = o->extra.size = 0;
    if (level != ALWAYS)
        for (int i = 0; i < o->constraints.size; i++)
            include_cone(o, o->constraints.at[i]);
    if (level == 0)
        for (int i = 0; i < o->functions.size; i++) {
            include_cone(o, o->function_roots.at[i]);
            solver_include(&o->solver, o->functions.at[i]);
        }
}

static void assume(Oracle *o, Lit lit) {
    include_cone(o, lit);
    PUSH(o->assumptions, lit);
}

static void add_extra(Oracle *o, Lit lit) {
    include_cone(o, lit);
    PUSH(o->extra, lit);
}

static int solve(Oracle *o, int32_t level) {
    return solver_solve(&o->solver, o->assumptions.at, o->assumptions.size, level, o->extra.at, o->extra.size);
}

/* Orders */

static int by_variable(const void *a, const void *b) { return *(const Lit *)a - *(const Lit *)b; }

static void sort_by_variable(Lits *lits) {
    if (lits->size > 1)
        qsort(lits->at, (size_t)lits->size, sizeof *lits->at, by_variable);
}

static const Oracle *ordering; /* qsort has no place for it; the interpreter's lock makes it ours */

static int by_score(const void *a, const void *b) {
    Lit x = *(const Lit *)a, y = *(const Lit *)b;
    double p = ordering->score[x >> 1], q = ordering->score[y >> 1];
    if (p != q)
        return p < q ? -1 : 1;
    return x - y;
}

static int by_place(const void *a, const void *b) { return *(const Lit *)b - *(const Lit *)a; }

static void sort_ascending(const Oracle *o, Lit *lits, int size) { /* least important first */
    ordering = o;
    if (size > 1)
        qsort(lits, (size_t)size, sizeof *lits, o->by_index ? by_place : by_score);
}

/* Initial states */

static bool is_apart(const Oracle *o, Lit lit) { /* does this literal alone keep a cube away? */
    int8_t start = o->start[lit >> 1];
    return start && (start > 0) == (lit & 1);
}

int oracle_initial(Oracle *o, const Lit *cube, int size) {
    for (int i = 0; i < size; i++)
        if (is_apart(o, cube[i]))
            return UNSATISFIABLE;
    if (o->functions.size == 0)
        return SATISFIABLE;
    begin(o, 0);
    for (int i = 0; i < size; i++)
        assume(o, cube[i]);
    int answer = solve(o, 0);
    solver_finish(&o->solver);
    return answer;
}

void oracle_away(Oracle *o, const Lit *cube, int size) {
    for (int i = 0; i < o->core.size; i++)
        if (is_apart(o, o->core.at[i]))
            return;
    for (int i = 0; i < size; i++)
        if (is_apart(o, cube[i])) {
            PUSH(o->core, cube[i]);
            sort_by_variable(&o->core);
            return;
        }
    if (oracle_initial(o, o->core.at, o->core.size) == UNSATISFIABLE)
        return;
    int answer = oracle_initial(o, cube, size); /* whose core says which literals are needed, too */
    for (int i = 0; i < o->core.size; i++)
        o->marked[o->core.at[i]] = 1;
    const Lits *failed = &o->solver.core;
    for (int i = 0; i < failed->size && answer == UNSATISFIABLE; i++)
        o->marked[failed->at[i]] = 1;
    o->core.size = 0;
    for (int i = 0; i < size; i++) {
        if (o->marked[cube[i]] || answer != UNSATISFIABLE) /* no answer in time: the whole cube */
            PUSH(o->core, cube[i]);
        o->marked[cube[i]] = 0;
    }
}

/* Predecessors */

static void read_model(Oracle *o) {
    Solver *s = &o->solver;
    o->state.size = o->inputs.size = 0;
    for (int i = 0; i < s->inside.size; i++) {
        int v = s->inside.at[i];
        if (v >= o->first_gate)
            continue;
        Lit lit = 2 * v + (s->value[2 * v] < 0);
        if (v >= o->first_latch)
            PUSH(o->state, lit);
        else
            PUSH(o->inputs, lit);
    }
    sort_by_variable(&o->state);
    sort_by_variable(&o->inputs);
}

/* Values of everything that a literal of the circuit reads; leaves are true when their literal is marked. */
static void simulate(Oracle *o, Lit root) {
    o->walk.size = 0;
    PUSH(o->walk, root >> 1);
    while (o->walk.size > 0) {
        int v = o->walk.at[o->walk.size - 1];
        if (o->reached[v] == o->reach_stamp) {
            o->walk.size--;
            continue;
        }
        if (v < o->first_gate) {
            o->walk.size--;
            o->reached[v] = o->reach_stamp;
            o->sim[v] = v > 0 && o->marked[2 * v];
            o->cost[v] = v < o->first_latch ? 0 : o->score[v] > 0 ? 2 : 3;
            o->needed_gate[v] = 0;
            continue;
        }
        Lit left = o->lefts[v - o->first_gate], right = o->rights[v - o->first_gate];
        bool waits = false;
        if (o->reached[left >> 1] != o->reach_stamp) {
            PUSH(o->walk, left >> 1);
            waits = true;
        }
        if (o->reached[right >> 1] != o->reach_stamp) {
            PUSH(o->walk, right >> 1);
            waits = true;
        }
        if (waits)
            continue;
        o->walk.size--;
        o->reached[v] = o->reach_stamp;
        o->needed_gate[v] = 0;
        bool a = o->sim[left >> 1] ^ (left & 1), b = o->sim[right >> 1] ^ (right & 1);
        uint32_t p = o->cost[left >> 1], q = o->cost[right >> 1];
        o->sim[v] = a && b;
        o->cost[v] = a && b ? p + q : a ? q : b ? p : p < q ? p : q;
        if (o->cost[v] > 1 << 28)
            o->cost[v] = 1 << 28;
        PUSH(o->cone, v);
    }
}

/* Which latches does the target need? From the target backwards: a gate that is true needs both sides, one that is false needs
   one side that is false, the one with fewer latches behind it. */
static void justify(Oracle *o, const Lit *cube, int size) {
    o->cone.size = 0;
    o->reach_stamp++;
    if (cube == NULL)
        simulate(o, o->given_bad);
    for (int i = 0; i < size; i++)
        simulate(o, o->given_next[cube[i] >> 1]);
    for (int i = 0; i < o->given_constraints.size; i++)
        simulate(o, o->given_constraints.at[i]);
    if (cube == NULL)
        o->needed_gate[o->given_bad >> 1] = 1;
    for (int i = 0; i < size; i++)
        o->needed_gate[o->given_next[cube[i] >> 1] >> 1] = 1;
    for (int i = 0; i < o->given_constraints.size; i++)
        o->needed_gate[o->given_constraints.at[i] >> 1] = 1;
    for (int i = o->cone.size - 1; i >= 0; i--) {
        int v = o->cone.at[i];
        if (!o->needed_gate[v])
            continue;
        Lit left = o->lefts[v - o->first_gate], right = o->rights[v - o->first_gate];
        bool a = o->sim[left >> 1] ^ (left & 1), b = o->sim[right >> 1] ^ (right & 1);
        if (a == b && !a) { /* both are false */
            if (o->needed_gate[left >> 1] || o->needed_gate[right >> 1])
                continue;
            b = o->cost[left >> 1] <= o->cost[right >> 1];
            a = !b;
        }
        if (o->sim[v] || !a)
            o->needed_gate[left >> 1] = 1;
        if (o->sim[v] || !b)
            o->needed_gate[right >> 1] = 1;
    }
}

/* From a state to the latches that its inputs need to reach the target: cube′, or bad, with the constraint.
   LIFT_CORE: inputs ∧ state ∧ ¬target is unsatisfiable, and its core has the latches. Assumptions that come late are dropped
   more often, so latches that matter come first. (Chockler et al. 2011)  LIFT_TERNARY: the gates say it, without a solver. */
static void lift(Oracle *o, const Lit *cube, int size) {
    Solver *s = &o->solver;
    o->cti.size = 0;
    for (int i = 0; i < o->state.size; i++) {
        o->marked[o->state.at[i]] = 1;
        if (o->lifting == LIFT_NONE)
            PUSH(o->cti, o->state.at[i]);
    }
    for (int i = 0; i < o->inputs.size; i++)
        o->marked[o->inputs.at[i]] = 1;
    if (o->lifting == LIFT_TERNARY)
        justify(o, cube, size);
    begin(o, ALWAYS);
    if (cube == NULL)
        add_extra(o, o->bad ^ 1);
    for (int i = 0; i < size; i++)
        add_extra(o, o->next[cube[i] >> 1] ^ (cube[i] & 1) ^ 1);
    for (int i = 0; i < o->constraints.size; i++)
        add_extra(o, o->constraints.at[i] ^ 1);
    Lits *latches = &o->core;
    latches->size = 0;
    int inputs = 0;
    for (int i = 0; i < s->inside.size; i++) {
        int v = s->inside.at[i];
        if (v >= o->first_gate)
            continue;
        Lit lit = 2 * v + !o->marked[2 * v];
        if (v < o->first_latch) {
            PUSH(o->assumptions, lit);
            inputs++;
        } else if (o->lifting != LIFT_TERNARY || o->needed_gate[v])
            PUSH(*latches, lit);
    }
    for (int i = 0; i < o->state.size; i++)
        o->marked[o->state.at[i]] = 0;
    for (int i = 0; i < o->inputs.size; i++)
        o->marked[o->inputs.at[i]] = 0;
    o->inputs.size = 0; /* what the target does not read needs no value */
    for (int i = 0; i < inputs; i++)
        PUSH(o->inputs, o->assumptions.at[i]);
    sort_by_variable(&o->inputs);
    if (o->lifting == LIFT_NONE)
        return;
    sort_ascending(o, latches->at, latches->size);
    for (int i = latches->size - 1; i >= 0; i--)
        PUSH(o->assumptions, latches->at[i]);
    bool is_lifted = o->lifting == LIFT_CORE && solve(o, ALWAYS) == UNSATISFIABLE;
    const Lits *kept = is_lifted ? &s->core : latches;
    for (int i = 0; i < kept->size; i++)
        if (kept->at[i] >> 1 >= o->first_latch)
            PUSH(o->cti, kept->at[i]);
    sort_by_variable(&o->cti);
    solver_finish(s);
}

/* Queries */

/* F_level ∧ C ∧ bad */
int oracle_bad(Oracle *o, int32_t level) {
    begin(o, level);
    assume(o, o->bad);
    int answer = solve(o, level);
    if (answer == SATISFIABLE)
        read_model(o);
    solver_finish(&o->solver);
    if (answer == SATISFIABLE)
        lift(o, NULL, 0);
    return answer;
}

/* The query was satisfiable in its domain: ask again with all latches that lemmas mention. A lemma that is not pushed for a
   reason that does not exist could keep two equal frames apart for ever. */
static int solve_outside(Oracle *o, int32_t level) {
    solver_finish(&o->solver);
    solver_same_domain(&o->solver);
    for (int v = o->first_latch; v < o->first_gate; v++)
        if (o->score[v] > 0)
            solver_include(&o->solver, v);
    return solve(o, level);
}

/* F_level ∧ ¬cube ∧ C ∧ T ∧ cube′, without ¬cube unless `is_relative` */
int oracle_relative(Oracle *o, const Lit *cube, int size, int32_t level, bool is_relative, bool wants_cti) {
    Solver *s = &o->solver;
    begin(o, level);
    for (int i = 0; i < size; i++)
        assume(o, o->next[cube[i] >> 1] ^ (cube[i] & 1));
    if (is_relative)
        for (int i = 0; i < size; i++)
            add_extra(o, cube[i] ^ 1);
    int answer = solve(o, level);
    if (answer == SATISFIABLE && !is_relative)
        answer = solve_outside(o, level);
    if (answer == SATISFIABLE)
        read_model(o);
    if (answer == UNSATISFIABLE) {
        for (int i = 0; i < s->core.size; i++)
            o->marked[s->core.at[i]] = 1;
        o->core.size = 0;
        for (int i = 0; i < size; i++) {
            Lit primed = o->next[cube[i] >> 1] ^ (cube[i] & 1);
            if (o->marked[primed])
                PUSH(o->core, cube[i]);
            o->marked[primed] = 0; /* one latch for each function */
        }
    }
    solver_finish(s);
    if (answer == UNSATISFIABLE)
        oracle_away(o, cube, size);
    if (answer == SATISFIABLE && wants_cti)
        lift(o, cube, size);
    return answer;
}

/* Lemmas */

static uint64_t signature(const Lit *cube, int size) {
    uint64_t bits = 0;
    for (int i = 0; i < size; i++)
        bits |= 1ULL << ((uint32_t)cube[i] * 2654435769u >> 26);
    return bits;
}

static int is_subset(const Oracle *o, const Lemma *lemma) { /* are all its literals marked? */
    for (int i = 0; i < lemma->size; i++)
        if (!o->marked[lemma->lits[i]])
            return false;
    return true;
}

static void mark_all(Oracle *o, const Lit *cube, int size, uint8_t mark) {
    for (int i = 0; i < size; i++)
        o->marked[cube[i]] = mark;
}

static void bump_scores(Oracle *o, const Lit *cube, int size) {
    for (int i = 0; i < size; i++)
        o->score[cube[i] >> 1] += o->score_step;
    if ((o->score_step *= 1.0 / 0.99) > 1e100) {
        for (int v = 0; v < o->first_gate; v++)
            o->score[v] *= 1e-100;
        o->score_step *= 1e-100;
    }
}

static void forget_stop(Lemma *lemma) {
    free(lemma->stop);
    lemma->stop = NULL;
}

static void list_lemma(Oracle *o, int number) {
    const Lemma *lemma = &o->lemmas.at[number];
    Lit home = lemma->lits[0];
    for (int i = 0; i < lemma->size; i++) {
        PUSH(o->having[lemma->lits[i]], number);
        if (o->home[lemma->lits[i]].size < o->home[home].size)
            home = lemma->lits[i];
    }
    PUSH(o->home[home], number);
}

/* Give the lemmas that are left new numbers. States that stopped pushes are forgotten, as the history is. */
static void renumber(Oracle *o) {
    for (int lit = 0; lit < 2 * o->first_gate; lit++)
        o->having[lit].size = o->home[lit].size = 0;
    int kept = 0;
    for (int i = 0; i < o->lemmas.size; i++)
        if (o->lemmas.at[i].level != DELETED) {
            forget_stop(&o->lemmas.at[i]);
            o->lemmas.at[kept] = o->lemmas.at[i];
            list_lemma(o, kept++);
        }
    o->lemmas.size = kept;
    o->history.size = 0;
    o->gone = 0;
}

/* ¬cube holds up to the level. A lemma with the same cube rises, weaker ones go. */
void oracle_block(Oracle *o, const Lit *cube, int size, int32_t level) {
    if (size == 0) {
        solver_add(&o->solver, cube, 0, level);
        return;
    }
    Lit rare = cube[0];
    for (int i = 1; i < size; i++)
        if (o->having[cube[i]].size < o->having[rare].size)
            rare = cube[i];
    uint64_t bits = signature(cube, size);
    bool is_known = false;
    int kept = 0;
    for (int i = 0; i < o->having[rare].size; i++) {
        int number = o->having[rare].at[i];
        Lemma *other = &o->lemmas.at[number];
        if (other->level == DELETED)
            continue;
        o->having[rare].at[kept++] = number;
        if (other->size < size || (bits & ~other->signature) != 0)
            continue;
        mark_all(o, other->lits, other->size, 1);
        bool is_weaker = true;
        for (int k = 0; k < size && is_weaker; k++)
            is_weaker = o->marked[cube[k]];
        mark_all(o, other->lits, other->size, 0);
        if (!is_weaker)
            continue;
        if (other->size == size) {
            is_known = true;
            if (other->level < level) {
                other->level = level;
                forget_stop(other);
                PUSH(o->history, number);
                Lit unit = cube[0] ^ 1;
                if (other->handle >= 0)
                    solver_retag(&o->solver, other->handle, level);
                else
                    solver_add(&o->solver, &unit, 1, level);
            }
        } else if (other->level <= level) {
            if (other->handle >= 0)
                solver_remove(&o->solver, other->handle);
            other->level = DELETED;
            forget_stop(other);
            free(other->lits);
            other->lits = NULL;
            o->gone++;
            kept--;
        }
    }
    o->having[rare].size = kept;
    if (is_known)
        return;
    Lemma lemma = {grown(NULL, (size_t)size * sizeof *cube), size, level, -1, bits, NULL, 0};
    memcpy(lemma.lits, cube, (size_t)size * sizeof *cube);
    o->extra.size = 0;
    for (int i = 0; i < size; i++)
        PUSH(o->extra, cube[i] ^ 1);
    lemma.handle = solver_add(&o->solver, o->extra.at, size, level);
    PUSH(o->lemmas, lemma);
    list_lemma(o, o->lemmas.size - 1);
    PUSH(o->history, o->lemmas.size - 1);
    bump_scores(o, cube, size);
    if (o->gone > GONE && o->gone > o->lemmas.size / 2)
        renumber(o);
}

bool oracle_blocks(Oracle *o, const Lit *cube, int size, int32_t level) {
    uint64_t bits = signature(cube, size);
    bool found = false;
    mark_all(o, cube, size, 1);
    for (int i = 0; i < size && !found; i++) {
        int kept = 0, k = 0;
        for (; k < o->home[cube[i]].size && !found; k++) {
            int number = o->home[cube[i]].at[k];
            const Lemma *lemma = &o->lemmas.at[number];
            if (lemma->level == DELETED)
                continue;
            o->home[cube[i]].at[kept++] = number;
            found = lemma->level >= level && (lemma->signature & ~bits) == 0 && is_subset(o, lemma);
        }
        while (k < o->home[cube[i]].size)
            o->home[cube[i]].at[kept++] = o->home[cube[i]].at[k++];
        o->home[cube[i]].size = kept;
    }
    mark_all(o, cube, size, 0);
    return found;
}

/* The lemma with exactly this cube, or NULL. */
static Lemma *find_lemma(Oracle *o, const Lit *cube, int size) {
    uint64_t bits = signature(cube, size);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < o->home[cube[i]].size; k++) {
            Lemma *lemma = &o->lemmas.at[o->home[cube[i]].at[k]];
            bool is_candidate = lemma->level != DELETED && lemma->size == size && lemma->signature == bits;
            if (is_candidate && memcmp(lemma->lits, cube, (size_t)size * sizeof *cube) == 0)
                return lemma;
        }
    return NULL;
}

/* F_level ∧ C ∧ T ∧ cube′ for a lemma of F_level; a state that stops it is noted. */
int oracle_pushes(Oracle *o, const Lit *cube, int size, int32_t level) {
    int answer = oracle_relative(o, cube, size, level, false, false);
    Lemma *lemma = answer == SATISFIABLE ? find_lemma(o, cube, size) : NULL;
    if (lemma != NULL) {
        size_t bytes = 2 * (size_t)(o->first_gate - o->first_latch) / 8 + 1;
        lemma->stop = grown(lemma->stop, bytes);
        memset(lemma->stop, 0, bytes);
        for (int i = 0; i < o->state.size; i++) {
            int place = o->state.at[i] - 2 * o->first_latch;
            lemma->stop[place >> 3] |= (uint8_t)(1 << (place & 7));
        }
        lemma->tried = o->history.size;
    }
    return answer;
}

/* A clause excludes the state unless one of its literals is true there; what the state does not tell may be either. */
bool oracle_may_push(Oracle *o, const Lit *cube, int size, int32_t level) {
    Lemma *lemma = find_lemma(o, cube, size);
    if (lemma == NULL || lemma->stop == NULL)
        return true;
    for (; lemma->tried < o->history.size; lemma->tried++) {
        const Lemma *newer = &o->lemmas.at[o->history.at[lemma->tried]];
        bool excludes = newer->level >= level;
        for (int i = 0; i < newer->size && excludes; i++) {
            int place = (newer->lits[i] ^ 1) - 2 * o->first_latch;
            excludes = !(lemma->stop[place >> 3] >> (place & 7) & 1);
        }
        if (excludes) {
            forget_stop(lemma);
            return true;
        }
    }
    return false;
}

/* Generalization */

static void report(Oracle *o, const Lit *cube, int size, int32_t level) {
    Lit *entry = grown(NULL, (size_t)(size + 2) * sizeof *entry);
    entry[0] = size;
    entry[1] = level;
    memcpy(entry + 2, cube, (size_t)size * sizeof *cube);
    PUSH(o->learnt, entry);
}

static int take_core(Oracle *o, Lit *cube) {
    if (o->core.size > 0)
        memcpy(cube, o->core.at, (size_t)o->core.size * sizeof *cube);
    return o->core.size;
}

static bool is_inductive(Oracle *o, const Lit *cube, int size, int32_t level) {
    return oracle_relative(o, cube, size, level, o->is_relative, false) == UNSATISFIABLE;
}

static int drop(Oracle *o, Lit *cube, int size, Effort effort);

/* Block the counterexample to generalization in o->cti, if it is inductive relative to the frame before. */
static bool block_ctg(Oracle *o, Effort effort) {
    int size = o->cti.size;
    if (size == 0 || oracle_initial(o, o->cti.at, size) != UNSATISFIABLE)
        return false;
    Lit *cube = grown(NULL, (size_t)size * sizeof *cube);
    memcpy(cube, o->cti.at, (size_t)size * sizeof *cube);
    int32_t level = effort.level;
    bool is_blocked = is_inductive(o, cube, size, level - 1);
    if (is_blocked) {
        size = take_core(o, cube);
        effort.level--;
        effort.depth--;
        size = drop(o, cube, size, effort);
        while (level < effort.frontier && is_inductive(o, cube, size, level)) {
            size = take_core(o, cube);
            level++;
        }
        oracle_block(o, cube, size, level);
        report(o, cube, size, level);
    }
    free(cube);
    return is_blocked;
}

/* Make the cube inductive relative to the level, in place: its new size, or 0. (Hassan, Bradley, Somenzi 2013) */
static int down(Oracle *o, Lit *cube, int size, Effort effort) {
    const uint32_t *needed = o->needed[effort.depth], stamp = o->needed_stamp[effort.depth];
    int tries = 0;
    for (;;) {
        if (oracle_initial(o, cube, size) != UNSATISFIABLE)
            return 0;
        int answer = oracle_relative(o, cube, size, effort.level, o->is_relative, effort.depth > 0);
        if (answer == UNSATISFIABLE)
            return take_core(o, cube);
        if (answer == INTERRUPTED || effort.depth == 0)
            return 0;
        Lits state = {0}; /* queries below overwrite it */
        for (int i = 0; i < o->state.size; i++)
            PUSH(state, o->state.at[i]);
        if (tries < effort.most && effort.level > 0 && block_ctg(o, effort)) {
            tries++;
            free(state.at);
            continue;
        }
        tries = 0;
        mark_all(o, state.at, state.size, 1);
        int kept = 0;
        bool fails = false;
        for (int i = 0; i < size; i++) {
            if (o->marked[cube[i]])
                cube[kept++] = cube[i];
            else if (needed[cube[i] >> 1] == stamp)
                fails = true;
        }
        mark_all(o, state.at, state.size, 0);
        free(state.at);
        if (fails || kept == size || kept == 0)
            return 0;
        size = kept;
    }
}

static int drop(Oracle *o, Lit *cube, int size, Effort effort) {
    uint32_t *needed = o->needed[effort.depth];
    uint32_t stamp = ++o->needed_stamp[effort.depth];
    int tries = size;
    Lit *order = grown(NULL, 2 * (size_t)size * sizeof *order), *smaller = order + size;
    memcpy(order, cube, (size_t)size * sizeof *cube);
    sort_ascending(o, order, tries);
    for (int t = 0; t < tries && size > 1 && !o->solver.is_late; t++) {
        int without = 0;
        for (int i = 0; i < size; i++)
            if (cube[i] != order[t])
                smaller[without++] = cube[i];
        if (without == size)
            continue;
        int left = down(o, smaller, without, effort);
        if (left == 0)
            needed[order[t] >> 1] = stamp;
        else {
            memcpy(cube, smaller, (size_t)left * sizeof *cube);
            size = left;
        }
    }
    free(order);
    return size;
}

int oracle_generalize(Oracle *o, Lit *cube, int size, Effort effort) {
    if (effort.depth > 2)
        effort.depth = 2;
    return size > 1 ? drop(o, cube, size, effort) : size;
}

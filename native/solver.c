/* A small incremental SAT solver made for IC3.

   The search is the usual one (two watched literals, first unique implication point, VSIDS, saved phases, Luby restarts;
   Marques-Silva and Sakallah 1996, Moskewicz et al. 2001, Eén and Sörensson 2003). Three things are made for IC3:

   Tags. All frames share one set of clauses. A clause has a tag, the highest level at which it holds; a query at level i
   ignores clauses with smaller tags. A learnt clause gets the least tag of the clauses that it was derived from, so what
   follows from the transition relation alone serves every frame, and a lemma that moves up is a tag that is rewritten.

   A temporary clause (¬cube) has the tag TEMPORARY: it holds in the running query, and what is derived from it is forgotten
   with it. There are no activation literals.

   A domain. Decisions and propagations stay inside a set of variables that is given with each query: the cone of what is
   asked (Su, Yang, Ci 2025). A clause with an open literal outside can imply nothing inside and is skipped. "Satisfiable"
   then means: the clauses within the domain are. "Unsatisfiable" means what it says. */

#include "solver.h"

#include <stdio.h>
#include <string.h>

enum { HEADER = 3, IS_LEARNT = 1, WAS_USED = 2, GLUE_SHIFT = 2 };
#ifdef SMALL_LIMITS /* so that small tests reach everything */
enum { FIRST_LEARNT_LIMIT = 8, RESTART_CONFLICTS = 3, LOOK_EVERY = 100, WASTE = 50 };
#else
enum { FIRST_LEARNT_LIMIT = 1000, RESTART_CONFLICTS = 100 };
enum { WASTE = 100000 /* words, before clauses are moved */ };
#endif

#define SIZE(c) ((c)[0])
#define TAG(c) (((int32_t *)(c))[1])
#define NOTES(c) ((c)[2])
#define LITS(c) ((Lit *)((c) + HEADER))
#define CLAUSE(s, position) ((s)->memory + (position))

void *grown(void *at, size_t size) {
    void *moved = realloc(at, size);
    if (moved == NULL && size > 0) {
        fputs("lemmata: out of memory\n", stderr);
        abort();
    }
    return moved;
}

static const double RECENT = 1e-10; /* of the next bump: some 450 conflicts ago */

/* Memory */

void solver_init(Solver *s) {
    memset(s, 0, sizeof *s);
    s->bump = 1.0;
    s->used = 1; /* position 0 means: no clause */
    s->empty_tag = DELETED;
    s->learnt_limit = FIRST_LEARNT_LIMIT;
    s->stamp = 1;
    solver_variables(s, 1);
    s->value[0] = -1;
    s->value[1] = 1;
}

void solver_free(Solver *s) {
    for (int lit = 0; lit < 2 * s->room; lit++)
        free(s->watches[lit].at);
    void *all[] = {s->value, s->level, s->reason, s->fact_tag, s->phase, s->activity, s->heap, s->heap_place,
                   s->place, s->domain, s->inside.at, s->trail.at, s->starts.at, s->seen, s->watches,
                   s->memory, s->learnt.at, s->brief.at, s->handles.at, s->unit_tag, s->units.at,
                   s->first_units.at, s->lasting.at, s->core.at, s->clause.at, s->unmarked.at, s->stack.at,
                   s->counted};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

#define WIDEN(array, from, to)                                                                                                   \
    do {                                                                                                                         \
        (array) = grown((array), (size_t)(to) * sizeof *(array));                                                                \
        memset((array) + (from), 0, (size_t)((to) - (from)) * sizeof *(array));                                                  \
    } while (0)

void solver_variables(Solver *s, int variables) {
    if (variables > s->room) {
        int from = s->room, to = variables + variables / 2 + 8;
        WIDEN(s->value, 2 * from, 2 * to);
        WIDEN(s->level, from, to);
        WIDEN(s->reason, from, to);
        WIDEN(s->fact_tag, from, to);
        WIDEN(s->phase, from, to);
        WIDEN(s->activity, from, to);
        WIDEN(s->heap, from, to);
        WIDEN(s->heap_place, from, to);
        WIDEN(s->place, from, to);
        WIDEN(s->domain, from, to);
        WIDEN(s->seen, from, to);
        WIDEN(s->watches, 2 * from, 2 * to);
        WIDEN(s->unit_tag, 2 * from, 2 * to);
        for (int v = from; v < to; v++)
            s->heap_place[v] = -1;
        for (int lit = 2 * from; lit < 2 * to; lit++)
            s->unit_tag[lit] = DELETED;
        s->room = to;
    }
    if (variables > s->variables)
        s->variables = variables;
}

static uint32_t new_clause(Solver *s, const Lit *lits, int size, int32_t tag, uint32_t notes) {
    uint32_t need = s->used + HEADER + (uint32_t)size;
    if (need > s->memory_room) {
        s->memory_room = need + need / 2 + 1024;
        s->memory = grown(s->memory, (size_t)s->memory_room * sizeof *s->memory);
    }
    uint32_t position = s->used;
    uint32_t *c = CLAUSE(s, position);
    SIZE(c) = (uint32_t)size;
    TAG(c) = tag;
    NOTES(c) = notes;
    memcpy(LITS(c), lits, (size_t)size * sizeof *lits);
    s->used = need;
    uint32_t mark = size == 2 && tag == ALWAYS;
    Watch first = {position << 1 | mark, lits[1], tag}, second = {position << 1 | mark, lits[0], tag};
    PUSH(s->watches[lits[0]], first);
    PUSH(s->watches[lits[1]], second);
    return position;
}

static void discard(Solver *s, uint32_t position) { /* watches that lead here are dropped when they are met */
    uint32_t *c = CLAUSE(s, position);
    TAG(c) = DELETED;
    s->wasted += HEADER + SIZE(c);
}

/* Between queries: move the clauses together, with everything that knows where they are. */
static void collect(Solver *s) {
    uint32_t *old = s->memory, used = s->used;
    uint32_t *moved = grown(NULL, (size_t)s->memory_room * sizeof *moved);
    uint32_t to = 1;
    for (uint32_t at = 1, next; at < used; at = next) {
        uint32_t *c = old + at;
        next = at + HEADER + SIZE(c);
        if (TAG(c) != DELETED) {
            memcpy(moved + to, c, (size_t)(next - at) * sizeof *c);
            NOTES(c) = to; /* the old clause tells where the new one is */
            to += next - at;
        }
    }
    for (int lit = 0; lit < 2 * s->variables; lit++) {
        Watches *ws = &s->watches[lit];
        int kept = 0;
        for (int i = 0; i < ws->size; i++) {
            uint32_t *c = old + (ws->at[i].clause >> 1);
            if (TAG(c) != DELETED) {
                ws->at[kept] = ws->at[i];
                ws->at[kept++].clause = NOTES(c) << 1 | (ws->at[i].clause & 1);
            }
        }
        ws->size = kept;
    }
    for (int i = 0; i < s->learnt.size; i++)
        s->learnt.at[i] = NOTES(old + s->learnt.at[i]);
    for (int i = 0; i < s->handles.size; i++)
        if (s->handles.at[i] != 0)
            s->handles.at[i] = NOTES(old + s->handles.at[i]);
    for (int i = 0; i < s->trail.size; i++)
        s->reason[s->trail.at[i] >> 1] = 0; /* what holds for ever needs no reason */
    free(old);
    s->memory = moved;
    s->used = to;
    s->wasted = 0;
}

/* Open variables by activity: a binary heap */

static inline void heap_put(Solver *s, int place, int32_t v) {
    s->heap[place] = v;
    s->heap_place[v] = place;
}

static void heap_up(Solver *s, int place) {
    int32_t v = s->heap[place];
    double activity = s->activity[v];
    while (place > 0) {
        int above = (place - 1) / 2;
        if (s->activity[s->heap[above]] >= activity)
            break;
        heap_put(s, place, s->heap[above]);
        place = above;
    }
    heap_put(s, place, v);
}

static void heap_down(Solver *s, int place) {
    int32_t v = s->heap[place];
    double activity = s->activity[v];
    for (;;) {
        int below = 2 * place + 1;
        if (below >= s->heap_size)
            break;
        if (below + 1 < s->heap_size && s->activity[s->heap[below + 1]] > s->activity[s->heap[below]])
            below++;
        if (s->activity[s->heap[below]] <= activity)
            break;
        heap_put(s, place, s->heap[below]);
        place = below;
    }
    heap_put(s, place, v);
}

static void heap_insert(Solver *s, int32_t v) {
    heap_put(s, s->heap_size++, v);
    heap_up(s, s->heap_size - 1);
}

static int32_t heap_pop(Solver *s) {
    int32_t v = s->heap[0];
    s->heap_place[v] = -1;
    int32_t last = s->heap[--s->heap_size];
    if (s->heap_size > 0) {
        heap_put(s, 0, last);
        heap_down(s, 0);
    }
    return v;
}

/* Most queries end before anything is decided, so the heap is made at the first decision; and most variables of a domain have
   been in no conflict for long: these wait in a list, in the order in which the cone was walked. */
static void heap_make(Solver *s) {
    s->recent = s->bump * RECENT;
    s->waiting = 0;
    for (int i = 0; i < s->inside.size; i++) {
        int32_t v = s->inside.at[i];
        s->place[v] = i;
        if (!s->value[2 * v] && s->activity[v] > s->recent)
            heap_put(s, s->heap_size++, v);
    }
    for (int place = s->heap_size / 2 - 1; place >= 0; place--)
        heap_down(s, place);
    s->heap_is_ready = true;
}

static inline void reopen(Solver *s, int32_t v) {
    if (s->activity[v] <= s->recent) {
        if (s->place[v] < s->waiting)
            s->waiting = s->place[v];
    } else if (s->heap_place[v] < 0)
        heap_insert(s, v);
}

static void bump(Solver *s, int32_t v) {
    if ((s->activity[v] += s->bump) > 1e100) {
        for (int u = 0; u < s->variables; u++)
            s->activity[u] *= 1e-100;
        s->bump *= 1e-100;
        s->recent *= 1e-100;
    }
    if (s->heap_place[v] >= 0)
        heap_up(s, s->heap_place[v]);
}

/* The trail */

static inline int depth(const Solver *s) { return s->starts.size; }

static inline void assign(Solver *s, Lit p, uint32_t reason) {
    int v = p >> 1;
    s->value[p] = 1;
    s->value[p ^ 1] = -1;
    s->level[v] = depth(s);
    s->reason[v] = reason;
    PUSH(s->trail, p);
}

static void assign_fact(Solver *s, Lit p, int32_t tag) {
    assign(s, p, 0);
    s->fact_tag[p >> 1] = tag;
}

/* The least tag of a clause and of the facts that make its literals (but `implied`) false. */
static int32_t least_tag(const Solver *s, uint32_t position, Lit implied) {
    uint32_t *c = CLAUSE(s, position);
    int32_t tag = TAG(c);
    for (uint32_t i = 0; i < SIZE(c); i++) {
        int v = LITS(c)[i] >> 1;
        if (LITS(c)[i] != implied && s->level[v] == 1 && s->fact_tag[v] < tag)
            tag = s->fact_tag[v];
    }
    return tag;
}

static inline void imply(Solver *s, Lit p, uint32_t reason) {
    assign(s, p, reason);
    if (depth(s) == 1)
        s->fact_tag[p >> 1] = least_tag(s, reason, p);
}

static void cancel(Solver *s, int to) {
    if (depth(s) <= to)
        return;
    int start = s->starts.at[to];
    for (int i = s->trail.size - 1; i >= start; i--) {
        Lit p = s->trail.at[i];
        int v = p >> 1;
        s->value[p] = s->value[p ^ 1] = 0;
        s->phase[v] = (int8_t)(p & 1 ? -1 : 1);
        if (s->heap_is_ready)
            reopen(s, v);
    }
    s->trail.size = s->head = start;
    s->starts.size = to;
}

static void note_unit(Solver *s, Lit p, int32_t tag) {
    if (tag == ALWAYS)
        PUSH(s->lasting, p);
    else if (tag > s->unit_tag[p] && tag >= 0) {
        if (tag == 0)
            PUSH(s->first_units, p);
        else if (s->unit_tag[p] <= 0)
            PUSH(s->units, p);
        s->unit_tag[p] = tag;
    }
}

/* The conflicting clause, or 0. With `everywhere` there is no domain and no level: facts for ever, between queries. */
static inline uint32_t propagate_in(Solver *s, const bool everywhere) {
    int8_t *value = s->value;
    const uint32_t *domain = s->domain, stamp = s->stamp;
    const uint32_t query = everywhere ? 0 : (uint32_t)s->query;
    while (s->head < s->trail.size) {
        Lit negated = s->trail.at[s->head++] ^ 1;
        Watches *ws = &s->watches[negated];
        Watch *from = ws->at, *to = from, *end = from + ws->size;
        uint32_t conflict = 0;
        s->propagations++;
        while (from < end) {
            Watch w = *from++;
            int8_t blocked = value[w.blocker];
            bool is_idle = blocked > 0;
            if (!everywhere) /* TEMPORARY is a large unsigned number */
                is_idle = is_idle || (uint32_t)w.tag < query || (blocked == 0 && domain[w.blocker >> 1] != stamp);
            if (is_idle) {
                *to++ = w;
                continue;
            }
            uint32_t position = w.clause >> 1;
            if (w.clause & 1) {
                *to++ = w;
                if (blocked < 0) {
                    conflict = position;
                    break;
                }
                imply(s, w.blocker, position);
                continue;
            }
            uint32_t *c = CLAUSE(s, position);
            int32_t tag = TAG(c);
            if (tag == DELETED)
                continue;
            Lit *lits = LITS(c);
            if (lits[0] == negated) {
                lits[0] = lits[1];
                lits[1] = negated;
            }
            Lit first = lits[0];
            w.blocker = first;
            int8_t held = value[first];
            if (held > 0) {
                *to++ = w;
                continue;
            }
            uint32_t size = SIZE(c), k = 2;
            while (k < size && value[lits[k]] < 0)
                k++;
            if (k < size) {
                lits[1] = lits[k];
                lits[k] = negated;
                PUSH(s->watches[lits[1]], w);
                continue;
            }
            *to++ = w;
            if (held < 0) {
                conflict = position;
                break;
            }
            if (everywhere) {
                if (tag == ALWAYS)
                    imply(s, first, position);
                else
                    note_unit(s, first, tag); /* from now on, at its own levels */
            } else if (domain[first >> 1] == stamp)
                imply(s, first, position);
        }
        if (from < end && to < from)
            memmove(to, from, (size_t)(end - from) * sizeof *to);
        ws->size = (int)(to - ws->at) + (int)(end - from);
        if (conflict) {
            s->head = s->trail.size;
            return conflict;
        }
    }
    return 0;
}

static uint32_t propagate(Solver *s) { return propagate_in(s, false); }

/* Between queries: facts for ever. A contradiction holds up to the tag of the clause that is false. */
static void settle(Solver *s) {
    uint32_t conflict;
    while ((conflict = propagate_in(s, true)) != 0) {
        int32_t tag = TAG(CLAUSE(s, conflict));
        if (s->empty_tag < tag)
            s->empty_tag = tag;
        if (tag == ALWAYS)
            return;
        discard(s, conflict); /* it says no more than empty_tag; the rest of the trail is propagated again */
        for (int i = 0; i < s->handles.size; i++)
            if (s->handles.at[i] == conflict)
                s->handles.at[i] = 0;
        int kept = 0;
        for (int i = 0; i < s->learnt.size; i++)
            if (s->learnt.at[i] != conflict)
                s->learnt.at[kept++] = s->learnt.at[i];
        s->learnt.size = kept;
        s->head = 0;
    }
}

/* Conflicts */

static inline void mark(Solver *s, int v) {
    s->seen[v] = 1;
    PUSH(s->unmarked, v);
}

/* Do the marked literals imply ¬p by clauses with tags of at least `tag`? Then p may be left out of the clause. */
static bool is_implied(Solver *s, Lit p, int32_t tag) {
    int top = s->unmarked.size;
    s->stack.size = 0;
    PUSH(s->stack, p);
    while (s->stack.size > 0) {
        uint32_t *c = CLAUSE(s, s->reason[s->stack.at[--s->stack.size] >> 1]);
        bool fails = TAG(c) < tag;
        for (uint32_t i = 0; i < SIZE(c) && !fails; i++) {
            int v = LITS(c)[i] >> 1;
            if (s->seen[v] || s->level[v] == 0 || s->value[LITS(c)[i]] > 0)
                continue;
            if (s->level[v] == 1)
                fails = s->fact_tag[v] < tag;
            else if (s->reason[v] == 0 || s->counted[s->level[v]] != s->count_stamp)
                fails = true;
            else {
                mark(s, v);
                PUSH(s->stack, LITS(c)[i]);
            }
        }
        if (fails) {
            while (s->unmarked.size > top)
                s->seen[s->unmarked.at[--s->unmarked.size]] = 0;
            return false;
        }
    }
    return true;
}

/* The first unique implication point: the clause in s->clause with the literal to imply in front and one of the level to
   go back to behind it. Returns the tag. */
static int32_t analyse(Solver *s, uint32_t conflict, int *back, uint32_t *glue) {
    int32_t tag = ALWAYS;
    int open = 0, at = s->trail.size;
    Lit p = -1;
    s->clause.size = 0;
    PUSH(s->clause, 0);
    do {
        uint32_t *c = CLAUSE(s, conflict);
        if (TAG(c) < tag)
            tag = TAG(c);
        NOTES(c) |= WAS_USED;
        for (uint32_t i = 0; i < SIZE(c); i++) {
            Lit q = LITS(c)[i];
            int v = q >> 1;
            if (q == p || s->seen[v] || s->level[v] == 0)
                continue;
            if (s->level[v] == 1) {
                if (s->fact_tag[v] < tag)
                    tag = s->fact_tag[v];
                continue;
            }
            mark(s, v);
            bump(s, v);
            if (s->level[v] == depth(s))
                open++;
            else
                PUSH(s->clause, q);
        }
        do
            p = s->trail.at[--at];
        while (!s->seen[p >> 1]);
        conflict = s->reason[p >> 1];
    } while (--open > 0);
    s->clause.at[0] = p ^ 1;

    s->count_stamp++;
    for (int i = 1; i < s->clause.size; i++)
        s->counted[s->level[s->clause.at[i] >> 1]] = s->count_stamp;
    int kept = 1;
    for (int i = 1; i < s->clause.size; i++) {
        Lit q = s->clause.at[i];
        if (s->reason[q >> 1] == 0 || !is_implied(s, q, tag))
            s->clause.at[kept++] = q;
    }
    s->clause.size = kept;

    s->count_stamp++;
    *glue = 1;
    *back = 1;
    for (int i = 1; i < s->clause.size; i++) {
        int level = s->level[s->clause.at[i] >> 1];
        if (s->counted[level] != s->count_stamp) {
            s->counted[level] = s->count_stamp;
            ++*glue;
        }
        if (level > *back) {
            *back = level;
            Lit q = s->clause.at[1];
            s->clause.at[1] = s->clause.at[i];
            s->clause.at[i] = q;
        }
    }
    for (int i = 0; i < s->unmarked.size; i++)
        s->seen[s->unmarked.at[i]] = 0;
    s->unmarked.size = 0;
    return tag;
}

/* Which assumptions make the assumption p false? */
static void explain(Solver *s, Lit p) {
    PUSH(s->core, p);
    if (s->level[p >> 1] <= 1)
        return;
    s->seen[p >> 1] = 1;
    for (int i = s->trail.size - 1; i >= s->starts.at[1]; i--) {
        Lit q = s->trail.at[i];
        int v = q >> 1;
        if (!s->seen[v])
            continue;
        s->seen[v] = 0;
        if (s->reason[v] == 0)
            PUSH(s->core, q);
        else {
            uint32_t *c = CLAUSE(s, s->reason[v]);
            NOTES(c) |= WAS_USED;
            for (uint32_t k = 0; k < SIZE(c); k++)
                if (LITS(c)[k] != q && s->level[LITS(c)[k] >> 1] > 1)
                    s->seen[LITS(c)[k] >> 1] = 1;
        }
    }
}

/* Learnt clauses */


static void learn(Solver *s, int32_t tag, uint32_t glue) {
    Lit p = s->clause.at[0];
    if (s->clause.size == 1) {
        assign_fact(s, p, tag);
        note_unit(s, p, tag);
        return;
    }
    uint32_t notes = IS_LEARNT | WAS_USED | glue << GLUE_SHIFT;
    uint32_t position = new_clause(s, s->clause.at, s->clause.size, tag, notes);
    if (tag == TEMPORARY)
        PUSH(s->brief, position);
    else
        PUSH(s->learnt, position);
    imply(s, p, position);
}

static int by_glue(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Forget half of the learnt clauses that no conflict has used since the last time, those with much glue; never one of two literals,
   whose watches do not look at it. */
static void reduce(Solver *s) {
    VECTOR(uint64_t) loose = {0};
    int kept = 0;
    for (int i = 0; i < s->learnt.size; i++) {
        uint32_t position = s->learnt.at[i], *c = CLAUSE(s, position), notes = NOTES(c);
        Lit first = LITS(c)[0];
        bool is_reason = s->value[first] > 0 && s->reason[first >> 1] == position && s->level[first >> 1] > 0;
        NOTES(c) &= ~(uint32_t)WAS_USED;
        if (is_reason || SIZE(c) == 2 || (notes & WAS_USED))
            s->learnt.at[kept++] = position;
        else
            PUSH(loose, (uint64_t)(notes >> GLUE_SHIFT) << 32 | position);
    }
    s->learnt.size = kept;
    if (loose.size > 1)
        qsort(loose.at, (size_t)loose.size, sizeof *loose.at, by_glue);
    for (int i = 0; i < loose.size; i++) {
        if (i < loose.size / 2)
            PUSH(s->learnt, (uint32_t)loose.at[i]);
        else
            discard(s, (uint32_t)loose.at[i]);
    }
    free(loose.at);
    s->learnt_limit = s->learnt_limit + s->learnt_limit / 16;
    if (s->learnt_limit < s->learnt.size + FIRST_LEARNT_LIMIT / 4)
        s->learnt_limit = s->learnt.size + FIRST_LEARNT_LIMIT / 4;
}

/* From outside */

int solver_add(Solver *s, const Lit *lits, int size, int32_t tag) {
    s->clause.size = 0;
    for (int i = 0; i < size; i++) {
        if (s->value[lits[i]] > 0)
            return -1;
        if (s->value[lits[i]] == 0)
            PUSH(s->clause, lits[i]);
    }
    if (s->clause.size == 0) {
        if (s->empty_tag < tag)
            s->empty_tag = tag;
        return -1;
    }
    if (s->clause.size == 1) {
        note_unit(s, s->clause.at[0], tag);
        if (tag == ALWAYS) {
            s->lasting.size = 0;
            assign(s, s->clause.at[0], 0);
            settle(s);
        }
        return -1;
    }
    uint32_t position = new_clause(s, s->clause.at, s->clause.size, tag, 0);
    PUSH(s->handles, position);
    return s->handles.size - 1;
}

void solver_remove(Solver *s, int handle) {
    if (s->handles.at[handle] != 0)
        discard(s, s->handles.at[handle]);
    s->handles.at[handle] = 0;
}

void solver_retag(Solver *s, int handle, int32_t tag) {
    if (s->handles.at[handle] == 0) { /* the clause had become empty */
        if (s->empty_tag < tag)
            s->empty_tag = tag;
        return;
    }
    uint32_t *c = CLAUSE(s, s->handles.at[handle]);
    Lit open = -1;
    int count = 0;
    for (uint32_t i = 0; i < SIZE(c); i++)
        if (s->value[LITS(c)[i]] >= 0) {
            open = LITS(c)[i];
            count++;
        }
    TAG(c) = tag;
    for (int i = 0; i < 2; i++) {
        Watches *ws = &s->watches[LITS(c)[i]];
        int k = 0;
        while (ws->at[k].clause >> 1 != s->handles.at[handle])
            k++;
        ws->at[k].tag = tag;
    }
    if (count == 1 && s->value[open] == 0)
        note_unit(s, open, tag);
}

void solver_domain(Solver *s) {
    s->inside.size = 0;
    if (++s->stamp == 0) {
        memset(s->domain, 0, (size_t)s->room * sizeof *s->domain);
        s->stamp = 1;
    }
}

void solver_same_domain(Solver *s) {
    int kept = 0;
    for (int i = 0; i < s->inside.size; i++)
        if (!s->value[2 * s->inside.at[i]])
            s->inside.at[kept++] = s->inside.at[i];
    s->inside.size = kept;
}

void solver_limit(Solver *s, uint64_t propagations, bool is_limited) {
    s->last = s->propagations + propagations;
    s->is_limited = is_limited;
    s->is_late = false;
}

bool solver_is_late(Solver *s) {
    s->is_late = s->is_late || (s->is_limited && s->propagations >= s->last);
    return s->is_late;
}

static uint64_t luby(uint64_t i) { /* 1 1 2 1 1 2 4 … for i = 1, 2, … */
    for (;;) {
        uint64_t k = 1;
        while ((1ULL << k) - 1 < i)
            k++;
        if ((1ULL << k) - 1 == i)
            return 1ULL << (k - 1);
        i -= (1ULL << (k - 1)) - 1;
    }
}

static bool units(Solver *s, const Lits *lits) {
    for (int i = 0; i < lits->size; i++) {
        Lit p = lits->at[i];
        int32_t tag = s->unit_tag[p];
        if (tag < s->query || s->value[p] > 0)
            continue;
        if (s->value[p] < 0) {
            if (s->level[p >> 1] == 1 && s->fact_tag[p >> 1] < tag)
                tag = s->fact_tag[p >> 1];
            if (s->empty_tag < tag)
                s->empty_tag = tag;
            return false;
        }
        if (s->domain[p >> 1] == s->stamp)
            assign_fact(s, p, tag);
    }
    return true;
}

/* Level 1: unit clauses of the query's level, then the temporary clause. False: they contradict each other. */
static bool facts(Solver *s, const Lit *extra, int extra_size) {
    s->clause.size = 0;
    bool holds = extra_size == 0;
    for (int i = 0; i < extra_size; i++) {
        holds = holds || s->value[extra[i]] > 0;
        if (s->value[extra[i]] == 0)
            PUSH(s->clause, extra[i]);
    }
    if (!holds && s->clause.size == 0)
        return false;
    Lit alone = !holds && s->clause.size == 1 ? s->clause.at[0] : -1;
    if (!holds && s->clause.size > 1)
        PUSH(s->brief, new_clause(s, s->clause.at, s->clause.size, TEMPORARY, 0));
    PUSH(s->starts, s->trail.size);
    if (!units(s, &s->units) || (s->query == 0 && !units(s, &s->first_units)))
        return false;
    if (alone >= 0) {
        if (s->value[alone] < 0)
            return false;
        if (s->value[alone] == 0)
            assign_fact(s, alone, TEMPORARY);
    }
    return true;
}

static Lit choose(Solver *s) { /* some variable of the domain is open */
    if (!s->heap_is_ready)
        heap_make(s);
    int32_t v = 0;
    while (s->value[2 * v] && s->heap_size > 0) /* variable 0 has a value */
        v = heap_pop(s);
    while (s->value[2 * v])
        v = s->inside.at[s->waiting++];
    return 2 * v + (s->phase[v] <= 0);
}

int solver_solve(Solver *s, const Lit *assumptions, int size, int32_t level, const Lit *extra, int extra_size) {
    s->queries++;
    s->core.size = 0;
    s->query = level;
    if (solver_is_late(s))
        return INTERRUPTED;
    if (s->empty_tag >= level || !facts(s, extra, extra_size))
        return UNSATISFIABLE;
    if (s->count_room < size + s->variables + 2) { /* as many levels as there can be */
        int from = s->count_room;
        s->count_room = size + s->variables + s->variables / 2 + 2;
        WIDEN(s->counted, from, s->count_room);
    }
    uint64_t restarts = 0, restart_at = s->conflicts + RESTART_CONFLICTS;
    for (;;) {
        uint32_t conflict = propagate(s);
        if (conflict) {
            s->conflicts++;
            if (depth(s) <= 1) {
                int32_t tag = least_tag(s, conflict, -1);
                if (s->empty_tag < tag && tag >= 0)
                    s->empty_tag = tag;
                return UNSATISFIABLE;
            }
            int back;
            uint32_t glue;
            int32_t tag = analyse(s, conflict, &back, &glue);
            cancel(s, back);
            learn(s, tag, glue);
            s->bump *= 1.0 / 0.95;
            continue;
        }
        if (solver_is_late(s))
            return INTERRUPTED;
        if (s->conflicts >= restart_at) {
            restart_at = s->conflicts + RESTART_CONFLICTS * luby(++restarts + 1);
            cancel(s, 1);
            if (s->learnt.size > s->learnt_limit)
                reduce(s);
        }
        Lit next = -1;
        while (next < 0 && depth(s) <= size) {
            Lit p = assumptions[depth(s) - 1];
            if (s->value[p] < 0) {
                explain(s, p);
                return UNSATISFIABLE;
            }
            if (s->value[p] > 0)
                PUSH(s->starts, s->trail.size);
            else
                next = p;
        }
        if (next < 0) {
            if (s->trail.size - s->starts.at[0] == s->inside.size)
                return SATISFIABLE; /* no need to empty the heap */
            s->decisions++;
            next = choose(s);
        }
        PUSH(s->starts, s->trail.size);
        assign(s, next, 0);
    }
}

void solver_finish(Solver *s) {
    for (int i = 0; i < s->heap_size; i++)
        s->heap_place[s->heap[i]] = -1;
    s->heap_size = 0;
    s->heap_is_ready = false;
    cancel(s, 0);
    for (int i = 0; i < s->brief.size; i++)
        discard(s, s->brief.at[i]);
    s->brief.size = 0;
    for (int i = 0; i < s->lasting.size; i++) {
        Lit p = s->lasting.at[i];
        if (s->value[p] == 0)
            assign(s, p, 0);
        else if (s->value[p] < 0)
            s->empty_tag = ALWAYS;
    }
    s->lasting.size = 0;
    settle(s);
    if (s->learnt.size > s->learnt_limit)
        reduce(s);
    if (s->wasted > WASTE && s->wasted > s->used / 4)
        collect(s);
}

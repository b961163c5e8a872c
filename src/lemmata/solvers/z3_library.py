"""The C interface of Z3, as far as it is used here, with the numbers that it uses.

``z3`` is the library. A context counts references; nothing is freed unless its count says so. Errors leave a code in the
context and a null where a handle is expected: ``checked`` makes exceptions of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lemmata.logic.terms import WORD_BINARY
from lemmata.solvers.foreign import Library
from lemmata.work import Z3_UNIT, tally

_NULLARY = ["bool_sort", "int_sort", "real_sort", "true", "false"]
_UNARY = ["not", "bvnot", "bvneg", "unary_minus", "int2real", "real2int"]
_BINARY = [
    "xor",
    "implies",
    "eq",
    *WORD_BINARY,
    "bvult",
    "bvule",
    "bvslt",
    "bvsle",
    "concat",
    "div",
    "mod",
    "lt",
    "le",
    "select",
    "const_array",
    "array_sort",
]
_TERNARY = ["ite", "store"]
_MANY = ["and", "or", "add", "mul", "sub"]

_SIGNATURES = {
    **{f"Z3_mk_{name}": "pp" for name in _NULLARY},
    **{f"Z3_mk_{name}": "ppp" for name in _UNARY},
    **{f"Z3_mk_{name}": "pppp" for name in _BINARY},
    **{f"Z3_mk_{name}": "ppppp" for name in _TERNARY},
    **{f"Z3_mk_{name}": "ppup" for name in _MANY},
    "Z3_mk_config": "p",
    "Z3_del_config": "vp",
    "Z3_mk_context_rc": "pp",
    "Z3_set_error_handler": "vpp",
    "Z3_set_ast_print_mode": "vpi",
    "Z3_get_error_code": "ip",
    "Z3_get_error_msg": "spi",
    "Z3_toggle_warning_messages": "vb",
    "Z3_global_param_reset_all": "v",
    "Z3_inc_ref": "vpp",
    "Z3_dec_ref": "vpp",
    # sorts, symbols, terms
    "Z3_mk_bv_sort": "ppu",
    "Z3_mk_int_symbol": "ppi",
    "Z3_mk_string_symbol": "pps",
    "Z3_mk_const": "pppp",
    "Z3_mk_fresh_const": "ppsp",
    "Z3_mk_bound": "ppup",
    "Z3_mk_func_decl": "pppupp",
    "Z3_mk_fresh_func_decl": "ppsupp",
    "Z3_mk_app": "pppup",
    "Z3_mk_numeral": "ppsp",
    "Z3_mk_unsigned_int64": "ppQp",
    "Z3_mk_bv_numeral": "ppup",
    "Z3_mk_extract": "ppuup",
    "Z3_mk_zero_ext": "ppup",
    "Z3_mk_sign_ext": "ppup",
    "Z3_substitute": "pppupp",
    "Z3_substitute_vars": "pppup",
    "Z3_substitute_funs": "pppupp",
    # looking into terms
    "Z3_get_ast_id": "upp",
    "Z3_get_ast_kind": "ipp",
    "Z3_get_sort": "ppp",
    "Z3_get_app_decl": "ppp",
    "Z3_get_app_num_args": "upp",
    "Z3_get_app_arg": "pppu",
    "Z3_get_decl_name": "ppp",
    "Z3_get_decl_kind": "ipp",
    "Z3_get_domain_size": "upp",
    "Z3_get_domain": "pppu",
    "Z3_get_symbol_kind": "ipp",
    "Z3_get_symbol_int": "ipp",
    "Z3_get_symbol_string": "spp",
    "Z3_is_quantifier_forall": "bpp",
    "Z3_is_quantifier_exists": "bpp",
    "Z3_get_quantifier_num_bound": "upp",
    "Z3_get_quantifier_bound_sort": "pppu",
    "Z3_get_quantifier_body": "ppp",
    "Z3_ast_to_string": "spp",
    # solvers
    "Z3_mk_solver": "pp",
    "Z3_mk_simple_solver": "pp",
    "Z3_mk_solver_for_logic": "ppp",
    "Z3_solver_inc_ref": "vpp",
    "Z3_solver_dec_ref": "vpp",
    "Z3_solver_set_params": "vppp",
    "Z3_solver_assert": "vppp",
    "Z3_solver_push": "vpp",
    "Z3_solver_pop": "vppu",
    "Z3_solver_check": "ipp",
    "Z3_solver_check_assumptions": "ippup",
    "Z3_solver_from_string": "vpps",
    "Z3_solver_get_assertions": "ppp",
    "Z3_solver_get_model": "ppp",
    "Z3_solver_get_unsat_core": "ppp",
    "Z3_solver_get_reason_unknown": "spp",
    "Z3_solver_get_statistics": "ppp",
    "Z3_stats_inc_ref": "vpp",
    "Z3_stats_dec_ref": "vpp",
    "Z3_stats_size": "upp",
    "Z3_stats_get_key": "sppu",
    "Z3_stats_get_uint_value": "uppu",
    "Z3_mk_params": "pp",
    "Z3_params_inc_ref": "vpp",
    "Z3_params_dec_ref": "vpp",
    "Z3_params_set_uint": "vpppu",
    # models
    "Z3_model_inc_ref": "vpp",
    "Z3_model_dec_ref": "vpp",
    "Z3_model_eval": "bpppbp",
    "Z3_model_get_const_interp": "pppp",
    "Z3_get_bool_value": "ipp",
    "Z3_is_numeral_ast": "bpp",
    "Z3_get_numeral_int64": "bppp",
    "Z3_get_numeral_string": "spp",
    "Z3_get_numeral_binary_string": "spp",
    "Z3_get_as_array_func_decl": "ppp",
    "Z3_model_get_func_interp": "pppp",
    "Z3_func_interp_inc_ref": "vpp",
    "Z3_func_interp_dec_ref": "vpp",
    "Z3_func_interp_get_num_entries": "upp",
    "Z3_func_interp_get_entry": "pppu",
    "Z3_func_interp_get_else": "ppp",
    "Z3_func_entry_inc_ref": "vpp",
    "Z3_func_entry_dec_ref": "vpp",
    "Z3_func_entry_get_arg": "pppu",
    "Z3_func_entry_get_value": "ppp",
    # vectors, goals, text
    "Z3_ast_vector_inc_ref": "vpp",
    "Z3_ast_vector_dec_ref": "vpp",
    "Z3_ast_vector_size": "upp",
    "Z3_ast_vector_get": "pppu",
    "Z3_parse_smtlib2_string": "ppsuppupp",
    "Z3_mk_goal": "ppbbb",
    "Z3_goal_inc_ref": "vpp",
    "Z3_goal_dec_ref": "vpp",
    "Z3_goal_assert": "vppp",
    "Z3_mk_probe": "pps",
    "Z3_probe_inc_ref": "vpp",
    "Z3_probe_apply": "dppp",
}

Z3_TRUE, Z3_UNKNOWN = 1, 0  # Z3_lbool
APP_AST, QUANTIFIER_AST = 1, 3  # Z3_ast_kind
INT_SYMBOL = 0
SMTLIB2_COMPLIANT = 2  # Z3_ast_print_mode
OP_AND, OP_OR, OP_NOT, OP_IMPLIES = 0x105, 0x106, 0x109, 0x10A  # Z3_decl_kind
OP_STORE, OP_CONST_ARRAY, OP_AS_ARRAY = 0x300, 0x302, 0x30A
MEMOUT_FAIL = 7  # Z3_error_code
ENDLESS = (1 << 32) - 1  # Z3's own word for "no limit", of milliseconds and of resources; it counts up to here

z3 = Library(["z3"], "libz3", _SIGNATURES)


class Z3Error(RuntimeError):
    """Z3 refuses a call."""


def new_context() -> int:
    """A context that is never freed: that takes minutes after deep terms."""
    config = z3.Z3_mk_config()
    context: int = z3.Z3_mk_context_rc(config)
    z3.Z3_del_config(config)
    z3.Z3_set_error_handler(context, None)  # the one that is there ends the process
    z3.Z3_set_ast_print_mode(context, SMTLIB2_COMPLIANT)
    return context


@cache
def reading_context() -> int:
    """The context of second readers, one for all of them: engines ask in another."""
    return new_context()


def complaint(context: int) -> Exception | None:
    """What the last call left behind."""
    code = z3.Z3_get_error_code(context)
    if not code:
        return None
    return MemoryError() if code == MEMOUT_FAIL else Z3Error(z3.Z3_get_error_msg(context, code).decode(errors="replace"))


def require_no_error(context: int) -> None:
    """Raise what the last call left behind, if it did."""
    if (error := complaint(context)) is not None:
        raise error


def checked(context: int, result: Any) -> Any:
    """``result``, unless it is null."""
    if not result:
        raise complaint(context) or Z3Error("no answer")
    return result


def set_limit(context: int, solver: int, name: bytes, limit: int) -> None:
    """How much each of the following questions may take: milliseconds (``timeout``), units of resources (``rlimit``)."""
    parameters = z3.Z3_mk_params(context)
    z3.Z3_params_inc_ref(context, parameters)
    z3.Z3_params_set_uint(context, parameters, z3.Z3_mk_string_symbol(context, name), limit)
    z3.Z3_solver_set_params(context, solver, parameters)
    z3.Z3_params_dec_ref(context, parameters)


_counted: dict[int, int] = {}  # by context: units of resources that the work clock knows about


def note_resources(context: int, solver: int) -> None:
    """Tell the work clock what a question took; Z3 counts its units for all solvers of a context together."""
    counts = z3.Z3_solver_get_statistics(context, solver)
    z3.Z3_stats_inc_ref(context, counts)
    for i in reversed(range(z3.Z3_stats_size(context, counts))):
        if z3.Z3_stats_get_key(context, counts, i) == b"rlimit count":
            count = z3.Z3_stats_get_uint_value(context, counts, i)
            tally[Z3_UNIT] += count - _counted.get(context, 0) & ENDLESS
            _counted[context] = count
            break
    z3.Z3_stats_dec_ref(context, counts)

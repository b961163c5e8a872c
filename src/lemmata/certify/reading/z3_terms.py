"""What z3 has read, as values of Python: ``Z3Term`` is a term, a sort or a symbol, counted as long as somebody has it.

z3's own classes would do the same, but take longer to import than most files take to check.
"""

from __future__ import annotations

from ctypes import byref, c_void_p
from typing import Any

from lemmata.solvers.foreign import handles
from lemmata.solvers.z3_library import APP_AST, INT_SYMBOL, QUANTIFIER_AST, checked, require_no_error, z3


class Z3Term:
    """One handle; equal terms of one context have equal handles."""

    __slots__ = ("context", "handle")

    def __init__(self, context: int, handle: int | None) -> None:
        """``Z3Error`` where there is no handle."""
        self.context = context
        self.handle: int = checked(context, handle)
        z3.Z3_inc_ref(context, self.handle)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            z3.Z3_dec_ref(self.context, self.handle)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Z3Term) and self.handle == other.handle and self.context == other.context

    def __hash__(self) -> int:
        return hash(self.handle)

    def __str__(self) -> str:
        text: bytes = checked(self.context, z3.Z3_ast_to_string(self.context, self.handle))
        return text.decode(errors="replace")

    @property
    def sort(self) -> Z3Term:
        """Of a term."""
        return Z3Term(self.context, z3.Z3_get_sort(self.context, self.handle))

    @property
    def symbol(self) -> Z3Term:
        """The operator, function or constant that a term begins with."""
        return Z3Term(self.context, z3.Z3_get_app_decl(self.context, self.handle))

    @property
    def operator(self) -> int | None:
        """The number of the operator that a term begins with, if it begins with one."""
        if z3.Z3_get_ast_kind(self.context, self.handle) != APP_AST:
            return None
        return int(z3.Z3_get_decl_kind(self.context, z3.Z3_get_app_decl(self.context, self.handle)))

    @property
    def arguments(self) -> list[Z3Term]:
        """Those of a term."""
        return [self.argument(i) for i in range(z3.Z3_get_app_num_args(self.context, self.handle))]

    def argument(self, i: int) -> Z3Term:
        """One of them."""
        return Z3Term(self.context, z3.Z3_get_app_arg(self.context, self.handle, i))

    @property
    def name(self) -> str:
        """Of a symbol."""
        name = z3.Z3_get_decl_name(self.context, self.handle)
        if z3.Z3_get_symbol_kind(self.context, name) == INT_SYMBOL:
            return f"k!{z3.Z3_get_symbol_int(self.context, name)}"
        text: bytes = z3.Z3_get_symbol_string(self.context, name)
        return text.decode(errors="surrogateescape")

    @property
    def domain(self) -> list[Z3Term]:
        """The sorts of a symbol's arguments."""
        size = z3.Z3_get_domain_size(self.context, self.handle)
        return [Z3Term(self.context, z3.Z3_get_domain(self.context, self.handle, i)) for i in range(size)]

    def __call__(self, *arguments: Z3Term) -> Z3Term:
        """A symbol applied."""
        given = handles([argument.handle for argument in arguments])
        return Z3Term(self.context, z3.Z3_mk_app(self.context, self.handle, len(arguments), given))

    @property
    def is_forall(self) -> bool | None:
        """Which quantifier a term begins with; ``None`` if with none of the two."""
        if z3.Z3_get_ast_kind(self.context, self.handle) != QUANTIFIER_AST:
            return None
        if z3.Z3_is_quantifier_forall(self.context, self.handle):
            return True
        return False if z3.Z3_is_quantifier_exists(self.context, self.handle) else None

    @property
    def bound_sorts(self) -> list[Z3Term]:
        """Of the variables of a quantifier."""
        count = z3.Z3_get_quantifier_num_bound(self.context, self.handle)
        return [Z3Term(self.context, z3.Z3_get_quantifier_bound_sort(self.context, self.handle, i)) for i in range(count)]

    @property
    def body(self) -> Z3Term:
        """Of a quantifier."""
        return Z3Term(self.context, z3.Z3_get_quantifier_body(self.context, self.handle))


class Z3Model:
    """A model of formulas."""

    __slots__ = ("_context", "_handle")

    def __init__(self, context: int, handle: int | None) -> None:
        self._context = context
        self._handle = checked(context, handle)
        z3.Z3_model_inc_ref(context, self._handle)

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            z3.Z3_model_dec_ref(self._context, self._handle)

    def value(self, term: Z3Term) -> Z3Term:
        """What a term is worth; what the model leaves open has some value."""
        found = c_void_p()
        if not z3.Z3_model_eval(self._context, self._handle, term.handle, True, byref(found)):
            checked(self._context, None)
        return Z3Term(self._context, found.value)


def vector_of(context: int, handle: Any) -> list[Z3Term]:
    """The terms of a vector; ``Z3Error`` if the call that answered with it complained."""
    require_no_error(context)
    z3.Z3_ast_vector_inc_ref(context, checked(context, handle))
    try:
        return [
            Z3Term(context, z3.Z3_ast_vector_get(context, handle, i)) for i in range(z3.Z3_ast_vector_size(context, handle))
        ]
    finally:
        z3.Z3_ast_vector_dec_ref(context, handle)

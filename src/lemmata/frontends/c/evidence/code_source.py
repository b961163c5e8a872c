"""``code_source``: what has to be added to a program so that a compiler makes something of it that runs."""

from __future__ import annotations

from pathlib import Path

from lemmata.frontends.c import library
from lemmata.frontends.c.translate.unit import FunctionName, GlobalObject, TranslationUnit
from lemmata.frontends.c.types import ArrayType, BitField, CType, Floating, Integer, Pointer, Signature, Structure, Void
from lemmata.frontends.c.types.declarations import adjusted, points_to_const
from lemmata.models.code import CodeFunction, CodeSource, Spot

_HEADERS = Path(__file__).parents[1] / "headers"
_OURS = ("seahorn/seahorn.h",)  # of our headers those that compilers do not have
_LIBC = frozenset({"assert", *library.PRINTS})  # that need no definition where a header declares them


def code_source(unit: TranslationUnit, entry: str) -> CodeSource:
    """Of a program that was translated as a whole."""
    main = unit.functions.get("main")
    errors: list[tuple[str, Spot]] = []
    for name in unit.wanted.errors:
        function = unit.functions.get(name)
        if function is not None and function.definition is not None:
            spot = unit.text.spot(unit.at.of(function.definition.body))
            if spot is not None:
                errors.append((name, spot))
    labels = [spot for at in unit.error_labels if (spot := unit.text.spot(at)) is not None]
    parameters = unit.functions[entry].type.parameters or ()
    externs = [s for s in unit.used if s.is_extern and _is_users(unit, s) and isinstance(s.type, Integer)]
    return CodeSource(
        unit.text.file,
        tuple([made for name, role in unit.called.items() if (made := _function(unit, name, role)) is not None]),
        tuple(unit.free_names),
        tuple(errors),
        tuple(labels),
        entry,
        tuple([(declared(adjusted(kind), ""), _parameter(unit, entry, n)) for n, kind in enumerate(parameters)]),
        main is not None and main.definition is not None,
        tuple([(s.name, str(s.type)) for s in externs]),
        _OURS,
        "-fsanitize=signed-integer-overflow -fno-sanitize-recover" if unit.wanted.overflow else "",
        unit.options.data_model,
        tuple([name for name, writes in unit.undefined.items() if writes]),
    )


def _is_users(unit: TranslationUnit, symbol: GlobalObject) -> bool:
    return unit.text.spot(unit.at.of(symbol.node)) is not None


def _parameter(unit: TranslationUnit, entry: str, position: int) -> str:
    definition = unit.functions[entry].definition
    assert definition is not None
    return getattr(definition.decl.type.args.params[position], "name", None) or "unnamed"


def _function(unit: TranslationUnit, name: str, role: str) -> CodeFunction | None:
    """A definition for a function that has none; ``None`` where the compiler knows the function."""
    function = unit.functions.get(name)
    if function is not None and function.definition is not None:
        return None
    if function is None:
        results = {"nondet": declared(library.nondet_type(name, unit.data), ""), "stub": "int"}
        result = results.get(role, "void")
        text = f"void {name}(int condition, ...)" if role in ("assume", "assert") else f"{result} {name}()"
        return CodeFunction(name, role, text, result, is_declared=False)
    file = Path(unit.at.place(function.declared).file) if function.declared is not None else Path()
    is_ours = any(file == _HEADERS / header for header in _OURS)
    if file.is_relative_to(_HEADERS) and not is_ours and (name in _LIBC or role == "stub"):
        return None
    return CodeFunction(name, role, _header(function), declared(function.type.result, ""), is_declared=not is_ours)


def _header(function: FunctionName) -> str:
    """``int f(int condition, char *p1)``."""
    kind = function.type
    if kind.parameters is None:
        inside = ""
    else:
        names = [_parameter_text(function, n, parameter) for n, parameter in enumerate(kind.parameters)]
        inside = ", ".join([*names, *(["..."] if kind.is_variadic else [])]) or "void"
    return declared(kind.result, f"{function.name}({inside})")


def _parameter_text(function: FunctionName, position: int, kind: CType) -> str:
    text = declared(kind, f"p{position}" if position else "condition")
    is_plain = isinstance(kind, Pointer) and not isinstance(kind.target, Pointer)
    return f"const {text}" if is_plain and points_to_const(function.declared, position) else text


def declared(kind: CType, name: str) -> str:
    """A declaration of ``name`` with that type (6.7.6)."""
    match kind:
        case Pointer(target):
            inner = f"*{name}"
            return declared(target, f"({inner})" if isinstance(target, ArrayType | Signature) else inner)
        case ArrayType(element, length):
            return declared(element, f"{name}[{'' if length is None else length}]")
        case Signature(result, parameters):
            inside = ", ".join([declared(p, "") for p in parameters or ()]) or ("" if parameters is None else "void")
            return declared(result, f"{name}({inside})")
        case Structure():
            return f"{kind} {name}".rstrip()
        case Integer(spelled) | Floating(spelled):
            return f"{spelled} {name}".rstrip()
        case BitField(spelled_type):
            return f"{spelled_type} {name}".rstrip()
        case Void():
            return f"void {name}".rstrip()

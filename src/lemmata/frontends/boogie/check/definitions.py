"""Functions with bodies are read as abbreviations, so no body may come back to its own function."""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import Apply, Expression, Function, parts


def check_definitions(source: SourceText, functions: Mapping[str, Function]) -> None:
    """Refuse recursive definitions: those that are left when functions whose callees are all in order are taken away."""
    uses = {name: _used(function.body) for name, function in functions.items() if function.body is not None}
    users: dict[str, list[str]] = {name: [] for name in uses}
    open_uses: dict[str, int] = {}
    for name, used in uses.items():
        inner = [callee for callee in used if callee in uses]
        open_uses[name] = len(inner)
        for callee in inner:
            users[callee].append(name)
    ready = [name for name, count in open_uses.items() if count == 0]
    while ready:
        name = ready.pop()
        del open_uses[name]
        for user in users[name]:
            open_uses[user] -= 1
            if open_uses[user] == 0:
                ready.append(user)
    for name in open_uses:
        if name in _reached(name, uses):
            cause = f"the function '{name}' is defined by itself: recursive functions are not supported"
            raise source.unsupported(functions[name].at, cause)


def _used(body: Expression) -> list[str]:
    """The functions in an expression, each once."""
    found: dict[str, None] = {}
    stack = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, Apply):
            found[node.function] = None
        stack += parts(node)
    return list(found)


def _reached(start: str, uses: Mapping[str, list[str]]) -> set[str]:
    reached: set[str] = set()
    stack = [start]
    while stack:
        for callee in uses.get(stack.pop(), ()):
            if callee not in reached:
                reached.add(callee)
                stack.append(callee)
    return reached

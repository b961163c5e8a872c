"""No two public things have one name, and engines are named in one place.

A public name is a class, a function or a value at the top level of a module without a leading underscore. Methods do not count:
implementing a protocol means having its names.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from lemmata.engines.names import LIA_TEXTBOOK, TEXTBOOK, THESIS, WORD
from lemmata.engines.registry import ENGINES
from tests.support.paths import ROOT


def public_names(source: str) -> Iterator[str]:
    """The names that a module defines for others."""
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                found = [name]
            case ast.Assign(targets=targets):
                found = [
                    part.id
                    for target in targets
                    for part in ast.walk(target)
                    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
                ]
            case ast.AnnAssign(target=ast.Name(id=name)):
                found = [name]
            case _:
                found = []
        yield from (name for name in found if not name.startswith("_"))


def collisions(root: Path) -> dict[str, list[str]]:
    """The modules that define a name, for each name that more than one defines."""
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for name in dict.fromkeys(public_names(path.read_text(encoding="utf-8"))):
            homes[name].append(str(path.relative_to(root)))
    return {name: paths for name, paths in homes.items() if len(paths) > 1}


OTHER_WORDS = {  # the same word, where the names of engines cannot be asked, or for something that is no engine
    "pdr": {"config.py", "bench/peers.py"},  # a checker of traces; ABC's command
    "bmc": {"bench/btormc.py", "run/sby/job.py", "run/sby/tasks.py"},  # btormc's command; a mode of SymbiYosys
    "traces": {"config.py"},  # a preset of explain, as are the textbooks and the thesis
    **{name: {"config.py"} for name in (TEXTBOOK, LIA_TEXTBOOK, THESIS)},
}


def test_the_name_of_an_engine_is_spelled_once() -> None:
    root = ROOT / "src" / "lemmata"
    names = {*ENGINES, TEXTBOOK, LIA_TEXTBOOK, THESIS} - {WORD}  # a kind of token, too
    homes: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in names:
                homes[str(node.value)].add(str(path.relative_to(root)))
    assert homes == {name: {"engines/names.py"} | OTHER_WORDS.get(name, set()) for name in names}


def test_verdicts_come_out_of_the_flow_alone() -> None:
    root = ROOT / "src" / "lemmata"
    calls = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Settled"
    }
    assert calls == {"run/flow.py"}


def test_no_two_public_things_have_one_name() -> None:
    assert collisions(ROOT / "src" / "lemmata") == {}


QUANTITIES = {
    *(
        "ALONE",
        "BIG",
        "DEEP",
        "DEEPEST",
        "EASY",
        "FAR",
        "FARTHEST",
        "FEW",
        "FIRST",
        "GROWTH",
        "HIGHEST",
        "IDLE",
        "KEPT",
        "LARGE",
    ),
    *("LARGEST", "LAST", "LATER", "LEAST", "LONG", "LONGEST", "LOOK", "MANY", "MORE", "MOST", "OFTEN", "PATIENCE", "RENEW"),
    *("SHORT", "SHOWN", "SIZE", "SMALL", "TOO", "TRIES", "VERY", "WIDE"),
}
NOT_YET = ("frontends/verilog/",)  # where some have such names still


def numbers(source: str) -> Iterator[str]:
    """The names at the top of a module that stand for a number, or for several."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            parts = [part for part in ast.walk(node.value) if isinstance(part, ast.expr)]
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            values = [part.value for part in parts if isinstance(part, ast.Constant)]
            is_number = all(isinstance(part, ast.Constant | ast.BinOp | ast.UnaryOp | ast.Tuple) for part in parts)
            if is_number and all(type(value) in (int, float) for value in values):
                yield from (part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))


def test_the_name_of_a_number_says_what_it_counts() -> None:
    root = ROOT / "src" / "lemmata"
    paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*.py")}
    named = {(home, name) for home, path in paths.items() for name in numbers(path.read_text(encoding="utf-8"))}
    bare = {(home, name) for home, name in named if set(name.strip("_").split("_")) <= QUANTITIES}
    assert sorted((home, name) for home, name in bare if not home.startswith(NOT_YET)) == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("class A:\n    def f(self): ...", ["A"]),
        ("def f(): x = 1", ["f"]),
        ("A, (b, _c) = 1, (2, 3)", ["A", "b"]),
        ("A: int = 1\n_B: int = 2", ["A"]),
        ("from x import y\n_T = y", []),
    ],
)
def test_public_names_are_what_a_module_defines(source: str, names: list[str]) -> None:
    assert list(public_names(source)) == names


def test_a_collision_is_found(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.py").write_text("class Way: ...\nclass Other: ...\n", encoding="utf-8")
    (tmp_path / "inner" / "b.py").write_text("Way = int\n_Other = str\n", encoding="utf-8")
    assert collisions(tmp_path) == {"Way": ["a.py", "inner/b.py"]}

"""Where things are: tests beside the package that they test, and what they share in none of them; engines and front ends in
packages that the contracts of ``pyproject.toml`` know.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT

TESTS, PACKAGE = ROOT / "tests", ROOT / "src" / "lemmata"
OWN = {"support", "scaling", "soak", "fuzz", "seeded", "whole"}  # folders of tests that mirror no package


def imported(text: str) -> Iterator[str]:
    """Every module that a text imports, and every name that it takes from one, with dots."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (f"{module}.{name.name}" for name in node.names)


def imported_tests(text: str) -> list[str]:
    """The imports that go to a module of tests."""
    return [name for name in imported(text) if any(part.startswith("test_") for part in name.split("."))]


def python_files() -> list[Path]:
    return sorted(path.relative_to(TESTS) for path in TESTS.rglob("*.py"))


def test_nothing_imports_from_a_test() -> None:
    found = {
        str(path): names for path in python_files() if (names := imported_tests((TESTS / path).read_text(encoding="utf-8")))
    }
    assert not found, "what is shared belongs into tests/support"


@pytest.mark.parametrize(
    "text",
    ["from tests.run.test_x import y", "import tests.run.test_x", "from tests.run import test_x as z", "from .test_x import y"],
)
def test_an_import_from_a_test_is_seen_however_it_is_written(text: str) -> None:
    assert imported_tests(f"def later():\n    {text}\n")


def test_folders_mirror_the_packages() -> None:
    folders = {path.parts[0] for path in python_files() if len(path.parts) > 1}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders - OWN <= packages
    assert folders >= OWN


def test_tests_are_in_folders_of_packages_and_nothing_else_is() -> None:
    for path in python_files():
        folder, is_test = path.parts[0], path.name.startswith("test_")
        if path.name not in ("__init__.py", "conftest.py"):
            assert is_test == (folder not in OWN - {"whole"}), path
        assert len(path.parts) == 2 or path.name == "conftest.py" or path.name == "__init__.py", path


def test_no_name_repeats_its_folder() -> None:
    assert [str(path) for path in python_files() if path.name.startswith(f"test_{path.parts[0]}_")] == []


def independent(name: str) -> set[str]:
    """The modules of a contract of independence."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    (modules,) = (contract["modules"] for contract in contracts if contract["name"] == name)
    return set(modules)


def packages_of(package: str) -> set[str]:
    return {f"lemmata.{package}.{path.parent.name}" for path in (PACKAGE / package).glob("*/__init__.py")}


def test_every_family_of_engines_is_independent() -> None:
    assert packages_of("engines") == independent("families of engines are independent")


def test_every_front_end_is_independent_but_for_what_several_share() -> None:
    shared = {f"lemmata.frontends.{name}" for name in ("programs", "smtlib")}
    assert packages_of("frontends") - shared == independent("front ends are independent")

"""What the pages and the module docstrings name exists: files, modules, links, targets of make, options, engines.

A page may name a file by its path from the repository or by any end of that path. A docstring names modules in double
backticks: by the dotted path from ``lemmata``, or from a package around it.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import lemmata
from lemmata.cli.check import check_command
from lemmata.config import ExplainPresetName
from lemmata.run.options import ENGINES

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "lemmata"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
LINK = re.compile(r"(?<!`)\]\((?!\w+:)([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
DOUBLE = re.compile(r"``((?:[^`]|`(?!`))+)``")
SUFFIXES = (".py", ".md", ".csv", ".yaml", ".yml", ".toml", ".txt")
# Words that look like paths or modules and are none: files that a run writes or a user has, names of others, words of formats.
OTHER_FILES = {
    *(
        "results.csv",
        "index.csv",
        "report.json",
        "report.md",
        "report.html",
        "files.md",
        "corrections.csv",
        "bug.txt",
        "run.json",
        "events.jsonl",
        "proof.aag",
    ),
    *("proof-0.aag", "proof-1.aag", "proof-2.aag", "model.aig", "pysat.solvers", "time.monotonic", "ctypes.util.find_library"),
    *("fp.spacer.global", "run.supervise", "bench-welp/files.md"),
    "lemmata.solvers._native",  # is there where it was compiled
}
OTHER_FOLDERS = {"logs/", "bugs/", "bench-out/programs", "bench-out/thesis", "build/site", "generator/"}
WORDS = {
    *(
        "is",
        "with",
        "or",
        "true",
        "false",
        "break",
        "goto",
        "havoc",
        "safe",
        "unsafe",
        "aag",
        "aig",
        "justice",
        "fair",
        "one",
        "ones",
    ),
    *("zero", "constd", "consth", "undc", "plots", "jsonl", "lifted", "libboolector", "l3", "n12_3", "state12", "input7"),
    *(
        "end_0",
        "end_1",
        "ite",
        "mod",
        "div",
        "and",
        "fold",
        "input",
        "rule",
        "query",
        "requires",
        "base",
        "shortest",
        "lemmata",
    ),
    *get_args(ExplainPresetName),
}


@cache
def modules() -> dict[str, Path]:
    """All modules and packages by their dotted path from ``lemmata``."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def definitions(module: str) -> frozenset[str]:
    """Names that a module defines or imports: functions, classes, their members, parameters, constants."""
    names: set[str] = set()
    for node in nodes(module):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.add(other or name)
    return frozenset(names)


@cache
def words(module: str) -> frozenset[str]:
    """All words of a module's code: names, attributes, and texts that are one word."""
    names: set[str] = set(definitions(module))
    for node in nodes(module):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                names.add(name)
            case ast.Constant(value=str(name)):
                names.add(name)
    return frozenset(names)


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


@cache
def nodes(module: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(module)))


def package_of(module: str) -> str:
    return module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]


def around(package: str) -> list[str]:
    """The package itself and those that it is in, up to ``lemmata``, which is ""."""
    parts = package.split(".") if package else []
    return [".".join(parts[:length]) for length in range(len(parts), -1, -1)]


def resolves(name: str) -> bool:
    """Is this a module, or something that a module defines?"""
    parts = name.removeprefix("lemmata.").split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        if module in modules():
            return length == len(parts) or parts[length] in definitions(module)
    return False


def is_file(name: str) -> bool:
    """Does a file or folder of the repository have this path, or end with it?"""
    if any((base / name).exists() for base in (ROOT, SOURCE)):
        return True
    return name.rstrip("/") in endings()


@cache
def endings() -> frozenset[str]:
    """Every path of a file or folder here, and every part of it from some folder on."""
    roots = (SOURCE, ROOT / "tests", ROOT / "docs", ROOT / "examples", ROOT / ".ci")
    paths = [path.relative_to(ROOT).parts for root in roots for path in root.rglob("*")]
    return frozenset("/".join(parts[start:]) for parts in paths if "__pycache__" not in parts for start in range(len(parts)))


def prose(page: Path) -> str:
    """The text of a page without its blocks of code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def spans(page: Path) -> set[str]:
    return set(SPAN.findall(prose(page)))


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_a_page_names_exist(page: Path) -> None:
    named = {span for span in spans(page) if re.fullmatch(r"[\w.*-]+(/[\w.-]+)*/?", span)}
    paths = {span for span in named if span.endswith((*SUFFIXES, "/")) or span.startswith(("src/", "tests/", "docs/"))}
    paths = {span for span in paths if not span.startswith((".", "*"))}
    assert sorted(path for path in paths - OTHER_FILES - OTHER_FOLDERS if not is_file(path)) == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_modules_that_a_page_names_exist(page: Path) -> None:
    tops = {module.partition(".")[0] for module in modules() if module and package_of(module) == module} | {"lemmata", "config"}
    dotted = {span for span in spans(page) if re.fullmatch(r"[a-z_]\w*(\.\w+)+", span)}
    named = {span for span in dotted if span.partition(".")[0] in tops and not span.endswith(SUFFIXES)} - OTHER_FILES
    assert sorted(name for name in named if not resolves(name) and not is_public(name)) == []


def is_public(name: str) -> bool:
    return name.startswith("lemmata.") and hasattr(lemmata, name.split(".")[1])


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    broken = []
    for link in LINK.findall(prose(page)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@cache
def anchors(page: Path) -> frozenset[str]:
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_targets_of_make_exist(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    lines = [line for block in FENCED.findall(text) for line in block.splitlines()] + SPAN.findall(
        prose(page).replace("\n", " ")
    )
    calls = [match[1] for line in lines if (match := re.match(r"make ((?:[a-z-]+\b(?!=) ?)+)", line))]
    assert {word for call in calls for word in call.split()} - targets == set()


def test_every_package_has_its_line_in_the_architecture() -> None:
    table = re.findall(
        r"^\|[^|]*\| (`[^|]*`) \|", (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    named = [span.rstrip("/") for cell in table for span in SPAN.findall(cell) if span.endswith("/")]
    packages = sorted(path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("__init__.py"))
    assert sorted(named) == [package for package in packages if package != "."]


def test_the_python_page_has_every_keyword_every_engine_and_every_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    keywords = set(inspect.signature(lemmata.check).parameters) - {"source"}
    assert {word for word in keywords if f"`{word}`" not in page} == set()
    assert {engine for engine in ENGINES if f'"{engine}"' not in page} == set()
    assert {name for name in lemmata.__all__ if not re.search(rf"\b{name}\b", page)} == set()


def test_the_page_of_options_has_every_option_of_check_and_no_other() -> None:
    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8").partition("## Exit codes")[0]
    rows = set(re.findall(r"^\| `(--[\w-]+)`", page, re.MULTILINE))
    options = {name for option in check_command.params for name in option.opts if name.startswith("--")}
    assert rows == options - {"--help"}


def test_every_decision_has_a_status_and_a_row() -> None:
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs" / "adr").glob("0*.md"):
        assert re.search(
            r"^Status: (proposed|accepted|superseded by \[ADR \d+\])", page.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert f"({page.name})" in index


@pytest.mark.parametrize("module", sorted(modules()), ids=lambda name: name or "lemmata")
def test_modules_that_a_docstring_names_exist(module: str) -> None:
    everywhere = [node for node in nodes(module) if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)]
    texts = [text for node in everywhere if (text := ast.get_docstring(node))]
    own = ast.get_docstring(tree(module)) or ""
    unknown = [name for text in texts for name in DOUBLE.findall(text) if not is_known(name, module, is_own=text == own)]
    assert unknown == []


def is_known(name: str, module: str, is_own: bool) -> bool:
    if name in WORDS | OTHER_FILES | OTHER_FOLDERS:
        return True
    package = package_of(module)
    if re.fullmatch(r"\w+(/[\w.]+)+/?", name) and not name[0].isdigit():
        return is_file(name)
    if re.fullmatch(r"[a-z_]\w*(\.\w+)+", name):
        return is_known_path(name, module, package)
    if is_own and re.fullmatch(r"[a-z][a-z0-9_]+", name):
        inside = [f"{outer}.{name}".strip(".") for outer in around(package)]
        siblings = [other for other in modules() if other.rpartition(".")[0] == package]
        is_defined = name in words(module) or any(name in definitions(other) for other in siblings)
        return is_defined or any(path in modules() for path in inside)
    return True


def is_known_path(name: str, module: str, package: str) -> bool:
    """A dotted path from ``lemmata`` or from a package around; a file; or an attribute of something in this module."""
    head = name.partition(".")[0]
    if is_file(name) or is_public(name) or any(resolves(f"{outer}.{name}".strip(".")) for outer in around(package)):
        return True
    return head not in modules() and head in words(module)

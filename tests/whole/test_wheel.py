"""What is installed: every dependency has both ends of its range, and this environment keeps them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import lemmata
from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
WANTED = [one for group in (PROJECT["dependencies"], *EXTRAS.values()) for one in group if not one.startswith("lemmata[")]
RANGE = re.compile(r"(?P<name>[\w-]+)>=(?P<lowest>[\w.]+),(<=?)(?P<end>[\w.]+)")


def test_every_requirement_has_a_lowest_version_and_an_end() -> None:
    assert len(WANTED) >= 14
    assert [one for one in WANTED if not RANGE.fullmatch(one)] == []


def test_the_lowest_versions_are_those_of_the_project() -> None:
    done = subprocess.run([sys.executable, ROOT / ".ci" / "lowest.py"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [re.sub(RANGE, r"\g<name>==\g<lowest>", one) for one in WANTED]


def test_the_constraints_of_make_pin_every_requirement() -> None:
    pinned = {line.partition("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert {RANGE.fullmatch(one)["name"] for one in WANTED} <= pinned


def test_what_is_imported_is_what_is_installed() -> None:
    assert metadata.version("lemmata") == lemmata.__version__


def test_every_module_can_be_imported() -> None:
    modules = [path.relative_to(Path(lemmata.__file__).parent) for path in Path(lemmata.__file__).parent.rglob("*.py")]
    names = ["lemmata." + ".".join(path.with_suffix("").parts) for path in modules]
    plain = sorted(
        name.removesuffix(".__init__")
        for name in names
        if not name.endswith(("__main__", "yices_backend", "yices_library", "lemmata.__init__"))
    )
    done = subprocess.run([sys.executable, "-c", "import " + ", ".join(plain)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(plain) > 400

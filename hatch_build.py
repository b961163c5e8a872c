"""Compiles the native core (``native/*.c``) into ``lemmata.solvers._native``; without a C compiler the wheel goes without.

Hatchling calls ``NativeHook`` for wheels and for editable installs; ``python hatch_build.py [--to SRC] [FLAGS]`` compiles into
a tree.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # called as a program
    BuildHookInterface = object  # type: ignore[assignment, misc]

ROOT = Path(__file__).resolve().parent
MODULE = "lemmata/solvers/_native.abi3.so"
FLAGS = ("-std=c11", "-O2", "-DNDEBUG", "-D_POSIX_C_SOURCE=200809L", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra")


def compile_module(target: Path, *more: str) -> str | None:
    """Compile to ``target``; why it did not work, or ``None``."""
    if os.name != "posix":
        return "no recipe for this system"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    link = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    sources = [str(path) for path in sorted((ROOT / "native").glob("*.c"))]
    include = f"-I{sysconfig.get_path('include')}"
    part = target.with_suffix(".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [*compiler, *FLAGS, *more, include, *link, "-o", str(part), *sources]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        cause = (done.stderr.strip().splitlines() or ["the compiler failed"])[0] if done.returncode else None
    except OSError as error:
        cause = str(error)
    if cause is not None:
        target.unlink(missing_ok=True)  # one of other sources, perhaps
        return cause
    if done.stderr:
        print(done.stderr, file=sys.stderr, end="")
    part.replace(target)  # whole or not at all
    return None


class NativeHook(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]
    """The module in the wheel, or in the tree of an editable install."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hatchling calls this before it packs."""
        if self.target_name != "wheel":
            return
        is_editable = version == "editable"
        target = ROOT / "src" / MODULE if is_editable else Path(self.directory) / "native" / Path(MODULE).name
        cause = compile_module(target)
        if cause is not None:
            print(f"lemmata: no native core ({cause}); PySAT does its work", file=sys.stderr)
            return
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"
        if not is_editable:
            build_data["force_include"][str(target)] = MODULE


if __name__ == "__main__":
    flags = sys.argv[1:]
    tree = Path(flags[1]) if flags[:1] == ["--to"] else ROOT / "src"
    sys.exit(compile_module(tree / MODULE, *flags[2 if flags[:1] == ["--to"] else 0 :]))

"""A design, compiled and analysed by slang; its errors are refusals, but for what formal code in Verilog is used to.

Tolerated are habits that have one meaning for Yosys and users of it: assertions without a clock, names used before their
declaration, output ports declared again as registers, always_ff beside an initial block, enumerations assigned from integers,
rand variables of modules, restrict as a statement, and some words that are reserved but for Yosys.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyslang import Diagnostic, Diags, DiagSubsystem
from pyslang.analysis import AnalysisFlags, AnalysisManager, AnalysisOptions
from pyslang.ast import Compilation, NonConstantFunction
from pyslang.driver import Driver

from lemmata.frontends.slang.findings import Findings

_FLAGS = (
    "--single-unit", "--threads=1", "--std=1800-2017", "--allow-use-before-declare", "--allow-dup-initial-drivers",
    "--allow-merging-ansi-ports", "--disable-instance-caching", "--relax-enum-conversions", "--allow-hierarchical-const",
    "--translate-off-format=synopsys,translate_off,translate_on", "--translate-off-format=synthesis,translate_off,translate_on",
    "-DYOSYS=1", "-DFORMAL=1",
)  # fmt: skip
_SYNTAX = (DiagSubsystem.Lexer, DiagSubsystem.Parser)
_TOLERATED = (Diags.AssertionNoClock, Diags.AlwaysWithoutTimingControl)
_REFUSED = (Diags.SignedIntegerOverflow, Diags.UnsizedInConcat)  # warnings of slang
_REMEDIES = {
    Diags.UnknownModule: "give its source, too",
    Diags.UndeclaredIdentifier: "declare it, or correct its name",
    Diags.SignedIntegerOverflow: "give the number a size",
    Diags.UnsizedInConcat: "give the number a size",
}
_RAND = re.compile(rb"\brand\s+(?:const\s+)?(?=(?:reg|logic|bit|wire|integer)\b)")
_RESTRICT = re.compile(rb"\brestrict(?=\s*\()")  # Yosys has it as a statement
_NAMES = re.compile(
    rb"\b(?:accept_on|alias|before|bins|binsof|cell|chandle|class|config|constraint|context|covergroup|coverpoint|cross|design"
    rb"|dist|event|expect|extends|extern|first_match|force|global|ignore_bins|illegal_bins|implements|implies|instance"
    rb"|intersect|liblist|library|local|matches|new|nexttime|null|program|protected|pure|rand|randc|ref|reject_on|release"
    rb"|large|medium|small|pull0|pull1|strong0|strong1|weak0|weak1|highz0|highz1|scalared|vectored|sequence|soft|solve|strong|super|tagged|this|throughout|type|until|untyped|use|virtual|wait|weak|wildcard|with|within)\b"
)  # reserved words that Yosys takes for names
_YOSYS = ("$anyconst", "$anyseq", "$allconst", "$allseq", "$initstate")


class Elaborated:
    """slang's view of the files."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.driver = parsed(request)
        self.findings = Findings(self.driver.sourceManager)
        self.compilation: Compilation = self.driver.createCompilation()
        for name in _YOSYS:
            width = self.compilation.bitType if name == "$initstate" else self.compilation.unsignedIntType
            self.compilation.addSystemSubroutine(NonConstantFunction(name, width))
        self.errors = [one for one in self.compilation.getAllDiagnostics() if self._is_error(one)]
        self.analysis = AnalysisManager(_options())
        if not self.errors:
            self.analysis.analyze(self.compilation)
            self.errors = [one for one in self.analysis.getDiagnostics() if self._is_error(one)]

    @property
    def has_syntax_errors(self) -> bool:
        """Is a file no SystemVerilog at all?"""
        return any(one.code.getSubsystem() in _SYNTAX for one in self.errors)

    def _is_error(self, diagnostic: Diagnostic) -> bool:
        if diagnostic.code in _REFUSED:
            return True
        severity = self.driver.diagEngine.getSeverity(diagnostic.code, diagnostic.location)
        return severity.name in ("Error", "Fatal") and diagnostic.code not in _TOLERATED

    def refuse_errors(self) -> None:
        """What slang refuses, in its words."""
        for error in self.errors:
            cause = self.driver.diagEngine.formatMessage(error)
            self.findings.refuse(error.location, cause, _REMEDIES.get(error.code, ""))


def parsed(request: dict[str, Any]) -> Driver:
    """The files of a request as trees."""
    driver = Driver()
    driver.addStandardArgs()
    beside = [f"-I{Path(file).parent}" for file in request["originals"]]  # copies are elsewhere
    words = ["slang", *_FLAGS, *request["arguments"], *beside, *request["files"]]
    if driver.parseCommandLine(shlex.join(words)) and driver.processOptions():
        driver.parseAllSources()
    return driver


def _options() -> AnalysisOptions:
    options = AnalysisOptions()
    options.flags = AnalysisFlags.AllowDupInitialDrivers
    return options


def readable(files: Sequence[str], folder: Path, with_names: bool) -> list[str]:
    """The files, or copies of the same length without rand; ``with_names``: reserved words that Yosys has not, changed."""
    found = []
    for number, file in enumerate(files):
        data = Path(file).read_bytes()
        new = _RAND.sub(lambda rand: b" " * len(rand[0]), data)
        new = _RESTRICT.sub(b"assume  ", new)
        if with_names:
            new = _NAMES.sub(lambda name: name[0].upper(), new)
        if new != data:
            (folder / f"{number}").mkdir(exist_ok=True)
            copy = folder / f"{number}" / Path(file).name
            copy.write_bytes(new)
            found.append(str(copy))
        else:
            found.append(file)
    return found

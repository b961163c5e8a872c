"""Yosys reads designs: the commands of the formal flow, run in a child process, and its errors as ours.

No pass decides what an undefined value is, or merges registers because their initial values are undefined: registers without
initial value are free, undriven nets and ``x`` are free inputs (``setundef -undriven -anyseq``), and the optimizations are
those of ``proc`` (``opt_expr -keepdc``). Memories stay memories; ``memory_memx`` makes reads outside of one free and writes
there void, as in simulation. With one clock a step is one clock cycle: ``async2sync`` takes asynchronous controls as
synchronous to it, and ``chformal -early`` has an assertion speak of the cycle in which it is sampled. With several,
``clk2fflogic`` makes every change of any signal a step.

Two files come back: the netlist as JSON, which ``netlist`` reads, and Yosys' own BTOR2, which the second reader reads.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import getpid
from pathlib import Path
from tempfile import TemporaryDirectory

from lemmata.config import DesignOptions
from lemmata.errors import InputError, Place, Unsupported, UsageError
from lemmata.frontends.files import read_bytes, reject_packed
from lemmata.frontends.verilog import child
from lemmata.frontends.verilog.assertions import rewrite_assertions
from lemmata.frontends.verilog.language import INSTALL_READERS, Elaboration, elaborate
from lemmata.frontends.verilog.netlist import BLANK, REGISTER
from lemmata.frontends.verilog.scripts import scripted
from lemmata.values import dataclass

_PLAIN = re.compile(r"[^\s;\"'`]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$.\[\]]*")
_PLACED = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+)(?:\.(?P<column>\d+))?(?:-[\d.]+)?: ERROR: ?(?P<cause>.*)", re.DOTALL)
_ERROR = re.compile(r"^(?:ERROR: |.*: ERROR:)", re.MULTILINE)
_INSTANCE = re.compile(
    r"Module [`']\\?(?P<module>.*?)' referenced in module [`']\\?(?P<parent>.*?)' in cell [`']\\?(?P<cell>.*?)' (?P<what>.*)"
)
_READER = "Yosys reads the design"
_FLIP_FLOPS = "t:$*ff* t:$*latch* %u t:$sr %u"


@dataclass(frozen=True, slots=True)
class Synthesized:
    """What Yosys made of a design: the netlist as JSON, cells before they were made synchronous (RTLIL), BTOR2 for asserts and
    for covers (empty where Yosys cannot write it), and its log."""

    json: bytes
    before: str
    btor2: bytes
    covers: bytes
    log: str
    elaboration: Elaboration | None  # None: a script has read the design in a way of its own


def synthesize(files: Sequence[str], options: DesignOptions) -> Synthesized:
    """Read ``files`` as one design; whatever Yosys refuses is an ``InputError`` with its place."""
    for file in () if options.script else files:
        reject_packed(read_bytes(file), file)
    with _folder(options.includes) as (folder, includes):
        _check_words(options)
        reading, judged = _judged(files, options, includes, folder)
        commands = [*reading, *_formal(options, folder)]
        if options.log is not None:
            Path(options.log).unlink(missing_ok=True)
        log = _run(commands, options.folder)
        said = log.stdout.replace(f"{folder}/", "").replace(BLANK, " ")
        for number, path in enumerate(options.includes):
            said = said.replace(f"include{number}/", f"{path.rstrip('/')}/")
        if options.log is not None:
            Path(options.log).write_text(said)
        if log.returncode == child.MISSING:
            raise UsageError(INSTALL_READERS)
        if not (folder / "design.json").exists():
            raise reading_error(said, files)
        return Synthesized(
            (folder / "design.json").read_bytes(),
            (folder / "before.il").read_text(errors="surrogateescape"),
            _bytes(folder / "design.btor2"),
            _bytes(folder / "covers.btor2"),
            said,
            judged,
        )


def _judged(
    files: Sequence[str], options: DesignOptions, includes: Sequence[str], folder: Path
) -> tuple[list[str], Elaboration | None]:
    """The commands that read the design, and what slang says of it; nothing where a script reads in a way of its own."""
    script = scripted(options) if options.script else None
    if options.script and script is None:
        return [*options.script, "hierarchy -simcheck"], None
    if script is not None:
        paths = [str(Path(options.folder or ".") / file) for file in script.files]
        judged = elaborate(paths, script.options, [options.folder or "."], folder)
        readable, more = _readable(paths, judged, folder)
        return [*script.with_files(readable, [*more, "-I."]), "hierarchy -simcheck"], judged
    judged = elaborate(files, options, [link[2:] for link in includes], folder)
    readable, more = _readable(files, judged, folder)
    return _reading(readable, options, judged, [*includes, *more]), judged


def _readable(files: Sequence[str], judged: Elaboration, folder: Path) -> tuple[list[str], list[str]]:
    """The files, or copies with assertions that Yosys reads; copies look for include files beside the originals."""
    found, includes = [], []
    texts = [read_bytes(file).decode("utf-8", "surrogateescape") for file in files]
    for number, (file, text, new) in enumerate(zip(files, texts, rewrite_assertions(judged.texts), strict=True)):
        if new == text:
            found.append(file)
            continue
        copy, link = folder / f"file{number}.sv", folder / f"beside{number}"
        link.symlink_to(Path(file).resolve().parent)
        copy.write_text(f'`line 1 "{file.replace(" ", BLANK)}" 0\n{new}', errors="surrogateescape")
        found.append(str(copy))
        includes.append(f"-I{link}")
    return found, includes


@contextmanager
def _folder(includes: Sequence[str]) -> Iterator[tuple[Path, list[str]]]:
    """A folder for what Yosys writes; folders of include files get plain names in it."""
    with TemporaryDirectory(prefix="lemmata-") as name:
        folder, links = Path(name), []
        for number, path in enumerate(includes):
            link = folder / f"include{number}"
            link.symlink_to(Path(path).resolve())
            links.append(f"-I{link}")
        yield folder, links


def _run(commands: list[str], folder: str | None = None) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-P", child.__file__, str(getpid()), *commands]
    return subprocess.run(
        call,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


def _check_words(options: DesignOptions) -> None:
    for text in options.parameters:
        _parameter(text)
    for what, texts in (("a macro", options.defines), ("a top module", (options.top or "top",))):
        for text in texts:
            if not _PLAIN.fullmatch(text):
                raise UsageError(f"{what} cannot be '{text}': blanks, quotes and semicolons are not passed on to Yosys")


def _reading(files: Sequence[str], options: DesignOptions, judged: Elaboration, includes: Sequence[str]) -> list[str]:
    """From files to a hierarchy without blackboxes."""
    read = ["read_verilog", "-formal", "-sv", *(f"-D{macro}" for macro in options.defines), *includes]
    given = dict(map(_parameter, options.parameters))
    values = [f"-chparam {name} {judged.parameters[name] or value}" for name, value in given.items()]
    return [
        " ".join([*read, *map(_quoted, files)]),
        "setattr -mod -unset blackbox =A:blackbox =o:* %m %d",  # a module without outputs has nothing to say
        " ".join(["hierarchy", "-simcheck", f"-top {options.top or judged.top}", *values]),
    ]


def _formal(options: DesignOptions, folder: Path) -> list[str]:
    clocks = ["clk2fflogic", "chformal -assume -early"] if options.multiclock else ["async2sync", "chformal -early"]
    return [
        "proc",
        f"setattr -set {REGISTER} 1 {_FLIP_FLOPS} %co1:+[Q]",
        "flatten -noscopeinfo",
        "tribuf -formal",
        "delete t:$print",
        "memory_collect",
        "memory_nordff",
        "memory_memx",
        f"tee -q -o {folder}/before.il dump t:$check {_FLIP_FLOPS} %u",
        *clocks,
        "dffunmap",
        "setundef -undriven -anyseq",
        f"write_json {folder}/design.json",
        f"write_btor -v {folder}/design.btor2",
        f"write_btor -v -c {folder}/covers.btor2",
    ]


def _quoted(path: str) -> str:
    if _PLAIN.fullmatch(path) and not path.startswith("-"):
        return path
    if any(sign in path for sign in '"\n\\'):
        raise UsageError(f"{path!r}: Yosys reads no path with quotes, backslashes or line ends")
    return f'"{path}"'


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (equals and _NAME.fullmatch(name) and re.fullmatch(r"[-\w'+.]+", value)):
        raise UsageError(f"a parameter is NAME=VALUE, such as WIDTH=8, not '{text}'")
    return name, value


def _bytes(path: Path) -> bytes:
    """A file that may be missing or, where Yosys stopped, cut off."""
    data = path.read_bytes() if path.exists() else b""
    return data if b"; end of yosys output" in data else b""


def reading_error(log: str, files: Sequence[str]) -> InputError:
    """The error in Yosys' log: where, and what it says in one line."""
    found = list(_ERROR.finditer(log))
    if not found:
        last = log.strip().splitlines()[-1:] or ["nothing"]
        return InputError(Place(files[0] if files else "design"), f"Yosys ended without an answer; it last said: {last[0]}")
    text = " ".join(log[log.rfind("\n", 0, found[-1].end()) + 1 :].split())
    if placed := _PLACED.match(text):
        column = int(placed["column"]) if placed["column"] else None
        return _placed(placed["file"], int(placed["line"]), column, placed["cause"])
    cause = text.partition("ERROR: ")[2]
    if instance := _INSTANCE.match(cause):
        module, cell = instance["module"], instance["cell"]
        place = _first(files, rf"\b{re.escape(module)}\b[^;]*\b{re.escape(cell)}\b") or Place(files[0] if files else "design")
        if "blackbox" in instance["what"]:
            return InputError(place, f"the module {module} has no body: blackboxes are not supported", "give its source, too")
        return InputError(place, f"there is no module {module}, of which {cell} is an instance", "give its source, too")
    place = Place(files[0] if files else "design")
    if cause.startswith("Assert "):
        return InputError(place, f"Yosys failed on this design, with an error of its own: {cause}", "write it in a simpler way")
    return InputError(place, cause.replace("\\", ""), _READER)


_SVA = (
    (r"\bassert\s+final\b|\bassume\s+final\b|\bcover\s+final\b", "deferred assertions (final)"),
    (r"\|->|\|=>", "implications of sequences (|->, |=>) that are not of the simple clocked form"),
    (r"##", "delays (##) that are not of the simple clocked form"),
    (r"\bdefault\s+clocking\b", "default clocking"),
    (r"\bs_eventually\b|\bs_until\b", "liveness (s_eventually)"),
    (r"\blet\b", "let declarations"),
    (r"\bchecker\b", "checkers"),
    (r"\bproperty\b|\bsequence\b", "declared properties and sequences"),
)


def _placed(file: str, line: int, column: int | None, cause: str) -> InputError:
    """The error, with the name of what Yosys does not know, and where in its line that is, if the line has such a thing."""
    try:
        text = read_bytes(file).decode("utf-8", "replace").splitlines()[line - 1]
    except (InputError, IndexError):
        return Unsupported(Place(file, line, column), cause, _READER)
    known = next(((found, name) for pattern, name in _SVA if (found := re.search(pattern, text))), None)
    if known is not None:
        cause, column = f"{cause.rstrip('.')}: {known[1]} are not read", known[0].start() + 1
    elif column in (None, 1):  # Yosys knows the line only
        column = len(text) - len(text.lstrip()) + 1
    return Unsupported(Place(file, line, column), cause, _READER)


def _first(files: Sequence[str], pattern: str) -> Place | None:
    for file in files:
        text = read_bytes(file).decode("utf-8", "replace")
        if found := re.search(pattern, text):
            line = text.count("\n", 0, found.start()) + 1
            return Place(file, line, found.start() - text.rfind("\n", 0, found.start()))
    return None

"""``lemmata check``: the command that everything else is for."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
from click.exceptions import Exit

from lemmata.cli.choices import Format, Switch
from lemmata.cli.clock import STARTED
from lemmata.cli.codes import code_of
from lemmata.cli.command import MODELS, PATH, argument, choice, command
from lemmata.cli.files import certificate_kind, numbered, remove, reserve, write
from lemmata.cli.output import complain, is_live, say
from lemmata.cli.reading import Reading, is_design, reading_options
from lemmata.config import CheckerName, DialectName, PresetName, UnitName
from lemmata.engines.registry import AUTO, CHOICES
from lemmata.errors import UsageError
from lemmata.values import dataclass
from lemmata.verdict import Unknown

if TYPE_CHECKING:  # who asks for help need not wait for it
    from lemmata import run
    from lemmata.cli.watch import LiveServer
    from lemmata.report.live.line import LiveLine
    from lemmata.report.live.table import LiveTable


def _complete_technique(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from lemmata.run.options import technique_choices

    pairs = (f"{name}={value}" for name, values in technique_choices().items() for value in values)
    return [pair for pair in pairs if pair.startswith(incomplete)]


@command
@argument("file", MODELS)
@argument(
    "more",
    "More files, or folders of them; further files of the same design (.v, .sv); with --format hwmcc: where to write evidence.",
    metavar="[FILE|DIR]...",
    nargs=-1,
)
@click.option("--property", "-p", "prop", metavar="N|NAME|all", default="all", help="Which property to check.")
@click.option(
    "--entry", metavar="NAME", help="The procedure that a program starts with. (default: ULTIMATE.start, else each; in C main)"
)
@choice(
    "--dialect",
    kind=get_args(DialectName),
    help="The Boogie of a program (default: ultimate where there is ULTIMATE.start, else boogie)",
)
@choice("--engine", "-e", kind=CHOICES, default=AUTO, help="Which engine works")
@click.option("--timeout", type=float, metavar="S", help="Wall seconds for the whole call. (default: none)")
@click.option("--memory", type=int, metavar="MB", help="Megabytes for all processes. (default: no limit)")
@click.option("--seed", type=int, metavar="N", default=0, help="For everything random.")
@choice("--format", "-f", "form", kind=Format, default=Format.text, help="How to report")
@click.option("--model", is_flag=True, help="With --format chc: the model or the refutation, too.")
@click.option(
    "--witness",
    type=PATH,
    metavar="PATH",
    help="Write traces here: .vcd waveforms, .c programs, .yml for SV-COMP; else AIGER or BTOR2 witnesses, derivations.",
)
@click.option("--testbench", type=PATH, metavar="PATH", help="Write a testbench here (.v) that replays a trace of a design.")
@click.option(
    "--certificate",
    type=PATH,
    metavar="PATH",
    help="Write proofs here: .aag/.aig Certifaiger circuit, .txt/.inv readable clauses; .smt2/.txt formulas or models; "
    ".sv assertions.",
)
@click.option("--report", "page", type=PATH, metavar="PATH", help="Write the result as a page for browsers (.html) here.")
@click.option(
    "--watch", is_flag=True, help="Serve a page of the run while it goes on, on this machine; its address is printed."
)
@click.option("--no-progress", is_flag=True, help="No live line.")
@click.option("--table", is_flag=True, help="On a terminal, a live table of properties, with keys to skip one or to stop.")
@click.option("--verbose", "-v", is_flag=True, help="All evidence, uncut; details of errors.")
@click.option("--workers", type=int, metavar="N", help="Processes that auto may use. (default: 2, or 1 on one processor)")
@click.option(
    "--cluster", metavar="auto|ADDRESS", help="Work on a cluster of Ray: one that runs, or (auto) processes of this machine."
)
@click.option(
    "--journal", type=PATH, metavar="FILE", help="With --cluster: keep here what is settled, and go on from what is there."
)
@click.option("--deadline", type=float, metavar="S", help="With --cluster: wall seconds for all files together.")
@click.option("--first", multiple=True, metavar="GLOB", help="With --cluster: files that match come first; repeatable.")
@click.option("--portfolio", type=PATH, metavar="FILE", help="The engines of each worker (TOML), instead of auto's own table.")
@choice("--preset", kind=get_args(PresetName), default="strong", help="PDR's techniques as a set")
@click.option(
    "--technique",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=_complete_technique,
    help="One of PDR's techniques; repeatable.",
)
@choice("--unit", kind=get_args(UnitName), help="What engine word reasons with, on BTOR2 (default: mixed)")
@choice("--checker", kind=get_args(CheckerName), help="How engine traces decides a trace (default: interpolants)")
@choice(
    "--second-reader",
    kind=Switch,
    default=Switch.on,
    help="Check evidence against another reading of the file, where there is one",
)
@click.option(
    "--reuse",
    type=PATH,
    metavar="DIR",
    help="Keep what is proved in this folder, and start from what was proved before; everything is certified anew.",
)
@click.option("--no-preprocess", is_flag=True, help="Work on the model as it is.")
@click.option("--bundle-dir", type=PATH, metavar="DIR", help="Where bug bundles go. (default: here)")
@reading_options
def check_command(
    file: Path,
    more: tuple[Path, ...],
    prop: str,
    entry: str | None,
    dialect: DialectName | None,
    engine: str,
    timeout: float | None,
    memory: int | None,
    seed: int,
    form: Format,
    model: bool,
    witness: Path | None,
    testbench: Path | None,
    certificate: Path | None,
    page: Path | None,
    watch: bool,
    no_progress: bool,
    table: bool,
    verbose: bool,
    workers: int | None,
    cluster: str | None,
    journal: Path | None,
    deadline: float | None,
    first: tuple[str, ...],
    portfolio: Path | None,
    preset: PresetName,
    technique: tuple[str, ...],
    unit: UnitName | None,
    checker: CheckerName | None,
    second_reader: Switch,
    reuse: Path | None,
    no_preprocess: bool,
    bundle_dir: Path | None,
    reading: Reading,
) -> None:
    """Can a bad state be reached? Answer with proof: safe with an invariant, unsafe with a trace, or unknown with the reason.

    Every invariant was checked again by another solver, every trace was replayed on the file as it was read.

    \b
    Examples:
      lemmata check counter.aag
      lemmata check design.aig --property 2 --timeout 60 --certificate proof.aag
      lemmata check design.aig --engine bmc --witness bug.wit
      lemmata check design.aig --format json | jq .verdict
      lemmata check src --format junit > lemmata.xml
      lemmata check program.bpl --report result.html
      lemmata check design.aig --engine pdr --technique generalize=ctg --technique lift=ternary
      lemmata check design.btor2 --engine word --unit polytope --certificate proof.smt2
      lemmata check loops.vmt --engine lifted --witness bug.txt
      lemmata check clauses.smt2 --format chc --model
      lemmata check program.bpl --entry main
      lemmata check program.bpl --engine traces --checker pdr
      lemmata check program.c --data-model ILP32 --check memory
      lemmata check --format hwmcc design.aig cert.sat cert.unsat
      lemmata check a.smt2 b.smt2 examples/lia --timeout 10
      lemmata check fifo.sv --top fifo --param DEPTH=8 -D FORMAL --witness bug.vcd
      lemmata check top.sv uart.v crc.v --multiclock

    Several .v and .sv files are one design. A cover is covered (that is good) or unreachable.

    \b
    Exit codes: 0 safe or covered, 10 unsafe, 5 unknown, 2 wrong call or input, 1 internal error, 130 interrupted;
    11 where a cover is unreachable and nothing is unsafe or unknown.
    A time-out or a memory limit is an unknown. No memory limit is set unless you ask for one.
    With several properties the names of certificates, waveforms and testbenches get an index: proof-0.aag, bug-1.vcd.
    An older file at the path of a witness or certificate is removed at the start.
    Several files, or a folder, make one table; limits are for each file, and the exit code is the worst of the files':
    130, 1, 2, 10, 5, 0. What names one file to write (--witness, --certificate, --model) is refused then.
    """
    from lemmata import run
    from lemmata.cli.show import Stream, show_model, show_result
    from lemmata.report.live.line import LiveLine
    from lemmata.report.live.table import LiveTable
    from lemmata.run.options import make_config, seconds
    from lemmata.run.task import Wanted

    sources = more if is_design(file) and more and all(map(is_design, more)) else ()
    is_folder = os.path.isdir(file)  # noqa: PTH112 (a name that is too long is no folder)
    if cluster is None and (journal or deadline is not None or first):
        raise UsageError("--journal, --deadline and --first belong to --cluster")
    is_many = form is not Format.hwmcc and not sources and (bool(more) or is_folder)
    if (is_many or cluster) and (witness or certificate or model or testbench or page or watch):
        raise UsageError(
            "--witness, --testbench, --certificate, --report, --watch and --model are about one file on this machine: "
            "check it alone"
        )
    paths = _paths(more if form is Format.hwmcc else (), witness, certificate)
    if model and form is not Format.chc:
        raise UsageError("--model belongs to --format chc: elsewhere --certificate and --witness write the evidence")
    config = make_config(
        engine=engine,
        prop=prop,
        entry=entry,
        dialect=dialect,
        timeout=timeout,
        memory=memory,
        seed=seed,
        workers=1 if workers is None and cluster is not None and not portfolio else workers,
        portfolio=None if portfolio is None else str(portfolio),
        preprocess=not no_preprocess,
        preset=preset,
        technique=_pairs(technique),
        unit=unit,
        checker=checker,
        second_reader=second_reader is Switch.on,
        reuse=None if reuse is None else str(reuse),
        design=reading.design_of(sources),
        c=reading.c,
    )
    if paths.kind == ".sv" and not is_design(file):
        raise UsageError("--certificate FILE.sv is for designs (.v, .sv): the invariant as assertions to bind into them")
    if testbench is not None and not is_design(file):
        raise UsageError("--testbench is for designs (.v, .sv): elsewhere --witness writes the trace")
    if cluster is not None:
        from lemmata.cli.cluster import ClusterOptions, check_on_cluster

        options = ClusterOptions(cluster, journal, None if deadline is None else seconds(deadline), first)
        with _termination_as_interruption():
            raise Exit(check_on_cluster((file, *more), config, form, options, no_progress, STARTED))
    if is_many:
        from lemmata.cli.many import check_many

        with _termination_as_interruption():
            raise Exit(check_many((file, *more), config, form, verbose, bundle_dir, no_progress))
    for path in (*paths.given, *([testbench] if testbench else []), *([page] if page else [])):
        reserve(path, file)
    suffix = "" if paths.witness is None else paths.witness.suffix.lower()
    is_waveform, is_harness, is_sequence = suffix == ".vcd", suffix == ".c", suffix in (".yml", ".yaml")
    wanted = Wanted(
        witness=paths.witness is not None and not (is_waveform or is_harness or is_sequence),
        waveform=is_waveform,
        harness=is_harness,
        sequence=is_sequence,
        testbench=testbench is not None,
        certificate=paths.kind or (".smt2" if model else ""),
        lemmas=form is Format.jsonl,
        drawing=page is not None or watch or form is Format.html,
        details=page is not None or watch or form in (Format.html, Format.json),
    )
    live: LiveLine | LiveTable | None = None
    if is_live() and not no_progress:
        live = (LiveTable if table else LiveLine)(sys.stderr, limit_s=config.timeout, limit_mb=config.memory_mb)
    watchers: list[run.Watcher] = [live] if live else []
    if form is Format.jsonl:
        watchers.append(Stream())
    with _termination_as_interruption(), _served(str(file), watch) as server:
        try:
            with _keys(live) as pressed:
                outcome = run.supervise(
                    str(file),
                    config,
                    wanted=wanted,
                    watchers=(*watchers, server) if server else tuple(watchers),
                    bundles=bundle_dir,
                    started=STARTED,
                    orders=lambda: [*(server.stops() if server else ()), *pressed()],
                )
        finally:
            if live:
                live.close()
        if server:
            from lemmata.cli.pages import page_parts

            document, parts = page_parts(outcome.result, outcome.pictures)
            server.finish({"result": document, **parts})
        show_result(outcome.result, form, verbose, outcome.pictures)
        if model:
            show_model(outcome)
        _tell_bugs(outcome, verbose)
        _tell_starved(outcome)
        written = _write(outcome, paths, file)
        written += _write_each(outcome, None if wanted.witness else paths.witness, testbench, file)
        if page is not None:
            from lemmata.cli.pages import write_page

            write_page(outcome, page, file)
            written.append(page)
        if (kept := [path for path in written if not path.is_relative_to("/dev")]) and form is Format.text:
            say(f"wrote {', '.join(map(str, kept))}")
    raise Exit(code_of(outcome))


@contextmanager
def _keys(live: LiveLine | LiveTable | None) -> Iterator[Callable[[], Iterable[run.StopOrder]]]:
    """What keys of a live table ask for; nothing where there is none, or nobody to press them."""
    from lemmata.report.live.table import LiveTable

    if not isinstance(live, LiveTable) or sys.stdin is None or not sys.stdin.isatty():
        yield list
        return
    from lemmata.cli.keys import key_orders, pressed_keys

    terminal = sys.stdin.fileno()
    with pressed_keys(terminal):
        yield lambda: key_orders(terminal, live)


@contextmanager
def _served(file: str, is_wanted: bool) -> Iterator[LiveServer | None]:
    """The server of ``--watch``, whose address is told; it is gone afterwards."""
    if not is_wanted:
        yield None
        return
    from lemmata.cli.call import this_call
    from lemmata.cli.watch import LiveServer

    server = LiveServer(file, this_call())
    complain(f"watch the run at {server.address}")
    try:
        yield server
    finally:
        server.close()


@dataclass(frozen=True, slots=True)
class Paths:
    """Where evidence goes, and which kind of certificate is meant."""

    witness: Path | None
    certificate: Path | None
    kind: str

    @property
    def given(self) -> list[Path]:
        """Those that were given."""
        return [path for path in (self.witness, self.certificate) if path is not None]


def _paths(hwmcc: tuple[Path, ...], witness: Path | None, certificate: Path | None) -> Paths:
    if hwmcc and (len(hwmcc) != 2 or witness or certificate):
        raise UsageError(
            "--format hwmcc takes MODEL or MODEL CERT_SAT CERT_UNSAT, and then neither --witness nor --certificate"
        )
    if hwmcc:
        return Paths(hwmcc[0], hwmcc[1], ".aag" if hwmcc[1].suffix == ".aag" else "any")
    return Paths(witness, certificate, certificate_kind(certificate) if certificate else "")


def _pairs(techniques: tuple[str, ...]) -> dict[str, object]:
    from lemmata.run.options import technique_choices

    pairs = [text.partition("=") for text in techniques]
    for text, (name, equals, value) in zip(techniques, pairs, strict=True):
        if not (name and equals and value):
            raise UsageError(f"a technique is NAME=VALUE, not '{text}'; the names are {', '.join(technique_choices())}")
    return {name: value for name, _, value in pairs}


def _write(outcome: run.Outcome, paths: Paths, model: Path) -> list[Path]:
    """Write witnesses and certificates; where."""
    written: list[Path] = []
    witnesses = b"".join(files.witness for files in outcome.files.values() if files.witness)
    if paths.witness and witnesses:
        write(paths.witness, witnesses, model)
        written.append(paths.witness)
    is_single = len(outcome.result.properties) == 1
    if paths.certificate and not is_single:
        for index in range(len(outcome.result.properties)):
            remove(numbered(paths.certificate, index), model)
    for index, files in outcome.files.items():
        if paths.certificate and files.certificate is not None:
            path = paths.certificate if is_single else numbered(paths.certificate, index)
            write(path, files.certificate, model)
            written.append(path)
        if files.missing:
            complain(files.missing)
    return written


def _write_each(outcome: run.Outcome, trace: Path | None, testbench: Path | None, model: Path) -> list[Path]:
    """One file per trace: with several properties its name gets the index of the property. Which ones were written."""
    written: list[Path] = []
    is_single = len(outcome.result.properties) == 1
    for index, files in outcome.files.items():
        for path, data in ((trace, files.waveform or files.harness or files.sequence), (testbench, files.testbench)):
            if path is not None and data is not None:
                written.append(path if is_single else numbered(path, index))
                write(written[-1], data, model)
    return written


def _tell_bugs(outcome: run.Outcome, verbose: bool) -> None:
    for bug, bundle in outcome.bugs:
        complain(bug.request(bundle))
        for line in bug.detail.splitlines() if verbose else ():
            complain(line)


def _tell_starved(outcome: run.Outcome) -> None:
    """A time-out means something else when an engine was not there to the end."""
    reasons = {p.verdict.reason for p in outcome.result.properties if isinstance(p.verdict, Unknown)}
    if reasons and "memory" not in reasons:
        for engine in outcome.starved:
            complain(f"the process of {engine} was killed on the way, as it happens for want of memory; the others went on")


@contextmanager
def _termination_as_interruption() -> Iterator[None]:
    """While inside, SIGTERM and SIGHUP end the run as Ctrl-C does (not under nohup): workers ended, partial results shown."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    numbers = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is not signal.SIG_IGN]
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)

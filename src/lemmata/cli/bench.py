"""``lemmata bench``: run suites, show tables, write results and plots."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click
from click.exceptions import Exit
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from lemmata.bench import by_file, campaign, corrections, peers, plots, processes, suites, tables
from lemmata.bench.contestants import Contestant, lineup
from lemmata.bench.records import PAGE_COLUMNS, Record, RecordKey, RecordStore, judged_again, record_key
from lemmata.bench.runners import RunLimits
from lemmata.cli.command import PATH, argument, command
from lemmata.errors import UsageError
from lemmata.report.page import bench_page
from lemmata.run.options import seconds
from lemmata.values import dataclass
from lemmata.writes import unwritable, write_whole

_ALARM, _INTERRUPTED = 1, 130


@command
@argument(
    "places",
    "Folders with index.csv (file, expected, category), other folders, or files.",
    metavar="[SUITE]...",
    nargs=-1,
    required=False,
)
@click.option("--suite", type=PATH, multiple=True, help="The same as the argument; repeatable.")
@click.option("--engine", multiple=True, help="NAME[:OPTIONS] of Lemmata; repeatable.")
@click.option("--contestant", multiple=True, help="LABEL=OPTIONS of `lemmata check`; repeatable.")
@click.option("--option", multiple=True, help="Options for every contestant that is Lemmata.")
@click.option("--peer", multiple=True, help="abc, btormc, spacer, spacer-global, …, or LABEL=COMMAND with {file}.")
@click.option("--peers-only", is_flag=True, help="Run the peers without Lemmata.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    metavar="S",
    default=10.0,
    help="CPU seconds per run, all its processes together.",
)
@click.option(
    "--memory",
    type=click.IntRange(64, 10**9),
    metavar="MB",
    default=4096,
    help="Megabytes per run, all its processes together.",
)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", default=1, help="Runs at a time; 1 measures best.")
@click.option("--out", type=PATH, metavar="DIR", default=Path("bench-out"), help="Folder for results.csv, reports and plots.")
@click.option(
    "--expected",
    multiple=True,
    help="Corrections of what suites expect: a CSV file (file, expected, why), or boogie; repeatable.",
)
@click.option("--filter", "globs", multiple=True, metavar="GLOB", help="Only files that match GLOB, as 'hwmcc20/*'.")
@click.option("--limit-files", type=click.IntRange(min=1), metavar="N", help="Only the first N files.")
@click.option("--fresh/--resume", default=False, help="Start over, or skip what results.csv has.")
@click.option(
    "--show-portfolio", type=click.IntRange(1, 1000), metavar="N", help="Print what auto does with N workers, and end."
)
@click.option("--plots/--no-plots", "draw", default=True, help="Draw cactus and scatter plots (needs matplotlib).")
def bench_command(
    places: tuple[Path, ...],
    suite: tuple[Path, ...],
    engine: tuple[str, ...],
    contestant: tuple[str, ...],
    option: tuple[str, ...],
    peer: tuple[str, ...],
    peers_only: bool,
    timeout: float,
    memory: int,
    jobs: int,
    out: Path,
    expected: tuple[str, ...],
    globs: tuple[str, ...],
    limit_files: int | None,
    fresh: bool,
    show_portfolio: int | None,
    draw: bool,
) -> None:
    """Compare Lemmata with itself and with peers on the same files in the same run.

    \b
    Examples:
      lemmata bench examples --peer abc --timeout 10
      lemmata bench SUITE --engine pdr --engine bmc --filter 'hwmcc20/*'
      lemmata bench --show-portfolio 4 > mine.toml; lemmata bench SUITE --contestant "mine=--portfolio mine.toml"
      lemmata bench SUITE --contestant "core=--engine pdr --technique lift=core" \\
          --contestant "ternary=--engine pdr --technique lift=ternary" --out ablation

    \b
    Exit codes: 0 done, 1 a verdict was wrong, uncertified or contradicted, 2 wrong call or input, 130 interrupted.
    """
    if show_portfolio is not None:
        from lemmata.run.options.portfolio import portfolio_text

        click.echo(portfolio_text(show_portfolio), nl=False)
        return
    if not processes.PROC.joinpath("self", "stat").exists():
        raise UsageError("lemmata bench measures through Linux's /proc, which is not here")
    ours: list[Contestant] = [] if peers_only else list(lineup(engine, contestant, option))
    contestants = _distinct([*ours, *peers.find(peer)])
    console = Console()
    if not (places or suite):
        raise UsageError("nothing to run on: name a suite, for example `lemmata bench examples`")
    listed = suites.load_suite([*places, *suite], globs, limit_files)
    cases, corrected = corrections.correct(listed, expected)
    asking = [case for case in cases if suites.has_question(case)]
    if len(asking) < len(cases):
        silent = ", ".join(case.file for case in cases if case not in asking)
        console.print(f"left out, because they have no safety property: {silent}", markup=False)
    session = Session(console, RunLimits(seconds(timeout), memory), out, jobs, draw, corrected)
    code = session.conduct(contestants, asking, fresh)
    if code:
        raise Exit(code)


@dataclass(frozen=True, slots=True)
class Session:
    """A call of ``lemmata bench`` whose contestants and cases are settled."""

    console: Console
    limits: RunLimits
    out: Path
    jobs: int = 1
    draw: bool = True
    corrected: tuple[corrections.Correction, ...] = ()

    def conduct(self, contestants: Sequence[Contestant], cases: Sequence[suites.Case], fresh: bool = False) -> int:
        """Run what is missing, then write and show everything; returns the exit code."""
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--out {self.out}: {error.strerror}") from None
        store = RecordStore(self.out / "results.csv")
        if fresh:
            store.clear()
        tasks = {record_key(task.contestant, task.case, self.limits): task for task in campaign.plan_runs(contestants, cases)}
        stored = {name: record for name, record in store.load().items() if name in tasks}
        found = {name: judged_again(record, tasks[name].case) for name, record in stored.items()}
        self._tell_resumed(found, contestants, len(tasks))
        interrupted = self._run({name: task for name, task in tasks.items() if name not in found}, found, store)
        records = [found[name] for name in tasks if name in found]
        shown = tables.bench_report(records, contestants, self.limits, self.corrected)
        self._show(shown, records)
        if interrupted:
            self.console.print(f"Interrupted after {len(records)} of {len(tasks)} runs; the same call goes on from here.")
        return _ALARM if shown.is_alarming else _INTERRUPTED if interrupted else 0

    def _run(self, missing: dict[RecordKey, campaign.BenchTask], found: dict[RecordKey, Record], store: RecordStore) -> bool:
        """Run ``missing`` and add to ``found``; whether it was interrupted."""
        with _gently_stopped() as is_stopped, self._progress() as progress:
            bar = progress.add_task("", total=len(missing), file="")
            for record in campaign.Campaign(self.limits, self.out, self.jobs).perform(list(missing.values()), is_stopped):
                try:
                    store.append(record)
                except OSError as error:
                    raise unwritable(store.path, error) from None
                found[record.key] = record
                progress.update(bar, advance=1, file=f"{record.contestant} {record.file}: {record.outcome}")
                if record.outcome in ("wrong", "uncertified"):
                    self._shout(f"{record.outcome.upper()}: {record.contestant} on {record.file}")
            return is_stopped()

    def _show(self, shown: tables.Report, records: Sequence[Record]) -> None:
        write_whole(self.out / "report.md", tables.tables_markdown(shown).encode())
        write_whole(self.out / "report.json", tables.to_json(shown).encode())
        write_whole(self.out / "report.html", self._page(shown, records).encode("utf-8", "backslashreplace"))
        files = by_file.by_file(records, shown.contestants)
        write_whole(self.out / "files.md", by_file.by_file_markdown(files).encode())
        for table in [*([by_file.rich_table(files)] if files.is_short else []), *tables.rich_tables(shown)]:
            self.console.print(table)
        for line in tables.alarms(shown):
            self._shout(line)
        for line in tables.remarks_of(shown):
            self.console.print(line, markup=False)
        if self.draw:
            try:
                plots.draw_plots(records, shown, self.out)
            except plots.PlotsMissing as missing:
                self.console.print(str(missing), markup=False)
        self.console.print(f"Everything is in {self.out}", markup=False)

    def _page(self, shown: tables.Report, records: Sequence[Record]) -> str:
        runs = [[getattr(record, name) for name in PAGE_COLUMNS] for record in records]
        data = {"columns": PAGE_COLUMNS, "runs": runs, "contestants": shown.contestants, "limit_s": self.limits.cpu_s}
        return bench_page(f"lemmata bench: {self.out}", data, tables.tables_markdown(shown))

    def _tell_resumed(self, found: dict[RecordKey, Record], contestants: Sequence[Contestant], total: int) -> None:
        if not found:
            return
        self.console.print(
            f"{len(found)} of {total} runs are taken from {self.out / 'results.csv'} (--fresh repeats them)", markup=False
        )
        now = {one.label: one.version() for one in contestants}
        old = sorted({record.contestant for record in found.values() if record.version != now[record.contestant]})
        if old:
            self.console.print(f"Note: rows of {', '.join(old)} come from another build than the one here", markup=False)

    def _shout(self, line: str) -> None:
        self.console.print(f"[bold white on red]{escape(line)}[/]")

    def _progress(self) -> Progress:
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[file]}", markup=False),
        )
        return Progress(*columns, console=self.console, transient=True, disable=not self.console.is_terminal)


def _distinct(contestants: list[Contestant]) -> list[Contestant]:
    labels = [one.label for one in contestants]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise UsageError(f"two contestants are called {', '.join(twice)}; give one a label with --contestant LABEL=OPTIONS")
    if not contestants:
        raise UsageError("nobody takes part: --peers-only needs --peer")
    return contestants


@contextmanager
def _gently_stopped() -> Iterator[Callable[[], bool]]:
    """While inside, the first Ctrl-C, SIGTERM or SIGHUP asks to stop, so no child is left behind; the second interrupts."""
    asked: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    heard = [n for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) is not signal.SIG_IGN]
    previous = {number: signal.signal(number, ask) for number in heard}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)

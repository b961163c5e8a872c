"""The small commands: ``info_command``, ``convert_command``, ``certify_command``, ``replay_command``."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
from click.exceptions import Exit

from lemmata.cli.codes import ACCEPTED, REJECTED, UNKNOWN
from lemmata.cli.command import MODELS, PATH, argument, choice, command
from lemmata.cli.output import columns, say
from lemmata.cli.reading import Reading, reading_options
from lemmata.config import Config, DialectName
from lemmata.errors import CertificateError, UsageError
from lemmata.escapes import in_json, printable
from lemmata.work import FOREVER, now

if TYPE_CHECKING:
    from lemmata.models.aig import Aig, Property
    from lemmata.models.graph import Graph, GraphProperty

_SHOWN_PROPERTIES = 20  # properties


class _InfoFormat(StrEnum):
    """Formats of ``info_command``."""

    text = "text"
    json = "json"


_entry = click.option("--entry", metavar="NAME", help="The procedure that a program starts with.")
_dialect = choice("--dialect", kind=get_args(DialectName), help="The Boogie of a program")
_timeout = click.option("--timeout", type=float, metavar="S", help="Wall seconds for the whole call. (default: none)")
_memory = click.option("--memory", type=int, metavar="MB", help="Megabytes for the whole call. (default: no limit)")


@command
@argument("file", MODELS)
@choice("--format", "-f", "form", kind=_InfoFormat, default=_InfoFormat.text, help="How to report")
@_entry
@_dialect
@click.option("--graph", type=PATH, metavar="PATH", help="Draw the graph: .dot, or .svg where Graphviz is installed.")
@_timeout
@_memory
@reading_options
def info_command(
    file: Path,
    form: _InfoFormat,
    entry: str | None,
    dialect: DialectName | None,
    graph: Path | None,
    timeout: float | None,
    memory: int | None,
    reading: Reading,
) -> None:
    """What is in a file: its kind, sizes and properties.

    \b
    Examples:
      lemmata info design.aig
      lemmata info design.btor2 --format json
      lemmata info program.bpl --graph program.svg

    \b
    Exit codes: 0 done, 2 wrong call or input, 5 unknown (time, memory), 1 internal error, 130 interrupted.
    """
    _watch(lambda: _info(file, form, _config(entry, dialect, reading), graph), timeout, memory)


def _config(entry: str | None, dialect: DialectName | None, reading: Reading) -> Config:
    """How the file is read."""
    return Config(entry=entry, dialect=dialect, design=reading.design, c=reading.c)


def _watch(work: Callable[[], int], timeout: float | None, memory: int | None) -> None:
    """Do the work under limits; leave with its exit code."""
    from lemmata.cli.watched import watched
    from lemmata.run.options import megabytes, seconds

    limit, most = None if timeout is None else seconds(timeout), None if memory is None else megabytes(memory)
    if code := watched(work, limit, most):
        raise Exit(code)


def _info(file: Path, form: _InfoFormat, config: Config, graph: Path | None) -> int:
    from lemmata.cli.info import info as facts_of
    from lemmata.frontends import load

    model = load(file, config.entry, config.dialect, design=config.design, c=config.c)
    if graph is not None:
        from lemmata.cli.picture import draw_graph

        draw_graph(model, file, graph)
    facts = facts_of(model)
    if form is _InfoFormat.json:
        say(in_json(facts, indent=2))
    else:
        width = max(map(len, facts))
        say("\n".join(f"{name.ljust(width)}  {_fact(value)}" for name, value in facts.items()))
    return 0


def _fact(value: object) -> str:
    match value:
        case dict():
            return ", ".join(f"{count} × {kind}" for kind, count in value.items() if count) or "-"
        case list():
            names = [printable(str(name)) for name in value]
            more = f", … ({len(names) - _SHOWN_PROPERTIES} more)" if len(names) > _SHOWN_PROPERTIES else ""
            return f"{len(names)}" + (f": {', '.join(names[:_SHOWN_PROPERTIES])}{more}" if names else "")
        case _:
            return printable(str(value))


@command
@argument("source", "The file to read.", metavar="IN")
@argument("target", "The file to write: .aag, .aig, .vmt or .smt2.", metavar="OUT")
@_entry
@_dialect
@_timeout
@_memory
@reading_options
def convert_command(
    source: Path,
    target: Path,
    entry: str | None,
    dialect: DialectName | None,
    timeout: float | None,
    memory: int | None,
    reading: Reading,
) -> None:
    """Write a model in another notation; the suffixes say which.

    \b
    Examples:
      lemmata convert design.aig design.aag
      lemmata convert design.aag design.aig
      lemmata convert design.btor2 design.aig
      lemmata convert design.btor2 design.vmt
      lemmata convert loop.vmt loop.smt2
      lemmata convert program.bpl clauses.smt2
      lemmata convert program.c clauses.smt2

    \b
    Exit codes: 0 done, 2 wrong call or input, 5 unknown (time, memory), 1 internal error, 130 interrupted.
    """
    _watch(lambda: _convert(source, target, _config(entry, dialect, reading)), timeout, memory)


def _convert(source: Path, target: Path, config: Config) -> int:
    from lemmata.cli.convert import convert as rewrite

    rewrite(source, target, config)
    return 0


@command
@argument("model", MODELS)
@argument(
    "certificate",
    "A witness circuit (.aag, .aig), clauses over latch names, SMT-LIB formulas, a model of Horn clauses, invariants in YAML.",
)
@click.option("--property", "-p", "prop", metavar="N|NAME", default="all", help="The property that is proved.")
@_timeout
@_memory
@_entry
@_dialect
@reading_options
def certify_command(
    model: Path,
    certificate: Path,
    prop: str,
    timeout: float | None,
    memory: int | None,
    entry: str | None,
    dialect: DialectName | None,
    reading: Reading,
) -> None:
    """Is this certificate a proof that the model is safe? It need not come from Lemmata.

    \b
    Examples:
      lemmata certify design.aig proof.aag
      lemmata certify design.aig proof.txt --property 2
      lemmata certify design.btor2 proof.smt2
      lemmata certify clauses.smt2 model.smt2
      lemmata certify program.c witness.yml

    \b
    Exit codes: 0 accepted, 1 rejected, 2 wrong call or input, 5 unknown (time, memory), 130 interrupted.
    """
    _watch(lambda: _certify(model, certificate, prop, _config(entry, dialect, reading)), timeout, memory)


def _certify(model: Path, certificate: Path, prop: str, config: Config) -> int:
    from lemmata.cli.evidence import check_proof
    from lemmata.frontends import load
    from lemmata.run.second_reader import SecondReader

    if certificate.suffix.lower() in (".yml", ".yaml"):
        return _validate(model, certificate, config)
    loaded = load(model, config.entry, config.dialect, design=config.design, c=config.c)
    chosen = _single(loaded, prop)
    try:
        with _interruptible():
            began = now()
            proof = check_proof(loaded, chosen.index, certificate, FOREVER)
            if proof is not None:
                reader = SecondReader(str(model), loaded, config)
                reader.read_by(chosen.index, proof, now() - began)
    except CertificateError as error:
        say(f"rejected: {printable(str(error))}")
        return REJECTED
    say(f"accepted: {printable(chosen.name)} is safe")
    return ACCEPTED


def _validate(model: Path, witness: Path, config: Config) -> int:
    """An invariant set of SV-COMP about all properties of a C program."""
    from lemmata.run.svcomp.validate import validate

    if model.suffix.lower() not in (".c", ".i", ".yml", ".yaml"):
        raise UsageError(f"{model} is no C program: invariant sets in YAML are about C (.c, .i, tasks in .yml)")
    with _interruptible():
        found = validate(model, witness, config)
    for entry in found.entries:
        say(printable(str(entry)))
    names = printable(", ".join(found.names))
    if found.verdict == "unsafe":
        say(f"rejected: {names}: the program is not safe")
    elif found.is_wrong:
        say(f"rejected: not all entries hold ({names}: {found.verdict})")
    elif found.verdict == "unknown":
        say(f"unknown: {names}")
    else:
        say(f"accepted: {names} {'is' if len(found.names) == 1 else 'are'} safe")
    return REJECTED if found.is_wrong else UNKNOWN if found.verdict == "unknown" else ACCEPTED


@contextmanager
def _interruptible() -> Iterator[None]:
    """While inside, Ctrl-C ends the program at once: a solver does not listen to Python's own handler."""
    previous = signal.getsignal(signal.SIGINT)
    if previous is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def _single(model: Aig | Graph, prop: str) -> Property | GraphProperty:
    from lemmata.run.options.selection import select

    chosen = select(model, prop)
    if len(chosen) > 1:
        raise UsageError(f"{model.file} has {len(chosen)} properties: say with --property which one is meant")
    return chosen[0]


@command
@argument("model", MODELS)
@argument("witness", "A witness: AIGER, BTOR2, or a derivation.")
@click.option("--verbose", "-v", is_flag=True, help="Show the traces.")
@_entry
@_dialect
@_timeout
@_memory
@reading_options
def replay_command(
    model: Path,
    witness: Path,
    verbose: bool,
    entry: str | None,
    dialect: DialectName | None,
    timeout: float | None,
    memory: int | None,
    reading: Reading,
) -> None:
    """Does this witness really lead from an initial state to a bad one? It need not come from Lemmata.

    \b
    Examples:
      lemmata replay design.aig bug.wit
      lemmata replay design.btor2 bug.wit -v
      lemmata replay clauses.smt2 bug.txt

    \b
    Exit codes: 0 accepted, 1 rejected, 2 wrong call or input, 5 unknown (time, memory), 130 interrupted.
    """
    _watch(lambda: _replay(model, witness, verbose, _config(entry, dialect, reading)), timeout, memory)


def _replay(model: Path, witness: Path, verbose: bool, config: Config) -> int:
    from lemmata.cli.evidence import traces
    from lemmata.frontends import load
    from lemmata.frontends.files import read_bytes
    from lemmata.logic.decimals import digits_of
    from lemmata.run.second_reader import SecondReader
    from lemmata.verdict import Unsafe

    loaded = load(model, config.entry, config.dialect, design=config.design, c=config.c)
    reader = SecondReader(str(model), loaded, config)
    for trace, run_again in traces(loaded, read_bytes(witness).decode("utf-8", "replace"), witness):
        name = printable(loaded.properties()[trace.prop].name)
        try:
            began = now()
            run_again()
            reader.read_by(trace.prop, Unsafe(trace), now() - began)
        except CertificateError as error:
            say(f"rejected: {printable(str(error))}")
            return REJECTED
        say(f"accepted: {name} is reached in {digits_of(trace.depth)} step{'' if trace.depth == 1 else 's'}")
        if verbose:
            from lemmata.report.text.evidence import evidence_lines
            from lemmata.run.evidence.states import with_states

            lines = evidence_lines(with_states(loaded, trace), columns() - 2, verbose)
            say("\n".join(f"  {printable(line)}" for line in lines))
    return ACCEPTED

"""Read AIGER: the sections in their order, then one numbering for all of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

from lemmata.errors import InputError
from lemmata.frontends.aiger.binary import read_gates
from lemmata.frontends.aiger.header import Header, check_magic, read_header
from lemmata.frontends.aiger.numbering import Numbering, number, reset_cycle
from lemmata.frontends.aiger.symbols import read_tail
from lemmata.frontends.aiger.text import AigerText, Section
from lemmata.frontends.files import read_bytes, reject_packed
from lemmata.models.aig import Aig


def read_aiger(path: str | Path) -> Aig:
    """The circuit in an ``aag`` or ``aig`` file; anything wrong with it is an ``InputError``."""
    return parse_aiger(read_bytes(path), str(path))


def parse_aiger(data: bytes, file: str = "<memory>") -> Aig:
    """The circuit in ``data``; ``file`` names it in messages."""
    reject_packed(data, file)
    check_magic(data, file)
    text = AigerText(data, file)
    header = read_header(text)
    return _read_binary(text, header) if header.binary else _read_ascii(text, header)


def _read_ascii(text: AigerText, header: Header) -> Aig:
    inputs = text.section("input", header.inputs, 1)
    latches = text.section("latch", header.latches, 3, optional=1)
    roots = _read_roots(text, header)
    gates = text.section("gate", header.gates, 3)
    numbering, lefts, rights = number(header.maximum, inputs, latches, gates)
    return _assemble(text, header, numbering, latches, roots, lefts, rights)


def _read_binary(text: AigerText, header: Header) -> Aig:
    if text.data[: text.position].endswith(b"\r\n"):
        cause = "a binary file with CRLF line ends was changed on its way here"
        raise InputError(text.place(1, 0, 10), cause, "copy it again in binary mode")
    latches = text.section("latch", header.latches, 2, optional=1)
    roots = _read_roots(text, header)
    lefts, rights = read_gates(text, header.inputs + header.latches + 1, header.gates)
    return _assemble(text, header, Numbering(header.maximum, range(2 * header.maximum + 2)), latches, roots, lefts, rights)


def _read_roots(text: AigerText, header: Header) -> dict[str, Section]:
    """Everything between the latches and the gates: one literal (or size) per line."""
    roots = {
        "outputs": text.section("output", header.outputs, 1),
        "bads": text.section("bad", header.bads, 1),
        "constraints": text.section("constraint", header.constraints, 1),
    }
    sizes = roots["sizes"] = text.section("justice size", header.justice, 1)
    for row, total in enumerate(accumulate(sizes.numbers)):
        if 2 * total > len(text.data) - text.position:
            raise sizes.error(row, 0, f"{total} justice literals are more than the file can hold", "check the justice sizes")
    roots["justice"] = text.section("justice literal", sum(sizes.numbers), 1)
    roots["fairness"] = text.section("fairness constraint", header.fairness, 1)
    return roots


def _assemble(
    text: AigerText,
    header: Header,
    numbering: Numbering,
    latches: Section,
    roots: dict[str, Section],
    lefts: list[int],
    rights: list[int],
) -> Aig:
    justice = numbering.lits(roots["justice"], 0)
    ends = accumulate(roots["sizes"].numbers, initial=0)
    model = Aig(
        inputs=header.inputs,
        nexts=tuple(numbering.lits(latches, latches.width - 2)),
        resets=tuple(numbering.lits(latches, latches.width - 1)),
        lefts=tuple(lefts),
        rights=tuple(rights),
        outputs=tuple(numbering.lits(roots["outputs"], 0)),
        bads=tuple(numbering.lits(roots["bads"], 0)),
        constraints=tuple(numbering.lits(roots["constraints"], 0)),
        justice=tuple(tuple(justice[start:end]) for start, end in pairwise(ends)),
        fairness=tuple(numbering.lits(roots["fairness"], 0)),
        file=text.file,
    )
    looping = reset_cycle(model)
    if looping is not None:
        cause = f"the reset of latch {looping} depends on itself"
        raise latches.error(looping, latches.width - 1, cause, "a free latch resets to its own literal")
    symbols, comments = read_tail(text, header)
    return replace(model, symbols=symbols, comments=comments)

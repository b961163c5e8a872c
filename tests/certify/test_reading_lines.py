"""The second readers refuse what the manuals do not have, match names and positions, and keep to the clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.certify.reading import aiger, btor2
from lemmata.certify.reading.aiger_lines import read_aiger_lines
from lemmata.certify.reading.btor2_lines import read_btor2_lines
from lemmata.errors import CertificateError
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.verdict import Safe, Unsafe
from lemmata.work import now
from tests.support.misreadings import settled

_SORTS = "1 sort bitvec 1\n2 sort bitvec 4\n3 sort array 2 2\n4 zero 1\n5 zero 2\n"
NO_BTOR2 = (
    "0 sort bitvec 1\n",
    "1 sort bitvec 0\n",
    "1 sort bitvec 1\n1 sort bitvec 1\n",
    "2 sort bitvec 1\n1 sort bitvec 1\n",
    f"{_SORTS}6 state 2\n7 one 2\n8 init 2 6 7\n",
    f"{_SORTS}6 state 2\n7 init 2 6 -6\n",
    "1 sort bitvec 1\n2 one 1\n2 zero 1\n",
    f"{_SORTS}6 one +1\n",
    f"{_SORTS}6 one -1\n",
    f"{_SORTS}6 constd 2 16\n",
    f"{_SORTS}6 constd 2 -9\n",
    f"{_SORTS}6 constd 2 1_0\n",
    f"{_SORTS}6 const 2 01\n",
    f"{_SORTS}6 const 2 -001\n",
    f"{_SORTS}6 consth 2 0x1\n",
    f"{_SORTS}6 consth 2 1f\n",
    f"{_SORTS}6 zero 3\n",
    f"{_SORTS}6 bad 7\n7 one 1\n",
    f"{_SORTS}6 bad 5\n",
    f"{_SORTS}6 bad 1\n",
    f"{_SORTS}6 bad 4\n7 not 1 6\n",
    f"{_SORTS}6 constraint 5\n",
    f"{_SORTS}6 and 1 4 5\n",
    f"{_SORTS}6 and 1 4\n",
    f"{_SORTS}6 not 1 4 name more\n",
    f"{_SORTS}6 add 1 5 5\n",
    f"{_SORTS}6 eq 2 5 5\n",
    f"{_SORTS}6 iff 1 5 5\n",
    f"{_SORTS}6 slice 1 5 4 4\n",
    f"{_SORTS}6 slice 2 5 0 3\n",
    f"{_SORTS}6 uext 2 4 4\n",
    f"{_SORTS}6 concat 2 5 5\n",
    f"{_SORTS}6 ite 2 5 5 5\n",
    f"{_SORTS}6 state 3\n7 read 2 -6 5\n",
    f"{_SORTS}6 state 3\n7 read 2 6 4\n",
    f"{_SORTS}6 state 3\n7 write 3 6 5 4\n",
    f"{_SORTS}6 state 3\n7 next 3 6 5\n",
    f"{_SORTS}6 state 3\n7 init 3 6 4\n",
    f"{_SORTS}6 state 2\n7 init 2 6 5\n8 init 2 6 5\n",
    f"{_SORTS}6 state 2\n7 next 2 -6 5\n",
    f"{_SORTS}6 state 2\n7 next 1 6 5\n",
    f"{_SORTS}6 input 2\n7 next 2 6 5\n",
    f"{_SORTS}6 justice 2 4\n",
    f"{_SORTS}6 sort array 3 2\n",
    f"{_SORTS}6 root 4\n",
    "1 sort bitvec 1\n2 one \u0661\n",
)
NO_AIGER = (
    "",
    "\naag 1 0 1 0 0 1\n2 2\n2\n",
    "aag 1 0 1 0\n2 2\n",
    "aag 1 0 1 0 0 1 0 0 0 0\n2 2\n2\n",
    "aag 1 0 1 0 0 -1\n2 2\n",
    "aag +1 0 1 0 0 1\n2 2\n2\n",
    "aag 1 0 1 0 0 1\n2 2\n",
    "aag 1 0 1 0 0 1\n2 2\n2",
    "aag 1 0 1 0 0 1\n2 2 0 0\n2\n",
    "aag 1 0 1 0 0 1\n2 2\n2 2\n",
    "aag 1 0 1 0 0 1\n2 2\n4\n",
    "aag 5 0 1 0 0 1\n2 2\n8\n",
    "aag 1 1 0 0 0 1\n3\n2\n",
    "aag 1 1 0 0 0 1\n0\n0\n",
    "aag 2 2 0 0 0 1\n2\n2\n2\n",
    "aag 2 1 1 0 0 1\n2\n2 2\n2\n",
    "aag 2 1 0 0 1 1\n2\n2\n2 1 1\n",
    "aag 2 1 0 0 1 1\n2\n4\n5 2 2\n",
    "aag 2 1 0 0 1 1\n2\n4\n4 2 9\n",
    "aag 3 1 0 0 2 1\n2\n4\n4 2 2\n4 2 3\n",
    "aag 1 1 0 0 0 1\n2\n2\ni1 x\n",
    "aag 1 1 0 0 0 1\n2\n2\ni0 x\ni0 y\n",
    "aag 1 1 0 0 0 1\n2\n2\nx0 x\n",
    "aag 1 1 0 0 0 1\n2\n2\n3\n",
    "aig 3 1 0 0 1 1\n4\n\x02\x00",
    "aig 2 1 0 0 1 1\n4\n\x02",
    "aig 2 1 0 0 1 1\n4\n\x05\x00",
    "aig 2 1 0 0 1 1\n4\n\x00\x02",
    "aig 2 1 0 0 1 1\n4\n\x02\x03",
)
COUNTER = (
    f"{_SORTS}6 state 2 low\n7 init 2 6 5\n8 next 2 6 6\n9 state 2 high\n10 next 2 9 6\n"
    "11 redor 1 6\n12 bad 11 p\n13 redor 1 9\n14 bad 13 q\n"
)
LATCHES = "aag 3 1 2 0 0 2\n2\n4 4\n6 2\n4\n6\ni0 in\nl0 low\nl1 high\nb0 p\nb1 q\n"


def stored(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_bytes(text.encode("latin-1") if name.endswith("g") else text.encode())
    return str(path)


@pytest.mark.parametrize("text", NO_BTOR2)
def test_what_is_no_btor2_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CertificateError, match="second reader cannot read"):
        read_btor2_lines(stored(tmp_path, "x.btor2", text))


@pytest.mark.parametrize("text", NO_AIGER)
def test_what_is_no_aiger_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CertificateError, match="second reader cannot read"):
        read_aiger_lines(stored(tmp_path, "x.aag", text))


@pytest.mark.parametrize(
    "text",
    [
        "aag 2 1 0 0 1 1\n2\n4\n4 4 2\n",
        "aag 3 1 0 0 2 1\n2\n4\n4 6 2\n6 4 2\n",
        "aag 1 0 1 0 0 1\n2 2 3\n2\n",
        "aag 2 0 2 0 0 1\n2 2 4\n4 4 2\n2\n",
    ],
)
def test_what_depends_on_itself_is_refused(tmp_path: Path, text: str) -> None:
    path = stored(tmp_path, "x.aag", text)
    lines = read_aiger_lines(path)
    model = Aig(len(lines.inputs), (0,) * len(lines.latches), (0,) * len(lines.latches), (), (), bads=(0,))
    with pytest.raises(CertificateError, match="depend on itself"):
        aiger.read_aiger_again(path, model, 0, Safe(Invariant(())), None)


def test_names_of_states_and_properties_must_fit(tmp_path: Path) -> None:
    path = stored(tmp_path, "x.btor2", COUNTER)
    swapped = COUNTER.replace("low", "x").replace("high", "low").replace(" x", " high")
    other = stored(tmp_path, "swapped.btor2", swapped)
    properties = stored(tmp_path, "properties.btor2", COUNTER.replace(" p", " x").replace(" q", " p").replace(" x", " q"))
    model = load(path)
    for prop, verdict in settled(model, "auto"):
        assert btor2.read_btor2_again(path, model, prop, verdict, None)
        for wrong, what in ((other, "variable"), (properties, "property")):
            with pytest.raises(CertificateError, match=f"knows the {what}"):
                btor2.read_btor2_again(wrong, model, prop, verdict, None)


def test_names_of_circuits_must_fit(tmp_path: Path) -> None:
    path = stored(tmp_path, "x.aag", LATCHES)
    model = load(path)
    assert isinstance(model, Aig)
    renamed = replace(model, symbols={**model.symbols, ("l", 0): "high", ("l", 1): "low"})
    for prop, verdict in settled(model, "pdr"):
        assert aiger.read_aiger_again(path, model, prop, verdict, None)
        with pytest.raises(CertificateError, match="another name"):
            aiger.read_aiger_again(path, renamed, prop, verdict, None)


def test_no_time_is_no_second_opinion(tmp_path: Path) -> None:
    words, bits = stored(tmp_path, "x.btor2", COUNTER), stored(tmp_path, "x.aag", LATCHES)
    over = now() - 1
    for path, read_again, engine in ((words, btor2.read_btor2_again, "auto"), (bits, aiger.read_aiger_again, "kinduction")):
        model = load(path)
        for prop, verdict in settled(model, engine):
            assert read_again(path, model, prop, verdict, over) is None


def test_a_file_that_has_changed_is_read_anew(tmp_path: Path) -> None:
    path = stored(tmp_path, "x.aag", "aag 1 0 1 0 0 1\n2 2\n2\n")
    model = load(path)
    ((prop, verdict),) = settled(model, "pdr")
    assert aiger.read_aiger_again(path, model, prop, verdict, None)
    stored(tmp_path, "x.aag", "aag 1 0 1 0 0 1\n2 3 0\n2\n")
    with pytest.raises(CertificateError):
        aiger.read_aiger_again(path, model, prop, verdict, None)


def test_a_trace_that_is_cut_or_bent_is_rejected(tmp_path: Path) -> None:
    path = stored(tmp_path, "x.aag", LATCHES)
    model = load(path)
    trace = next(verdict.trace for prop, verdict in settled(model, "pdr") if prop == 1 and isinstance(verdict, Unsafe))
    assert isinstance(trace, Trace)
    bent = (
        replace(trace, inputs=trace.inputs[:-1]),
        replace(trace, inputs=()),
        replace(trace, initial=(1, 0)),
        replace(trace, initial=(0,)),
        replace(trace, inputs=tuple((2,) for _ in trace.inputs)),
        replace(trace, inputs=tuple((0,) for _ in trace.inputs)),
    )
    for wrong in bent:
        with pytest.raises(CertificateError):
            aiger.read_aiger_again(path, model, 1, Unsafe(wrong), None)


def test_other_models_have_no_second_opinion_here(tmp_path: Path) -> None:
    path = stored(tmp_path, "x.btor2", COUNTER)
    model = load(path)
    assert isinstance(model, Graph)
    other = replace(model, origin=replace(model.origin, kind="vmt"))
    for prop, verdict in settled(model, "auto"):
        assert btor2.read_btor2_again(path, other, prop, verdict, None) is None
        assert aiger.read_aiger_again(path, model, prop, verdict, None) is None


def test_a_property_without_symbol_may_be_called_like_the_symbol_of_another(tmp_path: Path) -> None:
    path = tmp_path / "b.btor2"
    path.write_text("1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 next 1 3 3\n6 bad 3\n7 bad -3 b0\n")
    model = load(str(path))
    found = settled(model, "kinduction", 5.0)
    assert [verdict.word for _, verdict in found] == ["safe", "unsafe"]
    assert all(btor2.read_btor2_again(str(path), model, prop, verdict, None) is not None for prop, verdict in found)

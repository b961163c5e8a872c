"""``convert`` and ``info``, without the command line on top."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from lemmata.cli.convert import convert
from lemmata.cli.info import info
from lemmata.errors import InputError, UsageError
from lemmata.frontends.aiger import parse_aiger, read_aiger
from tests.support.full_aiger import FULL


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "full.aag"
    path.write_bytes(FULL)
    return path


def test_a_circuit_goes_to_binary_and_back(source, tmp_path):
    convert(source, tmp_path / "full.aig")
    convert(tmp_path / "full.aig", tmp_path / "again.AAG")
    assert (tmp_path / "full.aig").read_bytes().startswith(b"aig 9 2 3 1 4 1 2 2 1\n")
    assert replace(read_aiger(tmp_path / "again.AAG"), file="") == replace(read_aiger(source), file="")


def test_nothing_is_left_beside_the_target(source, tmp_path):
    convert(source, tmp_path / "full.aig")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full.aag", "full.aig"]


def test_a_bad_source_leaves_the_target_as_it_was(source, tmp_path):
    target = tmp_path / "old.aig"
    target.write_bytes(b"old")
    source.write_bytes(FULL[:40])
    with pytest.raises(InputError):
        convert(source, target)
    assert target.read_bytes() == b"old"


def test_an_interrupted_write_leaves_the_target_as_it_was(source, tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "old.aig"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(UsageError, match="no space left"):
        convert(source, target)
    assert target.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full.aag", "old.aig"]


def test_a_file_may_be_converted_onto_itself_and_through_a_link(source, tmp_path):
    link = tmp_path / "link.aag"
    link.symlink_to(source)
    convert(link, link)
    assert link.is_symlink()
    assert source.read_bytes() == FULL.replace(b"12 2 4\n", b"12 4 2\n")


def test_a_target_of_no_known_suffix_is_wrong_usage(source, tmp_path):
    with pytest.raises(UsageError, match=r"suffix \.aag"):
        convert(source, tmp_path / "full.btor2")


def test_a_target_that_cannot_be_written_is_wrong_usage(source, tmp_path):
    (tmp_path / "folder.aig").mkdir()
    for target in (tmp_path / "absent" / "x.aig", tmp_path / "folder.aig", source / "x.aig", tmp_path / ("x" * 300 + ".aig")):
        with pytest.raises(UsageError, match="cannot write") as caught:
            convert(source, target)
        assert "\n" not in str(caught.value)


def test_info_counts_everything():
    assert info(parse_aiger(FULL, "full.aag")) == {
        "file": "full.aag",
        "kind": "AIGER circuit",
        "inputs": 2,
        "latches": 3,
        "gates": 4,
        "outputs": 1,
        "resets": {"0": 0, "1": 1, "free": 1, "function": 1},
        "constraints": 2,
        "properties": ["never both"],
        "justice": 2,
        "fairness": 1,
    }


def test_info_takes_outputs_for_properties_when_there_are_no_bads():
    assert info(parse_aiger(b"aag 1 0 1 2 0\n2 3\n2\n3\no1 odd\n"))["properties"] == ["o0", "odd"]

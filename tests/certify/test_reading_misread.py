"""What a wrong front end would have understood is rejected by the second readers, whatever certify says on the wrong model."""

from __future__ import annotations

from pathlib import Path

import pytest

from lemmata.certify.reading import aiger, btor2
from lemmata.errors import CertificateError
from lemmata.frontends import load
from tests.support.misreadings import AIGER, BTOR2, Misreading, settled

READERS = {".btor2": btor2.read_btor2_again, ".aag": aiger.read_aiger_again}
ENGINES: dict[str, str] = {".btor2": "auto", ".aag": "pdr"}
CASES = [(".btor2", case) for case in BTOR2] + [(".aag", case) for case in AIGER]


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(("suffix", "case"), CASES, ids=[f"{suffix[1:]}: {case.name}" for suffix, case in CASES])
def test_evidence_about_a_misreading_is_rejected(tmp_path: Path, suffix: str, case: Misreading) -> None:
    right, wrong = write(tmp_path, f"right{suffix}", case.file), write(tmp_path, f"wrong{suffix}", case.as_if)
    read_again = READERS[suffix]
    for file, other in ((right, wrong), (wrong, right)):
        model = load(other)
        for prop, verdict in settled(model, ENGINES[suffix]):
            assert read_again(other, model, prop, verdict, None) is not None
            if prop == case.prop:
                with pytest.raises(CertificateError):
                    read_again(file, model, prop, verdict, None)

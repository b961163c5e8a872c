"""Versions of packages are those that the standard library tells, for much less."""

import subprocess
import sys
from importlib.metadata import distributions, version
from pathlib import Path

import pytest

from lemmata.installed import versions


def test_versions_are_those_of_the_standard_library() -> None:
    names = sorted({distribution.name for distribution in distributions()})
    found = versions(names)
    assert len(found) > 5
    assert found == {name: version(name) for name in found}


def test_what_is_not_there_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path / "nowhere"), str(tmp_path)])
    (tmp_path / "other-1.0.dist-info").mkdir()
    assert versions(["no-such-package"]) == {}


def test_the_first_folder_counts_and_spellings_of_a_name_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, entry in (("a", "Some.Package-2.0.dist-info"), ("b", "some_package-1.0.dist-info")):
        (tmp_path / folder / entry).mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "a"), str(tmp_path / "b")])
    assert versions(["some-package"]) == {"some-package": "2.0"}


def test_a_result_as_json_does_not_load_what_reads_mail() -> None:
    told = "Result('f', '0', (), 0.0, 0.0).to_json()"
    code = f"import sys; from lemmata.result import Result; {told}; print('email' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["False"]

"""Tables of several files: columns, counts, and what documents of a cluster are as exit codes."""

from __future__ import annotations

import pytest

from lemmata.cli.cluster import code_of_document
from lemmata.cli.file_rows import FileRows


def test_every_verdict_is_counted_and_columns_are_as_wide_as_the_longest_name() -> None:
    rows = FileRows(("a.sv", "long name.sv"))
    for word in ("covered", "safe", "error", "unreachable", "safe"):
        rows.count(word)
    assert rows.summary == "5 files: 2 safe, 1 covered, 1 unreachable, 1 error"
    assert rows.head.index("verdict") == rows.refused("a.sv", "why").index("error") == len("long name.sv") + 2


@pytest.mark.parametrize(
    ("verdict", "properties", "has_bugs", "code"),
    [
        ("error", (), False, 2),
        ("safe", (("assert", "safe"),), False, 0),
        ("safe", (("assert", "safe"), ("cover", "unreachable")), False, 11),
        ("safe", (("assert", "safe"), ("cover", "unknown")), False, 5),
        ("unsafe", (("assert", "unsafe"), ("cover", "unreachable")), False, 10),
        ("covered", (("cover", "covered"),), False, 0),
        ("unknown", (("assert", "unknown"),), True, 1),
        ("safe", (("assert", "safe"),), True, 0),
    ],
)
def test_a_document_has_the_exit_code_of_its_result(verdict, properties, has_bugs, code) -> None:
    listed = [{"kind": kind, "verdict": word} for kind, word in properties]
    assert code_of_document({"verdict": verdict, "properties": listed}, has_bugs) == code

"""A few of the random programs of ``tests.soak.c``."""

from __future__ import annotations

import pytest

from tests.soak.c import compiler, complaints


@pytest.mark.skipif(compiler() is None, reason="needs gcc")
def test_random_programs_compute_what_gcc_says() -> None:
    assert complaints(list(range(12))) == []

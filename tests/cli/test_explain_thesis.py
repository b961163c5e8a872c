"""``lemmata explain --engine lifted --preset thesis``: the runs of sections 3.3.1 and 3.3.2 in words, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from lemmata import work
from lemmata.cli.explain import View, config_of, explained
from lemmata.config import ThesisOptions
from lemmata.engines.names import THESIS
from lemmata.errors import UsageError
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.report.explanation.lines import ReportLine
from lemmata.run.options import make_config
from tests.support.clock import HANGS, ticking
from tests.support.lia_graphs import fibonacci, phases
from tests.support.paths import ROOT
from tests.support.program import run_program
from tests.support.thesis_systems import loop_from_two, reachable, unreachable

EXAMPLES = ROOT / "examples"


def tell(graph: Aig | Graph, most: int = 200, seconds: float = HANGS, techniques: Sequence[str] = ()) -> tuple[int, str]:
    lines: list[ReportLine] = []
    view = View(THESIS, techniques=techniques, max_steps=most)
    code = explained(graph, view, work.now() + seconds, lines.append)
    return code, "\n".join(line.text for line in lines)


def test_section_3_3_1_is_told_as_the_thesis_has_it() -> None:
    code, text = tell(reachable())
    assert code == 10
    assert (
        """
6. Step: second blocking phase
  Proof obligation (x = 1, ℓ2, 2)
    predecessor ℓ1:  F₁(ℓ1) ∧ T(ℓ1 → ℓ2) ∧ t′
      true ∧ x′ = x + 1 ∧ x′ = 1
      satisfiable; the weakest precondition gives 1 obligation:
        (x = 0, ℓ1, 1)
  Proof obligation (x = 0, ℓ1, 1)
    predecessor ℓ0:  F₀(ℓ0) ∧ T(ℓ0 → ℓ1) ∧ t′
      true ∧ x′ = 0 ∧ x′ = 0
      satisfiable; the weakest precondition gives 1 obligation:
        (true, ℓ0, 0)
  Proof obligation (true, ℓ0, 0) is at ℓ₀: the error is reachable,
  ℓ0 → ℓ1 → ℓ2 → ℓE

Verdict: unsafe
"""
        in text
    )


def test_section_3_3_2_ends_with_the_table_of_its_fix_point() -> None:
    code, text = tell(unreachable())
    assert code == 0
    flat = text.replace("y = x", "x = y")  # either way is right
    assert (
        """
7. Step: second propagation phase
    location │ level 0       │ 1            │ 2
    ℓ0       │ true          │ true         │ true
    ℓ1       │ false ∧ x = y │ true ∧ x = y │ true ∧ x = y
    ℓ2       │ false         │ true         │ true
  F₁ and F₂ are the same at every location: a global fix-point. The error is unreachable.

Verdict: safe"""
        in flat
    )


def test_interpolants_and_remembered_queries_are_told() -> None:
    code, text = tell(loop_from_two(), techniques=["interpolation"])
    assert code == 0
    assert "(x = 1, ℓ1, 2) is blocked; x ≥ 2 is added to F₀ … F₂ of ℓ1:" in text
    code, text = tell(phases(3), techniques=["memory"])
    assert code == 10 and "known to be unsatisfiable;" in text


def test_a_long_run_is_cut_and_its_tables_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "now", ticking().__next__)
    code, text = tell(loop_from_two(), most=120, seconds=1000)  # looks at the clock
    assert code == 5 and "Verdict: unknown (timeout)" in text
    assert "more steps, which --max-steps would show" in text
    assert "levels before these" in text and max(map(len, text.splitlines())) < 260


def test_edges_with_two_sources_are_given_up_with_a_reason() -> None:
    code, text = tell(fibonacci(3, 3))
    assert code == 5 and "The thesis has no procedures" in text


def test_improvements_are_names_of_techniques() -> None:
    config = config_of(reachable(), THESIS, 0, View(techniques=["dnf", "memory=true"]))
    assert config.thesis == ThesisOptions(dnf=True, memory=True) and config.record
    with pytest.raises(UsageError, match="not of preset thesis"):
        config_of(reachable(), THESIS, 0, View(techniques=["guidance"]))
    done = run_program("explain", str(EXAMPLES / "lia" / "slope.vmt"), "--technique", "dnf")
    assert done.code == 2 and "--preset thesis only" in done.err


@pytest.mark.parametrize(
    ("name", "techniques", "code", "line"),
    [
        ("3.3.1", (), 10, "main:start → main:7 → main:8 → main:9 → assert at line 9"),
        ("3.3.2", (), 0, "main:14 ‹assert x == y›: x = y"),
        ("3.4", ("interpolation",), 0, "main:12 ‹assert x != 1›: x ≥ 2"),
    ],
)
def test_the_programs_of_the_thesis_are_explained(name: str, techniques: tuple[str, ...], code: int, line: str) -> None:
    found, text = tell(load(EXAMPLES / "boogie" / f"thesis-{name}.bpl"), techniques=techniques)
    assert found == code and line in text.replace("y = x", "x = y")


CALLS = [("check",), ("check", "--preset", "thesis"), ("explain",), ("explain", "--engine", "lifted", "--preset", "thesis")]


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_run_through_what_is_over_approximated_shows_nothing(call: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "inexact.bpl"
    file.write_text("procedure p() { var m: [int]int; assume (forall i: int :: m[i] == m[i+1] + 1); assert m[0] > m[1] + 1; }")
    told = run_program(*call, str(file))
    assert (told.code, told.err) == (5, "")
    if call[0] == "explain":
        assert "Verdict: unknown (incomplete)\n  Some steps of the model do more than the file says" in told.out
        assert "which do more than the file says, and shows nothing; once more, without them)" in told.out
    else:
        assert told.out.startswith("unknown\n") and "  incomplete  " in told.out


def test_a_circuit_has_no_such_run() -> None:
    with pytest.raises(UsageError, match="circuit of bits"):
        tell(load(EXAMPLES / "fifo.aag"))


def test_the_command_takes_the_engine_and_the_preset() -> None:
    file = str(EXAMPLES / "lia" / "slope.vmt")
    done = run_program("explain", file, "-p", "kept", "--engine", "lifted", "--preset", "thesis", "--technique", "caching")
    assert done.code == 0 and "a global fix-point" in done.out
    done = run_program("explain", file, "--engine", "bmc", "--preset", "thesis")
    assert done.code == 2 and "is not a run of engine bmc" in done.err


def test_check_takes_the_preset_with_an_improvement() -> None:
    file = str(EXAMPLES / "lia" / "slope.vmt")
    done = run_program("check", file, "--engine", "lifted", "--preset", "thesis", "--technique", "interpolation=true")
    assert done.code == 0 and "thesis" in done.out


def test_each_improvement_is_a_technique_of_the_preset_only() -> None:
    for name in ("dnf", "interpolation", "caching", "memory"):
        config = make_config(preset="thesis", technique={name: "true"})
        assert config.engine == "lifted" and config.thesis == ThesisOptions(**{name: True})
        with pytest.raises(UsageError, match=f"{name} is a technique of preset thesis, not of lifted"):
            make_config(engine="lifted", technique={name: "true"})
    with pytest.raises(UsageError, match="engine bmc has no such preset"):
        make_config(engine="bmc", preset="thesis")
    with pytest.raises(UsageError, match="guidance is a technique of engine pdr and lifted and traces, not of preset thesis"):
        make_config(preset="thesis", technique={"guidance": "false"})

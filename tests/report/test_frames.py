"""Pictures of frames: what they show, which systems they refuse, and ``lemmata explain --plot`` from file to pictures."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lemmata.cli import app, command_line
from lemmata.config import WordOptions
from lemmata.engines.pdr.word.engine import WordPdr
from lemmata.errors import UsageError
from lemmata.events import Event
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import FALSE, Term, var
from lemmata.report.drawing.frames import Plane, Scene, draw_frames, plane_of, scene, where
from lemmata.steps.words import Snapshot
from tests.support.paper_systems import op, simple, word
from tests.support.small_graphs import EVEN

PNG = b"\x89PNG\r\n\x1a\n"
SIMPLE = """1 sort bitvec 8
2 sort bitvec 1
3 zero 1
4 one 1
5 state 1 n
6 state 1 x
7 init 1 5 4
8 init 1 6 3
9 sgt 2 5 3
10 sub 1 5 4
11 add 1 6 4
12 next 1 5 10
13 next 1 6 11
14 constraint 9
15 constd 1 3
16 sgte 2 6 15
17 bad 16 three
"""
REAL_VMT = """(declare-fun x () Real) (declare-fun y () Real) (define-fun n () Real (! x :next y))
(define-fun i () Bool (! (= x 0.0) :init true)) (define-fun t () Bool (! (= y (+ x 0.5)) :trans true))
(define-fun p () Bool (! (not (= x 0.75)) :invar-property 0))
"""
EVEN_VMT = """(declare-fun x () Int) (declare-fun y () Int) (define-fun n () Int (! x :next y))
(define-fun i () Bool (! (= x 0) :init true)) (define-fun t () Bool (! (= y (+ x 2)) :trans true))
(define-fun p () Bool (! (not (= x 7)) :invar-property 0))
"""
NOTHING_SIGNED: frozenset[Term] = frozenset()
needs_matplotlib = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed")
X, Y = word("x", 8), word("y", 8)


def at_least(v: Term, limit: int) -> Term:
    return negate(op("bvult", v, limit))


def box(left: int, low: int) -> Term:
    return conj([at_least(X, left), at_least(Y, low)])


# scenes and planes


def test_a_scene_covers_what_any_of_its_cubes_covers() -> None:
    shown = scene([[box(1, 2), box(3, 0)], []], box(5, 5), 1)
    assert shown == Scene((disj([box(1, 2), box(3, 0)]), FALSE), box(5, 5), 1)


def test_the_window_holds_the_landmarks_with_a_margin_and_ends_where_the_words_do() -> None:
    plane = plane_of([X, Y], NOTHING_SIGNED, [scene([[box(10, 20)]], None, 0)])
    assert plane.words == (X, Y)
    assert plane.window == ((7, 23), (7, 23))
    plane = plane_of([X, word("z", 3)], NOTHING_SIGNED, [scene([[at_least(X, 2)]], None, 0)])
    assert plane.window == ((0, 5), (0, 5))


def test_a_signed_word_may_be_negative_in_the_window() -> None:
    shown = [scene([[op("bvslt", X, -4)]], at_least(Y, 6), 0)]
    assert plane_of([X, Y], frozenset({X}), shown).window == ((-7, 9), (3, 9))


def test_numbers_far_out_do_not_stretch_the_window() -> None:
    far = scene([[at_least(X, 200), at_least(Y, 5)]], None, 0)
    assert plane_of([X, Y], NOTHING_SIGNED, [far]).window == ((2, 8), (2, 8))
    assert plane_of([X, Y], NOTHING_SIGNED, []).window == ((0, 3), (0, 3))


def test_points_go_row_by_row() -> None:
    plane = Plane((X, Y), NOTHING_SIGNED, ({},), ((-1, 0), (5, 6)))
    assert plane.points() == [(-1, 5), (0, 5), (-1, 6), (0, 6)]


def test_a_point_is_in_a_picture_if_its_words_satisfy_the_formula() -> None:
    plane = Plane((X, Y), frozenset({X}), ({},), ((-2, 1), (0, 2)))
    formula = conj([op("bvslt", X, 0), at_least(Y, 1)])
    inside = [point for point, is_in in zip(plane.points(), where(plane, formula, True), strict=True) if is_in]
    assert inside == [(-2, 1), (-1, 1), (-2, 2), (-1, 2)]
    assert not any(where(plane, FALSE, True))


def test_a_point_is_covered_if_it_is_whatever_the_flags_are_and_owed_if_it_is_for_some() -> None:
    flag, bit = var("flag", BOOL), word("bit", 1)
    plane = plane_of([X, flag, Y, bit], NOTHING_SIGNED, [])
    assert len(plane.others) == 4
    formula = disj([op("=", X, 0), conj([flag, op("=", bit, 1), op("=", X, 1)])])
    points = plane.points()
    for is_everywhere, columns in ((True, {0}), (False, {0, 1})):
        inside = where(plane, formula, is_everywhere)
        assert {x for (x, _), is_in in zip(points, inside, strict=True) if is_in} == columns


@pytest.mark.parametrize(
    ("variables", "cause"),
    [
        ([word("bit", 1), var("flag", BOOL)], "this model has bits only"),
        ([X, var("m", Array(BitVec(2), BitVec(2)))], "this model has arrays or reals"),
    ],
    ids=["no word", "an array"],
)
def test_systems_without_words_and_with_arrays_are_not_drawn(variables: list[Term], cause: str) -> None:
    with pytest.raises(UsageError, match=cause):
        plane_of(variables, NOTHING_SIGNED, [])


def test_one_word_is_a_strip_and_of_several_the_two_that_matter_are_drawn() -> None:
    assert plane_of([X], NOTHING_SIGNED, []).window == ((0, 3), (0, 0))
    z = word("z", 8)
    plane = plane_of([X, Y, z], NOTHING_SIGNED, [scene([[op("bvult", z, Y)], [op("bvult", z, Y)]], at_least(Y, 3), 0)])
    assert plane.words == (Y, z)
    assert plane.held == (X,)
    assert all(other[X] == 0 for other in plane.others)


def test_bits_beyond_a_few_are_held() -> None:
    plane = plane_of([X, Y, *[var(f"f{i}", BOOL) for i in range(6)]], NOTHING_SIGNED, [])
    assert len(plane.others) == 16 and len(plane.held) == 2


# drawing


@needs_matplotlib
def test_there_is_one_picture_per_scene_in_their_order(tmp_path: Path) -> None:
    scenes = [scene([[box(n, 1)]], box(1, 1) if n % 2 else None, 0) for n in range(1, 11)]
    paths = draw_frames(scenes, plane_of([X, Y], NOTHING_SIGNED, scenes), tmp_path / "new" / "folder")
    assert [path.name for path in paths] == [f"step-{n:02}.png" for n in range(1, 11)]
    assert sorted(paths) == paths
    assert all(path.read_bytes().startswith(PNG) for path in paths)


@needs_matplotlib
def test_pictures_are_1200_pixels_wide_and_have_rows_of_frames(tmp_path: Path) -> None:
    scenes = [scene([[]] * n, None, 0) for n in (1, 5)]
    one, five = draw_frames(scenes, plane_of([X, Y], NOTHING_SIGNED, scenes, at_least(X, 3)), tmp_path)
    assert _width(one) == _width(five) == 1200


@needs_matplotlib
def test_names_are_no_mathematics(tmp_path: Path) -> None:
    words = [word("$procdff$1", 4), word("$\\frac^$", 4)]
    assert draw_frames([scene([[]], None, 0)], plane_of(words, NOTHING_SIGNED, []), tmp_path)


@needs_matplotlib
def test_a_place_that_takes_no_pictures_is_a_wrong_call(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "step-1.png").mkdir()
    for folder in (tmp_path / "file", tmp_path / "file" / "more", tmp_path):
        with pytest.raises(UsageError, match="cannot write"):
            draw_frames([scene([[]], None, 0)], plane_of([X, Y], NOTHING_SIGNED, []), folder)


def _width(path: Path) -> int:
    return int.from_bytes(path.read_bytes()[16:20], "big")


def test_without_matplotlib_there_are_no_pictures_and_a_hint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("lemmata.report.drawing.frames.importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"lemmata\[plots\]"):
        draw_frames([], plane_of([X, Y], NOTHING_SIGNED, []), tmp_path)


def test_the_frames_of_the_paper_are_what_the_pictures_show() -> None:
    """Figure 2: x ≥ 2 is covered in the first frame, and in the end n ≥ 2 is covered in all of them."""
    model, heard = simple(8), list[Event]()
    WordPdr(model, heard.append, WordOptions(unit="integer-cube"), record=True).check(0)
    shots = [event for event in heard if isinstance(event, Snapshot)]
    scenes = [scene(shot.frames, shot.obligation, shot.level) for shot in shots]
    plane = plane_of(model.variables, shots[-1].signed, scenes)
    assert plane.signed == set(model.variables)

    def covered(shown: Scene, level: int) -> set[tuple[int, int]]:
        inside = where(plane, shown.covers[level], True)
        return {point for point, is_in in zip(plane.points(), inside, strict=True) if is_in}

    points = set(plane.points())
    second = next(shown for shown in scenes if covered(shown, 1))
    assert covered(second, 1) == {(n, x) for n, x in points if x >= 2}
    last = scenes[-1]
    for level in range(1, len(last.covers)):
        assert covered(last, level) >= {(n, x) for n, x in points if n >= 2 or (x >= 1 and n >= 1)}
    assert (1, 0) not in covered(last, 0) and len(covered(last, 0)) == len(points) - 1


# from file to pictures


@needs_matplotlib
def test_explain_draws_as_many_steps_as_it_shows(tmp_path: Path) -> None:
    (tmp_path / "simple.btor2").write_text(SIMPLE)
    folder = tmp_path / "frames"
    call = ["explain", str(tmp_path / "simple.btor2"), "--plot", str(folder), "--unit", "integer-cube", "--max-steps", "4"]
    result = CliRunner().invoke(app, call)
    assert result.exit_code == 0, result.output
    assert f"4 pictures in {folder}" in result.output
    assert "Verdict: safe" in result.output
    pictures = sorted(folder.iterdir())
    assert [picture.name for picture in pictures] == [f"step-{n}.png" for n in range(1, 5)]
    assert all(picture.read_bytes().startswith(PNG) for picture in pictures)


@needs_matplotlib
@pytest.mark.parametrize(("name", "text", "prop"), [("one.btor2", EVEN, "1"), ("number.vmt", EVEN_VMT, "0")])
def test_one_word_and_one_number_are_drawn(tmp_path: Path, name: str, text: str, prop: str) -> None:
    (tmp_path / name).write_text(text)
    result = CliRunner().invoke(
        app, ["explain", str(tmp_path / name), "-p", prop, "--plot", str(tmp_path / "frames"), "--max-steps", "2"]
    )
    assert result.exit_code in (0, 10), result.output
    assert sorted((tmp_path / "frames").iterdir())


@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        ("bits.aag", "aag 1 0 1 0 0 1\n2 2\n2\n", "is a circuit of bits"),
        ("real.vmt", REAL_VMT, "this model has arrays or reals"),
    ],
    ids=["bits", "reals"],
)
def test_what_cannot_be_drawn_is_a_wrong_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, text: str, cause: str
) -> None:
    (tmp_path / name).write_text(text)
    monkeypatch.setattr(sys, "argv", ["lemmata", "explain", str(tmp_path / name), "--plot", str(tmp_path / "frames")])
    with pytest.raises(SystemExit) as ended:
        command_line()
    assert ended.value.code == 2
    assert cause in capsys.readouterr().err
    assert not (tmp_path / "frames").exists()


@needs_matplotlib
def test_pictures_end_with_the_time_and_the_verdict_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter([100.0, 100.0, 0.0, 0.0, 0.0])
    monkeypatch.setattr("lemmata.report.drawing.frames.wall_left", lambda: next(left))
    (tmp_path / "simple.btor2").write_text(SIMPLE)
    call = ["explain", str(tmp_path / "simple.btor2"), "--plot", str(tmp_path / "frames"), "--unit", "integer-cube"]
    told = CliRunner().invoke(app, call)
    assert len(list((tmp_path / "frames").iterdir())) == 2
    assert "\n2 of " in told.output and "--timeout gives more of it" in told.output and "Verdict:" in told.output


@needs_matplotlib
def test_the_caption_of_what_is_held_is_in_the_legend_that_no_mark_covers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    seen: list[tuple[str, bool]] = []
    save = Figure.savefig

    def look(figure: Figure, *args: object, **named: object) -> None:
        save(figure, *args, **named)  # type: ignore[arg-type]
        (legend,) = figure.legends
        title, marks = legend.get_title(), legend.get_texts()
        seen.append((title.get_text(), any(title.get_window_extent().overlaps(mark.get_window_extent()) for mark in marks)))

    monkeypatch.setattr(Figure, "savefig", look)
    z = word("z", 8)
    plane = plane_of((X, Y, z), NOTHING_SIGNED, [scene([[at_least(X, 3)], [at_least(Y, 2)]], None, 0)])
    draw_frames([scene([[at_least(X, 3)]], None, 0)], plane, tmp_path)
    assert seen == [("where z is 0", False)]

"""Output that comes from files is data: no name reaches an output with a character that somebody obeys."""

from __future__ import annotations

import html.parser
import json
import re
from pathlib import Path

import pytest

from lemmata import escapes
from lemmata.logic.smtlib.writer import symbol
from tests.support import hostile_names as hostile
from tests.support.hostile_names import EVIL, MARKUP, tame
from tests.support.program import run_program
from tests.support.smt_symbols import name_from

LONE = "\udc9b\ud800"
ALL = EVIL + "\n\t" + MARKUP + LONE
FILES = {"aag": hostile.circuit, "smt2": hostile.clauses, "vmt": hostile.system, "bpl": hostile.program}
# what each format lets into a name: bytes without line ends; text without bars, backslashes and ASCII control characters
FIT = {
    "aag": EVIL + "\udc9b\udcff" + MARKUP,
    "smt2": "\x9b2J\u202e\u2066\u2028\ufeff\n" + MARKUP.replace("|", "").replace("\\", ""),
    "vmt": "\x9b2J\u202e\u2066\u2028\ufeff\n" + MARKUP.replace("|", "").replace("\\", ""),
    "bpl": EVIL + MARKUP.replace('"', "").replace("\\", ""),
}


def model(folder: Path, kind: str, safe: bool) -> Path:
    """A file of that kind with hostile names inside, under a hostile name."""
    path = folder / f"a{EVIL}<i>\udc9b.{kind}"
    path.write_bytes(FILES[kind](FIT[kind], safe))
    return path


# the functions


def test_printable_text_is_printable_and_stays() -> None:
    assert escapes.printable("¬a ∨ b₁ x′") == "¬a ∨ b₁ x′"
    assert tame(escapes.printable(ALL)) and "\n" not in escapes.printable(ALL)
    assert escapes.printable("\x1b\x9b\u202e") == "\\x1b\\x9b\\u202e"
    assert escapes.printable_lines("a\nb\x1b") == "a\nb\\x1b"


def test_html_is_text_also_in_an_attribute() -> None:
    class Page(html.parser.HTMLParser):
        found: tuple[str, list[tuple[str, str | None]]] | None = None
        shown = ""

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert self.found is None, tag
            self.found = tag, attrs

        def handle_data(self, data: str) -> None:
            self.shown += data

    page = Page()
    page.feed(f'<p title="{escapes.in_html(ALL)}">{escapes.in_html(ALL)}')
    page.close()
    assert page.found == ("p", [("title", escapes.printable(ALL))]) and page.shown == escapes.printable(ALL)


def test_json_is_ascii_and_keeps_text() -> None:
    written = escapes.in_json({ALL: [EVIL, (LONE, 1, None)]})
    assert written.isascii() and tame(written) and not re.search(r"(?<!\\)\\ud[89a-f]", written)
    assert json.loads(written)[ALL.replace(LONE, r"\udc9b\ud800")] == [EVIL, [r"\udc9b\ud800", 1, None]]


def test_labels_stay_between_their_quotes() -> None:
    label = escapes.in_dot([ALL, "b"])
    assert tame(label) and re.fullmatch(r'"(?:[^"\\]|\\.)*"', label) and "\n" not in label


def test_markdown_begins_no_tag_no_cell_and_no_code() -> None:
    assert not re.search(r"<|(?<!\\)[|`\[]", escapes.in_markdown(ALL)) and tame(escapes.in_markdown(ALL))
    assert escapes.in_markdown_code("a`b") == "`a'b`"


@pytest.mark.parametrize("name", [ALL, "\u202e%41", "%\x1b", "\x1bAB", "é\ufeff", "a%E2%80%AE", "\udcff"])
def test_symbols_of_smt_lib_are_printable_and_read_back(name: str) -> None:
    assert tame(symbol(name)) and name_from(symbol(name)) == name


# the commands


def only_our_scripts(page: str) -> bool:
    """The data and the program of the page, in this order, and no markup of a file before, between or after them."""
    parts = re.split(r"<script[^>]*>(.*?)</script>", page, flags=re.DOTALL)
    return len(parts) == 5 and "<" not in parts[1] and all("<script" not in part and "<i>" not in part for part in parts[::2])


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize("form", ["text", "jsonl", "html"])
def test_every_report_is_tame(kind: str, safe: bool, form: str, tmp_path: Path) -> None:
    code, out, err = run_program("check", model(tmp_path, kind, safe), "--format", form, "-v", "--timeout", "300")
    assert code == (0 if safe else 10), err
    assert tame(out) and tame(err)
    if form == "html":
        assert only_our_scripts(out)
    if form == "jsonl":
        assert json.loads(out.splitlines()[-1])["verdict"] == ("safe" if safe else "unsafe")


@pytest.mark.parametrize("safe", [True, False])
def test_a_model_of_clauses_is_tame_and_valid(safe: bool, tmp_path: Path) -> None:
    path = model(tmp_path, "smt2", safe)
    code, out, err = run_program("check", path, "--format", "chc", "--model")
    assert code == (0 if safe else 10) and tame(out) and tame(err)
    if safe:
        proof = tmp_path / "model.smt2"
        proof.write_text(out)
        assert "written with %" in out and run_program("certify", path, proof)[0] == 0


def test_a_model_tells_predicates_apart_whose_escapes_look_alike(tmp_path: Path) -> None:
    path, proof = tmp_path / "two.smt2", tmp_path / "model.smt2"
    path.write_text(
        "(set-logic HORN)(declare-fun |a\u202e| (Int) Bool)(declare-fun a%E2%80%AE (Int) Bool)"
        "(assert (forall ((x Int)) (=> (= x 0) (|a\u202e| x))))(assert (forall ((x Int)) (=> (= x 5) (a%E2%80%AE x))))"
        "(assert (forall ((x Int)) (=> (and (|a\u202e| x) (a%E2%80%AE x)) false)))(check-sat)"
    )
    assert run_program("check", path, "--certificate", proof)[0] == 0
    assert tame(proof.read_text()) and run_program("certify", path, proof)[0] == 0


@pytest.mark.parametrize(
    ("kind", "suffixes"), [("aag", ("aag", "txt")), ("smt2", ("smt2",)), ("vmt", ("smt2",)), ("bpl", ("smt2",))]
)
def test_evidence_is_tame_and_read_back(kind: str, suffixes: tuple[str, ...], tmp_path: Path) -> None:
    good = model(tmp_path, kind, safe=True)
    for suffix in suffixes:
        proof = tmp_path / f"proof.{suffix}"
        assert run_program("check", good, "--certificate", proof)[0] == 0
        assert tame(proof.read_text())
        code, out, err = run_program("certify", good, proof)
        assert code == 0 and tame(out + err), err
    bad, witness = model(tmp_path, kind, safe=False), tmp_path / "bug.txt"
    assert run_program("check", bad, "--witness", witness)[0] == 10
    assert tame(witness.read_text())
    code, out, err = run_program("replay", bad, witness, "-v")
    assert code == 0 and tame(out + err), err


def test_latches_whose_names_cannot_be_shown_are_called_by_position_even_if_that_is_a_name(tmp_path: Path) -> None:
    path, proof = tmp_path / "two.aag", tmp_path / "proof.txt"
    path.write_bytes(b"aag 3 1 2 0 0 1\n2\n4 6\n6 6 1\n5\nl0 l1\nl1 \x1b\n")
    text = path.read_bytes().replace(b"4 6\n6 6 1\n5\n", b"4 6 1\n6 6 1\n5\n")
    path.write_bytes(text)
    assert run_program("check", path, "--certificate", proof, "--engine", "pdr", "--no-preprocess")[0] == 0
    assert run_program("certify", path, proof)[0] == 0, proof.read_text()


@pytest.mark.parametrize("kind", FILES)
def test_the_other_commands_are_tame(kind: str, tmp_path: Path) -> None:
    path = model(tmp_path, kind, safe=False)
    calls: list[tuple[str | Path, ...]] = [("info", path), ("info", path, "--format", "json"), ("explain", path)]
    if kind != "aag":
        calls += [("info", path, "--graph", tmp_path / "graph.dot"), ("convert", path, tmp_path / "out.smt2")]
    for call in calls:
        code, out, err = run_program(*call)
        assert code in (0, 10) and tame(out + err), (call, err)
    for made in (tmp_path / "graph.dot", tmp_path / "out.smt2"):
        assert kind == "aag" or tame(made.read_text())


@pytest.mark.parametrize("command", ["check", "info", "explain"])
@pytest.mark.parametrize("kind", ["aag", "smt2", "vmt", "bpl", "btor2"])
def test_errors_are_one_tame_line(command: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"b{EVIL}\n\udc9b.{kind}"
    written = EVIL.encode() + b"\n\x9b(declare-fun |"
    start = {
        "aag": b"aag 1 1 0 0 0\n",
        "btor2": b"1 sort bitvec 1\n2 ",
        "bpl": b"procedure ",
        "smt2": b"(set-logic ",
        "vmt": b"(",
    }
    path.write_bytes(start.get(kind, b"(") + written)
    code, out, err = run_program(command, path)
    assert code == 2 and tame(err) and out == "" and len(err.splitlines()) == 1


def test_symbols_of_btor2_that_cannot_be_shown_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "evil.btor2"
    for name in EVIL.replace("\u2028", "").replace("\u2029", ""):
        path.write_bytes(hostile.words(f"a{name}b"))
        code, _, err = run_program("info", path)
        assert (code == 2 and tame(err)) or name in "[31m2J", repr(name)


def test_words_with_markup_are_tame(tmp_path: Path) -> None:
    for safe in (True, False):
        path = tmp_path / f"m{EVIL}{safe}.btor2"
        path.write_bytes(hostile.words(MARKUP, safe))
        code, out, err = run_program("check", path, "--format", "html")
        assert code == (0 if safe else 10) and tame(out + err) and only_our_scripts(out)


def test_arguments_are_shown_tame(tmp_path: Path) -> None:
    for call in (
        ("check", "a", f"b{EVIL}"),
        ("info", "a", f"b{EVIL}"),
        ("check", "a", "--engine", EVIL),
        (EVIL,),
        (f"--{EVIL}",),
    ):
        code, out, err = run_program(*call)
        assert code == 2 and tame(out + err), call

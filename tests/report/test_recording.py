"""The film of a run: it has the words of the explanation, the frames and obligations of the papers, and marks to jump to."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest

from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.events import Event
from lemmata.frontends import load
from lemmata.report.explanation.formula import subscript
from lemmata.steps.graph import Learned, Tried
from tests.support.films import SEEDS
from tests.support.hostile_names import EVIL, MARKUP, circuit, tame
from tests.support.paths import ROOT
from tests.support.program import run_program

THESIS = ("--engine", "lifted", "--preset", "thesis")


def filmed(tmp_path, name: str, *options: str) -> tuple[str, dict]:
    """What ``explain`` prints, and its film."""
    out = tmp_path / "film.html"
    _, text, err = run_program("explain", ROOT / "examples" / name, *options, "--report", out)
    assert err == ""
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', out.read_text(), re.S)
    return text, json.loads(data)["film"]


def words(film: dict) -> list[str]:
    return [text for shot in film["shots"] for _, text in shot["lines"] if text.strip()]


def frames(film: dict, shot: dict) -> list[list[list[str]]]:
    return [[[film["texts"][lemma] for lemma in cell] for cell in frame] for frame in shot["frames"]]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed[0])
def test_a_film_has_the_words_of_the_explanation_in_their_order(tmp_path, seed):
    text, film = filmed(tmp_path, *seed)
    told = [line for line in text.splitlines() if line.strip() and not line.startswith("wrote ")]
    is_strong = "--unit" in seed  # whose queries and obligations are told by the film only
    ours = [line for line in words(film) if not is_strong or not re.search("obligation at level|satisfiable, ", line)]
    assert ours == told


def test_the_film_of_section_2_3_1_ends_with_the_chain_of_its_counterexample(tmp_path):
    _, film = filmed(tmp_path, "thesis-2.3.1.aag")
    nodes = film["shots"][-1]["nodes"]
    assert [(film["texts"][text], level, parent, state) for _, parent, text, level, state in nodes] == [
        ("s₁ = x1 ∧ x2 ∧ ¬x3", 2, None, "reached"),
        ("s₂ = x1 ∧ ¬x2 ∧ ¬x3", 1, 0, "reached"),
        ("s₃ = ¬x1 ∧ ¬x2 ∧ ¬x3", 0, 1, "reached"),
    ]
    assert frames(film, film["shots"][-1]) == [[["¬x1", "¬x2", "¬x3"]], [["P", "¬x2", "¬x3"]], [["P", "¬x3"]]]


def test_the_film_of_section_2_3_2_pushes_clause_by_clause_to_its_fix_point(tmp_path):
    _, film = filmed(tmp_path, "thesis-2.3.2.aag")
    pushes = [frames(film, shot)[-1] for shot in film["shots"] if "push" in shot["marks"]]
    assert pushes == [[["P", "¬x1"]], [["P", "¬x1", "¬x2"]], [["P", "¬x1"]], [["P", "¬x1", "¬x2"]]]
    (fixpoint,) = [shot for shot in film["shots"] if "fixpoint" in shot["marks"]]
    assert frames(film, fixpoint)[1] == frames(film, fixpoint)[2]


def test_the_film_of_section_3_3_2_has_a_row_per_location_and_equal_levels_at_the_end(tmp_path):
    _, film = filmed(tmp_path, "boogie/thesis-3.3.2.bpl", *THESIS)
    (fixpoint,) = [shot for shot in film["shots"] if "fixpoint" in shot["marks"]]
    columns = frames(film, fixpoint)
    assert all(len(column) == len(film["places"]) > 3 for column in columns)
    assert any(set(map(tuple, a)) == set(map(tuple, b)) for a, b in pairwise(columns))


def test_half_spaces_of_figure_3_are_on_the_plane(tmp_path):
    _, film = filmed(tmp_path, "welp/lin.btor2", "--unit", "polytope")
    plane = film["plane"]
    (left, right), (low, high) = plane["window"]
    last = plane["shots"][-1]["frames"][-1]
    bits = "".join(f"{int(digit, 16):04b}" for digit in plane["regions"][last])
    points = [(x, y) for y in range(low, high + 1) for x in range(left, right + 1)]
    assert plane["names"] == ["x", "y"]
    assert all((bit == "1") == (x + 2 * y > 5) for (x, y), bit in zip(points, bits, strict=False))


def test_lemmas_of_the_strong_engine_are_subsumed(tmp_path):
    _, film = filmed(tmp_path, "arbiter-round-robin.aag", "--preset", "strong")
    last = frames(film, film["shots"][-1])
    for frame in last:
        clauses = [frozenset(lemma.split(" ∨ ")) for lemma in frame[0]]
        assert len(clauses) == len(set(clauses))
    assert film["firstLevel"] == 1 and any("push" in shot["marks"] for shot in film["shots"])


def test_each_lemma_of_the_strong_engine_comes_with_the_query_that_let_it_in(tmp_path):
    _, film = filmed(tmp_path, "arbiter-round-robin.aag", "--preset", "strong")
    told = [[text.strip() for _, text in shot["lines"]] for shot in film["shots"] if "blocked" in shot["marks"]]
    assert told and all(len(lines) == 2 for lines in told)
    for lemma, query in told:
        (steps,) = re.findall(r"good for (\d+) steps?:", lemma)
        assert query == f"{subscript('F', int(steps) - 1)} ∧ c ∧ T ∧ ¬c′:  unsatisfiable, where c is the lemma"


def test_films_of_words_tell_the_queries_of_lemmas_and_obligations(tmp_path):
    _, film = filmed(tmp_path, "welp/bound.btor2", "--preset", "word")
    nodes = film["shots"][-1]["nodes"]
    seen = set()
    for shot in film["shots"][:-1]:
        told = [text.strip() for style, text in shot["lines"] if style in ("yes", "no")]
        if shot["now"] is not None and shot["now"] not in seen and told:
            _, parent, _, level, _ = nodes[shot["now"]]
            assert told[-1].startswith(subscript("F", level)) and ("¬P" in told[-1]) == (parent is None)
        seen.add(shot["now"])
        for _, text in shot["lines"]:
            for steps in re.findall(r"lemma, good for (\d+) step", text):
                assert f"{subscript('F', int(steps) - 1)} ∧ c ∧ T ∧ ¬c′:  unsatisfiable, where c is the lemma" in told
    assert len(seen) > 2


def test_films_of_graphs_tell_the_query_that_found_an_obligation(tmp_path):
    _, film = filmed(tmp_path, "boogie/lock.bpl")
    shots = film["shots"][:-1]
    assert all(any(text.strip() for _, text in shot["lines"]) for shot in shots)
    met = [(film["shots"][k]["lines"], shot["nodes"]) for k, shot in enumerate(shots) if "cti" in shot["marks"]]
    nodes = film["shots"][-1]["nodes"]
    shown = 0
    for lines, known in met:
        _, parent, _, level, _ = known[-1]
        found = [text for style, text in lines if style == "yes"]
        assert all(text.startswith(f"  {subscript('F', level)} ∧ ") for text in found) and len(found) <= 1
        assert not found or (parent is None) == ("¬P′" in found[0])
        assert not found or parent is None or nodes[parent][3] == level + 1
        shown += len(found)
    assert shown > 10


def test_lemmas_of_a_graph_are_at_their_locations_only(tmp_path):
    _, film = filmed(tmp_path, "boogie/lock.bpl")
    told = {
        (place, clause)
        for text in words(film)
        for place, clause in re.findall(r"^  lemma, .*?, at (.*›|assert at line \d+): (.*)$", text)
    }
    shown = {
        (film["places"][row], lemma)
        for shot in film["shots"]
        for frame in frames(film, shot)
        for row, cell in enumerate(frame)
        for lemma in cell
    }
    assert shown and shown <= told


@pytest.mark.parametrize(("name", "verdict"), [("boogie/lock.bpl", "safe"), ("boogie/account-broken.bpl", "unsafe")])
def test_the_film_of_trace_abstraction_shows_each_trace_in_the_automaton(tmp_path, name, verdict):
    _, film = filmed(tmp_path, name, "--engine", "traces", "--property", "assert at line 15" if verdict == "safe" else "1")
    assert film["verdict"] == verdict
    picked = [shot for shot in film["shots"][:-1] if shot["path"]]
    assert picked and all(shot["lines"][1][1].startswith("Trace ") for shot in picked)
    for shot in picked:
        arcs = film["drawings"][shot["drawing"]]["arcs"]
        told = [text for style, text in shot["lines"] if style == "query"]
        assert len(shot["path"]) == len(told) and set(shot["path"]) <= {edge for arc in arcs for edge in arc["edges"]}
    assert (film["shots"][-1]["drawing"] is None) == (verdict == "safe")


def test_steps_beyond_the_limit_are_not_in_the_film(tmp_path):
    text, film = filmed(tmp_path, "thesis-2.3.1.aag", "--max-steps", "2")
    assert "more steps" in text and not any("cti" in shot["marks"] for shot in film["shots"])
    assert film["verdict"] == "unsafe" and "Verdict: unsafe" in words(film)


def test_hostile_names_of_a_film_are_data(tmp_path):
    (tmp_path / "evil.aag").write_bytes(circuit(MARKUP + EVIL))
    run_program("explain", tmp_path / "evil.aag", "--report", tmp_path / "film.html")
    page = (tmp_path / "film.html").read_text()
    assert page.count("<script") == 2 and tame(page)


def test_the_model_is_not_overwritten_by_its_film(tmp_path):
    model = tmp_path / "m.aag"
    model.write_bytes(circuit("x"))
    code, _, err = run_program("explain", model, "--report", model)
    assert code == 2 and "m.aag" in err and model.read_bytes() == circuit("x")


def test_obligations_of_a_program_come_from_the_one_that_they_lead_to(tmp_path):
    _, film = filmed(tmp_path, "boogie/lock.bpl")
    nodes = film["shots"][-1]["nodes"]
    children = [node for node in nodes if node[1] is not None]
    assert len(children) > 10 and all(parent < number for number, parent, *_ in children)
    assert any(nodes[parent][3] == level + 1 for _, parent, _, level, _ in children)
    assert sum(state == "blocked" for *_, state in nodes) > 10


def test_obligations_of_words_come_from_the_one_that_they_lead_to(tmp_path):
    _, film = filmed(tmp_path, "welp/bound.btor2", "--preset", "word")
    nodes = film["shots"][-1]["nodes"]
    assert any(parent is not None and nodes[parent][3] > level for _, parent, _, level, _ in nodes)
    assert any(state == "blocked" for *_, state in nodes)


ANSWER = re.compile(
    r"\?  (F[₀-₉∞]+ ∧ c ∧ T ∧ ¬c′ is (unsatisfiable: yes|satisfiable: no)|no: a (transition|state) that .* breaks it)$"
)


def test_films_of_graphs_tell_the_queries_of_generalization(tmp_path):
    _, film = filmed(tmp_path, "boogie/lock.bpl")
    asked = 0
    for shot in film["shots"]:
        told = [text.strip() for _, text in shot["lines"]]
        tries = [text for text in told if text.startswith("c = ")]
        asked += sum(" is " in text for text in tries)
        assert not tries or any(text.startswith("lemma, ") for text in told)
        for text in tries:
            assert ANSWER.search(text)
    assert asked > 20


@pytest.mark.parametrize("name", ["boogie/lock.bpl", "lia/even.vmt"])
def test_what_generalization_tries_is_what_lemmas_become(name):
    heard: list[Event] = []
    LiftedPdr(load(ROOT / "examples" / name), heard.append, record=True).check(0)
    tries: list[Tried] = []
    grown = 0
    for event in heard:
        match event:
            case Tried():
                tries.append(event)
            case Learned(place, literals):
                if accepted := [one for one in tries if one.is_blocked]:
                    assert accepted[-1].place == place and set(literals) <= set(accepted[-1].literals)
                    grown += 1
                tries = []
    assert grown > 0


def test_films_of_graphs_tell_what_is_pushed_and_where_the_fix_point_is(tmp_path):
    _, film = filmed(tmp_path, "boogie/lock.bpl")
    pushes = [shot for shot in film["shots"] if "push" in shot["marks"]]
    assert any(text.startswith("  pushed, ") for shot in pushes for _, text in shot["lines"])
    (met,) = [k for k, shot in enumerate(film["shots"]) if "fixpoint" in shot["marks"]]
    (level,) = re.findall(r"^F([₀-₉]+) and F[₀-₉]+ are the same", film["shots"][met]["lines"][-1][1])
    opened = max(int(number) for text in words(film) for number in re.findall(r"^Level (\d+):", text))
    assert level in {subscript("", number) for number in range(1, opened + 1)}


def test_films_of_bits_have_a_tree_of_obligations_that_ends_in_the_counterexample(tmp_path):
    _, film = filmed(tmp_path, "mutex-broken.aag", "--preset", "strong")
    *_, met, last = film["shots"]
    assert met["marks"] == ["counterexample"]
    chain = [node for node in last["nodes"] if node[4] == "reached"]
    assert len(chain) == 1 + 6 and chain[0][1] is None and chain[-1][0] == met["now"]  # the run has 6 transitions
    assert all(child[1] == parent[0] for parent, child in pairwise(chain))
    assert any(state == "blocked" for *_, state in last["nodes"])
    for shot in film["shots"]:
        if "cti" in shot["marks"]:
            _, parent, _, level, _ = shot["nodes"][shot["now"]]
            found = [text.strip() for style, text in shot["lines"] if style == "yes"]
            assert all(text.startswith(subscript("F", level)) and ("¬P" in text) == (parent is None) for text in found)


def test_obligations_of_bits_are_blocked_by_lemmas_that_exclude_them(tmp_path):
    _, film = filmed(tmp_path, "arbiter-round-robin.aag", "--preset", "strong")
    for shot in film["shots"][:-1]:
        for _, _, text, level, state in shot["nodes"]:
            literals = set(film["texts"][text].split(" ∧ "))
            held = {film["texts"][lemma] for frame in shot["frames"][level - 1 : level] for lemma in frame[0]}
            excluded = any(literals >= {negated(x) for x in lemma.split(" ∨ ")} for lemma in held)
            assert state == "blocked" or not excluded


def negated(literal: str) -> str:
    return literal.removeprefix("¬") if literal.startswith("¬") else f"¬{literal}"

"""Pages in a real browser: no errors, the values of the JSON, keys, hostile names as text, and long waveforms at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import lemmata
from lemmata.bench.records import PAGE_COLUMNS
from lemmata.report.drawing.control_flow import Drawing, DrawnArc, DrawnBox, placed_drawing
from lemmata.report.page import bench_page, report_page
from tests.support.browser import CHROMIUM, WHY_NOT, Tab, browser
from tests.support.films import SEEDS
from tests.support.hostile_names import EVIL, MARKUP, circuit, tame
from tests.support.live_run import live_run
from tests.support.paths import ROOT
from tests.support.program import run_program

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=WHY_NOT)

HOSTILE = f"{MARKUP}]]>--></script><!--{EVIL}\u2028\u05d0\u05d1\u05d2" + "x" * 10_000
FIRST_PAINT_S = 1.0  # of the page's processor: a busy machine does not decide


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with browser() as one:
        yield one.tab()


@pytest.fixture(autouse=True)
def quiet(tab: Tab) -> Iterator[None]:
    tab.complaints.clear()
    yield
    assert tab.complaints == []


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Callable[..., Path]:
    """The page of an example, written once."""

    @cache
    def write(name: str, *options: str) -> Path:
        out = tmp_path_factory.mktemp("pages") / "out.html"
        run_program("check", ROOT / "examples" / name, "--report", out, *options)
        return out

    return write


WORLDS = [
    "fifo-off-by-one.aag",
    "btor2/counter.btor2",
    "lia/fibonacci-broken.smt2",
    "boogie/account.bpl",
    "boogie/search-broken.bpl",
]


@pytest.mark.parametrize("name", WORLDS)
def test_a_page_shows_what_json_says(tab, written, name):
    tab.open(written(name))
    result = tab.ask("page.result")
    assert tab.texts("main > table .safe, main > table .unsafe") == [result["verdict"]]
    assert tab.texts("h1") == [result["file"]]
    assert tab.texts("section h2") == [prop["name"] for prop in result["properties"]]
    shown = tab.ask("[...document.querySelectorAll('section > table tr:first-child td span')].map(one => one.className)")
    assert shown == [prop["verdict"] for prop in result["properties"]]
    assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_page_of_a_time_out_says_how_far_it_came(tab, written):
    tab.open(written("fifo.aag", "--timeout", "0.01"))
    assert tab.ask("page.result.properties[0].reason") == "timeout"
    assert "timeout" in tab.texts("section table .unknown")[0] and "--timeout" in tab.texts("section p")[0]


def test_keys_move_the_cursor_of_a_waveform(tab, written):
    tab.open(written("fifo-off-by-one.aag"))
    last = tab.ask("page.result.properties.find(one => one.trace).trace.inputs.length") - 1
    tab.focus(".wave")
    seen = []
    for key in ("ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home", "ArrowLeft"):
        tab.press(key)
        seen += tab.texts(".tools [aria-live]")[:1]
    assert seen == [f"step {step} of {last}" for step in (1, last, last, last - 1, 0, 0)]


def test_a_waveform_leaves_out_what_a_tool_named_until_all_is_asked_for(tab, tmp_path):
    document = hostile_document()
    trace = {"property": 0, "depth": 0, "initial": "01", "inputs": ["1"], "latch_names": ["count", "$auto$f.cc:1:g$2"]}
    trace |= {"input_names": ["go"], "states": ["01"], "relevant_inputs": ["1"]}
    document["properties"] = [document["properties"][0] | {"name": "made up", "trace": trace}]
    (tmp_path / "made-up.html").write_text(report_page(document))
    tab.open(tmp_path / "made-up.html")
    assert "1 named by a tool left out" in tab.texts("section .tools .faint")
    tab.ask("document.querySelector('section [type=checkbox]').click()")
    assert "1 named by a tool left out" not in tab.texts("section .tools .faint")


def test_keys_step_through_the_source_and_values_are_those_of_the_trace(tab, written):
    tab.open(written("boogie/search-broken.bpl"))
    (number, prop) = next((k, p) for k, p in enumerate(tab.ask("page.result.properties")) if p["trace"])
    facts, names = prop["trace"]["facts"], prop["trace"]["variables"]
    tab.focus(f"#p{number} [tabindex='0']")
    now = f"[...document.querySelectorAll('#p{number} .code li')].findIndex(li => li.classList.contains('now')) + 1"
    for step, fact in enumerate(facts):
        assert tab.texts(f"#p{number} [aria-live]")[0].startswith(f"step {step} of {len(facts) - 1}")
        cells = (tab.texts(f"#p{number} .panes div:last-child {cell}") for cell in ("th", "td"))
        assert dict(zip(*cells, strict=True)) == dict(zip(names.get(fact["location"], []), fact["values"], strict=True))
        assert tab.ask(now) == (fact["line"] or 0)
        tab.press("ArrowRight")


def test_the_derivation_of_horn_clauses_unfolds(tab, written):
    tab.open(written("lia/fibonacci-broken.smt2"))
    facts = tab.ask("page.result.properties[0].trace.facts.length")
    while tab.ask("document.querySelectorAll('details:not([open])').length"):
        tab.ask("document.querySelectorAll('details:not([open])').forEach(one => { one.open = true; })")
        tab.ask("new Promise(done => setTimeout(done, 20))")
    texts = tab.texts(".tree > summary code, div.tree > code")
    assert {int(text.partition(":")[0]) for text in texts} == set(range(facts))


def drawn_arcs(tab) -> list[dict]:
    """Arrows in the order of the drawing: each after the box that it leaves."""
    return sorted(tab.ask("page.graph.arcs"), key=lambda arc: arc["ends"][0])


def test_the_path_of_a_run_stands_out_in_the_graph(tab, written):
    tab.open(written("boogie/search-broken.bpl"))
    number, prop = next((k, p) for k, p in enumerate(tab.ask("page.result.properties")) if p["trace"])
    tab.ask(f"document.querySelector('#p{number} .cfg').open = true")
    tab.until(f"document.querySelectorAll('#p{number} .arc').length")
    taken = tab.ask(f"[...document.querySelectorAll('#p{number} .arc')].map(arc => arc.classList.contains('taken'))")
    edges = {fact["edge"] for fact in prop["trace"]["facts"]}
    assert taken == [set(arc["edges"]) <= edges for arc in drawn_arcs(tab)] and any(taken)


def test_a_location_says_what_holds_there(tab, written):
    tab.open(written("boogie/account.bpl"))
    lemmas = {name: said for name, said in tab.ask("page.result.properties[0].invariant.locations").items() if said}
    tab.ask("document.querySelector('#p0 .cfg').open = true")
    tab.until("document.querySelectorAll('#p0 .box').length")
    for number, box in enumerate(box for box in tab.ask("page.graph.boxes") if box["kind"] in ("place", "error")):
        tab.ask(f"document.querySelectorAll('#p0 .box')[{number}].focus()")
        said = "".join(tab.texts("#p0 .cfg pre"))
        expected = lemmas.get(box["name"], [])
        assert said in ("never reached" if "false" in expected else "\n".join(expected) or "true", "")
        assert said or not expected


def test_clauses_of_a_circuit_are_grouped_by_the_words_that_they_speak_of(tab, tmp_path):
    document, names = hostile_document(), ("count[0]", "count[1]", "read0", "read1", "write_2", "full")
    clauses = [f"¬{a} ∨ {b}" for a in names for b in names if a != b]
    invariants = [{"kind": "clauses", "clauses": each} for each in (clauses, clauses[:4])]
    document["properties"] = [document["properties"][4] | {"invariant": one} for one in invariants]
    (tmp_path / "clauses.html").write_text(report_page(document))
    tab.open(tmp_path / "clauses.html")
    tab.until("[...document.querySelectorAll('.clauses')].every(one => one.childElementCount > 1)")
    heads = ["count, read", "count, full", "count, write", "full, read", "read, write", "count", "full, write", "read"]
    assert sorted(tab.texts("#p0 .clauses summary b")) == sorted(heads)
    assert sorted(tab.texts("#p0 .clauses li code")) == sorted(clauses)
    assert tab.texts("#p0 .clauses:first-child summary") == ["count, read 8 clauses"]
    assert set(tab.texts("#p0 .clauses:first-child li code")) == {
        text for text in clauses if "count" in text and "read" in text
    }
    assert tab.texts("#p1 li code") == clauses[:4] and not tab.texts("#p1 .clauses")


def test_formulas_over_words_are_grouped_by_what_they_speak_of(tab, tmp_path):
    document = hostile_document()
    formulas = [f"{a} + {k} ≤ {b}" for k in range(7) for a, b in (("x", "y"), ("count", "y"))]
    spoken = [["x", "y"], ["count", "y"]] * 7
    words = {"invariant": {"kind": "formulas", "formulas": formulas}, "spoken": spoken}
    places = {"invariant": {"kind": "locations", "locations": {"main": formulas, "end": ["false"]}}}
    places["spoken"] = {"main": spoken, "end": [[]]}
    saved = {"invariant": words["invariant"]}
    document["properties"] = [document["properties"][4] | one for one in (words, places, saved)]
    (tmp_path / "words.html").write_text(report_page(document))
    tab.open(tmp_path / "words.html")
    for number in (0, 1):
        assert tab.texts(f"#p{number} .clauses summary") == ["x, y 7 formulas", "count, y 7 formulas"]
        assert sorted(tab.texts(f"#p{number} .clauses li code")) == sorted(formulas)
    assert tab.texts("#p2 li code") == formulas


def test_clauses_that_are_alone_with_their_words_are_one_group(tab, tmp_path):
    document = hostile_document()
    clauses = [*(f"¬token{k}" for k in range(20)), "a ∨ b", "false", HOSTILE]
    document["properties"] = [document["properties"][4] | {"invariant": {"kind": "clauses", "clauses": clauses}}]
    (tmp_path / "alone.html").write_text(report_page(document))
    tab.open(tmp_path / "alone.html")
    assert tab.texts(".clauses summary") == ["token 20 clauses", "others 3 clauses"]


@pytest.mark.parametrize("name", ["boogie/account.bpl", "btor2/counter.btor2", "fifo.aag"])
def test_a_proof_shows_its_obligations_with_solver_and_time(tab, written, name):
    tab.open(written(name))
    number, prop = next((k, p) for k, p in enumerate(tab.ask("page.result.properties")) if p["checks"])
    checks = prop["checks"]
    tab.ask(f"document.querySelector('#p{number} .why').open = true")
    tab.until(f"document.querySelectorAll('#p{number} .why tr').length > 1")
    assert f"{checks['count']} obligation" in tab.texts(f"#p{number} .why summary")[0]
    shown = [tab.texts(f"#p{number} .why td:nth-child({column})") for column in (1, 3, 4)]
    assert shown[0] == [one["kind"] for one in checks["each"]] and shown[1] == [one["by"] for one in checks["each"]]
    assert shown[2] == [f"{1000 * one['time_s']:.1f} ms" for one in checks["each"]]


def test_a_location_says_which_obligations_lead_to_it(tab, written):
    tab.open(written("boogie/account.bpl"))
    each = tab.ask("page.result.properties[0].checks.each")
    tab.ask("document.querySelector('#p0 .cfg').open = true")
    tab.until("document.querySelectorAll('#p0 .box').length")
    told = 0
    for number, box in enumerate(box for box in tab.ask("page.graph.boxes") if box["kind"] in ("place", "error")):
        tab.ask(f"document.querySelectorAll('#p0 .box')[{number}].dispatchEvent(new MouseEvent('click'))")
        kinds = tab.texts("#p0 .cfg .checks td:first-child")
        assert kinds == [one["kind"] for one in each if one["target"] == box["name"]]
        told += len(kinds)
    assert told == len(each)


def test_an_arrow_says_its_statement_and_the_obligations_of_its_edges(tab, written):
    tab.open(written("boogie/account.bpl"))
    each = tab.ask("page.result.properties[0].checks.each")
    boxes = tab.ask("page.graph.boxes")
    tab.ask("document.querySelector('#p0 .cfg').open = true")
    tab.until("document.querySelectorAll('#p0 .edge').length")
    told = set()
    for number, arc in enumerate(drawn_arcs(tab)):
        tab.ask(f"document.querySelectorAll('#p0 .edge')[{number}].focus()")
        assert "".join(tab.texts("#p0 .cfg pre")) == "\n".join(arc["statement"] or arc["texts"])
        ends = [boxes[end]["text"] or {"start": "start", "join": "◇"}[boxes[end]["kind"]] for end in arc["ends"]]
        assert tab.texts("#p0 .cfg [aria-live] b") == [" → ".join(ends)]
        owed = [one for one in each if one["edge"] in arc["edges"]]
        shown = [tab.texts(f"#p0 .cfg .checks td:nth-child({column})") for column in (1, 3, 4)]
        assert shown == [
            [one["kind"] for one in owed],
            [one["by"] for one in owed],
            [f"{1000 * one['time_s']:.1f} ms" for one in owed],
        ]
        told |= {one["edge"] for one in owed}
    assert told == {one["edge"] for one in each} and told


def test_arrows_are_reached_by_mouse_and_key(tab, written):
    tab.open(written("boogie/account.bpl"))
    tab.ask("document.querySelector('#p0 .cfg').open = true")
    tab.until("document.querySelectorAll('#p0 .edge').length")
    tab.ask("document.querySelectorAll('#p0 .edge')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    clicked = tab.texts("#p0 .cfg [aria-live] b")
    tab.ask("document.querySelectorAll('#p0 .edge')[0].focus()")
    tab.press("Tab")
    assert clicked and tab.ask("document.activeElement.matches('#p0 .edge, #p0 .box')")


def test_an_invariant_of_two_words_is_drawn_on_their_plane(tab, written):
    tab.open(written("welp/lin.btor2"))
    assert tab.texts(".region figcaption")[0].startswith("x: ") and len(tab.texts(".region svg")) >= 1
    areas = ("holds-area", "bad", "states")
    assert all(tab.ask(f"document.querySelector('.region svg .{area}').getAttribute('d').length > 20") for area in areas)
    assert [text.strip() for text in tab.texts(".region .legend")][:2] == ["the invariant holds", "bad states"]
    assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth")


def test_an_unknown_names_the_obligation_that_came_back_most_and_where_the_time_went(tab, written):
    tab.open(written("btor2/counter-deep.btor2", "--engine", "pdr", "--timeout", "6"))
    prop = tab.ask("page.result.properties[0]")
    assert prop["verdict"] == "unknown" and prop["most_returned"]["returns"] > 0
    assert prop["most_returned"]["obligation"] in tab.texts("section p code")
    assert f"{prop['engines']['pdr']['time_s']:.1f} s" in " ".join(tab.texts("section .frames td"))


def test_obligations_of_films_are_trees(tab, tmp_path):
    run_program("explain", ROOT / "examples" / "boogie" / "lock.bpl", "--report", tmp_path / "film.html")
    tab.open(tmp_path / "film.html")
    tab.press("End")
    assert tab.ask("document.querySelectorAll('.owes ul .owed').length") > 3
    assert len(tab.texts(".owes .blocked")) > 3


def test_obligations_that_are_a_counterexample_can_be_read(tab, tmp_path):
    run_program("explain", ROOT / "examples" / "thesis-2.3.1.aag", "--report", tmp_path / "film.html")
    tab.open(tmp_path / "film.html")
    tab.press("End")
    style = "getComputedStyle(document.querySelector('.owed.reached'))"
    assert tab.ask(f"{style}.backgroundColor") == "rgba(0, 0, 0, 0)"
    assert tab.ask(f"{style}.color") != tab.ask("getComputedStyle(document.body).backgroundColor")


def test_a_film_has_its_call_and_on_paper_all_its_words(tab, tmp_path):
    run_program("explain", ROOT / "examples" / "thesis-2.3.2.aag", "--report", tmp_path / "film.html")
    tab.open(tmp_path / "film.html")
    assert "thesis-2.3.2.aag --report" in tab.texts("main > table code")[0]
    assert tab.texts(".transcript .said") == []
    tab.ask("window.dispatchEvent(new Event('beforeprint'))")
    told = [text for shot in tab.ask("film.shots") for _, text in shot["lines"] if text.strip()]
    assert tab.texts(".transcript .said") == told and tab.ask("document.querySelector('.transcript').open")


def test_rows_of_a_table_in_a_film_stay_below_each_other(tab, tmp_path):
    options = ("--preset", "thesis", "--report", tmp_path / "film.html")
    run_program("explain", ROOT / "examples" / "boogie" / "thesis-3.3.2.bpl", *options)
    tab.open(tmp_path / "film.html")
    shot = tab.ask("film.shots.findIndex(shot => shot.lines.filter(([, text]) => text.includes(' │ ')).length > 4)")
    tab.ask(f"(() => {{ for (let k = 0; k < {shot}; k++) document.querySelector(\"[title='next step']\").click(); }})()")
    rows = tab.texts(".said.grid")[0].split("\n")
    assert len(rows) > 4 and len({row.index("│") for row in rows}) == 1
    assert tab.ask("getComputedStyle(document.querySelector('.said.grid')).whiteSpace").startswith("pre")
    height = "document.querySelector('.said.grid').clientHeight"
    assert tab.ask(
        f"{height} < {len(rows) + 2} * parseFloat(getComputedStyle(document.querySelector('.said.grid')).lineHeight)"
    )


def test_truth_values_of_a_run_are_drawn_as_levels(tab, written):
    tab.open(written("lia/up-down.vmt", "-p", "below"))
    rows = tab.ask("factRows(page.result.properties[0].trace).map(row => [row.name, row.isBit])")
    assert dict(rows) == {"x": False, "n": False, "up": True, "way": False}


def test_parts_of_a_register_are_one_signal_as_in_the_text(tab, tmp_path):
    names = ("count[17:1]", "count[0]", "wide[8:1]", "wide[0]", "gap[3]", "gap[1]", "one[1]", "one[0]", "one")
    values = [("65535", "1", "300", "0", "1", "1", "0", "1", "7"), ("0x10000", "0", "1", "0", "1", "1", "0", "1", "7")]
    states = [dict(zip(names, line, strict=True)) for line in values]
    trace = {"property": 0, "depth": 1, "initial": states[0], "inputs": [{"in[1]": "1", "in[0]": "0"}] * 2, "states": states}
    trace["relevant_inputs"] = [{"in[0]": "0"}, {}]
    document = hostile_document()
    document["properties"] = [document["properties"][0] | {"trace": trace}]
    (tmp_path / "parts.html").write_text(report_page(document))
    tab.open(tmp_path / "parts.html")
    told = "row.name, row.at(0), row.at(1), row.needed?.(0), row.needed?.(1)"
    rows = tab.ask(f"traceRows(page.result.properties[0].trace).map(row => [{told}])")
    assert [row[0] for row in rows] == ["count", *names[2:], "in"]
    assert rows[0][1:3] == ["0x1ffff", "0x20000"] and rows[-1][1:] == ["2", "2", True, False]


def test_a_small_derivation_is_unfolded(tab, written):
    tab.open(written("lia/mccarthy-broken.smt2"))
    assert len(tab.texts(".tree code")) == tab.ask("page.result.properties[0].trace.facts.length")


def test_a_name_with_a_slash_is_no_call(tab, tmp_path):
    document = hostile_document()
    steps = [{"location": place, "values": [], "premises": [k - 1] if k else [], "edge": 0, "line": 1} for k, place in
             enumerate(("<b>/a", "main:3/f:7~2/g:8", "error"))]  # fmt: skip
    trace = {"property": 0, "depth": 1, "variables": {}, "facts": steps}
    document["properties"] = [document["properties"][0] | {"trace": trace}]
    (tmp_path / "slash.html").write_text(report_page(document))
    tab.open(tmp_path / "slash.html")
    assert tab.texts("section [aria-live]")[0].strip() == "step 0 of 2, line 1: <b>/a"
    tab.click("[title='next step']")
    assert tab.texts("section [aria-live]")[0].strip() == "step 1 of 2, line 1: main:3 → f:7~2 → g:8"


def test_an_unknown_says_once_why(tab, tmp_path):
    document = hostile_document()
    prop = document["properties"][-1] | {"why": "line 5 does more", "advice": "p: line 5 does more; try another engine"}
    counts = {"bound": -1, "frames": 0, "lemmas": 0, "obligations": 0, "queries": 0, "time_s": 0.3}
    document["properties"] = [prop | {"engines": {"symbolic": counts}, "most_returned": None}]
    (tmp_path / "why.html").write_text(report_page(document))
    tab.open(tmp_path / "why.html")
    assert " ".join(tab.texts("section p")).count("line 5 does more") == 1
    assert tab.texts("section .frames th") == ["engine", "time"]


def test_notes_beside_the_source_are_below_it_where_a_page_is_narrow(tab, written):
    tab.open(written("boogie/lock.bpl"))
    both = "(() => { const note = document.querySelector('.holds'); const line = note.previousElementSibling;"
    beside = f"{both} return note.getBoundingClientRect().top < line.getBoundingClientRect().bottom; }})()"
    assert tab.ask(beside)
    try:
        tab.look(360, 740)
        assert not tab.ask(beside)
        assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth")
    finally:
        tab.look(1200, 800)


def hostile_document() -> dict:
    trace = {"property": 0, "depth": 0, "initial": "0", "inputs": ["1"], "latch_names": [HOSTILE], "input_names": [HOSTILE]}
    trace |= {"states": ["0"], "relevant_inputs": ["1"]}
    fact = {"location": HOSTILE, "values": [HOSTILE], "premises": [], "edge": 0, "line": 1}
    steps = [fact, fact | {"premises": [0], "location": f"{HOSTILE}!"}, fact | {"premises": [1], "location": "error"}]
    run = {"property": 0, "depth": 2, "variables": {HOSTILE: [HOSTILE]}, "facts": steps}
    tree = run | {"facts": [fact, fact, fact | {"premises": [0, 1]}]}
    holds = {"kind": "locations", "locations": {HOSTILE: [HOSTILE]}, "places": {HOSTILE: {"line": 1, "text": HOSTILE}}}
    clauses = {"kind": "clauses", "clauses": [HOSTILE]}
    common = {
        "name": HOSTILE,
        "reason": HOSTILE,
        "engine": HOSTILE,
        "bound": 1,
        "depth": 0,
        "by": HOSTILE,
        "read_by": [HOSTILE],
    }
    common |= {"time_s": 0.1, "line": 1, "file": HOSTILE, "engines": {HOSTILE: {HOSTILE: 1}}, "trace": None, "invariant": None}
    props = [common | {"verdict": "unsafe", "trace": one} for one in (trace, run, tree)]
    props += [common | {"verdict": "safe", "invariant": one} for one in (holds, clauses)]
    owed = {"kind": HOSTILE, "edge": 0, "sources": [HOSTILE], "target": HOSTILE, "line": 1, "by": HOSTILE, "time_s": 0.1}
    props[-2]["checks"] = {"count": 1, "time_s": 0.1, "each": [owed]}
    most = {"engine": HOSTILE, "obligation": HOSTILE, "returns": 1}
    props += [common | {"verdict": "unknown", "advice": HOSTILE, "most_returned": most}]
    head = {"tool": "lemmata", "version": HOSTILE, "file": HOSTILE, "verdict": "unsafe", "time_s": 0.1, "cpu_s": 0.1}
    return head | {"memory_mb": 1, "seed": 0, "properties": props}


def test_hostile_names_are_shown_as_text_and_nothing_runs(tab, tmp_path):
    boxes = (DrawnBox("place", HOSTILE, HOSTILE), DrawnBox("error", HOSTILE, HOSTILE))
    graph = placed_drawing(Drawing(boxes, (DrawnArc(0, 1, (HOSTILE,), (0,), (HOSTILE,)),), 2, 1))
    region = {"place": HOSTILE, "names": [HOSTILE, HOSTILE], "window": [[0, 1], [0, 1]], "invariant": "8", "bad": "1"}
    regions = [[region | {"reached": "8", "isAll": True, "outside": 0}]]
    told = {"source": HOSTILE, "command": HOSTILE, "digest": HOSTILE, "text": HOSTILE, "remark": HOSTILE}
    page = report_page(hostile_document(), graph=graph, regions=regions, **told)
    (tmp_path / "evil.html").write_text(page)
    tab.open(tmp_path / "evil.html")
    tab.until("document.querySelectorAll('.edge').length > 0")
    tab.ask("document.querySelector('.edge').focus()")
    assert tab.texts(".cfg pre")[0].startswith(MARKUP)
    assert tab.ask("document.querySelectorAll('script').length") == 2
    (title,), shown = tab.texts("h1"), tab.ask("document.getElementById('page').innerText")
    assert title.startswith(MARKUP) and title.endswith("x" * 10_000)
    assert "]]>--></script><!--" in title and "\u05d0\u05d1\u05d2" in title and "\\u{2028}" in title and "\\u{202e}" in title
    assert tame(shown) and tab.ask("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_policy_of_a_page_stops_what_escapes_would_have_missed(tab, tmp_path):
    page = report_page(hostile_document())
    assert page.count("<main") == 1
    (tmp_path / "evil.html").write_text(
        page.replace("<main", "<script>window.ran = 1</script><img src=x onerror='ran=1'><main")
    )
    tab.open(tmp_path / "evil.html")
    assert tab.ask("typeof window.ran") == "undefined"
    assert tab.complaints and all("Content Security Policy" in text for text in tab.complaints)
    tab.complaints.clear()


def test_a_waveform_of_10_000_steps_and_500_signals_is_there_at_once(tab, tmp_path):
    steps, signals = 10_000, 500
    names = [f"signal_{k}" for k in range(signals)]
    states = [format((step * 2654435761) ** 40 % (1 << signals), f"0{signals}b") for step in range(steps)]
    trace = {"property": 0, "depth": steps - 1, "initial": states[0], "inputs": ["1"] * steps, "latch_names": names}
    trace |= {"input_names": ["go"], "states": states, "relevant_inputs": ["1"] * steps}
    document = hostile_document()
    document["properties"] = [document["properties"][0] | {"name": "long", "trace": trace}]
    (tmp_path / "long.html").write_text(report_page(document))
    before = tab.cpu_s()
    tab.open(tmp_path / "long.html")
    tab.until("performance.getEntriesByName('first-contentful-paint').length > 0")
    assert tab.cpu_s() - before < FIRST_PAINT_S
    assert tab.texts("h1") and tab.texts("section h2") == ["long"]
    tab.focus(".wave")
    tab.press("End")
    assert tab.texts(".tools [aria-live]") == [f"step {steps - 1} of {steps - 1}"]
    before = tab.cpu_s()
    tab.ask("document.querySelector('.wave').scrollTo(90_000, 5_000)")
    tab.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert tab.cpu_s() - before < FIRST_PAINT_S
    assert tab.ask("page.result.properties[0].trace.states[9999]") == states[-1]


def bench_data(file: str) -> dict:
    runs = []
    for number in range(12):
        for who, seconds in (("one", 0.1 * number + 0.1), (HOSTILE, 1.3 - 0.1 * number)):
            outcome = ("safe", "solved", "") if number % 4 else ("unknown", "timeout", "cpu")
            runs.append([who, "suite", f"{number:02} {file}", "", "safe", *outcome, seconds, seconds, 10])
    return {"columns": PAGE_COLUMNS, "runs": runs, "contestants": ["one", HOSTILE], "limit_s": 10}


def test_the_page_of_a_comparison_sorts_filters_and_names_files(tab, tmp_path):
    (tmp_path / "bench.html").write_text(bench_page("bench", bench_data(HOSTILE)))
    tab.open(tmp_path / "bench.html")
    assert tab.texts("#summary td:nth-child(2)") == ["9", "9"]
    assert len(tab.texts("#files tbody tr")) == 12 and len(tab.texts(".chart:first-child .dot title")) == 18
    assert all(MARKUP in title for title in tab.texts(".dot title"))
    tab.click("#files th:nth-child(4) button")
    seconds = tab.texts("#files tbody td:nth-child(4)")
    assert seconds == [*sorted(text for text in seconds if text != "timeout"), *["timeout"] * 3]
    tab.click("#files th:nth-child(4) button")
    assert tab.texts("#files tbody td:nth-child(4)")[0] == "timeout"
    field = "document.querySelector('input')"
    fill = f"(text => {{ {field}.value = text; {field}.dispatchEvent(new Event('input')); }})"
    tab.ask(f"{fill}('TIMEOUT 04')")
    assert len(tab.texts("#files tbody tr")) == 1
    tab.ask(f"{fill}('')")
    assert len(tab.texts("#files tbody tr")) == 12
    tab.ask("document.querySelector('.dot').dispatchEvent(new MouseEvent('click'))")
    assert len(tab.texts("#files tbody tr")) == 1
    assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_result_in_a_notebook_shows_its_page_and_touches_nothing_else(tab, tmp_path):
    (tmp_path / "evil.aag").write_bytes(circuit(MARKUP, safe=False))
    shown = lemmata.check(tmp_path / "evil.aag", engine="bmc")._repr_html_()
    (tmp_path / "notebook.html").write_text(f"<!doctype html><body><script>window.secret = 1</script>{shown}</body>")
    tab.open(tmp_path / "notebook.html")
    tab.ask("document.querySelector('details').open = true")
    assert tab.texts("td")[1] == "unsafe" and tab.ask("document.querySelectorAll('script').length") == 1
    assert tab.ask("document.querySelector('iframe').contentDocument") is None
    tab.until("document.querySelector('iframe').getBoundingClientRect().height > 100")


WALK = """(() => {
  const next = document.querySelector("[title='next step']"), seen = [];
  for (let k = 0; k < film.shots.length; k++) {
    const cells = [...document.querySelectorAll(".frames tbody td li:not(.gone)")].map(li => li.textContent);
    const said = [...document.querySelectorAll(".said")].flatMap(one => one.textContent.split("\\n"));
    seen.push([said, cells, document.querySelectorAll(".owed").length, document.querySelectorAll("figure").length]);
    next.click();
  }
  return seen;
})()"""


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed[0])
def test_the_player_reaches_each_step_of_the_papers_runs(tab, tmp_path, seed):
    run_program("explain", ROOT / "examples" / seed[0], *seed[1:], "--report", tmp_path / "film.html")
    tab.open(tmp_path / "film.html")
    film = tab.ask("page.film")
    seen = tab.ask(WALK)
    for number, shot in enumerate(film["shots"]):
        said, lemmas, owed, figures = seen[number]
        assert said == [text for _, text in shot["lines"] if text.strip()]
        rows = [[frame[row] for frame in shot["frames"]] for row in range(len(film["places"]))]
        assert lemmas == [film["texts"][lemma] for row in rows for cell in row for lemma in cell]
        assert owed == min(len(shot["nodes"]), owed) and bool(owed) == bool(shot["nodes"])
        if film["plane"] and film["plane"]["shots"][number]:
            assert figures == len(film["plane"]["shots"][number]["frames"])
    assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth")


def test_keys_and_buttons_drive_the_player(tab, tmp_path):
    run_program("explain", ROOT / "examples" / "thesis-2.3.2.aag", "--report", tmp_path / "film.html")
    tab.open(tmp_path / "film.html")
    shots = tab.ask("film.shots.length")
    status, seen = ".player .tools:first-child .faint", []
    for key in ("ArrowRight", "End", "ArrowLeft", "Home"):
        tab.press(key)
        seen += tab.texts(status)
    assert seen == [f"shot {number} of {shots}" for number in (2, shots, shots - 1, 1)]
    for label, mark in (("first push", "push"), ("fix-point", "fixpoint"), ("verdict", "verdict")):
        tab.click(f"[title='jump to: {label}']")
        first = tab.ask(f"film.shots.findIndex(shot => shot.marks.includes('{mark}'))")
        assert tab.texts(status) == [f"shot {first + 1} of {shots}"]
    tab.press("Home")
    tab.press(" ")
    tab.until(f"document.querySelector('{status}').textContent.startsWith('shot 2 ')")
    tab.press(" ")
    assert tab.texts("[title='play or pause']") == ["play"]


def test_a_run_is_watched_and_stopped_in_the_browser(tab, tmp_path):
    name = f"{MARKUP}{EVIL}"
    text = (ROOT / "examples" / "fifo-data.aag").read_bytes()
    (tmp_path / "evil.aag").write_bytes(text.replace(b"b0 wrong_item", f"b0 {name}".encode()))
    with live_run(tmp_path / "evil.aag", "--engine", "kinduction") as run:
        tab.open(run.address)
        tab.until("document.querySelectorAll('.chart').length > 1 && document.querySelectorAll('button').length > 1")
        assert any(text.startswith(MARKUP) for text in tab.texts("td"))
        tab.until("document.querySelector('.chart [aria-label=queries] .series')?.getAttribute('d').split('L').length > 9")
        heights = tab.ask("document.querySelector('.chart [aria-label=queries] .series').getAttribute('d').slice(1).split('L')")
        counts = [-float(point.split()[1]) for point in heights]
        assert counts == sorted(counts)
        tab.ask("[...document.querySelectorAll('button')].find(one => one.title.startsWith('give up')).click()")
        tab.until("document.querySelectorAll('section').length")
        assert tab.texts("section table .unknown") == ["unknown (interrupted)"]
        assert run.ended()[0] == 5
    assert tab.ask("document.querySelectorAll('script').length") == 2

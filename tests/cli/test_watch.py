"""``lemmata check --watch``: who knows the token sees the run and may stop it; nobody else gets anything."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support.clock import HANGS
from tests.support.live_run import ENDLESS, live_run
from tests.support.program import run_program


@pytest.fixture(scope="module")
def run():
    with live_run() as one:
        yield one


def test_the_page_is_behind_the_token(run):
    code, headers, body = run.ask(run.path)
    assert code == 200 and b"Content-Security-Policy" in body and b"connect-src 'self'" in body
    assert headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer" and "Server" not in headers


@pytest.mark.parametrize("path", ["/", "/events", "/stop", "/x/", "/x/events", "//", "/../", "/favicon.ico", "/%s", "*"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_nobody_gets_anything_without_the_token(run, path, method):
    code, _, body = run.ask(path, method, "{}" if method == "POST" else None)
    assert (code, body) == (404, b"")


def test_half_a_token_is_none_and_a_token_has_nothing_else_behind_it(run):
    for path in (run.path[:20] + "/", run.path[:-1] + "x/", run.path + "other", run.path + "events/more", run.path[:-1]):
        assert run.ask(path)[::2] == (404, b""), path


def test_another_host_name_gets_nothing(run):
    assert run.ask(run.path, host="evil.example")[::2] == (404, b"")


def test_orders_that_are_none_are_refused(run):
    for body in (
        "",
        "{",
        "[]",
        '{"property": 1}',
        '{"other": "x"}',
        '{"property": "a", "engine": "b"}',
        '{"engine": "' + "x" * 20_000 + '"}',
    ):
        assert run.ask(run.path + "stop", "POST", body)[::2] == (404, b""), body
    assert run.process.poll() is None


def test_only_this_machine_is_bound(run):
    port = int(run.host.rpartition(":")[2])
    listening = [line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]]
    places = [fields[1] for fields in listening if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port]
    assert places == [f"0100007F:{port:04X}"]


def test_events_come_as_they_happen_and_a_property_that_is_stopped_ends_the_run():
    with live_run() as run:
        connection = HTTPConnection(run.host, timeout=HANGS)
        connection.request("GET", run.path + "events")
        stream = connection.getresponse()
        assert stream.getheader("Content-Type") == "text/event-stream"
        seen = []
        while "property_started" not in [event["event"] for event in seen]:
            if line := stream.readline().removeprefix(b"data: ").strip():
                seen.append(json.loads(line))
        assert run.ask(run.path + "stop", "POST", json.dumps({"property": "no such property"}))[0] == 204
        assert run.ask(run.path + "stop", "POST", json.dumps({"property": "wrong_item"}))[0] == 204
        events = [json.loads(line.removeprefix(b"data: ")) for line in stream.read().splitlines() if line.startswith(b"data: ")]
        assert events[-1]["event"] == "result"
        (prop,) = events[-1]["page"]["result"]["properties"]
        assert (prop["verdict"], prop["reason"]) == ("unknown", "interrupted")
        code, out = run.ended()
        assert code == 5 and "interrupted" in out
        with pytest.raises(ConnectionRefusedError):
            run.ask(run.path)


def test_an_engine_that_is_stopped_is_gone_and_that_is_no_bug():
    with live_run() as run:
        assert run.ask(run.path + "stop", "POST", json.dumps({"engine": "kinduction"}))[0] == 204
        code, out = run.ended()
        assert code == 5 and "interrupted" in out


def test_several_files_are_not_watched(tmp_path):
    assert run_program("check", tmp_path, "--watch").code == 2


def test_engines_of_a_worker_are_stopped_one_by_one(tmp_path):
    portfolio = tmp_path / "two.toml"
    portfolio.write_text("[[circuit]]\nbmc = 0.5\nkinduction = 0.5\n")
    with live_run(ENDLESS, "--workers", "1", "--portfolio", str(portfolio)) as run:
        connection = HTTPConnection(run.host, timeout=HANGS)
        connection.request("GET", run.path + "events")
        stream = connection.getresponse()
        seen: list[str] = []

        def hear(engine: str, count: int) -> None:
            """Listen until this engine has given so many signs of life more."""
            wanted = seen.count(engine) + count
            while seen.count(engine) < wanted:
                if line := stream.readline().removeprefix(b"data: ").strip():
                    event = json.loads(line)
                    assert event["event"] != "result"
                    seen.extend([event["engine"]] if event["event"] in ("progress", "bound_reached") else [])

        hear("bmc", 1)
        assert run.ask(run.path + "stop", "POST", json.dumps({"engine": "bmc"}))[0] == 204
        hear("kinduction", 2)
        assert run.ask(run.path + "stop", "POST", json.dumps({"engine": "kinduction"}))[0] == 204
        code, out = run.ended()
        assert code == 5 and "interrupted" in out

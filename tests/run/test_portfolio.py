"""One's own table of workers: read, used, and told what is wrong with it."""

from __future__ import annotations

import tomllib

import pytest

import lemmata
from lemmata.engines.registry import PORTFOLIOS, team
from lemmata.errors import InputError, UsageError
from lemmata.run.options import make_config
from lemmata.run.options.portfolio import portfolio_text, read_portfolio
from tests.support.program import run_program

MINE = """
[[circuit]]
name = "unrolling"
bmc = 3
kinduction = 1

[[circuit]]
pdr = 1

[[circuit]]
pdr = 1
"""


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    return file


def test_a_portfolio_says_what_each_worker_does_and_how_many_there_are(mine):
    config = make_config(portfolio=str(mine))
    assert config.workers == 3
    assert team("circuit", 0, 3, config.portfolio) == ("unrolling", {"bmc": 0.75, "kinduction": 0.25})
    assert team("circuit", 1, 3, config.portfolio) == ("pdr", {"pdr": 1.0})
    assert make_config(portfolio=str(mine), workers=2).workers == 2


def test_other_kinds_keep_their_table(mine):
    assert team("words", 0, 2, read_portfolio(str(mine))) == team("words", 0, 2)


def test_workers_beyond_the_portfolio_have_an_engine_each(mine):
    assert team("circuit", 3, 4, read_portfolio(str(mine)))[1] == {"pdr": 1.0}


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
def test_the_table_of_auto_reads_as_itself(seats, tmp_path):
    file = tmp_path / "auto.toml"
    file.write_text(portfolio_text(seats))
    own = read_portfolio(str(file))
    for kind in PORTFOLIOS:
        for seat in range(seats):
            name, shares = team(kind, seat, seats)
            whole = sum(shares.values())
            assert team(kind, seat, seats, own) == (name, {engine: pytest.approx(s / whole) for engine, s in shares.items()})


def test_a_run_uses_the_engines_of_its_portfolio(tmp_path):
    file = tmp_path / "only.toml"
    file.write_text("[[circuit]]\nkinduction = 1\n")
    result = lemmata.check("examples/mutex-peterson.aag", portfolio=file)
    assert {p.engine for p in result.properties} == {"kinduction"}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "no worker"),
        ("[[circuit]", "no TOML"),
        ("[[circuits]]\npdr = 1", "no kind of model 'circuits'"),
        ("[circuit]\npdr = 1", "no list of workers"),
        ("circuit = []", "no list of workers"),
        ("circuit = [1]", "no list of workers"),
        ("[[circuit]]\nlifted = 1", "no engine 'lifted' for 'circuit'"),
        ("[[graph]]\nword = 1", "no engine 'word' for 'graph'"),
        ("[[circuit]]\npdr = 0", "share of pdr is 0"),
        ("[[circuit]]\npdr = true", "share of pdr is True"),
        ("[[circuit]]\npdr = nan", "share of pdr is nan"),
        ("[[circuit]]\nname = 'x'", "has no engine"),
        ("[[circuit]]\nname = 1\npdr = 1", "name of a worker is 1"),
    ],
)
def test_a_wrong_portfolio_is_told_with_its_place_and_cause(text, cause, tmp_path):
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(InputError) as error:
        read_portfolio(str(file))
    assert cause in str(error.value)
    assert str(error.value).startswith(str(file))


def test_a_portfolio_belongs_to_auto(mine):
    with pytest.raises(UsageError, match="for engine auto"):
        make_config(engine="pdr", portfolio=str(mine))


def test_bench_prints_the_table():
    done = run_program("bench", "--show-portfolio", "2")
    assert done.code == 0
    assert tomllib.loads(done.out)["circuit"] == [{"name": "pdr", "pdr": 1}, {"name": "bmc", "bmc": 1}]

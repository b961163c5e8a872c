"""A cluster: what is lost is done again, what is wrong is noticed, what is settled stays settled."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import deque
from dataclasses import replace

import pytest

from lemmata.config import Config
from lemmata.models.invariant import Invariant
from lemmata.run.cluster.driver import Driver, Judges
from lemmata.run.cluster.executor import digest_of, judged
from lemmata.run.cluster.jobs import Answer, Found, Judge, SiteReport, Solve, WorkItem
from lemmata.run.cluster.journal import RunJournal
from lemmata.run.cluster.queue import Queue
from lemmata.run.cluster.site import Site
from lemmata.verdict import Safe
from tests.support import clusters
from tests.support.fake_engines import SAFE, TWO, UNSAFE

FILES = {"safe.aag": SAFE, "two.aag": TWO, "unsafe.aag": UNSAFE, "wrong.aag": "aag x\n"}
WORDS = {"safe.aag": "safe", "two.aag": "unsafe", "unsafe.aag": "unsafe", "wrong.aag": "error"}
CONFIG = Config(workers=1)


class LocalSites:
    """Sites in this process, which work when they are waited for.

    ``losses`` tells of which calls nothing comes back; seats from ``first_hung`` on take for ever.
    """

    def __init__(self, number: int = 1, losses=lambda call, jobs: False, first_hung: int = 99) -> None:
        self._first_hung = first_hung
        self.size = number
        self.cancelled: list[int] = []
        self.given: list[tuple[int, ...]] = []
        self._losses = losses
        self._sites = {site: Site() for site in range(number)}
        self._contents: dict[str, bytes] = {}
        self._calls: deque = deque()

    @property
    def idle(self):
        busy = {site for site, _, _ in self._calls}
        return [site for site in self._sites if site not in busy]

    def ship(self, digest, content) -> None:
        self._contents[digest] = content

    def forget(self, digest) -> None:
        self._contents.pop(digest, None)

    def give(self, site, jobs, digests) -> None:
        self.given.append(tuple(job.number for job in jobs))
        self._calls.append((site, jobs, [self._contents[digest] for digest in digests]))

    def go_on(self, site) -> None:
        self.give(site, (), ())

    def cancel(self, site) -> None:
        self.cancelled.append(site)
        self._end(site)

    def _end(self, site) -> None:
        self._calls = deque(call for call in self._calls if call[0] != site)
        self._sites.pop(site).close()
        self._sites[max([site, *self._sites]) + 1] = Site()

    def wait(self, seconds):
        if self._calls:
            site, jobs, contents = self._calls.popleft()
            if any(job.seat >= self._first_hung for job in jobs):
                self._calls.append((site, jobs, contents))
            elif self._losses(len(self.given), jobs):
                self._end(site)
                yield site, None
            else:
                yield site, self._sites[site].work(jobs, contents, lambda found: found)

    def close(self) -> None:
        for site in self._sites.values():
            site.close()


@pytest.fixture
def campaign(tmp_path):
    """Run one; the documents by file name, the sites, and the journal's lines."""
    opened = []
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)

    def run(
        losses=lambda call, jobs: False, config=CONFIG, names=tuple(FILES), number=1, deadline=None, judges=None, first_hung=99
    ):
        found = {}

        def done(file, document):
            assert file not in found
            found[file] = document

        journal = RunJournal(tmp_path / "journal", config)
        sites, judges = LocalSites(number, losses, first_hung), judges or Judges(1)
        opened.extend([sites, judges])
        one = Driver(sites, judges, journal, config, done)
        for name in names:
            one.ask(str(tmp_path / name))
        ending = one.run(deadline)
        journal.close()
        return {file.rpartition("/")[2]: document for file, document in found.items()}, sites, ending

    yield run
    for one in opened:
        one.close()


def words(documents):
    return {name: document["verdict"] for name, document in documents.items()}


def test_every_file_gets_the_verdict_that_it_has_alone_and_the_driver_has_certified_it(campaign):
    documents, _, ending = campaign()
    assert words(documents) == WORDS and ending == "finished"
    assert [p["verdict"] for p in documents["two.aag"]["properties"]] == ["unsafe", "safe"]
    settled = [p for document in documents.values() for p in document.get("properties", ())]
    assert all(p["certified"] and p["by"] and len(p["read_by"]) == 2 for p in settled)
    assert "wrong.aag:1" in documents["wrong.aag"]["error"] and "lemmata-site-" not in json.dumps(documents)


def test_what_a_lost_site_had_is_done_by_another_one(campaign):
    documents, sites, _ = campaign(losses=lambda call, jobs: call == 1)
    assert words(documents) == WORDS
    assert len(sites.given) > 2


def test_a_file_that_ends_every_site_ends_as_an_error_and_alone(campaign):
    documents, _, _ = campaign(losses=lambda call, jobs: any(job.file.endswith("unsafe.aag") for job in jobs))
    assert words(documents) == WORDS | {"unsafe.aag": "error"}
    assert "sites were lost" in documents["unsafe.aag"]["error"]


def test_a_driver_goes_on_from_its_journal_even_if_the_last_line_is_torn(campaign, tmp_path):
    first, _, _ = campaign()
    journal = tmp_path / "journal"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:2]) + lines[2][:100])
    again, sites, _ = campaign()
    assert words(again) == words(first)
    assert sum(map(len, sites.given)) == 2
    nothing, sites, _ = campaign()
    assert words(nothing) == words(first) and not sites.given


def test_a_journal_says_nothing_about_other_contents_and_other_options(campaign, tmp_path):
    campaign(names=["safe.aag"])
    _, sites, _ = campaign(names=["safe.aag"], config=replace(CONFIG, seed=1))
    assert sites.given
    (tmp_path / "safe.aag").write_text(UNSAFE)
    documents, _, _ = campaign(names=["safe.aag"])
    assert words(documents) == {"safe.aag": "unsafe"}


def test_the_seats_of_a_portfolio_are_on_different_sites_and_the_first_verdict_ends_the_others(campaign):
    documents, sites, _ = campaign(names=["unsafe.aag"], config=replace(CONFIG, workers=3), number=3, first_hung=1)
    assert words(documents) == {"unsafe.aag": "unsafe"}
    assert len(sites.cancelled) == 2


def test_when_the_time_for_everything_is_up_what_is_open_is_open(campaign):
    documents, _, ending = campaign(deadline=0.0)
    assert ending == "timeout" and not documents


def test_a_verdict_that_the_driver_cannot_certify_is_none(campaign):
    class Lying(Judges):
        """Sees evidence that was changed on its way."""

        def ask(self, job):
            found = replace(job.found[0], verdict=Safe(Invariant((), first_latch=1)))
            return super().ask(replace(job, found=(found, *job.found[1:])))

    documents, _, _ = campaign(names=["unsafe.aag"], judges=Lying(1))
    (prop,) = documents["unsafe.aag"]["properties"]
    assert (prop["verdict"], prop["reason"], prop["certified"]) == ("unknown", "uncertified", False)
    assert "did not survive its check" in documents["unsafe.aag"]["bugs"][0]


def test_claims_about_another_content_or_another_property_are_refused(tmp_path):
    path = tmp_path / "safe.aag"
    path.write_text(SAFE)
    found = Found(7, Safe(Invariant((), first_latch=1)), "pdr", 0, 0.1)
    strange = judged(Judge(str(path), digest_of(SAFE.encode()), CONFIG, (found,)))
    assert "no such property" in strange.opinions[0].cause
    changed = judged(Judge(str(path), digest_of(b""), CONFIG, (found,)))
    assert "the file changed" in changed.refusal and not changed.opinions


def test_a_site_gives_back_what_it_has_not_begun_when_an_item_takes_long():
    class Slow:
        """A fork server that takes its time with item 1."""

        def begin(self, job, content):
            self.number = job.number

        def reply(self, seconds):
            return None if self.number == 1 and seconds is not None else Answer(self.number, 0.0)

    site = Site.__new__(Site)
    site._fork_server, site._running = Slow(), None
    jobs = [Solve(number, "f", CONFIG) for number in range(4)]
    report = site.work(jobs, [b""] * 4, list)
    assert ([a.number for a in report.answers], report.given_back, report.running) == ([0], (2, 3), 1)
    assert site.work((), (), list) == SiteReport((Answer(1, 0.0),))


def test_the_queue_serves_low_ranks_first_and_groups_by_the_time_that_they_had():
    queue = Queue()
    for number, (group, rank) in enumerate([(0, 1), (0, 1), (0, 1), (1, 1), (1, 1), (0, 0)]):
        queue.put(number, WorkItem("f", "d", group=group, rank=rank))
    assert queue.take(9) == [5]
    assert queue.take(2) == [3, 0]
    queue.charge(0, 5.0)
    assert queue.take(1) == [4]
    queue.put(0, WorkItem("f", "d", rank=1), is_first=True)
    queue.drop([1])
    assert queue.take(9) == [0, 2] and not len(queue)


def test_without_ray_there_is_a_remedy(monkeypatch):
    from lemmata.errors import UsageError
    from lemmata.run.cluster.ray_sites import RaySites

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'lemmata\[cluster\]'"):
        RaySites("auto", CONFIG)


def test_what_other_threads_print_is_not_in_our_output(capsys):
    from contextlib import redirect_stdout
    from threading import Thread

    from lemmata.cli.output import OnlyThisThread, say

    with redirect_stdout(OnlyThisThread()):
        thread = Thread(target=print, args=("a node is lost",))
        thread.start()
        thread.join()
        say("ours")
    assert capsys.readouterr() == ("ours\n", "a node is lost\n")


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray has no wheel for this Python, or is not installed")
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_node_and_then_the_driver_are_lost_and_every_verdict_is_there_once(tmp_path):
    from tests.soak.cluster import copies, disturbed, expected

    folder = tmp_path / "files"
    folder.mkdir()
    copies(folder, 24)
    alone, _, _ = expected(folder)
    with clusters.nodes(2) as (cluster, word):
        found = disturbed(folder, tmp_path / "journal", cluster)
    assert found == alone
    assert not clusters.wait_until_gone(word, 20)

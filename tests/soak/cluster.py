"""A campaign loses a node, then its driver, and is resumed: ``python -m tests.soak.cluster [TASKS [JOURNAL]]``.

There are three nodes of one processor. The files are the circuits of ``examples`` many times, each with a comment of its own.
Every verdict must be there once and be that of a run without faults, and no process may be left. What is printed is what
``docs/scale.md`` quotes; ``JOURNAL`` keeps that of the run without faults, for ``tests.scaling.cluster``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support import clusters

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LIMIT = ("--timeout", "120")


def copies(folder: Path, number: int) -> None:
    """So many circuits, no two of which are the same file."""
    sources = [path for path in sorted(EXAMPLES.glob("*.aag")) if "counter" not in path.name]
    for position in range(number):
        source = sources[position % len(sources)]
        text = source.read_text()
        comment = f"copy {position}\n" if "\nc\n" in text else f"c\ncopy {position}\n"
        (folder / f"{position:05}-{source.name}").write_text(text + comment)


def expected(folder: Path) -> tuple[dict[str, tuple[str, ...]], float, float]:
    """The verdicts of a run on this machine alone, and the processor's and the clock's seconds that it took."""
    began, before = time.monotonic(), children_s()
    command = [sys.executable, "-m", "lemmata", "check", str(folder), "--format", "jsonl", "--workers", "1", *LIMIT]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout
    return clusters.verdicts(clusters.documents(output)), children_s() - before, time.monotonic() - began


def children_s() -> float:
    """What our children that have ended have worked."""
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def undisturbed(folder: Path, journal: Path, cluster: Any, word: str) -> tuple[dict[str, tuple[str, ...]], float, float]:
    """A run on the cluster: verdicts, the seconds of all its processes and the clock's, without its start and its end."""
    process = clusters.driver(folder, cluster.address, journal, *LIMIT)
    clusters.wait_for_lines(journal, 10, process, 120)
    done, began, before = len(clusters.lines(journal)), time.monotonic(), clusters.worked(word)
    total = len(list(folder.iterdir()))
    clusters.wait_for_lines(journal, total * 9 // 10, process, 3600)
    scale = total / (len(clusters.lines(journal)) - done)
    worked_s = sum(seconds - before.get(pid, 0.0) for pid, seconds in clusters.worked(word).items())
    wall_s = time.monotonic() - began
    return clusters.finished(process, journal, 600), worked_s * scale, wall_s * scale


def cancelled_s(cluster: Any, word: str) -> float:
    """How long it takes until nothing is left of a search that has no end."""
    from lemmata.config import Config
    from lemmata.run.cluster.jobs import Solve
    from lemmata.run.cluster.ray_sites import RaySites

    config = Config(engine="bmc", workers=1)
    sites = RaySites(cluster.address, config)
    try:
        while len(sites.idle) < sites.size:
            list(sites.wait(0.1))
        site = sites.idle[0]
        sites.ship("content", (EXAMPLES / "cache-msi.aag").read_bytes())
        sites.give(site, [Solve(0, "cache-msi.aag", config)], ["content"])
        before = clusters.marked(word)
        time.sleep(3)
        mine = {pid: name for pid, name in clusters.marked(word).items() if pid not in before and clusters.NURSERY in name}
        assert mine, "nothing has begun"
        began = time.monotonic()
        sites.cancel(site)
        assert not clusters.wait_until_gone(word, 20, mine)
        return time.monotonic() - began
    finally:
        sites.close()


def disturbed(folder: Path, journal: Path, cluster: Any) -> dict[str, tuple[str, ...]]:
    """A node is lost after a third of the files, the driver after two thirds; the same call goes on."""
    total = len(list(folder.iterdir()))
    process = clusters.driver(folder, cluster.address, journal, *LIMIT)
    clusters.wait_for_lines(journal, total // 3, process, 600)
    print(f"a node is lost with {len(clusters.lines(journal))} of {total} items settled")
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    clusters.wait_for_lines(journal, 2 * total // 3, process, 600)
    assert process.poll() is None, "the driver ended too early"
    clusters.kill(process)
    print(f"the driver is lost with {len(clusters.lines(journal))} of {total} items settled")
    found = clusters.finished(clusters.driver(folder, cluster.address, journal, *LIMIT), journal, 600)
    settled = [(one["file"], one["property"], one["seat"]) for one in clusters.lines(journal)]
    assert len(settled) == len(set(settled)) == total, "an item is in the journal twice, or not at all"
    return found


def main() -> None:
    """Both, and what they cost."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with TemporaryDirectory() as place:
        folder = Path(place) / "files"
        folder.mkdir()
        copies(folder, number)
        alone, alone_s, alone_wall_s = expected(folder)
        print(f"{number} files alone: {alone_s:.1f} CPU s, {alone_wall_s:.1f} s")
        with clusters.nodes(3) as (cluster, word):
            without, worked_s, wall_s = undisturbed(folder, Path(place) / "first.jsonl", cluster, word)
            for path in map(Path, sys.argv[2:]):
                path.write_bytes((Path(place) / "first.jsonl").read_bytes())
            assert without == alone, "other verdicts than alone"
            print(f"on the cluster: {worked_s:.1f} CPU s, {wall_s:.1f} s")
            print(
                f"overhead: {(worked_s - alone_s) / number * 1000:.1f} ms a file; work alone is {alone_s / worked_s:.0%} of it"
            )
            print(f"cancelled within {max(cancelled_s(cluster, word) for _ in range(5)):.2f} s, five times")
            assert disturbed(folder, Path(place) / "second.jsonl", cluster) == alone, "other verdicts than without faults"
        left = clusters.wait_until_gone(word, 20)
        assert not left, left
        print("every verdict once, as alone; no process is left")


if __name__ == "__main__":
    main()

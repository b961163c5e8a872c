"""``python -m tests.scaling.cluster JOURNAL [CORES …]``: what a cluster of so many cores would do, by simulation.

Task times are drawn from a journal (``lemmata check … --cluster … --journal JOURNAL``); what the driver costs is measured by
``tests.soak.cluster`` and stated below. Assumed, besides: no node is lost, tasks are independent and come in random order, the
network costs nothing beyond the driver's time for a call, every core is as fast as that of the journal, judges have cores of
their own. Batches are made by the rule of ``lemmata.run.cluster.driver``. The driver serves one call at a time.
"""

from __future__ import annotations

import heapq
import json
import random
import sys
from pathlib import Path

CALL_S = 0.002  # of the driver, for a batch: assumed, twice what one call of an actor took
ITEM_S = 0.0015  # of the driver, for an item: with the calls it was 1.9 ms
JUDGE_S = 0.013  # of a judge, for an item
BATCH_S, BATCH_ITEMS, PATIENCE_S = 0.4, 64, 0.5
TASKS_PER_CORE = 50
SCALES = (1, 10, 100)  # the same tasks, if they were so many times harder


def times(journal: Path) -> list[float]:
    """Seconds of the items in a journal."""
    found = [json.loads(line)["result"].get("time_s") for line in journal.read_text().splitlines() if line.strip()]
    return [seconds for seconds in found if seconds]


def simulate(cores: int, tasks: list[float], judges: int) -> tuple[float, float, list[float]]:
    """Seconds until the last verdict, the share of them that cores work on tasks, and when each verdict was there."""
    waiting, mean_s = list(reversed(tasks)), sum(tasks) / len(tasks)
    driver_free, judge_free, verdicts = 0.0, [0.0] * judges, []
    heapq.heapify(judge_free)
    ready: list[tuple[float, int, list[float]]] = [(0.0, core, []) for core in range(cores)]  # when a site reports, and what
    while ready:
        time, core, done = heapq.heappop(ready)
        driver_free = max(time, driver_free) + CALL_S + ITEM_S * len(done)
        for _ in done:
            judged = max(heapq.heappop(judge_free), driver_free) + JUDGE_S
            heapq.heappush(judge_free, judged)
            verdicts.append(judged)
        if waiting:
            share = -(-len(waiting) // (2 * cores))
            size = max(1, min(int(BATCH_S / mean_s), BATCH_ITEMS, share))
            batch = []
            while waiting and len(batch) < size and sum(batch) < PATIENCE_S:  # what is not begun by then is given back
                batch.append(waiting.pop())
            heapq.heappush(ready, (driver_free + sum(batch), core, batch))
    return max(verdicts), sum(tasks) / (cores * max(verdicts)), sorted(verdicts)


def main() -> None:
    """A table."""
    measured = times(Path(sys.argv[1]))
    dice = random.Random(0)
    print("| cores | judges | mean task, s | tasks | verdicts per second | busy with tasks | half of the verdicts after, s |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for cores in map(int, sys.argv[2:] or ("3", "100", "1000", "10000")):
        for scale in SCALES:
            tasks = [scale * dice.choice(measured) for _ in range(cores * TASKS_PER_CORE)]
            judges = max(1, min(64, cores // 8))
            end, share, verdicts = simulate(cores, tasks, judges)
            mean_s = sum(tasks) / len(tasks)
            half = verdicts[len(verdicts) // 2]
            print(f"| {cores} | {judges} | {mean_s:.2f} | {len(tasks)} | {len(tasks) / end:.0f} | {share:.0%} | {half:.0f} |")


if __name__ == "__main__":
    main()

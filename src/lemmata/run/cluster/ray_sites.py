"""Sites as actors of Ray: the one module that speaks with it.

With an address the cluster is somebody's: it is joined and left. Without one (``auto``) a cluster of this machine alone is
started, whose processes listen on 127.0.0.1 only, and is gone afterwards. A file goes into the object store once, unless it
is small. There is a
site for every processor that the cluster has at the time, asked anew each second: lost ones are replaced where there is room,
nodes that come get work. An item is cancelled by killing its site, whatever a solver does there.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Sequence
from time import monotonic, sleep
from typing import Any

from lemmata.config import Config
from lemmata.errors import UsageError
from lemmata.run.cluster.jobs import SiteReport, Solve
from lemmata.run.cluster.site import Site

_STORE_BYTES = 200_000_000  # of the object store of a cluster of our own: models are small
_SMALL_BYTES = 50_000  # less is not worth an object: storing, finding and moving one takes 5 ms of the processor
_LOOK_S = 1.0  # seconds between two looks at the size of the cluster
_LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"  # Ray's word for: nodes have the address 127.0.0.1
_LOCAL = "auto"  # in place of an address


class RaySites:
    """The sites of a cluster, by numbers that are never used again."""

    def __init__(self, address: str, config: Config) -> None:
        if importlib.util.find_spec("ray") is None:
            raise UsageError("--cluster needs Ray: pip install 'lemmata[cluster]'")
        address = os.environ.get("RAY_ADDRESS", _LOCAL) if address == _LOCAL else address
        self._ray: Any = _joined(address)
        self._cpus = 1
        self._actor = self._ray.remote(_Actor).options(
            num_cpus=self._cpus,
            memory=None if config.memory_mb is None else config.memory_mb << 20,
            max_restarts=0,
            max_task_retries=0,
            scheduling_strategy="SPREAD",
        )
        self._actors: dict[int, Any] = {}
        self._calls: dict[Any, int] = {}  # of sites that work, or that begin
        self._idle: list[int] = []
        self._contents: dict[str, Any] = {}  # references, by the digest of a file
        self._number = 0
        self._looked = -_LOOK_S
        self.size = 0  # sites that the cluster has room for
        self.look()

    def look(self) -> None:
        """Have as many sites as there is room for."""
        if monotonic() < self._looked + _LOOK_S:
            return
        self._looked = monotonic()
        self.size = max(int(self._ray.cluster_resources().get("CPU", 0)) // self._cpus, 1)
        while len(self._actors) < self.size:
            self._number += 1
            actor = self._actors[self._number] = self._actor.remote()
            self._calls[actor.work.remote((), ())] = self._number

    @property
    def idle(self) -> Sequence[int]:
        """Sites that wait for work."""
        return tuple(self._idle)

    def ship(self, digest: str, content: bytes) -> None:
        """Put a file into the object store, if it is not there; a small one travels with the call."""
        if digest not in self._contents:
            self._contents[digest] = content if len(content) <= _SMALL_BYTES else self._ray.put(content)

    def forget(self, digest: str) -> None:
        """Nobody needs this file any more."""
        self._contents.pop(digest, None)

    def give(self, site: int, jobs: Sequence[Solve], digests: Sequence[str]) -> None:
        """Work for a site that is idle."""
        self._idle.remove(site)
        contents = [self._contents[digest] for digest in digests]
        self._calls[self._actors[site].work.remote(tuple(jobs), contents)] = site

    def go_on(self, site: int) -> None:
        """An idle site has something running: wait for it."""
        self.give(site, (), ())

    def cancel(self, site: int) -> None:
        """End a site with all that it does."""
        actor = self._actors.pop(site)
        self._calls = {call: other for call, other in self._calls.items() if other != site}
        if site in self._idle:
            self._idle.remove(site)
        self._ray.kill(actor, no_restart=True)
        self._looked = -_LOOK_S

    def wait(self, seconds: float) -> Iterator[tuple[int, SiteReport | None]]:
        """What sites have said until then, as soon as one says something; nothing if it is lost."""
        calls = list(self._calls)
        if not calls:
            sleep(seconds)
            return
        ready, _ = self._ray.wait(calls, num_returns=1, timeout=seconds)
        if ready and len(calls) > 1:  # with the first, all that are there
            ready, _ = self._ray.wait(calls, num_returns=len(calls), timeout=0)
        for call in ready:
            site = self._calls.pop(call, None)
            if site is None:  # cancelled by what another one has just said
                continue
            try:
                report = self._ray.get(call)
            except self._ray.exceptions.RayError:
                self._actors.pop(site)
                yield site, None
            else:
                self._idle.append(site)
                yield site, report
        self.look()

    def close(self) -> None:
        """End all sites, and leave the cluster."""
        for actor in self._actors.values():
            self._ray.kill(actor, no_restart=True)
        self._ray.shutdown()


class _Actor:
    """What runs on a node."""

    def __init__(self) -> None:
        self._site = Site()

    def work(self, jobs: Sequence[Solve], contents: Sequence[object]) -> SiteReport:
        return self._site.work(jobs, contents, _fetched)


def _fetched(contents: Sequence[object]) -> list[bytes]:
    """What is in the object store, or is here."""
    import ray

    there: list[Any] = [one for one in contents if not isinstance(one, bytes)]
    found: Iterator[bytes] = iter(ray.get(there) if there else [])
    return [one if isinstance(one, bytes) else next(found) for one in contents]


def _joined(address: str) -> Any:
    """Ray, connected."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address == _LOCAL or address.startswith(("127.", "localhost")):
        os.environ.setdefault(_LOOPBACK, "0")
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == _LOCAL:
            ray.init("local", include_dashboard=False, object_store_memory=_STORE_BYTES, **quiet)
        else:
            ray.init(address, **quiet)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise UsageError(f"--cluster {address}: {str(error).strip().splitlines()[0]}") from None
    return ray

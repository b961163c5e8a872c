"""A recorded run as a film: one shot per step, for the player of ``lemmata explain --report``.

A ``Camera`` knows the steps of one algorithm and makes shots of them: the lines that the explanation tells of the step, the
frames as columns of lemmas, the obligations as a tree, and marks to jump to. ``Recording`` listens after the explanation, hands
its lines to the camera, and writes the film as the data of a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lemmata.events import Event
from lemmata.report.explanation import Explanation
from lemmata.report.explanation.lines import ReportLine, TellLine
from lemmata.report.recording.plane import projected
from lemmata.report.recording.shots import Camera, Shot

_SHOTS = 2000  # of a film


class Recording:
    """Takes shots while the explanation tells; what it no longer tells is not shown either."""

    _camera: Camera  # comes with ``begin``
    _explanation: Explanation

    def __init__(self, tell: TellLine) -> None:
        """What is told here is told to ``tell``, too."""
        self._tell = tell
        self._told: list[str] = []
        self._lines: list[ReportLine] = []
        self._shots: list[Shot] = []

    def begin(self, camera: Camera, explanation: Explanation) -> None:
        """The run begins."""
        self._camera, self._explanation = camera, explanation

    @property
    def text(self) -> str:
        """Everything that was told."""
        return "\n".join(self._told)

    def tell(self, line: ReportLine) -> None:
        """Lines belong to the step that is heard next."""
        self._lines.append(line)
        self._told.append(line.text)
        self._tell(line)

    def __call__(self, event: Event) -> None:
        """Take the shots of one event; lines that it has no use for stay for the next."""
        if self._explanation.hidden or len(self._shots) >= _SHOTS:
            return
        shots = list(self._camera.shots(event, tuple(self._lines)))
        if shots:
            self._lines.clear()
            self._shots += shots

    def film(self, title: str, verdict: str) -> dict[str, object]:
        """The data of the page; the lines that are left, the verdict's, are the last shot."""
        last = self._shots[-1] if self._shots else Shot()
        is_told = any("fixpoint" in shot.marks for shot in self._shots)
        marks = ("verdict", *(("fixpoint",) if verdict == "safe" and not is_told else ()))
        shots = [*self._shots, replace(last, lines=tuple(self._lines), now=None, marks=marks)]
        texts: dict[str, int] = {}
        drawings: list[Mapping[str, object]] = []
        return {
            "title": title,
            "verdict": verdict,
            "firstLevel": self._camera.first_level,
            "places": list(self._camera.places),
            "shots": [_shot(shot, texts, drawings) for shot in shots],
            "texts": list(texts),
            "drawings": drawings,
            "plane": projected(self._camera.plane(), [shot.scene for shot in shots]),
        }


def _shot(shot: Shot, texts: dict[str, int], drawings: list[Mapping[str, object]]) -> dict[str, object]:
    """One shot; lemmas and obligations are numbers of texts, since most of them are in many shots, and so are drawings."""
    if shot.drawing is not None and not any(shot.drawing is one for one in drawings[-1:]):
        drawings.append(shot.drawing)

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    return {
        "lines": [[line.style, line.text] for line in shot.lines],
        "frames": [[[number(lemma) for lemma in cell] for cell in column] for column in shot.columns],
        "nodes": [[node.number, node.parent, number(node.text), node.level, node.state] for node in shot.nodes],
        "now": shot.now,
        "marks": list(shot.marks),
        "drawing": None if shot.drawing is None else len(drawings) - 1,
        "path": list(shot.path),
        "left": shot.left,
    }

"""``python -m tests.scaling.reuse SUITE … [--out FILE] [--files N]``: what ``--reuse`` saves on files that change a little.

From each suite (a folder with an ``index.csv``) files are taken at equal distances. Each is checked as it is, which fills a
store; then as it is again; then five changed versions, each without a store and with a copy of that of the original: a
constant, a guard, one more variable, a new name, another order. Told are CPU seconds, verdicts and who settled. What FILE has
already is not measured again.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from math import exp, log
from pathlib import Path
from typing import Any

from lemmata.frontends.aiger import format_aiger, parse_aiger
from lemmata.models.aig import Aig

LIMIT = 20  # wall seconds of a check
FLOOR = 0.1  # seconds: shorter ones count as this

Change = Callable[[str, random.Random], str | None]
_NUMERAL = re.compile(r"(?<![\w.#|'@!~])\d+(?![\w.|'@!~])")


def constant(text: str, chance: random.Random) -> str | None:
    """Another number in the last third of a file, where the conditions are."""
    places = [found for found in _NUMERAL.finditer(text) if found.start() > len(text) / 3 and 1 < int(found[0]) < 10**6]
    if not places:
        return None
    found = chance.choice(places)
    return text[: found.start()] + str(int(found[0]) + chance.choice([-1, 1])) + text[found.end() :]


def guard(text: str, chance: random.Random) -> str | None:
    """One more condition."""
    heads = list(re.finditer(r"\((?:<=|>=|<|>) ", text))
    if heads:
        found = chance.choice(heads)
        end = _closing(text, found.start())
        return f"{text[: found.start()]}(and {text[found.start() : end]} (<= 0 1)){text[end:]}"
    heads = list(re.finditer(r"\bassume ([^;{}]*);", text))
    if heads:
        found = chance.choice(heads)
        return text[: found.end()] + " assume 0 <= 1;" + text[found.end() :]
    return None


def one_more(text: str, chance: random.Random) -> str | None:
    """One more variable, which nobody reads."""
    if "procedure" in text:
        return re.sub(r"(\bprocedure\b)", r"var one_more_global : int;\n\1", text, count=1)
    if ":trans" in text:
        new = "(declare-fun one_more () Int)\n(declare-fun one_more_next () Int)\n"
        return f"{new}{text}\n(define-fun .one_more () Int (! one_more :next one_more_next))\n"
    if "assert" in text:
        return text.replace("(assert", "(declare-fun one_more (Int) Bool)\n(assert", 1)
    return None


def renamed(text: str, chance: random.Random) -> str | None:
    """Another name for something that is declared."""
    names = re.findall(r"\(declare-(?:fun|const) ([A-Za-z_][\w.!]*)|\bvar ([A-Za-z_]\w*)\b", text)
    flat = [name for pair in names for name in pair if name]
    if not flat:
        return None
    name = chance.choice(flat)
    return re.sub(rf"(?<![\w.!|]){re.escape(name)}(?![\w.!|])", "renamed_by_hand", text)


def swapped(text: str, chance: random.Random) -> str | None:
    """Two neighbours in another order."""
    starts = [found.start() for found in re.finditer(r"^\(assert", text, re.MULTILINE)]
    if len(starts) < 3:
        return None
    k = chance.randrange(len(starts) - 2)
    a, b, c = starts[k : k + 3]
    return text[:a] + text[b:c] + text[a:b] + text[c:]


def _closing(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if not depth:
            return position + 1
    return len(text)


TEXTS: dict[str, Change] = {"constant": constant, "guard": guard, "variable": one_more, "name": renamed, "order": swapped}


def changed_circuit(model: Aig, what: str, chance: random.Random) -> Aig | None:
    """The same five changes of a circuit; a new name means symbols for all latches, another order moves them all by one."""
    latch = chance.randrange(model.latches) if model.latches else 0
    match what:
        case "constant" if model.latches:
            return replace(model, resets=(*model.resets[:latch], 0, *model.resets[latch + 1 :]))
        case "guard" if model.inputs and model.latches:
            lefts, rights = (*model.lefts, model.nexts[latch]), (*model.rights, 2)
            gate = 2 * (model.first_gate + model.gates)
            return replace(model, lefts=lefts, rights=rights, nexts=(*model.nexts[:latch], gate, *model.nexts[latch + 1 :]))
        case "variable":
            return _moved(model, lambda v: v + (v >= model.first_gate), 1)
        case "name":
            return replace(model, symbols={("l", k): f"register_{k}" for k in range(model.latches)})
        case "order" if model.latches > 1:
            first, count = model.first_latch, model.latches
            return _moved(model, lambda v: first + (v - first + 1) % count if first <= v < first + count else v, 0)
    return None


def _moved(model: Aig, place: Callable[[int], int], more: int) -> Aig:
    """The circuit with its variables in other places, and ``more`` latches that hold 0."""

    def lits(old: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(2 * place(lit >> 1) + (lit & 1) for lit in old)

    order = sorted(range(model.latches), key=lambda k: place(model.first_latch + k))
    nexts, resets = lits(model.nexts), lits(model.resets)
    last = 2 * (model.first_latch + model.latches)
    return replace(
        model,
        nexts=(*(nexts[k] for k in order), *([last] * more)),
        resets=(*(resets[k] for k in order), *([0] * more)),
        lefts=lits(model.lefts),
        rights=lits(model.rights),
        outputs=lits(model.outputs),
        bads=lits(model.bads),
        constraints=lits(model.constraints),
        symbols={},
    )


def versions(path: Path) -> dict[str, bytes]:
    """The changed versions of a file, as far as a change makes sense there."""
    chance = random.Random(path.name)
    if path.suffix in (".aig", ".aag"):
        model = parse_aiger(path.read_bytes(), str(path))
        circuits = {what: changed_circuit(model, what, chance) for what in TEXTS}
        return {what: format_aiger(new, binary=path.suffix == ".aig") for what, new in circuits.items() if new is not None}
    text = path.read_text()
    texts = {what: change(text, chance) for what, change in TEXTS.items()}
    return {what: new.encode() for what, new in texts.items() if new is not None and new != text}


def check(path: Path, store: Path | None) -> dict[str, Any]:
    """One check: verdicts, who settled, CPU seconds."""
    call = [sys.executable, "-m", "lemmata", "check", str(path), "--workers", "1", "--timeout", str(LIMIT), "--format", "json"]
    call += ["--dialect", "ultimate"] if path.suffix == ".bpl" else []
    before = os.times()
    done = subprocess.run(call + (["--reuse", str(store)] if store else []), capture_output=True, check=False)
    after = os.times()
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    try:
        found = [(p["verdict"], p["engine"]) for p in json.loads(done.stdout)["properties"]]
    except (ValueError, KeyError):
        return {"error": done.stderr.decode()[-200:]}
    words, engines = [word for word, _ in found], sorted({engine for _, engine in found})
    return {"verdicts": words, "by": engines, "cpu_s": round(seconds, 3)}


def measure(path: Path) -> dict[str, Any]:
    """A file and its versions."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / path.name
        shutil.copy(path, here)
        store = Path(folder) / "store"
        rows = {"first": check(here, store), "again": check(here, store)}
        if "unknown" in rows["first"].get("verdicts", ["unknown"]):
            return rows
        for what, data in versions(path).items():
            here.write_bytes(data)
            copy = Path(folder) / f"store-{what}"
            shutil.copytree(store, copy)
            rows[what] = {"without": check(here, None), "with": check(here, copy)}
        return rows


def main() -> None:
    """Measure, then tell ratios by kind of change."""
    parser = argparse.ArgumentParser(prog="python -m tests.scaling.reuse", description=__doc__)
    parser.add_argument("suites", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build/reuse.json"))
    parser.add_argument("--files", type=int, default=8, help="of each suite")
    options = parser.parse_args()
    options.out.parent.mkdir(exist_ok=True)
    results = json.loads(options.out.read_text()) if options.out.exists() else {}
    for suite in options.suites:
        with (suite / "index.csv").open() as stream:
            names = [row["file"] for row in csv.DictReader(stream) if row["expected"] in ("safe", "unsafe")]
        for name in names[:: max(1, len(names) // options.files)][: options.files]:
            if name not in results:
                results[name] = measure(suite / name)
                options.out.write_text(json.dumps(results, indent=1))
                print(name, json.dumps(results[name]), flush=True)
    _tell(results)


def _tell(results: dict[str, Any]) -> None:
    for what in TEXTS:
        rows = [found[what] for found in results.values() if what in found]
        ok = [
            r
            for r in rows
            if "unknown" not in (r["with"].get("verdicts") or ["unknown"]) + (r["without"].get("verdicts") or ["unknown"])
        ]
        wrong = sum(r["with"]["verdicts"] != r["without"]["verdicts"] for r in ok)
        ratios = [max(FLOOR, r["without"]["cpu_s"]) / max(FLOOR, r["with"]["cpu_s"]) for r in ok]
        mean = exp(sum(map(log, ratios)) / len(ratios)) if ratios else 0
        by = sum(r["with"]["by"] == ["reuse"] for r in ok)
        told = f"{len(rows)} versions, {len(ok)} solved by both, {by} by old evidence alone, {wrong} differ"
        print(f"{what}: {told}, {mean:.2f} times less CPU")


if __name__ == "__main__":
    main()

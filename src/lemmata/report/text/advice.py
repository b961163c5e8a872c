"""What to say about a property that is not settled: how far the run came, why it ended, and what to try."""

from __future__ import annotations

from lemmata.result import PropertyResult, Result
from lemmata.verdict import Unknown

_MORE_TIME = 10  # times the time that was not enough
_TRY = {
    "timeout": "try {time}another engine (--engine bmc finds errors, kinduction and pdr prove), or one property alone (-p)",
    "memory": "try more --memory, --workers 1, or a single engine (--engine pdr or bmc)",
    "incomplete": "try another engine (--engine), or `lemmata info` to see what the model has",
    "interrupted": "",
    "depth": "",
}


def advice(result: Result) -> list[str]:
    """One line per property that is unknown for a reason that people can do something about."""
    return [line for prop in result.properties if (line := advice_on(prop, result.time_s))]


def advice_on(prop: PropertyResult, spent: float) -> str:
    """The line of one property after so many seconds; empty if there is nothing to say."""
    if not isinstance(prop.verdict, Unknown) or prop.verdict.reason not in _TRY:
        return ""
    reached = f"no bad state within {prop.bound} step{'' if prop.bound == 1 else 's'}" if prop.bound >= 0 else "no bound known"
    far = f"{reached}, {prop.engine} came furthest" if prop.bound >= 0 else reached
    time = f"--timeout {max(_MORE_TIME * round(spent), _MORE_TIME)}, "
    parts = [prop.why or far, *([far] if prop.why and prop.bound >= 0 else []), _TRY[prop.verdict.reason].format(time=time)]
    return f"{prop.name}: {'; '.join(part for part in parts if part)}"

"""Results for continuous integration, as JUnit's XML: a suite per file, a case per property.

What is unsafe fails, with its trace; what is unknown is an error, with what there is to say about it. Covers fail where they
are unreachable.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.escapes import in_html
from lemmata.report.text.advice import advice
from lemmata.report.text.evidence import evidence_lines
from lemmata.result import PropertyResult, Result
from lemmata.verdict import Safe, Unknown, Unsafe


def junit(results: Sequence[Result]) -> str:
    """The whole document."""
    cases = [prop for result in results for prop in result.properties]
    counts = f'tests="{len(cases)}" failures="{sum(map(is_failure, cases))}" errors="{sum(map(_is_open, cases))}"'
    suites = [line for result in results for line in _suite(result)]
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="lemmata" {counts}>', *suites, "</testsuites>"]
    )


def is_failure(prop: PropertyResult) -> bool:
    """Is it settled, and not as hoped?"""
    return prop.word in ("unsafe", "unreachable")


def _is_open(prop: PropertyResult) -> bool:
    return isinstance(prop.verdict, Unknown)


def _suite(result: Result) -> list[str]:
    props = result.properties
    counts = f'tests="{len(props)}" failures="{sum(map(is_failure, props))}" errors="{sum(map(_is_open, props))}"'
    lines = [f'  <testsuite name="{in_html(result.file)}" {counts} time="{result.time_s:.3f}">']
    hints = {prop.name: hint for prop, hint in zip((p for p in props if _is_open(p)), advice(result), strict=False)}
    for prop in props:
        place = "" if prop.place is None else f' file="{in_html(str(prop.place.file))}" line="{prop.place.line or 1}"'
        case = f'    <testcase name="{in_html(prop.name)}" classname="{in_html(result.file)}" time="{prop.time_s:.3f}"{place}'
        lines += [f"{case}>", *_outcome(prop, hints.get(prop.name, "")), "    </testcase>"]
    return [*lines, "  </testsuite>"]


def _outcome(prop: PropertyResult, hint: str) -> list[str]:
    match prop.verdict:
        case Unknown(reason):
            return [f'      <error message="unknown: {in_html(reason)}">{in_html(hint)}</error>']
        case Safe(found) | Unsafe(found) if is_failure(prop):
            told = "\n".join(map(in_html, evidence_lines(found)))
            return [f'      <failure message="{prop.word} ({in_html(prop.engine)})">{told}</failure>']
    return [f"      <system-out>{in_html(f'{prop.word}, by {prop.engine}, checked by {prop.by}')}</system-out>"]

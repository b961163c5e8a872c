"""A result as one HTML page that needs nothing else: the table, then each property's invariant or trace."""

from __future__ import annotations

from lemmata.escapes import in_html
from lemmata.result import Result
from lemmata.verdict import Safe, Unsafe

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}code{font-size:.95em}"
)


def page(result: Result) -> str:
    """The page."""
    body = [f"<h1>{in_html(result.file)}: {result.verdict}</h1>", result._repr_html_()]
    for prop in result.properties:
        match prop.verdict:
            case Safe(invariant):
                body += [f"<h2>invariant of {in_html(prop.name)}</h2>", invariant._repr_html_()]
            case Unsafe(trace):
                body += [f"<h2>trace to {in_html(prop.name)}</h2>", trace._repr_html_()]
    body.append(f"<p>Lemmata {in_html(result.version)}, {result.time_s:.2f} s, {result.memory_mb:.0f} MB</p>")
    head = f'<meta charset="utf-8"><title>{in_html(result.file)}: {result.verdict}</title><style>{_STYLE}</style>'
    return f"<!doctype html>\n<html><head>{head}</head><body>\n" + "\n".join(body) + "\n</body></html>"

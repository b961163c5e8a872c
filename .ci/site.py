"""What ``mkdocs.yml`` needs besides ``docs/``: pages from elsewhere, the reference, links, and docstrings as Markdown.

A page of the repository that is not in ``docs/`` gets a name there (``PAGES``); links are resolved in the repository and
written as links of the site, so the same files are right on both. The reference has a page per package, with its modules.
"""

import posixpath
import re
from pathlib import Path

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "lemmata"
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
    "examples/welp/README.md": "examples-welp.md",
}
LINK = re.compile(r"(?<!`)(\]\()(?!\w+:|#)([^)\s#]+)((?:#[^)\s]*)?\))")
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
RULE = re.compile(r"^=+( +=+)+$")


def packages() -> list[str]:
    """The dotted names of all packages, each after the one that it is in."""
    folders = sorted(init.parent for init in PACKAGE.rglob("__init__.py"))
    return [".".join(folder.relative_to(PACKAGE.parent).parts) for folder in folders]


def reference(package: str) -> str:
    """The page of a package: its own docstring and names, then its modules in the order of the alphabet."""
    folder = PACKAGE.parent / Path(*package.split("."))
    modules = sorted(path.stem for path in folder.glob("*.py") if path.stem not in ("__init__", "__main__"))
    names = [package, *(f"{package}.{module}" for module in modules)]
    return f"# `{package}`\n\n" + "\n\n".join(f"::: {name}" for name in names) + "\n"


def on_config(config: MkDocsConfig) -> None:
    """Fill the two lists of the navigation that follow from the tree."""
    developers = next(part["Developers"] for part in config.nav if "Developers" in part)
    lists = {name: entry for entry in developers for name in entry}
    lists["Decisions"]["Decisions"] = [f"adr/{path.name}" for path in sorted((ROOT / "docs" / "adr").glob("*.md"), key=_order)]
    lists["Reference"]["Reference"] = [{package: f"reference/{package}.md"} for package in packages()]


def _order(path: Path) -> tuple[bool, str]:
    return path.name != "README.md", path.name


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in ``docs/``."""
    for source, name in PAGES.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    for package in packages():
        files.append(File.generated(config, f"reference/{package}.md", content=reference(package)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links of the repository become links of the site; what is none of its pages is an error."""
    name = page.file.src_uri
    if name.startswith("reference/"):
        return markdown
    source = next((source for source, site in PAGES.items() if site == name), f"docs/{name}")

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), match[2]))
        site = PAGES.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        if site is None or files.get_file_from_path(site) is None:
            raise PluginError(f"{source}: {match[2]} is no page of the site (add it to PAGES in .ci/site.py)")
        return match[1] + posixpath.relpath(site, posixpath.dirname(name) or ".") + match[3]

    parts = CODE.split(markdown)
    return "".join(part if place % 2 else LINK.sub(link, part) for place, part in enumerate(parts))


class Docstrings(griffe.Extension):
    """Docstrings use two things that Markdown reads otherwise: ``::`` before a block, and tables with rules of ``=``."""

    def on_package(self, *, pkg: griffe.Module, **_: object) -> None:
        """Rewrite all of them when the package was read."""
        self._visit(pkg)

    def _visit(self, thing: griffe.Object) -> None:
        if thing.docstring is not None:
            thing.docstring.value = as_markdown(thing.docstring.value)
        for member in thing.members.values():
            if not member.is_alias:
                self._visit(member)


def as_markdown(text: str) -> str:
    """The same text, with literal blocks and tables fenced."""
    lines: list[str] = []
    rules = 0
    for line in text.splitlines():
        if RULE.match(line):
            rules += 1
            lines += ["```text", line] if rules % 3 == 1 else [line, "```"] if rules % 3 == 0 else [line]
        elif line != "::":
            lines.append(line.replace("](", "]\\("))  # f(x)[y](z) is no link
    return "\n".join(lines)

"""Where headers are (C11 6.10.2): beside the file that includes them, in folders of the user's, among ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from lemmata.frontends.c.preprocessor.sources import SourceFile, Sources
from lemmata.frontends.c.preprocessor.tokens import CToken


class HeaderSearch:
    """``folders`` are searched in their order; ``decoded`` makes text of the bytes of a file of a name."""

    def __init__(self, folders: Sequence[str], decoded: Callable[[bytes, str], str]) -> None:
        self._folders = folders
        self._decoded = decoded

    def find(self, name: str, is_quoted: bool, by: str) -> str | None:
        """The path of a header that the file ``by`` includes: a regular file; a name in quotes may be beside that file."""
        if not name or "\0" in name:
            return None
        for folder in [str(Path(by).parent), *self._folders] if is_quoted else self._folders:
            path = Path(folder, name)
            try:
                if path.is_file():
                    return str(path)
            except OSError:  # a name that no file can have
                return None
        return None

    def read(self, path: str, sources: Sources, at: int) -> tuple[SourceFile, list[CToken]]:
        """The header at a path; ``at`` is the directive that wants it."""
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise sources.error(at, f"the header '{path}' cannot be read: {type(error).__name__}") from None
        source = sources.add(path, self._decoded(data, path))
        return source, source.tokens()

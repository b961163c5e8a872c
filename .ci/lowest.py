"""Print the lowest version of every requirement in ``pyproject.toml`` as a constraints file for pip."""

import re
import tomllib
from pathlib import Path

LOWEST = re.compile(r"(?P<name>[\w.-]+)\s*>=\s*(?P<version>[\w.]+)")


def lowest() -> list[str]:
    """``name==version`` for each; a requirement without a lower bound is an error."""
    project = tomllib.loads(Path(__file__).parent.parent.joinpath("pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for extra in extras.values() for one in extra)]
    foreign = [one for one in wanted if not one.startswith("lemmata[")]
    found = [LOWEST.match(one) for one in foreign]
    if None in found:
        raise SystemExit(f"no lower bound: {foreign[found.index(None)]}")
    return [f"{one['name']}=={one['version']}" for one in found if one]


if __name__ == "__main__":
    print("\n".join(lowest()))

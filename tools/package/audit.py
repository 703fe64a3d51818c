"""Checks the installed packages for known vulnerabilities, and reports how many of them could be checked.

`make audit` runs it. It only warns, even if there is no network: pip-audit alone would say "No known vulnerabilities
found" although it had skipped packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

LIMIT_S = 300
COMMAND = ["-m", "pip_audit", "--local", "--format", "json", "--progress-spinner", "off", "--timeout", "15"]


def summary(packages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The report on pip-audit's list of packages: each has ``skip_reason``, or ``version`` and its ``vulns``."""
    skipped = [package for package in packages if "skip_reason" in package]
    if len(skipped) == len(packages):
        reason = f": {skipped[0]['skip_reason']}" if skipped else ""
        return [f"warning: 0 of {len(packages)} packages checked{reason}"]
    lines = [f"warning: {package['name']} not checked: {package['skip_reason']}" for package in skipped]
    known = 0
    for package in packages:
        for found in package.get("vulns", ()):
            known += 1
            fixed = ", ".join(found["fix_versions"]) or "no release"
            lines.append(f"warning: {package['name']} {package['version']}: {found['id']}, fixed in {fixed}")
    checked = len(packages) - len(skipped)
    return [*lines, f"{checked} of {len(packages)} packages checked, {known} known vulnerabilities"]


def audit() -> list[str]:
    """The lines to print about the packages installed for this interpreter."""
    command = [sys.executable, *COMMAND]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return [f"warning: no package checked: pip-audit did not end within {LIMIT_S} s"]
    try:
        return summary(json.loads(done.stdout)["dependencies"])
    except (ValueError, KeyError):
        reason = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        return [f"warning: no package checked: pip-audit failed: {reason}"]


def main() -> None:
    for line in audit():
        print(line, file=sys.stderr if line.startswith("warning") else sys.stdout)


if __name__ == "__main__":
    main()

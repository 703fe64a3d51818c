"""Lock files, the audit of installed packages, and the third-party actions that CI uses."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.packages.test_bounds import ROOT
from tools.package import audit

# Python versions that a lock must cover: those that setup.py allows and that exist.
PYTHONS = ("3.11", "3.12", "3.13")


def required(purpose: str) -> list[Requirement]:
    command = [sys.executable, "-m", "tools.building.requirements", purpose]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [Requirement(line) for line in done.stdout.split("\n") if line]


def locked(purpose: str) -> dict[str, list[tuple[Requirement, int]]]:
    """The entries of a lock by name, each with its number of hashes."""
    text = (ROOT / f"requirements/{purpose}.txt").read_text(encoding="utf-8").replace("\\\n", "")
    found: dict[str, list[tuple[Requirement, int]]] = {}
    for line in re.findall(r"^\w.*$", text, re.MULTILINE):
        entry, *hashes = line.split("--hash=sha256:")
        requirement = Requirement(entry.strip())
        found.setdefault(requirement.name, []).append((requirement, len(hashes)))
    return found


@pytest.mark.parametrize("purpose", ["build", "ci", "wheel", "archive"])
def test_a_lock_has_what_is_required(purpose: str) -> None:
    entries = locked(purpose)
    assert all(hashes for pins in entries.values() for _, hashes in pins)
    for wanted in required(purpose):
        for python in PYTHONS:
            environment = {"python_version": python, "python_full_version": f"{python}.7", "sys_platform": "linux"}
            name = wanted.name.lower().replace("_", "-").replace(".", "-")
            pins = [pin for pin, _ in entries[name] if pin.marker is None or pin.marker.evaluate(environment)]
            assert len(pins) == 1, f"{wanted} for Python {python}: run `make lock`"
            (version,) = pins[0].specifier
            assert version.operator == "=="
            assert wanted.specifier.contains(version.version), f"{wanted}: run `make lock`"


def test_smaller_locks_hold_the_releases_that_are_tested() -> None:
    tested = {str(pin) for pins in locked("ci").values() for pin, _ in pins}
    versions = {line.split(";")[0].strip() for line in tested}
    for purpose in ("build", "wheel", "archive"):
        assert {str(pin).split(";")[0].strip() for pins in locked(purpose).values() for pin, _ in pins} <= versions


def test_actions_are_pinned_by_their_commit() -> None:
    texts = [path.read_text(encoding="utf-8") for path in ROOT.glob(".github/workflows/*.yml")]
    used = [line for text in texts for line in re.findall(r"uses: *(.*)", text)]
    assert used
    assert [line for line in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} +# v[\d.]+", line)] == []


# --- make audit --------------------------------------------------------------------------------------------------

HOLE = {"id": "PYSEC-1", "fix_versions": ["2.1"]}
SOUND = {"name": "a", "version": "1", "vulns": []}
HOLED = {"name": "b", "version": "2", "vulns": [HOLE, HOLE | {"fix_versions": []}]}
SKIPPED = {"name": "c", "skip_reason": "not on PyPI"}


@pytest.mark.parametrize(
    ("packages", "lines"),
    [
        ([SOUND, SOUND], ["2 of 2 packages checked, 0 known vulnerabilities"]),
        ([SKIPPED, SKIPPED], ["warning: 0 of 2 packages checked: not on PyPI"]),
        ([], ["warning: 0 of 0 packages checked"]),
        (
            [SOUND, HOLED, SKIPPED],
            [
                "warning: c not checked: not on PyPI",
                "warning: b 2: PYSEC-1, fixed in 2.1",
                "warning: b 2: PYSEC-1, fixed in no release",
                "2 of 3 packages checked, 2 known vulnerabilities",
            ],
        ),
    ],
    ids=["sound", "nothing checked", "nothing installed", "vulnerabilities"],
)
def test_the_audit_says_how_many_packages_were_checked(packages: list[dict[str, object]], lines: list[str]) -> None:
    assert audit.summary(packages) == lines


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit('no network')", "warning: no package checked: pip-audit failed: no network"),
        ("print('{}')", "warning: no package checked: pip-audit failed: it printed nothing"),
        ("import time; time.sleep(60)", "warning: no package checked: pip-audit did not end within 1 s"),
    ],
    ids=["fails", "unreadable", "hangs"],
)
def test_an_audit_that_fails_claims_nothing(monkeypatch: pytest.MonkeyPatch, program: str, said: str) -> None:
    monkeypatch.setattr(audit, "COMMAND", ["-c", program])
    monkeypatch.setattr(audit, "LIMIT_S", 1 if "sleep" in program else 60)
    assert audit.audit() == [said]


# --- the limit on hanging tests ----------------------------------------------------------------------------------

HANGING = """
import ctypes

def test_before(): pass
def test_hangs(): ctypes.CDLL(None).sleep(600)  # without the interpreter lock, and not interruptible by signals
def test_after(): pass
"""


def test_every_test_has_a_limit(request: pytest.FixtureRequest) -> None:
    assert importlib.util.find_spec("pytest_timeout")
    assert 60 <= float(request.config.getini("timeout")) <= 600


@pytest.mark.slow
def test_a_hanging_test_fails_alone(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(HANGING)
    command = [sys.executable, "-P", "-m", "pytest", "-c", ROOT / "pyproject.toml", "-n", "1", "--timeout", "2"]
    done = subprocess.run([*command, tmp_path], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(r"crashed while running .*test_hangs", done.stdout)
    assert "1 failed, 2 passed" in done.stdout

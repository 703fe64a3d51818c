"""Checks that a folder holds a complete release, and adds SHA256SUMS and a bill of materials (SBOM) to it:

    python -m tools.package.release FOLDER v1.0.0

The release workflow runs it. When started by hand on a branch, the workflow passes the branch's name instead of a tag,
and the version is not checked.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from email.parser import Parser
from fnmatch import fnmatch
from pathlib import Path

from tools.building.refusal import failing_in_one_line, refuse
from tools.building.tree import version

SUMS = "SHA256SUMS"
# The files for users of each system. {} is the version.
FILES = (
    "standstill_chess-{}.tar.gz",
    "standstill_chess-{}-cp311-abi3-manylinux*_x86_64.whl",
    "standstill_chess-{}-cp311-abi3-manylinux*_aarch64.whl",
    "standstill_chess-{}-cp311-abi3-macosx_*_arm64.whl",
    "standstill_chess-{}-cp311-abi3-macosx_*_x86_64.whl",
    "standstill_chess-{}-cp311-abi3-win_amd64.whl",
    "standstill-{}-linux-x86_64.tar.xz",
    "standstill-{}-linux-aarch64.tar.xz",
    "standstill-{}-windows-*.zip",
)


def faults(names: list[str], release: str) -> list[str]:
    """One message for each file that is missing, duplicated, or from another release."""
    said = []
    known: set[str] = set()
    for pattern in FILES:
        wanted = pattern.format(release)
        found = [name for name in names if fnmatch(name, wanted)]
        known.update(found)
        if len(found) != 1:
            said.append(f"expected one file {wanted}, found {len(found)}")
    return said + [f"expected no file {name} in release {release}" for name in names if name not in known]


def requirements(wheel: Path) -> list[str]:
    """The packages that the wheel requires, without its extras."""
    with zipfile.ZipFile(wheel) as opened:
        (metadata,) = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        found = Parser().parsestr(opened.read(metadata).decode("utf-8"))
    return [line for line in found.get_all("Requires-Dist", []) if "extra ==" not in line]


def bill_of_materials(wheel: Path, target: Path) -> None:
    """A CycloneDX bill of materials: the package and the releases that pip would install with it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder, "environment")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        (packages,) = environment.glob("lib/python*/site-packages")
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", packages]
        # The dependencies' metadata are the same on every machine, so those installed here serve; the wheel itself may
        # be for another one.
        subprocess.run([*pip, "--require-hashes", "--no-build-isolation", "-r", "requirements/wheel.txt"], check=True)
        with zipfile.ZipFile(wheel) as opened:
            opened.extractall(packages, [name for name in opened.namelist() if ".dist-info/" in name])
        command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-format", "JSON"]
        fresh = target.with_name(f"{target.name}.new")
        subprocess.run([*command, "--output-file", fresh, environment / "bin/python"], check=True)
    parts = {re.sub(r"[-_.]+", "-", part["name"]).lower() for part in json.loads(fresh.read_text())["components"]}
    needed = {re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", line)[0]).lower() for line in requirements(wheel)}
    if missing := needed - parts:
        sys.exit(f"{target}: expected {', '.join(sorted(missing))}, which the wheel requires")
    fresh.replace(target)


def write_sums(folder: Path) -> None:
    """SHA256SUMS in the form that `sha256sum --check` reads."""
    files = [path for path in sorted(folder.iterdir()) if path.name != SUMS]
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    fresh = folder / f"{SUMS}.new"
    fresh.write_text("".join(lines), encoding="utf-8")
    fresh.replace(folder / SUMS)


def main() -> None:
    if len(sys.argv) != 3 or not Path(sys.argv[1]).is_dir():
        refuse("release: expected a folder and a tag")
    folder, tag = Path(sys.argv[1]), sys.argv[2]
    release = version()
    if re.match(r"v\d", tag) and tag != f"v{release}":
        refuse(f"release: expected the tag v{release} of this version, found {tag}")
    bill = folder / f"standstill-{release}.cdx.json"
    names = [path.name for path in sorted(folder.iterdir()) if path.name not in (SUMS, bill.name)]
    if said := faults(names, release):
        refuse("\n".join(f"release: {line}" for line in said))
    bill_of_materials(next(folder.glob("*manylinux*_x86_64.whl")), bill)
    write_sums(folder)
    print(f"{folder}: {len(names)} files of release {release}, {bill.name}, {SUMS}")


if __name__ == "__main__":
    with failing_in_one_line("release"):
        main()

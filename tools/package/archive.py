"""Builds dist/standstill-VERSION-linux-MACHINE.tar.xz: engine and command line with their own Python.

`make archive` runs it, after `make packages`. Unpacked, the archive starts from any folder, on any Linux whose C
library is not older than the one of this system.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from ..building.refusal import failing_in_one_line, refuse
from .relocatable import VERSION, copy_python

DIST = Path("dist")
WORK = Path("build/archive")

LAUNCHER = """\
#!/bin/sh
# Standstill. Without arguments the engine, for a chess program; with arguments the command line (--help).
here=$0
while [ -h "$here" ]; do
    link=$(readlink "$here")
    case $link in
    /*) here=$link ;;
    *) here=${here%/*}/$link ;;
    esac
done
case $here in
*/*) here=${here%/*} ;;
*) here=. ;;
esac
exec "$here/bin/@PYTHON@" -IBS "$here/lib/standstill.py" "$@"
"""
MAIN = """\
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.__file__), "site-packages"))
from standstill.protocol.main import main

sys.exit(main())
"""
README = """\
Standstill @VERSION@ for Linux on @MACHINE@, with everything that it needs.

In a chess program, add the file `standstill` of this folder as an engine (protocol UCI, or XBoard's).
In a terminal, `./standstill --help` lists the commands, `./standstill selfplay` plays a game.

The folder may be moved, and have any name. It needs glibc @GLIBC@ or newer (Debian 12, Ubuntu 22.10, Fedora 37).
Defaults are set in share/standstill/engine.ini; the manual is share/man/man1/standstill.1. Standstill is free software
(GPL-3.0-or-later, LICENSE); share/licences has the licences of the software that comes with it, and
share/standstill/sbom.cdx.json lists it all.
"""


def newest_glibc(root: Path) -> str:
    """The newest version of the C library that a file of the archive requires."""
    wanted = {(0,)}
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF":
            shown = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=False).stdout
            wanted |= {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([\d.]+)", shown)}
    return ".".join(map(str, max(wanted)))


def install(wheel: Path, root: Path) -> None:
    """Install our wheel into root, with the locked releases of its dependencies and of the archive's extras."""
    site = root / "lib" / VERSION / "site-packages"
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile"]
    locked = ["--no-build-isolation", "--require-hashes", "-r", "requirements/archive.txt"]
    subprocess.run([*command, "--target", site, *locked], check=True)
    subprocess.run([*command, "--target", site, "--no-deps", wheel], check=True)
    for name in ("bin", "share"):
        if name == "share" and (site / name).is_dir():
            shutil.copytree(site / name, root / name, dirs_exist_ok=True)
        shutil.rmtree(site / name, ignore_errors=True)
    for tests in [*site.glob("*/tests"), *site.glob("*/**/tests")]:
        shutil.rmtree(tests, ignore_errors=True)


def licences(libraries: list[Path], root: Path) -> None:
    """Copy the licences of Python and the C libraries; the packages keep theirs in their own folders."""
    folder = root / "share/licences"
    folder.mkdir(parents=True)
    shutil.copy("LICENSE", root)
    text = Path(os.__file__).parent / "LICENSE.txt"
    if not text.exists():
        text = Path(f"/usr/share/doc/{VERSION}/copyright")
    shutil.copy(text, folder / "python")
    for library in libraries:
        # Search by name only: dpkg records a library under the folder of its package, which may have become a link.
        command = ["dpkg", "-S", f"*/{library.name}"]
        owner = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        package = owner.split(":")[0]
        if package and Path(f"/usr/share/doc/{package}/copyright").exists():
            shutil.copy(f"/usr/share/doc/{package}/copyright", folder / package)


def bill_of_materials(libraries: list[Path], root: Path) -> None:
    """Write a CycloneDX list of all parts: cyclonedx-bom lists packages, we add Python and the C libraries."""
    target = root / "share/standstill/sbom.cdx.json"
    site = root / "lib" / VERSION / "site-packages"
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-format", "JSON", "--output-file", target]
    # cyclonedx-bom runs an interpreter to learn its path. It gets the archive's interpreter, with its packages.
    asked = WORK / "asked"
    asked.write_text(f'#!/bin/sh\nPYTHONPATH="{site.resolve()}" exec "{(root / "bin" / VERSION).resolve()}" "$@"\n')
    asked.chmod(0o755)
    subprocess.run([*command, asked], check=True)
    bill = json.loads(target.read_text(encoding="utf-8"))
    parts = [{"type": "application", "name": "CPython", "version": platform.python_version(), "bom-ref": "cpython"}]
    for library in libraries:
        part = {"type": "library", "name": library.name, "bom-ref": f"c/{library.name}"}
        parts.append(part | {"version": library.resolve().name.partition(".so.")[2] or "unknown"})
    bill["components"] = [*bill.get("components", []), *parts]
    target.write_text(json.dumps(bill, indent=1), encoding="utf-8")


def compile_all(root: Path) -> None:
    """Compile every module once. The bytecode does not depend on modification times, which unpacking would change."""
    command = [root / "bin" / VERSION, "-IS", "-m", "compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash"]
    folder = root / "lib"
    subprocess.run([*command, "-s", root, folder], check=False)


def pack(root: Path) -> Path:
    """Write the archive reproducibly, with fixed owner, order and times."""

    def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        return entry

    target = DIST / f"{root.name}-linux-{platform.machine()}.tar.xz"
    fresh = target.with_name(f"{target.name}.new")
    # xz itself uses all processors; level 3 takes a third of the time of level 6, and makes the archive ten per cent
    # larger.
    with fresh.open("wb") as file, subprocess.Popen(["xz", "-3", "-T0"], stdin=subprocess.PIPE, stdout=file) as xz:
        assert xz.stdin is not None
        with tarfile.open(fileobj=xz.stdin, mode="w|") as archive:
            archive.add(root, root.name, filter=anonymous)
        xz.stdin.close()
    if xz.returncode:
        sys.exit(f"xz failed with status {xz.returncode}")
    fresh.replace(target)
    return target


def main() -> None:
    wheels = sorted(DIST.glob(f"standstill_chess-*-manylinux*_{platform.machine()}.whl"))
    if len(wheels) != 1:
        refuse(f"expected one wheel for {platform.machine()} in {DIST}, found {len(wheels)}: run `make packages`")
    version = wheels[0].name.split("-")[1]
    shutil.rmtree(WORK, ignore_errors=True)
    root = WORK / f"standstill-{version}"
    root.mkdir(parents=True)
    libraries = copy_python(root)
    install(wheels[0], root)
    licences(libraries, root)
    compile_all(root)
    facts = {"@PYTHON@": VERSION, "@VERSION@": version, "@MACHINE@": platform.machine(), "@GLIBC@": newest_glibc(root)}
    for name, text in (("standstill", LAUNCHER), ("lib/standstill.py", MAIN), ("README.txt", README)):
        (root / name).write_text(re.sub("@[A-Z]+@", lambda found: facts[found[0]], text), encoding="utf-8")
    (root / "standstill").chmod(0o755)
    bill_of_materials(libraries, root)
    made = pack(root)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB, needs glibc {facts['@GLIBC@']}")


if __name__ == "__main__":
    with failing_in_one_line("archive"):
        main()

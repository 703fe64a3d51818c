"""Builds a wheel for another machine: `python -m tools.package.cross linux-aarch64`, or one of the other TARGETS.

The modules use only Python's stable ABI, so the headers of this Python suffice: every 64-bit system except Windows has
the type sizes of its pyconfig.h. The compiler for ARM comes from Debian (gcc-aarch64-linux-gnu), the one for macOS from
PyPI (ziglang), with headers and stubs of Apple's C library.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

from ..building.refusal import failing_in_one_line, refuse

DIST = Path("dist")
WORK = Path("build/cross")
ZIG = [sys.executable, "-m", "ziglang", "cc"]

# By sysconfig's platform name: the compiler, its options for a module, and the command that installs it.
TARGETS = {
    "linux-aarch64": (["aarch64-linux-gnu-gcc"], ["-shared"], "apt install gcc-aarch64-linux-gnu"),
    "macosx-11.0-arm64": (
        [*ZIG, "-target", "aarch64-macos.11.0"],
        ["-shared", "-undefined", "dynamic_lookup"],
        "pip install ziglang",
    ),
    "macosx-11.0-x86_64": (
        [*ZIG, "-target", "x86_64-macos.11.0"],
        ["-shared", "-undefined", "dynamic_lookup"],
        "pip install ziglang",
    ),
}


def headers(folder: Path) -> Path:
    """A copy of Python's headers. Debian's pyconfig.h would include the native machine's."""
    ours = Path(sysconfig.get_path("include"))
    copy = folder / "include"
    if not copy.exists():
        shutil.copytree(ours, copy)
        per_machine = ours.parent / (sysconfig.get_config_var("MULTIARCH") or "") / ours.name / "pyconfig.h"
        if per_machine.exists():
            shutil.copy(per_machine, copy)
    return copy.resolve()


def environment(target: str) -> dict[str, str]:
    """Environment variables that make setup.py build for the target. CFLAGS replace those of Python's own build."""
    compiler, shared, advice = TARGETS[target]
    if not (find_spec("ziglang") if compiler[:4] == ZIG else shutil.which(compiler[0])):
        refuse(f"cross: expected the compiler {shlex.join(compiler)}: {advice}")
    return os.environ | {
        "_PYTHON_HOST_PLATFORM": target,
        "CC": shlex.join(compiler),
        "LDSHARED": shlex.join([*compiler, *shared]),
        "CFLAGS": f"-Wall -fwrapv -DNDEBUG -I{shlex.quote(str(headers(WORK / target)))}",
        "BUILD": "release",
        # zig has other names for the levels of x86-64. On a Mac the workflow builds them with Apple's compiler.
        "MARCH": os.environ.get("CROSS_MARCH", "portable" if compiler[:4] == ZIG else "all"),
        "ABI": "stable",
    }


def build(target: str) -> Path:
    """Build the wheel. Returns its path, in DIST."""
    folder = WORK / target
    raw = folder / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    words = ["build", "--build-base", folder, "bdist_wheel", "--plat-name", target, "--dist-dir", raw]
    subprocess.run([sys.executable, "setup.py", "-q", *map(str, words)], env=environment(target), check=True)
    (built,) = raw.glob("*.whl")
    DIST.mkdir(exist_ok=True)
    remove_older(target)
    if target.startswith("linux"):
        return repaired(built)
    return Path(shutil.copy(built, DIST))


def remove_older(target: str) -> None:
    """Remove earlier wheels for this system and processor from DIST."""
    system, _, machine = target.rpartition("-")
    kind = "macosx" if system.startswith("macosx") else system
    for old in DIST.glob(f"standstill_chess-*{kind}*_{machine}.whl"):
        old.unlink()


def repaired(wheel: Path) -> Path:
    """The wheel in DIST, tagged with the oldest C library that it runs on."""
    path = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "auditwheel", "repair", "--only-plat", "--wheel-dir", str(DIST), str(wheel)]
    subprocess.run(command, env=os.environ | path, check=True)
    machine = wheel.stem.partition("-linux_")[2]
    (made,) = DIST.glob(f"standstill_chess-*-manylinux*_{machine}.whl")
    return made


def main() -> None:
    target = sys.argv[1] if len(sys.argv) == 2 else ""
    if target not in TARGETS:
        refuse(f"cross: expected one of {', '.join(TARGETS)}, found {target!r}")
    made = build(target)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    with failing_in_one_line("cross"):
        main()

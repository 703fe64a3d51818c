"""Compiles kit/rmobility.c to kit/rmobility.wasm: `python -m tools.package.wasm`.

The compiler comes from PyPI (ziglang). The module needs neither a C library nor imports, since kit/wasm.c has the few
functions that it uses. Its last section, ``sources``, holds the check sum of the sources, so that a test notices a
module that is older than they are.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from ..building.refusal import failing_in_one_line, refuse

KIT = Path("kit")
MODULE = KIT / "rmobility.wasm"
SOURCES = ("rmobility.h", "rmobility.c", "wasm.c")
COMPILER = [sys.executable, "-m", "ziglang", "cc", "-target", "wasm32-wasi"]
# -fno-builtin: a loop inside our memset must not become a call of memset. Here the smallest code is also the fastest.
FLAGS = ["-std=c99", "-Os", "-Wall", "-Wextra", "-Werror", "-fno-builtin", "-fno-sanitize=all", "-DRM_NO_FILES"]
LINKING = ["-nostdlib", "-s", "-Wl,--no-entry", "-Wl,--strip-all"]


def check_sum(kit: Path = KIT) -> str:
    """Return the SHA-256 sum of the sources, in hexadecimal digits."""
    return hashlib.sha256(b"\0".join((kit / name).read_bytes() for name in SOURCES)).hexdigest()


def section(name: str, content: str) -> bytes:
    """Return a custom section of a WebAssembly module. Both texts together are shorter than 127 bytes."""
    body = bytes([len(name)]) + name.encode() + content.encode()
    return bytes([0, len(body)]) + body


def compiled(kit: Path = KIT) -> bytes:
    """Return the module. Raises CalledProcessError if the compiler refuses a source."""
    with tempfile.TemporaryDirectory() as place:
        objects = []
        for name in ("rmobility", "wasm"):
            objects.append(f"{place}/{name}.o")
            subprocess.run([*COMPILER, *FLAGS, "-c", "-o", objects[-1], str(kit / f"{name}.c")], check=True)
        linked = Path(place) / "linked.wasm"
        subprocess.run([*COMPILER, *LINKING, "-o", str(linked), *objects], check=True)
        return linked.read_bytes() + section("sources", check_sum(kit))


def main() -> None:
    if not find_spec("ziglang"):
        refuse("wasm: expected the compiler ziglang: pip install ziglang")
    content = compiled()
    new = MODULE.with_suffix(".new")
    new.write_bytes(content)
    new.replace(MODULE)
    print(f"{MODULE}: {len(content) / 1000:.1f} kB")


if __name__ == "__main__":
    with failing_in_one_line("wasm"):
        main()

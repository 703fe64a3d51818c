"""python3.dll, through which modules that use only the stable interface find whatever Python runs.

Each of its names is forwarded to python3NN.dll. Every Python for Windows comes with this library, except that of the
wheel of panda3d.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from ..building.refusal import refuse

COMPILER = "x86_64-w64-mingw32-gcc"
NAME = "python3.dll"
_EXPORTED = re.compile(r"^EXPORT_(?:FUNC|DATA)\((\w+)\)", re.MULTILINE)


def forwarder(library: Path, source: Path) -> None:
    """Make the python3.dll beside this python3NN.dll.

    source: PC/python3dll.c of CPython, which lists the names.
    """
    names = sorted(set(_EXPORTED.findall(source.read_text(encoding="utf-8"))))
    if not names:
        refuse(f"{source}: expected lines EXPORT_FUNC(NAME) and EXPORT_DATA(NAME), found none")
    lines = [f"LIBRARY {NAME}", "EXPORTS", *(f"{name}={library.stem}.{name}" for name in names)]
    definition = library.with_name("python3.def")
    definition.write_text("\n".join(lines) + "\n", encoding="ascii")
    fresh = library.with_name(f"{NAME}.new")
    # python3.dll has no code, so no entry point either.
    subprocess.run([COMPILER, "-shared", "-nostdlib", "-Wl,--entry=0", "-s", definition, "-o", fresh], check=True)
    definition.unlink()
    fresh.replace(library.with_name(NAME))

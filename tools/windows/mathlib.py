"""Lets numpy for Windows run under Wine 8, whose C library lacks the functions of complex numbers.

The library written here takes the place of Windows' library of mathematics in the modules of a folder: MinGW's own
functions of complex numbers, and for all others a reference to Wine's.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_THEIRS = b"api-ms-win-crt-math-l1-1-0.dll"
_OURS = b"own-ms-win-crt-math-l1-1-0.dll"  # of the same length
_REAL = "abs acos acosh arg asin asinh atan atanh conj cos cosh exp imag log log10 pow proj real sin sinh sqrt tan tanh"
# Each takes double, float or long double, which for Windows is double.
_COMPLEX = {f"c{name}{kind}": f"c{name}{kind.strip('l')}" for name in _REAL.split() for kind in ("", "f", "l")}


def replace(folder: Path) -> None:
    """Write the library beside each module that uses Windows' library of mathematics, and let the module use it."""
    modules = [path for path in folder.rglob("*") if path.suffix in {".pyd", ".dll"}]
    users = {path: imported for path in modules if (imported := _imported(path))}
    names = sorted(set().union(*users.values()))
    definitions = folder / "math.def"
    targets = ((name, _COMPLEX.get(name) or f"ucrtbase.{name}") for name in names)
    definitions.write_text("EXPORTS\n" + "".join(f"{name} = {target}\n" for name, target in targets), encoding="ascii")
    library = folder / _OURS.decode()
    needed = [f"-Wl,-u,{_COMPLEX[name]}" for name in names if name in _COMPLEX]
    compiler = ["x86_64-w64-mingw32-gcc", "-shared", "-static-libgcc"]
    subprocess.run([*compiler, "-o", library, *needed, definitions], check=True)
    definitions.unlink()
    for path in users:
        fresh = path.with_suffix(".new")
        fresh.write_bytes(path.read_bytes().replace(_THEIRS, _OURS))
        fresh.replace(path)  # a new file, because uv links the files of its cache
        path.with_name(library.name).write_bytes(library.read_bytes())
    library.unlink()


def _imported(path: Path) -> set[str]:
    """The functions that a module takes from Windows' library of mathematics."""
    shown = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", path], capture_output=True, text=True, check=True)
    parts = shown.stdout.split("DLL Name: ")
    (part,) = [part for part in parts if part.startswith(_THEIRS.decode())] or [""]
    return set(re.findall(r"^\s+[0-9a-f]+\s+\d+\s+(\w+)$", part, re.MULTILINE))

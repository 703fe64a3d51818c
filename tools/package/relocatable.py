"""A copy of the running Python that starts from any folder: interpreter, standard library and their C libraries.

Python finds its library relative to its executable. The copy leaves out what users of the engine do not need, and adds
the C libraries that another system may lack.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from ..building.refusal import refuse

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
# Parts of the standard library for developers, graphical windows and terminals, which the archive leaves out.
LEFT_OUT = (
    *("test", "tests", "idlelib", "tkinter", "turtledemo", "turtle.py", "lib2to3", "ensurepip", "venv", "pydoc_data"),
    *("site-packages", "dist-packages", "__pycache__", "__phello__", "config-*", "EXTERNALLY-MANAGED", "curses"),
)
MODULES_LEFT_OUT = re.compile(r"_tkinter|_test|_ctypes_test|xx|_xx|readline|_curses|_dbm|_gdbm|nis|ossaudiodev|_crypt")
# Parts of the C library: every system has its own, and they must match each other.
SYSTEM = re.compile(r"(ld-linux|libc|libm|libdl|libpthread|librt|libutil|libresolv|libnsl)[-.].*|linux-vdso.*")


def copy_python(root: Path) -> list[Path]:
    """Fill root/bin and root/lib. Returns the paths on this system of the C libraries that were copied."""
    library = root / "lib" / VERSION
    modules = Path(sysconfig.get_config_var("DESTSHARED") or Path(sysconfig.get_path("platstdlib"), "lib-dynload"))
    if not modules.is_dir():
        modules = Path(sysconfig.get_path("platstdlib", vars=_base()), "lib-dynload")
    stdlib = Path(sysconfig.get_path("stdlib", vars=_base()))
    shutil.copytree(stdlib, library, ignore=shutil.ignore_patterns(*LEFT_OUT, "lib-dynload"))
    (library / "lib-dynload").mkdir()
    for module in modules.glob("*.so"):
        if not MODULES_LEFT_OUT.match(module.name):
            shutil.copy(module, library / "lib-dynload")
    (library / "site-packages").mkdir()
    interpreter = root / "bin" / VERSION
    interpreter.parent.mkdir()
    shutil.copy(Path(sys._base_executable).resolve(), interpreter)  # pyright: ignore[reportAttributeAccessIssue]
    brought = _bring([interpreter, *library.glob("lib-dynload/*.so")], root / "lib")
    _strip([interpreter, *library.glob("lib-dynload/*.so"), *(root / "lib").glob("*.so*")])
    return brought


def _base() -> dict[str, str]:
    """The configuration variables of the base installation, not of the running virtual environment."""
    return dict.fromkeys(("base", "platbase", "installed_base", "installed_platbase"), sys.base_prefix)


def _bring(files: Iterable[Path], folder: Path) -> list[Path]:
    """Copy the C libraries that files need into folder, and set their search paths to it."""
    files = list(files)
    found: dict[str, Path] = {}
    for file in files:
        shown = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
        if missing := re.findall(r"(\S+) => not found", shown):
            refuse(f"{file}: expected {', '.join(missing)}, which this system lacks")
        for name, path in re.findall(r"(\S+) => (/\S+)", shown):
            if not SYSTEM.fullmatch(name):
                found[name] = Path(path)
    for name, path in found.items():
        shutil.copy(path.resolve(), folder / name)
        (folder / name).chmod(0o755)
    for file in [*files, *(folder / name for name in found)]:
        up = "/".join([".."] * len(file.parent.relative_to(folder.parent).parts))
        path = "$ORIGIN" if file.parent == folder else f"$ORIGIN/{up}/{folder.name}"
        subprocess.run(["patchelf", "--set-rpath", path, file], check=True)
    return sorted(found.values())


def _strip(files: Iterable[Path]) -> None:
    subprocess.run(["strip", "--strip-unneeded", *files], check=True)

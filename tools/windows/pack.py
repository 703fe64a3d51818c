"""Packs dist/standstill-VERSION-windows-x86_64.zip, which runs on a Windows system without Python.

standstill.exe, play.cmd, engine.ini and a README lie at the top, the program in the folder `standstill`, and Python
with the packages that it needs in `runtime`.
"""

from __future__ import annotations

import compileall
import py_compile
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from ..building.tree import version
from .icon import icon
from .interpreter import Interpreter
from .stable import COMPILER

RESOURCES = "x86_64-w64-mingw32-windres"
SOURCE = Path(__file__).parent / "launcher.c"
MOST_MB = 45

MAIN = """\
import os
import sys
from _signal import SIG_DFL, SIGINT, signal

if __name__ == "__main__":
    signal(SIGINT, SIG_DFL)  # Ctrl-C ends the start without a traceback
    runtime = os.path.dirname(os.path.abspath(__file__))
    sys.executable = sys._base_executable = os.path.join(runtime, "python.exe")
    sys.argv[0] = os.path.join(os.path.dirname(runtime), "standstill.exe")
    from standstill.protocol.main import main

    sys.exit(main())
"""
README = """\
Standstill {version} for Windows 10 and newer on x86-64, with everything that it needs.

To play without a chess program, double-click play.cmd, which opens a board in your web browser.
In a chess program, add standstill.exe of this folder as an engine (protocol UCI, or XBoard's). In Arena: Engines,
Install New Engine. In Cute Chess: Tools, Settings, Engines. Keep the other files beside it.
For commands, type cmd into the address bar of the window that shows this folder, and press Enter. There
`standstill --help` lists the commands, `standstill selfplay` plays a game. In PowerShell write `.\\standstill`.

The folder may be moved, and have any name. Defaults are set in engine.ini. To remove the program, delete the folder.
Standstill is free software (GPL-3.0-or-later, LICENSE); the licences of the software that comes with it are in
runtime\\licences and in the packages' folders in runtime\\site-packages.
"""
# The script keeps its window open after an error, so that the user can read the message.
PLAY = """\
@echo off
if not exist "%~dp0standstill.exe" (
    echo Extract the whole zip first: standstill.exe is missing beside play.cmd.
    pause
    exit /b 2
)
"%~dp0standstill.exe" web %*
if errorlevel 1 pause
"""
VERSION_RESOURCE = """\
#include <winver.h>
1 ICON "{icon}"
1 24 "{manifest}"
1 VERSIONINFO
FILEVERSION {numbers}
PRODUCTVERSION {numbers}
FILEOS VOS_NT_WINDOWS32
FILETYPE VFT_APP
BEGIN
  BLOCK "StringFileInfo"
  BEGIN
    BLOCK "040904b0"
    BEGIN
      VALUE "CompanyName", "Standstill"
      VALUE "FileDescription", "Standstill, a chess engine"
      VALUE "FileVersion", "{version}"
      VALUE "InternalName", "{name}"
      VALUE "LegalCopyright", "GPL-3.0-or-later"
      VALUE "OriginalFilename", "{name}.exe"
      VALUE "ProductName", "Standstill"
      VALUE "ProductVersion", "{version}"
    END
  END
  BLOCK "VarFileInfo"
  BEGIN
    VALUE "Translation", 0x409, 1200
  END
END
"""
# Allows paths of more than 260 characters if the user has enabled them in Windows.
MANIFEST = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
<compatibility xmlns="urn:schemas-microsoft-com:compatibility.v1"><application>
<supportedOS Id="{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}"/>
</application></compatibility>
<application xmlns="urn:schemas-microsoft-com:asm.v3"><windowsSettings>
<longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>
</windowsSettings></application>
</assembly>
"""


def executable(target: Path, python: Interpreter, work: Path, *flags: str) -> None:
    """Compile standstill.exe or, with -DINTERPRETER, the python.exe that runs its workers."""
    name = target.stem
    resources, compiled = work / f"{name}.rc", work / f"{name}.res.o"
    (work / "icon.ico").write_bytes(icon())
    (work / "manifest.xml").write_text(MANIFEST, encoding="utf-8")
    numbers = ",".join([*(version().split(".") + ["0"] * 4)[:4]])
    places = {"icon": (work / "icon.ico").as_posix(), "manifest": (work / "manifest.xml").as_posix()}
    text = VERSION_RESOURCE.format(numbers=numbers, version=version(), name=name, **places)
    resources.write_text(text, encoding="ascii")
    subprocess.run([RESOURCES, resources, compiled], check=True)
    command = [COMPILER, "-municode", "-O2", "-Wall", "-Wextra", "-s", "-static-libgcc", *flags]
    library = f'-DLIBRARY=L"{python.library.name}"'
    subprocess.run([*command, library, SOURCE, compiled, "-o", target], check=True)


def lay_out(python: Interpreter, program: Path, work: Path) -> Path:
    """Make the folder that will be packed. Returns it. program: what ``whole`` has put together."""
    root = work / f"standstill-{version()}"
    shutil.rmtree(root, ignore_errors=True)
    runtime = root / "runtime"
    shutil.copytree(python.runtime, runtime, ignore=shutil.ignore_patterns("*.zip", "*._pth", "python*.exe"))
    shutil.copy(python.standard, runtime / python.standard.name)
    # The program's folder comes last, because users keep their own files beside it.
    paths = f"{python.standard.name}\n.\nsite-packages\n..\n"
    (runtime / f"{python.library.stem}._pth").write_text(paths, encoding="ascii")
    (runtime / "start.py").write_text(MAIN, encoding="ascii")
    unneeded = shutil.ignore_patterns("*.pxd", "*.pyi", "*.h", "__pycache__")
    shutil.copytree(program / "standstill", root / "standstill", ignore=unneeded)
    _packages(runtime / "site-packages", python)
    executable(root / "standstill.exe", python, work)
    executable(runtime / "python.exe", python, work, "-DINTERPRETER")
    for name in ("engine.ini", "LICENSE"):
        (root / name).write_bytes(Path(name).read_bytes().replace(b"\n", b"\r\n"))
    for name, text in (("README.txt", README.format(version=version())), ("play.cmd", PLAY)):
        (root / name).write_text(text, encoding="ascii", newline="\r\n")
    licences = runtime / "licences"
    licences.mkdir()
    for path in (python.headers.parent / "LICENSE", python.runtime / "LICENSE.txt"):
        if path.is_file():
            shutil.copy(path, licences / "python.txt")
    _compile_all(root)
    return root


def whole(core: Path) -> Path:
    """Python and data of the program, as setuptools installs them, and the compiled core. Returns their folder."""
    folder = core.parent / "whole"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "setup.py", "-q", "build_py", "--build-lib", folder], check=True)
    target = folder / "standstill/cext"
    shutil.copytree(core, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.flags", "*.o"))
    for level in (target / "builds").iterdir():
        for path in Path("cext").glob("*/*.py"):
            shutil.copy(path, level / path.relative_to("cext"))
    return folder


def _packages(target: Path, python: Interpreter) -> None:
    """Install the locked releases for Windows of the program's dependencies and of the archive's extras."""
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", target]
    platform = ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", f"3.{python.minor}"]
    # The newest python-chess comes as a source distribution; it is pure Python.
    wheels = ["--only-binary", ":all:", "--no-binary", "chess"]
    subprocess.run([*command, *platform, *wheels, "--require-hashes", "-r", "requirements/archive.txt"], check=True)
    shutil.rmtree(target / "bin", ignore_errors=True)
    for tests in [*target.glob("*/tests"), *target.glob("*/**/tests")]:
        shutil.rmtree(tests, ignore_errors=True)


def _compile_all(root: Path) -> None:
    """Compile every module once. The bytecode does not depend on modification times, which unpacking would change."""
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for folder in ("standstill", "runtime"):
        compileall.compile_dir(root / folder, quiet=2, force=True, stripdir=root, invalidation_mode=mode)


def packed(root: Path, folder: Path) -> Path:
    """Write the zip, with the folder inside it, in a fixed order and with fixed times."""
    folder.mkdir(exist_ok=True)
    target = folder / f"{root.name}-windows-x86_64.zip"
    fresh = target.with_suffix(".new")
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(root.parent).as_posix())
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    fresh.replace(target)
    size_mb = target.stat().st_size / 1e6
    if size_mb > MOST_MB:
        sys.exit(f"{target}: expected at most {MOST_MB} MB, found {size_mb:.1f} MB")
    print(f"{target}: {size_mb:.1f} MB")
    return target

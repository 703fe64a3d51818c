"""Finds a Windows CPython to build the core against and to pack: its library, modules, headers and executable.

WINDOWS_PYTHON may name python.org's embeddable package, as a folder or a zip, and WINDOWS_HEADERS the folder with its
headers. Without them the library comes from PyPI's wheel of panda3d, which contains python.org's library; headers and
standard library come from the sources of Debian's python3.11.
"""

from __future__ import annotations

import os
import py_compile
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from ..building.refusal import refuse
from ..package.relocatable import LEFT_OUT
from . import stable

PYTHON, HEADERS = "WINDOWS_PYTHON", "WINDOWS_HEADERS"
_X86_64 = b"PE\0\0" + struct.pack("<H", 0x8664)
_SUITE = "bookworm"
_SOURCE = "python3.11"
_STABLE = "python3dll.c"  # lists the names of the stable interface
# Left out: parts of Windows itself, Tk, and modules that no command uses.
_LEFT_OUT = re.compile(r"api-ms-|ucrtbase|tcl|tk|_tkinter|winsound|_msi|_test", re.IGNORECASE)


@dataclass(frozen=True)
class Interpreter:
    """A folder with both libraries and its modules, the headers for it, and the standard library as a zip."""

    runtime: Path
    headers: Path
    standard: Path
    minor: int

    @property
    def library(self) -> Path:
        return self.runtime / f"python3{self.minor}.dll"

    @property
    def stable(self) -> Path:
        """The library of the stable interface, against which modules are linked."""
        return self.runtime / stable.NAME


def provided(work: Path) -> Interpreter:
    """The interpreter that the environment names, or a downloaded one. Exits with one line if it is unsuitable."""
    named = os.environ.get(PYTHON)
    if named:
        return _embeddable(Path(named), work)
    runtime = _downloaded(work)
    sources = _sources(work)
    _check(runtime, sources / "headers", "the wheel of panda3d")
    standard = work / "python311.zip"
    if not standard.exists():
        _pack(sources / "Lib", standard)
    found = Interpreter(runtime, sources / "headers", standard, 11)
    if not found.stable.exists():
        stable.forwarder(found.library, sources / _STABLE)
    return found


def _embeddable(named: Path, work: Path) -> Interpreter:
    runtime = named
    if named.is_file() and zipfile.is_zipfile(named):
        runtime = work / "embeddable"
        shutil.rmtree(runtime, ignore_errors=True)
        try:
            with zipfile.ZipFile(named) as archive:
                archive.extractall(runtime)
        except (zipfile.BadZipFile, zlib.error) as error:
            refuse(f"{PYTHON}={named}: expected a zip that can be unpacked: {error}")
    if not runtime.is_dir():
        refuse(f"{PYTHON}: expected python.org's embeddable package, a folder or zip, found {str(named)!r}")
    headers = Path(os.environ.get(HEADERS) or _sources(work) / "headers")
    minor = _check(runtime, headers, f"{PYTHON}={named}")
    standard = runtime / f"python3{minor}.zip"
    found = Interpreter(runtime, headers, standard, minor)
    for path, what in ((standard, "the standard library"), (found.stable, "the library of the stable interface")):
        if not path.is_file():
            refuse(f"{PYTHON}={named}: expected {what} {path.name}, found none")
    return found


def _check(runtime: Path, headers: Path, where: str) -> int:
    """Return the interpreter's minor version; exit if it does not match the headers."""
    found = sorted(path for path in runtime.glob("python3*.dll") if re.fullmatch(r"python3\d+\.dll", path.name))
    if len(found) != 1:
        refuse(f"{where}: expected one library python3NN.dll, found {len(found)}")
    data = found[0].read_bytes().ljust(0x40, b"\0")  # a file that was cut off is refused, too
    start = struct.unpack_from("<I", data, 0x3C)[0] if data[:2] == b"MZ" else 0
    if data[start : start + 6] != _X86_64:
        refuse(f"{where}: expected a {found[0].name} for Windows on x86-64, found another file")
    minor = int(found[0].stem.removeprefix("python3"))
    level = headers / "patchlevel.h"
    version = re.search(r"PY_MINOR_VERSION\s+(\d+)", level.read_text(encoding="utf-8")) if level.is_file() else None
    if version is None or not (headers / "pyconfig.h").is_file():
        refuse(f"{headers}: expected Python.h and the pyconfig.h of Windows (set {HEADERS})")
    if int(version[1]) != minor:
        refuse(f"{where}: expected Python 3.{version[1]}, that of the headers in {headers}, found 3.{minor}")
    return minor


def _downloaded(work: Path) -> Path:
    """Extract the library and its modules from the wheel of panda3d, whose hash is in the lock file."""
    runtime, downloads = work / "python", work / "downloads"
    if runtime.is_dir():
        return runtime
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--dest"]
    wanted = ["--only-binary=:all:", "--platform=win_amd64", "--implementation=cp", "--python-version=3.11"]
    locked = ["--require-hashes", "-r", "requirements/windows.txt"]
    subprocess.run([*command, downloads, *wanted, *locked], check=True)
    (wheel,) = downloads.glob("panda3d-*-win_amd64.whl")
    fresh = Path(tempfile.mkdtemp(dir=work))
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            place = Path(name)
            if place.parent.name == "deploy_libs" and not _LEFT_OUT.match(place.name):
                (fresh / place.name.lower()).write_bytes(archive.read(name))
    fresh.chmod(0o755)
    fresh.replace(runtime)
    wheel.unlink()
    return runtime


def _sources(work: Path) -> Path:
    """Return a folder with ``headers``, ``Lib``, ``LICENSE`` and _STABLE from Debian's source package."""
    folder = work / "sources"
    if (folder / _STABLE).is_file():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(dir=work)).resolve()
    (fresh / "lists/partial").mkdir(parents=True)
    listed = fresh / "sources.list"
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    listed.write_text(f"deb-src [signed-by={key}] http://deb.debian.org/debian {_SUITE} main\n", encoding="ascii")
    own = {"Dir::Etc::SourceList": listed, "Dir::Etc::SourceParts": "/dev/null", "Dir::State::Lists": fresh / "lists"}
    apt = ["apt-get", "-q", *(word for name, value in own.items() for word in ("-o", f"{name}={value}"))]
    apt += ["-o", "APT::Sandbox::User=root"]
    subprocess.run([*apt, "update"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*apt, "source", "--download-only", _SOURCE], cwd=fresh, check=True, stdout=subprocess.DEVNULL)
    (archive,) = fresh.glob("*.orig.tar.*")
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            path = Path(*Path(member.name).parts[1:])
            if path.parts[:1] == ("Include",):
                path = Path("headers", *path.parts[1:])
            elif path == Path("PC/pyconfig.h"):
                path = Path("headers/pyconfig.h")
            elif path == Path("PC", _STABLE):
                path = Path(_STABLE)
            elif path.parts[:1] not in (("Lib",), ("LICENSE",)):
                continue
            if member.isfile():
                (fresh / path).parent.mkdir(parents=True, exist_ok=True)
                (fresh / path).write_bytes(tar.extractfile(member).read())
    archive.unlink()
    shutil.rmtree(fresh / "lists")
    fresh.chmod(0o755)
    fresh.replace(folder)
    return folder


def _pack(library: Path, target: Path) -> None:
    """Compile the standard library into a zip, from which Python imports it."""
    if sys.version_info[:2] != (3, 11):
        refuse(f"expected Python 3.11, as the library for Windows is, found {sys.version.split()[0]}")
    left_out = {name for name in LEFT_OUT if "*" not in name} | {"msilib", "wsgiref", "xmlrpc", "distutils"}
    fresh = target.with_suffix(".new")
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as archive:
        for source in sorted(library.rglob("*.py")):
            name = source.relative_to(library)
            if left_out.intersection(name.parts):
                continue
            compiled = fresh.with_suffix(".pyc")
            mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
            py_compile.compile(str(source), str(compiled), name.as_posix(), doraise=True, invalidation_mode=mode)
            entry = zipfile.ZipInfo(name.with_suffix(".pyc").as_posix())
            archive.writestr(entry, compiled.read_bytes(), zipfile.ZIP_DEFLATED)
            compiled.unlink()
    fresh.replace(target)

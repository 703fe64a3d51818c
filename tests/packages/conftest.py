"""Fixtures for the package tests: wheel and archive in dist/, a root directory that holds nothing else, and Windows.

`make archive` and `make windows` make the packages. Without them these tests are skipped.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools.windows import wine

ROOT = Path(__file__).resolve().parents[2]
# What every Linux system has: the C library, and a shell.
SYSTEM_LIBRARIES = ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1")
CLEAN = {"PATH": "/bin", "LANG": "C"}


def made(pattern: str) -> Path:
    found = sorted((ROOT / "dist").glob(pattern))
    if len(found) != 1:
        make = "make windows" if "win" in pattern else "make archive"
        message = f"found {len(found)} files dist/{pattern}: run `{make}`"
        pytest.fail(message) if os.environ.get("STANDSTILL_REQUIRE_CLIENTS") and found else pytest.skip(message)
    return found[0]


@pytest.fixture(scope="session")
def wheel() -> Path:
    return made(f"standstill_chess-*-manylinux*_{platform.machine()}.whl")


@pytest.fixture(scope="session")
def sources() -> Path:
    return made("standstill_chess-*.tar.gz")


@pytest.fixture(scope="session")
def bare_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root directory with a shell and the C library; no Python, no compiler, no home directory."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        pytest.skip("changing the root directory needs root's rights")
    root = tmp_path_factory.mktemp("root")
    for folder in ("bin", "dev", "tmp", "lib64", "proc"):
        (root / folder).mkdir()
    for program in ("sh", "readlink", "ln"):
        shutil.copy(Path(shutil.which(program)).resolve(), root / "bin" / program)
    shown = subprocess.run(
        ["ldd", root / "bin/sh", root / "bin/ln", root / "bin/readlink"], capture_output=True, text=True, check=True
    ).stdout
    paths = {Path(path) for path in re.findall(r"(/\S+\.so[.\d]*) ", shown)}
    folder = next(path.parent for path in paths if path.name == "libc.so.6")
    for path in [*paths, *(folder / name for name in SYSTEM_LIBRARIES)]:
        if path.exists():
            (root / path.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path.resolve(), root / path.relative_to("/"))
    os.mknod(root / "dev/null", 0o20666, os.makedev(1, 3))
    return root


@pytest.fixture(scope="session")
def archive(bare_root: Path) -> list[str]:
    """The command that starts the archive's engine inside the bare root, from a folder with a blank in its name."""
    packed = made(f"standstill-*-linux-{platform.machine()}.tar.xz")
    folder = bare_root / "My Engines"
    with tarfile.open(packed) as opened:
        opened.extractall(folder, filter="tar")
    (unpacked,) = folder.iterdir()
    # In its own namespace: the dynamic linker finds the program's folder through /proc, and /proc then needs no
    # unmounting.
    enter = [shutil.which("unshare"), "--mount-proc", f"--root={bare_root}", "--wd=/"]
    return [*enter, f"/My Engines/{unpacked.name}/standstill"]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """standstill.exe, unpacked into a folder with blanks and a letter that the code pages of the West lack."""
    archive = made("standstill-*-windows-x86_64.zip")
    if not wine.available():
        pytest.skip("programs for Windows need Wine here")
    folder = tmp_path_factory.mktemp("żółw & co")
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    (found,) = folder.glob("*/standstill.exe")
    return found


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of programs for Windows."""
    found = wine.environment(tmp_path_factory.mktemp("wine") / "prefix")
    if wine.available():
        wine.run("cmd", ["/c", "exit"], settings=found)  # the first program makes the prefix, with messages of Wine
    return found

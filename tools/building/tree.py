"""The source tree: its folders with their import names, its version and its commit."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from setuptools import find_packages

from .refusal import refuse

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

# The folders of the tree, installed as standstill.cext, standstill.engine and standstill.protocol.
FOLDERS = ("cext", "engine", "protocol")
# The package that `import standstill` imports; it is not installed a second time below standstill.engine.
API = "engine/api"
# The tree under its import name, made of links for Cython, the tests and the launcher of a clone.
MIRROR = "build/tree"


def version() -> str:
    """Return the version in engine/__init__.py without importing modules that are not built yet."""
    path = Path("engine/__init__.py")
    if not path.exists():
        return "0"
    found = re.search(r'^VERSION\b[^=\n]*=\s*"([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        refuse(f'{path}: no line VERSION = "..."')
    return found[1]


def commit() -> str:
    """Return the commit that is being built. Without git, the file ``commit`` of the sources names it; otherwise it is
    "unknown".
    """
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    if os.path.exists(".git"):
        with contextlib.suppress(OSError):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return done.stdout.strip()
    with contextlib.suppress(OSError):
        return Path("commit").read_text(encoding="ascii").strip()
    return "unknown"


def packages() -> list[str]:
    names = find_packages(include=[pattern for folder in FOLDERS for pattern in (folder, f"{folder}.*")])
    return ["standstill", *(f"standstill.{name}" for name in names if name != API.replace("/", "."))]


def make_mirror() -> None:
    """Make MIRROR: links standstill/cext and so on to the folders of the tree, and links to the files of API."""
    folder = Path(MIRROR, "standstill")
    folder.mkdir(parents=True, exist_ok=True)
    api = [(path.name, path.as_posix()) for path in sorted(Path(API).iterdir()) if path.suffix in {".py", ".typed"}]
    for name, target in [*((name, name) for name in FOLDERS), *api]:
        link, wanted = folder / name, os.path.relpath(target, folder)
        if not link.is_symlink() or os.readlink(link) != wanted:
            fresh = folder / f"{name}.{os.getpid()}"
            fresh.symlink_to(wanted)
            fresh.replace(link)


def write_script(path: str, text: str) -> None:
    """Replace an executable in one step; a running process keeps the old file."""
    fresh = Path(f"{path}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(0o755)
    fresh.replace(path)


@contextlib.contextmanager
def locked(folder: Path = Path("build")) -> Iterator[None]:
    """Let only one process at a time write into a folder, because an editor and a shell may build at once."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="ascii") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# Run directly, this makes the tree for editors and other tools that need its import names but no build.
if __name__ == "__main__":
    make_mirror()

"""The list of Cython modules, and their translation to C."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from pathlib import Path

from setuptools import Extension

from .flags import ABI, flags
from .tree import MIRROR, make_mirror

# Cython looks for cimported modules here.
CYTHON_PATH = [".", MIRROR]


def core_extensions() -> list[Extension]:
    return extensions("cext/**/*.pyx", "standstill.")


def extensions(pattern: str, package: str = "", *, assertions: bool = False) -> list[Extension]:
    """Return one extension for each .pyx file that matches; ``assertions`` keeps ``assert`` in every build.

    package: the prefix of their names, "standstill." for modules of the core, empty for modules that stand alone.
    """
    compile_flags, link_flags = flags()
    if assertions:
        compile_flags = [flag for flag in compile_flags if flag != "-DCYTHON_WITHOUT_ASSERTIONS"]
    return [
        Extension(
            package + ".".join(path.with_suffix("").parts) if package else path.stem,
            [path.as_posix()],
            include_dirs=["cext/base"],
            depends=[path.as_posix() for path in sorted(Path().glob("cext/*/*.h"))],
            extra_compile_args=compile_flags,
            extra_link_args=link_flags,
            py_limited_api=ABI == "stable",
        )
        for path in sorted(Path().glob(pattern))
    ]


class Translations(io.TextIOBase):
    """Reduces Cython's output to the module being translated and the number of modules."""

    def __init__(self, shown: io.TextIOBase, remarks: Remarks):
        self._shown = shown
        self._remarks = remarks

    def write(self, text: str) -> int:
        for number, total, path in re.findall(r"^\[ *(\d+)/(\d+)\] Cythonizing (\S+)", text, re.MULTILINE):
            self._remarks.begin(path)
            self._shown.write(f"translating {number} of {total}: {path}\n")
            self._shown.flush()
        return len(text)


class Remarks(io.TextIOBase):
    """Shows Cython's hints and warnings, and keeps them beside the C of each module, for `make hints`."""

    def __init__(self, shown: io.TextIOBase, folder: Path):
        self._shown = shown
        self._folder = folder
        self._path: Path | None = None

    def begin(self, source: str) -> None:
        """Attribute the following output to this module."""
        self._path = remarks(self._folder, source)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text("", encoding="utf-8")

    def write(self, text: str) -> int:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text)
        return self._shown.write(text)


def remarks(folder: Path, source: str) -> Path:
    """Return the path of the file with Cython's remarks on a module that was translated into the folder."""
    return Path(folder, source).with_suffix(".remarks")


def translate(modules: list[Extension], folder: Path, directives: dict[str, object]) -> list[Extension]:
    """Translate changed modules to C in the folder, or all modules if the folder holds translations with other
    directives.
    """
    from Cython.Build import cythonize  # imported here, because most commands of setup.py do not need Cython

    make_mirror()
    folder.mkdir(parents=True, exist_ok=True)
    record, text = folder / "directives", json.dumps(directives, indent=1)
    if record.exists() and record.read_text(encoding="utf-8") != text:
        for translation in folder.rglob("*.c"):
            translation.unlink()
    record.write_text(text, encoding="utf-8")
    said = Remarks(sys.stderr, folder)
    with contextlib.redirect_stdout(Translations(sys.stdout, said)), contextlib.redirect_stderr(said):
        return cythonize(modules, build_dir=str(folder), include_path=CYTHON_PATH, compiler_directives=directives)

"""Changed build commands of setuptools (build_ext, build_py, sdist, bdist_wheel), and ctest for the C-level tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

from setuptools import Extension
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext, get_abi3_suffix
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.modified import newer_group

from .flags import ABI, BUILD, CHOOSER, DEBUG_DIRECTIVES, DIRECTIVES, LEVELS, MARCH, OLDEST_PYTHON, compiler_identity
from .translating import extensions, translate
from .tree import commit, locked

VERSION_SUFFIX, STABLE_SUFFIX = sysconfig.get_config_var("EXT_SUFFIX"), get_abi3_suffix()
SUFFIX = STABLE_SUFFIX if ABI == "stable" else VERSION_SUFFIX


class BuildExtensions(build_ext):
    """build_ext that keeps generated C under build/ and notices changed flags and directives.

    All builds compile the same C, because they differ only in the compiler's flags. Only the debug build also has other
    directives.

    setuptools compares only file times, so a changed flag would rebuild nothing. Flags and directives are written to a
    file on which every extension depends, and which is written only if they differ.
    """

    translated = Path("build/inplace/lib.state")

    def finalize_options(self) -> None:
        super().finalize_options()
        self.stale: list[str] = []
        self.begun = 0
        self.counting = threading.Lock()
        if self.parallel is None:
            self.parallel = os.cpu_count()
        if self.inplace:
            # Even in place, setuptools builds in build_lib and copies the result. pip uses another folder, because its
            # flags differ.
            self.build_lib = "build/inplace/lib"
            self.build_temp = "build/inplace/temp"

    def state(self) -> Path:
        # Each build folder has its own state file, because two builds may have the same mode and differ in MARCH.
        return Path(f"{self.build_lib}.state")

    def run(self) -> None:
        if MARCH == "all":
            self.build_levels()
            return
        # Builds share the generated C but not the compiled modules, so two builds may compile at the same time.
        with locked(self.state()):
            with locked():
                self.generate()
            super().run()
        self.remove_orphans()

    def build_levels(self) -> None:
        """Build the core for each level, and put the modules where ``cext/__init__.py`` looks for them."""
        core = Path(self.build_lib, "standstill/cext")
        shutil.rmtree(core / "builds", ignore_errors=True)
        for left in core.rglob("*"):
            if left.name.endswith((VERSION_SUFFIX, STABLE_SUFFIX)):
                left.unlink()
        for level in LEVELS:
            built = Path(self.build_temp, level, "lib")
            command = [sys.executable, "setup.py", "-q", "build_ext", f"--parallel={self.parallel}"]
            print(f"building the core for {level}", flush=True)
            subprocess.run(
                [*command, f"--build-lib={built}", f"--build-temp={built}.temp"],
                env=os.environ | {"MARCH": level, "ABI": ABI},
                check=True,
            )
            made = built / "standstill/cext"
            for path in [*made.glob(f"*/*{SUFFIX}"), *Path("cext").glob("*/*.py")]:
                place = core / "builds" / level / path.relative_to(made if path.is_relative_to(made) else "cext")
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, place)
            shutil.copy2(made / f"{CHOOSER}{SUFFIX}", core)

    def generate(self) -> None:
        """Translate Cython to C, and record the flags and directives."""
        directives = DEBUG_DIRECTIVES if BUILD == "debug" else DIRECTIVES
        environment = {name: os.environ.get(name, "") for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS")}
        flags = [extension.extra_compile_args + extension.extra_link_args for extension in self.extensions[:1]]
        text = json.dumps([flags, directives, environment, compiler_identity()], indent=1)
        flags_file = self.state() / "flags"
        changed = not flags_file.exists() or flags_file.read_text(encoding="utf-8") != text
        generated = translate(self.extensions, self.state() if BUILD == "debug" else self.translated, directives)
        if changed:
            flags_file.parent.mkdir(parents=True, exist_ok=True)
            flags_file.write_text(text, encoding="utf-8")
        sources = {extension.name: extension for extension in generated}
        for extension in self.extensions:
            extension.sources = sources[extension.name].sources
            extension.depends = [*sources[extension.name].depends, str(flags_file)]
        self.stale = [extension.name for extension in self.extensions if self.is_stale(extension)]

    def is_stale(self, extension: Extension) -> bool:
        """Return whether setuptools will compile the extension, by comparing the same file times."""
        return bool(self.force) or newer_group(
            extension.sources + extension.depends, self.get_ext_fullpath(extension.name), "newer"
        )

    def build_extension(self, extension: Extension) -> None:
        if extension.name in self.stale:
            with self.counting:  # several threads compile at a time
                self.begun += 1
                print(f"compiling {self.begun} of {len(self.stale)}: {extension.name}", flush=True)
        super().build_extension(extension)

    def remove_orphans(self) -> None:
        """Remove compiled modules whose source is gone, because an import would still find them."""
        outputs = {Path(self.get_ext_fullpath(extension.name)).resolve() for extension in self.extensions}
        suffixes = (SUFFIX,) if self.inplace else (VERSION_SUFFIX, STABLE_SUFFIX)
        # Search the whole core, not only the folders of this build, because modules move between folders.
        folders = {next((above for above in path.parents if above.name == "cext"), path.parent) for path in outputs}
        for folder in folders:
            for path in folder.rglob("*"):
                if path.name.endswith(suffixes) and path.resolve() not in outputs:
                    path.unlink()


class BuildTests(BuildExtensions):
    """Build the C-level tests, always with assertions."""

    description = "build the C-level tests (tests/ctest)"
    translated = Path("build/ctest.state")

    def finalize_options(self) -> None:
        self.distribution.ext_modules = extensions("tests/ctest/ctest_*.pyx", assertions=True)
        super().finalize_options()


class BuildPython(build_py):
    """build_py that first removes the copies of an earlier build, because a removed module must not be shipped."""

    def run(self) -> None:
        if not getattr(self, "editable_mode", False):
            for path in Path(self.build_lib, "standstill").rglob("*"):
                if path.is_file() and not path.name.endswith((VERSION_SUFFIX, STABLE_SUFFIX)):
                    path.unlink()
        super().run()
        if not getattr(self, "editable_mode", False):
            Path(self.build_lib, "standstill").mkdir(parents=True, exist_ok=True)
            Path(self.build_lib, "standstill/commit").write_text(f"{commit()}\n", encoding="ascii")


class BuildWheel(bdist_wheel):
    """bdist_wheel that tags a wheel of modules by the stable interface for every Python from the oldest on."""

    def finalize_options(self) -> None:
        if ABI == "stable":
            self.py_limited_api = "cp" + "".join(map(str, OLDEST_PYTHON))
        super().finalize_options()


class Source(sdist):
    """sdist that writes the commit into a file, because a source archive contains no git history."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        Path(base_dir, "commit").write_text(f"{commit()}\n", encoding="ascii")

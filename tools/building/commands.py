"""Commands of setup.py that this project adds: translate, interpreter, launcher."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

from setuptools import Command

from .compiling import BuildExtensions
from .flags import BUILD, DIRECTIVES, RUNTIMES, runtime
from .translating import CYTHON_PATH, core_extensions, remarks, translate
from .tree import MIRROR, commit, locked, make_mirror, write_script


class Translate(Command):
    """Translate modules without compiling them, to read Cython's remarks or to get annotated source."""

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
        """Return the performance hints and warnings, including those of modules that an earlier build translated."""
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
            # A leak report would list everything that the interpreter keeps until it exits.
            options = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
            # The counter is loaded first, because the sanitizer defines functions of the same names.
            if BUILD == "fuzz":
                preload = f"{os.path.abspath('build/fuzz/coverage.so')} {preload}"
                options["ASAN_OPTIONS"] += ":verify_asan_link_order=0"
            # Python's own memory pools would hide an access just outside an object.
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

    LONGEST = 127  # every kernel reads a first line of up to this many bytes

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
        # pip writes this form, too: sh runs the first line, and Python reads both lines as a string. Both read '\'' as
        # a quote.
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
            'if __name__ == "__main__":  # workers that do not fork import this file\n'
            "    sys.exit(main())\n"
        )
        write_script(self.output, text)
        if self.root == MIRROR:
            Path(MIRROR, "standstill/commit").write_text(f"{commit()}\n", encoding="ascii")

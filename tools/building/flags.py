"""Directives of Cython and flags of the C compiler, by the variables BUILD and MARCH of the environment."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig

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

# The builds that MARCH=all puts into one package, and their compiler flags; cext/processor detects which can run.
LEVELS = {
    "avx512": [
        "-march=x86-64-v4",
        *("-mavx512vbmi", "-mavx512vbmi2", "-mavx512vnni", "-mavx512bitalg", "-mavx512vpopcntdq"),
    ],
    # The first processors of AMD with AVX2 extract bits far slower than they multiply.
    "x86-64-v3": ["-march=x86-64-v3", "-DNO_PEXT"],
    "portable": [],
}
# The module outside those builds, which chooses among them.
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


def march_flags() -> list[str]:
    return LEVELS.get(MARCH, [f"-march={MARCH}"])


def compiler() -> list[str]:
    return (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()


def compiler_identity() -> list[str]:
    """The meaning of -march=native on this machine, so that a clone moved to another machine is built again."""
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

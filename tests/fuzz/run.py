"""Fuzz parsers of foreign bytes under the sanitizers: build/fuzz/python -m tests.fuzz.run [--seconds N] [TARGET...]

libFuzzer (through atheris) mutates inputs and keeps those that reach new code in Python or the core. Each target runs
in its own process, starting from tests/fuzz/corpus/TARGET and build/fuzz/corpus/TARGET; failures go to
build/fuzz/found/TARGET. The exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build/fuzz"
COUNTERS = 1 << 16  # as in coverage.c


def watch_core(library: str) -> None:
    """Give libFuzzer the core's counters. library: the preloaded library built from coverage.c."""
    from atheris import core_with_libfuzzer

    counters = (ctypes.c_uint8 * COUNTERS).in_dll(ctypes.CDLL(library), "standstill_counters")
    fuzzer = ctypes.CDLL(core_with_libfuzzer.__file__)
    start = ctypes.addressof(counters)
    fuzzer.__sanitizer_cov_8bit_counters_init(ctypes.c_void_p(start), ctypes.c_void_p(start + COUNTERS))
    # libFuzzer requires a code address for each counter, but only prints it.
    watch_core.places = places = (ctypes.c_uint64 * (2 * COUNTERS))(*range(2 * COUNTERS))
    first = ctypes.addressof(places)
    fuzzer.__sanitizer_cov_pcs_init(ctypes.c_void_p(first), ctypes.c_void_p(first + ctypes.sizeof(places)))


def fuzz(name: str, seconds: int) -> None:
    """Never returns: libFuzzer ends the process."""
    import atheris

    with atheris.instrument_imports(include=["standstill"], enable_loader_override=False):
        from tests.fuzz.targets import TARGETS

        TARGETS[name](b"")  # import what the target needs
    watch_core(str(WORK / "coverage.so"))
    kept, found = WORK / "corpus" / name, WORK / "found" / name
    for folder in (kept, found):
        folder.mkdir(parents=True, exist_ok=True)
    own = HERE / "corpus" / name
    words = [f"-max_total_time={seconds}", f"-artifact_prefix={found}/", "-timeout=60", "-rss_limit_mb=4000"]
    words += ["-max_len=4096", "-print_final_stats=1", "-verbosity=1", str(kept), *([str(own)] if own.is_dir() else [])]
    atheris.Setup([sys.argv[0], *words], TARGETS[name], enable_python_coverage=True)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run", description="Fuzz parsers of foreign bytes.")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=130, help="time for all targets together; default %(default)s")
    parser.add_argument("--only", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        fuzz(given.targets[0], given.seconds)
    from tests.fuzz.targets import TARGETS

    names = given.targets or list(TARGETS)
    if unknown := [name for name in names if name not in TARGETS]:
        parser.error(f"expected targets among {', '.join(TARGETS)}, found {unknown[0]!r}")
    each, bad = max(1, given.seconds // len(names)), []
    for name in names:
        log = WORK / f"{name}.log"
        command = [sys.executable, "-P", "-m", "tests.fuzz.run", "--only", "--seconds", str(each), name]
        with log.open("wb") as file:
            done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT, env=os.environ, check=False)
        runs = [line for line in log.read_text(errors="replace").splitlines() if "number_of_executed_units" in line]
        inputs = runs[0].split()[-1] if runs else "?"
        print(f"{name:<12} {inputs:>10} inputs, status {done.returncode}: {log}", flush=True)
        bad += [name] if done.returncode else []
    if bad:
        print(f"found something: {', '.join(bad)}; the inputs are in {WORK}/found", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""`make fresh-mutants`: measures the share of randomly drawn mistakes that the tests of their area detect.

The lists of `make mutants` name the test that must notice each mistake. Here a seed determines the mistakes, and all
fast tests of the area's folders run, so the share of detected mistakes measures the tests. Files of tests that name the
changed function or module run first. The area's ``last`` tests, such as the signature of the search, run only if all
others pass, and what they alone detect is counted apart. Each mistake is applied to the copy of the tree that
`make mutants` uses. A mistake that does not build is replaced by another. The exit status is 1 if the share is below
--least, and 2 if there is no result.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .lists import HERE, ROOT
from .operators import PlacedMutant, mistakes
from .run import FOLDER, Broken, Workshop

PATIENCE_S = 1800  # the tests of a folder take minutes on a busy machine; a hanging test has its own limit
LIKELY = 5  # files of tests that are collected first: collecting a whole folder takes longer than most verdicts
ALERT = 8
NOTICED, AT_LAST, SURVIVED, INVALID = "noticed", "noticed only", "SURVIVED", "does not build"
_DEFINED = re.compile(r"\s*(?:async def|def|cdef|cpdef|class) [^(:=]*?(\w+)[(:]")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_CRASHED = (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGBUS, -signal.SIGILL)


@dataclass(frozen=True)
class Area:
    """Source files, the tests (files and folders) that should detect their mistakes, and those that run last."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    last: tuple[str, ...] = ()


def areas() -> dict[str, Area]:
    """Return the areas by name."""
    read = tomllib.loads((HERE / "areas.toml").read_text(encoding="utf-8"))
    return {
        name: Area(
            tuple(sorted({path.relative_to(ROOT).as_posix() for glob in area["files"] for path in ROOT.glob(glob)})),
            tuple(area["tests"]),
            tuple(area.get("last", ())),
        )
        for name, area in read.items()
    }


def drawn(names: Sequence[str], rng: random.Random, *, by_size: bool = False) -> Iterator[tuple[str, PlacedMutant]]:
    """Yield (area, mistake), each mistake once. The areas take turns; in an area all mistakes are equally likely.

    by_size: all mistakes of all areas are equally likely, so that a larger area gets more of them.
    """
    places = {}
    for name in names:
        area = areas()[name]
        found = []
        for file in area.files:
            found += mistakes(file, (ROOT / file).read_text(encoding="utf-8"), area.tests)
        rng.shuffle(found)
        places[name] = found
    if by_size:
        together = [(name, mutant) for name in names for mutant in places[name]]
        rng.shuffle(together)
        yield from together
        return
    while any(places.values()):
        for name in names:
            if places[name]:
                yield name, places[name].pop()


def in_order(mutant: PlacedMutant, last: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the files of the mistake's tests, those first that name the function with the mistake or its module."""
    names = [Path(mutant.file).stem, f"test_{Path(mutant.file).stem}", *_around(mutant)]
    found = []
    for test in mutant.tests:
        path = ROOT / test
        found += sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in found}

    def unknown(file: str) -> int:
        return -sum(name in file or bool(re.search(rf"\b{name}\b", texts[file])) for name in names)

    return tuple(sorted((file for file in texts if file not in last), key=unknown))


def _around(mutant: PlacedMutant) -> Iterator[str]:
    """Yield the names of the functions and classes that contain the place of the mistake."""
    lines = (ROOT / mutant.file).read_text(encoding="utf-8")[: mutant.at].split("\n")
    within = len(lines[-1])
    for line in reversed(lines):
        indent = len(line) - len(line.lstrip())
        if indent < within and (found := _DEFINED.match(line)):
            yield found[1]
            within = indent


def judge(
    workshop: Workshop,
    mutant: PlacedMutant,
    flaky: set[str],
    alert: Sequence[str] = (),
    last: Sequence[str] = (),
) -> tuple[str, str]:
    """Judge one mistake; return (result, the test that detected it).

    flaky: tests that failed without a mistake; those found here are added. alert: tests to run first; they detected
    other mistakes, and pass on the unchanged code. The likeliest files follow, then the others in two processes. last:
    tests to run if all others pass. Raises Broken if the tests cannot run.
    """
    try:
        try:
            workshop.make(mutant)
            if mutant.file.endswith(".py"):
                ast.parse((workshop.tree / mutant.file).read_text(encoding="utf-8"))
        except (Broken, SyntaxError):
            return INVALID, ""
        files = in_order(mutant, last)
        likely, others = files[:LIKELY], files[LIKELY:]
        waiting = [tests for tests in ((*alert,), likely, others, (*last,)) if tests]
        while waiting:
            parallel = ("-n", "2") if waiting[0] == others else ()
            options = ("-m", "not slow", *parallel, *deselected(flaky))
            status, output = workshop.test(waiting[0], options, PATIENCE_S)
            if status == 0 or (waiting[0] == (*alert,) and status not in (1, *_CRASHED)):
                waiting.pop(0)  # a test that cannot be run alone is judged with its folder
                continue
            if status not in (1, 2, *_CRASHED):
                raise Broken(f"its tests cannot be run (status {status}):\n{output[-2000:]}")
            test = failed_test(output)
            if test is None or test in alert or not fails_anyway(workshop, mutant, test):
                return AT_LAST if waiting[0] == (*last,) else NOTICED, test or "a crash"
            flaky.add(test)
        return SURVIVED, ""
    except subprocess.TimeoutExpired:
        return NOTICED, "a hang"
    finally:
        workshop.restore(mutant)


def failed_test(output: str) -> str | None:
    found = _FAILED.search(output)
    if found is None:
        return None
    return found[1] if "[" not in found[1] or found[1].endswith("]") else found[1].partition("[")[0]


def fails_anyway(workshop: Workshop, mutant: PlacedMutant, test: str) -> bool:
    """Return whether the test fails without the mistake; if so, the mistake is applied again afterwards."""
    workshop.restore(mutant)
    if not workshop.test((test,), ("-m", ""), PATIENCE_S)[0]:
        return False
    workshop.make(mutant)
    return True


def deselected(tests: set[str]) -> list[str]:
    return [word for test in sorted(tests) for word in ("--deselect", test)]


def report(counts: Counter[tuple[str, str]], names: Sequence[str]) -> float:
    """Print the share of each area; return the overall share, including mistakes that only the last tests detected."""
    for name in names:
        noticed, at_last = counts[name, NOTICED], counts[name, AT_LAST]
        if total := noticed + at_last + counts[name, SURVIVED]:
            alone = f", {at_last} of them by the last tests alone" if at_last else ""
            print(f"{name}: {noticed + at_last} of {total} noticed{alone}")
    noticed = sum(counts[name, result] for name in names for result in (NOTICED, AT_LAST))
    total = noticed + sum(counts[name, SURVIVED] for name in names)
    if total:
        print(f"all: {noticed} of {total} noticed, {100 * noticed / total:.0f} %")
    return noticed / total if total else -1.0


def run(names: Sequence[str], count: int, seed: int, jobs: int, skip: int = 0, *, by_size: bool = False) -> float:
    """Judge this many mistakes; return the share that was detected, or -1 if no mistake was judged.

    skip: the number of mistakes to leave out at the start, which an interrupted run has judged. by_size: see `drawn`.
    """
    workshop = Workshop(jobs)
    counts: Counter[tuple[str, str]] = Counter()
    survivors, flaky = [], set[str]()
    alert: dict[str, dict[str, None]] = {name: {} for name in names}
    for name, mutant in islice(drawn(names, random.Random(seed), by_size=by_size), skip, None):
        if sum(number for (_, result), number in counts.items() if result != INVALID) >= count:
            break
        began = time.monotonic()
        result, by = judge(workshop, mutant, flaky, [*alert[name]], areas()[name].last)
        if result == NOTICED and "::" in by:
            alert[name] = dict(islice({by: None, **alert[name]}.items(), ALERT))
        counts[name, result] += 1
        survivors += [mutant.what] if result == SURVIVED else []
        told = f"{result} by {by}" if by else result
        print(f"{name}: {mutant.what}: {told} ({time.monotonic() - began:.0f} s)", flush=True)
    for test in sorted(flaky):
        print(f"fails without a mistake, and was left out: {test}")
    for what in survivors:
        print(f"survives: {what}")
    return report(counts, names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("areas", nargs="*", default=[], help=f"of {', '.join(areas())}; default: all")
    parser.add_argument("--count", type=int, default=30, help="number of mistakes; default %(default)s")
    parser.add_argument("--seed", type=int, help="seed; default: a new one each day")
    parser.add_argument("--by-size", action="store_true", help="draw from all areas together instead of by turns")
    parser.add_argument("--skip", type=int, default=0, help="mistakes that an interrupted run judged")
    parser.add_argument("--least", type=float, default=0.0, help="share that must be noticed, for example 0.9")
    parser.add_argument("--jobs", type=int, default=2, help="compilers to run at a time")
    options = parser.parse_args()
    if unknown := [name for name in options.areas if name not in areas()]:
        parser.error(f"expected areas among {', '.join(areas())}, found {', '.join(unknown)}")
    seed = options.seed if options.seed is not None else int(time.time()) // 86_400
    print(f"seed {seed}", flush=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        share = run(
            options.areas or list(areas()), options.count, seed, options.jobs, options.skip, by_size=options.by_size
        )
    except Broken as error:
        print(error, file=sys.stderr)
        return 2
    return 2 if share < 0 else int(share < options.least)


if __name__ == "__main__":
    sys.exit(main())

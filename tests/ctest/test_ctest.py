"""Collects the C-level tests: ``ctest_*.pyx`` beside this file, compiled by ``make ctest``.

They cimport the core's ``.pxd`` files and call what Python cannot see, so the product needs no wrappers for tests.
"""

from __future__ import annotations

import importlib.util
import os
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BUILT = os.environ.get("STANDSTILL_CTEST_LIB")
FOLDER = Path(BUILT) if BUILT else HERE.parents[1] / "build" / "ctest"


def not_built(path: Path) -> Callable[[], None]:
    def report() -> None:
        reason = f"{path} is missing or older than its source: run `make ctest`"
        # If STANDSTILL_CTEST names a folder, it must have the tests. A bare pytest may run without a compiler.
        if BUILT:
            pytest.fail(reason)
        pytest.skip(reason)

    return report


def functions() -> Iterator[object]:
    for source in sorted(HERE.glob("ctest_*.pyx")):
        path = FOLDER / f"{source.stem}{sysconfig.get_config_var('EXT_SUFFIX')}"
        if not path.exists() or path.stat().st_mtime < source.stat().st_mtime:
            yield pytest.param(not_built(path), id=source.stem)
            continue
        spec = importlib.util.spec_from_file_location(source.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in vars(module).items():
            if name.startswith(("test_", "slow_test_")):
                marks = [pytest.mark.slow] if name.startswith("slow_") else []
                yield pytest.param(function, id=f"{source.stem}::{name}", marks=marks)


@pytest.mark.parametrize("function", list(functions()))
def test_ctest(function: Callable[[], None]) -> None:
    function()

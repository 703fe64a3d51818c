#!/bin/sh
# tools/make/pytest.sh BUILD [ARGUMENT...]: run pytest on the build in the tree (release), or on the one in build/BUILD.
# WORKERS, in the environment, is the number of processes that share the tests.

set -eu

build=$1
shift
if [ "$build" = release ]; then
    python=.venv/bin/python packages=build/tree executable=standstill ctest=build/ctest capture=fd
else
    python=build/$build/python packages=build/$build/lib executable=build/$build/standstill ctest=build/$build/ctest
    # A sanitizer writes to file descriptor 2 and ends the process, and output captured there would be lost.
    capture=sys
fi
export STANDSTILL_BUILD="$build" STANDSTILL_BUILD_LIB="$PWD/$packages" STANDSTILL_EXECUTABLE="$PWD/$executable"
export STANDSTILL_CTEST_LIB="$PWD/$ctest"
# Empty: rewriting the assertions of all tests takes each worker four seconds, so the rewritten ones are kept.
export PYTHONDONTWRITEBYTECODE=
# -P and pythonpath: the packages of the build under test come first, and no others are imported by chance.
# worksteal: each worker begins with a stretch of neighbouring tests, so fixtures of a module are made once or twice.
exec "$python" -P -m pytest -o pythonpath="$packages ." -n "$WORKERS" --dist worksteal --capture="$capture" "$@"

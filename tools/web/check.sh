#!/bin/sh
# tools/web/check.sh [fix]: check the types of the pages' scripts with TypeScript, and the format of scripts and styles
# with Prettier; `fix` reformats them. Both tools are installed in build/web-tools, in the releases of
# package-lock.json.

set -eu
if ! command -v npm >/dev/null; then
    echo "skipped the scripts of engine/web: npm is not installed (apt install npm)" >&2
    exit 0
fi
kept=build/web-tools
if ! cmp -s tools/web/package-lock.json "$kept/package-lock.json"; then
    mkdir -p "$kept"
    cp tools/web/package.json tools/web/package-lock.json "$kept/"
    npm ci --prefix "$kept" --ignore-scripts --no-audit --no-fund --silent || {
        rm -f "$kept/package-lock.json"
        echo "cannot install the releases of tools/web/package-lock.json" >&2
        exit 1
    }
fi
"$kept/node_modules/.bin/tsc" -p tools/web/tsconfig.json
layout=--check
[ "${1:-}" != fix ] || layout=--write
"$kept/node_modules/.bin/prettier" --config tools/web/prettier.json --log-level warn "$layout" \
    engine/web/static/*.js engine/web/static/*.css kit/*.mjs kit/*.html tests/kit/*.mjs

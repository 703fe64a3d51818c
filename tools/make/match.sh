#!/bin/sh
# `make match`: play this tree against the commit BASE, which is built once, in build/match/COMMIT.
# make passes the variables of its command line in the environment, and its own name as MAKE.

set -eu

: "${BASE:=HEAD}" "${OPENINGS:=balanced}" "${LIMIT:=--clock 2+0.02}" "${ROUNDS:=500}" "${GAMES_AT_ONCE:=2}"
# Options of each side: NEW="option.EvalFile=my.nn"
: "${NEW:=}" "${OLD:=}" "${SPRT:=}"
commit=$(git rev-parse --verify --quiet "$BASE^{commit}") || {
    echo "match: expected a commit in BASE, found $BASE" >&2
    exit 2
}
old=build/match/$commit
if [ ! -x "$old/standstill" ]; then
    mkdir -p "$old"
    git archive "$commit" | tar -x -C "$old"
    $MAKE --no-print-directory -C "$old" build
fi
# LIMIT holds several words.
exec ./standstill match \
    --engine "cmd='$PWD/standstill' name=new $NEW" \
    --engine "cmd='$PWD/$old/standstill' name=old $OLD" \
    --openings "tests/data/openings/$OPENINGS.epd" --shuffle 1 --rounds "$ROUNDS" $LIMIT \
    --jobs "$GAMES_AT_ONCE" ${SPRT:+--sprt "$SPRT"} -o "build/match/$(date +%Y%m%d-%H%M%S).pgn"

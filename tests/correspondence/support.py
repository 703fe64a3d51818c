"""Helpers that query a server as a user does, and read the resulting store."""

from __future__ import annotations

import json
from pathlib import Path

from tests import forked
from tests.correspondence.xfcc_server import PASSWORD, USER, XfccServer
from tests.uci.client import PATIENCE_S, clean_environment

ENV = {
    "STANDSTILL_XFCC_USER": USER,
    "STANDSTILL_XFCC_PASSWORD": PASSWORD,
    # A folder without certificates: reading the usual ones takes longer than the rest of the command.
    "SSL_CERT_DIR": str(Path(__file__).parent),
}
NAME = "WT-M-1_Nowak_Smith-Sons_17"  # the name that the first fetch gives game 17


def shown(games, name: str = NAME) -> dict:
    return json.loads(games("show", name, "--json").stdout)


def listed(games, *arguments: str) -> list[dict]:
    return json.loads(games("list", "--json", *arguments).stdout)


def names(games) -> list[str]:
    return sorted(game["name"] for game in json.loads(games("list", "--all", "--json").stdout))


def server_fetch(games, server: XfccServer, status: int):
    """Run `games fetch`, which may print one line for each game."""
    done = forked.run(
        [*games.clock[:-1], "games", "--store", games.store, "fetch", server.url, "--control", "50/75/1"],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False, env=clean_environment() | ENV | {"TZ": "UTC"},
    )  # fmt: skip
    assert done.returncode == status and "Traceback" not in done.stderr
    return done


def entered(
    games, *moves: str, name: str = "WS-12", white: str = "Nowak, Jan", black: str = "Smith & Sons", **tags: str
):
    """A game that its owner entered before the first query of the server."""
    start = ("--start", "2026-01-05T00:00:00Z")
    games("new", name, "50/75/1", "--white", white, "--black", black, "--side", "white", *start)
    for number, move in enumerate(moves):
        games("opponent" if number % 2 else "move", name, move, "--at", f"2026-01-05T0{number + 1}:00:00Z")

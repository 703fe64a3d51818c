"""Randomly damaged stores and hostile server answers, and the conditions that commands must then meet.

``PYTHONPATH=build/tree:. python -m tests.correspondence.hostile stores|answers FOLDER FIRST NUMBER`` checks NUMBER of
them and keeps those that fail in FOLDER. Each is generated from its number, starting at FIRST.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import os
import random
import re
import shutil
import sqlite3
import ssl
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import chess.pgn
import httpx
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from tests.correspondence.support import ENV
from tests.correspondence.xfcc_server import PASSWORD, USER, XfccServer
from tests.pgn.hostile import Quiet, load_everything, ran

ENVIRONMENT = ENV | {"TZ": "UTC"}
STORE = "games.sqlite"
MAKING = [
    "new one 50/75/1 --white Nowak --black Smith --side white --start 2026-01-01",
    "move one e4 --at 2026-01-02T10:00Z",
    "opponent one e5 --at 2026-01-05T11:30Z",
    "move one Nf3 --at 2026-01-06T10:00Z",
    "new two 10/50 --white Smith --black Nowak --side black --start 2026-02-01",
    "opponent two d4 --at 2026-02-03T10:00Z",
    "move two Nf6 --at 2026-02-05T10:00Z",
    "result two 1/2-1/2",
    "new three 30/60/1 --side white --start 2026-03-01",
]
READING = ["list", "list --json", "show one", "show two --json", "export", "calendar", "standings", "check"]
VALUES = [
    *("NULL", "''", "'x'", "x'00ff'", "x''", "0", "-1", "1", "7", "9e18", "-9e18", "1e400", "9223372036854775807"),
    *("'{}'", "'[]'", "'{'", "'null'", "'{\"uci\": 7}'", '\'{"uci": "a1a1"}\'', "'e2e4'", "'2026-13-45'", "'start'"),
    *(
        "'running'",
        "'over'",
        "'50/75/1'",
        "'0/0/0'",
        "'1-0'",
        "'*'",
        "printf('%.5000c', 'x')",
        "'a' || char(10) || 'b'",
    ),
    *("char(0x202e, 0x9b)", "'[%clk 1]'", "printf('%.600c', '[')"),
]


def games(folder: Path, words: str) -> tuple[int, str, str]:
    """Run a command on the folder's store: (exit status, output, messages)."""
    status, out, said = ran(folder, "games", "--store", STORE, *words.split())
    return status, out.decode("utf-8", "replace"), said.decode("utf-8", "replace")


def trouble(words: str, status: int, said: str) -> Iterator[str]:
    if "Traceback" in said or status not in (0, 1, 2):
        yield f"{words}: ended with {status}: {said[-300:]}"
    elif status == 2 and not re.fullmatch(r"(standstill: [^\n]+\n)+", said):
        yield f"{words}: bad input is not reported on a line of its own: {said[-300:]!r}"


def moves_of(text: str) -> dict[str, list[str]]:
    """The moves of exported games by game name, as python-chess reads them."""
    found = {}
    stream = io.StringIO(text)
    while (game := chess.pgn.read_game(stream, Visitor=Quiet)) is not None:
        found[game.headers.get("GameName", "")] = [move.uci() for move in game.mainline_moves()]
    return found


# ---- stores ----


def sound_store(folder: Path) -> bytes:
    for words in MAKING:
        status, _, said = games(folder, words)
        assert status == 0, said
    return (folder / STORE).read_bytes()


def damage(rng: random.Random, path: Path) -> str:
    """Damage the file in one of several ways; return which."""
    kind = rng.randrange(4)
    data = bytearray(path.read_bytes())
    if kind == 0:
        path.write_bytes(data[: rng.randrange(len(data))])
        return "cut"
    if kind == 1:
        for _ in range(rng.randint(1, 30)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
        return "bytes"
    if kind == 2 and rng.random() < 0.3:
        (path.parent / f"{STORE}-{rng.choice(['wal', 'journal', 'shm'])}").write_bytes(
            rng.randbytes(rng.randrange(9000))
        )
        return "a journal"
    told = []
    with contextlib.closing(sqlite3.connect(path)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for _ in range(rng.randint(1, 4)):
            told.append(sql := _statement(rng, connection, tables))
            with contextlib.suppress(sqlite3.Error):  # the schema rejects some of the damaging statements
                connection.execute(sql)
        connection.commit()
    return "; ".join(told)


def _statement(rng: random.Random, connection: sqlite3.Connection, tables: list[str]) -> str:
    table = rng.choice([*tables, "games", "events"])
    if rng.random() < 0.1:
        return rng.choice([f"DELETE FROM {table} WHERE rowid % 2", f"DROP TABLE {table}", "PRAGMA user_version = 99"])
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    if not columns:  # the table may be missing, because an earlier statement dropped it
        return f"DELETE FROM {table}"
    column = rng.choice(columns)
    where = rng.choice(["", " WHERE rowid = 1", " WHERE rowid = 2", " WHERE rowid > 2"])
    return f"UPDATE {table} SET {column} = {rng.choice(VALUES)}{where}"


def store_problems(rng: random.Random, folder: Path, sound: bytes, known: dict[str, list[str]]) -> Iterator[str]:
    """known: the moves in the sound store. If a game's moves differ from these, some command must report the
    difference."""
    (folder / STORE).write_bytes(sound)
    what = damage(rng, folder / STORE)
    noticed, told = False, {}
    writing = [
        rng.choice(["move one Bb5 --any", "opponent one Nc6", "correct one --undo", "new four 10/50", "backup b"])
    ]
    for words in [*READING, *writing, "export", "check"]:
        status, out, said = games(folder, words)
        yield from (f"{what}: {line}" for line in trouble(words, status, said))
        if words == "export" and status == 0 and not told:
            told = moves_of(out)
        noticed = noticed or (status != 0 and words not in writing)
    wrong = [name for name, moves in told.items() if name in known and moves != known[name]]
    if wrong and not noticed:
        yield f"{what}: the moves of {wrong} differ, without a message"


# ---- answers ----

TEXTS = [
    *("", "0", "-1", "1", "999999", "99999999999999999999", "1e9", "NaN", "x", "true", "maybe", "Ongoing", "WhiteWins"),
    *(
        "Cancelled",
        "١٢",
        "\u200b",
        "\u202eabc",
        "&#9;",
        "&#10;",
        "a" * 3000,
        "1. e4 e5 2. Ke3",
        "1. e4 e5 2. Nf3 Nc6 1-0",
    ),
    *(
        "1. d4",
        "e2e4 e7e5",
        "1. e4 {[%clk 1:00]} e5",
        "1. e4 (1. d4) e5 {",
        "2026.01.05",
        "9999-99-99",
        "../../etc/passwd",
    ),
    *("8/8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Chess960", "atomic"),
    *("&lt;b&gt;", "17", "18", "Nowak, Jan", "=cmd()", "%s%n", "1. e4 " * 300),
]
PARTS = [
    *(
        b"<",
        b">",
        b"&",
        b"&x;",
        b"]]>",
        b"<!--",
        b"<![CDATA[",
        b"\0",
        b"\xff\xfe",
        b"<?xml version='1.1'?>",
        b"</XfccGame>",
    ),
    *(
        b"<XfccGame>",
        b"<id>17</id>",
        b"<moves>1. d4</moves>",
        b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
        b"<a>" * 3000,
        b"'",
        b'"',
    ),
]


def sound_answer(server: XfccServer) -> bytes:
    body = server.answer("GetMyGames", {"username": USER, "password": PASSWORD})
    soap = "http://schemas.xmlsoap.org/soap/envelope/"
    return f'<soap:Envelope xmlns:soap="{soap}"><soap:Body>{body}</soap:Body></soap:Envelope>'.encode()


def hostile(rng: random.Random, sound: bytes) -> bytes:
    """The answer with one to five changes, mostly in the text of elements."""
    data = sound
    for _ in range(rng.randint(1, 5)):
        kind = rng.random()
        at = rng.randrange(len(data) + 1)
        elements = list(re.finditer(rb"<(\w+)>([^<>]*)</\1>", data))
        if kind < 0.6 and elements:
            start, end = rng.choice(elements).span(2)
            data = data[:start] + rng.choice(TEXTS).encode() + data[end:]
        elif kind < 0.7 and elements:
            start, end = rng.choice(elements).span()
            data = data[:start] + data[start:end] * rng.choice([0, 2]) + data[end:]
        elif kind < 0.8:
            data = data[:at] + rng.choice(PARTS) + data[at:]
        elif kind < 0.9:
            data = data[:at] + data[min(len(data), at + rng.randint(1, 40)) :]
        elif kind < 0.95:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        elif rng.random() < 0.5:
            data = data[:at]
        else:
            data = data.decode("utf-8", "replace").encode(rng.choice(["utf-16", "latin-1", "utf-7"]), "replace")
    return data


def answer_problems(rng: random.Random, folder: Path, server: XfccServer, sound: bytes, stored: bytes) -> Iterator[str]:
    """Fetch a hostile answer into an empty store, or into ``stored``, which has the games of the sound answer.

    Sometimes fetch an undamaged answer afterwards.
    """
    os.environ.update(ENVIRONMENT)
    empty = rng.random() < 0.6
    if not empty:
        (folder / STORE).write_bytes(stored)
    server.raw = bad = hostile(rng, sound)
    yield from _fetched(folder, server)
    if empty and (folder / STORE).exists():
        yield from _invented(games(folder, "export")[1], bad)
    if rng.random() < 0.25:
        server.raw = sound
        yield from (f"then a sound answer: {line}" for line in _fetched(folder, server))


def _fetched(folder: Path, server: XfccServer) -> Iterator[str]:
    status, _, said = games(folder, f"fetch {server.url} --control 50/75/1")
    yield from trouble("fetch", status, said)
    if (folder / STORE).exists():
        status, _, said = games(folder, "check")
        if status:
            yield f"check: {status}, {said[-300:]}"


def _invented(exported: str, answer: bytes) -> Iterator[str]:
    """Games that are not in the answer according to an independent reader."""
    try:
        root = fromstring(answer)
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        if exported.strip():
            yield "games were read from an answer that is not XML"
        return
    told = []
    for element in root.iter():
        if element.tag.endswith("}moves") or element.tag == "moves":
            game = chess.pgn.read_game(io.StringIO((element.text or "").strip() + " *"), Visitor=Quiet)
            told.append([move.uci() for move in game.mainline_moves()] if game and not game.errors else None)
    for name, moves in moves_of(exported).items():
        if moves and moves not in told and None not in told:
            yield f"{name} has moves that no command has entered: {moves}"


# ---- running many ----


def spare_children() -> None:
    """Do work once that each `fetch` would repeat: lazy imports of httpx, and reading certificates."""
    load_everything()
    ssl.create_default_context = functools.cache(ssl.create_default_context)
    httpx.Client().close()
    gc.freeze()  # keeps the collector from copying shared pages in children


def main(what: str, folder: str, first: str, number: str) -> None:
    spare_children()
    kept = Path(folder)
    kept.mkdir(parents=True, exist_ok=True)
    failed = 0
    with tempfile.TemporaryDirectory() as place, XfccServer() as server:
        add_games(server)
        answer = sound_answer(server)
        store = sound_store(Path(place))
        known = moves_of(games(Path(place), "export")[1])
        fetched = fetched_store(Path(place), server, answer)
        for at in range(int(first), int(first) + int(number)):
            rng = random.Random(f"{what}-{at}")
            with tempfile.TemporaryDirectory() as here:
                if what == "stores":
                    found = list(store_problems(rng, Path(here), store, known))
                else:
                    found = list(answer_problems(rng, Path(here), server, answer, fetched))
                if found:
                    failed += 1
                    print(f"{at}:", *found, sep="\n  ", flush=True)
                    shutil.copytree(here, kept / str(at), dirs_exist_ok=True)
            if at % 500 == 499:
                print(f"{at + 1 - int(first)} through", file=sys.stderr, flush=True)
        server.shutdown()
    print(f"{failed} of {number} {what} from {first} on failed")


def fetched_store(folder: Path, server: XfccServer, answer: bytes) -> bytes:
    """Fetch this answer into the store."""
    os.environ.update(ENVIRONMENT)
    (folder / STORE).unlink(missing_ok=True)
    server.raw = answer
    assert list(_fetched(folder, server)) == []
    return (folder / STORE).read_bytes()


def add_games(server: XfccServer) -> None:
    server.add("17", "e4 e5")
    server.add("18", "d4 Nf6 c4", hasWhite="false", event="WT/M/2")
    server.add("19", "c4", result="Draw", event="Friendly")


if __name__ == "__main__":
    main(*sys.argv[1:])

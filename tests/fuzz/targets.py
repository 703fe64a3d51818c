"""The fuzz targets: a function for each parser of untrusted bytes. Only errors that the parser's callers expect are
allowed.

For a file without checksums, the input is the file itself. For files with checksums, and for databases, the input is a
list of edits to a sound file, as described in ``edits``.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

from standstill.engine.common.errors import StandstillError
from standstill.engine.variants.boards import named_game, new_board
from standstill.engine.variants.definition import CYLINDER, Ray, displacement
from standstill.engine.variants.notation import fen, move_text, parse_move, parse_san, san, set_epd, set_fen
from tests.fuzz import edits

# The folder is in memory where possible, because every input becomes a new file.
FOLDER = Path(tempfile.mkdtemp(prefix="standstill-fuzz-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
GAMES = (
    "chess",
    "capablanca",
    "seirawan",
    "makruk",
    "spartan",
    "kingofthehill",
    "shatranj",
    "courier",
    "atomic",
    "xiangqi",
    "janggi",
)
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/P1k3P1/8/8/8/8/1p1K3p/8 b - - 0 1",
)


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def file_of(data: bytes, name: str = "input") -> str:
    path = FOLDER / name
    path.write_bytes(data)
    return str(path)


# ---- text ----


def position(data: bytes) -> None:
    """FEN, X-FEN, Shredder-FEN and EPD of several games. A position must be the same after writing and reading it."""
    board = new_board(game=named_game(GAMES[data[0] % len(GAMES)] if data else "chess"))
    read = set_epd if data[:1] > b"\x80" else set_fen
    try:
        read(board, text_of(data[1:]))
    except StandstillError:
        return
    again = new_board(game=board.notation.game)
    set_fen(again, fen(board))
    assert fen(again) == fen(board)
    assert sorted(again.legal_moves()) == sorted(board.legal_moves())


def moves(data: bytes) -> None:
    """Moves as coordinates and as SAN. Writing a move that was read must give text that is read as the same move."""
    board = new_board(POSITIONS[data[0] % len(POSITIONS)] if data else None)
    for word in text_of(data[1:]).split("\n")[:20]:
        for read in (parse_move, parse_san):
            try:
                move = read(board, word)
            except StandstillError:
                continue
            assert move in board.legal_moves()
            assert parse_move(board, move_text(board, move)) == move == parse_san(board, san(board, move))


def pgn(data: bytes) -> None:
    """Games tagged with all options that write something. The parts of a file must make up the whole file."""
    from standstill.engine.archive.pgn import read_games
    from standstill.engine.archive.piecework import tag_stream
    from standstill.engine.archive.tagging import TAGS, Wishes
    from standstill.engine.common.errors import PgnError

    wishes = Wishes(tags=frozenset(TAGS), comments=True, sheets=True)
    for chunk in (64, 1 << 20):
        try:
            games = list(read_games(BytesIO(data), chunk))
            tagged = b"".join(part.text for part in tag_stream(BytesIO(data), wishes, chunk=chunk))
        except PgnError:
            continue
        assert len(b"".join(games)) <= len(data)
        again = b"".join(part.text for part in tag_stream(BytesIO(tagged), wishes))
        # Removing our comment leaves a blank between words that were written without one.
        assert b"".join(again.split()) == b"".join(tagged.split())
        assert b"".join(part.text for part in tag_stream(BytesIO(again), wishes)) == again


def definition(data: bytes) -> None:
    """Definition files: read, compiled, written as Betza notation and read from it, and played a few plies."""
    from standstill.engine.variants.betza import named_rays
    from standstill.engine.variants.fairymax import parse

    try:
        file = parse(data.decode("latin-1"), remarks=[])
    except StandstillError:
        return
    for game in (file.default, *file.games[:3]):
        try:
            for number in range(1, len(game.pieces) + 1):
                named, nameless = named_rays(game, number)
                if not nameless:
                    read_again(named, number)
            board = new_board(game=game)
        except StandstillError:
            continue
        for ply in range(6):
            legal = board.legal_moves()
            if not legal:
                break
            assert parse_move(board, move_text(board, legal[0])) == legal[0]
            board.push(legal[(ply * 7) % len(legal)])


def read_again(text: str, number: int) -> None:
    """Moves in Betza's notation are either refused in one line, or get a name that is read as the same rays."""
    from standstill.engine.variants.betza import named_rays
    from standstill.engine.variants.betza_reader import rays_of
    from standstill.engine.variants.catalog import Catalog

    try:
        rays = rays_of(text, number <= 2)
    except ValueError as error:
        assert len(str(error).splitlines()) == 1
        return
    game = Catalog().find("shatranj")  # a game without en passant
    number = min(number, len(game.pieces))  # the game may have fewer pieces
    pieces = [*game.pieces]
    pieces[number - 1] = replace(pieces[0], rays=rays)
    named, nameless = named_rays(replace(game, pieces=tuple(pieces)), number)
    if not nameless:
        assert different(rays_of(named, number <= 2)) == different(rays), (text, named)


def different(rays: tuple[Ray, ...]) -> set[Ray]:
    """The rays without irrelevant differences: a ray along a file never crosses the edge of a cylinder."""
    along = {ray for ray in rays if not displacement(ray.step)[0] and not displacement(ray.second)[0]}
    return {replace(ray, rights=ray.rights & ~(CYLINDER << 8)) if ray in along else ray for ray in rays}


def betza(data: bytes) -> None:
    """Moves of a piece and of a pawn in Betza's notation."""
    text = data.decode("latin-1")
    for number in (4, 1):
        read_again(text, number)


def settings(data: bytes) -> None:
    """engine.ini."""
    from standstill.engine.settings.config import load

    load(file_of(data, "engine.ini"))


# ---- protocols ----


def conversation(data: bytes) -> None:
    """A client's lines. Numbers are cut to two digits and long jobs left out, so that an input takes little time."""
    from standstill.engine.play.session import Session
    from standstill.engine.settings.options import Settings
    from standstill.protocol.loop import Writer, read_lines, serve

    data = re.sub(rb"\d{3,}", lambda found: found[0][:2], data[:2000])
    data = re.sub(rb"(?i)bench|speedtest|perft|hash|memory|cores|threads", b"eval", data)
    source = os.open(file_of(data, "lines"), os.O_RDONLY)
    target = os.open(os.devnull, os.O_WRONLY)
    session = Session(Settings())
    try:
        front_end = serve(read_lines(source), Writer(target), session, [])
        if front_end is not None:
            assert front_end.leave(60)
        assert session.close(60)
    finally:
        os.close(source)
        os.close(target)


def xboard(data: bytes) -> None:
    conversation(b"xboard\nprotover 2\n" + data)


def uci(data: bytes) -> None:
    conversation(b"uci\n" + data)


# ---- files ----


def network(data: bytes) -> None:
    """A network of the smallest width."""
    from standstill.cext.network.network_eval import NetworkEvaluator
    from standstill.engine.network.loading import load

    try:
        weights = load(file_of(edits.network(edits.edited(_sound_network(), data))))
    except StandstillError:
        return
    evaluator = NetworkEvaluator(weights)
    for text in POSITIONS:
        evaluator.evaluate_cp(new_board(text))


@cache
def _sound_network() -> bytes:
    from array import array

    from standstill.engine.network.file import BUCKETS, FEATURES, Network, packed

    parts = (array("h", [3, -5] * (count // 2)) for count in (FEATURES * 32, 32, BUCKETS * 64))
    about = {"name": "fuzz", "licence": "CC0-1.0", "origin": "none"}
    return packed(Network(32, 400, about, *parts, array("i", [7] * BUCKETS)))


def table(data: bytes) -> None:
    """A table beside its sound neighbours; some positions are probed."""
    from standstill.engine.tablebases.material import needed
    from standstill.engine.tablebases.store import SUPPLIED, TableStore
    from standstill.engine.tablebases.table_file import table_path

    name, kind = (("KQvK", 0), ("KPvK", 0), ("KNvK", 1))[data[0] % 3 if data else 0]
    folder = FOLDER / "tables"
    if not folder.exists():
        folder.mkdir()
    path = Path(table_path(str(folder), name, kind, False))
    for other in needed(name):
        for number in range(2):
            shutil.copy(table_path(SUPPLIED, other, number, False), folder)
    path.write_bytes(edits.table(edits.edited(_file(table_path(SUPPLIED, name, kind, False)), data[1:])))
    store = TableStore(str(folder), most_men=3)
    if store.is_complete(name):
        try:
            store.faults(name, 20_011)
        except (StandstillError, ValueError):
            return


@cache
def _file(path: str) -> bytes:
    return Path(path).read_bytes()


def book(data: bytes) -> None:
    """A Polyglot book that has moves for the start position."""
    from random import Random

    from standstill.engine.play.book import Book, polyglot_key

    board = new_board()
    key = polyglot_key(board).to_bytes(8, "big")
    try:
        opened = Book(file_of(b"".join(key + data[at : at + 8] for at in range(0, len(data), 8))))
    except StandstillError:
        return
    opened.moves(board)
    move = opened.choose(board, Random(1))
    assert move is None or move in board.legal_moves()
    opened.close()


def store(data: bytes) -> None:
    """A store of correspondence games whose file is damaged."""
    from standstill.engine.correspondence.desk import Desk
    from standstill.engine.correspondence.store import Store

    path = Path(file_of(bytes(edits.edited(_sound_store(), data)), "games.sqlite"))
    for left in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + left).unlink(missing_ok=True)
    try:
        with Store(path) as opened:
            desk = Desk(opened)
            for name in desk.names():
                try:
                    desk.load(name)
                except StandstillError:
                    continue
            opened.problems()
    except StandstillError:
        return


@cache
def _sound_store() -> bytes:
    from standstill.protocol.cli.group import run

    path = FOLDER / "sound.sqlite"
    for words in (["new", "one", "50/75/1", "--side", "white"], ["move", "one", "e4"], ["opponent", "one", "e5"]):
        assert run(["games", "--store", str(path), *words]) == 0
    return path.read_bytes()


def training(data: bytes) -> None:
    """A file of games for training networks."""
    from standstill.engine.training.reading import games, plies, statistics

    path = file_of(edits.games(edits.edited(_sound_games(), data)), "games.bin")
    with contextlib.suppress(StandstillError):
        statistics([path], skip=0, most_cp=99)
    try:
        for _, game in games(path):
            for ply, _ in enumerate(plies(game)):
                if ply == 12:  # later plies reach no new code
                    break
    except StandstillError:
        return


@cache
def _sound_games() -> bytes:
    from standstill.protocol.cli.group import run

    path = FOLDER / "sound.bin"
    assert run(["data", "play", "-o", str(path), "--games", "2", "--nodes", "50", "--seed", "5"]) == 0
    return path.read_bytes()


def xfcc(data: bytes) -> None:
    """The answer of a correspondence server, and the games in it."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    from standstill.engine.correspondence.pgn import read_movetext
    from standstill.engine.correspondence.servers.xfcc import Server, XfccGame

    class Answering(Server):
        def _call(self, action: str, values: dict[str, str]) -> object:
            return fromstring(data)

    try:
        found = Answering("https://example.org", "user", "password").games()
    except (StandstillError, ParseError, DefusedXmlException, ValueError, LookupError):
        return
    for game in found:
        if isinstance(game, XfccGame):
            try:
                read_movetext(game.movetext, game.fen, game.chess960)
            except StandstillError:
                continue


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        *(position, moves, pgn, definition, betza, settings, uci, xboard),
        *(network, table, book, store, training, xfcc),
    )
}

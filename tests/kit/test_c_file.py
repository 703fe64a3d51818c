"""The C file for other programs, compared with the core, python-chess, the reference rules and the table reader."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest

from standstill.engine.match.orthodox import OrthodoxReferee
from standstill.engine.match.referee import MatchRules
from standstill.engine.match.setup import Opening
from standstill.engine.rmobility.goals import Goal
from standstill.engine.rmobility.scoring import komi_points, parse_komi, points
from standstill.engine.tablebases import probing
from standstill.engine.tablebases.material import classes, men_of
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import fen, move_text
from tests.amounts import LONG

FOLDER = Path(__file__).parents[2] / "kit"
STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
ENDS = {"threefold repetition": 3, "fifty-move rule": 4, "insufficient material": 5, "stalemate": 2, "mate": 1}
NONE = 64
NO_LIMIT = 1 << 20


class Position(ctypes.Structure):
    _fields_ = [
        ("colour", ctypes.c_uint64 * 2),
        ("kind", ctypes.c_uint64 * 6),
        ("castling", ctypes.c_uint64),
        *((name, ctypes.c_int) for name in ("side", "ep", "clock")),
    ]


class Record(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("code", "owner", "ply")]


class Rules(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("fifty", "keep_trigger", "whole_game", "limit", "dead_draw")]


class Game(ctypes.Structure):
    _fields_ = [
        ("position", Position),
        ("rules", Rules),
        ("lowest", Record),
        ("waiting", Record),
        *((name, ctypes.c_int) for name in ("is_waiting", "clock", "ply")),
        ("past", ctypes.c_void_p),
        ("n_past", ctypes.c_size_t),
        ("room", ctypes.c_size_t),
    ]


class Move(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint8) for name in ("origin", "to", "promotion")]


def compiled(folder: Path, *words: str) -> Path:
    target = folder / "kit"
    subprocess.run(["cc", *STRICT, *words, "-o", target], check=True, cwd=FOLDER)
    return target


@pytest.fixture(scope="session")
def kit(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library = ctypes.CDLL(str(compiled(tmp_path_factory.mktemp("kit"), "-O2", "-fPIC", "-shared", "rmobility.c")))
    library.rm_set_fen.restype = library.rm_start.restype = ctypes.c_char_p
    library.rm_start.argtypes = [ctypes.POINTER(Game), ctypes.c_char_p, ctypes.POINTER(Record), Rules]
    library.rm_points.restype = ctypes.c_double
    library.rm_open_tables.restype = ctypes.c_void_p
    library.rm_open_tables.argtypes = [ctypes.c_char_p, ctypes.c_int]
    library.rm_close_tables.argtypes = [ctypes.c_void_p]
    library.rm_probe.argtypes = [ctypes.c_void_p, *[ctypes.c_void_p] * 3]
    library.rm_make.argtypes = [ctypes.POINTER(Position), Move]
    return library


def position_of(kit: ctypes.CDLL, text: str) -> Position:
    found = Position()
    assert kit.rm_set_fen(ctypes.byref(found), text.encode(), None) is None, text
    return found


def test_it_is_valid_cpp_and_has_no_hidden_state(tmp_path: Path) -> None:
    """Match runners play games on several threads; strtok and similar functions would mix up the games."""
    words = ["-x", "c++", "-std=c++11", *STRICT[1:], "-c", "-o", tmp_path / "kit.o", "rmobility.c"]
    subprocess.run(["c++", *words], check=True, cwd=FOLDER)
    listed = subprocess.run(["nm", "-u", tmp_path / "kit.o"], capture_output=True, text=True, check=True).stdout
    harmless = "calloc malloc realloc free memcpy memset memcmp strchr strcmp strcspn strlen strncmp strspn strcpy"
    harmless += " fopen fseek ftell rewind fread fclose snprintf atoi strtol __popcountdi2 __stack_chk_fail"
    assert set(listed.split()) - {"U"} <= set(harmless.split())


# ---- positions ----


def walks(seed: int, count: int) -> Iterator:
    """Yield the core's boards in long random games with few captures, a third of them Chess960."""
    rng = random.Random(seed)
    while True:
        shuffled = chess.Board.from_chess960_pos(rng.randrange(960)).fen(shredder=True)
        board = new_board(shuffled, chess960=True) if rng.random() < 0.34 else new_board()
        for _ in range(rng.randrange(20, 300)):
            yield board
            count -= 1
            moves = board.legal_moves()
            if not count:
                return
            if not moves:
                break
            quiet = [move for move in moves if not board.noisy(move)]
            board.push(rng.choice(quiet if quiet and rng.random() < 0.5 else moves))


def state(found: Position) -> tuple:
    return (*found.colour, *found.kind, found.castling, found.side, found.ep, found.clock)


def compare(kit: ctypes.CDLL, seed: int, count: int) -> int:
    """Goals and moves of positions, from their FENs."""
    moves = (Move * 256)()
    seen = 0
    for at, board in enumerate(walks(seed, count)):
        found = position_of(kit, fen(board, shredder=True))
        assert kit.rm_goal(ctypes.byref(found)) == board.goal(), fen(board)
        seen += 1
        if at % 16 == 0:
            number = kit.rm_moves(ctypes.byref(found), moves)
            legal = board.legal_moves()
            assert number == len(legal)
            for move in legal:
                text, child = Move(), Position.from_buffer_copy(found)
                assert kit.rm_find(ctypes.byref(found), move_text(board, move).encode(), ctypes.byref(text)) == 1
                kit.rm_make(ctypes.byref(child), text)
                board.push(move)
                assert state(child) == state(position_of(kit, fen(board, shredder=True))), fen(board)
                board.pop()
    return seen


def test_goals_and_moves_are_those_of_the_core(kit: ctypes.CDLL) -> None:
    assert compare(kit, 1, 2_000) == 2_000


@pytest.mark.slow
def test_many_goals_are_those_of_the_core(kit: ctypes.CDLL) -> None:
    count = 1_000_000 if LONG else 60_000
    assert compare(kit, 2, count) == count


@pytest.mark.parametrize(
    ("text", "depth", "leaves"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3, 12_189),
    ],
)
def test_perft_by_published_numbers(kit: ctypes.CDLL, text: str, depth: int, leaves: int) -> None:
    def count(position: Position, depth: int) -> int:
        if depth == 1:
            return kit.rm_goal(ctypes.byref(position)) // 2
        moves, total = (Move * 256)(), 0
        for at in range(kit.rm_moves(ctypes.byref(position), moves)):
            child = Position.from_buffer_copy(position)
            kit.rm_make(ctypes.byref(child), moves[at])
            total += count(child, depth - 1)
        return total

    assert count(position_of(kit, text), depth) == leaves


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "four to seven fields"),
        ("8/8/8/8/8/8/8/8 w - -", "one king"),
        ("8/8/8/2K3k1/8/8/8/7 w - -", "eight squares"),
        ("8/8/8/2K3k1/8/8/8/9 w - -", "pieces and numbers"),
        ("8/8/8/2K3k1/8/8/8/8 x - -", "w or b"),
        ("8/8/8/2K3k1/8/8/8/8 w KQ -", "first rank"),
        ("8/8/8/2K3k1/8/8/8/8 w - e4", "en passant"),
        ("8/8/8/2K3k1/8/8/8/8 w - - x 1", "half-move clock"),
        ("8/8/8/2K3k1/8/8/8/8 w - - 0 1 G0.5", "leaves the game open"),
        ("8/8/8/2K3k1/8/8/8/8 w - - 0 1 x", "a record"),
        ("8/8/8/2K3k1/2R5/8/8/6R1 w - - 0 1", "not in check"),
        ("P7/8/8/2K3k1/8/8/8/8 w - - 0 1", "no pawn"),
        ("8" * 300, "at most 199"),
    ],
)
def test_wrong_positions_are_refused(kit: ctypes.CDLL, text: str, wrong: str) -> None:
    assert wrong in kit.rm_set_fen(ctypes.byref(Position()), text.encode(), None).decode()


# ---- games ----


def play(kit: ctypes.CDLL, rng: random.Random, start: str, given: tuple[int, int] | None) -> tuple[str, int]:
    """Play a random game beside our referee: (its end, its length)."""
    fifty = rng.choice(["fide", "record"])
    dead = rng.random() < 0.3
    referee = OrthodoxReferee(
        Opening(start, (), True, given), MatchRules(plays_on=not dead, fifty=fifty, longest=100_000)
    )
    game = Game()
    rules = Rules(int(fifty == "record"), 0, 0, NO_LIMIT, int(dead))
    record = None if given is None else ctypes.byref(Record(given[1], given[0], 0))
    assert kit.rm_start(ctypes.byref(game), start.encode(), record, rules) is None
    found = Record()
    while True:
        kit.rm_record(ctypes.byref(game), ctypes.byref(found))
        expected = referee.record
        assert (found.code, found.owner, found.ply) == (expected.code, expected.owner, expected.ply)
        end = referee.end()
        assert kit.rm_end(ctypes.byref(game)) == (0 if end is None else ENDS[end[1]]), referee.position.fen()
        if end is not None:
            kit.rm_close(ctypes.byref(game))
            return end[1], referee.plies
        moves = list(referee.position.legal_moves)
        move = rng.choice(moves)
        assert kit.rm_push(ctypes.byref(game), b"a1a1") == 0, "an illegal move changes nothing"
        text = referee.position.uci(move, chess960=rng.random() < 0.5 and referee.position.is_castling(move))
        assert kit.rm_push(ctypes.byref(game), text.encode()) == 1, (referee.position.fen(), text)
        referee.push(move)


def games(kit: ctypes.CDLL, seed: int, count: int) -> dict[str, int]:
    rng, ends = random.Random(seed), dict.fromkeys(ENDS, 0)
    starts = [
        chess.STARTING_FEN,
        "8/8/8/2K3k1/8/8/8/8 w - - 0 1",
        "8/8/8/2K3k1/8/8/8/7R w - - 90 80",
        "8/5k2/8/3K4/8/8/2R5/5r2 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ]
    for at in range(count):
        given = (rng.randrange(2), rng.randrange(2, 12)) if rng.random() < 0.3 else None
        end, _ = play(kit, rng, starts[at % len(starts)], given)
        ends[end] += 1
    return ends


@pytest.mark.slow
def test_records_and_ends_are_those_of_our_referee(kit: ctypes.CDLL) -> None:
    ends = games(kit, 7, 30)
    assert sum(ends.values()) == 30 and sum(map(bool, ends.values())) >= 4, ends


@pytest.mark.slow
def test_many_games_are_those_of_our_referee(kit: ctypes.CDLL) -> None:
    count = 10_000 if LONG else 600
    assert sum(games(kit, 8, count).values()) == count


def test_komi_and_points(kit: ctypes.CDLL) -> None:
    quarters, side = ctypes.c_int(), ctypes.c_int()
    for text in ("G3.75", "-G3.5", "G0.25", "G12", "-G5.25"):
        assert kit.rm_parse_komi(text.encode(), ctypes.byref(quarters), ctypes.byref(side)) == 1
        assert (quarters.value, side.value) == parse_komi(text)
        for code in range(1, 40):
            for owner in range(2):
                white = komi_points(Goal(code, owner), quarters.value, side.value)
                record = ctypes.byref(Record(code, owner, 0))
                assert kit.rm_by_komi(record, *parse_komi(text), NO_LIMIT) == {1: 1, 0: 2}.get(white, 0)
                assert (kit.rm_by_komi(record, *parse_komi(text), 12) == 0) == (code >= 12 or white not in (0, 1))
        assert kit.rm_by_komi(None, *parse_komi(text), NO_LIMIT) == (1 if parse_komi(text)[1] else 2)
    for wrong in ("3.75", "G", "G3.8", "G3.755", ""):
        assert kit.rm_parse_komi(wrong.encode(), ctypes.byref(quarters), ctypes.byref(side)) == 0
    for code in range(50):
        assert kit.rm_points(code) == float(points(code)[0])


# ---- tables ----


def placed(rng: random.Random, name: str) -> chess.Board:
    while True:
        board = chess.Board(None)
        men = men_of(name)
        for square, (colour, kind) in zip(rng.sample(range(64), len(men)), men, strict=True):
            board.set_piece_at(square, chess.Piece(kind + 1, not colour))
        board.turn = rng.random() < 0.5
        if rng.random() < 0.5:
            board = board.mirror()
        if board.is_valid() and any(board.legal_moves):
            return board


def probes(kit: ctypes.CDLL, folder: str, names: list[str], count: int, whole_game: bool = False) -> int:
    store, rng = TableStore(folder, whole_game=whole_game), random.Random(5)
    tables = kit.rm_open_tables(folder.encode(), int(whole_game))
    plies, done = ctypes.c_int(), 0
    for name in names:
        for _ in range(count):
            text = placed(rng, name).fen()
            board = probing.chess_board(text)
            given = (rng.randrange(2, max(3, board.goal() + 1)), rng.randrange(2)) if rng.random() < 0.7 else None
            value = probing.look_up(store, board, probing.record_of(board, given))
            record = None if given is None else ctypes.byref(Record(*given, 0))
            found = kit.rm_probe(tables, ctypes.byref(position_of(kit, text)), record, ctypes.byref(plies))
            assert (found, plies.value) == (value.outcome, value.plies), (text, given)
            done += 1
    kit.rm_close_tables(tables)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("whole_game", [False, True])
def test_tables_of_three_men(kit: ctypes.CDLL, whole_game: bool) -> None:
    assert probes(kit, SUPPLIED, classes(3), 700, whole_game) == 700 * 6


@pytest.mark.slow
def test_tables_of_four_men(kit: ctypes.CDLL, executable: Path, tmp_path: Path) -> None:
    """Two equal pieces, pieces on both sides and a pawn. `make test-long` adds endings that need many more tables."""
    names = ["KQvKQ", "KNNvK", "KQPvK"] + ["KPvKP", "KPPvK", "KBvKP"] * LONG
    for name in names:
        words = [executable, "tables", "--path", tmp_path, "build", name, "--jobs", "1"]
        subprocess.run(words, check=True, capture_output=True)
    assert probes(kit, str(tmp_path), names, 2000) == 2000 * len(names)
    if LONG:
        check_en_passant(kit, tmp_path)


def check_en_passant(kit: ctypes.CDLL, path: Path) -> None:
    """No table covers an en passant capture: both probers have to search it."""
    passed = "8/8/8/8/Pp4k1/8/8/6K1 b - a3 0 1"
    store, board = TableStore(str(path)), probing.chess_board(passed)
    value, plies = probing.look_up(store, board, probing.record_of(board, None)), ctypes.c_int()
    tables = kit.rm_open_tables(str(path).encode(), 0)
    found = kit.rm_probe(tables, ctypes.byref(position_of(kit, passed)), None, ctypes.byref(plies))
    assert (found, plies.value) == (value.outcome, value.plies)
    kit.rm_close_tables(tables)


def test_records_that_end_the_game_give_no_outcome(kit: ctypes.CDLL) -> None:
    tables, plies = kit.rm_open_tables(SUPPLIED.encode(), 0), ctypes.c_int()
    for text, is_open in (("7k/5K2/8/8/8/8/8/6R1 w - - 0 1", True), ("7k/5K2/8/8/8/8/8/7R b - - 0 1", False)):
        for code in (0, 1):
            record = ctypes.byref(Record(code, 1, 0))
            found = kit.rm_probe(tables, ctypes.byref(position_of(kit, text)), record, ctypes.byref(plies))
            assert (found == 0) == is_open, (text, code)
    kit.rm_close_tables(tables)


def test_damaged_tables_give_no_outcome(kit: ctypes.CDLL, tmp_path: Path) -> None:
    text = "8/8/8/4KBk1/8/8/8/8 b - - 0 1"
    plies, rng = ctypes.c_int(), random.Random(1)
    whole = (Path(SUPPLIED) / "KBvK.rmv").read_bytes()
    position = position_of(kit, text)
    good = kit.rm_probe(kit.rm_open_tables(SUPPLIED.encode(), 0), ctypes.byref(position), None, ctypes.byref(plies))
    assert good == 127 - 3
    for _ in range(300):
        data = bytearray(whole)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)) :]
        else:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        (tmp_path / "KBvK.rmv").write_bytes(data)
        tables = kit.rm_open_tables(str(tmp_path).encode(), 0)
        assert kit.rm_probe(tables, ctypes.byref(position), None, ctypes.byref(plies)) in (0, good)
        kit.rm_close_tables(tables)


def test_tables_come_from_memory_as_well(kit: ctypes.CDLL, tmp_path: Path) -> None:
    memory = ctypes.CDLL(None)
    memory.malloc.restype = ctypes.c_void_p
    kit.rm_add_file.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t]
    tables = kit.rm_open_tables(None, 0)
    position, plies = position_of(kit, "8/8/8/4KBk1/8/8/8/8 b - - 0 1"), ctypes.c_int()

    def add(name: str, content: bytes) -> int:
        place = memory.malloc(ctypes.c_size_t(len(content)))
        ctypes.memmove(place, content, len(content))
        return kit.rm_add_file(tables, name.encode(), place, len(content))

    def probe() -> tuple[int, int]:
        return kit.rm_probe(tables, ctypes.byref(position), None, ctypes.byref(plies)), plies.value

    outcomes, far = ((Path(SUPPLIED) / f"KBvK.{suffix}").read_bytes() for suffix in ("rmv", "rmd"))
    assert probe()[0] == 0
    assert add("KBvK.rmd", far) == 1 and probe()[0] == 0, "outcomes are missing"
    assert add("KBvK.rmv", outcomes) == 1 and probe() == (124, 4)
    for name in ("KBvK.wgv", "KNvK.rmv", "KBvK", "BKvK.rmv", "KBK.rmv", "KBvKv.rmv", "KQQQQvK.rmv", "K/vK.rmv", ""):
        assert add(name, outcomes) == 0, name
    assert add("KBvK.rmd", far[:100]) == 0 and probe() == (124, -1)
    kit.rm_close_tables(tables)
    compiled(tmp_path, "-DRM_NO_FILES", "-c", "rmobility.c")


# ---- the example ----


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess]:
    program = compiled(tmp_path_factory.mktemp("example"), "-O1", "example.c", "rmobility.c")

    def call(moves: str, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([program, *words], input=moves, capture_output=True, text=True, check=False)

    return call


def test_the_example_adjudicates(example: Callable[..., subprocess.CompletedProcess]) -> None:
    kings = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
    shuffle = "d5c5\nf5g5\nc5d5\ng5f5\n" * 3
    done = example(f"c5d5\ng5f5\n{shuffle}", kings, "G5.75", SUPPLIED)
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        "ply 0 record -G8.5 outcome -G8.5",
        "ply 1 record -G8.5 outcome -G5.5",
        "ply 2 record -G5.5 outcome -G5.5",
    ]
    assert lines[-1] == "0-1 by repetition"
    assert example("f2f3\ne7e5\ng2g4\nd8h4\n").stdout.splitlines()[-1] == "0-1 by mate"
    done = example("e2e5\n")
    assert (done.returncode, done.stderr) == (2, "ply 1: illegal move e2e5\n")
    assert example("", kings, "3").returncode == 2


def test_the_kit_stays_small() -> None:
    lines = {
        name: len((FOLDER / name).read_text().splitlines()) for name in ("rmobility.c", "rmobility.h", "example.c")
    }
    assert lines["rmobility.c"] + lines["rmobility.h"] < 1500 and lines["example.c"] <= 60

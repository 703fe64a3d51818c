"""`position`: the position that the engine sets up, as shown by `go perft 1` and `d`."""

from __future__ import annotations

import random

import chess
import chess.engine
import pytest

from tests.board.support import KIWIPETE, playout, random_start
from tests.uci.client import PATIENCE_S, Client, clean_environment
from tests.uci.lines import read_answer


def moves_of(engine: Client) -> set[str]:
    lines = engine.ask("go perft 1", "Nodes")
    return {line.partition(":")[0] for line in lines if ": 1" in line}


def fen_of(engine: Client) -> str:
    engine.send("d")
    (line,) = [line for line in engine.synchronise() if line.startswith("Fen: ")]
    return line.removeprefix("Fen: ")


def legal(position: chess.Board) -> set[str]:
    return {move.uci() for move in position.legal_moves}


def test_the_start_position_stands_without_being_set(engine: Client) -> None:
    assert moves_of(engine) == legal(chess.Board())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_followed_move_by_move(engine: Client, seed: int, chess960: bool) -> None:
    """Match tools send the whole game with each line."""
    rng = random.Random(seed)
    start = random_start(rng) if chess960 else chess.Board()
    engine.send(f"setoption name UCI_Chess960 value {str(chess960).lower()}")
    for position in playout(rng, start, 60):
        moves = " ".join(move.uci() for move in position.move_stack)
        engine.send(f"position fen {position.root().fen()} moves {moves}".removesuffix(" moves "))
        assert fen_of(engine) == position.fen(en_passant="legal")


def test_positions_of_different_games_in_turn(engine: Client) -> None:
    rng = random.Random(9)
    games = [[position.copy() for position in playout(rng, chess.Board(), 30)] for _ in range(3)]
    for _ in range(40):
        position = rng.choice(rng.choice(games))
        engine.send(f"position startpos moves {' '.join(move.uci() for move in position.move_stack)}")
        assert fen_of(engine) == position.fen(en_passant="legal")


@pytest.mark.parametrize("plies", [600, 1000, 5000])
def test_a_long_game_in_one_line(engine: Client, plies: int) -> None:
    """A `position` line of any length is read: there is no fixed line buffer."""
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * (plies // 4)
    engine.send(f"position startpos moves {' '.join(shuffle)}")
    assert fen_of(engine).split()[4:] == [str(plies), str(plies // 2 + 1)]


@pytest.mark.parametrize("plies", [600, 1000, 40_000])
def test_a_search_at_the_end_of_a_long_game(engine: Client, plies: int) -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * (plies // 4)
    answer = read_answer(engine.search("go depth 3", f"startpos moves {' '.join(shuffle)}"))
    assert answer.move


def test_a_long_game_of_moves_that_change_much(engine: Client) -> None:
    """A thousand plies of a random game that has not ended."""
    rng = random.Random(5)
    position = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1")
    while len(position.move_stack) < 1000:
        moves = [move for move in position.legal_moves if not position.is_capture(move)]
        if not moves:
            position.pop()
            continue
        position.push(rng.choice(moves))
    engine.send(f"position fen {position.root().fen()} moves {' '.join(move.uci() for move in position.move_stack)}")
    assert fen_of(engine) == position.fen(en_passant="legal")


def test_moves_without_the_word_before_them_are_named(engine: Client) -> None:
    """As in Stockfish such moves are not made; without a message the client would show a move of another position."""
    engine.send("position startpos e2e4 e7e5")
    assert engine.synchronise() == ["info string ignored: 'e2e4 e7e5'; moves follow the word moves"]
    assert moves_of(engine) == legal(chess.Board())


BROKEN = [
    "",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/8/K7 w - - 0 1",
    "KKk5/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/8/K1k4R w - - 0 1",
    "P7/8/8/8/8/8/8/K1k5 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/8/8/K1k5 b - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x y",
    "\xff\xfe\xfd",
    "/" * 300,
    "x" * 100_000,
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fen", BROKEN)
def test_a_broken_fen_is_answered_with_one_line(engine: Client, fen: str) -> None:
    engine.send(f"position fen {fen}")
    said = engine.synchronise()
    assert len(said) == 1 and said[0].startswith("info string ") and len(said[0]) < 220


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fen", BROKEN)
def test_a_broken_fen_keeps_the_position(engine: Client, fen: str) -> None:
    engine.send(f"position fen {KIWIPETE}", f"position fen {fen}")
    engine.synchronise()
    assert chess.Board(fen_of(engine)) == chess.Board(KIWIPETE)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("fen", BROKEN)
def test_a_broken_fen_is_not_searched(engine: Client, fen: str) -> None:
    """Until a position is accepted there is no move and no score, which the client would show for the wrong board."""
    engine.send(f"position fen {KIWIPETE}", f"position fen {fen}")
    engine.synchronise()
    for go in ("go depth 3", "go movetime 1000", "go wtime 1000 btime 1000"):
        said = engine.search(go)
        assert said[-1] == "bestmove (none)" and len(said) == 2 and said[0].startswith("info string error: ")
    assert len(engine.ask("go perft 1", "info")) == 1
    assert read_answer(engine.search("go depth 2", f"fen {KIWIPETE}")).move


@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 1000 btime 1000"])
def test_nothing_is_answered_before_stop(engine: Client, go: str) -> None:
    engine.send("position fen 8/8/8/8/8/8/8/8 w - - 0 1", go)
    assert not [line for line in engine.synchronise() if line.startswith("bestmove")]
    assert engine.ask("stop", "bestmove") == ["bestmove (none)"]


@pytest.mark.parametrize("accepted", ["position startpos", f"position fen {KIWIPETE}", "ucinewgame"])
def test_a_position_that_is_accepted_is_searched(engine: Client, accepted: str) -> None:
    engine.send("position fen", accepted)
    assert read_answer(engine.search("go depth 2")).move


def test_python_chess_gets_no_move_for_a_position_that_is_refused(executable) -> None:
    """A move of another position would look illegal to python-chess, or would even be played."""
    refused = chess.Board("7k/8/8/8/8/8/8/K6R w - - 0 1")  # the side not to move is in check
    with chess.engine.SimpleEngine.popen_uci([str(executable)], timeout=PATIENCE_S, env=clean_environment()) as engine:
        assert engine.play(chess.Board(KIWIPETE), chess.engine.Limit(depth=2)).move
        assert engine.play(refused, chess.engine.Limit(depth=2)).move is None
        assert not {"score", "pv"} & engine.analyse(refused, chess.engine.Limit(time=0.1)).keys()
        assert engine.play(chess.Board(KIWIPETE), chess.engine.Limit(depth=2)).move


MENDED = [
    ("r3k2r/8/8/8/8/8/8/4K2R w KQkq - 3 7", "castling right Q"),
    ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", None),  # these are valid rights in X-FEN
    ("r3k2r/8/8/8/8/4K3/8/R6R b KQkq - 0 1", "castling rights KQ"),
    ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "castling rights KQkq"),
    ("4k3/8/8/8/4P3/8/8/4K3 b Hh e3 0 1", "castling rights Hh"),
    ("4k3/8/8/2Pp4/8/8/8/4K3 w - d3 0 1", "d3"),
    ("4k3/8/8/2P5/8/8/8/4K3 w - d6 0 1", "d6"),
    ("4k3/3p4/8/2Pp4/8/8/8/4K3 w - d6 0 1", "d6"),
    ("4k3/8/8/8/8/8/8/R3K3 w KQ e5 0 1", "e5"),
    ('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O; id "a b";', 'bm O-O; id "a b";'),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 9 acd 12;", "acd 12;"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O", "bm O-O"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq \u2013 0 1", None),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("fen", "left_out"), MENDED)
def test_what_can_be_left_out_of_a_fen_is_left_out_and_told(engine: Client, fen: str, left_out: str | None) -> None:
    """python-chess decides what remains: it drops rights and squares without meaning."""
    line = f"position fen {fen}\n".encode()
    engine.send_bytes(line)
    told = engine.synchronise()
    engine.send_bytes(line)
    assert engine.synchronise() == []  # reported once: clients send the position with every move
    assert [text.startswith("info string ignored: ") for text in told] == (
        [] if left_out is None else [True] * len(told)
    )
    assert left_out is None or any(left_out in text for text in told)
    fields = fen.replace("\u2013", "-").split()
    numbers = [field for field in fields[4:6] if field.isdigit()]
    expected = chess.Board(" ".join([*fields[:4], *numbers]), chess960=True)
    expected.castling_rights = expected.clean_castling_rights()
    if expected.status() & chess.STATUS_INVALID_EP_SQUARE:
        expected.ep_square = None
    found = chess.Board(fen_of(engine), chess960=True)
    assert found == chess.Board(expected.fen(en_passant="legal"), chess960=True)
    assert found.fullmove_number == expected.fullmove_number and found.halfmove_clock == expected.halfmove_clock


def test_stale_rights_are_left_out_alike_in_every_game(engine: Client) -> None:
    engine.send("setoption name UCI_Variant value nocastle")
    engine.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert engine.synchronise() == []  # clients write rights even in a game without castling
    engine.send("setoption name UCI_Variant value almost")
    engine.send("position fen rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBN1 w KQkq - 0 1")
    told = engine.synchronise()
    assert len(told) == 1 and told[0].startswith("info string ignored: castling right K ")
    assert fen_of(engine).split()[2] == "Qkq"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("moves", "kept"),
    [
        ("e2e4 e7e5 e1e3 g8f6", 2),
        ("e2e4 e7e5 g1f3 zzzz b8c6", 3),
        ("e7e5", 0),
        ("e2e4 e7e5 e5e6", 2),
        ("e2e4 E7E5", 1),
        ("e2e4 e7e5q", 1),
        ("e2e4 \xff", 1),
        ("e2e4 e7e5 " + "x" * 10_000, 2),
        ("e2e4 moves e7e5", 1),
    ],
)
def test_an_illegal_move_keeps_the_legal_ones_before_it(engine: Client, moves: str, kept: int) -> None:
    expected = chess.Board()
    for move in moves.split()[:kept]:
        expected.push_uci(move)
    engine.send(f"position startpos moves {moves}")
    assert moves_of(engine) == legal(expected)


@pytest.mark.parametrize("moves", ["e2e5", "e2e4 e7e5 e1e3 g8f6", "e2e4 zzzz"])
def test_an_illegal_move_is_answered_with_one_line(engine: Client, moves: str) -> None:
    engine.send(f"position startpos moves {moves}")
    said = engine.synchronise()
    assert len(said) == 1 and said[0].startswith("info string ")


def test_the_game_can_go_on_after_an_illegal_move(engine: Client) -> None:
    engine.send("position startpos moves e2e4 e2e4", "position startpos moves e2e4 e7e5")
    engine.synchronise()
    position = chess.Board()
    position.push_uci("e2e4")
    position.push_uci("e7e5")
    assert moves_of(engine) == legal(position)


def test_a_null_move_passes(engine: Client) -> None:
    engine.send("position startpos moves e2e4 0000")
    position = chess.Board()
    position.push_uci("e2e4")
    position.push(chess.Move.null())
    assert moves_of(engine) == legal(position)


def test_a_null_move_in_check_is_refused(engine: Client) -> None:
    engine.send("position fen 4r1k1/8/8/8/8/8/8/4K3 w - - 0 1 moves 0000")
    said = engine.synchronise()
    assert len(said) == 1 and said[0].startswith("info string ")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fen", [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5",
    "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
    "4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1",
])  # fmt: skip
def test_four_to_six_fields_are_read(engine: Client, fen: str) -> None:
    engine.send(f"position fen {fen}")
    assert fen_of(engine).split()[:4] == chess.Board(fen).fen(en_passant="legal").split()[:4]


@pytest.mark.parametrize("record", ["-G8.5", "G8.5", "+G2.0"])
def test_a_seventh_field_is_the_record(engine: Client, record: str) -> None:
    engine.send(f"position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 {record}", "d")
    lines = engine.synchronise()
    assert f"Record: {record.removeprefix('+')}" in lines


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("mode", "option", "position", "shown"),
    [
        ("Points", "", "8/8/8/2K3k1/8/8/8/8 w - - 0 1 -G4.0 moves c5d5 g5f5", "-G4.0"),
        ("Points", "", "8/8/8/2K3k1/8/8/8/8 w - - 0 1 G7.0 moves c5d5 g5f5", "-G5.5"),
        ("Points", "", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 -G3.0 moves e2e4", "G5.5"),  # the pawn move resets the record
        ("Points", "", "8/8/8/2K3k1/8/8/8/8 w - - 0 1 G30.0", "-G8.5"),  # weaker than the position's own goal
        ("Points", "-G3.0", "8/8/8/2K3k1/8/8/8/8 w - - 0 1", "-G3.0"),
        ("Off", "-G3.0", "8/8/8/2K3k1/8/8/8/8 w - - 0 1 -G4.0", None),
    ],
)
def test_the_record_that_is_shown_is_the_one_that_stands(engine: Client, mode, option, position, shown) -> None:
    """`d` shows the current record, not the one given with the FEN."""
    engine.send(f"setoption name RMobility value {mode}", f"setoption name RMobilityRecord value {option}")
    engine.send(f"position fen {position}", "d")
    told = [line.removeprefix("Record: ") for line in engine.synchronise() if line.startswith("Record: ")]
    assert told == ([] if shown is None else [shown])


@pytest.mark.parametrize("record", ["G0.0", "-G0.0", "G0.5", "-g0.5"])
def test_a_record_that_has_ended_the_game_is_refused(engine: Client, record: str) -> None:
    """Such a record means mate or stalemate, but the position has moves; it was once searched, with a mate score."""
    engine.send(
        f"position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 {record}", f"setoption name RMobilityRecord value {record}"
    )
    said = [line for line in engine.synchronise() if "expected a record that leaves the game open" in line]
    assert [line.startswith("info string error: ") for line in said] == [True, True]
    assert chess.Board(fen_of(engine)) == chess.Board()  # the position is unchanged


def test_ucinewgame_sets_the_start_position(engine: Client) -> None:
    """A client that never sends `position` starts from the start position."""
    engine.send(f"position fen {KIWIPETE}", "ucinewgame")
    assert moves_of(engine) == legal(chess.Board())


def test_a_position_set_during_a_search_is_for_the_next(engine: Client) -> None:
    """`position` during a search is for the next search; the running one keeps its own."""
    mate_in_one = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"
    engine.send("position startpos", "go infinite", f"position fen {mate_in_one}", "stop")
    assert chess.Move.from_uci(read_answer(engine.read_until("bestmove")).move) in chess.Board().legal_moves
    assert read_answer(engine.search("go depth 2")).last.kind == "mate"


# ---- castling ----

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("move", ["e1g1", "e1h1", "e1c1", "e1a1"])
def test_castling_is_read_in_both_forms(engine: Client, chess960: bool, move: str) -> None:
    engine.send(f"setoption name UCI_Chess960 value {str(chess960).lower()}", f"position fen {CASTLING} moves {move}")
    rook, king = ("f1", "g1") if move in ("e1g1", "e1h1") else ("d1", "c1")
    placed = chess.Board(fen_of(engine))
    assert (placed.piece_at(chess.parse_square(rook)), placed.piece_at(chess.parse_square(king))) == (
        chess.Piece.from_symbol("R"),
        chess.Piece.from_symbol("K"),
    )


@pytest.mark.parametrize(("chess960", "written"), [(False, {"e1g1", "e1c1"}), (True, {"e1h1", "e1a1"})])
def test_castling_is_written_in_the_form_of_the_game(engine: Client, chess960: bool, written: set[str]) -> None:
    engine.send(f"setoption name UCI_Chess960 value {str(chess960).lower()}", f"position fen {CASTLING}")
    assert moves_of(engine) & {"e1g1", "e1c1", "e1h1", "e1a1"} == written


@pytest.mark.parametrize(("chess960", "written"), [(False, "e1g1"), (True, "e1h1")])
def test_a_best_move_that_castles_has_the_form_of_the_game(engine: Client, chess960: bool, written: str) -> None:
    engine.send(f"setoption name UCI_Chess960 value {str(chess960).lower()}")
    engine.send(f"position fen {CASTLING}")
    answer = read_answer(engine.search(f"go depth 3 searchmoves {written}"))
    assert (answer.move, answer.last.pv[0]) == (written, written)


@pytest.mark.parametrize("seed", range(3))
def test_chess960_best_moves_are_legal_as_python_chess_reads_them(engine: Client, seed: int) -> None:
    rng = random.Random(seed)
    engine.send("setoption name UCI_Chess960 value true")
    for position in playout(rng, chess.Board.from_chess960_pos(rng.randrange(960)), 24):
        if any(position.legal_moves):
            answer = read_answer(engine.search("go nodes 300", f"fen {position.shredder_fen()}"))
            assert answer.move in legal(position)

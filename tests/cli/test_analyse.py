"""`standstill analyse`: a position, or each position of a game."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import chess
import chess.pgn
import pytest

from tests import forked

BISHOP = "6k1/8/5K2/5B2/8/8/8/8 b - - 0 1"
Run = Callable[..., subprocess.CompletedProcess]


def records(found: Iterable[dict]) -> list[tuple[str, int]]:
    """Goal and half-move of the record in each JSON object."""
    return [(item["record"]["goal"], item["record"]["ply"]) for item in found]


# White mates in this many moves; in the second position Black moves first.
MATES = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
    ("7k/8/5K2/8/6Q1/8/8/8 b - - 0 1", 1),
    ("7k/8/R7/8/8/8/8/1R4K1 w - - 0 1", 2),
    ("8/8/8/8/8/2K5/1R6/k7 w - - 0 1", 3),
]


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    return forked.command(executable, tmp_path, "analyse")


def test_position_with_record_and_forecast(run: Run) -> None:
    done = run(BISHOP, "--mode", "Decisive", "--nodes", "400000", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["score"], found["verdict"]) == ("cp 14999", "White holds G0.5")
    assert found["record"] == {"goal": "G2.5", "owner": "white", "ply": 0}
    assert found["forecast"] == {"goal": "G0.5", "owner": "white", "promised": True, "proven": True} and found["proven"]
    assert len(found["pv"]) == 8


def test_record_may_come_with_the_position(run: Run) -> None:
    found = json.loads(run(f"{BISHOP} -G1.0", "--mode", "Points", "--depth", "4", "--json").stdout)
    assert found["record"] == {"goal": "-G1.0", "owner": "black", "ply": 0}


def test_tables_that_are_asked_say_nothing_beside_the_analysis(run: Run) -> None:
    """The variation already shows the tables' outcome; an extra notice for each position once looked like an error."""
    done = run("8/8/8/2K3k1/8/8/8/8 w - - 0 1", "--mode", "Decisive", "--depth", "2")
    assert "proven -G8.5" in done.stdout and done.stderr == ""


def test_each_position_of_a_game(run: Run, tmp_path: Path) -> None:
    text = '[White "A"]\n[Black "B"]\n\n1. e4 e5 {x} 2. Nf3 *\n\n1. e4 e5 2. Nf6 *\n\n1. d4 *\n'
    (tmp_path / "games.pgn").write_text(text, encoding="utf-8")
    done = run("games.pgn", "--depth", "3", "--json")
    assert done.returncode == 1
    assert done.stderr == "standstill: games.pgn: game 2: ply 3: illegal move 'Nf6'\n"
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(item["ply"], item["move"]) for item in found] == [
        (0, None),
        (1, "e4"),
        (2, "e5"),
        (3, "Nf3"),
        (0, None),
        (1, "d4"),
    ]
    assert [item["game"] for item in found] == [1, 1, 1, 1, 3, 3]
    assert records(found[:3]) == [("-G20.5", 0), ("G20.5", 1), ("-G29.5", 2)]


def test_chess960_and_positions_without_moves(run: Run, tmp_path: Path) -> None:
    fen = "bqrnkr1b/p1pppppp/1p3n2/8/8/5NP1/PPPPPP1P/BQRNKR1B w KQkq - 2 3"
    text = f'[Variant "fischerandom"]\n[FEN "{fen}"]\n\n3. O-O O-O *\n'
    (tmp_path / "a.pgn").write_text(text, encoding="utf-8")
    done = run("a.pgn", "--depth", "2")
    assert done.returncode == 0, done.stderr
    assert "3. O-O" in done.stdout and "3... O-O" in done.stdout


STALEMATE = "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("mode", "score"), [("Decisive", "White holds G0.5"), ("Points", "+0.62"), ("Tiebreak", "0.00"), ("Off", "0.00")]
)
def test_stalemate_on_the_board_is_the_record(run: Run, mode: str, score: str) -> None:
    text = run(STALEMATE, "--depth", "2", "--mode", mode).stdout
    assert text.split("  depth")[0].split(maxsplit=1)[1].strip() == score
    assert ("record G0.5 ply 0, proven G0.5" in text) == (mode != "Off")
    assert "drawn by" not in text  # the position itself shows why it is a draw


@pytest.mark.parametrize(
    ("mode", "said"), [("Decisive", None), ("Points", "drawn by insufficient material"), ("Off", "drawn by")]
)
def test_what_makes_the_position_a_plain_draw_is_said(run: Run, mode: str, said: str | None) -> None:
    text = run("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "--depth", "2", "--mode", mode).stdout
    assert (said or "drawn by") in text if said else "drawn by" not in text
    assert ("proven G3.5" in text) == (mode == "Points") and "forecast" not in text
    assert ("White holds G1.5" in text) == (mode == "Decisive")


def test_komi_may_make_the_holder_the_loser(run: Run) -> None:
    text = run("8/8/7k/5B2/6K1/8/8/8 b - - 0 1", "--nodes", "2000", "--mode", "Decisive", "--option",
               "RMobilityKomi=G0.75").stdout  # fmt: skip
    assert "Black wins, G1.5" in text


KINGS = (
    '[White "A"]\n[Black "B"]\n[SetUp "1"]\n[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]\n\n1. Kd5 {why not} Kf5 2. Kd4 *\n'
)


def test_a_missed_goal_is_marked(run: Run, tmp_path: Path) -> None:
    """1.Kd5 allows -G5.5, which five other moves avoid (docs/rmobility.md)."""
    (tmp_path / "kings.pgn").write_text(KINGS, encoding="utf-8")
    found = [
        json.loads(line)
        for line in run("kings.pgn", "--mode", "Decisive", "--depth", "4", "--json").stdout.splitlines()
    ]
    assert [item["missed"] for item in found] == [None, {"goal": "-G8.5", "owner": "black"}, None, None]
    # Once insufficient material has ended the game, no move can miss anything.
    assert "missed" not in run("kings.pgn", "--depth", "4").stdout


SCHOLAR = '[Result "*"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. {} *\n\n'


@pytest.mark.parametrize(("move", "missed"), [("d3", "G0.0"), ("Qxf7#", None)])
def test_a_missed_mate_is_marked(run: Run, tmp_path: Path, move: str, missed: str | None) -> None:
    """A missed mate is marked even if the position is not decided."""
    (tmp_path / "mate.pgn").write_text(SCHOLAR.format(move), encoding="utf-8")
    *_, last = map(json.loads, run("mate.pgn", "--depth", "6", "--json").stdout.splitlines())
    assert last["missed"] == (missed and {"goal": missed, "owner": "white"})


def test_pgn_of_games_that_cannot_be_read_is_what_it_was(run: Run, tmp_path: Path) -> None:
    broken = '[Event "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf 1-0\n\n'
    (tmp_path / "two.pgn").write_text(broken + SCHOLAR.format("d3") + broken, encoding="utf-8")
    done = run("two.pgn", "--nodes", "10", "--pgn")
    assert done.returncode == 1 and done.stderr.count("expected a move") == 2
    assert done.stdout.startswith(broken) and done.stdout.endswith(broken) and "4. d3" in done.stdout


def test_pgn_of_a_game_keeps_its_comments(run: Run, tmp_path: Path) -> None:
    (tmp_path / "kings.pgn").write_text(KINGS, encoding="utf-8")
    done = run("kings.pgn", "--mode", "Decisive", "--depth", "4", "--pgn")
    game = chess.pgn.read_game(io.StringIO(done.stdout))
    assert not game.errors and game.headers["White"] == "A"
    assert [move.uci() for move in game.mainline_moves()] == ["c5d5", "g5f5", "d5d4"]
    assert game.comment == "[%rm -G8.5] [%rmproven -G8.5]"
    first, second = game.variations[0], game.variations[0].variations[0]
    assert first.comment.startswith("why not") and "[%rmproven -G5.5]" in first.comment
    assert chess.pgn.NAG_MISTAKE in first.nags
    better = game.variations[1].move
    assert chess.square_name(better.to_square) not in ("d4", "d5", "d6")
    assert second.comment == "[%rm -G5.5] [%rmproven -G5.5]" and not second.nags


def test_pgn_of_an_analysed_game_is_renewed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "kings.pgn").write_text(KINGS, encoding="utf-8")
    options = "--mode", "Decisive", "--depth", "4", "--pgn"
    fresh = run("kings.pgn", *options).stdout
    old = fresh.replace("G5.5]", "G0.5]").replace("why not", "why not [%rm G2.0]")
    assert old.count("[%rm") > fresh.count("[%rm") and "G5.5]" not in old
    (tmp_path / "old.pgn").write_text(old, encoding="utf-8")
    assert run("old.pgn", *options).stdout == fresh


def test_pgn_of_a_position_is_a_game(run: Run) -> None:
    done = run("8/8/8/8/8/8/4P3/R3K2k b - - 3 40", "--depth", "6", "--pgn")
    game = chess.pgn.read_game(io.StringIO(done.stdout))
    assert not game.errors and game.board().fen() == "8/8/8/8/8/8/4P3/R3K2k b - - 3 40"
    assert game.eval().white().score(mate_score=10_000) > 300
    assert game.end().ply() > game.ply()
    assert run("startpos", "--pgn", "--json").returncode == 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "arguments",
    [
        ["rubbish"],
        ["8/8/8 w"],
        ["none.pgn"],
        ["none.epd"],
        ["."],
        ["startpos", "--option", "Hash"],
        ["startpos", "--option", "Hash=x"],
        ["startpos", "--option", "Nonsense=1"],
        ["startpos", "--option", "multipv=3"],
        ["startpos", "--mode", "x"],
    ],
)
def test_bad_input_is_answered_in_one_line(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


# ---- other games ----


def test_a_position_of_another_game(run: Run) -> None:
    done = run("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1 -G1.0", "--variant", "knightmate", "--depth", "3", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert records([found]) == [("-G1.0", 0)]
    assert found["pv"][0] in ("d3", "d4", "Kc2", "Kd3", "Kf3", "Kg2")
    found = json.loads(run("startpos", "--variant", "spartan", "--depth", "2", "--json").stdout)
    assert records([found]) == [("-G20.5", 0)]


@pytest.mark.parametrize(
    ("fen", "variant", "score"),
    [
        ("8/8/8/3K4/8/8/8/k7 b - - 0 1", "kingofthehill", "mate 0"),  # the king on the hill cannot be captured
        ("7k/8/8/8/8/8/8/K6R b - - 0 1", "shatranj", "mate 1"),  # a bare king that cannot capture the last piece
    ],
)
def test_games_that_end_otherwise(run: Run, fen: str, variant: str, score: str) -> None:
    assert json.loads(run(fen, "--variant", variant, "--depth", "3", "--json").stdout)["score"] == score


def test_the_variant_tag_is_believed(run: Run, tmp_path: Path) -> None:
    text = (
        '[Variant "capablanca"]\n\n1. e4 e5 2. Nc3 Nh6 *\n\n[White "A"]\n\n1. e4 *\n\n'
        '[Variant "seirawan"]\n\n1. e4 e5 2. Nf3/H -- *\n\n[Variant "nonsense"]\n\n1. e4 *\n'
    )
    (tmp_path / "games.pgn").write_text(text, encoding="utf-8")
    done = run("games.pgn", "--depth", "2", "--json")
    assert done.returncode == 1
    assert done.stderr == "standstill: games.pgn: game 4: unknown variant 'nonsense'\n"
    found = [json.loads(line) for line in done.stdout.splitlines()]
    moves = [None, "e4", "e5", "Nc3", "Nh6", None, "e4", None, "e4", "e5", "Nf3/H", "--"]
    assert [item["move"] for item in found] == moves
    assert records(item for item in found if item["ply"] == 0) == [("-G28.5", 0), ("-G20.5", 0), ("-G28.5", 0)]


def test_the_option_takes_precedence_over_the_tag(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.pgn").write_text('[Variant "normal"]\n\n1. Kf3 Kd6 *\n', encoding="utf-8")
    done = run("game.pgn", "--variant", "knightmate", "--depth", "2")
    assert done.returncode == 0, done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()[2:]] == ["Kf3", "Kd6"]
    assert run("game.pgn", "--depth", "2").stderr == "standstill: game.pgn: game 1: ply 1: illegal move 'Kf3'\n"


@pytest.mark.parametrize(
    ("variant", "position", "words", "last"),
    [
        # XBoard leaves out the rights of corners without a rook; such a game once ended in a traceback.
        (
            "fairy/FIDE-Clobberers",
            "lecakcel/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
            "1. Nf3 Ee6 2. g3 Cd6 3. Bg2 g6 4. O-O O-O",
            "O-O",
        ),
        # Capablanca random chess: neither side castles.
        ("capablanca", "rn2k4r/p8p/10/10/10/10/P8P/RN1QK4R w KQkq - 0 1", "1. a3 a6 2. a4 a5", "a5"),
    ],
)
def test_castling_rights_that_are_not_as_the_game_has_them(
    run: Run, tmp_path: Path, variant: str, position: str, words: str, last: str
) -> None:
    (tmp_path / "game.pgn").write_text(f'[Variant "{variant}"]\n[FEN "{position}"]\n\n{words} *\n', encoding="utf-8")
    done = run("game.pgn", "--depth", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].split()[1] == last


def test_an_unknown_game_is_one_line(run: Run) -> None:
    done = run("startpos", "--variant", "nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "found 'nonsense'" in done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("fen", "moves"), MATES)
def test_a_mate_by_black_is_as_long_as_one_by_white(run: Run, fen: str, moves: int) -> None:
    for position, shown in ((fen, f"#{moves}"), (chess.Board(fen).mirror().fen(), f"#-{moves}")):
        assert f" {shown} " in run(position, "--depth", "10").stdout
        score = json.loads(run(position, "--depth", "10", "--json").stdout)["score"]
        assert score == shown.replace("#", "mate ")

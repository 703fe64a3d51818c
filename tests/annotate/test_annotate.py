"""`standstill annotate`: symbols from existing evaluations, and what it keeps and rejects."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.relevance.model import judge, position_nag
from tests import forked
from tests.annotate.conftest import Annotate
from tests.annotate.support import LICHESS, MATCH, MATES, SCID_COPIES, TCEC, games, nags, nodes
from tests.uci.client import PATIENCE_S, clean_environment

FAKE = Path(__file__).with_name("fake_engine.py")
CHESSBASE = """[Event "Office"]
[Result "*"]

{[%evp 0,4,19,31,25,30]} 1. e4 {[%eval 31,22] [%emt 0:00:05]} e5 {[%eval 25,20]}
2. Nf3 {[%eval 30,24] [%csl Ge5]} (2. Qh5 {[%eval -40,20]}) f6 {[%eval 120,20]} 3. Nxe5 {[%eval -5,18]} *

"""


# ---- from comments ----


def test_symbols_come_from_the_evaluations_in_the_file(result) -> None:
    """A position gets a symbol only if its class of evaluation holds for two half-moves. Moves get no symbols, because
    two engines evaluate."""
    assert nags(result(TCEC, "--from-comments")) == [[set(), set(), set(), {16}, set(), set(), set(), {21}]]


def test_moves_are_judged_where_one_source_has_evaluated_all(result) -> None:
    found = nags(result(LICHESS, "--from-comments"))
    assert found == [[{17}, set(), {judge(-0.55, None, -float("inf"), False, "w", 0.62), 21}, set()]]


def test_evaluations_may_stand_behind_a_semicolon(result) -> None:
    text = '[Result "1-0"]\n\n1. e4 ; [%eval 0.31]\ne5 ; [%eval 1.9]\n1-0\n\n'
    assert nags(result(text, "--from-comments"))[0][0] == {14}


def test_a_variation_of_the_evaluations_in_a_file_is_refused(annotate: Annotate) -> None:
    done = annotate(LICHESS, "--from-comments", "--variation", "5")
    assert done.returncode == 2 and "--variation needs an engine" in str(done.stderr)


def test_a_mate_on_the_board_needs_no_evaluation(result) -> None:
    """Lichess writes no evaluation after mate."""
    moves = "1. f3 {[%eval -0.6]} e5 {[%eval -0.5]} 2. g4 {[%eval #-1]} Qh4# 0-1"
    last = next(games(result(f'[Result "0-1"]\n\n{moves}\n\n', "--from-comments", "--eval"))).end()
    assert last.board().is_checkmate()
    assert last.comment == "[%eval #-0]"
    assert last.eval().white().score(mate_score=10000) == -10000


def test_whole_numbers_of_chessbase_are_centipawns(result) -> None:
    """Evaluations in pawns, as python-chess writes them, give the same symbols and output as those in centipawns."""
    source = next(games(CHESSBASE))
    for node in source.mainline():
        centipawns = int(re.search(r"%eval (-?\d+)", node.comment)[1])
        node.comment = f"[%eval {centipawns / 100:.2f},{node.eval_depth()}]"
    in_pawns = result(f"{source}\n\n", "--from-comments", "--eval")
    in_centipawns = result(CHESSBASE, "--from-comments", "--eval")
    assert nags(in_centipawns) == nags(in_pawns)
    assert nags(in_centipawns)[0][0] == {position_nag(0.31, 0.62)}
    told = [[node.eval() for node in next(games(text)).mainline()] for text in (in_centipawns, in_pawns)]
    assert told[0] == told[1]


def test_evaluations_of_variations_are_in_pawns_where_those_of_moves_are(result) -> None:
    line = "(1... c5 {[%eval 40,20]} 2. Nf3 {[%eval -8,20]} 2... d6 {[%eval #3]})"
    text = CHESSBASE.replace(" e5 {[%eval 25,20]}", f" e5 {{[%eval 25,20]}} {line}", 1)
    assert line in text
    written = result(text, "--from-comments", "--eval")
    evaluations = ("[%eval 0.40,20]", "[%eval -0.08,20]", "[%eval #3]")
    assert all(evaluation in written for evaluation in evaluations)
    assert line in result(text, "--from-comments")  # existing symbols stay where the command writes no new symbols


def test_one_decimal_point_makes_whole_numbers_pawns(result) -> None:
    text = CHESSBASE.replace("[%eval 25,20]", "[%eval 0.25]")
    assert nags(result(text, "--from-comments"))[0][0] == {20}  # 31 pawns


def test_match_comments_are_turned_to_white_s_view(result) -> None:
    """Black moves first, and castling follows Chess960."""
    assert nags(result(MATCH, "--from-comments", "--position-on", "every")) == [[{17}, {15}, {21}]]


@pytest.mark.parametrize("scheme", ["5/40", "1/9", "1/7"])
def test_every_position_can_have_its_symbol(result, scheme: str) -> None:
    text = result(TCEC, "--from-comments", "--position-on", "every", "--position-scheme", scheme, "--x05", "0.3")
    evaluations = [0.15, 0.40, 0.36, 0.05, float("inf"), -float("inf")]
    assert nags(text)[0][2:] == [{position_nag(x, 0.3, scheme)} for x in evaluations]


def test_the_last_position_alone_can_have_its_symbol(result) -> None:
    assert nags(result(TCEC, "--from-comments", "--position-on", "end")) == [[set()] * 7 + [{21}]]


def test_max_nag_folds_what_programs_do_not_know(result) -> None:
    options = ("--from-comments", "--position-on", "every", "--max-nag", "19")
    assert nags(result(TCEC, *options))[0][-2:] == [{18}, {19}]


def test_only_positions_and_only_moves(result) -> None:
    assert nags(result(LICHESS, "--from-comments", "--only-moves"))[0] == [set(), set(), {2}, set()]
    assert nags(result(LICHESS, "--from-comments", "--only-positions"))[0][2] == {4, 21}  # the old ?? stays


def test_evaluations_are_written_for_other_programs(result) -> None:
    (game,) = games(result(TCEC, "--from-comments", "--eval"))
    white = [node.eval().white() for node in game.mainline() if node.eval() is not None]
    assert [score.mate() or score.score() for score in white] == [15, 40, 36, 5, 12, -7]


BROKEN = '[Result "*"]\n\n1. e4 {d=3, pv=e4 [%eval e5, wv=0.30, words} e5 {d=3, wv=0.10,} *\n\n'


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", [TCEC, LICHESS, MATCH, BROKEN], ids=["TCEC", "LICHESS", "MATCH", "BROKEN"])
def test_a_second_time_nothing_changes(result, text: str) -> None:
    """Evaluations by the two players still count as two sources after they are written as [%eval]."""
    arguments = ("--from-comments", "--eval", "--x05", "0.05", "--position-on", "every")
    once = result(text, *arguments)
    assert "%eval" in once and result(once, *arguments) == once


def test_records_are_those_of_python_chess(result) -> None:
    """Goals are counted with another move generator; each move that sets a record has [%rm]."""
    moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 4. Qh5 Ke7 5. Qxe5# 1-0"
    (game,) = games(result(f"{moves}\n", "--from-comments", "--rm"))
    lowest, board = None, game.board()
    for node in game.mainline():
        reset = board.is_zeroing(node.move)
        board.push(node.move)
        half = 0 if board.is_check() else 5
        goal = (board.legal_moves.count(), half)
        best_before = (20, 5) if lowest is None else lowest  # the start position counts
        sets = reset or goal < best_before
        lowest = goal if sets else best_before
        sign = "-" if board.turn == chess.WHITE else ""
        assert (f"[%rm {sign}G{goal[0]}.{half}]" in node.comment) == sets and ("%rm" in node.comment) == sets


def test_records_of_another_day_are_removed(result) -> None:
    """3. Nf3 sets no record. Words and commands beside an old [%rm] stay; a comment that becomes empty is removed."""
    plain = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *\n"
    fresh = result(plain, "--from-comments", "--rm")
    old = (
        "1. Nf3 {[%rm G1.0]} Nf6 { [%rm G1.5] } 2. Ng1 {well [%rm -G2.5] played} Ng8 {quiet [%rm G3.0]} "
        "3. Nf3 {[%clk 0:01:00] [%rm G9.5]} Nf6 4. Ng1 *\n"
    )
    text = result(old, "--from-comments", "--rm")
    (game,), (expected,) = games(text), games(fresh)
    kept = ["", "", "well played", "quiet", "[%clk 0:01:00]", "", ""]
    for node, other, words in zip(game.mainline(), expected.mainline(), kept, strict=True):
        assert node.comment.replace(other.comment, "").strip() == words if other.comment else node.comment == words
    assert "G9.5" not in text and "G1.0" not in text and "{ }" not in text and "{}" not in text
    assert result(text, "--from-comments", "--rm") == text
    assert fresh.count("...") == fresh.count("%rm")  # Black's moves are numbered only after comments


def test_mates_of_matches_are_counted_in_half_moves(result) -> None:
    """The match writes a mate in 5 half-moves for Black; [%eval] writes it as 3 moves."""
    assert "[%eval #-3,30]" in result(MATCH, "--from-comments", "--eval")


def test_what_is_there_is_kept(result) -> None:
    rich = LICHESS.replace("1... e5", "$146 (1. e4 {best} e5) 1... e5").replace("Qh4#", "Qh4# {caf\xe9} $2")
    (game,) = games(result(rich, "--from-comments"))
    assert game.next().nags == {17, 146} and [node.san() for node in game.variations] == ["f3", "e4"]
    assert game.end().comment == "caf\xe9" and game.end().nags == {2}


def test_strip_removes_what_is_there(result) -> None:
    (game,) = games(result(LICHESS, "--from-comments", "--strip", "--only-positions"))
    assert [node.nags for node in game.mainline()] == [{17}, set(), {21}, set()]
    assert not any(node.comment for node in game.mainline())


def test_book_moves_and_recaptures_can_be_left_out(result) -> None:
    text = """[Result "*"]

1. e4 { [%eval 0.30] } 1... d5 { [%eval 0.90] } 2. exd5 { [%eval -0.80] } 2... Qxd5 { [%eval 0.90] } *
"""
    assert nags(result(text, "--from-comments", "--only-moves"))[0] == [set(), {6}, {4}, {4}]
    assert nags(result(text, "--from-comments", "--only-moves", "--skip-book", "1"))[0] == [set(), set(), {4}, {4}]
    assert nags(result(text, "--from-comments", "--only-moves", "--skip-forced"))[0] == [set(), {6}, {4}, set()]


@pytest.mark.parametrize("text", ["", "\n", '[Event "No moves"]\n\n*\n', "*", "1. e4 *"])
def test_little_games(result, text: str) -> None:
    assert result(text, "--from-comments") == text


def test_compressed_files(annotate: Annotate, tmp_path: Path, executable: Path) -> None:
    import gzip

    (tmp_path / "in.pgn.gz").write_bytes(gzip.compress(LICHESS.encode()))
    command = [executable, "annotate", "in.pgn.gz", "-o", "out.pgn.gz", "--from-comments"]
    assert forked.run(command, cwd=tmp_path, env=clean_environment(), check=False).returncode == 0
    assert b"$21" in gzip.decompress((tmp_path / "out.pgn.gz").read_bytes())


def test_pgn_extract_accepts_the_output(result, client_program, tmp_path: Path) -> None:
    text = result(
        TCEC.replace("{WhiteEngineOptions: Threads=8;}\n", "") + LICHESS + MATES,
        "--from-comments",
        "--eval",
        "--rm",
        "--position-on",
        "every",
    )
    done = subprocess.run(
        [client_program("pgn-extract"), "--quiet", "-o", "again.pgn", "out.pgn"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "rror" not in done.stderr
    assert nags((tmp_path / "again.pgn").read_text()) == nags(text)


def test_scid_keeps_all_that_is_written(result, client_program, tmp_path: Path) -> None:
    """Scid imports an annotated game into a database without a warning, and exports it again."""
    text = result(MATES, "--nodes", "1000", "--eval", "--rm", "--variation", "5", "--position-on", "every")
    (tmp_path / "copy.tcl").write_text(SCID_COPIES)
    command = [client_program("tkscid"), "copy.tcl", tmp_path / "base", "out.pgn", "copy.pgn"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, env=clean_environment(), check=False
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["2", "{}"], "")
    for ours, theirs in zip(games(text), games((tmp_path / "copy.pgn").read_text()), strict=True):
        assert list(nodes(ours)) == list(nodes(theirs))


# ---- bad input ----


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (LICHESS[: LICHESS.index("[%clk")], []),
        (LICHESS.replace("f3", "Ke2"), []),
        (LICHESS.replace("[Result", '[FEN "rubbish"]\n[Result'), []),
        (LICHESS.replace("[Result", '[Variant "duck"]\n[Result'), []),
        (LICHESS, ["--x05", "0"]),
        (LICHESS, ["--x05", "-1"]),
        (LICHESS, ["--x05", "nan"]),
        (LICHESS, ["--move-scheme", "5/40"]),
        (LICHESS, ["--only-moves", "--only-positions"]),
        (LICHESS, ["-o", "in.pgn"]),
        (LICHESS, ["-o", "missing/out.pgn"]),
        (LICHESS, ["-o", "."]),
    ],
)
def test_bad_input_gets_one_line_and_overwrites_nothing(annotate, tmp_path: Path, text: str, arguments) -> None:
    (tmp_path / "out.pgn").write_text("precious")
    done = annotate(text, "--from-comments", "--no-damaged", *arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert (tmp_path / "out.pgn").read_text() == "precious"
    assert (tmp_path / "in.pgn").read_text() == text


def test_games_by_definition_are_copied_and_named_for_other_engines(annotate: Annotate, tmp_path: Path) -> None:
    text = '[Variant "capablanca"]\n\n1. e4 e5 2. Nc3 Nh6 *\n'
    done = annotate(text, "--nodes", "50", "--engine", shlex.join([sys.executable, str(FAKE)]))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "standstill: in.pgn: game 1: expected chess or Chess960 for an external engine, found 'capablanca'\n"
    )
    assert (tmp_path / "out.pgn").read_text() == text


def test_damaged_games_are_copied_and_named_with_their_place(annotate: Annotate, tmp_path: Path) -> None:
    broken = LICHESS.replace("g4", "g5")
    done = annotate(broken + LICHESS, "--from-comments")
    assert done.returncode == 1
    assert done.stderr.startswith("standstill: in.pgn: game 1, ply 3: illegal move 'g5??'\n")
    assert (tmp_path / "out.pgn").read_text().startswith(broken) and "$21" in (tmp_path / "out.pgn").read_text()


@pytest.mark.parametrize("arguments", [["-o", "."], ["-o", "missing/out.pgn"]])
def test_nothing_is_searched_for_a_file_that_cannot_be_written(annotate, tmp_path: Path, arguments) -> None:
    done = annotate(MATES, "--time", "1000s", *arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["in.pgn"]


def test_swapped_colours_swap_the_symbols(result) -> None:
    """A game and its mirror image, with mirrored evaluations."""
    evaluations = ["0.30", "0.10", "-0.40", "-0.62", "1.24", "-1.30", "#-4", "#5", "0.00"]
    plain = mirrored = "{ [%eval 0.20] } "
    mirrored = '[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"]\n\n{ [%eval -0.20] } '
    for at, text in enumerate(evaluations):
        flipped = text.replace("#", "#-").replace("--", "") if "#" in text else f"{-float(text):.2f}"
        plain += f"{('Nf3', 'Nf6', 'Ng1', 'Ng8')[at % 4]} {{ [%eval {text}] }} "
        mirrored += f"{('Nf6', 'Nf3', 'Ng8', 'Ng1')[at % 4]} {{ [%eval {flipped}] }} "
    ours, theirs = nags(result(f"{plain}*\n\n{mirrored}*\n", "--from-comments", "--position-on", "every"))
    swap = {white: white + 1 for white in (14, 16, 18, 20)} | {white + 1: white for white in (14, 16, 18, 20)}
    assert [{swap.get(nag, nag) for nag in found} for found in ours] == theirs
    assert {2, 4, 6} & set().union(*ours)


@pytest.mark.parametrize("words", [["--engine", "stockfish"], ["--nodes", "10"], ["--option", "Hash=64"]], ids=" ".join)
def test_options_of_an_engine_are_refused_where_none_evaluates(annotate, tmp_path: Path, words: list[str]) -> None:
    done = annotate(MATES, "--from-comments", *words)
    assert done.returncode == 2 and f"{words[0]} needs an engine" in done.stderr
    assert not (tmp_path / "out.pgn").exists()

"""`standstill annotate`: games with evaluations of their own, and with engines, ours and others."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine import VERSION
from standstill.engine.annotate.analysis import Part
from standstill.engine.annotate.journal import Journal
from standstill.engine.annotate.judges import of_comments, signed
from standstill.engine.annotate.judging import JudgedPosition
from standstill.engine.annotate.source import SourceGame
from standstill.engine.relevance.model import judge, position_nag
from standstill.engine.relevance.symbols import ascii_text
from standstill.engine.words.errors import StandstillError
from tests import forked
from tests.uci.client import PATIENCE_S, clean_environment

TCEC = """[Event "TCEC"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]

{WhiteEngineOptions: Threads=8;}
1. d4 {book, mb=+0+0+0+0+0,} d5 {book,} 2. c4 {d=30, pv=c4 e6, wv=0.15, R50=50,} e6 {d=31, pv=e6, wv=0.40,}
3. Nc3 {d=30, wv=0.36,} Nf6 {d=30, wv=0.05,} 4. Bg5 {d=30, wv=M12,} Be7 {d=3, wv=-M7,} 1/2-1/2

"""
LICHESS = """[Event "Server"]
[Result "0-1"]

1. f3 { [%eval -0.60] [%clk 0:05:00] } 1... e5 { [%eval -0.55] } 2. g4?? { [%eval #-1] } 2... Qh4# 0-1

"""
MATCH = """[Event "Match"]
[Variant "fischerandom"]
[SetUp "1"]
[FEN "1k6/pp6/8/8/8/8/8/5KR1 b G - 2 9"]
[Result "*"]

9... a5 {+0.34/12 1.2s} 10. O-O {-0.10/11, 0.9s} b5 {+M5/30 0.1s} *

"""
CHESSBASE = """[Event "Office"]
[Result "*"]

{[%evp 0,4,19,31,25,30]} 1. e4 {[%eval 31,22] [%emt 0:00:05]} e5 {[%eval 25,20]}
2. Nf3 {[%eval 30,24] [%csl Ge5]} (2. Qh5 {[%eval -40,20]}) f6 {[%eval 120,20]} 3. Nxe5 {[%eval -5,18]} *

"""
MATES = """[Event "One"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Two"]
[Result "0-1"]

1. e4 e5 2. Nf3 {a comment} Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 (4... Qe7) 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1

"""
Annotate = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def annotate(executable: Path, tmp_path: Path) -> Annotate:
    """Run the command on a text in ``in.pgn``, to ``out.pgn``."""

    def call(text: str, *arguments: str) -> subprocess.CompletedProcess:
        (tmp_path / "in.pgn").write_text(text, encoding="latin-1")
        return forked.run(
            [executable, "annotate", "in.pgn", "-o", "out.pgn", *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            cwd=tmp_path,
            env=clean_environment(),
            check=False,
        )

    return call


@pytest.fixture
def result(annotate: Annotate, tmp_path: Path) -> Callable[..., str]:
    """The text of the output of a run without trouble."""

    def call(text: str, *arguments: str) -> str:
        done = annotate(text, *arguments)
        assert (done.returncode, done.stdout) == (0, "") and "standstill:" not in done.stderr
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in.pgn", "out.pgn"]
        return (tmp_path / "out.pgn").read_text(encoding="latin-1")

    return call


def games(text: str) -> Iterator[chess.pgn.Game]:
    source = io.StringIO(text)
    while (game := chess.pgn.read_game(source)) is not None:
        assert not game.errors
        yield game


def nags(text: str) -> list[list[set[int]]]:
    return [[node.nags for node in game.mainline()] for game in games(text)]


# ---- from comments ----


def test_symbols_come_from_the_evaluations_in_the_file(result) -> None:
    """Positions get a symbol when it changes. Opinions of two engines are not compared, so no move is judged."""
    assert nags(result(TCEC, "--from-comments")) == [[set(), set(), {14}, {16}, set(), {10}, {20}, {21}]]


def test_moves_are_judged_where_one_source_has_evaluated_all(result) -> None:
    found = nags(result(LICHESS, "--from-comments"))
    assert found == [[{17}, set(), {judge(-0.55, None, -float("inf"), False, "w", 0.62), 21}, set()]]


def test_a_mate_on_the_board_needs_no_evaluation(result) -> None:
    """Lichess writes none behind it."""
    moves = "1. f3 {[%eval -0.6]} e5 {[%eval -0.5]} 2. g4 {[%eval #-1]} Qh4# 0-1"
    last = next(games(result(f'[Result "0-1"]\n\n{moves}\n\n', "--from-comments", "--eval"))).end()
    assert last.board().is_checkmate()
    assert last.comment == "[%eval #-0]"
    assert last.eval().white().score(mate_score=10000) == -10000


def test_whole_numbers_of_chessbase_are_centipawns(result) -> None:
    """The same evaluations in pawns, by python-chess, earn the same symbols and are written again alike."""
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
    assert line in result(text, "--from-comments")  # and stay where nothing is written


def test_one_decimal_point_makes_whole_numbers_pawns(result) -> None:
    text = CHESSBASE.replace("[%eval 25,20]", "[%eval 0.25]")
    assert nags(result(text, "--from-comments"))[0][0] == {20}  # 31 pawns


def test_match_comments_are_turned_to_white_s_view(result) -> None:
    """Black begins, and the castling is that of Chess960."""
    assert nags(result(MATCH, "--from-comments")) == [[{17}, {15}, {21}]]


@pytest.mark.parametrize("scheme", ["5/40", "1/9", "1/7"])
def test_every_position_can_have_its_symbol(result, scheme: str) -> None:
    text = result(TCEC, "--from-comments", "--position-on", "every", "--position-scheme", scheme, "--x05", "0.3")
    evaluations = [0.15, 0.40, 0.36, 0.05, float("inf"), -float("inf")]
    assert nags(text)[0][2:] == [{position_nag(x, 0.3, scheme)} for x in evaluations]


def test_the_last_position_alone_can_have_its_symbol(result) -> None:
    assert nags(result(TCEC, "--from-comments", "--position-on", "end")) == [[set()] * 7 + [{21}]]


def test_max_nag_folds_what_programs_do_not_know(result) -> None:
    assert nags(result(TCEC, "--from-comments", "--max-nag", "19"))[0][-2:] == [{18}, {19}]


def test_only_positions_and_only_moves(result) -> None:
    assert nags(result(LICHESS, "--from-comments", "--only-moves"))[0] == [set(), set(), {2}, set()]
    assert nags(result(LICHESS, "--from-comments", "--only-positions"))[0][2] == {4, 21}  # the old ?? stays


def test_evaluations_are_written_for_other_programs(result) -> None:
    (game,) = games(result(TCEC, "--from-comments", "--eval"))
    white = [node.eval().white() for node in game.mainline() if node.eval() is not None]
    assert [score.mate() or score.score() for score in white] == [15, 40, 36, 5, 12, -7]


BROKEN = '[Result "*"]\n\n1. e4 {d=3, pv=e4 [%eval e5, wv=0.30, words} e5 {d=3, wv=0.10,} *\n\n'


@pytest.mark.parametrize("text", [TCEC, LICHESS, MATCH, BROKEN], ids=["TCEC", "LICHESS", "MATCH", "BROKEN"])
def test_a_second_time_nothing_changes(result, text: str) -> None:
    """Opinions of two players do not become those of one source when they are written as [%eval]."""
    arguments = ("--from-comments", "--eval", "--x05", "0.05", "--position-on", "every")
    once = result(text, *arguments)
    assert "%eval" in once and result(once, *arguments) == once


def test_records_are_those_of_python_chess(result) -> None:
    """Goals are counted with another move generator; [%rm] stands where a record has just been set."""
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
    """3. Nf3 sets none; words and other commands beside the old command stay, an empty comment goes."""
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
    """5 half-moves of Black's in the game, three moves in [%eval]."""
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


SCID_COPIES = """
sc_base create [lindex $argv 0]
set base [sc_base current]
puts [sc_base import $base [lindex $argv 1]]
set out [open [lindex $argv 2] w]
for {set game 1} {$game <= [sc_base numGames $base]} {incr game} {
    sc_game load $game
    puts $out "[sc_game pgn -comments 1 -variations 1 -symbols 0]\\n"
}
close $out
sc_base close $base
"""


def test_scid_keeps_all_that_is_written(result, client_program, tmp_path: Path) -> None:
    """Imported into one of its databases without a warning, and exported again."""
    text = result(MATES, "--nodes", "1000", "--eval", "--rm", "--variation", "5", "--position-on", "every")
    (tmp_path / "copy.tcl").write_text(SCID_COPIES)
    command = [client_program("tkscid"), "copy.tcl", tmp_path / "base", "out.pgn", "copy.pgn"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, env=clean_environment(), check=False
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["2", "{}"], "")
    for ours, theirs in zip(games(text), games((tmp_path / "copy.pgn").read_text()), strict=True):
        assert list(nodes(ours)) == list(nodes(theirs))


def nodes(game: chess.pgn.Game) -> Iterator[tuple]:
    """Everything in a game but its tags."""
    waiting: list[chess.pgn.GameNode] = [game]
    while waiting:
        node = waiting.pop()
        yield node.ply(), node.nags, node.comment.split(), [child.san() for child in node.variations]
        waiting += node.variations


# ---- who has judged ----


def annotators(text: str) -> list[str]:
    return [game.headers.get("Annotator", "") for game in games(text)]


def test_the_game_says_who_has_judged(result, client_program) -> None:
    """Engine, version, limit and x05; the names of people stay, and a second run does not add a second entry."""
    text = MATES.replace('[Result "0-1"]', '[Result "0-1"]\n[Annotator "https://lichess.org/@/me"]', 1)
    stockfish = ("--engine", client_program("stockfish"), "--nodes", "500")
    once = result(text, *stockfish, "--eval")
    version = re.search(r"Stockfish [\d.]+", once)[0]
    entry = f"{version}, 500 nodes, x05 1.00 (Standstill {VERSION})"
    assert annotators(once) == [f"https://lichess.org/@/me:{entry}", entry]
    assert result(once, *stockfish, "--eval") == once
    own = f"Standstill {VERSION}, depth 3 or 0.5 s, x05 0.75"
    again = result(once, "--depth", "3", "--time", "0.5", "--x05", "0.75")
    assert annotators(again) == [f"https://lichess.org/@/me:{own}", own]
    read = result(once, "--from-comments")
    assert annotators(read)[1] == entry  # the evaluations are still Stockfish's
    assert annotators(result(once, "--from-comments", "--strip"))[0] == entry


def test_players_evaluations_are_read_by_the_x05_of_each(result) -> None:
    """0.70 is clear advantage where 0.62 is the balance of wins and draws, and moderate where it is 1.22 or 1.00."""
    match = """[White "Standstill 0.1.0"]
[Black "Fairy-Max"]
[Result "*"]

1. e4 {+0.70/10 1s} e5 {-0.70/10 1s} 2. Nf3 {+0.70/10 1s} *

"""
    assert nags(result(match, "--from-comments")) == [[{16}, {18}, {16}]]
    assert annotators(result(match, "--from-comments")) == [f"the players, x05 1.22 and 0.62 (Standstill {VERSION})"]
    modern = match.replace("Fairy-Max", "Stockfish 16")
    assert nags(result(modern, "--from-comments", "--position-on", "every")) == [[{16}, {16}, {16}]]
    earlier = result(modern, "--from-comments", "--x05", "0.62", "--position-on", "every")
    assert nags(earlier) == [[{18}, {18}, {18}]]
    # Of another run, a symbol where the band does not change would contradict the one before it.
    assert nags(result(earlier, "--from-comments", "--x05", "0.92")) == [[{16}, {16}, {16}]]
    assert nags(result(modern, "--from-comments", "--x05", "0.92")) == [[{16}, set(), set()]]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_game_without_tags_gets_one(newline: str) -> None:
    raw = f"1. e4 {{ [%eval 0.30] }} *{newline}"
    judge = of_comments(SourceGame(1, raw.encode()).movetext, None)
    tag = f'[Annotator "evaluations in the comments, x05 0.62 (Standstill {VERSION})"]'
    assert signed(raw, judge, strip=False) == f"{tag}{newline}{newline}{raw}"


def test_games_without_evaluations_are_named(annotate, tmp_path: Path) -> None:
    done = annotate(MATES, "--from-comments")
    assert done.returncode == 0 and "no game has evaluations: nothing is judged" in done.stderr
    assert (tmp_path / "out.pgn").read_text() == MATES
    done = annotate(MATES + LICHESS + MATES, "--from-comments")
    assert "without evaluations, not judged: 4 games (1, 2, 4, 5)" in done.stderr


def test_the_summary_counts_what_is_written(annotate, tmp_path: Path) -> None:
    done = annotate(MATES, "--nodes", "2000", "--position-on", "every")
    found = nags((tmp_path / "out.pgn").read_text())
    lines = done.stderr.splitlines()
    assert lines[0] == "games: 2, moves: 18, evaluated: 18, judged: 18"
    assert lines[1] == f"by Standstill {VERSION}, 2000 nodes, x05 1.22 (measured for Standstill)"
    told = Counter({sign: int(count) for sign, count in re.findall(r"(\S+) (\d+)(?:,|$)", lines[2].partition(": ")[2])})
    assert told == Counter(ascii_text(nag) for game in found for each in game for nag in each & set(range(10, 22)))
    signs = Counter(re.findall(r"([!?]{1,2}) \d", "\n".join(lines[3:])))
    assert set(signs) == {ascii_text(nag) for game in found for each in game for nag in each & set(range(1, 7))}


# ---- bad input ----


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (LICHESS[: LICHESS.index("2. g4")], []),
        (LICHESS[: LICHESS.index("[%clk")], []),
        (LICHESS.replace("f3", "Ke2"), []),
        (LICHESS.replace("[Result", '[FEN "rubbish"]\n[Result'), []),
        (LICHESS.replace("[Result", '[Variant "atomic"]\n[Result'), []),
        (LICHESS, ["--x05", "0"]),
        (LICHESS, ["--x05", "-1"]),
        (LICHESS, ["--x05", "nan"]),
        (LICHESS, ["--move-scheme", "5/40"]),
        (LICHESS, ["--only-moves", "--only-positions"]),
        (LICHESS, ["-o", "in.pgn"]),
        (LICHESS, ["-o", "missing/out.pgn"]),
        (LICHESS, ["-o", "."]),
        (LICHESS, ["--report", "."]),
        (LICHESS, ["--report", "in.pgn"]),
        (LICHESS, ["--report", "./out.pgn"]),
        (LICHESS, ["--report", "missing/out.html"]),
        (LICHESS, ["--report", "/proc/out.html"]),
    ],
)
def test_bad_input_gets_one_line_and_overwrites_nothing(annotate, tmp_path: Path, text: str, arguments) -> None:
    (tmp_path / "out.pgn").write_text("precious")
    done = annotate(text, "--from-comments", "--no-damaged", *arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert (tmp_path / "out.pgn").read_text() == "precious"
    assert (tmp_path / "in.pgn").read_text() == text


def test_games_other_than_chess_are_copied_and_named(annotate: Annotate, tmp_path: Path) -> None:
    text = '[Variant "capablanca"]\n\n1. e4 e5 2. Nc3 Nh6 *\n'
    done = annotate(text, "--nodes", "50")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "standstill: in.pgn: game 1: expected chess or Chess960, found the variant 'capablanca'\n"
    assert (tmp_path / "out.pgn").read_text() == text


def test_damaged_games_are_copied_and_named_with_their_place(annotate: Annotate, tmp_path: Path) -> None:
    broken = LICHESS.replace("g4", "g5")
    done = annotate(broken + LICHESS, "--from-comments")
    assert done.returncode == 1
    assert done.stderr.startswith("standstill: in.pgn: game 1, ply 3: illegal move 'g5??'\n")
    assert (tmp_path / "out.pgn").read_text().startswith(broken) and "$21" in (tmp_path / "out.pgn").read_text()


@pytest.mark.parametrize("arguments", [["-o", "."], ["-o", "missing/out.pgn"], ["--report", "missing/out.html"]])
def test_nothing_is_searched_for_a_file_that_cannot_be_written(annotate, tmp_path: Path, arguments) -> None:
    done = annotate(MATES, "--time", "1000", *arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["in.pgn"]


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e300", "0"])
def test_a_time_that_is_none_is_refused(annotate: Annotate, seconds: str) -> None:
    done = annotate(MATES, "--time", seconds)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "Invalid value for '--time'" in done.stderr


@pytest.mark.parametrize("command", ["/nonexistent/engine", "true", "'", ""])
def test_an_engine_that_does_not_start(annotate: Annotate, tmp_path: Path, command: str) -> None:
    done = annotate(MATES, "--engine", command)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert not (tmp_path / "out.pgn").exists()


# ---- with engines ----


def test_own_engine_finds_the_mate_and_the_blunder(result) -> None:
    first, second = nags(result(MATES, "--nodes", "3000", "--eval", "--variation", "4"))
    assert first[2] & {2, 4} and first[2] & {21}
    assert len(second) == 14


def test_a_better_line_is_written_once(result) -> None:
    """A line that is already there is not added, even if it is longer and has comments of its own."""
    arguments = ("--nodes", "8000", "--eval")
    once = result(MATES, *arguments, "--variation", "6")
    assert once.count("(") > MATES.count("(") and result(once, *arguments, "--variation", "6") == once
    longer = re.sub(r"\(5\.\s(\S+)\s(\S+)(?=\s)", r"(5. \1 {or so} (5... Ke7) 5... \2 $1", once, count=1)
    assert longer != once and result(longer, *arguments, "--variation", "2").count("(") == longer.count("(")


def test_other_engines_judge_as_well(result, client_program) -> None:
    arguments = ("--engine", client_program("stockfish"), "--nodes", "10000", "--workers", "2")
    text = result(MATES, *arguments, "--option", "Hash=16", "--variation", "4")
    first, second = nags(text)
    assert first[2] & {2, 4, 6} and second[8] & {2, 4, 6}  # 2. g4 and 5. Nxf7
    better = [node for game in games(text) for node in game.mainline() if node.nags & {2, 4, 6}]
    assert all(len(node.parent.variations) > 1 for node in better)


def test_xboard_engines_judge_as_well(result, client_program) -> None:
    game = MATES.split("\n\n[", maxsplit=1)[0] + "\n\n"
    text = result(game, "--engine", client_program("sjaakii"), "--protocol", "xboard", "--depth", "4", "--eval")
    assert any(found & {2, 4, 6} for found in nags(text)[0])


@pytest.mark.parametrize(
    "limit",
    [
        ("--depth", "5"),
        pytest.param(("--nodes", "2000"), marks=pytest.mark.slow),
        pytest.param(("--time", "0.02"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_xboard_engines_with_exclude_find_good_moves_too(result, executable: Path, limit: tuple[str, str]) -> None:
    """The next best move is that of an analysis without the best one. After a mate in one there is none."""
    found = nags(result(MATES, "--engine", shlex.quote(str(executable)), "--protocol", "xboard", *limit))[1]
    assert found[8] & {2, 4, 6} and found[9] & {1, 3, 5}  # 5. Nxf7 Qxg2


def test_black_to_move_and_chess960(result) -> None:
    text = result(MATCH, "--nodes", "500", "--eval")
    assert all(node.eval() is not None for game in games(text) for node in game.mainline())


def test_swapped_colours_swap_the_symbols(result) -> None:
    """A game and its mirror image, with evaluations mirrored along."""
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


def test_interrupted_and_resumed_is_the_same_file(executable: Path, tmp_path: Path, result) -> None:
    several = "".join(MATES.replace("One", f"Game {number}") for number in range(6))
    whole = result(several, "--nodes", "8000", "--eval")
    (tmp_path / "out.pgn").unlink()
    command = [executable, "annotate", "in.pgn", "-o", "out.pgn", "--nodes", "8000", "--eval"]
    progress = tmp_path / "out.pgn.progress"
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, env=clean_environment())
    deadline = time.monotonic() + PATIENCE_S
    while not (progress.exists() and progress.read_text().count("\n") >= 4):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = progress.read_text().splitlines()[1:]
    with progress.open("a") as file:
        file.write('{"part": [9, 0, 8], "posi')  # cut off in the middle of a line
    assert not (tmp_path / "out.pgn").exists() and len(json.loads(kept[1])["positions"]) > 1
    assert result(several, "--nodes", "8000", "--eval") == whole


def test_progress_of_another_run_is_not_thrown_away(annotate: Annotate, tmp_path: Path) -> None:
    head = '{"format": 1, "run": "another"}\n'
    for text in (f'{head}{{"part": [1, 0, 1], "positions": []}}\n', "somebody's notes\n"):
        (tmp_path / "out.pgn.progress").write_text(text)
        done = annotate(MATES, "--nodes", "100")
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert (tmp_path / "out.pgn.progress").read_text() == text


@pytest.mark.parametrize("left", ["", '{"format": 1, "run": "another"}\n', '{"format": 1, "run": "another"}\n{"pa'])
def test_progress_without_findings_stands_in_nobody_s_way(result, tmp_path: Path, left: str) -> None:
    (tmp_path / "out.pgn.progress").write_text(left)
    assert "$21" in result(MATES, "--nodes", "500")


@pytest.mark.parametrize(
    "mistake", [["--engine", "/nonexistent/engine"], ["--option", "Nonsense=1"], ["--engine", "true"]], ids=" ".join
)
def test_after_a_mistyped_engine_the_corrected_command_runs(annotate, result, tmp_path: Path, mistake) -> None:
    assert annotate(MATES, "--nodes", "500", *mistake).returncode == 2
    assert not (tmp_path / "out.pgn.progress").exists()
    assert "$21" in result(MATES, "--nodes", "500")


def test_findings_of_another_version_of_the_engine_are_not_mixed(annotate, executable: Path, tmp_path: Path) -> None:
    """The program at the same path has been replaced between two runs."""
    engine = tmp_path / "engine"
    engine.write_text(f'#!/bin/sh\n"{executable}" | sed -u "s/^id name .*/id name Old 1.0/"\n')
    engine.chmod(0o755)
    crash = ["--engine", f"{engine}", "--nodes", "300"]
    several = MATES * 3
    done = annotate(several, *crash)
    assert done.returncode == 0 and "by Old 1.0, 300 nodes, x05 0.62" in done.stderr
    journal = Journal(tmp_path / "out.pgn.progress", "run")
    journal.start()
    journal.name("Old 1.0")
    journal.add(Part(1, 0, 1), [JudgedPosition()])
    journal.close()
    again = Journal(tmp_path / "out.pgn.progress", "run")
    again.start()
    again.name("Old 1.0")
    with pytest.raises(StandstillError, match=r"the engine is 'New 2\.0' now, .* 'Old 1\.0'"):
        again.name("New 2.0")
    again.close()


def test_interrupting_says_how_to_go_on(executable: Path, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_text(MATES)
    command = [executable, "annotate", "in.pgn", "-o", "out.pgn", "--time", "2"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env=clean_environment())
    while not (tmp_path / "out.pgn.progress").exists():
        time.sleep(0.005)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130 and len(errors.splitlines()) == 1
    assert shutil.which("pgrep") is None or not (tmp_path / "out.pgn").exists()


@pytest.mark.parametrize(
    "letters", ["SLTDK", pytest.param("CFTDR", marks=pytest.mark.slow), "\u2658\u2657\u2656\u2655\u2654"]
)
def test_better_lines_have_the_letters_of_the_game(result, letters: str) -> None:
    """German, French and figurines: the same as in English, letter by letter, and a second run finds its lines."""
    arguments = ("--nodes", "8000", "--variation", "5", "--max-nag", "19")
    english = MATES.replace("(4... Qe7)", "")[MATES.index('[Event "Two"') :]
    expected = result(english, *arguments)
    table = dict(zip("NBRQK", letters, strict=True))

    def foreign(text: str) -> str:
        moves = re.sub(r"(?<![\w\[])[NBRQK](?=[a-h1-8x])", lambda found: table[found[0]], text)
        return moves.encode("utf-8").decode("latin-1")

    found = result(foreign(english), *arguments)
    assert " ".join(found.split()) == " ".join(foreign(expected).split())
    assert found.count("(") == expected.count("(") and re.search(r"\([^)]*[NBRQK][a-h1-8x]", expected)
    assert result(found, *arguments) == found


@pytest.mark.parametrize("words", [["--engine", "stockfish"], ["--nodes", "10"], ["--option", "Hash=64"]], ids=" ".join)
def test_options_of_an_engine_are_refused_where_none_evaluates(annotate, tmp_path: Path, words: list[str]) -> None:
    done = annotate(MATES, "--from-comments", *words)
    assert done.returncode == 2 and f"{words[0]} is for an engine" in done.stderr
    assert not (tmp_path / "out.pgn").exists()


def test_a_title_without_a_page_is_refused(annotate, tmp_path: Path) -> None:
    done = annotate(MATES, "--from-comments", "--title", "Mine")
    assert done.returncode == 2 and "--title is for the page of --report" in done.stderr
    assert not (tmp_path / "out.pgn").exists()

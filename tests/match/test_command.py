"""`standstill match` as a program: real engines, failing engines, and what is written and shown."""

from __future__ import annotations

import contextlib
import functools
import os
import pty
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import pytest

from tests import forked
from tests.match.conftest import Run
from tests.match.support import BISHOP, KINGS, NEARLY_OVER, fake, games_in
from tests.rmobility.naive import score

VALUES_OF_KINGS = "G5.5", "-G5.5", "G8.5", "-G8.5", "G4.5", "-G4.5"
SHUFFLED = "bqrnkr1b/p1pppppp/1p3n2/8/8/5NP1/PPPPPP1P/BQRNKR1B w KQkq - 2 3"
# Marks a test's repetition in the other protocol as slow: starting the engines of a match takes a second.
slow = functools.partial(pytest.param, marks=pytest.mark.slow)


def terminations(path: Path) -> list[str]:
    return [game.headers["Termination"] for game in games_in(path)]


# ---- protocols ----


@pytest.mark.slow
def test_our_own_engine_plays_by_both_protocols(run: Run, ours, tmp_path: Path) -> None:
    """In both protocols the referee tells our engine by an option that the game goes on with bare kings."""
    done = run(ours("U"), ours("X", "proto=xboard"), openings=f"{KINGS}\n{BISHOP}", more="--nodes 300 --rounds 2")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(games_in(tmp_path / "m.pgn")) == 4
    assert set(terminations(tmp_path / "m.pgn")) <= {"stalemate", "threefold repetition", "fifty-move rule"}


@pytest.mark.slow
def test_options_of_the_user_take_precedence_over_the_referees(run: Run, ours, tmp_path: Path) -> None:
    done = run(ours("U"), ours("X", "proto=xboard", "option.InsufficientMaterialDraw=1"), openings=KINGS)
    assert done.returncode == 1
    claim = "engine fails: claims '1/2-1/2 {Insufficient material}' instead of moving"
    assert [reason.split("'s ", 1)[1] for reason in terminations(tmp_path / "m.pgn")] == [claim, claim]
    assert "standstill: X failed in 2 games\n" in done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("option", ["EvalFile=/nonexist", "RMobilityLimit=xyz"])
@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_an_option_that_an_engine_refuses_ends_the_match(run: Run, ours, option: str, protocol: str) -> None:
    """If refusals were ignored, an engine with a mistyped network path would play against itself."""
    done = run(ours("A", f"proto={protocol}", f"option.{option}"), ours("B"), openings=KINGS)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "engine 'A' does not start: it refuses an option: " in done.stderr


def test_what_an_engine_says_of_a_number_is_no_refusal(run: Run, ours, tmp_path: Path) -> None:
    engine = tmp_path / "talks.py"
    engine.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    said = {'uci': 'option name Hash type spin default 16 min 1 max 99\\nuciok', 'isready': 'readyok',\n"
        "            'setoption': 'info string Hash 32: large pages not found', 'go': 'bestmove a1a1'}.get(word)\n"
        "    if word == 'quit':\n"
        "        break\n"
        "    if said:\n"
        "        print(said, flush=True)\n"
    )
    done = run(f"cmd={sys.executable} arg={engine} name=T option.Hash=32", ours("B"), openings=KINGS)
    assert "T failed in 2 games" in done.stderr  # by an illegal move


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sjaakii", "stockfish", "gnuchess"])
def test_engines_of_others_play(run: Run, ours, client_program, name: str) -> None:
    more = {"sjaakii": "proto=xboard", "gnuchess": "arg=--uci"}.get(name, "")
    done = run(ours("U"), f"cmd={client_program(name)} {more}", openings=BISHOP, more="--depth 2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2/2: game" in done.stdout


@pytest.mark.slow
def test_words_of_an_engine_leave_the_file_whole(run: Run, tmp_path: Path) -> None:
    """A faulty move is quoted in a tag, with its quotes, brackets and backslashes; a long tag is truncated."""
    assert run(fake("odd"), fake("random")).returncode == 1
    for reason in terminations(tmp_path / "m.pgn"):
        assert "engine fails: moves illegally" in reason and 'e2\\"]e4' in reason  # python-chess leaves escapes unread
    assert max(map(len, (tmp_path / "m.pgn").read_text(encoding="utf-8").splitlines())) < 256
    assert run(fake("odd"), fake("random")).stdout.startswith("2 games already played, 0 left\n")


@pytest.mark.parametrize("feature", ["ping", "setboard"])
def test_xboard_engine_without_a_feature_gets_one_line(run: Run, feature: str) -> None:
    done = run(fake(f"no{feature}", proto="xboard"), fake("random"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"standstill: engine 'no{feature}' does not start: it does not announce {feature}; "
        "XBoard engines need ping and setboard here\n"
    )


def test_fairymax_gets_that_line(run: Run, client_program) -> None:
    done = run(f"cmd={client_program('fairymax')} proto=xboard", fake("random"))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "does not announce setboard" in done.stderr


@pytest.mark.slow
def test_xboard_engine_that_cannot_count_nodes(run: Run, tmp_path: Path) -> None:
    engines = fake("nonps", proto="xboard"), fake("random")
    done = run(*engines)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "supports no node limits" in done.stderr
    assert not (tmp_path / "m.pgn").exists()
    assert run(*engines, openings=KINGS, more="--time 1ms").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("control", "warned"), [("--time 1500ms", True), ("--time 1000ms", False), ("--clock 9+0.5", False)]
)
def test_parts_of_seconds_that_an_xboard_engine_may_not_read(run: Run, control: str, warned: bool) -> None:
    """PolyGlot reads `st 1.5` as one second, and other programs read fractions of a second as 0."""
    done = run(fake("random", name="U"), fake("random", name="X", proto="xboard"), openings=KINGS, more=control)
    told = "standstill: X may take 1.5 s for 1 s: XBoard's protocol takes only whole seconds for a move\n"
    assert (done.returncode, done.stderr) == (0, told if warned else "")


@pytest.mark.slow
@pytest.mark.parametrize(("value", "sent"), [("1", "true"), ("off", "false"), ("True", "true")])
def test_check_options_are_read(run: Run, tmp_path: Path, value: str, sent: str) -> None:
    engine = fake("random", 3, tmp_path / "log") + f" option.insufficientmaterialdraw={value}"
    run(engine, fake("random", name="other"), openings=KINGS)
    asked = f"setoption name InsufficientMaterialDraw value {sent}"
    # python-chess does not send a value that is already set.
    assert (asked in (tmp_path / "log").read_text(encoding="utf-8")) == (sent == "false")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("InsufficientMaterialDraw=perhaps", "is true or false"),
        ("Level=x", "expected integer"),
        ("Level=99", "at most 9"),
        ("Nonsense=1", "it has no option 'Nonsense'"),
    ],
)
def test_wrong_options_are_named(run: Run, option: str, reason: str) -> None:
    done = run(fake("random") + f" option.{option}", fake("random"))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert reason in done.stderr


# ---- clocks ----


@pytest.mark.parametrize("proto", ["uci", pytest.param("xboard", marks=pytest.mark.slow)])
def test_time_forfeits_are_scored_named_and_counted(run: Run, tmp_path: Path, proto: str) -> None:
    # The engine loses on time early, because with more moves its opponent might lose on time, too, on a busy machine.
    done = run(fake("late", 2, proto=proto), fake("random"), more="--clock 1+0.01 --margin 50ms")
    assert (done.returncode, done.stderr) == (0, "")
    games = games_in(tmp_path / "m.pgn")
    assert [game.headers["Termination"] for game in games] == ["time forfeit"] * 2
    for game in games:
        late_is_white = game.headers["White"] == "late"
        assert game.headers["Result"] == ("0-1" if late_is_white else "1-0")
        assert game.headers["RMobilityResult"] == ("-G0.0" if late_is_white else "G0.0")
        assert game.headers["TimeControl"] == "1+0.01"
    assert "(time forfeit)" in done.stdout
    assert "late lost 2 games on time" in done.stdout
    again = run(fake("late", 2, proto=proto), fake("random"), more="--clock 1+0.01")
    assert "late lost 2 games on time" in again.stdout


@pytest.mark.slow
def test_real_clocks(run: Run, ours, tmp_path: Path) -> None:
    done = run(ours("U"), ours("X", "proto=xboard"), openings=KINGS, more="--clock 2+0.02 --margin 5000ms")
    assert (done.returncode, done.stderr) == (0, "")
    assert "time forfeit" not in done.stdout
    assert {game.headers["TimeControl"] for game in games_in(tmp_path / "m.pgn")} == {"2+0.02"}


@pytest.mark.slow
def test_clocks_run_down_and_are_told(run: Run, tmp_path: Path) -> None:
    for proto in ("uci", "xboard"):
        engine = fake("random", 3, tmp_path / proto, proto=proto)
        run(engine, fake("random", name="other"), openings=KINGS, pgn=f"{proto}.pgn", more="--clock 30+0 --margin 9s")
    uci = [line.split() for line in (tmp_path / "uci").read_text(encoding="utf-8").splitlines() if line[:3] == "go "]
    left = [int(words[words.index("wtime") + 1]) for words in uci]
    assert len(left) > 4
    assert left[0] == 30_000
    assert min(left) < 30_000
    xboard = (tmp_path / "xboard").read_text(encoding="utf-8").splitlines()
    assert xboard.count("level 0 0:30 0") == 2  # once in each game
    assert "time 3000" in xboard


# ---- engines that fail ----


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "said", "proto"),
    [
        *(("crash", "crashes", "uci"), ("null", "gives no move", "xboard")),
        *(slow("crash", "crashes", "xboard"), slow("null", "gives no move", "uci")),
        *(slow("illegal", "illegal", proto) for proto in ("uci", "xboard")),
        *(slow("hang", "hangs", proto) for proto in ("uci", "xboard")),  # takes eight seconds
    ],
)
def test_failing_engine_loses_and_the_rest_goes_on(run: Run, tmp_path: Path, proto: str, kind: str, said: str) -> None:
    engines = fake(kind, proto=proto), fake("random"), fake("random", name="other")
    done = run(*engines, openings=NEARLY_OVER, more="--nodes 1 --patience 8s --jobs 2")
    assert done.returncode == 1
    assert done.stderr == f"standstill: {kind} failed in 4 games\n"
    games = games_in(tmp_path / "m.pgn")
    assert len(games) == 6
    for game in games:
        if kind in (game.headers["White"], game.headers["Black"]):
            assert said in game.headers["Termination"]
            assert game.headers["Result"] == ("0-1" if game.headers["White"] == kind else "1-0")
        else:
            assert "fails" not in game.headers["Termination"]


@pytest.mark.slow
def test_engine_that_leaves_between_moves_loses(run: Run, tmp_path: Path) -> None:
    done = run(fake("leave"), fake("pause", 1))
    assert (done.returncode, done.stderr) == (1, "standstill: leave failed in 2 games\n")
    assert sorted(terminations(tmp_path / "m.pgn")) == [
        "Black's engine fails: crashes",
        "White's engine fails: crashes",
    ]


def test_engine_that_says_nothing_is_named(run: Run) -> None:
    done = run(fake("silent"), fake("random"), more="--nodes 1 --patience 2s")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "standstill: engine 'silent' does not start: no answer to uci within 2 s\n"


def test_resignation(run: Run, tmp_path: Path) -> None:
    run(fake("resign", proto="xboard"), fake("random"))
    assert sorted(terminations(tmp_path / "m.pgn")) == ["Black resigns", "White resigns"]


@pytest.mark.slow
def test_engine_that_does_not_start_again_ends_the_match_before_all_is_lost(run: Run, tmp_path: Path) -> None:
    arguments = (fake("once", tmp_path / "mark"), fake("random"))
    done = run(*arguments, more="--nodes 1 --rounds 50")
    assert done.returncode == 2
    assert done.stderr.startswith("standstill: ") and "does not start" in done.stderr
    games = games_in(tmp_path / "m.pgn")
    assert len(games) == 4  # the engine crashed in the first game
    assert all(game.headers["White" if game.headers["Result"] == "0-1" else "Black"] == "once" for game in games)
    (tmp_path / "mark").unlink()
    done = run(*arguments, more="--nodes 1 --rounds 2")
    assert done.stdout.startswith("4 games already played, 0 left")
    assert done.stderr == "standstill: once failed in 4 games\n"


# ---- pairings and openings ----


@pytest.mark.slow
@pytest.mark.parametrize(("more", "meetings"), [("", 3), ("--gauntlet", 2)])
def test_three_engines(run: Run, tmp_path: Path, more: str, meetings: int) -> None:
    engines = [fake("random", name=name) for name in "ABC"]
    done = run(*engines, openings=NEARLY_OVER, more=f"--nodes 1 --rounds 2 --jobs 3 {more}")
    assert (done.returncode, done.stderr) == (0, "")
    games = games_in(tmp_path / "m.pgn")
    met = Counter((game.headers["White"], game.headers["Black"]) for game in games)
    assert len(met) == 2 * meetings
    assert set(met.values()) == {2}
    assert (("B", "C") in met) == (not more)
    for name in "ABC":
        assert re.search(rf"^ +[123]  {name} ", done.stdout, re.MULTILINE)


@pytest.mark.slow
def test_openings_of_games_are_played_with_both_colours(run: Run, command, tmp_path: Path) -> None:
    (tmp_path / "o.pgn").write_text("1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 {x} d5 (1... f5) 2. c4 *\n", encoding="utf-8")
    engines = fake("resign", proto="xboard"), fake("random")  # so that the games are short
    words = [*command(*engines, more="--nodes 1 --rounds 2"), "--openings", "o.pgn", "--opening-plies", "3"]
    forked.run(words, cwd=tmp_path, timeout=200, check=True, capture_output=True)
    seen = Counter()
    for game in games_in(tmp_path / "m.pgn"):
        first = tuple(move.uci() for move in list(game.mainline_moves())[:3])
        seen[game.headers["White"], first] += 1
        assert game.headers["OpeningPlies"] == "3"
    lines = ("e2e4", "e7e5", "g1f3"), ("d2d4", "d7d5", "c2c4")
    assert seen == {(name, line): 1 for name in ("random", "resign") for line in lines}


@pytest.mark.slow
def test_chess960(run: Run, ours, tmp_path: Path) -> None:
    engines = ours("U"), ours("X", "proto=xboard"), fake("random")
    done = run(*engines, openings=SHUFFLED, more="--nodes 50")
    assert (done.returncode, done.stderr) == (0, "")
    for game in games_in(tmp_path / "m.pgn"):
        assert game.board().chess960
        assert not game.errors
        expected = score(game)
        assert [game.headers[f"RMobility{name}"] for name in ("Result", "WG")] == [expected.phase, expected.whole]


@pytest.mark.parametrize("rounds", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("fifty", ["fide", pytest.param("record", marks=pytest.mark.slow)])
def test_games_are_scored_as_by_tag_and_by_a_naive_scorer(
    run: Run, executable, tmp_path: Path, fifty: str, rounds: int
) -> None:
    clocked = "8/8/8/2K3k1/8/8/8/8 w - - 93 80"
    engines = fake("random"), fake("random", name="other")
    openings = f"{clocked}\n{BISHOP}\n{chess.STARTING_FEN}"
    run(*engines, openings=openings, more=f"--nodes 1 --rounds {rounds} --jobs 2 --fifty {fifty}")
    path = tmp_path / "m.pgn"
    for game in games_in(path):
        expected = score(game, fifty=fifty)
        found = [game.headers[f"RMobility{name}"] for name in ("Result", "WG", "OTB", "Ply")]
        assert found == [expected.phase, expected.whole, expected.otb, str(expected.ply)]
    again = [executable, "tag", path, "--tags", "all", "--fifty", fifty, "--quiet"]
    assert forked.run(again, capture_output=True, timeout=60, check=True).stdout == path.read_bytes()


def test_dead_draws_on_demand(run: Run, tmp_path: Path) -> None:
    capture = "7k/6Q1/8/8/8/8/8/K7 b - - 0 1"  # the only move leaves bare kings
    run(fake("random"), fake("random", name="other"), openings=capture, more="--nodes 1 --dead-draw")
    assert terminations(tmp_path / "m.pgn") == ["insufficient material"] * 2


# ---- what is shown ----


def test_tables_end_games_whose_outcome_they_know(run: Run, tmp_path: Path) -> None:
    openings = "8/8/8/8/6k1/8/3K4/7R b - - 0 1\n8/8/8/2K3k1/8/8/8/8 w - - 0 1\n8/8/8/2K3k1/8/8/8/8 w - - 98 60\n"
    engines = fake("player", 1, name="A"), fake("player", 2, name="B")
    done = run(*engines, openings=openings, more="--nodes 1 --rounds 3 --tables own")
    assert (done.returncode, done.stderr) == (0, "")
    rook, rook_again, *kings = games_in(tmp_path / "m.pgn")
    for game in (rook, rook_again, *kings[:2]):
        assert game.headers["Termination"] == "adjudicated by R-Mobility tables"
        assert game.end().ply() <= 2
    assert [game.headers["Result"] for game in (rook, rook_again)] == ["1-0", "1-0"]
    assert [game.headers["RMobilityResult"] for game in (rook, rook_again)] == ["G0.0", "G0.0"]
    for game in kings[:2]:
        assert game.headers["Result"] == "1/2-1/2"
        assert game.headers["RMobilityResult"] == game.headers["RMobilityAgreed"] in VALUES_OF_KINGS
        assert game.headers["RMobilityWG"] == game.headers["RMobilityAgreed"]
        assert game.headers["RMobilityOTB"] == "1/2-1/2"  # the record is weaker than G3.5
    for game in kings[2:]:
        assert game.headers["Termination"] in ("fifty-move rule", "adjudicated by R-Mobility tables")
    again = run(*engines, openings=openings, more="--nodes 1 --rounds 3 --tables own")
    assert "6 games already played, 0 left" in again.stdout


@pytest.mark.parametrize("more", ["--tables .", "--tables own --dead-draw", "--tables own --variant makruk"])
def test_tables_that_cannot_judge_are_refused(run: Run, more: str) -> None:
    done = run(fake("player", name="A"), fake("player", name="B"), more=f"--nodes 1 {more}")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.slow
def test_test_stops_the_match(run: Run, tmp_path: Path) -> None:
    done = run(fake("random"), fake("illegal", 1), more="--nodes 1 --rounds 500 --sprt 0,200")
    assert done.returncode == 1
    assert "200 Elo accepted" in done.stdout
    games = len(games_in(tmp_path / "m.pgn"))
    assert games < 100
    again = run(fake("random"), fake("illegal", 1), more="--nodes 1 --rounds 500 --sprt 0,200")
    assert f"{games} game" in again.stdout
    assert len(games_in(tmp_path / "m.pgn")) == games


@pytest.mark.slow
def test_table_after_every_so_many_games(run: Run) -> None:
    more = "--nodes 1 --rounds 3 --table 2"
    done = run(fake("random"), fake("random", name="other"), openings=NEARLY_OVER, more=more)
    assert done.stdout.count("Rank") == 3  # after 2 games, after 4, and at the end


@pytest.mark.slow
def test_table_stands_below_the_games_on_a_terminal(command, tmp_path: Path) -> None:
    words = command(fake("random"), fake("random", name="other"), openings=NEARLY_OVER, more="--nodes 1 --rounds 2")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(words, cwd=tmp_path, stdout=theirs, env=environment)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # raised when the terminal closes
        while data := os.read(ours, 4096):
            shown += data
    os.close(ours)
    assert process.wait(60) == 0
    text = shown.decode()
    assert text.count("Rank") >= 5  # before the first game, and after each of four
    assert "\x1b[" in text
    assert text.index("1/4: game") < text.rindex("Rank")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("pgn", "more", "reason"),
    [
        ("none/m.pgn", "--nodes 1", "No such file"),
        (".", "--nodes 1", "directory"),
        ("m.pgn.gz", "--nodes 1", "expected a regular file"),
        ("-", "--nodes 1", "expected a regular file"),
        ("/dev/null", "--nodes 1", "not a regular file"),
        ("m.pgn", '--nodes 1 --event a"b', "without quotes"),
        ("m.pgn", "--nodes 1 --sprt 1", "expected two Elo differences"),
        ("m.pgn", "--nodes 1 --sprt 0,inf", "expected two Elo differences"),
        ("m.pgn", "--nodes 0", "Invalid value"),
        ("m.pgn", "--clock 0+1", "expected a clock"),
        ("m.pgn", "", "expected one of"),
    ],
)
def test_bad_input_is_answered_in_one_line(run: Run, tmp_path: Path, pgn: str, more: str, reason: str) -> None:
    done = run(fake("random"), fake("random"), pgn=pgn, more=more)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert reason in done.stderr
    assert not (tmp_path / "m.pgn").exists()


def test_games_of_another_player_are_left_alone(run: Run, tmp_path: Path) -> None:
    text = '[Event "Important"]\n\n1. e4 e5 *\n'
    (tmp_path / "m.pgn").write_text(text, encoding="utf-8")
    done = run(fake("random"), fake("random"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "has games of another match" in done.stderr
    assert (tmp_path / "m.pgn").read_text(encoding="utf-8") == text

"""Limits, options, scores and komi in a match file, as other programs read them."""

from __future__ import annotations

import io
import random
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.annotate.evaluations import BLACK, in_comment
from standstill.engine.external.thoughts import uci_thought, xboard_thought
from standstill.engine.match.referee import movetext
from standstill.engine.match.runner import Plan
from standstill.engine.match.setup import EngineSpec, Opening, TimeControl, limit_tags
from standstill.engine.match.statistics import ratings, score_of
from tests import forked
from tests.annotate.support import SCID_COPIES, nodes

KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


# ---- scores reported by engines ----


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("info depth 12 seldepth 20 score cp 31 nodes 5 time 3 pv e2e4", "+0.31/12"),
        ("info depth 12 score cp -105 pv e2e4 depth 3", "-1.05/12"),
        ("info score cp 0 depth 1", "0.00/1"),
        ("info depth 9 score mate 3 pv a", "+M5/9"),  # the mover's third move is the fifth half-move
        ("info depth 9 score mate -2 pv a", "-M4/9"),
        ("info depth 9 score mate 0", "-M0/9"),
        ("info depth 9 multipv 1 score cp 7", "+0.07/9"),
        ("info depth 9 multipv 2 score cp 7", None),
        ("info depth 9 score cp 7 lowerbound", None),
        ("info string depth 9 score cp 7", None),
        ("info depth score cp 7", None),
        ("info depth 9 score cp", None),
        ("bestmove e2e4", None),
    ],
)
def test_lines_of_uci(line: str, said: str | None) -> None:
    found = uci_thought(line)
    assert (None if found is None else str(found)) == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("  9 31 120 4567 e4 e5", "+0.31/9"),
        ("9 -31 120 4567 12 900 0\te4", "-0.31/9"),
        ("9. 100003 120 4567 e4", "+M5/9"),
        ("9 -100002 120 4567 e4", "-M4/9"),
        ("9 31 120 4567 e4?", None),
        ("move e2e4", None),
        ("# 9 31 120 4567", None),
    ],
)
def test_lines_of_xboard(line: str, said: str | None) -> None:
    found = xboard_thought(line)
    assert (None if found is None else str(found)) == said


# ---- text ----


def test_lines_are_short_and_comments_stay_whole() -> None:
    moves = [(number, white, "Nf3") for number in range(1, 60) for white in (True, False)]
    text = movetext(moves, ["+0.31/12 0.45s"] * 100, "1/2-1/2")
    assert max(map(len, text.splitlines())) < 80
    assert text.count("{+0.31/12 0.45s}") == 100
    assert "1. Nf3 {+0.31/12 0.45s} 1... Nf3" in text.replace("\n", " ") and "59. Nf3 Nf3 1/2-1/2" in text


def test_limits_are_named_for_each_side_where_they_differ() -> None:
    free, bound = EngineSpec("a", ("a",)), EngineSpec("b", ("b",), nodes=500)
    assert limit_tags(TimeControl(clock_s=2, increment_s=0.02), free, free) == {"TimeControl": "2+0.02"}
    assert limit_tags(TimeControl(nodes=1000), free, free) == {"TimeControl": "-", "NodeLimit": "1000"}
    assert limit_tags(TimeControl(depth=6), free, free) == {"TimeControl": "-", "DepthLimit": "6"}
    assert limit_tags(TimeControl(move_s=0.5), bound, free) == {
        "WhiteTimeControl": "-",
        "BlackTimeControl": "0.5/move",
        "WhiteNodeLimit": "500",
    }


# ---- a match ----


@pytest.fixture(scope="module")
def played(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess]:
    folder = tmp_path_factory.mktemp("match")
    (folder / "o.pgn").write_text(f'[FEN "{ENDING}"]\n[SetUp "1"]\n\n1. e4 Ke7 *\n', encoding="utf-8")

    def call(*more: str, pgn: str = "m.pgn") -> subprocess.CompletedProcess:
        ours = shlex.quote(str(executable))
        engines = [f"cmd={ours} name=U option.Hash=1", f"cmd={ours} name=X proto=xboard nodes=40"]
        words = [executable, "match", "-o", pgn, "--openings", "o.pgn", "--nodes", "60", *more]
        for engine in engines:
            words += ["--engine", engine]
        return forked.run(words, cwd=folder, capture_output=True, text=True, timeout=200, check=False)

    call.folder = folder
    return call


def test_a_game_says_how_it_was_played(played) -> None:
    done = played("--komi", "G3.75")
    assert (done.returncode, done.stderr) == (0, "")
    text = (played.folder / "m.pgn").read_text(encoding="utf-8")
    stream = io.StringIO(text)
    games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert len(games) == 2 and not any(game.errors for game in games)
    first = games[0].headers
    assert (first["TimeControl"], first["WhiteNodeLimit"], first["BlackNodeLimit"]) == ("-", "60", "40")
    assert "Hash=1" in first["WhiteOptions"] and "RMobilityKomi=G3.75" in first["WhiteOptions"]
    assert first["RMobilityKomi"] == "G3.75" and re.fullmatch("[01].000000 - [01].000000", first["RMobilityPoints"])
    for game in games:
        nodes = list(game.mainline())
        assert [node.comment for node in nodes[:2]] == ["book", "book"]
        thoughts = [node.comment for node in nodes[2:]]
        assert all(re.fullmatch(r"[+-]?(M\d+|\d+\.\d\d)/\d+ \d+\.\d+s", comment) for comment in thoughts)
        assert in_comment(thoughts[0], BLACK) is not None
    assert max(map(len, text.partition("\n\n")[2].splitlines()[0:3])) < 80


@pytest.mark.slow
def test_other_programs_read_it(played, client_program) -> None:
    """pgn-extract reads all games, and writes the same moves without the comments."""
    played("--komi", "G3.75")
    words = [client_program("pgn-extract"), "-s", "-C", "m.pgn"]
    done = subprocess.run(words, cwd=played.folder, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.count("[White ") == 2 and "{" not in done.stdout
    assert moves_of(done.stdout) == moves_of((played.folder / "m.pgn").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_other_programs_keep_its_comments(played, client_program, tmp_path: Path) -> None:
    """pgn-extract and Scid return every move with its score, depth and time, without a warning."""
    played("--komi", "G3.75")
    path = played.folder / "m.pgn"
    (tmp_path / "copy.tcl").write_text(SCID_COPIES)
    commands = [
        [client_program("pgn-extract"), "-s", "-o", "pgn-extract.pgn", path],
        [client_program("tkscid"), "copy.tcl", tmp_path / "base", path, "tkscid.pgn"],
    ]
    ours = games_of(path)
    for command in commands:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        # Komi can make a stalemate a loss, which pgn-extract calls inconsistent.
        warned = [line for line in done.stderr.splitlines() if line.startswith("Warning: ")]
        assert done.returncode == 0 and all("inconsistent with stalemate" in line for line in warned)
        assert "tkscid" not in command[0] or done.stdout.split() == ["2", "{}"]
        theirs = games_of(tmp_path / f"{Path(command[0]).name}.pgn")
        assert len(theirs) == len(ours) == 2
        for one, other in zip(ours, theirs, strict=True):
            assert list(nodes(one)) == list(nodes(other))
            assert one.headers["Result"] == other.headers["Result"] and one.board().fen() == other.board().fen()


def games_of(path: Path) -> list[chess.pgn.Game]:
    with path.open(encoding="utf-8") as stream:
        return list(iter(lambda: chess.pgn.read_game(stream), None))


def moves_of(text: str) -> list[list[chess.Move]]:
    stream = io.StringIO(text)
    return [list(game.mainline_moves()) for game in iter(lambda: chess.pgn.read_game(stream), None)]


@pytest.mark.slow
def test_comments_can_be_left_out_and_old_files_are_continued(played) -> None:
    """An older file, without komi, comments and newer tags, still belongs to the same match."""
    done = played("--no-comments", pgn="old.pgn")
    assert done.returncode == 0
    path = played.folder / "old.pgn"
    text = path.read_text(encoding="utf-8")
    assert "{" not in text
    old = re.sub(r"\[(White|Black)(NodeLimit|Options) [^\n]*\n", "", text)
    first = old[: old.index("[Event", 5)]
    path.write_text(first, encoding="utf-8")
    done = played(pgn="old.pgn")
    assert "1 game already played, 1 left" in done.stdout
    after = path.read_text(encoding="utf-8")
    assert after.startswith(first.rstrip()) and after.count("[Event ") == 2 and "{" in after
    assert played("--komi", "G3.75", pgn="old.pgn").returncode == 2  # with a komi it is another match


def test_a_match_without_news_has_the_name_it_always_had() -> None:
    """The match name that older versions wrote."""
    engines = (EngineSpec("A", ("a",)), EngineSpec("B", ("b",), "xboard", {"Hash": "1"}, 7))
    plan = Plan(engines, TimeControl(nodes=10), (Opening(KINGS),), 1)
    assert plan.fingerprint == "98a7efce596a4538"


# ---- ratings ----


def test_ratings_find_the_truth_about_nineteen_times_in_twenty() -> None:
    rng = random.Random(3)
    truth = [120.0, 30.0, -10.0, -140.0]
    held = trials = 0
    for _ in range(60):
        met = {}
        for one in range(4):
            for other in range(one + 1, 4):
                p = score_of(truth[one] - truth[other])
                met[one, other] = [sum(rng.random() < p for _ in range(2)) / 2 for _ in range(60)]
        for (value, error), true in zip(ratings(met, 4), truth, strict=True):
            held += abs(value - true) <= error
            trials += 1
    assert 0.90 <= held / trials <= 0.99


def test_ratings_of_two_are_those_of_their_score_and_finite() -> None:
    (one, _), (other, _) = ratings({(0, 1): [0.75] * 1000}, 2)
    assert one - other == pytest.approx(190.85, abs=1) and one == pytest.approx(-other)
    (best, error), *_ = ratings({(0, 1): [1.0] * 10}, 2)
    assert 0 < best < 2000 and error > 0
    assert ratings({}, 3) == [(0.0, 0.0)] * 3

"""`standstill tag`: input and output files, and messages about games that cannot be read."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import os
import random
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from standstill.engine.archive.tagging import Summary
from standstill.engine.common.goal import goal_text
from standstill.protocol.cli.commands.tag_report import histogram
from tests import forked
from tests.posix import pty
from tests.rmobility.naive import random_game, read, score
from tests.variants.files import block, written

Run = Callable[..., subprocess.CompletedProcess]

DRAWN = '[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 e5 1/2-1/2\n\n'
TAGGED = DRAWN.replace('/2"]\n', '/2"]\n[RMobilityResult "-G29.5"]\n')
DAMAGED = '[Result "*"]\n\n1. e4 e5 2. Nf6 *\n\n'


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    def call(*arguments: str | Path, text: str | None = None) -> subprocess.CompletedProcess:
        return forked.run(
            [executable, "tag", *arguments],
            cwd=tmp_path,
            input=text or "",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return call


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(DRAWN * 3, encoding="utf-8")
    return path


def test_standard_output_gets_the_games_and_standard_error_the_summary(run: Run, games: Path) -> None:
    done = run(games)
    assert (done.returncode, done.stdout) == (0, TAGGED * 3)
    assert done.stderr.splitlines()[:3] == [
        "3 games, 6 plies, 3 tagged",
        "won: 0 by White, 0 by Black",
        "records of draws: 0 held by White, 3 by Black",
    ]


def test_standard_input_is_read(run: Run) -> None:
    assert run("-", "--quiet", text=DRAWN).stdout == TAGGED


def test_inputs_follow_one_another(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "more.pgn").write_text(DRAWN.rstrip("\n"), encoding="utf-8")
    assert run("more.pgn", games, "--quiet").stdout == TAGGED.rstrip("\n") + "\n" + TAGGED * 3


def test_output_is_compressed_if_its_name_says_so(run: Run, games: Path, tmp_path: Path) -> None:
    assert run(games, "-o", "out.pgn.gz").returncode == 0
    with gzip.open(tmp_path / "out.pgn.gz", "rt", encoding="utf-8") as file:
        assert file.read() == TAGGED * 3
    assert run("out.pgn.gz", "--quiet").stdout == TAGGED * 3


def test_file_may_be_replaced_by_itself(run: Run, games: Path) -> None:
    assert run(games, "-o", games).returncode == 0
    assert games.read_text(encoding="utf-8") == TAGGED * 3


def test_folder_gets_each_file_under_its_own_name(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "more.pgn").write_text(DRAWN, encoding="utf-8")
    assert run(games, "more.pgn", "none.pgn", "-o", "out/").returncode == 2
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["games.pgn", "more.pgn"]
    assert (tmp_path / "out" / "more.pgn").read_text(encoding="utf-8") == TAGGED


def test_summary_as_json(run: Run, games: Path) -> None:
    found = json.loads(run(games, "-o", "out.pgn", "--json").stdout)
    assert found["draws"] == {"white": 0, "black": 3}
    assert found["histogram"] == [{"goal": "G29.5", "white": 0, "black": 3}]
    assert (found["games"], found["plies"], found["damaged"]) == (3, 6, 0)


def test_damaged_games_are_copied_and_named(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.pgn").write_text(DRAWN + DAMAGED + DRAWN, encoding="utf-8")
    done = run("bad.pgn")
    assert (done.returncode, done.stdout) == (1, TAGGED + DAMAGED + TAGGED)
    assert done.stderr.splitlines()[0] == "standstill: bad.pgn: game 2, ply 3: illegal move 'Nf6'"
    assert "1 could not be read" in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fen", ["", "?", "-", " "])
def test_a_fen_that_says_nothing_is_none_unless_set_up_says_there_is_one(run: Run, fen: str) -> None:
    for stated in ("", '[SetUp "0"]\n'):
        tag = f'[FEN "{fen}"]\n{stated}'
        assert run("-", text=tag + DRAWN).stdout == tag + TAGGED
    done = run("-", text=f'[FEN "{fen}"]\n[SetUp "1"]\n' + DRAWN)
    assert done.returncode == 1 and "game 1: expected a FEN of 4 to 6 fields" in done.stderr


def test_missing_and_broken_files_are_named_and_the_rest_goes_on(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.pgn.gz").write_bytes(gzip.compress((DRAWN * 5).encode())[:-12])
    done = run("none.pgn", "cut.pgn.gz", tmp_path, games, "--quiet")
    assert done.returncode == 2
    assert done.stdout.endswith(TAGGED * 3)
    assert len(done.stderr.splitlines()) == 3
    for part in ("'none.pgn': No such file", "'cut.pgn.gz': the compressed data end too early", "directory"):
        assert part in done.stderr


def test_tags_may_be_wanted_one_by_one(run: Run, games: Path) -> None:
    assert run(games, "--tags", "ply", "--tags", "points").stdout == run(games, "--tags", "ply,points").stdout != ""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "arguments",
    [
        ["-o", "none/out.pgn"],
        ["--tags", "nonsense"],
        ["--otb-limit", "low"],
        ["--otb-limit", "-G3.5"],
        ["--komi", "G3.8"],
        ["--tags", "points", "--komi", "G3.8"],
        ["--tags", "ply", "--komi", "G3.75"],
        ["--syzygy", "."],
        ["--tables", "."],
        ["--fifty", "sixty"],
        ["--sheet", "none/sheet"],
    ],
)
def test_bad_arguments_are_answered_in_one_line(run: Run, games: Path, arguments: list[str]) -> None:
    done = run(games, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("termination", "fen", "result", "expected"),
    [
        ("adjudication", "6k1/8/5K2/5B2/8/8/8/8 w - - 0 1", "1/2-1/2", "G0.5"),
        ("normal", "6k1/8/5K2/5B2/8/8/8/8 w - - 0 1", "1/2-1/2", "G3.0"),
        ("adjudication", "8/8/8/2K3k1/8/8/8/7R w - - 0 1", "1/2-1/2", "G0.0"),
        ("adjudication", "8/8/8/2K3k1/8/8/8/7R w - - 90 60", "1/2-1/2", "G5.5"),
        ("adjudication", "8/8/8/2K3k1/8/8/PP6/7R w - - 0 1", "1/2-1/2", "G5.5"),
    ],
)
def test_adjudicated_games_get_their_true_result(
    run: Run, tmp_path: Path, termination: str, fen: str, result: str, expected: str
) -> None:
    move = "Be6+" if "B" in fen else "Kd5"
    text = f'[FEN "{fen}"]\n[SetUp "1"]\n[Result "{result}"]\n[Termination "{termination}"]\n\n1. {move} {result}\n'
    (tmp_path / "one.pgn").write_text(text, encoding="utf-8")
    found = run("one.pgn", "--tables", "own", "--quiet").stdout
    assert f'[RMobilityResult "{expected}"]' in found


def test_the_bar_counts_what_was_read_and_ends_full(executable: Path, games: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    words = [executable, "tag", games, "-o", "out.pgn"]
    with subprocess.Popen(words, cwd=tmp_path, stderr=theirs, env=environment) as process:
        os.close(theirs)
        text = b""
        while True:
            try:
                text += os.read(ours, 4096)
            except OSError:
                break
        process.wait(60)
    os.close(ours)
    plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", text).decode()
    size = games.stat().st_size
    assert re.findall(r"(\d+)/(\d+) bytes", plain)[-1] == (str(size), str(size))


def test_sheets_go_into_a_file(run: Run, games: Path, tmp_path: Path) -> None:
    assert run(games, "--sheet", "sheets.txt", "-o", "out.pgn").returncode == 0
    sheets = (tmp_path / "sheets.txt").read_text(encoding="utf-8")
    assert sheets.count("Game ") == 3
    assert "1...e5" in sheets


@pytest.mark.parametrize("option", ["--tables", "--syzygy"])
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("games", [0, 300])
def test_a_folder_without_tables_is_refused_before_a_game_is_read(
    run: Run, tmp_path: Path, option: str, jobs: str, games: int
) -> None:
    (tmp_path / "in.pgn").write_text(DRAWN * games)
    done = run("in.pgn", "-o", "out.pgn", option, ".", "--jobs", jobs)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "tables" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.pgn"]


def test_processes_give_the_same_bytes(run: Run, tmp_path: Path) -> None:
    rng = random.Random(4)
    text = "\n\n".join(str(random_game(rng, 60)) for _ in range(40)) + "\n\n" + DAMAGED
    (tmp_path / "many.pgn").write_text(text * 50, encoding="utf-8")  # several chunks for each process
    one, two = run("many.pgn", "--comments"), run("many.pgn", "--comments", "--jobs", "2")
    assert one.stdout == two.stdout
    assert one.stderr == two.stderr
    assert one.returncode == two.returncode == 1


def test_result_is_that_of_a_naive_scorer(run: Run) -> None:
    game = random_game(random.Random(5), 80, chess960=True)
    game.headers["Result"] = "1/2-1/2"
    out = run("-", "--tags", "all", "--quiet", text=str(game)).stdout
    expected = score(game)
    found = read(out).headers
    assert [found[f"RMobility{name}"] for name in ("Result", "WG", "OTB")] == [
        expected.phase,
        expected.whole,
        expected.otb,
    ]


# ---- standings ----


@pytest.fixture
def standings(executable: Path, tmp_path: Path) -> Run:
    return forked.command(executable, tmp_path, "standings")


def test_standings_say_what_they_leave_out(standings: Run, tmp_path: Path) -> None:
    file = tmp_path / "names.pgn"
    named = '[Event "E"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
    nameless = '[Event "E"]\n[White "?"]\n[Result "1-0"]\n\n1. d4 1-0\n\n'
    file.write_text(named + nameless, encoding="ascii")
    done = standings(file)
    assert (done.returncode, done.stderr) == (0, "standstill: 1 nameless game is left out\n")
    file.write_text(named + nameless * 2, encoding="ascii")
    assert standings(file, "-o", tmp_path / "t.html").stderr == "standstill: 2 nameless games are left out\n"
    assert "1 game. 2 games without names of players omitted." in (tmp_path / "t.html").read_text(encoding="utf-8")
    file.write_text(named + nameless.replace("?", "C"), encoding="ascii")  # C against C: a bye
    assert standings(file).stderr == ""


ODD = """\
[White "A"]
[Black "B"]
[Result "{tag}"]
{more}
{moves} {behind}

"""
BY_KOMI = '[Komi "G5.25"]\n[Termination "threefold repetition, komi G5.25"]\n[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]'
FOOL, TO_STALEMATE = "1. f3 e5 2. g4 Qh4#", '[FEN "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"]'


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("tag", "more", "moves", "behind", "said"),
    [
        ("0-1", "", FOOL, "0-1", ""),
        ("1-0", "", FOOL, "0-1", "its result is 1-0, but its last move wins for Black"),
        ("1/2-1/2", "", FOOL, "1/2-1/2", "its result is 1/2-1/2, but its last move wins for Black"),
        ("1-0", TO_STALEMATE, "1. Kg6", "1-0", "its result is 1-0, but its last move is stalemate"),
        ("1/2-1/2", TO_STALEMATE, "1. Kg6", "1/2-1/2", ""),
        ("1-0", "", "1. e4 e5", "0-1", "its result is 1-0, but 0-1 follows the moves"),
        ("1-0", BY_KOMI, "1. Kd5 Kf5", "1-0", "its result is 1-0, but by its komi and its record -G5.5 it is 0-1"),
        ("0-1", BY_KOMI, "1. Kd5 Kf5", "0-1", ""),
        ("1/2-1/2", BY_KOMI, "1. Kd5 Kf5", "1/2-1/2", ""),
        ("1-0", "", "1. e4 e5", "1-0", ""),
        ("*", "", FOOL, "0-1", ""),
        ("0-1", '[Variant "3check"]', "1. e4 f6 2. Qh5+ g6 3. Qxg6+ hxg6 4. Bb5 a6 5. Bxd7+", "0-1", "wins for White"),
    ],
)
def test_standings_name_results_that_cannot_be(
    standings: Run, tmp_path: Path, tag: str, more: str, moves: str, behind: str, said: str
) -> None:
    """A result that contradicts the board counts: an arbiter may have a reason for it."""
    file = tmp_path / "odd.pgn"
    file.write_text(ODD.format(tag=tag, more=more, moves=moves, behind=behind), encoding="ascii")
    done = standings(file)
    told = [line for line in done.stderr.splitlines() if "left out" not in line]
    assert done.returncode == 0 and len(told) == bool(said)
    if said:
        assert told[0].startswith("standstill: ") and "game 1: " in told[0]
        by_board = moves != "1. e4 e5"
        counts = f"{tag} counts for points, the board for R-Mobility" if by_board else f"{tag} counts"
        assert said in told[0] and told[0].endswith(f"; {counts}")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "moves", ["", "1. e4 e5 2. Nf3", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0", "1. e4 e5 2. Sf3 {x}"]
)
@pytest.mark.parametrize(
    ("result", "points"),
    [
        *(("0-0", ["0", "0"]), ("1/2-0", ["0.5", "0"]), ("0-1/2", ["0.5", "0"]), ("-:-", ["0", "0"])),
        *((text, ["0.5"] * 2) for text in ("½-½", "1/2", "½", "0,5:0,5")),
        *((text, ["1", "0"]) for text in ("1:0", "0 \u2013 1", "+:-", "--+", "+/-", "- / +", "1F-0F")),
    ],
)
def test_results_beyond_the_standard(
    executable: Path, standings: Run, run: Run, tmp_path: Path, moves: str, result: str, points: list[str]
) -> None:
    """The results are accepted in the tag, and after the moves, where 0-0 might be castling."""
    text = ODD.format(tag=result, more='[Event "E"]', moves=moves, behind=result)
    (tmp_path / "t.pgn").write_text(text + text.replace("{x}", "").replace(f" {result}\n", " *\n"), encoding="utf-8")
    done = standings("t.pgn", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert [row["Points"] for row in csv.DictReader(done.stdout.splitlines())] == [
        str(float(value) * 2).removesuffix(".0") for value in points
    ]
    assert run("t.pgn", "-o", "u.pgn", "--quiet").returncode == 0
    found = (tmp_path / "u.pgn").read_text(encoding="utf-8")
    assert found.count('[RMobilityProvisional "yes"]') == (2 if moves and sum(map(float, points)) < 1 else 0)
    command = [executable, "annotate", "t.pgn", "-o", "v.pgn", "--from-comments"]
    assert forked.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False).returncode == 0
    assert (tmp_path / "v.pgn").read_text(encoding="utf-8") == (tmp_path / "t.pgn").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("tag", "behind", "points"),
    [("-/-", "0-0", ["0", "0"]), ("- : -", "0-0", ["0", "0"]), ("½-0", "1/2-0", ["0.5", "0"])],
    ids=["both lose", "with a colon", "half a point"],
)
def test_the_result_behind_no_moves_may_be_spelt_otherwise_than_the_tag(
    standings: Run, tmp_path: Path, tag: str, behind: str, points: list[str]
) -> None:
    """0-0 is castling only where moves precede it."""
    (tmp_path / "t.pgn").write_text(ODD.format(tag=tag, more="", moves="", behind=behind), encoding="utf-8")
    done = standings("t.pgn", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert [row["Points"] for row in csv.DictReader(done.stdout.splitlines())] == points


@pytest.mark.parametrize("name", ["Komi", "RMobilityCutOff"])
def test_a_komi_that_cannot_be_read_is_named(standings: Run, run: Run, tmp_path: Path, name: str) -> None:
    """Such a tag was once ignored silently, and the game counted by the scheme."""
    (tmp_path / "t.pgn").write_text(DRAWN.replace("\n\n", f'\n[{name} "5,25"]\n\n', 1), encoding="utf-8")
    for done in (standings("t.pgn"), run("t.pgn", "--tags", "points", "-o", "u.pgn")):
        told = done.stderr.splitlines()[0]
        assert done.returncode == 0 and told.startswith("standstill: t.pgn: game 1: expected a ")
        assert "found '5,25'" in told and told.endswith("; its tags Komi and RMobilityCutOff do not count")
    assert "RMobilityKomi" not in (tmp_path / "u.pgn").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["", "% nothing\n\n", "1. e4 e5 1-0\n"], ids=["empty", "comment", "nameless"])
def test_standings_say_that_a_file_has_no_game_to_rank(standings: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "t.pgn").write_text(text, encoding="ascii")
    done = standings("t.pgn")
    assert (done.returncode, done.stderr.splitlines()[0]) == (0, "standstill: no finished game to rank")


def test_standings_name_what_they_cannot_count(standings: Run, tmp_path: Path) -> None:
    game = '[White "A"]\n[Black "{}"]\n[Result "{}"]\n\n1. e4 *\n\n'
    games = [("A", "1-0"), ("B", "1-1"), ("B", "1-0"), ("b", "1-0"), ("B", "*")]
    (tmp_path / "t.pgn").write_text("".join(game.format(*each) for each in games), encoding="ascii")
    done = standings("t.pgn", "--format", "csv")
    assert done.stderr.splitlines() == [
        "standstill: t.pgn: game 1: 'A' plays itself; the game is left out",
        "standstill: t.pgn: game 2: expected a result such as 1-0, found '1-1'",
        "standstill: 'B', 'b' differ in spelling and count as 2 players (see --join)",
        "standstill: 2 unfinished games are left out",
    ]
    assert [line.split(",")[1:3] for line in done.stdout.splitlines()[1:]] == [["A", "2"], ["B", "1"], ["b", "1"]]


def test_a_game_that_stands_in_the_files_twice_counts_once(standings: Run, tmp_path: Path) -> None:
    """Games without a round do not count as duplicates, nor do games with the same moves in another round."""
    game = '[Round "{}"]\n[White "A"]\n[Black "{}"]\n[Result "1-0"]\n\n{}1-0\n\n'
    games = [("1", "B", "1. e4 e5 "), ("1", "bye", ""), ("?", "bye", ""), ("2", "B", "1. e4 e5 "), ("1", "B", "1. d4 ")]
    text = "".join(game.format(*each) for each in games)
    (tmp_path / "t.pgn").write_text(text, encoding="ascii")
    (tmp_path / "u.pgn").write_text("\ufeff" + text.replace("\n", "\r\n"), encoding="utf-8", newline="")
    done = standings("t.pgn", "u.pgn", "--format", "csv")
    duplicates = "u.pgn: game 1 is a duplicate of t.pgn: game 1, and 3 more duplicates are left out"
    assert done.stderr == f"standstill: {duplicates}\n"
    assert [line.split(",")[1:3] for line in done.stdout.splitlines()[1:]] == [["A", "6"], ["B", "3"]]


def test_standings_of_one_event_of_several(standings: Run, tmp_path: Path) -> None:
    game = '[Event "{}"]\n[White "{}"]\n[Black "B"]\n[Result "1-0"]\n\n1. {} 1-0\n\n'
    games = [("Open", "A", "e4"), ("Blitz", "C", "e5"), ("Open", "D", "d4"), ("?", "E", "d4")]
    (tmp_path / "t.pgn").write_text("".join(game.format(*each) for each in games), encoding="ascii")
    done = standings("t.pgn", "--event", "Open", "--format", "html")
    assert (done.returncode, done.stderr) == (0, "") and "<h1>Open</h1>" in done.stdout  # no message about event Blitz
    assert re.findall(r'class="who">([A-E])<', done.stdout) == ["A", "D", "B"] * 2
    done = standings("t.pgn", "--format", "html")
    assert "games of 2 events are counted as one tournament" in done.stderr and "<h1>Standings</h1>" in done.stdout
    for names, title in (
        (("Cup 9 - Final", "Cup 9 - Round 1"), "Cup 9"),
        (("Cup 8 Final", "Cup 9 Final"), "Standings"),
        (("My Season 1", "My Season 2"), "Standings"),
        (("My Cup", "My Cup final"), "My Cup"),
    ):
        parts = [game.format(name, "A", "e4") for name in names]
        (tmp_path / "c.pgn").write_text("".join(parts), encoding="ascii")
        assert f"<h1>{title}</h1>" in standings("c.pgn", "--format", "html").stdout
    done = standings("t.pgn", "--event", "Open", "--event", "Blitz", "--format", "csv")
    assert "tournament" not in done.stderr and {line.split(",")[1] for line in done.stdout.splitlines()[1:]} >= {*"ABD"}
    done = standings("t.pgn", "--event", "Open", "--event", "Rapid")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "standstill: expected an event of the games ('Open', 'Blitz'), found 'Rapid'\n"


def test_a_game_that_its_last_move_ends_is_finished(standings: Run, tmp_path: Path) -> None:
    """Open results count too. Blanks around a name are ignored."""
    file = tmp_path / "open.pgn"
    mate, draw, unfinished = (("", FOOL), (TO_STALEMATE, "1. Kg6"), ("", "1. e4"))
    texts = [ODD.format(tag="*", more=more, moves=moves, behind="*") for more, moves in (mate, draw, unfinished)]
    file.write_text("".join([texts[0], texts[1].replace('"A"', '" A "'), texts[2]]), encoding="ascii")
    done = standings(file, "--format", "csv")
    assert done.stderr == "standstill: 1 unfinished game is left out\n"
    assert [line.split(",")[1:7] for line in done.stdout.splitlines()[1:]] == [
        ["B", "2", "1", "1", "0", "1.5"],
        ["A", "2", "0", "1", "1", "0.5"],
    ]


OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("t.csv.gz", b"Rank,Player"),
        ("t.md.xz", b"| Rank"),
        ("t.html.bz2", b"<!doctype html>"),
        ("t.txt", b" Rank  Player"),
    ],
)
def test_the_name_of_the_output_chooses_its_form(
    standings: Run, games: Path, tmp_path: Path, name: str, begin: bytes
) -> None:
    assert standings(games, "-o", name).returncode == 0
    with OPENERS.get(Path(name).suffix, open)(tmp_path / name, "rb") as stream:
        assert stream.read().startswith(begin)
    if name == "t.txt":
        assert (tmp_path / name).read_text(encoding="utf-8") == standings(games).stdout


@pytest.mark.parametrize("tag", ['[Variant "nobodys"]', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', '[Event "E"]'])
def test_a_game_that_cannot_be_read_counts_by_its_result(standings: Run, tmp_path: Path, tag: str) -> None:
    """The start position is unreadable, or a move cannot be played."""
    (tmp_path / "t.pgn").write_text(f'[White "A"]\n[Black "B"]\n[Result "1-0"]\n{tag}\n\n1. e4 e5 2. Ke3 1-0\n')
    done = standings("t.pgn", "--format", "csv")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1) and "game 1" in done.stderr
    assert [row["Points"] for row in csv.DictReader(done.stdout.splitlines())] == ["1", "0"]


def test_standings_of_games_by_a_definition_of_the_users(standings: Run, tmp_path: Path) -> None:
    """Knights that leap as camels, so that no other game has these moves."""
    written(tmp_path, block("Game: mine", knight="n:300 C")).rename(tmp_path / "mine.ini")
    (tmp_path / "t.pgn").write_text('[White "A"]\n[Black "B"]\n[Result "1-0"]\n[Variant "mine"]\n\n1. Nc4 e5 1-0\n')
    assert (done := standings("t.pgn")).returncode == 1 and "'mine'" in done.stderr
    done = standings("t.pgn", "--file", "mine.ini", "--goals")
    assert (done.returncode, done.stderr) == (0, "")
    assert standings("t.pgn", "--variant", "chess").returncode == 1
    before = (tmp_path / "mine.ini").read_bytes()
    assert standings("t.pgn", "--file", "mine.ini", "-o", "mine.ini").returncode == 2
    assert (tmp_path / "mine.ini").read_bytes() == before


def test_standings_of_files(standings: Run, games: Path, tmp_path: Path) -> None:
    done = standings(games)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()[1:]
    # Where six decimals look equal, the table shows that there are more, and CSV has them.
    shown, exact = "1.500000…", "1.500000000000000003"
    assert first.split() == ["1", "B", "3", "0", "3", "0", "1.5", "1.5", shown, "2.25", "0", "*", "==="]
    assert f",{exact}," in standings(games, "--format", "csv").stdout
    assert second.split()[:2] == ["2", "A"]
    assert standings(games, "-o", "table.html", "--title", "Mine").returncode == 0
    assert "<h1>Mine</h1>" in (tmp_path / "table.html").read_text(encoding="utf-8")
    assert standings(games, "--format", "csv").stdout.startswith("Rank,Player,")
    done = standings(games, "--title", "Mine")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--title needs --html" in done.stderr


def test_standings_name_what_they_could_not_read(standings: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.pgn").write_text(DAMAGED.replace('"*"', '"1-0"'), encoding="utf-8")
    done = standings("bad.pgn", games)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "standstill: bad.pgn: game 1, ply 3: illegal move 'Nf6'"
    assert standings("none.pgn", games).returncode == 2
    done = standings(games, "--order", "points,luck")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'luck'" in done.stderr


@pytest.mark.parametrize("seed", range(4))
def test_the_bars_of_the_report_grow_with_the_numbers_up_to_one_width(seed: int) -> None:
    """The most frequent goal has the widest bar, and each bar is as long as its share of that number, rounded up."""
    rng = random.Random(seed)
    goals = Counter({(side, 2 * goal): rng.choice([0, 1, 7, 40]) for goal in range(1, 12) for side in (0, 1)})
    goals[0, 50], goals[1, 50] = 1, 90 - 89 * (seed % 2)
    table = histogram(Summary(goals=+goals))
    names, white, black, bars = ([*column.cells] for column in table.columns)
    both = [int(one) + int(other) for one, other in zip(white, black, strict=True)]
    codes = sorted({code for _, code in +goals})
    assert names == [goal_text(code) for code in codes]
    assert white == [str(goals[0, code]) for code in codes]
    assert black == [str(goals[1, code]) for code in codes]
    widest = max(map(len, bars))
    assert widest == 30
    for number, bar in zip(both, bars, strict=True):
        assert set(bar) == {"#"}
        assert len(bar) - 1 < widest * number / max(both) <= len(bar)

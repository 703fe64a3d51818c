"""Puzzles compared with python-chess, the spacing with the published formula, and the file of the progress."""

from __future__ import annotations

import http.client
import io
import json
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from math import ceil
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.common.errors import StoreError
from standstill.engine.web.puzzles import checking
from standstill.engine.web.puzzles.deck import NEW_A_DAY, Choice, Deck
from standstill.engine.web.puzzles.finding import puzzles_of
from standstill.engine.web.puzzles.progress import Progress
from standstill.engine.web.puzzles.puzzle import FEWEST, MOVE, SIDE, Puzzle
from standstill.engine.web.puzzles.spacing import AT_ONCE, LEARNT_DAYS, Card, answered
from standstill.engine.web.study.library import Library
from tests import forked
from tests.uci.client import PATIENCE_S, clean_environment

from .conftest import Site, served

GAMES = Path(__file__).parent / "puzzles.pgn"
ANNA = 'Müller, "Anna"'
TODAY = date(2026, 5, 1)


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deck]:
    """The puzzles of the games, checked by short searches."""
    monkeypatch.setattr(checking, "NODES", 30_000)
    found = Deck(Library(str(GAMES)), Progress(tmp_path / "progress.sqlite"))
    found.refresh()
    yield found
    found.close()


def first(deck: Deck, kind: str) -> Puzzle:
    return deck.chosen(Choice(kinds=(kind,)))[0]


# ---- which puzzles are set ----


def code(board: chess.Board) -> int:
    """Twice the goal of a position, counted by python-chess."""
    return 2 * board.legal_moves.count() + (not board.is_check())


def codes(board: chess.Board) -> dict[str, int]:
    found = {}
    for move in board.legal_moves:
        board.push(move)
        found[move.uci()] = code(board)
        board.pop()
    return found


def test_fewest_moves_are_those_that_python_chess_counts() -> None:
    """Also in random games, one move leaves the opponent fewer moves than any other, and was not played."""
    raw = GAMES.read_bytes().split(b"\n\n[Event", 1)[0]
    found = puzzles_of(1, raw).puzzles
    puzzle = next(each for each in found if each.kind == FEWEST)
    counted = codes(chess.Board(puzzle.fen))
    least = min(counted.values())
    assert [move for move, value in counted.items() if value == least] == ["e7b4"]
    assert puzzle.played == "c6b5" and (puzzle.solver, puzzle.side) == ("<img src=x onerror=alert(1)>", "black")
    side = next(each for each in found if each.kind == SIDE)
    board = chess.Board(side.fen)
    own = min(codes(board).values())
    board.push(chess.Move.null())
    assert (own, min(codes(board).values())) == (6, 14)


def test_a_puzzle_is_the_same_whatever_the_game(deck: Deck) -> None:
    puzzle = first(deck, MOVE)
    other = GAMES.read_text("utf-8").replace("16. Qc3 $4", "16. Qb7 $2").replace("evening", "morning")
    [same] = [each for each in puzzles_of(9, other.split("\n\n[Event")[0].encode()).puzzles if each.kind == MOVE]
    assert same.id == puzzle.id and same.origin != puzzle.origin


def test_the_engine_decides_whether_a_move_makes_a_puzzle(deck: Deck) -> None:
    puzzle = first(deck, MOVE)
    assert puzzle.is_mistake and chess.Board(puzzle.fen).parse_san("Qc3").uci() == puzzle.played
    checked = deck.checked(puzzle)
    assert not checked.refused and [each.move for each in checked.solutions(puzzle)] == ["b3b8"]
    assert checked.lines[0].evaluation == "#2"
    again = Deck(deck.library, deck.progress)
    again.refresh()
    assert again.checked(puzzle) == checked and not again.is_open(puzzle)  # kept, without a search


def test_a_position_in_which_everything_wins_is_no_puzzle(deck: Deck) -> None:
    text = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/3QK2R w - - 0 1"]\n\n1. Kf1 $4 Ke7 *\n'
    [puzzle] = puzzles_of(1, text.encode()).puzzles
    assert deck.checked(puzzle).refused == "several moves are equally good"
    text = '[SetUp "1"]\n[FEN "7k/8/8/8/8/8/6q1/7K w - - 0 1"]\n\n1. Kxg2 $3 Kg7 *\n'
    [puzzle] = puzzles_of(1, text.encode()).puzzles
    assert deck.checked(puzzle).refused == "too few moves are legal"


def test_players_and_kinds_are_chosen(deck: Deck) -> None:
    assert deck.players()[0] == {"name": ANNA, "games": 2}

    def kinds(**choice: object) -> list[str]:
        return sorted(puzzle.kind for puzzle in deck.chosen(Choice(**choice)))

    assert kinds() == [FEWEST, FEWEST, MOVE, SIDE]
    assert kinds(player=ANNA) == [FEWEST, MOVE, SIDE]
    assert kinds(player=ANNA, whose="others") == [FEWEST, SIDE]
    assert kinds(player=ANNA, whose="both") == kinds()
    assert kinds(player="Brown, Carl") == []
    assert kinds(kinds=(SIDE,)) == [SIDE]


def test_a_game_without_evaluations_is_analysed_once(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "GAME_NODES", 300)
    assert deck.unjudged == [2]
    looked: list[int] = []
    open_before = Deck(deck.library, deck.progress)
    open_before.refresh()
    assert open_before.unjudged == [2]
    deck.analyse(2, lambda: looked.append(1))
    assert deck.unjudged == [] and len(looked) == deck.plies(2) == 11
    for other in (open_before, Deck(deck.library, deck.progress)):
        other.refresh()
        assert other.unjudged == []


# ---- when a puzzle comes again ----


def test_intervals_follow_the_published_formula() -> None:
    """SM-2: EF' = EF + (0.1 - (5 - q)(0.08 + (5 - q) 0.02)), at least 1.3; intervals 1, 6, I EF', rounded up."""
    card, today = Card(), TODAY
    easiness, days = 2.5, 0
    for number, quality in enumerate((5, 4, 3, 5, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3)):
        card = answered(card, quality, today)
        easiness = max(1.3, easiness + 0.1 - (5 - quality) * (0.08 + (5 - quality) * 0.02))
        days = (1, 6)[number] if number < 2 else min(3650, ceil(days * easiness))
        assert card.easiness == pytest.approx(easiness)
        assert (card.days, card.due, card.again) == (days, today + timedelta(days), quality < 4)
        today = card.due
    assert card.is_learnt and card.days >= LEARNT_DAYS


def test_a_failed_puzzle_begins_anew_and_comes_again_on_the_same_day() -> None:
    known = answered(answered(Card(), 5, TODAY), 5, TODAY + timedelta(1))
    later = known.due
    failed = answered(known, 2, later)
    assert (failed.repetitions, failed.days, failed.again) == (0, 1, True) and failed.easiness == known.easiness
    solved = answered(failed, 5, later)
    assert (solved.again, solved.due, solved.easiness) == (False, later + timedelta(1), failed.easiness)
    early = answered(solved, 1, later)  # practice before the puzzle is due is only counted
    assert (early.due, early.days, early.seen) == (solved.due, solved.days, solved.seen + 1)


def test_what_is_due_comes_first_then_new_ones_then_those_that_failed_today(deck: Deck) -> None:
    choice, progress = Choice(kinds=(FEWEST, SIDE), player=ANNA), deck.progress
    one, other = deck.chosen(choice)
    assert deck.next(choice, TODAY).puzzle == one
    assert deck.next(choice, TODAY, (one.id,)).puzzle == other
    progress.answer(one.id, 2, TODAY)
    assert deck.next(choice, TODAY).puzzle == other
    progress.answer(other.id, AT_ONCE, TODAY)
    assert deck.next(choice, TODAY).puzzle == one
    progress.answer(one.id, AT_ONCE, TODAY)
    assert deck.next(choice, TODAY).puzzle is None
    assert deck.next(choice, TODAY, extra=True).puzzle is not None
    assert deck.next(choice, TODAY + timedelta(1)).puzzle in (one, other)
    overview = deck.overview(choice, TODAY)
    assert (overview["learning"], overview["new"], overview["due"]) == (2, 0, 0)
    assert overview["today"] == {"seen": 3, "solved": 2} and overview["coming"][1]["count"] == 2


def test_a_dropped_puzzle_never_comes_again(deck: Deck) -> None:
    puzzle = first(deck, SIDE)
    deck.progress.answer(puzzle.id, 2, TODAY)
    deck.progress.drop(puzzle.id, is_dropped=True)
    choice = Choice(kinds=(SIDE,))
    assert deck.chosen(choice) == [] and deck.next(choice, TODAY, extra=True).puzzle is None
    deck.progress.drop(puzzle.id, is_dropped=False)
    assert deck.next(choice, TODAY).puzzle == puzzle


def test_only_so_many_new_puzzles_are_begun_on_a_day(deck: Deck) -> None:
    for number in range(NEW_A_DAY):
        deck.progress.answer(f"another {number}", AT_ONCE, TODAY)
    assert deck.next(Choice(), TODAY).puzzle is None
    assert deck.next(Choice(kinds=(SIDE,)), TODAY + timedelta(1)).puzzle == first(deck, SIDE)


# ---- the file of the progress ----


def test_answers_of_several_programs_are_all_counted(tmp_path: Path) -> None:
    path = tmp_path / "new" / "progress.sqlite"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: Progress(path).answer("a", AT_ONCE, TODAY), range(20)))
    assert Progress(path).cards()["a"].seen == 20 and Progress(path).day(TODAY) == (1, 20, 20)


def test_only_its_owner_reads_the_progress(tmp_path: Path) -> None:
    path = tmp_path / "new" / "progress.sqlite"
    Progress(path).answer("a", AT_ONCE, TODAY)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert os.listdir(path.parent) == ["progress.sqlite"]


def test_a_file_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "progress.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE other (x)")
    kept = path.read_bytes()
    with pytest.raises(StoreError, match="found another program's file"):
        Progress(path).answer("a", AT_ONCE, TODAY)
    assert path.read_bytes() == kept
    path.unlink()
    Progress(path).answer("a", AT_ONCE, TODAY)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 9")
    with pytest.raises(StoreError, match="written by a newer version"):
        Progress(path).cards()
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 1")
        file.execute("UPDATE card SET due = 'soon'")
    with pytest.raises(StoreError, match=r"is damaged .* move the file away to start over"):
        Progress(path).cards()


# ---- files of puzzles ----


@pytest.fixture
def run(executable: Path, tmp_path: Path):
    environment = clean_environment() | {"STANDSTILL_PUZZLES": str(tmp_path / "p.sqlite")}

    def call(*words: object):
        command = [executable, "puzzles", *words]
        return forked.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, env=environment)

    return call


def test_puzzles_are_written_as_epd_and_pgn(run, tmp_path: Path) -> None:
    done = run(GAMES, "-o", "out.EPD", "-o", "-")
    assert (done.returncode, done.stderr.splitlines()) == (
        0,
        [
            "standstill: left out: game 3 cannot be read: illegal move 'Ke3'",
            "standstill: 1 game without evaluations: --analyse finds the moves in them",
            "4 puzzles from 2 games",
        ],
    )
    read = {}
    for line in (tmp_path / "out.EPD").read_text("utf-8").splitlines():
        board, operations = chess.Board.from_epd(line)
        read[operations["id"]] = board, operations
        assert operations["c0"].startswith("Müller, 'Anna' - <img src=x onerror=alert(1)>, Club <b>")
    assert len(read) == 4
    [(board, best)] = [each for each in read.values() if "dm" in each[1]]
    assert [board.san(move) for move in best["bm"]] == ["Qb8+"] and best["dm"] == 2
    assert [board.san(move) for move in best["am"]] == ["Qc3"]
    for move in best["pv"]:
        assert board.is_legal(move)
        board.push(move)
    assert board.is_checkmate()
    games = []
    file = io.StringIO(done.stdout)
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors and game.headers["White"] == ANNA.replace('"', '\\"') and game.headers["SetUp"] == "1"
        games.append(game)
    assert [len(game.variations) for game in games] == [1, 0, 2, 1]
    solution, played = games[2].variations
    assert (solution.san(), played.san(), played.nags) == ("Qb8+", "Qc3", {6})
    assert "Find the best move for White." in games[2].comment
    assert all(len(line) < 80 for line in done.stdout.split("\n\n")[1].splitlines())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((GAMES, "--player", "X"), "expected -o FILE with --player: without it the page opens, and you choose there"),
        ((GAMES, "-o", "-", "--player", "X"), "expected --player with a player of .*puzzles.pgn, found 'X'"),
        (("none.pgn", "-o", "-"), "cannot read 'none.pgn': No such file or directory"),
        (("none.pgn",), "cannot read 'none.pgn': No such file or directory"),
        ((GAMES, "-o", "none/x"), "cannot write 'none/x': No such file or directory"),
        ((GAMES, "-o", "x", "-o", "./x"), r"cannot write './x': -o ./x and -o x are the same file"),
    ],
)
def test_bad_input_is_one_line(run, words: tuple, expected: str) -> None:
    done = run(*words)
    assert done.returncode == 2 and not done.stdout
    assert re.fullmatch(rf"standstill: .*{expected}\n", done.stderr), done.stderr


def test_a_damaged_progress_is_one_line(run, tmp_path: Path) -> None:
    (tmp_path / "p.sqlite").write_bytes(b"no database " * 400)
    done = run(GAMES, "--epd", "-o", "-")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "p.sqlite: the progress of puzzles is damaged (file is not a database); move the file away" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="no named pipes")
@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_the_progress_is_no_folder_or_pipe(run, tmp_path: Path, kind: str) -> None:
    """SQLite would wait for a pipe without end."""
    path = tmp_path / "p.sqlite"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    done = run(GAMES, "-o", "-")
    told = f"standstill: {path}: expected the progress of puzzles, found a folder, pipe or device\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)
    for use in (Progress(path).cards, lambda: Progress(path).answer("a", 5, TODAY)):
        with pytest.raises(StoreError, match="found a folder, pipe or device"):
            use()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "no game"),
        ("\n\n", "no game"),
        ("1. e4 Ke2 *\n", "1 unreadable"),
        ('[Variant "Unheard"]\n\n*\n\n[FEN "8"]\n\n1. e4 *\n', "2 unreadable"),
    ],
)
def test_a_file_without_a_readable_game_is_refused(run, tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / "games.pgn").write_text(text)
    done = run("games.pgn", "-o", "out.pgn")
    told = f"standstill: expected a game that can be read in games.pgn, found {found}"
    *reasons, last = done.stderr.splitlines()
    assert (done.returncode, done.stdout, last) == (2, "", told)
    assert len(reasons) == (int(found[0]) if found[0].isdigit() else 0)
    assert all(line.startswith("standstill: left out: game ") for line in reasons)
    assert not (tmp_path / "out.pgn").exists()


# ---- the server ----


@pytest.fixture(scope="module")
def trainer(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    progress = tmp_path_factory.mktemp("puzzles") / "p.sqlite"
    with served(executable, GAMES, command="puzzles", variables={"STANDSTILL_PUZZLES": str(progress)}) as found:
        yield found


def test_no_answer_is_given_away(trainer: Site) -> None:
    for kind in (MOVE, FEWEST, SIDE):
        puzzle = trainer.post("/api/puzzles/next", {"kinds": [kind]})["puzzle"]
        assert puzzle["kind"] == kind
        assert {(move["goal"], move["sets"]) for move in puzzle["legal"]} == {("", False)}
        board = chess.Board(puzzle["fen"])
        assert {move["move"] for move in puzzle["legal"]} == {move.uci() for move in board.legal_moves}


def test_answers_are_judged(trainer: Site) -> None:
    puzzle = trainer.post("/api/puzzles/next", {"kinds": [MOVE]})["puzzle"]

    def answer(move: str, tries: int = 0) -> dict:
        return trainer.post("/api/puzzles/answer", {"id": puzzle["id"], "answer": move, "tries": tries})

    wrong = answer("b3c3")
    assert wrong["verdict"] == "wrong" and "lines" not in wrong and "Qb8" not in str(wrong)
    assert wrong["words"].startswith("Qc3 loses ") and "It was the move of the game." in wrong["words"]
    assert wrong["comes"] == "It comes again today."
    right = answer("b3b8", 1)
    assert right["verdict"] == "right" and "comes" not in right
    assert [node["san"] for node in right["lines"][0]["nodes"]] == ["Qb8+", "Nxb8", "Rd8#"]
    assert right["lines"][1]["sign"] == "?!" and right["game_words"].startswith(f"In the game {ANNA} played Qc3?!.")
    assert trainer.post("/api/puzzles/hint", {"id": puzzle["id"]}) == {"from": "b3"}


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("answer", {"id": "none"}, "id: expected a puzzle of this file, found 'none'"),
        ("answer", {"id": 5}, "id: expected a text, found 5"),
        ("next", {"kinds": ["x"]}, "kinds: expected move, fewest, side, found 'x'"),
        ("next", {"level": "x"}, "level: expected easy, medium, hard, found 'x'"),
        ("next", {"player": "x", "whose": "y"}, "whose: expected one of own, others, both, found 'y'"),
        ("export", {"format": "x"}, "format: expected one of epd, pgn, found 'x'"),
    ],
)
def test_wrong_requests_are_refused(trainer: Site, path: str, body: dict, expected: str) -> None:
    assert trainer.post(f"/api/puzzles/{path}", body, 400) == {"error": expected}


def test_wrong_moves_are_refused(trainer: Site) -> None:
    puzzle = trainer.post("/api/puzzles/next", {"kinds": [FEWEST]})["puzzle"]
    for move in ("e7e2", "x", "--"):
        assert "error" in trainer.post("/api/puzzles/answer", {"id": puzzle["id"], "answer": move}, 400)


def test_the_counts_of_an_answer_are_those_of_python_chess(trainer: Site) -> None:
    puzzle = trainer.post("/api/puzzles/next", {"kinds": [FEWEST]})["puzzle"]
    judged = trainer.post("/api/puzzles/answer", {"id": puzzle["id"], "answer": "e7b4"})
    assert judged["verdict"] == "right" and judged["comes"] == "It comes again tomorrow."
    counted = codes(chess.Board(puzzle["fen"]))
    assert {move["move"]: 2 * float(move["goal"].lstrip("-G")) for move in judged["legal"]} == counted
    assert judged["words"] == "Qb4+ leaves 8 legal moves and gives check (G8.0). No move leaves fewer."


def test_a_wrong_side_ends_the_puzzle(trainer: Site) -> None:
    puzzle = trainer.post("/api/puzzles/next", {"kinds": [SIDE]})["puzzle"]
    judged = trainer.post("/api/puzzles/answer", {"id": puzzle["id"], "answer": "black"})
    assert judged["verdict"] == "wrong" and judged["over"] and judged["words"].startswith("White can leave fewer: ")
    refused = trainer.post("/api/puzzles/answer", {"id": puzzle["id"], "answer": "b"}, 400)
    assert refused == {"error": "answer: expected white or black, found 'b'"}


def test_work_ends_with_its_page(trainer: Site) -> None:
    """After a page is closed, the program accepts other work when the current step has ended, and can exit at once."""
    connection = http.client.HTTPConnection("127.0.0.1", trainer.port, timeout=PATIENCE_S)
    headers = {"Authorization": f"Bearer {trainer.token}", "Content-Type": "application/json"}
    connection.request("POST", "/api/puzzles/work", json.dumps({"analyse": True}), headers)
    response = connection.getresponse()
    assert response.readline() == b"event: step\n"
    assert json.loads(response.readline().removeprefix(b"data: ")) == {"what": "games", "done": 0, "of": 1}
    assert trainer.post("/api/puzzles/work", {}, 409)["error"].startswith("expected one analysis at a time")
    response.close()
    connection.close()
    while trainer.ask("POST", "/api/puzzles/work", {"kinds": [FEWEST]})[0] == 409:
        time.sleep(0.05)
    assert trainer.get("/api/puzzles")["unjudged"] == 1


def test_export_on_the_page_is_that_of_the_command(trainer: Site) -> None:
    text = trainer.post("/api/puzzles/export", {"kinds": [FEWEST], "format": "pgn"})["text"]
    game = chess.pgn.read_game(io.StringIO(text))
    assert [node.san() for node in game.mainline()] == ["Qb4+"]

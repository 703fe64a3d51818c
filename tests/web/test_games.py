"""Games on the server, compared with python-chess: positions, moves, records, results, PGN, engine moves, events."""

from __future__ import annotations

import http.client
import io
import json
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.pgn
import pytest

from standstill.engine.web import verdict
from standstill.engine.web.chess960 import start_fen
from standstill.engine.web.positions import beaten_by
from tests.uci.client import PATIENCE_S

from .conftest import Site

ENGINE = {"engine": True, "level": 700}


def wait_for(site: Site, game: dict, fits: Callable[[dict], bool]) -> dict:
    """Return the game as soon as ``fits`` accepts it."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = site.get(f"/api/games/{game['id']}")
        if fits(found):
            return found
        time.sleep(0.02)
    raise AssertionError(found)


def act(site: Site, game: dict, action: str, expected: int = 200, **given: object) -> dict:
    return site.post(f"/api/games/{game['id']}/{action}", given, expected)


def test_chess960_positions_have_their_numbers() -> None:
    for number in range(960):
        assert chess.Board(start_fen(number), chess960=True) == chess.Board.from_chess960_pos(number)


@pytest.mark.parametrize("code", range(60))
def test_what_beats_a_record_is_every_lower_goal(code: int) -> None:
    """The text gives the largest number of moves with check, and the largest without, for which the goal is lower."""
    quiet = [moves for moves in range(code) if 2 * moves + 1 < code]
    checked = [moves for moves in range(code) if 2 * moves < code]
    text = beaten_by(code)
    numbers = [int(word) for word in text.replace(",", "").split() if word.isdigit()]
    if code <= 1:
        assert numbers == []
    elif max(quiet, default=0) == 0:
        assert numbers == ([max(checked)] if max(checked) else [])
    else:
        assert numbers == sorted({max(quiet), max(checked)})


def naive_records(board: chess.Board, moves: list[chess.Move]) -> list[str]:
    """The record after each move, from the rules of docs/rmobility.md."""
    board, record, found = board.copy(), None, []
    for ply in range(len(moves) + 1):
        code = 2 * board.legal_moves.count() + (not board.is_check())
        if ply == 0 or board.halfmove_clock == 0 or code < record[0]:
            record = code, "" if board.turn == chess.BLACK else "-"
        found.append(f"{record[1]}G{record[0] // 2}.{5 * (record[0] % 2)}")
        if ply < len(moves):
            board.push(moves[ply])
    return found


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", [None, 0, 518, 959])
def test_a_game_is_that_of_python_chess(site: Site, number: int | None) -> None:
    rng = random.Random(number)
    setup = {} if number is None else {"game": "chess960", "number": number}
    board = chess.Board() if number is None else chess.Board.from_chess960_pos(number)
    first, game = board.copy(), site.begin(**setup)
    for _ in range(60):
        view = site.get(f"/api/games/{game['id']}")
        legal = {board.uci(move): board.san(move) for move in board.legal_moves}
        assert {each["move"]: each["san"] for each in view["legal"]} == legal
        if not legal:
            break
        move = rng.choice(list(board.legal_moves))
        act(site, game, "move", move=rng.choice([board.uci(move), board.san(move)]))
        board.push(move)
    view = site.get(f"/api/games/{game['id']}")
    records = [step["record"] for step in (view["first"], *view["plies"])]
    assert records == naive_records(first, board.move_stack)
    assert chess.Board(view["plies"][-1]["fen"], chess960=number is not None).board_fen() == board.board_fen()
    status, text = site.ask("GET", f"/api/games/{game['id']}/pgn")
    read = chess.pgn.read_game(io.StringIO(text))
    assert status == 200 and read.errors == [] and list(read.mainline_moves()) == board.move_stack
    assert read.board() == first


@pytest.mark.parametrize(
    ("moves", "headline", "reason"),
    [
        ("f2f3 e7e5 g2g4 d8h4", "Black wins", "Black mates."),
        ("b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8", "Draw", "Threefold repetition."),
    ],
)
def test_the_end(site: Site, moves: str, headline: str, reason: str) -> None:
    game = site.begin()
    for move in moves.split():
        act(site, game, "move", move=move)
    view = site.get(f"/api/games/{game['id']}")
    assert (view["end"]["headline"], view["end"]["reason"], view["legal"]) == (headline, reason, [])
    assert "the game is over" in act(site, game, "move", 409, move="a2a3")["error"]
    act(site, game, "back")
    assert site.get(f"/api/games/{game['id']}")["end"] is None


@pytest.mark.parametrize(
    ("mode", "komi", "headline", "points"),
    [
        ("Tiebreak", "none", "Draw", "0.250000 - 0.750000"),
        ("Points", "none", "Draw", "0.250000 - 0.750000"),
        ("Decisive", "none", "Black wins", "0.000000 - 1.000000"),
        ("Decisive", "G3.75", "Black wins", "0.000000 - 1.000000"),
        ("Decisive", "-G0.25", "White wins", "1.000000 - 0.000000"),
        ("Off", "none", "Draw", None),
    ],
)
def test_a_stalemate_is_worth_what_the_mode_says(site: Site, mode: str, komi: str, headline: str, points: str) -> None:
    game = site.begin(fen="8/8/8/8/8/5k2/5p2/5K2 b - - 0 1", mode=mode, komi=komi)
    act(site, game, "move", move="Ke3")
    act(site, game, "move", move="Kg2")
    act(site, game, "back")
    act(site, game, "back")
    game = site.begin(fen="8/8/8/8/8/4k3/5p2/5K2 b - - 0 1", mode=mode, komi=komi)
    act(site, game, "move", move="Kf3")
    end = site.get(f"/api/games/{game['id']}")["end"]
    assert (end["headline"], end["reason"], end["result"]) == (headline, "Stalemate.", "1/2-1/2")
    tags = chess.pgn.read_game(io.StringIO(site.ask("GET", f"/api/games/{game['id']}/pgn")[1])).headers
    won = {"Black wins": "0-1", "White wins": "1-0"}[headline] if komi != "none" else "1/2-1/2"
    assert (tags.get("RMobilityPoints"), tags["Result"]) == (points, won)
    assert (tags["Termination"], tags.get("Komi", "none")) == (
        f"stalemate, komi {komi}".removesuffix(", komi none"),
        komi,
    )


def test_moves_that_beat_the_record_are_named(site: Site) -> None:
    """Each legal move has its goal, and whether it lowers the record without a reset; compared with python-chess."""
    rng, beating = random.Random(5), 0
    for _ in range(6):
        board = chess.Board()
        for _ in range(rng.randrange(20, 60)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        moves = [move.uci() for move in board.move_stack]
        view = site.begin(moves=moves)
        record = naive_records(chess.Board(), board.move_stack)[-1].lstrip("-G")
        for each in view["legal"]:
            board.push_uci(each["move"])
            code = 2 * board.legal_moves.count() + (not board.is_check())
            beats = board.halfmove_clock > 0 and code < 2 * float(record)
            assert each["goal"].lstrip("-G") == f"{code // 2}.{5 * (code % 2)}"
            assert (each["sets"], each["resets"]) == (beats, board.halfmove_clock == 0), each
            beating += beats
            board.pop()
    assert beating > 10


@pytest.mark.parametrize(("mode", "ends"), [("Tiebreak", True), ("Off", True), ("Decisive", False)])
def test_bare_kings_play_on_where_the_record_decides(site: Site, mode: str, ends: bool) -> None:
    """Holds for the form's preview and for the game."""
    setup = {"fen": "8/8/8/3K1k2/8/8/8/8 w - - 0 1", "mode": mode}
    assert (site.post("/api/preview", setup)["end"] is not None) == ends
    assert (site.begin(**setup)["end"] is not None) == ends


def test_illegal_moves_change_nothing(site: Site) -> None:
    game = site.begin()
    for move in ("e2e5", "Ke2", "", "x" * 500, "0000", "e9e4", "\u265a", "--"):
        assert act(site, game, "move", 400, move=move)["error"]
    assert site.get(f"/api/games/{game['id']}")["plies"] == []


def test_the_engine_answers_and_moves_are_taken_back(site: Site) -> None:
    game = site.begin(black=ENGINE)
    act(site, game, "move", move="e4")
    view = wait_for(site, game, lambda found: len(found["plies"]) == 2)
    assert view["turn"] == "white" and len(view["legal"]) > 10
    act(site, game, "back")
    assert site.get(f"/api/games/{game['id']}")["plies"] == []
    act(site, game, "swap")  # the engine now has White and moves first
    view = wait_for(site, game, lambda found: len(found["plies"]) == 1)
    assert [player["engine"] for player in view["players"]] == [True, False]
    act(site, game, "move", move=view["legal"][0]["move"])
    act(site, game, "resign")
    assert wait_for(site, game, lambda found: found["end"])["end"]["headline"] == "White wins"


def test_a_hint_is_a_legal_move(site: Site) -> None:
    game = site.begin(fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", black=ENGINE)
    found = act(site, game, "hint")
    assert (found["move"], found["pv"][0], found["result"]) == ("a1a8", "Ra8#", 1.0)


def test_a_hint_ends_with_its_position(site: Site) -> None:
    """Moves during the search of a hint stop it; its lines would also be legal after these two."""
    game = site.begin()
    with ThreadPoolExecutor() as pool:
        hint = pool.submit(act, site, game, "hint")
        wait_for(site, game, lambda found: found["line"])
        for move in ("a3", "a6"):
            act(site, game, "move", move=move)
        assert hint.result() is None
    assert site.get(f"/api/games/{game['id']}")["line"] is None


def test_draws_are_offered_where_draws_exist(site: Site) -> None:
    lost = "6k1/5ppp/8/8/8/8/5PPP/q5K1 w - - 0 1"
    for mode, accepts in (("Tiebreak", False), ("Decisive", False)):
        game = site.begin(fen="4k3/8/8/8/8/8/4q3/7K w - - 0 1", black=ENGINE, mode=mode)
        assert act(site, game, "draw") == {"accepted": accepts}
    game = site.begin(fen=lost.replace("q", "Q"), black=ENGINE)
    act(site, game, "move", move="Qa8#")
    assert act(site, game, "draw", 409)["error"]
    game = site.begin()
    assert act(site, game, "draw") == {"accepted": True}
    assert site.get(f"/api/games/{game['id']}")["end"]["reason"] == "Agreement."


@pytest.mark.parametrize(
    ("fen", "side", "result"),
    [("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", 1, "1-0"), ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", 0, "1/2-1/2")],
)
def test_time_is_lost_to_a_side_that_can_mate(fen: str, side: int, result: str) -> None:
    from standstill.engine.variants.boards import new_board

    assert verdict.on_time(new_board(fen), side).result == result


def test_time_runs_out(site: Site) -> None:
    game = site.begin(clock={"base": 60, "increment": 0})
    act(site, game, "move", move="e4")
    end = wait_for(site, game, lambda found: found["end"])["end"]
    assert (end["headline"], end["reason"]) == ("White wins", "Black's time is up.")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", ["capablanca", "seirawan", "spartan", "grand", "courier", "grande-acedrex", "3check", "atomic"]
)
def test_games_of_the_catalogue(site: Site, name: str) -> None:
    """A watched game of the engine against itself stops when no page listens, and can be resumed."""
    game = site.begin(game=name, white=ENGINE, black=ENGINE)
    letters = {letter for letter in game["first"]["fen"].split()[0] if letter.isalpha()}
    assert letters <= set(game["game"]["pictures"])
    for kind, event in events(site, game):
        if kind == "game" and len(event["plies"]) >= 2:
            break
    moves = [ply["move"] for ply in event["plies"]]
    again = site.begin(game=name, moves=moves)
    assert [ply["san"] for ply in again["plies"]] == [ply["san"] for ply in event["plies"]]
    assert f'[Variant "{name}"]' in site.ask("GET", f"/api/games/{again['id']}/pgn")[1]


def test_a_file_of_definitions(site: Site) -> None:
    from standstill.engine.variants.catalog import OWN_FILE

    with open(OWN_FILE, encoding="utf-8") as file:
        text = file.read()
    game = site.begin(game="gothic", definition=text)
    assert (game["game"]["width"], game["game"]["name"]) == (10, "gothic")
    faulty = {"game": "x", "definition": "version 4.8(w)\nGame: x\n9\n"}
    assert site.post("/api/games", faulty, 400)["error"].startswith("the file:2:1: expected ")


def events(site: Site, game: dict, *, watching: bool = False) -> Iterator[tuple[str, dict]]:
    """The events of a game; closing the generator breaks the connection. watching: the page shows evaluations."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    path = f"/api/games/{game['id']}/events?watching={json.dumps(watching)}"
    connection.request("GET", path, headers={"Authorization": f"Bearer {site.token}"})
    response = connection.getresponse()
    assert response.getheader("Content-Type").startswith("text/event-stream")
    kind = ""
    try:
        while line := response.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                yield kind, json.loads(value)
    finally:
        response.close()
        connection.close()


def test_every_open_page_sees_the_game(site: Site) -> None:
    game = site.begin(black=ENGINE)
    pages = [events(site, game, watching=page == 0) for page in range(3)]
    assert [next(page)[0] for page in pages] == ["game"] * 3
    pages.pop().close()  # closes a tab
    act(site, game, "move", move="d4")
    for page in pages:
        kinds = set()
        for kind, event in page:
            kinds.add(kind)
            if kind == "game" and len(event["plies"]) == 2:
                break
        assert "game" in kinds
    for page in pages:
        assert next(event for kind, event in page if kind == "line")["rank"] == 1
        page.close()


def test_the_number_of_games_and_of_pages_is_limited(site: Site) -> None:
    first = site.begin()
    pages = [events(site, first) for _ in range(16)]
    for page in pages:
        next(page)
    assert "too many pages" in site.ask("GET", f"/api/games/{first['id']}/events")[1]
    others = [site.begin() for _ in range(13)]
    assert site.ask("GET", f"/api/games/{others[0]['id']}")[0] == 404  # dropped, while the watched first game stays
    assert site.ask("GET", f"/api/games/{first['id']}")[0] == 200
    for page in pages:
        page.close()


def test_moves_of_two_pages_at_once(site: Site) -> None:
    """Only one of two moves for the same position is played."""
    game = site.begin(black=ENGINE)
    connections = [http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S) for _ in range(8)]
    headers = {"Authorization": f"Bearer {site.token}", "Content-Type": "application/json"}
    for connection, move in zip(connections, ("e4", "d4") * 4, strict=True):
        connection.request("POST", f"/api/games/{game['id']}/move", json.dumps({"move": move}), headers)
    statuses = [connection.getresponse().status for connection in connections]
    assert statuses.count(200) >= 1 and set(statuses) <= {200, 400, 409}
    view = wait_for(site, game, lambda found: found["turn"] == "white")
    board = chess.Board()
    for ply in view["plies"]:
        board.push_san(ply["san"])


def test_a_game_that_two_pages_restore_is_one_game(site: Site) -> None:
    """Each page restores it from its moves after a restart of the program; the later page joins the earlier one."""
    setup = {"game": "chess", "players": [{"engine": False}, {"engine": False}], "moves": ["e2e4"], "restores": "old"}
    first = site.post("/api/games", setup, 201)
    assert site.post("/api/games", setup | {"moves": []}, 201)["id"] == first["id"] == site.get("/api/games/old")["id"]
    for other in ({}, {"restores": ""}, {"restores": "older"}):
        assert site.post("/api/games", {**setup, "restores": "", **other}, 201)["id"] != first["id"]

"""The games in Study compared with python-chess and the relevance model, and the live analysis."""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.common.limits import Limits
from standstill.engine.play.session import Session
from standstill.engine.relevance.model import result
from standstill.engine.web.setup import read_setup
from standstill.engine.web.study.library import Library
from standstill.engine.web.study.routes import StudyPage
from standstill.engine.web.study.score import study
from standstill.engine.web.study.survey import Survey
from standstill.engine.web.thinking import Thinker
from tests import forked
from tests.uci.client import PATIENCE_S

from .conftest import Site, served

GAMES = Path(__file__).parent / "games.pgn"


@pytest.fixture(scope="module")
def desk(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run `standstill study` on a copy of the games."""
    pytest.importorskip("uvicorn")
    copy = tmp_path_factory.mktemp("study") / "games.pgn"
    copy.write_bytes(GAMES.read_bytes())
    with served(executable, copy, command="study") as found:
        found.file = copy
        yield found


def test_the_list_and_its_filter(desk: Site) -> None:
    listed = desk.get("/api/study")
    assert (listed["file"], listed["total"], [game["number"] for game in listed["games"]]) == (
        str(desk.file),
        4,
        [1, 2, 3, 4],
    )
    assert listed["games"][0]["white"] == 'Müller, "Anna"'
    assert [game["number"] for game in desk.get("/api/study?text=m%C3%BCller+1-0")["games"]] == [1]
    assert desk.get("/api/study?text=nothing")["found"] == 0


def test_the_filter_finds_results_after_the_moves(tmp_path: Path) -> None:
    """A game without a result in its tags has the result after its moves, as in python-chess and on its page."""
    tags = ("", '[Result "*"]\n', '[White "A"]\n', '[Result "1-0"]\n', '[Result "?"]\n')
    ends = ("1-0", "0-1 ; he resigned", "1/2-1/2", "*", "{0-1 was near} *", "")
    texts = [f"{tag}\n1. e4 e5 {end}\n\n" for tag in tags for end in ends]
    file = tmp_path / "games.pgn"
    file.write_text("\n".join(texts))
    library = Library(str(file))
    library.refresh()
    expected: dict[str, list[int]] = {}
    for number, text in enumerate(texts, 1):
        headers = chess.pgn.read_game(io.StringIO(text.replace('"?"', '"*"'))).headers
        expected.setdefault(headers["Result"], []).append(number)
    assert len(expected) == 4
    for outcome, numbers in expected.items():
        listed = library.find("", outcome=outcome)["games"]
        assert [game["number"] for game in listed] == numbers
        assert {game["result"] for game in listed} == {outcome}
        assert {study(number, library.game(number))["result"] for number in numbers} == {outcome}


def tree_of_python_chess() -> set[tuple[str, str, str, tuple[int, ...]]]:
    """(position before, move, comment, symbols) of each move of the first game, including variations."""
    with GAMES.open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    found, waiting = set(), [game]
    while waiting:
        node = waiting.pop()
        waiting += node.variations
        if node.parent is not None:
            comment = " ".join(re.sub(r"\[%\w+ [^\]]*\]", " ", node.comment).split())
            found.add((node.parent.board().fen(), node.san(), comment, tuple(sorted(node.nags))))
    return found


def test_the_tree_is_that_of_python_chess(desk: Site) -> None:
    """Moves, comments, symbols and variations at any depth, as in the file."""
    from standstill.engine.relevance.nags import nag_of

    nodes = desk.get("/api/study/1")["nodes"]
    found = {
        (
            nodes[node["parent"]]["fen"],
            node["san"],
            node.get("comment", ""),
            tuple(sorted(map(nag_of, node.get("signs", [])))),
        )
        for node in nodes[1:]
    }
    assert found == tree_of_python_chess()
    assert all(node["parent"] < index for index, node in enumerate(nodes))
    assert nodes[0]["comment"] == "A lead comment." and nodes[0]["arrows"] == [
        {"from": "e4", "to": "e4", "kind": "better"}
    ]
    assert [arrow["kind"] for arrow in nodes[1]["arrows"]] == ["better", "worse"]
    assert [node["before"] for node in nodes if "before" in node] == ["or"]


def test_evaluations_and_key_moments(desk: Site) -> None:
    study = desk.get("/api/study/1")
    pawns = [None, 0.3, 0.25, 0.2, 3.1, 3.2, 5.0, 5.1]
    for judged, value in zip(study["judged"], pawns, strict=True):
        assert (judged is None) == (value is None)
        if judged:
            assert judged["result"] == pytest.approx(result(value, study["x05"]))
    (moment,) = study["moments"]
    assert (moment["move"], moment["better"], moment["sign"]) == ("2... Qh4", "Nc6", "??")
    assert moment["before"] == pytest.approx(result(0.2, study["x05"]))
    assert [player["name"] for player in study["players"]] == ['Müller, "Anna"', "<img src=x onerror=alert(1)>"]


def test_the_symbols_follow_x05_and_schemes(desk: Site) -> None:
    """The evaluations are judged again; the text of the game stays."""
    game = desk.get("/api/study/1")
    found = desk.post("/api/study/view", {"number": 1, "text": game["text"], "x05": 2.0, "positions": "1/9"})
    assert found["judged"][4]["result"] == pytest.approx(result(3.1, 2.0)) and found["text"] == game["text"]
    assert found["bands"] == [pytest.approx(0.5 + edge / 18) for edge in (-7, -5, -3, -1, 1, 3, 5, 7)]
    for faulty in ({"x05": 0}, {"x05": "1"}, {"positions": "x"}, {"text": "\u2654"}):
        assert desk.ask("POST", "/api/study/view", {"text": game["text"], **faulty})[0] == 400


@pytest.mark.parametrize("kind", ["tags", "comment"])
def test_an_edit_leaves_the_page_at_its_move(desk: Site, kind: str) -> None:
    """The page shows the move at which the user was, in the main line and in variations."""
    game = desk.get("/api/study/1")
    for at in range(1, len(game["nodes"])):
        edit = {"kind": kind, "at": at, "words": "new", "white": "New", "result": "1-0"}
        found = desk.post("/api/study/view", {"number": 1, "text": game["text"], "edit": edit})
        assert found["at"] == at and found["text"] != game["text"]
        assert [node["fen"] for node in found["nodes"]] == [node["fen"] for node in game["nodes"]]


def test_two_engines_of_a_match_have_a_curve_each(desk: Site) -> None:
    text = '[White "Alpha"]\n[Black "Beta"]\n\n1. e4 {+0.30/12 1.0s} e5 {-0.80/12 1.0s} *\n'
    assert desk.post("/api/study/view", {"text": text})["judges"] == ["Alpha", "Beta"]
    assert desk.get("/api/study/1")["judges"] == []


MATCH = """[White "A"]
[Black "B"]
[Result "1-0"]
[Annotator "Stockfish 16, x05 1.00"]

1. e4 {[%eval 0.30]} e5 {[%eval 0.30]} 2. Nf3 {[%eval 0.30]} f6 {[%eval 2.00]} 1-0

[White "B"]
[Black "A"]
[Result "1/2-1/2"]
[Annotator "Stockfish 16, x05 1.00"]

1. e4 {[%eval 0.30]} c5 {[%eval 0.30]} 2. Ke2 {[%eval -1.00]} Nc6 {[%eval -1.00]} 1/2-1/2

[White "B"]
[Black "C"]
[Result "0-1"]

1. e4 e5 2. Ke2 0-1
"""


def test_the_survey_of_a_file(executable: Path, tmp_path: Path) -> None:
    """Losses by phase are those of the games; openings count games, points and losses by position."""
    file = tmp_path / "match.pgn"
    file.write_text(MATCH)
    with served(executable, file, command="study") as site:
        players = {player["name"]: player for player in site.get("/api/study/survey")["players"]}
        assert [(name, player["games"]) for name, player in players.items()] == [("B", 3), ("A", 2), ("C", 1)]
        single = [result(2.0, 1.0) - result(0.3, 1.0), result(0.3, 1.0) - result(-1.0, 1.0)]
        assert players["B"]["lost"] == {"opening": pytest.approx(sum(single)), "middlegame": 0, "endgame": 0}
        assert players["A"]["lost"]["opening"] == pytest.approx(0) and players["C"]["difficulty"] is None
        listed = site.get("/api/study?order=swing")["games"]
        assert [(game["number"], game["swing"]) for game in listed[:2]] == [
            (number, pytest.approx(loss)) for loss, number in sorted(zip(single, (1, 2), strict=True), reverse=True)
        ]
        assert [game["number"] for game in site.get("/api/study?result=0-1")["games"]] == [3]
        white = site.get("/api/study/survey?player=B")["white"]
        assert (white["games"], white["points"]) == (2, 0.5)
        (first,) = white["moves"]
        assert first["move"] == "e4" and sorted(each["move"] for each in first["moves"]) == ["c5", "e5"]
        sicilian = next(each for each in first["moves"] if each["move"] == "c5")
        assert sicilian["lost"] == pytest.approx(single[1])
        assert "expected a player" in site.get_error("/api/study/survey?player=unknown")


@pytest.mark.parametrize("page", ["utf-8", "cp1252"])
def test_names_keep_their_letters(tmp_path: Path, page: str) -> None:
    white, black = ("Карпов, Анатолий", "Plát, Vojtěch") if page == "utf-8" else ("Šahovic, D", "Müller, Œdipe")
    raw = f'[White "{white}"]\n[Black "{black}"]\n[Event "a\x1b[2J"]\n\n1. e4 e5 *\n'.encode(page)
    (tmp_path / "games.pgn").write_bytes(raw)
    library = Library(str(tmp_path / "games.pgn"))
    library.refresh()
    (listed,) = library.find(white.split()[0].strip(","))["games"]
    survey = Survey()
    survey.add(1, raw)
    tags = study(1, raw)["tags"]
    assert (tags["White"], tags["Black"], tags["Event"]) == (white, black, "a\\x1b[2J")
    assert (listed["white"], listed["black"]) == tuple(survey.players) == (white, black)


def test_other_games_of_the_file(desk: Site) -> None:
    assert re.search("game 2 cannot be read: .*Ke3", desk.get_error("/api/study/2"))
    third = desk.get("/api/study/3")
    assert third["game"]["width"] == 10 and [node["san"] for node in third["nodes"][1:]] == ["f4", "f5", "Nh3", "Nh6"]
    assert third["nodes"][3]["comment"] == "a comment" and third["judge"] == "" and third["moments"] == []
    assert desk.get("/api/study/4")["chess960"]
    for number in ("0", "5", "99999999999999999999"):
        assert "expected the number of a game" in desk.get_error(f"/api/study/{number}")
    assert desk.ask("GET", "/api/study/x")[0] == 404


def test_a_changed_file_is_read_again(desk: Site) -> None:
    text = desk.file.read_text(encoding="utf-8")
    desk.file.write_text(text + '\n[Event "New"]\n[White "G"]\n[Result "*"]\n\n1. d4 *\n', encoding="utf-8")
    assert desk.get("/api/study")["total"] == 5 and desk.get("/api/study/5")["nodes"][1]["san"] == "d4"
    desk.file.unlink()
    assert "cannot read" in desk.get_error("/api/study")
    desk.file.write_text(text, encoding="utf-8")
    assert desk.get("/api/study")["total"] == 4


def test_a_game_of_the_page_play(desk: Site) -> None:
    game = desk.begin(moves=["e2e4", "c7c5"])
    assert [node["san"] for node in desk.get(f"/api/games/{game['id']}/study")["nodes"][1:]] == ["e4", "c5"]
    assert desk.ask("GET", "/api/games/unknown/study")[0] == 404


def analysis(desk: Site, wanted: int, **body: object) -> list[dict]:
    """Read this number of lines of an analysis, or its problem, then break the connection."""
    connection = http.client.HTTPConnection("127.0.0.1", desk.port, timeout=PATIENCE_S)
    headers = {"Authorization": f"Bearer {desk.token}", "Content-Type": "application/json"}
    connection.request("POST", "/api/study/analysis", json.dumps(body), headers)
    response = connection.getresponse()
    assert response.status == 200
    found: list[dict] = []
    kind = ""
    while len(found) < wanted:
        name, _, value = response.readline().decode().partition(": ")
        assert name
        if name == "event":
            kind = value.strip()
        elif name == "data" and kind != "waiting":
            found.append(json.loads(value))
    response.close()
    connection.close()
    return found


def test_live_analysis(desk: Site) -> None:
    """More consecutive analyses than may run at once: each ends when its page is gone."""
    for _ in range(6):
        lines = analysis(desk, 4, fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", lines=2)
        assert {line["rank"] for line in lines} == {1, 2}
    assert [line["pv"][0] for line in lines if line["rank"] == 1][-1] == "Ra8#"
    moves = ["e2e4", "e7e5", "g1f3"]
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    for line in analysis(desk, 3, moves=moves):
        after = board.copy()
        for san in line["pv"]:
            after.push_san(san)
    assert analysis(desk, 1, game="capablanca")[0]["turn"] == "white"
    forced = "8/8/8/8/1Q6/8/q7/k2K4 w - - 0 1"  # Kc1 and Qxc4 leave no move
    assert "White holds G0.5" in {line["words"] for line in analysis(desk, 8, fen=forced, mode="Decisive")}
    assert {line["words"] for line in analysis(desk, 8, fen=forced)} == {None}  # a draw, as in every other mode
    for faulty in ({"fen": "x"}, {"moves": ["e2e5"]}, {"lines": 9}, {"game": "unknown"}):
        assert desk.ask("POST", "/api/study/analysis", faulty)[0] == 400


def test_the_search_of_a_closed_page_ends() -> None:
    async def searching_after_cancel() -> bool:
        session, found = Session(), asyncio.Queue()
        limits = Limits()
        limits.infinite = True
        search = asyncio.create_task(Thinker(session).search(lambda _: None, limits, found.put_nowait))
        while (await found.get()).info.depth < 8:  # from depth 8 on, the task waits for the end of the search
            pass
        search.cancel()
        await asyncio.wait([search])
        return session.searching

    assert not asyncio.run(searching_after_cancel())


ENDLESS = """
import sys
for line in sys.stdin:
    print({"uci": "uciok", "isready": "readyok"}.get(line.strip(), ""), flush=True)
"""


def test_the_search_of_another_engine_ends_with_its_page() -> None:
    """The engine once went on for ten minutes if all threads of the pool were busy when the page was closed."""

    async def ended() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        page = StudyPage(Session, None, "")
        stream = page._foreign((sys.executable, "-c", ENDLESS), read_setup({}, ""), 1)
        assert "first line" in await anext(stream)
        free = threading.Event()
        working = asyncio.create_task(asyncio.to_thread(free.wait))
        waiting = asyncio.create_task(anext(stream))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting], timeout=PATIENCE_S)
        free.set()
        await working
        assert waiting.cancelled() and page._running == 0

    asyncio.run(ended())


def test_another_engine_analyses(executable: Path) -> None:
    """Any UCI engine can be named; the page reports one that does not start."""
    command = f"{sys.executable} {GAMES.parents[1] / 'annotate/fake_engine.py'}"
    options = [GAMES, "--engine", command, "--engine", "/no/such/engine"]
    with served(executable, *options, command="study") as site:
        assert len(site.get("/api/study/engines")["engines"]) == 3
        (line,) = analysis(site, 1, fen="6k1/5ppp/8/8/3q4/8/8/R2R2K1 w - - 0 1", engine=1, lines=3)
        assert (line["rank"], line["pv"], line["symbol"]) == (1, ["Rxd4"], "+\u2212\u2212")
        (problem,) = analysis(site, 1, engine=2)
        assert problem.startswith("The engine: ") and "No such file" in problem
        assert site.ask("POST", "/api/study/analysis", {"engine": 3})[0] == 400
        assert site.ask("POST", "/api/study/analysis", {"engine": 1, "game": "capablanca"})[0] == 409


def test_bad_files_are_refused_in_one_line(executable: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.pgn.gz"
    damaged.write_bytes(b"no gzip")
    for file in (tmp_path / "none.pgn", tmp_path, damaged):
        done = forked.run([executable, "study", file, "--no-open"])
        assert done.returncode == 2 and re.fullmatch(rb"standstill: [^\n]+\n", done.stderr), file


def test_without_a_file_the_list_is_empty(site: Site) -> None:
    assert site.get("/api/study") == {"file": None, "total": 0, "found": 0, "games": []}
    assert "open one on the page" in site.get_error("/api/study/1")

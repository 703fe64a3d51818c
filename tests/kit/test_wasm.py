"""The C file as WebAssembly in Node.js and Chromium, beside the core, `standstill adjudicate` and python-chess."""

from __future__ import annotations

import base64
import json
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.tablebases import probing
from standstill.engine.tablebases.material import classes
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from standstill.engine.variants.notation import fen
from tests import forked
from tests.amounts import LONG
from tools.package import wasm

from .test_c_file import FOLDER, placed, walks

SCRIPT = Path(__file__).with_name("answer.mjs")
SUITE = FOLDER / "conformance"
CASES = [json.loads(line) for line in (SUITE / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
COMPILER = "0.17.1"  # wrote the committed module
Ask = Callable[..., list]


@pytest.fixture(scope="session")
def node(client_program: Callable[[str], str]) -> str:
    return client_program("node")


@pytest.fixture(scope="session")
def ask(node: str) -> Ask:
    def call(*questions: dict, tables: bool = True) -> list:
        told = "\n".join(map(json.dumps, questions))
        words = [node, SCRIPT, *[SUPPLIED] * tables]
        done = subprocess.run(words, input=told, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return [json.loads(line) for line in done.stdout.splitlines()]

    return call


# ---- the module ----


def test_the_module_is_as_new_as_its_sources() -> None:
    content = (FOLDER / "rmobility.wasm").read_bytes()
    assert content.endswith(wasm.section("sources", wasm.check_sum(FOLDER))), "run make wasm"
    assert len(content) < 30_000


@pytest.mark.slow
def test_the_compiler_writes_the_module_again() -> None:
    try:
        found = version("ziglang")
    except PackageNotFoundError:
        pytest.skip("ziglang is not installed")
    built = wasm.compiled(FOLDER)
    assert found != COMPILER or built == (FOLDER / "rmobility.wasm").read_bytes()


# ---- positions and games ----


def test_it_passes_the_conformance_suite(node: str) -> None:
    words = [sys.executable, SUITE / "run.py", node, SCRIPT, SUPPLIED]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"{len(CASES)} of {len(CASES)} right"), done.stdout


@pytest.mark.slow
def test_it_has_the_results_of_the_games(ask: Ask) -> None:
    answers = [json.loads(line)["answer"] for line in (SUITE / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    (games,) = ask({"call": "games", "text": (SUITE / "games.pgn").read_text(encoding="utf-8")})
    assert len(games) == len(answers) and not any("error" in game for game in games)
    rules = ({}, {"whole_game": True, "keep_trigger": True}, {"limit": "G3.5"})
    found = ask(*(game["question"] | {"rules": each} for game in games for each in rules))
    for at, expected in enumerate(answers):
        told, whole, on_paper = found[3 * at : 3 * at + 3]
        assert (told["record"], str(told["ply"])) == (expected["RMobilityResult"], expected["RMobilityPly"])
        assert " - ".join(f"{share:.6f}" for share in told["points"]) == expected["RMobilityPoints"]
        assert whole["record"] == expected["RMobilityWG"]
        assert (on_paper["record"] or "1/2-1/2") == expected["RMobilityOTB"]


def text_of(code: int, owner: int) -> str:
    return f"{'-' if owner else ''}G{code // 2}.{5 * (code % 2)}"


def check_goals(ask: Ask, seed: int, count: int) -> None:
    boards = [(fen(board), text_of(board.goal(), 1 - board.stm)) for board in walks(seed, count)]
    assert len(boards) == count
    found = ask(*({"call": "goal", "fen": text} for text, _ in boards), tables=False)
    assert found == [goal for _, goal in boards]


def test_goals_are_those_of_the_core(ask: Ask) -> None:
    check_goals(ask, 21, 2_000)


@pytest.mark.slow
def test_many_goals_are_those_of_the_core(ask: Ask) -> None:
    check_goals(ask, 22, 1_000_000 if LONG else 100_000)


def test_positions_moves_and_notation_are_those_of_python_chess(ask: Ask) -> None:
    rng, told, expected = random.Random(23), [], []
    for at in range(6):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if at % 2 else chess.Board(chess960=True)
        start, moves, states = board.fen(), [], [(board.fen(), sorted(map(str, board.legal_moves)))]
        while not board.is_game_over() and len(moves) < 90:
            move = rng.choice(list(board.legal_moves))
            made = board.san(move)
            moves.append(rng.choice([made, f"{made}!?", str(move)]))
            board.push(move)
            states.append((board.fen(), sorted(map(str, board.legal_moves)), str(move)))
        told.append({"call": "play", "fen": start, "moves": moves})
        expected.append(states)
    for states, found in zip(expected, ask(*told), strict=True):
        for state, seen in zip(states, found, strict=True):
            made = (seen["made"],) if "made" in seen else ()
            assert (seen["fen"], sorted(seen["moves"]), *made) == state


def test_a_castling_right_of_an_inner_rook_keeps_its_file(ask: Ask) -> None:
    inner = "4k3/8/8/8/8/8/8/1R1RK1R1 w DG - 3 9"
    assert ask({"call": "play", "fen": inner, "moves": []})[0][0]["fen"] == inner.replace("DG", "KD")


def random_questions(seed: int, count: int) -> Iterator[dict]:
    rng = random.Random(seed)
    starts = [chess.STARTING_FEN, KINGS, "8/8/8/2K3k1/8/8/8/7R w - - 90 80", "8/8/8/4KBk1/8/8/8/8 b - - 60 80"]
    for at in range(count):
        board = chess.Board(starts[at % 4])
        moves = []
        for _ in range(rng.randrange(150)):
            if not any(board.legal_moves):
                break
            moves.append(rng.choice(list(board.legal_moves)))
            board.push(moves[-1])
        rules = {name: True for name in ("keep_trigger", "whole_game", "dead_draw") if rng.random() < 0.2}
        rules["fifty"] = rng.choice(["fide", "fide", "record", "off"])
        if rng.random() < 0.2:
            rules[rng.choice(["limit", "cut_off"])] = rng.choice(["G3.5", "G6.0"])
        yield {
            "fen": starts[at % 4],
            "moves": [move.uci() for move in moves],
            "komi": rng.choice([None, "G3.75", "-G5.5", "\u2212G4"]),
            "record": rng.choice([None, None, "-G4.0", "G7.5"]),
            "rules": rules,
        }


def check_answers(ask: Ask, executable: Path, seed: int, count: int) -> None:
    questions = list(random_questions(seed, count))
    told = "".join(json.dumps(question) + "\n" for question in questions)
    done = forked.run([executable, "adjudicate"], input=told, capture_output=True, text=True, check=True)
    for question, line, found in zip(questions, done.stdout.splitlines(), ask(*questions), strict=True):
        assert found == json.loads(line), question


@pytest.mark.slow
def test_whole_answers_are_those_of_our_process(ask: Ask, executable: Path) -> None:
    check_answers(ask, executable, 24, 60)


@pytest.mark.slow
def test_many_answers_are_those_of_our_process(ask: Ask, executable: Path) -> None:
    check_answers(ask, executable, 25, 10_000 if LONG else 1_000)


HARD = """% an escaped line
[Event "one \\"quoted\\" name"]
[Result "1-0"]

{before} 1. e4 $1 e5!? (1... c5 2. Nf3 (2. c3 d5) 2... d6; to the end of the line )
) 2.Nf3 ; more
Nc6 3 Bb5 a6 { [%eval 0.3] (not a variation } 4. O-O $14 Nf6 5. Re1 e.p. += 1-0

1. d4 *
[Event "no moves"]
[Result "*"]

[Event "wrong"]

1. e4 e5 2. Ke3 Nc6 1/2-1/2
[Variant "Atomic"]

1. e4 *
"""


def test_hard_games_are_read(ask: Ask) -> None:
    first, bare, empty, wrong, other = ask({"call": "games", "text": HARD})[0]
    assert first["tags"] == {"Event": 'one "quoted" name', "Result": "1-0"} and first["result"] == "1-0"
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
    assert first["question"] == {"result": "1-0", "moves": [*moves, "e1h1", "g8f6", "f1e1"]} and "error" not in first
    assert (bare["question"]["moves"], bare["result"], empty["question"]["moves"]) == (["d2d4"], "*", [])
    assert (wrong["error"], wrong["question"]["moves"]) == ("ply 3: expected a legal move, found Ke3", moves[:2])
    assert other["error"] == "expected chess, found Atomic"


def test_games_of_python_chess_are_read(ask: Ask) -> None:
    """Standard games and Chess960, with variations and comments that python-chess writes."""
    rng, texts, expected = random.Random(26), [], []
    for at in range(4):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if at % 2 else chess.Board()
        game = chess.pgn.Game()
        game.setup(board)
        node: chess.pgn.GameNode = game
        while not board.is_game_over() and board.ply() < 150:
            moves = rng.sample(list(board.legal_moves), min(2, board.legal_moves.count()))
            for move in moves:
                node.add_variation(move, comment=rng.choice(["", "a ) comment ( ;"]), nags=[rng.randrange(1, 20)])
            node = node.variations[0]
            board.push(moves[0])
        texts.append(str(game))
        expected.append([board.copy(), [str(move) for move in game.mainline_moves()]])
    for (board, moves), found in zip(expected, ask({"call": "games", "text": "\n\n".join(texts)})[0], strict=True):
        told = [move if board.chess960 else castled(move) for move in found["question"]["moves"]]
        assert told == moves and "error" not in found


def castled(move: str) -> str:
    return {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}.get(move, move)


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ({"fen": "x"}, "expected four to seven fields of a FEN, found x"),
        ({"fen": "x" * 300}, "expected at most 255 characters, found xxx"),
        ({"moves": ["e2e5"]}, "ply 1: expected a legal move, found e2e5"),
        ({"moves": "Nf3 Nf6 d4 d5 Nd2"}, "ply 5: expected a legal move, found Nd2"),
        ({"moves": ["e4", "e5", "Ba6", "b5", "O-O"]}, "ply 5: expected a legal move, found O-O"),
        ({"record": "G0.5"}, "expected a record that leaves the game open, found G0.5"),
        ({"komi": "G3.8"}, "expected a komi like G3.75 or -G3.75, found G3.8"),
        ({"rules": {"fifty": "iccf"}}, "expected fifty, one of fide, record, off, found iccf"),
        ({"rules": {"limit": "-G3.5"}}, "expected a goal for both sides such as G3.5, found -G3.5"),
        ({"rules": {"dead_draw": 1}}, "expected dead_draw, true or false"),
        ({"call": "goal", "fen": "8/8/8/8/8/8/8/8 w - -"}, "expected one king of each side"),
        ({"call": "add", "name": "KBvK.pgn", "content": "AAAA"}, "expected a table of at most five men"),
        ({"call": "add", "name": "KQQQQvK.rmv", "content": "AAAA"}, "expected a table of at most five men"),
        ({"call": "add", "name": "KBvK.rmv", "content": ""}, "expected a table of at most five men"),
    ],
)
@pytest.mark.sampled(5)
def test_wrong_questions_are_refused(ask: Ask, question: dict, wrong: str) -> None:
    assert ask(question, tables=False)[0]["error"].startswith(wrong)


# ---- tables ----


@pytest.mark.parametrize("whole_game", [False, True])
def test_outcomes_are_those_of_the_table_reader(ask: Ask, whole_game: bool) -> None:
    store, rng = TableStore(SUPPLIED, whole_game=whole_game), random.Random(27)
    questions, expected = [], []
    for name in classes(3):
        for _ in range(60):
            text = placed(rng, name).fen()
            board = probing.chess_board(text)
            given = (rng.randrange(2, max(3, board.goal() + 1)), rng.randrange(2)) if rng.random() < 0.7 else None
            value = probing.look_up(store, board, probing.record_of(board, given))
            record = None if given is None else text_of(*given)
            questions.append({"call": "probe", "fen": text, "record": record, "whole": whole_game})
            outcome = text_of(127 - abs(value.outcome), int(value.outcome < 0))
            expected.append({"outcome": outcome, "plies": value.plies})
    assert ask(*questions) == expected


def test_tables_come_and_go(ask: Ask) -> None:
    def added(name: str, content: bytes | None = None) -> dict:
        content = (Path(SUPPLIED) / name).read_bytes() if content is None else content
        return {"call": "add", "name": name, "content": base64.b64encode(content).decode()}

    probe = {"call": "probe", "fen": "8/8/8/4KBk1/8/8/8/8 b - - 0 1"}
    whole = (Path(SUPPLIED) / "KBvK.rmv").read_bytes()
    damaged = whole[:200] + bytes([whole[200] ^ 1]) + whole[201:]
    found = ask(probe, added("KBvK.rmd"), probe, added("KBvK.rmv"), probe, {"call": "drop"}, probe,
                added("KBvK.rmv"), probe, added("KBvK.rmv", damaged), probe, tables=False)  # fmt: skip
    with_plies, without = {"outcome": "G1.5", "plies": 4}, {"outcome": "G1.5", "plies": None}
    assert found[:9] == [None, None, None, None, with_plies, None, None, None, without]
    assert "expected a table" in found[9]["error"] and found[10] is None


# ---- the browser ----


class Files(SimpleHTTPRequestHandler):
    """Serves the kit, without a log."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(FOLDER)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_the_example_page_adjudicates(browser, address: str) -> None:
    page = browser.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{address}/example.html")
    page.wait_for_selector("body[data-ready]")
    page.click("button")
    assert page.text_content("#found") == "unfinished: black holds -G25.5 since ply 4, points 0.500000 - 0.500000"
    page.fill("#pgn", "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *")
    page.fill("#komi", "G3.75")
    page.click("button")
    assert page.text_content("#found").splitlines() == [
        "0-1 by Black mates: black holds -G0.0 since ply 4, points 0.000000 - 1.000000",
        "? - ?: ply 3: expected a legal move, found Ke3",
    ]
    page.fill("#komi", "")
    page.fill("#pgn", "1. e4 e5 1/2-1/2\n\n1. e4 e5 1-0\n\n1. e4 e5")
    page.click("button")
    assert page.text_content("#found").splitlines() == [
        "1/2-1/2: black holds -G29.5 since ply 2, points 0.500000 - 0.500000",
        "1-0: white holds G0.0 since ply 2, points 1.000000 - 0.000000",
        "unfinished: black holds -G29.5 since ply 2, points 0.500000 - 0.500000",
    ]
    page.fill("#komi", "3")
    page.click("button")
    assert page.text_content("#found").startswith("expected a komi")
    ask_page = """async (questions) => {
        const { load } = await import("/rmobility.mjs");
        const rm = await load();
        return questions.map((question) => rm.adjudicate(question));
    }"""
    for case, found in zip(CASES, page.evaluate(ask_page, [case["question"] for case in CASES]), strict=True):
        for name in ("record", "ply", "owner", "result"):
            assert found[name] == case["answer"].get(name, found[name]), case
    assert not said
    page.close()

"""`standstill adjudicate` as another program would use it: JSON lines through pipes."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import chess
import pytest

from standstill.engine.match.orthodox import OrthodoxReferee
from standstill.engine.match.referee import MatchRules
from standstill.engine.match.setup import Opening
from tests import forked
from tests.rmobility.naive import code_of

KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
Ask = Callable[..., list[dict]]


@pytest.fixture
def ask(executable: Path) -> Ask:
    def call(*questions: object, status: int = 0, words: tuple[str, ...] = ()) -> list[dict]:
        told = "".join(f"{question if isinstance(question, str) else json.dumps(question)}\n" for question in questions)
        words = [executable, "adjudicate", *words]
        done = forked.run(words, input=told, capture_output=True, text=True, timeout=100, check=False)
        assert (done.returncode, done.stderr) == (status, "")
        return [json.loads(line) for line in done.stdout.splitlines()]

    return call


def test_each_question_has_its_answer(ask: Ask) -> None:
    moves = ["c5d5", "g5f5"]
    first, second, mate = ask(
        {"id": 7, "fen": KINGS, "moves": moves, "komi": "G5.25"},
        {"fen": KINGS, "moves": " ".join(moves[:1])},
        {"moves": "f2f3 e7e5 g2g4 d8h4"},
    )
    assert first == {
        "id": 7, "record": "-G5.5", "ply": 2, "owner": "black", "over": None, "result": "*", "proven": True,
        "outcome": "-G5.5", "plies": 0, "points": [0.0, 1.0],
    }  # fmt: skip
    assert (second["record"], second["outcome"], second["plies"]) == ("-G8.5", "-G5.5", 1)
    assert (mate["record"], mate["ply"], mate["result"], mate["over"]) == ("-G0.0", 4, "0-1", "Black mates")


def test_random_games_are_those_of_our_referee(ask: Ask) -> None:
    rng, questions, expected = random.Random(4), [], []
    for at in range(40):
        start = rng.choice([chess.STARTING_FEN, KINGS, "8/8/8/2K3k1/8/8/8/7R w - - 90 80"])
        given = (rng.randrange(2), rng.randrange(2, 14)) if at % 3 == 0 else None
        dead, fifty = at % 2 == 0, rng.choice(["fide", "record", "off"])
        referee = OrthodoxReferee(Opening(start, (), True, given), MatchRules(plays_on=not dead, fifty=fifty))
        while referee.end() is None and referee.plies < 150:
            referee.push(rng.choice(list(referee.position.legal_moves)))
        text = None if given is None else f"{'-' if given[0] else ''}G{given[1] / 2}"
        rules = {"fifty": fifty, "dead_draw": dead}
        questions.append({"fen": start, "moves": list(referee.texts), "record": text, "rules": rules})
        expected.append(referee)
    for referee, found in zip(expected, ask(*questions), strict=True):
        end = referee.end()
        if end is not None and end[1] == "mate":
            assert found["record"] == ("G0.0" if end[0] == "1-0" else "-G0.0") and found["result"] == end[0]
            continue
        assert (found["record"], found["ply"]) == (str(referee.record), referee.record.ply)
        assert (found["over"], found["result"]) == ((None, "*") if end is None else (end[1], end[0]))
        share = Fraction(1, 2) + Fraction(1, 2 ** (referee.record.code + 1))
        white = share if found["owner"] == "white" else 1 - share
        assert found["points"] == [float(white), float(1 - white)]


def test_rules_of_the_question(ask: Ask) -> None:
    clocked = "8/8/8/2K3k1/8/8/8/8 w - - 98 90"
    moves = ["c5d5", "g5f5"]  # the second one is the hundredth ply
    strict, kept, off, limit, cut = ask(
        {"fen": clocked, "moves": moves},
        {"fen": clocked, "moves": moves, "rules": {"keep_trigger": True}},
        {"fen": clocked, "moves": moves, "rules": {"fifty": "off"}},
        {"fen": KINGS, "moves": moves, "rules": {"limit": "G3.5"}},
        {"fen": KINGS, "moves": moves, "komi": "G6.25", "rules": {"cut_off": "G5.5"}},
    )
    assert (strict["record"], strict["over"], strict["result"]) == ("-G8.5", "fifty-move rule", "1/2-1/2")
    assert (kept["record"], kept["over"]) == ("-G5.5", "fifty-move rule")
    assert (off["record"], off["over"]) == ("-G5.5", None)
    assert (limit["record"], limit["owner"], limit["points"]) == (None, None, [0.5, 0.5])
    assert cut["points"] == [0.5, 0.5]


def test_the_whole_game_and_chess960(ask: Ask) -> None:
    moves = ["e2e4", "e7e5", "f1a6", "b7a6"]
    phase, whole = ask({"moves": moves}, {"moves": moves, "rules": {"whole_game": True}})
    board, lowest = chess.Board(), (40 + 1, "black")
    for move in moves:
        board.push_uci(move)
        lowest = min(lowest, (code_of(board), "black" if board.turn else "white"), key=lambda found: found[0])
    assert phase["ply"] == 4 and whole["record"].lstrip("-") == f"G{lowest[0] / 2}" and whole["owner"] == lowest[1]
    array = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"
    (castled,) = ask({"fen": array, "moves": ["f1g1"], "rules": {"chess960": True}})
    assert "error" not in castled


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("nonsense", "expected a JSON object on each line"),
        ("[" * 100_000, "expected a JSON object on each line"),
        ([1], "expected an object"),
        ({"fen": 3}, "expected fen, a text"),
        ({"fen": "x"}, "expected a FEN"),
        ({"moves": [1]}, "expected moves, a text or a list of texts"),
        ({"moves": ["e2e5"]}, "ply 1: "),
        ({"moves": ["e2e4", "zz"]}, "ply 2: "),
        ({"record": "G0.5"}, "leaves the game open"),
        ({"komi": "G3.8"}, "expected a komi"),
        ({"rules": []}, "expected rules, an object"),
        ({"rules": {"fifty": "iccf"}}, "expected fifty, one of fide, record, off"),
        ({"rules": {"limit": "-G3.5"}}, "for both sides"),
        ({"rules": {"dead_draw": 1}}, "expected dead_draw, true or false"),
        ({"rules": {"depth": 1}}, "expected rules fifty"),
        ({"position": "x"}, "expected fields"),
    ],
)
def test_wrong_questions_have_an_error_and_the_next_one_an_answer(ask: Ask, question: object, wrong: str) -> None:
    found, after = ask(question, {"id": "next"}, status=1)
    assert set(found) == {"error"} and wrong in found["error"]
    assert (after["id"], after["record"]) == ("next", "-G20.5")


def test_lines_as_clients_send_them(executable: Path) -> None:
    """Each line has one answer, which any reader of JSON takes, and the process goes on."""
    not_json = "expected a JSON object on each line, found "
    lines: list[tuple[bytes, object]] = [
        (b'\xef\xbb\xbf{"id":0}', 0),  # a byte order mark, as Windows writes it
        (b'{"id":1}\r', 1),
        (b'{"id":2,"fen":null,"moves":null,"rules":null,"komi":null,"record":null}', 2),
        (b'{"id":3,"id":4}', 4),
        ('{"id":"\u00e9\U0001d11e"}'.encode(), "\u00e9\U0001d11e"),
        (b'{"id":null}', None),
        (b'{"id":NaN}', f"{not_json}'{{\"id\":NaN}}'"),
        (b'{"id":-Infinity}', f"{not_json}'{{\"id\":-Infinity}}'"),
        (b'{"id":1e999}', f"{not_json}'{{\"id\":1e999}}'"),
        (b'{"id":1}{"id":2}', f'{not_json}\'{{"id":1}}{{"id":2}}\''),
        ('{"id":1}'.encode("utf-16-le"), f"{not_json}'{{\\x00\"\\x00i\\x00d\\x00\"\\x00:\\x001\\x00}}\\x00'"),
        (b'{"id":"\xff"}', f'{not_json}\'{{"id":"\xff"}}\''),
        (b'[{"moves":[]}]', "expected an object, found '[{\"moves\": []}]'"),
        (b'{"fen":true}', "expected fen, a text, found 'true'"),
        (b'{"id":"' + b"x" * (1 << 24) + b'"}', "expected a question of at most 16 MB, found more"),
        (b'{"id":9', f"{not_json}'{{\"id\":9'"),  # cut off at the end
    ]
    done = subprocess.run(
        [executable, "adjudicate"], input=b"\n".join(line for line, _ in lines), capture_output=True, check=False
    )

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is not JSON")

    answers = [json.loads(line, parse_constant=refuse) for line in done.stdout.splitlines()]
    assert [answer.get("error", answer.get("id")) for answer in answers] == [expected for _, expected in lines]
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_closed_output_is_named(executable: Path) -> None:
    done = subprocess.run(f"echo {{}} | '{executable}' adjudicate >&-", shell=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"standstill: standard output is closed\n")


def test_answers_come_at_once(executable: Path) -> None:
    """A runner asks after each move and waits for the answer."""
    with subprocess.Popen([executable, "adjudicate"], stdin=-1, stdout=-1, text=True, bufsize=1) as process:
        for at in range(3):
            process.stdin.write(json.dumps({"id": at, "moves": ["e2e4", "e7e5"][:at]}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == at
        process.stdin.close()
        assert process.wait(20) == 0


def test_unknown_tables_are_refused(executable: Path, tmp_path: Path) -> None:
    words = [executable, "adjudicate", "--tables", tmp_path]
    done = subprocess.run(words, input="{}\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)

"""The conformance suite: the cases are those that its generator writes, and the engine and the C file pass them all."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.tablebases.store import SUPPLIED

from .test_c_file import FOLDER, NO_LIMIT, STRICT, Game, Record, Rules, kit  # noqa: F401 (a fixture)

SUITE = FOLDER / "conformance"
CASES = [json.loads(line) for line in (SUITE / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
ENDS = [None, "mate", "stalemate", "repetition", "fifty", "material"]
RESULTS = ["1/2-1/2", "1-0", "0-1"]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "file"), [("make.py", "cases.jsonl"), ("make_games.py", "games.jsonl")])
def test_the_cases_are_those_of_the_slow_reading(program: str, file: str) -> None:
    done = subprocess.run([sys.executable, SUITE / program], capture_output=True, text=True, check=True)
    assert done.stdout == (SUITE / file).read_text(encoding="utf-8")


def test_our_process_passes(executable: Path) -> None:
    words = [sys.executable, SUITE / "run.py", executable, "adjudicate"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines()[-1] == f"{len(CASES)} of {len(CASES)} right"


def ask_games(*words: object) -> subprocess.CompletedProcess:
    command = [sys.executable, SUITE / "run.py", "--games", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_our_tags_pass(executable: Path) -> None:
    done = ask_games(executable, "tag", "--tags", "all", "--quiet", "-o", "{out}", "{in}")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines()[-1] == "371 of 371 right"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "switch", ["--keep-trigger", "--wg-trigger", "--otb-limit=G4.5", "--fifty=record", "--result=board"]
)
def test_the_games_reveal_a_wrong_rule(executable: Path, switch: str) -> None:
    done = ask_games(executable, "tag", "--tags", "all", "--quiet", switch, "{in}")
    assert done.returncode == 1 and ": expected " in done.stdout


def test_games_without_tags_fail_and_a_missing_program_is_named() -> None:
    copy = (sys.executable, "-c", "import sys; sys.stdout.write(sys.stdin.read())")
    done = ask_games("--without", "RMobilityWG", *copy)
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "0 of 298 right" and "WG" not in done.stdout
    assert ask_games(sys.executable, "-c", "").stderr == "expected 73 games, found 0\n"
    for words, said in (
        ((), "found nothing"),
        (("/no/such",), "/no/such: No such file"),
        (("--speed",), "found --speed"),
    ):
        done = ask_games(*words)
        assert done.returncode == 2 and said in done.stderr


@pytest.mark.slow
def test_the_c_file_has_the_results_of_the_games(kit: ctypes.CDLL) -> None:  # noqa: F811
    """Only games that ended on the board or as draws: the C file does not decide resigned games."""
    answers = [json.loads(line) for line in (SUITE / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    count = 0
    with (SUITE / "games.pgn").open(encoding="utf-8") as file:
        for case in answers:
            game = chess.pgn.read_game(file)
            assert game is not None
            board, expected = game.board(), case["answer"]
            asked = {"fen": board.fen(), "moves": [move.uci() for move in game.mainline_moves()]}
            if "RMobilityRecord" in game.headers:
                asked["record"] = game.headers["RMobilityRecord"]
            found = c_answer(kit, asked)
            if expected["RMobilityResult"] in ("G0.0", "-G0.0") and found["over"] != "mate":
                continue
            count += 1
            assert (found["record"], str(found["ply"])) == (expected["RMobilityResult"], expected["RMobilityPly"])
            whole = c_answer(kit, asked | {"rules": {"whole_game": True, "keep_trigger": True}})
            limited = c_answer(kit, asked | {"rules": {"limit": "G3.5"}})
            assert whole["record"] == expected["RMobilityWG"]
            assert (limited["record"] or "1/2-1/2") == expected["RMobilityOTB"]
    assert count > 50


def test_a_wrong_program_fails(tmp_path: Path) -> None:
    """The wrong program forgets every record."""
    script = tmp_path / "wrong.py"
    script.write_text("import sys\nfor line in sys.stdin: print('{\"record\": null}')\n")
    words = [sys.executable, SUITE / "run.py", "--without", "limit", sys.executable, script]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "record: expected -G20.5, found None" in done.stdout and "limit" not in done.stdout
    script.write_text("import sys\nfor line in sys.stdin: print('G20.5')\n")
    done = subprocess.run([*words[:2], sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr == ""
    assert "case 1, record: expected a JSON object, found 'G20.5'" in done.stdout


def goal_text(kit: ctypes.CDLL, code: int, owner: int) -> str:  # noqa: F811
    text = ctypes.create_string_buffer(32)
    kit.rm_goal_text(code, owner, text)
    return text.value.decode()


def test_the_c_file_passes(tmp_path: Path) -> None:
    """The C file is tested as the suite's README says."""
    words = ["cc", *STRICT, "-I..", "-o", tmp_path / "answer", "answer.c", "../rmobility.c"]
    subprocess.run(words, check=True, cwd=SUITE)
    words = [sys.executable, SUITE / "run.py", tmp_path / "answer", SUPPLIED]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"{len(CASES)} of {len(CASES)} right"), done.stdout


def c_answer(kit: ctypes.CDLL, question: dict) -> dict:  # noqa: F811
    asked, code, owner = question.get("rules", {}), ctypes.c_int(), ctypes.c_int()

    def goal(text: str) -> tuple[int, int]:
        assert kit.rm_parse_goal(text.encode(), ctypes.byref(code), ctypes.byref(owner)) == 1
        return code.value, owner.value

    fifty = {"fide": 0, "record": 1, "off": 2}[asked.get("fifty", "fide")]
    limit = goal(asked["limit"])[0] if "limit" in asked else NO_LIMIT
    cut_off = goal(asked["cut_off"])[0] if "cut_off" in asked else NO_LIMIT
    flags = (asked.get("keep_trigger", False), asked.get("whole_game", False))
    given = ctypes.byref(Record(*goal(question["record"]), 0)) if "record" in question else None
    game, record = Game(), Record()
    fen = question.get("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").encode()
    rules = Rules(fifty, *map(int, flags), limit, int(asked.get("dead_draw", False)))
    assert kit.rm_start(ctypes.byref(game), fen, given, rules) is None
    for move in question.get("moves", []):
        assert kit.rm_push(ctypes.byref(game), move.encode()) == 1
    end, has = kit.rm_end(ctypes.byref(game)), kit.rm_record(ctypes.byref(game), ctypes.byref(record))
    result = "*" if end == 0 else "1/2-1/2"
    if end == 1:
        result = "1-0" if game.position.side else "0-1"
    elif end and "komi" in question:
        assert kit.rm_parse_komi(question["komi"].encode(), ctypes.byref(code), ctypes.byref(owner)) == 1
        held = ctypes.byref(record) if has else None
        result = RESULTS[kit.rm_by_komi(held, code.value, owner.value, cut_off)]
    found = {"over": ENDS[end], "result": result, "record": None, "ply": None, "owner": None}
    if has:
        found |= {
            "record": goal_text(kit, record.code, record.owner),
            "ply": record.ply,
            "owner": ["white", "black"][record.owner],
        }
    kit.rm_close(ctypes.byref(game))
    return found

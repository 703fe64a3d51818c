"""What the followed game says about a position, compared with python-chess; and the command as a user drives it."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.archive.questions import Questions
from standstill.engine.live.game import LiveGame
from standstill.engine.live.reading import Choice, NoGame, snapshot
from standstill.engine.rmobility.scoring import Terms, parse_komi
from tests import forked

QUESTIONS = Questions()
GAMES = chess.pgn.read_game


def live(text: str, komi: str = "") -> dict:
    found = snapshot(text.encode(), Choice(), whole=True)
    return LiveGame(found, QUESTIONS, Terms(parse_komi(komi) if komi else None)).view()


def code_of(board: chess.Board) -> int:
    return 2 * board.legal_moves.count() + (not board.is_check())


def goal_of(code: int, owner: chess.Color) -> str:
    return f"{'' if owner else '-'}G{code / 2:.1f}"


LONG = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2"
    " Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. Bg5 h6 16. Bd2 Bg7 17. Qc1 Kh7 18. Rb1 Rb8 19. Ba1 *"
)


def test_every_position_of_a_game_against_python_chess() -> None:
    """Mobility, the lowest goals, the record, and the moves that beat it, worked out move by move."""
    text = LONG.replace(" 19. Ba1", "")
    moves = list(GAMES(io.StringIO(text)).mainline_moves())
    board = chess.Board()
    phase = [(code_of(board), not board.turn)]
    had: dict[bool, int | None] = {board.turn: board.legal_moves.count(), not board.turn: None}
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    for move in moves:
        node = node.add_variation(move)
        phase = [] if board.is_zeroing(move) else phase
        board.push(move)
        phase.append((code_of(board), not board.turn))
        had[board.turn] = board.legal_moves.count()
        found = live(str(game))
        best = min(code for code, _ in phase)
        assert found["record"] == goal_of(best, next(owner for code, owner in phase if code == best))
        assert found["mobility"] == {"white": had[True], "black": had[False]}
        for name, side in (("white", True), ("black", False)):
            own = [code for code, owner in phase if owner == side]
            assert found["lowest"][name] == (goal_of(min(own), side) if own else None)
        beating = set()
        for reply in board.legal_moves:
            if not board.is_zeroing(reply):
                after = board.copy(stack=False)
                after.push(reply)
                if code_of(after) < best:
                    beating.add((board.san(reply), goal_of(code_of(after), board.turn)))
        assert {(each["move"], each["goal"]) for each in found["beating"]} == beating
        assert found["fen"] == board.fen(en_passant="legal")
        assert found["fifty"] == 100 - board.halfmove_clock


BARE = '[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]\n\n'


@pytest.mark.parametrize(
    ("text", "komi", "expected"),
    [
        (f"{BARE}*", "", {"record": "-G8.5", "outcome": "-G8.5", "proven": True, "owner": "black", "last": None}),
        (f"{BARE}1. Kd5 *", "", {"outcome": "-G5.5", "plies": 1, "stake": {
            "now": [0.5 - 2**-18, 0.5 + 2**-18], "outcome": [0.5 - 2**-12, 0.5 + 2**-12],
            "best": {"move": "Kf5", "record": "-G5.5", "points": [0.5 - 2**-12, 0.5 + 2**-12]}}}),
        (f"{BARE}1. Kd5 Kf5 *", "G5.25", {"points": [0.0, 1.0], "record": "-G5.5", "komi": "G5.25"}),
        (f'[Komi "-G5.75"]\n{BARE}1. Kd5 Kf5 1/2-1/2', "", {"points": [0.0, 1.0], "komi": "-G5.75"}),
        (f'[Komi "6.5"]\n{BARE}*', "", {"komi": None, "cut_off": None}),
        (f'[RMobilityCutOff "G5.5"]\n{BARE}1. Kd5 Kf5 *', "G5.25", {"points": [0.5, 0.5], "cut_off": "G5.5"}),
        ('[Result "1-0"]\n\n1. e4 e5 1-0', "", {"record": "G0.0", "points": [1.0, 0.0], "over": "result"}),
        ('[Result "1/2-1/2"]\n[Termination "TCEC draw rule"]\n\n1. e4 e5 1/2-1/2', "",
         {"record": "-G29.5", "over": "TCEC draw rule", "result": "1/2-1/2", "to_beat": None, "beating": []}),
        ('[Variant "chess960"]\n[FEN "4k3/8/8/8/8/8/8/1RK4R w BH - 0 1"]\n\n1. O-O *', "",
         {"last": {"san": "O-O", "move": "c1h1", "number": 1, "side": "white", "goal": "G3.5", "resets": False,
                   "sets": True}}),
        ('[Variant "capablanca"]\n\n1. f4 *', "", {"proven": False, "turn": "black"}),
    ],
)  # fmt: skip
def test_what_is_said_of_a_position(text: str, komi: str, expected: dict) -> None:
    found = live(text, komi)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("given", ["1-0", "0-1", "1/2-1/2"])
@pytest.mark.parametrize(
    "text", ["1. e4 e5", f"{BARE}1. Kd5", '[Variant "makruk"]\n\n1. e4 e5'], ids=["chess", "kings", "makruk"]
)
def test_a_game_that_its_source_has_ended_leaves_nothing_open(text: str, given: str) -> None:
    found = live(f"{text} {given}", "")
    assert found["over"] and found["result"] == given and found["proven"] is True
    assert (found["outcome"], found["plies"], found["to_beat"]) == (found["record"], 0, None)
    assert sum(found["points"]) == 1 and (given == "1/2-1/2" or set(found["points"]) == {0, 1})


@pytest.mark.parametrize("head", ["", '[White "A"]\n\n'], ids=["moves alone", "with tags"])
@pytest.mark.parametrize("wrong", range(6))
def test_a_game_is_shown_up_to_a_wrong_move(head: str, wrong: int) -> None:
    """The note has the number of the wrong move; a text without tags that does not begin with a move is refused."""
    words = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]
    words[wrong] = "Kd9"
    text = f"{head}{' '.join(words)} *".encode()
    if not head and not wrong:
        with pytest.raises(NoGame, match="expected PGN, found 'Kd9"):
            snapshot(text, Choice(), whole=True)
        return
    found = snapshot(text, Choice(), whole=True)
    board = chess.Board()
    assert [*found.moves] == [board.push_san(word).uci() for word in words[:wrong]]
    assert found.note.startswith(f"ply {wrong + 1}: ") and "Kd9" in found.note


def follow(executable: Path, *words: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return forked.run([executable, "follow", *words], input=given)


def test_lines_for_people_and_for_programs(executable: Path) -> None:
    """The game comes through a pipe, as from `curl -N https://lichess.org/api/stream/broadcast/round/ID.pgn`."""
    head = '[Event "Cup"]\n[White "A\x1b[1m"]\n[Black "B"]\n'
    given = f"{head}{BARE}1. Kd5 *\n\n\n{head}{BARE}1. Kd5 Kf5 1/2-1/2\n\n\n".encode()
    done = follow(executable, "-", given=given)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        "A\\x1b[1m - B, Cup",
        "  1... Kf5      -G5.5*  record  -G5.5  moves  5-8   points 0.499756-0.500244",
        "1/2-1/2; record -G5.5, 0.499756-0.500244 points",
    ]
    done = follow(executable, "-", "--komi", "G5.25", given=given)
    heading, *_, end = done.stdout.decode().splitlines()
    assert heading.endswith(", Cup, komi G5.25") and end == "1/2-1/2 (komi G5.25); record -G5.5, 0-1 points"
    done = follow(executable, "-", "--json", "--once", "--time", "1ms", given=given)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["kind"] for line in lines] == ["game", "end"]
    assert {line["error"] for line in lines} == {None}
    question = {"fen": "8/8/8/2K3k1/8/8/8/8 w - - 0 1", "moves": "c5d5"}
    done = follow(executable, "-", "--json", given=f"{BARE}1. Kd5 *\n".encode())
    (line,) = [json.loads(line) for line in done.stdout.splitlines()]
    answer = QUESTIONS.answer(question)
    assert {name: line[name] for name in answer} == answer


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("/no/game.pgn",), "expected a file of games, found no folder '/no'"),
        ((".",), "expected a file of games, found a folder"),
        (("ftp://x/y",), "expected an address such as https://example.org/live.pgn, found 'ftp://x/y'"),
        (("http://x/y", "--every", "10ms"), "expected --every of at least 500 ms for an address"),
        (("x.pgn", "--komi", "5"), "expected a komi like G3.75 or -G3.75, found '5'"),
        (("x.pgn", "--port", "80"), "--port needs --serve"),
        (("x.pgn", "--serve", "--json"), "--serve prints no events: expected it without --json"),
        (("x.pgn", "--tables", "/no"), "expected R-Mobility tables (*.rmv), found none in /no"),
    ],
)
def test_bad_input_is_refused_in_one_line(executable: Path, words: tuple[str, ...], message: str) -> None:
    done = follow(executable, *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"standstill: {message}\n"


@pytest.mark.parametrize(
    ("tags", "record"),
    [("", "G8.5"), ('[RMobilityAgreed "G7.5"]\n', "G7.5")],
    ids=["on-the-board", "by-best-play"],
)
def test_a_drawn_game_that_a_komi_decided_keeps_its_record(tags: str, record: str) -> None:
    """`match --dead-draw --komi` writes such games. Once the watcher saw -G0.0, as after a resignation."""
    text = (
        f'[Komi "G5.25"]\n[Termination "insufficient material, komi G5.25"]\n[Result "0-1"]\n{tags}'
        '[FEN "8/8/8/5k2/8/8/1p6/K7 w - - 0 1"]\n[SetUp "1"]\n\n1. Kxb2 0-1\n'
    )
    found = live(text)
    assert (found["result"], found["record"], found["points"]) == ("0-1", record, [0.0, 1.0])
    resigned = live(text.replace("insufficient material, komi G5.25", "resignation").replace(tags or "\0", ""))
    assert (resigned["record"], resigned["points"]) == ("-G0.0", [0.0, 1.0])


SHUFFLE = "1. Kc4 Kg4 2. Kc5 Kg5 3. Kc4 Kg4 4. Kc5 Kg5"


@pytest.mark.parametrize(
    ("text", "komi", "over"),
    [
        (f'[Termination "threefold repetition, komi G9"]\n{BARE}{SHUFFLE} 1-0', "G9", "threefold repetition, komi G9"),
        (f"{BARE}{SHUFFLE} 1/2-1/2", "-G9", "threefold repetition, komi -G9"),
        (f"{BARE}{SHUFFLE} 1/2-1/2", "", "threefold repetition"),
        (f"{BARE}1. Kd5 1/2-1/2", "G9", "komi G9"),
        (f'[Termination "agreement"]\n{BARE}1. Kd5 1/2-1/2', "G9", "agreement, komi G9"),
        (f'[Termination "agreement, komi G9"]\n{BARE}1. Kd5 0-1', "G9", "agreement, komi G9"),
        (f'[Termination "White resigns"]\n{BARE}1. Kd5 0-1', "G9", "White resigns"),
        ('[RMobilityCutOff "G8.0"]\n' + f"{BARE}1. Kd5 1/2-1/2", "G9", "result"),
        ("1. f3 e5 2. g4 Qh4# 0-1", "G9", "Black mates"),
    ],
    ids=["match", "other program", "no komi", "result alone", "reason", "own reason", "resigned", "cut-off", "mate"],
)
def test_the_end_has_the_words_of_match(text: str, komi: str, over: str) -> None:
    """The komi stands behind the reason of a draw that it decides, and nowhere else."""
    assert live(text, komi)["over"] == over


def test_the_heading_names_the_terms(executable: Path) -> None:
    given = f'[Event "Cup"]\n[Komi "G5.25"]\n[RMobilityCutOff "G12.0"]\n{BARE}1. Kd5 Kf5 1/2-1/2\n'
    heading = follow(executable, "-", given=given.encode()).stdout.decode().splitlines()[0]
    assert heading.endswith(", Cup, komi G5.25, cut-off G12.0")

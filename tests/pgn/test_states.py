"""About seventy states of games in real files: every command and the API must read each of them the same way.

A reading is the number of half-moves, and possibly a note, or the fault that keeps the game from being read. If
python-chess understands the state, it must read as many half-moves.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import chess.pgn
import pytest

import standstill
from standstill import rmobility
from standstill.cext.bindings.pgn_games import split
from standstill.engine.annotate.source import SourceGame
from standstill.engine.archive.fairy_scoring import find_game
from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.scorer import Scorer
from standstill.engine.common.errors import MatchError, MovetextError
from standstill.engine.correspondence.pgn import read_games as read_stamped
from standstill.engine.match.by_definition import ByDefinition
from standstill.engine.match.orthodox import CHESS
from tests import forked

NO_RESULT = "no result after the moves; the tag says 1/2-1/2"
MENDED = (
    "ignored: expected an en passant square behind a pawn that has just passed it, found e6; ignored: castling rights"
    " Kkq without king and rook at home in FEN '4k3/8/8/8/8/8/4P3/R3K3 w KQkq - 0 1'"
)


@dataclass(frozen=True, slots=True)
class State:
    """A game. plies: half-moves read. fault: why the game is not read. arbiter: whether python-chess must agree."""

    name: str
    body: str
    plies: int = 0
    note: str = ""
    fault: str = ""
    tags: str = ""
    arbiter: bool = True
    result: str = "1/2-1/2"


STATES = [
    State("plain", "1. e4 e5 2. Nf3 Nc6 1/2-1/2", 4),
    State("no result", "1. e4 e5 2. Nf3 Nc6", 4, NO_RESULT),
    State("no result behind a comment", "1. e4 e5 { the end }", 2, NO_RESULT),
    State("no result behind a variation", "1. e4 e5 (1... c5)", 2, NO_RESULT),
    State("cut in a move", "1. e4 e5 2. Nf3 Nc", fault="ply 4: expected a move, found 'Nc'", arbiter=False),
    State("cut in a comment", "1. e4 e5 { the en", fault="ply 2: '{ the en' is not closed", arbiter=False),
    State("cut in a variation", "1. e4 e5 (1... c5 2. d4", arbiter=False,
          fault="ply 2: '(1... c5 2. d4' is not closed"),
    State(
        "study of Lichess",
        "{ A chapter. } { [%cal Gd2d4] } 1. e4 { [%eval 0.2] [%clk 0:10:00] } 1... e5 { [%csl Re5] } (1... c5?! 2. Nf3"
        " (2. c3 $5 { quiet }) 2... d6) 2. -- d6 3. Nf3 *",
        5,
    ),
    State("null moves of ChessBase", "1. e4 e5 2. -- Nc6 3. Z0 d6 *", 6),
    State("null move in check", "1. e4 f6 2. Qh5+ -- *", fault="ply 4: illegal move '--'", arbiter=False),
    State("illegal move in a variation", "1. e4 e5 (1... Qxh7) 2. Nf3 Nc6 1/2-1/2", 4, arbiter=False),
    State("words in a variation", "1. e4 e5 (or anything else (at all)) 2. Nf3 Nc6 1/2-1/2", 4),
    State("variations in variations", "1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3 { } ) 2... e6)) 1... e5 1/2-1/2", 2),
    State("variation without moves", "1. e4 () e5 1/2-1/2", 2),
    State("comment before the variation's moves", "1. e4 ({ better is } 1. d4 { so } d5) 1... e5 1/2-1/2", 2),
    State("parenthesis in a comment", "1. e4 { a smile :) ( } e5 1/2-1/2", 2),
    State("brace in a comment", "1. e4 { [%draw {arc] } e5 1/2-1/2", 2),
    State("rest of a line", "1. e4 ; and so on 1. d4\ne5 1/2-1/2", 2),
    State("escaped line", "1. e4\n% 1. d4 of a program\ne5 1/2-1/2", 2),
    State("comment before moves", "{ first } ; second\n 1. e4 e5 1/2-1/2", 2),
    State("NAGs in odd places", "$13 1. e4 $1$14 $146 e5! $6 ?? 2. Nf3 !? $0 Nc6 $255 1/2-1/2", 4),
    State("signs of the Informator", "1. e4 += e5 = 2. Nf3 +/- Nc6 -+ 3. Bb5 \u221e 1/2-1/2", 5),
    State("novelty before Black's move", "1. e4 e5 2. Nf3 N Nc6 1/2-1/2", 4, arbiter=False),
    State("diagram before Black's move", "1. e4 e5 2. Nf3 D Nc6 1/2-1/2", 4, arbiter=False),
    State("novelty before a pawn's move", "1. Nf3 d5 2. g3 N h6 3. Bg2 1/2-1/2", arbiter=False,
          fault="ply 4: 'N' and the other moves can be read as English or English with a space after"
          " a piece letter"),
    State("novelty behind Black's move", "1. e4 e5 N 2. Nf3 Nc6 D 3. Bb5 1/2-1/2", 5, arbiter=False),
    State("e.p.", "1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 1/2-1/2", 6),
    State("e.p. without a blank", "1. e4 a6 2. e5 d5 3. exd6e.p. cxd6 1/2-1/2", 6, arbiter=False),
    State("e.p. before the fault", "1. e4 a6 2. e5 d5 3. exd6e.p. cxd6 4. Kxe8 1/2-1/2", arbiter=False,
          fault="ply 7: illegal move 'Kxe8'"),
    State("castling with zeros", "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 0-0 1/2-1/2", 8),
    State("no blanks and no numbers", "e4 e5 Nf3 1...Nc6 3.Bb5 1/2-1/2", 5),
    State("coordinates and long moves", "1. e2e4 e7-e5 2. Ng1-f3 1/2-1/2", 3, arbiter=False),
    State("castling on the king's side by coordinates", "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. e1g1 e8g8 1/2-1/2", 8,
          arbiter=False),
    State("castling on the queen's side by coordinates", "1. d4 d5 2. Bf4 Bf5 3. Nc3 Nc6 4. Qd2 Qd7 5. e1c1 e8c8 *", 10,
          arbiter=False, result="*"),
    State("castling as the king takes the rook", "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. e1h1 e8h8 1/2-1/2", 8,
          arbiter=False),
    State("ICCF's numbers", "1. 5254 5755 2. 7163! 2836 3. 6134 6835 4.5171 7866 1/2-1/2", 8, arbiter=False),
    State("ICCF's numbers and a fault", "1. 5254 5755 2. 7173 2836 1/2-1/2", arbiter=False,
          fault="ply 3: illegal move '7173'"),
    State("signs of Scid", "1. e4 ~ e5 ~= 2. Nf3 <=> Nc6 += 3. Bb5 || a6 ^ 4. Ba4 /\\ Nf6 # 5. d3 _|_ 1/2-1/2", 9,
          arbiter=False),
    State("null moves with signs", "1. e4 e5 2. --? Nc6 3. --!! *", 5, result="*"),
    State("German letters", "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 1/2-1/2", 6, arbiter=False),
    State("German letters and a fault", "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxb9 1/2-1/2", arbiter=False,
          fault="ply 7: expected a move, found 'Lxb9'"),
    State("Russian letters", "1. e4 d5 2. ed \u0424:d5 3. \u041ac3 \u0424d8 4. \u041a\u0440e2 1/2-1/2", 7,
          arbiter=False),
    State("small letters", "1. e4 e5 2. nf3 nc6 (2... nf6 3. bb5) 3. bb5 a6 4. bxc6 bxc6 5. o-o 1/2-1/2", 9,
          arbiter=False),
    State("a small b in doubt", "1. b4 d5 2. b5 e6 3. e4 dxe4 4. be2 a6 5. bf3 c6 6. bxe4 h6 7. bxc6 nxc6 1/2-1/2",
          fault="ply 13: 'bxc6' could be a move of a pawn or of another piece", arbiter=False),
    State("castling without hyphens", "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. OO 00 1/2-1/2", 8, arbiter=False),
    State("captures without a rank", "1. e4 d5 2. ed c6 3. dxc Nf6 4. cb Bd7 5. ba=Q 1/2-1/2", 9, arbiter=False),
    State("numbers with a parenthesis", "1) e4 e5 (1) ... c5) 2) Nf3 { 3) } Nc6 1/2-1/2", 4, arbiter=False),
    State("commas between moves", "1.e4,e5 2.Nf3, Nc6 1/2-1/2", 4, arbiter=False),
    State("figurines", "1. e4 e5 2. \u2658f3 \u265ec6 1/2-1/2", 4, arbiter=False),
    State("illegal move", "1. e4 e5 2. Nf3 Nf3 3. Bb5 1/2-1/2", fault="ply 4: illegal move 'Nf3'", arbiter=False),
    State("ambiguous move", "1. Nf3 a6 2. d3 b6 3. Nd2 1/2-1/2", fault="ply 5: 'Nd2' could be more than one move",
          arbiter=False),
    State("no moves", "1/2-1/2", 0),
    State("from a position", "1. Kd2 Kd7 1/2-1/2", 2,
          tags='[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n'),
    State("a FEN that says nothing", "1. e4 e5 1/2-1/2", 2, tags='[FEN ""]\n', arbiter=False),
    State("an invalid FEN", "1. e4 e5 1/2-1/2", tags='[SetUp "1"]\n[FEN "4k3/8"]\n', arbiter=False,
          fault="expected a FEN of 4 to 6 fields, found 1 in '4k3/8'"),
    State("castling rights and a passed pawn that are not there", "1. O-O-O Ke7 1/2-1/2", 2, note=MENDED,
          tags='[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/R3K3 w KQkq e6 0 1"]\n', arbiter=False),
    State("Black begins", "1... Kd7 2. Kd2 1/2-1/2", 2,
          tags='[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]\n'),
    State("backslash at a tag's end", "1. e4 e5 1/2-1/2", 2, tags='[Opponent "Stockfish /Level 6\\"]\n'),
    State("unusual names of tags", "1. e4 e5 1/2-1/2", 2,
          tags='[Time-Control "5+3"]\n[White Elo "1"]\n[\xdcn\xef "x"]\n'),
    State("a blank line between the tags", "1. e4 e5 1/2-1/2", 2, tags='\n[Site "S"]\n\n[Round "1"]\n'),
    State("quotation marks in a tag", "1. e4 e5 1/2-1/2", 2, tags='[Opponent "the \\"Rook\\""]\n[Stage "a "b" c"]\n'),
    State("Chess.com", "1. e4 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:02:58.1]} 2. Nf3 {[%clk 0:02:57]} 1/2-1/2", 3,
          tags='[CurrentPosition "8/8 w"]\n[Termination "A won by resignation"]\n'),
    State("a result with a dash", "1. e4 e5 1/2\u20131/2", 2),
    State("a win with a dash", "1. e4 e5 2. Nf3 1\u20130", 3, result="1-0"),
    State("a loss with a minus and spaces", "1. e4 e5 0 \u2212 1", 2, result="0-1"),
    State("a result with a colon", "1. e4 {[%clk 0:10]} e5 1:0", 2, result="1-0"),
    State("a draw as one half", "1. e4 e5 1/2", 2),
    State("two results", "1. e4 e5 1/2-1/2 1/2-1/2", 2),
    State("mate on the board without a result", "1. f3 e5 2. g4 Qh4#", 4, result="0-1"),
]  # fmt: skip
NAMES = [state.name for state in STATES]


def text_of(state: State, number: int) -> str:
    head = f'[Event "{state.name}"]\n[Date "2020.01.01"]\n[White "White{number}"]\n[Black "Black{number}"]\n'
    return f'{head}[Result "{state.result}"]\n{state.tags}\n{state.body}\n\n'


TEXTS = [text_of(state, number) for number, state in enumerate(STATES, 1)]
Readings = dict[int, str]


def expected(state: State) -> str:
    return f"fault: {state.fault}" if state.fault else f"{state.plies} plies; {state.note}"


def complaints(stderr: str) -> Readings:
    """A command's messages about games: ``file: game 3, ply 4: text`` or ``file, game 3: text``."""
    found = re.findall(r"^standstill: \S+[:,] game (\d+)(?:, ply (\d+))?: (.*)$", stderr, re.MULTILINE)
    return {int(number): f"ply {ply}: {text}" if ply else text for number, ply, text in found}


def readings(plies: Readings, said: Readings) -> Readings:
    """The command's reading of each game. plies: half-moves of the games that it has read."""
    found = {}
    for number in range(1, len(STATES) + 1):
        if number in plies:
            found[number] = f"{plies[number]} plies; {said.get(number, '')}"
        else:
            found[number] = f"fault: {said.get(number)}"
    return found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("states") / "states.pgn"
    path.write_text("".join(TEXTS), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def by_command(file: Path, executable: str) -> dict[str, Readings]:
    """The readings of each command, from one run for all games."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        command = [executable, *map(str, words)]
        return forked.run(command, capture_output=True, text=True, cwd=file.parent, timeout=300, check=False)

    found = {}
    done = run("tag", file, "-o", "tagged.pgn", "--comments", "--json")
    said = complaints(done.stderr)
    counted = {number: str(state.plies) for number, state in enumerate(STATES, 1) if not is_fault(said.get(number))}
    assert json.loads(done.stdout)["plies"] == sum(map(int, counted.values()))
    found["tag"] = readings(counted, said)
    done = run("analyse", file, "--depth", "1", "--json")
    last = {line["game"]: line["ply"] for line in map(json.loads, done.stdout.splitlines())}
    found["analyse"] = readings({number: str(ply) for number, ply in last.items()}, complaints(done.stderr))
    for name, words in (
        ("annotate", ("annotate", file, "-o", "annotated.pgn", "--from-comments", "--rm")),
        ("standings", ("standings", file)),
        ("relevance fit", ("relevance", "fit", file)),
    ):
        done = run(*words)
        said = complaints(done.stderr)
        read = {number: str(state.plies) for number, state in enumerate(STATES, 1) if not is_fault(said.get(number))}
        found[name] = readings(read, said)
    done = run("games", "--store", "s.db", "import", file, "--control", "50/75/1", "--prefix", "x-")
    said = complaints(done.stderr)
    stored = json.loads(run("games", "--store", "s.db", "list", "--all", "--json").stdout)
    assert len(stored) == sum(not state.fault for state in STATES)
    assert records(file.with_name("annotated.pgn")) == records(file.with_name("tagged.pgn"))
    counts = dict(re.findall(r"White(\d+)\S*: new game, (?:(\d+) half-moves?|no moves yet)", done.stdout))
    found["games import"] = readings({int(number): plies or "0" for number, plies in counts.items()}, said)
    return found


def records(path: Path) -> list[list[str]]:
    """The goals in the comments of each game."""
    games = re.split(r"(?=^\[Event )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [re.findall(r"\[%rm [^]]*\]", game) for game in games]


def is_fault(said: str | None) -> bool:
    return said is not None and said not in (NO_RESULT, MENDED)


COMMANDS = ("tag", "analyse", "annotate", "standings", "relevance fit", "games import")


@pytest.mark.sampled(57)
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("number", range(1, len(STATES) + 1), ids=NAMES)
def test_every_command_reads_the_same(number: int, command: str, by_command: dict[str, Readings]) -> None:
    state = STATES[number - 1]
    said = by_command[command][number]
    if command == "games import":  # `games import` does not name the faulty half-move
        said = re.sub(r"ply \d+: ", "", said)
        assert said == re.sub(r"ply \d+: ", "", expected(state))
    else:
        assert said == expected(state)


@pytest.mark.parametrize("number", range(1, len(STATES) + 1), ids=NAMES)
def test_the_api_reads_the_same_and_raises_one_error(number: int) -> None:
    state, text = STATES[number - 1], TEXTS[number - 1]
    if state.fault:
        for call in (rmobility.score, standstill.annotate, lambda text: rmobility.standings([text])):
            with pytest.raises(MovetextError) as caught:
                call(text)
            assert str(caught.value) == state.fault
        return
    found = rmobility.score(text)
    assert (found.plies, found.note or "") == (state.plies, state.note)
    assert isinstance(standstill.annotate(text), str)


@pytest.mark.parametrize("number", range(1, len(STATES) + 1), ids=NAMES)
def test_a_match_takes_the_same_moves_for_its_openings(number: int) -> None:
    state, data = STATES[number - 1], TEXTS[number - 1].encode()
    if state.fault:
        with pytest.raises(MatchError, match=re.escape(state.fault)):
            CHESS.opening_of_game(data, "here", None)
        return
    opening = CHESS.opening_of_game(data, "here", None)
    assert opening is not None
    game = rmobility.score(TEXTS[number - 1])
    board = chess.Board(opening.fen)
    behind = re.split(r"--|Z0", state.body)[-1] if "--" in state.body else ""
    assert len(opening.moves) == (len(re.findall(r"[a-h][1-8]\b|d6", behind)) if behind else game.plies)
    for move in opening.moves:
        board.push_uci(move)


@pytest.mark.parametrize("number", [number for number, state in enumerate(STATES, 1) if state.arbiter])
def test_python_chess_reads_the_same_main_line(number: int) -> None:
    state = STATES[number - 1]
    game = chess.pgn.read_game(io.StringIO(TEXTS[number - 1]))
    assert game is not None
    assert len(list(game.mainline_moves())) == state.plies
    assert game.headers["Result"] == rmobility.score(TEXTS[number - 1]).result
    text = TEXTS[number - 1].encode()
    assert Scorer().score(text, 0, len(text)).first_move == game.board().fullmove_number


ANTICHESS = [
    State("plain", "1. e3 b5 2. Bxb5 1/2-1/2", 3),
    State("no result", "1. e3 b5 2. Bxb5", 3, NO_RESULT),
    State("null move", "1. e3 -- 2. a3 1/2-1/2", 3),
    State("variations", "1. e3 (1. d4 { ( }) (1. Qxh7 no move (at all)) b5 (1... c6 ;)\n) 1/2-1/2", 2),
    State("comments and signs", "{ a } 1. e3! $13 += b5 ?! { b } ; c\n2. Bxb5 1/2-1/2", 3),
    State("cut in a comment", "1. e3 b5 { the en", fault="ply 2: '{ the en' is not closed"),
    State("cut in a variation", "1. e3 b5 (1... c6 2. d4", fault="ply 2: '(1... c6 2. d4' is not closed"),
    State("illegal move", "1. e3 b5 2. a3 1/2-1/2", fault="ply 3: illegal move 'a3'"),
    State("e.p.", "1. a4 h6 2. a5 b5 3. axb6e.p. cxb6 1/2-1/2", 6),
]


@pytest.mark.parametrize("state", ANTICHESS, ids=[state.name for state in ANTICHESS])
def test_games_by_definition_are_read_like_chess(state: State) -> None:
    text = text_of(state, 1).replace("[Result", '[Variant "antichess"]\n[Result')
    kind = ByDefinition(find_game("antichess"))
    if state.fault:
        for call in (rmobility.score, lambda text: rmobility.standings([text])):
            with pytest.raises(MovetextError) as caught:
                call(text)
            assert str(caught.value) == state.fault
        with pytest.raises(MatchError, match=re.escape(state.fault)):
            kind.opening_of_game(text.encode(), "here", None)
        return
    found = rmobility.score(text)
    assert (found.plies, found.note or "") == (state.plies, state.note)
    opening = kind.opening_of_game(text.encode(), "here", None)
    assert opening is not None
    assert len(opening.moves) == (1 if "--" in state.body else state.plies)


def glued(texts: list[bytes]) -> bytes:
    """Files concatenated without a line end between them."""
    return b"".join(text.rstrip() for text in texts)


WHOLE = [state.name for state in STATES if not state.fault and state.note == "" and ";" not in state.body]
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
FORMS = {
    "as it is": b"".join,
    "byte order marks": lambda texts: b"".join(b"\xef\xbb\xbf" + text for text in texts),
    "line ends of Windows": lambda texts: b"".join(texts).replace(b"\n", b"\r\n"),
    "line ends of old Macs": lambda texts: b"".join(texts).replace(b"\n", b"\r"),
    "Latin-1": lambda texts: b"".join(texts).replace(b'"Black', b'"Bl\xe4ck'),
    "names of tags in Latin-1": lambda texts: b"".join(texts).replace(b"[Date", b'[\xdcber "x"]\n[Date'),
    "broken UTF-8 in comments": lambda texts: b"".join(texts).replace(b"the end", b"the \xc3( end"),
    "no line ends between games": glued,
    "a blank line less": lambda texts: b"".join(text.replace(b"]\n\n", b"]\n") for text in texts),
    "a blank line behind the first tag": lambda texts: b"".join(texts).replace(b"]\n[Date", b"]\n\n[Date"),
    "blank lines between all tags": lambda texts: b"".join(texts).replace(b"]\n[", b"]\n\n["),
    "blank lines in the moves": lambda texts: b"".join(texts).replace(b" 2. ", b"\n\n2. "),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_bytes_around_the_moves_change_no_reading(form: str, tmp_path: Path) -> None:
    """The common reader, and those of `games import` and `annotate`, read all forms alike."""
    chosen = [(state, text) for state, text in zip(STATES, TEXTS, strict=True) if state.name in WHOLE]
    if form == "no line ends between games":  # only a result of the PGN standard marks the end of the moves
        chosen = [(state, text) for state, text in chosen if text.rstrip().endswith(RESULTS)]
    data = FORMS[form]([text.encode() for _, text in chosen])
    (tmp_path / "in.pgn").write_bytes(data)
    wanted = [state.plies for state, _ in chosen]
    games = list(read_games(io.BytesIO(data)))
    assert [SourceGame(number, game).plies for number, game in enumerate(games, 1)] == wanted
    assert [Scorer().score(data, *span).plies for span in spans(data)] == wanted
    assert [len(game.moves) for game in read_stamped(str(tmp_path / "in.pgn"))] == wanted


@pytest.mark.parametrize("names", [("Event", "Site", "White"), ("White", "Event", "Site"), ("White", "Black", "Date")])
def test_tags_without_moves_are_games_of_their_own(names: tuple[str, ...]) -> None:
    """A blank line between tags ends such a game only before Event or the tag with which the game began."""
    head = "\n".join(f'[{name} "x"]' for name in names)
    games = list(read_games(io.BytesIO(f"{head}\n\n{head}\n\n{head}\n\n1. e4 *\n".encode())))
    assert [game.count(b"[") for game in games] == [3, 3, 3]


def spans(data: bytes) -> list[tuple[int, int]]:
    ends = split(data, True)
    return list(zip([0, *ends], ends, strict=False))

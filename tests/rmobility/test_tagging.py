"""Tagged games compared with a naive scorer using python-chess; the rest of the file stays unchanged."""

from __future__ import annotations

import io
import random
import re

import chess.pgn
import pytest

from standstill.engine.archive.pgn import read_games, tags_of
from standstill.engine.archive.piecework import tag_stream
from standstill.engine.archive.scoring_rules import ScoringRules
from standstill.engine.archive.tagging import TAGS, Summary, Wishes
from standstill.engine.rmobility.scoring import Terms, parse_komi
from tests.rmobility.naive import random_game, read, score

ALL = frozenset(TAGS)
KINGS = "8/8/8/2K3k1/8/8/8/8 w - - {clock} 1"


def tag(text: str | bytes, wishes: Wishes | None = None) -> tuple[bytes, Summary, list]:
    data = text.encode() if isinstance(text, str) else text
    out, summary, complaints = b"", Summary(), []
    for piece in tag_stream(io.BytesIO(data), wishes or Wishes(), chunk=3000):
        out += piece.text
        summary.add(piece.summary)
        complaints += piece.complaints
    return out, summary, complaints


def tags(text: str, wishes: Wishes | None = None) -> dict[str, str]:
    return tags_of(tag(text, wishes)[0])


def archive(seed: int, games: int) -> list[chess.pgn.Game]:
    rng = random.Random(seed)
    found = []
    for number in range(games):
        if number % 5 == 0:
            fen = KINGS.format(clock=rng.choice([0, 60, 92]))
            found.append(random_game(rng, 60, fen=fen))
        else:
            found.append(random_game(rng, rng.choice([0, 1, 40, 120]), chess960=number % 2 == 0))
    return found


VARIED = [
    {},
    {"keep_trigger": True, "otb_limit": 9},
    {"wg_trigger": True},
    {"fifty": "off"},
    {"fifty": "record", "board_only": True},
    {"fifty": "iccf", "otb_limit": 20},
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("seed", "rules"), list(enumerate(VARIED)))
def test_results_are_those_of_a_naive_scorer(seed: int, rules: dict) -> None:
    games = archive(seed, 30)
    text = "\n\n".join(str(game) for game in games)
    out, summary, complaints = tag(text, Wishes(rules=ScoringRules(**rules), tags=ALL))
    assert (summary.games, complaints) == (len(games), [])
    for game, tagged in zip(games, read_games(io.BytesIO(out)), strict=True):
        expected = score(game, **rules)
        found = tags_of(tagged)
        if expected.phase is None:
            assert "RMobilityResult" not in found
            continue
        names = ("RMobilityResult", "RMobilityWG", "RMobilityOTB", "RMobilityPly")
        assert [found[name] for name in names] == [expected.phase, expected.whole, expected.otb, str(expected.ply)]
        over = expected.phase in ("G0.5", "-G0.5", "G0.0", "-G0.0") or game.headers["Result"] != "*"
        assert ("RMobilityProvisional" in found) == (not over)


def without_ours(text: bytes) -> bytes:
    text = re.sub(rb"\[RMobility\w+ [^\n]*\n", b"", text)
    return re.sub(rb" \{\[%rm [^}]*\]\}", b"", text)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_everything_else_stays_as_it_was(newline: str) -> None:
    text = "\n\n".join(str(game) for game in archive(77, 25)).replace("\n", newline).encode()
    wishes = Wishes(tags=ALL, comments=True)
    out, *_ = tag(text, wishes)
    assert out != text
    assert without_ours(out) == text
    assert newline == "\r\n" or b"\r" not in out
    assert out.count(b"\n") == out.count(newline.encode())


def test_tagging_again_changes_nothing() -> None:
    text = "\n\n".join(str(game) for game in archive(78, 25))
    wishes = Wishes(tags=ALL, comments=True)
    once, *_ = tag(text, wishes)
    assert tag(once, wishes)[0] == once
    with_less, *_ = tag(once, Wishes())
    assert tag(with_less, wishes)[0] == once


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "game",
    [
        *("1. d4 d5 1/2-1/2", '[Round "7"]\n\n1. d4 *', '[ECO "A40"]\n\n1. d4 *'),
        *('[Event "x"]\n\n1. d4 *', '[ECO "A00"] [White "x"]\n1. c4 0-1'),
    ],
)
@pytest.mark.parametrize("before", ["1. e4 e5 1/2-1/2 ", "1. e4 1-0{so}\t", '[White "A"]\n\n1. e4 * '])
def test_a_game_that_begins_inside_a_line_is_tagged_once(before: str, game: str, newline: str) -> None:
    """Every run once added an empty line."""
    text = f"{before}{game}\n\n{before}{game}\n".replace("\n", newline)
    for wishes in (Wishes(), Wishes(tags=ALL, comments=True)):
        once, *_ = tag(text, wishes)
        assert once.count(b"[RMobilityResult ") >= 3
        assert tag(once, wishes)[0] == once
    with_less, *_ = tag(once, Wishes())
    assert tag(with_less, wishes)[0] == once


def test_python_chess_reads_what_we_write() -> None:
    games = archive(79, 20)
    out, *_ = tag("\n\n".join(str(game) for game in games), Wishes(tags=ALL, comments=True))
    stream = io.StringIO(out.decode())
    for game in games:
        found = chess.pgn.read_game(stream)
        assert not found.errors
        assert list(found.mainline_moves()) == list(game.mainline_moves())


ROSTER = '[Event "e"]\n[Site "s"]\n[Date "d"]\n[Round "1"]\n[White "w"]\n[Black "b"]\n[Result "{result}"]\n'


def test_place_of_the_tag_is_behind_the_roster() -> None:
    game = ROSTER.format(result="1/2-1/2") + '[ECO "C20"]\n\n1. e4 e5 1/2-1/2\n'
    out, *_ = tag(game)
    assert out.decode().splitlines()[6:9] == ['[Result "1/2-1/2"]', '[RMobilityResult "-G29.5"]', '[ECO "C20"]']
    out, *_ = tag('[ECO "C20"]\n\n1. e4 e5 *\n')
    assert out.startswith(b'[RMobilityResult "-G29.5"]\n[RMobilityProvisional "yes"]\n[ECO "C20"]\n\n')
    out, *_ = tag("1. e4 e5 1/2-1/2\n\n1. d4 1/2-1/2")
    assert out.startswith(b'[RMobilityResult "-G29.5"]\n\n1. e4 e5 1/2-1/2\n\n[RMobilityResult "G20.5"]\n\n1. d4')


def test_a_comment_behind_the_roster_stays_whole() -> None:
    game = ROSTER.format(result="1/2-1/2").rstrip() + ' {two\nlines} {more\n}\n[ECO "C20"]\n\n1. e4 e5 1/2-1/2\n'
    out, *_ = tag(game)
    assert out.decode() == game.replace("[ECO", '[RMobilityResult "-G29.5"]\n[ECO')
    assert tag(out)[0] == out


def test_old_tags_are_replaced() -> None:
    game = '[RMobilityProvisional "yes"]\n[Result "1/2-1/2"]\n[Foo "x"]\n[RMobilityResult "G1.0"]\n\n1. e4 1/2-1/2'
    assert tag(game)[0] == b'[Result "1/2-1/2"]\n[RMobilityResult "G20.5"]\n[Foo "x"]\n\n1. e4 1/2-1/2'
    one_line = '[Result "1/2-1/2"] [RMobilityResult "G1.0"] [Foo "x"]\n\n1. e4 1/2-1/2'
    assert tags(one_line) == {"Result": "1/2-1/2", "RMobilityResult": "G20.5", "Foo": "x"}


def test_no_old_tag_is_left() -> None:
    """A run removes the tags of an earlier run, whatever its options were and however the game has changed since."""
    game = '[Result "1/2-1/2"]\n[RMobilityAgreed "G1.5"]\n\n1. e4 e5 1/2-1/2\n'
    tagged, *_ = tag(game, Wishes(tags=ALL))
    assert tagged.count(b"[RMobility") == 6
    assert tag(tagged)[0] == tag(game)[0]
    unfinished = tag(game.replace("1/2-1/2", "*"), Wishes(tags=ALL))[0]
    assert b"RMobilityProvisional" not in tag(unfinished.replace(b"*", b"1/2-1/2"))[0]
    assert tag(tagged.replace(b"1. e4 e5 ", b""))[0].decode() == game.replace("1. e4 e5 ", "")
    foreign = game.replace("Agreed", "Remark")
    assert b'[RMobilityRemark "G1.5"]' in tag(foreign, Wishes(tags=ALL))[0]


def test_agreement_takes_precedence_over_the_board() -> None:
    game = '[Result "1/2-1/2"]\n[RMobilityAgreed "-G1.5"]\n\n1. e4 e5 1/2-1/2'
    assert tags(game)["RMobilityResult"] == "-G1.5"
    assert tags(game)["RMobilityAgreed"] == "-G1.5"
    written = tags(game, Wishes(tags=ALL))
    assert (written["RMobilityWG"], written["RMobilityOTB"]) == ("-G1.5", "-G1.5")
    # An agreed record weaker than a goal of an earlier phase leaves that goal as the lowest of the whole game; over the
    # board the agreement is not a goal.
    shown = '[FEN "7k/8/8/8/8/8/4R3/K6R b - - 0 1"]\n[Result "1/2-1/2"]\n[RMobilityAgreed "G9.5"]\n\n1... Kg8 1/2-1/2'
    written = tags(shown, Wishes(tags=ALL))
    assert (written["RMobilityResult"], written["RMobilityWG"], written["RMobilityOTB"]) == ("G9.5", "G2.0", "1/2-1/2")
    _, summary, complaints = tag(game.replace("-G1.5", "later"))
    assert summary.damaged == 1
    assert "later" in complaints[0].reason


@pytest.mark.parametrize(
    ("result", "expected"), [("1-0", "G0.0"), ("0-1", "-G0.0"), ("1/2-1/2", "-G29.5"), ("*", "-G29.5"), ("?", "-G29.5")]
)
def test_wins_that_are_not_on_the_board(result: str, expected: str) -> None:
    found = tags(f'[Result "{result}"]\n\n1. e4 e5 {result}\n', Wishes(tags=ALL))
    assert found["RMobilityResult"] == expected
    if expected.endswith("G0.0"):
        assert [found[name] for name in ("RMobilityWG", "RMobilityOTB", "RMobilityPly")] == [expected, expected, "2"]
    on_board = tags(f'[Result "{result}"]\n\n1. e4 e5 {result}\n', Wishes(rules=ScoringRules(board_only=True)))
    assert on_board["RMobilityResult"] == "-G29.5"


def test_result_behind_the_moves_counts_where_the_tag_says_nothing() -> None:
    assert tags("1. e4 e5 0-1")["RMobilityResult"] == "-G0.0"
    assert tags('[Result "*"]\n\n1. e4 e5 0-1')["RMobilityResult"] == "-G0.0"


def test_points_tag() -> None:
    game = '[FEN "8/8/7k/5B2/8/6K1/8/8 w - - 0 1"]\n[Result "1/2-1/2"]\n\n1. Kg4 1/2-1/2'
    assert tags(game, Wishes(tags=ALL))["RMobilityPoints"] == "0.562500 - 0.437500"
    assert tags(game, Wishes(tags=ALL, scheme="harmonic"))["RMobilityPoints"] == "0.625000 - 0.375000"
    assert tags(game, Wishes(tags=ALL, terms=Terms((15, 0))))["RMobilityPoints"] == "1.000000 - 0.000000"


def test_a_pass_sets_no_goal() -> None:
    """White's king has three moves in the corner, but Black passed instead of making a move that leaves three."""
    game = '[FEN "8/8/8/7k/8/8/8/1K6 w - - 0 1"]\n\n1. Ka1 -- 2. Kb1 1/2-1/2'
    assert tags(game)["RMobilityResult"] == "-G5.5"
    assert tags(game.replace("--", "Kh6"))["RMobilityResult"] == "-G3.5"


def test_a_bracket_in_a_line_comment_ends_no_variation() -> None:
    assert tags("1. e4 (1. d4 ; not ) here\n1... d5) e5 1/2-1/2")["RMobilityResult"] == "-G29.5"


def test_only_the_goal_that_ends_the_game_is_void() -> None:
    """A goal at clock 100 counts, and gets its comment, if the players went on without claiming a draw."""
    game = f'[FEN "{KINGS.format(clock=98)}"]\n\n1. Kd5 Kf5'
    wishes = Wishes(comments=True)
    assert b"%rm" not in tag(game + " 1/2-1/2", wishes)[0]
    assert b"Kf5 {[%rm -G5.5]} 2. Kc5 Ke6 1/2-1/2" in tag(game + " 2. Kc5 Ke6 1/2-1/2", wishes)[0]


def test_comments_stand_where_records_were_set() -> None:
    game = '[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]\n\n1. Kd5!? $6 {first} Kf5 2. Kc5 *'
    out, *_ = tag(game, Wishes(comments=True))
    assert out.endswith(b"1. Kd5!? $6 {first} Kf5 {[%rm -G5.5]} 2. Kc5 *")
    game = '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 $1 (1. e3 Kd7) Kd8 *'
    out, *_ = tag(game, Wishes(comments=True))
    assert out.endswith(b"1. e4 $1 {[%rm G5.5]} (1. e3 Kd7) Kd8 *")


@pytest.mark.parametrize(
    ("game", "ply", "reason"),
    [
        ("1. e4 e5 2. Nf6 *", 3, "illegal move 'Nf6'"),
        ("1. e4 rubbish *", 2, "expected a move, found 'rubbish'"),
        ('[FEN "rubbish"]\n\n1. e4 *', 0, "found 1 in 'rubbish'"),
        ('[Variant "bughouse"]\n\n1. e4 *', 0, "unknown variant 'bughouse'"),
    ],
)
def test_games_that_cannot_be_read_are_copied_and_named(game: str, ply: int, reason: str) -> None:
    good = '[Result "*"]\n\n1. e4 *\n\n'
    text = good + f'[Result "*"]\n{"" if game.startswith("[") else chr(10)}{game}\n\n' + good
    out, summary, complaints = tag(text)
    assert (summary.games, summary.tagged, summary.damaged) == (3, 2, 1)
    assert (complaints[0].number, complaints[0].ply) == (2, ply)
    assert reason in complaints[0].reason
    assert game.encode() in out
    assert without_ours(out) == text.encode()


def test_moves_that_nothing_parts_are_scored() -> None:
    game = '[Result "1/2-1/2"]\n\n1.Nf3!Nf6?2.g3 g6 1/2-1/2'
    _, summary, complaints = tag(game)
    assert (summary.tagged, summary.plies, complaints) == (1, 4, [])
    assert tags(game)["RMobilityResult"] == score(read(game)).phase


@pytest.mark.parametrize("game", ['[Result "1-0"]\n\n', '[Result "1-0"]\n\n1-0\n', '[Event "bye"]\n[Result "1-0"]\n\n'])
def test_game_without_moves_has_no_result(game: str) -> None:
    out, summary, _ = tag(game)
    assert out == game.encode()
    assert (summary.games, summary.without_moves) == (1, 1)


@pytest.mark.parametrize("text", ["", "\n\n\n", "; nothing but a comment\n"])
def test_no_games(text: str) -> None:
    out, summary, _ = tag(text)
    assert (out, summary.games) == (text.encode(), 0)


def test_fifty_move_trigger() -> None:
    game = f'[FEN "{KINGS.format(clock=98)}"]\n[Result "1/2-1/2"]\n\n1. Kd5 Kf5 1/2-1/2'
    assert tags(game)["RMobilityResult"] == "-G8.5"
    assert tags(game, Wishes(rules=ScoringRules(keep_trigger=True)))["RMobilityResult"] == "-G5.5"
    assert tags(game, Wishes(rules=ScoringRules(fifty="off")))["RMobilityResult"] == "-G5.5"
    assert tags(game, Wishes(tags=ALL))["RMobilityWG"] == "-G5.5"
    assert tags(game, Wishes(tags=ALL, rules=ScoringRules(wg_trigger=True)))["RMobilityWG"] == "-G8.5"
    # In this game the position did not end the game.
    assert tags(game.replace("Kf5", "Kf5 2. Kc5"))["RMobilityResult"] == "-G5.5"


def test_sheet_has_a_row_for_each_phase() -> None:
    moves = "1. Kf3 Kh1 2. Kf2 Kh2 3. e4 Kh1 4. Kf1 Kh2 5. Kf2 Kh1 1/2-1/2"
    game = f'[White "A"]\n[Black "B"]\n[FEN "8/8/8/8/8/4K3/4P2k/8 w - - 0 31"]\n[Result "1/2-1/2"]\n\n{moves}'
    [piece] = tag_stream(io.BytesIO(game.encode()), Wishes(sheets=True))
    assert piece.sheets == (
        "Game 1: A - B\n"
        "  start | 31.Kf3 G3.5  32.Kf2 G1.5\n"
        "  33.e4 | 33.e4 G2.5  34.Kf1 G1.5\n"
        "  Result 1/2-1/2, over the board with limit G3.5: G1.5 by White, ply 7\n\n"
    )
    [piece] = tag_stream(io.BytesIO(game.replace("1/2-1/2", "*").encode()), Wishes(sheets=True))
    assert piece.sheets.endswith("  Result *, over the board with limit G3.5: G1.5 by White, ply 7 so far\n\n")
    for result, said in (("*", "no mark so far"), ("1/2-1/2", "no mark, a draw")):
        [piece] = tag_stream(io.BytesIO(f"1. e4 e5 {result}".encode()), Wishes(sheets=True))
        assert piece.sheets.endswith(f"limit G3.5: {said}\n\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1. e4 {[%rm -G9.5]} e5 {[%rm G1.0]} *", "1. e4 e5 *"),
        ("1. e4{[%rm -G9.5]}e5 *", "1. e4 e5 *"),
        ("1. e4 ; so\n{[%rm G9.5]} e5 *", "1. e4 ; so\n e5 *"),
        ("1. e4 { [%eval 0.3] [%rm G9.5] } e5 {[%rm G1.0] [%clk 1:00]} *", "1. e4 { [%eval 0.3] } e5 {[%clk 1:00]} *"),
        ("1. e4 {good [%rm G9.5] move} e5 *", "1. e4 {good move} e5 *"),
        ("1. e4 ; {[%rm G9.5]}\n1... e5 *", "1. e4 ; {[%rm G9.5]}\n1... e5 *"),  # a brace after ; opens nothing
    ],
)
def test_marks_of_an_earlier_run_go_whatever_is_asked_for(before: str, after: str) -> None:
    head = '[Event "E"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n\n'
    out, *_ = tag(head + before + "\n", Wishes())
    assert out.decode().partition("\n\n")[2] == after + "\n"
    out, *_ = tag(head + before + "\n", Wishes(comments=True))
    renewed, *_ = tag(head + after + "\n", Wishes(comments=True))
    assert out.split() == renewed.split()


# Two kings and a bishop are left: White has G8.5 in the last position, but best play reaches G1.5.
DEAD = '[FEN "8/8/4k3/8/8/3K4/4p3/4B3 w - - 0 1"]\n[Result "1/2-1/2"]\n{}\n1. Kxe2 Kd5 1/2-1/2\n'
BEST_PLAY = Wishes(rules=ScoringRules(dead_outcome=True), tags=ALL)


@pytest.mark.parametrize(
    ("reason", "is_dead"),
    [
        ('[TerminationDetails "Insufficient material"]\n', True),
        ('[Termination "normal"]\n[TerminationDetails "Draw by insufficient mating material"]\n', True),
        ('[Termination "Normal"]\n', True),  # the position has insufficient material
        ("", True),
        ('[TerminationDetails "3-fold repetition"]\n', False),
        ('[Termination "fifty-move rule"]\n', False),
    ],
)
def test_best_play_decides_games_that_insufficient_material_ended(reason: str, is_dead: bool) -> None:
    game = DEAD.format(reason)
    assert tags(game)["RMobilityResult"] == "G8.5", "without the switch the record on the board"
    out, summary, complaints = tag(game, BEST_PLAY)
    assert not complaints and (summary.dead, summary.dead_changed, summary.dead_owners) == (is_dead, is_dead, 0)
    found = tags(game, BEST_PLAY)
    assert found["RMobilityResult"] == ("G1.5" if is_dead else "G8.5")
    assert found["RMobilityOTB"] == ("G1.5" if is_dead else "1/2-1/2")
    assert tag(out.decode(), BEST_PLAY)[0] == out


def test_games_that_ended_otherwise_keep_their_result() -> None:
    for result in ("1-0", "*"):
        game = DEAD.format("").replace("1/2-1/2", result)
        assert tags(game, BEST_PLAY).get("RMobilityResult") == tags(game)["RMobilityResult"]
    alive = '[Result "1/2-1/2"]\n\n1. e4 e5 1/2-1/2\n'
    assert tag(alive, BEST_PLAY)[1].dead == 0
    unknown = DEAD.format("").replace("4B3", "4B2n")
    _, summary, _ = tag(unknown, BEST_PLAY)
    assert (summary.dead, summary.dead_unknown) == (0, 0), "two minor pieces may mate"


def test_a_komi_in_the_tags_decides_the_points_and_not_the_goal() -> None:
    """A result by komi is not a win on the board: the goal stays what it was."""
    head = '[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]\n[Result "0-1"]\n[Komi "G5.25"]\n'
    by_komi = head + '[Termination "threefold repetition, komi G5.25"]\n\n1. Kd5 Kf5 0-1\n'
    found = tags(by_komi, Wishes(tags=ALL))
    assert (found["RMobilityResult"], found["RMobilityPoints"]) == ("-G5.5", "0.000000 - 1.000000")
    assert found["RMobilityKomi"] == found["Komi"] == "G5.25"
    resigned = head + '[Termination "White resigns"]\n\n1. Kd5 Kf5 0-1\n'
    assert tags(resigned)["RMobilityResult"] == "-G0.0"
    cut = by_komi.replace("[Termination", '[RMobilityCutOff "G5.5"]\n[Termination')
    assert tags(cut, Wishes(tags=ALL))["RMobilityPoints"] == "0.500000 - 0.500000"


@pytest.mark.parametrize(
    ("given", "points"),
    [
        ('[RMobilityCutOff "G5.5"]\n', "0.500000 - 0.500000"),
        ('[RMobilityCutOff "G6.0"]\n', "0.000000 - 1.000000"),
        ('[Komi "-G5.25"]\n', "1.000000 - 0.000000"),
        ('[Komi "6.5"]\n', "0.000000 - 1.000000"),
    ],
    ids=["cut-off-alone", "weaker-cut-off", "komi-alone", "komi-of-another-game"],
)
def test_each_term_in_the_tags_counts_by_itself(given: str, points: str) -> None:
    """The other term is the usual one: here komi G5.25."""
    game = f'[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]\n[Result "1/2-1/2"]\n{given}\n1. Kd5 Kf5 1/2-1/2\n'
    usual = Wishes(tags=ALL, terms=Terms(parse_komi("G5.25")))
    assert tags(game, usual)["RMobilityPoints"] == points


@pytest.mark.parametrize(("record", "goal"), [("-G3.0", "-G3.0"), ("G5.0", "G5.0"), ("G7.0", "-G5.5")])
def test_a_record_of_the_first_position(record: str, goal: str) -> None:
    """The tag's record counts if it is better than the position's own."""
    head = f'[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]\n[Result "1/2-1/2"]\n[RMobilityRecord "{record}"]\n'
    game = f"{head}\n1. Kd5 Kf5 1/2-1/2\n"
    assert tags(game)["RMobilityResult"] == goal and tags(game)["RMobilityRecord"] == record
    (complaint,) = tag(game.replace(record, "G0.5"))[2]
    assert "leaves the game open" in complaint.reason and "RMobilityRecord" in complaint.reason

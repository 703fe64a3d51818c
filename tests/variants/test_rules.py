"""Moves of every game compared with a second implementation of the rules, and invariants of the board."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from standstill.cext.base.constants import (
    CASTLE_GATING,
    CASTLING,
    CHECKMATE,
    CLOCK_MAX,
    DOUBLE_STEP,
    EN_PASSANT,
    GATING,
    INSUFFICIENT_MATERIAL,
    NO_CLOCK_LIMIT,
    PROMOTION,
    RULE_LOSS,
    RULE_WIN,
    STALEMATE,
)
from standstill.cext.bindings.perft import checked_perft, perft
from standstill.engine.common.errors import DefinitionError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.definition import Definition
from standstill.engine.variants.fairymax import parse, read_file
from standstill.engine.variants.notation import fen, move_text, parse_move, parse_san, san, set_fen
from tests.amounts import LONG
from tests.variants import reference
from tests.variants.files import ARRAY, CHESS, KNIGHT, ROOK, block, text_of

DEBIAN = Path("/usr/share/games/fairymax/fmax.ini")
OWN = list(Catalog())
FOREIGN = list(read_file(str(DEBIAN)).games) if DEBIAN.exists() else []


def names(game: Definition) -> str:
    return ("own-" if game in OWN else "debian-") + game.name


every_game = pytest.mark.parametrize("game", [*OWN, *FOREIGN], ids=names)
# The second implementation knows only Fairy-Max's format; test_laws.py tests other games.
plain_game = pytest.mark.parametrize("game", [g for g in (*OWN, *FOREIGN) if not g.extra.are_beyond_xboard], ids=names)


def packed(game: Definition, move: reference.Move) -> int:
    """Encode a move of the reference as the core's 32 bits."""

    def number(square: tuple[int, int]) -> int:
        return square[1] * game.width + square[0]

    kind = via = promotion = 0
    if move.partner:
        kind, via = CASTLING, number(move.partner)
    elif move.takes and move.takes != move.target:
        kind, via = EN_PASSANT, number(move.takes)
    elif move.promotion:
        kind, promotion = PROMOTION, move.promotion
    elif move.passed:
        kind, via, promotion = DOUBLE_STEP, number(move.passed[0]), int(len(move.passed) == 2)
    if move.gate:
        kind = CASTLE_GATING if move.partner else GATING
        promotion = move.gate + (16 if move.partner and move.gate_at == move.partner else 0)
    return number(move.start) | number(move.target) << 8 | via << 16 | promotion << 24 | kind << 29


def compare_with_reference(game: Definition, seed: int) -> None:
    """Compare moves and checks with the second implementation in a random game that prefers captures."""
    rng = random.Random(seed)
    board, state = new_board(game=game), reference.start(game)
    for _ in range(60 if seed else 24):
        moves = {packed(game, move): move for move in reference.legal_moves(state)}
        found = board.legal_moves()
        assert sorted(found) == sorted(moves), fen(board)
        assert board.count_legal() == len(moves)
        board.verify()
        if not moves:
            return
        for move in found:
            assert board.legal(move)
            assert board.checks(move) == reference.exposed(reference.play(state, moves[move]), state.stm ^ 1), fen(
                board
            )
        takes = [move for move in sorted(found) if board.noisy(move)]
        move = rng.choice(takes if takes and rng.random() < 0.4 else sorted(found))
        board.push(move)
        state = reference.play(state, moves[move])


def play_and_compare(game: Definition, seed: int, plies: int) -> None:
    rng = random.Random(seed)
    board, state = new_board(game=game), reference.start(game)
    for _ in range(plies):
        moves = {packed(game, move): move for move in reference.legal_moves(state)}
        found = board.legal_moves()
        assert sorted(found) == sorted(moves), fen(board)
        assert len(set(found)) == len(found), "two moves share their 32 bits"
        assert board.count_legal() == len(moves)
        assert (board.checkers != 0) == reference.exposed(state, state.stm), fen(board)
        board.verify()
        if not moves:
            return
        noisy = [move for move in found if board.noisy(move)]
        move = rng.choice(noisy) if noisy and rng.random() < 0.3 else rng.choice(found)
        before = board.key, board.squares, board.virgins, board.ep, board.hand
        gave_check = board.checks(move)
        board.push(move)
        assert gave_check == (board.checkers != 0)
        board.pop()
        assert (board.key, board.squares, board.virgins, board.ep, board.hand) == before
        board.push(move)
        state = reference.play(state, moves[move])


@pytest.mark.sampled(5)
@plain_game
def test_moves_of_a_random_game(game: Definition) -> None:
    play_and_compare(game, 1, 16)


@pytest.mark.parametrize("size", ["2x4", "16x4", "2x16", "16x16"])
def test_moves_on_the_smallest_and_largest_boards(size: str) -> None:
    width = int(size.partition("x")[0])
    array = " ".join(["3", *(["4", "6"] * 8)][:width])
    changed = {"king": "k:-1 K", "knight": "n:325 W"}  # pieces whose steps fit on two files
    play_and_compare(parse(text_of(block("Game: extreme", array=array, board=size, **changed))).games[0], 3, 5)


def test_values_by_mobility_have_limits() -> None:
    """The largest and smallest value: a queen with all other riders, and a leaper from corner to corner."""
    game = parse(text_of(block("Game: extreme", "x:0 QNNCCZZ", "y:0 119,7"))).games[0]
    rules = new_board(game=game).rules
    assert [rules.mobility_cp(number) for number in (8, 9)] == [2000, 10]


@pytest.mark.slow
@plain_game
def test_moves_of_long_random_games(game: Definition) -> None:
    for seed in range(3 if LONG else 1):
        play_and_compare(game, seed, 120)


@pytest.mark.sampled(19)
@every_game
def test_make_and_counters_hold_everywhere(game: Definition) -> None:
    assert checked_perft(new_board(game=game), 2) == perft(new_board(game=game), 2)


@pytest.mark.sampled(7)
@every_game
def test_text_and_moves_are_inverse(game: Definition) -> None:
    """Coordinates name exactly one move, a FEN is complete, and SAN is read as it is written."""
    rng = random.Random(7)
    board = new_board(game=game)
    for _ in range(40):
        moves = board.legal_moves()
        if not moves:
            break
        texts = [move_text(board, move) for move in moves]
        for move, text in zip(moves, texts, strict=True):
            read = parse_move(board, text)
            assert read == move or texts.count(text) > 1, text
        text = san(board, moves[0])
        assert san(board, parse_san(board, text)) == text
        other = new_board(game=game)
        lossy = len({piece.letter.lower() for piece in game.pieces}) < len(game.pieces)
        set_fen(other, fen(board))
        if not lossy:
            assert (other.squares, other.stm, other.hand) == (board.squares, board.stm, board.hand)
            assert other.virgins == board.virgins and other.ep == board.ep, fen(board)
        board.push(rng.choice(moves))


@pytest.mark.sampled(19)
@every_game
def test_the_array_is_read_as_it_is_written(game: Definition) -> None:
    """Two pieces may share a letter, which then means the piece in the side's own array."""
    board = new_board(game=game)
    other = new_board(fen(board), game=game)
    assert (other.squares, other.virgins, other.hand) == (board.squares, board.virgins, board.hand)


@pytest.mark.parametrize(("pawn", "square"), [("a4", 24), ("c4", 26)])
def test_either_berolina_pawn_may_have_passed(pawn: str, square: int) -> None:
    """Either pawn could have passed b3. The FEN names the pawn unless it is the default."""
    game = next(game for game in OWN if game.name == "berolina")
    board = new_board(f"4k3/8/8/8/PpP5/8/8/4K3 b - b3{pawn} 0 1", game=game)
    assert board.ep == (17, square)
    assert new_board(fen(board), game=game).ep == board.ep
    alone = new_board(f"4k3/8/8/8/{'Pp6' if pawn == 'a4' else '1pP5'}/8/8/4K3 b - b3 0 1", game=game)
    assert alone.ep == board.ep and fen(alone).split()[3] == "b3"


def test_a_fork_of_two_kings_is_check() -> None:
    """One of the kings must move; if only one is attacked, there is no check."""
    game = Catalog().find("spartan")
    board = new_board("2k3k1/4N3/8/8/8/8/h7/4K3 b - - 0 1", game=game)
    assert board.checkers == 1 << 52 and board.goal() % 2 == 0
    assert {move & 255 for move in board.legal_moves()} == {58, 62}
    one = new_board("2k4k/4N3/8/8/8/8/h7/4K3 b - - 0 1", game=game)
    assert not one.checkers and {move & 255 for move in one.legal_moves()} == {8, 58, 63}


@pytest.mark.parametrize(("move", "clock"), [("d1d5", 0), ("a2a3", 0), ("d1d2", 8), ("e1e2", 8)])
def test_captures_and_pawn_moves_restart_the_counter(move: str, clock: int) -> None:
    board = new_board("4k3/8/8/3p4/8/8/P7/3RK3 w - - 7 20", game=Catalog().find("endings"))
    board.push(parse_move(board, move))
    assert board.clock == clock


@pytest.mark.parametrize(
    ("fen", "ending"),
    [
        ("8/8/8/8/8/2k5/3R4/K6R b - - 0 1", RULE_LOSS),  # against two pieces the bare king loses at once
        ("8/8/8/8/8/2k5/3R4/K7 b - - 0 1", 0),  # the last piece can still be taken
        ("8/8/8/8/8/3k4/6R1/K7 b - - 0 1", RULE_LOSS),
        ("8/8/8/8/8/3k4/6R1/K7 w - - 0 1", RULE_WIN),
        ("8/8/8/8/8/3k4/8/K7 w - - 0 1", INSUFFICIENT_MATERIAL),
        ("8/8/8/8/2r5/3k4/6R1/K7 w - - 0 1", 0),
    ],
)
def test_a_bare_king_in_shatranj(fen: str, ending: int) -> None:
    assert new_board(fen, game=Catalog().find("shatranj")).rule_result() == ending


@pytest.mark.parametrize(
    ("game", "fen", "ending"),
    [
        ("shatranj", "k7/1R6/1K6/8/8/8/8/8 b - - 0 1", RULE_LOSS),  # stalemate loses
        ("endings", "k7/1R6/1K6/8/8/8/8/8 b - - 0 1", STALEMATE),
        ("shatranj", "k1R5/8/1K6/8/8/8/8/8 b - - 0 1", CHECKMATE),
        ("endings", "k1R5/8/1K6/8/8/8/8/8 b - - 0 1", CHECKMATE),
    ],
)
def test_what_it_means_to_have_no_move(game: str, fen: str, ending: int) -> None:
    board = new_board(fen, game=Catalog().find(game))
    assert not board.legal_moves() and board.ending_without_moves() == ending


@pytest.mark.parametrize(
    ("fen", "ending"),
    [
        ("4k3/8/8/3K4/8/8/8/8 b - - 0 1", RULE_LOSS),
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", RULE_LOSS),
        ("4k3/8/2K5/8/8/8/8/8 b - - 0 1", 0),
    ],
)
def test_a_king_on_the_hill_has_won(fen: str, ending: int) -> None:
    assert new_board(fen, game=Catalog().find("kingofthehill")).rule_result() == ending


def test_a_king_is_no_promotion() -> None:
    """A royal of value -2 wins on the hill, and otherwise is an ordinary king."""
    game = next(game for game in OWN if game.name == "kingofthehill")
    board = new_board("8/4P3/8/8/8/k7/8/K7 w - - 0 1", game=game)
    assert {move_text(board, move)[4:] for move in board.legal_moves() if move >> 29 == PROMOTION} == set("qnbr")


@pytest.mark.parametrize("game", [game for game in OWN if game.name in ("normal", "spartan", "seirawan")], ids=names)
def test_any_32_bits_are_judged(game: Definition) -> None:
    rng = random.Random(3)
    board = new_board(game=game)
    for _ in range(12):
        legal = board.legal_moves()
        for move in [rng.getrandbits(32) for _ in range(3000)] + [m ^ 1 << rng.randrange(32) for m in legal]:
            assert board.legal(move) == (move in legal)
        board.push(rng.choice(legal))


def test_the_counter_of_a_very_long_game_stops() -> None:
    """As in chess, the counter stays below the value that means "no limit", so that it never causes a claim."""
    board = new_board("4k3/8/8/8/8/8/8/4K2N w - - 9999 1", game=Catalog().find("nocastle"))
    board.clock_limit = NO_CLOCK_LIMIT
    moves = [parse_move(board, "e1d1")]
    for text in ("e8d8", "d1e1", "d8e8"):
        board.push(moves[-1])
        moves.append(parse_move(board, text))
    board.push(moves[-1])
    for turn in range(CLOCK_MAX):
        board.push(moves[turn % 4])
    assert board.clock == CLOCK_MAX and board.rule_result() == 0


def test_a_square_that_many_paths_lead_to_is_one_move() -> None:
    rays = " ".join(ROOK.split()[1:] * 30)
    game, usual = (parse(text_of(block("Game: mine", rook=rook))).games[0] for rook in (f"R:500 {rays}", ROOK))
    for text in ("4k3/8/8/3R4/8/8/8/4K3 w - - 0 1", "4k3/8/8/3R4/3r4/8/8/4K3 b - - 0 1"):
        board, plain = new_board(text, game=game), new_board(text, game=usual)
        assert sorted(board.legal_moves()) == sorted(plain.legal_moves())
        assert board.goal() == plain.goal() and checked_perft(board, 2) == perft(plain, 2)


def test_more_paths_than_there_is_room_for_are_refused() -> None:
    """Around a cylinder of 16 files 128 rays have 2,048 steps, too many for the list of a piece's targets."""
    rook = "R:500 " + " ".join(["1,103", "-1,103"] * 64)
    array = "6 4 5 7 3 5 4 6 0 0 0 0 0 0 0 0"
    game = parse(text_of(block("Game: mine", rook=rook, board="16x16", array=array))).games[0]
    with pytest.raises(DefinitionError, match="expected at most 1024 paths of a piece from a square"):
        new_board(game=game)


@pytest.mark.parametrize("rights", ["124", "1E4"])
def test_first_moves_on_a_cylinder_pass_every_corner(rights: str) -> None:
    """Without rooks. The first move of a knight may also go two files to either side: from b1 by a1 to h1."""
    wide = CHESS.replace(KNIGHT, f"{KNIGHT} 1,{rights} -1,{rights}").replace(ARRAY, "0 4 5 7 3 5 4 0")
    board = new_board(game=parse(text_of(f"Game: wide\n{wide}")).games[-1])
    found = [{move_text(board, move) for move in board.legal_moves()}]
    board.push(parse_move(board, "e2e4"))
    found.append({move_text(board, move) for move in board.legal_moves()})
    assert found[0] == {"b1a3", "b1c3", "b1h1", "g1f3", "g1h3", "g1a1", *_pawns("2", "34")}
    assert found[1] == {"b8a6", "b8c6", "b8h8", "g8f6", "g8h6", "g8a8", *_pawns("7", "65")}


def _pawns(start: str, ends: str) -> set[str]:
    return {f"{file}{start}{file}{end}" for file in "abcdefgh" for end in ends}


@pytest.mark.parametrize("name", ["normal", "crazyhouse", "xiangqi"])
def test_long_games_of_several_boards_are_kept_and_taken_back(name: str) -> None:
    """The stacks of four boards grow by turns beyond every size that they begin with, so none may leave its memory."""
    rng, game = random.Random(name), Catalog().find(name)
    boards = [new_board(game=game) for _ in range(4)]
    games: list[list[str]] = [[fen(board)] for board in boards]
    for _ in range(400):
        for board, texts in zip(boards, games, strict=True):
            if legal := board.legal_moves():
                board.push(rng.choice(legal))
                texts.append(fen(board))
    assert max(map(len, games)) > 200
    for board, texts in zip(boards, games, strict=True):
        for text in reversed(texts):
            assert fen(board) == text
            board.verify()
            if text is not texts[0]:
                board.pop()

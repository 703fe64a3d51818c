"""What the rules say about a position: repetitions, fifty moves, dead positions, endgame tables, the record."""

from __future__ import annotations

from collections.abc import Sequence

from ...rmobility.goals import Goals
from ...settings.config import find_file, load
from ...variants.boards import new_board
from ...variants.notation import san
from ..game import SIDE_NAMES, CorrespondenceGame, stored_move

SCORING_TAG = "RMobilityScoring"  # `yes` in games whose event scores draws by their records
_SCORING_TAGS = ("Komi", "RMobilityCutOff")  # tags that only events with scoring by R-Mobility have
_MOST_MOVES = 4  # maximum number of moves that a hint names
_MOST_MEN = 7  # a player can claim the result of endgame tables with at most this many pieces
_QUIET_PLIES = 70  # a hint appears after this many plies without a capture or pawn move
_CLAIM_PLIES = 100


def hints(game: CorrespondenceGame) -> list[str]:
    """Return the hints for the current position of a running game."""
    if game.over:
        return []
    board = game.board
    found = []
    if board.insufficient:
        found.append("dead position: neither side has mating material, the game is drawn")
    found += _repetitions(game)
    if board.clock >= _CLAIM_PLIES:
        found.append("fifty moves without a capture or pawn move: a draw can be claimed")
    elif board.clock >= _QUIET_PLIES:
        found.append(
            f"{board.clock} half-moves without a capture or pawn move; after {_CLAIM_PLIES} a draw can be claimed"
        )
    men = 64 - board.squares.count(0)
    if men <= _MOST_MEN and not board.insufficient:
        found.append(f"{men} men: the result of endgame tables can be claimed{_verdict(game)}")
    if counts_record(game):
        found.append(_record(game))
    return found


def claims(game: CorrespondenceGame, moves: Sequence[str]) -> list[str]:
    """Return the reasons for which a draw can be claimed after these moves (UCI); empty if it cannot be claimed."""
    board = new_board(game.head.fen, game.board.notation.chess960)
    seen = {board.key: 1}
    for text in moves:
        board.push(stored_move(board, text))
        if board.clock == 0:
            seen = {}
        seen[board.key] = seen.get(board.key, 0) + 1
    reasons = ["threefold repetition"] if seen[board.key] >= 3 else []
    if board.clock >= _CLAIM_PLIES:
        reasons.append("fifty moves without a capture or pawn move")
    if 64 - board.squares.count(0) <= _MOST_MEN:
        reasons.append(f"endgame tables, with {_MOST_MEN} men or fewer")
    return reasons


def counts_record(game: CorrespondenceGame) -> bool:
    """Return whether the event scores draws by their R-Mobility records."""
    tags = game.head.tags
    return tags.get(SCORING_TAG, "").lower() == "yes" or any(tag in tags for tag in _SCORING_TAGS)


def _record(game: CorrespondenceGame) -> str:
    """Return the R-Mobility record, its holder, and the moves that beat it."""
    board = new_board(game.head.fen, game.board.notation.chess960)
    goals = Goals(board)
    for text in game.moves:
        if move := stored_move(board, text):
            board.push(move)
            goals.push(board)
        else:
            board.push_null()
            goals.push_null()
    record = goals.lowest
    beaten: list[tuple[int, str]] = []
    for move in board.legal_moves():
        name = san(board, move)
        board.push(move)
        if board.clock and board.goal() < record.code:
            beaten.append((board.goal(), name))
        board.pop()
    beaten.sort()
    names = ", ".join(f"{name} (G{code / 2})" for code, name in beaten[:_MOST_MOVES])
    more = f" and {len(beaten) - _MOST_MOVES} more" if len(beaten) > _MOST_MOVES else ""
    chances = f"beaten by {names}{more}" if beaten else f"no quiet move of {SIDE_NAMES[board.stm]} beats it"
    return f"R-Mobility: the record is {record}, held by {SIDE_NAMES[record.owner]}; {chances}"


def _repetitions(game: CorrespondenceGame) -> list[str]:
    """Return hints of a threefold repetition, on the board or one move away."""
    board = new_board(game.head.fen, game.board.notation.chess960)
    seen = {board.key: 1}
    for text in game.moves:
        board.push(stored_move(board, text))
        if board.clock == 0:
            seen = {}
        seen[board.key] = seen.get(board.key, 0) + 1
    times = seen.get(board.key, 0)
    if times >= 3:
        return ["this position has occurred three times: a draw can be claimed"]
    found = ["this position has occurred twice: a third time allows the claim of a draw"] if times == 2 else []
    thirds = []
    for move in board.legal_moves():
        name = san(board, move)
        board.push(move)
        if board.clock and seen.get(board.key, 0) >= 2:
            thirds.append(name)
        board.pop()
    if thirds:
        names = " or ".join(thirds)
        found.append(f"{names} makes a position occur for the third time, which allows the claim of a draw")
    return found


def _verdict(game: CorrespondenceGame) -> str:
    """Return what the Syzygy tables in ``SyzygyPath`` say; empty without tables for the position."""
    from ...play.endgames import Endgames

    folders = _syzygy_folders()
    if not folders:
        return ""
    endgames = Endgames(folders)
    try:
        if not endgames.covers(game.board):
            return ""
        winner = endgames.winner(game.board)
    finally:
        endgames.close()
    return {"1-0": "; Syzygy: White wins", "0-1": "; Syzygy: Black wins"}.get(winner or "", "; Syzygy: drawn")


def _syzygy_folders() -> list[str]:
    import os

    settings, _ = load()
    text = str(settings["SyzygyPath"])
    return [find_file(part.strip()) for part in text.split(os.pathsep) if part.strip() not in {"", "<empty>"}]

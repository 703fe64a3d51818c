"""Writes cases.jsonl: questions about games with their answers, which slow, simple code computes with python-chess.

    python kit/conformance/make.py > kit/conformance/cases.jsonl

The file and this program are in the public domain (CC0 1.0). The games are random ones of our own. The questions have
the form of ``docs/adjudication.md``.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction

import chess

START = chess.STARTING_FEN
KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
BISHOP = "6k1/8/5K2/5B2/8/8/8/8 b - - 0 1"
# Outcomes of best play with three men, computed by complete solution: position with record, outcome, plies.
PROVEN = [
    ("8/8/8/2K3k1/8/8/8/8 w - - 0 1", "-G8.5", 0),
    ("8/8/8/3K2k1/8/8/8/8 b - - 0 1 -G8.5", "-G5.5", 1),
    ("8/6k1/8/4K3/8/8/8/8 b - - 0 1", "G5.5", 2),
    ("8/8/8/8/4k3/8/1K6/8 w - - 0 1", "G5.5", 13),
    ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "G1.5", 4),
    ("8/8/7k/5B2/6K1/8/8/8 b - - 0 1", "G1.5", 0),
    ("6k1/8/5K2/5B2/8/8/8/8 b - - 0 1", "G0.5", 8),
    ("8/8/8/8/8/8/3k4/K2B4 w - - 0 1", "G1.5", 45),
    ("8/8/8/4KBk1/8/8/8/8 b - - 0 1 -G2.0", "G1.5", None),
    ("8/8/8/4KBk1/8/8/8/8 b - - 0 1 -G1.5", "G5.5", 12),
    ("8/8/8/2kNK3/8/8/8/8 b - - 0 1", "G3.5", 0),
    ("8/8/K1k5/8/2P5/8/8/8 w - - 0 1 G3.5", "G5.5", None),
    ("8/8/K1k5/8/2P5/8/8/8 w - - 0 1 -G3.5", "-G5.5", None),
]


def code_of(board: chess.Board) -> int:
    """Twice the number of legal moves, and one more if the side to move is not in check."""
    return 2 * board.legal_moves.count() + (not board.is_check())


def text_of(code: int, owner: bool) -> str:
    return f"{'' if owner else '-'}G{code // 2}.{5 * (code % 2)}"


def goal_of(text: str) -> tuple[int, bool]:
    return int(2 * Fraction(text.lstrip("-G"))), not text.startswith("-")


def answer(question: dict) -> dict:
    """The answer by the rules, position by position."""
    rules = question.get("rules", {})
    fields = question.get("fen", START).split()
    board = chess.Board(" ".join(fields[:6]), chess960=rules.get("chess960", False))
    given = question.get("record") or (fields[6] if len(fields) > 6 else None)
    limit = goal_of(rules["limit"])[0] if "limit" in rules else None
    fifty = rules.get("fifty", "fide")
    code, owner, ply, clock = code_of(board), not board.turn, 0, board.halfmove_clock
    if given is not None and goal_of(given)[0] <= code:
        code, owner = goal_of(given)
    waiting = None
    for number, move in enumerate(question.get("moves", []), 1):
        if waiting is not None:
            code, owner, ply = waiting
            waiting = None
        parsed = board.parse_uci(move)
        resets = board.is_zeroing(parsed)
        board.push(parsed)
        clock = 0 if resets else clock + 1
        goal = code_of(board), not board.turn, number
        counts = limit is None or goal[0] <= limit
        if resets and not rules.get("whole_game"):
            code, owner, ply = goal
        elif goal[0] < code and counts:
            trigger = fifty == "fide" and clock >= 100 and goal[0] > 1 and not rules.get("keep_trigger")
            if trigger:
                waiting = goal
                continue
            code, owner, ply = goal
            clock = 0 if fifty == "record" else clock
    return told(question, board, (code, owner, ply) if limit is None or code <= limit else None, clock)


def told(question: dict, board: chess.Board, record: tuple[int, bool, int] | None, clock: int) -> dict:
    rules = question.get("rules", {})
    over, result = None, "*"
    if not any(board.legal_moves):
        over = "mate" if board.is_check() else "stalemate"
    elif board.is_repetition(3):
        over = "repetition"
    elif rules.get("fifty", "fide") != "off" and clock >= 100:
        over = "fifty"
    elif rules.get("dead_draw") and board.is_insufficient_material():
        over = "material"
    if over == "mate":
        result = "0-1" if board.turn else "1-0"
    elif over is not None:
        result = by_komi(record, question.get("komi"), rules.get("cut_off"))
    found = {"record": None, "ply": None, "owner": None, "over": over, "result": result}
    if record is not None:
        found |= {"record": text_of(*record[:2]), "ply": record[2], "owner": "white" if record[1] else "black"}
    return found


def by_komi(record: tuple[int, bool, int] | None, komi: str | None, cut_off: str | None) -> str:
    if komi is None or (cut_off is not None and (record is None or record[0] >= goal_of(cut_off)[0])):
        return "1/2-1/2"
    side, least = not komi.startswith("-"), Fraction(komi.lstrip("-G"))
    if record is None or record[1] != side or Fraction(record[0], 2) > least:
        return "0-1" if side else "1-0"
    if Fraction(record[0], 2) == least:
        return "1/2-1/2"
    return "1-0" if side else "0-1"


def walk(rng: random.Random, fen: str, plies: int, chess960: bool = False) -> list[str]:
    board, moves = chess.Board(fen, chess960=chess960), []
    while len(moves) < plies and any(board.legal_moves) and not board.is_repetition(3):
        move = rng.choice(list(board.legal_moves))
        moves.append(board.uci(move))
        board.push(move)
    return moves


def questions() -> list[tuple[str, dict]]:
    """(what the case is about, question)."""
    rng, found = random.Random(2026), []
    for plies in range(0, 160, 5):
        found.append(("record", {"moves": walk(rng, START, plies)}))
        found.append(("whole game", {"moves": walk(rng, START, plies), "rules": {"whole_game": True}}))
        found.append(("limit", {"fen": KINGS, "moves": walk(rng, KINGS, plies), "rules": {"limit": "G3.5"}}))
        shuffled = chess.Board.from_chess960_pos(rng.randrange(960)).fen()
        rules = {"chess960": True}
        found.append(("Chess960", {"fen": shuffled, "moves": walk(rng, shuffled, plies, True), "rules": rules}))
        clocked = KINGS.replace("0 1", f"{100 - plies % 20} 90")
        for fifty in ("fide", "record", "off"):
            asked = {"fen": clocked, "moves": walk(rng, clocked, plies % 25), "rules": {"fifty": fifty}}
            found.append(("50-move rule", asked))
        found.append(
            ("trigger counts", {"fen": clocked, "moves": walk(rng, clocked, 40), "rules": {"keep_trigger": True}})
        )
        komi, given = rng.choice(["G5.25", "-G4.75", "G5.5", "-G8.5", "G12"]), rng.choice(["G6.0", "-G5.0", "-G12.0"])
        over = walk(rng, KINGS, 400)
        found.append(("komi", {"fen": KINGS, "moves": over, "komi": komi}))
        found.append(("cut-off", {"fen": KINGS, "moves": over, "komi": komi, "rules": {"cut_off": "G5.5"}}))
        found.append(("given record", {"fen": KINGS, "moves": over[:plies], "record": given}))
        found.append(
            ("insufficient material", {"fen": BISHOP, "moves": [], "rules": {"dead_draw": True}, "komi": komi})
        )
    return [*found, *chosen()]


def chosen() -> list[tuple[str, dict]]:
    mate_at_100 = "7k/8/6K1/8/8/8/8/R7 w - - 99 90"
    stalemate_at_100 = "7k/8/5K2/6Q1/8/8/8/8 w - - 99 90"
    shuffle = ["c5d5", "g5f5", "d5c5", "f5g5"] * 3
    return [
        ("mate at the trigger", {"fen": mate_at_100, "moves": ["a1a8"]}),
        ("stalemate at the trigger", {"fen": stalemate_at_100, "moves": ["g5g6"]}),
        ("goal at the trigger", {"fen": KINGS.replace("0 1", "98 90"), "moves": ["c5d5", "g5f5"]}),
        ("the game goes on", {"fen": KINGS.replace("0 1", "98 90"), "moves": ["c5d5", "g5f5", "d5d4"]}),
        ("en passant counts as a move", {"fen": "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "moves": ["a2a4"]}),
        ("en passant is illegal", {"fen": "8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1", "moves": ["d2d4"]}),
        ("promotions count four times", {"fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"}),
        ("castling counts once", {"fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "moves": ["e1g1", "e8c8"]}),
        ("first come, first kept", {"fen": KINGS, "moves": shuffle[:8]}),
        ("third occurrence", {"fen": KINGS, "moves": shuffle}),
        ("stalemate", {"fen": BISHOP, "moves": ["g8f8", "f5d7", "f8g8", "d7e6", "g8h7", "e6f7", "h7h8", "f6g6"]}),
        ("mate", {"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}),
        ("a given record gives way", {"fen": f"{KINGS} G12.0"}),
        ("no moves", {}),
    ]


def main() -> None:
    for about, question in questions():
        print(json.dumps({"about": about, "question": question, "answer": answer(question)}))
    for fen, outcome, plies in PROVEN:
        known = {"proven": True, "outcome": outcome} | ({} if plies is None else {"plies": plies})
        print(
            json.dumps({"about": "outcome by tables", "question": {"fen": fen}, "answer": answer({"fen": fen}) | known})
        )


if __name__ == "__main__":
    main()

"""One thread searches the same tree every time (idea: Stockfish, tests/reprosearch.sh)."""

from __future__ import annotations

import chess
import pytest

from tests.board.support import KIWIPETE
from tests.uci.client import Client
from tests.uci.lines import read_answer


def short_game(engine: Client, opening: str, go: str, plies: int = 14) -> list[tuple[str, int]]:
    """Moves and node counts of the engine's game against itself."""
    engine.send("ucinewgame")
    position = chess.Board()
    for move in opening.split():
        position.push_uci(move)
    found = []
    while len(found) < plies and not position.is_game_over():
        moves = " ".join(move.uci() for move in position.move_stack)
        answer = read_answer(engine.search(go, f"startpos moves {moves}"))
        found.append((answer.move, answer.nodes))
        position.push_uci(answer.move)
    return found


OPENINGS = ["e2e4 e7e5", "d2d4 g8f6"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("go", ["go depth 7", "go nodes 10000"])
def test_two_short_games_twice_give_the_same_node_counts(engine: Client, go: str) -> None:
    first = [short_game(engine, opening, go) for opening in OPENINGS]
    assert [short_game(engine, opening, go) for opening in OPENINGS] == first


@pytest.mark.sampled(1)
@pytest.mark.parametrize("go", ["go depth 7", "go nodes 10000"])
def test_another_process_gives_the_same_node_counts(start, go: str) -> None:
    assert short_game(start(), OPENINGS[0], go) == short_game(start(), OPENINGS[0], go)


def test_what_was_searched_before_is_forgotten_with_ucinewgame(engine: Client) -> None:
    fresh = short_game(engine, OPENINGS[0], "go depth 6")
    engine.search("go depth 10", f"fen {KIWIPETE}")
    assert short_game(engine, OPENINGS[0], "go depth 6") == fresh


def test_a_ping_does_not_change_the_search(engine: Client) -> None:
    expected = read_answer(engine.search("go depth 9", f"fen {KIWIPETE}")).nodes
    engine.send("ucinewgame", f"position fen {KIWIPETE}", "go depth 9", *["isready"] * 50)
    assert read_answer(engine.read_until("bestmove")).nodes == expected


def test_the_limit_of_nodes_cuts_the_same_tree(engine: Client) -> None:
    """A search with few nodes is the beginning of a longer one: its lines are the same."""

    def told(go: str) -> list[tuple[int, int, tuple[str, ...]]]:
        engine.send("ucinewgame")
        answer = read_answer(engine.search(go, f"fen {KIWIPETE}"))
        return [(info.depth, info.nodes, tuple(info.pv)) for info in answer.infos]

    few, many = told("go nodes 20000"), told("go nodes 100000")
    whole = [line for line in few if line in many]
    assert len(whole) >= len(few) - 1


def test_the_size_of_the_hash_does_not_change_a_search_that_fits(engine: Client) -> None:
    counts = set()
    for size in (16, 64):
        engine.send(f"setoption name Hash value {size}", "ucinewgame")
        counts.add(read_answer(engine.search("go depth 6", "startpos")).nodes)
    assert len(counts) == 1

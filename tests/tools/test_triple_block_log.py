"""The log checker: what it finds in a game written here, and that it finds errors made on purpose."""

from __future__ import annotations

import pytest

from tools.measure.play.triple_block_log import Verdict, judge, read

PAID = 50


def log(
    state: str, clock: float, bank: float, thoughts: list[int], first: int = 1, spoil: dict[str, int] | None = None
) -> list[str]:
    """A game at one second per day with 1 day per move. spoil: what goes wrong, and on which move."""
    spoil = spoil or {}
    lines = [
        f"1 >Ours(0): setoption name TripleBlock value {state}",
        "1 >Ours(0): setoption name TripleBlockScale value 1",
        "5 >Ours(0): ucinewgame",
        "5 >Ours(0): position startpos",
    ]
    at, total, client = 1000, (clock + bank) * 1000, (clock + bank) * 1000 + 1000
    shown = clock * 1000
    for number, thought in enumerate(thoughts, first):
        lines.append(f"{at} >Ours(0): go wtime {client:.0f} btime 9 winc 1000 binc 100")
        share = (total - min(3000, total / 10)) / max(10, 71 - number) + (1000 if number <= PAID else 0)
        if share >= shown and total > shown and spoil.get("advice") != number:
            lines.append(f"{at} <Ours(0): info string tripleblock refill {50 - shown / 1000}d before 2026-01-01T00:00Z")
        at += thought
        total += (1000 if number <= PAID else 0) - thought
        if spoil.get("increment") == number:
            total -= 1000
        client += 1000 - thought + (1000 if spoil.get("client") == number else 0)
        shown = min(50_000, total)
        lines += [
            f"{at} <Ours(0): info string tripleblock clock {shown / 1000}d bank {(total - shown) / 1000}d"
            f" move {number + 1} total {total / 1000}d",
            f"{at} <Ours(0): bestmove e2e4",
        ]
        at += 100
    return [*lines, "Finished game 1 (Ours vs Other): 1-0 {White mates}"]


def verdict(*arguments, **options) -> Verdict:
    found = read(log(*arguments, **options))
    assert (found.ends, found.lost_on_time) == (["White mates"], 0)
    (game,) = found.games
    return judge(game)


def test_a_game_without_faults() -> None:
    found = verdict("50/75/1", 50, 75, [2500] * 60)
    assert found.faults == [] and (found.moves, found.paid) == (60, 50)
    assert (found.used_ms, found.left_ms) == (150_000, 125_000 + 50_000 - 150_000)
    assert (found.engine_apart_ms, found.client_apart_ms) == (0, 0)


def test_a_refill_is_needed_and_advised() -> None:
    found = verdict("2/75/1@20", 2, 75, [1900, 2000], first=20)
    assert found.faults == [] and (found.refills_needed, found.refills_advised) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "spoil", "fault"),
    [
        (("50/75/1", 50, 75, [50_000]), {}, "move 1: time ran out"),
        (("50/75/1", 50, 75, [1000] * 3), {"increment": 2}, "move 2: the engine's total"),
        (("50/75/1", 50, 75, [1000] * 3), {"client": 2}, "move 3: the client's clock"),
        (("2/75/1@20", 2, 75, [1000], 20), {"advice": 20}, "move 20: no refill advised"),
        (("50/75/1@50", 50, 75, [1000] * 3, 49), {}, "move 50: the engine goes on with move 50"),
    ],
)
def test_what_is_wrong_is_found(arguments: tuple, spoil: dict[str, int], fault: str) -> None:
    assert verdict(*arguments, spoil=spoil).faults[0].startswith(fault)


@pytest.mark.parametrize(("how", "lost"), [("White loses on time", 1), ("Black loses on time", 0)])
def test_the_side_that_lost_on_time_is_named(how: str, lost: int) -> None:
    lines = [*log("50/75/1", 50, 75, [1000])[:-1], f"Finished game 1 (Ours vs Other): 0-1 {{{how}}}"]
    assert read(lines).lost_on_time == lost


def test_pondering_costs_nothing_before_the_hit() -> None:
    lines = [
        *log("50/75/1", 50, 75, [1000])[:-3],
        "3000 <Ours(0): bestmove e2e4 ponder e7e5",
        "3000 >Ours(0): position startpos moves e2e4 e7e5",
        "3000 >Ours(0): go ponder wtime 9 btime 9",
        "4000 >Ours(0): stop",
        "4000 <Ours(0): bestmove g1f3",
        "4000 >Ours(0): position startpos moves e2e4 c7c5",
        "4000 >Ours(0): go ponder wtime 9 btime 9",
        "9000 >Ours(0): ponderhit",
        "9700 <Ours(0): bestmove g1f3",
    ]
    (game,) = read(lines).games
    assert [move.spent_ms for move in game.moves] == [2000, 700]


def test_xboard_is_read_as_well() -> None:
    lines = [
        "1 >Ours(0): option TripleBlock=2/75/1@20",
        "1 >Ours(0): option TripleBlockScale=1",
        "5 >Ours(0): new",
        "5 >Ours(0): force",
        "5 >Ours(0): usermove e2e4",
        "9 >Ours(0): time 7800",
        "9 >Ours(0): go",
        "9 <Ours(0): telluser tripleblock refill 48d before 2026-01-01T00:00Z",
        "1009 <Ours(0): move e7e5",
        "1100 >Ours(0): time 7800",
        "1100 >Ours(0): usermove d2d4",
        "2100 <Ours(0): move d7d5",
    ]
    (game,) = read(lines).games
    found = judge(game)
    assert (found.moves, found.refills_advised, found.used_ms, found.faults) == (2, 1, 2000, [])

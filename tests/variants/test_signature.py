"""The node counts of `standstill bench` in games by definition, as tests/search/test_signature.py has them for chess.

A change of the rules, the evaluation or the search changes them. Then put the new numbers here.
"""

from standstill.engine.play.bench import Bench

DEPTH = 4
# `endings` is chess by definition. Together these games use nearly all rules that a definition can state.
NODES = {
    "endings": 4908,
    "3check": 3507,
    "losers": 1800,
    "crazyhouse": 9136,
    "seirawan": 6050,
    "makruk": 3958,
    "kingofthehill": 4344,
    "berolina": 5617,
    "cylinder": 5345,
    "spartan": 4297,
    "shatranj": 2957,
    "racingkings": 3851,
    "grand": 7659,
    "horde": 4918,
    "extinction": 1929,
    "shako": 7383,
    "suicide": 789,
    "cambodian": 3545,
    "great": 4126,
    "xiangqi": 4622,
    "minishogi": 3893,
    "kyotoshogi": 3989,
}


def nodes(game: str) -> int:
    bench = Bench(DEPTH, hash_mb=1, variant=game)
    bench.run(lambda line: None)
    return bench.nodes


def test_every_build_searches_the_same_trees() -> None:
    assert {game: nodes(game) for game in NODES} == NODES

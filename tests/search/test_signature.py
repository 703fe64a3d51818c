"""The node count of `standstill bench` is the signature of the search.

It must be the same in every build (AVX-512, AVX2, portable, sanitized); `.ci/run` runs this test in several builds. A
change of play changes it. After such a change, enter the new number here, and the number of the full `bench` in the
commit message. Shallower searches with objectives, and those of other games in tests/variants/test_signature.py, notice
changes of what `bench` does not use.
"""

import pytest

from standstill.engine.play.bench import Bench, run

DEPTH = 9
NODES = 226849

OBJECTIVES_DEPTH = 5
OBJECTIVES_NODES = {"Tiebreak": 28361, "Points": 28112, "Decisive": 28369}


def test_every_build_searches_the_same_tree() -> None:
    assert run(DEPTH, lambda line: None).nodes == NODES


@pytest.mark.parametrize("objective", OBJECTIVES_NODES)
def test_every_build_searches_the_same_tree_for_an_objective(objective: str) -> None:
    bench = Bench(OBJECTIVES_DEPTH, hash_mb=1)
    bench.session.settings["RMobility"] = objective
    bench.run(lambda line: None)
    assert bench.nodes == OBJECTIVES_NODES[objective]

"""The node count of `standstill bench` is the signature of the search.

It must be the same in every build (AVX-512, AVX2, portable, sanitized); `.ci/run` runs this test in several builds. A
change of play changes it. Then put the new number here, and the number of the full `bench` into the commit message.
"""

from standstill.engine.play.bench import run

DEPTH = 9
NODES = 258654


def test_every_build_searches_the_same_tree() -> None:
    assert run(DEPTH, lambda line: None).nodes == NODES

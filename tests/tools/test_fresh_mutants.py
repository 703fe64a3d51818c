"""Random mutants: each changes the program in one place, and the verdict is about the mutant that was built."""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import random
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from tools.mutants import fresh, quick
from tools.mutants.fresh import AT_LAST, INVALID, NOTICED, SURVIVED, areas, deselected, drawn, failed_test
from tools.mutants.lists import ROOT
from tools.mutants.operators import PlacedMutant, mistakes
from tools.mutants.run import Broken

PYTHON = """import os
def f(a: int | None, b: int = -1) -> bool:
    '''1 + 1 < 2'''
    if a < b and not b:  # or 1 > 2
        return min(a, 3 - b) == 2
    return [x for x in range(b) if x][-1]
"""
CYTHON = """cdef int f(const Position* p, int n) noexcept nogil:
    cdef const Head* head = &p.head
    cdef uint8_t a = <uint8_t> n >> 3
    return g(&a) if a < 4 else -n
"""


def changes(text: str) -> set[tuple[int, str, str]]:
    return {(text.count("\n", 0, each.at) + 1, each.old, each.new) for each in mistakes("f.py", text)}


def test_each_operator_of_python_has_its_places() -> None:
    assert changes(PYTHON) == {
        (4, "if", "if not"),
        (4, "<", "<="),
        (4, "and", "or"),
        (4, "not", ""),
        (5, "min", "max"),
        (5, "3", "4"),
        (5, "-", "+"),
        (5, "==", "!="),
        (5, "2", "3"),
        (6, "1", "2"),
    }


def test_strictness_is_an_assertion() -> None:
    """Lists of equal length show no difference, and the strictness of a loop guards against others."""
    text = "for one, other in zip(left, right, strict=True):\n    found = copy(one, deep=True)\n"
    assert changes(text) == {(2, "True", "False")}


def test_pointers_addresses_and_casts_are_no_operators() -> None:
    assert changes(CYTHON) == {(3, ">>", "<<"), (3, "3", "4"), (4, "<", "<="), (4, "4", "5")}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", areas())
def test_every_mistake_is_made_where_it_says(name: str) -> None:
    """Python must still be able to parse the file, or the mutant could not be built."""
    files, tests = areas()[name].files, areas()[name].tests
    assert files
    assert all((ROOT / path).exists() for path in (*tests, *areas()[name].last))
    rng = random.Random(name)
    for file in rng.sample(files, min(4, len(files))):
        text = (ROOT / file).read_text(encoding="utf-8")
        found = mistakes(file, text, tests)
        for mutant in rng.sample(found, min(12, len(found))):
            changed = mutant.apply(text)
            assert len(changed) - len(text) == len(mutant.new) - len(mutant.old)
            row = int(mutant.what.split(":")[1])
            differing = [
                n for n, (a, b) in enumerate(zip(text.split("\n"), changed.split("\n"), strict=True), 1) if a != b
            ]
            assert differing == [row]
            if file.endswith(".py"):
                ast.parse(changed)


def test_another_text_at_the_place_is_an_error() -> None:
    mutant = PlacedMutant("f:1", "f", "<", "<=", at=2)
    assert mutant.apply("a < b < c") == "a <= b < c"
    with pytest.raises(ValueError, match="expected '<', found 'b'"):
        mutant.apply("a b c")


def test_draws_are_those_of_the_seed_and_take_the_areas_by_turns() -> None:
    first, again, other = ([*islice(drawn(["clocks", "servers"], random.Random(seed)), 20)] for seed in (1, 1, 2))
    assert first == again != other
    assert [name for name, _ in first] == ["clocks", "servers"] * 10
    assert len({(mutant.file, mutant.at) for _, mutant in first}) == 20


def test_a_draw_by_size_gives_each_area_the_share_of_its_mistakes() -> None:
    places = {
        name: Counter(area for area, _ in drawn([name], random.Random(1)))[name] for name in ("clocks", "servers")
    }
    mixed = [name for name, _ in drawn([*places], random.Random(1), by_size=True)]
    assert Counter(mixed) == places
    share = places["servers"] / len(mixed)
    assert abs(Counter(mixed[:300])["servers"] / 300 - share) < 4 * (share * (1 - share) / 300) ** 0.5


@pytest.mark.parametrize(
    ("output", "test"),
    [
        ("FAILED tests/a.py::test_b - assert 1", "tests/a.py::test_b"),
        ("ERROR tests/a.py - ImportError", "tests/a.py"),
        ("FAILED tests/a.py::test_b[1 2] - x", "tests/a.py::test_b"),
        ("Timeout", None),
    ],
)
def test_the_test_that_noticed_is_found(output: str, test: str | None) -> None:
    assert failed_test(f"...\n{output}\n") == test


def test_files_that_name_the_changed_function_or_module_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh, "ROOT", tmp_path)
    (tmp_path / "t").mkdir()
    source = (
        "def above():\n    pass\n\ncdef class C:\n    cdef inline int f(self, int a=1) nogil:\n        return a + 2\n"
    )
    (tmp_path / "reader.pyx").write_text(source)
    for name, text in {"a": "above", "b": "f()", "reader": "", "c": "C().f", "last": "C reader f", "z": "2"}.items():
        (tmp_path / "t" / f"test_{name}.py").write_text(text)
    (tmp_path / "t" / "helper.py").write_text("C reader f")
    [mutant] = [each for each in mistakes("reader.pyx", source, ["t"]) if each.old == "+"]
    files = [file.removeprefix("t/test_") for file in fresh.in_order(mutant, ["t/test_last.py"])]
    assert files == ["c.py", "reader.py", "b.py", "a.py", "z.py"]


class FakeWorkshop:
    """Simulated tests: status and output of each run in turn."""

    def __init__(self, *answers: tuple[int, str], builds: bool = True):
        self.answers, self.builds, self.made, self.asked = list(answers), builds, False, []

    def make(self, mutant: PlacedMutant) -> None:
        if not self.builds:
            raise Broken("does not build")
        self.made = True

    def restore(self, mutant: PlacedMutant) -> None:
        self.made = False

    def test(self, tests: tuple[str, ...], options: tuple[str, ...], patience_s: float) -> tuple[int, str]:
        self.asked.append((tests, options, self.made))
        return self.answers.pop(0)


@pytest.fixture(autouse=True)
def as_listed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests named by the mutant below are not files."""
    if "files_that_name" not in request.node.name:
        monkeypatch.setattr(fresh, "in_order", lambda mutant, last: mutant.tests)


MUTANT = PlacedMutant("f:1", "f.pyx", "<", "<=", ("tests/x",))
FAILS = (1, "FAILED tests/x/test_a.py::test_b - assert 0")


@pytest.mark.parametrize(
    ("workshop", "result"),
    [
        (FakeWorkshop((0, "")), SURVIVED),
        (FakeWorkshop(FAILS, (0, "")), NOTICED),
        (FakeWorkshop((-11, "")), NOTICED),
        (FakeWorkshop(FAILS, FAILS, (0, "")), SURVIVED),
        (FakeWorkshop(builds=False), INVALID),
    ],
    ids=["passes", "fails", "crashes", "fails anyway", "does not build"],
)
def test_verdicts(workshop: FakeWorkshop, result: str) -> None:
    flaky: set[str] = set()
    assert fresh.judge(workshop, MUTANT, flaky)[0] == result  # type: ignore[arg-type]
    assert not workshop.made
    assert not workshop.answers
    if len(workshop.asked) == 3:
        assert [made for _, _, made in workshop.asked] == [True, False, True]
        assert set(deselected(flaky)) <= set(workshop.asked[2][1])


def test_tests_that_have_noticed_run_before_the_folder() -> None:
    """Only a failure of these tests settles the result; if they pass or cannot be run, the others are run."""
    alert = ["tests/x/test_a.py::test_b"]
    for first, rest, result in (
        (FAILS, [], NOTICED),  # it has passed without a mistake before
        ((1, "FAILED tests/x/test_a.py::test_c - assert 0"), [(0, "")], NOTICED),
        ((0, ""), [FAILS], NOTICED),
        ((0, ""), [(0, "")], SURVIVED),
        ((4, "no such test"), [(0, "")], SURVIVED),
    ):
        workshop = FakeWorkshop(first, *rest)
        assert fresh.judge(workshop, MUTANT, set(), alert)[0] == result  # type: ignore[arg-type]
        assert workshop.asked[0][0] == (*alert,)
        assert not workshop.answers and not workshop.made


def test_the_likeliest_files_run_first_and_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    files = tuple(f"tests/x/test_{number}.py" for number in range(9))
    monkeypatch.setattr(fresh, "in_order", lambda mutant, last: files)
    workshop = FakeWorkshop((0, ""), (0, ""))
    assert fresh.judge(workshop, MUTANT, set()) == (SURVIVED, "")  # type: ignore[arg-type]
    (first, alone, _), (others, together, _) = workshop.asked
    assert (first + others, "-n" in alone, "-n" in together) == (files, False, True)


def test_a_mistake_that_python_cannot_parse_does_not_count(tmp_path) -> None:
    workshop = FakeWorkshop(builds=True)
    workshop.tree = tmp_path
    (tmp_path / "f.py").write_text("if not a := b: pass\n")
    mutant = PlacedMutant("f:1", "f.py", "if", "if not", ("tests/x",))
    assert fresh.judge(workshop, mutant, set())[0] == INVALID  # type: ignore[arg-type]


def test_tests_that_cannot_be_run_are_no_verdict() -> None:
    with pytest.raises(Broken, match="cannot be run"):
        fresh.judge(FakeWorkshop((4, "no such folder")), MUTANT, set())  # type: ignore[arg-type]


def test_the_share_is_of_what_was_judged(capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counter({("clocks", NOTICED): 3, ("clocks", SURVIVED): 1, ("clocks", INVALID): 7, ("rules", NOTICED): 1})
    assert fresh.report(counts, ["clocks", "rules"]) == 0.8
    assert capsys.readouterr().out.endswith("all: 4 of 5 noticed, 80 %\n")
    counts["rules", AT_LAST] = 3
    assert fresh.report(counts, ["clocks", "rules"]) == 0.875
    assert "rules: 4 of 4 noticed, 3 of them by the last tests alone\n" in capsys.readouterr().out


def test_what_only_the_last_tests_notice_is_counted_apart() -> None:
    for answers, result in (
        ([(0, ""), FAILS, (0, "")], AT_LAST),
        ([(0, "")] * 2, SURVIVED),
        ([FAILS, (0, "")], NOTICED),
    ):
        workshop = FakeWorkshop(*answers)
        assert fresh.judge(workshop, MUTANT, set(), last=["tests/x/test_z.py"])[0] == result  # type: ignore[arg-type]
        assert not workshop.answers and not workshop.made


@pytest.mark.slow
def test_a_module_is_built_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = Path("cext", "base", "twice.pyx")
    source.parent.mkdir(parents=True)
    source.write_text("def twice(int n):\n    return n + n\n")
    assert quick.build(source, [])
    [module] = source.parent.glob("twice.*.so")
    before = module.read_bytes()
    for text in ("def twice(int n):\n    return n +\n", "def twice(int n):\n    return unknown(n)\n"):
        source.write_text(text)
        assert not quick.build(source, [])
    assert [*source.parent.glob("twice*.so*")] == [module] and module.read_bytes() == before
    loader = importlib.machinery.ExtensionFileLoader("standstill.cext.base.twice", str(module))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec
    twice = importlib.util.module_from_spec(spec)
    loader.exec_module(twice)
    assert twice.twice(21) == 42

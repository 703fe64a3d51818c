"""Asks a program all questions of this suite and compares its answers. In the public domain (CC0 1.0).

    python run.py [--without ABOUT]... COMMAND...        python run.py standstill adjudicate
    python run.py --games [--without TAG]... COMMAND...  python run.py --games standstill tag --tags all {in}

Without --games the program reads the questions of cases.jsonl, one JSON object per line, and answers each with another.

With --games it reads the games of games.pgn and writes them, in the same order, with the five results as tags. {in} in
the command stands for the path of the games, {out} for the path of the answer; without them the program reads standard
input and writes standard output. --without leaves a result out.

Exit status: 0 if all answers are right, 1 if one is wrong, 2 for a wrong command line.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
# Words with which programs name the end of a game, in the order in which they are looked for, and the words of the
# cases.
ENDS = {"insufficient": "material", "material": "material", "stalemate": "stalemate", "repetition": "repetition",
        "fifty": "fifty", "50": "fifty", "mate": "mate"}  # fmt: skip


def end_of(text: str | None) -> str | None:
    """The end of a game in the words of the cases."""
    return None if text is None else next((end for word, end in ENDS.items() if word in text.lower()), text)


def difference(expected: dict, found: dict) -> str:
    """The first field that differs, or "" if all agree."""
    if "error" in found:
        return str(found["error"])
    for name, value in expected.items():
        told = end_of(found.get(name)) if name == "over" else found.get(name)
        if told != value:
            return f"{name}: expected {value}, found {told}"
    return ""


def main(words: list[str]) -> int:
    of_games = words[:1] == ["--games"]
    skipped = set()
    words = words[of_games:]
    while words[:1] == ["--without"] and len(words) > 1:
        skipped.add(words[1])
        words = words[2:]
    if not words or words[0].startswith("-"):
        print(
            f"expected a command, found {words[0] if words else 'nothing'}; see the first lines of run.py",
            file=sys.stderr,
        )
        return 2
    return ask_games(words, skipped) if of_games else ask(words, skipped)


def lines_of(name: str) -> list[dict]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def ask(words: list[str], skipped: set[str]) -> int:
    """Ask the questions of cases.jsonl."""
    cases = [case for case in lines_of("cases.jsonl") if case["about"] not in skipped]
    told = "".join(json.dumps(case["question"]) + "\n" for case in cases)
    answers = run(words, told)
    if answers is None:
        return 2
    answers = answers.splitlines()
    if len(answers) != len(cases):
        print(f"expected {len(cases)} answers, found {len(answers)}", file=sys.stderr)
        return 1
    found = []
    for number, (case, text) in enumerate(zip(cases, answers, strict=True), 1):
        wrong = difference(case["answer"], answer_in(text))
        found.append((case["about"], not wrong))
        if wrong:
            print(f"case {number}, {case['about']}: {wrong}")
    return summed(found)


def answer_in(text: str) -> dict:
    """The object in a line. Other text becomes an object with an error."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"error": f"expected a JSON object, found {text[:60]!r}"}


def run(words: list[str], told: str) -> str | None:
    """What the program writes; None if it cannot be started."""
    try:
        done = subprocess.run(words, input=told, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    except OSError as error:
        print(f"{words[0]}: {error.strerror}", file=sys.stderr)
        return None
    except UnicodeDecodeError:
        print(f"{words[0]}: expected answers in UTF-8", file=sys.stderr)
        return None
    return done.stdout


def ask_games(words: list[str], skipped: set[str]) -> int:
    """Ask for the results of the games of games.pgn."""
    games = HERE / "games.pgn"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.pgn"
        places = {"{in}": str(games), "{out}": str(out)}
        told = "" if "{in}" in words else games.read_text(encoding="utf-8")
        written = run([places.get(word, word) for word in words], told)
        if written is None:
            return 2
        if "{out}" in words:
            written = out.read_text(encoding="utf-8") if out.exists() else ""
    expected, answers = lines_of("games.jsonl"), tagged(written)
    if len(answers) != len(expected):
        print(f"expected {len(expected)} games, found {len(answers)}", file=sys.stderr)
        return 1
    found = []
    for case, tags in zip(expected, answers, strict=True):
        for name, value in case["answer"].items():
            if name in skipped:
                continue
            found.append((name, tags.get(name) == value))
            if tags.get(name) != value:
                print(f"game {case['round']}, {name}: expected {value}, found {tags.get(name)}")
    return summed(found)


def tagged(text: str) -> list[dict[str, str]]:
    """The tags of each game. A game begins with the first tag after moves."""
    found: list[dict[str, str]] = []
    in_tags = False
    for line in text.splitlines():
        tag = re.fullmatch(r'\[(\w+) "(.*)"\]\s*', line)
        if tag:
            if not in_tags:
                found.append({})
            found[-1][tag[1]] = tag[2]
        in_tags = bool(tag) or (in_tags and not line.strip())
    return found


def summed(found: list[tuple[str, bool]]) -> int:
    """Print the number of right answers for each subject."""
    total = Counter(about for about, _ in found)
    right = Counter(about for about, is_right in found if is_right)
    for about, count in total.items():
        print(f"{right[about]:4} of {count:4}  {about}")
    print(f"{right.total()} of {total.total()} right")
    return int(right != total)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

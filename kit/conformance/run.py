"""Asks a program all questions of cases.jsonl and compares its answers. In the public domain (CC0 1.0).

    python run.py [--without ABOUT]... COMMAND...        python run.py standstill adjudicate

The program reads questions, one JSON object per line, and answers each with another. Exit status: 0 if all answers are
right.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

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
    skipped = set()
    while words[:1] == ["--without"]:
        skipped.add(words[1])
        words = words[2:]
    if not words:
        print("expected a command", file=sys.stderr)
        return 2
    lines = Path(__file__).with_name("cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["about"] not in skipped]
    told = "".join(json.dumps(case["question"]) + "\n" for case in cases)
    done = subprocess.run(words, input=told, stdout=subprocess.PIPE, text=True, check=False)
    answers = done.stdout.splitlines()
    if len(answers) != len(cases):
        print(f"expected {len(cases)} answers, found {len(answers)}", file=sys.stderr)
        return 1
    right, total = Counter(), Counter()
    for number, (case, text) in enumerate(zip(cases, answers, strict=True), 1):
        wrong = difference(case["answer"], json.loads(text))
        total[case["about"]] += 1
        right[case["about"]] += not wrong
        if wrong:
            print(f"case {number}, {case['about']}: {wrong}")
    for about, count in total.items():
        print(f"{right[about]:4} of {count:4}  {about}")
    print(f"{right.total()} of {total.total()} right")
    return int(right != total)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

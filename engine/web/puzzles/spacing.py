"""The time when a puzzle comes again: the algorithm SM-2 (P. A. Wozniak, "Optimization of learning", 1990).

A solved puzzle is asked again after 1 day and then after 6 days. Each further interval is the last interval times the
puzzle's easiness, which answers raise and lower. A puzzle that was not solved begins with 1 day again, and keeps its
easiness. After an answer below ``KNOWN`` the puzzle is also asked again on the same day until it is solved, which
changes nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from math import ceil

# The quality of an answer, as SM-2 counts it: 5 perfect, 3 correct with serious difficulty, below 3 wrong.
AT_ONCE, WITH_HINT, AFTER_MISTAKE, SHOWN = 5, 3, 2, 1
KNOWN = 4  # the minimum quality of an answer after which a puzzle is not asked again on that day
_PASSED = 3
_FIRST_DAYS, _SECOND_DAYS = 1, 6
_EASINESS, _LEAST_EASINESS = 2.5, 1.3
_MOST_DAYS = 3650  # the longest interval, ten years, is as good as never
LEARNT_DAYS = 21  # the minimum interval at which a puzzle counts as learnt


@dataclass(frozen=True, slots=True)
class Card:
    """The data that is remembered about a puzzle. repetitions: the number of times that it was solved in a row. due:
    the next day on which to ask it. again: whether to ask it once more today.

    seen, solved: how often the puzzle was asked, and how often it was solved at once.
    """

    repetitions: int = 0
    days: int = 0
    easiness: float = _EASINESS
    due: date | None = None
    again: bool = False
    seen: int = 0
    solved: int = 0
    last: date | None = None

    @property
    def is_learnt(self) -> bool:
        return self.days >= LEARNT_DAYS

    def is_due(self, today: date) -> bool:
        return self.again or (self.due is not None and self.due <= today)


def answered(card: Card, quality: int, today: date) -> Card:
    """The card after an answer. quality: a number from 0 to 5.

    An answer before the day on which the puzzle is due is only counted.

    >>> answered(answered(Card(), 5, date(2026, 1, 1)), 5, date(2026, 1, 2)).due
    datetime.date(2026, 1, 8)
    """
    counted = replace(card, seen=card.seen + 1, solved=card.solved + (quality >= KNOWN), last=today)
    if card.again and card.last == today:
        return replace(counted, again=quality < KNOWN)
    if card.due is not None and card.due > today:
        return counted
    easiness, repetitions = card.easiness, 0
    if quality >= _PASSED:
        short = 5 - quality
        easiness = max(_LEAST_EASINESS, easiness + 0.1 - short * (0.08 + short * 0.02))
        repetitions = card.repetitions + 1
    if repetitions <= 1:
        days = _FIRST_DAYS
    else:
        days = _SECOND_DAYS if repetitions == 2 else min(_MOST_DAYS, ceil(card.days * easiness))
    due = today + timedelta(days)
    return replace(counted, repetitions=repetitions, days=days, easiness=easiness, due=due, again=quality < KNOWN)

"""What the tags of a game say about its end, and about how a drawn game counts."""

from __future__ import annotations

import re
from typing import Protocol

from standstill.cext.bindings.pgn_games import GameHead, GameScore, read_tags

from ..common.errors import NotationError
from ..common.goal import parse_weakest
from ..rmobility.goals import Goal
from ..rmobility.scoring import Terms, parse_komi
from .pgn import decoded

_TERMINATIONS = (b"Termination", b"TerminationDetails")
# Words of tags that do not name the rule that ended the game, unlike ``rules infraction`` and similar words.
_NO_REASON = re.compile(r"[\s?-]*(normal[\s?-]*)*")
_TERMS = (b"Komi", b"RMobilityCutOff")


class Tagged(Protocol):
    """What these functions read of a ``ScoredGame``."""

    text: bytes
    start: int
    end: int
    head: GameHead
    goal: Goal | None


def terms_of(game: Tagged, usual: Terms) -> tuple[Terms, str | None]:
    """Return (the terms by the tags ``Komi`` and ``RMobilityCutOff``, what is wrong with these tags or None).

    usual: the terms of a game without these tags, or with an unreadable one.
    """
    if all(game.text.find(name, game.start, game.head.moves) < 0 for name in _TERMS):
        return usual, None
    tags = dict(read_tags(game.text, game.start, game.end))
    komi, cut_off = (tags.get(name) for name in _TERMS)
    try:
        return Terms(
            usual.komi if komi is None else parse_komi(decoded(komi)),
            usual.cut_off if cut_off is None else parse_weakest(decoded(cut_off)),
        ), None
    except NotationError as error:
        return usual, f"{error}; its tags {' and '.join(map(bytes.decode, _TERMS))} do not count"


def adjudicated(game: Tagged) -> bool:
    """Return whether the tags say that the game was adjudicated."""
    text = termination(game)
    return any(word in text for word in ("adjudicat", "syzygy", "tablebase", "tb "))


def ended_dead(game: Tagged, score: GameScore) -> bool:
    """Return whether insufficient material ended the game: by its tags or, if they are silent, its last position."""
    text = termination(game)
    return "insufficient" in text or (_NO_REASON.fullmatch(text) is not None and score.board().insufficient)


def decided_by_komi(game: Tagged) -> bool:
    """Return whether the tags say that a komi decided a drawn game. Its result then follows from the record."""
    return game.text.find(b"omi", game.start, game.head.moves) >= 0 and " komi " in termination(game)


def result_by_komi(game: Tagged) -> str | None:
    """Return the result by the komi in the tags if they say that it decided the game; None otherwise."""
    if game.goal is None or not decided_by_komi(game):
        return None
    terms = terms_of(game, Terms())[0]
    return None if terms.komi is None else terms.result(game.goal)


def termination(game: Tagged) -> str:
    """Return the words about the end of the game in its tags, in lower case, with a blank after each tag."""
    tags = read_tags(game.text, game.start, game.end)
    return "".join(f"{decoded(value).lower()} " for name, value in tags if name in _TERMINATIONS)

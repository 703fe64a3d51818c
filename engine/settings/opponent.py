"""The opponent as a UCI client tells it, in the option UCI_Opponent."""

from __future__ import annotations

from ..common.text import shown


def check_opponent(text: str) -> tuple[str, str, str, str] | None:
    """(title, Elo, ``computer`` or ``human``, name) of ``TITLE ELO computer|human NAME``; None of an empty text.

    Title and Elo are ``none`` if the client does not know them. A name may be missing, as some clients send it for
    engines without one. Raises ValueError for any other form.
    """
    words = text.split(None, 3)
    if not words:
        return None
    if len(words) < 3 or words[2] not in ("computer", "human") or not (words[1] == "none" or words[1].isdecimal()):
        raise ValueError(f"expected TITLE ELO computer|human NAME, found {shown(text)}")
    return words[0], words[1], words[2], words[3] if len(words) > 3 else ""


def opponent_line(text: str) -> str:
    """The same in words, for people."""
    told = check_opponent(text)
    if told is None:
        return "no opponent is named"
    title, elo, kind, name = told
    rating = "" if elo == "none" else f", Elo {elo}"
    return f"the opponent is {'' if title == 'none' else title + ' '}{name or 'nameless'} ({kind}{rating})"

"""The known properties of the XBoard client, and the lines of thinking that its user sees."""

from __future__ import annotations

import sys

from standstill.engine.common.info import EXACT, SearchInfo
from standstill.engine.rmobility.modes import DECISIVE, POINTS

from .lines import one_line, outlook_text, tell_error, thinking_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.rmobility.modes import Outlook
    from standstill.engine.settings.options import Settings

    from ..line_writer import LineWriter

_BOOK = "(book)"  # XBoard recognises book moves by the bracket


class Client:
    """The client. Lines about a search are written on the search's thread."""

    def __init__(self, writer: LineWriter, settings: Settings):
        self._writer = writer
        self._settings = settings
        self.skips_comments = False  # comments are lines that begin with #
        # Only XBoard's own window can exclude moves. XBoard's window shows how a variation begins, and skips braces
        # there. Programs that parse the moves stop at the first word that is not a move.
        self.has_window = False
        self.shows_lines_as_sent = False  # true for Cute Chess, also in a terminal
        self._answers = False  # the client has accepted a feature; the old analysis window of Scid accepts no feature
        self._analyses = True  # the client accepts the feature `analyze`
        self._is_older = False  # the client does not know the columns that XBoard added later, as PyChess
        self.keeps_in_step = False  # the client has accepted `ping`, as all clients that answer each feature do
        self.posts = False  # the user has switched lines of thinking on
        self.is_referee = False  # two programs play, and the client judges their claims

    @property
    def waits_for_a_move(self) -> bool:
        """Whether claims are ignored until the first move: Cute Chess ends games only after moves."""
        return self.shows_lines_as_sent

    def accepted(self, feature: str) -> None:
        self._answers = True
        if feature == "debug":
            self.skips_comments = True
        elif feature == "exclude":
            self.has_window = True
        elif feature == "ping":
            self.keeps_in_step = True
        elif feature == "option" and not self._analyses:
            self.shows_lines_as_sent = True  # this identifies cutechess-cli too; Scid sends nothing about options

    def rejected(self, feature: str) -> None:
        if feature == "analyze":
            self._analyses = False
        elif feature == "exclude":
            self._is_older = True

    # ---- texts for people ----

    def remark(self, text: str) -> None:
        """Print a remark beside the thinking, only for a client that skips lines with #."""
        if self.skips_comments:
            self._writer.write(f"# {one_line(text)}")

    def comment(self, text: str) -> None:
        """Print a text for people, as a line with # if the client skips those, else on standard error."""
        if self.skips_comments:
            self.remark(text)
        else:
            print(one_line(text), file=sys.stderr, flush=True)

    def warn(self, text: str) -> None:
        """Show in a window that a request of the user was not met; XBoard writes comments only into its log."""
        self._writer.write(tell_error(text))

    def advise(self, text: str) -> None:
        """Show in a window what the user has to do."""
        self._writer.write(f"telluser {one_line(text)}")

    # ---- thoughts ----

    def show(self, info: SearchInfo, moves: list[str], expects: Outlook | None) -> None:
        """Print a line of thinking.

        moves: the variation. expects: the R-Mobility record expected at the end of the best line.
        """
        if (self._is_older or not self._analyses) and not self.shows_lines_as_sent:
            # PyChess shows everything after the nodes as the variation, and does not skip dots and brackets: (G3.5)
            # becomes G35. Scid's engine window calls a variation illegal if any word is not a move, including the
            # mark of a bound.
            if self._analyses or info.bound == EXACT:
                self._writer.write(thinking_line(info, moves, False))
            return
        symbol = info.symbol if info.symbol and info.bound == EXACT else ""
        outlook = outlook_text(expects) if info.multipv == 1 and expects is not None and self._counts(expects) else ""
        book = _BOOK if info.source == "book" else ""
        ahead: tuple[str, ...] = ()
        behind: tuple[str, ...] = ()
        if self.has_window:
            # After the first move any text is safe. XBoard parses a line up to its first move, to sort lines or to
            # exclude that move. It skips braces, and takes any other bracket for the mark of a book move.
            shown = " ".join(filter(None, (symbol, outlook)))
            marks = (shown and f"{{{shown}}}", book)
            moves = [moves[0], *filter(None, marks), *moves[1:]]
        elif self.shows_lines_as_sent:
            ahead, behind = (symbol, book), (outlook and f"({outlook})",)
        else:
            behind = (symbol and f"{{{symbol}}}", outlook and f"({outlook})", book)
        # The additional columns are recent: clients that do not support them read them as moves.
        columns = self._settings["More Columns"] and self._answers and not self.shows_lines_as_sent
        self._writer.write(thinking_line(info, moves, columns, ahead, behind, plain=self.shows_lines_as_sent))

    def _counts(self, outlook: Outlook) -> bool:
        """Return whether to show the record beside the score: if records are results, or once the record decides."""
        return outlook.promised or self._settings["RMobility"] in (POINTS, DECISIVE)

"""Reads PGN games in bulk: from bytes to goals and records. Python bindings.

The rules are those of engine/rmobility/goals.py, which is written for readability; tests compare the two.
"""

from libc.stdint cimport int32_t

from ..chess.chess_board cimport ChessBoard
from ..chess.movegen cimport count_below, scan_position
from ..chess.position cimport Position, make_move, make_null_move
from ..chess.san cimport SAN_FINE, SAN_ILLEGAL, SanFault, read_san
from ..chess.legal_count cimport Scan
from ..chess.pgn_text cimport (INCOMPLETE, TOKEN_END, TOKEN_NAG, TOKEN_RESULT, TOKEN_UNCLOSED, TOKEN_WORD, Cursor, Span,
                               Tag, Token, comments_end, find_end, next_tag, next_token, span_is)
from ..base.types cimport *

FAULTS = ("", "unreadable", "illegal", "ambiguous", "unclosed")   # index: a SanFault or UNCLOSED

TOKENS = ("end", "word", "comment", "nag", "result", "other", "unclosed")   # index: a Token

cdef enum:
    UNCLOSED = 4                      # index in FAULTS: an unclosed comment or variation


cdef struct Tally:                    # the lowest goal so far
    int code
    int owner
    int ply
    int pending                       # a goal that counts only if the game goes on, or NO_GOAL
    int pending_owner
    int pending_ply


cdef inline void restart(Tally* t, int code, int owner, int ply) noexcept nogil:
    t.code = code
    t.owner = owner
    t.ply = ply
    t.pending = NO_GOAL


cdef inline void confirm(Tally* t) noexcept nogil:
    """Count a pending goal, because the game went on."""
    if t.pending != NO_GOAL:
        restart(t, t.pending, t.pending_owner, t.pending_ply)


cdef inline void improve(Tally* t, int code, int owner, int ply, bint ends_the_game) noexcept nogil:
    """Record a goal. ``ends_the_game``: unless a move follows, the 50-move rule ends the game and voids the goal."""
    if code >= t.code:
        return
    if ends_the_game and code > 1:
        t.pending = code
        t.pending_owner = owner
        t.pending_ply = ply
    else:
        restart(t, code, owner, ply)


cdef class GameHead:
    """The tags of a game that scoring needs; all offsets count from the beginning of the data.

    roster_end: the end of the last line with a tag of the seven tag roster; the first tag if the roster is missing.
    moves: the start of the movetext. own: (name, start, end) of each R-Mobility tag, or of its whole line if nothing
    else is on it. Values are bytes without the quotes; None for a missing tag. An empty FEN counts as missing unless
    SetUp is 1.
    """

    cdef readonly int32_t tags, roster_end, moves
    cdef readonly bint has_tags
    cdef readonly bytes result, fen, variant, agreed
    cdef readonly list own


cdef class GameScore:
    """The result of replaying a game.

    record, whole: (code, owner, ply) of the lowest goal since the last reset, and of the whole game; None without
    moves. first: (code, owner) of the record before the first move. last: goal code of the final position. clock: its
    50-move counter. result: the marker after the moves, or None. fault: 0, or an index in FAULTS. word: the move that
    could not be played at ply ``plies`` + 1, or the beginning of an unclosed comment or variation. words: number of
    written moves, including those after the fault. names_pawns: whether a played move begins with P. Four lists have
    an entry for each ply, or are empty without detail: codes (from ply 0; NO_GOAL after a pass), moves (start, end and
    place for a comment in the data; place 0 after a pass), resets (whether captures or pawn moves), line (0: a pass).
    """

    cdef readonly int plies, last, clock, fault, words, first_mover
    cdef readonly bint names_pawns
    cdef readonly tuple record, whole, first
    cdef readonly bytes result, word
    cdef readonly list codes, moves, resets, line
    cdef Position final

    def board(self) -> ChessBoard:
        """The final position or the one before the fault, without the moves leading to it."""
        board = ChessBoard()
        ep = None if self.final.ep_sq == NO_SQUARE else self.final.ep_sq
        board.set_up(bytes(self.final.mailbox[:64]), self.final.stm, self.final.castling, ep, self.final.clock, 1)
        return board


def split(bytes data not None, bint last, size_t start=0) -> list[int]:
    """Ends of consecutive games in the data; the first begins at ``start``.

    last: no data follow, so the last end is the end of the data. Otherwise the game after the last end may continue
    beyond the data.
    """
    cdef const uint8_t* text = data
    cdef size_t size = len(data), at = start
    cdef ssize_t end
    ends = []
    while at < size:
        end = find_end(text, size, at, last)
        if end == INCOMPLETE:
            break
        at = <size_t> end
        ends.append(at)
    return ends


cdef inline bint is_roster(const uint8_t* text, Span name) noexcept nogil:
    cdef uint8_t first = text[name.start]
    if first == c'E':
        return span_is(text, name, b"Event")
    if first == c'S':
        return span_is(text, name, b"Site")
    if first == c'D':
        return span_is(text, name, b"Date")
    if first == c'W':
        return span_is(text, name, b"White")
    if first == c'B':
        return span_is(text, name, b"Black")
    return first == c'R' and (span_is(text, name, b"Round") or span_is(text, name, b"Result"))


cdef inline bytes text_of(const uint8_t* text, Span span):
    return text[span.start:span.start + span.size]


cdef tuple own_tag(const uint8_t* text, int32_t begin, int32_t size, Tag* tag):
    """(name, start, end) of an R-Mobility tag, including its line if nothing else is on it.

    begin: start of the game. A game may begin inside a line, so the byte before it is read, but no earlier one.
    """
    cdef int32_t start = tag.start, end = tag.end
    while start > begin and (text[start - 1] == c' ' or text[start - 1] == c'\t'):
        start -= 1
    while end < size and (text[end] == c' ' or text[end] == c'\t'):
        end += 1
    if end + 1 < size and text[end] == c'\r' and text[end + 1] == c'\n':
        end += 1
    if ((start == 0 or text[start - 1] == c'\n' or text[start - 1] == c'\r')
            and (end == size or text[end] == c'\n' or text[end] == c'\r')):
        return text_of(text, tag.name), start, min(end + 1, size)
    return text_of(text, tag.name), tag.start, tag.end


def read_tags(bytes data not None, int32_t start, int32_t end) -> list[tuple[bytes, bytes]]:
    """(name, value) of each tag of the game from ``start`` to ``end``; values keep their escapes."""
    cdef Tag tag
    cdef const uint8_t* text = data
    cdef int32_t at = start
    tags = []
    while next_tag(text, end, at, &tag):
        at = tag.end
        tags.append((text_of(text, tag.name), text_of(text, tag.value)))
    return tags


def tag_places(bytes data not None, int32_t start, int32_t end) -> list[tuple[bytes, int, int, int]]:
    """(name, start and end of the value, end of the tag) of each tag of the game from ``start`` to ``end``."""
    cdef Tag tag
    cdef const uint8_t* text = data
    cdef int32_t at = start
    places = []
    while next_tag(text, end, at, &tag):
        at = tag.end
        places.append((text_of(text, tag.name), tag.value.start, tag.value.start + tag.value.size, at))
    return places


def read_head(bytes data not None, int32_t start, int32_t end) -> GameHead:
    """The tags of the game from ``start`` to ``end``."""
    cdef const uint8_t* text = data
    cdef GameHead head = GameHead.__new__(GameHead)
    cdef Tag tag
    cdef int32_t at
    cdef uint8_t first
    cdef int32_t foreign_end = start  # end of the last tag without R-Mobility data
    cdef bint set_up = False
    if end - start >= 3 and text[start:start + 3] == b"\xef\xbb\xbf":
        start += 3                    # new tags go behind a byte order mark
    head.tags = head.moves = start
    head.roster_end = -1
    head.own = []
    at = start
    while next_tag(text, end, at, &tag):
        at = tag.end
        if not head.has_tags:
            head.tags = tag.start
            head.has_tags = True
        first = text[tag.name.start]
        if is_roster(text, tag.name):
            head.roster_end = tag.end
            if first == c'R' and tag.name.size == 6:
                head.result = text_of(text, tag.value)
        elif first == c'F' and span_is(text, tag.name, b"FEN"):
            head.fen = text_of(text, tag.value)
        elif first == c'S' and span_is(text, tag.name, b"SetUp"):
            set_up = text_of(text, tag.value) == b"1"
        elif first == c'V' and span_is(text, tag.name, b"Variant"):
            head.variant = text_of(text, tag.value)
        elif first == c'R' and text[tag.name.start:tag.name.start + min(9, tag.name.size)] == b"RMobility":
            if span_is(text, tag.name, b"RMobilityAgreed"):
                head.agreed = text_of(text, tag.value)
            else:
                head.own.append(own_tag(text, start, end, &tag))
                continue
        foreign_end = tag.end
    if head.has_tags:
        head.moves = at
    if not set_up and head.fen is not None and head.fen.strip() in (b"", b"?", b"-"):
        head.fen = None               # some programs write this tag even for the usual start
    if head.roster_end < 0:
        head.roster_end = head.tags
    else:
        head.roster_end = comments_end(text, end, head.roster_end)
        while head.roster_end < end and text[head.roster_end] != c'\n' and text[head.roster_end] != c'\r':
            head.roster_end += 1
        if head.roster_end >= head.moves and begins_on_line(text, end, head.moves):
            head.roster_end = foreign_end
            return head
        if head.roster_end + 1 < end and text[head.roster_end:head.roster_end + 2] == b"\r\n":
            head.roster_end += 1
        head.roster_end = min(head.roster_end + 1, end)
    return head


cdef bint begins_on_line(const uint8_t* text, int32_t end, int32_t at) noexcept nogil:
    """Return whether the movetext begins on the line of the last tag, which ends at `at`."""
    at = comments_end(text, end, at)
    while at < end and (text[at] == c' ' or text[at] == c'\t'):
        at += 1
    return at < end and text[at] != c'\n' and text[at] != c'\r' and text[at] != c';'


cdef inline bint is_pass(const uint8_t* text, Span word) noexcept nogil:
    while word.size > 2 and (text[word.start + word.size - 1] == c'!' or text[word.start + word.size - 1] == c'?'):
        word.size -= 1
    if word.size == 2:
        return span_is(text, word, b"--") or span_is(text, word, b"Z0")
    return word.size == 4 and (span_is(text, word, b"0000") or span_is(text, word, b"@@@@"))


def move_words(bytes data not None, int32_t start, int32_t end) -> list[tuple[int, int]]:
    """(start, end) of each word of the movetext that should be a move of the main line."""
    cdef Cursor cursor
    cdef Token token
    cursor.text = data
    cursor.size = end
    cursor.at = start
    words = []
    while True:
        token = next_token(&cursor)
        if token == TOKEN_WORD:
            words.append((cursor.token.start, cursor.token.start + cursor.token.size))
        elif token == TOKEN_END:
            return words


def tokens(bytes data not None, int32_t start, int32_t end) -> list[tuple[str, int, int]]:
    """(kind, start, end) of each token of the movetext. Kinds: ``word``, ``comment``, ``nag``, ``result``,
    ``other`` (a variation or the rest of a line), ``unclosed`` (a comment or variation that goes on to the end).
    """
    cdef Cursor cursor
    cdef Token token
    cursor.text = data
    cursor.size = end
    cursor.at = start
    found = []
    while True:
        token = next_token(&cursor)
        if token == TOKEN_END:
            return found
        found.append((TOKENS[token], cursor.token.start, cursor.token.start + cursor.token.size))


cdef struct Replay:                   # state while a game is played through
    Position positions[2]             # the current one and room for the next
    Scan scan                         # scan of the current position
    int place                         # index of the current position
    int code                          # goal code of the current position
    int ply
    SanFault fault                    # fault of the first move that could not be played; SAN_FINE before it
    Tally phase                       # record since the last reset
    Tally whole                       # record of the whole game
    bint void_trigger                 # the move that triggers the 50-move rule sets no record
    bint void_whole_trigger


cdef inline void scan_and_count(Replay* r) noexcept nogil:
    cdef Position* p = &r.positions[r.place]
    scan_position(p, &r.scan)
    r.code = 2 * count_below(p, &r.scan, EVERY_MOVE) + (r.scan.checkers == 0)


cdef inline void play(Replay* r, Move move) noexcept nogil:
    """Plays a legal move, or a null move for 0, and keeps the records."""
    cdef Position* before = &r.positions[r.place]
    cdef Position* p = &r.positions[r.place ^ 1]
    cdef bint over
    if move:
        make_move(before, p, move)
    else:
        make_null_move(before, p)
    r.place ^= 1
    r.ply += 1
    scan_and_count(r)
    confirm(&r.phase)
    confirm(&r.whole)
    if move == 0:
        return
    over = p.clock >= CLOCK_LIMIT
    if p.clock == 0:
        restart(&r.phase, r.code, p.stm ^ 1, r.ply)
    else:
        improve(&r.phase, r.code, p.stm ^ 1, r.ply, over and r.void_trigger)
    improve(&r.whole, r.code, p.stm ^ 1, r.ply, over and r.void_whole_trigger)


cdef inline Move read_move(Replay* r, const uint8_t* text, Span word) noexcept nogil:
    """The move that a word names, 0 for a null move; r.fault is set if it cannot be played."""
    cdef Move move = read_san(&r.positions[r.place], &r.scan, text + word.start, word.size, &r.fault)
    if r.fault != SAN_FINE and is_pass(text, word):
        r.fault = SAN_ILLEGAL if r.scan.checkers else SAN_FINE
    return move


cdef void begin(Replay* r, const Position* start, given):
    r.positions[0] = start[0]
    r.place = r.ply = 0
    r.fault = SAN_FINE
    scan_and_count(r)
    restart(&r.phase, r.code, start.stm ^ 1, 0)
    if given is not None and given[1] <= r.code:
        restart(&r.phase, given[1], given[0], 0)
    r.whole = r.phase


cdef void note_ply(GameScore score, const Replay* r, const Cursor* cursor, Move move):
    """Append the details of a ply to the lists."""
    score.codes.append(r.code if move else NO_GOAL)
    score.resets.append(move != 0 and r.positions[r.place].clock == 0)
    score.moves.append((cursor.token.start, cursor.at, cursor.at if move else 0))
    score.line.append(move)


cdef void note_nag(GameScore score, const Cursor* cursor):
    """Put the place for a comment on the last move after this annotation."""
    if score.moves and score.moves[len(score.moves) - 1][2]:
        score.moves[len(score.moves) - 1] = (*score.moves[len(score.moves) - 1][:2], cursor.at)


cdef void finish(GameScore score, const Replay* r, bint unclosed):
    score.plies = r.ply
    score.last = r.code
    score.final = r.positions[r.place]
    score.clock = score.final.clock
    score.fault = UNCLOSED if unclosed and r.fault == SAN_FINE else r.fault
    if r.ply:
        score.record = (r.phase.code, r.phase.owner, r.phase.ply)
        score.whole = (r.whole.code, r.whole.owner, r.whole.ply)


def score_moves(bytes data not None, int32_t start, int32_t end, ChessBoard board=None, given=None,
                bint keep_trigger=False, bint keep_whole_trigger=True, bint detail=False) -> GameScore:
    """Play through the movetext from ``start`` to ``end``.

    board: where the game begins; None is the start position. given: (owner, code) of a record in force before the game.
    keep_trigger, keep_whole_trigger: whether the position that ends the game by the 50-move rule may set the record of
    the phase, and that of the whole game.
    """
    cdef GameScore score = GameScore.__new__(GameScore)
    cdef const uint8_t* text = data
    cdef Cursor cursor
    cdef Replay replay
    cdef Token token
    cdef Move move
    cdef bint unclosed = False
    cursor.text = text
    cursor.size = end
    cursor.at = start
    replay.void_trigger = not keep_trigger
    replay.void_whole_trigger = not keep_whole_trigger
    begin(&replay, START.now() if board is None else board.now(), given)
    score.first = (replay.phase.code, replay.phase.owner)
    score.first_mover = replay.positions[0].stm
    score.codes, score.resets = ([replay.code], [True]) if detail else ([], [])
    score.moves, score.line = [], []
    while True:
        token = next_token(&cursor)
        if token == TOKEN_END:
            break
        if token == TOKEN_RESULT:
            score.result = text_of(text, cursor.token)
        score.words += token == TOKEN_WORD
        unclosed |= token == TOKEN_UNCLOSED
        if replay.fault != SAN_FINE:
            continue
        if token == TOKEN_WORD:
            move = read_move(&replay, text, cursor.token)
            if replay.fault != SAN_FINE:
                score.word = text_of(text, cursor.token)
                continue
            play(&replay, move)
            score.names_pawns |= text[cursor.token.start] == c'P'
            if detail:
                note_ply(score, &replay, &cursor, move)
        elif token == TOKEN_NAG and detail:
            note_nag(score, &cursor)
        elif token == TOKEN_UNCLOSED:
            score.word = text_of(text, cursor.token)[:20]
    finish(score, &replay, unclosed)
    return score


cdef ChessBoard START = ChessBoard()

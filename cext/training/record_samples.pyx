"""Training positions labelled with the owner of the last record, from games played for the record. Python bindings.

docs/training.md#records describes the samples.
"""

from libc.string cimport memcpy

from ..base.bits cimport popcount
from ..base.types cimport *
from ..chess.movegen cimport count_below, is_legal, scan_position
from ..chess.packed cimport unpack16
from ..chess.position cimport Position, make_move, occupied_of
from ..chess.legal_count cimport Scan
from ..network.record_eval cimport record_output
from .sample cimport GameHead
from .samples cimport SampleReader

cimport cython

cdef enum:
    LONGEST = 1024                    # plies of the longest game that is read
    DRAWN = 1
    STALEMATE_CODE = 1


@cython.final
cdef class RecordReader(SampleReader):
    """Collects samples of drawn games of chess. Their result says whether the side to move holds the last record.

    Instead of the ply, a sample contains the output for the standing record. Positions in check, positions of more than
    ``most_pieces``, and games of more than 1024 plies are left out.
    """

    cdef int most_pieces
    cdef int[LONGEST] codes           # the output for the standing record at each ply
    cdef int[LONGEST] owners
    cdef int last_owner

    def __init__(self, int most_pieces):
        SampleReader.__init__(self, 0, 0, True)
        self.most_pieces = most_pieces

    cdef int replay(self, Position* p, const GameHead* head, const uint8_t* text, uint32_t number) noexcept nogil:
        cdef Position[2] q
        cdef int wrong
        if head.flags & 3 != DRAWN or head.plies >= LONGEST:
            return 0
        memcpy(&q[0], &p[0], sizeof(Position))
        wrong = self.note_records(q, head, text)
        return wrong if wrong else SampleReader.replay(self, p, head, text, number)

    cdef int note_records(self, Position* q, const GameHead* head, const uint8_t* text) noexcept nogil:
        """Note the record at each ply; returns 0, or the ply of an illegal move. q: room for two positions."""
        cdef Scan s
        cdef uint16_t packed
        cdef int ply, now = 0, code
        cdef Move move
        for ply in range(head.plies + 1):
            scan_position(&q[now], &s)
            code = 2 * count_below(&q[now], &s, EVERY_MOVE) + (s.checkers == 0)
            # Where the 50-move rule ends the game, only a stalemate sets a record.
            if (ply == 0 or q[now].clock == 0
                    or (code < self.codes[ply - 1] and (q[now].clock < CLOCK_LIMIT or code == STALEMATE_CODE))):
                self.codes[ply] = code
                self.owners[ply] = q[now].stm ^ 1
            else:
                self.codes[ply] = self.codes[ply - 1]
                self.owners[ply] = self.owners[ply - 1]
            if ply < head.plies:
                memcpy(&packed, text, 2)
                text += 4 if ply >= head.opening else 2
                move = unpack16(&q[now], packed)
                if not is_legal(&q[now], &s, move):
                    return ply + 1
                make_move(&q[now], &q[now ^ 1], move)
                now ^= 1
        self.last_owner = self.owners[head.plies]
        return 0

    cdef void consider(self, const Position* p, const Scan* s, Move move, int cp, int ply, const GameHead* head,
                       uint32_t number) noexcept nogil:
        if ply >= head.opening and not s.checkers and popcount(occupied_of(p)) <= self.most_pieces:
            self.keep(p, 0, 2 if self.last_owner == p.stm else 0,
                      record_output(self.owners[ply] == p.stm, self.codes[ply]), number)
